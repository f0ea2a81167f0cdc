/*
 * Keyframes in the window by real events: a key by its diamond, others in the curve editor, a recorded flight; then the
 * scene that is saved after a restart, from which the program computes the same state, bit for bit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "window.h"

static const char scene[] = "name: Keys\n"
                            "domain: {size: [1, 1, 1]}\n"
                            "solver: {resolution: 16}\n"
                            "emitters:\n"
                            "  - {shape: sphere, center: [0, 0.2, 0], radius: 0.15, density: 1, temperature: 50}\n"
                            "image: {width: 32, height: 32, samples: 1}\n"
                            "camera: {position: [0, 0.5, 3], target: [0, 0.5, 0]}\n"
                            "animation:\n"
                            "  - {path: emitters.0.density, keys: [{time: 0, value: 0.5}, {time: 1, value: 3}]}\n";

static Window window;

static int make_scene(void **state)
{
    if (enter_window_folder(state) != 0) {
        return -1;
    }
    make_file("keys.yaml", scene);
    return 0;
}

static int leave(void **state) { return leave_window_folder(state, &window); }

// the number of a saved scene's file, and its text; the caller frees it
static char *save(int number)
{
    char path[64];
    (void)snprintf(path, sizeof path, "keys-%04d.yaml", number);
    send_events("key g");
    wait_for_message(path);
    size_t size;
    return read_whole_file(path, &size);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

static void edit_in_curve_editor(void)
{
    float plot[4];
    float key[4];
    send_events("mousemove 700 200 key F6");
    wait_for_control(&window, "Curves.key 2", key);
    wait_for_control(&window, "Curves.plot", plot);
    // a double click adds a key between the two, which is dragged
    const int x = (int)(0.6f * plot[0] + 0.4f * plot[2]);
    const int y = (int)(0.3f * plot[1] + 0.7f * plot[3]);
    send_events("mousemove %d %d sleep 0.2 click --repeat 2 --delay 60 1", x, y);
    wait_for_control(&window, "Curves.key 3", key);
    wait_for_control(&window, "Curves.key 2", key);
    const float before = key[1];
    send_events("mousemove %d %d sleep 0.2 mousedown 1 sleep 0.2 mousemove_relative -- 5 -10 sleep 0.2 "
                "mousemove_relative -- 5 -30 sleep 0.2 mouseup 1 sleep 0.3",
                x, y);
    for (int n = 0; n < 100 && !(find_control("Curves.key 2", key) && key[1] < before - 20.0f); n++) {
        wait_seconds(0.1);
    }
    assert_true(key[1] < before - 20.0f);
    // it is deleted, and back after undo
    send_events("mousemove %d %d sleep 0.2 click 1 sleep 0.3 key Delete", x + 10, y - 40);
    wait_for_no_control(&window, "Curves.key 3");
    send_events("key ctrl+z");
    wait_for_control(&window, "Curves.key 3", key);
    click_control(&window, "Curves.close");
    wait_for_no_control(&window, "Curves.plot");
}

static void record_flight(void)
{
    send_events("mousemove 700 200 key shift+i");
    wait_for_message("the motion of the camera is recorded");
    send_events("key space");
    wait_for_controls(&window, "running", "true");
    for (int n = 0; n < 6; n++) {
        send_events("mousemove 600 250 mousedown 2 mousemove_relative -- 12 3 sleep 0.2 mousemove_relative -- 12 3 "
                    "sleep 0.2 mouseup 2");
    }
    send_events("key space");
    wait_for_controls(&window, "running", "false");
    send_events("key shift+i");
    wait_for_message("flight of ");
}

static void expect_same_state(const char *text, const char *path)
{
    int frame = 0;
    const char *comment = strstr(text, "after frame ");
    assert_non_null(comment);
    assert_int_equal(sscanf(comment, "after frame %d", &frame), 1);
    assert_true(frame >= 3);
    assert_computes_to_hash(path, frame, hash_after(comment, "state hash "), "-q --size 32x18");
}

static void test_keys_are_set_edited_and_saved(void **state)
{
    (void)state;
    open_window(&window, "keys", "keys.yaml --size 800x600 --paused --renderer cpu --controls controls.yaml");
    wait_for_controls(&window, "running", "false");
    click_control(&window, "Air.gravity key"); // the panel scrolls until the whole section is visible
    send_events("sleep 0.5 key ctrl+z sleep 0.5");
    click_control(&window, "Air.wind key");
    wait_seconds(0.5);
    click_control(&window, "Air.buoyancy key");
    edit_in_curve_editor();
    char *text = save(1);
    if (count_of(text, "path: ") != 5) {
        fail_msg("not five animated values in\n%s", text);
    }
    assert_non_null(strstr(text, "path: air.thermal_expansion"));
    assert_non_null(strstr(text, "path: air.wind.2"));
    free(text);
    record_flight();
    text = save(2);
    assert_non_null(strstr(text, "  keys:"));
    free(text);

    // after a restart and some frames: the state of the scene
    send_events("key r sleep 0.5 key shift+f sleep 0.2 key n sleep 0.5 key n sleep 0.5 key n sleep 0.5 key n sleep 2");
    text = save(3);
    assert_null(strstr(text, "Keys were changed"));
    expect_same_state(text, "keys-0003.yaml");
    free(text);
    close_window(&window);
    window.program.pid = 0;
}

// the position and the radius of an emitter are animated as other values are
static void test_shape_of_an_emitter(void **state)
{
    (void)state;
    open_window(&window, "keys", "keys.yaml --size 800x600 --paused --renderer cpu --controls controls.yaml");
    click_control(&window, "Objects");
    click_control(&window, "Objects.emitter 1");
    click_control(&window, "Objects.position key");
    wait_seconds(0.5);
    click_control(&window, "Objects.radius key");
    char *text = save(1);
    assert_int_equal(count_of(text, "path: emitters.0.center."), 3);
    assert_int_equal(count_of(text, "path: emitters.0.radius"), 1);
    assert_non_null(strstr(text, "value: 0.15"));
    free(text);
    close_window(&window);
    window.program.pid = 0;
}

static int make_scene_with_body(void **state)
{
    if (enter_window_folder(state) != 0) {
        return -1;
    }
    char text[1024];
    (void)snprintf(text, sizeof text, "%sbodies: [{shape: sphere, center: [0, 0.6, 0], radius: 0.12}]\n", scene);
    make_file("keys.yaml", text);
    return 0;
}

// drags the first number of a row
static void drag_number(const char *row, int by)
{
    float corners[4];
    click_control(&window, "Objects.radius"); // the panel scrolls to it
    wait_seconds(0.5);
    wait_for_control(&window, row, corners);
    send_events("mousemove %d %d sleep 0.3 mousedown 1 sleep 0.2 mousemove_relative -- %d 0 sleep 0.2 "
                "mousemove_relative -- %d 0 sleep 0.3 mouseup 1 sleep 0.3",
                (int)(0.85f * corners[0] + 0.15f * corners[2]), (int)(0.5f * (corners[1] + corners[3])), by / 2,
                by / 2);
}

static void press_over(const char *control, const char *key)
{
    float corners[4];
    wait_for_control(&window, control, corners);
    send_events("mousemove %d %d sleep 0.5 key %s sleep 0.5", (int)(0.5f * (corners[0] + corners[2])),
                (int)(0.5f * (corners[1] + corners[3])), key);
}

// 'frame 1, key; frame 8, move, key': a body has keys at every frame, also at an earlier one, which is changed by
// a drag there; and the simulation follows them.
static void test_body_at_an_earlier_frame(void **state)
{
    (void)state;
    open_window(&window, "keys", "keys.yaml --size 800x600 --paused --renderer cpu --controls controls.yaml");
    wait_for_controls(&window, "frame", "0");
    send_events("key --repeat 8 --delay 300 n");
    wait_for_controls(&window, "frame", "8");
    click_control(&window, "Objects");
    click_control(&window, "Objects.body 1");
    send_events("mousemove 600 250 key --repeat 7 --delay 100 comma");
    wait_for_controls(&window, "frame", "1");
    press_over("Objects.body 1", "i"); // over its name: its place
    send_events("key End");
    wait_for_controls(&window, "frame", "8");
    drag_number("Objects.position", 40);
    press_over("Objects.position", "i");
    char *text = save(1);
    assert_int_equal(count_of(text, "path: bodies.0.center."), 3);
    assert_int_equal(count_of(text, "time: 0.041666666666666664"), 3);
    assert_int_equal(count_of(text, "time: 0.3333333333333333"), 3);
    assert_null(strstr(text, "camera:\n  keys")); // I was for the body
    free(text);

    // at an earlier frame a drag sets a key; what has no keys cannot be dragged there
    send_events("mousemove 600 250 key --repeat 4 --delay 100 comma");
    wait_for_controls(&window, "frame", "4");
    drag_number("Objects.radius", 40);
    drag_number("Objects.position", -40);
    text = save(2);
    assert_int_equal(count_of(text, "path: bodies.0."), 3);
    assert_int_equal(count_of(text, "time: 0.16666666666666666"), 3);
    free(text);

    send_events("mousemove 600 250 key End");
    wait_for_controls(&window, "frame", "8");
    send_events("key r");
    wait_for_controls(&window, "frame", "0");
    send_events("key --repeat 9 --delay 300 n");
    wait_for_controls(&window, "frame", "9");
    text = save(3);
    assert_null(strstr(text, "move: "));
    expect_same_state(text, "keys-0003.yaml");
    free(text);
    close_window(&window);
    window.program.pid = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_shape_of_an_emitter, make_scene, leave),
        cmocka_unit_test_setup_teardown(test_body_at_an_earlier_frame, make_scene_with_body, leave),
        cmocka_unit_test_setup_teardown(test_keys_are_set_edited_and_saved, make_scene, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

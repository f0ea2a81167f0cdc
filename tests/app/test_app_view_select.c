// End-to-end test of the select tool: objects are selected by click and changed by their handles in a real window, and
// the scene that is saved has the changes: `brume render` computes the viewer's state from it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <unistd.h>

#include "window.h"

// In a window of 800 x 600 without panel, a meter is 400 points at z = 0, with (0, 0.45) in the middle: a sphere there,
// an emitter on its left, a point light on its right.
static const char desk_scene[] = "name: Desk\n"
                                 "domain: {size: [1.6, 0.9, 0.9], boundaries: {all: wall}}\n"
                                 "solver: {resolution: 16}\n"
                                 "emitters:\n"
                                 "  - {shape: sphere, center: [-0.5, 0.45, 0], radius: 0.1, density: 1}\n"
                                 "bodies:\n"
                                 "  - {shape: sphere, center: [0, 0.45, 0], radius: 0.1, albedo: [0.8, 0.1, 0.1]}\n"
                                 "lights:\n"
                                 "  - {kind: point, position: [0.5, 0.7, 0], intensity: 2}\n"
                                 "render: {walls: {visible: no}}\n"
                                 "image: {samples: 1}\n"
                                 "camera: {position: [0, 0.45, 3], target: [0, 0.45, 0], field_of_view: 28.072487}\n";

static Window window;
static int saves;
static const char small[] = "-D image.width=32 -D image.height=32"; // pictures

static int make_scene(void **state)
{
    if (enter_window_folder(state) != 0) {
        return -1;
    }
    make_file("desk.yaml", desk_scene);
    saves = 0;
    return 0;
}

static int leave(void **state) { return leave_window_folder(state, &window); }

// saves the scene once `frame` is computed; returns its text, to be freed
static char *save_desk(char name[32], int frame)
{
    char expected[32];
    (void)snprintf(expected, sizeof expected, "--frame %d\n", frame);
    for (int n = 0; n < 100; n++) {
        size_t size;
        (void)snprintf(name, 32, "desk-%04d.yaml", ++saves);
        send_events("key g");
        wait_for_file(&window.program, name);
        char *text = read_whole_file(name, &size);
        if (strstr(text, expected)) {
            return text;
        }
        free(text);
        wait_seconds(0.2);
    }
    fail_msg("frame %d is not reached", frame);
    return NULL;
}

// the numbers of a list after `key` in the section after `section`
static void read_vector(const char *text, const char *section, const char *key, float vector[3])
{
    const char *from = strstr(text, section);
    assert_non_null(from);
    from = strstr(from, key);
    assert_non_null(from);
    assert_int_equal(sscanf(from + strlen(key), " [%f, %f, %f]", &vector[0], &vector[1], &vector[2]), 3);
}

static void assert_vector(const float vector[3], float x, float y, float z)
{
    const float expected[3] = {x, y, z};
    for (int n = 0; n < 3; n++) {
        if (!(fabsf(vector[n] - expected[n]) <= 0.004f)) { // a point and a half of the picture
            fail_msg("component %d is %g, expected %g", n, (double)vector[n], (double)expected[n]);
        }
    }
}

// drags from a point of the window in small steps, as a hand does
static void drag(int x, int y, int dx, int dy)
{
    send_events("mousemove %d %d", x, y);
    wait_seconds(0.1);
    send_events("mousedown 1 mousemove %d %d mousemove %d %d mousemove %d %d mouseup 1", x + dx / 3, y + dy / 3,
                x + dx / 2, y + dy / 2, x + dx, y + dy);
    wait_seconds(0.2);
}

static void test_objects_are_moved(void **state)
{
    (void)state;
    char name[32];
    float at[3];
    open_window(&window, "desk",
                "desk.yaml --size 800x600 --renderer cpu --threads 1 --paused --plain "
                "--controls controls.yaml");
    wait_seconds(0.5);
    send_events("key n key q mousemove 200 300 click 1"); // the emitter
    drag(260, 300, 40, 0);                                // its arrow along x
    send_events("mousemove 600 200 click 1");             // the light
    drag(600, 140, 0, -20);                               // its arrow along y
    send_events("key n");
    char *text = save_desk(name, 2);
    read_vector(text, "timeline:", "emitters.0.center:", at);
    assert_vector(at, -0.4f, 0.45f, 0.0f);
    read_vector(text, "lights:", "position:", at);
    assert_vector(at, 0.5f, 0.75f, 0.0f);
    assert_null(strstr(text, "moves:"));
    assert_renders_to_its_hash(name, text, small);
    const uint64_t before_motion = hash_after(text, "state hash ");
    free(text);

    // the body: it is undone from its beginning
    send_events("mousemove 400 300 click 1");
    drag(460, 300, 40, 0);
    send_events("key n key n");
    text = save_desk(name, 4);
    read_vector(text, "moves:", "velocity:", at);
    assert_vector(at, 2.4f, 0.0f, 0.0f); // 0.1 m in a frame of 1/24 s
    assert_renders_to_its_hash(name, text, small);
    const uint64_t moved = hash_after(text, "state hash ");
    free(text);
    send_events("key ctrl+z");
    wait_seconds(0.5);
    text = save_desk(name, 4);
    assert_null(strstr(text, "moves:"));
    assert_renders_to_its_hash(name, text, small);
    assert_true(hash_after(text, "state hash ") != moved && hash_after(text, "state hash ") != before_motion);
    free(text);
    send_events("key ctrl+shift+z");
    wait_seconds(0.5);
    text = save_desk(name, 4);
    assert_true(hash_after(text, "state hash ") == moved);
    free(text);

    // a drag that is canceled changes nothing, and nor does a click beside everything
    send_events("mousemove 200 30 click 1 mousemove 440 300 click 1 mousemove 500 300 mousedown 1 mousemove 560 300 "
                "mousemove 580 300 key Escape mouseup 1 mousemove 200 30 click 1 mousemove 500 300 mousedown 1 "
                "mousemove 560 300 mouseup 1");
    wait_seconds(0.3);
    text = save_desk(name, 4);
    assert_true(hash_after(text, "state hash ") == moved);
    assert_null(strstr(text, "Strokes"));
    free(text);

    // all is reset, as one step of the history: the body is where it was
    send_events("key Tab");
    click_control(&window, "Scene.reset all");
    send_events("key n");
    text = save_desk(name, 5);
    const char *placed = strstr(text, "frame: 4");
    assert_non_null(placed);
    read_vector(placed, "bodies", "center:", at);
    assert_vector(at, 0.0f, 0.45f, 0.0f);
    read_vector(text, "lights:", "position:", at);
    assert_vector(at, 0.5f, 0.7f, 0.0f);
    assert_renders_to_its_hash(name, text, small);
    free(text);
    send_events("key ctrl+z");
    wait_seconds(0.5);
    text = save_desk(name, 5);
    assert_null(strstr(text, "bodies.0:")); // settings, as those of emitters, have acted on a frame and stay in it
    assert_renders_to_its_hash(name, text, small);
    read_vector(text, "lights:", "position:", at);
    assert_vector(at, 0.5f, 0.75f, 0.0f);
    free(text);
    close_window(&window);
    window.program.pid = 0;
}

// objects of each kind that are added, copied, changed and deleted while the simulation runs
static void test_objects_come_and_go(void **state)
{
    (void)state;
    char name[32];
    float at[3];
    open_window(&window, "desk", "desk.yaml --size 800x600 --renderer cpu --threads 1 --paused --plain");
    wait_seconds(0.5);
    send_events("key n key q mousemove 400 300 click 1 key ctrl+d key n"); // a second sphere, 0.1 m beside it
    char *text = save_desk(name, 2);
    read_vector(text, "timeline:", "center:", at);
    assert_vector(at, 0.1f, 0.45f, 0.0f);
    assert_non_null(strstr(text, "enabled: false"));
    assert_renders_to_its_hash(name, text, small);
    free(text);

    send_events("key s"); // scaled to half its size by the handle in the middle, then deleted
    drag(440, 300, -42, 0);
    send_events("key n");
    text = save_desk(name, 3);
    const char *radius = strstr(text, "frame: 2");
    assert_non_null(radius);
    radius = strstr(radius, "radius: ");
    assert_non_null(radius);
    assert_true(fabs(atof(radius + strlen("radius: ")) - 0.05) < 1e-3);
    assert_renders_to_its_hash(name, text, small);
    free(text);
    send_events("key Delete key n");
    text = save_desk(name, 4);
    assert_renders_to_its_hash(name, text, small);
    const uint64_t deleted = hash_after(text, "state hash ");
    free(text);

    // an emitter and a light are deleted; all is undone, and the frames are as if it had never been
    send_events("mousemove 200 300 click 1 key ctrl+d key Delete mousemove 600 200 click 1 key Delete key n");
    text = save_desk(name, 5);
    assert_non_null(strstr(text, "lights: []"));
    assert_renders_to_its_hash(name, text, small);
    free(text);
    for (int n = 0; n < 6; n++) {
        send_events("key ctrl+z");
        wait_seconds(0.5);
    }
    text = save_desk(name, 5);
    assert_null(strstr(text, "enabled:"));
    assert_null(strstr(text, "lights: []"));
    assert_renders_to_its_hash(name, text, small);
    assert_true(hash_after(text, "state hash ") != deleted);
    free(text);
    close_window(&window);
    window.program.pid = 0;
}

int main(int argc, char **argv)
{
    if (argc > 1) { // one of them alone
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_objects_are_moved, make_scene, leave),
        cmocka_unit_test_setup_teardown(test_objects_come_and_go, make_scene, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// End-to-end test of mesh files in the window: dropped, turned and scaled by their handles, copied and undone, emitted
// from and deleted, read while the window goes on, and opened as a scene of their own; `brume render` computes the
// viewer's state from the scene that is saved.
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

#include "drop.h"
#include "held_thread.h"
#include "window.h"

// In a window of 800 x 600 without panel, a meter is 400 points at z = 0, with (0, 0.45) in the middle.
static const char desk_scene[] = "name: Desk\n"
                                 "domain: {size: [1.6, 0.9, 0.9], boundaries: {all: wall}}\n"
                                 "solver: {resolution: 16}\n"
                                 "emitters:\n"
                                 "  - {shape: sphere, center: [0, 0.15, 0], radius: 0.1, density: 1, temperature: 50}\n"
                                 "render: {walls: {visible: no}}\n"
                                 "image: {samples: 1}\n"
                                 "camera: {position: [0, 0.45, 3], target: [0, 0.45, 0], field_of_view: 28.072487}\n";

// 0.4 x 0.1 x 0.1 m, far from the origin of its file
static const char plank[] = "v 5 5 5\nv 5.4 5 5\nv 5.4 5.1 5\nv 5 5.1 5\n"
                            "v 5 5 5.1\nv 5.4 5 5.1\nv 5.4 5.1 5.1\nv 5 5.1 5.1\n"
                            "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6\n";

static Window window;
static char folder[1024];
static int saves;                                                                      // scenes of the window
static const char small[] = "-D image.width=32 -D image.height=32 -D image.samples=1"; // pictures

static int make_files(void **state)
{
    if (enter_window_folder(state) != 0 || !getcwd(folder, sizeof folder)) {
        return -1;
    }
    saves = 0;
    make_file("desk.yaml", desk_scene);
    make_file("plank.obj", plank);
    make_file("broken.glb", "glTF");
    return 0;
}

static int leave(void **state) { return leave_window_folder(state, &window); }

static void drop(const char *name)
{
    char path[1100];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(drop_file(window.id, path, 200, 100, 60.0));
}

// until the window has said that it is written: this message would replace that of a file dropped at once
static Picture take_announced_screenshot(void)
{
    const Picture picture = take_screenshot(&window);
    wait_for_message(".png written");
    return picture;
}

// saves the scene of a frame, checks that it computes the state of the window, and returns its text, to be freed
static char *save_frame(int frame)
{
    size_t size;
    char path[96];
    (void)snprintf(path, sizeof path, "%s-%04d.yaml", window.name, ++saves);
    save_shown_frame(&window, frame, path);
    char *text = read_whole_file(path, &size);
    assert_renders_to_its_hash(path, text, small);
    return text;
}

// reads the numbers of a list after the last `key`
static void read_list(const char *text, const char *key, float list[3])
{
    const char *at = NULL;
    for (const char *next = strstr(text, key); next; next = strstr(next + 1, key)) {
        at = next;
    }
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(key), " [%f, %f, %f]", &list[0], &list[1], &list[2]), 3);
}

static void assert_list(const char *text, const char *key, float x, float y, float z, float tolerance)
{
    float list[3];
    const float expected[3] = {x, y, z};
    read_list(text, key, list);
    for (int n = 0; n < 3; n++) {
        if (!(fabsf(list[n] - expected[n]) <= tolerance)) {
            fail_msg("%s: component %d is %g, expected %g", key, n, (double)list[n], (double)expected[n]);
        }
    }
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        count++;
    }
    return count;
}

static void test_dropped_mesh(void **state)
{
    (void)state;
    char file[1100];
    (void)snprintf(file, sizeof file, "file: \"%s/plank.obj\"", folder);
    open_window(&window, "desk",
                "desk.yaml --size 800x600 --renderer cpu --threads 1 --paused --plain --controls controls.yaml");
    wait_seconds(0.5);
    send_events("key n");
    drop("broken.glb");
    wait_for_message("broken.glb");
    free(save_frame(1));
    Picture before = take_announced_screenshot();
    drop("plank.obj");
    wait_for_message("plank.obj: 12 triangles");
    send_events("key n");
    char *text = save_frame(2);
    assert_non_null(strstr(text, file));                   // absolute: the scene may be in another folder
    assert_int_equal(count_of(text, "enabled: false"), 1); // in the list of the start
    assert_list(text, "center:", -5.2f, -4.6f, -5.05f, 1e-5f);
    assert_list(text, "pivot:", 5.2f, 5.05f, 5.05f, 1e-5f);
    free(text);
    Picture after = take_screenshot(&window);
    assert_true(difference_at(&before, &after, 400 - 70, 290) > 20); // the plank is 160 points wide
    assert_true(difference_at(&before, &after, 400 + 70, 290) > 20);
    assert_true(difference_at(&before, &after, 400 + 100, 340) < 20);
    free_picture(&before);

    // Its ring about the viewing direction, by 90 degrees that are typed, which stirs the air in the frame of the drag
    // alone.
    send_events("key e mousemove 498 300");
    wait_seconds(0.1);
    send_events("mousedown 1 mousemove 484 250 mousemove 450 215 mousemove 420 202 key 9 key 0 mouseup 1");
    send_events("key n key n");
    text = save_frame(4);
    assert_int_equal(count_of(text, "rotation_rate:"), 1);
    assert_list(text, "rotation_rate:", 0.0f, 0.0f, 2160.0f, 0.1f); // 90 degrees in 1/24 s
    const uint64_t turned = hash_after(text, "state hash ");
    free(text);
    Picture upright = take_screenshot(&window);
    assert_true(difference_at(&after, &upright, 400, 300 - 70) > 20);
    assert_true(difference_at(&after, &upright, 400 + 70, 290) > 20);
    free_picture(&after);
    free_picture(&upright);

    // undone and redone, as all edits of bodies: the frames are computed again
    send_events("key ctrl+z");
    wait_seconds(0.5);
    text = save_frame(4);
    assert_null(strstr(text, "rotation_rate:"));
    assert_true(hash_after(text, "state hash ") != turned);
    free(text);
    send_events("key ctrl+z");
    wait_seconds(0.5);
    text = save_frame(4);
    assert_null(strstr(text, "mesh"));
    free(text);
    send_events("key ctrl+shift+z key ctrl+shift+z");
    wait_seconds(0.5);
    text = save_frame(4);
    assert_true(hash_after(text, "state hash ") == turned);
    free(text);

    // scaled to half its size by the handle in the middle, and copied
    send_events("mousemove 400 300 click 1 key s");
    wait_seconds(0.1);
    send_events("mousedown 1 mousemove 390 300 mousemove 370 300 mousemove 358 300 mouseup 1");
    send_events("key n");
    text = save_frame(5);
    const char *change = strstr(text, "- frame: 4");
    assert_non_null(change);
    change = strstr(change, "scale: ");
    assert_non_null(change);
    assert_true(fabs(atof(change + strlen("scale: ")) - 0.5) < 1e-3);
    free(text);
    send_events("key ctrl+d key n");
    text = save_frame(6);
    assert_int_equal(count_of(text, "enabled: false"), 2);
    free(text);

    // a restart has the bodies as they were left
    send_events("key r key n");
    text = save_frame(1);
    assert_int_equal(count_of(text, "shape: mesh"), 2);
    assert_null(strstr(text, "timeline:"));
    free(text);
    close_window(&window);
    window.program.pid = 0;
}

// a mesh file is a scene: its triangles in a box that is larger, above a source of smoke
static void test_mesh_as_scene(void **state)
{
    (void)state;
    open_window(&window, "plank",
                "plank.obj -D solver.resolution=24 --size 800x600 --renderer cpu --threads 1 --paused --plain "
                "--controls controls.yaml");
    wait_seconds(0.5);
    send_events("key n key n");
    char *text = save_frame(2);
    assert_int_equal(count_of(text, "shape: mesh"), 1);
    assert_list(text, "pivot:", 5.2f, 5.05f, 5.05f, 1e-5f);
    assert_list(text, "size:", 0.72f, 0.7f, 0.56f, 0.03f); // whole cells
    free(text);
    Picture picture = take_announced_screenshot();
    assert_true(picture.width == 800 && picture.height == 600);
    const uint8_t *middle = &picture.rgb[3 * (800 * 290 + 400)];
    assert_true(middle[0] > 60); // lit
    free_picture(&picture);
    drop("plank.obj"); // another one
    wait_for_message("plank.obj: 12 triangles");
    send_events("key n");
    text = save_frame(3);
    assert_int_equal(count_of(text, "enabled: false"), 1);
    free(text);

    // its eye hides it in pictures, which the flow does not notice
    send_events("key Tab");
    click_control(&window, "Objects.body 1 eye");
    click_control(&window, "Objects.body 2 eye");
    text = save_frame(3);
    assert_int_equal(count_of(text, "visible: false"), 2);
    free(text);
    send_events("key ctrl+z");
    wait_seconds(0.3);
    text = save_frame(3);
    assert_int_equal(count_of(text, "visible: false"), 1);
    free(text);

    // its ball lets the air pass through it, from the next frame on
    click_control(&window, "Objects.body 2 collide");
    send_events("key n");
    text = save_frame(4);
    assert_int_equal(count_of(text, "collide: false"), 1);
    float center[3];
    read_list(text, "center:", center);
    free(text);

    // the first one becomes the parent of the second one, which stays where it is
    click_control(&window, "Objects.body 2 parent");
    click_control(&window, "Objects.body 2 parent 1");
    send_events("key n");
    text = save_frame(5);
    assert_int_equal(count_of(text, "parent: \"0\""), 1);
    assert_list(text, "center:", center[0] - 5.2f, center[1] - 5.05f, center[2] - 5.05f, 1e-5f); // from its pivot
    free(text);
    send_events("key ctrl+z");
    wait_seconds(0.5);
    text = save_frame(5);
    assert_int_equal(count_of(text, "parent:"), 0);
    free(text);
    close_window(&window);
    window.program.pid = 0;
}

// the names of files from a sequence of meshes do not have its pattern, which a video could not have
static void test_mesh_sequence_as_scene(void **state)
{
    (void)state;
    make_file("wing.0000.obj", plank);
    make_file("wing.0001.obj", plank);
    open_window(&window, "wing",
                "wing.####.obj -D solver.resolution=16 --size 400x300 --renderer cpu --threads 1 --paused --plain "
                "--controls controls.yaml");
    wait_seconds(0.5);
    send_events("key n");
    save_shown_frame(&window, 1, "wing-0001.yaml");
    close_window(&window);
    window.program.pid = 0;
}

// a number in the panel, typed after Ctrl + click
static void type_number(const char *control, const char *number)
{
    click_control(&window, control); // the pointer stays there
    send_events("keydown ctrl click 1 keyup ctrl key ctrl+a type --delay 20 '%s'", number);
    send_events("key Return");
}

// An emitter takes the surface of a mesh, whose length is typed. It is deleted with the mesh, and comes back with it.
static void test_emitting_mesh(void **state)
{
    (void)state;
    open_window(&window, "desk",
                "desk.yaml --size 800x600 --renderer cpu --threads 1 --paused --plain --controls controls.yaml");
    wait_for_controls(&window, "frame", "0");
    drop("plank.obj");
    wait_for_message("plank.obj: 12 triangles");
    send_events("key n key Tab");
    click_control(&window, "Objects.body 1");
    type_number("Objects.length", "0.8");
    send_events("key n");
    char *text = save_frame(2);
    const char *change = strstr(text, "- frame: 1");
    assert_non_null(change);
    change = strstr(change, "scale: ");
    assert_non_null(change);
    assert_true(fabs(atof(change + strlen("scale: ")) - 2.0) < 1e-4); // the plank is 0.4 m long
    assert_null(strstr(text, "emit_from"));
    free(text);

    click_control(&window, "Objects.emitter 1");
    click_control(&window, "Objects.emit from");
    click_control(&window, "Objects.emit from body 1");
    send_events("key n");
    text = save_frame(3);
    assert_int_equal(count_of(text, "emit_from: surface"), 1);
    assert_int_equal(count_of(text, "body: \"0\""), 1);
    free(text);

    click_control(&window, "Objects.body 1");
    click_control(&window, "Objects.delete");
    send_events("key n");
    text = save_frame(4);
    assert_int_equal(count_of(text, "enabled: false"), 2); // at the start, and from now on
    const char *last = strstr(text, "- frame: 3");
    assert_non_null(last);
    assert_non_null(strstr(last, "emitters: []"));
    free(text);
    send_events("key ctrl+z key n"); // one step brings both back, the emitter as a setting from now on
    text = save_frame(5);
    assert_int_equal(count_of(text, "enabled: false"), 1);
    last = strstr(text, "- frame: 4");
    assert_non_null(last);
    assert_int_equal(count_of(last, "emit_from: surface"), 1);
    assert_int_equal(count_of(last, "body: \"0\""), 1);
    free(text);
    close_window(&window);
    window.program.pid = 0;
}

// The window goes on with its scene while another one is read, which Escape cancels.
static void test_scene_that_is_read(void **state)
{
    (void)state;
    make_file("other.yaml", "name: Other\ndescription: another plank\n"
                            "domain: {size: [1.6, 0.9, 0.9]}\nsolver: {resolution: 16}\n"
                            "bodies:\n  - {shape: mesh, file: plank.obj, center: [-5.2, -4.6, -5.05]}\n");
    open_window(&window, "desk",
                "desk.yaml --size 800x600 --renderer cpu --threads 1 --paused --plain --controls controls.yaml");
    wait_for_controls(&window, "frame", "0");
    HeldThreads held = hold_threads(window.program.pid, "brume-open");
    if (held.count > 0) {
        drop("other.yaml");
        wait_for_controls(&window, "preparation", "\"reading other.yaml (Esc cancels)\"");
        send_events("key n");
        wait_for_controls(&window, "frame", "1");
        send_events("key Escape");
        wait_for_message("the scene stays as it is: reading the file is canceled");
        wait_for_controls(&window, "preparation", "\"\"");
        free(save_frame(1));
        drop("other.yaml");
        wait_for_controls(&window, "preparation", "\"reading other.yaml (Esc cancels)\"");
        release_threads(&held);
    } else {
        print_message("threads cannot be held here\n");
        drop("other.yaml");
    }
    wait_for_message("another plank");
    wait_for_controls(&window, "frame", "0");
    send_events("key n");
    (void)snprintf(window.name, sizeof window.name, "other");
    saves = 0;
    char *text = save_frame(1);
    assert_int_equal(count_of(text, "shape: mesh"), 1);
    assert_non_null(strstr(text, "name: Other"));
    free(text);
    close_window(&window);
    window.program.pid = 0;
}

// a first scene that takes time to read, before which the window is open
static void test_large_first_scene(void **state)
{
    (void)state;
    enum { SIDE = 400 };
    FILE *file = fopen("hill.obj", "w");
    assert_non_null(file);
    for (int n = 0; n < SIDE * SIDE; n++) {
        const int column = n % SIDE;
        const int row = n / SIDE;
        (void)fprintf(file, "v %g %g %g\n", 0.003 * column, 0.1 + 0.05 * sin(0.05 * column), 0.002 * row);
    }
    for (int n = 0; n < SIDE * (SIDE - 1); n++) {
        if (n % SIDE != 0) {
            (void)fprintf(file, "f %d %d %d %d\n", n, n + SIDE, n + SIDE + 1, n + 1);
        }
    }
    assert_int_equal(fclose(file), 0);
    open_window(&window, "hill",
                "hill.obj -D solver.resolution=16 --size 400x300 --renderer cpu --threads 1 --paused --plain "
                "--controls controls.yaml");
    wait_for_controls(&window, "frame", "0");
    send_events("key n");
    char *text = save_frame(1);
    assert_int_equal(count_of(text, "shape: mesh"), 1);
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
        cmocka_unit_test_setup_teardown(test_dropped_mesh, make_files, leave),
        cmocka_unit_test_setup_teardown(test_mesh_as_scene, make_files, leave),
        cmocka_unit_test_setup_teardown(test_mesh_sequence_as_scene, make_files, leave),
        cmocka_unit_test_setup_teardown(test_emitting_mesh, make_files, leave),
        cmocka_unit_test_setup_teardown(test_scene_that_is_read, make_files, leave),
        cmocka_unit_test_setup_teardown(test_large_first_scene, make_files, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

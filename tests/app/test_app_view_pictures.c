// End-to-end tests of pictures and recordings of the viewer: they are those of `brume render`, none is lost, and what
// cannot be written is told while the viewer goes on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "window.h"

// a sphere and an emitter in a box whose outline is visible
static const char ball_scene[] =
    "name: Ball\n"
    "domain: {size: [1.6, 0.9, 0.9], boundaries: {all: wall}}\n"
    "solver: {resolution: 16}\n"
    "bodies:\n"
    "  - {shape: sphere, center: [0, 0.45, 0], radius: 0.16}\n"
    "emitters:\n"
    "  - {shape: box, from: [0.25, 0.1, -0.3], to: [0.5, 0.8, 0.3], density: 1}\n"
    "time: {fps: 24, frames: 24}\n"
    "image: {width: 320, height: 240, samples: 2}\n"
    "camera: {position: [0, 0.45, 2.6], target: [0, 0.45, 0], field_of_view: 28, shutter: 0.5}\n";

static Window window;
static ProgramRun run;

static int make_scenes(void **state)
{
    if (enter_window_folder(state) != 0) {
        return -1;
    }
    make_file("ball.yaml", ball_scene);
    return 0;
}

static void assert_equal_pictures(const char *path, const char *expected)
{
    Picture a = read_picture(path);
    Picture b = read_picture(expected);
    if (a.width != b.width || a.height != b.height ||
        memcmp(a.rgb, b.rgb, 3 * (size_t)a.width * (size_t)a.height) != 0) {
        fail_msg("%s, %d x %d pixels, is not %s, %d x %d", path, a.width, a.height, expected, b.width, b.height);
    }
    free_picture(&a);
    free_picture(&b);
}

static void render_saved(int save, int frame, const char *output)
{
    char arguments[256];
    (void)snprintf(arguments, sizeof arguments, "render ball-%04d.yaml -q -o %s --frame %d", save, output, frame);
    run_successfully(&run, arguments);
}

// with panel, HUD and outline in the window, which OpenGL draws: the file has none of them
static void test_picture_is_that_of_render(void **state)
{
    (void)state;
    open_window(&window, "ball", "ball.yaml --size 320x240 --paused --renderer gl --controls controls.yaml");
    send_events("key n key n key n");
    save_shown_frame(&window, 3, "ball-0001.yaml");
    send_events("key F12");
    wait_for_file(&window.program, "ball-0001.png");
    close_window(&window);
    render_saved(1, 3, "offline.png");
    assert_equal_pictures("ball-0001.png", "offline.png");
}

// the left (side 0) or the right part of one picture is that of another; the column under the divider is left out
static void assert_equal_side(const char *path, const char *expected, int side)
{
    Picture a = read_picture(path);
    Picture b = read_picture(expected);
    assert_int_equal(a.width, b.width);
    assert_int_equal(a.height, b.height);
    const int half = a.width / 2;
    int differing = 0;
    for (int y = 0; y < a.height; y++) {
        const size_t first = 3 * ((size_t)y * (size_t)a.width + (size_t)(side == 0 ? 0 : half));
        differing += memcmp(&a.rgb[first], &b.rgb[first], 3 * (size_t)half) != 0;
    }
    if (differing > 0) {
        fail_msg("%d rows of side %d of %s are not those of %s", differing, side, path, expected);
    }
    free_picture(&a);
    free_picture(&b);
}

// Closes a section of the panel, and waits until the one below has moved up: a click at where that was would hit
// another control.
static void close_section(const char *section, const char *below)
{
    float before[4] = {0};
    float after[4] = {0};
    (void)find_control(below, before);
    click_control(&window, section);
    for (int n = 0; n < 40 && (!find_control(below, after) || memcmp(before, after, sizeof before) == 0); n++) {
        assert_false(ends_within(&window.program, 0.05));
    }
}

// Presets are applied by clicks, one to each of two looks; the picture has both, and each side is that of the scene
// that is saved with its look. Own presets are written under a typed name.
static void test_two_looks_and_presets(void **state)
{
    (void)state;
    char here[PATH_MAX];
    assert_true(getcwd(here, sizeof here) && setenv("XDG_DATA_HOME", here, 1) == 0);
    assert_int_equal(mkdir("brume", 0777), 0);
    make_file("brume/viewer.yaml",
              "picture_own_size: true\npicture_width: 120\npicture_height: 80\npicture_samples: 2\n");
    open_window(&window, "ball", "ball.yaml --size 900x780 --paused --renderer cpu --controls controls.yaml");
    send_events("key n");
    save_shown_frame(&window, 1, "ball-0001.yaml");
    static const char *const closed[] = {"Look",  "View",  "Brush",
                                         "Scene", "Smoke", "Air"}; // to have the presets in view
    for (int n = 0; n < 5; n++) {
        close_section(closed[n], closed[n + 1]);
    }
    click_control(&window, closed[5]);
    wait_for_no_control(&window, "Scene.preset");
    // to the top of the panel, which the clicks may have scrolled: the looks A and B are there
    send_events("mousemove 100 200 click --repeat 60 --delay 5 4 sleep 1");
    click_control(&window, "Look.Oil smoke");
    wait_for_controls(&window, "message", "\"Oil smoke: Dense and black, as of burning oil or tires.\"");
    send_events("key shift+b");
    float corners[4];
    wait_for_control(&window, "A (left)", corners);
    click_control(&window, "Look.Orange signal"); // of look B, which is selected
    wait_for_controls(&window, "message", "\"Orange signal: The colored smoke of a signal flare.\"");
    char path[2][64];
    for (int n = 0; n < 2; n++) {
        (void)snprintf(path[n], sizeof path[n], "ball-%04d.yaml", 2 + n);
        if (n == 1) {
            click_control(&window, "A (left)");
        }
        send_events("key g");
        wait_for_file(&window.program, path[n]);
    }
    send_events("key F12");
    wait_for_file(&window.program, "ball-0001.png");
    click_control(&window, "Look.save medium");
    send_events("type 'Thick black'");
    send_events("key Return");
    wait_for_file(&window.program, "brume/looks/media/thick_black.yaml");
    click_control(&window, "keep B alone");
    wait_for_controls(&window, "message", "\"look B stays; undo brings the other one back\"");
    close_window(&window);
    render_saved(2, 1, "b.png");
    render_saved(3, 1, "a.png");
    assert_equal_side("ball-0001.png", "a.png", 0);
    assert_equal_side("ball-0001.png", "b.png", 1);
    size_t size;
    char *preset = read_whole_file("brume/looks/media/thick_black.yaml", &size);
    assert_non_null(strstr(preset, "name: Thick black\n"));
    assert_non_null(strstr(preset, "anisotropy: 0.5"));
    assert_null(strstr(preset, "lights"));
    free(preset);
}

static void test_own_size_is_saved(void **state)
{
    (void)state;
    assert_int_equal(mkdir("brume", 0777), 0);
    make_file("brume/viewer.yaml",
              "picture_own_size: true\npicture_width: 200\npicture_height: 90\npicture_samples: 3\n");
    open_window(&window, "ball", "ball.yaml --size 320x240 --paused --renderer cpu --controls controls.yaml");
    send_events("key n");
    save_shown_frame(&window, 1, "ball-0001.yaml");
    send_events("key F12");
    wait_for_file(&window.program, "ball-0001.png");
    close_window(&window);
    render_saved(1, 1, "offline.png");
    Picture picture = read_picture("ball-0001.png");
    assert_int_equal(picture.width, 200);
    assert_int_equal(picture.height, 90);
    free_picture(&picture);
    assert_equal_pictures("ball-0001.png", "offline.png");
    size_t size;
    char *text = read_whole_file("brume/viewer.yaml", &size);
    assert_non_null(
        strstr(text, "picture_own_size: true\npicture_width: 200\npicture_height: 90\npicture_samples: 3\n"));
    free(text);
}

// the views that OpenGL draws: read from the framebuffer, without panel and outline
static void test_views_without_the_panel(void **state)
{
    (void)state;
    open_window(&window, "ball", "ball.yaml --size 320x240 --paused --renderer cpu --controls controls.yaml");
    send_events("key n");
    save_shown_frame(&window, 1, "ball-0001.yaml");
    send_events("key 6 key F12"); // isosurface
    wait_for_file(&window.program, "ball-0001.png");
    send_events("key Tab key h key o sleep 0.5"); // the window shows no more than the picture
    Picture clean = read_picture("ball-0001.png");
    Picture shown = {0};
    for (int n = 2; n < 40; n++) {
        window.screenshots = n - 1;
        shown = take_screenshot(&window);
        if (psnr(&clean, &shown) > 50.0) {
            break;
        }
        free_picture(&shown);
        shown = (Picture){0};
        wait_seconds(0.5);
    }
    if (!shown.rgb) {
        fail_msg("the picture of the isosurface is not the one in the window without panel, HUD and outline");
    }
    free_picture(&clean);
    free_picture(&shown);
    close_window(&window);
}

// frame N + 1 of a recording from the start is frame N of `brume render`; those that wait at the end are written
static void test_recording_has_every_frame(void **state)
{
    (void)state;
    open_window(&window, "ball", "ball.yaml --size 320x240 --paused --renderer gl");
    send_events("key F11");
    wait_for_file(&window.program, "ball-0001/frame-0001.png"); // the state of the start
    send_events("key space");
    wait_for_file(&window.program, "ball-0001/frame-0006.png");
    close_window(&window); // while it records
    const int count = count_entries("ball-0001");
    assert_true(count >= 6);
    run_successfully(&run, "render ball.yaml -q -o o/a.####.png --size 320x240 --frames 1:5");
    for (int frame = 1; frame <= count; frame++) {
        char path[64];
        char expected[64];
        (void)snprintf(path, sizeof path, "ball-0001/frame-%04d.png", frame);
        (void)snprintf(expected, sizeof expected, "o/a.%04d.png", frame - 1);
        assert_whole_png(path, 320, 240);
        if (frame > 1 && frame <= 6) {
            assert_equal_pictures(path, expected);
        }
    }
}

// the window closes within a frame of more steps than anyone waits for
static void test_closing_does_not_wait_for_a_frame(void **state)
{
    (void)state;
    open_window(&window, "ball",
                "ball.yaml --size 320x240 -D solver.min_steps=1000 -D solver.max_steps=1000 "
                "-D solver.resolution=64 --stats s.json");
    wait_seconds(0.5);
    close_window(&window);
    size_t size;
    char *stats = read_whole_file("s.json", &size);
    assert_true(is_json(stats));
    assert_non_null(strstr(stats, "\"frames\": 0,"));
    free(stats);
    assert_true(exists("brume/viewer.yaml"));
}

// files of more than this many bytes cannot be written, as on a full disk: pictures, but not scenes
static void test_pictures_that_do_not_fit(void **state)
{
    (void)state;
    open_limited_window(&window, "ball", "ball.yaml --size 320x240 --paused --renderer gl --controls controls.yaml",
                        4096);
    send_events("key F12");
    save_shown_frame(&window, 0, "ball-0001.yaml");
    send_events("key F11 key space");
    wait_for_controls(&window, "running", "true");
    char frame[64] = "0";
    while (strcmp(frame, "0") == 0) { // the recording has ended, and the simulation goes on
        assert_false(ends_within(&window.program, 0.05));
        assert_true(read_from_controls("frame", frame, sizeof frame));
    }
    send_events("key F12");
    wait_seconds(0.5);
    close_window(&window);
    assert_int_equal(count_entries("ball-0001"), 0);
    assert_false(exists("ball-0001.png"));
    assert_false(exists("ball-0002.png"));
    assert_true(exists("brume/viewer.yaml"));
}

int main(int argc, char **argv)
{
    if (argc > 1) { // one of them alone
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_picture_is_that_of_render, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_own_size_is_saved, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_two_looks_and_presets, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_views_without_the_panel, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_recording_has_every_frame, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_closing_does_not_wait_for_a_frame, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_pictures_that_do_not_fit, make_scenes, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

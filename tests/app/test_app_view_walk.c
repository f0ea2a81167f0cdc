// A walk through the window by its controls, as a user takes it: each control is found by its name and clicked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <unistd.h>

#include "sanitized.h"
#include "window.h"

static const char scene[] = "name: Walk\n"
                            "domain: {size: [1, 1, 1]}\n"
                            "solver: {resolution: 16}\n"
                            "emitters:\n"
                            "  - {shape: sphere, center: [0, 0.2, 0], radius: 0.15, density: 1, temperature: 20}\n"
                            "image: {samples: 1}\n"
                            "camera: {position: [0, 0.5, 3], target: [0, 0.5, 0], field_of_view: 28}\n";

static Window window;

static int make_scene(void **state)
{
    if (enter_window_folder(state) != 0) {
        return -1;
    }
    make_file("walk.yaml", scene);
    return 0;
}

static int leave(void **state) { return leave_window_folder(state, &window); }

static void test_controls_are_found(void **state)
{
    (void)state;
    open_window(&window, "walk", "walk.yaml --size 800x600 --controls controls.yaml");
    wait_for_controls(&window, "running", "true");
    click_control(&window, "run");
    wait_for_controls(&window, "running", "false");
    click_control(&window, "Window"); // the last section of the panel
    click_control(&window, "Window.light");
    char picture[64];
    assert_true(read_from_controls("picture", picture, sizeof picture));
    send_events("key Tab");
    wait_for_controls(&window, "picture", "[0, 0, 800, 554]"); // above the timeline, which stays with the HUD
    send_events("key Tab");
    wait_for_controls(&window, "picture", picture);
    close_window(&window);
    window.program.pid = 0;
}

// keeps a picture of the window in the folder BRUME_SCREENSHOTS, where that is set
static void keep_screenshot(int width, int height, int scale, const char *what)
{
    Picture picture = take_screenshot(&window);
    assert_int_equal(picture.width, width);
    assert_int_equal(picture.height, height);
    free_picture(&picture);
    const char *folder = getenv("BRUME_SCREENSHOTS");
    char command[2300];
    (void)snprintf(command, sizeof command, "cp walk-%04d.png '%.2000s/%dx%d-%d-%s.png'", window.screenshots,
                   folder ? folder : "", width, height, scale, what);
    assert_true(!folder || system(command) == 0); // NOLINT(concurrency-mt-unsafe): there is one thread
}

// no control exceeds the window on its sides; above and below, the panel scrolls
static void expect_controls_inside(int width)
{
    char line[1024];
    int count = 0;
    FILE *file = fopen("controls.yaml", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char name[128];
        float corners[4];
        if (sscanf(line, "  \"%127[^\"]\": [%f, %f, %f, %f]", name, &corners[0], &corners[1], &corners[2],
                   &corners[3]) == 5) {
            count++;
            if (corners[0] < 0.0f || corners[2] > (float)width) {
                fail_msg("%d points: '%s' is at [%g, %g, %g, %g]", width, name, (double)corners[0], (double)corners[1],
                         (double)corners[2], (double)corners[3]);
            }
        }
    }
    (void)fclose(file);
    assert_true(count >= 10);
}

// opens each section of the panel that is closed, and closes it again; the panel scrolls to each
static void walk_sections(int width)
{
    static const char *const sections[] = {"Objects", "Look",   "Camera",    "Time",     "Air",    "Smoke",
                                           "Light",   "Solver", "Keyframes", "Pictures", "Export", "Window"};
    for (size_t n = 0; n < sizeof sections / sizeof *sections; n++) {
        click_control(&window, sections[n]);
        expect_controls_inside(width);
        click_control(&window, sections[n]);
    }
}

// the views, the select tool, two variants, two looks and the curve editor, and the past
static void walk_picture(int width, int height, int scale)
{
    static const struct {
        const char *name, *begin, *end;
    } steps[] = {
        {"temperature", "key 2", "key 1"},       {"streamlines", "key 3 key v", "key v key 1"},
        {"slice", "key 5 key t", "key t key 1"}, {"isosurface", "key 6", "key 1"},
        {"select", "key q key Next", "key q"},   {"variants", "key b", "key b"},
        {"looks", "key shift+b", "key shift+b"}, {"curves", "key F6", "key F6"},
        {"past", "key comma", "key End"},        {"help", "key F1", "key F1"},
    };
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        send_events("%s", steps[n].begin);
        wait_seconds(0.4);
        expect_controls_inside(width);
        if (getenv("BRUME_SCREENSHOTS")) { // NOLINT(concurrency-mt-unsafe): there is one thread
            keep_screenshot(width, height, scale, steps[n].name);
        }
        send_events("%s", steps[n].end);
        wait_seconds(0.2);
    }
}

// Through the window at the least and the greatest width of common sizes and scales, in points, and at one in between;
// controls stay within it. All sections of the panel are opened at one of them. BRUME_SCREENSHOTS is a folder for
// pictures of all sizes and scales, which are to be looked at after a change.
static void test_sizes_and_scales(void **state)
{
    (void)state;
    static const struct {
        int width, height, scale;
    } sizes[] = {{800, 600, 2}, {800, 600, 1}, {1920, 1080, 1}, {1280, 720, 1}, {1280, 720, 2}, {1920, 1080, 2}};
    int screenshots = 0;
    const int count = getenv("BRUME_SCREENSHOTS") ? 6 : fewer_under_sanitizers(3, 2); // NOLINT(concurrency-mt-unsafe)
    for (int n = 0; n < count; n++) {
        const int width = sizes[n].width;
        const int height = sizes[n].height;
        const int scale = sizes[n].scale;
        char arguments[128];
        (void)snprintf(arguments, sizeof arguments,
                       "walk.yaml --size %dx%d --paused --renderer cpu --controls controls.yaml", width, height);
        assert_int_equal(setenv("GDK_SCALE", scale == 1 ? "1" : "2", 1), 0);
        remove_folder("brume"); // the state of the window before
        open_window(&window, "walk", arguments);
        window.screenshots = screenshots; // their files have ascending numbers
        send_events("key n key n key n sleep 0.3");
        wait_for_controls(&window, "frame", "3");
        expect_controls_inside(width);
        keep_screenshot(width, height, scale, "start");
        if (n == 1) {
            walk_sections(width);
        }
        click_control(&window, "Look");
        send_events("mousemove 100 200 click --repeat 8 --delay 5 5 sleep 0.5");
        expect_controls_inside(width);
        keep_screenshot(width, height, scale, "panel");
        walk_picture(width, height, scale);
        wait_for_controls(&window, "frame", "3");
        screenshots = window.screenshots;
        close_window(&window);
        window.program.pid = 0;
    }
    assert_int_equal(unsetenv("GDK_SCALE"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sizes_and_scales, make_scene, leave),
        cmocka_unit_test_setup_teardown(test_controls_are_found, make_scene, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

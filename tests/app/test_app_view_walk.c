// A walk through the window by its controls, as a user takes it: each control is found by its name and clicked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <unistd.h>

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

// Through the window at common sizes and scales: a section is opened, the panel is scrolled, two looks, the curve
// editor and help are shown. Controls stay within the window. Two of the six, unless the pictures are kept.
static void test_sizes_and_scales(void **state)
{
    (void)state;
    static const int sizes[][2] = {{800, 600}, {1280, 720}, {1920, 1080}};
    int screenshots = 0;
    for (int n = 0; n < 6; n++) {
        const int width = sizes[n / 2][0];
        const int height = sizes[n / 2][1];
        const int scale = 1 + n % 2;
        if (!getenv("BRUME_SCREENSHOTS") && n != 1 && n != 2) {
            continue;
        }
        char arguments[128];
        (void)snprintf(arguments, sizeof arguments,
                       "walk.yaml --size %dx%d --paused --renderer cpu --controls controls.yaml", width, height);
        assert_int_equal(setenv("GDK_SCALE", scale == 1 ? "1" : "2", 1), 0);
        remove_folder("brume"); // the state of the window before
        open_window(&window, "walk", arguments);
        window.screenshots = screenshots; // their files have ascending numbers
        send_events("key n key n key n sleep 0.3");
        expect_controls_inside(width);
        keep_screenshot(width, height, scale, "start");
        click_control(&window, "Look");
        send_events("mousemove 100 200 click --repeat 8 --delay 5 5 sleep 0.5");
        expect_controls_inside(width);
        keep_screenshot(width, height, scale, "panel");
        send_events("key shift+b key F6 sleep 0.5");
        expect_controls_inside(width);
        keep_screenshot(width, height, scale, "curves");
        send_events("key F6 key F1 sleep 0.5");
        keep_screenshot(width, height, scale, "help");
        screenshots = window.screenshots;
        send_events("key F1 sleep 0.2");
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

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_controls_are_found, make_scene, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

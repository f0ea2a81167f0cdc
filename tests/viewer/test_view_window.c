// The window itself: where it opens, how large it is, and one line where it cannot. 77 without a display.
#include "raymarch_check.h"
#include "viewer/window/window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program;

static BrumeWindow *open_at(BrumeWindowState place)
{
    BrumeError error = {0};
    BrumeWindow *window = NULL;
    if (brume_window_create(&window, "Brume", &place, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return window;
}

static void settle(BrumeWindow *window)
{
    for (int n = 0; n < 20; n++) {
        SDL_PumpEvents();
        SDL_Delay(5);
    }
    assert_true(brume_window_measure(window));
}

static void test_it_opens_where_it_was(void **state)
{
    (void)state;
    BrumeWindow *const window =
        open_at((BrumeWindowState){.has_position = true, .x = 101, .y = 52, .width = 643, .height = 402});
    settle(window);
    BrumeWindowState place = {.fly_speed = 3.0f};
    brume_window_remember(window, &place);
    assert_true(place.has_position);
    assert_int_equal(place.x, 101);
    assert_int_equal(place.y, 52);
    assert_int_equal(place.width, 643);
    assert_int_equal(place.height, 402);
    assert_near("fly speed", place.fly_speed, 3.0, 0.0);
    assert_true(window->pixels_wide >= window->width);
    assert_true(window->scale >= 1.0f);
    assert_true(window->renderer[0] && window->version[0]);
    assert_int_equal(window->software, strstr(window->renderer, "llvmpipe") || strstr(window->renderer, "softpipe"));
    assert_false(brume_window_is_lost(window));
    brume_window_show(window);
    brume_window_destroy(window);
}

static void test_a_place_off_all_screens_is_not_taken(void **state)
{
    (void)state;
    BrumeWindow *const window =
        open_at((BrumeWindowState){.has_position = true, .x = 9000, .y = -900, .width = 640, .height = 400});
    settle(window);
    BrumeWindowState place = {0};
    brume_window_remember(window, &place);
    SDL_Rect screen;
    assert_int_equal(SDL_GetDisplayBounds(0, &screen), 0);
    assert_true(place.x >= 0 && place.x + 640 <= screen.w && place.y >= 0 && place.y + 400 <= screen.h);
    brume_window_destroy(window);
}

static void test_full_screen_and_back(void **state)
{
    (void)state;
    BrumeWindow *const window =
        open_at((BrumeWindowState){.has_position = true, .x = 30, .y = 40, .width = 640, .height = 400});
    settle(window);
    BrumeWindowState place = {0};
    brume_window_remember(window, &place);
    SDL_Rect screen;
    assert_int_equal(SDL_GetDisplayBounds(0, &screen), 0);
    brume_window_set_fullscreen(window, true);
    settle(window);
    assert_true(window->fullscreen);
    assert_int_equal(window->width, screen.w);
    assert_int_equal(window->height, screen.h);
    brume_window_remember(window, &place); // the place to go back to stays
    assert_true(place.fullscreen);
    assert_int_equal(place.width, 640);
    brume_window_set_fullscreen(window, false);
    settle(window);
    assert_int_equal(window->width, 640);
    assert_int_equal(window->height, 400);
    brume_window_destroy(window);
}

static void test_without_a_display(void **state)
{
    (void)state;
    BrumeError error = {0};
    BrumeWindow *window = NULL;
    const BrumeWindowState place = brume_default_place();
    char display[128];
    (void)snprintf(display, sizeof display, "%s", getenv("DISPLAY"));
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    assert_int_equal(brume_window_create(&window, "Brume", &place, &error), BRUME_FAILED);
    assert_null(window);
    assert_string_equal(error.text, "no display (set DISPLAY, or use brume render)");
    setenv("DISPLAY", ":4711", 1);
    assert_int_equal(brume_window_create(&window, "Brume", &place, &error), BRUME_FAILED);
    assert_null(window);
    assert_non_null(strstr(error.text, "cannot open the display ':4711'"));
    assert_null(strchr(error.text, '\n'));
    setenv("DISPLAY", display, 1);
}

// what a window says that cannot be opened, on standard output
static int try_window(void)
{
    BrumeError error = {.text = "it opens"};
    BrumeWindow *window = NULL;
    const BrumeWindowState place = brume_default_place();
    const BrumeStatus status = brume_window_create(&window, "Brume", &place, &error);
    (void)puts(error.text);
    brume_window_destroy(window);
    return (int)status;
}

static void test_without_opengl_3_3(void **state)
{
    (void)state;
    // Mesa's own switch, which it reads once; other drivers do not know it
    BrumeWindow *const window = open_at(brume_default_place());
    const bool is_mesa = strstr(window->version, "Mesa") != NULL;
    brume_window_destroy(window);
    if (!is_mesa) {
        skip();
    }
    char command[512];
    (void)snprintf(command, sizeof command, "MESA_GL_VERSION_OVERRIDE=2.1 '%s' try", program);
    FILE *const pipe = popen(command, "r");
    assert_non_null(pipe);
    char text[600] = "";
    assert_non_null(fgets(text, sizeof text, pipe));
    assert_int_equal(pclose(pipe), BRUME_FAILED << 8);
    assert_ptr_equal(strstr(text, "OpenGL 3.3 is needed, but there is 2.1"), text);
}

int main(int count, char **arguments)
{
    program = arguments[0];
    if (count > 1) {
        return try_window();
    }
    const char *const display = getenv("DISPLAY");
    if (!display || !display[0]) {
        (void)fprintf(stderr, "skipped: no display\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_opens_where_it_was), cmocka_unit_test(test_a_place_off_all_screens_is_not_taken),
        cmocka_unit_test(test_full_screen_and_back),  cmocka_unit_test(test_without_a_display),
        cmocka_unit_test(test_without_opengl_3_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

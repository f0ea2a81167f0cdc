// The window: position, size, full screen, and the error messages if it cannot open. Exits with 77 without a display.
#include "raymarch_check.h"
#include "viewer/window/window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program;

static BrumeWindow *open_at(BrumeWindowState window_state)
{
    BrumeError error = {0};
    BrumeWindow *window = NULL;
    if (brume_window_create(&window, "Brume", &window_state, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return window;
}

static void wait_until_stable(BrumeWindow *window)
{
    for (int n = 0; n < 20; n++) {
        SDL_PumpEvents();
        SDL_Delay(5);
    }
    assert_true(brume_window_update_size(window));
}

static void test_opens_at_its_saved_position(void **state)
{
    (void)state;
    BrumeWindow *const window =
        open_at((BrumeWindowState){.has_position = true, .x = 101, .y = 52, .width = 643, .height = 402});
    wait_until_stable(window);
    BrumeWindowState window_state = {.fly_speed = 3.0f};
    brume_window_store_state(window, &window_state);
    assert_true(window_state.has_position);
    assert_int_equal(window_state.x, 101);
    assert_int_equal(window_state.y, 52);
    assert_int_equal(window_state.width, 643);
    assert_int_equal(window_state.height, 402);
    assert_near("fly speed", window_state.fly_speed, 3.0, 0.0);
    assert_true(window->pixels_wide >= window->width);
    assert_true(window->scale >= 1.0f);
    assert_true(window->renderer[0] && window->version[0]);
    assert_int_equal(window->software, strstr(window->renderer, "llvmpipe") || strstr(window->renderer, "softpipe"));
    assert_false(brume_window_context_is_lost(window));
    brume_window_swap_buffers(window);
    brume_window_destroy(window);
}

static void test_position_outside_all_screens_is_ignored(void **state)
{
    (void)state;
    BrumeWindow *const window =
        open_at((BrumeWindowState){.has_position = true, .x = 9000, .y = -900, .width = 640, .height = 400});
    wait_until_stable(window);
    BrumeWindowState window_state = {0};
    brume_window_store_state(window, &window_state);
    SDL_Rect screen;
    assert_int_equal(SDL_GetDisplayBounds(0, &screen), 0);
    assert_true(window_state.x >= 0 && window_state.x + 640 <= screen.w && window_state.y >= 0 &&
                window_state.y + 400 <= screen.h);
    brume_window_destroy(window);
}

static void test_window_fits_into_the_screen(void **state)
{
    (void)state;
    BrumeWindow *const window = open_at((BrumeWindowState){.width = 9000, .height = 8000});
    SDL_Rect screen;
    assert_int_equal(SDL_GetDisplayBounds(0, &screen), 0);
    assert_int_equal(window->width, screen.w);
    assert_int_equal(window->height, screen.h);
    brume_window_destroy(window);
}

static void test_full_screen_and_back(void **state)
{
    (void)state;
    BrumeWindow *const window =
        open_at((BrumeWindowState){.has_position = true, .x = 30, .y = 40, .width = 640, .height = 400});
    wait_until_stable(window);
    BrumeWindowState window_state = {0};
    brume_window_store_state(window, &window_state);
    SDL_Rect screen;
    assert_int_equal(SDL_GetDisplayBounds(0, &screen), 0);
    brume_window_set_fullscreen(window, true);
    wait_until_stable(window);
    assert_true(window->fullscreen);
    assert_int_equal(window->width, screen.w);
    assert_int_equal(window->height, screen.h);
    brume_window_store_state(window, &window_state); // the size of the normal window stays
    assert_true(window_state.fullscreen);
    assert_int_equal(window_state.width, 640);
    brume_window_set_fullscreen(window, false);
    wait_until_stable(window);
    assert_int_equal(window->width, 640);
    assert_int_equal(window->height, 400);
    brume_window_destroy(window);
}

static void test_without_a_display(void **state)
{
    (void)state;
    BrumeError error = {0};
    BrumeWindow *window = NULL;
    const BrumeWindowState window_state = brume_default_window_state();
    char display[128];
    (void)snprintf(display, sizeof display, "%s", getenv("DISPLAY"));
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    assert_int_equal(brume_window_create(&window, "Brume", &window_state, &error), BRUME_FAILED);
    assert_null(window);
    assert_string_equal(error.text, "no display (set DISPLAY, or use brume render)");
    setenv("DISPLAY", ":4711", 1);
    assert_int_equal(brume_window_create(&window, "Brume", &window_state, &error), BRUME_FAILED);
    assert_null(window);
    assert_non_null(strstr(error.text, "cannot open the display ':4711'"));
    assert_null(strchr(error.text, '\n'));
    setenv("DISPLAY", display, 1);
}

// tries to open a window and prints the error message
static int try_window(void)
{
    BrumeError error = {.text = "it opens"};
    BrumeWindow *window = NULL;
    const BrumeWindowState window_state = brume_default_window_state();
    const BrumeStatus status = brume_window_create(&window, "Brume", &window_state, &error);
    (void)puts(error.text);
    brume_window_destroy(window);
    return (int)status;
}

static void test_without_opengl_3_3(void **state)
{
    (void)state;
    // the variable is specific to Mesa, which reads it once per process
    BrumeWindow *const window = open_at(brume_default_window_state());
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

// the library finds no driver: its own message and the error of the X server are one line, with a remedy
static void test_without_a_driver(void **state)
{
    (void)state;
    BrumeWindow *const window = open_at(brume_default_window_state());
    const bool is_mesa = strstr(window->version, "Mesa") != NULL;
    brume_window_destroy(window);
    if (!is_mesa || strcmp(SDL_GetVideoDriver(0), "x11") != 0) {
        skip();
    }
    char command[512];
    (void)snprintf(command, sizeof command, "GALLIUM_DRIVER=nonexistent '%s' try 2>&1", program);
    FILE *const pipe = popen(command, "r");
    assert_non_null(pipe);
    char text[1200] = "";
    const size_t length = fread(text, 1, sizeof text - 1, pipe);
    text[length] = '\0';
    assert_int_equal(pclose(pipe), BRUME_FAILED << 8);
    if (strstr(text, "no OpenGL 3.3: ") != text || !strstr(text, "install libgl1-mesa-dri") ||
        strchr(text, '\n') != text + length - 1) {
        fail_msg("without a driver: %s", text);
    }
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
        cmocka_unit_test(test_opens_at_its_saved_position),
        cmocka_unit_test(test_position_outside_all_screens_is_ignored),
        cmocka_unit_test(test_window_fits_into_the_screen),
        cmocka_unit_test(test_full_screen_and_back),
        cmocka_unit_test(test_without_a_display),
        cmocka_unit_test(test_without_opengl_3_3),
        cmocka_unit_test(test_without_a_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

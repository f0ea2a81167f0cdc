// The window at forty sizes from one pixel to 3840 x 2160, hidden and shown again, and maximized: it has the size, the
// panel is inside of it, state and pictures are those of `brume render`.
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

static const char scene[] = "name: Sizes\n"
                            "domain: {size: [1, 1, 1]}\n"
                            "solver: {resolution: 12}\n"
                            "emitters:\n"
                            "  - {shape: sphere, center: [0, 0.2, 0], radius: 0.15, density: 1, temperature: 20}\n"
                            "image: {width: 64, height: 48, samples: 1}\n"
                            "camera: {position: [0, 0.5, 3], target: [0, 0.5, 0], field_of_view: 28}\n";

static const int sizes[][2] = {
    {1, 1},       {640, 480},   {2, 2},      {3, 600},    {800, 600},   {600, 3},     {16, 16},     {31, 17},
    {1280, 720},  {100, 50},    {50, 100},   {160, 120},  {1024, 768},  {240, 160},   {200, 600},   {320, 240},
    {1, 2160},    {333, 217},   {400, 300},  {1366, 768}, {411, 731},   {480, 360},   {3840, 1},    {500, 500},
    {1440, 900},  {560, 100},   {640, 360},  {720, 480},  {1920, 1080}, {799, 601},   {854, 480},   {1080, 1920},
    {1000, 1000}, {2560, 1440}, {1200, 300}, {300, 1200}, {1600, 900},  {3840, 2160}, {1680, 1050}, {960, 540},
};

enum { SIZES = sizeof sizes / sizeof sizes[0], FOOT = 46, MIN_WIDTH = 320, MIN_HEIGHT = 240 };

static Window window;

static int make_scene(void **state)
{
    if (enter_window_folder(state) != 0) {
        return -1;
    }
    make_file("sizes.yaml", scene);
    return 0;
}

static int leave(void **state) { return leave_window_folder(state, &window); }

static void resize(int width, int height) { send_events("windowsize %s %d %d", window.id, width, height); }

/** The picture in a window: beside the panel and above the timeline [points]. */
typedef struct Area {
    int left, right, bottom;
} Area;

static Area area_of(int width, int height)
{
    const double panel = fmin(fmax(0.36 * width, 200.0), 340.0);
    // %.0f of a half rounds to even, as rint
    return (Area){(int)round(fmin(panel, 0.5 * width)), width, (int)rint(height - fmin(FOOT, 0.85 * height))};
}

static void expect_area(int width, int height)
{
    const Area area = area_of(width, height);
    char expected[64];
    (void)snprintf(expected, sizeof expected, "[%d, 0, %d, %d]", area.left, area.right, area.bottom);
    wait_for_controls(&window, "picture", expected);
}

// What the panel and the timeline show does not reach into the picture or out of the window. Below the least size that
// the window asks the window manager for, there is no room for them.
static void expect_controls_inside(int width, int height)
{
    if (width < MIN_WIDTH || height < MIN_HEIGHT) {
        return;
    }
    const Area area = area_of(width, height);
    FILE *file = fopen("controls.yaml", "r");
    assert_non_null(file);
    char line[1024];
    int count = 0;
    while (fgets(line, sizeof line, file)) {
        char name[128];
        float corners[4];
        if (sscanf(line, "  \"%127[^\"]\": [%f, %f, %f, %f]", name, &corners[0], &corners[1], &corners[2],
                   &corners[3]) != 5) {
            continue;
        }
        count++;
        const bool is_timeline = strncmp(name, "Timeline.", 9) == 0;
        const float right = (float)(is_timeline ? width : area.left);
        if (corners[0] < 0.0f || corners[2] > right || (is_timeline && corners[3] > (float)height)) {
            fail_msg("%d x %d: '%s' is at [%g, %g, %g, %g], the panel ends at %d", width, height, name,
                     (double)corners[0], (double)corners[1], (double)corners[2], (double)corners[3], area.left);
        }
    }
    (void)fclose(file);
    if (count < 20) {
        fail_msg("%d x %d: %d controls, expected at least 20", width, height, count);
    }
}

// hides the window and shows it again, as minimizing does
static void minimize(void)
{
    send_events("windowunmap --sync %s sleep 0.1 windowmap --sync %s windowmove %s 0 0 sleep 0.1 windowfocus %s",
                window.id, window.id, window.id, window.id);
}

// as a window manager does: it sets the state of the window, and its size
static void maximize(bool on)
{
    char command[256];
    (void)snprintf(command, sizeof command, "xprop -id %s -f _NET_WM_STATE 32a -set _NET_WM_STATE '%s'", window.id,
                   on ? "_NET_WM_STATE_MAXIMIZED_VERT, _NET_WM_STATE_MAXIMIZED_HORZ" : "");
    assert_int_equal(system(command), 0); // NOLINT(concurrency-mt-unsafe): there is one thread
    if (on) {
        resize(1280, 800);
        expect_area(1280, 800);
    }
}

static void expect_screenshot(int width, int height)
{
    Picture picture = take_screenshot(&window);
    if (picture.width != width || picture.height != height) {
        fail_msg("the picture of a window of %d x %d has %d x %d pixels", width, height, picture.width, picture.height);
    }
    free_picture(&picture);
}

// the sizes at which the picture of the window is compared with that of `brume render`, by their numbers
static const int compared[] = {0, 3, 8, 17, 24};

enum { COMPARED = sizeof compared / sizeof compared[0] };

static bool is_compared(int n)
{
    bool found = false;
    for (int m = 0; m < COMPARED; m++) {
        found = found || compared[m] == n;
    }
    return found;
}

// saves the scene as NUMBER.yaml when it is of this frame
static void keep_scene(int n, int frame)
{
    char kept[64];
    char end[32];
    bool found = false;
    (void)snprintf(kept, sizeof kept, "%d.yaml", n);
    (void)snprintf(end, sizeof end, "--frame %d\n", frame);
    for (int tries = 0; tries < 200 && !found; tries++) {
        send_events("key g");
        wait_for_file(&window.program, "sizes-0001.yaml");
        assert_int_equal(rename("sizes-0001.yaml", kept), 0);
        size_t size;
        char *text = read_whole_file(kept, &size);
        found = strstr(text, end) != NULL;
        free(text);
    }
    assert_true(found);
}

// F12 of one look, as NUMBER.png
static void keep_picture(int n)
{
    char path[64];
    char kept[64];
    send_events("key shift+b sleep 0.2 key F12");
    (void)snprintf(path, sizeof path, "sizes-%04d.png", ++window.screenshots);
    (void)snprintf(kept, sizeof kept, "%d.png", n);
    wait_for_file(&window.program, path);
    assert_int_equal(link(path, kept), 0);
    send_events("key shift+b sleep 0.2");
}

static void compare_picture(int n, int frame)
{
    static ProgramRun run;
    char arguments[256];
    char path[64];
    (void)snprintf(arguments, sizeof arguments, "render %d.yaml -q -o %d-offline.png --frame %d", n, n, frame);
    run_successfully(&run, arguments);
    (void)snprintf(path, sizeof path, "%d.png", n);
    Picture shown = read_picture(path);
    (void)snprintf(path, sizeof path, "%d-offline.png", n);
    Picture expected = read_picture(path);
    if (shown.width != sizes[n][0] || shown.height != sizes[n][1] || expected.width != shown.width ||
        expected.height != shown.height) {
        fail_msg("a window of %d x %d has a picture of %d x %d, brume render one of %d x %d", sizes[n][0], sizes[n][1],
                 shown.width, shown.height, expected.width, expected.height);
    }
    if (memcmp(shown.rgb, expected.rgb, 3 * (size_t)shown.width * (size_t)shown.height) != 0) {
        fail_msg("%d x %d: the picture is not that of brume render", shown.width, shown.height);
    }
    free_picture(&shown);
    free_picture(&expected);
}

static void test_sizes(void **state)
{
    (void)state;
    assert_int_equal(SIZES, 40);
    open_window(&window, "sizes",
                "sizes.yaml --size 640x360 --paused --renderer cpu --threads 1 --controls controls.yaml");
    expect_area(640, 360);
    send_events("key n key shift+b sleep 0.3"); // two looks
    int frames = 1;
    int count = 0;
    int compared_frames[COMPARED];
    for (int n = 0; n < SIZES; n++) {
        const int width = sizes[n][0];
        const int height = sizes[n][1];
        resize(width, height);
        expect_area(width, height);
        expect_controls_inside(width, height);
        if (n % 5 == 2) {
            minimize();
            expect_area(width, height);
        }
        if (n % 10 == 7) {
            maximize(true);
            maximize(false);
            resize(width, height);
            expect_area(width, height);
        }
        if (n % 8 == 0 || width == 3840) {
            expect_screenshot(width, height);
        }
        if (is_compared(n)) {
            keep_scene(n, frames);
            keep_picture(n);
            compared_frames[count++] = frames;
        }
        if (n % 10 == 9) {
            send_events("key n");
            frames++;
        }
    }
    // what has no room in a tiny window, with the curve editor, too
    static const int tiny[][2] = {{1, 1}, {3, 600}, {600, 3}, {16, 16}, {100, 50}, {1, 54}};
    send_events("key F6 sleep 0.2");
    for (size_t n = 0; n < sizeof tiny / sizeof tiny[0]; n++) {
        resize(tiny[n][0], tiny[n][1]);
        send_events("sleep 0.2");
        assert_false(ends_within(&window.program, 0.0));
    }
    send_events("key F6 sleep 0.2");
    maximize(true);
    send_events("key shift+b sleep 0.3 key g");
    wait_for_file(&window.program, "sizes-0001.yaml");
    close_window(&window);
    window.program.pid = 0;

    size_t size;
    char *text = read_whole_file("sizes-0001.yaml", &size);
    char expected[32];
    (void)snprintf(expected, sizeof expected, "--frame %d\n", frames);
    if (!strstr(text, expected)) {
        fail_msg("frame %d is expected in:\n%s", frames, text);
    }
    assert_renders_to_its_hash("sizes-0001.yaml", text, "--size 32x18");
    free(text);
    for (int n = 0; n < COMPARED; n++) {
        compare_picture(compared[n], compared_frames[n]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sizes, make_scene, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

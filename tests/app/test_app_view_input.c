// End-to-end tests of the viewer's input: every press counts, however slow the pictures are, and orbiting, flying and
// the comparison with the panel beside the picture. BRUME_VIEW_PRESSES sets the number of presses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

// a small box of air at rest above the ground, with one body
static const char room_scene[] = "name: Room\n"
                                 "domain: {size: [1.6, 0.9, 0.9], boundaries: {all: wall, y_max: open}}\n"
                                 "solver: {resolution: 16}\n"
                                 "air: {thermal_expansion: 0}\n"
                                 "bodies:\n"
                                 "  - {shape: sphere, center: [0, 0.45, 0], radius: 0.1, albedo: [0.8, 0.05, 0.05]}\n"
                                 "render: {walls: {visible: no}}\n"
                                 "image: {samples: 1}\n"
                                 "camera: {position: [0, 0.45, 3], target: [0, 0.45, 0], field_of_view: 28}\n";

static Window window;
static int saves;

static int make_scene(void **state)
{
    if (enter_window_folder(state) != 0) {
        return -1;
    }
    make_file("room.yaml", room_scene);
    saves = 0;
    return 0;
}

static int leave(void **state) { return leave_window_folder(state, &window); }

static void close_room(void)
{
    close_window(&window);
    window.program.pid = 0;
}

static int presses(void)
{
    const char *wanted = getenv("BRUME_VIEW_PRESSES");
    return wanted ? atoi(wanted) : 12;
}

/** The same events `count` times, in calls of a limited length. */
static void send_repeatedly(int count, const char *events)
{
    while (count > 0) {
        char many[7000] = "";
        size_t used = 0;
        for (; count > 0 && used + strlen(events) + 2 < sizeof many; count--) {
            used += (size_t)snprintf(many + used, sizeof many - used, "%s ", events);
        }
        send_events("%s", many);
    }
}

/** The viewer handles all events until resume_viewer in one picture, as if it had taken that long. */
static void halt_viewer(void)
{
    int status;
    assert_int_equal(kill(window.program.pid, SIGSTOP), 0);
    assert_int_equal(waitpid(window.program.pid, &status, WUNTRACED), window.program.pid);
    assert_true(WIFSTOPPED(status));
}

static void resume_viewer(void)
{
    assert_int_equal(kill(window.program.pid, SIGCONT), 0);
    wait_seconds(0.2);
}

// saves the scene; returns its text, to be freed
static char *save_room(void)
{
    char name[32];
    (void)snprintf(name, sizeof name, "room-%04d.yaml", ++saves);
    send_events("key g");
    wait_for_file(&window.program, name);
    size_t size;
    return read_whole_file(name, &size);
}

static int saved_frame(void)
{
    char *text = save_room();
    const char *frame = strstr(text, "--frame ");
    assert_non_null(frame);
    const int number = atoi(frame + strlen("--frame "));
    free(text);
    return number;
}

// saves until the frame is reached, which takes time on a slow computer, and once more: it goes no further
static void expect_frame(int expected)
{
    int frame = saved_frame();
    for (int n = 0; n < 20 && frame < expected; n++) {
        wait_seconds(0.5);
        frame = saved_frame();
    }
    wait_seconds(0.5);
    assert_int_equal(saved_frame(), expected);
}

static int occurrences(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        count++;
    }
    return count;
}

// of the picture in a window of 800 x 600: above the timeline [points]
enum { PICTURE_HEIGHT = 554 };

static void open_with_panel(const char *more)
{
    char arguments[256];
    (void)snprintf(arguments, sizeof arguments,
                   "room.yaml --size 800x600 --renderer cpu --threads 1 --controls controls.yaml %s", more);
    open_window(&window, "room", arguments);
    wait_for_controls(&window, "picture", "[288, 0, 800, 554]");
}

// the middle of a control that is visible [points]
static void find_middle(const char *name, int *x, int *y)
{
    float corners[4] = {0};
    if (!find_control(name, corners)) {
        fail_msg("no control '%s'", name);
    }
    *x = (int)(0.5f * (corners[0] + corners[2]));
    *y = (int)(0.5f * (corners[1] + corners[3]));
}

// A click that leaves the button at once, and a key that is released at once, count each, all in one picture.
static void test_presses_in_one_picture(void **state)
{
    (void)state;
    const int count = presses();
    open_with_panel("--paused");
    int x;
    int y;
    find_middle("step", &x, &y);
    halt_viewer();
    char click[128];
    (void)snprintf(click, sizeof click, "mousemove %d %d click 1 mousemove 500 300", x, y);
    send_repeatedly(count, click);
    send_repeatedly(count, "key n sleep 0.005"); // pressed again at once, SDL takes it for a key that repeats
    resume_viewer();
    expect_frame(2 * count);

    // each screenshot and each scene gets a file
    halt_viewer();
    send_repeatedly(3, "key F12 sleep 0.005");
    send_repeatedly(3, "key g sleep 0.005");
    resume_viewer();
    wait_for_file(&window.program, "room-0003.png");
    char last[32];
    (void)snprintf(last, sizeof last, "room-%04d.yaml", saves + 3);
    wait_for_file(&window.program, last);
    saves += 3;
    close_room();
}

// A text field that is clicked, filled, and left within one picture
static void test_text_in_one_picture(void **state)
{
    (void)state;
    open_with_panel("--paused");
    int x;
    int y;
    click_control(&window, "Scene.save"); // scrolls it into view
    find_middle("Scene.save", &x, &y);
    halt_viewer();
    for (int n = 1; n <= 3; n++) {
        send_events("mousemove %d %d click 1 key ctrl+a type --delay 1 'n%dng'", x, y, n);
        send_events("key BackSpace type --delay 1 '.yaml'");
        send_events("key Return mousemove 500 300");
    }
    resume_viewer();
    for (int n = 1; n <= 3; n++) {
        char name[32];
        (void)snprintf(name, sizeof name, "n%dn.yaml", n);
        wait_for_file(&window.program, name);
    }
    // the letters were those of the names alone: no frame was computed by N
    size_t size;
    char *text = read_whole_file("n3n.yaml", &size);
    assert_non_null(strstr(text, "after frame 0 "));
    free(text);
    close_room();
}

// each brush, selected by M and used once while the viewer is busy
static void apply_all_brushes(void)
{
    halt_viewer();
    send_events("mousemove 420 420 key m click 1 sleep 0.05");                     // heat
    send_events("mousemove 430 420 key m click 1 mousemove 440 420 sleep 0.05");   // fuel
    send_events("mousemove 445 420 key m click 1 mousemove 450 420 sleep 0.05");   // particles
    send_events("key m mousedown 1 mousemove_relative 20 0 sleep 0.05 mouseup 1"); // push
    for (int n = 0; n < 3; n++) {
        send_events("mousemove %d 420 key m click 1 sleep 0.05", 480 + 20 * n); // suck, twist, erase
    }
    resume_viewer();
    send_events("key n");
    static const char *const expected[] = {"temperature: 60}",      "fuel: 0.2}",         "leaves: 500",
                                           "push: 10, velocity: [", "suck: 0.8, axis: [", "twist: 10",
                                           "erase: 0.1, push: 0"};
    char *text = save_room();
    for (int n = 0; n < 60 && !strstr(text, "erase"); n++) {
        free(text);
        wait_seconds(0.5);
        text = save_room();
    }
    for (size_t n = 0; n < sizeof expected / sizeof expected[0]; n++) {
        if (!strstr(text, expected[n])) {
            print_error("%s\n", text); // fail_msg would cut it
            fail_msg("'%s' is not in the scene", expected[n]);
        }
    }
    free(text);
}

// In the window, a circle of the brush's radius is around the pointer, in the color of the brush: now that of erasing.
static void expect_circle(int x, int y, double radius)
{
    send_events("mousemove %d %d sleep 0.3", x, y);
    Picture picture = take_screenshot(&window);
    const uint8_t *const rgb = picture.rgb;
    int on_circle = 0;
    for (int n = 0; n < 64; n++) {
        const double angle = 6.28318530717959 * n / 64.0;
        int most = 0; // of the differences of red and green, around the expected radius
        for (int off = -2; off <= 2; off++) {
            const int at_x = (int)lround(x + (radius + off) * cos(angle));
            const int at_y = (int)lround(y + (radius + off) * sin(angle));
            const uint8_t *pixel = rgb + (size_t)3 * (size_t)(at_y * picture.width + at_x);
            most = pixel[0] - pixel[1] > most ? pixel[0] - pixel[1] : most;
        }
        on_circle += most > 60;
    }
    free_picture(&picture);
    if (on_circle < 60) {
        fail_msg("%d of 64 points of the circle of the brush are red", on_circle);
    }
}

// Dabs of the brush at different places, and a body that is moved, within one picture; then the other brushes
static void test_strokes_in_one_picture(void **state)
{
    (void)state;
    open_with_panel("--paused");
    enum { DABS = 12 };
    halt_viewer();
    for (int n = 0; n < DABS; n++) {
        send_events("mousemove %d 250 click 1", 400 + 6 * n);
    }
    for (int n = 0; n < 2; n++) {
        send_events("mousemove %d 300 mousedown 1 mousemove_relative 10 0 mouseup 1", 544 + 10 * n);
    }
    resume_viewer();
    send_events("key n");
    char *text = save_room();
    for (int n = 0; n < 60 && (!strstr(text, "moves") || occurrences(text, "from:") < DABS); n++) {
        free(text);
        wait_seconds(0.5);
        text = save_room();
    }
    assert_int_equal(occurrences(text, "from:"), DABS);
    const char *velocity = strstr(text, "velocity: [");
    assert_non_null(velocity);
    const double height = 2.0 * 3.0 * tan(14.0 * 3.14159265358979 / 180.0); // of the picture at the sphere [m]
    const double moved = atof(velocity + strlen("velocity: [")) / 24.0;     // in the one frame [m]
    if (fabs(moved - 2.0 * 10.0 * height / PICTURE_HEIGHT) > 0.1 * moved) { // the sphere is in front of its center
        fail_msg("two drags moved the body by %g m", moved);
    }
    free(text);
    apply_all_brushes();
    expect_circle(470, 420,
                  0.04 * 1.6 * PICTURE_HEIGHT / height); // the middle of the box is at the distance of the target
    close_room();
}

static void read_vector(const char *text, const char *key, double vector[3])
{
    const char *at = strstr(text, key);
    if (!at || sscanf(at + strlen(key), " [%lf, %lf, %lf]", &vector[0], &vector[1], &vector[2]) != 3) {
        fail_msg("'%s' is not in:\n%s", key, text);
    }
}

static void read_camera(double position[3], double target[3])
{
    char *text = save_room();
    const char *camera = strstr(text, "\ncamera:");
    assert_non_null(camera);
    read_vector(camera, "position:", position);
    read_vector(camera, "target:", target);
    free(text);
}

// the process has the name of the program, as `ps` shows it, not that of the file with the viewer
static void test_name_of_the_process(void **state)
{
    (void)state;
    open_with_panel("--paused");
    char path[64];
    char name[64] = "";
    (void)snprintf(path, sizeof path, "/proc/%d/comm", (int)window.program.pid);
    FILE *file = fopen(path, "r");
    if (file) { // on Linux
        assert_non_null(fgets(name, sizeof name, file));
        assert_int_equal(fclose(file), 0);
        assert_string_equal(name, "brume\n");
    }
    close_room();
}

// the middle button orbits, with Shift it pans; Q does not fly below the ground
static void test_camera(void **state)
{
    (void)state;
    double position[3] = {0};
    double target[3] = {0};
    open_with_panel("--paused");
    send_events("mousemove 544 300 mousedown 2 mousemove_relative 100 0 sleep 0.1 mouseup 2");
    read_camera(position, target);
    assert_true(fabs(target[0]) < 1e-5 && fabs(target[2]) < 1e-5);
    assert_true(fabs(position[0] + 3.0 * sin(0.5)) < 1e-3 && fabs(position[2] - 3.0 * cos(0.5)) < 1e-3);
    send_events("key Home sleep 1 keydown shift mousemove 544 300 mousedown 2 mousemove_relative 0 60 sleep 0.1 "
                "mouseup 2 keyup shift");
    read_camera(position, target);
    const double height = 2.0 * 3.0 * tan(14.0 * 3.14159265358979 / 180.0);
    assert_true(fabs(position[1] - 0.45 - 60.0 / PICTURE_HEIGHT * height) < 1e-3 &&
                fabs(target[1] - position[1]) < 1e-5);
    for (int n = 0; n < 10 && position[1] >= 0.1; n++) { // the fewer pictures a second, the less far it flies
        send_events("mousemove 544 300 mousedown 3 keydown q sleep 3 keyup q mouseup 3");
        read_camera(position, target);
    }
    if (!(position[1] > 0.0 && position[1] < 0.1)) {
        fail_msg("Q flies to y = %g, expected just above the ground", position[1]);
    }
    close_room();
}

// The sphere in the middle of the box is in the middle of what the panel leaves free; without panel and HUD, in that of
// the window.
static void test_projection_beside_the_panel(void **state)
{
    (void)state;
    open_with_panel("--paused");
    static const int middles[] = {544, 400};
    for (int n = 0; n < 2; n++) {
        wait_seconds(1.0);
        Picture picture = take_screenshot(&window);
        assert_int_equal(picture.width, 800);
        int left = 800; // of the sphere, which is red
        int right = 0;
        for (int x = 300; x < 800; x++) {
            const uint8_t *pixel = picture.rgb + (size_t)3 * (300 * 800 + (size_t)x);
            if (pixel[0] > pixel[2] + 40) {
                left = x < left ? x : left;
                right = x;
            }
        }
        free_picture(&picture);
        if (right - left < 40 || right - left > 120 || abs(left + right - 2 * middles[n]) > 12) {
            fail_msg("the sphere spans %d to %d, expected to be centered at %d", left, right, middles[n]);
        }
        send_events("key Tab");
    }
    close_room();
}

int main(int argc, char **argv)
{
    if (argc > 1) { // one of them alone
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_presses_in_one_picture, make_scene, leave),
        cmocka_unit_test_setup_teardown(test_text_in_one_picture, make_scene, leave),
        cmocka_unit_test_setup_teardown(test_strokes_in_one_picture, make_scene, leave),
        cmocka_unit_test_setup_teardown(test_name_of_the_process, make_scene, leave),
        cmocka_unit_test_setup_teardown(test_camera, make_scene, leave),
        cmocka_unit_test_setup_teardown(test_projection_beside_the_panel, make_scene, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

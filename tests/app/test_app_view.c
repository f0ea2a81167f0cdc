// End-to-end tests of the viewer: a window, pointer and key events, and the files that it writes.
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
#include <unistd.h>

#include "window.h"

// a box of air at rest without emitters
static const char still_scene[] = "name: Still air\n"
                                  "domain: {size: [1.6, 0.9, 0.9], boundaries: {all: wall}}\n"
                                  "solver: {resolution: 48}\n"
                                  "air: {thermal_expansion: 0}\n"
                                  "smoke: {density: {extinction: 60}}\n"
                                  "render: {walls: {visible: no}}\n" // on which smoke throws light
                                  "image: {samples: 2}\n"
                                  "camera: {position: [0, 0.45, 2.6], target: [0, 0.45, 0], field_of_view: 28}\n";

// a sphere in the middle, and an emitter beside it
static const char ball_scene[] = "name: Ball\n"
                                 "domain: {size: [1.6, 0.9, 0.9], boundaries: {all: wall}}\n"
                                 "solver: {resolution: 32}\n"
                                 "bodies:\n"
                                 "  - {shape: sphere, center: [0, 0.45, 0], radius: 0.16}\n"
                                 "emitters:\n"
                                 "  - {shape: box, from: [0.25, 0.1, -0.3], to: [0.5, 0.8, 0.3], density: 1}\n"
                                 "image: {samples: 1}\n"
                                 "camera: {position: [0, 0.45, 2.6], target: [0, 0.45, 0], field_of_view: 28}\n";

static const char small[] = "--size 32x18"; // pictures of which the hash of the state alone counts

static Window window;

static int make_scenes(void **state)
{
    if (enter_window_folder(state) != 0) {
        return -1;
    }
    make_file("still.yaml", still_scene);
    make_file("ball.yaml", ball_scene);
    return 0;
}

static void open_plain(const char *scene, const char *more)
{
    char arguments[512];
    (void)snprintf(arguments, sizeof arguments, "%s.yaml --size 640x360 --plain %s", scene, more);
    open_window(&window, scene, arguments);
}

static void assert_differ(const Picture *a, const Picture *b, double min_fraction, const char *what)
{
    const double fraction = changed_fraction(a, b, 0, a->width, 8);
    if (fraction < min_fraction) {
        fail_msg("%s changed %.4f of the picture, expected at least %.4f", what, fraction, min_fraction);
    }
}

// Waits until the progressive picture is finished: until screenshots have been equal for 2.8 s, and for three times as
// long as between any two changes before, because a pass over the picture may take seconds on a loaded computer.
static Picture screenshot_at_rest(void)
{
    Picture picture = take_screenshot(&window);
    double changed = seconds_now();
    double longest = 0.0; // [s] between two changes
    for (int n = 0; n < 200; n++) {
        wait_seconds(0.7);
        Picture after = take_screenshot(&window);
        const double now = seconds_now();
        if (changed_fraction(&picture, &after, 0, picture.width, 0) >= 1e-4) {
            longest = fmax(longest, now - changed);
            changed = now;
        }
        free_picture(&picture);
        picture = after;
        if (now - changed >= fmax(2.8, 3.0 * longest)) {
            return picture;
        }
    }
    fail_msg("the picture does not stop changing");
    return picture;
}

// takes screenshots until one differs enough from `before`, and returns it; allows for slow computers
static Picture screenshot_after_change(const Picture *before, double min_fraction, const char *what)
{
    Picture after = {0};
    for (int n = 0; n < 30; n++) {
        wait_seconds(0.5);
        free_picture(&after);
        after = take_screenshot(&window);
        if (changed_fraction(before, &after, 0, before->width, 8) >= min_fraction) {
            break;
        }
    }
    assert_differ(before, &after, min_fraction, what);
    return after;
}

// the same, and replaces `before` by it
static void wait_for_change(Picture *before, double min_fraction, const char *what)
{
    Picture after = screenshot_after_change(before, min_fraction, what);
    free_picture(before);
    *before = after;
}

static void expect_change(Picture *before, double min_fraction, const char *events)
{
    send_events("%s", events);
    wait_for_change(before, min_fraction, events);
}

// saves the scene with G; returns its text, to be freed
static char *save_scene(const char *name)
{
    send_events("key g");
    wait_for_file(&window.program, name);
    size_t size;
    return read_whole_file(name, &size);
}

// Saves the scene to NAME-0001.yaml or the next number, `*number`, again and again until it ends at this frame, which
// may still be computed; returns its text, to be freed, and the file in `path`.
static char *save_scene_at_frame(const char *name, int frame, int *number, char path[64])
{
    char end[32];
    (void)snprintf(end, sizeof end, "--frame %d\n", frame);
    for (int n = 0; n < 100; n++) {
        (void)snprintf(path, 64, "%s-%04d.yaml", name, ++*number);
        char *text = save_scene(path);
        if (strstr(text, end)) {
            return text;
        }
        free(text);
        wait_seconds(0.5);
    }
    fail_msg("frame %d is not computed", frame);
    return NULL;
}

static void test_every_scene(void **state)
{
    (void)state;
    static const char *const scenes[] = {"plume",      "plume_sphere", "colliding_jets",
                                         "smoke_ring", "heated_room",  "wind_tunnel"};
    static const char *const renderers[] = {"cpu", "gl"};
    for (size_t n = 0; n < sizeof scenes / sizeof scenes[0]; n++) {
        char arguments[512];
        (void)snprintf(arguments, sizeof arguments,
                       BRUME_SOURCE_DIR "/scenes/%s.yaml --size 640x360 --renderer %s -D solver.resolution=32",
                       scenes[n], renderers[n % 2]);
        open_window(&window, scenes[n], arguments);
        wait_seconds(1.0);
        Picture picture = take_screenshot(&window);
        assert_int_equal(picture.width, 640);
        assert_int_equal(picture.height, 360);
        wait_for_change(&picture, 0.001, scenes[n]); // the smoke moves
        free_picture(&picture);
        close_window(&window);
    }
}

static void test_camera(void **state)
{
    (void)state;
    open_plain("ball", "--paused --renderer cpu");
    Picture first = screenshot_at_rest();
    Picture picture = take_screenshot(&window);
    expect_change(&picture, 0.02, "mousemove 320 180 mousedown 3 keydown w sleep 1.0 keyup w mouseup 3");
    expect_change(&picture, 0.02, "mousemove 320 180 mousedown 3 mousemove_relative -- 60 10 sleep 0.1 mouseup 3");
    expect_change(
        &picture, 0.05,
        "keydown alt mousemove 320 180 mousedown 1 mousemove_relative -- 80 30 sleep 0.1 mouseup 1 keyup alt");
    expect_change(&picture, 0.02,
                  "keydown alt mousemove 320 180 mousedown 2 mousemove_relative -- 60 0 sleep 0.1 mouseup 2 keyup alt");
    expect_change(&picture, 0.05, "mousemove 320 180 mousedown 2 mousemove_relative -- 80 30 sleep 0.1 mouseup 2");
    expect_change(
        &picture, 0.02,
        "keydown shift mousemove 320 180 mousedown 2 mousemove_relative -- 60 0 sleep 0.1 mouseup 2 keyup shift");
    expect_change(&picture, 0.02, "keydown alt click 4 click 4 keyup alt");
    expect_change(&picture, 0.01, "key ctrl+3 keydown alt click 5 click 5 click 5 keyup alt");
    expect_change(&picture, 0.01, "key alt+3");
    send_events("key Home");
    Picture home = screenshot_at_rest();
    if (psnr(&first, &home) < 50.0) {
        fail_msg("Home comes back within %.1f dB, expected 50", psnr(&first, &home));
    }
    free_picture(&first);
    free_picture(&picture);
    free_picture(&home);
    close_window(&window);
}

// a fast half circle from few events: the stroke has no gaps and is nowhere else
static void test_stroke(void **state)
{
    (void)state;
    const double pi = 3.14159265358979;
    const double radius = 100.0;
    open_plain("still", "--paused --renderer cpu");
    Picture before = screenshot_at_rest();
    send_events("key space");
    char events[4096] = "";
    for (int n = 0; n <= 14; n++) {
        const double angle = pi * n / 14.0;
        const size_t used = strlen(events);
        (void)snprintf(events + used, sizeof events - used, "mousemove %d %d %s ",
                       (int)lround(320.0 - radius * cos(angle)), (int)lround(230.0 - radius * sin(angle)),
                       n == 0 ? "mousedown 1" : "sleep 0.01");
    }
    send_events("%s mouseup 1 mousemove 20 340", events);
    Picture with_stroke = screenshot_after_change(&before, 0.01, "a stroke");
    free_picture(&with_stroke);
    wait_seconds(0.5); // until the frames have applied the whole stroke
    send_events("key space");
    Picture after = screenshot_at_rest();
    const double brush = 15.0; // radius in the picture [pixels], rounded down
    double gap = 0.0;
    double longest = 0.0;
    const int steps = 400;
    for (int n = 0; n <= steps; n++) {
        const double angle = pi * n / steps;
        const int x = (int)lround(320.0 - radius * cos(angle));
        const int y = (int)lround(230.0 - radius * sin(angle));
        gap = difference_at(&before, &after, x, y) > 10 ? 0.0 : gap + pi * radius / steps;
        longest = fmax(longest, gap);
    }
    if (longest > brush) {
        fail_msg("the stroke has a gap of %.1f pixels, allowed are %.1f", longest, brush);
    }
    // nothing at the center of the circle and far outside
    assert_true(difference_at(&before, &after, 320, 230) <= 3);
    assert_true(difference_at(&before, &after, 320, 60) <= 3);
    free_picture(&before);
    free_picture(&after);
    close_window(&window);
}

// While paused, a stroke is in the picture at once, and what the window computes then is what the saved scene leads to.
// With U, the brush takes away what it drew, at once, too, and the saved scene erases the same.
static void test_stroke_and_erasure_while_paused(void **state)
{
    (void)state;
    open_plain("still", "--paused --renderer cpu");
    Picture empty = screenshot_at_rest();
    const char *stroke =
        "mousemove 240 180 mousedown 1 mousemove_relative -- 60 0 sleep 0.05 mousemove_relative -- 60 0 "
        "sleep 0.05 mouseup 1 mousemove 20 340";
    send_events("%s", stroke);
    Picture smoke = screenshot_after_change(&empty, 0.01, "a stroke");
    free_picture(&smoke);
    send_events("key n");
    int number = 0;
    char path[64];
    char *text = save_scene_at_frame("still", 1, &number, path);
    assert_non_null(strstr(text, "strokes"));
    assert_renders_to_its_hash(path, text, small);
    free(text);
    smoke = screenshot_at_rest();
    assert_true(difference_at(&empty, &smoke, 300, 180) > 10);
    send_events("key u key plus key plus key plus key plus key plus key plus key plus %s sleep 0.5", stroke);
    Picture erased = screenshot_at_rest();
    assert_true(difference_at(&empty, &erased, 300, 180) <= 3);
    send_events("key n");
    text = save_scene_at_frame("still", 2, &number, path);
    assert_non_null(strstr(text, "erase: 0.1"));
    assert_renders_to_its_hash(path, text, small);
    free(text);
    free_picture(&empty);
    free_picture(&smoke);
    free_picture(&erased);
    close_window(&window);
}

// Ctrl + Z takes a stroke back after frames have applied it, and a moved solid: the saved scene has neither, and leads
// to the present state; redone, both are in it.
static void test_undo_of_strokes(void **state)
{
    (void)state;
    open_plain("ball", "--paused --renderer cpu");
    send_events("key n key n sleep 0.3");
    Picture before = screenshot_at_rest();
    send_events("mousemove 480 250 mousedown 1 mousemove_relative -- 30 -60 sleep 0.05 mousemove_relative -- 20 -60 "
                "sleep 0.05 mouseup 1 sleep 0.3");
    send_events("mousemove 320 180 mousedown 1 mousemove 290 170 sleep 0.05 mousemove 270 160 sleep 0.05 mouseup 1 "
                "mousemove 20 340 sleep 0.3");
    Picture edited = screenshot_at_rest();
    assert_differ(&before, &edited, 0.01, "a stroke and a moved solid");
    send_events("key ctrl+z key ctrl+z sleep 0.3"); // while they wait for the next frame
    Picture after = screenshot_at_rest();
    assert_true(changed_fraction(&before, &after, 0, 640, 0) == 0.0);
    send_events("key ctrl+y key ctrl+shift+z sleep 0.3 key n key n key n");
    int number = 0;
    for (int n = 0; n < 3; n++) {
        const bool has_edits = n != 1;
        if (n > 0) {
            send_events(n == 1 ? "key ctrl+z key ctrl+z" : "key ctrl+shift+z key ctrl+y");
        }
        char path[64];
        char *text = save_scene_at_frame("ball", 5, &number, path);
        assert_int_equal(strstr(text, "strokes") != NULL, has_edits);
        assert_int_equal(strstr(text, "moves") != NULL, has_edits);
        assert_renders_to_its_hash(path, text, small);
        free(text);
    }
    free_picture(&before);
    free_picture(&edited);
    free_picture(&after);
    close_window(&window);
}

// saves the scene of the ball with G for the n-th time; returns its text, to be freed
static char *save_ball(int n)
{
    char name[32];
    (void)snprintf(name, sizeof name, "ball-%04d.yaml", n);
    return save_scene(name);
}

// saves the scene until it has a key: a slow computer takes time from an event to the step that follows it
static bool is_saved(const char *key, int *saves)
{
    bool found = false;
    for (int n = 0; n < 20 && !found; n++) {
        char *text = save_ball(++*saves);
        found = strstr(text, key) != NULL;
        free(text);
        wait_seconds(found ? 0.0 : 0.5);
    }
    return found;
}

static void test_push_and_body(void **state)
{
    (void)state;
    open_plain("ball", "--renderer cpu");
    wait_seconds(2.0);
    Picture picture = take_screenshot(&window);
    expect_change(&picture, 0.002,
                  "keydown ctrl mousemove 420 180 mousedown 1 mousemove_relative -- 0 -60 sleep 0.05 "
                  "mousemove_relative -- 40 -30 sleep 0.05 mouseup 1 keyup ctrl");
    expect_change(&picture, 0.02,
                  "mousemove 320 180 mousedown 1 mousemove 300 180 sleep 0.05 mousemove 270 185 sleep 0.05 "
                  "mousemove 240 190 sleep 0.05 mousemove 220 190 sleep 0.1 mouseup 1");
    free_picture(&picture);
    int saves = 0;
    assert_true(is_saved("moves", &saves));
    close_window(&window);
}

// from the picture at rest by the CPU, and back to it
static void check_renderers_agree(const Picture *cpu)
{
    send_events("key c");
    wait_seconds(1.0);
    Picture gl = screenshot_at_rest();
    if (psnr(cpu, &gl) < 35.0) { // one ray per pixel in both; with many rays test_gl_picture requires 38
        fail_msg("the renderers agree within %.1f dB, expected 35", psnr(cpu, &gl));
    }
    free_picture(&gl);
    send_events("key c");
}

static void test_views(void **state)
{
    (void)state;
    static const char *const renderers[] = {"cpu", "gl"};
    for (int n = 0; n < 2; n++) {
        char more[64];
        (void)snprintf(more, sizeof more, "--renderer %s", renderers[n]);
        open_plain("little", more);
        Picture picture = take_screenshot(&window);
        wait_for_change(&picture, 0.03, "smoke");
        send_events("key space");
        free_picture(&picture);
        picture = screenshot_at_rest();
        if (n == 0) {
            check_renderers_agree(&picture);
        }
        for (int view = 2; view <= 6; view++) {
            char events[32];
            (void)snprintf(events, sizeof events, "key %d", view);
            expect_change(&picture, 0.003, events);
        }
        expect_change(&picture, 0.003, "key 4");
        expect_change(&picture, 0.003, "key t");
        expect_change(&picture, 0.003, "key bracketright key bracketright key bracketright key bracketright");
        expect_change(&picture, 0.003, "key t key 3 key v");
        free_picture(&picture);
        close_window(&window);
        window.screenshots = 0;
        for (int shot = 1; shot <= 400; shot++) {
            char path[64];
            (void)snprintf(path, sizeof path, "little-%04d.png", shot);
            (void)remove(path);
        }
    }
}

// B goes on from the present state on both sides, and B again with one of them: no frame is lost
static void test_side_by_side(void **state)
{
    (void)state;
    open_plain("little", "--renderer cpu");
    wait_seconds(1.0);
    Picture start = take_screenshot(&window);
    wait_for_change(&start, 0.03, "smoke");
    send_events("key space mousemove 20 340");
    Picture before = screenshot_at_rest();
    Picture picture = take_screenshot(&window);
    expect_change(&picture, 0.001, "key b"); // the divider
    free_picture(&picture);
    picture = screenshot_at_rest();
    assert_true(changed_fraction(&before, &picture, 0, 290, 0) == 0.0);
    assert_true(changed_fraction(&before, &picture, 350, 640, 0) == 0.0);
    // drags the divider to the right
    expect_change(&picture, 0.001, "mousemove 320 20 mousedown 1 mousemove_relative -- 100 0 sleep 0.1 mouseup 1");
    send_events("key n key n mousemove 20 340 key b");
    wait_seconds(0.5);
    char *text = save_scene("little-0001.yaml");
    assert_renders_to_its_hash("little-0001.yaml", text, small);
    // the end is undone, and both sides are there again; the start, too: the state of a run without a comparison
    free_picture(&picture);
    picture = screenshot_at_rest();
    expect_change(&picture, 0.001, "key ctrl+z");
    send_events("key ctrl+z");
    wait_seconds(0.5);
    char *undone = save_scene("little-0002.yaml");
    assert_memory_equal(undone, text, strcspn(text, "\n")); // frame and hash
    assert_renders_to_its_hash("little-0002.yaml", undone, small);
    free(undone);
    free(text);
    free_picture(&start);
    free_picture(&before);
    free_picture(&picture);
    close_window(&window);
}

static void test_recording(void **state)
{
    (void)state;
    open_plain("little", "--renderer cpu");
    send_events("key F11");
    wait_for_file(&window.program, "little-0001/frame-0020.png");
    send_events("key F11");
    wait_seconds(0.5);
    send_events("key g");
    wait_for_file(&window.program, "little-0001.yaml");
    close_window(&window);
    // every simulated frame is there, one after the other
    const int count = count_entries("little-0001");
    assert_true(count >= 20);
    for (int frame = 1; frame <= count; frame++) {
        char path[64];
        (void)snprintf(path, sizeof path, "little-0001/frame-%04d.png", frame);
        assert_whole_png(path, 640, 360);
    }
    size_t size;
    char *text = read_whole_file("little-0001.yaml", &size);
    assert_non_null(strstr(text, "keys:")); // the camera path
    free(text);
}

// sends events until what they do is in the scene that is saved: a slow computer may see a drag as a single point
static void send_until_saved(const char *events, const char *key, int *saves)
{
    bool found = false;
    for (int n = 0; n < 4 && !found; n++) {
        send_events("%s", events);
        found = is_saved(key, saves);
    }
    if (!found) {
        fail_msg("'%s' is not in the scene that was saved after: %s", key, events);
    }
}

static void change_settings_in_panel(void)
{
    send_events("key space sleep 0.5 key Tab sleep 0.5");
    click_control_at(&window, "Air.buoyancy", 0.8f);
    click_control(&window, "Solver");
    click_control_at(&window, "Solver.resolution", 0.2f);
    send_events("key Tab sleep 0.5 key space");
}

// After changes in the panel, another resolution, a stroke, a push and a dragged body, G saves a scene from which
// `brume render` computes the same state bit for bit, and the same picture.
static void test_saved_scene_renders_the_same_picture(void **state)
{
    (void)state;
    open_plain("ball", "--renderer cpu --controls controls.yaml");
    wait_seconds(0.5);
    int saves = 0;
    change_settings_in_panel();
    assert_true(is_saved("air.thermal_expansion", &saves));
    assert_true(is_saved("solver.resolution", &saves));
    send_until_saved("mousemove 420 250 mousedown 1 mousemove_relative -- 40 -90 sleep 0.03 "
                     "mousemove_relative -- 40 20 sleep 0.03 mouseup 1",
                     "strokes", &saves);
    send_until_saved("mousemove 500 180 keydown ctrl sleep 0.5 mousedown 1 mousemove_relative -- -60 10 sleep 0.05 "
                     "mouseup 1 sleep 0.5 keyup ctrl",
                     "push", &saves);
    send_until_saved(
        "mousemove 320 180 mousedown 1 mousemove 300 170 sleep 0.05 mousemove 280 160 sleep 0.05 mouseup 1", "moves",
        &saves);
    send_events("keydown alt mousemove 320 180 mousedown 1 mousemove_relative -- 50 20 sleep 0.1 mouseup 1 keyup alt");
    send_events("key space mousemove 20 340");
    wait_seconds(1.0);
    Picture shown = screenshot_at_rest();
    char *text = save_ball(++saves);
    close_window(&window);

    const char *const expected_keys[] = {"air.thermal_expansion", "solver.resolution", "strokes", "moves", "push"};
    for (size_t n = 0; n < sizeof expected_keys / sizeof expected_keys[0]; n++) {
        if (!strstr(text, expected_keys[n])) {
            fail_msg("'%s' is not in the scene that was saved:\n%s", expected_keys[n], text);
        }
    }
    char name[32];
    (void)snprintf(name, sizeof name, "ball-%04d.yaml", saves);
    assert_renders_to_its_hash(name, text, "");
    free(text);
    Picture offline = read_picture("offline.png");
    if (psnr(&shown, &offline) < 60.0) {
        fail_msg("window and render agree within %.1f dB, expected 60", psnr(&shown, &offline));
    }
    free_picture(&shown);
    free_picture(&offline);
}

// a signal closes the window, and the statistics are written
static void test_signals(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    static ProgramRun run;
    for (size_t n = 0; n < sizeof signals / sizeof signals[0]; n++) {
        open_plain("ball", "--stats out/s.json");
        assert_false(exists("out/s.json"));
        assert_int_equal(kill(window.program.pid, signals[n]), 0);
        finish_program(&window.program, &run);
        assert_string_equal(run.err, "brume: closing the window (a second signal stops immediately)\n"
                                     "brume: interrupted\n");
        assert_int_equal(run.status, 130);
        size_t size;
        char *stats = read_whole_file("out/s.json", &size);
        assert_true(is_json(stats));
        assert_non_null(strstr(stats, "\"scene\": \"Ball\""));
        free(stats);
        assert_int_equal(unlink("out/s.json"), 0);
    }
}

// before the window opens
static void test_statistics_that_cannot_be_written(void **state)
{
    (void)state;
    static ProgramRun run;
    run_program(&run, "view ball.yaml --stats /proc/s.json");
    assert_string_equal(run.err, "brume: /proc/s.json: cannot write: No such file or directory\n");
    assert_int_equal(run.status, 1);
    run_program(&run, "view ball.yaml --log-pictures /proc/log");
    assert_string_equal(run.err, "brume: /proc/log: cannot make the folder: No such file or directory\n");
    assert_int_equal(run.status, 1);
    run_program(&run, "view ball.yaml --stats ball.yaml");
    assert_string_equal(run.err, "brume: ball.yaml is the scene (give another --stats)\n");
    assert_int_equal(run.status, 2);
    assert_int_equal(setenv("OMP_NUM_THREADS", "99999999999", 1), 0);
    run_program(&run, "view ball.yaml");
    assert_int_equal(unsetenv("OMP_NUM_THREADS"), 0);
    assert_string_equal(run.err, "brume: OMP_NUM_THREADS: '99999999999' is not a whole number from 1 to 1024\n");
    assert_int_equal(run.status, 2);
}

int main(int argc, char **argv)
{
    if (argc > 1) { // one of them alone
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_scene, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_camera, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_stroke, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_stroke_and_erasure_while_paused, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_undo_of_strokes, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_push_and_body, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_views, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_side_by_side, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_recording, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_saved_scene_renders_the_same_picture, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_signals, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_statistics_that_cannot_be_written, make_scenes, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

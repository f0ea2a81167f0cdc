// End-to-end tests of the viewer with volumes: a sequence of files is played, scrubbed and watched in a window.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "window.h"

enum { FRAMES = 6 };

static const double same_db = 60.0; // two pictures of one frame agree at least so well [dB]

// smoke that moves by more than a cell from frame to frame
static const char puff_scene[] = "name: Puff\n"
                                 "domain: {size: [1.6, 0.9, 0.9]}\n"
                                 "solver: {resolution: 24}\n"
                                 "emitters:\n"
                                 "  - {shape: sphere, center: [-0.4, 0.3, 0], radius: 0.2, density: 1, temperature: 60,"
                                 " velocity: [1.5, 0.5, 0]}\n"
                                 "time: {fps: 8, frames: 6}\n"
                                 "smoke: {density: {extinction: 40}}\n"
                                 "image: {width: 640, height: 360, samples: 1}\n"
                                 "camera: {position: [0, 0.45, 2.6], target: [0, 0.45, 0], field_of_view: 28}\n";

static Window window;
static ProgramRun run;

static char shared[] = "/tmp/brume-volumes-XXXXXX"; // the folder with the files of all tests

// once, the volumes c/p.0001.raw to c/p.0006.raw, and their pictures o/p.0001.png to o/p.0006.png
static int make_volumes(void **state)
{
    (void)state;
    if (!mkdtemp(shared) || chdir(shared) != 0) {
        return -1;
    }
    make_file("puff.yaml", puff_scene);
    run_successfully(&run, "sim puff.yaml -o c/p.####.raw");
    run_successfully(&run, "render c/p.####.raw -o o/p.####.png");
    return 0;
}

static int remove_volumes(void **state)
{
    (void)state;
    char command[64];
    (void)snprintf(command, sizeof command, "rm -r %s", shared);
    return system(command); // NOLINT(bugprone-command-processor): a folder of this test
}

// a folder with copies of them
static int enter_with_volumes(void **state)
{
    char command[64];
    (void)snprintf(command, sizeof command, "cp -r %s/. .", shared);
    return enter_folder(state) == 0 ? system(command) : -1; // NOLINT(bugprone-command-processor): the same
}

static void open_volumes(const char *more)
{
    char arguments[512];
    (void)snprintf(arguments, sizeof arguments, "c/p.####.raw --size 640x360 --renderer cpu %s", more);
    open_window(&window, "p", arguments);
}

static void volume_path(const char *folder, int frame, const char *end, char path[64])
{
    (void)snprintf(path, 64, "%s/p.%04d.%s", folder, frame, end);
}

// moves a volume with its header
static void move_volume(const char *from, const char *to, int frame)
{
    static const char *const ends[] = {"raw", "raw.yaml"};
    for (int n = 0; n < 2; n++) {
        char paths[2][64];
        volume_path(from, frame, ends[n], paths[0]);
        volume_path(to, frame, ends[n], paths[1]);
        assert_int_equal(rename(paths[0], paths[1]), 0);
    }
}

// the frame whose picture by `brume render` a picture is; 0: none
static int frame_of(const Picture *picture)
{
    int found = 0;
    for (int frame = 1; frame <= FRAMES && found == 0; frame++) {
        char path[64];
        volume_path("o", frame, "png", path);
        Picture offline = read_picture(path);
        found = psnr(picture, &offline) >= same_db ? frame : 0;
        free_picture(&offline);
    }
    return found;
}

// takes screenshots until the window shows a frame at rest, as `brume render` draws it
static void wait_for_frame(int frame, const char *after)
{
    int shown = 0;
    for (int n = 0; n < 200; n++) {
        Picture picture = take_screenshot(&window);
        shown = frame_of(&picture);
        free_picture(&picture);
        if (shown == frame) {
            return;
        }
        wait_seconds(0.3);
    }
    fail_msg("after '%s' frame %d is shown, expected %d", after, shown, frame);
}

static void expect_frame(const char *events, int frame)
{
    send_events("%s", events);
    wait_for_frame(frame, events);
}

// still pictures have the pixels of `brume render`, and the keys of the timeline go to the frames
static void test_stepping(void **state)
{
    (void)state;
    open_volumes("--plain --paused --stats s.json --log-pictures log");
    wait_for_frame(1, "the start");
    expect_frame("key n", 2);
    expect_frame("key period key period", 4);
    expect_frame("key shift+n", 3);
    expect_frame("key End", 6);
    expect_frame("key period", 1); // the loop
    expect_frame("key comma", 6);
    expect_frame("key l key Right", 6);
    expect_frame("key Left", 5);
    expect_frame("key r", 1);
    expect_frame("key comma", 1);
    expect_frame("key n key b", 2); // no second variant without a simulation
    close_window(&window);
    size_t size;
    char *stats = read_whole_file("s.json", &size);
    assert_true(is_json(stats));
    assert_non_null(strstr(stats, "\"scene\": \"Puff\""));
    free(stats);
    char *table = read_whole_file("log/pictures.csv", &size);
    assert_int_equal(strncmp(table, "shown_at,sample,frame,epoch,", 28), 0);
    table[size - 1] = '\0'; // the end of the last row
    int sample;
    int frame;
    assert_int_equal(sscanf(strrchr(table, '\n'), "%*f,%d,%d,", &sample, &frame), 2);
    assert_int_equal(frame, 2);
    free(table);
    assert_true(exists("log/picture_0000.ppm"));
}

// particles alone, whose files have no scene
static void test_particles(void **state)
{
    (void)state;
    run_successfully(&run, "sim puff.yaml -o d/p.####.ply --fields particles -D emitters.0.dust=2000 -D "
                           "particles.dust.diameter=0.02");
    run_successfully(&run, "render d/p.####.ply -o o/p.####.png --overwrite --look puff.yaml");
    open_window(&window, "p", "d/p.####.ply --size 640x360 --renderer cpu --plain --paused --look puff.yaml");
    wait_for_frame(1, "the start");
    expect_frame("key n key n", 3);
    close_window(&window);
}

// plays to the end, and backwards to the first frame; with a loop it goes on
static void test_playing(void **state)
{
    (void)state;
    open_volumes("--plain --paused");
    wait_for_frame(1, "the start");
    expect_frame("key l key space", 6);
    expect_frame("key j", 1);
    send_events("key l key space");
    Picture first = take_screenshot(&window);
    bool moves = false;
    for (int n = 0; n < 200 && !moves; n++) {
        Picture picture = take_screenshot(&window);
        moves = changed_fraction(&first, &picture, 0, first.width, 8) > 0.01;
        free_picture(&picture);
    }
    free_picture(&first);
    assert_true(moves);
    // where the loop is paused is one of the frames
    send_events("key space");
    int frame = 0;
    for (int n = 0; n < 200 && frame == 0; n++) {
        Picture picture = take_screenshot(&window);
        frame = frame_of(&picture);
        free_picture(&picture);
    }
    assert_in_range(frame, 1, FRAMES);
    close_window(&window);
}

// a drag on the timeline, which the HUD brings with it
static void test_scrubbing(void **state)
{
    (void)state;
    open_volumes("--plain --paused");
    wait_for_frame(1, "the start");
    // the track has the columns 198 to about 572, a sixth of them for each frame
    send_events("key h sleep 0.5 mousemove 220 330 sleep 0.2 mousedown 1 sleep 0.2 mousemove 300 330 sleep 0.2 "
                "mousemove 600 330 sleep 0.2 mouseup 1 sleep 0.2 key h");
    wait_for_frame(6, "a drag to the right end");
    send_events("key h sleep 0.5 mousemove 355 330 sleep 0.2 click 1 sleep 0.5 key h");
    wait_for_frame(3, "a click on the third sixth");
    close_window(&window);
}

// the nearest earlier frame is shown for one that is missing or damaged, and playing goes on to the end
static void test_missing_and_damaged_volumes(void **state)
{
    (void)state;
    assert_int_equal(unlink("c/p.0003.raw"), 0);
    FILE *file = fopen("c/p.0005.raw", "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 2000, SEEK_SET), 0);
    assert_int_equal(fputc(0xa5, file), 0xa5);
    assert_int_equal(fclose(file), 0);
    open_volumes("--plain --paused");
    wait_for_frame(1, "the start");
    expect_frame("key n key n", 2);
    expect_frame("key n", 4);
    expect_frame("key n", 4);
    expect_frame("key n", 6);
    expect_frame("key r key l key space", 6);
    close_window(&window);
}

static void test_watching(void **state)
{
    (void)state;
    assert_int_equal(system("mkdir later"), 0);
    for (int frame = 1; frame <= FRAMES; frame++) {
        move_volume("c", "later", frame);
    }
    // without any volume the program waits
    Program waiting = start_program("view c/p.####.raw --watch", 0);
    wait_for_output(&waiting);
    assert_int_equal(kill(waiting.pid, SIGTERM), 0);
    finish_program(&waiting, &run);
    assert_string_equal(run.out, "waiting for c/p.####.raw\n");
    assert_int_equal(run.status, 130);

    for (int frame = 1; frame <= 3; frame++) {
        move_volume("later", "c", frame);
    }
    open_volumes("--plain --paused --watch");
    expect_frame("key End", 3);
    for (int frame = 4; frame <= FRAMES; frame++) {
        move_volume("later", "c", frame);
    }
    int shown = 0;
    for (int n = 0; n < 200 && shown != FRAMES; n++) { // the list of files is read every half second
        send_events("key End");
        Picture picture = take_screenshot(&window);
        shown = frame_of(&picture);
        free_picture(&picture);
    }
    assert_int_equal(shown, FRAMES);
    close_window(&window);
}

// with the scene that G saves, `brume render` draws the same picture
static void test_saved_look(void **state)
{
    (void)state;
    open_volumes("--plain --paused -D render.exposure=-1 --controls controls.yaml");
    send_events("key n key n key n");
    wait_for_controls(&window, "frame", "4");
    send_events("keydown alt mousemove 320 180 mousedown 1 mousemove_relative -- 60 20 sleep 0.1 "
                "mouseup 1 keyup alt");
    send_events("key g");
    wait_for_file(&window.program, "p-0001.yaml");
    run_successfully(&run, "render c/p.####.raw --look p-0001.yaml -o again.png --frame 4 -q");
    Picture again = read_picture("again.png");
    Picture shown = {0};
    bool same = false;
    for (int n = 0; n < 200 && !same; n++) { // until the picture is at rest
        free_picture(&shown);
        shown = take_screenshot(&window);
        same = psnr(&shown, &again) >= same_db;
    }
    free_picture(&again);
    assert_true(same);
    assert_int_equal(frame_of(&shown), 0); // another camera and exposure than those of the scene
    free_picture(&shown);
    close_window(&window);
}

// a signal closes the window, also while a file is read that never ends
static void test_signals(void **state)
{
    (void)state;
    assert_int_equal(unlink("c/p.0002.raw"), 0);
    assert_int_equal(mkfifo("c/p.0002.raw", 0600), 0);
    open_volumes("--plain --paused --stats out/s.json");
    wait_for_frame(1, "the start");
    assert_int_equal(kill(window.program.pid, SIGTERM), 0);
    assert_true(ends_within(&window.program, 60.0));
    finish_program(&window.program, &run);
    assert_string_equal(run.err, "brume: closing the window (a second signal stops immediately)\n"
                                 "brume: interrupted\n");
    assert_int_equal(run.status, 130);
    assert_true(exists("out/s.json"));
}

static void test_refusals(void **state)
{
    (void)state;
    run_with_error(&run, 2, "view c/q.####.raw", "c/q.####.raw: there is no such volume");
    run_with_error(&run, 2, "view c/p.####.raw --slow 10",
                   "--slow needs a simulation, but volumes are only shown (give a SCENE)");
    run_with_error(&run, 2, "view c/p.####.raw -D solver.cfl=1",
                   "--define changes what was simulated, but volumes are only drawn: solver.cfl (default, now 1) "
                   "(simulate the scene again)");
    run_with_error(&run, 2, "view c/p.####.raw --memory 0",
                   "--memory: '0' is not a size of memory (for example 8G or 500M)");
    run_with_error(&run, 2, "view puff.yaml --watch",
                   "--watch is for volumes, but a scene is simulated (give VOLUMES, as cache/plume.####.hdf)");
    run_with_error(&run, 2, "view puff.yaml --look puff.yaml",
                   "--look is for volumes, but a scene is simulated (give VOLUMES, as cache/plume.####.hdf)");
}

int main(int argc, char **argv)
{
    if (argc > 1) { // one of them alone
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stepping, enter_with_volumes, leave_folder),
        cmocka_unit_test_setup_teardown(test_particles, enter_with_volumes, leave_folder),
        cmocka_unit_test_setup_teardown(test_playing, enter_with_volumes, leave_folder),
        cmocka_unit_test_setup_teardown(test_scrubbing, enter_with_volumes, leave_folder),
        cmocka_unit_test_setup_teardown(test_missing_and_damaged_volumes, enter_with_volumes, leave_folder),
        cmocka_unit_test_setup_teardown(test_watching, enter_with_volumes, leave_folder),
        cmocka_unit_test_setup_teardown(test_saved_look, enter_with_volumes, leave_folder),
        cmocka_unit_test_setup_teardown(test_signals, enter_with_volumes, leave_folder),
        cmocka_unit_test_setup_teardown(test_refusals, enter_with_volumes, leave_folder),
    };
    return cmocka_run_group_tests(tests, make_volumes, remove_volumes);
}

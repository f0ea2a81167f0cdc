// What is left of the files that the viewer writes where the X server ends, or the disk is full: each is whole or not
// there, and one line says what has failed.
#define _GNU_SOURCE // unshare

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <glob.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef BRUME_HAS_X11
#include "drop.h"
#endif
#ifdef BRUME_HAS_VIDEO
#include "video_file.h"
#endif
#include "window.h"

static const char ball_scene[] =
    "name: Ball\n"
    "domain: {size: [1.6, 0.9, 0.9], boundaries: {all: wall}}\n"
    "solver: {resolution: 16}\n"
    "emitters:\n"
    "  - {shape: box, from: [0.25, 0.1, -0.3], to: [0.5, 0.8, 0.3], density: 1, velocity: [1, 0, 0]}\n"
    "time: {fps: 24, frames: 24}\n"
    "image: {width: 320, height: 240, samples: 1}\n"
    "camera: {position: [0, 0.45, 2.6], target: [0, 0.45, 0], field_of_view: 28}\n";

static Window window;
static ProgramRun run;
static char display_of_test[64];

static int make_scenes(void **state)
{
    if (enter_window_folder(state) != 0) {
        return -1;
    }
    (void)snprintf(display_of_test, sizeof display_of_test, "%s", getenv("DISPLAY"));
    make_file("ball.yaml", ball_scene);
    return mkdir("brume", 0777);
}

static int leave(void **state)
{
    (void)umount2("small", MNT_DETACH);
    return setenv("DISPLAY", display_of_test, 1) == 0 ? leave_window_folder(state, &window) : -1;
}

// starts an X server of its own, whose name is the environment variable DISPLAY from then on
static pid_t start_display(void)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char number[16];
        (void)snprintf(number, sizeof number, "%d", ends[1]);
        if (freopen("/dev/null", "w", stderr)) {
            (void)execlp("Xvfb", "Xvfb", "-displayfd", number, "-screen", "0", "800x600x24", "-noreset", (char *)NULL);
        }
        _exit(127);
    }
    (void)close(ends[1]);
    char name[16] = ":";
    size_t used = 1;
    while (used + 1 < sizeof name && read(ends[0], name + used, 1) == 1 && name[used] != '\n') {
        used++;
    }
    name[used] = '\0';
    (void)close(ends[0]);
    assert_true(used > 1);
    assert_int_equal(setenv("DISPLAY", name, 1), 0);
    return pid;
}

// kills the X server and waits for the end of the viewer
static void lose_display(pid_t server)
{
    assert_int_equal(kill(server, SIGKILL), 0);
    assert_int_equal(waitpid(server, NULL, 0), server);
    if (!ends_within(&window.program, 60.0)) {
        (void)kill(window.program.pid, SIGKILL);
        finish_program(&window.program, &run);
        fail_msg("the viewer does not end without its display");
    }
    finish_program(&window.program, &run);
    window.program.pid = 0;
    assert_int_equal(run.status, 1);
}

// the folder has the pictures 1 to `count` of this name, and `others` other entries
static void assert_whole_pictures(const char *folder, const char *name, int count, int others)
{
    assert_int_equal(count_entries(folder), count + others);
    for (int frame = 1; frame <= count; frame++) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s/%s%04d.png", folder, name, frame);
        Picture picture = read_picture(path);
        free_picture(&picture);
    }
}

static const char line_without_failure[] =
    "brume: the connection to the X server was lost; pictures, recordings and scenes until then are written";

// during a recording: the frames are whole
static void test_recording(void **state)
{
    (void)state;
    const pid_t server = start_display();
    open_window(&window, "ball", "ball.yaml --size 160x120 --renderer cpu");
    send_events("key F11");
    wait_for_file(&window.program, "ball-0001/frame-0002.png");
    lose_display(server);
    char expected[256];
    (void)snprintf(expected, sizeof expected, "%s\n", line_without_failure);
    assert_string_equal(run.err, expected);
    const int frames = count_entries("ball-0001");
    assert_true(frames >= 2);
    assert_whole_pictures("ball-0001", "frame-", frames, 0);
}

// While a job runs, a video is recorded and a scene is saved that waits for a frame: the job completes its frame and
// its checkpoint, the video and the scene are complete.
static void test_job_video_and_scene(void **state)
{
    (void)state;
    make_file("brume/viewer.yaml", "picture_own_size: true\npicture_width: 96\npicture_height: 60\n"
                                   "picture_samples: 16\nexport_render: .png\nexport_recording: .mp4\n");
    const pid_t server = start_display();
    open_window(&window, "ball",
                "ball.yaml --size 320x240 --paused --renderer cpu --controls controls.yaml -D time.frames=9999");
    send_events("key ctrl+F12");
    wait_for_file(&window.program, "ball-render-0001/frame.0002.png");
    send_events("key F11 sleep 0.2 key n");
    wait_for_controls(&window, "recorded", "2"); // with that of the start
    send_events("key n key g key Tab");
    wait_for_controls(&window, "picture", "[0, 0, 320, 194]"); // without the panel: the key before is handled, too
    lose_display(server);
    const size_t length = strlen(line_without_failure);
    assert_memory_equal(run.err, line_without_failure, length);
    int done = 0;
    char end[64];
    if (sscanf(run.err + length, "; render 1 to 9999: stopped after %d of 9999 frames of %60s", &done, end) != 2) {
        fail_msg("%s", run.err);
    }
    assert_string_equal(strchr(run.err, '\n'), "\n"); // one line
    assert_true(done >= 2 && done < 9999);
    assert_int_equal(count_entries("ball-render-0001/frame.checkpoints"), 1);
    assert_whole_pictures("ball-render-0001", "frame.", done, 1);
    wait_seconds(0.3);
    assert_int_equal(count_entries("ball-render-0001"), done + 1); // no process goes on
#ifdef BRUME_HAS_VIDEO
    VideoFile video = read_video("ball-0001.mp4");
    assert_int_equal(video.width, 96);
    assert_int_equal(video.height, 60);
    assert_in_range(video.frames, 2, 3);
    free_video(&video);
#endif
    size_t size;
    char *saved = read_whole_file("ball-0001.yaml", &size); // the job has another name
    assert_renders_to_its_hash("ball-0001.yaml", saved, "--size 32x24");
    free(saved);
}

// a stroke that no frame has applied and no file has
static void test_edits_are_kept(void **state)
{
    (void)state;
    const pid_t server = start_display();
    open_window(&window, "ball", "ball.yaml --size 640x360 --paused --renderer cpu --controls controls.yaml");
    send_events("key n");
    wait_for_controls(&window, "frame", "1");
    send_events("mousemove 360 160 mousedown 1 sleep 0.3 mousemove 420 180 sleep 0.3 mouseup 1 sleep 0.2");
    lose_display(server);
    glob_t found;
    assert_int_equal(glob("brume/unsaved/*/ball.yaml", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    size_t size;
    char *kept = read_whole_file(found.gl_pathv[0], &size);
    assert_non_null(strstr(kept, "strokes:"));
    assert_renders_to_its_hash(found.gl_pathv[0], kept, "--size 32x24");
    free(kept);
    globfree(&found);
}

// a disk that becomes full while pictures are recorded: those before are whole, and the viewer goes on
static void test_full_disk(void **state)
{
    (void)state;
    assert_int_equal(mkdir("small", 0777), 0);
    // in a mount namespace of this process alone
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", "small", "tmpfs", 0, "size=256k") != 0) {
        print_message("no permission to mount a file system\n");
        skip();
    }
    make_file("brume/viewer.yaml",
              "picture_own_size: true\npicture_width: 320\npicture_height: 240\nexport_folder: small\n");
    open_window(&window, "ball", "ball.yaml --size 320x240 --renderer cpu --controls controls.yaml");
    send_events("key F11");
    char message[512] = "";
    for (int n = 0; n < 1200 && !strstr(message, "No space left on device"); n++) {
        assert_false(ends_within(&window.program, 0.05));
        (void)read_from_controls("message", message, sizeof message);
    }
    const int frames = count_entries("small/ball-0001");
    char expected[512];
    (void)snprintf(expected, sizeof expected, "small/ball-0001/frame-%04d.png: cannot write: No space left on device",
                   frames + 1);
    if (frames < 2 || !strstr(message, expected)) {
        fail_msg("'%s' instead of '%s'", message, expected);
    }
    assert_whole_pictures("small/ball-0001", "frame-", frames, 0);
    make_file("brume/viewer.yaml", "");
    send_events("key space key g"); // it goes on, but the folder is full: the scene is not written in part
    wait_seconds(0.5);
    close_window(&window);
    window.program.pid = 0;
    assert_whole_pictures("small/ball-0001", "frame-", frames, 0);
}

#ifdef BRUME_HAS_X11
// a program that ends while it drags a file over the window: the answer to its window is rejected by the X server
static void test_drag_that_ends(void **state)
{
    (void)state;
    char here[1000];
    char path[1100];
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(path, sizeof path, "%s/ball.yaml", here);
    open_window(&window, "ball", "ball.yaml --size 320x240 --paused --renderer cpu --controls controls.yaml");
    for (int n = 0; n < 3; n++) {
        assert_false(drop_file(window.id, path, 200, 100, 0.0));
    }
    send_events("key g");
    wait_for_file(&window.program, "ball-0001.yaml");
    // and one that waits drops the file
    make_file("other.yaml", ball_scene);
    (void)snprintf(path, sizeof path, "%s/other.yaml", here);
    assert_true(drop_file(window.id, path, 200, 100, 60.0));
    for (int n = 0; n < 100 && !exists("other-0001.yaml"); n++) {
        send_events("key g sleep 0.2");
    }
    assert_true(exists("other-0001.yaml"));
    close_window(&window);
    window.program.pid = 0;
}
#endif

int main(int argc, char **argv)
{
    if (argc > 1) { // one of them alone
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_recording, make_scenes, leave),
        cmocka_unit_test_setup_teardown(test_job_video_and_scene, make_scenes, leave),
        cmocka_unit_test_setup_teardown(test_edits_are_kept, make_scenes, leave),
        cmocka_unit_test_setup_teardown(test_full_disk, make_scenes, leave),
#ifdef BRUME_HAS_X11
        cmocka_unit_test_setup_teardown(test_drag_that_ends, make_scenes, leave),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// End-to-end test of the timeline of a running simulation: scrubbing, going on from a frame of the past, undoing that.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <unistd.h>

#include "window.h"

static const char jet_scene[] = "name: Jet\n"
                                "domain: {size: [0.8, 0.9, 0.8], boundaries: {all: wall}}\n"
                                "solver: {resolution: 24}\n"
                                "emitters:\n"
                                "  - {shape: sphere, center: [0, 0.2, 0], radius: 0.15, density: 1, temperature: 200}\n"
                                "image: {width: 64, height: 36, samples: 1}\n"
                                "camera: {position: [0, 0.45, 2.6], target: [0, 0.45, 0], field_of_view: 28}\n";

static Window window;
static int saved_number; // of the latest scene

// The scene that G saves: the frame that it leads to, and the hash of its state.
typedef struct SavedScene {
    char path[64];
    int frame;
    uint64_t hash;
} SavedScene;

static SavedScene save_scene(void)
{
    SavedScene saved;
    (void)snprintf(saved.path, sizeof saved.path, "jet-%04d.yaml", ++saved_number);
    send_events("key g");
    wait_for_file(&window.program, saved.path);
    size_t size;
    char *text = read_whole_file(saved.path, &size);
    const char *frame = strstr(text, "after frame ");
    assert_non_null(frame);
    saved.frame = atoi(frame + strlen("after frame "));
    saved.hash = hash_after(text, "state hash ");
    free(text);
    return saved;
}

// saves until the state is that of `frame`, which may still be computed
static SavedScene save_at_frame(int frame)
{
    int found = -1;
    for (int n = 0; n < 100; n++) {
        const SavedScene saved = save_scene();
        if (saved.frame == frame) {
            return saved;
        }
        found = saved.frame;
        wait_seconds(0.3);
    }
    fail_msg("frame %d is not reached, but %d", frame, found);
    return (SavedScene){.frame = -1};
}

// the frame that is shown after a drag on the timeline to this column
static SavedScene drag_to(int column)
{
    send_events("mousemove 560 337 sleep 0.2 mousedown 1 sleep 0.2 mousemove %d 337 sleep 0.3 mouseup 1 sleep 0.3",
                column);
    return save_scene();
}

static void wait_for_frame_between(int first, int last)
{
    int frame = -1;
    for (int n = 0; n < 100 && (frame < first || frame > last); n++) {
        frame = save_scene().frame;
        wait_seconds(0.2);
    }
    assert_in_range(frame, first, last);
}

static void test_past_is_gone_on_from(void **state)
{
    (void)state;
    open_window(&window, "jet", "jet.yaml --size 640x360 --paused --threads 1 --controls controls.yaml");
    for (int n = 0; n < 12; n++) {
        send_events("key n");
    }
    const SavedScene present = save_at_frame(12);
    wait_for_controls(&window, "frame", "12");

    // a drag goes to frames of the past, and the picture with them
    const SavedScene dragged = drag_to(420);
    assert_in_range(dragged.frame, 2, 10);
    Picture early = take_screenshot(&window);
    const SavedScene later = drag_to(500);
    assert_in_range(later.frame, dragged.frame + 1, 11);
    Picture late = take_screenshot(&window);
    assert_true(changed_fraction(&early, &late, 0, early.width, 8) > 1e-3);
    free_picture(&early);
    free_picture(&late);
    const SavedScene again = drag_to(420);
    assert_int_equal(again.frame, dragged.frame);
    assert_true(again.hash == dragged.hash);
    assert_computes_to_hash(dragged.path, dragged.frame, dragged.hash,
                            "--size 32x18"); // what is saved is the frame that is shown

    // steps, and the present again, which has not changed
    send_events("key comma");
    const SavedScene before = save_at_frame(dragged.frame - 1);
    assert_true(before.hash != dragged.hash);
    wait_for_message(before.path);         // which would replace the next message
    send_events("key q key Delete key q"); // one line says why no object is deleted there
    wait_for_text(&window.program, "controls.yaml", "editing emitters and bodies changes the present");
    send_events("key Right key period");
    (void)save_at_frame(dragged.frame + 1);
    send_events("key End");
    wait_for_controls(&window, "frame", "12"); // that of the picture
    assert_true(save_at_frame(12).hash == present.hash);
    send_events("key Left"); // and on to it by steps
    const SavedScene eleven = save_at_frame(11);
    wait_for_controls(&window, "frame", "11");
    send_events("key Right");
    wait_for_controls(&window, "frame", "12");
    assert_true(save_at_frame(12).hash == present.hash);

    // played, it stops at the present, where the simulation does not run
    (void)drag_to(420);
    send_events("key space");
    assert_true(save_at_frame(12).hash == present.hash);
    wait_seconds(0.5);
    assert_int_equal(save_scene().frame, 12);

    // on from the past: the same state, which goes on to the same frames
    (void)drag_to(420);
    send_events("key shift+Return");
    SavedScene returned = save_scene();
    assert_int_equal(returned.frame, dragged.frame);
    assert_true(returned.hash == dragged.hash);
    for (int frame = dragged.frame; frame < 11; frame++) {
        send_events("key n");
    }
    returned = save_at_frame(11);
    assert_true(returned.hash == eleven.hash);
    assert_computes_to_hash(returned.path, returned.frame, returned.hash, "--size 32x18");

    // undone and redone
    send_events("key ctrl+z");
    assert_true(save_at_frame(12).hash == present.hash);
    send_events("key ctrl+y");
    assert_true(save_at_frame(11).hash == eleven.hash);

    // running on
    send_events("key Left key Left");
    (void)save_at_frame(9);
    send_events("key Return");
    wait_for_frame_between(13, 10000);

    // J while it runs plays backwards from the present, to which End goes; there the simulation runs on
    send_events("key j");
    wait_for_frame_between(0, 4);
    send_events("key End");
    const int last = save_scene().frame;
    assert_true(last > 12);
    send_events("key space");
    wait_for_frame_between(last + 1, 10000);
    close_window(&window);
}

// Escape gives up what is computed again: the state is that before an undo, a redo, or going on from a frame
static void test_recomputation_is_canceled(void **state)
{
    (void)state;
    // so many cells that Escape comes before the frames are computed again
    open_window(&window, "jet",
                "jet.yaml -D solver.resolution=96 --size 640x360 --paused --threads 1 --controls controls.yaml");
    send_events("mousemove 400 200 sleep 0.2 mousedown 1 mousemove 430 150 mousemove 460 120 mouseup 1");
    for (int n = 0; n < 24; n++) {
        send_events("key n");
    }
    const SavedScene present = save_at_frame(24);
    wait_for_message(present.path); // which would replace the message below
    send_events("key ctrl+z key Escape");
    wait_for_message("as it was before");
    assert_true(save_at_frame(24).hash == present.hash);
    send_events("key ctrl+z");
    const SavedScene undone = save_at_frame(24);
    assert_true(undone.hash != present.hash);
    send_events("key ctrl+y"); // what was left is kept
    assert_true(save_at_frame(24).hash == present.hash);

    // of going on from a frame of the past: it is shown as one
    send_events("mousemove 560 337 sleep 0.2 mousedown 1 sleep 0.2 mousemove 500 337 sleep 0.3 mouseup 1 sleep 0.3");
    const SavedScene past = save_scene();
    assert_in_range(past.frame, 17, 23); // its nearest state is that of frame 16
    send_events("key shift+Return key Escape");
    assert_true(save_at_frame(past.frame).hash == past.hash);
    send_events("key End");
    assert_true(save_at_frame(24).hash == present.hash);
    close_window(&window);
}

// processor time of the threads that draw pictures [clock ticks]
static long drawing_ticks(void)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)window.program.pid);
    DIR *tasks = opendir(path);
    assert_non_null(tasks);
    long ticks = 0;
    for (const struct dirent *task = readdir(tasks); task; task = readdir(tasks)) {
        char file[384];
        (void)snprintf(file, sizeof file, "%s/%s/stat", path, task->d_name);
        FILE *stat = fopen(file, "r");
        char line[512] = "";
        if (stat) {
            (void)fgets(line, sizeof line, stat);
            (void)fclose(stat);
        }
        const char *values = strstr(line, "(brume-render)");
        long user = 0;
        long system = 0;
        if (values &&
            sscanf(values, "(brume-render) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user, &system) == 2) {
            ticks += user + system;
        }
    }
    (void)closedir(tasks);
    return ticks;
}

// a window that is unmapped draws no pictures, though the simulation runs on
static void test_hidden_window_draws_nothing(void **state)
{
    (void)state;
    open_window(&window, "jet", "jet.yaml --size 640x360 --renderer cpu --threads 1 --controls controls.yaml");
    wait_seconds(2.0);
    assert_true(drawing_ticks() > 5);
    send_events("windowunmap %s", window.id);
    wait_seconds(1.5);
    const long before = drawing_ticks();
    wait_seconds(3.0);
    assert_in_range(drawing_ticks() - before, 0, 3);
    send_events("windowmap %s sleep 0.5 windowfocus %s sleep 3", window.id, window.id);
    assert_true(drawing_ticks() - before > 5);
    close_window(&window);
}

static void test_disk_option(void **state)
{
    (void)state;
    run_with_error(&(ProgramRun){0}, 2, "view jet.yaml --disk 1X",
                   "--disk: '1X' is not a size of memory (for example 8G or 500M)");
}

static int make_scene(void **state)
{
    if (enter_window_folder(state) != 0) {
        return -1;
    }
    make_file("jet.yaml", jet_scene);
    const char *folder = getenv("XDG_STATE_HOME");
    return folder ? setenv("XDG_CACHE_HOME", folder, 1) : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_disk_option), cmocka_unit_test(test_past_is_gone_on_from),
                                       cmocka_unit_test(test_recomputation_is_canceled),
                                       cmocka_unit_test(test_hidden_window_draws_nothing)};
    return cmocka_run_group_tests(tests, make_scene, leave_folder);
}

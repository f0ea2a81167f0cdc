/*
 * End-to-end test of edits that were not saved: they are kept when the window closes, when the simulation restarts,
 * when another scene is opened, and when the program is killed; and can be opened again.
 */
#define _GNU_SOURCE // glob

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <glob.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "window.h"

static const char jet_scene[] = "name: Jet\n"
                                "domain: {size: [0.8, 0.9, 0.8]}\n"
                                "solver: {resolution: 16}\n"
                                "emitters:\n"
                                "  - {shape: sphere, center: [0, 0.2, 0], radius: 0.15, density: 1, temperature: 200}\n"
                                "image: {width: 64, height: 36, samples: 1}\n"
                                "camera: {position: [0, 0.45, 2.6], target: [0, 0.45, 0], field_of_view: 28}\n";
static const char arguments[] = "jet.yaml --size 640x360 --paused --threads 1 --controls controls.yaml";
static const char stroke[] = "mousemove 360 160 mousedown 1 sleep 0.3 mousemove 420 180 sleep 0.3 mouseup 1 sleep 0.2";

static Window window;

static int make_scene(void **state)
{
    if (enter_window_folder(state) != 0) {
        return -1;
    }
    make_file("jet.yaml", jet_scene);
    return 0;
}

static int leave(void **state) { return leave_window_folder(state, &window); }

// how many scenes are kept, and the path of the latest one
static int find_kept(char path[256])
{
    glob_t found;
    path[0] = '\0';
    if (glob("brume/unsaved/*/*.yaml", 0, NULL, &found) != 0) {
        return 0;
    }
    const int count = (int)found.gl_pathc;
    (void)snprintf(path, 256, "%s", found.gl_pathv[count - 1]);
    globfree(&found);
    return count;
}

static void wait_for_kept(int count, char path[256])
{
    for (int n = 0; n < 300 && find_kept(path) != count; n++) {
        wait_seconds(0.1);
    }
    assert_int_equal(find_kept(path), count);
}

// the kept scene has strokes in so many frames, and computes the state that it names
static void check_kept(const char *path, int frames_with_strokes, int frame)
{
    size_t size;
    char *text = read_whole_file(path, &size);
    int count = 0;
    for (const char *at = strstr(text, "strokes:"); at; at = strstr(at + 1, "strokes:")) {
        count++;
    }
    assert_int_equal(count, frames_with_strokes);
    char after[64];
    (void)snprintf(after, sizeof after, "after frame %d (", frame);
    assert_non_null(strstr(text, after));
    assert_renders_to_its_hash(path, text, "--size 32x18");
    free(text);
}

static void open_jet(void)
{
    open_window(&window, "jet", arguments);
    wait_for_controls(&window, "frame", "0");
}

static void step(int frame)
{
    char number[16];
    (void)snprintf(number, sizeof number, "%d", frame);
    send_events("key n");
    wait_for_controls(&window, "frame", number);
}

// clicks on the latest scene of the list
static void open_from_list(void)
{
    size_t size;
    char name[128] = "";
    click_control(&window, "Scene.unsaved");
    for (int n = 0; n < 100 && !name[0]; n++) {
        char *text = read_whole_file("controls.yaml", &size);
        const char *found = strstr(text, "\"Scene.unsaved jet, ");
        if (found) {
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(found + 1, "\""), found + 1);
        }
        free(text);
        wait_seconds(name[0] ? 0.0 : 0.1);
    }
    assert_true(name[0] != '\0');
    click_control(&window, name);
}

static void test_closing_keeps_and_the_list_opens(void **state)
{
    (void)state;
    char path[256];
    open_jet();
    step(1);
    close_window(&window); // without an edit
    assert_int_equal(find_kept(path), 0);

    open_jet();
    step(1);
    send_events("%s", stroke);
    step(2);
    send_events("%s", stroke); // which no frame has applied
    close_window(&window);     // before a quiet moment
    assert_int_equal(find_kept(path), 1);
    check_kept(path, 2, 2);
    size_t size;
    char *text = read_whole_file(path, &size);
    assert_non_null(strstr(text, "The next frame applies what was edited after it."));
    assert_non_null(strstr(text, "- frame: 1"));
    assert_non_null(strstr(text, "- frame: 2"));
    free(text);

    // it is opened from the list, and saved under the name of the scene: nothing remains to be kept
    open_jet();
    open_from_list();
    wait_for_message("edits that were not saved: they come as the simulation runs, up to frame 3");
    send_events("key g");
    wait_for_file(&window.program, "jet-0001.yaml");
    text = read_whole_file("jet-0001.yaml", &size);
    assert_non_null(strstr(text, "- frame: 1"));
    free(text);
    close_window(&window);
    assert_int_equal(find_kept(path), 1);
    text = read_whole_file("brume/viewer.yaml", &size);
    assert_null(strstr(strstr(text, "recent:"), "unsaved"));
    free(text);
}

static void test_restart_and_another_scene_keep(void **state)
{
    (void)state;
    char path[256];
    make_file("other.yaml", jet_scene);
    open_jet();
    send_events("%s", stroke);
    step(1);
    send_events("key r");
    wait_for_kept(1, path);
    wait_for_controls(&window, "frame", "0");
    check_kept(path, 1, 1);
    send_events("%s", stroke);
    step(1);
    wait_seconds(1.0); // the folder of a scene is named after the second
    assert_int_equal(setenv("BRUME_FILE_DIALOG", "own", 1), 0);
    send_events("key ctrl+o");
    wait_for_text(&window.program, "controls.yaml", "\"dialog.other.yaml\"");
    send_events("type other.yaml");
    send_events("key Return");
    wait_for_kept(2, path);
    assert_non_null(strstr(path, "/jet.yaml"));
    wait_for_controls(&window, "frame", "0");
    close_window(&window);
    assert_int_equal(find_kept(path), 2);
}

static void test_saved_edits_are_not_kept(void **state)
{
    (void)state;
    char path[256];
    open_jet();
    send_events("%s", stroke);
    wait_for_kept(1, path); // after a quiet moment
    send_events("key g");
    wait_for_file(&window.program, "jet-0001.yaml");
    close_window(&window);
    assert_int_equal(find_kept(path), 0);
    assert_int_equal(count_entries("brume/unsaved"), 0);
}

// the scene that is requested last is written before the window closes, and nothing is left to be kept
static void test_saved_and_closed_at_once(void **state)
{
    (void)state;
    char path[256];
    ProgramRun run;
    open_window(&window, "jet", "jet.yaml --size 640x360 --threads 1 --slow 700 --paused --controls controls.yaml");
    wait_for_controls(&window, "frame", "0");
    send_events("%s key n sleep 0.3 key g key ctrl+q", stroke); // while the frame is computed
    finish_program(&window.program, &run);
    window.program.pid = 0;
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, "");
    size_t size;
    char *text = read_whole_file("jet-0001.yaml", &size);
    if (strstr(text, "after frame 0 (")) { // on a busy machine it had not begun
        assert_non_null(strstr(text, "The next frame applies what was edited after it."));
        assert_non_null(strstr(text, "strokes:"));
    } else {
        assert_renders_to_its_hash("jet-0001.yaml", text, "--size 32x18");
    }
    free(text);
    assert_int_equal(find_kept(path), 0);
}

static void test_killed_program_has_kept(void **state)
{
    (void)state;
    char path[256];
    ProgramRun run;
    open_jet();
    step(1);
    send_events("%s", stroke);
    wait_for_kept(1, path);
    assert_int_equal(kill(window.program.pid, SIGKILL), 0);
    finish_program(&window.program, &run);
    check_kept(path, 1, 1);
}

// a file is where the folder should be: one line says so, and the window goes on
static void test_folder_cannot_be_made(void **state)
{
    (void)state;
    assert_int_equal(mkdir("brume", 0777), 0);
    make_file("brume/unsaved", "");
    open_jet();
    send_events("%s", stroke);
    wait_for_message("edits are not kept: ");
    step(1);
    close_window(&window);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_closing_keeps_and_the_list_opens, make_scene, leave),
        cmocka_unit_test_setup_teardown(test_restart_and_another_scene_keep, make_scene, leave),
        cmocka_unit_test_setup_teardown(test_saved_edits_are_not_kept, make_scene, leave),
        cmocka_unit_test_setup_teardown(test_saved_and_closed_at_once, make_scene, leave),
        cmocka_unit_test_setup_teardown(test_killed_program_has_kept, make_scene, leave),
        cmocka_unit_test_setup_teardown(test_folder_cannot_be_made, make_scene, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * The window by the keyboard alone: Tab comes to every control, a slider that is reached by keys is changed by arrows
 * and typed numbers, and the scene that is saved has its value.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "window.h"

static const char scene[] = "name: Focus\n"
                            "domain: {size: [1, 1, 1]}\n"
                            "solver: {resolution: 16}\n"
                            "emitters:\n"
                            "  - {shape: sphere, center: [0, 0.2, 0], radius: 0.15, density: 1, temperature: 20}\n"
                            "image: {width: 32, height: 32, samples: 1}\n"
                            "camera: {position: [0, 0.5, 3], target: [0, 0.5, 0], field_of_view: 28}\n"
                            "animation:\n"
                            "  - {path: emitters.0.density, keys: [{time: 0, value: 0.5}, {time: 1, value: 3}]}\n";

static Window window;

static int make_scene(void **state)
{
    if (enter_window_folder(state) != 0) {
        return -1;
    }
    make_file("focus.yaml", scene);
    return 0;
}

static int leave(void **state) { return leave_window_folder(state, &window); }

enum { MOST_NAMES = 512, NAME = 64, MOST_PRESSES = 400 };

/** Names of controls, each once. */
typedef struct Names {
    char names[MOST_NAMES][NAME];
    int count;
} Names;

static bool has_name(const Names *names, const char *name)
{
    for (int n = 0; n < names->count; n++) {
        if (strcmp(names->names[n], name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_name(Names *names, const char *name)
{
    if (!has_name(names, name)) {
        assert_true(names->count < MOST_NAMES);
        (void)snprintf(names->names[names->count++], NAME, "%s", name);
    }
}

// adds the names of all controls that are visible
static void add_visible(Names *names)
{
    FILE *file = fopen("controls.yaml", "r");
    assert_non_null(file);
    char line[256];
    char name[NAME];
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "  \"%63[^\"]\": [", name) == 1) {
            add_name(names, name);
        }
    }
    (void)fclose(file);
}

/** The control to which keys go: its name, and its rectangle as text. */
typedef struct Focus {
    char name[NAME], rectangle[64];
} Focus;

// of one version of the file, which can be replaced between two readings
static Focus read_focus(void)
{
    Focus focus = {"", ""};
    FILE *file = fopen("controls.yaml", "r");
    char line[1024];
    while (file && fgets(line, sizeof line, file)) {
        (void)sscanf(line, "focus: \"%63[^\"]\"", focus.name);
        (void)sscanf(line, "focused: %63[^\n]", focus.rectangle);
    }
    if (file) {
        (void)fclose(file);
    }
    return focus;
}

static bool is_same(Focus a, Focus b) { return strcmp(a.name, b.name) == 0 && strcmp(a.rectangle, b.rectangle) == 0; }

// presses keys that move the focus, and waits until they have
static Focus move_focus(const char *keys)
{
    const Focus before = read_focus();
    Focus focus = before;
    send_events("key %s", keys);
    for (int n = 0; n < 1000 && is_same(focus, before); n++) {
        wait_seconds(0.02);
        focus = read_focus();
    }
    if (is_same(focus, before)) {
        fail_msg("%s: the focus stays at '%s' %s", keys, before.name, before.rectangle);
    }
    return focus;
}

static void expect_focus(const char *name)
{
    char quoted[NAME + 2];
    (void)snprintf(quoted, sizeof quoted, "\"%s\"", name);
    wait_for_controls(&window, "focus", quoted);
}

static void go_to(const char *name)
{
    Focus focus = read_focus();
    for (int n = 0; n < MOST_PRESSES && strcmp(focus.name, name) != 0; n++) {
        focus = move_focus("Tab");
    }
    assert_string_equal(focus.name, name);
}

static bool is_in(const char *const *list, const char *name)
{
    for (; *list; list++) {
        if (strcmp(*list, name) == 0) {
            return true;
        }
    }
    return false;
}

// Tab from control to control until the first one has the focus again; closed sections are opened
static void walk(Names *visited, Names *seen)
{
    static const char *const pressed[] = {"Camera", "Light",     "Solver", "Solver details", "Window", "Pictures",
                                          "Export", "Keyframes", NULL};
    const Focus first = read_focus();
    Focus focus = first;
    for (int n = 0; n < MOST_PRESSES; n++) {
        if (is_in(pressed, focus.name) && !has_name(visited, focus.name)) {
            send_events("key Return");
        }
        add_name(visited, focus.name);
        add_visible(seen);
        focus = move_focus("Tab");
        if (strcmp(focus.name, first.name) == 0) {
            break;
        }
    }
    assert_string_equal(focus.name, first.name);
}

static void expect_all_visited(const Names *visited, const Names *seen, const char *const *unreachable)
{
    char missing[4096] = "";
    for (int n = 0; n < seen->count; n++) {
        const char *name = seen->names[n];
        if (!has_name(visited, name) && !is_in(unreachable, name)) {
            (void)snprintf(missing + strlen(missing), sizeof missing - strlen(missing), " '%s'", name);
        }
    }
    if (missing[0]) {
        fail_msg("Tab does not come to%s", missing);
    }
    for (const char *const *name = unreachable; *name; name++) {
        if (!has_name(seen, *name) || has_name(visited, *name)) {
            fail_msg("'%s' is to be seen, and not visited", *name);
        }
    }
}

// saves the scene by a key that is the window's also while the panel has the focus; the caller frees the text
static char *save(int number)
{
    char path[64];
    (void)snprintf(path, sizeof path, "focus-%04d.yaml", number);
    send_events("key ctrl+s");
    wait_for_file(&window.program, path);
    size_t size;
    return read_whole_file(path, &size);
}

// the number behind `key` in a saved scene
static float value_of(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    if (!at) {
        fail_msg("no '%s' in:\n%s", key, text);
        return 0.0f;
    }
    return strtof(at + strlen(key), NULL);
}

static float saved_value(int number, const char *key)
{
    char *text = save(number);
    const float value = value_of(text, key);
    free(text);
    return value;
}

// both angles of a sun have the key of its direction
static void set_keys_of_the_sun(void)
{
    go_to("Objects.light 1");
    send_events("key Return sleep 0.3");
    go_to("Objects.azimuth key");
    send_events("key Return sleep 0.3");
    char *text = save(1);
    assert_float_equal(value_of(text, "path: lights.0.direction.0, keys: [{time: 0, value:"), 0.757f, 5e-3f);
    assert_float_equal(value_of(text, "path: lights.0.direction.1, keys: [{time: 0, value:"), -0.63f, 5e-3f);
    assert_float_equal(value_of(text, "path: lights.0.direction.2, keys: [{time: 0, value:"), 0.168f, 5e-3f);
    free(text);
    go_to("Objects.elevation key");
    send_events("key Return sleep 0.3"); // removes it
    text = save(2);
    assert_null(strstr(text, "direction"));
    free(text);
}

static void change_a_slider(void)
{
    static const char key[] = "exposure:";
    go_to("Light.exposure");
    send_events("key Return type --delay 60 1.5");
    send_events("key Return sleep 0.3");
    expect_focus("Light.exposure");
    assert_float_equal(saved_value(3, key), 1.5f, 1e-5f);
    // a step is a hundredth of the range from -6 to 6; with Ctrl ten of them, with Shift a tenth, rounded to hundredths
    send_events("key --delay 60 Right Right Left Right sleep 0.2 key ctrl+Right sleep 0.2 key shift+Left sleep 0.3");
    assert_float_equal(saved_value(4, key), 1.5f + 0.24f + 1.2f - 0.012f, 5e-3f);
    send_events("key BackSpace sleep 0.3"); // resets it to the value of the scene
    expect_focus("Light.exposure");
    send_events("key 2 key period key 5 key Return sleep 0.3");
    assert_float_equal(saved_value(5, key), 2.5f, 1e-5f);
    // a key of its row, without the pointer
    send_events("key i sleep 0.3");
    assert_float_equal(saved_value(6, "path: render.exposure, keys: [{time: 0, value:"), 2.5f, 1e-5f);
}

// the dialog for files, which is opened by a key of the window; its arrows select files
static void walk_dialog(void)
{
    static Names visited, seen;
    static const char *const files[] = {"dialog.focus.yaml",      "dialog.focus-0001.yaml",
                                        "dialog.focus-0002.yaml", "dialog.focus-0003.yaml",
                                        "dialog.focus-0004.yaml", "dialog.focus-0005.yaml",
                                        "dialog.focus-0006.yaml", "dialog.little.yaml",
                                        "dialog.controls.yaml",   NULL};
    send_events("key ctrl+o");
    expect_focus("dialog.name");
    Focus focus = move_focus("Tab");
    for (int n = 0; n < MOST_PRESSES && strcmp(focus.name, "dialog.name") != 0; n++) {
        add_name(&visited, focus.name);
        focus = move_focus("Tab");
    }
    add_visible(&seen);
    for (int n = 0; n < seen.count; n++) {
        const char *name = seen.names[n];
        const bool is_file = is_in(files, name) || name[strlen(name) - 1] == '/';
        if (strncmp(name, "dialog.", 7) == 0 && strcmp(name, "dialog.name") != 0 &&
            is_file == has_name(&visited, name)) {
            fail_msg("Tab does %scome to '%s'", is_file ? "" : "not ", name);
        }
    }
    assert_true(has_name(&visited, "dialog.cancel") && has_name(&visited, "dialog.home"));
    while (strcmp(focus.name, "dialog.cancel") != 0) {
        focus = move_focus("Tab");
    }
    send_events("key Return");
    expect_focus("Light.exposure"); // as before
}

// keys of the window act on the picture only where no control has them
static void expect_keys_of_the_picture(void)
{
    assert_string_equal(move_focus("shift+Tab").name, "Light");
    send_events("key n sleep 0.2 key space sleep 0.2");
    expect_focus("Light");
    char value[16];
    assert_true(read_from_controls("running", value, sizeof value));
    assert_string_equal(value, "false");
    send_events("key Escape");
    expect_focus("");
    send_events("key space");
    wait_for_controls(&window, "running", "true");
    send_events("key space");
    wait_for_controls(&window, "running", "false");
    // a click on the picture ends the focus, too
    assert_string_equal(move_focus("shift+Tab").name, "Light");
    send_events("mousemove 700 300 click 3");
    expect_focus("");
}

// the next window has the brush, the open sections and the width of the panel of the last one; a value of the file that
// is not valid is told in one line, and the others are used
static void expect_next_window_is_the_same(void)
{
    send_events("mousemove 700 300 key q key m key plus sleep 0.3"); // the brush that heats
    close_window(&window);
    window.program.pid = 0;
    size_t size;
    char *text = read_whole_file("brume/viewer.yaml", &size);
    assert_non_null(strstr(text, "\nbrush: heat\n"));
    assert_true(value_of(text, "\nbrush_size: ") > 1.01f);
    assert_non_null(strstr(text, "open_sections: [Air, Smoke, Scene, Brush, Objects, View, Camera, Time, Solver, "));
    char *hud = strstr(text, "hud: true");
    char *width = strstr(text, "panel_width: 0\n");
    assert_true(hud && width);
    hud[strlen("hud: ")] = 'x'; // "xrue"
    *width = '\0';
    FILE *file = fopen("brume/viewer.yaml", "w");
    assert_non_null(file);
    assert_true(fprintf(file, "%spanel_width: 350%s", text, width + strlen("panel_width: 0")) > 0);
    assert_int_equal(fclose(file), 0);
    free(text);
    (void)unlink("controls.yaml");
    open_window(&window, "focus", "focus.yaml --size 800x600 --paused --controls controls.yaml");
    wait_for_controls(&window, "picture", "[350, 0, 800, 554]");
    char message[600] = "";
    assert_true(read_from_controls("message", message, sizeof message));
    assert_non_null(strstr(message, "'hud' has no valid value: its default is used"));
    click_control(&window, "Scene"); // closed with those above, so that the next ones are in view
    click_control(&window, "Smoke");
    click_control(&window, "Air");
    float corners[4];
    wait_for_control(&window, "Brush.temperature", corners);
    wait_for_control(&window, "Objects.emitter 1", corners);
}

static void test_tab_comes_to_every_control(void **state)
{
    (void)state;
    static Names visited, seen;
    assert_int_equal(setenv("BRUME_FILE_DIALOG", "own", 1), 0);
    open_window(&window, "focus", "focus.yaml --size 800x600 --paused --controls controls.yaml");
    wait_for_controls(&window, "running", "false");
    send_events("mousemove 700 300 key F6 key q key Next"); // selects the emitter
    assert_string_equal(move_focus("shift+Tab").name, "run");
    walk(&visited, &seen);
    assert_string_equal(move_focus("ctrl+Tab").name, "Curves.edge");
    go_to("Curves.plot");
    send_events("key Right"); // selects the first of the keys, which are parts of the plot
    go_to("Curves.edge");
    walk(&visited, &seen);
    assert_string_equal(move_focus("ctrl+Tab").name, "Timeline.step back");
    walk(&visited, &seen);
    // there is nothing to undo, no past, no key of the camera; and parts of the plot, and a bar
    static const char *const unreachable[] = {"undo",
                                              "redo",
                                              "Timeline.go on",
                                              "Timeline.present",
                                              "Keyframes.follow camera",
                                              "Curves.key 1",
                                              "Curves.key 2",
                                              "Export.job",
                                              NULL};
    expect_all_visited(&visited, &seen, unreachable);
    assert_string_equal(move_focus("ctrl+shift+Tab").name, "Curves.edge");
    assert_string_equal(move_focus("ctrl+shift+Tab").name, "run");
    set_keys_of_the_sun();
    change_a_slider();
    walk_dialog();
    expect_keys_of_the_picture();
    expect_next_window_is_the_same();
    close_window(&window);
    window.program.pid = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tab_comes_to_every_control, make_scene, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

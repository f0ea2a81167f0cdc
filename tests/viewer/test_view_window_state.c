// The saved window state: its path, saving and loading, and files with invalid content.
#include "raymarch_check.h"
#include "viewer/window/window_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/brume_window_state_XXXXXX";
static char path[256];

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "%s/brume/viewer.yaml", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char inner[256];
    (void)snprintf(inner, sizeof inner, "%s/brume", folder);
    return unlink(path) + rmdir(inner) + rmdir(folder);
}

static void write_text(const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_path(void **state)
{
    (void)state;
    char found[64];
    setenv("HOME", "/home/ada", 1);
    setenv("XDG_STATE_HOME", "/var/state", 1);
    assert_true(brume_window_state_path(found, sizeof found));
    assert_string_equal(found, "/var/state/brume/viewer.yaml");
    setenv("XDG_STATE_HOME", "not/absolute", 1);
    assert_true(brume_window_state_path(found, sizeof found));
    assert_string_equal(found, "/home/ada/.local/state/brume/viewer.yaml");
    unsetenv("XDG_STATE_HOME");
    assert_false(brume_window_state_path(found, 16));
    unsetenv("HOME");
    assert_false(brume_window_state_path(found, sizeof found));
}

static void test_saved_state_is_loaded(void **state)
{
    (void)state;
    BrumeWindowState window_state = {
        .has_position = true,
        .x = -1900,
        .y = 35,
        .width = 1001,
        .height = 702,
        .fullscreen = true,
        .panel = false,
        .hud = true,
        .light = true,
        .ui_scale = 1.75f,
        .fly_speed = 0.37f,
        .exports = {.folder = "out \"x\"",
                    .frame = BRUME_FILE_VDB,
                    .recording = BRUME_FILE_WEBM,
                    .render = BRUME_FILE_EXR,
                    .cache = BRUME_FILE_VTI,
                    .integrator = BRUME_JOB_INTEGRATOR_PATH,
                    .threads = 3,
                    .size = BRUME_JOB_SIZE_OWN,
                    .width = 77,
                    .height = 5555,
                    .samples = 66,
                    .layers = 0x42},
        .recent = {.count = 2, .paths = {"/a/\"b\\.yaml", "/c: d/p.####.hdf"}},
        .picture = {.own_size = true, .width = 333, .height = 4444, .samples = 55},
        .panel_state = {.has_sections = true,
                        .open_count = 2,
                        .open_sections = {"Air", "Light"},
                        .width = 412.5f,
                        .brush_mode = BRUME_BRUSH_TWIST,
                        .brush_color = 2,
                        .brush_size = 1.75f},
        .folder = "/scenes of \"mine\"\\new\t\xc3\xa9: #1",
    };
    assert_int_equal(brume_window_state_save(&window_state, path, NULL), BRUME_OK);
    BrumeWindowState loaded = brume_window_state_load(path, NULL);
    assert_true(loaded.has_position);
    assert_int_equal(loaded.x, window_state.x);
    assert_int_equal(loaded.y, window_state.y);
    assert_int_equal(loaded.width, window_state.width);
    assert_int_equal(loaded.height, window_state.height);
    assert_true(loaded.fullscreen && !loaded.panel && loaded.hud);
    assert_near("fly speed", loaded.fly_speed, 0.37f, 0.0);
    assert_true(loaded.light);
    assert_near("scale", loaded.ui_scale, 1.75, 0.0);
    assert_true(loaded.picture.own_size);
    assert_int_equal(loaded.picture.width, 333);
    assert_int_equal(loaded.picture.height, 4444);
    assert_int_equal(loaded.picture.samples, 55);
    assert_string_equal(loaded.folder, window_state.folder);
    assert_string_equal(loaded.exports.folder, "out \"x\"");
    assert_int_equal(loaded.exports.frame, BRUME_FILE_VDB);
    assert_int_equal(loaded.exports.recording, BRUME_FILE_WEBM);
    assert_int_equal(loaded.exports.render, BRUME_FILE_EXR);
    assert_int_equal(loaded.exports.cache, BRUME_FILE_VTI);
    assert_int_equal(loaded.exports.integrator, BRUME_JOB_INTEGRATOR_PATH);
    assert_int_equal(loaded.exports.threads, 3);
    assert_int_equal(loaded.exports.size, BRUME_JOB_SIZE_OWN);
    assert_int_equal(loaded.exports.width, 77);
    assert_int_equal(loaded.exports.height, 5555);
    assert_int_equal(loaded.exports.samples, 66);
    assert_int_equal(loaded.exports.layers, 0x42);
    assert_memory_equal(&loaded.panel_state, &window_state.panel_state, sizeof loaded.panel_state);
    assert_int_equal(loaded.recent.count, 2);
    assert_string_equal(loaded.recent.paths[0], "/a/\"b\\.yaml");
    assert_string_equal(loaded.recent.paths[1], "/c: d/p.####.hdf");

    window_state.has_position = false;
    window_state.folder[0] = '\0';
    assert_int_equal(brume_window_state_save(&window_state, path, NULL), BRUME_OK);
    loaded = brume_window_state_load(path, NULL);
    assert_false(loaded.has_position);
    assert_string_equal(loaded.folder, "");
}

static void assert_default(const BrumeWindowState *window_state)
{
    assert_false(window_state->has_position || window_state->fullscreen);
    assert_int_equal(window_state->width, 1280);
    assert_int_equal(window_state->height, 720);
    assert_true(window_state->panel && window_state->hud);
    assert_near("fly speed", window_state->fly_speed, 0.0, 0.0);
    assert_false(window_state->light);
    assert_near("scale", window_state->ui_scale, 1.0, 0.0);
    assert_false(window_state->picture.own_size);
    assert_int_equal(window_state->picture.width, 1920);
    assert_int_equal(window_state->picture.samples, 0);
    assert_string_equal(window_state->folder, "");
    const BrumePanelState panel = {.brush_size = 1.0f};
    assert_memory_equal(&window_state->panel_state, &panel, sizeof panel);
}

static void test_invalid_values_are_ignored(void **state)
{
    (void)state;
    const char *const texts[] = {
        "",
        "width: [1, 2]\nheight: {a: 1}\npanel: []\nfolder: [x]\n",
        "width: 1e99\nheight: -3\nx: 1\nfly_speed: nan\nhud: maybe\n",
        "width: 900px\nopen_sections: 3\nbrush: 4\nbrush_size: 0\nheight: \nx: east\ny: 4\n",
        "picture_width: 0\npicture_samples: -1\nx: 5\n",
        "- a\n- list\n",
        "{{{{",
        "\xff\xfe\x00",
        "just words",
    };
    for (size_t n = 0; n < sizeof texts / sizeof texts[0]; n++) {
        write_text(texts[n]);
        BrumeError error;
        const BrumeWindowState window_state = brume_window_state_load(path, &error);
        assert_default(&window_state);
        if (n > 0) {
            assert_int_equal(error.status, BRUME_BAD_INPUT);
            assert_non_null(strstr(error.text, "viewer.yaml"));
        }
    }
    BrumeError error;
    const BrumeWindowState window_state = brume_window_state_load("/nowhere/at/all.yaml", &error);
    assert_default(&window_state);
    assert_int_equal(error.status, BRUME_OK);

    // valid values beside invalid ones are used
    write_text("width: 800\nheight: tall\npanel: false\nunknown: 3\n");
    const BrumeWindowState part = brume_window_state_load(path, &error);
    assert_int_equal(part.width, 800);
    assert_int_equal(part.height, 720);
    assert_false(part.panel);
    assert_non_null(strstr(error.text, "viewer.yaml:2: 'height' has no valid value"));

    // a file of an earlier version is valid, and so are sections of a later one
    write_text("width: 801\nfly_speed: 0\n");
    const BrumeWindowState former = brume_window_state_load(path, &error);
    assert_int_equal(former.width, 801);
    assert_int_equal(error.status, BRUME_OK);
    assert_false(former.panel_state.has_sections);
    write_text("open_sections: [Air, Wind tunnel]\nbrush: paint\nbrush_color: 1\npanel_width: 90\n");
    const BrumeWindowState later = brume_window_state_load(path, &error);
    assert_int_equal(later.panel_state.open_count, 2);
    assert_string_equal(later.panel_state.open_sections[1], "Wind tunnel");
    assert_int_equal(later.panel_state.brush_mode, BRUME_BRUSH_SMOKE);
    assert_int_equal(later.panel_state.brush_color, 1);
    assert_near("at least", later.panel_state.width, 200.0, 0.0);
    assert_non_null(strstr(error.text, "viewer.yaml:2: 'brush' has no valid value"));
}

static void test_reachable(void **state)
{
    (void)state;
    const BrumeScreenArea screens[] = {{0, 0, 1920, 1080}, {1920, -200, 1280, 1024}};
    BrumeWindowState window_state = {.x = 100, .y = 100, .width = 800, .height = 600};
    assert_true(brume_window_state_is_reachable(&window_state, screens, 2));
    window_state.x = -736;
    assert_true(brume_window_state_is_reachable(&window_state, screens, 2));
    window_state.x = -737; // 63 points are left of it
    assert_false(brume_window_state_is_reachable(&window_state, screens, 2));
    window_state.x = 2500;
    window_state.y = -150;
    assert_true(brume_window_state_is_reachable(&window_state, screens, 2));
    assert_false(brume_window_state_is_reachable(&window_state, screens, 1));
    window_state.x = 0;
    window_state.y = 1070;
    assert_false(brume_window_state_is_reachable(&window_state, screens, 2));
    assert_false(brume_window_state_is_reachable(&window_state, screens, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_saved_state_is_loaded),
        cmocka_unit_test(test_invalid_values_are_ignored),
        cmocka_unit_test(test_reachable),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

// What the window remembers: where, whole, and whatever the file looks like.
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
    char where[64];
    setenv("HOME", "/home/ada", 1);
    setenv("XDG_STATE_HOME", "/var/state", 1);
    assert_true(brume_window_state_path(where, sizeof where));
    assert_string_equal(where, "/var/state/brume/viewer.yaml");
    setenv("XDG_STATE_HOME", "not/absolute", 1);
    assert_true(brume_window_state_path(where, sizeof where));
    assert_string_equal(where, "/home/ada/.local/state/brume/viewer.yaml");
    unsetenv("XDG_STATE_HOME");
    assert_false(brume_window_state_path(where, 16));
    unsetenv("HOME");
    assert_false(brume_window_state_path(where, sizeof where));
}

static void test_what_is_saved_is_loaded(void **state)
{
    (void)state;
    BrumeWindowState place = {
        .has_position = true,
        .x = -1900,
        .y = 35,
        .width = 1001,
        .height = 702,
        .fullscreen = true,
        .panel = false,
        .hud = true,
        .fly_speed = 0.37f,
        .folder = "/scenes of \"mine\"\\new\t\xc3\xa9: #1",
    };
    assert_int_equal(brume_window_state_save(&place, path, NULL), BRUME_OK);
    BrumeWindowState again = brume_window_state_load(path);
    assert_true(again.has_position);
    assert_int_equal(again.x, place.x);
    assert_int_equal(again.y, place.y);
    assert_int_equal(again.width, place.width);
    assert_int_equal(again.height, place.height);
    assert_true(again.fullscreen && !again.panel && again.hud);
    assert_near("fly speed", again.fly_speed, 0.37f, 0.0);
    assert_string_equal(again.folder, place.folder);

    place.has_position = false;
    place.folder[0] = '\0';
    assert_int_equal(brume_window_state_save(&place, path, NULL), BRUME_OK);
    again = brume_window_state_load(path);
    assert_false(again.has_position);
    assert_string_equal(again.folder, "");
}

static void assert_default(const BrumeWindowState *place)
{
    assert_false(place->has_position || place->fullscreen);
    assert_int_equal(place->width, 1280);
    assert_int_equal(place->height, 720);
    assert_true(place->panel && place->hud);
    assert_near("fly speed", place->fly_speed, 0.0, 0.0);
    assert_string_equal(place->folder, "");
}

static void test_rubbish_is_as_nothing(void **state)
{
    (void)state;
    const char *const texts[] = {
        "",
        "width: [1, 2]\nheight: {a: 1}\npanel: []\nfolder: [x]\n",
        "width: 1e99\nheight: -3\nx: 1\nfly_speed: nan\nhud: maybe\n",
        "width: 900px\nheight: \nx: east\ny: 4\n",
        "- a\n- list\n",
        "{{{{",
        "\xff\xfe\x00",
        "just words",
    };
    for (size_t n = 0; n < sizeof texts / sizeof texts[0]; n++) {
        write_text(texts[n]);
        const BrumeWindowState place = brume_window_state_load(path);
        assert_default(&place);
    }
    const BrumeWindowState place = brume_window_state_load("/nowhere/at/all.yaml");
    assert_default(&place);

    // what makes sense beside what does not is kept
    write_text("width: 800\nheight: tall\npanel: false\nunknown: 3\n");
    const BrumeWindowState part = brume_window_state_load(path);
    assert_int_equal(part.width, 800);
    assert_int_equal(part.height, 720);
    assert_false(part.panel);
}

static void test_reachable(void **state)
{
    (void)state;
    const BrumeScreen screens[] = {{0, 0, 1920, 1080}, {1920, -200, 1280, 1024}};
    BrumeWindowState place = {.x = 100, .y = 100, .width = 800, .height = 600};
    assert_true(brume_window_state_is_reachable(&place, screens, 2));
    place.x = -736;
    assert_true(brume_window_state_is_reachable(&place, screens, 2));
    place.x = -737; // 63 points are left of it
    assert_false(brume_window_state_is_reachable(&place, screens, 2));
    place.x = 2500;
    place.y = -150;
    assert_true(brume_window_state_is_reachable(&place, screens, 2));
    assert_false(brume_window_state_is_reachable(&place, screens, 1));
    place.x = 0;
    place.y = 1070;
    assert_false(brume_window_state_is_reachable(&place, screens, 2));
    assert_false(brume_window_state_is_reachable(&place, screens, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_what_is_saved_is_loaded),
        cmocka_unit_test(test_rubbish_is_as_nothing),
        cmocka_unit_test(test_reachable),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

// Presets of media and of lights: all of scenes/looks, their errors, boxes of other sizes, and the written texts.
#include "core/memory.h"
#include "core/vec3.h"
#include "raymarch_check.h"
#include "scene/look_preset.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static BrumeStatus parse(BrumeLookPreset *preset, BrumeLookPart part, const char *text, BrumeError *error)
{
    return brume_look_preset_parse(preset, part, text, "look.yaml", NULL, error);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    assert_int_equal(fclose(file), 0);
    return text;
}

static bool same_light(const BrumeLight *a, const BrumeLight *b) { return memcmp(a, b, sizeof *a) == 0; }

// the part of the preset, and nothing else, with the values of the file: those that a scene of the same text has
static void expect_applied(const BrumeLookPreset *preset, const BrumeScene *file)
{
    BrumeRenderSettings look = brume_default_render_settings();
    look.ground_height = 0.25f;
    look.exposure = -3.5f;
    look.anisotropy = 0.125f;
    const BrumeRenderSettings before = look;
    const BrumeLookBox box = brume_look_box(&file->sim);
    brume_look_preset_apply(preset, &box, &look);
    const BrumeRenderSettings *from = &file->render_settings;
    assert_near("ground", look.ground_height, 0.25, 0.0);
    if (preset->part == BRUME_LOOK_MEDIUM) {
        assert_memory_equal(&look.smoke[0], &from->smoke[0], sizeof look.smoke[0]);
        assert_memory_equal(&look.density_curve[0], &from->density_curve[0], sizeof look.density_curve[0]);
        assert_memory_equal(&look.phase, &from->phase, sizeof look.phase);
        assert_memory_equal(&look.emission, &from->emission, sizeof look.emission);
        assert_true(look.anisotropy == from->anisotropy);
        assert_true(look.exposure == before.exposure && same_light(&look.lights[0], &before.lights[0]));
        assert_int_equal(look.sky.kind, before.sky.kind);
    } else {
        assert_int_equal(look.light_count, from->light_count);
        for (int n = 0; n < look.light_count; n++) {
            assert_true(same_light(&look.lights[n], &from->lights[n]));
        }
        assert_int_equal(look.sky.kind, from->sky.kind);
        assert_memory_equal(&look.sky_zenith, &from->sky_zenith, sizeof look.sky_zenith);
        assert_true(look.exposure == from->exposure && look.tone == from->tone);
        assert_true(look.anisotropy == before.anisotropy);
        assert_memory_equal(&look.smoke, &before.smoke, sizeof look.smoke);
    }
}

// every installed preset, by its own and as a scene; its written text has the same values
static void test_installed_presets(void **state)
{
    (void)state;
    int counts[BRUME_LOOK_PARTS] = {0};
    for (int part = 0; part < BRUME_LOOK_PARTS; part++) {
        char folder[512];
        (void)snprintf(folder, sizeof folder, "%s/scenes/looks/%s", BRUME_SOURCE_DIR,
                       brume_look_part_folder((BrumeLookPart)part));
        DIR *files = opendir(folder);
        assert_non_null(files);
        for (const struct dirent *file = readdir(files); file; file = readdir(files)) {
            char path[1024];
            if (file->d_name[0] == '.') {
                continue;
            }
            (void)snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
            char *text = read_text(path);
            BrumeLookPreset preset;
            BrumeScene *scene = NULL;
            BrumeError error;
            if (brume_look_preset_parse(&preset, (BrumeLookPart)part, text, path, NULL, &error) != BRUME_OK ||
                brume_scene_load(&scene, path, NULL, 0, NULL, &error) != BRUME_OK || !scene) {
                fail_msg("%s", error.text);
                return;
            }
            assert_true(preset.name[0] && preset.description[0]);
            assert_int_equal(scene->warning_count, 0);
            expect_applied(&preset, scene);

            BrumeRenderSettings look = brume_default_render_settings();
            brume_look_preset_apply(&preset, &preset.box, &look);
            char *written = NULL;
            BrumeLookPreset again;
            assert_int_equal(
                brume_look_preset_write((BrumeLookPart)part, &look, &preset.box, preset.name, NULL, &written, &error),
                BRUME_OK);
            assert_int_equal(parse(&again, (BrumeLookPart)part, written, &error), BRUME_OK);
            assert_string_equal(again.name, preset.name);
            BrumeRenderSettings same = brume_default_render_settings();
            brume_look_preset_apply(&again, &preset.box, &same);
            if (memcmp(&same, &look, sizeof same) != 0) {
                fail_msg("%s: written and read again, it has other values:\n%s", path, written);
            }
            counts[part]++;
            brume_free(written);
            brume_look_preset_destroy(&again);
            brume_look_preset_destroy(&preset);
            brume_scene_destroy(scene);
            free(text);
        }
        (void)closedir(files);
    }
    assert_true(counts[BRUME_LOOK_MEDIUM] >= 10);
    assert_true(counts[BRUME_LOOK_LIGHTS] >= 8);
}

static void test_errors_have_their_line(void **state)
{
    (void)state;
    const struct {
        BrumeLookPart part;
        const char *text, *error;
    } cases[] = {
        {BRUME_LOOK_MEDIUM, "name: A\nemitters: []\n",
         "look.yaml:2:1: 'emitters' is not a key of a preset of a medium (remove it)"},
        {BRUME_LOOK_MEDIUM, "smoke:\n  density:\n    extinction: 3\n    weight: 1\n",
         "look.yaml:4:5: 'smoke.density.weight' is not a key of a preset of a medium (remove it)"},
        {BRUME_LOOK_MEDIUM, "render: {exposure: 1}\n",
         "look.yaml:1:10: 'render.exposure' is not a key of a preset of a medium (remove it)"},
        {BRUME_LOOK_LIGHTS, "render: {exposure: 1, anisotropy: 0.3}\n",
         "look.yaml:1:23: 'render.anisotropy' is not a key of a preset of lights (remove it)"},
        {BRUME_LOOK_LIGHTS, "solver: {resolution: 32}\n",
         "look.yaml:1:1: 'solver' is not a key of a preset of lights (remove it)"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        BrumeLookPreset preset;
        BrumeError error;
        assert_int_equal(parse(&preset, cases[n].part, cases[n].text, &error), BRUME_BAD_INPUT);
        assert_string_equal(error.text, cases[n].error);
        assert_true(preset.name[0] == '\0' && !preset.sky_radiance);
    }
    BrumeLookPreset preset;
    BrumeError error;
    // the errors of a scene, with their suggestions and limits
    assert_int_equal(parse(&preset, BRUME_LOOK_MEDIUM, "smoke:\n  density: {extinctoin: 3}\n", &error),
                     BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "look.yaml:2:13: unknown key 'extinctoin'"));
    assert_non_null(strstr(error.text, "did you mean 'extinction'?"));
    assert_int_equal(parse(&preset, BRUME_LOOK_LIGHTS, "lights:\n  - {kind: point}\n", &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "look.yaml:2:"));
}

// in a box twice as large, the smoke is as opaque, and the lights are at the same places relative to it, as bright
static void test_boxes_of_other_sizes(void **state)
{
    (void)state;
    BrumeLookPreset medium;
    BrumeLookPreset lights;
    BrumeError error;
    assert_int_equal(parse(&medium, BRUME_LOOK_MEDIUM,
                           "domain: {size: [1, 2, 1]}\nsmoke: {density: {extinction: 30}, color_2: {albedo: 0.5}}\n",
                           &error),
                     BRUME_OK);
    assert_int_equal(parse(&lights, BRUME_LOOK_LIGHTS,
                           "domain: {size: [1, 2, 1]}\nlights:\n"
                           "  - {kind: rectangle, position: [1, 2, 3], target: [0, 1, 0], width: 0.5, height: 0.25,"
                           " intensity: 10}\n"
                           "  - {kind: sun, azimuth: 10, elevation: 20, intensity: 3}\n",
                           &error),
                     BRUME_OK);
    const BrumeLookBox box = {.floor = {5.0f, -1.0f, 2.0f}, .side = 4.0f};
    BrumeRenderSettings look = brume_default_render_settings();
    look.smoke[1].extinction = 7.0f;
    brume_look_preset_apply(&medium, &box, &look);
    assert_near("extinction", look.smoke[0].extinction, 15.0, 0.0);
    assert_near("a color that the preset does not have", look.smoke[1].extinction, 7.0, 0.0);
    assert_near("albedo of color 2", look.smoke[2].albedo.y, 0.5, 0.0);
    brume_look_preset_apply(&lights, &box, &look);
    assert_int_equal(look.light_count, 2);
    assert_near("x", look.lights[0].position.x, 5.0 + 2.0, 1e-5);
    assert_near("y", look.lights[0].position.y, -1.0 + 4.0, 1e-5);
    assert_near("z", look.lights[0].position.z, 2.0 + 6.0, 1e-5);
    assert_near("width", look.lights[0].width, 1.0, 1e-6);
    assert_near("height", look.lights[0].height, 0.5, 1e-6);
    assert_near("power", look.lights[0].intensity, 40.0, 1e-5);
    assert_near("sun", look.lights[1].intensity, 3.0, 0.0);
    brume_look_preset_destroy(&medium);
    brume_look_preset_destroy(&lights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_installed_presets),
        cmocka_unit_test(test_errors_have_their_line),
        cmocka_unit_test(test_boxes_of_other_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Every preset of media under every preset of lights, from all sides, also against the lights: the smoke is not burnt
// out, and white smoke is bright.
#include "brume/renderer.h"
#include "core/vec3.h"
#include "raymarch_check.h"
#include "scene/look_preset.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, PIXELS = SIDE * SIDE, AZIMUTHS = 8, MAX_PRESETS = 32 };

static const double pi = 3.14159265358979323846;

typedef struct Presets {
    int count;
    BrumeLookPreset presets[MAX_PRESETS];
} Presets;

static void read_presets(Presets *list, BrumeLookPart part)
{
    char pattern[512];
    (void)snprintf(pattern, sizeof pattern, "%s/scenes/looks/%s/*.yaml", BRUME_SOURCE_DIR,
                   brume_look_part_folder(part));
    glob_t files;
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    assert_true(files.gl_pathc <= MAX_PRESETS);
    for (size_t n = 0; n < files.gl_pathc; n++) {
        char text[1 << 13] = {0};
        FILE *file = fopen(files.gl_pathv[n], "rb");
        assert_non_null(file);
        assert_true(fread(text, 1, sizeof text - 1, file) > 0);
        assert_int_equal(fclose(file), 0);
        BrumeError error;
        if (brume_look_preset_parse(&list->presets[n], part, text, files.gl_pathv[n], NULL, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
    }
    list->count = (int)files.gl_pathc;
    globfree(&files);
}

// What a picture shows of the smoke: pixels from which it takes at least a tenth of the light behind
typedef struct Shown {
    int covered, burnt_out; // pixels; burnt out: 255 of all three colors
    double brightness;      // mean of the covered pixels, 0 to 255
} Shown;

static Shown draw(const BrumeRenderer *renderer, const BrumeRenderSettings *look, const BrumeCamera *camera)
{
    static float radiance[3 * PIXELS];
    static float transmittance[PIXELS];
    static uint8_t rgb[3 * PIXELS];
    const BrumePictureLayers layers = {.transmittance = transmittance};
    const BrumeDrawDef def = {.width = SIDE, .height = SIDE, .samples = 1, .layers = &layers};
    assert_int_equal(brume_renderer_draw(renderer, camera, &def, radiance, NULL), BRUME_OK);
    brume_tone_map(look, SIDE, SIDE, radiance, rgb);
    Shown shown = {0};
    for (int n = 0; n < PIXELS; n++) {
        const uint8_t *color = rgb + (ptrdiff_t)3 * n;
        if (transmittance[n] < 0.9f) {
            shown.covered++;
            shown.burnt_out += color[0] == 255 && color[1] == 255 && color[2] == 255;
            shown.brightness += (double)(color[0] + color[1] + color[2]) / 3.0;
        }
    }
    assert_true(shown.covered > PIXELS / 50);
    shown.brightness /= shown.covered;
    return shown;
}

static void test_no_preset_burns_smoke_out(void **state)
{
    (void)state;
    static Presets lights;
    static Presets media;
    read_presets(&lights, BRUME_LOOK_LIGHTS);
    read_presets(&media, BRUME_LOOK_MEDIUM);

    BrumeScene *scene = NULL;
    BrumeSim *sim = NULL;
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    const char *const overrides[] = {"solver.resolution=24"};
    assert_int_equal(brume_scene_load(&scene, BRUME_SOURCE_DIR "/scenes/plume.yaml", overrides, 1, NULL, &error),
                     BRUME_OK);
    assert_int_equal(brume_sim_create(&sim, &scene->sim, &error), BRUME_OK);
    for (int frame = 0; frame < 60; frame++) {
        assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
    }
    const BrumeVolume volume = brume_sim_volume(sim);
    const BrumeLookBox box = brume_look_box(&scene->sim);
    assert_int_equal(brume_renderer_create(&renderer, volume.nx, volume.ny, volume.nz, &scene->render_settings, &error),
                     BRUME_OK);
    const BrumeCamera cameras[] = {
        brume_scene_camera(scene, 0.0),
        // of white smoke only: close to the ground, with the lights behind the smoke
        {.position = {0.2f, 0.12f, 2.6f}, .target = {-0.05f, 1.1f, 0.0f}, .field_of_view = 55.0f},
    };

    for (int l = 0; l < lights.count; l++) {
        for (int m = 0; m < media.count; m++) {
            const BrumeLookPreset *medium = &media.presets[m];
            BrumeRenderSettings look = scene->render_settings;
            brume_look_preset_apply(&lights.presets[l], &box, &look);
            brume_look_preset_apply(medium, &box, &look);
            assert_int_equal(brume_renderer_set_settings(renderer, &look, &error), BRUME_OK);
            assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
            brume_renderer_light(renderer, NULL);
            const BrumeVec3 albedo = medium->look.smoke[0].albedo;
            const bool white = albedo.x == 1.0f && albedo.y == 1.0f && albedo.z == 1.0f;
            double brightest = 0.0;
            for (int n = 0; n < (white ? 2 : 1) * AZIMUTHS; n++) {
                const double azimuth = 2.0 * pi * (n % AZIMUTHS) / AZIMUTHS;
                const BrumeCamera camera = brume_camera_turned(&cameras[n / AZIMUTHS], azimuth);
                const Shown shown = draw(renderer, &look, &camera);
                if (200 * shown.burnt_out > shown.covered) { // more than .5 %
                    fail_msg("%s in %s: %d of %d pixels of camera %d at %g degrees are burnt out", medium->name,
                             lights.presets[l].name, shown.burnt_out, shown.covered, n / AZIMUTHS,
                             azimuth * 180.0 / pi);
                }
                brightest = fmax(brightest, shown.brightness);
            }
            if (white && !(brightest > 60.0)) {
                fail_msg("%s in %s: the brightness from the lit side is %g of 255, expected above 60", medium->name,
                         lights.presets[l].name, brightest);
            }
        }
    }
    brume_renderer_destroy(renderer);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
    for (int n = 0; n < lights.count; n++) {
        brume_look_preset_destroy(&lights.presets[n]);
    }
    for (int n = 0; n < media.count; n++) {
        brume_look_preset_destroy(&media.presets[n]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_preset_burns_smoke_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Pictures marched in packets of rays have the bytes of those marched ray by ray, at every width of the vectors.
#include "core/parallel/threads.h"
#include "core/vec3.h"
#include "raymarch/cpu/march_packet.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch_check.h"
#include "raymarch_plume.h"

#include <stdlib.h>
#include <string.h>

// a picture whose last blocks and tiles are not full
enum { WIDTH = 83, HEIGHT = 53, PIXELS = WIDTH * HEIGHT, N = 32, CELLS = N * N * 3 / 2 * N };

// one picture with all layers, and the counters of its march
typedef struct Picture {
    float radiance[3 * PIXELS];
    float alpha[PIXELS], transmittance[PIXELS];
    float lights[BRUME_MAX_LIGHTS][3 * PIXELS];
    float sky[3 * PIXELS], emission[3 * PIXELS];
} Picture;

typedef struct Case {
    const char *name;
    bool mixed, glows, moving, cubic, colored, all_lights, lens;
    bool layers;
} Case;

static const Case cases[] = {
    {.name = "gray smoke, one light"},
    {.name = "smoke of one color", .colored = true},
    {.name = "mixed kinds, lights of every kind", .mixed = true, .all_lights = true, .layers = true},
    {.name = "glowing smoke", .glows = true, .all_lights = true, .layers = true},
    {.name = "moving smoke", .moving = true, .all_lights = true, .layers = true},
    {.name = "cubics", .cubic = true, .lens = true},
};

static float temperature[CELLS], velocity[3][CELLS];

static BrumeRenderSettings settings_of(const Case *a)
{
    BrumeRenderSettings settings = a->all_lights ? plume_settings() : brume_default_render_settings();
    if (a->all_lights) {
        settings.lights[settings.light_count++] = (BrumeLight){.kind = BRUME_LIGHT_SPOT,
                                                               .position = {-0.8f, 1.2f, 0.9f},
                                                               .direction = {0.8f, -0.6f, -0.9f},
                                                               .color = {0.2f, 1.0f, 0.3f},
                                                               .intensity = 1.0f,
                                                               .angle = 40.0f,
                                                               .blend = 0.3f};
        settings.lights[settings.light_count++] = (BrumeLight){.kind = BRUME_LIGHT_RECTANGLE,
                                                               .position = {-0.9f, 0.7f, 0.0f},
                                                               .direction = {1.0f, 0.0f, 0.0f},
                                                               .up = {0.0f, 1.0f, 0.0f},
                                                               .width = 0.5f,
                                                               .height = 0.5f,
                                                               .color = {1.0f, 1.0f, 1.0f},
                                                               .intensity = 1.0f};
    }
    if (a->colored) {
        settings.smoke[0].albedo = brume_vec3(0.9f, 0.6f, 0.3f);
    }
    settings.emission.intensity = a->glows ? 0.05f : 0.0f;
    settings.shutter = a->moving ? 0.1f : 0.0f;
    settings.interpolation = a->cubic ? BRUME_INTERPOLATION_CUBIC : BRUME_INTERPOLATION_LINEAR;
    return settings;
}

static void draw(const BrumeRenderer *renderer, const Case *a, Picture *picture)
{
    memset(picture, 0, sizeof *picture);
    BrumePictureLayers layers = {.alpha = picture->alpha,
                                 .transmittance = picture->transmittance,
                                 .sky = picture->sky,
                                 .emission = picture->emission};
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        layers.lights[n] = picture->lights[n];
    }
    const BrumeDrawDef def = {
        .width = WIDTH, .height = HEIGHT, .samples = 2, .seed = 5, .layers = a->layers ? &layers : NULL};
    BrumeCamera camera = plume_camera;
    camera.lens_radius = a->lens ? 0.05f : 0.0f;
    assert_int_equal(brume_renderer_draw(renderer, &camera, &def, picture->radiance, NULL), BRUME_OK);
}

static void test_widths(void **state)
{
    (void)state;
    Picture *expected = malloc(sizeof *expected);
    Picture *picture = malloc(sizeof *picture);
    assert_non_null(expected);
    assert_non_null(picture);
    for (int n = 0; n < CELLS; n++) {
        temperature[n] = 600.0f + 900.0f * (float)(n % 97) / 97.0f;
        velocity[0][n] = 0.5f - (float)(n % 31) / 31.0f;
        velocity[1][n] = 1.0f;
        velocity[2][n] = 0.3f;
    }
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const Case *a = &cases[c];
        const BrumeRenderSettings settings = settings_of(a);
        BrumeVolume volume = plume_create(N, a->mixed);
        volume.temperature = a->glows ? temperature : NULL;
        for (int axis = 0; axis < 3 && a->moving; axis++) {
            volume.velocity[axis] = velocity[axis];
        }
        volume.velocity_sx = 1;
        volume.velocity_sy = volume.sy;
        volume.velocity_sz = volume.sz;
        BrumeRenderer *renderer = NULL;
        BrumeError error;
        assert_int_equal(brume_renderer_create(&renderer, volume.nx, volume.ny, volume.nz, &settings, &error),
                         BRUME_OK);
        assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
        brume_renderer_light(renderer, NULL);
        BrumeLitMedium *lit = &renderer->lit;
        assert_true(lit->medium.mixed == a->mixed && lit->medium.glows == a->glows && lit->medium.moving == a->moving);
        BrumeMarchCounts expected_counts = {0};
        lit->counts = &expected_counts;
        lit->march_lanes = 1;
        draw(renderer, a, expected);
        assert_in_range(expected_counts.in_smoke, 5000, expected_counts.samples - 1);
        static const int widths[] = {4, 8, 16};
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            lit->march_lanes = widths[w];
            for (int skips = 0; skips < 2; skips++) {
                BrumeMarchCounts counts = {0};
                lit->counts = &counts;
                lit->medium.skip_empty = skips != 0;
                draw(renderer, a, picture);
                if (memcmp(picture, expected, sizeof *picture) != 0) {
                    fail_msg("%s: pictures of 1 and of %d lanes differ", a->name, brume_march_lanes(lit));
                }
                assert_int_equal(counts.in_smoke, expected_counts.in_smoke);
                if (skips) {
                    assert_int_equal(counts.samples, expected_counts.samples);
                }
            }
        }
        brume_renderer_destroy(renderer);
        plume_destroy(&volume);
    }
    free(expected);
    free(picture);
}

static void test_lanes(void **state)
{
    (void)state;
    BrumeLitMedium lit = {.march_lanes = 0};
    const int widest = brume_march_lanes(&lit);
    assert_true(widest == 4 || widest == 8 || widest == 16);
    for (int lanes = 4; lanes <= 16; lanes *= 2) { // no wider than the processor's
        lit.march_lanes = lanes;
        assert_int_equal(brume_march_lanes(&lit), lanes < widest ? lanes : widest);
    }
    lit.march_lanes = 1;
    assert_int_equal(brume_march_lanes(&lit), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

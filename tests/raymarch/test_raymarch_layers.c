// Layers of a picture beside its radiance, by both integrators, and pictures of a part of the pixels.
#include "brume/renderer.h"
#include "core/vec3.h"
#include "raymarch_check.h"
#include "raymarch_plume.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 50, HEIGHT = 40, PIXELS = WIDTH * HEIGHT, SAMPLES = 3 };

static const BrumeDrawDef picture_def = {.width = WIDTH, .height = HEIGHT, .samples = SAMPLES, .seed = 5};

// a picture with all layers
typedef struct Picture {
    float radiance[3 * PIXELS];
    float transmittance[PIXELS], depth[PIXELS], sky[3 * PIXELS];
    float lights[BRUME_MAX_LIGHTS][3 * PIXELS];
} Picture;

static BrumePictureLayers layers_of(Picture *picture)
{
    BrumePictureLayers layers = {.transmittance = picture->transmittance, .depth = picture->depth, .sky = picture->sky};
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        layers.lights[n] = picture->lights[n];
    }
    return layers;
}

static BrumeRenderer *make(const BrumeRenderSettings *settings, const BrumeVolume *volume)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, volume->nx, volume->ny, volume->nz, settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, volume, &error), BRUME_OK);
    brume_renderer_light(renderer);
    return renderer;
}

static void draw(const BrumeRenderer *renderer, bool traces, const BrumeDrawDef *def, float *radiance)
{
    if (traces) {
        const BrumeTraceDef trace = brume_default_trace_def();
        BrumeTraceResult result;
        BrumeError error;
        assert_int_equal(brume_renderer_trace(renderer, &plume_camera, def, &trace, radiance, &result, &error),
                         BRUME_OK);
    } else {
        assert_int_equal(brume_renderer_draw(renderer, &plume_camera, def, radiance), BRUME_OK);
    }
}

static void draw_layers(const BrumeRenderer *renderer, bool traces, BrumeDrawDef def, Picture *picture)
{
    const BrumePictureLayers layers = layers_of(picture);
    def.layers = &layers;
    draw(renderer, traces, &def, picture->radiance);
}

static Picture *make_picture(void)
{
    Picture *picture = malloc(sizeof *picture);
    assert_non_null(picture);
    memset(picture, 0x7f, sizeof *picture); // large numbers that the drawing must replace
    return picture;
}

static void test_sum_of_the_sources(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(24, 1);
    const BrumeRenderSettings settings = plume_settings();
    BrumeRenderer *renderer = make(&settings, &volume);
    Picture *picture = make_picture();
    float *plain = malloc(sizeof picture->radiance);
    assert_non_null(plain);
    for (int traces = 0; traces < 2; traces++) {
        draw_layers(renderer, traces, picture_def, picture);
        draw(renderer, traces, &picture_def, plain);
        assert_memory_equal(picture->radiance, plain, sizeof picture->radiance); // layers change no bit
        double lit[4] = {0.0};
        for (int n = 0; n < 3 * PIXELS; n++) {
            double sum = (double)picture->sky[n];
            lit[3] += sum;
            for (int light = 0; light < settings.light_count; light++) {
                sum += (double)picture->lights[light][n];
                lit[light] += (double)picture->lights[light][n];
            }
            assert_true(fabs(sum - (double)plain[n]) <= 2e-6 * (double)plain[n] + 1e-9);
        }
        for (int source = 0; source < 4; source++) {
            assert_true(lit[source] > 10.0); // every source lights something
        }
    }
    free(plain);
    free(picture);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

// the layer of a point light is the picture without any other light
static void test_layer_of_one_light(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(24, 0);
    BrumeRenderSettings settings = plume_settings();
    Picture *all = make_picture();
    Picture *one = make_picture();
    BrumeRenderer *renderer = make(&settings, &volume);
    draw_layers(renderer, false, picture_def, all);
    brume_renderer_destroy(renderer);
    settings.lights[0] = settings.lights[1];
    settings.light_count = 1;
    settings.sky_horizon = settings.sky_zenith = brume_vec3(0.0f, 0.0f, 0.0f);
    renderer = make(&settings, &volume);
    draw_layers(renderer, false, picture_def, one);
    for (int n = 0; n < 3 * PIXELS; n++) {
        assert_true(fabsf(all->lights[1][n] - one->radiance[n]) <= 1e-5f * one->radiance[n] + 1e-8f);
        assert_true(one->sky[n] == 0.0f);
    }
    brume_renderer_destroy(renderer);
    free(all);
    free(one);
    plume_destroy(&volume);
}

static void test_transmittance_and_depth(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(24, 0);
    const BrumeRenderSettings settings = plume_settings();
    BrumeRenderer *renderer = make(&settings, &volume);
    Picture *marched = make_picture();
    Picture *traced = make_picture();
    draw_layers(renderer, false, picture_def, marched);
    draw_layers(renderer, true, picture_def, traced);
    int kinds[4] = {0};
    for (int n = 0; n < PIXELS; n++) {
        const BrumePick pick = brume_renderer_pick(renderer, &plume_camera, WIDTH, HEIGHT, (float)(n % WIDTH) + 0.5f,
                                                   (float)(n / WIDTH) + 0.5f);
        kinds[pick.kind]++;
        assert_true(marched->depth[n] == pick.distance);
        assert_true(traced->depth[n] == pick.distance);
        assert_true(marched->transmittance[n] >= 0.0f && marched->transmittance[n] <= 1.0f);
        assert_true(fabsf(marched->transmittance[n] - traced->transmittance[n]) < 0.3f); // other points in the pixel
    }
    for (int kind = 0; kind < 4; kind++) {
        assert_true(kinds[kind] > 10);
    }
    assert_true(marched->transmittance[0] == 1.0f); // a corner without smoke
    double difference = 0.0;
    double opaque = 0.0;
    for (int n = 0; n < PIXELS; n++) {
        difference += (double)(marched->transmittance[n] - traced->transmittance[n]) / PIXELS;
        opaque += (marched->transmittance[n] < 0.01f ? 1.0 : 0.0) / PIXELS;
    }
    assert_true(fabs(difference) < 2e-3);
    assert_true(opaque > 0.05);
    free(marched);
    free(traced);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

static void test_crop(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(24, 0);
    const BrumeRenderSettings settings = plume_settings();
    BrumeRenderer *renderer = make(&settings, &volume);
    static const BrumePictureCrop crop = {.left = 13, .top = 7, .right = 34, .bottom = 30};
    const int width = crop.right - crop.left;
    const int height = crop.bottom - crop.top;
    Picture *whole = make_picture();
    Picture *part = make_picture();
    for (int traces = 0; traces < 2; traces++) {
        draw_layers(renderer, traces, picture_def, whole);
        BrumeDrawDef def = picture_def;
        def.crop = crop;
        draw_layers(renderer, traces, def, part);
        for (int y = 0; y < height; y++) {
            const size_t from = (size_t)(y + crop.top) * WIDTH + (size_t)crop.left;
            const size_t to = (size_t)(y * width);
            const size_t row = (size_t)width * sizeof(float);
            assert_memory_equal(part->radiance + 3 * to, whole->radiance + 3 * from, 3 * row);
            assert_memory_equal(part->sky + 3 * to, whole->sky + 3 * from, 3 * row);
            assert_memory_equal(part->lights[1] + 3 * to, whole->lights[1] + 3 * from, 3 * row);
            assert_memory_equal(part->depth + to, whole->depth + from, row);
            assert_memory_equal(part->transmittance + to, whole->transmittance + from, row);
        }
    }
    static const BrumePictureCrop wrong[] = {
        {-1, 0, 5, 5}, {0, -1, 5, 5}, {0, 0, WIDTH + 1, 5}, {0, 0, 5, HEIGHT + 1},
        {5, 0, 5, 5},  {0, 6, 5, 5},  {1, 1, 0, 0},
    };
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        BrumeDrawDef def = picture_def;
        def.crop = wrong[n];
        const BrumeTraceDef trace = brume_default_trace_def();
        BrumeTraceResult result;
        BrumeError error;
        assert_int_equal(brume_renderer_draw(renderer, &plume_camera, &def, part->radiance), BRUME_BAD_INPUT);
        assert_int_equal(brume_renderer_trace(renderer, &plume_camera, &def, &trace, part->radiance, &result, &error),
                         BRUME_BAD_INPUT);
    }
    free(whole);
    free(part);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum_of_the_sources),
        cmocka_unit_test(test_layer_of_one_light),
        cmocka_unit_test(test_transmittance_and_depth),
        cmocka_unit_test(test_crop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

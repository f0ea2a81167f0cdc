// Layers of a picture other than its radiance, by both integrators, and pictures of a part of the pixels.
#include "brume/renderer.h"
#include "core/vec3.h"
#include "lit_renderer.h"
#include "raymarch_plume.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 50, HEIGHT = 40, PIXELS = WIDTH * HEIGHT, SAMPLES = 3 };

static const BrumeDrawDef picture_def = {.width = WIDTH, .height = HEIGHT, .samples = SAMPLES, .seed = 5};

// a picture with all layers
typedef struct Picture {
    float radiance[3 * PIXELS];
    float alpha[PIXELS], transmittance[PIXELS], depth[PIXELS], sky[3 * PIXELS];
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

static void draw(const BrumeRenderer *renderer, bool traces, const BrumeDrawDef *def, float *radiance)
{
    if (traces) {
        const BrumeTraceDef trace = brume_default_trace_def();
        BrumeTraceResult result;
        BrumeError error;
        assert_int_equal(brume_renderer_trace(renderer, &plume_camera, def, &trace, radiance, &result, &error),
                         BRUME_OK);
    } else {
        assert_int_equal(brume_renderer_draw(renderer, &plume_camera, def, radiance, NULL), BRUME_OK);
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
    BrumeRenderer *renderer = create_lit(&volume, &settings);
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

// the layer of a point light, whose light was scattered once, does not depend on other lights; the rest is in `sky`
static void test_layer_of_one_light(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(24, 0);
    BrumeRenderSettings settings = plume_settings();
    Picture *all = make_picture();
    Picture *one = make_picture();
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    draw_layers(renderer, false, picture_def, all);
    brume_renderer_destroy(renderer);
    settings.lights[0] = settings.lights[1];
    settings.light_count = 1;
    settings.sky_horizon = settings.sky_zenith = brume_vec3(0.0f, 0.0f, 0.0f);
    renderer = create_lit(&volume, &settings);
    draw_layers(renderer, false, picture_def, one);
    for (int n = 0; n < 3 * PIXELS; n++) {
        assert_true(fabsf(all->lights[1][n] - one->lights[0][n]) <= 1e-5f * one->lights[0][n] + 1e-8f);
        assert_true(one->sky[n] >= 0.0f && one->sky[n] <= all->sky[n] + 1e-6f);
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
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    Picture *marched = make_picture();
    Picture *traced = make_picture();
    draw_layers(renderer, false, picture_def, marched);
    draw_layers(renderer, true, picture_def, traced);
    int kinds[BRUME_PICK_WALL + 1] = {0};
    for (int n = 0; n < PIXELS; n++) {
        const int row = n / WIDTH;
        const BrumePick pick =
            brume_renderer_pick(renderer, &plume_camera, WIDTH, HEIGHT, (float)(n % WIDTH) + 0.5f, (float)row + 0.5f);
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
    BrumeRenderer *renderer = create_lit(&volume, &settings);
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
            const size_t to = (size_t)y * (size_t)width;
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
        assert_int_equal(brume_renderer_draw(renderer, &plume_camera, &def, part->radiance, NULL), BRUME_BAD_INPUT);
        assert_int_equal(brume_renderer_trace(renderer, &plume_camera, &def, &trace, part->radiance, &result, &error),
                         BRUME_BAD_INPUT);
    }
    free(whole);
    free(part);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

static void draw_transparent(const BrumeRenderer *renderer, const BrumeCamera *camera, bool traces, int samples,
                             Picture *picture)
{
    BrumePictureLayers layers = layers_of(picture);
    layers.alpha = picture->alpha;
    BrumeDrawDef def = picture_def;
    def.samples = samples;
    def.layers = &layers;
    if (traces) {
        const BrumeTraceDef trace = brume_default_trace_def();
        BrumeTraceResult result;
        BrumeError error;
        assert_int_equal(brume_renderer_trace(renderer, camera, &def, &trace, picture->radiance, &result, &error),
                         BRUME_OK);
    } else {
        assert_int_equal(brume_renderer_draw(renderer, camera, &def, picture->radiance, NULL), BRUME_OK);
    }
}

// a picture over a background of one color is the picture before a sky of this color, path by path
static void test_alpha_over_a_background(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(24, 0);
    BrumeRenderSettings settings = plume_settings();
    settings.sky_horizon = settings.sky_zenith = brume_vec3(0.3f, 0.5f, 0.8f);
    const float background[3] = {0.3f, 0.5f, 0.8f};
    Picture *opaque = make_picture();
    Picture *picture = make_picture();
    for (int variant = 0; variant < 4; variant++) {
        const bool traces = variant & 1;
        settings.ground = variant & 2;
        BrumeRenderer *renderer = create_lit(&volume, &settings);
        draw_layers(renderer, traces, picture_def, opaque);
        draw_transparent(renderer, &plume_camera, traces, SAMPLES, picture);
        int clear = 0;
        int partial = 0;
        int covered = 0;
        for (int n = 0; n < PIXELS; n++) {
            const float alpha = picture->alpha[n];
            for (int c = 0; c < 3; c++) {
                const float composed = picture->radiance[3 * n + c] + (1.0f - alpha) * background[c];
                assert_true(fabsf(composed - opaque->radiance[3 * n + c]) <= 4e-6f * (1.0f + composed));
            }
            clear += alpha < 1e-6f;
            partial += alpha > 0.1f && alpha < 0.9f;
            covered += alpha > 0.999f;
            // and the sources of light add up
            float sum = picture->sky[3 * n];
            for (int light = 0; light < settings.light_count; light++) {
                sum += picture->lights[light][3 * n];
            }
            assert_true(fabsf(sum - picture->radiance[3 * n]) <= 4e-6f * sum + 1e-7f);
        }
        assert_true(clear > (settings.ground ? 100 : 400));
        assert_true(covered > 100);
        assert_true(partial > 20);
        brume_renderer_destroy(renderer);
    }
    free(opaque);
    free(picture);
    plume_destroy(&volume);
}

// The shadow of a slab of smoke that absorbs everything, under a light from above: 1 - exp(-optical depth). The camera
// looks at the ground from below the slab.
static void test_shadow_on_a_catcher(void **state)
{
    (void)state;
    enum { N = 16 };
    static float density[N * N * N];
    for (int n = 0; n < N * N * N; n++) {
        density[n] = 1.0f;
    }
    BrumeVolume volume = {.nx = N, .ny = N, .nz = N, .sy = N, .sz = (ptrdiff_t)N * N, .dx = 0.25f};
    volume.origin = brume_vec3(-2.0f, 0.5f, -2.0f);
    volume.density[0] = density;
    const BrumeCamera camera = {.position = {0.0f, 0.3f, 0.05f}, .target = {0.0f, 0.0f, 0.0f}, .field_of_view = 10.0f};
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.smoke[0] = (BrumeSmokeMedium){.extinction = 0.2f};
    settings.light_count = 1;
    settings.lights[0] = (BrumeLight){.direction = {0.0f, -1.0f, 0.0f}, .color = {1.0f, 0.5f, 0.2f}, .intensity = 3.0f};
    settings.sky_horizon = settings.sky_zenith = brume_vec3(0.0f, 0.0f, 0.0f);
    settings.ground_catcher = true;
    Picture *picture = make_picture();
    for (int thick = 0; thick < 2; thick++) {
        settings.smoke[0].extinction = thick ? 0.2f : 0.0f;
        BrumeRenderer *renderer = create_lit(&volume, &settings);
        const double expected = thick ? 1.0 - exp(-0.2 * 4.0) : 0.0;
        for (int traces = 0; traces < 2; traces++) {
            draw_transparent(renderer, &camera, traces, traces ? 64 : 1, picture);
            double mean = 0.0;
            for (int n = 0; n < PIXELS; n++) {
                mean += (double)picture->alpha[n] / PIXELS;
                assert_true(picture->radiance[3 * n] == 0.0f && picture->sky[3 * n + 1] == 0.0f);
                assert_true(traces || fabs((double)picture->alpha[n] - expected) < 3e-3);
            }
            assert_true(fabs(mean - expected) < 3e-3);
        }
        brume_renderer_destroy(renderer);
    }
    // with the sky's light, a ground without smoke and solids has no shadow
    settings.smoke[0].extinction = 0.0f;
    settings.sky_horizon = brume_vec3(0.3f, 0.4f, 0.5f);
    settings.sky_zenith = brume_vec3(0.1f, 0.2f, 0.4f);
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    draw_transparent(renderer, &camera, false, 1, picture);
    for (int n = 0; n < PIXELS; n++) {
        assert_true(picture->alpha[n] < 1e-5f);
    }
    draw_transparent(renderer, &camera, true, 64, picture);
    double mean = 0.0;
    for (int n = 0; n < PIXELS; n++) {
        mean += (double)picture->alpha[n] / PIXELS;
    }
    assert_true(mean < 0.02); // noise, of which the negative half is cut off
    brume_renderer_destroy(renderer);
    free(picture);
}

// the observations of a drawing with partial pictures
typedef struct Partials {
    const float *radiance; // of the drawing
    float *final;          // the picture without partial ones
    int asked, seen, passes;
    bool complete_pixels; // pixels of a partial picture are final or 0
    int drawn[8];         // pixels that are not 0 in each partial picture
    int samples[16];      // of each pass
} Partials;

static bool want_every_fourth(void *context)
{
    Partials *partials = context;
    return ++partials->asked % 4 == 0 && partials->seen < 8;
}

static void see_partial(void *context)
{
    Partials *partials = context;
    int drawn = 0;
    for (int n = 0; n < 3 * PIXELS; n++) {
        drawn += partials->radiance[n] != 0.0f;
        if (partials->complete_pixels) {
            assert_true(partials->radiance[n] == 0.0f || partials->radiance[n] == partials->final[n]);
        }
    }
    partials->drawn[partials->seen++] = drawn;
}

static void see_pass(void *context, const BrumeTraceResult *so_far)
{
    Partials *partials = context;
    partials->samples[partials->passes++] = so_far->samples;
    assert_true(so_far->error > 0.0 && so_far->error < 10.0);
}

// partial pictures have the pixels that are drawn so far, and change no bit of the result
static void test_partial_pictures(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(24, 0);
    const BrumeRenderSettings settings = plume_settings();
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    Picture *plain = make_picture();
    Picture *paused = make_picture();
    for (int traces = 0; traces < 2; traces++) {
        BrumeDrawDef def = picture_def;
        def.samples = 11;
        draw(renderer, traces, &def, plain->radiance);
        Partials partials = {.radiance = paused->radiance, .final = plain->radiance, .complete_pixels = !traces};
        def.partial_wanted = want_every_fourth;
        def.partial = see_partial;
        def.context = &partials;
        if (traces) {
            BrumeTraceDef trace = brume_default_trace_def();
            trace.pass = see_pass;
            BrumeTraceResult result;
            BrumeError error;
            assert_int_equal(
                brume_renderer_trace(renderer, &plume_camera, &def, &trace, paused->radiance, &result, &error),
                BRUME_OK);
            assert_int_equal(partials.passes, 3);
            assert_int_equal(partials.samples[0], 4);
            assert_int_equal(partials.samples[1], 8);
            assert_int_equal(partials.samples[2], 11);
        } else {
            draw(renderer, false, &def, paused->radiance);
        }
        assert_memory_equal(paused->radiance, plain->radiance, sizeof plain->radiance);
        assert_true(partials.seen >= 3); // of 12 tiles
        assert_true(partials.drawn[0] > 0 && partials.drawn[0] < 3 * PIXELS);
        for (int n = 1; n < partials.seen; n++) {
            assert_true(partials.drawn[n] >= partials.drawn[n - 1]);
        }
    }
    free(plain);
    free(paused);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum_of_the_sources),      cmocka_unit_test(test_layer_of_one_light),
        cmocka_unit_test(test_transmittance_and_depth), cmocka_unit_test(test_crop),
        cmocka_unit_test(test_partial_pictures),        cmocka_unit_test(test_alpha_over_a_background),
        cmocka_unit_test(test_shadow_on_a_catcher),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Whole pictures: the same bytes at any thread count, convergence in steps and samples, empty and unusual volumes.
#include "core/hash.h"
#include "core/parallel/threads.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/light/skylight.h"
#include "raymarch/picture_rays.h"
#include "raymarch_check.h"
#include "raymarch_plume.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 96, HEIGHT = 64, FLOATS = WIDTH * HEIGHT * 3 };

static float *draw_with(const BrumeRenderSettings *settings, const BrumeVolume *volume, BrumeGrid capacity, int samples,
                        bool skip_empty)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, capacity.nx, capacity.ny, capacity.nz, settings, &error),
                     BRUME_OK);
    renderer->lit.medium.skip_empty = skip_empty;
    assert_int_equal(brume_renderer_load(renderer, volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    float *radiance = malloc(FLOATS * sizeof *radiance);
    assert_non_null(radiance);
    const BrumeDrawDef def = {.width = WIDTH, .height = HEIGHT, .samples = samples, .seed = 3};
    assert_int_equal(brume_renderer_draw(renderer, &plume_camera, &def, radiance, NULL), BRUME_OK);
    brume_renderer_destroy(renderer);
    return radiance;
}

static float *draw(const BrumeRenderSettings *settings, const BrumeVolume *volume, int samples)
{
    return draw_with(settings, volume, brume_grid(volume->nx, volume->ny, volume->nz), samples, true);
}

static double mean_difference(const float *a, const float *b)
{
    double sum = 0.0;
    for (int n = 0; n < FLOATS; n++) {
        sum += fabs((double)a[n] - (double)b[n]);
    }
    return sum / FLOATS;
}

static void test_same_bytes_at_any_thread_count(void **state)
{
    (void)state;
    const int counts[] = {1, 2, 3, 5, 8};
    const int before = brume_get_threads();
    const BrumeRenderSettings settings = plume_settings();
    BrumeVolume volume = plume_create(32, 1);
    uint64_t expected = 0;
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        brume_set_threads(counts[n]);
        float *radiance = draw(&settings, &volume, 2);
        uint8_t rgb[FLOATS];
        brume_tone_map(&settings, WIDTH, HEIGHT, radiance, rgb);
        const uint64_t hash = brume_hash_bytes(rgb, sizeof rgb, brume_hash_bytes(radiance, FLOATS * sizeof(float), 0));
        free(radiance);
        if (n == 0) {
            expected = hash;
        }
        assert_true(hash == expected);
    }
    brume_set_threads(before);
    plume_destroy(&volume);
}

static void test_skipping_changes_no_bit(void **state)
{
    (void)state;
    BrumeRenderSettings settings = plume_settings();
    BrumeVolume volume = plume_create(40, 0);
    const BrumeGrid grid = brume_grid(volume.nx, volume.ny, volume.nz);
    const float steps[] = {0.3f, 1.0f, 2.7f};
    for (size_t n = 0; n < sizeof steps / sizeof steps[0]; n++) {
        settings.step = steps[n];
        float *skipped = draw_with(&settings, &volume, grid, 1, true);
        float *marched = draw_with(&settings, &volume, grid, 1, false);
        assert_memory_equal(skipped, marched, FLOATS * sizeof(float));
        free(skipped);
        free(marched);
    }
    plume_destroy(&volume);
}

// the mean of the picture is about 0.5
static void test_picture_hardly_depends_on_the_step(void **state)
{
    (void)state;
    BrumeRenderSettings settings = plume_settings();
    BrumeVolume volume = plume_create(48, 0);
    settings.step = 0.25f;
    float *fine = draw(&settings, &volume, 4);
    settings.step = 1.0f;
    float *usual = draw(&settings, &volume, 4);
    settings.step = 2.0f;
    float *coarse = draw(&settings, &volume, 4);
    assert_below("mean difference between steps of 1 and 1/4", mean_difference(usual, fine), 2e-4);
    assert_below("mean difference between steps of 2 and 1/4", mean_difference(coarse, fine), 1e-3);
    free(fine);
    free(usual);
    free(coarse);
    plume_destroy(&volume);
}

static void test_samples_converge(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = plume_settings();
    BrumeVolume volume = plume_create(32, 0);
    float *many = draw(&settings, &volume, 100);
    const int samples[] = {1, 3, 9, 27};
    double last = INFINITY;
    for (size_t n = 0; n < sizeof samples / sizeof samples[0]; n++) {
        float *few = draw(&settings, &volume, samples[n]);
        const double difference = mean_difference(few, many);
        assert_below("difference from 100 samples, as samples grow", difference, 0.8 * last);
        last = difference;
        free(few);
    }
    assert_below("difference of 27 samples from 100", last, 5e-4);
    free(many);
    plume_destroy(&volume);
}

static void test_empty_volume_shows_the_surfaces(void **state)
{
    (void)state;
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.ground = false;
    static const float nothing[16 * 16 * 16];
    BrumeVolume volume = {
        .nx = 16, .ny = 16, .nz = 16, .sy = 16, .sz = 256, .dx = 0.1f, .origin = {-0.8f, 0.0f, -0.8f}};
    volume.density[0] = nothing;
    float *radiance = draw(&settings, &volume, 1);
    const BrumePictureRays rays = brume_picture_rays(&plume_camera, WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const BrumeRay ray = brume_picture_ray(&rays, (float)x + 0.5f, (float)y + 0.5f);
            const BrumeVec3 sky = brume_sky_radiance(&settings, ray.direction);
            const float *pixel = radiance + 3 * (y * WIDTH + x);
            assert_true(pixel[0] == sky.x && pixel[1] == sky.y && pixel[2] == sky.z);
        }
    }
    free(radiance);

    // absent kinds give the same picture as kinds of density 0
    settings = plume_settings();
    float *without_density = draw(&settings, &volume, 1);
    volume.density[0] = NULL;
    float *without_kinds = draw(&settings, &volume, 1);
    assert_memory_equal(without_density, without_kinds, FLOATS * sizeof(float));
    free(without_density);
    free(without_kinds);
}

// windows into larger arrays, and volumes smaller than the capacity of the renderer
static void test_windows_and_small_volumes(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = plume_settings();
    BrumeVolume volume = plume_create(24, 1);
    const ptrdiff_t sy = volume.nx + 5;
    const ptrdiff_t sz = sy * (volume.ny + 3);
    float *larger[BRUME_VOLUME_KINDS] = {0};
    BrumeVolume window = volume;
    window.sy = sy;
    window.sz = sz;
    for (int kind = 0; kind < 3; kind++) {
        const size_t entries = (size_t)(sz * volume.nz) + 8;
        larger[kind] = malloc(entries * sizeof(float));
        assert_non_null(larger[kind]);
        for (size_t n = 0; n < entries; n++) {
            larger[kind][n] = NAN; // must not be read
        }
        for (int k = 0; k < volume.nz; k++) {
            for (int j = 0; j < volume.ny; j++) {
                memcpy(larger[kind] + 2 + sy * j + sz * k, volume.density[kind] + volume.sy * j + volume.sz * k,
                       (size_t)volume.nx * sizeof(float));
            }
        }
        window.density[kind] = larger[kind] + 2;
    }
    float *from_whole = draw(&settings, &volume, 1);
    float *from_window = draw_with(&settings, &window, brume_grid(40, 37, 51), 1, true);
    assert_memory_equal(from_whole, from_window, FLOATS * sizeof(float));
    free(from_whole);
    free(from_window);
    for (int kind = 0; kind < 3; kind++) {
        free(larger[kind]);
    }
    plume_destroy(&volume);
}

// radiance of a thin uniform block under a directional light along z
static float brightness_of_block(float anisotropy, float light_z)
{
    static float uniform[8 * 8 * 8];
    for (int n = 0; n < 8 * 8 * 8; n++) {
        uniform[n] = 1.0f;
    }
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.sky_zenith = settings.sky_horizon = brume_vec3(0.0f, 0.0f, 0.0f);
    settings.ground = false;
    settings.anisotropy = anisotropy;
    settings.smoke[0].extinction = 0.05f;
    settings.lights[0].direction = brume_vec3(0.0f, 0.0f, light_z);
    const BrumeVolume volume = {.nx = 8,
                                .ny = 8,
                                .nz = 8,
                                .sy = 8,
                                .sz = 64,
                                .dx = 0.125f,
                                .origin = {-0.5f, 0.2f, -0.5f},
                                .density = {uniform}};
    float *radiance = draw(&settings, &volume, 1);
    const float middle = radiance[3 * (HEIGHT / 2 * WIDTH + WIDTH / 2)];
    free(radiance);
    return middle;
}

static void test_forward_scattering_is_brighter_against_the_light(void **state)
{
    (void)state;
    // +z is towards the camera
    assert_true(brightness_of_block(0.6f, 1.0f) > 3.0f * brightness_of_block(0.6f, -1.0f));
    assert_true(brightness_of_block(-0.6f, 1.0f) < brightness_of_block(-0.6f, -1.0f) / 3.0f);
    assert_near("isotropic scattering", brightness_of_block(0.0f, 1.0f) / brightness_of_block(0.0f, -1.0f), 1.0, 0.01);
}

static void test_kinds_mix_by_extinction(void **state)
{
    (void)state;
    static float some[12 * 12 * 12];
    static float none[12 * 12 * 12];
    for (int n = 0; n < 12 * 12 * 12; n++) {
        some[n] = 0.3f;
    }
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.smoke[0] = (BrumeSmokeMedium){.extinction = 3.0f, .albedo = {0.9f, 0.9f, 0.9f}};
    settings.smoke[1] = (BrumeSmokeMedium){.extinction = 2.0f, .albedo = {0.8f, 0.0f, 0.4f}};
    settings.smoke[2] = (BrumeSmokeMedium){.extinction = 6.0f, .albedo = {0.0f, 0.8f, 0.4f}};
    BrumeVolume volume = {
        .nx = 12, .ny = 12, .nz = 12, .sy = 12, .sz = 144, .dx = 0.1f, .origin = {-0.6f, 0.0f, -0.6f}};

    // a kind that is present but empty changes nothing
    volume.density[0] = some;
    float *alone = draw(&settings, &volume, 1);
    volume.density[1] = none;
    float *beside = draw(&settings, &volume, 1);
    for (int n = 0; n < FLOATS; n++) {
        assert_near("radiance beside an empty kind", beside[n], alone[n], 2e-5);
    }
    free(alone);
    free(beside);

    // 1 part of kind 1 to 3 of kind 2 has the albedo (0.2, 0.6, 0.4); without sky, since the diffusion scale of a
    // mixture is the mean over its kinds and not the value of the mean albedo
    settings.sky_zenith = settings.sky_horizon = brume_vec3(0.0f, 0.0f, 0.0f);
    settings.ground = false;
    settings.smoke[3] = (BrumeSmokeMedium){.extinction = 8.0f, .albedo = {0.2f, 0.6f, 0.4f}};
    BrumeVolume mixture = volume;
    mixture.density[0] = NULL;
    mixture.density[1] = mixture.density[2] = some;
    BrumeVolume single = volume;
    single.density[0] = single.density[1] = NULL;
    single.density[3] = some;
    float *mixed = draw(&settings, &mixture, 1);
    float *expected = draw(&settings, &single, 1);
    for (int n = 0; n < FLOATS; n++) {
        assert_near("radiance of a mixture", mixed[n], expected[n], 2e-5);
    }
    free(mixed);
    free(expected);
}

// invalid densities must not affect other cells
static void test_bad_densities_count_as_none(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(16, 0);
    const BrumeRenderSettings settings = plume_settings();
    float *clean = draw(&settings, &volume, 1);
    float *data = (float *)volume.density[0];
    assert_near("a cell outside of the plume", data[0], 0.0, 0.0);
    data[0] = NAN;
    data[1] = -5.0f;
    data[2] = 1e-9f;
    float *with_invalid = draw(&settings, &volume, 1);
    assert_memory_equal(clean, with_invalid, FLOATS * sizeof(float));
    free(clean);
    free(with_invalid);
    plume_destroy(&volume);
}

// rays along z through the first column of 24^3 cells, of which the first 8 planes have thin smoke
static void test_counted_samples(void **state)
{
    (void)state;
    enum { N = 24 };
    static float density[N * N * N];
    for (int n = 0; n < 8 * N * N; n++) {
        density[n] = 1e-3f;
    }
    const BrumeVolume volume = brume_volume_from_array(density, N, N, N, 1.0f, brume_vec3(0.0f, 0.0f, 0.0f));
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.ground = false;
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, N, N, N, &settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    BrumeLitMedium *lit = &renderer->lit;
    const BrumeRay ray = {brume_vec3(2.5f, 2.5f, -3.0f), brume_vec3(0.0f, 0.0f, 1.0f)};
    const BrumeMarchSteps steps = {.length = 1.0f};
    const BrumeMarchResult uncounted = brume_march(lit, &ray, INFINITY, steps);

    BrumeMarchCounts counts = {0};
    lit->counts = &counts;
    lit->medium.skip_empty = false;
    for (int ray_count = 1; ray_count <= 2; ray_count++) { // counts add up
        const BrumeMarchResult march = brume_march(lit, &ray, INFINITY, steps);
        assert_memory_equal(&march, &uncounted, sizeof march);
        assert_int_equal(counts.samples, ray_count * N);
        assert_int_equal(counts.in_smoke, ray_count * 8);
    }
    // macro-cells of the padded field have smoke up to the plane 16: at least one plane is skipped, at most the rest
    counts = (BrumeMarchCounts){0};
    lit->medium.skip_empty = true;
    const BrumeMarchResult march = brume_march(lit, &ray, INFINITY, steps);
    assert_memory_equal(&march, &uncounted, sizeof march);
    assert_int_equal(counts.in_smoke, 8);
    assert_in_range(counts.samples, 8, 17);

    // a picture from far away that looks along z: as many samples as its rays take one by one
    lit->medium.skip_empty = false;
    counts = (BrumeMarchCounts){0};
    const BrumeCamera camera = {
        .position = {12.0f, 12.0f, -1e4f}, .target = {12.0f, 12.0f, 0.0f}, .field_of_view = 0.02f};
    const BrumeDrawDef def = {.width = 3, .height = 2, .samples = 4, .seed = 1};
    float radiance[3 * 3 * 2];
    assert_int_equal(brume_renderer_draw(renderer, &camera, &def, radiance, NULL), BRUME_OK);
    assert_in_range(counts.samples, 3 * 2 * 4 * N, 3 * 2 * 4 * (N + 1)); // the jitter may add a step
    brume_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes_at_any_thread_count),
        cmocka_unit_test(test_skipping_changes_no_bit),
        cmocka_unit_test(test_picture_hardly_depends_on_the_step),
        cmocka_unit_test(test_samples_converge),
        cmocka_unit_test(test_empty_volume_shows_the_surfaces),
        cmocka_unit_test(test_windows_and_small_volumes),
        cmocka_unit_test(test_forward_scattering_is_brighter_against_the_light),
        cmocka_unit_test(test_kinds_mix_by_extinction),
        cmocka_unit_test(test_bad_densities_count_as_none),
        cmocka_unit_test(test_counted_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Whole pictures: the same bytes whatever the threads, steps or samples, and nothing where nothing is.
#include "core/hash.h"
#include "core/threads.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/sky.h"
#include "raymarch_check.h"
#include "raymarch_plume.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 96, HEIGHT = 64, FLOATS = WIDTH * HEIGHT * 3 };

static float *draw_with(const BrumeRenderSettings *look, const BrumeVolume *volume, BrumeGrid capacity, int samples,
                        bool skip_empty)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, capacity.nx, capacity.ny, capacity.nz, look, &error), BRUME_OK);
    renderer->skip_empty = skip_empty;
    brume_renderer_load(renderer, volume);
    brume_renderer_light(renderer);
    float *radiance = malloc(FLOATS * sizeof *radiance);
    assert_non_null(radiance);
    const BrumeDrawDef def = {.width = WIDTH, .height = HEIGHT, .samples = samples, .seed = 3};
    brume_renderer_draw(renderer, &plume_camera, &def, radiance);
    brume_renderer_destroy(renderer);
    return radiance;
}

static float *draw(const BrumeRenderSettings *look, const BrumeVolume *volume, int samples)
{
    return draw_with(look, volume, (BrumeGrid){volume->nx, volume->ny, volume->nz}, samples, true);
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
    const BrumeRenderSettings look = plume_look();
    BrumeVolume volume = plume_create(32, 1);
    uint64_t expected = 0;
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        brume_set_threads(counts[n]);
        float *radiance = draw(&look, &volume, 2);
        uint8_t rgb[FLOATS];
        brume_tone_map(&look, WIDTH, HEIGHT, radiance, rgb);
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
    BrumeRenderSettings look = plume_look();
    BrumeVolume volume = plume_create(40, 0);
    const BrumeGrid grid = {volume.nx, volume.ny, volume.nz};
    const float steps[] = {0.3f, 1.0f, 2.7f};
    for (size_t n = 0; n < sizeof steps / sizeof steps[0]; n++) {
        look.step = steps[n];
        float *skipped = draw_with(&look, &volume, grid, 1, true);
        float *walked = draw_with(&look, &volume, grid, 1, false);
        assert_memory_equal(skipped, walked, FLOATS * sizeof(float));
        free(skipped);
        free(walked);
    }
    plume_destroy(&volume);
}

// the mean of the picture is about 0.5
static void test_picture_hardly_depends_on_the_step(void **state)
{
    (void)state;
    BrumeRenderSettings look = plume_look();
    BrumeVolume volume = plume_create(48, 0);
    look.step = 0.25f;
    float *fine = draw(&look, &volume, 4);
    look.step = 1.0f;
    float *usual = draw(&look, &volume, 4);
    look.step = 2.0f;
    float *coarse = draw(&look, &volume, 4);
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
    const BrumeRenderSettings look = plume_look();
    BrumeVolume volume = plume_create(32, 0);
    float *many = draw(&look, &volume, 100);
    const int samples[] = {1, 3, 9, 27};
    double last = INFINITY;
    for (size_t n = 0; n < sizeof samples / sizeof samples[0]; n++) {
        float *few = draw(&look, &volume, samples[n]);
        const double difference = mean_difference(few, many);
        assert_below("difference from 100 samples, as samples grow", difference, 0.8 * last);
        last = difference;
        free(few);
    }
    assert_below("difference of 27 samples from 100", last, 5e-4);
    free(many);
    plume_destroy(&volume);
}

static void test_empty_volume_is_the_backdrop(void **state)
{
    (void)state;
    BrumeRenderSettings look = brume_default_render_settings();
    look.ground = false;
    static const float nothing[16 * 16 * 16];
    BrumeVolume volume = {
        .nx = 16, .ny = 16, .nz = 16, .sy = 16, .sz = 256, .dx = 0.1f, .origin = {-0.8f, 0.0f, -0.8f}};
    volume.density[0] = nothing;
    float *radiance = draw(&look, &volume, 1);
    const BrumeView view = brume_view(&plume_camera, WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const BrumeRay ray = brume_view_ray(&view, (float)x + 0.5f, (float)y + 0.5f);
            const BrumeVec3 sky = brume_sky_radiance(&look, ray.direction);
            const float *pixel = radiance + 3 * (y * WIDTH + x);
            assert_true(pixel[0] == sky.x && pixel[1] == sky.y && pixel[2] == sky.z);
        }
    }
    free(radiance);

    // no kind at all is the same as kinds without density
    look = plume_look();
    float *without_density = draw(&look, &volume, 1);
    volume.density[0] = NULL;
    float *without_kinds = draw(&look, &volume, 1);
    assert_memory_equal(without_density, without_kinds, FLOATS * sizeof(float));
    free(without_density);
    free(without_kinds);
}

// windows into larger arrays, and volumes smaller than the renderer takes
static void test_windows_and_small_volumes(void **state)
{
    (void)state;
    const BrumeRenderSettings look = plume_look();
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
    float *from_whole = draw(&look, &volume, 1);
    float *from_window = draw_with(&look, &window, (BrumeGrid){40, 37, 51}, 1, true);
    assert_memory_equal(from_whole, from_window, FLOATS * sizeof(float));
    free(from_whole);
    free(from_window);
    for (int kind = 0; kind < 3; kind++) {
        free(larger[kind]);
    }
    plume_destroy(&volume);
}

// a thin even block, drawn with a sun behind it and with one behind the camera
static float brightness_of_block(float anisotropy, float sun_z)
{
    static float even[8 * 8 * 8];
    for (int n = 0; n < 8 * 8 * 8; n++) {
        even[n] = 1.0f;
    }
    BrumeRenderSettings look = brume_default_render_settings();
    look.sky_zenith = look.sky_horizon = brume_vec3(0.0f, 0.0f, 0.0f);
    look.ground = false;
    look.anisotropy = anisotropy;
    look.smoke[0].extinction = 0.05f;
    look.lights[0].direction = brume_vec3(0.0f, 0.0f, sun_z);
    const BrumeVolume volume = {
        .nx = 8, .ny = 8, .nz = 8, .sy = 8, .sz = 64, .dx = 0.125f, .origin = {-0.5f, 0.2f, -0.5f}, .density = {even}};
    float *radiance = draw(&look, &volume, 1);
    const float middle = radiance[3 * (HEIGHT / 2 * WIDTH + WIDTH / 2)];
    free(radiance);
    return middle;
}

static void test_forward_scattering_is_brighter_against_the_sun(void **state)
{
    (void)state;
    // +z is towards the camera
    assert_true(brightness_of_block(0.6f, 1.0f) > 3.0f * brightness_of_block(0.6f, -1.0f));
    assert_true(brightness_of_block(-0.6f, 1.0f) < brightness_of_block(-0.6f, -1.0f) / 3.0f);
    assert_near("even scattering", brightness_of_block(0.0f, 1.0f) / brightness_of_block(0.0f, -1.0f), 1.0, 0.01);
}

static void test_kinds_mix_by_extinction(void **state)
{
    (void)state;
    static float some[12 * 12 * 12];
    static float none[12 * 12 * 12];
    for (int n = 0; n < 12 * 12 * 12; n++) {
        some[n] = 0.3f;
    }
    BrumeRenderSettings look = brume_default_render_settings();
    look.smoke[0] = (BrumeSmokeMedium){.extinction = 3.0f, .albedo = {0.9f, 0.9f, 0.9f}};
    look.smoke[1] = (BrumeSmokeMedium){.extinction = 2.0f, .albedo = {0.8f, 0.0f, 0.4f}};
    look.smoke[2] = (BrumeSmokeMedium){.extinction = 6.0f, .albedo = {0.0f, 0.8f, 0.4f}};
    BrumeVolume volume = {
        .nx = 12, .ny = 12, .nz = 12, .sy = 12, .sz = 144, .dx = 0.1f, .origin = {-0.6f, 0.0f, -0.6f}};

    // a kind that is present but empty changes nothing
    volume.density[0] = some;
    float *alone = draw(&look, &volume, 1);
    volume.density[1] = none;
    float *beside = draw(&look, &volume, 1);
    for (int n = 0; n < FLOATS; n++) {
        assert_near("radiance beside an empty kind", beside[n], alone[n], 2e-5);
    }
    free(alone);
    free(beside);

    // 1 part of kind 1 to 3 of kind 2 is albedo (0.2, 0.6, 0.4); by lights only, since the sky's way through a mixture
    // is that of its kinds and not of their mean
    look.sky_zenith = look.sky_horizon = brume_vec3(0.0f, 0.0f, 0.0f);
    look.ground = false;
    look.smoke[3] = (BrumeSmokeMedium){.extinction = 8.0f, .albedo = {0.2f, 0.6f, 0.4f}};
    BrumeVolume mixture = volume;
    mixture.density[0] = NULL;
    mixture.density[1] = mixture.density[2] = some;
    BrumeVolume single = volume;
    single.density[0] = single.density[1] = NULL;
    single.density[3] = some;
    float *mixed = draw(&look, &mixture, 1);
    float *expected = draw(&look, &single, 1);
    for (int n = 0; n < FLOATS; n++) {
        assert_near("radiance of a mixture", mixed[n], expected[n], 2e-5);
    }
    free(mixed);
    free(expected);
}

// values that no solver should hand over must not spread
static void test_bad_densities_count_as_none(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(16, 0);
    const BrumeRenderSettings look = plume_look();
    float *clean = draw(&look, &volume, 1);
    float *data = (float *)volume.density[0];
    assert_near("a cell outside of the plume", data[0], 0.0, 0.0);
    data[0] = NAN;
    data[1] = -5.0f;
    data[2] = 1e-9f;
    float *spoilt = draw(&look, &volume, 1);
    assert_memory_equal(clean, spoilt, FLOATS * sizeof(float));
    free(clean);
    free(spoilt);
    plume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes_at_any_thread_count),
        cmocka_unit_test(test_skipping_changes_no_bit),
        cmocka_unit_test(test_picture_hardly_depends_on_the_step),
        cmocka_unit_test(test_samples_converge),
        cmocka_unit_test(test_empty_volume_is_the_backdrop),
        cmocka_unit_test(test_windows_and_small_volumes),
        cmocka_unit_test(test_forward_scattering_is_brighter_against_the_sun),
        cmocka_unit_test(test_kinds_mix_by_extinction),
        cmocka_unit_test(test_bad_densities_count_as_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

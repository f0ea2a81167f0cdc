// The path tracer against exact solutions: tracking, the phase function, single scattering, slabs with all orders of
// scattering, the white furnace; its error and its bits.
#include "brume/threads.h"
#include "core/hash.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/light/scattering.h"
#include "raymarch/path/light_path.h"
#include "raymarch/path/tracking.h"
#include "raymarch_check.h"
#include "raymarch_plume.h"

#include <stdlib.h>

// A slab across y, so wide that light hardly leaves it at its sides: 2 m x `depth` m x 2 m in cells of `depth` / 8.
typedef struct Slab {
    BrumeVolume volume;
    float *density;
} Slab;

enum { LAYERS = 8 };

static Slab create_slab(float depth)
{
    const float dx = depth / LAYERS;
    const int across = (int)(2.0f / dx);
    const size_t cells = (size_t)across * LAYERS * (size_t)across;
    Slab slab = {.density = malloc(cells * sizeof(float))};
    assert_non_null(slab.density);
    for (size_t n = 0; n < cells; n++) {
        slab.density[n] = 1.0f;
    }
    slab.volume = brume_volume_from_array(slab.density, across, LAYERS, across, dx, brume_vec3(-1.0f, 0.0f, -1.0f));
    return slab;
}

static BrumeRenderSettings dark_settings(float extinction, float albedo, float anisotropy)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        settings.smoke[kind] = (BrumeSmokeMedium){extinction, {albedo, albedo, albedo}};
    }
    settings.anisotropy = anisotropy;
    settings.light_count = 0;
    settings.sky_zenith = brume_vec3(0.0f, 0.0f, 0.0f);
    settings.sky_horizon = settings.sky_zenith;
    settings.ground = false;
    return settings;
}

static BrumeRenderer *create_loaded(const BrumeVolume *volume, const BrumeRenderSettings *settings)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, volume->nx, volume->ny, volume->nz, settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, volume, &error), BRUME_OK);
    return renderer;
}

// the mean radiance of `count` paths along one ray
static double mean_radiance(const BrumeRenderer *renderer, const BrumeRay *ray, int bounces, int count)
{
    BrumeSkyDistribution sky;
    BrumeError error;
    assert_int_equal(brume_sky_distribution_create(&sky, &renderer->lit.settings, &error), BRUME_OK);
    const BrumePathScene scene = brume_path_scene(&renderer->lit.medium, &renderer->lit.settings, &sky, bounces);
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int n = 0; n < count; n++) {
        BrumePathSampler sampler = brume_path_sampler(0, 0, 1, (uint32_t)n);
        sum += (double)brume_path_radiance(&scene, ray, &sampler).y;
    }
    brume_sky_distribution_destroy(&sky);
    return sum / count;
}

// sqrt(variance / count) of a number of relative spread 1 is 0.3 % with these
enum { PATHS = 100000 };

static void test_phase_function_is_sampled(void **state)
{
    (void)state;
    const float anisotropies[] = {-0.7f, -5e-4f, 0.0f, 5e-4f, 0.01f, 0.35f, 0.9f};
    for (size_t a = 0; a < sizeof anisotropies / sizeof anisotropies[0]; a++) {
        const float g = anisotropies[a];
        double mean = 0.0;
        double largest_error = 0.0;
        enum { COUNT = 10000 };
        for (int n = 0; n < COUNT; n++) {
            const float u = ((float)n + 0.5f) / COUNT;
            const float cosine = brume_sample_hg(g, u);
            mean += (double)cosine / COUNT;
            // share of the light within that angle from backwards: the integral of the phase function
            const double gd = (double)g;
            const double share = fabs(gd) < 1e-6
                                     ? 0.5 * (1.0 + (double)cosine)
                                     : (1.0 - gd * gd) / (2.0 * gd) *
                                           (1.0 / sqrt(1.0 + gd * gd - 2.0 * gd * (double)cosine) - 1.0 / (1.0 + gd));
            largest_error = fmax(largest_error, fabs(share - (double)u));
        }
        assert_near("the mean cosine", mean, (double)g, 1e-5);
        assert_below("the error of the share", largest_error, 1e-5);
    }
}

// extinction that grows linearly along x: collisions and transmittance follow exp(-tau)
static void test_tracking_is_unbiased(void **state)
{
    (void)state;
    enum { SIDE = 40 };
    float *density = malloc(SIDE * SIDE * SIDE * sizeof *density);
    assert_non_null(density);
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        density[n] = ((float)(n % SIDE) + 0.5f) / SIDE;
    }
    const BrumeVolume volume =
        brume_volume_from_array(density, SIDE, SIDE, SIDE, 1.0f / SIDE, brume_vec3(0.0f, 0.0f, 0.0f));
    const BrumeRenderSettings settings = dark_settings(4.0f, 0.5f, 0.0f);
    BrumeRenderer *renderer = create_loaded(&volume, &settings);
    const BrumeRay ray = {{-0.5f, 0.3f, 0.4f}, {1.0f, 0.0f, 0.0f}};
    for (int tenth = 2; tenth <= 10; tenth += 4) { // up to x = 0.2, 0.6, 1
        const double x = 0.1 * tenth;
        const double expected = exp(-4.0 * 0.5 * x * x);
        double transmittance = 0.0;
        int passed = 0;
        for (int n = 0; n < PATHS; n++) {
            BrumePathSampler sampler = brume_path_sampler(1, 2, 3, (uint32_t)n);
            BrumeCollision collision;
            const float limit = 0.5f + (float)x;
            passed += !brume_track_collision(&renderer->lit.medium, &ray, limit, &sampler, &collision);
            transmittance += (double)brume_track_transmittance(&renderer->lit.medium, &ray, limit, &sampler);
        }
        assert_near("the mean transmittance", transmittance / PATHS, expected, 0.004);
        assert_near("the share without a collision", (double)passed / PATHS, expected, 0.006);
    }
    brume_renderer_destroy(renderer);
    free(density);
}

// light of one direction, scattered once, out of a slab of depth tau towards the light: the integral is exact
static void test_single_scattering(void **state)
{
    (void)state;
    Slab slab = create_slab(0.05f);
    BrumeRenderSettings settings = dark_settings(30.0f, 0.8f, 0.4f); // optical depth 1.5
    settings.light_count = 1;
    settings.lights[0] = (BrumeLight){.kind = BRUME_LIGHT_DIRECTIONAL,
                                      .direction = {0.0f, -1.0f, 0.0f},
                                      .color = {1.0f, 1.0f, 1.0f},
                                      .intensity = 2.0f};
    BrumeRenderer *renderer = create_loaded(&slab.volume, &settings);
    const BrumeRay ray = {{0.01f, 0.5f, 0.02f}, {0.0f, -1.0f, 0.0f}};
    const double phase = (double)brume_phase_hg(-1.0f, 0.4f);
    const double expected = 2.0 * 0.8 * phase * 0.5 * (1.0 - exp(-2.0 * 1.5));
    assert_near("the radiance over the exact one", mean_radiance(renderer, &ray, 0, PATHS) / expected, 1.0, 0.006);
    brume_renderer_destroy(renderer);
    free(slab.density);
}

// Reflectance and transmittance (direct light included) of slabs for light along the normal. By reciprocity they are
// the radiance along the normal of a slab under a uniform sky of radiance 1 above a black ground. The expected values
// were computed by the adding-doubling method (Hansen and Travis, "Light scattering in planetary atmospheres", Space
// Science Reviews 16, 1974) with 60 angles.
static void test_slabs(void **state)
{
    (void)state;
    const struct {
        float depth, albedo, anisotropy;
        double reflectance, transmittance;
    } slabs[] = {
        {2.0f, 0.9f, 0.0f, 0.36165, 0.35650},
        {8.0f, 0.99f, 0.35f, 0.65393, 0.19117},
    };
    Slab slab = create_slab(0.02f);
    for (size_t n = 0; n < sizeof slabs / sizeof slabs[0]; n++) {
        BrumeRenderSettings settings = dark_settings(slabs[n].depth / 0.02f, slabs[n].albedo, slabs[n].anisotropy);
        settings.sky_zenith = brume_vec3(1.0f, 1.0f, 1.0f);
        settings.sky_horizon = settings.sky_zenith;
        settings.ground = true;
        settings.ground_height = -0.5f;
        settings.ground_albedo = brume_vec3(0.0f, 0.0f, 0.0f);
        BrumeRenderer *renderer = create_loaded(&slab.volume, &settings);
        const BrumeRay down = {{0.01f, 0.1f, 0.02f}, {0.0f, -1.0f, 0.0f}};
        const BrumeRay up = {{0.01f, -0.1f, 0.02f}, {0.0f, 1.0f, 0.0f}};
        const double r = mean_radiance(renderer, &down, 100000, PATHS);
        const double t = mean_radiance(renderer, &up, 100000, PATHS);
        assert_near("the reflectance over the exact one", r / slabs[n].reflectance, 1.0, 0.01);
        assert_near("the transmittance over the exact one", t / slabs[n].transmittance, 1.0, 0.01);
        brume_renderer_destroy(renderer);
    }
    free(slab.density);
}

// white smoke under a uniform sky is invisible
static void test_white_furnace(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(24, 0);
    BrumeRenderSettings settings = dark_settings(40.0f, 1.0f, 0.3f);
    settings.sky_zenith = brume_vec3(1.0f, 1.0f, 1.0f);
    settings.sky_horizon = settings.sky_zenith;
    BrumeRenderer *renderer = create_loaded(&volume, &settings);
    const BrumeRay ray = {{0.0f, 0.5f, 2.0f}, {0.0f, 0.0f, -1.0f}};
    assert_near("the radiance", mean_radiance(renderer, &ray, 1000000, 20000), 1.0, 0.004);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

enum { WIDTH = 48, HEIGHT = 27, FLOATS = 3 * WIDTH * HEIGHT };

static BrumeTraceResult trace(const BrumeRenderer *renderer, int samples, float noise, uint32_t seed, float *radiance)
{
    const BrumeDrawDef def = {.width = WIDTH, .height = HEIGHT, .samples = samples, .seed = seed};
    const BrumeTraceDef settings = {.bounces = 100, .noise = noise};
    BrumeTraceResult result;
    BrumeError error;
    assert_int_equal(brume_renderer_trace(renderer, &plume_camera, &def, &settings, radiance, &result, &error),
                     BRUME_OK);
    return result;
}

// of two pictures, over the mean of the second
static double relative_difference(const float *a, const float *b)
{
    double squares = 0.0;
    double total = 0.0;
    for (int n = 0; n < FLOATS; n++) {
        squares += ((double)a[n] - (double)b[n]) * ((double)a[n] - (double)b[n]);
        total += (double)b[n];
    }
    return sqrt(squares / FLOATS) / (total / FLOATS);
}

static void test_same_bits_at_any_thread_count(void **state)
{
    (void)state;
    const int before = brume_get_threads();
    const BrumeRenderSettings settings = plume_settings();
    BrumeVolume volume = plume_create(24, 1);
    BrumeRenderer *renderer = create_loaded(&volume, &settings);
    static float radiance[FLOATS];
    uint64_t expected = 0;
    for (int threads = 1; threads <= 5; threads += 2) {
        brume_set_threads(threads);
        (void)trace(renderer, 6, 0.0f, 7, radiance);
        const uint64_t hash = brume_hash_bytes(radiance, sizeof radiance, 0);
        expected = threads == 1 ? hash : expected;
        assert_true(hash == expected);
    }
    brume_set_threads(before);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

// a picture whose noise is given is the one of as many paths, and has about the error that was asked for
static void test_error_and_its_estimate(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = plume_settings();
    BrumeVolume volume = plume_create(24, 0);
    BrumeRenderer *renderer = create_loaded(&volume, &settings);
    static float few[FLOATS];
    static float more[FLOATS];
    static float stopped[FLOATS];
    static float reference[FLOATS];
    (void)trace(renderer, 1024, 0.0f, 99, reference);
    const BrumeTraceResult of_few = trace(renderer, 16, 0.0f, 1, few);
    const BrumeTraceResult of_more = trace(renderer, 64, 0.0f, 1, more);
    // as a float, the error of 64 paths may be rounded down
    const BrumeTraceResult of_noise = trace(renderer, 100000, 1.0001f * (float)of_more.error, 1, stopped);
    assert_int_equal(of_few.samples, 16);
    assert_int_equal(of_more.samples, 64);
    assert_int_equal(of_noise.samples, 64);
    assert_memory_equal(stopped, more, sizeof more);
    const double error_of_few = relative_difference(few, reference);
    const double error_of_more = relative_difference(more, reference);
    // points that are spread evenly converge a little faster than one over the square root of their number
    assert_near("the ratio of the errors of 16 and 64 paths", error_of_few / error_of_more, 2.25, 0.35);
    assert_below("the error of 64 paths over its estimate", error_of_more / of_more.error, 1.1);
    assert_below("the estimate over the error of 64 paths", of_more.error / error_of_more, 1.6);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

// Root mean square error over the mean of the exact picture, of which two estimates with independent noise are known:
// the noise of the mean product of the differences from the two has the expected value 0.
static double error_without_noise(const float *picture, const float *first, const float *second)
{
    double products = 0.0;
    double total = 0.0;
    for (int n = 0; n < FLOATS; n++) {
        products += ((double)picture[n] - (double)first[n]) * ((double)picture[n] - (double)second[n]);
        total += 0.5 * ((double)first[n] + (double)second[n]);
    }
    return sqrt(products / FLOATS) / (total / FLOATS);
}

// The error against a converged picture, which a bias would keep from falling, is in proportion to the number of paths
// to the power of -1/2. Points that are spread evenly may do a little better.
static void test_error_falls_as_the_root_of_the_paths(void **state)
{
    (void)state;
    enum { SEEDS = 4, COUNTS = 3 };
    static const int paths[COUNTS] = {4, 16, 64};
    static float first[FLOATS];
    static float second[FLOATS];
    static float picture[FLOATS];
    const BrumeRenderSettings settings = plume_settings();
    BrumeVolume volume = plume_create(24, 0);
    BrumeRenderer *renderer = create_loaded(&volume, &settings);
    (void)trace(renderer, 256, 0.0f, 98, first);
    (void)trace(renderer, 256, 0.0f, 99, second);
    double errors[COUNTS];
    for (int n = 0; n < COUNTS; n++) {
        double squares = 0.0;
        const int seeds = SEEDS * paths[0] / paths[n] > 0 ? SEEDS * paths[0] / paths[n] : 1;
        for (int seed = 1; seed <= seeds; seed++) {
            (void)trace(renderer, paths[n], 0.0f, (uint32_t)seed, picture);
            const double error = error_without_noise(picture, first, second);
            squares += error * error / seeds;
        }
        errors[n] = sqrt(squares);
    }
    assert_near("the exponent from 4 to 16 paths", log(errors[1] / errors[0]) / log(4.0), -0.525, 0.075);
    assert_near("the exponent from 16 to 64 paths", log(errors[2] / errors[1]) / log(4.0), -0.525, 0.075);
    assert_near("the exponent from 4 to 64 paths", log(errors[2] / errors[0]) / log(16.0), -0.525, 0.075);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phase_function_is_sampled),
        cmocka_unit_test(test_tracking_is_unbiased),
        cmocka_unit_test(test_single_scattering),
        cmocka_unit_test(test_slabs),
        cmocka_unit_test(test_white_furnace),
        cmocka_unit_test(test_same_bits_at_any_thread_count),
        cmocka_unit_test(test_error_and_its_estimate),
        cmocka_unit_test(test_error_falls_as_the_root_of_the_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

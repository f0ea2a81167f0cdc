// Multiple scattering by discrete ordinates: slabs against exact values, pictures against the path tracer, the light
// of smoke on the ground, and the same bits at any number of threads and whatever was lit before.
#include "brume/threads.h"
#include "core/hash.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch_check.h"
#include "raymarch_plume.h"
#include "sanitized.h"

#include <stdlib.h>
#include <string.h>

static BrumeRenderSettings settings_of(float extinction, float albedo, float anisotropy)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        settings.smoke[kind] = (BrumeSmokeMedium){extinction, {albedo, albedo, albedo}};
    }
    settings.anisotropy = anisotropy;
    settings.ground = false;
    return settings;
}

static void set_sky(BrumeRenderSettings *settings, float radiance)
{
    settings->sky_zenith = brume_vec3(radiance, radiance, radiance);
    settings->sky_horizon = settings->sky_zenith;
}

static BrumeRenderer *create_loaded(const BrumeVolume *volume, const BrumeRenderSettings *settings)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, volume->nx, volume->ny, volume->nz, settings, &error), BRUME_OK);
    if (brume_renderer_load(renderer, volume, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return renderer;
}

// Reflectance and transmittance (direct light included) of slabs, as in test_raymarch_path.c: once by reciprocity under
// a uniform sky, along the normal; once under a sun along the normal, from the irradiance of the ground below.
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
    enum { LAYERS = 24, ACROSS = 240 };
    const float dx = 0.02f / LAYERS;
    const size_t cells = (size_t)ACROSS * LAYERS * ACROSS;
    float *density = malloc(cells * sizeof *density);
    assert_non_null(density);
    for (size_t n = 0; n < cells; n++) {
        density[n] = 1.0f;
    }
    const BrumeVolume volume =
        brume_volume_from_array(density, ACROSS, LAYERS, ACROSS, dx, brume_vec3(-0.1f, 0.0f, -0.1f));
    for (size_t n = 0; n < sizeof slabs / sizeof slabs[0]; n++) {
        BrumeRenderSettings settings = settings_of(slabs[n].depth / 0.02f, slabs[n].albedo, slabs[n].anisotropy);
        set_sky(&settings, 1.0f);
        settings.light_count = 0;
        settings.ground = true;
        settings.ground_height = -1e-3f;
        settings.ground_albedo = brume_vec3(0.0f, 0.0f, 0.0f);
        BrumeRenderer *renderer = create_loaded(&volume, &settings);
        brume_renderer_light(renderer, NULL);
        const BrumeRay down = {{0.01f, 0.1f, 0.02f}, {0.0f, -1.0f, 0.0f}};
        const BrumeRay up = {{0.01f, -5e-4f, 0.02f}, {0.0f, 1.0f, 0.0f}};
        const BrumeMarchSteps steps = {.length = 0.25f, .jitter = 0.5f};
        const double r = (double)brume_ray_radiance(&renderer->lit, &down, steps).y;
        const double t = (double)brume_ray_radiance(&renderer->lit, &up, steps).y;
        print_message("slab %zu under a sky: %.4f %.4f\n", n, r, t);
        assert_near("reflectance over the exact one", r / slabs[n].reflectance, 1.0, 0.03);
        assert_near("transmittance over the exact one", t / slabs[n].transmittance, 1.0, 0.03);
        // sunlight through the slab falls on the ground, where it is visible
        set_sky(&settings, 0.0f);
        settings.light_count = 1;
        settings.lights[0] = (BrumeLight){.kind = BRUME_LIGHT_DIRECTIONAL,
                                          .direction = {0.0f, -1.0f, 0.0f},
                                          .color = {1.0f, 1.0f, 1.0f},
                                          .intensity = 1.0f};
        BrumeError error;
        assert_int_equal(brume_renderer_set_settings(renderer, &settings, &error), BRUME_OK);
        assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
        brume_renderer_light(renderer, NULL);
        const BrumeVec3 diffuse =
            brume_scattered_light_ground(&renderer->lit.scattered, brume_vec3(0.01f, -1e-3f, 0.02f));
        const double through = M_PI * (double)diffuse.y + exp(-(double)slabs[n].depth);
        print_message("slab %zu under a sun: %.4f\n", n, through);
        assert_near("light on the ground over the exact one", through / slabs[n].transmittance, 1.0, 0.05);
        brume_renderer_destroy(renderer);
    }
    free(density);
}

enum { WIDTH = 28, HEIGHT = 36, PIXELS = WIDTH * HEIGHT };

typedef struct Comparison {
    double rmse, mean; // relative to the mean of the reference, without its noise
} Comparison;

// The marched picture against two references of different random numbers: the product of the two differences has no
// noise on average.
static Comparison compare(BrumeRenderer *renderer, int samples, int bounces)
{
    static float pictures[3][3 * PIXELS];
    BrumeDrawDef def = {.width = WIDTH, .height = HEIGHT, .samples = 16, .seed = 1};
    BrumeError error;
    assert_int_equal(brume_renderer_draw(renderer, &plume_camera, &def, pictures[0], NULL), BRUME_OK);
    def.samples = samples;
    BrumeTraceDef trace = brume_default_trace_def();
    trace.bounces = bounces;
    BrumeTraceResult result;
    for (int n = 1; n < 3; n++) {
        def.seed = (uint32_t)n;
        assert_int_equal(brume_renderer_trace(renderer, &plume_camera, &def, &trace, pictures[n], &result, &error),
                         BRUME_OK);
    }
    double squares = 0.0;
    double marched = 0.0;
    double traced = 0.0;
    for (int n = 0; n < 3 * PIXELS; n++) {
        squares += (double)(pictures[0][n] - pictures[1][n]) * (double)(pictures[0][n] - pictures[2][n]);
        marched += (double)pictures[0][n];
        traced += 0.5 * ((double)pictures[1][n] + (double)pictures[2][n]);
    }
    return (Comparison){sqrt(fabs(squares) * 3.0 * PIXELS) / traced, marched / traced - 1.0};
}

static void test_pictures_against_the_reference(void **state)
{
    (void)state;
    const struct {
        const char *name;
        bool colored;
        float extinction, albedo, anisotropy;
        BrumeVec3 sun;
        bool ground;
        double rmse, mean;
    } cases[] = {
        {"thin", false, 5.0f, 0.89f, 0.35f, {0.4f, -0.8f, -0.4f}, false, 0.03, 0.01},
        {"dense and white", false, 40.0f, 0.99f, 0.35f, {0.4f, -0.8f, -0.4f}, false, 0.07, 0.02},
        {"colored", true, 25.0f, 0.0f, 0.35f, {0.4f, -0.8f, -0.4f}, false, 0.05, 0.01},
        {"backlit", false, 20.0f, 0.95f, 0.35f, {0.3f, -0.3f, 0.9f}, false, 0.05, 0.015},
        {"above a ground", false, 20.0f, 0.93f, 0.35f, {0.4f, -0.8f, -0.4f}, true, 0.06, 0.015},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        BrumeVolume volume = plume_create(32, cases[n].colored);
        BrumeRenderSettings settings = settings_of(cases[n].extinction, cases[n].albedo, cases[n].anisotropy);
        if (cases[n].colored) {
            settings.smoke[1].albedo = brume_vec3(0.98f, 0.8f, 0.4f);
            settings.smoke[2].albedo = brume_vec3(0.5f, 0.8f, 0.98f);
        }
        settings.lights[0].direction = cases[n].sun;
        settings.ground = cases[n].ground;
        BrumeRenderer *renderer = create_loaded(&volume, &settings);
        brume_renderer_light(renderer, NULL);
        const Comparison comparison = compare(renderer, 32, 1000);
        print_message("%s: %.4f, mean %+.4f\n", cases[n].name, comparison.rmse, comparison.mean);
        assert_below("root mean square error", comparison.rmse, cases[n].rmse);
        assert_near("error of the mean", comparison.mean, 0.0, cases[n].mean);
        brume_renderer_destroy(renderer);
        plume_destroy(&volume);
    }
}

// without the stored light, marching in isotropic smoke is single scattering
static void test_single_scattering_against_the_reference(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(32, 0);
    BrumeRenderSettings settings = settings_of(20.0f, 0.9f, 0.0f);
    set_sky(&settings, 0.0f);
    BrumeRenderer *renderer = create_loaded(&volume, &settings);
    brume_renderer_light(renderer, NULL);
    const size_t entries = brume_grid_entries(renderer->lit.scattered.grids[0].albedo[0].grid);
    memset(renderer->lit.scattered.moments, 0, 3 * BRUME_LIGHT_MOMENTS * entries * sizeof(float));
    const Comparison comparison = compare(renderer, 128, 0);
    print_message("single scattering: %.4f, mean %+.4f\n", comparison.rmse, comparison.mean);
    assert_near("error of the mean", comparison.mean, 0.0, 0.02);
    assert_below("root mean square error", comparison.rmse, 0.13);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

static uint64_t light_and_hash(BrumeRenderer *renderer, int threads)
{
    const BrumeScatteredLight *light = &renderer->lit.scattered;
    brume_set_threads(threads);
    brume_renderer_light(renderer, NULL);
    const size_t entries = brume_grid_entries(light->grids[0].albedo[0].grid);
    return brume_hash_bytes(light->moments, 3 * BRUME_LIGHT_MOMENTS * entries * sizeof(float), 0) ^
           brume_hash_bytes(light->ground, (size_t)4 * BRUME_GROUND_MAP * BRUME_GROUND_MAP * sizeof(float), 1);
}

static void test_bits(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(20, 1);
    BrumeRenderSettings settings = plume_settings();
    BrumeRenderer *renderer = create_loaded(&volume, &settings);
    const uint64_t first = light_and_hash(renderer, 1);
    for (int threads = 2; threads <= 5; threads++) {
        assert_true(light_and_hash(renderer, threads) == first);
    }
    // other volumes in between leave nothing behind, not even many
    BrumeVolume other = plume_create(13, 1);
    BrumeError error;
    const int rounds = fewer_under_sanitizers(25, 3);
    for (int n = 0; n < rounds; n++) {
        assert_int_equal(brume_renderer_load(renderer, &other, &error), BRUME_OK);
        assert_true(light_and_hash(renderer, 2) != first);
        assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
        assert_true(light_and_hash(renderer, 2) == first);
    }
    assert_true(renderer->lit.scattered.iterations < 8);
    assert_below("change in the last iteration", renderer->lit.scattered.change, 2e-3);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
    plume_destroy(&other);
}

// White smoke under a white sky has the radiance of the sky, also where its cells are thick, with the same bits.
static void test_thick_smoke_in_the_white_furnace(void **state)
{
    (void)state;
    enum { SIDE = 24 };
    static float density[SIDE * SIDE * SIDE];
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        const int x = 2 * (n % SIDE) + 1 - SIDE;
        const int y = 2 * (n / SIDE % SIDE) + 1 - SIDE;
        const int z = 2 * (n / (SIDE * SIDE)) + 1 - SIDE;
        density[n] = x * x + y * y + z * z < 18 * 18 ? 1.0f : 0.0f;
    }
    const BrumeVolume volume = brume_volume_from_array(density, SIDE, SIDE, SIDE, 0.05f, brume_vec3(0.0f, 0.0f, 0.0f));
    const float depths[] = {3.0f, 20.0f, 400.0f}; // of a cell
    for (size_t n = 0; n < sizeof depths / sizeof depths[0]; n++) {
        BrumeRenderSettings settings = settings_of(depths[n] / volume.dx, 1.0f, 0.0f);
        set_sky(&settings, 1.0f);
        settings.light_count = 0;
        BrumeRenderer *renderer = create_loaded(&volume, &settings);
        const uint64_t first = light_and_hash(renderer, 1);
        assert_true(light_and_hash(renderer, 3) == first);
        const BrumeScatteredLight *light = &renderer->lit.scattered;
        const BrumeField *shape = &light->grids[0].albedo[0];
        double largest = 0.0;
        for (int m = 0; m < SIDE * SIDE * SIDE; m++) {
            const ptrdiff_t c = brume_field_index(shape, m % SIDE + 1, m / SIDE % SIDE + 1, m / (SIDE * SIDE) + 1);
            const double error = fabs((double)light->moments[BRUME_LIGHT_MOMENTS * c] - 1.0);
            largest = density[m] > 0.0f ? fmax(largest, error) : largest;
        }
        assert_below("difference from the radiance of the sky", largest, 0.05);
        brume_renderer_destroy(renderer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thick_smoke_in_the_white_furnace),
        cmocka_unit_test(test_slabs),
        cmocka_unit_test(test_pictures_against_the_reference),
        cmocka_unit_test(test_single_scattering_against_the_reference),
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

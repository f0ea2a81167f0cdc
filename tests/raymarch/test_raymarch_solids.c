// Solids in the solution for scattered light, against path tracing: smoke next to dark and bright spheres under a sky
// and under a sun, and the surfaces of the spheres.
#include "brume/threads.h"
#include "core/hash.h"
#include "core/vec3.h"
#include "lit_renderer.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/path/light_path.h"
#include "raymarch/path/sky_distribution.h"
#include "raymarch/path_sampler.h"
#include "raymarch_ball.h"

#include <math.h>

enum { SIDE = 48 };

static float density[SIDE * SIDE * SIDE];

// a box of 1 m with a ball of smoke in its middle
static BrumeVolume cloud(void)
{
    set_ball(density, SIDE, 0.45f);
    return brume_volume_from_array(density, SIDE, SIDE, SIDE, 1.0f / SIDE, brume_vec3(-0.5f, -0.5f, -0.5f));
}

static const float sphere_radius = 0.17f;

// a sphere of this albedo in the middle
static BrumeRenderSettings sphere_settings(float extinction, float albedo, bool sun)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.smoke[0] = (BrumeSmokeMedium){extinction, {0.9f, 0.9f, 0.9f}};
    settings.anisotropy = 0.0f;
    settings.ground = false;
    settings.sky.kind = BRUME_SKY_CONSTANT;
    settings.sky.radiance = sun ? brume_vec3(0.0f, 0.0f, 0.0f) : brume_vec3(1.0f, 1.0f, 1.0f);
    settings.light_count = sun ? 1 : 0;
    settings.lights[0].direction = brume_vec3(0.6f, -0.8f, 0.0f);
    settings.surface_count = 1;
    settings.surfaces[0] =
        (BrumeSurface){.shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.01f, 0.013f, -0.007f}, .radius = sphere_radius},
                       {albedo, albedo, albedo}};
    return settings;
}

// mean radiance of `count` paths
static double traced(const BrumePathScene *scene, const BrumeRay *ray, int count)
{
    double sum = 0.0;
    for (int n = 0; n < count; n++) {
        BrumePathSampler sampler = brume_path_sampler(0, 0, 1, (uint32_t)n);
        sum += (double)brume_path_radiance(scene, ray, &sampler).y / count;
    }
    return sum;
}

typedef struct Radiance {
    double marched, traced;
} Radiance;

// Radiance of both renderers along rays from all sides that pass the center of the sphere at a distance of `from` to
// `to` radii, without the light of the sky behind them.
static Radiance compare(const BrumeRenderer *renderer, float from, float to, int paths)
{
    enum { DIRECTIONS = 16, RAYS = 3 };
    const BrumeRenderSettings *settings = &renderer->lit.settings;
    BrumeSkyDistribution sky;
    BrumeError error;
    assert_int_equal(brume_sky_distribution_create(&sky, settings, &error), BRUME_OK);
    const BrumePathScene scene = brume_path_scene(&renderer->lit.medium, settings, &sky, 1000);
    const BrumeMarchSteps steps = {.length = 0.5f, .jitter = 0.5f};
    Radiance sum = {0};
    for (int n = 0; n < DIRECTIONS * RAYS; n++) {
        const int which = n / RAYS;
        const float azimuth = 2.399963f * (float)which;
        const float y = 0.8f - 1.6f * ((float)which + 0.5f) / DIRECTIONS;
        const float across = sqrtf(1.0f - y * y);
        const BrumeVec3 towards = {across * cosf(azimuth), y, across * sinf(azimuth)};
        const BrumeVec3 side = brume_normalize(brume_cross(towards, brume_vec3(0.0f, 1.0f, 0.0f)));
        const BrumeVec3 up = brume_cross(side, towards);
        const float turn = 2.0f * (float)M_PI * ((float)(n % RAYS) + 0.37f * (float)which) / RAYS;
        const float radii = from + (to - from) * ((float)(n * 7 % (DIRECTIONS * RAYS)) + 0.5f) / (DIRECTIONS * RAYS);
        const BrumeVec3 offset =
            brume_scale(brume_add(brume_scale(side, cosf(turn)), brume_scale(up, sinf(turn))), radii * sphere_radius);
        const BrumeVec3 middle = brume_add(settings->surfaces[0].shape.a, offset);
        const BrumeRay ray = {brume_sub(middle, brume_scale(towards, 3.0f)), towards};
        double behind = 0.0;
        if (from >= 1.0f) {
            behind =
                (double)brume_march_transmittance(&renderer->lit, &ray, INFINITY) * (double)settings->sky.radiance.y;
        }
        sum.marched += (double)brume_ray_radiance(&renderer->lit, &ray, steps).y - behind;
        sum.traced += traced(&scene, &ray, paths) - behind;
    }
    brume_sky_distribution_destroy(&sky);
    return sum;
}

static void expect_close(const char *what, Radiance sum, double tolerance)
{
    const double ratio = sum.marched / sum.traced;
    print_message("    %s: %+.3f\n", what, ratio - 1.0);
    assert_near(what, ratio, 1.0, tolerance);
}

// Without solids in the solution, smoke close to a dark sphere was 11 % too bright, and 6 % too dark next to a bright
// one in the sun; a dark sphere in the sky's light was 16 % too bright.
static void test_spheres(void **state)
{
    (void)state;
    const BrumeVolume volume = cloud();
    const struct {
        const char *name;
        float extinction, albedo;
        bool sun;
    } cases[] = {
        {"thin smoke, dark sphere, sky", 3.0f, 0.1f, false},   {"thin smoke, bright sphere, sky", 3.0f, 0.8f, false},
        {"thin smoke, dark sphere, sun", 3.0f, 0.1f, true},    {"thin smoke, bright sphere, sun", 3.0f, 0.8f, true},
        {"dense smoke, dark sphere, sky", 12.0f, 0.1f, false}, {"dense smoke, bright sphere, sun", 12.0f, 0.8f, true},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const BrumeRenderSettings settings = sphere_settings(cases[n].extinction, cases[n].albedo, cases[n].sun);
        BrumeRenderer *renderer = create_lit(&volume, &settings);
        print_message("%s\n", cases[n].name);
        expect_close("smoke up to 0.4 radii from the sphere", compare(renderer, 1.05f, 1.4f, 300), 0.035);
        expect_close("smoke further away", compare(renderer, 1.4f, 2.0f, 300), 0.04);
        expect_close("the sphere", compare(renderer, 0.1f, 0.95f, 300), 0.07);
        brume_renderer_destroy(renderer);
    }
}

// Mean radiance over all directions at a point [m], of all light that does not come directly from the sun: the radiance
// of the solution, and by path tracing, one path along each of `paths` directions.
static Radiance mean_radiance(const BrumeRenderer *renderer, BrumeVec3 point, int paths)
{
    const BrumeRenderSettings *settings = &renderer->lit.settings;
    const BrumeGridMedium *medium = &renderer->lit.medium;
    const BrumeVec3 cells = brume_scale(brume_sub(point, medium->origin), 1.0f / medium->dx);
    Radiance mean = {(double)brume_scattered_light_at(&renderer->lit.scattered, cells).color[1][0], 0.0};
    BrumeSkyDistribution sky;
    BrumeError error;
    assert_int_equal(brume_sky_distribution_create(&sky, settings, &error), BRUME_OK);
    const BrumePathScene scene = brume_path_scene(medium, settings, &sky, 1000);
    for (int n = 0; n < paths; n++) {
        const float y = 1.0f - (2.0f * (float)n + 1.0f) / (float)paths;
        const float azimuth = 2.399963f * (float)n;
        const float across = sqrtf(1.0f - y * y);
        const BrumeRay ray = {point, {across * cosf(azimuth), y, across * sinf(azimuth)}};
        BrumePathSampler sampler = brume_path_sampler(0, 0, 1, (uint32_t)n);
        mean.traced += (double)brume_path_radiance(&scene, &ray, &sampler).y / paths;
    }
    brume_sky_distribution_destroy(&sky);
    return mean;
}

// light close to the sunny side of a sphere
static void test_light_of_a_sphere(void **state)
{
    (void)state;
    const BrumeVolume volume = cloud();
    const BrumeVec3 before = {-0.6f * 0.24f, 0.8f * 0.24f, 0.0f};
    double means[2][2];
    for (int n = 0; n < 4; n++) {
        const bool sun = n / 2 == 1;
        const BrumeRenderSettings settings = sphere_settings(3.0f, n % 2 == 0 ? 0.1f : 0.8f, sun);
        BrumeRenderer *renderer = create_lit(&volume, &settings);
        const Radiance mean = mean_radiance(renderer, brume_add(settings.surfaces[0].shape.a, before), 20000);
        print_message("%s, albedo %.1f: %.4f, path tracing %.4f\n", sun ? "sun" : "sky", n % 2 == 0 ? 0.1 : 0.8,
                      mean.marched, mean.traced);
        assert_near("mean radiance over that of path tracing", mean.marched / mean.traced, 1.0, 0.06);
        means[sun][n % 2] = mean.marched;
        brume_renderer_destroy(renderer);
    }
    // so much is from the sphere
    assert_true(means[0][1] > 1.1 * means[0][0] && means[1][1] > 1.4 * means[1][0]);
}

// all solids of albedo 1, of any shape and thickness, are invisible under a uniform sky
static void test_white_furnace(void **state)
{
    (void)state;
    const BrumeVolume volume = cloud();
    BrumeRenderSettings settings = sphere_settings(6.0f, 1.0f, false);
    settings.smoke[0].albedo = brume_vec3(1.0f, 1.0f, 1.0f);
    const BrumeShape shapes[] = {
        settings.surfaces[0].shape,
        {.kind = BRUME_SHAPE_BOX, .a = {-0.5f, -0.5f, -0.5f}, .b = {0.5f, -0.38f, 0.1f}},
        {.kind = BRUME_SHAPE_BOX, .a = {0.3f, -0.3f, -0.4f}, .b = {0.31f, 0.3f, 0.4f}},
        {.kind = BRUME_SHAPE_CAPSULE, .a = {-0.4f, 0.0f, -0.3f}, .b = {-0.2f, 0.4f, 0.3f}, .radius = 0.02f},
        {.kind = BRUME_SHAPE_CYLINDER, .a = {-0.7f, -0.2f, 0.3f}, .b = {-0.2f, -0.2f, 0.3f}, .radius = 0.1f},
    };
    settings.surface_count = (int)(sizeof shapes / sizeof shapes[0]);
    for (int n = 0; n < settings.surface_count; n++) {
        settings.surfaces[n] = (BrumeSurface){.shape = shapes[n], {1.0f, 1.0f, 1.0f}};
    }
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    for (uint32_t n = 0; n < 500; n++) {
        const BrumeVec3 target = {brume_unit_float(brume_hash3(n, 0, 3)) - 0.5f,
                                  brume_unit_float(brume_hash3(n, 1, 3)) - 0.5f,
                                  brume_unit_float(brume_hash3(n, 2, 3)) - 0.5f};
        const BrumeVec3 eye = {0.7f, 0.6f, 3.0f};
        const BrumeRay ray = {eye, brume_normalize(brume_sub(target, eye))};
        const BrumeVec3 seen = brume_ray_radiance(&renderer->lit, &ray, (BrumeMarchSteps){1.0f, 0.5f, 0.0f});
        assert_near("radiance in a white furnace", seen.x, 1.0, 0.01);
    }
    brume_renderer_destroy(renderer);
}

// the mean radiance over all directions in the middle of a closed room, whose walls are boxes of this thickness [m]
static double radiance_in_room(float thickness, bool sun)
{
    const BrumeVolume volume = cloud();
    BrumeRenderSettings settings = sphere_settings(3.0f, 0.8f, sun);
    const float half[3] = {0.31f, 0.23f, 0.27f};
    for (int n = 0; n < 6; n++) {
        float lower[3] = {-half[0], -half[1], -half[2]};
        float upper[3] = {half[0], half[1], half[2]};
        float *const moved = n % 2 == 0 ? upper : lower;
        moved[n / 2] = n % 2 == 0 ? thickness - half[n / 2] : half[n / 2] - thickness;
        settings.surfaces[n] = (BrumeSurface){.shape = {.kind = BRUME_SHAPE_BOX,
                                                        .a = {lower[0], lower[1], lower[2]},
                                                        .b = {upper[0], upper[1], upper[2]}},
                                              {0.8f, 0.8f, 0.8f}};
    }
    settings.surface_count = 6;
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    enum { RAYS = 200 };
    double mean = 0.0;
    for (int n = 0; n < RAYS; n++) {
        const float y = 1.0f - (2.0f * (float)n + 1.0f) / (float)RAYS;
        const float azimuth = 2.399963f * (float)n;
        const float across = sqrtf(1.0f - y * y);
        const BrumeRay ray = {{0.0f, 0.0f, 0.0f}, {across * cosf(azimuth), y, across * sinf(azimuth)}};
        mean += (double)brume_ray_radiance(&renderer->lit, &ray, (BrumeMarchSteps){1.0f, 0.5f, 0.0f}).y / RAYS;
    }
    brume_renderer_destroy(renderer);
    return mean;
}

// nothing shines through walls of one to three cells of the solution, whose side is 1/24 m here
static void test_closed_room(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        const float thickness = (1.1f + 0.5f * (float)n) / 24.0f;
        for (int sun = 0; sun < 2; sun++) {
            const double mean = radiance_in_room(thickness, sun == 1);
            print_message("room with walls of %.2f cells, %s: %.4f\n", 24.0 * (double)thickness, sun ? "sun" : "sky",
                          mean);
            assert_true(mean >= 0.0 && mean < 0.03);
        }
    }
}

static uint64_t light_and_hash(BrumeRenderer *renderer, int threads)
{
    const BrumeScatteredLight *light = &renderer->lit.scattered;
    brume_set_threads(threads);
    brume_renderer_light(renderer, NULL);
    const size_t entries = brume_grid_entries(light->grids[0].albedo[0].grid);
    return brume_hash_bytes(light->moments, 3 * BRUME_LIGHT_MOMENTS * entries * sizeof(float), 0);
}

static void test_bits(void **state)
{
    (void)state;
    const BrumeVolume volume = cloud();
    const BrumeRenderSettings settings = sphere_settings(3.0f, 0.8f, true);
    BrumeRenderSettings without = settings;
    without.surface_count = 0;
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    const uint64_t first = light_and_hash(renderer, 1);
    BrumeError error;
    for (int threads = 2; threads <= 5; threads++) {
        // another lighting in between leaves nothing behind
        assert_int_equal(brume_renderer_set_settings(renderer, &without, &error), BRUME_OK);
        assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
        assert_true(light_and_hash(renderer, threads) != first);
        assert_int_equal(brume_renderer_set_settings(renderer, &settings, &error), BRUME_OK);
        assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
        assert_true(light_and_hash(renderer, threads) == first);
    }
    brume_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres),       cmocka_unit_test(test_light_of_a_sphere),
        cmocka_unit_test(test_white_furnace), cmocka_unit_test(test_closed_room),
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Light between smoke and its surroundings against path tracing: the shadow of a cloud on the ground, and the light of
// that ground on the cloud.
#include "core/vec3.h"
#include "lit_renderer.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/path/light_path.h"
#include "raymarch/path/sky_distribution.h"
#include "raymarch/path_sampler.h"
#include "raymarch_ball.h"

#include <math.h>

enum { SIDE = 32 };

static float density[SIDE * SIDE * SIDE];

// a ball of smoke in a box of 1 m that floats 5 cm above a bright ground
static BrumeVolume cloud(void)
{
    set_ball(density, SIDE, 0.4f);
    return brume_volume_from_array(density, SIDE, SIDE, SIDE, 1.0f / SIDE, brume_vec3(-0.5f, 0.05f, -0.5f));
}

static BrumeRenderSettings cloud_settings(void)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.smoke[0] = (BrumeSmokeMedium){20.0f, {0.97f, 0.95f, 0.92f}};
    settings.ground_albedo = brume_vec3(0.8f, 0.7f, 0.6f);
    settings.lights[0].direction = brume_vec3(0.5f, -1.0f, 0.2f);
    return settings;
}

// mean radiance of `count` paths
static BrumeVec3 traced(const BrumePathScene *scene, const BrumeRay *ray, int count)
{
    double sum[3] = {0};
    for (int n = 0; n < count; n++) {
        BrumePathSampler sampler = brume_path_sampler(0, 0, 1, (uint32_t)n);
        const BrumeVec3 radiance = brume_path_radiance(scene, ray, &sampler);
        sum[0] += (double)radiance.x / count;
        sum[1] += (double)radiance.y / count;
        sum[2] += (double)radiance.z / count;
    }
    return brume_vec3((float)sum[0], (float)sum[1], (float)sum[2]);
}

// radiance of both renderers along many rays
enum { GROUPS = 4, POINTS = 14 };

typedef struct Sums {
    BrumeVec3 marched, traced;
    int count;
} Sums;

static void compare(const BrumeRenderer *renderer, const BrumeRay *ray, int paths, Sums *sums)
{
    BrumeSkyDistribution sky;
    BrumeError error;
    assert_int_equal(brume_sky_distribution_create(&sky, &renderer->lit.settings, &error), BRUME_OK);
    const BrumePathScene scene = brume_path_scene(&renderer->lit.medium, &renderer->lit.settings, &sky, 1000);
    const BrumeMarchSteps steps = {.length = 0.5f, .jitter = 0.5f};
    sums->marched = brume_add(sums->marched, brume_ray_radiance(&renderer->lit, ray, steps));
    sums->traced = brume_add(sums->traced, traced(&scene, ray, paths));
    sums->count++;
    brume_sky_distribution_destroy(&sky);
}

static void expect_close(const char *name, const Sums *sums, double tolerance)
{
    const double ratios[3] = {(double)(sums->marched.x / sums->traced.x), (double)(sums->marched.y / sums->traced.y),
                              (double)(sums->marched.z / sums->traced.z)};
    print_message("%s, %d rays: %.4f %.4f %.4f\n", name, sums->count, ratios[0], ratios[1], ratios[2]);
    for (int c = 0; c < 3; c++) {
        assert_near(name, ratios[c], 1.0, tolerance);
    }
}

// the ground by the fraction of the sun's light that the cloud leaves, in each color
static void test_shadow_on_the_ground(void **state)
{
    (void)state;
    const BrumeVolume volume = cloud();
    const BrumeRenderSettings settings = cloud_settings();
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    const BrumeVec3 to_sun = brume_scale(renderer->lit.settings.lights[0].direction, -1.0f);
    Sums sums[3] = {0};
    for (int n = 0; n < POINTS * POINTS; n++) {
        const int row = n / POINTS;
        const int column = n % POINTS;
        const BrumeVec3 point = brume_vec3(0.12f * ((float)column + 0.5f - 0.5f * POINTS) + 0.25f, 1e-3f,
                                           0.12f * ((float)row + 0.5f - 0.5f * POINTS) + 0.1f);
        const BrumeRay shadow = {point, to_sun};
        const float left = brume_march_transmittance(&renderer->lit, &shadow, INFINITY);
        const BrumeRay down = {point, {0.0f, -1.0f, 0.0f}};
        compare(renderer, &down, 500, &sums[left < 0.05f ? 0 : left < 0.95f ? 1 : 2]);
    }
    expect_close("umbra", &sums[0], 0.05);
    expect_close("penumbra", &sums[1], 0.03);
    expect_close("open ground", &sums[2], 0.02);
    brume_renderer_destroy(renderer);
}

// the lower half of the cloud is lit by the ground in its shadow, far less than by an open ground
static void test_light_of_the_ground(void **state)
{
    (void)state;
    const BrumeVolume volume = cloud();
    const BrumeRenderSettings settings = cloud_settings();
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    const char *const names[GROUPS] = {"upper side", "middle", "lower half", "lower side"};
    const float heights[GROUPS] = {0.8f, 0.55f, 0.4f, 0.28f};
    for (int group = 0; group < GROUPS; group++) {
        Sums sums = {0};
        for (int n = 0; n < 8; n++) {
            const BrumeVec3 from = {0.0f, 0.55f, 3.0f};
            const BrumeVec3 target = {0.04f * ((float)n - 3.5f), heights[group], 0.0f};
            const BrumeRay ray = {from, brume_normalize(brume_sub(target, from))};
            compare(renderer, &ray, 3000, &sums);
        }
        expect_close(names[group], &sums, 0.08);
    }
    brume_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shadow_on_the_ground),
        cmocka_unit_test(test_light_of_the_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Thermal radiation: Planck's law and its colors against published values, the table of temperatures, slabs and a
// furnace with exact answers in the ray marcher and the path tracer.
#include "core/elementary.h"
#include "core/vec3.h"
#include "lit_renderer.h"
#include "raymarch/blackbody.h"
#include "raymarch/cpu/march.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/path/light_path.h"
#include "raymarch_plume.h"

#include <stdlib.h>
#include <string.h>

// the integral over all wavelengths is sigma T^4 / pi, with the constant of Stefan and Boltzmann
static void test_planck_integrates_to_stefan_boltzmann(void **state)
{
    (void)state;
    const double temperatures[] = {700.0, 1500.0, 5772.0};
    for (size_t n = 0; n < sizeof temperatures / sizeof temperatures[0]; n++) {
        const double t = temperatures[n];
        double sum = 0.0;
        enum { STEPS = 4000 };
        const double from = log(1e-7);
        const double to = log(2e-3);
        for (int i = 0; i < STEPS; i++) { // over the logarithm of the wavelength
            const double wavelength = exp(from + (i + 0.5) * (to - from) / STEPS);
            sum += brume_planck(wavelength, t) * wavelength * (to - from) / STEPS;
        }
        const double exact = 5.670374419e-8 * t * t * t * t / 3.14159265358979324;
        assert_near("the radiance over that of Stefan and Boltzmann", sum / exact, 1.0, 1e-5);
    }
    // Wien: the maximum over the wavelength is at 2897.771955 um K
    const double peak = 2897.771955e-6 / 1500.0;
    assert_true(brume_planck(peak, 1500.0) > brume_planck(0.999 * peak, 1500.0));
    assert_true(brume_planck(peak, 1500.0) > brume_planck(1.001 * peak, 1500.0));
}

static void test_colors_are_the_published_ones(void **state)
{
    (void)state;
    // Wyszecki and Stiles, "Color Science", 1982: chromaticities of the Planckian locus
    const struct {
        double temperature, x, y;
    } locus[] = {{1500.0, 0.5857, 0.3931}, {2000.0, 0.5267, 0.4133}, {2856.0, 0.4476, 0.4075},
                 {4000.0, 0.3805, 0.3768}, {6500.0, 0.3135, 0.3237}, {10000.0, 0.2807, 0.2884}};
    for (size_t n = 0; n < sizeof locus / sizeof locus[0]; n++) {
        double xyz[3];
        brume_blackbody_xyz(locus[n].temperature, xyz);
        const double sum = xyz[0] + xyz[1] + xyz[2];
        assert_near("x", xyz[0] / sum, locus[n].x, 0.005); // the color matching functions are a fit
        assert_near("y", xyz[1] / sum, locus[n].y, 0.005);
    }
    // the candela of 1948: a black body at the freezing point of platinum, 2042 K, has 60 cd/cm^2
    double xyz[3];
    brume_blackbody_xyz(2042.0, xyz);
    assert_near("the luminance over 6e5 cd/m^2", 683.0 * xyz[1] / 6e5, 1.0, 0.001);
    // its radiance in units of the scene has that luminance at 179 lm/W, where no component is outside of the gamut
    const BrumeVec3 rgb = brume_blackbody_radiance(5000.0);
    brume_blackbody_xyz(5000.0, xyz);
    const double luminance = 0.2126 * (double)rgb.x + 0.7152 * (double)rgb.y + 0.0722 * (double)rgb.z;
    assert_near("the luminance", 179.0 * luminance / (683.0 * xyz[1]), 1.0, 1e-3);
    // below 1900 K the blue is outside of the gamut
    assert_true(brume_blackbody_radiance(1500.0).z == 0.0f && brume_blackbody_radiance(2100.0).z > 0.0f);
}

// every component within `relative` of the largest one
static void expect_close(BrumeVec3 value, BrumeVec3 expected, double relative)
{
    const double largest = (double)brume_max(expected.x, brume_max(expected.y, expected.z));
    assert_near("red over the largest component", (double)value.x / largest, (double)expected.x / largest, relative);
    assert_near("green over the largest component", (double)value.y / largest, (double)expected.y / largest, relative);
    assert_near("blue over the largest component", (double)value.z / largest, (double)expected.z / largest, relative);
}

static void test_table_is_close_to_the_law(void **state)
{
    (void)state;
    BrumeBlackbodyTable table = {0};
    const BrumeEmission emission = {.intensity = 3.0f, .ambient = 293.0f, .temperature_scale = 1.0f};
    brume_blackbody_table_fill(&table, &emission);
    for (int n = 0; n <= 250; n++) {
        const float t = 520.0f * powf(14000.0f / 520.0f, (float)n / 250.0f);
        const BrumeVec3 exact = brume_scale(brume_blackbody_radiance((double)t), 3.0f);
        expect_close(brume_blackbody_at(&table, t), exact, 0.004);
    }
    const BrumeVec3 cold = brume_blackbody_at(&table, 500.0f);
    assert_true(cold.x == 0.0f && cold.y == 0.0f && cold.z == 0.0f);
    assert_true(brume_blackbody_at(&table, -5.0f).x == 0.0f && brume_blackbody_at(&table, NAN).x == 0.0f);
    const BrumeVec3 hottest = brume_blackbody_at(&table, BRUME_BLACKBODY_HOTTEST);
    const BrumeVec3 hotter = brume_blackbody_at(&table, 1e9f);
    assert_memory_equal(&hottest, &hotter, sizeof hottest);
    expect_close(hottest, brume_scale(brume_blackbody_radiance(15000.0), 3.0f), 1e-5);
}

enum { SIDE = 16 };
static float density[SIDE * SIDE * SIDE], color[SIDE * SIDE * SIDE], temperature[SIDE * SIDE * SIDE];

// a cube of 1 m of uniform smoke, 55 K above ambient
static BrumeVolume isothermal_cube(void)
{
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        density[n] = 1.0f;
        temperature[n] = 55.0f;
    }
    BrumeVolume volume = brume_volume_from_array(density, SIDE, SIDE, SIDE, 1.0f / SIDE, brume_vec3(0.0f, 0.0f, 0.0f));
    volume.temperature = temperature;
    return volume;
}

static BrumeRenderSettings glowing_settings(float extinction, float albedo)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        settings.smoke[kind] = (BrumeSmokeMedium){extinction, {albedo, albedo, albedo}};
    }
    settings.light_count = 0;
    settings.sky_zenith = brume_vec3(0.0f, 0.0f, 0.0f);
    settings.sky_horizon = settings.sky_zenith;
    settings.ground = false;
    settings.emission = (BrumeEmission){.intensity = 0.02f, .ambient = 293.0f, .temperature_scale = 25.0f}; // 1668 K
    return settings;
}

static BrumeVec3 marched(const BrumeRenderer *renderer, const BrumeRay *ray)
{
    return brume_march(&renderer->lit, ray, INFINITY, (BrumeMarchSteps){.length = 1.0f, .jitter = 0.3f}).radiance;
}

static BrumeVec3 traced(const BrumeRenderer *renderer, const BrumeRay *ray, int bounces, int count)
{
    BrumeSkyDistribution sky;
    BrumeError error;
    assert_int_equal(brume_sky_distribution_create(&sky, &renderer->lit.settings, &error), BRUME_OK);
    const BrumePathScene scene = brume_path_scene(&renderer->lit.medium, &renderer->lit.settings, &sky, bounces);
    double sum[3] = {0};
    for (int n = 0; n < count; n++) {
        BrumePathSampler sampler = brume_path_sampler(0, 0, 1, (uint32_t)n);
        const BrumeVec3 radiance = brume_path_radiance(&scene, ray, &sampler);
        sum[0] += (double)radiance.x / count;
        sum[1] += (double)radiance.y / count;
        sum[2] += (double)radiance.z / count;
    }
    brume_sky_distribution_destroy(&sky);
    return brume_vec3((float)sum[0], (float)sum[1], (float)sum[2]);
}

static const BrumeRay straight = {{0.4f, 0.45f, 2.0f}, {0.0f, 0.0f, -1.0f}};
static const BrumeRay oblique = {{-0.5f, 0.0f, 0.1f}, {0.8f, 0.48f, 0.36f}}; // enters at x = 0, leaves at x = 1

// an isothermal slab that only absorbs emits B (1 - exp(-tau)); with scattering, marching agrees with the paths
static void test_isothermal_slab(void **state)
{
    (void)state;
    const BrumeVolume volume = isothermal_cube();
    const BrumeVec3 black_body = brume_scale(brume_blackbody_radiance(293.0 + 25.0 * 55.0), 0.02f);
    const float albedos[] = {0.0f, 0.6f};
    for (int n = 0; n < 2; n++) {
        const BrumeRenderSettings settings = glowing_settings(1.7f, albedos[n]);
        BrumeRenderer *renderer = create_lit(&volume, &settings);
        const float of_straight = (1.0f - albedos[n]) * (1.0f - expf(-1.7f));
        const float of_oblique = (1.0f - albedos[n]) * (1.0f - expf(-1.7f * 1.0f / 0.8f));
        // the table is within 0.3 %; the march itself is exact
        const BrumeVec3 table = brume_blackbody_at(&renderer->lit.medium.blackbody, 293.0f + 25.0f * 55.0f);
        expect_close(table, black_body, 0.003);
        if (n == 0) {
            expect_close(marched(renderer, &straight), brume_scale(table, of_straight), 1e-5);
            expect_close(marched(renderer, &oblique), brume_scale(table, of_oblique), 1e-5);
            expect_close(traced(renderer, &straight, 0, 100000), brume_scale(table, of_straight), 0.006);
            expect_close(traced(renderer, &oblique, 100, 100000), brume_scale(table, of_oblique), 0.006);
        } else { // the first part has not been scattered
            expect_close(traced(renderer, &straight, -1, 100000), brume_scale(table, of_straight), 0.006);
            expect_close(marched(renderer, &straight), traced(renderer, &straight, 1000, 100000), 0.02);
            expect_close(marched(renderer, &oblique), traced(renderer, &oblique, 1000, 100000), 0.02);
        }
        brume_renderer_destroy(renderer);
    }
}

// Thermal equilibrium: smoke of any albedo in surroundings of its own temperature is invisible. All orders of
// scattering of the emitted light count.
static void test_thermal_furnace(void **state)
{
    (void)state;
    const BrumeVolume volume = isothermal_cube();
    BrumeRenderSettings settings = glowing_settings(3.0f, 0.7f);
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    const BrumeVec3 black_body = brume_blackbody_at(&renderer->lit.medium.blackbody, 293.0f + 25.0f * 55.0f);
    settings.sky_zenith = black_body;
    settings.sky_horizon = black_body;
    BrumeError error;
    assert_int_equal(brume_renderer_set_settings(renderer, &settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    expect_close(traced(renderer, &oblique, 10000, 30000), black_body, 0.006);
    brume_renderer_light(renderer, NULL);
    expect_close(marched(renderer, &straight), brume_scale(black_body, 1.0f - expf(-3.0f)), 0.007);
    expect_close(marched(renderer, &oblique), brume_scale(black_body, 1.0f - expf(-3.0f / 0.8f)), 0.007);
    brume_renderer_destroy(renderer);
}

// the mean albedo of mixed kinds decides how much they emit
static void test_mixed_kinds(void **state)
{
    (void)state;
    BrumeVolume volume = isothermal_cube();
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        color[n] = 3.0f;
    }
    volume.density[1] = color;
    BrumeRenderSettings settings = glowing_settings(0.5f, 0.0f);
    settings.smoke[1].albedo = brume_vec3(1.0f, 1.0f, 1.0f);
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    const BrumeVec3 table = brume_blackbody_at(&renderer->lit.medium.blackbody, 293.0f + 25.0f * 55.0f);
    const BrumeVec3 unscattered = brume_scale(table, 0.25f * (1.0f - expf(-2.0f)));
    expect_close(traced(renderer, &straight, -1, 100000), unscattered, 0.006);
    expect_close(marched(renderer, &straight), traced(renderer, &straight, 1000, 100000), 0.02);
    brume_renderer_destroy(renderer);
}

// without a temperature, or with an intensity of 0, the bits equal the bits of smoke that does not glow
static void test_without_temperature(void **state)
{
    (void)state;
    static float radiance[2][3 * 32 * 18];
    const BrumeDrawDef def = {.width = 32, .height = 18, .samples = 1};
    BrumeVolume volume = plume_create(24, 0);
    BrumeRenderSettings settings = plume_settings();
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    assert_int_equal(brume_renderer_draw(renderer, &plume_camera, &def, radiance[0], NULL), BRUME_OK);
    settings.emission.intensity = 5.0f;
    BrumeError error;
    assert_int_equal(brume_renderer_set_settings(renderer, &settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    assert_int_equal(brume_renderer_draw(renderer, &plume_camera, &def, radiance[1], NULL), BRUME_OK);
    assert_memory_equal(radiance[0], radiance[1], sizeof radiance[0]);
    assert_true(brume_renderer_bytes(renderer) == brume_renderer_bytes_needed(24, 36, 24, &settings, 1));
    settings.emission.intensity = NAN;
    assert_int_equal(brume_renderer_set_settings(renderer, &settings, &error), BRUME_BAD_INPUT);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

// A glowing ball of smoke lights the ground under and around it, evenly to all sides, as in the path tracer.
static void test_ground_around_a_ball(void **state)
{
    (void)state;
    enum { AZIMUTHS = 12 };
    for (int k = 0; k < SIDE; k++) {
        for (int j = 0; j < SIDE; j++) {
            for (int i = 0; i < SIDE; i++) {
                const BrumeVec3 at = {((float)i + 0.5f) / SIDE - 0.5f, ((float)j + 0.5f) / SIDE - 0.4f,
                                      ((float)k + 0.5f) / SIDE - 0.5f};
                const float radius = brume_length(at);
                const int n = (k * SIDE + j) * SIDE + i;
                density[n] = brume_clamp((0.25f - radius) / 0.08f, 0.0f, 1.0f);
                temperature[n] = 55.0f * brume_clamp((0.35f - radius) / 0.15f, 0.0f, 1.0f);
            }
        }
    }
    BrumeVolume volume =
        brume_volume_from_array(density, SIDE, SIDE, SIDE, 1.0f / SIDE, brume_vec3(-0.5f, 0.0f, -0.5f));
    volume.temperature = temperature;
    BrumeRenderSettings settings = glowing_settings(15.0f, 0.6f);
    settings.ground = true;
    settings.ground_albedo = brume_vec3(0.5f, 0.5f, 0.5f);
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    const float distances[3] = {0.05f, 0.35f, 0.7f};
    for (int n = 0; n < 3; n++) {
        double of_march = 0.0;
        double of_paths = 0.0;
        double least = INFINITY;
        double most = 0.0;
        for (int azimuth = 0; azimuth < AZIMUTHS; azimuth++) {
            const float angle = 2.0f * (float)M_PI * (float)azimuth / AZIMUTHS;
            const BrumeVec3 point = {distances[n] * cosf(angle), 1e-4f, distances[n] * sinf(angle)};
            const BrumeRay down = {point, {0.0f, -1.0f, 0.0f}};
            const double light =
                (double)brume_ray_radiance(&renderer->lit, &down, (BrumeMarchSteps){1.0f, 0.5f, 0.0f}).x;
            of_march += light / AZIMUTHS;
            of_paths += (double)traced(renderer, &down, 1000, 3000).x / AZIMUTHS;
            least = light < least ? light : least;
            most = light > most ? light : most;
        }
        print_message("ground at %.2f m: %.4f, paths %.4f, from %.4f to %.4f\n", (double)distances[n], of_march,
                      of_paths, least, most);
        assert_near("light over that of the paths", of_march / of_paths, 1.0, 0.08);
        assert_near("brightest over darkest side", most / least, 1.0, 0.1);
    }
    // far from the ball, 0.4 m high, light decreases with the cube of the distance, also beyond the map, which ends
    // at 1.5 m
    double far[2];
    for (int n = 0; n < 2; n++) {
        const BrumeRay down = {{n == 0 ? 1.45f : 2.9f, 1e-4f, 0.3f}, {0.0f, -1.0f, 0.0f}};
        far[n] = (double)brume_ray_radiance(&renderer->lit, &down, (BrumeMarchSteps){1.0f, 0.5f, 0.0f}).x;
    }
    const double near_squared = 1.45 * 1.45 + 0.3 * 0.3 + 0.4 * 0.4;
    const double far_squared = 2.9 * 2.9 + 0.3 * 0.3 + 0.4 * 0.4;
    assert_near("light at twice the distance", far[1] / far[0], pow(near_squared / far_squared, 1.5), 0.003);
    brume_renderer_destroy(renderer);
}

// a small glowing ball close to the ground, with thin cold smoke above it
static BrumeVolume ball_under_smoke(void)
{
    for (int k = 0; k < SIDE; k++) {
        for (int j = 0; j < SIDE; j++) {
            for (int i = 0; i < SIDE; i++) {
                const BrumeVec3 at = {((float)i + 0.5f) / SIDE - 0.5f, ((float)j + 0.5f) / SIDE - 0.25f,
                                      ((float)k + 0.5f) / SIDE - 0.5f};
                const float radius = brume_length(at);
                const int n = (k * SIDE + j) * SIDE + i;
                density[n] = brume_max(brume_clamp((0.2f - radius) / 0.08f, 0.0f, 1.0f), at.y > 0.35f ? 0.06f : 0.0f);
                temperature[n] = 55.0f * brume_clamp((0.25f - radius) / 0.15f, 0.0f, 1.0f);
            }
        }
    }
    BrumeVolume volume =
        brume_volume_from_array(density, SIDE, SIDE, SIDE, 1.0f / SIDE, brume_vec3(-0.5f, 0.0f, -0.5f));
    volume.temperature = temperature;
    return volume;
}

// Light of a flame arrives from one side: smoke above it scatters little of it sideways, where the phase function
// prefers the forward direction, and only the side of a solid that faces it is lit.
static void test_light_from_one_side(void **state)
{
    (void)state;
    const BrumeVolume volume = ball_under_smoke();
    BrumeRenderSettings settings = glowing_settings(15.0f, 0.7f);
    settings.anisotropy = 0.6f;
    settings.ground = true;
    settings.ground_albedo = brume_vec3(0.1f, 0.1f, 0.1f);
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    const BrumeRay sideways = {{0.05f, 0.85f, 1.0f}, {0.0f, 0.0f, -1.0f}};
    const double ratio = (double)marched(renderer, &sideways).x / (double)traced(renderer, &sideways, 1000, 60000).x;
    print_message("smoke above the ball, over that of the paths: %.3f\n", ratio);
    assert_near("smoke above the ball over that of the paths", ratio, 1.0, 0.2);
    settings.surface_count = 1;
    settings.surfaces[0] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.4f, 0.3f, 0.0f}, .radius = 0.08f}, .albedo = {0.5f, 0.5f, 0.5f}};
    BrumeError error;
    assert_int_equal(brume_renderer_set_settings(renderer, &settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    const BrumeRay facing = {{0.3f, 0.3f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    const BrumeRay averted = {{0.5f, 0.31f, 0.0f}, {-1.0f, 0.0f, 0.0f}};
    const BrumeMarchSteps steps = {1.0f, 0.5f, 0.0f};
    const double lit = (double)brume_ray_radiance(&renderer->lit, &facing, steps).x;
    const double of_solid = lit / (double)traced(renderer, &facing, 1000, 10000).x;
    const double dark = (double)brume_ray_radiance(&renderer->lit, &averted, steps).x;
    print_message("solid, over that of the paths: %.3f; its other side, over this one: %.3f\n", of_solid, dark / lit);
    assert_near("the side of the solid over that of the paths", of_solid, 1.0, 0.2);
    assert_true(dark < 0.05 * lit);
    brume_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planck_integrates_to_stefan_boltzmann),
        cmocka_unit_test(test_colors_are_the_published_ones),
        cmocka_unit_test(test_table_is_close_to_the_law),
        cmocka_unit_test(test_isothermal_slab),
        cmocka_unit_test(test_thermal_furnace),
        cmocka_unit_test(test_mixed_kinds),
        cmocka_unit_test(test_without_temperature),
        cmocka_unit_test(test_ground_around_a_ball),
        cmocka_unit_test(test_light_from_one_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

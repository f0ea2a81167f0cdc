// Light sources that have a size or a cone: irradiance against closed forms, penumbrae, the path tracer against ray
// marching, and the same bits at any number of threads.
#include "brume/threads.h"
#include "core/hash.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/cpu/surfaces.h"
#include "raymarch/light/light_source.h"
#include "raymarch/light/scattering.h"
#include "raymarch/path/light_path.h"
#include "raymarch_check.h"
#include "raymarch_plume.h"

#include <string.h>

enum { SIDE = 32, CELLS = SIDE * SIDE * SIDE, JITTERS = 256, PATHS = 65536 };

static const double pi = 3.14159265358979323846;

static float density[CELLS];

// a cube of 1 m whose lower corner is at (-0.5, 0, -0.5)
static BrumeVolume cube(void)
{
    return (BrumeVolume){.nx = SIDE,
                         .ny = SIDE,
                         .nz = SIDE,
                         .sy = SIDE,
                         .sz = SIDE * SIDE,
                         .dx = 1.0f / SIDE,
                         .origin = {-0.5f, 0.0f, -0.5f},
                         .density = {density}};
}

// a Gaussian ball around the center of the cube
static void fill_with_ball(float scale)
{
    for (int n = 0; n < CELLS; n++) {
        const int column = n % SIDE;
        const int row = n / SIDE % SIDE;
        const int plane = n / SIDE / SIDE;
        const float x = ((float)column + 0.5f) / SIDE - 0.5f;
        const float y = ((float)row + 0.5f) / SIDE - 0.5f;
        const float z = ((float)plane + 0.5f) / SIDE - 0.5f;
        density[n] = scale * expf(-(x * x + y * y + z * z) / 0.05f);
    }
}

// one light, a black sky, and a white ground without an edge
static BrumeRenderSettings settings_with(const BrumeLight *light, float albedo)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        settings.smoke[kind] = (BrumeSmokeMedium){.extinction = 10.0f, .albedo = {albedo, albedo, albedo}};
    }
    settings.light_count = 1;
    settings.lights[0] = *light;
    settings.sky_zenith = brume_vec3(0.0f, 0.0f, 0.0f);
    settings.sky_horizon = settings.sky_zenith;
    settings.ground_albedo = brume_vec3(1.0f, 1.0f, 1.0f);
    return settings;
}

static BrumeRenderer *create_lit(const BrumeRenderSettings *settings)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    const BrumeVolume volume = cube();
    if (brume_renderer_create(&renderer, SIDE, SIDE, SIDE, settings, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    return renderer;
}

// the irradiance at a point of the ground by ray marching, its skylight subtracted
static double ground_irradiance(const BrumeRenderer *renderer, float x, float z)
{
    const BrumeRay ray = {{x, 0.01f, z}, {0.0f, -1.0f, 0.0f}};
    const BrumeSurfaceHit hit = {.distance = 0.01f, .surface = BRUME_HIT_GROUND};
    const BrumeVec3 from_sky = brume_skylight_irradiance(&renderer->lit.sky, brume_vec3(0.0f, 1.0f, 0.0f));
    double sum = 0.0;
    for (int n = 0; n < JITTERS; n++) {
        const float jitter = ((float)n + 0.5f) / JITTERS;
        sum += (double)brume_surface_radiance(&renderer->lit, &ray, hit, jitter).y;
    }
    return pi * (sum / JITTERS - (double)from_sky.y);
}

// the mean radiance of paths of one scattering along a ray
static double traced(const BrumeRenderer *renderer, const BrumeRay *ray, int count)
{
    BrumeSkyDistribution sky;
    BrumeError error;
    assert_int_equal(brume_sky_distribution_create(&sky, &renderer->lit.settings, &error), BRUME_OK);
    const BrumePathScene scene = brume_path_scene(&renderer->lit.medium, &renderer->lit.settings, &sky, 0);
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int n = 0; n < count; n++) {
        BrumePathSampler sampler = brume_path_sampler(0, 0, 7, (uint32_t)n);
        sum += (double)brume_path_radiance(&scene, ray, &sampler).y;
    }
    brume_sky_distribution_destroy(&sky);
    return sum / count;
}

// the same irradiance by path tracing, in which light is sampled and also found by the directions of reflection
static double traced_ground_irradiance(const BrumeRenderer *renderer, float x, float z)
{
    const BrumeRay ray = {{x, 0.01f, z}, {0.0f, -1.0f, 0.0f}};
    return pi * traced(renderer, &ray, PATHS / 8);
}

static BrumeLight sun_with_disc(float angle)
{
    return (BrumeLight){.kind = BRUME_LIGHT_DIRECTIONAL,
                        .direction = {0.6f, -0.8f, 0.0f},
                        .color = {1.0f, 1.0f, 1.0f},
                        .intensity = 3.0f,
                        .angle = angle};
}

// the irradiance of a disc that is wholly above the horizon equals the irradiance of its center, whatever its size
static void test_irradiance_of_a_disc(void **state)
{
    (void)state;
    const float angles[] = {0.0f, 0.53f, 5.0f, 40.0f};
    memset(density, 0, sizeof density);
    for (size_t n = 0; n < sizeof angles / sizeof angles[0]; n++) {
        const BrumeLight sun = sun_with_disc(angles[n]);
        const BrumeRenderSettings settings = settings_with(&sun, 0.0f);
        BrumeRenderer *renderer = create_lit(&settings);
        assert_near("irradiance of a disc", ground_irradiance(renderer, 0.1f, 0.2f), 3.0 * 0.8, 1e-3);
        assert_near("irradiance of a disc by paths", traced_ground_irradiance(renderer, 0.1f, 0.2f), 3.0 * 0.8, 2e-3);
        brume_renderer_destroy(renderer);
    }
}

// a disc whose center is on the horizon: half of it illuminates the ground, with the mean elevation 4 a / (3 pi)
static void test_disc_on_the_horizon(void **state)
{
    (void)state;
    memset(density, 0, sizeof density);
    BrumeLight sun = sun_with_disc(4.0f);
    sun.direction = brume_vec3(1.0f, 0.0f, 0.0f);
    const BrumeRenderSettings settings = settings_with(&sun, 0.0f);
    BrumeRenderer *renderer = create_lit(&settings);
    const double expected = 3.0 * 0.5 * 4.0 / (3.0 * pi) * 2.0 * pi / 180.0;
    assert_near("irradiance of half a disc", ground_irradiance(renderer, 0.1f, 0.2f) / expected, 1.0, 0.01);
    assert_near("irradiance of half a disc by paths", traced_ground_irradiance(renderer, 0.1f, 0.2f) / expected, 1.0,
                0.01);
    brume_renderer_destroy(renderer);
    sun.direction = brume_normalize(brume_vec3(1.0f, 0.035f, 0.0f)); // sin(2 degrees) = 0.0349: below the horizon
    assert_true(brume_ground_blocks_light(&settings, &sun));
    sun.direction = brume_normalize(brume_vec3(1.0f, 0.034f, 0.0f));
    assert_false(brume_ground_blocks_light(&settings, &sun));
}

static BrumeLight spot(void)
{
    return (BrumeLight){.kind = BRUME_LIGHT_SPOT,
                        .position = {0.0f, 2.0f, 0.0f},
                        .direction = {0.0f, -1.0f, 0.0f},
                        .color = {1.0f, 1.0f, 1.0f},
                        .intensity = 8.0f,
                        .angle = 60.0f,
                        .blend = 0.4f};
}

// on the ground: I cos^3 / h^2 times smoothstep in the cosine between 18 and 30 degrees
static void test_falloff_of_a_spot(void **state)
{
    (void)state;
    memset(density, 0, sizeof density);
    const BrumeLight light = spot();
    const BrumeRenderSettings settings = settings_with(&light, 0.0f);
    BrumeRenderer *renderer = create_lit(&settings);
    for (int degrees = 0; degrees <= 40; degrees += 2) {
        const double angle = degrees * pi / 180.0;
        const double edge = cos(30.0 * pi / 180.0);
        const double t = fmin(fmax((cos(angle) - edge) / (cos(18.0 * pi / 180.0) - edge), 0.0), 1.0);
        const double expected = 8.0 * pow(cos(angle), 3.0) / 4.0 * t * t * (3.0 - 2.0 * t);
        const float x = (float)(2.0 * tan(angle));
        assert_near("irradiance of a spot", ground_irradiance(renderer, x, 0.0f), expected, 2e-4);
        assert_near("irradiance of a spot by paths", traced_ground_irradiance(renderer, 0.0f, x), expected, 2e-4);
    }
    BrumeLightSource hard = brume_light_source(&light);
    hard.cosine_in = hard.cosine_edge; // a blend of 0
    assert_true(brume_spot_share(&hard, 0.8660f) == 0.0f && brume_spot_share(&hard, 0.8661f) == 1.0f);
    brume_renderer_destroy(renderer);
}

static BrumeLight rectangle(void)
{
    return (BrumeLight){.kind = BRUME_LIGHT_RECTANGLE,
                        .position = {0.0f, 2.0f, 0.0f},
                        .direction = {0.0f, -1.0f, 0.0f},
                        .up = {0.0f, 0.0f, 1.0f},
                        .width = 2.0f,
                        .height = 1.0f,
                        .color = {1.0f, 1.0f, 1.0f},
                        .intensity = 10.0f};
}

// The form factor of a parallel rectangle from a point below one of its corners, with its sides over the distance
// (Howell, "A Catalog of Radiation Heat Transfer Configuration Factors", B-3). For other points, sums of such.
static double corner_factor(double a, double b)
{
    const double x = sqrt(1.0 + a * a);
    const double y = sqrt(1.0 + b * b);
    return (a / x * atan(b / x) + b / y * atan(a / y)) / (2.0 * pi);
}

static double form_factor(double x0, double x1, double z0, double z1)
{
    return corner_factor(x1, z1) - corner_factor(x0, z1) - corner_factor(x1, z0) + corner_factor(x0, z0);
}

// irradiance is pi L times the form factor, which is the radiant power over the area times it
static void test_irradiance_of_a_rectangle(void **state)
{
    (void)state;
    memset(density, 0, sizeof density);
    const BrumeLight light = rectangle();
    const BrumeRenderSettings settings = settings_with(&light, 0.0f);
    BrumeRenderer *renderer = create_lit(&settings);
    const float points[][2] = {{0.0f, 0.0f}, {0.5f, 0.3f}, {1.0f, 0.5f}, {-2.0f, 1.0f}, {0.0f, -3.0f}};
    for (size_t n = 0; n < sizeof points / sizeof points[0]; n++) {
        const double x = (double)points[n][0];
        const double z = (double)points[n][1];
        const double factor = form_factor((-1.0 - x) / 2.0, (1.0 - x) / 2.0, (-0.5 - z) / 2.0, (0.5 - z) / 2.0);
        const double expected = 10.0 / 2.0 * factor;
        const double seen = ground_irradiance(renderer, points[n][0], points[n][1]);
        const double paths = traced_ground_irradiance(renderer, points[n][0], points[n][1]);
        assert_near("irradiance of a rectangle over the exact one", seen / expected, 1.0, 0.004);
        assert_near("irradiance of a rectangle by paths over it", paths / expected, 1.0, 0.01);
    }
    brume_renderer_destroy(renderer);
}

// the solid angle of a rectangle of 2a x 2b in front of its center at a distance d is
// 4 asin(a b / sqrt((a^2 + d^2) (b^2 + d^2)))
static void test_light_of_a_rectangle_at_a_point(void **state)
{
    (void)state;
    const BrumeLight light = rectangle();
    const BrumeLightSource source = brume_light_source(&light);
    const double radiance = 10.0 / (pi * 2.0);
    const double distances[] = {0.001, 0.05, 0.5, 2.0, 100.0};
    for (size_t n = 0; n < sizeof distances / sizeof distances[0]; n++) {
        const double d = distances[n];
        const BrumeVec3 below = brume_vec3(0.0f, (float)(2.0 - d), 0.0f);
        const BrumeRectangleLight seen = brume_rectangle_light(&source, below);
        const double angle = 4.0 * asin(0.5 / sqrt((1.0 + d * d) * (0.25 + d * d)));
        assert_near("light of a rectangle", (double)seen.irradiance / (radiance * angle), 1.0, 2e-4);
        assert_near("its direction", (double)seen.towards.y, 1.0, 1e-6);
        const BrumeVec3 above = brume_vec3(0.0f, (float)(2.0 + d), 0.0f);
        assert_true(brume_rectangle_light(&source, above).irradiance == 0.0f);
    }
    // width along x, because the height is along `up`; the same with an `up` that does not determine it
    assert_near("its width", fabs((double)source.across.x), 1.0, 1e-6);
    BrumeLight parallel = light;
    parallel.up = brume_vec3(0.0f, 1.0f, 0.0f);
    assert_near("its width", fabs((double)brume_light_source(&parallel).across.x), 1.0, 1e-6);
}

// A rectangle above the edge of a plate half-way to the ground: below the edge, half of it is visible.
static void test_penumbra_of_a_rectangle(void **state)
{
    (void)state;
    memset(density, 0, sizeof density);
    BrumeLight light = rectangle();
    light.width = 0.4f;
    light.height = 0.02f;
    BrumeRenderSettings settings = settings_with(&light, 0.0f);
    settings.surface_count = 1;
    settings.surfaces[0] =
        (BrumeSurface){.shape = {.kind = BRUME_SHAPE_BOX, .a = {-10.0f, 1.0f, -10.0f}, .b = {0.0f, 1.0005f, 10.0f}},
                       {0.0f, 0.0f, 0.0f}};
    BrumeRenderer *renderer = create_lit(&settings);
    for (int n = -5; n <= 5; n++) {
        // of the rectangle from -0.2 to 0.2, the part from -x on is visible from x
        const double x = 0.044 * n;
        const double from = fmin(fmax(-x, -0.2), 0.2);
        const double factor = form_factor((from - x) / 2.0, (0.2 - x) / 2.0, -0.055, -0.045);
        const double expected = 10.0 / (0.4 * 0.02) * factor;
        assert_near("irradiance in a penumbra", ground_irradiance(renderer, (float)x, 0.1f), expected, 0.006);
        assert_near("irradiance in a penumbra by paths", traced_ground_irradiance(renderer, (float)x, 0.1f), expected,
                    0.012);
    }
    brume_renderer_destroy(renderer);
}

// The chromaticity of the Planckian locus of CIE 1931 (Wyszecki and Stiles, "Color Science", table 1(3.11)), and the
// luminance 1.
static void test_color_temperature(void **state)
{
    (void)state;
    const struct {
        float kelvin;
        double x, y;
    } cases[] = {
        {2856.0f, 0.4476, 0.4074}, {4000.0f, 0.3805, 0.3767}, {5600.0f, 0.3302, 0.3411}, {10000.0f, 0.2807, 0.2884}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        BrumeLight light = spot();
        light.temperature = cases[n].kelvin;
        const BrumeVec3 c = brume_light_color(&light);
        const double r = (double)c.x;
        const double g = (double)c.y;
        const double b = (double)c.z;
        const double x = 0.4124 * r + 0.3576 * g + 0.1805 * b;
        const double y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        const double z = 0.0193 * r + 0.1192 * g + 0.9505 * b;
        assert_near("luminance of a temperature", y, 1.0, 1e-5);
        assert_near("x of a temperature", x / (x + y + z), cases[n].x, 0.003);
        assert_near("y of a temperature", y / (x + y + z), cases[n].y, 0.003);
    }
    // a light of a temperature is one of its color
    memset(density, 0, sizeof density);
    BrumeLight light = spot();
    light.color = brume_vec3(9.0f, 9.0f, 9.0f);
    light.temperature = 4000.0f;
    const BrumeRenderSettings settings = settings_with(&light, 0.0f);
    BrumeRenderer *renderer = create_lit(&settings);
    const double green = (double)brume_light_color(&light).y;
    assert_near("irradiance of a temperature", ground_irradiance(renderer, 0.0f, 0.0f), 2.0 * green, 5e-4);
    assert_near("irradiance of it by paths", traced_ground_irradiance(renderer, 0.0f, 0.0f), 2.0 * green, 5e-4);
    brume_renderer_destroy(renderer);
}

// the visible fraction of a disc of radius 1 next to a straight edge at a distance `s` from its center
static double visible_fraction(double s)
{
    if (fabs(s) >= 1.0) {
        return s > 0.0 ? 1.0 : 0.0;
    }
    return 0.5 + (s * sqrt(1.0 - s * s) + asin(s)) / pi;
}

// A sun in the zenith above the edge of a thin plate, half a meter above the ground and inside the box: the penumbra is
// as wide as the disc seen over that distance.
static void test_penumbra_behind_an_edge(void **state)
{
    (void)state;
    memset(density, 0, sizeof density);
    BrumeLight sun = sun_with_disc(10.0f);
    sun.direction = brume_vec3(0.0f, -1.0f, 0.0f);
    BrumeRenderSettings settings = settings_with(&sun, 0.0f);
    settings.surface_count = 1;
    settings.surfaces[0] =
        (BrumeSurface){.shape = {.kind = BRUME_SHAPE_BOX, .a = {-10.0f, 0.5f, -10.0f}, .b = {0.0f, 0.501f, 10.0f}},
                       {0.0f, 0.0f, 0.0f}};
    BrumeRenderer *renderer = create_lit(&settings);
    const double tangent = tan(5.0 * pi / 180.0);
    const double radius = 0.5 * tangent; // the lower edge is at y = 0.5
    for (int n = -6; n <= 6; n++) {
        const double x = 0.2 * n * radius;
        const double expected = visible_fraction(x / radius);
        assert_near("irradiance in a penumbra", ground_irradiance(renderer, (float)x, 0.1f) / 3.0, expected, 0.012);
        assert_near("irradiance in a penumbra by paths", traced_ground_irradiance(renderer, (float)x, 0.1f) / 3.0,
                    expected, 0.012);
    }
    assert_near("light outside a penumbra", ground_irradiance(renderer, 1.01f * (float)radius, 0.1f), 3.0, 1e-3);
    assert_near("light inside a shadow", ground_irradiance(renderer, -1.01f * (float)radius, 0.1f), 0.0, 1e-4);
    brume_renderer_destroy(renderer);
}

// the stored light of a disc is the mean transmittance over its directions
static void test_disc_in_smoke(void **state)
{
    (void)state;
    fill_with_ball(1.0f);
    const BrumeLight sun = sun_with_disc(30.0f);
    const BrumeRenderSettings settings = settings_with(&sun, 0.0f);
    BrumeRenderer *renderer = create_lit(&settings);
    double largest = 0.0; // of the difference from light of one direction
    for (int n = 0; n < 7; n++) {
        const BrumeVec3 point = brume_vec3(-0.4f + 0.13f * (float)n, 0.15f, 0.05f);
        double sum = 0.0;
        for (int m = 0; m < JITTERS; m++) {
            const float u = ((float)m + 0.5f) / JITTERS;
            const float turns = 0.381966f * (float)m;
            const BrumeVec3 towards =
                brume_cap_direction(brume_vec3(-0.6f, 0.8f, 0.0f), brume_cap_height(30.0f), u, turns);
            const BrumeRay ray = {point, towards};
            sum += (double)brume_march_transmittance(&renderer->lit, &ray, INFINITY);
        }
        const BrumeRay ray = {point, brume_vec3(-0.6f, 0.8f, 0.0f)};
        const double single = (double)brume_march_transmittance(&renderer->lit, &ray, INFINITY);
        const BrumeVec3 cells =
            brume_scale(brume_sub(point, renderer->lit.medium.origin), 1.0f / renderer->lit.medium.dx);
        const double root = (double)brume_sweep_at_any_point(&renderer->lit.directional[0], cells);
        const double stored = pow(root, (double)BRUME_TRANSMITTANCE_ROOT);
        assert_near("mean transmittance to a disc", stored, sum / JITTERS, 0.004);
        largest = fmax(largest, fabs(single - sum / JITTERS));
    }
    assert_true(largest > 0.02); // the disc is large enough to matter
    brume_renderer_destroy(renderer);
}

// the same edge in smoke, where the penumbra of a larger disc is several cells wide
static void test_penumbra_in_smoke(void **state)
{
    (void)state;
    memset(density, 0, sizeof density);
    BrumeLight sun = sun_with_disc(40.0f);
    sun.direction = brume_vec3(0.0f, -1.0f, 0.0f);
    BrumeRenderSettings settings = settings_with(&sun, 0.0f);
    settings.surface_count = 1;
    settings.surfaces[0] =
        (BrumeSurface){.shape = {.kind = BRUME_SHAPE_BOX, .a = {-10.0f, 0.8f, -10.0f}, .b = {0.0f, 0.801f, 10.0f}},
                       {0.0f, 0.0f, 0.0f}};
    BrumeRenderer *renderer = create_lit(&settings);
    const double radius = 0.6 * tan(20.0 * pi / 180.0); // at y = 0.2
    for (int n = -8; n <= 8; n++) {
        const double x = 0.2 * n * radius;
        const BrumeVec3 cells = brume_vec3(((float)x + 0.5f) * SIDE, 0.2f * SIDE, 16.0f);
        const double root = (double)brume_sweep_at_any_point(&renderer->lit.directional[0], cells);
        assert_near("light in smoke in a penumbra", pow(root, (double)BRUME_TRANSMITTANCE_ROOT),
                    visible_fraction(x / radius), 0.09); // edges of stored shadows are up to a cell too wide
    }
    brume_renderer_destroy(renderer);
}

// no smoke: the light beside the box, which the ground receives, is that of the sun on all rays of the lattice
static void test_disc_beside_the_box(void **state)
{
    (void)state;
    memset(density, 0, sizeof density);
    const BrumeLight sun = sun_with_disc(4.0f);
    const BrumeRenderSettings settings = settings_with(&sun, 0.0f);
    BrumeRenderer *renderer = create_lit(&settings);
    for (int n = -40; n <= 40; n++) {
        const BrumeVec3 cells = brume_vec3(0.5f * SIDE + (float)n, 1.0f, 0.4f * SIDE);
        assert_near("light beside the box", brume_sweep_at_any_point(&renderer->lit.directional[0], cells), 1.0, 0.0);
    }
    brume_renderer_destroy(renderer);
}

// The radiance of light that was scattered once is proportional to the albedo. Marching has no other light where the
// albedo is tiny; the paths end where it is less than 1.
static void compare_with_paths(const char *name, const BrumeLight *light)
{
    const float tiny = 1e-4f;
    fill_with_ball(1.0f);
    BrumeRenderSettings settings = settings_with(light, tiny);
    settings.ground = false;
    BrumeRenderer *marcher = create_lit(&settings);
    settings = settings_with(light, 1.0f);
    settings.ground = false;
    BrumeRenderer *tracer = create_lit(&settings);
    for (int n = 0; n < 3; n++) {
        const BrumeVec3 from = brume_vec3(0.3f * (float)(n - 1), 0.5f + 0.1f * (float)n, 3.0f);
        const BrumeVec3 to = brume_vec3(0.06f * (float)(n - 1), 0.45f, 0.0f);
        const BrumeRay ray = {from, brume_normalize(brume_sub(to, from))};
        const double marched =
            (double)(brume_march(&marcher->lit, &ray, INFINITY, (BrumeMarchSteps){0.5f, 0.5f, 0.0f}).radiance.y / tiny);
        // light volumes of lights with a position are within 3 % on this grid
        assert_near(name, marched / traced(tracer, &ray, PATHS), 1.0, 0.035);
    }
    brume_renderer_destroy(marcher);
    brume_renderer_destroy(tracer);
}

static void test_paths_agree_with_marching(void **state)
{
    (void)state;
    const BrumeLight sun = sun_with_disc(0.0f);
    compare_with_paths("a sun", &sun);
    const BrumeLight disc = sun_with_disc(12.0f);
    compare_with_paths("a sun with a disc", &disc);
    BrumeLight cone = spot();
    cone.direction = brume_vec3(0.03f, -1.0f, 0.0f);
    cone.angle = 25.0f;
    cone.blend = 1.0f;
    compare_with_paths("a spot", &cone);
    BrumeLight panel = rectangle(); // next to the smoke, so that it is large
    panel.position = brume_vec3(-0.7f, 0.9f, 0.3f);
    panel.direction = brume_vec3(0.7f, -0.4f, -0.3f);
    panel.up = brume_vec3(0.0f, 1.0f, 0.0f);
    panel.width = 0.8f;
    panel.height = 0.5f;
    compare_with_paths("a rectangle", &panel);
}

// lights of all kinds
static BrumeRenderSettings all_lights(void)
{
    BrumeRenderSettings settings = plume_settings();
    settings.lights[0].angle = 3.0f;
    settings.lights[2] = spot();
    settings.lights[settings.light_count++] = rectangle();
    return settings;
}

static void test_same_bits_at_any_thread_count(void **state)
{
    (void)state;
    enum { WIDTH = 48, HEIGHT = 27 };
    static float marched[3 * WIDTH * HEIGHT];
    static float paths[3 * WIDTH * HEIGHT];
    const BrumeRenderSettings settings = all_lights();
    BrumeVolume volume = plume_create(24, 1);
    const int before = brume_get_threads();
    uint64_t first = 0;
    for (int threads = 1; threads <= 5; threads += 2) {
        brume_set_threads(threads);
        BrumeRenderer *renderer = NULL;
        BrumeError error;
        BrumeTraceResult result;
        assert_int_equal(brume_renderer_create(&renderer, volume.nx, volume.ny, volume.nz, &settings, &error),
                         BRUME_OK);
        assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
        brume_renderer_light(renderer, NULL);
        BrumeDrawDef def = {.width = WIDTH, .height = HEIGHT, .samples = 2, .seed = 3};
        assert_int_equal(brume_renderer_draw(renderer, &plume_camera, &def, marched, NULL), BRUME_OK);
        def.samples = 4;
        const BrumeTraceDef trace = brume_default_trace_def();
        assert_int_equal(brume_renderer_trace(renderer, &plume_camera, &def, &trace, paths, &result, &error), BRUME_OK);
        const uint64_t hash = brume_hash_bytes(marched, sizeof marched, brume_hash_bytes(paths, sizeof paths, 0));
        first = threads == 1 ? hash : first;
        assert_true(hash == first);
        brume_renderer_destroy(renderer);
    }
    brume_set_threads(before);
    plume_destroy(&volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_irradiance_of_a_disc),
        cmocka_unit_test(test_disc_on_the_horizon),
        cmocka_unit_test(test_falloff_of_a_spot),
        cmocka_unit_test(test_irradiance_of_a_rectangle),
        cmocka_unit_test(test_light_of_a_rectangle_at_a_point),
        cmocka_unit_test(test_penumbra_of_a_rectangle),
        cmocka_unit_test(test_color_temperature),
        cmocka_unit_test(test_penumbra_behind_an_edge),
        cmocka_unit_test(test_penumbra_in_smoke),
        cmocka_unit_test(test_disc_in_smoke),
        cmocka_unit_test(test_disc_beside_the_box),
        cmocka_unit_test(test_paths_agree_with_marching),
        cmocka_unit_test(test_same_bits_at_any_thread_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

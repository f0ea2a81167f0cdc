// Skies: images against the constant sky and against exact integrals, the distribution of the path tracer, daylight.
#include "core/elementary.h"
#include "core/parallel/threads.h"
#include "core/vec3.h"
#include "lit_renderer.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/light/daylight.h"
#include "raymarch/light/sky_image.h"
#include "raymarch/light/skylight.h"
#include "raymarch/path/light_path.h"
#include "raymarch_plume.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 48, HEIGHT = 27, FLOATS = WIDTH * HEIGHT * 3 };

static float values[3 * 64 * 32];

static BrumeRenderSettings image_settings(int width, int height)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.light_count = 0;
    settings.sky.kind = BRUME_SKY_IMAGE;
    settings.sky.image = (BrumeSkyImage){width, height, values};
    return settings;
}

static void fill(float value)
{
    for (size_t n = 0; n < sizeof values / sizeof values[0]; n++) {
        values[n] = value;
    }
}

static void draw(const BrumeVolume *volume, const BrumeRenderSettings *settings, float radiance[FLOATS])
{
    BrumeRenderer *renderer = create_lit(volume, settings);
    const BrumeDrawDef def = {.width = WIDTH, .height = HEIGHT, .samples = 1};
    assert_int_equal(brume_renderer_draw(renderer, &plume_camera, &def, radiance, NULL), BRUME_OK);
    brume_renderer_destroy(renderer);
}

// the first 24 x 12 x 3 values: between 0 and 2, a few of them bright
static void fill_randomly(void)
{
    uint32_t random = 1;
    for (int n = 0; n < 3 * 24 * 12; n++) {
        random = random * 1664525u + 1013904223u;
        values[n] = (float)(random >> 8) * 0x1p-23f * (n % 37 == 0 ? 40.0f : 1.0f);
    }
}

static double sum_of(const float *texel) { return (double)texel[0] + (double)texel[1] + (double)texel[2]; }

// the mean of the interpolated image of 24 x 12 texels over one of them
static double interpolated_mean(int row, int column)
{
    double sum = 0.0;
    for (int j = -1; j <= 1; j++) {
        for (int i = -1; i <= 1; i++) {
            const int at_row = row + j < 0 ? 0 : row + j > 11 ? 11 : row + j;
            const int at_column = (column + i + 24) % 24;
            sum += (j == 0 ? 0.75 : 0.125) * (i == 0 ? 0.75 : 0.125) * sum_of(values + 3 * (at_row * 24 + at_column));
        }
    }
    return sum;
}

static void test_constant_image_is_constant_sky(void **state)
{
    (void)state;
    static float expected[FLOATS];
    static float actual[FLOATS];
    BrumeVolume volume = plume_create(24, 0);
    for (int ground = 0; ground < 2; ground++) {
        fill(0.7f);
        BrumeRenderSettings settings = image_settings(7, 5); // sides that divide nothing
        settings.light_count = 1;
        settings.ground = ground == 1;
        settings.surface_count = 1;
        settings.surfaces[0] = plume_settings().surfaces[0];
        settings.sky.rotation = 25.0f;
        draw(&volume, &settings, actual);
        settings.sky.kind = BRUME_SKY_CONSTANT;
        settings.sky.radiance = brume_vec3(0.7f, 0.7f, 0.7f);
        draw(&volume, &settings, expected);
        for (int n = 0; n < FLOATS; n++) {
            // the means of an image around the ordinates are of equal weights; below a ground, the sum over points of
            // the hemisphere that a constant sky has is not exact
            const double tolerance = (ground ? 1e-2 : 3e-3) * (double)expected[n];
            assert_near("the radiance", (double)actual[n], (double)expected[n], tolerance);
        }
        // the gradient between equal colors is the same sky too
        settings.sky.kind = BRUME_SKY_GRADIENT;
        settings.sky_zenith = settings.sky_horizon = settings.sky.radiance;
        draw(&volume, &settings, actual);
        for (int n = 0; n < FLOATS; n++) {
            assert_near("the radiance", (double)actual[n], (double)expected[n], 1e-5 * (double)expected[n]);
        }
    }
    plume_destroy(&volume);
}

static void test_irradiance_of_constant_image(void **state)
{
    (void)state;
    fill(2.0f);
    BrumeVolume volume = plume_create(12, 0);
    BrumeRenderSettings settings = image_settings(64, 32);
    settings.ground_albedo = brume_vec3(0.5f, 0.5f, 0.5f);
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    for (int n = 0; n < 50; n++) {
        const float y = 1.0f - 2.0f * ((float)n + 0.5f) / 50.0f;
        const BrumeVec3 normal = brume_vec3(sqrtf(1.0f - y * y), y, 0.0f);
        assert_near("irradiance / pi", (double)brume_skylight_irradiance(&renderer->lit.sky, normal).z,
                    2.0 * 0.5 * (1.0 + (double)y) + 1.0 * 0.5 * (1.0 - (double)y), 2e-3);
    }
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

static void test_distribution_is_exact(void **state)
{
    (void)state;
    enum { COLUMNS = 24, ROWS = 12, SIDE = 128 };
    fill_randomly();
    for (int ground = 0; ground < 2; ground++) {
        BrumeRenderSettings settings = image_settings(COLUMNS, ROWS);
        settings.ground = ground == 1;
        settings.sky.rotation = 77.0f;
        BrumeSkyDistribution sky;
        BrumeError error;
        assert_int_equal(brume_sky_distribution_create(&sky, &settings, &error), BRUME_OK);
        double light = 0.0;    // integral of the sum of the colors
        double upwards = 0.0;  // of that times the height of the direction
        double integral = 0.0; // of the density
        for (int pass = 0; pass < 2; pass++) {
            for (int row = 0; row < (ground ? ROWS / 2 : ROWS); row++) {
                const double upper = cos(M_PI * row / ROWS);
                const double lower = cos(M_PI * (row + 1) / ROWS);
                const double solid_angle = (upper - lower) * 2.0 * M_PI / COLUMNS;
                for (int column = 0; column < COLUMNS; column++) {
                    const double azimuth = M_PI * (0.5 - 77.0 / 180.0) + 2.0 * M_PI * (column + 0.5) / COLUMNS;
                    const double y = 0.5 * (upper + lower);
                    const BrumeVec3 middle = brume_vec3((float)(sqrt(1.0 - y * y) * cos(azimuth)), (float)y,
                                                        (float)(sqrt(1.0 - y * y) * sin(azimuth)));
                    const double value = interpolated_mean(row, column);
                    const double density = (double)brume_sky_density(&sky, middle);
                    if (pass == 0) {
                        light += value * solid_angle;
                        upwards += value * solid_angle * y;
                        integral += density * solid_angle;
                    } else {
                        assert_near("the density over the radiance", density * light / value, 1.0, 2e-4);
                    }
                }
            }
        }
        assert_near("the integral of the density", integral, 1.0, 1e-5);
        if (ground) {
            assert_true(brume_sky_density(&sky, brume_vec3(0.6f, -0.01f, 0.8f)) == 0.0f);
        }
        double estimate = 0.0;
        int moved = 0;
        for (int n = 0; n < SIDE * SIDE; n++) {
            const int row = n / SIDE;
            const BrumePair pair = {((float)(n % SIDE) + 0.5f) / SIDE, ((float)row + 0.5f) / SIDE};
            float density = 0.0f;
            const BrumeVec3 towards = brume_sky_sample(&sky, pair, &density);
            assert_near("the length", (double)brume_length(towards), 1.0, 1e-6);
            // rounding may move a direction over the edge of its cell
            const float again = brume_sky_density(&sky, towards);
            estimate += (double)towards.y;
            assert_true(density > 0.0f);
            moved += again != density;
        }
        assert_true(moved < SIDE * SIDE / 1000);
        // the radiance over the density is the light in every direction: the mean of the heights estimates the rest
        assert_near("the light from above", estimate / (SIDE * SIDE), upwards / light, 0.004);
        brume_sky_distribution_destroy(&sky);
    }
}

// a gradient has rings of equal height and one column
static void test_distribution_of_gradient(void **state)
{
    (void)state;
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.ground = false;
    BrumeSkyDistribution sky;
    BrumeError error;
    assert_int_equal(brume_sky_distribution_create(&sky, &settings, &error), BRUME_OK);
    assert_int_equal(sky.rows, BRUME_SKY_RINGS);
    assert_int_equal(sky.columns, 1);
    double integral = 0.0;
    for (int ring = 0; ring < BRUME_SKY_RINGS; ring++) {
        const float y = -1.0f + ((float)ring + 0.5f) * 2.0f / BRUME_SKY_RINGS;
        integral +=
            (double)brume_sky_density(&sky, brume_vec3(sqrtf(1.0f - y * y), y, 0.0f)) * 4.0 * M_PI / BRUME_SKY_RINGS;
    }
    assert_near("the integral of the density", integral, 1.0, 1e-5);
    assert_true((size_t)(2 * 65 + 2 * 64) * sizeof(float) == brume_sky_distribution_bytes(&settings));
    brume_sky_distribution_destroy(&sky);
    settings.sky_zenith = settings.sky_horizon = brume_vec3(0.0f, 0.0f, 0.0f);
    assert_int_equal(brume_sky_distribution_create(&sky, &settings, &error), BRUME_OK);
    float density = 1.0f;
    (void)brume_sky_sample(&sky, (BrumePair){0.3f, 0.4f}, &density);
    assert_true(density == 0.0f);
    brume_sky_distribution_destroy(&sky);
}

enum { TEXEL_COLUMN = 20, TEXEL_ROW = 9 };

// a black image of 64 x 32 texels with one of radiance 100; returns its solid angle and its direction
static double fill_one_texel(double towards[3])
{
    fill(0.0f);
    for (int c = 0; c < 3; c++) {
        values[3 * (TEXEL_ROW * 64 + TEXEL_COLUMN) + c] = 100.0f;
    }
    const double polar = M_PI * (TEXEL_ROW + 0.5) / 32;
    const double azimuth = 0.5 * M_PI + 2.0 * M_PI * (TEXEL_COLUMN + 0.5) / 64;
    towards[0] = sin(polar) * cos(azimuth);
    towards[1] = cos(polar);
    towards[2] = sin(polar) * sin(azimuth);
    return 2.0 * M_PI / 64 * (cos(M_PI * TEXEL_ROW / 32) - cos(M_PI * (TEXEL_ROW + 1) / 32));
}

static void test_irradiance_of_one_texel(void **state)
{
    (void)state;
    double towards[3];
    const double full = 100.0 * fill_one_texel(towards) / M_PI; // irradiance / pi across the direction
    BrumeVolume volume = plume_create(12, 0);
    BrumeRenderSettings settings = image_settings(64, 32);
    settings.ground_albedo = brume_vec3(0.5f, 0.5f, 0.5f);
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    for (int n = 0; n < 200; n++) {
        const double y = 1.0 - 2.0 * (n + 0.5) / 200;
        const double radius = sqrt(1.0 - y * y);
        const BrumeVec3 normal = brume_vec3((float)(radius * cos(2.4 * n)), (float)y, (float)(radius * sin(2.4 * n)));
        const double cosine = towards[0] * (double)normal.x + towards[1] * y + towards[2] * (double)normal.z;
        const double from_ground = 0.5 * full * towards[1] * 0.5 * (1.0 - y);
        const double expected = full * fmax(cosine, 0.0) + from_ground;
        // near the horizon of the surface, between the normals of the table, the kink at 0 is rounded
        assert_near("irradiance / pi", (double)brume_skylight_irradiance(&renderer->lit.sky, normal).y, expected,
                    (fabs(cosine) < 0.2 ? 0.03 : 0.008) * full);
    }
    // light is neither lost nor added by the 32 directions
    double mean = 0.0;
    for (int n = 0; n < BRUME_ORDINATES; n++) {
        mean += (double)renderer->lit.sky.image_means[n].x / BRUME_ORDINATES;
    }
    assert_near("the mean radiance", mean * 4.0 / full, 1.0, 1e-4); // 100 x solid angle / 4 pi
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

static double mean_radiance(const BrumeRenderer *renderer, const BrumeRay *ray, int bounces, int count)
{
    BrumeSkyDistribution sky;
    BrumeError error;
    assert_int_equal(brume_sky_distribution_create(&sky, &renderer->lit.settings, &error), BRUME_OK);
    const BrumePathScene scene = brume_path_scene(&renderer->lit.medium, &renderer->lit.settings, &sky, bounces);
    double sum = 0.0;
    for (int n = 0; n < count; n++) {
        BrumePathSampler sampler = brume_path_sampler(0, 0, 1, (uint32_t)n);
        sum += (double)brume_path_radiance(&scene, ray, &sampler).y;
    }
    brume_sky_distribution_destroy(&sky);
    return sum / count;
}

// the path tracer: the ground under one bright texel, and white smoke under a constant image
static void test_path_tracer(void **state)
{
    (void)state;
    double towards[3];
    const double full = 100.0 * fill_one_texel(towards) / M_PI;
    BrumeVolume volume = plume_create(12, 0);
    BrumeRenderSettings settings = image_settings(64, 32);
    settings.smoke[0].extinction = 0.0f;
    settings.ground_albedo = brume_vec3(0.5f, 0.5f, 0.5f);
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    const BrumeRay down = {{0.0f, 0.1f, 0.0f}, {0.0f, -1.0f, 0.0f}};
    assert_near("the ground", mean_radiance(renderer, &down, 0, 4096) / (0.5 * full * towards[1]), 1.0, 0.02);
    brume_renderer_destroy(renderer);

    fill(1.0f);
    settings.ground = false;
    settings.smoke[0] = (BrumeSmokeMedium){40.0f, {1.0f, 1.0f, 1.0f}};
    renderer = create_lit(&volume, &settings);
    const BrumeRay through = {{0.0f, 0.5f, 2.0f}, {0.0f, 0.0f, -1.0f}};
    assert_near("the furnace", mean_radiance(renderer, &through, 100000, 4000), 1.0, 0.01);
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

static void test_lookup(void **state)
{
    (void)state;
    fill_randomly();
    const BrumeRenderSettings settings = image_settings(24, 12);
    // the middle column lies at -z; between it and the next to its right, towards +x, is the exact direction
    const BrumeVec3 ahead = brume_sky_image_radiance(&settings.sky, brume_vec3(0.0f, 0.0f, -1.0f));
    const float *around = values + 3 * (5 * 24 + 11); // the horizon is between the rows 5 and 6
    const double expected =
        0.25 * ((double)around[0] + (double)around[3] + (double)around[3 * 24] + (double)around[3 * 24 + 3]);
    assert_near("straight ahead", (double)ahead.x, expected, 1e-4);
    const double angle = 2.0 * M_PI * 0.5 / 24;
    const BrumeVec3 right = brume_vec3((float)(sin(angle) * sin(M_PI * 5.5 / 12)), (float)cos(M_PI * 5.5 / 12),
                                       (float)(-cos(angle) * sin(M_PI * 5.5 / 12)));
    assert_near("a texel", (double)brume_sky_image_radiance(&settings.sky, right).y,
                (double)values[3 * (5 * 24 + 12) + 1], 1e-4);
    // no seam at the left edge, which lies at +z
    for (int n = 0; n < 9; n++) {
        const float y = -0.8f + 0.2f * (float)n;
        const float z = sqrtf(1.0f - y * y);
        const BrumeVec3 a = brume_sky_image_radiance(&settings.sky, brume_vec3(1e-6f, y, z));
        const BrumeVec3 b = brume_sky_image_radiance(&settings.sky, brume_vec3(-1e-6f, y, z));
        assert_near("the seam", (double)a.x, (double)b.x, 1e-3);
    }
    // turned by 90 degrees, what was at -z (azimuth 180) is at azimuth 270: -x
    BrumeSky turned = settings.sky;
    turned.rotation = 90.0f;
    turned.intensity = 2.0f;
    assert_near("turned", (double)brume_sky_image_radiance(&turned, brume_vec3(-1.0f, 0.0f, 0.0f)).x,
                2.0 * (double)ahead.x, 1e-3);
}

static void test_sunlight(void **state)
{
    (void)state;
    // straight down: scale heights of 8 and 1.2 km, a layer of ozone as thick as 15 km, from 50 m up
    const double rayleigh[3] = {5.802e-3, 13.558e-3, 33.1e-3};
    const double ozone[3] = {0.650e-3, 1.881e-3, 0.085e-3};
    const double wavelengths[3] = {0.68, 0.55, 0.44};
    for (int turbidity = 1; turbidity <= 9; turbidity += 4) {
        const BrumeVec3 sun = brume_sunlight((float)turbidity, 1.0f);
        for (int c = 0; c < 3; c++) {
            const double haze = (0.04608 * turbidity - 0.04586) * pow(wavelengths[c], -1.3);
            const double depth = rayleigh[c] * 8.0 * exp(-0.05 / 8.0) + haze * exp(-0.05 / 1.2) + ozone[c] * 15.0;
            assert_near("sunlight from the zenith", (double)brume_component(sun, c) / 8.0, exp(-depth), 2e-3);
        }
    }
    const BrumeVec3 low = brume_sunlight(2.5f, 0.05f);
    assert_true(low.x > 2.0f * low.z); // a low sun is red
    const BrumeVec3 set = brume_sunlight(2.5f, -0.05f);
    assert_true(set.x == 0.0f && set.y == 0.0f && set.z == 0.0f);
}

static BrumeVec3 daylight_at(const BrumeRenderer *renderer, float azimuth, float elevation)
{
    const float e = elevation * BRUME_PI / 180.0f;
    const float a = azimuth * BRUME_PI / 180.0f;
    return brume_sky_radiance(&renderer->lit.settings, brume_vec3(cosf(e) * sinf(a), sinf(e), cosf(e) * cosf(a)));
}

static void test_daylight(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(12, 0);
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.ground = false;
    settings.sky.kind = BRUME_SKY_DAYLIGHT;
    const float elevation = 40.0f * BRUME_PI / 180.0f;
    settings.lights[0].direction = brume_vec3(-cosf(elevation), -sinf(elevation), 0.0f); // from azimuth 90: +x
    settings.lights[0].daylight = true;
    settings.lights[0].color = brume_vec3(1.0f, 1.0f, 1.0f);
    settings.lights[0].intensity = 1.0f;
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    // mirrored about the plane of the sun, brightest towards it, blue elsewhere, the same below the horizon
    for (int n = 0; n < 6; n++) {
        const BrumeVec3 a = daylight_at(renderer, 90.0f + 30.0f * (float)n, 15.0f);
        const BrumeVec3 b = daylight_at(renderer, 90.0f - 30.0f * (float)n, 15.0f);
        assert_near("the mirrored sky", (double)a.x, (double)b.x, 1e-3 * (double)a.x);
    }
    assert_true(daylight_at(renderer, 90.0f, 40.0f).y > 5.0f * daylight_at(renderer, 270.0f, 40.0f).y);
    const BrumeVec3 blue = daylight_at(renderer, 270.0f, 60.0f);
    assert_true(blue.z > 2.0f * blue.x);
    const BrumeVec3 above = daylight_at(renderer, 200.0f, 0.01f);
    const BrumeVec3 below = daylight_at(renderer, 200.0f, -30.0f);
    assert_near("below the horizon", (double)below.y, (double)above.y, 1e-3 * (double)above.y);
    const BrumeVec3 sun = renderer->lit.settings.lights[0].color;
    assert_true(sun.x == brume_sunlight(2.5f, -renderer->lit.settings.lights[0].direction.y).x);
    // the share of the sky in the light on level ground, of clear days of 10 to 30 %
    const double diffuse = M_PI * (double)brume_skylight_irradiance(&renderer->lit.sky, brume_vec3(0, 1, 0)).y;
    const double direct = (double)(sun.y * sinf(elevation));
    print_message("diffuse share %.3f\n", diffuse / (diffuse + direct));
    assert_true(diffuse > 0.1 * (diffuse + direct) && diffuse < 0.3 * (diffuse + direct));
    // hazy air scatters more and is whiter
    settings.sky.turbidity = 8.0f;
    BrumeError error;
    assert_int_equal(brume_renderer_set_settings(renderer, &settings, &error), BRUME_OK);
    const BrumeVec3 hazy = daylight_at(renderer, 270.0f, 60.0f);
    assert_true(hazy.z / hazy.x < 0.8f * blue.z / blue.x);
    assert_true(renderer->lit.settings.lights[0].color.y < 0.7f * sun.y);
    const size_t needed = brume_renderer_bytes_needed(12, 18, 12, &settings, 1);
    assert_true(needed == brume_renderer_bytes(renderer));
    // an own position of the sun counts before the position of the light; without both there is none
    settings.sky.sun = brume_vec3(0.0f, -0.3f, 1.0f);
    assert_int_equal(brume_renderer_set_settings(renderer, &settings, &error), BRUME_OK);
    assert_true(daylight_at(renderer, 180.0f, 16.7f).y > 3.0f * daylight_at(renderer, 0.0f, 16.7f).y);
    settings.sky.sun = brume_vec3(0.0f, 0.0f, 0.0f);
    settings.light_count = 0;
    assert_int_equal(brume_renderer_set_settings(renderer, &settings, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "a daylight sky has no sun: a directional light or a direction");
    assert_true(daylight_at(renderer, 180.0f, 16.7f).y > 3.0f * daylight_at(renderer, 0.0f, 16.7f).y); // unchanged
    brume_renderer_destroy(renderer);
    plume_destroy(&volume);
}

// Radiance of the sky by light paths through the same spherical atmosphere with the phase functions themselves, 10^5
// paths for each color and direction (1 %). Between them and the table lies that light of more than two orders is
// scattered evenly to all sides.
static void test_daylight_against_paths(void **state)
{
    (void)state;
    static float image[3 * BRUME_DAYLIGHT_ROWS * BRUME_DAYLIGHT_COLUMNS];
    enum { ROWS = 4, COLUMNS = 3 };
    static const int rows[ROWS] = {127, 122, 106, 85}; // elevations of 0.35, 3.9, 15.1 and 29.9 degrees
    static const int columns[COLUMNS] = {127, 64, 14}; // azimuths of 179, 91 and 20 degrees from the sun
    static const struct {
        float height; // of the sun
        double paths[COLUMNS][ROWS][3], rms;
    } suns[] = {{0.052336f, // 3 degrees
                 {{{0.06198, 0.04726, 0.04646},
                   {0.11929, 0.08110, 0.06215},
                   {0.09269, 0.09768, 0.11143},
                   {0.05130, 0.06329, 0.09265}},
                  {{0.05535, 0.04039, 0.04189},
                   {0.08608, 0.06405, 0.05462},
                   {0.06132, 0.06680, 0.08345},
                   {0.03612, 0.04440, 0.06962}},
                  {{0.73098, 0.20721, 0.06691},
                   {1.01531, 0.36415, 0.10405},
                   {0.41699, 0.23787, 0.15065},
                   {0.12944, 0.10086, 0.10621}}},
                 0.14},
                {0.5f, // 30 degrees
                 {{{0.27558, 0.32608, 0.39885},
                   {0.29683, 0.38506, 0.48275},
                   {0.15441, 0.27802, 0.48943},
                   {0.07862, 0.15733, 0.32940}},
                  {{0.26841, 0.29804, 0.36237},
                   {0.26073, 0.33432, 0.41943},
                   {0.13740, 0.23992, 0.41991},
                   {0.08159, 0.15147, 0.30911}},
                  {{1.39131, 1.25887, 1.07833},
                   {1.38533, 1.40541, 1.27888},
                   {1.10038, 1.30280, 1.46115},
                   {1.09136, 1.26810, 1.45469}}},
                 0.15}};
    for (int n = 0; n < 2; n++) {
        BrumeError error;
        assert_int_equal(brume_daylight_fill(image, 2.5f, suns[n].height, &error), BRUME_OK);
        double sum = 0.0;
        double squares = 0.0;
        for (int column = 0; column < COLUMNS; column++) {
            for (int row = 0; row < ROWS; row++) {
                const float *texel = image + 3 * (rows[row] * BRUME_DAYLIGHT_COLUMNS + columns[column]);
                for (int c = 0; c < 3; c++) {
                    const double error_of_log = log((double)texel[c] / suns[n].paths[column][row][c]);
                    assert_true(fabs(error_of_log) < 0.36);
                    sum += error_of_log / (3 * ROWS * COLUMNS);
                    squares += error_of_log * error_of_log / (3 * ROWS * COLUMNS);
                }
            }
        }
        print_message("daylight over paths: mean %+.3f, rms %.3f\n", sum, sqrt(squares));
        assert_near("the mean of the logarithm", sum, 0.0, 0.08);
        assert_true(sqrt(squares) < suns[n].rms);
    }
}

static void test_same_bytes_at_any_thread_count(void **state)
{
    (void)state;
    static float expected[FLOATS];
    static float actual[FLOATS];
    BrumeVolume volume = plume_create(16, 0);
    BrumeRenderSettings settings = plume_settings();
    settings.sky.kind = BRUME_SKY_DAYLIGHT;
    const int before = brume_get_threads();
    for (int threads = 1; threads <= 3; threads++) {
        brume_set_threads(threads);
        draw(&volume, &settings, threads == 1 ? expected : actual);
        assert_true(threads == 1 || memcmp(expected, actual, sizeof expected) == 0);
    }
    brume_set_threads(before);
    plume_destroy(&volume);
}

static void expect_refusal(const BrumeRenderSettings *settings, const char *text)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_renderer_create(&renderer, 8, 8, 8, settings, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, text);
    assert_null(renderer);
}

static void test_bad_settings(void **state)
{
    (void)state;
    fill(1.0f);
    BrumeRenderSettings settings = image_settings(64, 32);
    values[3 * (2 * 64 + 5) + 1] = NAN;
    expect_refusal(&settings, "the image of the sky has a value of nan at column 5 of row 2");
    values[3 * (2 * 64 + 5) + 1] = -1.0f;
    expect_refusal(&settings, "the image of the sky has a value of -1 at column 5 of row 2");
    settings.sky.image.radiance = NULL;
    expect_refusal(&settings,
                   "a sky of kind 'image' needs an image of 1 to 32768 texels along a side (a scene names its file)");
    settings = image_settings(64, 0);
    expect_refusal(&settings,
                   "a sky of kind 'image' needs an image of 1 to 32768 texels along a side (a scene names its file)");
    settings = image_settings(64, 32);
    settings.sky.intensity = -1.0f;
    expect_refusal(&settings, "the sky has an intensity of -1 and a rotation of 0 degrees");
    settings = brume_default_render_settings();
    settings.sky.kind = BRUME_SKY_DAYLIGHT;
    settings.sky.turbidity = 0.5f;
    expect_refusal(&settings, "the turbidity of daylight is 0.5; it has 1 to 10");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant_image_is_constant_sky),
        cmocka_unit_test(test_irradiance_of_constant_image),
        cmocka_unit_test(test_distribution_is_exact),
        cmocka_unit_test(test_distribution_of_gradient),
        cmocka_unit_test(test_irradiance_of_one_texel),
        cmocka_unit_test(test_path_tracer),
        cmocka_unit_test(test_lookup),
        cmocka_unit_test(test_sunlight),
        cmocka_unit_test(test_daylight),
        cmocka_unit_test(test_daylight_against_paths),
        cmocka_unit_test(test_same_bytes_at_any_thread_count),
        cmocka_unit_test(test_bad_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

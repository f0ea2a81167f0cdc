// What is stored for interpolation, and pictures of a smooth volume on more cells and with shorter steps.
#include "core/vec3.h"
#include "lit_renderer.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/light/lattice_fit.h"
#include "raymarch_plume.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 300 }; // more than one block of a row

// relative root mean square error of linear interpolation of exp(-depth) between POINTS values
static double interpolation_error(const float *values, float width)
{
    double squares = 0.0;
    int count = 0;
    for (int n = 2; n + 3 < POINTS; n++) {
        for (int part = 0; part < 8; part++) {
            const float t = ((float)part + 0.5f) / 8.0f;
            const float x = ((float)n + t - 0.5f * POINTS) / width;
            const double exact = exp(-2.0 * (double)(1.0f + x / sqrtf(1.0f + x * x)));
            const double error = (double)(values[n] + t * (values[n + 1] - values[n])) - exact;
            squares += error * error;
            count++;
        }
    }
    return sqrt(squares / count);
}

// along each axis the error is the error of interpolation over the square root of 6, and ends and constants are kept
static void test_fit(void **state)
{
    (void)state;
    static float samples[POINTS];
    static float lattice[9 * POINTS];
    const float width = 8.0f;
    for (int n = 0; n < POINTS; n++) {
        const float x = ((float)n - 0.5f * POINTS) / width;
        samples[n] = expf(-2.0f * (1.0f + x / sqrtf(1.0f + x * x)));
    }
    const double before = interpolation_error(samples, width);
    for (int axis = 0; axis < 3; axis++) {
        const int sides[3] = {axis == 0 ? POINTS : 3, axis == 1 ? POINTS : 3, axis == 2 ? POINTS : 2};
        const int stride = axis == 0 ? 1 : axis == 1 ? sides[0] : sides[0] * sides[1];
        const int across = sides[0] * sides[1] * sides[2] / POINTS;
        for (int n = 0; n < across * POINTS; n++) {
            lattice[n] = samples[n / stride % POINTS];
        }
        brume_fit_lattice(lattice, sides[0], sides[1], sides[2]);
        float line[POINTS];
        for (int n = 0; n < POINTS; n++) {
            line[n] = lattice[stride * n];
        }
        assert_near("error over that of interpolation", interpolation_error(line, width) / before, 0.408, 0.02);
        assert_true(line[0] == samples[0] && line[POINTS - 1] == samples[POINTS - 1]);
    }
}

// the edge of a shadow stays as it is, and values stay between their neighbors
static void test_fit_of_an_edge(void **state)
{
    (void)state;
    float edge[8] = {1.0f, 1.0f, 1.0f, 0.9f, 0.0f, 0.0f, 0.0f, 0.0f};
    brume_fit_lattice(edge, 8, 1, 1);
    assert_true(edge[2] == 1.0f && edge[4] == 0.0f && edge[5] == 0.0f);
    assert_near("the value before the edge", edge[3], 0.9 + 0.8 / 12.0, 1e-6);
}

enum { SIDE = 32, WIDTH = 24, PIXELS = WIDTH * WIDTH };

// leaves the light that was scattered once
static void clear_scattered_light(BrumeRenderer *renderer)
{
    BrumeScatteredLight *scattered = &renderer->lit.scattered;
    const size_t entries = brume_grid_entries(scattered->grids[0].albedo[0].grid);
    memset(scattered->moments, 0, 3 * BRUME_LIGHT_MOMENTS * entries * sizeof(float));
}

// three overlapping Gaussian distributions on `cells` a side, lit; with the step of the settings
static BrumeRenderer *light_smooth_volume(int cells, const BrumeRenderSettings *settings)
{
    const float middles[3][3] = {{0.0f, -0.05f, 0.0f}, {0.12f, 0.12f, 0.05f}, {-0.13f, 0.08f, -0.1f}};
    const float widths[3] = {0.13f, 0.09f, 0.08f};
    float *density = malloc((size_t)cells * (size_t)cells * (size_t)cells * sizeof *density);
    assert_non_null(density);
    float *entry = density;
    for (int k = 0; k < cells; k++) {
        for (int j = 0; j < cells; j++) {
            for (int i = 0; i < cells; i++, entry++) {
                const BrumeVec3 at =
                    brume_scale(brume_vec3((float)i + 0.5f, (float)j + 0.5f, (float)k + 0.5f), 1.0f / (float)cells);
                *entry = 0.0f;
                for (int n = 0; n < 3; n++) {
                    const BrumeVec3 from = brume_vec3(at.x - 0.5f - middles[n][0], at.y - 0.5f - middles[n][1],
                                                      at.z - 0.5f - middles[n][2]);
                    *entry += expf(-0.5f * brume_dot(from, from) / (widths[n] * widths[n]));
                }
            }
        }
    }
    const BrumeVolume volume =
        brume_volume_from_array(density, cells, cells, cells, 1.0f / (float)cells, brume_vec3(-0.5f, -0.5f, -0.5f));
    BrumeRenderer *renderer = create_lit(&volume, settings);
    free(density);
    return renderer;
}

static BrumeRenderSettings smooth_settings(float extinction, float step)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.smoke[0] = (BrumeSmokeMedium){extinction, {0.9f, 0.9f, 0.9f}};
    settings.ground = false;
    settings.step = step;
    return settings;
}

static const BrumeCamera smooth_camera = {
    .position = {0.3f, 0.3f, 2.6f}, .target = {0.0f, 0.0f, 0.0f}, .field_of_view = 24.0f};

static void draw_smooth_volume(int cells, float step, float *picture)
{
    const BrumeRenderSettings settings = smooth_settings(20.0f, step);
    BrumeRenderer *renderer = light_smooth_volume(cells, &settings);
    const BrumeDrawDef def = {.width = WIDTH, .height = WIDTH, .samples = 4, .seed = 1};
    assert_int_equal(brume_renderer_draw(renderer, &smooth_camera, &def, picture, NULL), BRUME_OK);
    brume_renderer_destroy(renderer);
}

static double relative_difference(const float *a, const float *b)
{
    double squares = 0.0;
    double sum = 0.0;
    for (int n = 0; n < 3 * PIXELS; n++) {
        squares += (double)(a[n] - b[n]) * (double)(a[n] - b[n]);
        sum += (double)b[n];
    }
    return sqrt(squares * 3.0 * PIXELS) / sum;
}

// half the step or twice the cells change a picture with sun and sky by less than 0.5 %
static void test_smooth_volume(void **state)
{
    (void)state;
    static float pictures[4][3 * PIXELS];
    draw_smooth_volume(SIDE, 1.0f, pictures[0]);
    draw_smooth_volume(SIDE, 0.5f, pictures[1]);
    draw_smooth_volume(2 * SIDE, 1.0f, pictures[2]);
    draw_smooth_volume(2 * SIDE, 0.5f, pictures[3]);
    const double of_step = relative_difference(pictures[0], pictures[1]);
    const double of_cells = relative_difference(pictures[0], pictures[2]);
    const double of_both = relative_difference(pictures[1], pictures[3]);
    print_message("half the step %.5f, twice the cells %.5f, with half the step %.5f\n", of_step, of_cells, of_both);
    assert_below("difference by half the step", of_step, 0.001);
    assert_below("difference by twice the cells", of_cells, 0.005);
    assert_below("difference by twice the cells, at half the step", of_both, 0.005);
}

enum {
    STRIPED = 32,    // cells a side
    FINER = 4,       // times as many show no stripes
    COLUMN = 320,    // pixels, about 9 a cell
    COLUMNS = 20,    // of pixels that are drawn
    HALF_PERIOD = 4, // pixels
};

static void draw_columns(int cells, float step, bool cubic, const BrumeLight *light, float *columns)
{
    BrumeRenderSettings settings = smooth_settings(60.0f, step);
    settings.interpolation = cubic ? BRUME_INTERPOLATION_CUBIC : BRUME_INTERPOLATION_LINEAR;
    settings.lights[0] = *light;
    settings.sky_zenith = settings.sky_horizon = brume_vec3(0.0f, 0.0f, 0.0f);
    BrumeRenderer *renderer = light_smooth_volume(cells, &settings);
    clear_scattered_light(renderer);
    const int left = COLUMN / 3; // where the volume is lit
    const BrumeDrawDef def = {.width = COLUMN,
                              .height = COLUMN,
                              .samples = 4,
                              .seed = 1,
                              .crop = {.left = left, .top = 0, .right = left + COLUMNS, .bottom = COLUMN}};
    assert_int_equal(brume_renderer_draw(renderer, &smooth_camera, &def, columns, NULL), BRUME_OK);
    brume_renderer_destroy(renderer);
}

// Root mean square of the excess of the difference of two pictures over its mean over the width of a cell, over the
// mean of the second.
static double stripes(const float *columns, const float *exact)
{
    double squares = 0.0;
    double sum = 0.0;
    for (int y = HALF_PERIOD; y < COLUMN - HALF_PERIOD; y++) {
        for (int n = 3 * COLUMNS * y; n < 3 * COLUMNS * (y + 1); n++) {
            double mean = 0.0;
            for (int row = -HALF_PERIOD; row <= HALF_PERIOD; row++) {
                const int m = n + 3 * COLUMNS * row;
                mean += (double)(columns[m] - exact[m]) / (2 * HALF_PERIOD + 1);
            }
            const double excess = (double)(columns[n] - exact[n]) - mean;
            squares += excess * excess;
            sum += (double)exact[n];
        }
    }
    return sqrt(squares * 3 * COLUMNS * (COLUMN - 2 * HALF_PERIOD)) / sum;
}

// The entries of light volumes do not show as stripes of the width of a cell: not where the extinction is interpolated
// smoothly. Where it is not, its own remain. With one entry a cell there are 0.0035, 0.0036, 0.0040 and 0.0066.
static void test_stripes(void **state)
{
    (void)state;
    static float columns[3 * COLUMNS * COLUMN], exact[3 * COLUMNS * COLUMN];
    const BrumeLight sun = {.direction = {0.6f, -0.75f, -0.35f}, .color = {1.0f, 1.0f, 1.0f}, .intensity = 3.0f};
    BrumeLight disc = sun;
    disc.angle = 2.0f;
    const BrumeLight point = {
        .kind = BRUME_LIGHT_POINT, .position = {-0.6f, 0.75f, 0.5f}, .color = {1.0f, 1.0f, 1.0f}, .intensity = 3.0f};
    const struct {
        const char *name;
        BrumeLight light;
        bool cubic;
        double most;
    } cases[] = {{"a sun", sun, true, 0.0013},
                 {"a sun with a disc", disc, true, 0.0013},
                 {"a point light", point, true, 0.0014},
                 {"a sun, linear extinction", sun, false, 0.0057}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        draw_columns(FINER * STRIPED, 1.0f, cases[n].cubic, &cases[n].light, exact);
        draw_columns(STRIPED, 1.0f / FINER, cases[n].cubic, &cases[n].light, columns);
        const double found = stripes(columns, exact);
        print_message("%s: %.5f\n", cases[n].name, found);
        assert_below("stripes over the mean", found, cases[n].most);
    }
}

// Light that was scattered once towards a ray's origin, per albedo and irradiance, in smoke that scatters evenly to all
// sides: fine steps along the ray, and from each to the sun.
static double exact_single_scattering(const BrumeLitMedium *lit, const BrumeRay *ray)
{
    const double step = 0.2; // [cells]
    const BrumeGridMedium *medium = &lit->medium;
    const BrumeRay in_cells = {brume_scale(brume_sub(ray->origin, medium->origin), 1.0f / medium->dx), ray->direction};
    const BrumeRayInterval inside =
        brume_ray_box(&in_cells, brume_vec3(0.0f, 0.0f, 0.0f), brume_grid_extent(medium->grid));
    const BrumeVec3 to_sun = brume_scale(lit->settings.lights[0].direction, -1.0f);
    double radiance = 0.0;
    double transmittance = 1.0;
    for (int n = 0;; n++) {
        const double at = (double)inside.enter + (n + 0.5) * step;
        if (!(at < (double)inside.leave)) {
            break;
        }
        const BrumeVec3 point = brume_ray_at(&in_cells, (float)at);
        const double extinction = (double)brume_grid_medium_extinction_at(medium, point);
        if (extinction > 0.0 && transmittance > 1e-5) {
            const BrumeRay shadow = {brume_add(medium->origin, brume_scale(point, medium->dx)), to_sun};
            const double left = exp(-extinction * step);
            radiance += transmittance * (1.0 - left) * (double)brume_march_transmittance(lit, &shadow, INFINITY);
            transmittance *= left;
        }
    }
    return radiance / (4.0 * M_PI);
}

// The plume under a sun, without the light of other orders. The light volumes have one sample a cell, in
// volumes of at most 48 cells along a side two, so the error falls with the square of the size of the cells, down to
// details that they do not resolve.
static void test_single_scattering(void **state)
{
    (void)state;
    const struct {
        int cells;
        float step;
        double rmse;
    } cases[] = {{32, 1.0f, 0.04}, {64, 1.0f, 0.04}, {64, 0.5f, 0.035}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        BrumeVolume volume = plume_create(cases[n].cells, 0);
        BrumeRenderSettings settings = brume_default_render_settings();
        settings.smoke[0] = (BrumeSmokeMedium){20.0f, {1.0f, 1.0f, 1.0f}};
        settings.anisotropy = 0.0f;
        settings.ground = false;
        settings.lights[0].color = brume_vec3(1.0f, 1.0f, 1.0f);
        settings.lights[0].intensity = 1.0f;
        settings.step = 0.25f; // of the shadow rays
        BrumeRenderer *renderer = create_lit(&volume, &settings);
        clear_scattered_light(renderer);
        double squares = 0.0;
        double exact_sum = 0.0;
        double sum = 0.0;
        int count = 0;
        for (int y = 0; y < 36; y++) {
            for (int x = 0; x < 28; x++, count++) {
                const BrumeVec3 target = brume_vec3(0.04f * ((float)x - 13.5f), 0.04f * ((float)y + 0.5f), 0.0f);
                const BrumeVec3 from = {0.3f, 0.8f, 3.2f};
                const BrumeRay ray = {from, brume_normalize(brume_sub(target, from))};
                const double exact = exact_single_scattering(&renderer->lit, &ray);
                double marched = 0.0;
                for (int pass = 0; pass < 4; pass++) {
                    const BrumeMarchSteps steps = {.length = cases[n].step, .jitter = 0.25f * (float)pass + 0.125f};
                    marched += 0.25 * (double)brume_march(&renderer->lit, &ray, INFINITY, steps).radiance.y;
                }
                squares += (marched - exact) * (marched - exact);
                exact_sum += exact;
                sum += marched;
            }
        }
        const double rmse = sqrt(squares * count) / exact_sum;
        print_message("%d cells, steps of %.1f: %.4f, mean %+.4f\n", cases[n].cells, (double)cases[n].step, rmse,
                      sum / exact_sum - 1.0);
        assert_below("root mean square error over the mean", rmse, cases[n].rmse);
        assert_near("error of the mean", sum / exact_sum, 1.0, 0.01);
        brume_renderer_destroy(renderer);
        plume_destroy(&volume);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit),     cmocka_unit_test(test_fit_of_an_edge),    cmocka_unit_test(test_smooth_volume),
        cmocka_unit_test(test_stripes), cmocka_unit_test(test_single_scattering),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Transfer curves: values by formulas, the extinction and the glow that they give, and refused curves.
#include "core/vec3.h"
#include "raymarch/blackbody.h"
#include "raymarch/cpu/march.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/curve.h"
#include "raymarch_check.h"

static const BrumeCurve tent = {.count = 3, .points = {{0.125f, 0.0f}, {0.375f, 1.0f}, {0.625f, 0.25f}}};

static void test_linear_values(void **state)
{
    (void)state;
    const struct {
        float at, value;
    } expected[] = {{-1.0f, 0.0f},  {0.125f, 0.0f},  {0.1875f, 0.25f}, {0.25f, 0.5f}, {0.375f, 1.0f},
                    {0.5f, 0.625f}, {0.625f, 0.25f}, {9.0f, 0.25f},    {NAN, 0.0f},   {INFINITY, 0.25f}};
    for (size_t n = 0; n < sizeof expected / sizeof expected[0]; n++) {
        assert_near("the value", (double)brume_curve_at(&tent, expected[n].at), (double)expected[n].value, 0.0);
    }
}

static void test_smooth_values(void **state)
{
    (void)state;
    // secants 1 and 3, slopes 1, 3/2 (their harmonic mean) and 3
    const BrumeCurve rising = {
        .kind = BRUME_CURVE_SMOOTH, .count = 3, .points = {{0.0f, 0.0f}, {1.0f, 1.0f}, {2.0f, 4.0f}}};
    assert_near("at 1/2", (double)brume_curve_at(&rising, 0.5f), 0.4375, 0.0);
    assert_near("at 1", (double)brume_curve_at(&rising, 1.0f), 1.0, 0.0);
    assert_near("at 3/2", (double)brume_curve_at(&rising, 1.5f), 2.3125, 0.0);
    const BrumeCurve line = {.kind = BRUME_CURVE_SMOOTH, .count = 2, .points = {{1.0f, 2.0f}, {3.0f, 6.0f}}};
    assert_near("two points are a line", (double)brume_curve_at(&line, 1.5f), 3.0, 0.0);
    // no extrema between the points: rising up to the middle one of the tent, falling after it, never outside
    BrumeCurve smooth = tent;
    smooth.kind = BRUME_CURVE_SMOOTH;
    float before = 0.0f;
    for (int n = 125; n <= 625; n++) {
        const float x = 0.001f * (float)n;
        const float value = brume_curve_at(&smooth, x);
        assert_true(n <= 375 ? value >= before - 1e-6f : value <= before + 1e-6f);
        assert_true(value >= 0.0f && value <= 1.0f + 1e-6f);
        before = value;
    }
    // steps of very different widths
    const BrumeCurve step = {.kind = BRUME_CURVE_SMOOTH,
                             .count = 4,
                             .points = {{0.0f, 0.0f}, {1.0f, 1e-3f}, {1.001f, 1.0f}, {100.0f, 1.0f}}};
    before = 0.0f;
    for (int n = 0; n < 200000; n++) {
        const float x = 0.0005f * (float)n;
        const float value = brume_curve_at(&step, x);
        assert_true(value >= before - 1e-6f && value <= 1.0f + 1e-6f);
        before = value;
    }
}

enum { SIDE = 20 };
static float density[SIDE * SIDE * SIDE], color[SIDE * SIDE * SIDE], temperature[SIDE * SIDE * SIDE];

static BrumeVolume cube(void)
{
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        density[n] = (float)(n % SIDE) / SIDE; // grows along x
        color[n] = 2.0f;
        temperature[n] = 1500.0f;
    }
    density[7] = NAN;
    density[8] = -1.0f;
    return brume_volume_from_array(density, SIDE, SIDE, SIDE, 1.0f / SIDE, brume_vec3(0.0f, 0.0f, 0.0f));
}

static BrumeRenderer *create_loaded(const BrumeVolume *volume, const BrumeRenderSettings *settings)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, SIDE, SIDE, SIDE, settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, volume, &error), BRUME_OK);
    return renderer;
}

// the extinction of every cell follows the curve, and majorants bound it
static void test_extinction(void **state)
{
    (void)state;
    const BrumeVolume volume = cube();
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.smoke[0].extinction = 64.0f;
    settings.density_curve[0] = tent;
    BrumeRenderer *renderer = create_loaded(&volume, &settings);
    const BrumeGridMedium *medium = &renderer->lit.medium;
    float largest = 0.0f;
    for (int k = 0; k < SIDE; k++) {
        for (int j = 0; j < SIDE; j++) {
            for (int i = 0; i < SIDE; i++) {
                const float value = density[i + SIDE * (j + SIDE * k)];
                const float expected = 64.0f * volume.dx * brume_curve_at(&tent, value > 0.0f ? value : 0.0f);
                const float found =
                    medium->extinction.data[brume_field_index(&medium->extinction, i + 1, j + 1, k + 1)];
                assert_near("the extinction", (double)found, (double)expected, 0.0);
                largest = found > largest ? found : largest;
            }
        }
    }
    // the curve has its maximum inside, so the densest cells do not have the largest extinction
    float majorant = 0.0f;
    for (size_t n = 0; n < brume_grid_cells(medium->macro_cells); n++) {
        majorant = medium->majorant[n] > majorant ? medium->majorant[n] : majorant;
    }
    assert_true(majorant == largest && largest > 0.9f * 64.0f * volume.dx);
    brume_renderer_destroy(renderer);
}

// with detail of strength 0 the curve acts on interpolated densities
static void test_finer_cells(void **state)
{
    (void)state;
    const BrumeVolume volume = cube();
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.smoke[0].extinction = 64.0f;
    settings.density_curve[0] = (BrumeCurve){.count = 2, .points = {{0.5f, 0.0f}, {0.52f, 1.0f}}};
    settings.detail.factor = 2;
    settings.detail.strength = 0.0f;
    BrumeRenderer *renderer = create_loaded(&volume, &settings);
    const BrumeGridMedium *medium = &renderer->lit.medium;
    assert_int_equal(medium->grid.nx, 2 * SIDE);
    // densities of 0.4875, 0.5125 and 0.5375, between cells of 0.45, 0.5 and 0.55
    const double expected[3] = {0.0, 0.625, 1.0};
    for (int n = 0; n < 3; n++) {
        const ptrdiff_t entry = brume_field_index(&medium->extinction, 21 + n, SIDE, SIDE);
        const double found = (double)(medium->extinction.data[entry] / (64.0f * medium->dx));
        assert_near("the factor of the curve", found, expected[n], 0.01);
    }
    brume_renderer_destroy(renderer);
}

// a curve of y = x gives the picture of none; kinds have their own curves
static void test_identity_and_kinds(void **state)
{
    (void)state;
    BrumeVolume volume = cube();
    volume.density[1] = color;
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.smoke[0].albedo = brume_vec3(0.0f, 0.0f, 0.0f);
    settings.smoke[1].albedo = brume_vec3(1.0f, 1.0f, 1.0f);
    settings.smoke[0].extinction = settings.smoke[1].extinction = 10.0f;
    settings.density_curve[0] = (BrumeCurve){.count = 2, .points = {{0.0f, 0.0f}, {1.0f, 1.0f}}};
    settings.density_curve[1] = (BrumeCurve){.count = 2, .points = {{0.0f, 0.0f}, {4.0f, 1.0f}}}; // 2 becomes 1/2
    BrumeRenderer *renderer = create_loaded(&volume, &settings);
    const BrumeGridMedium *medium = &renderer->lit.medium;
    assert_true(medium->mixed);
    for (int i = 9; i < SIDE; i++) {
        const ptrdiff_t at = brume_field_index(&medium->extinction, i + 1, 4, 5);
        const float own = 10.0f * volume.dx * density[i];
        const float other = 10.0f * volume.dx * 0.5f;
        assert_near("the extinction", (double)medium->extinction.data[at], (double)(own + other), 1e-6);
        assert_near("the first kind", (double)medium->kinds[BRUME_VOLUME_KINDS * at], (double)own, 1e-6);
        const BrumeVec3 albedo =
            brume_grid_medium_albedo(medium, &renderer->lit.settings, i + 1, 4, 5, 0.0f, 0.0f, 0.0f);
        assert_near("the albedo", (double)albedo.x, (double)(other / (own + other)), 1e-6);
    }
    brume_renderer_destroy(renderer);
}

// the glow of one temperature, without scattering: the factor of the curve times that without one
static void test_emission(void **state)
{
    (void)state;
    BrumeVolume volume = cube();
    volume.temperature = temperature;
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.smoke[0].albedo = brume_vec3(0.0f, 0.0f, 0.0f);
    settings.emission.intensity = 1.0f;
    settings.emission.ambient = 200.0f; // 1700 K
    const BrumeRay ray = {{0.3f, 0.4f, 2.0f}, {0.0f, 0.0f, -1.0f}};
    double radiance[3];
    for (int n = 0; n < 3; n++) {
        settings.emission.curve.count = n == 0 ? 0 : 2;
        settings.emission.curve.points[0] = (BrumeCurvePoint){1300.0f, 0.0f};
        settings.emission.curve.points[1] = (BrumeCurvePoint){n == 1 ? 2100.0f : 1690.0f, 5.0f}; // 2.5 and 5 at 1700 K
        BrumeRenderer *renderer = create_loaded(&volume, &settings);
        brume_renderer_light(renderer, NULL);
        radiance[n] =
            (double)brume_march(&renderer->lit, &ray, INFINITY, (BrumeMarchSteps){.length = 1.0f, .jitter = 0.5f})
                .radiance.x;
        brume_renderer_destroy(renderer);
    }
    assert_near("the glow of a factor of 2.5", radiance[1] / radiance[0], 2.5, 0.01); // the table is within 0.3 %
    assert_near("the glow of a factor of 5", radiance[2] / radiance[0], 5.0, 0.015);
}

static void test_refusals(void **state)
{
    (void)state;
    const BrumeCurve bad[] = {
        {.count = 1, .points = {{0.0f, 1.0f}}},
        {.count = 2, .points = {{0.5f, 1.0f}, {0.5f, 2.0f}}},
        {.count = 2, .points = {{0.5f, 1.0f}, {0.25f, 2.0f}}},
        {.count = 2, .points = {{0.0f, 1.0f}, {1.0f, -0.5f}}},
        {.count = 2, .points = {{0.0f, NAN}, {1.0f, 1.0f}}},
        {.count = BRUME_MAX_CURVE_POINTS + 1},
        {.count = -1},
    };
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        for (int part = 0; part < 2; part++) {
            BrumeRenderSettings settings = brume_default_render_settings();
            *(part == 0 ? &settings.density_curve[2] : &settings.emission.curve) = bad[n];
            BrumeRenderer *renderer = NULL;
            BrumeError error;
            assert_int_equal(brume_renderer_create(&renderer, 4, 4, 4, &settings, &error), BRUME_BAD_INPUT);
            assert_string_equal(error.text,
                                "a curve must have 2 to 16 points with increasing positions and values of 0 or more");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_values),      cmocka_unit_test(test_smooth_values),
        cmocka_unit_test(test_extinction),         cmocka_unit_test(test_finer_cells),
        cmocka_unit_test(test_identity_and_kinds), cmocka_unit_test(test_emission),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The quantities of the views at the cell centers, their color scales, and the transfer function.
#include "core/field.h"
#include "core/vec3.h"
#include "raymarch/tone.h"
#include "view_support.h"
#include "viewer/views/field_view.h"

#include <string.h>

static const BrumeGrid grid = {.nx = 12, .ny = 9, .nz = 10};
static const BrumeVec3 origin = {-0.4f, 0.2f, 0.7f};
static const float dx = 0.125f;

static float zero(BrumeVec3 p)
{
    (void)p;
    return 0.0f;
}

static float one(BrumeVec3 p)
{
    (void)p;
    return 1.0f;
}

// omega x p with omega = (0.7, -1.1, 0.4) 1/s
static float turning_u(BrumeVec3 p) { return -1.1f * p.z - 0.4f * p.y; }
static float turning_v(BrumeVec3 p) { return 0.4f * p.x - 0.7f * p.z; }
static float turning_w(BrumeVec3 p) { return 0.7f * p.y + 1.1f * p.x; }

static void test_curl_of_a_rotation_is_twice_its_rate(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(grid, dx, origin);
    BrumeField values = view_field(grid);
    view_set_flow(&variant, turning_u, turning_v, turning_w);
    const double expected = 2.0 * sqrt(0.7 * 0.7 + 1.1 * 1.1 + 0.4 * 0.4);
    const BrumeColorScale scale = brume_evaluate_view(BRUME_VIEW_VORTICITY, &variant, NULL, &values);
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) { // at the sides of the box too
                assert_near("vorticity of a rotation", brume_field_at(&values, i, j, k), expected, 2e-5);
            }
        }
    }
    assert_near("end of the vorticity's scale", scale.upper, 5.0, 0.0);
    assert_near("start of the vorticity's scale", scale.lower, 0.0, 0.0);
    assert_string_equal(scale.unit, "1/s");
    brume_field_destroy(&values);
    view_variant_destroy(&variant);
}

// air that slips along a solid has no vorticity there, though the solid's own cells are at rest
static void test_no_vorticity_where_air_slips_along_a_solid(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(grid, dx, origin);
    BrumeField values = view_field(grid);
    view_set_flow(&variant, one, zero, zero);
    variant.settings.body_count = 1;
    variant.settings.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX,
                     .a = {origin.x - 1.0f, origin.y - 1.0f, origin.z - 1.0f},
                     .b = {origin.x + 9.0f, origin.y + 4.0f * dx, origin.z + 9.0f}}; // the lowest four layers
    BrumeField *u = &variant.fields[BRUME_FIELD_U];
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= 4; j++) {
            memset(u->data + brume_field_index(u, 1, j, k), 0, (size_t)(grid.nx + 1) * sizeof(float));
        }
    }
    (void)brume_evaluate_view(BRUME_VIEW_VORTICITY, &variant, NULL, &values);
    for (int j = 1; j <= grid.ny; j++) {
        assert_near("vorticity by a solid", brume_field_at(&values, 6, j, 5), 0.0, 0.0);
    }
    variant.settings.body_count = 0; // without it that is a shear layer
    (void)brume_evaluate_view(BRUME_VIEW_VORTICITY, &variant, NULL, &values);
    assert_near("vorticity of a shear layer", brume_field_at(&values, 6, 5, 5), 0.5 / (double)dx, 1e-5);
    brume_field_destroy(&values);
    view_variant_destroy(&variant);
}

static float linear_u(BrumeVec3 p) { return 2.0f * p.x; }
static float linear_v(BrumeVec3 p) { return -1.0f * p.y; }
static float linear_w(BrumeVec3 p) { return 0.5f * p.z - 1.0f; }
static float ramp(BrumeVec3 p) { return 3.0f * p.x - 2.0f * p.y + p.z; }

static void test_fields_at_the_centers(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(grid, dx, origin);
    BrumeField values = view_field(grid);
    const BrumeVec3 middle = {0.5f, 0.5f, 0.5f};
    view_set_flow(&variant, linear_u, linear_v, linear_w);
    view_set(&variant.fields[BRUME_FIELD_TEMPERATURE], origin, dx, middle, ramp);
    view_set(&variant.fields[BRUME_FIELD_PRESSURE], origin, dx, middle, linear_v);
    view_set(&variant.fields[BRUME_FIELD_DENSITY], origin, dx, middle, one);
    variant.fields[BRUME_FIELD_COLOR_2] = view_field(grid);
    view_set(&variant.fields[BRUME_FIELD_COLOR_2], origin, dx, middle, linear_u);

    const BrumeVec3 position = brume_add(origin, brume_scale(brume_vec3(3.5f, 7.5f, 4.5f), dx)); // of cell (4, 8, 5)
    const double expected[BRUME_VIEW_COUNT] = {
        1.0 + (double)linear_u(position),
        (double)ramp(position),
        sqrt(pow((double)linear_u(position), 2) + pow((double)linear_v(position), 2) +
             pow((double)linear_w(position), 2)),
        0.0,
        (double)linear_v(position),
        1.0 + (double)linear_u(position),
    };
    for (int view = 0; view < BRUME_VIEW_COUNT; view++) {
        const BrumeColorScale scale = brume_evaluate_view((BrumeViewKind)view, &variant, NULL, &values);
        assert_near(brume_view_name((BrumeViewKind)view), brume_field_at(&values, 4, 8, 5), expected[view], 1e-5);
        // a part of the ramp is below ambient
        assert_int_equal(scale.is_signed, view == BRUME_VIEW_PRESSURE || view == BRUME_VIEW_TEMPERATURE);
        assert_near("lower end", scale.lower, scale.is_signed ? -(double)scale.upper : 0.0, 0.0);
    }
    brume_field_destroy(&values);
    view_variant_destroy(&variant);
}

static float end_for(BrumeSnapshotVariant *variant, BrumeField *values, float hottest, const BrumeColorScale *before)
{
    BrumeField *heat = &variant->fields[BRUME_FIELD_TEMPERATURE];
    heat->data[brume_field_index(heat, 3, 4, 5)] = hottest;
    return brume_evaluate_view(BRUME_VIEW_TEMPERATURE, variant, before, values).upper;
}

// files of frames need not have all fields
static void test_fields_that_are_missing(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(brume_grid(4, 5, 6), 0.1f, brume_vec3(0.0f, 0.0f, 0.0f));
    for (int view = 0; view < BRUME_VIEW_COUNT; view++) {
        assert_null(brume_view_missing_quantity((BrumeViewKind)view, &variant));
    }
    for (int id = 0; id < BRUME_FIELD_DENSITY; id++) {
        brume_field_destroy(&variant.fields[id]);
    }
    static const char *const expected[BRUME_VIEW_COUNT] = {NULL,       "temperature", "velocity",
                                                           "velocity", "pressure",    NULL};
    for (int view = 0; view < BRUME_VIEW_COUNT; view++) {
        const char *missing = brume_view_missing_quantity((BrumeViewKind)view, &variant);
        assert_int_equal(missing != NULL, expected[view] != NULL);
        if (missing) {
            assert_string_equal(missing, expected[view]);
        }
    }
    brume_field_fill(&variant.fields[BRUME_FIELD_DENSITY], 0.25f);
    BrumeField values = view_field(brume_grid(4, 5, 6));
    (void)brume_evaluate_view(BRUME_VIEW_ISOSURFACE, &variant, NULL, &values);
    assert_near("density", brume_field_at(&values, 4, 5, 6), 0.25, 0.0);
    brume_field_destroy(&values);
    view_variant_destroy(&variant);
}

static void test_scales_end_round(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(grid, dx, origin);
    BrumeField values = view_field(grid);
    const float cases[][2] = {{0.0f, 0.1f}, {1e-6f, 0.1f},    {0.7f, 1.0f},     {1.0f, 1.0f},    {1.01f, 2.0f},
                              {2.5f, 5.0f}, {-4.99f, 5.0f},   {5.01f, 10.0f},   {99.0f, 100.0f}, {101.0f, 200.0f},
                              {NAN, 0.1f},  {INFINITY, 0.1f}, {450.0f, 500.0f}, {8e5f, 1e6f}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        assert_near("end of a scale", end_for(&variant, &values, cases[n][0], NULL), cases[n][1], 0.0);
    }
    brume_field_destroy(&values);
    view_variant_destroy(&variant);
}

static void test_scales_hold_still(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(grid, dx, origin);
    BrumeField values = view_field(grid);
    BrumeColorScale scale = {0};
    // up at once; down only where 5/4 of the largest value fits under the next smaller end
    const float steps[][2] = {{4.0f, 5.0f}, {1.9f, 5.0f}, {4.9f, 5.0f}, {5.1f, 10.0f}, {4.9f, 10.0f},  {4.1f, 10.0f},
                              {3.9f, 5.0f}, {4.9f, 5.0f}, {1.5f, 2.0f}, {1.9f, 2.0f},  {30.0f, 50.0f}, {0.0f, 0.2f}};
    for (size_t n = 0; n < sizeof steps / sizeof steps[0]; n++) {
        BrumeField *heat = &variant.fields[BRUME_FIELD_TEMPERATURE];
        heat->data[brume_field_index(heat, 3, 4, 5)] = steps[n][0];
        scale = brume_evaluate_view(BRUME_VIEW_TEMPERATURE, &variant, n == 0 ? NULL : &scale, &values);
        assert_near("end of a scale over time", scale.upper, steps[n][1], 0.0);
    }
    // one in 2000 may lie beyond: none of these 1080 cells, two of 5400
    BrumeSnapshotVariant larger = view_variant(brume_grid(15, 18, 20), dx, origin);
    BrumeField more = view_field(brume_grid(15, 18, 20));
    BrumeField *wide = &larger.fields[BRUME_FIELD_TEMPERATURE];
    brume_field_fill(wide, 1.0f);
    for (int n = 1; n <= 3; n++) {
        wide->data[brume_field_index(wide, n, 7, 8)] = 1000.0f * (float)n;
        scale = brume_evaluate_view(BRUME_VIEW_TEMPERATURE, &larger, NULL, &more);
        assert_near("end with a few hot cells", scale.upper, n <= 2 ? 1.0 : 1000.0, 0.0);
    }
    brume_field_destroy(&more);
    view_variant_destroy(&larger);
    // the scale of another view has no influence
    const BrumeColorScale speed = {.upper = 100.0f, .name = "speed"};
    assert_near("end after another view", end_for(&variant, &values, 40.0f, &speed), 50.0, 0.0);
    brume_field_destroy(&values);
    view_variant_destroy(&variant);
}

static double luminance(BrumeVec3 c) { return 0.2126 * (double)c.x + 0.7152 * (double)c.y + 0.0722 * (double)c.z; }

// air below ambient gives the temperature a scale with 0 in its middle, on which it is as opaque as warm air
static void test_temperatures_below_ambient(void **state)
{
    (void)state;
    BrumeSnapshotVariant variant = view_variant(grid, dx, origin);
    BrumeField values = view_field(grid);
    BrumeField *heat = &variant.fields[BRUME_FIELD_TEMPERATURE];
    heat->data[brume_field_index(heat, 3, 4, 5)] = 100.0f;
    heat->data[brume_field_index(heat, 4, 4, 5)] = -3.0f;
    BrumeColorScale scale = brume_evaluate_view(BRUME_VIEW_TEMPERATURE, &variant, NULL, &values);
    assert_false(scale.is_signed); // little beside the heat
    heat->data[brume_field_index(heat, 4, 4, 5)] = -30.0f;
    scale = brume_evaluate_view(BRUME_VIEW_TEMPERATURE, &variant, NULL, &values);
    assert_true(scale.is_signed);
    assert_near("lower end", scale.lower, -100.0, 0.0);
    heat->data[brume_field_index(heat, 4, 4, 5)] = -3.0f;
    scale = brume_evaluate_view(BRUME_VIEW_TEMPERATURE, &variant, &scale, &values);
    assert_true(scale.is_signed); // the scale has hysteresis: it stays signed between both limits
    const BrumeColorScale other = {.upper = 200.0f};
    const BrumeColorScale both = brume_color_scale_of_both(&other, &scale);
    assert_true(both.is_signed && both.lower == -200.0f && both.upper == 200.0f);
    heat->data[brume_field_index(heat, 3, 4, 5)] = 0.0f; // cold air alone
    scale = brume_evaluate_view(BRUME_VIEW_TEMPERATURE, &variant, NULL, &values);
    assert_true(scale.is_signed);
    assert_near("upper end", scale.upper, 5.0, 0.0);
    assert_near("position of the cold air", brume_color_scale_position(&scale, -3.0f), 0.2, 1e-6);
    brume_field_destroy(&values);
    view_variant_destroy(&variant);
}

static void test_colors(void **state)
{
    (void)state;
    // lightness (CIE L*, 1976) increases monotonically; both halves of a signed scale have the same
    double before = -1.0;
    for (int n = 0; n <= 60; n++) {
        const double y = luminance(brume_color_scale_at(false, (float)n / 60.0f));
        const double seen = y > 216.0 / 24389.0 ? 116.0 * cbrt(y) - 16.0 : y * 24389.0 / 27.0;
        assert_true(seen > before + 0.2);
        before = seen;
    }
    assert_true(before > 85.0);
    for (int n = 0; n < 60; n++) {
        const double y = luminance(brume_color_scale_at(true, (float)n / 120.0f));
        assert_near("brightness of the other half", luminance(brume_color_scale_at(true, 1.0f - (float)n / 120.0f)), y,
                    2e-3);
        assert_true(n >= 40 || luminance(brume_color_scale_at(true, (float)(n + 1) / 120.0f)) > y + 0.01);
    }
    const BrumeVec3 low = brume_color_scale_at(true, 0.0f);
    const BrumeVec3 high = brume_color_scale_at(true, 1.0f);
    assert_true(low.z > 3.0f * low.x && high.x > 3.0f * high.z);

    // beyond the ends, and what is not a number
    const BrumeVec3 beyond = brume_color_scale_at(false, 7.0f);
    const BrumeVec3 end = brume_color_scale_at(false, 1.0f);
    assert_memory_equal(&beyond, &end, sizeof end);
    const BrumeColorScale scale = {.lower = -2.0f, .upper = 2.0f, .is_signed = true};
    assert_near("share of the middle", brume_color_scale_position(&scale, 0.0f), 0.5, 0.0);
    assert_near("share of NaN", brume_color_scale_position(&scale, NAN), 0.5, 0.0);
    assert_near("share below", brume_color_scale_position(&scale, -9.0f), 0.0, 0.0);
    assert_near("share above", brume_color_scale_position(&scale, INFINITY), 1.0, 0.0);
    assert_near("share between", brume_color_scale_position(&scale, 1.0f), 0.75, 0.0);

    uint8_t table[BRUME_COLOR_TABLE_SIZE][3];
    brume_color_scale_table(false, table);
    for (int n = 0; n < BRUME_COLOR_TABLE_SIZE; n += 51) {
        const BrumeVec3 color = brume_color_scale_at(false, (float)n / 255.0f);
        assert_near("red of the table", table[n][0], 255.0 * (double)brume_srgb_from_linear(color.x), 0.51);
        assert_near("blue of the table", table[n][2], 255.0 * (double)brume_srgb_from_linear(color.z), 0.51);
    }
}

static void test_values_as_smoke(void **state)
{
    (void)state;
    for (int is_signed = 0; is_signed < 2; is_signed++) {
        const BrumeColorScale scale = {.lower = is_signed ? -3.0f : 0.0f, .upper = 3.0f, .is_signed = is_signed};
        BrumeField values = view_field(brume_grid(101, 2, 3));
        BrumeField densities[4];
        for (int n = 0; n < 4; n++) {
            densities[n] = view_field(values.grid);
        }
        for (int i = 1; i <= 101; i++) { // share (i - 1) / 100
            const float position = (float)(i - 1) / 100.0f;
            values.data[brume_field_index(&values, i, 2, 3)] = scale.lower + position * (scale.upper - scale.lower);
        }
        BrumeRenderSettings render_settings = brume_default_render_settings();
        const BrumeRenderSettings before = render_settings;
        brume_apply_transfer_function(&values, &scale, 2.5f, densities, &render_settings);
        double last = -1.0;
        for (int i = 1; i <= 101; i++) {
            const float position = (float)(i - 1) / 100.0f;
            double total = 0.0;
            double red = 0.0;
            int present = 0;
            for (int n = 0; n < 4; n++) {
                const double density = (double)brume_field_at(&densities[n], i, 2, 3);
                assert_true(density >= 0.0);
                total += density;
                red += density * (double)render_settings.smoke[n].albedo.x;
                present += density > 1e-5;
            }
            // linear weights of the two nearest knots add up to 1, so only the opacity is left: 0 at the clear end, 1
            // at the other, rising between
            const double away = is_signed ? fabs(2.0 * (double)position - 1.0) : (double)position;
            const double beyond = fmax(0.0, (away - 0.04) / 0.96);
            assert_near("opacity", total, beyond * beyond * (3.0 - 2.0 * beyond), 1e-5);
            assert_true(present <= 2);
            if (total > 0.01) {
                assert_near("color of a mixture", red / total, brume_color_scale_at(is_signed, position).x, 1e-5);
            }
            assert_true(is_signed || i <= 5 || total > last);
            last = total;
        }
        for (int n = 0; n < 4; n++) {
            const float depth = render_settings.smoke[n].extinction * 2.5f;
            assert_true(exp(-(double)depth) < 0.01); // nearly opaque
            render_settings.smoke[n] = before.smoke[n];
            brume_field_destroy(&densities[n]);
        }
        assert_memory_equal(&render_settings, &before, sizeof render_settings); // other settings are unchanged
        brume_field_destroy(&values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curl_of_a_rotation_is_twice_its_rate),
        cmocka_unit_test(test_no_vorticity_where_air_slips_along_a_solid),
        cmocka_unit_test(test_fields_at_the_centers),
        cmocka_unit_test(test_fields_that_are_missing),
        cmocka_unit_test(test_scales_end_round),
        cmocka_unit_test(test_scales_hold_still),
        cmocka_unit_test(test_temperatures_below_ambient),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_values_as_smoke),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Interpolation of the extinction. By monotone cubics: exact for linear fields, bounded by the cells, and the same
// medium for the ray marcher and the path tracer. Smooth: the weights of the quadratic B-spline, also at the faces of
// the box.
#include "core/random.h"
#include "core/vec3.h"
#include "raymarch/cpu/march.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/path/tracking.h"
#include "raymarch_check.h"

#include <stdlib.h>
#include <string.h>

static void test_one_axis(void **state)
{
    (void)state;
    // slopes 1.5 and 2.4 (harmonic means of 1 and 3, of 3 and 2)
    assert_near("in the middle", (double)brume_monotone_cubic(0.0f, 1.0f, 4.0f, 6.0f, 0.5f), 2.5 + (1.5 - 2.4) / 8.0,
                1e-6);
    assert_near("at the second", (double)brume_monotone_cubic(0.0f, 1.0f, 4.0f, 6.0f, 0.0f), 1.0, 0.0);
    assert_near("at the third", (double)brume_monotone_cubic(0.0f, 1.0f, 4.0f, 6.0f, 1.0f), 4.0, 0.0);
    assert_near("of a line", (double)brume_monotone_cubic(1.0f, 3.0f, 5.0f, 7.0f, 0.3f), 3.6, 1e-6);
    assert_near("beside extrema", (double)brume_monotone_cubic(1.0f, 0.0f, 1.0f, 0.0f, 0.25f), 0.15625, 1e-7);
    for (uint32_t n = 0; n < 10000; n++) { // no value outside of the two in the middle
        const float b = brume_unit_float(brume_hash3(n, 1, 2));
        const float c = brume_unit_float(brume_hash3(n, 2, 2));
        const float value =
            brume_monotone_cubic(brume_unit_float(brume_hash3(n, 0, 2)), b, c, brume_unit_float(brume_hash3(n, 3, 2)),
                                 brume_unit_float(brume_hash3(n, 4, 2)));
        assert_true(value >= fminf(b, c) && value <= fmaxf(b, c));
    }
}

enum { SIDE = 20 };
static float density[SIDE * SIDE * SIDE];

static BrumeRenderer *create_loaded(BrumeInterpolation interpolation, float extinction)
{
    const BrumeVolume volume =
        brume_volume_from_array(density, SIDE, SIDE, SIDE, 1.0f / SIDE, brume_vec3(0.0f, 0.0f, 0.0f));
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.smoke[0].extinction = extinction;
    settings.ground = false;
    settings.interpolation = interpolation;
    settings.step = 0.05f;
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, SIDE, SIDE, SIDE, &settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    return renderer;
}

static void test_linear_field_is_exact(void **state)
{
    (void)state;
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        const int j = n / SIDE % SIDE;
        const int k = n / SIDE / SIDE;
        density[n] = 1.0f + 0.1f * (float)(n % SIDE) + 0.05f * (float)j - 0.02f * (float)k;
    }
    BrumeRenderer *renderer = create_loaded(BRUME_INTERPOLATION_CUBIC, 5.0f);
    assert_true(renderer->lit.medium.cubic);
    for (uint32_t n = 0; n < 1000; n++) {
        const float x = 2.5f + 15.0f * brume_unit_float(brume_hash3(n, 0, 0));
        const float y = 2.5f + 15.0f * brume_unit_float(brume_hash3(n, 1, 0));
        const float z = 2.5f + 15.0f * brume_unit_float(brume_hash3(n, 2, 0));
        const float exact = 1.0f + 0.1f * (x - 0.5f) + 0.05f * (y - 0.5f) - 0.02f * (z - 0.5f);
        const float value = brume_grid_medium_extinction_at(&renderer->lit.medium, brume_vec3(x, y, z));
        assert_near("the extinction", (double)value, (double)(exact * 5.0f / SIDE), 1e-6);
    }
    brume_renderer_destroy(renderer);
}

// random cells: the majorants bound every sample, and both renderers find the transmittance of the same medium
static void test_transmittance(void **state)
{
    (void)state;
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        const float random = brume_unit_float(brume_hash3((uint32_t)n, 5, 5));
        density[n] = random > 0.5f ? 2.0f * random : 0.0f;
    }
    const BrumeRay ray = {{-0.5f, 0.1f, 0.13f}, {0.8f, 0.48f, 0.36f}};
    double transmittance[2];
    for (int kind = 0; kind < 2; kind++) {
        BrumeRenderer *renderer = create_loaded((BrumeInterpolation)kind, 1.0f);
        const BrumeGridMedium *medium = &renderer->lit.medium;
        for (uint32_t n = 0; n < 20000; n++) {
            const BrumeVec3 point = {SIDE * brume_unit_float(brume_hash3(n, 0, 9)),
                                     SIDE * brume_unit_float(brume_hash3(n, 1, 9)),
                                     SIDE * brume_unit_float(brume_hash3(n, 2, 9))};
            const BrumeGrid macro = medium->macro_cells;
            const int i = (int)(point.x + 0.5f) / BRUME_MACRO_CELL_SIDE;
            const int j = (int)(point.y + 0.5f) / BRUME_MACRO_CELL_SIDE;
            const int k = (int)(point.z + 0.5f) / BRUME_MACRO_CELL_SIDE;
            const float value = brume_grid_medium_extinction_at(medium, point);
            assert_true(value >= 0.0f && value <= medium->majorant[i + macro.nx * (j + macro.ny * k)]);
        }
        transmittance[kind] = (double)brume_march_transmittance(&renderer->lit, &ray, INFINITY);
        double tracked = 0.0;
        enum { PATHS = 40000 };
        for (int n = 0; n < PATHS; n++) {
            BrumePathSampler sampler = brume_path_sampler(1, 2, 3, (uint32_t)n);
            tracked += (double)brume_track_transmittance(medium, &ray, INFINITY, &sampler) / PATHS;
        }
        assert_near("the tracked transmittance over the marched one", tracked / transmittance[kind], 1.0, 0.01);
        brume_renderer_destroy(renderer);
    }
    assert_true(fabs(transmittance[0] / transmittance[1] - 1.0) > 1e-3); // the interpolation matters here
}

static float loaded_density(const BrumeRenderer *renderer, int i, int j, int k)
{
    const BrumeField *field = &renderer->lit.medium.extinction;
    return field->data[brume_field_index(field, i + 1, j + 1, k + 1)] * SIDE;
}

static void test_smooth_has_the_weights_of_a_spline(void **state)
{
    (void)state;
    const int middle = SIDE / 2;
    const size_t index = (size_t)middle * (1 + SIDE + SIDE * SIDE);
    memset(density, 0, sizeof density);
    density[index] = 512.0f;
    density[index + 4] = NAN; // counts as 0, as do negative densities
    density[index - 4] = -1.0f;
    density[0] = 512.0f; // in a corner of the box
    BrumeRenderer *renderer = create_loaded(BRUME_INTERPOLATION_SMOOTH, 1.0f);
    for (int n = 0; n < 125; n++) {
        const int at[] = {n % 5 - 2, n / 5 % 5 - 2, n / 25 - 2};
        float weight = 1.0f; // (1, 6, 1) / 8 along each axis
        for (int axis = 0; axis < 3; axis++) {
            weight *= at[axis] == 0 ? 6.0f : abs(at[axis]) == 1 ? 1.0f : 0.0f;
        }
        assert_near("next to a single cell",
                    (double)loaded_density(renderer, middle + at[0], middle + at[1], middle + at[2]), (double)weight,
                    1e-4);
        assert_true(loaded_density(renderer, middle + 4 + at[0] / 2, middle, middle) == 0.0f);
        assert_true(loaded_density(renderer, middle - 4 + at[0] / 2, middle, middle) == 0.0f);
    }
    assert_near("in the corner", (double)loaded_density(renderer, 0, 0, 0), 343.0, 1e-3);
    assert_near("next to the corner", (double)loaded_density(renderer, 1, 0, 0), 49.0, 1e-4);
    brume_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_axis),
        cmocka_unit_test(test_linear_field_is_exact),
        cmocka_unit_test(test_transmittance),
        cmocka_unit_test(test_smooth_has_the_weights_of_a_spline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The smoke of a medium at open faces and at solids.
#include "brume/render_settings.h"
#include "core/vec3.h"
#include "raymarch/grid_medium.h"
#include "raymarch_check.h"

#include <stdlib.h>

enum { CELLS = 20 };

// smoke of density 1 everywhere but inside the sphere of this radius around the center of the unit cube
static float *smoke_around_sphere(double radius)
{
    float *density = calloc((size_t)CELLS * CELLS * CELLS, sizeof *density);
    assert_non_null(density);
    for (int n = 0; n < CELLS * CELLS * CELLS; n++) {
        const int j = n / CELLS % CELLS;
        const int k = n / CELLS / CELLS;
        const double x = (n % CELLS + 0.5) / CELLS - 0.5;
        const double y = (j + 0.5) / CELLS - 0.5;
        const double z = (k + 0.5) / CELLS - 0.5;
        density[n] = sqrt(x * x + y * y + z * z) < radius ? 0.0f : 1.0f;
    }
    return density;
}

static BrumeVolume unit_cube(float *density, float *color)
{
    return (BrumeVolume){.nx = CELLS,
                         .ny = CELLS,
                         .nz = CELLS,
                         .sy = CELLS,
                         .sz = (ptrdiff_t)CELLS * CELLS,
                         .dx = 1.0f / CELLS,
                         .density = {density, color}};
}

static void load(BrumeGridMedium *medium, const BrumeRenderSettings *settings, const BrumeVolume *volume)
{
    BrumeError error;
    const BrumeGrid grid = brume_grid(CELLS, CELLS, CELLS);
    assert_int_equal(brume_grid_medium_create(medium, grid, &error), BRUME_OK);
    medium->kinds = calloc(brume_grid_medium_kind_entries(grid), sizeof(float));
    assert_non_null(medium->kinds);
    brume_grid_medium_load(medium, settings, volume);
}

static void unload(BrumeGridMedium *medium)
{
    free(medium->kinds);
    medium->kinds = NULL;
    brume_grid_medium_destroy(medium);
}

static double extinction_of(const BrumeGridMedium *medium, int i, int j, int k)
{
    return (double)medium->extinction.data[brume_field_index(&medium->extinction, i, j, k)] * CELLS; // [1/m]
}

static double smoothstep(double t) { return t >= 1.0 ? 1.0 : t * t * (3.0 - 2.0 * t); }

// 0.25 m from x_max and z_min, of smoke with an extinction of 8 1/m; the albedo of the mixture remains
static void test_smoke_fades_towards_open_faces(void **state)
{
    (void)state;
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.smoke[0].extinction = 3.0f;
    settings.smoke[1].extinction = 5.0f;
    settings.edge_fade = 0.25f;
    settings.fading_faces = 1u << 1 | 1u << 4;
    float *density = smoke_around_sphere(0.0);
    const BrumeVolume volume = unit_cube(density, density);
    BrumeGridMedium medium;
    load(&medium, &settings, &volume);
    for (int k = 1; k <= CELLS; k++) {
        for (int i = 1; i <= CELLS; i++) {
            const double from_x_max = (CELLS - i + 0.5) / CELLS;
            const double from_z_min = (k - 0.5) / CELLS;
            // of the opacity of a way of 0.75 m, whose optical depth is 6
            const double share = smoothstep(from_x_max / 0.25) * smoothstep(from_z_min / 0.25);
            const double expected = share < 1.0 ? -log(1.0 - share * (1.0 - exp(-6.0))) / 0.75 : 8.0;
            assert_near("extinction", extinction_of(&medium, i, 7, k), expected, 1e-5);
        }
    }
    const BrumeVec3 albedo =
        brume_grid_medium_albedo_at(&medium, &settings, brume_vec3((float)CELLS - 1.0f, 10.0f, 1.0f));
    const BrumeVec3 mixed =
        brume_scale(brume_add(brume_scale(settings.smoke[0].albedo, 3.0f), brume_scale(settings.smoke[1].albedo, 5.0f)),
                    1.0f / 8.0f);
    assert_near("albedo", (double)albedo.x, (double)mixed.x, 1e-5);
    assert_near("albedo", (double)albedo.y, (double)mixed.y, 1e-5);
    unload(&medium);
    free(density);
}

// Uniform smoke around a sphere: its trilinear extinction is uniform at every point outside, up to the surface. Cells
// deep inside remain empty.
static void test_smoke_reaches_the_surface_of_a_solid(void **state)
{
    (void)state;
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.smoke[0].extinction = 6.0f;
    settings.surface_count = 1;
    settings.surfaces[0] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.5f, 0.5f}, .radius = 0.31f}, .albedo = {0.5f, 0.5f, 0.5f}};
    float *density = smoke_around_sphere(0.31);
    const BrumeVolume volume = unit_cube(density, NULL);
    BrumeGridMedium medium;
    load(&medium, &settings, &volume);
    for (int n = 0; n < 500; n++) {
        const double y = 1.0 - (2.0 * n + 1.0) / 500.0;
        const double across = sqrt(1.0 - y * y);
        const double turn = 2.39996322972865332 * n;
        const double distance = 0.311 * CELLS;
        const BrumeVec3 point = {(float)(0.5 * CELLS + distance * across * cos(turn)),
                                 (float)(0.5 * CELLS + distance * y),
                                 (float)(0.5 * CELLS + distance * across * sin(turn))};
        assert_near("extinction at the surface", (double)brume_field_sample(&medium.extinction, point) * CELLS, 6.0,
                    1e-4);
    }
    assert_near("extinction inside", extinction_of(&medium, CELLS / 2, CELLS / 2, CELLS / 2), 0.0, 0.0);
    unload(&medium);
    free(density);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smoke_fades_towards_open_faces),
        cmocka_unit_test(test_smoke_reaches_the_surface_of_a_solid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

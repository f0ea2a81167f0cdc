// The light of glowing smoke inside the box. The few directions of the ordinates would throw the light of a small flame
// in streaks, and two moments do not show that all of it arrives from one side. The light that cells in and around the
// glow emit and scatter is therefore swept along many more directions, once, when the iteration has ended; its moments
// are stored apart from the moments of all other light.
#include "core/elementary.h"
#include "core/vec3.h"
#include "raymarch/light/scattered_light_internal.h"
#include "raymarch/light/transmittance_sweep.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 256 };

// The n-th of DIRECTIONS of equal weight: the upper half of a spherical Fibonacci lattice, each point followed by its
// opposite.
static BrumeVec3 direction_of(int n)
{
    const double golden_angle = 2.39996322972865332;
    const int point = n / 2;
    const double y = 1.0 - (2.0 * point + 1.0) / DIRECTIONS;
    const double radius = sqrt(1.0 - y * y);
    const BrumeVec3 upwards = brume_vec3((float)(radius * brume_cos(golden_angle * point)), (float)y,
                                         (float)(radius * brume_sin(golden_angle * point)));
    return n % 2 == 0 ? upwards : brume_scale(upwards, -1.0f);
}

// multiplies the source by the mask or, with `outside`, by 1 less the mask; the mask is 0 or 1
static void mask_source(BrumeTransportGrid *grid, const BrumeField *mask, bool outside)
{
    const BrumeGrid cells = mask->grid;
    for (int c = 0; c < 3; c++) {
        BrumeField *source = &grid->source[c];
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= cells.nz; k++) {
            for (int j = 1; j <= cells.ny; j++) {
                for (int i = 1; i <= cells.nx; i++) {
                    const ptrdiff_t n = brume_field_index(mask, i, j, k);
                    source->data[n] = (mask->data[n] > 0.0f) != outside ? source->data[n] : 0.0f;
                }
            }
        }
        brume_replicate_edges(source->data, cells, 1);
        brume_transpose_field(&grid->transposed_source[c], source);
    }
}

// the sums over the directions of one axis, the upward (even tasks) or downward ones; the sums of axis x are transposed
static void sweep_task(const BrumeSweepBatch *transport, int c, int task, float *planes)
{
    BrumeTransportGrid *grid = transport->grid;
    float *sums[BRUME_LIGHT_MOMENTS];
    for (int m = 0; m < BRUME_LIGHT_MOMENTS; m++) {
        sums[m] = brume_sweep_sum(transport, BRUME_LIGHT_MOMENTS * task + m);
        memset(sums[m], 0, brume_grid_entries(grid->albedo[0].grid) * sizeof(float));
    }
    for (int n = task % 2; n < DIRECTIONS; n += 2) {
        const BrumeVec3 direction = direction_of(n);
        const int axis = brume_ordinate_axis(direction, grid->cell);
        if (axis != task / 2) {
            continue;
        }
        const bool exchanged = axis == 0;
        const BrumeOrdinateSweep sweep = {
            .extinction = exchanged ? &grid->transposed_extinction[c] : &grid->extinction[c],
            .source = exchanged ? &grid->transposed_source[c] : &grid->source[c],
            .cell = exchanged ? brume_exchange_xz(grid->cell) : grid->cell,
            .by_extinction = true,
            .direction = exchanged ? brume_exchange_xz(direction) : direction,
        };
        const BrumeVec3 flux = brume_scale(direction, 1.0f / DIRECTIONS);
        const float weights[BRUME_LIGHT_MOMENTS] = {1.0f / DIRECTIONS, flux.x, flux.y, flux.z};
        brume_ordinate_sweep(&sweep, BRUME_LIGHT_MOMENTS, sums, weights, planes);
    }
}

void brume_transport_glow(const BrumeSweepBatch *transport)
{
    BrumeScatteredLight *light = transport->light;
    BrumeTransportGrid *grid = transport->grid;
    const BrumeGrid cells = grid->albedo[0].grid;
    BrumeField *mask = &grid->next[0];
    brume_mark_glow(grid, mask);
    brume_set_source(grid, grid->phi, BRUME_ALL_LIGHT);
    mask_source(grid, mask, false);
    for (int c = 0; c < 3; c++) {
        float *moments = light->moments + (size_t)(3 + c) * BRUME_LIGHT_MOMENTS * brume_grid_entries(cells);
#pragma omp parallel for schedule(dynamic)
        for (int task = 0; task < BRUME_SWEEP_TASKS; task++) {
            sweep_task(transport, c, task, light->planes + (size_t)task * light->plane_entries);
        }
        for (int m = 0; m < BRUME_LIGHT_MOMENTS; m++) {
            brume_add_sweep_sums(transport, m, BRUME_LIGHT_MOMENTS, moments + m, BRUME_LIGHT_MOMENTS);
        }
        brume_replicate_edges(moments, cells, BRUME_LIGHT_MOMENTS);
    }
    brume_set_source(grid, grid->phi, BRUME_ALL_LIGHT);
    mask_source(grid, mask, true);
}

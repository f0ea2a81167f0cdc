// Light of all ordinates through one of the coarse grids, and the sums over them.
#include "raymarch/light/scattered_light_internal.h"
#include "raymarch/light/transmittance_sweep.h"

#include <string.h>

void brume_set_source(BrumeTransportGrid *grid, const BrumeField phi[3], BrumeSourceLight light)
{
    const BrumeGrid cells = grid->albedo[0].grid;
    for (int c = 0; c < 3; c++) {
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= cells.nz; k++) {
            for (ptrdiff_t n = grid->albedo[c].sz * k; n < grid->albedo[c].sz * (k + 1); n++) {
                const float scattered = phi[c].data[n] + (light == BRUME_ALL_LIGHT ? grid->direct[c].data[n] : 0.0f);
                const float emitted = light == BRUME_ALL_LIGHT ? grid->glow[c].data[n] : 0.0f;
                grid->source[c].data[n] = grid->albedo[c].data[n] * scattered + emitted;
            }
        }
        brume_replicate_edges(grid->source[c].data, cells, 1);
        brume_transpose_field(&grid->transposed_source[c], &grid->source[c]);
    }
}

BrumeOrdinateSweep brume_sweep_of(const BrumeSweepBatch *transport, int c, int n, bool *exchanged)
{
    const BrumeTransportGrid *grid = transport->grid;
    const BrumeVec3 direction = brume_ordinate(n).direction;
    const bool above_ground = transport->sources != NULL && transport->sources->ground_light != NULL;
    *exchanged = brume_ordinate_axis(direction, grid->cell) == 0;
    return (BrumeOrdinateSweep){
        .extinction = *exchanged ? &grid->transposed_extinction[c] : &grid->extinction[c],
        .source = *exchanged ? &grid->transposed_source[c] : &grid->source[c],
        .cell = *exchanged ? brume_exchange_xz(grid->cell) : grid->cell,
        // edges are sharper than wide cells, and solids end abruptly
        .ramp = grid->cell.x * grid->cell.y * grid->cell.z > 2.5f || grid->solids.surface_count > 0 ? 0.0f : 0.5f,
        .thick_ramp = grid->solids.surface_count > 0 ? 0.0f : 0.5f,
        .by_extinction = transport->light->glows,
        .direction = *exchanged ? brume_exchange_xz(direction) : direction,
        .inflow = transport->sources != NULL ? brume_channel(transport->sources->inflow[n], c) : 0.0f,
        .boundary =
            above_ground && n >= BRUME_DOWNWARD_ORDINATES ? brume_ground_boundary(transport->light, c, n) : NULL,
    };
}

// The sums over the ordinates of one axis and sign (`task`), of `count` moments, from the `first` sum on. The sums of
// axis x are transposed.
static void sweep_task(const BrumeSweepBatch *transport, int c, int task, int count, int first, float *planes)
{
    float *sums[BRUME_LIGHT_MOMENTS];
    for (int m = 0; m < count; m++) {
        sums[m] = brume_sweep_sum(transport, first + m);
        memset(sums[m], 0, brume_grid_entries(transport->grid->albedo[0].grid) * sizeof(float));
    }
    brume_clear_surface_light(&transport->grid->solids, c, task);
    for (int n = 0; n < BRUME_ORDINATES; n++) {
        const BrumeOrdinate ordinate = brume_ordinate(n);
        const int sign = n < BRUME_DOWNWARD_ORDINATES ? 0 : 1;
        if (2 * brume_ordinate_axis(ordinate.direction, transport->grid->cell) + sign != task) {
            continue;
        }
        bool exchanged;
        const BrumeOrdinateSweep sweep = brume_sweep_of(transport, c, n, &exchanged);
        const BrumeVec3 flux = brume_scale(ordinate.direction, ordinate.weight);
        const float weights[BRUME_LIGHT_MOMENTS] = {ordinate.weight, flux.x, flux.y, flux.z};
        brume_ordinate_sweep(&sweep, count, sums, weights, planes);
        brume_add_surface_light(&transport->grid->solids, c, task, &ordinate, sums[0], exchanged, sweep.inflow);
    }
}

void brume_add_sweep_sums(const BrumeSweepBatch *transport, int first, int stride, float *out, int out_stride)
{
    const BrumeField *shape = &transport->grid->albedo[0];
    const BrumeField *other = &transport->grid->transposed_extinction[0];
    const BrumeGrid cells = shape->grid;
    const float *sums[BRUME_SWEEP_TASKS];
    for (int task = 0; task < BRUME_SWEEP_TASKS; task++) {
        sums[task] = brume_sweep_sum(transport, first + stride * task);
    }
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= cells.nz; k++) {
        for (int j = 1; j <= cells.ny; j++) {
            for (int i = 1; i <= cells.nx; i++) {
                const ptrdiff_t n = brume_field_index(shape, i, j, k);
                const ptrdiff_t m = brume_field_index(other, k, j, i);
                out[out_stride * n] =
                    ((sums[0][m] + sums[1][m]) + (sums[2][n] + sums[3][n])) + (sums[4][n] + sums[5][n]);
            }
        }
    }
}

void brume_transport_mean(const BrumeSweepBatch *transport, BrumeField to[3])
{
#pragma omp parallel for schedule(dynamic)
    for (int n = 0; n < 3 * BRUME_SWEEP_TASKS; n++) {
        sweep_task(transport, n / BRUME_SWEEP_TASKS, n % BRUME_SWEEP_TASKS, 1, n,
                   transport->light->planes + (size_t)n * transport->light->plane_entries);
    }
    for (int c = 0; c < 3; c++) {
        brume_add_sweep_sums(transport, BRUME_SWEEP_TASKS * c, 1, to[c].data, 1);
        brume_set_surface_light(&transport->grid->solids, c, to[c].data);
    }
}

void brume_transport_moments(const BrumeSweepBatch *transport)
{
    BrumeScatteredLight *light = transport->light;
    const BrumeGrid cells = transport->grid->albedo[0].grid;
    for (int c = 0; c < 3; c++) {
        float *moments = light->moments + (size_t)c * BRUME_LIGHT_MOMENTS * brume_grid_entries(cells);
#pragma omp parallel for schedule(dynamic)
        for (int task = 0; task < BRUME_SWEEP_TASKS; task++) {
            sweep_task(transport, c, task, BRUME_LIGHT_MOMENTS, BRUME_LIGHT_MOMENTS * task,
                       light->planes + (size_t)task * light->plane_entries);
        }
        for (int m = 0; m < BRUME_LIGHT_MOMENTS; m++) {
            brume_add_sweep_sums(transport, m, BRUME_LIGHT_MOMENTS, moments + m, BRUME_LIGHT_MOMENTS);
        }
        brume_set_surface_light(&transport->grid->solids, c, NULL);
        brume_set_surface_moments(&transport->grid->solids, c, &transport->grid->albedo[0], moments);
        brume_replicate_edges(moments, cells, BRUME_LIGHT_MOMENTS);
    }
}

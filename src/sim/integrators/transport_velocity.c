/*
 * The velocity at the middle of a step, by linear extrapolation from the two velocities that are known:
 *     u^(n+1/2) = u^n + r/2 (u^n - u^(n-1)),   r = dt^n / dt^(n-1),
 * which is 1.5 u^n - 0.5 u^(n-1) for equal steps. It is linear in fields that are free of divergence and hold the
 * prescribed values on closed faces, and therefore has both properties itself.
 */
#include "sim/integrators/transport_velocity.h"

#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"

#include <assert.h>
#include <math.h>

static const double LARGEST_RATIO = 2.0; // a change of the step length beyond this is extrapolated as this

BRUME_KERNEL static void extrapolate_row(float *restrict previous, const float *u, float factor, int count)
{
    for (int i = 0; i < count; i++) {
        previous[i] = u[i] + factor * (u[i] - previous[i]);
    }
}

BRUME_KERNEL static int32_t largest_in_row(const float *row, int count, int32_t max)
{
    return brume_max_bits_row(row, count, max);
}

// extrapolates plane k of a component, ghosts included; returns the bits of the largest value on its faces
static int32_t extrapolate_plane(BrumeField *previous, const BrumeField *u, int axis, float factor, int k, int32_t max)
{
    const BrumeGrid grid = u->grid;
    for (int j = 0; j <= grid.ny + 1; j++) {
        float *row = previous->data + brume_field_index(u, 0, j, k);
        extrapolate_row(row, u->data + brume_field_index(u, 0, j, k), factor, grid.nx + 2);
        if (j >= 1 && j <= grid.ny + (axis == 1) && k >= 1 && k <= grid.nz + (axis == 2)) {
            max = largest_in_row(row + 1, grid.nx + (axis == 0), max);
        }
    }
    return max;
}

double brume_find_transport_velocity(BrumeSim *sim, double dt)
{
    assert(brume_holds(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED | BRUME_VALID_DIVERGENCE_FREE));
    if (!brume_holds(sim, BRUME_VALID_PREVIOUS)) {
        sim->transport_velocity = sim->fields;
        return sim->max_speed;
    }
    brume_invalidate(sim, BRUME_VALID_PREVIOUS);
    const float factor = (float)(0.5 * brume_fmin(dt / sim->previous_dt, LARGEST_RATIO));
    const BrumeGrid grid = sim->fields[BRUME_FIELD_U].grid;
    double *largest = sim->planes;
#pragma omp parallel for schedule(static)
    for (int k = 0; k <= grid.nz + 1; k++) {
        int32_t max = 0;
        for (int axis = 0; axis < 3; axis++) {
            max = extrapolate_plane(&sim->previous[axis], &sim->fields[axis], axis, factor, k, max);
        }
        largest[k] = (double)brume_float_of_bits(max);
    }
    sim->transport_velocity = sim->previous;
    return brume_max_planes(largest, grid.nz + 1);
}

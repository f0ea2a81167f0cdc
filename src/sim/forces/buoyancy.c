/*
 * Buoyancy (Fedkiw, Stam, Jensen 2001, eq. 8): warm air rises, smoke-laden air sinks. In the Boussinesq approximation
 * the acceleration is -gravity * b with b = expansion * temperature - sum of weight * density.
 *
 * In a closed box the pressure gradient balances a uniform b exactly. The mean of b is therefore subtracted there, so
 * that air at rest under uniform heat stays at rest to rounding error, and the pressure is its dynamic part alone.
 */
#include "core/domain.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/state/state.h"

#include <assert.h>

enum { CHUNK = 256 };

// the terms of b
typedef struct Buoyancy {
    int count;
    const BrumeField *field[1 + BRUME_SMOKE_KINDS];
    float factor[1 + BRUME_SMOKE_KINDS]; // b for a unit of each field
} Buoyancy;

BRUME_KERNEL static void add_scaled_row(float *restrict sum, const float *field, float factor, int count)
{
    for (int i = 0; i < count; i++) {
        sum[i] += factor * field[i];
    }
}

// b at the `count` <= CHUNK centers from offset c on
static void buoyancy_row(const Buoyancy *buoyancy, ptrdiff_t c, int count, float *row)
{
    for (int i = 0; i < count; i++) {
        row[i] = 0.0f;
    }
    for (int n = 0; n < buoyancy->count; n++) {
        add_scaled_row(row, buoyancy->field[n]->data + c, buoyancy->factor[n], count);
    }
}

BRUME_KERNEL static void accelerate_row(float *restrict velocity, const float *above, const float *below, float mean,
                                        float acceleration, int count)
{
    for (int i = 0; i < count; i++) {
        velocity[i] += acceleration * (0.5f * (above[i] + below[i]) - mean);
    }
}

static Buoyancy find_terms(BrumeSim *sim)
{
    Buoyancy buoyancy = {0};
    if (sim->def.thermal_expansion != 0.0f) {
        buoyancy.field[buoyancy.count] = &sim->fields[BRUME_FIELD_TEMPERATURE];
        buoyancy.factor[buoyancy.count++] = sim->def.thermal_expansion;
    }
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        const float weight = brume_smoke_weight(&sim->def, kind);
        const BrumeField *density = &sim->fields[brume_smoke_id(kind)];
        if (weight != 0.0f && density->data) {
            buoyancy.field[buoyancy.count] = density;
            buoyancy.factor[buoyancy.count++] = -weight;
        }
    }
    return buoyancy;
}

// the mean of b over the fluid cells; 0 if a side is open or gravity acts along a periodic axis
static float mean_buoyancy(BrumeSim *sim, const Buoyancy *buoyancy)
{
    for (int axis = 0; axis < 3; axis++) {
        const bool along_gravity = brume_component(sim->def.gravity, axis) != 0.0f;
        if (sim->geometry->cells.open[2 * axis] || sim->geometry->cells.open[2 * axis + 1] ||
            (along_gravity && sim->geometry->cells.periodic[axis])) {
            return 0.0f;
        }
    }
    const BrumeCells *cells = &sim->geometry->cells;
    double *sums = sim->planes;
    double *counts = sim->planes + cells->grid.nz + 2;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(cells->grid); k <= brume_last_plane(cells->grid); k++) {
        BrumePlaneSum sum = {0};
        double count = 0.0;
        for (int j = 1; j <= cells->grid.ny; j++) {
            double *block = brume_sum_of_block(&sum, j);
            for (int first = 1; first <= cells->grid.nx; first += CHUNK) {
                const ptrdiff_t c = first + cells->sy * j + cells->sz * k;
                const int length = cells->grid.nx - first + 1 < CHUNK ? cells->grid.nx - first + 1 : CHUNK;
                float row[CHUNK];
                buoyancy_row(buoyancy, c, length, row);
                for (int i = 0; i < length; i++) {
                    const bool air = (cells->flags[c + i] & BRUME_CELL_FLUID) != 0;
                    *block += air ? (double)row[i] : 0.0;
                    count += air ? 1.0 : 0.0;
                }
            }
        }
        sums[k] = brume_sum_of_plane(sum);
        counts[k] = count;
    }
    const double count = brume_sum_planes(cells->grid, counts);
    return count > 0.0 ? (float)(brume_sum_planes(cells->grid, sums) / count) : 0.0f;
}

// accelerates entries first..last of a row
static void accelerate_entries(const Buoyancy *buoyancy, BrumeField *velocity, ptrdiff_t below, int first, int last,
                               int j, int k, float mean, float acceleration)
{
    for (; first <= last; first += CHUNK) {
        const int length = last - first + 1 < CHUNK ? last - first + 1 : CHUNK;
        const ptrdiff_t c = brume_field_index(velocity, first, j, k);
        float upper[CHUNK];
        float lower[CHUNK];
        buoyancy_row(buoyancy, c, length, upper);
        buoyancy_row(buoyancy, c - below, length, lower);
        accelerate_row(velocity->data + c, upper, lower, mean, acceleration, length);
    }
}

void brume_add_buoyancy(BrumeSim *sim, BrumeField onto[3], float dt, const BrumeBlockSet *blocks)
{
    assert(brume_holds(sim, BRUME_VALID_SCALAR_GHOSTS));
    const Buoyancy buoyancy = find_terms(sim);
    if (buoyancy.count == 0) {
        return;
    }
    if (onto == sim->fields) {
        brume_invalidate(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED);
    }
    const float mean = mean_buoyancy(sim, &buoyancy);
    for (int axis = 0; axis < 3; axis++) {
        const float acceleration = -brume_component(sim->def.gravity, axis) * dt; // [m/s] for b = 1
        if (acceleration == 0.0f) {
            continue;
        }
        BrumeField *velocity = &onto[axis];
        const BrumeGrid grid = velocity->grid;
        const ptrdiff_t below = brume_stride(velocity, axis);
        if (axis == 2) { // a face between the planes of two ranks
            brume_exchange(buoyancy.field, buoyancy.count, 1);
        }
        // entry n+1 along each axis is the face on the upper side
#pragma omp parallel for schedule(static)
        for (int k = brume_planes_from(grid, 1); k <= brume_highest_plane(grid); k++) {
            for (int j = 1; j <= grid.ny + 1; j++) {
                for (BrumeBlockRun run = {0}; brume_next_block_run(blocks, grid, 1, grid.nx + 1, j, k, &run);) {
                    accelerate_entries(&buoyancy, velocity, below, run.first, run.last, j, k, mean, acceleration);
                }
            }
        }
    }
}

/*
 * Buoyancy (Fedkiw, Stam, Jensen 2001, eq. 8): heat lifts, smoke weighs. With the Boussinesq approximation the air
 * accelerates by -gravity * b, b = expansion * temperature - sum of weight * density.
 *
 * Where the box is closed, a uniform b is balanced by the pressure alone. Its mean is taken away there, so that air at
 * rest under uniform heat stays at rest to rounding, and pressure is the dynamic part only.
 */
#include "core/reductions.h"
#include "core/simd.h"
#include "sim/sim_internal.h"

enum { CHUNK = 256 };

typedef struct Lift {
    int count;
    const float *field[1 + BRUME_SMOKE_KINDS];
    float factor[1 + BRUME_SMOKE_KINDS]; // lift of a unit of each field [1]
} Lift;

BRUME_KERNEL static void add_scaled_row(float *restrict sum, const float *field, float factor, int count)
{
    for (int i = 0; i < count; i++) {
        sum[i] += factor * field[i];
    }
}

// b at `count` <= CHUNK entries from offset c
static void lift_row(const Lift *lift, ptrdiff_t c, int count, float *row)
{
    for (int i = 0; i < count; i++) {
        row[i] = 0.0f;
    }
    for (int n = 0; n < lift->count; n++) {
        add_scaled_row(row, lift->field[n] + c, lift->factor[n], count);
    }
}

BRUME_KERNEL static void accelerate_row(float *restrict velocity, const float *at, const float *below, float mean,
                                        float acceleration, int count)
{
    for (int i = 0; i < count; i++) {
        velocity[i] += acceleration * (0.5f * (at[i] + below[i]) - mean);
    }
}

static Lift find_lift(const BrumeSim *sim)
{
    Lift lift = {0};
    if (sim->def.thermal_expansion != 0.0f) {
        lift.field[lift.count] = sim->fields[BRUME_FIELD_TEMPERATURE].data;
        lift.factor[lift.count++] = sim->def.thermal_expansion;
    }
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        const float weight = sim->def.smoke[kind].weight;
        const float *density = sim->fields[brume_smoke_id(kind)].data;
        if (weight != 0.0f && density) {
            lift.field[lift.count] = density;
            lift.factor[lift.count++] = -weight;
        }
    }
    return lift;
}

// the mean of b over the air of a box that is closed along gravity, 0 where air can leave
static float mean_lift(BrumeSim *sim, const Lift *lift)
{
    for (int axis = 0; axis < 3; axis++) {
        const bool pulls = brume_component(sim->def.gravity, axis) != 0.0f;
        if (sim->geometry->cells.open[2 * axis] || sim->geometry->cells.open[2 * axis + 1] ||
            (pulls && sim->geometry->cells.periodic[axis])) {
            return 0.0f;
        }
    }
    const BrumeCells *cells = &sim->geometry->cells;
    double *sums = sim->planes;
    double *counts = sim->planes + cells->grid.nz + 2;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= cells->grid.nz; k++) {
        double sum = 0.0;
        double count = 0.0;
        for (int j = 1; j <= cells->grid.ny; j++) {
            for (int first = 1; first <= cells->grid.nx; first += CHUNK) {
                const ptrdiff_t c = first + cells->sy * j + cells->sz * k;
                const int length = cells->grid.nx - first + 1 < CHUNK ? cells->grid.nx - first + 1 : CHUNK;
                float row[CHUNK];
                lift_row(lift, c, length, row);
                for (int i = 0; i < length; i++) {
                    const bool air = (cells->flags[c + i] & BRUME_CELL_FLUID) != 0;
                    sum += air ? (double)row[i] : 0.0;
                    count += air ? 1.0 : 0.0;
                }
            }
        }
        sums[k] = sum;
        counts[k] = count;
    }
    const double count = brume_sum_planes(counts, cells->grid.nz);
    return count > 0.0 ? (float)(brume_sum_planes(sums, cells->grid.nz) / count) : 0.0f;
}

/** Accelerates the velocity by buoyancy over `dt` [s]. Scalars' ghosts must be set; sides are set afterwards. */
void brume_add_buoyancy(BrumeSim *sim, float dt)
{
    const Lift lift = find_lift(sim);
    if (lift.count == 0) {
        return;
    }
    const float mean = mean_lift(sim, &lift);
    for (int axis = 0; axis < 3; axis++) {
        const float acceleration = -brume_component(sim->def.gravity, axis) * dt; // [m/s] for b = 1
        if (acceleration == 0.0f) {
            continue;
        }
        BrumeField *velocity = &sim->fields[axis];
        const BrumeGrid grid = velocity->grid;
        const ptrdiff_t below = brume_stride(velocity, axis);
        // the extra entry along each axis is the face on the upper side
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= grid.nz + 1; k++) {
            for (int j = 1; j <= grid.ny + 1; j++) {
                for (int first = 1; first <= grid.nx + 1; first += CHUNK) {
                    const int length = grid.nx + 2 - first < CHUNK ? grid.nx + 2 - first : CHUNK;
                    const ptrdiff_t c = brume_field_index(velocity, first, j, k);
                    float at[CHUNK];
                    float beneath[CHUNK];
                    lift_row(&lift, c, length, at);
                    lift_row(&lift, c - below, length, beneath);
                    accelerate_row(velocity->data + c, at, beneath, mean, acceleration, length);
                }
            }
        }
    }
}

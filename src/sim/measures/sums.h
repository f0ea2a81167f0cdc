/**
 * @file sums.h
 * Sums over the fluid cells and over the sides of the box, in double precision and of fixed order.
 */
#ifndef BRUME_SIM_MEASURES_SUMS_H
#define BRUME_SIM_MEASURES_SUMS_H

#include "core/parallel/reductions.h"
#include "sim/grid/cells.h"
#include "sim/state/state.h"

/** The quantity that holds a scalar, 0 to BRUME_SCALAR_COUNT - 1. */
static inline BrumeFieldId brume_scalar_id(int scalar) { return (BrumeFieldId)(BRUME_FIELD_TEMPERATURE + scalar); }

/** Whether a scalar is in use. */
static inline bool brume_has_scalar(const BrumeSim *sim, int scalar)
{
    return sim->fields[brume_scalar_id(scalar)].data != NULL;
}

/** The sum of `count` values, in eight lanes. */
static inline double brume_sum_row(const double *values, int count)
{
    double lanes[BRUME_LANES] = {0.0};
    int i = 0;
    for (; i + BRUME_LANES <= count; i += BRUME_LANES) {
        for (int lane = 0; lane < BRUME_LANES; lane++) {
            lanes[lane] += values[i + lane];
        }
    }
    for (int lane = 0; i < count; i++, lane++) {
        lanes[lane] += values[i];
    }
    return brume_sum_lanes(lanes);
}

/** The integral of a scalar over the fluid cells [unit m^3]. Overwrites the first nz + 2 entries of sim->planes. */
double brume_total(const BrumeSim *sim, BrumeFieldId id);

/** The volume of a cell [m^3]. */
static inline double brume_cell_volume(const BrumeSim *sim)
{
    const double dx = (double)sim->def.dx;
    return dx * dx * dx;
}

/** Sums over the faces between fluid cells and one side of the box, each times its open part. */
typedef struct BrumeSideSums {
    double faces;      ///< their number
    double outflow;    ///< sum of the outward normal velocities of the air [m/s]
    double advected;   ///< sum of these times the value upwind [unit m/s]
    double difference; ///< sum of the value in the cell less the value of its ghost [unit]
} BrumeSideSums;

/**
 * Sums over a side for a quantity at the cell centers. `normal` is the velocity component across the side. The ghosts
 * of `field` must be set; at open sides the value that enters is 0. Overwrites the first 4 (nz + 2) entries of
 * sim->planes.
 */
BrumeSideSums brume_sum_side(const BrumeSim *sim, BrumeFace face, const BrumeField *field, const BrumeField *normal);

#endif

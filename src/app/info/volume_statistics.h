/**
 * @file volume_statistics.h
 * Statistics of the grids of a volume file, and the density scale that fits them.
 */
#ifndef BRUME_APP_INFO_VOLUME_STATISTICS_H
#define BRUME_APP_INFO_VOLUME_STATISTICS_H

#include "exchange/frame_grids.h"

/** Statistics of the values of a scalar, or of the lengths of vectors. */
typedef struct BrumeGridStatistics {
    size_t count;            ///< values or vectors
    size_t not_finite;       ///< values that are not finite, which all other statistics ignore
    size_t first_not_finite; ///< index of the first
    size_t negative;         ///< scalars below 0
    size_t not_zero;
    double minimum, maximum, mean; ///< 0 where no value is finite
} BrumeGridStatistics;

BrumeGridStatistics brume_grid_statistics(const BrumeFrameGrids *frame, const BrumeFrameGrid *grid);

/** Whether a grid is a density of plain or colored smoke: a scalar at the centers with a name of a density. */
bool brume_grid_is_density(const BrumeFrameGrid *grid);

/** The target of the density scale: at this optical depth the densest part is opaque, and its edges are not. */
#define BRUME_TARGET_DEPTH 4.0

/**
 * Returns the extinction of a density of 1 [1/m] at which the mean optical depth is BRUME_TARGET_DEPTH: the mean over
 * horizontal rays along x and z through the sum of the densities, weighted by the depth of each ray, so that thin haze
 * and empty air count little. Values that are negative or not finite count as 0. Returns 0 if there is no smoke, and
 * without memory.
 */
double brume_density_scale(const BrumeFrameGrids *frame);

#endif

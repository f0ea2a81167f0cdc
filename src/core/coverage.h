/**
 * @file coverage.h
 * The fraction of each cell that a shape covers.
 */
#ifndef BRUME_CORE_COVERAGE_H
#define BRUME_CORE_COVERAGE_H

#include "core/shape.h"

#include <stdbool.h>

/** How a shape covers the cells of a grid. */
typedef struct BrumeCoverage {
    BrumePlacedShape placed;
    float dx;           ///< side of a cell [m]
    float growth;       ///< by which a shape that is thinner than a cell is larger [m]
    float weight;       ///< of covered cells; 1 for shapes of several cells
    int points[3];      ///< of a volume: values in a cell along each of its axes, 1 or more
    bool weighs_inside; ///< the shape is thinner than two cells: `weight` applies to cells within it too
} BrumeCoverage;

/**
 * The coverage of cells whose centers are at `center` + n dx. The sum over all cells, also cells outside of a box, is
 * the volume of a shape that is not thicker than two cells, to rounding; of a shape of four cells or more it exceeds
 * the volume by the part that the estimate from the distance has: 1 / (4 r^2) for a sphere of radius r [cells].
 */
BrumeCoverage brume_coverage_of(const BrumeShape *shape, BrumeVec3 center, float dx);

/**
 * The strength of an emitter at the center of a cell, 0 to 1: the fraction of the cell that the shape covers, estimated
 * from the distance; of a volume, the mean of the values in the cell over the threshold.
 */
float brume_coverage_at(const BrumeCoverage *coverage, BrumeVec3 center);

/** The same where the distance of the center to the shape, which is no volume, is known [m]. */
float brume_coverage_at_distance(const BrumeCoverage *coverage, float distance);

/**
 * The mean over a shape of a factor that rises from 0 at its surface to 1 at the depth `softness` [m] and deeper, by
 * the smoothstep function. Not of a volume or a mesh.
 */
float brume_mean_edge(const BrumeShape *shape, float softness);

#endif

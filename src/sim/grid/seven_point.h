/**
 * @file seven_point.h
 * The 7-point difference operator, written once for pressure, multigrid and diffusion:
 *     (A x)_c = sum over the six faces of w_face (x_c - x_neighbor),
 * which is -dx^2 times the discrete Laplacian where all weights are 1 (Harlow and Welch 1965). It is a sum of
 * differences: where x is smooth and large, its rounding error is smaller than the error of 6 x_c minus the neighbors.
 * The order of the sum is fixed: pairs along x, y and z, then (x + y) + z, so that every caller gets the same bits.
 */
#ifndef BRUME_SIM_GRID_SEVEN_POINT_H
#define BRUME_SIM_GRID_SEVEN_POINT_H

#include "core/parallel/simd.h"

#include <stddef.h>

/** A x at a cell of value `c` with all six weights 1; neighbors below and above along x, y, z. */
BRUME_INLINE float brume_seven_point(float c, float x_lower, float x_upper, float y_lower, float y_upper, float z_lower,
                                     float z_upper)
{
    const float along_x = (c - x_lower) + (c - x_upper);
    const float along_y = (c - y_lower) + (c - y_upper);
    const float along_z = (c - z_lower) + (c - z_upper);
    return along_x + along_y + along_z;
}

/** Weights of a cell's faces, 1 for a face that passes the quantity and 0 for a closed one. */
typedef struct BrumeFaceWeights {
    float x_lower, x_upper, y_lower, y_upper, z_lower, z_upper;
} BrumeFaceWeights;

/** A x at the entry `x` of a field with strides 1, sy and sz. */
BRUME_INLINE float brume_seven_point_weighted(const float *x, ptrdiff_t sy, ptrdiff_t sz, const BrumeFaceWeights *w)
{
    const float c = x[0];
    const float along_x = w->x_lower * (c - x[-1]) + w->x_upper * (c - x[1]);
    const float along_y = w->y_lower * (c - x[-sy]) + w->y_upper * (c - x[sy]);
    const float along_z = w->z_lower * (c - x[-sz]) + w->z_upper * (c - x[sz]);
    return along_x + along_y + along_z;
}

#endif

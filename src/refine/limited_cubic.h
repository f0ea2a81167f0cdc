/**
 * @file limited_cubic.h
 * Interpolation of values at the centers of cells by Catmull-Rom splines, limited to the range of the eight nearest.
 */
#ifndef BRUME_REFINE_LIMITED_CUBIC_H
#define BRUME_REFINE_LIMITED_CUBIC_H

#include "core/field.h"
#include "core/minmax.h"
#include "raymarch/fast_math.h"

/** The entries of an array (nz x ny x nx) around a point, and their weights. */
typedef struct BrumeCubicStencil {
    int i, nx;           ///< the entry before the point in a row, and the entries of a row
    ptrdiff_t rows[4];   ///< of a plane, from the one before the point's on; those beyond the sides are the outermost
    ptrdiff_t planes[4]; ///< in the same way
    float y[4], z[4];    ///< weights of the rows and the planes
    BrumeFloat4 x;       ///< weights of four entries of a row, from i - 1 on
} BrumeCubicStencil;

/**
 * Splits a position among entries lower..upper-1, at whole numbers, into the entry before it, which is not the last one
 * where there are several, and the rest in [0, 1].
 */
BRUME_INLINE int brume_split_among(float position, int lower, int upper, float *rest)
{
    const float limited = brume_clamp(position, (float)lower, (float)(upper - 1)); // NaN becomes one of the limits
    const int index = brume_max_int(brume_min_int((int)limited, upper - 2), lower);
    *rest = limited - (float)index;
    return index;
}

// the Catmull-Rom weights of the entries -1, 0, 1 and 2 at a fraction t between 0 and 1
BRUME_INLINE void brume_spline_weights(float t, float weights[4])
{
    weights[0] = t * (-0.5f + t * (1.0f - 0.5f * t));
    weights[1] = 1.0f + t * t * (1.5f * t - 2.5f);
    weights[2] = t * (0.5f + t * (2.0f - 1.5f * t));
    weights[3] = t * t * (0.5f * t - 0.5f);
}

/** The entries around a point [cells from the lower corner of the box], between the outermost centers the nearest one.
 */
BRUME_INLINE BrumeCubicStencil brume_cubic_stencil(BrumeGrid grid, BrumeFloat4 point)
{
    BrumeCubicStencil stencil = {.nx = grid.nx};
    float t[3];
    float x[4];
    stencil.i = brume_split_among(point[0] - 0.5f, 0, grid.nx, &t[0]);
    const int j = brume_split_among(point[1] - 0.5f, 0, grid.ny, &t[1]);
    const int k = brume_split_among(point[2] - 0.5f, 0, grid.nz, &t[2]);
    const ptrdiff_t plane = (ptrdiff_t)grid.nx * grid.ny;
    for (int n = 0; n < 4; n++) {
        stencil.rows[n] = (ptrdiff_t)grid.nx * brume_max_int(brume_min_int(j + n - 1, grid.ny - 1), 0);
        stencil.planes[n] = plane * brume_max_int(brume_min_int(k + n - 1, grid.nz - 1), 0);
    }
    brume_spline_weights(t[0], x);
    brume_spline_weights(t[1], stencil.y);
    brume_spline_weights(t[2], stencil.z);
    stencil.x = brume_load4(x);
    return stencil;
}

// four values of a row from index i - 1 on; those beyond the sides are the outermost ones
BRUME_INLINE BrumeFloat4 brume_load_row_of_stencil(const float *row, const BrumeCubicStencil *stencil)
{
    const int i = stencil->i;
    const int last = stencil->nx - 1;
    if (i >= 1 && i + 2 <= last) {
        return brume_load4(row + i - 1);
    }
    const BrumeFloat4 values = {row[brume_max_int(i - 1, 0)], row[i], row[brume_min_int(i + 1, last)],
                                row[brume_min_int(i + 2, last)]};
    return values;
}

/** The value of an array at the point of a stencil: at the center of a cell its value. */
BRUME_INLINE float brume_limited_cubic(const float *values, const BrumeCubicStencil *stencil)
{
    const int next = brume_min_int(1, stencil->nx - 1);
    float least = INFINITY;
    float largest = -INFINITY;
    for (int n = 0; n < 4; n++) {
        const float *a = values + stencil->planes[1 + (n >> 1)] + stencil->rows[1 + (n & 1)] + stencil->i;
        least = brume_min(least, brume_min(a[0], a[next]));
        largest = brume_max(largest, brume_max(a[0], a[next]));
    }
    if (least == largest) {
        return least;
    }
    BrumeFloat4 sum = {0};
    for (int c = 0; c < 4; c++) {
        const float *plane = values + stencil->planes[c];
        BrumeFloat4 sum_of_plane = {0};
        for (int b = 0; b < 4; b++) {
            sum_of_plane += stencil->y[b] * brume_load_row_of_stencil(plane + stencil->rows[b], stencil);
        }
        sum += stencil->z[c] * sum_of_plane;
    }
    sum *= stencil->x;
    return brume_clamp((sum[0] + sum[1]) + (sum[2] + sum[3]), least, largest);
}

#endif

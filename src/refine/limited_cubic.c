#include "refine/limited_cubic.h"

#include <math.h>

// the Catmull-Rom weights of the entries -1, 0, 1 and 2 at a fraction t between 0 and 1
static BrumeFloat4 spline_weights(float t)
{
    const BrumeFloat4 weights = {t * (-0.5f + t * (1.0f - 0.5f * t)), 1.0f + t * t * (1.5f * t - 2.5f),
                                 t * (0.5f + t * (2.0f - 1.5f * t)), t * t * (0.5f * t - 0.5f)};
    return weights;
}

// four values of a row from index i - 1 on; those beyond the sides are the outermost ones
static BrumeFloat4 load_row(const float *row, int i, int n)
{
    if (i >= 1 && i + 2 < n) {
        return brume_load4(row + i - 1);
    }
    const BrumeFloat4 values = {row[brume_max_int(i - 1, 0)], row[i], row[brume_min_int(i + 1, n - 1)],
                                row[brume_min_int(i + 2, n - 1)]};
    return values;
}

float brume_limited_cubic(const float *values, BrumeGrid grid, BrumeFloat4 point)
{
    float t[3];
    const int i = brume_split_among(point[0] - 0.5f, 0, grid.nx, &t[0]);
    const int j = brume_split_among(point[1] - 0.5f, 0, grid.ny, &t[1]);
    const int k = brume_split_among(point[2] - 0.5f, 0, grid.nz, &t[2]);
    float least = INFINITY;
    float largest = -INFINITY;
    for (int n = 0; n < 4; n++) {
        const int row = brume_min_int(j + (n & 1), grid.ny - 1);
        const int plane = brume_min_int(k + (n >> 1), grid.nz - 1);
        const float *a = values + ((size_t)plane * (size_t)grid.ny + (size_t)row) * (size_t)grid.nx;
        const float next = a[brume_min_int(i + 1, grid.nx - 1)];
        least = brume_min(least, brume_min(a[i], next));
        largest = brume_max(largest, brume_max(a[i], next));
    }
    if (least == largest) {
        return least;
    }
    const BrumeFloat4 wx = spline_weights(t[0]);
    const BrumeFloat4 wy = spline_weights(t[1]);
    const BrumeFloat4 wz = spline_weights(t[2]);
    BrumeFloat4 sum = {0};
    for (int c = 0; c < 4; c++) {
        const int plane = brume_max_int(brume_min_int(k + c - 1, grid.nz - 1), 0);
        for (int b = 0; b < 4; b++) {
            const int row = brume_max_int(brume_min_int(j + b - 1, grid.ny - 1), 0);
            const float *a = values + ((size_t)plane * (size_t)grid.ny + (size_t)row) * (size_t)grid.nx;
            sum += wz[c] * wy[b] * load_row(a, i, grid.nx);
        }
    }
    sum *= wx;
    return brume_clamp((sum[0] + sum[1]) + (sum[2] + sum[3]), least, largest);
}

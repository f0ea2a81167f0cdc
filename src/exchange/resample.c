#include "exchange/resample.h"

#include "core/minmax.h"

#include <math.h>

enum { MAX_POINTS = 16 }; // along an axis of a cell

// an entry of the source; `outside` beyond its ends
static double entry_at(const BrumeResampleSource *source, ptrdiff_t i, ptrdiff_t j, ptrdiff_t k)
{
    const int *extents = source->extents;
    if (i < 0 || j < 0 || k < 0 || i >= extents[0] || j >= extents[1] || k >= extents[2]) {
        return (double)source->outside;
    }
    return (double)source->values[source->stride * (i + extents[0] * (j + extents[1] * k))];
}

static double linear_mix(double a, double b, double weight) { return a + weight * (b - a); }

// the trilinear value at a position in entries of the source
static double interpolate(const BrumeResampleSource *source, const double position[3])
{
    ptrdiff_t low[3];
    double weight[3];
    for (int axis = 0; axis < 3; axis++) {
        if (!(position[axis] > -1.0 && position[axis] < source->extents[axis])) {
            return (double)source->outside;
        }
        const double lower = floor(position[axis]);
        low[axis] = (ptrdiff_t)lower;
        weight[axis] = position[axis] - lower;
    }
    double planes[2];
    for (int k = 0; k < 2; k++) {
        double rows[2];
        for (int j = 0; j < 2; j++) {
            rows[j] = linear_mix(entry_at(source, low[0], low[1] + j, low[2] + k),
                                 entry_at(source, low[0] + 1, low[1] + j, low[2] + k), weight[0]);
        }
        planes[k] = linear_mix(rows[0], rows[1], weight[1]);
    }
    return linear_mix(planes[0], planes[1], weight[2]);
}

// the number of points along each axis of a cell: entries of the source along its side
static void count_points(const BrumeResampleSource *source, int points[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double side = 0.0;
        for (int n = 0; n < 3; n++) {
            side += source->matrix[n][axis] * source->matrix[n][axis];
        }
        side = floor(sqrt(side) + 0.5);
        points[axis] = side > 1.0 ? (int)brume_fmin(side, (double)MAX_POINTS) : 1;
    }
}

// whether a part of a cell whose center is at `center` may be at most one entry from the entries of the source
static bool is_near(const BrumeResampleSource *source, const double center[3])
{
    bool near = true;
    for (int axis = 0; axis < 3; axis++) {
        const double *row = source->matrix[axis];
        const double half = 0.5 * (fabs(row[0]) + fabs(row[1]) + fabs(row[2]));
        near = near && center[axis] + half > -1.0 && center[axis] - half < source->extents[axis];
    }
    return near;
}

// the mean of a cell whose center is at `center` in the source
static double cell_mean(const BrumeResampleSource *source, const int points[3], const double center[3])
{
    if (!is_near(source, center)) { // soon done, so that a small source takes little time
        return (double)source->outside;
    }
    double sum = 0.0;
    for (int k = 0; k < points[2]; k++) {
        for (int j = 0; j < points[1]; j++) {
            for (int i = 0; i < points[0]; i++) {
                const double shift[3] = {(i + 0.5) / points[0] - 0.5, (j + 0.5) / points[1] - 0.5,
                                         (k + 0.5) / points[2] - 0.5}; // in cells
                double position[3];
                for (int n = 0; n < 3; n++) {
                    const double *row = source->matrix[n];
                    position[n] = center[n] + row[0] * shift[0] + row[1] * shift[1] + row[2] * shift[2];
                }
                sum += interpolate(source, position);
            }
        }
    }
    return sum / ((double)points[0] * points[1] * points[2]);
}

void brume_resample(float *target, ptrdiff_t stride, BrumeGrid cells, bool adds, const BrumeResampleSource *source)
{
    int points[3];
    count_points(source, points);
    for (int k = 0; k < cells.nz; k++) {
        for (int j = 0; j < cells.ny; j++) {
            for (int i = 0; i < cells.nx; i++, target += stride) {
                double center[3];
                for (int n = 0; n < 3; n++) {
                    const double *row = source->matrix[n];
                    center[n] = row[0] * i + row[1] * j + row[2] * k + source->offset[n];
                }
                const double value = cell_mean(source, points, center);
                *target = (float)(adds ? (double)*target + value : value);
            }
        }
    }
}

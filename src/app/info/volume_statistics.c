#include "app/info/volume_statistics.h"

#include "core/field.h"
#include "core/memory.h"
#include "core/minmax.h"

#include <math.h>
#include <string.h>

static double scalar_at(const BrumeFrameGrid *grid, size_t index)
{
    const float *values = grid->values + index * (size_t)grid->components;
    if (grid->components == 1) {
        return (double)values[0];
    }
    const double x = (double)values[0];
    const double y = (double)values[1];
    const double z = (double)values[2];
    return sqrt(x * x + y * y + z * z);
}

BrumeGridStatistics brume_grid_statistics(const BrumeFrameGrids *frame, const BrumeFrameGrid *grid)
{
    BrumeGridStatistics statistics = {
        .count = brume_frame_grid_values(frame->cells, grid) / (size_t)grid->components,
        .minimum = INFINITY,
        .maximum = -INFINITY,
    };
    double sum = 0.0;
    for (size_t n = 0; n < statistics.count; n++) {
        const double value = scalar_at(grid, n);
        if (!isfinite(value)) {
            statistics.first_not_finite = statistics.not_finite++ == 0 ? n : statistics.first_not_finite;
            continue;
        }
        statistics.minimum = brume_fmin(statistics.minimum, value);
        statistics.maximum = brume_fmax(statistics.maximum, value);
        statistics.negative += value < 0.0;
        statistics.not_zero += value != 0.0;
        sum += value;
    }
    if (statistics.not_finite == statistics.count) {
        statistics.minimum = statistics.maximum = 0.0;
    } else {
        statistics.mean = sum / (double)(statistics.count - statistics.not_finite);
    }
    return statistics;
}

bool brume_grid_is_density(const BrumeFrameGrid *grid)
{
    return grid->components == 1 && grid->location == BRUME_AT_CENTERS &&
           (strcmp(grid->name, BRUME_GRID_DENSITY) == 0 ||
            strncmp(grid->name, BRUME_GRID_COLOR, strlen(BRUME_GRID_COLOR)) == 0);
}

// returns the mean optical depth of rays, weighted by the depth itself, for an extinction of 1 per density of 1
static double mean_depth(const double *densities, size_t rays, double dx)
{
    double sum = 0.0;
    double sum_of_squares = 0.0;
    for (size_t ray = 0; ray < rays; ray++) {
        const double depth = densities[ray] * dx;
        sum += depth;
        sum_of_squares += depth * depth;
    }
    return sum > 0.0 ? sum_of_squares / sum : 0.0;
}

double brume_density_scale(const BrumeFrameGrids *frame)
{
    const size_t nx = (size_t)frame->cells.nx;
    const size_t ny = (size_t)frame->cells.ny;
    const size_t nz = (size_t)frame->cells.nz;
    double *const along_x = brume_alloc(ny * nz + ny * nx, sizeof *along_x); // (nz x ny) sums of densities
    if (!along_x) {
        return 0.0;
    }
    double *const along_z = along_x + ny * nz; // (ny x nx)
    for (int n = 0; n < frame->count; n++) {
        const BrumeFrameGrid *grid = &frame->grids[n];
        for (size_t row = 0; row < ny * nz && brume_grid_is_density(grid); row++) {
            const float *values = grid->values + row * nx;
            for (size_t i = 0; i < nx; i++) {
                const double density = isfinite(values[i]) && values[i] > 0.0f ? (double)values[i] : 0.0;
                along_x[row] += density;
                along_z[row % ny * nx + i] += density;
            }
        }
    }
    const double depth = 0.5 * (mean_depth(along_x, ny * nz, frame->dx) + mean_depth(along_z, ny * nx, frame->dx));
    brume_free(along_x);
    return depth > 0.0 ? BRUME_TARGET_DEPTH / depth : 0.0;
}

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

// adds a value to the statistics; returns it, or 0 where it is not finite
static double add_value(BrumeGridStatistics *statistics, size_t index, double value)
{
    if (!isfinite(value)) {
        statistics->first_not_finite = statistics->not_finite++ == 0 ? index : statistics->first_not_finite;
        return 0.0;
    }
    statistics->minimum = brume_fmin(statistics->minimum, value);
    statistics->maximum = brume_fmax(statistics->maximum, value);
    statistics->negative += value < 0.0;
    statistics->not_zero += value != 0.0;
    return value;
}

BrumeGridStatistics brume_grid_statistics(const BrumeFrameGrids *frame, const BrumeFrameGrid *grid)
{
    BrumeGridStatistics statistics = {
        .count = brume_frame_grid_values(frame->cells, grid) / (size_t)grid->components,
        .minimum = INFINITY,
        .maximum = -INFINITY,
    };
    size_t read = 0; // all others are 0
    double sum = 0.0;
    const BrumeCellBox *filled = &grid->filled;
    const size_t nx = (size_t)brume_frame_grid_extent(frame->cells, grid->location, 0);
    const size_t ny = (size_t)brume_frame_grid_extent(frame->cells, grid->location, 1);
    for (int k = filled->lower[2]; k < filled->upper[2]; k++) {
        for (int j = filled->lower[1]; j < filled->upper[1]; j++) {
            const size_t row = ((size_t)k * ny + (size_t)j) * nx;
            for (int i = filled->lower[0]; i < filled->upper[0]; i++) {
                sum += add_value(&statistics, row + (size_t)i, scalar_at(grid, row + (size_t)i));
                read++;
            }
        }
    }
    if (read < statistics.count) {
        statistics.minimum = brume_fmin(statistics.minimum, 0.0);
        statistics.maximum = brume_fmax(statistics.maximum, 0.0);
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
        const BrumeCellBox *filled = &grid->filled;
        const size_t first = (size_t)filled->lower[2] * ny;
        const size_t end = brume_grid_is_density(grid) ? (size_t)filled->upper[2] * ny : 0;
        for (size_t row = first; row < end; row++) {
            if (row % ny < (size_t)filled->lower[1] || row % ny >= (size_t)filled->upper[1]) {
                continue;
            }
            const float *values = grid->values + row * nx;
            for (size_t i = (size_t)filled->lower[0]; i < (size_t)filled->upper[0]; i++) {
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

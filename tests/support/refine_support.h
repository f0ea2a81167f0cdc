/**
 * @file refine_support.h
 * Frames of smoke balls in known velocities, for tests of finer volumes.
 */
#ifndef BRUME_TESTS_SUPPORT_REFINE_SUPPORT_H
#define BRUME_TESTS_SUPPORT_REFINE_SUPPORT_H

#include "core/random.h"
#include "frame_support.h"

/** The density of a ball with a smooth edge of two units, at the distance from its center. */
static inline double ball_density(double x, double y, double z, double radius)
{
    const double t = fmin(fmax(0.5 * (radius - sqrt(x * x + y * y + z * z)) + 0.5, 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/** Fills a grid with the means over its cells of a ball [cells]. */
static inline void fill_ball(const BrumeFrameGrids *frame, BrumeFrameGrid *grid, const double center[3], double radius)
{
    enum { POINTS = 3 };
    const BrumeGrid cells = frame->cells;
    for (int n = 0; n < (int)brume_grid_cells(cells); n++) {
        const int at[3] = {n % cells.nx, n / cells.nx % cells.ny, n / (cells.nx * cells.ny)};
        double sum = 0.0;
        for (int point = 0; point < POINTS * POINTS * POINTS; point++) {
            const int part[3] = {point % POINTS, point / POINTS % POINTS, point / (POINTS * POINTS)};
            double d[3];
            for (int axis = 0; axis < 3; axis++) {
                d[axis] = at[axis] + (part[axis] + 0.5) / POINTS - center[axis];
            }
            sum += ball_density(d[0], d[1], d[2], radius);
        }
        grid->values[n] = (float)(sum / (POINTS * POINTS * POINTS));
    }
}

/** A frame of cells of side 1 with the density of a ball and a uniform velocity. */
static inline BrumeFrameGrids ball_frame(BrumeGrid cells, const double center[3], double radius,
                                         const double velocity[3])
{
    BrumeFrameGrids frame = {.cells = cells, .dx = 1.0};
    fill_ball(&frame, frame_add(&frame, BRUME_GRID_DENSITY, "1", 1, BRUME_AT_CENTERS), center, radius);
    BrumeFrameGrid *grid = frame_add(&frame, BRUME_GRID_VELOCITY, "m/s", 3, BRUME_AT_CENTERS);
    for (size_t n = 0; n < 3 * brume_grid_cells(cells); n++) {
        grid->values[n] = (float)velocity[n % 3];
    }
    return frame;
}

/**
 * Adds a velocity without divergence whose energy spectrum is k^(-5/3) for waves of `shortest` cells or more, with a
 * root mean square length of `speed`, to the velocity of a frame of cells of side 1: random Fourier modes of a periodic
 * cube.
 */
static inline void add_turbulence(BrumeFrameGrids *frame, double shortest, double speed)
{
    enum { MODES = 16 }; // of a shell
    BrumeFrameGrid *grid = &frame->grids[brume_frame_grids_find(frame, BRUME_GRID_VELOCITY) - frame->grids];
    const int side = frame->cells.nx;
    const int shells = (int)(side / shortest);
    double total = 0.0;
    for (int shell = 1; shell <= shells; shell++) {
        total += pow(shell, -5.0 / 3.0);
    }
    for (int n = 0; n < shells * MODES; n++) {
        const int shell = n / MODES + 1;
        double random[7];
        for (uint32_t m = 0; m < 7; m++) {
            random[m] = (double)brume_unit_float(brume_hash3((uint32_t)n, m, 77));
        }
        const double z = 2.0 * random[0] - 1.0;
        const double angle = 2.0 * M_PI * random[1];
        const double wave[3] = {round(shell * sqrt(1.0 - z * z) * cos(angle)),
                                round(shell * sqrt(1.0 - z * z) * sin(angle)), round(shell * z)};
        const double other[3] = {random[2] - 0.5, random[3] - 0.5, random[4] - 0.5};
        double across[3]; // the wave, across which the velocity is
        double squares = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            const int b = (axis + 1) % 3;
            const int c = (axis + 2) % 3;
            across[axis] = wave[b] * other[c] - wave[c] * other[b];
            squares += across[axis] * across[axis];
        }
        const double scale = speed * sqrt(2.0 * pow(shell, -5.0 / 3.0) / (total * MODES) / squares);
        for (size_t cell = 0; cell < brume_grid_cells(frame->cells); cell++) {
            const double at[3] = {(double)(cell % (size_t)side), (double)(cell / (size_t)side % (size_t)side),
                                  (double)(cell / ((size_t)side * (size_t)side))};
            const double phase = 2.0 * M_PI / side * (wave[0] * at[0] + wave[1] * at[1] + wave[2] * at[2]);
            const float value = (float)(scale * cos(phase + 2.0 * M_PI * random[5]));
            for (int axis = 0; axis < 3; axis++) {
                grid->values[3 * cell + (size_t)axis] += (float)across[axis] * value;
            }
        }
    }
}

/** The sum of a grid of a frame, times the volume of a cell. */
static inline double sum_of(const BrumeFrameGrids *frame, const char *name)
{
    const BrumeFrameGrid *grid = brume_frame_grids_find(frame, name);
    double sum = 0.0;
    for (size_t n = 0; n < brume_grid_cells(frame->cells); n++) {
        sum += (double)grid->values[n];
    }
    return sum * frame->dx * frame->dx * frame->dx;
}

#endif

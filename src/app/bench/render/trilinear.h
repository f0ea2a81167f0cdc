/**
 * @file trilinear.h
 * The rate at which the machine interpolates trilinearly: a vectorized kernel over a field that fits into the L1 cache.
 * Nothing but the interpolation and its coordinates is computed, so it bounds the rate at which a renderer can sample a
 * grid with the same instructions. docs/benchmarks.md describes it.
 */
#ifndef BRUME_APP_BENCH_RENDER_TRILINEAR_H
#define BRUME_APP_BENCH_RENDER_TRILINEAR_H

#include "brume/vec3.h"

enum {
    BRUME_TRILINEAR_SIDE = 16,   ///< entries along a side of the field: 16 KiB
    BRUME_TRILINEAR_LINES = 128, ///< lines through the field: 3 KiB
    BRUME_TRILINEAR_POINTS = 64, ///< on each line
};

/** The field, and lines through it from random points to random points [cells]. */
typedef struct BrumeTrilinearKernel {
    float field[BRUME_TRILINEAR_SIDE * BRUME_TRILINEAR_SIDE * BRUME_TRILINEAR_SIDE]; ///< x fastest
    BrumeVec3 from[BRUME_TRILINEAR_LINES], by[BRUME_TRILINEAR_LINES];
} BrumeTrilinearKernel;

/** Sets the lines; the entries of the field are x + 2 y + 4 z. */
void brume_trilinear_kernel_init(BrumeTrilinearKernel *kernel);

/** The sum of the interpolated values at all points of all lines. */
float brume_trilinear_kernel_sum(const BrumeTrilinearKernel *kernel);

/** Runs the kernel on every thread of the calling thread's team, about a million points each: points per second of all
 * threads together. */
double brume_measure_trilinear(const BrumeTrilinearKernel *kernel);

#endif

/**
 * @file axis.h
 * The eigenvectors of the second difference along one axis of the box, -(Lx)_n = (x_n - x_{n-1}) + (x_n - x_{n+1}), for
 * every pair of ends (Strang, The discrete cosine transform, SIAM Review 41, 1999). Values mirror at walls, the center
 * of the ghost beyond an open end holds 0, periodic ends meet. All eigenvalues are 2 - 2 cos theta:
 *
 *     walls       cos(theta (n + 1/2)),  theta = pi k / N                DCT-II
 *     open        sin(theta (n + 1)),    theta = pi (k + 1) / (N + 1)    DST-I
 *     wall, open  cos(theta (n + 1/2)),  theta = pi (2k + 1) / (2N + 1)  DCT-VIII
 *     periodic    cos and sin(theta n),  theta = 2 pi k / N              DFT
 *
 * Sixteen lines are transformed together, a line a lane: point n of a block is 16 floats. Walls and periodic ends
 * of lengths with small prime factors use the fast Fourier transform, all else products with a matrix.
 */
#ifndef BRUME_SIM_SPECTRAL_AXIS_H
#define BRUME_SIM_SPECTRAL_AXIS_H

#include "sim/spectral/dense.h"
#include "sim/spectral/fft.h"

#include <stddef.h>

typedef enum BrumeEnds {
    BRUME_ENDS_WALLS,
    BRUME_ENDS_OPEN,
    BRUME_ENDS_WALL_OPEN,
    BRUME_ENDS_OPEN_WALL,
    BRUME_ENDS_PERIODIC,
} BrumeEnds;

typedef struct BrumeAxis {
    int length;
    BrumeEnds ends;
    bool fast; ///< by fft, else by dense
    BrumeFft fft;
    BrumeDense dense;
    float *eigenvalues; ///< (length), in the order of the coefficients
    float *turns;       ///< fast: half a cosine and half a sine for each k (length / 2 + 1)
    int *slots;         ///< point n of a line is point slots[n] of the block that is transformed (length)
    int *back_slots;    ///< the same for what the way back leaves (length)
    float scale;        ///< forward and backward give a line divided by this
} BrumeAxis;

/** Whether transforms of this length between these ends are fast. */
bool brume_axis_is_fast(BrumeEnds ends, int length);

/** Prepares an axis. BRUME_FAILED without memory, with nothing to destroy. */
BrumeStatus brume_axis_create(BrumeAxis *axis, BrumeEnds ends, int length, BrumeError *error);

void brume_axis_destroy(BrumeAxis *axis);

size_t brume_axis_bytes(const BrumeAxis *axis);

/**
 * Transforms a block x, whose points lie in their `slots`, to its coefficients, with the help of another block of
 * `length` points, y; returns the one of the two that holds them.
 */
float *brume_axis_forward(const BrumeAxis *axis, float *x, float *y);

/** The way back: from coefficients to points in their `back_slots`. */
float *brume_axis_backward(const BrumeAxis *axis, float *x, float *y);

#endif

/**
 * @file axis.h
 * Transforms to the eigenvectors of the second difference along one axis, (x_n - x_{n-1}) + (x_n - x_{n+1}), for every
 * pair of end conditions (Strang, The discrete cosine transform, SIAM Review 41, 1999). Beyond a wall the value is
 * mirrored, in the center of the ghost beyond an open end it is 0, and periodic ends are neighbors. The eigenvalues
 * are 2 - 2 cos theta:
 *
 *     walls       cos(theta (n + 1/2)),  theta = pi k / N                DCT-II
 *     open        sin(theta (n + 1)),    theta = pi (k + 1) / (N + 1)    DST-I
 *     wall, open  cos(theta (n + 1/2)),  theta = pi (2k + 1) / (2N + 1)  DCT-VIII
 *     periodic    cos and sin(theta n),  theta = 2 pi k / N              DFT
 *
 * Sixteen lines are transformed together (lines.h). Lengths with small prime factors between walls or periodic ends use
 * the fast Fourier transform, all others a product with a matrix.
 */
#ifndef BRUME_SIM_SPECTRAL_AXIS_H
#define BRUME_SIM_SPECTRAL_AXIS_H

#include "sim/spectral/dense.h"
#include "sim/spectral/fft.h"

#include <stddef.h>

/** The conditions at the lower and the upper end of an axis. */
typedef enum BrumeEnds {
    BRUME_ENDS_WALLS,
    BRUME_ENDS_OPEN,
    BRUME_ENDS_WALL_OPEN,
    BRUME_ENDS_OPEN_WALL,
    BRUME_ENDS_PERIODIC,
} BrumeEnds;

/**
 * Modes of a long axis that the backward fast transform evaluates apart, in double precision. The rounding errors of a
 * fast transform are proportional to the whole spectrum, in which the lowest modes of a smooth pressure are the
 * largest.
 */
enum { BRUME_LOW_MODES = 8 };

typedef struct BrumeAxis {
    int length;
    BrumeEnds ends;
    bool fast; ///< whether it uses fft, else dense
    BrumeFft fft;
    BrumeDense dense;
    float *eigenvalues; ///< (length) in the order of the coefficients
    float *twiddles;    ///< of fast transforms: half a cosine and half a sine for each k (length / 2 + 1)
    int *input_order;   ///< (length) point n of a line is point input_order[n] of the block before a forward transform
    int *output_order;  ///< (length) the same for the block after a backward transform
    double *low_modes;  ///< (length x BRUME_LOW_MODES) values of the lowest modes at each point; NULL on shorter axes
    float scale;        ///< a forward and a backward transform together divide a line by this
} BrumeAxis;

/** Whether there is a fast transform for this length and these ends. */
bool brume_axis_is_fast(BrumeEnds ends, int length);

/** Prepares an axis. BRUME_FAILED without memory, with nothing to destroy. */
BrumeStatus brume_axis_create(BrumeAxis *axis, BrumeEnds ends, int length, BrumeError *error);

void brume_axis_destroy(BrumeAxis *axis);

size_t brume_axis_bytes(const BrumeAxis *axis);

/**
 * Transforms the block x, whose points are in `input_order`, to its coefficients, with the block y of the same size as
 * scratch; returns the block that has the coefficients.
 */
float *brume_axis_forward(const BrumeAxis *axis, float *x, float *y);

/** Transforms coefficients to points in `output_order`; otherwise as brume_axis_forward. */
float *brume_axis_backward(const BrumeAxis *axis, float *x, float *y);

#endif

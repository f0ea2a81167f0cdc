/**
 * @file fft.h
 * Complex Fourier transforms of eight lines at a time, one a lane of a vector: the lines lie beside each other, so no
 * step shuffles lanes, and the bits are the same whatever the vectors' width. Forward, not scaled:
 *     Z_k = sum over n of z_n exp(-2 pi i k n / N).
 *
 * Blocks are those of block.h: a point is the real parts of the eight lines, then their imaginary parts.
 */
#ifndef BRUME_SIM_SPECTRAL_FFT_H
#define BRUME_SIM_SPECTRAL_FFT_H

#include "core/error.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { BRUME_FFT_MAX_STAGES = 16 };

/** One pass over the points: butterflies of `radix` inputs. */
typedef struct BrumeFftStage {
    int radix;    ///< 2, 3, 4 or 5
    int count;    ///< length of the transforms that this stage leaves to the next ones
    int stride;   ///< how many of them lie beside each other
    size_t turns; ///< where its factors begin: count x (radix - 1) complex numbers
} BrumeFftStage;

/** What a length needs to know beforehand. */
typedef struct BrumeFft {
    int length;
    int stage_count;
    BrumeFftStage stages[BRUME_FFT_MAX_STAGES];
    float *turns;      ///< the stages' twiddle factors
    size_t turn_count; ///< floats
} BrumeFft;

/** Whether a length has the prime factors 2, 3 and 5 only. */
bool brume_fft_suits(int length);

/** Prepares transforms of a length that suits. BRUME_FAILED without memory, with nothing to destroy. */
BrumeStatus brume_fft_create(BrumeFft *fft, int length, BrumeError *error);

void brume_fft_destroy(BrumeFft *fft);

size_t brume_fft_bytes(const BrumeFft *fft);

/** Transforms the block `x` with the help of another, `y`; returns the one of the two that holds the result. */
float *brume_fft_run(const BrumeFft *fft, float *x, float *y);

#endif

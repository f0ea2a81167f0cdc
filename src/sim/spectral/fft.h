/**
 * @file fft.h
 * Complex Fourier transforms of eight lines at a time, one line per lane of a vector. No step mixes lanes, so that the
 * bits do not depend on the vector width of the machine. Forward, not scaled:
 *     Z_k = sum over n of z_n exp(-2 pi i k n / N).
 *
 * Blocks as in lines.h; a point is the real parts of the eight lines, then their imaginary parts.
 */
#ifndef BRUME_SIM_SPECTRAL_FFT_H
#define BRUME_SIM_SPECTRAL_FFT_H

#include "core/error.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { BRUME_FFT_MAX_STAGES = 16 };

/** One pass over the points, with butterflies of `radix` inputs. */
typedef struct BrumeFftStage {
    int radix;       ///< 2, 3, 4 or 5
    int count;       ///< length of the transforms that remain after this stage
    int stride;      ///< number of interleaved transforms before this stage
    size_t twiddles; ///< index of its first twiddle factor; it has count x (radix - 1) complex ones
} BrumeFftStage;

/** The stages and twiddle factors of a transform length. */
typedef struct BrumeFft {
    int length;
    int stage_count;
    BrumeFftStage stages[BRUME_FFT_MAX_STAGES];
    float *twiddles;       ///< the twiddle factors of all stages, cosine and sine
    size_t twiddle_floats; ///< number of floats
} BrumeFft;

/** Whether a length has no other prime factors than 2, 3 and 5. */
bool brume_fft_supports(int length);

/** Prepares transforms of a supported length. BRUME_FAILED without memory, with nothing to destroy. */
BrumeStatus brume_fft_create(BrumeFft *fft, int length, BrumeError *error);

void brume_fft_destroy(BrumeFft *fft);

size_t brume_fft_bytes(const BrumeFft *fft);

/** Transforms the block `x`, with the block `y` as scratch; returns the block that has the result. */
float *brume_fft_run(const BrumeFft *fft, float *x, float *y);

#endif

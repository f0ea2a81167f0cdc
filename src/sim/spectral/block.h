/**
 * @file block.h
 * Sixteen lines that are transformed together: point n of them is BRUME_BLOCK floats at BRUME_BLOCK n, two vectors.
 */
#ifndef BRUME_SIM_SPECTRAL_BLOCK_H
#define BRUME_SIM_SPECTRAL_BLOCK_H

#include "core/simd.h"

#include <stddef.h>

enum { BRUME_BLOCK = 16 };

/** Eight floats anywhere. What is copied by memcpy instead goes through 16-byte pieces on the stack (GCC 12). */
typedef float BrumeLooseFloat8 __attribute__((vector_size(32), aligned(4), may_alias));

/** The floats of point n of a block. */
static inline ptrdiff_t brume_point(int n) { return (ptrdiff_t)BRUME_BLOCK * n; }

static inline __attribute__((always_inline)) void brume_load_8(BrumeFloat8 *v, const float *x)
{
    *v = *(const BrumeLooseFloat8 *)x;
}

static inline __attribute__((always_inline)) void brume_store_8(float *x, const BrumeFloat8 *v)
{
    *(BrumeLooseFloat8 *)x = *v;
}

#endif

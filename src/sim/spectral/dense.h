/**
 * @file dense.h
 * Orthonormal transforms of sixteen lines at a time as products with a matrix, for lengths and ends without a fast
 * transform. If both ends have the same condition, every basis function is even or odd about the middle; lines are then
 * folded into their even and odd parts first, which leaves two products of half the size.
 */
#ifndef BRUME_SIM_SPECTRAL_DENSE_H
#define BRUME_SIM_SPECTRAL_DENSE_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

/** The value at cell n (from 0) of basis function `k` (from 0), not normalized. */
typedef double BrumeBasis(int length, int k, int n);

typedef struct BrumeDense {
    int length;
    bool folded;
    int even, odd;       ///< numbers of even and odd basis functions; without folding all count as even
    bool wide;           ///< whether products use vectors of sixteen lanes; the bits are the same
    float *tables;       ///< the matrices forward even, backward even, forward odd, backward odd
    size_t table_floats; ///< number of floats in all
} BrumeDense;

/**
 * Prepares a transform to the functions of `basis`, which must be orthogonal. With `folded`, the first (length + 1) / 2
 * of them must be even about the middle and the others odd. BRUME_FAILED without memory, with nothing to destroy.
 */
BrumeStatus brume_dense_create(BrumeDense *dense, int length, BrumeBasis *basis, bool folded, BrumeError *error);

void brume_dense_destroy(BrumeDense *dense);

size_t brume_dense_bytes(const BrumeDense *dense);

/**
 * Transforms the block x (length x 16 floats, one line per column) to coefficients in the order of the basis, with the
 * block y of the same size as scratch; returns the block that has the result.
 */
float *brume_dense_forward(const BrumeDense *dense, float *x, float *y);

/** The inverse of the forward transform, which is its transpose. */
float *brume_dense_backward(const BrumeDense *dense, float *x, float *y);

#endif

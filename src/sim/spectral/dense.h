/**
 * @file dense.h
 * Orthonormal transforms as products with a matrix, of sixteen lines at a time: for lengths and sides that no fast
 * transform fits. Where the box looks the same from both ends, every basis function is even or odd, and the lines are
 * folded first: two products of half the size.
 */
#ifndef BRUME_SIM_SPECTRAL_DENSE_H
#define BRUME_SIM_SPECTRAL_DENSE_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

/** The value at cell n (from 0) of basis function `k` (from 0), not normalised. */
typedef double BrumeBasis(int length, int k, int n);

typedef struct BrumeDense {
    int length;
    bool folded;
    int even, odd;       ///< how many basis functions of each kind; all are `even` without folding
    float *tables;       ///< one after another: forward even, backward even, forward odd, backward odd
    size_t table_floats; ///< in all
} BrumeDense;

/**
 * Prepares a transform to the functions of `basis`, which are orthogonal. With `folded`, the first (length + 1) / 2 are
 * even about the middle and the others odd. BRUME_FAILED without memory, with nothing to destroy.
 */
BrumeStatus brume_dense_create(BrumeDense *dense, int length, BrumeBasis *basis, bool folded, BrumeError *error);

void brume_dense_destroy(BrumeDense *dense);

size_t brume_dense_bytes(const BrumeDense *dense);

/** Multiplications a cell that one transform takes. */
int brume_dense_products(const BrumeDense *dense);

/**
 * Transforms the block x (length x 16 floats, a line a column) to coefficients in the order of the basis, with the help
 * of another block of `length` points, y; returns the one of the two that holds the result.
 */
float *brume_dense_forward(const BrumeDense *dense, float *x, float *y);

/** The way back: its inverse and its transpose. */
float *brume_dense_backward(const BrumeDense *dense, float *x, float *y);

#endif

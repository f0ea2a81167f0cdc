/**
 * @file lines.h
 * Sixteen lines of a field to a block, a line a lane, and back: columns lie beside each other already, rows are turned.
 */
#ifndef BRUME_SIM_SPECTRAL_LINES_H
#define BRUME_SIM_SPECTRAL_LINES_H

#include <stddef.h>

/**
 * Point n of `width` (1 to 16) lines, which lie side by side at x + stride n, to point slots[n] of the block; the other
 * lanes become 0. What lies beside them is fetched ahead.
 */
void brume_columns_in(float *block, const int *slots, const float *x, ptrdiff_t stride, int length, int width);

/** The way back: point slots[n] of the block to x + stride n; NULL stands for n itself. */
void brume_columns_out(float *x, ptrdiff_t stride, const float *block, const int *slots, int length, int width);

/** The same for `count` (1 to 16) rows that lie `stride` apart; point n of a row is its n-th entry. */
void brume_rows_in(float *block, const int *slots, const float *x, ptrdiff_t stride, int length, int count);

/** The way back. */
void brume_rows_out(float *x, ptrdiff_t stride, const float *block, const int *slots, int length, int count);

#endif

/**
 * @file lines.h
 * Blocks of sixteen lines of a field that are transformed together, one line per lane of a vector: point n of all lines
 * is BRUME_LINE_BLOCK contiguous floats, two vectors. Columns of a field are contiguous in this way already; rows are
 * transposed.
 */
#ifndef BRUME_SIM_SPECTRAL_LINES_H
#define BRUME_SIM_SPECTRAL_LINES_H

#include <stddef.h>

/** Lines of a block. */
enum { BRUME_LINE_BLOCK = 16 };

/** Offset of point n in a block. */
static inline ptrdiff_t brume_block_point(int n) { return (ptrdiff_t)BRUME_LINE_BLOCK * n; }

/**
 * Copies `width` (1 to 16) adjacent lines, whose point n is at x + stride n, to a block: point n becomes point
 * input_order[n]; the remaining lanes become 0. Prefetches the next lines.
 */
void brume_columns_to_block(float *block, const int *input_order, const float *x, ptrdiff_t stride, int length,
                            int width);

/** Copies point output_order[n] of a block to x + stride n; output_order NULL stands for n itself. */
void brume_block_to_columns(float *x, ptrdiff_t stride, const float *block, const int *output_order, int length,
                            int width);

/** As brume_columns_to_block for `count` (1 to 16) rows, `stride` apart, whose points are adjacent entries. */
void brume_rows_to_block(float *block, const int *input_order, const float *x, ptrdiff_t stride, int length, int count);

/** As brume_block_to_columns for rows. */
void brume_block_to_rows(float *x, ptrdiff_t stride, const float *block, const int *output_order, int length,
                         int count);

#endif

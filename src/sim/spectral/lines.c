#include "sim/spectral/lines.h"

#include "core/parallel/simd.h"

#include <stdint.h>

// offset of the point of a block that point n of a line is copied to or from
static inline ptrdiff_t point_of(const int *order, int n) { return brume_block_point(order ? order[n] : n); }

BRUME_KERNEL static void columns_to_block_full(float *restrict block, const int *input_order, const float *restrict x,
                                               ptrdiff_t stride, int length)
{
    for (int n = 0; n < length; n++) {
        const float *from = x + stride * n;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): outside of the field, a pointer would be undefined
        __builtin_prefetch((const void *)((uintptr_t)from + 2 * BRUME_LINE_BLOCK * sizeof *x));
        memcpy(block + point_of(input_order, n), from, BRUME_LINE_BLOCK * sizeof *x);
    }
}

void brume_columns_to_block(float *block, const int *input_order, const float *x, ptrdiff_t stride, int length,
                            int width)
{
    if (width == BRUME_LINE_BLOCK) {
        columns_to_block_full(block, input_order, x, stride, length);
        return;
    }
    for (int n = 0; n < length; n++) {
        float *point = block + point_of(input_order, n);
        memset(point, 0, BRUME_LINE_BLOCK * sizeof *point);
        memcpy(point, x + stride * n, (size_t)width * sizeof *point);
    }
}

BRUME_KERNEL static void block_to_columns_full(float *restrict x, ptrdiff_t stride, const float *restrict block,
                                               const int *output_order, int length)
{
    for (int n = 0; n < length; n++) {
        memcpy(x + stride * n, block + point_of(output_order, n), BRUME_LINE_BLOCK * sizeof *x);
    }
}

void brume_block_to_columns(float *x, ptrdiff_t stride, const float *block, const int *output_order, int length,
                            int width)
{
    if (width == BRUME_LINE_BLOCK) {
        block_to_columns_full(x, stride, block, output_order, length);
        return;
    }
    for (int n = 0; n < length; n++) {
        memcpy(x + stride * n, block + point_of(output_order, n), (size_t)width * sizeof *x);
    }
}

enum { TILE = 8 };

// Transposes a tile of 8 x 8: in pairs, then in fours, then in halves.
static inline __attribute__((always_inline)) void transpose_tile(BrumeFloat8 r[TILE])
{
    BrumeFloat8 pairs[TILE];
    for (int n = 0; n < TILE; n += 2) {
        pairs[n] = __builtin_shufflevector(r[n], r[n + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pairs[n + 1] = __builtin_shufflevector(r[n], r[n + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    BrumeFloat8 fours[TILE];
    for (int n = 0; n < TILE; n += 4) {
        for (int m = 0; m < 2; m++) {
            fours[n + 2 * m] = __builtin_shufflevector(pairs[n + m], pairs[n + m + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            fours[n + 2 * m + 1] = __builtin_shufflevector(pairs[n + m], pairs[n + m + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int n = 0; n < TILE / 2; n++) {
        r[n] = __builtin_shufflevector(fours[n], fours[n + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        r[n + 4] = __builtin_shufflevector(fours[n], fours[n + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

BRUME_KERNEL static void rows_to_block(float *restrict block, const int *input_order, const float *restrict x,
                                       ptrdiff_t stride, int length, int count)
{
    int n = 0;
    for (; n + TILE <= length; n += TILE) {
        for (int half = 0; half < BRUME_LINE_BLOCK; half += TILE) {
            BrumeFloat8 tile[TILE] = {{0}};
            for (int r = 0; r < TILE && half + r < count; r++) {
                brume_load8(&tile[r], x + stride * (half + r) + n);
            }
            transpose_tile(tile);
            for (int c = 0; c < TILE; c++) {
                brume_store8(block + point_of(input_order, n + c) + half, &tile[c]);
            }
        }
    }
    for (; n < length; n++) {
        for (int r = 0; r < BRUME_LINE_BLOCK; r++) {
            block[point_of(input_order, n) + r] = r < count ? x[stride * r + n] : 0.0f;
        }
    }
}

BRUME_KERNEL static void block_to_rows(float *restrict x, ptrdiff_t stride, const float *restrict block,
                                       const int *output_order, int length, int count)
{
    int n = 0;
    for (; n + TILE <= length; n += TILE) {
        for (int half = 0; half < BRUME_LINE_BLOCK; half += TILE) {
            BrumeFloat8 tile[TILE];
            for (int c = 0; c < TILE; c++) {
                brume_load8(&tile[c], block + point_of(output_order, n + c) + half);
            }
            transpose_tile(tile);
            for (int r = 0; r < TILE && half + r < count; r++) {
                brume_store8(x + stride * (half + r) + n, &tile[r]);
            }
        }
    }
    for (; n < length; n++) {
        for (int r = 0; r < count; r++) {
            x[stride * r + n] = block[point_of(output_order, n) + r];
        }
    }
}

void brume_rows_to_block(float *block, const int *input_order, const float *x, ptrdiff_t stride, int length, int count)
{
    rows_to_block(block, input_order, x, stride, length, count);
}

void brume_block_to_rows(float *x, ptrdiff_t stride, const float *block, const int *output_order, int length, int count)
{
    block_to_rows(x, stride, block, output_order, length, count);
}

#include "sim/spectral/lines.h"

#include "core/simd.h"
#include "sim/spectral/block.h"

#include <stdint.h>

static inline ptrdiff_t slot_of(const int *slots, int n) { return brume_point(slots ? slots[n] : n); }

BRUME_KERNEL static void columns_in_full(float *restrict block, const int *slots, const float *restrict x,
                                         ptrdiff_t stride, int length)
{
    for (int n = 0; n < length; n++) {
        const float *from = x + stride * n;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): it may lie beyond the field, where a pointer must not point
        __builtin_prefetch((const void *)((uintptr_t)from + 2 * BRUME_BLOCK * sizeof *x));
        memcpy(block + slot_of(slots, n), from, BRUME_BLOCK * sizeof *x);
    }
}

void brume_columns_in(float *block, const int *slots, const float *x, ptrdiff_t stride, int length, int width)
{
    if (width == BRUME_BLOCK) {
        columns_in_full(block, slots, x, stride, length);
        return;
    }
    for (int n = 0; n < length; n++) {
        float *point = block + slot_of(slots, n);
        memset(point, 0, BRUME_BLOCK * sizeof *point);
        memcpy(point, x + stride * n, (size_t)width * sizeof *point);
    }
}

BRUME_KERNEL static void columns_out_full(float *restrict x, ptrdiff_t stride, const float *restrict block,
                                          const int *slots, int length)
{
    for (int n = 0; n < length; n++) {
        memcpy(x + stride * n, block + slot_of(slots, n), BRUME_BLOCK * sizeof *x);
    }
}

void brume_columns_out(float *x, ptrdiff_t stride, const float *block, const int *slots, int length, int width)
{
    if (width == BRUME_BLOCK) {
        columns_out_full(x, stride, block, slots, length);
        return;
    }
    for (int n = 0; n < length; n++) {
        memcpy(x + stride * n, block + slot_of(slots, n), (size_t)width * sizeof *x);
    }
}

enum { TILE = 8 };

// A tile of 8 x 8 turned over: pairs, then pairs of pairs, then halves.
static inline __attribute__((always_inline)) void turn_tile(BrumeFloat8 r[TILE])
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

BRUME_KERNEL static void rows_in(float *restrict block, const int *slots, const float *restrict x, ptrdiff_t stride,
                                 int length, int count)
{
    int n = 0;
    for (; n + TILE <= length; n += TILE) {
        for (int half = 0; half < BRUME_BLOCK; half += TILE) {
            BrumeFloat8 tile[TILE] = {{0}};
            for (int r = 0; r < TILE && half + r < count; r++) {
                brume_load_8(&tile[r], x + stride * (half + r) + n);
            }
            turn_tile(tile);
            for (int c = 0; c < TILE; c++) {
                brume_store_8(block + slot_of(slots, n + c) + half, &tile[c]);
            }
        }
    }
    for (; n < length; n++) {
        for (int r = 0; r < BRUME_BLOCK; r++) {
            block[slot_of(slots, n) + r] = r < count ? x[stride * r + n] : 0.0f;
        }
    }
}

BRUME_KERNEL static void rows_out(float *restrict x, ptrdiff_t stride, const float *restrict block, const int *slots,
                                  int length, int count)
{
    int n = 0;
    for (; n + TILE <= length; n += TILE) {
        for (int half = 0; half < BRUME_BLOCK; half += TILE) {
            BrumeFloat8 tile[TILE];
            for (int c = 0; c < TILE; c++) {
                brume_load_8(&tile[c], block + slot_of(slots, n + c) + half);
            }
            turn_tile(tile);
            for (int r = 0; r < TILE && half + r < count; r++) {
                brume_store_8(x + stride * (half + r) + n, &tile[r]);
            }
        }
    }
    for (; n < length; n++) {
        for (int r = 0; r < count; r++) {
            x[stride * r + n] = block[slot_of(slots, n) + r];
        }
    }
}

void brume_rows_in(float *block, const int *slots, const float *x, ptrdiff_t stride, int length, int count)
{
    rows_in(block, slots, x, stride, length, count);
}

void brume_rows_out(float *x, ptrdiff_t stride, const float *block, const int *slots, int length, int count)
{
    rows_out(x, stride, block, slots, length, count);
}

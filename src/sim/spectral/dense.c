#include "sim/spectral/dense.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "sim/spectral/block.h"

#include <math.h>

enum { TILE = 4 }; // rows of the matrix whose sums are kept in registers

static size_t padded(int size) { return (size_t)(size + TILE - 1) / TILE * TILE; }

static size_t table_size(int size) { return padded(size) * (size_t)size; }

// y = M x for a square M of `size`, laid out in tiles of TILE rows, column by column
BRUME_KERNEL static void dense_product(float *restrict y, const float *restrict table, const float *restrict x,
                                       int size)
{
    for (int row = 0; row < size; row += TILE) {
        BrumeFloat8 sum[TILE][2] = {{{0}}};
        for (int n = 0; n < size; n++) {
            BrumeFloat8 value[2];
            brume_load_8(&value[0], x + brume_point(n));
            brume_load_8(&value[1], x + brume_point(n) + 8);
            for (int t = 0; t < TILE; t++) {
                sum[t][0] += table[t] * value[0];
                sum[t][1] += table[t] * value[1];
            }
            table += TILE;
        }
        for (int t = 0; t < TILE && row + t < size; t++) {
            brume_store_8(y + brume_point(row + t), &sum[t][0]);
            brume_store_8(y + brume_point(row + t) + 8, &sum[t][1]);
        }
    }
}

// y = the sums of points that mirror each other, the middle one where there is one, then the differences
BRUME_KERNEL static void dense_fold(float *restrict y, const float *restrict x, int length)
{
    const int even = (length + 1) / 2;
    for (int n = 0; n < length / 2; n++) {
        const float *a = x + brume_point(n);
        const float *b = x + brume_point(length - 1 - n);
        for (int lane = 0; lane < BRUME_BLOCK; lane++) {
            y[brume_point(n) + lane] = a[lane] + b[lane];
            y[brume_point(even + n) + lane] = a[lane] - b[lane];
        }
    }
    if (length % 2 == 1) {
        memcpy(y + brume_point(even - 1), x + brume_point(even - 1), BRUME_BLOCK * sizeof *y);
    }
}

BRUME_KERNEL static void dense_unfold(float *restrict y, const float *restrict x, int length)
{
    const int even = (length + 1) / 2;
    for (int n = 0; n < length / 2; n++) {
        const float *a = x + brume_point(n);
        const float *b = x + brume_point(even + n);
        for (int lane = 0; lane < BRUME_BLOCK; lane++) {
            y[brume_point(n) + lane] = a[lane] + b[lane];
            y[brume_point(length - 1 - n) + lane] = a[lane] - b[lane];
        }
    }
    if (length % 2 == 1) {
        memcpy(y + brume_point(even - 1), x + brume_point(even - 1), BRUME_BLOCK * sizeof *y);
    }
}

// Functions first .. first + size - 1 at the first `size` cells: forward with a function a row, backward transposed.
// Of a folded function every cell but the middle one stands for two.
static void fill_tables(float *forward, float *backward, BrumeBasis *basis, int length, int first, int size)
{
    for (int k = 0; k < size; k++) {
        double squares = 0.0;
        for (int n = 0; n < length; n++) {
            const double value = basis(length, first + k, n);
            squares += value * value;
        }
        for (int n = 0; n < size; n++) {
            const float value = (float)(basis(length, first + k, n) / sqrt(squares));
            forward[(k / TILE * size + n) * TILE + k % TILE] = value;
            backward[(n / TILE * size + k) * TILE + n % TILE] = value;
        }
    }
}

BrumeStatus brume_dense_create(BrumeDense *dense, int length, BrumeBasis *basis, bool folded, BrumeError *error)
{
    const int even = folded ? (length + 1) / 2 : length;
    const int odd = length - even;
    const size_t floats = 2 * table_size(even) + 2 * table_size(odd);
    *dense = (BrumeDense){.length = length, .folded = folded, .even = even, .odd = odd, .table_floats = floats};
    dense->tables = brume_alloc(floats, sizeof *dense->tables);
    if (!dense->tables) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    float *odd_tables = dense->tables + 2 * table_size(even);
    fill_tables(dense->tables, dense->tables + table_size(even), basis, length, 0, even);
    fill_tables(odd_tables, odd_tables + table_size(odd), basis, length, even, odd);
    return BRUME_OK;
}

void brume_dense_destroy(BrumeDense *dense)
{
    brume_free(dense->tables);
    *dense = (BrumeDense){0};
}

size_t brume_dense_bytes(const BrumeDense *dense) { return dense->table_floats * sizeof *dense->tables; }

int brume_dense_products(const BrumeDense *dense) { return dense->even; }

float *brume_dense_forward(const BrumeDense *dense, float *x, float *y)
{
    const float *even = dense->tables;
    if (!dense->folded) {
        dense_product(y, even, x, dense->even);
        return y;
    }
    const float *odd = even + 2 * table_size(dense->even);
    const ptrdiff_t half = brume_point(dense->even);
    dense_fold(y, x, dense->length);
    dense_product(x, even, y, dense->even);
    dense_product(x + half, odd, y + half, dense->odd);
    return x;
}

float *brume_dense_backward(const BrumeDense *dense, float *x, float *y)
{
    const float *even = dense->tables + table_size(dense->even);
    if (!dense->folded) {
        dense_product(y, even, x, dense->even);
        return y;
    }
    const float *odd = dense->tables + 2 * table_size(dense->even) + table_size(dense->odd);
    const ptrdiff_t half = brume_point(dense->even);
    dense_product(y, even, x, dense->even);
    dense_product(y + half, odd, x + half, dense->odd);
    dense_unfold(x, y, dense->length);
    return x;
}

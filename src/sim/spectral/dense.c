#include "sim/spectral/dense.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/simd_wide.h"
#include "sim/spectral/lines.h"

#include <math.h>

enum { TILE = 4 }; // rows of the matrix whose sums fit into registers

static size_t round_up_to_tile(int size) { return (size_t)(size + TILE - 1) / TILE * TILE; }

static size_t table_size(int size) { return round_up_to_tile(size) * (size_t)size; }

// y = M x for a square matrix M of `size`, stored in tiles of TILE rows, column by column from the last to the first:
// of coefficients, the large ones of low modes are added last, when fewer rounding errors follow
BRUME_KERNEL static void dense_product(float *restrict y, const float *restrict table, const float *restrict x,
                                       int size)
{
    for (int row = 0; row < size; row += TILE) {
        BrumeFloat8 sum[TILE][2] = {{{0}}};
        for (int n = size - 1; n >= 0; n--) {
            BrumeFloat8 value[2];
            brume_load8(&value[0], x + brume_block_point(n));
            brume_load8(&value[1], x + brume_block_point(n) + 8);
            for (int t = 0; t < TILE; t++) {
                sum[t][0] += table[t] * value[0];
                sum[t][1] += table[t] * value[1];
            }
            table += TILE;
        }
        for (int t = 0; t < TILE && row + t < size; t++) {
            brume_store8(y + brume_block_point(row + t), &sum[t][0]);
            brume_store8(y + brume_block_point(row + t) + 8, &sum[t][1]);
        }
    }
}

// the same with vectors of sixteen lanes; each lane has the same sums
BRUME_WIDE_KERNEL static void dense_product_wide(float *restrict y, const float *restrict table,
                                                 const float *restrict x, int size)
{
    for (int row = 0; row < size; row += TILE) {
        BrumeFloat16 sum[TILE] = {{0}};
        for (int n = size - 1; n >= 0; n--) {
            const BrumeFloat16 value = *(const BrumeUnalignedFloat16 *)(x + brume_block_point(n));
            for (int t = 0; t < TILE; t++) {
                sum[t] += table[t] * value;
            }
            table += TILE;
        }
        for (int t = 0; t < TILE && row + t < size; t++) {
            *(BrumeUnalignedFloat16 *)(y + brume_block_point(row + t)) = sum[t];
        }
    }
}

static void multiply_table(const BrumeDense *dense, float *restrict y, const float *restrict table,
                           const float *restrict x, int size)
{
    if (dense->wide) {
        dense_product_wide(y, table, x, size);
    } else {
        dense_product(y, table, x, size);
    }
}

// y = the sums of pairs of mirrored points, the middle point of an odd length, then the differences of the pairs
BRUME_KERNEL static void dense_fold(float *restrict y, const float *restrict x, int length)
{
    const int even = (length + 1) / 2;
    for (int n = 0; n < length / 2; n++) {
        const float *a = x + brume_block_point(n);
        const float *b = x + brume_block_point(length - 1 - n);
        for (int lane = 0; lane < BRUME_LINE_BLOCK; lane++) {
            y[brume_block_point(n) + lane] = a[lane] + b[lane];
            y[brume_block_point(even + n) + lane] = a[lane] - b[lane];
        }
    }
    if (length % 2 == 1) {
        memcpy(y + brume_block_point(even - 1), x + brume_block_point(even - 1), BRUME_LINE_BLOCK * sizeof *y);
    }
}

BRUME_KERNEL static void dense_unfold(float *restrict y, const float *restrict x, int length)
{
    const int even = (length + 1) / 2;
    for (int n = 0; n < length / 2; n++) {
        const float *a = x + brume_block_point(n);
        const float *b = x + brume_block_point(even + n);
        for (int lane = 0; lane < BRUME_LINE_BLOCK; lane++) {
            y[brume_block_point(n) + lane] = a[lane] + b[lane];
            y[brume_block_point(length - 1 - n) + lane] = a[lane] - b[lane];
        }
    }
    if (length % 2 == 1) {
        memcpy(y + brume_block_point(even - 1), x + brume_block_point(even - 1), BRUME_LINE_BLOCK * sizeof *y);
    }
}

// Tabulates functions first .. first + size - 1 at the first `size` cells: `forward` has one function per row,
// `backward` is its transpose. The norm is that over the whole length.
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
            forward[(k / TILE * size + (size - 1 - n)) * TILE + k % TILE] = value;
            backward[(n / TILE * size + (size - 1 - k)) * TILE + n % TILE] = value;
        }
    }
}

BrumeStatus brume_dense_create(BrumeDense *dense, int length, BrumeBasis *basis, bool folded, BrumeError *error)
{
    const int even = folded ? (length + 1) / 2 : length;
    const int odd = length - even;
    const size_t floats = 2 * table_size(even) + 2 * table_size(odd);
    *dense = (BrumeDense){.length = length,
                          .folded = folded,
                          .even = even,
                          .odd = odd,
                          .wide = brume_has_wide_vectors(),
                          .table_floats = floats};
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

float *brume_dense_forward(const BrumeDense *dense, float *x, float *y)
{
    const float *even = dense->tables;
    if (!dense->folded) {
        multiply_table(dense, y, even, x, dense->even);
        return y;
    }
    const float *odd = even + 2 * table_size(dense->even);
    const ptrdiff_t odd_part = brume_block_point(dense->even);
    dense_fold(y, x, dense->length);
    multiply_table(dense, x, even, y, dense->even);
    multiply_table(dense, x + odd_part, odd, y + odd_part, dense->odd);
    return x;
}

float *brume_dense_backward(const BrumeDense *dense, float *x, float *y)
{
    const float *even = dense->tables + table_size(dense->even);
    if (!dense->folded) {
        multiply_table(dense, y, even, x, dense->even);
        return y;
    }
    const float *odd = dense->tables + 2 * table_size(dense->even) + table_size(dense->odd);
    const ptrdiff_t odd_part = brume_block_point(dense->even);
    multiply_table(dense, y, even, x, dense->even);
    multiply_table(dense, y + odd_part, odd, x + odd_part, dense->odd);
    dense_unfold(x, y, dense->length);
    return x;
}

// The row kernels of a multigrid cycle. They differ from the plain loops of sim/reference/vcycle.c in layout, not in
// arithmetic: rows are in parity order, so that the cells of one color are contiguous; a row whose faces share one
// coefficient reads no face fields; and one call processes several rows, because the indirect call to the version for
// the machine's instruction set costs as much as a short row. Sums have the order of the reference: the neighbors
// along x, y and z pairwise, then the three pairs, so that the bits are the same.
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "sim/grid/parity_rows.h"
#include "sim/grid/seven_point.h"
#include "sim/pressure/multigrid/operator.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

// The cells of one color in row (j, k), and the coefficients of their update.
typedef struct ColorRow {
    BrumeParitySpan span;
    ptrdiff_t start;                      ///< offset of the row's first entry in a field
    float coefficient;                    ///< of all faces; 0 if they differ
    const float *inverse, *diagonal, *l1; ///< of the first cell: 1 / (d + l1), d, l1
    const float *face[3];                 ///< first entry of the row's coefficients; not set if `coefficient` > 0
    ptrdiff_t sy, sz;
} ColorRow;

INLINE ColorRow color_row(const BrumeOperator *op, int color, int j, int k)
{
    const int nx = op->grid.nx;
    ColorRow row = {
        .span = brume_parity_span(nx, brume_parity_of_color(color, j, k)),
        .start = op->sy * j + op->sz * k,
        .coefficient = op->row_coefficient[(ptrdiff_t)(k - 1) * op->grid.ny + (j - 1)],
        .sy = op->sy,
        .sz = op->sz,
    };
    row.inverse = brume_operator_diagonals(op, j, k) + row.span.cells;
    row.diagonal = row.inverse + (nx + 2);
    row.l1 = row.diagonal + (nx + 2);
    if (row.coefficient == 0.0f) {
        for (int axis = 0; axis < 3; axis++) {
            row.face[axis] = op->face[axis].data + row.start;
        }
    }
    return row;
}

// out[n] = b + sum of coefficient x_neighbor for these cells; `x` and `b` are the first entries of their row
INLINE void gather_uniform(float *restrict out, const ColorRow *cells, const float *x, const float *b)
{
    const float *own = x + cells->span.cells;
    const float *west_east = x + cells->span.neighbors;
    const float *south = own - cells->sy;
    const float *north = own + cells->sy;
    const float *below = own - cells->sz;
    const float *above = own + cells->sz;
    const float *own_b = b + cells->span.cells;
    const float c = cells->coefficient;
    for (int n = 0; n < cells->span.count; n++) {
        out[n] = own_b[n] + c * ((west_east[n] + west_east[n + 1]) + (south[n] + north[n]) + (below[n] + above[n]));
    }
}

INLINE void gather_faces(float *restrict out, const ColorRow *cells, const float *x, const float *b)
{
    const float *own = x + cells->span.cells;
    const float *west_east = x + cells->span.neighbors;
    const float *south = own - cells->sy;
    const float *north = own + cells->sy;
    const float *below = own - cells->sz;
    const float *above = own + cells->sz;
    const float *own_b = b + cells->span.cells;
    const float *fw = cells->face[0] + cells->span.cells;
    const float *fe = cells->face[0] + cells->span.neighbors + 1;
    const float *fs = cells->face[1] + cells->span.cells;
    const float *fn = fs + cells->sy;
    const float *fb = cells->face[2] + cells->span.cells;
    const float *fa = fb + cells->sz;
    for (int n = 0; n < cells->span.count; n++) {
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a row without a common coefficient has faces
        const float along_x = fw[n] * west_east[n] + fe[n] * west_east[n + 1];
        const float along_y = fs[n] * south[n] + fn[n] * north[n];
        const float along_z = fb[n] * below[n] + fa[n] * above[n];
        out[n] = own_b[n] + (along_x + along_y + along_z);
    }
}

INLINE void gather_neighbors(float *restrict out, const ColorRow *cells, const float *x, const float *b)
{
    if (cells->coefficient > 0.0f) {
        gather_uniform(out, cells, x, b);
    } else {
        gather_faces(out, cells, x, b);
    }
}

// Writes `own`, cells of one color of x, while it reads their neighbors, cells of the other color.
INLINE void relax_uniform(float *restrict own, const ColorRow *cells, const float *x, const float *b)
{
    const float *west_east = x + cells->span.neighbors;
    const float *south = x + cells->span.cells - cells->sy;
    const float *north = x + cells->span.cells + cells->sy;
    const float *below = x + cells->span.cells - cells->sz;
    const float *above = x + cells->span.cells + cells->sz;
    const float *own_b = b + cells->span.cells;
    const float *inverse = cells->inverse;
    const float c = cells->coefficient;
    for (int n = 0; n < cells->span.count; n++) {
        const float sum = (west_east[n] + west_east[n + 1]) + (south[n] + north[n]) + (below[n] + above[n]);
        own[n] = inverse[n] * (own_b[n] + c * sum);
    }
}

BRUME_KERNEL static void relax_rows(const BrumeOperator *op, float *x, const float *b, int color, int k, int from,
                                    int to)
{
    float sums[BRUME_PRESSURE_MAX_ROW / 2 + 1];
    for (int j = from; j < to; j++) {
        const ColorRow cells = color_row(op, color, j, k);
        float *row_x = x + cells.start;
        float *restrict own = row_x + cells.span.cells;
        if (cells.coefficient > 0.0f && !op->odd_periodic) {
            relax_uniform(own, &cells, row_x, b + cells.start);
            continue;
        }
        gather_neighbors(sums, &cells, row_x, b + cells.start);
        if (op->odd_periodic) {
            for (int n = 0; n < cells.span.count; n++) {
                own[n] = cells.inverse[n] * (sums[n] + cells.l1[n] * own[n]);
            }
        } else {
            for (int n = 0; n < cells.span.count; n++) {
                own[n] = cells.inverse[n] * sums[n];
            }
        }
    }
}

void brume_operator_relax(const BrumeOperator *op, BrumeField *x, const BrumeField *b, int color, int k, int from,
                          int to)
{
    relax_rows(op, x->data, b->data, color, k, from, to);
    brume_parity_fill_ghosts(x, op->periodic, k, from, to);
}

BRUME_KERNEL static void relax_rows_from_zero(const BrumeOperator *op, float *x, const float *b, int color, int k,
                                              int from, int to)
{
    for (int j = from; j < to; j++) {
        const ColorRow cells = color_row(op, color, j, k);
        float *restrict own = x + cells.start + cells.span.cells;
        const float *own_b = b + cells.start + cells.span.cells;
        for (int n = 0; n < cells.span.count; n++) {
            own[n] = cells.inverse[n] * own_b[n];
        }
    }
}

void brume_operator_relax_from_zero(const BrumeOperator *op, BrumeField *x, const BrumeField *b, int color, int k,
                                    int from, int to)
{
    if (op->odd_periodic) {
        float *rows = x->data + x->sz * k + x->sy * from;
        memset(rows, 0, (size_t)(to - from) * (size_t)x->sy * sizeof *rows);
    }
    relax_rows_from_zero(op, x->data, b->data, color, k, from, to);
    brume_parity_fill_ghosts(x, op->periodic, k, from, to);
}

// adds (or copies, with `set`) residual n to coarse cell n + 1, which is of odd i for even n
INLINE void sum_into_coarse(float *restrict coarse, const float *residual, int count, ptrdiff_t coarse_odd, bool set)
{
    float *restrict odd = coarse + coarse_odd;
    float *restrict even = coarse + 1;
    // NOLINTBEGIN(clang-analyzer-core.uninitialized.Assign): all `count` residuals are given
    if (set) {
        for (int m = 0; m < count / 2; m++) {
            odd[m] = residual[2 * m];
            even[m] = residual[2 * m + 1];
        }
        if (count % 2 != 0) {
            odd[count / 2] = residual[count - 1];
        }
    } else {
        for (int m = 0; m < count / 2; m++) {
            odd[m] += residual[2 * m];
            even[m] += residual[2 * m + 1];
        }
        if (count % 2 != 0) {
            odd[count / 2] += residual[count - 1];
        }
    }
    // NOLINTEND(clang-analyzer-core.uninitialized.Assign)
}

BRUME_KERNEL static void restrict_rows(const BrumeOperator *op, BrumeField *coarse_b, const float *x, const float *b,
                                       int color, bool add, int k, int from, int to)
{
    const int coarse_nx = coarse_b->grid.nx;
    float residual[BRUME_PRESSURE_MAX_ROW / 2 + 2];
    for (int j = from; j < to; j++) {
        const ColorRow cells = color_row(op, color, j, k);
        const float *own = x + cells.start + cells.span.cells;
        gather_neighbors(residual, &cells, x + cells.start, b + cells.start);
        for (int n = 0; n < cells.span.count; n++) {
            residual[n] = cells.inverse[n] > 0.0f ? residual[n] - cells.diagonal[n] * own[n] : 0.0f;
        }
        // the last coarse cell of a row of odd nx contains no cell of even i
        for (int n = cells.span.count; n < coarse_nx; n++) {
            residual[n] = 0.0f;
        }
        float *coarse = coarse_b->data + brume_field_index(coarse_b, 0, (j + 1) / 2, (k + 1) / 2);
        sum_into_coarse(coarse, residual, coarse_nx, brume_parity_odd_start(coarse_nx),
                        !add && j % 2 != 0 && k % 2 != 0);
    }
}

void brume_operator_restrict(const BrumeOperator *op, BrumeField *coarse_b, const BrumeField *x, const BrumeField *b,
                             int color, bool add, int k, int from, int to)
{
    restrict_rows(op, coarse_b, x->data, b->data, color, add, k, from, to);
}

BRUME_KERNEL static void prolong_rows(const BrumeOperator *op, float *x, const BrumeField *coarse_x, int color, int k,
                                      int from, int to)
{
    const ptrdiff_t coarse_odd = brume_parity_odd_start(coarse_x->grid.nx);
    for (int j = from; j < to; j++) {
        const ColorRow cells = color_row(op, color, j, k);
        const float *coarse = coarse_x->data + brume_field_index(coarse_x, 0, (j + 1) / 2, (k + 1) / 2);
        const float *odd = coarse + coarse_odd;
        const float *even = coarse + 1;
        float *restrict own = x + cells.start + cells.span.cells;
        for (int m = 0; m < cells.span.count / 2; m++) {
            own[2 * m] += cells.inverse[2 * m] > 0.0f ? odd[m] : 0.0f;
            own[2 * m + 1] += cells.inverse[2 * m + 1] > 0.0f ? even[m] : 0.0f;
        }
        if (cells.span.count % 2 != 0) {
            const int last = cells.span.count - 1;
            own[last] += cells.inverse[last] > 0.0f ? odd[last / 2] : 0.0f;
        }
    }
}

void brume_operator_prolong(const BrumeOperator *op, BrumeField *x, const BrumeField *coarse_x, int color, int k,
                            int from, int to)
{
    prolong_rows(op, x->data, coarse_x, color, k, from, to);
    brume_parity_fill_ghosts(x, op->periodic, k, from, to);
}

// the cells of one color of A x with the coefficients of their faces
INLINE void apply_faces(float *restrict out, const ColorRow *cells, const float *x)
{
    const float *own = x + cells->span.cells;
    const float *west_east = x + cells->span.neighbors;
    const float *fw = cells->face[0] + cells->span.cells;
    const float *fe = cells->face[0] + cells->span.neighbors + 1;
    const float *fs = cells->face[1] + cells->span.cells;
    const float *fb = cells->face[2] + cells->span.cells;
    for (int n = 0; n < cells->span.count; n++) {
        const float c = own[n];
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a row without a common coefficient has faces
        const float along_x = fw[n] * (c - west_east[n]) + fe[n] * (c - west_east[n + 1]);
        const float along_y = fs[n] * (c - own[n - cells->sy]) + fs[n + cells->sy] * (c - own[n + cells->sy]);
        const float along_z = fb[n] * (c - own[n - cells->sz]) + fb[n + cells->sz] * (c - own[n + cells->sz]);
        out[n] = along_x + along_y + along_z;
    }
}

// a row of A x on the finest level; ghosts along x become 0
INLINE void apply_row(const BrumeOperator *op, float *restrict out, const float *x, int j, int k)
{
    for (int color = 0; color < 2; color++) {
        const ColorRow cells = color_row(op, color, j, k);
        float *restrict result = out + cells.span.cells;
        if (cells.coefficient == 0.0f) {
            apply_faces(result, &cells, x + cells.start);
            continue;
        }
        const float *own = x + cells.start + cells.span.cells;
        const float *west_east = x + cells.start + cells.span.neighbors;
        const float *south = own - cells.sy;
        const float *north = own + cells.sy;
        const float *below = own - cells.sz;
        const float *above = own + cells.sz;
        const float *diagonal = cells.diagonal;
        for (int n = 0; n < cells.span.count; n++) {
            const float c = own[n];
            const float sum =
                brume_seven_point(c, west_east[n], west_east[n + 1], south[n], north[n], below[n], above[n]);
            // x is 0 behind the 6 - d closed faces, each of which has added c
            result[n] = diagonal[n] > 0.0f ? sum - (6.0f - diagonal[n]) * c : 0.0f;
        }
    }
    out[0] = 0.0f;
    out[brume_parity_entry(op->grid.nx, op->grid.nx + 1)] = 0.0f;
}

BRUME_KERNEL static BrumePlaneSum energy_rows(const BrumeOperator *op, const float *x, int k, int from, int to,
                                              BrumePlaneSum sum)
{
    const int entries = op->grid.nx + 2;
    float ax[BRUME_PRESSURE_MAX_ROW + 2];
    for (int j = from; j < to; j++) {
        apply_row(op, ax, x, j, k);
        *brume_sum_of_block(&sum, j) += brume_dot_row(ax, x + op->sy * j + op->sz * k, entries);
    }
    return sum;
}

void brume_operator_energy(const BrumeOperator *op, const BrumeField *x, int k, int from, int to, BrumePlaneSum *sum)
{
    *sum = energy_rows(op, x->data, k, from, to, *sum);
}

BRUME_KERNEL static BrumePlaneSum update_residual_rows(const BrumeOperator *op, float *r, const float *x, float alpha,
                                                       int k, int from, int to, BrumePlaneSum sum)
{
    const int entries = op->grid.nx + 2;
    float ax[BRUME_PRESSURE_MAX_ROW + 2];
    for (int j = from; j < to; j++) {
        float *restrict row = r + op->sy * j + op->sz * k;
        apply_row(op, ax, x, j, k);
        for (int n = 0; n < entries; n++) {
            row[n] -= alpha * ax[n];
        }
        *brume_sum_of_block(&sum, j) += brume_dot_row(row, row, entries);
    }
    return sum;
}

void brume_operator_update_residual(const BrumeOperator *op, BrumeField *r, const BrumeField *x, float alpha, int k,
                                    int from, int to, BrumePlaneSum *sum)
{
    *sum = update_residual_rows(op, r->data, x->data, alpha, k, from, to, *sum);
}

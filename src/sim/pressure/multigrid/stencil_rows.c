// The loops over rows that a multigrid cycle consists of. One call takes several rows: the call through the loader's
// table costs as much as a short row. Sums are formed in one order: the neighbors along x, y and z pairwise.
#include "core/reductions.h"
#include "core/simd.h"
#include "sim/pressure/multigrid/split.h"
#include "sim/pressure/multigrid/stencil.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

// The cells of one color in a row; entries are those of brume_split_half.
typedef struct Line {
    BrumeHalf half;
    ptrdiff_t row; ///< of the row's entry 0 in fields
    float uniform;
    const float *inverse, *diagonal, *held; ///< of the line's first cell
    const float *face[3];                   ///< of the row's entry 0; not set where the row is uniform
    ptrdiff_t sy, sz;
} Line;

INLINE Line line_of(const BrumeStencil *stencil, int color, int j, int k)
{
    const int nx = stencil->grid.nx;
    const ptrdiff_t index = (ptrdiff_t)(k - 1) * stencil->grid.ny + (j - 1);
    const float *kind = stencil->kinds + (ptrdiff_t)stencil->kind[index] * 3 * (nx + 2);
    Line line = {
        .half = brume_split_half(nx, brume_split_parity(color, j, k)),
        .row = stencil->sy * j + stencil->sz * k,
        .uniform = stencil->uniform[index],
        .sy = stencil->sy,
        .sz = stencil->sz,
    };
    line.inverse = kind + line.half.own;
    line.diagonal = line.inverse + (nx + 2);
    line.held = line.diagonal + (nx + 2);
    if (line.uniform == 0.0f) {
        for (int axis = 0; axis < 3; axis++) {
            line.face[axis] = stencil->face[axis].data + line.row;
        }
    }
    return line;
}

// out[n] = b + sum of coefficient x_neighbor, for a line whose row of x and of b begin at `x` and `b`
INLINE void gather_uniform(float *restrict out, const Line *line, const float *x, const float *b)
{
    const float *own = x + line->half.own;
    const float *beside = x + line->half.other;
    const float *south = own - line->sy;
    const float *north = own + line->sy;
    const float *below = own - line->sz;
    const float *above = own + line->sz;
    const float *own_b = b + line->half.own;
    const float c = line->uniform;
    for (int n = 0; n < line->half.count; n++) {
        out[n] = own_b[n] + c * ((beside[n] + beside[n + 1]) + (south[n] + north[n]) + (below[n] + above[n]));
    }
}

INLINE void gather_faces(float *restrict out, const Line *line, const float *x, const float *b)
{
    const float *own = x + line->half.own;
    const float *beside = x + line->half.other;
    const float *south = own - line->sy;
    const float *north = own + line->sy;
    const float *below = own - line->sz;
    const float *above = own + line->sz;
    const float *own_b = b + line->half.own;
    const float *fw = line->face[0] + line->half.own;
    const float *fe = line->face[0] + line->half.other + 1;
    const float *fs = line->face[1] + line->half.own;
    const float *fn = fs + line->sy;
    const float *fb = line->face[2] + line->half.own;
    const float *fa = fb + line->sz;
    for (int n = 0; n < line->half.count; n++) {
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a line that is not uniform has faces
        const float along_x = fw[n] * beside[n] + fe[n] * beside[n + 1];
        const float along_y = fs[n] * south[n] + fn[n] * north[n];
        const float along_z = fb[n] * below[n] + fa[n] * above[n];
        out[n] = own_b[n] + (along_x + along_y + along_z);
    }
}

INLINE void gather(float *restrict out, const Line *line, const float *x, const float *b)
{
    if (line->uniform > 0.0f) {
        gather_uniform(out, line, x, b);
    } else {
        gather_faces(out, line, x, b);
    }
}

// x may be written while its neighbors are read: they are of the other color
INLINE void relax_uniform(float *restrict own, const Line *line, const float *x, const float *b)
{
    const float *beside = x + line->half.other;
    const float *south = x + line->half.own - line->sy;
    const float *north = x + line->half.own + line->sy;
    const float *below = x + line->half.own - line->sz;
    const float *above = x + line->half.own + line->sz;
    const float *own_b = b + line->half.own;
    const float *inverse = line->inverse;
    const float c = line->uniform;
    for (int n = 0; n < line->half.count; n++) {
        const float sum = (beside[n] + beside[n + 1]) + (south[n] + north[n]) + (below[n] + above[n]);
        own[n] = inverse[n] * (own_b[n] + c * sum);
    }
}

BRUME_KERNEL static void relax_rows(const BrumeStencil *stencil, float *x, const float *b, int color, int k, int from,
                                    int to)
{
    float sums[BRUME_PRESSURE_MAX_ROW / 2 + 1];
    for (int j = from; j < to; j++) {
        const Line line = line_of(stencil, color, j, k);
        float *row = x + line.row;
        float *restrict own = row + line.half.own;
        if (line.uniform > 0.0f && !stencil->seams) {
            relax_uniform(own, &line, row, b + line.row);
            continue;
        }
        gather(sums, &line, row, b + line.row);
        if (stencil->seams) {
            for (int n = 0; n < line.half.count; n++) {
                own[n] = line.inverse[n] * (sums[n] + line.held[n] * own[n]);
            }
        } else {
            for (int n = 0; n < line.half.count; n++) {
                own[n] = line.inverse[n] * sums[n];
            }
        }
    }
}

void brume_stencil_relax(const BrumeStencil *stencil, BrumeField *x, const BrumeField *b, int color, int k, int from,
                         int to)
{
    relax_rows(stencil, x->data, b->data, color, k, from, to);
    brume_split_exchange_rows(x, stencil->periodic, k, from, to);
}

BRUME_KERNEL static void start_rows(const BrumeStencil *stencil, float *x, const float *b, int color, int k, int from,
                                    int to)
{
    for (int j = from; j < to; j++) {
        const Line line = line_of(stencil, color, j, k);
        float *restrict own = x + line.row + line.half.own;
        const float *own_b = b + line.row + line.half.own;
        for (int n = 0; n < line.half.count; n++) {
            own[n] = line.inverse[n] * own_b[n];
        }
    }
}

void brume_stencil_relax_from_zero(const BrumeStencil *stencil, BrumeField *x, const BrumeField *b, int color, int k,
                                   int from, int to)
{
    if (stencil->seams) {
        float *rows = x->data + x->sz * k + x->sy * from;
        memset(rows, 0, (size_t)(to - from) * (size_t)x->sy * sizeof *rows);
    }
    start_rows(stencil, x->data, b->data, color, k, from, to);
    brume_split_exchange_rows(x, stencil->periodic, k, from, to);
}

// the n-th cell of a line lies in coarse cell n + 1: odd ones for even n
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

BRUME_KERNEL static void restrict_rows(const BrumeStencil *stencil, BrumeField *coarse_b, const float *x,
                                       const float *b, int color, bool add, int k, int from, int to)
{
    const int coarse_nx = coarse_b->grid.nx;
    float residual[BRUME_PRESSURE_MAX_ROW / 2 + 2];
    for (int j = from; j < to; j++) {
        const Line line = line_of(stencil, color, j, k);
        const float *own = x + line.row + line.half.own;
        gather(residual, &line, x + line.row, b + line.row);
        for (int n = 0; n < line.half.count; n++) {
            residual[n] = line.inverse[n] > 0.0f ? residual[n] - line.diagonal[n] * own[n] : 0.0f;
        }
        // an odd row's last coarse cell has no cell of even i
        for (int n = line.half.count; n < coarse_nx; n++) {
            residual[n] = 0.0f;
        }
        float *coarse = coarse_b->data + brume_field_index(coarse_b, 0, (j + 1) / 2, (k + 1) / 2);
        sum_into_coarse(coarse, residual, coarse_nx, brume_split_odd(coarse_nx), !add && j % 2 != 0 && k % 2 != 0);
    }
}

void brume_stencil_restrict(const BrumeStencil *stencil, BrumeField *coarse_b, const BrumeField *x, const BrumeField *b,
                            int color, bool add, int k, int from, int to)
{
    restrict_rows(stencil, coarse_b, x->data, b->data, color, add, k, from, to);
}

BRUME_KERNEL static void prolong_rows(const BrumeStencil *stencil, float *x, const BrumeField *coarse_x, int color,
                                      int k, int from, int to)
{
    const ptrdiff_t coarse_odd = brume_split_odd(coarse_x->grid.nx);
    for (int j = from; j < to; j++) {
        const Line line = line_of(stencil, color, j, k);
        const float *coarse = coarse_x->data + brume_field_index(coarse_x, 0, (j + 1) / 2, (k + 1) / 2);
        const float *odd = coarse + coarse_odd;
        const float *even = coarse + 1;
        float *restrict own = x + line.row + line.half.own;
        for (int m = 0; m < line.half.count / 2; m++) {
            own[2 * m] += line.inverse[2 * m] > 0.0f ? odd[m] : 0.0f;
            own[2 * m + 1] += line.inverse[2 * m + 1] > 0.0f ? even[m] : 0.0f;
        }
        if (line.half.count % 2 != 0) {
            const int last = line.half.count - 1;
            own[last] += line.inverse[last] > 0.0f ? odd[last / 2] : 0.0f;
        }
    }
}

void brume_stencil_prolong(const BrumeStencil *stencil, BrumeField *x, const BrumeField *coarse_x, int color, int k,
                           int from, int to)
{
    prolong_rows(stencil, x->data, coarse_x, color, k, from, to);
    brume_split_exchange_rows(x, stencil->periodic, k, from, to);
}

// a split row of A x, ghosts 0
INLINE void apply_row(const BrumeStencil *stencil, float *restrict out, const float *x, int j, int k)
{
    for (int color = 0; color < 2; color++) {
        const Line line = line_of(stencil, color, j, k);
        const float *row = x + line.row;
        const float *own = row + line.half.own;
        const float *beside = row + line.half.other;
        const float *south = own - line.sy;
        const float *north = own + line.sy;
        const float *below = own - line.sz;
        const float *above = own + line.sz;
        const float *diagonal = line.diagonal;
        float *restrict result = out + line.half.own;
        for (int n = 0; n < line.half.count; n++) {
            const float c = own[n];
            const float along_x = (c - beside[n]) + (c - beside[n + 1]);
            const float along_y = (c - south[n]) + (c - north[n]);
            const float along_z = (c - below[n]) + (c - above[n]);
            // behind a closed face lies a 0
            const float sum = (along_x + along_y + along_z) - (6.0f - diagonal[n]) * c;
            result[n] = diagonal[n] > 0.0f ? sum : 0.0f;
        }
    }
    out[0] = 0.0f;
    out[brume_split_at(stencil->grid.nx, stencil->grid.nx + 1)] = 0.0f;
}

BRUME_KERNEL static double product_rows(const BrumeStencil *stencil, const float *x, int k, int from, int to,
                                        double sum)
{
    const int entries = stencil->grid.nx + 2;
    float ax[BRUME_PRESSURE_MAX_ROW + 2];
    for (int j = from; j < to; j++) {
        apply_row(stencil, ax, x, j, k);
        sum += brume_dot_row(ax, x + stencil->sy * j + stencil->sz * k, entries);
    }
    return sum;
}

void brume_stencil_product(const BrumeStencil *stencil, const BrumeField *x, int k, int from, int to, double *sum)
{
    *sum = product_rows(stencil, x->data, k, from, to, *sum);
}

BRUME_KERNEL static double step_rows(const BrumeStencil *stencil, float *r, const float *x, float alpha, int k,
                                     int from, int to, double sum)
{
    const int entries = stencil->grid.nx + 2;
    float ax[BRUME_PRESSURE_MAX_ROW + 2];
    for (int j = from; j < to; j++) {
        float *restrict row = r + stencil->sy * j + stencil->sz * k;
        apply_row(stencil, ax, x, j, k);
        for (int n = 0; n < entries; n++) {
            row[n] -= alpha * ax[n];
        }
        sum += brume_dot_row(row, row, entries);
    }
    return sum;
}

void brume_stencil_step(const BrumeStencil *stencil, BrumeField *r, const BrumeField *x, float alpha, int k, int from,
                        int to, double *sum)
{
    *sum = step_rows(stencil, r->data, x->data, alpha, k, from, to, *sum);
}

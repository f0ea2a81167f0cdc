/*
 * One cycle of geometric multigrid for A x = b (Briggs, Henson, McCormick 2000, "A Multigrid Tutorial"; for smoke:
 * McAdams, Sifakis, Teran 2010, "A parallel multigrid Poisson solver for fluids simulation on large grids"), and the
 * vector operations of the conjugate gradient method that it preconditions. A cycle on a level is
 *
 *     smooth      two red-black Gauss-Seidel sweeps of A x = b, from x = 0
 *     restrict    the residual b - A x, summed over blocks of 2 x 2 x 2 cells, is the coarse right-hand side
 *     recurse     solve the coarse equation by a cycle, on the coarsest level by its inverse
 *     prolong     add each coarse value to the cells of its block
 *     smooth      two sweeps in the reverse order of colors, so that the whole cycle is a symmetric operator
 *
 * The coefficients of the coarse levels are those of sim/pressure/multigrid/coarsen.c. Three things are not in the
 * tutorial. A cycle visits the coarser levels twice (a W-cycle). A cell beside a thin plate may belong to another
 * coarse cell than that of its block (sim/pressure/multigrid/aggregation.h). And an odd number of cells along a
 * periodic axis makes cells of one color neighbours: a half-sweep then reads their old values from the ghosts, and adds
 * the coupling to the diagonal on both sides of the equation (operator.h).
 *
 * The fused passes in sim/pressure/multigrid give the same bits, so the order of every sum below matters: neighbours
 * are summed in pairs along x, y, z, and a coefficient that all faces of a row share is factored out.
 */
#include "sim/reference/vcycle.h"

#include "sim/grid/parity_rows.h"
#include "sim/grid/seven_point.h"
#include "sim/pressure/poisson/components.h"

#include <stdbool.h>
#include <string.h>

enum { RED = 0, BLACK = 1 }; // (i + j + k) % 2

// entry (i, j, k) of a field in parity order
static float *at(const BrumeField *x, int i, int j, int k)
{
    return &x->data[brume_parity_entry(x->grid.nx, i) + x->sy * j + x->sz * k];
}

// The diagonal entries of a cell's equation.
typedef struct CellDiagonal {
    float inverse; ///< 1 / (d + l1), 0 in inactive cells
    float d;       ///< sum of the coefficients of its faces
    float l1;      ///< sum of the coefficients to neighbours of the same color
} CellDiagonal;

static CellDiagonal diagonal(const BrumeOperator *op, int i, int j, int k)
{
    const int entries = op->grid.nx + 2;
    const float *rows = brume_operator_diagonals(op, j, k) + brume_parity_entry(op->grid.nx, i);
    return (CellDiagonal){rows[0], rows[entries], rows[2 * entries]};
}

// b + sum over the faces of coefficient x_neighbour: the equation of a cell without its diagonal term
static float gather(const BrumeOperator *op, const BrumeField *x, const BrumeField *b, int i, int j, int k)
{
    const float c = op->row_coefficient[(ptrdiff_t)(k - 1) * op->grid.ny + (j - 1)];
    if (c > 0.0f) { // all faces have this coefficient, or x = 0 behind them
        const float along_x = *at(x, i - 1, j, k) + *at(x, i + 1, j, k);
        const float along_y = *at(x, i, j - 1, k) + *at(x, i, j + 1, k);
        const float along_z = *at(x, i, j, k - 1) + *at(x, i, j, k + 1);
        return *at(b, i, j, k) + c * (along_x + along_y + along_z);
    }
    const BrumeField *face = op->face; // of the lower faces of each cell
    const float along_x =
        *at(&face[0], i, j, k) * *at(x, i - 1, j, k) + *at(&face[0], i + 1, j, k) * *at(x, i + 1, j, k);
    const float along_y =
        *at(&face[1], i, j, k) * *at(x, i, j - 1, k) + *at(&face[1], i, j + 1, k) * *at(x, i, j + 1, k);
    const float along_z =
        *at(&face[2], i, j, k) * *at(x, i, j, k - 1) + *at(&face[2], i, j, k + 1) * *at(x, i, j, k + 1);
    return *at(b, i, j, k) + (along_x + along_y + along_z);
}

// copies opposite cells to the ghosts along periodic axes; other ghosts are 0 throughout
static void fill_ghosts(const BrumeOperator *op, BrumeField *x)
{
    const BrumeGrid grid = op->grid;
    for (int k = 1; op->periodic[0] && k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            *at(x, 0, j, k) = *at(x, grid.nx, j, k);
            *at(x, grid.nx + 1, j, k) = *at(x, 1, j, k);
        }
    }
    for (int k = 1; op->periodic[1] && k <= grid.nz; k++) {
        for (int i = 0; i <= grid.nx + 1; i++) {
            *at(x, i, 0, k) = *at(x, i, grid.ny, k);
            *at(x, i, grid.ny + 1, k) = *at(x, i, 1, k);
        }
    }
    for (int j = 0; op->periodic[2] && j <= grid.ny + 1; j++) {
        for (int i = 0; i <= grid.nx + 1; i++) {
            *at(x, i, j, 0) = *at(x, i, j, grid.nz);
            *at(x, i, j, grid.nz + 1) = *at(x, i, j, 1);
        }
    }
}

// a half-sweep: each cell of one color solves its own equation
static void relax(const BrumeOperator *op, BrumeField *x, const BrumeField *b, int color)
{
    const BrumeGrid grid = op->grid;
#pragma omp parallel for schedule(static) if (op->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                if ((i + j + k) % 2 != color) {
                    continue;
                }
                const CellDiagonal cell = diagonal(op, i, j, k);
                const float sum = gather(op, x, b, i, j, k);
                const float l1_sum = op->odd_periodic ? sum + cell.l1 * *at(x, i, j, k) : sum;
                *at(x, i, j, k) = cell.inverse * l1_sum;
            }
        }
    }
    fill_ghosts(op, x);
}

// the first half-sweep from x = 0, where neighbours contribute nothing; x is not read
static void relax_from_zero(const BrumeOperator *op, BrumeField *x, const BrumeField *b, int color)
{
    const BrumeGrid grid = op->grid;
#pragma omp parallel for schedule(static) if (op->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const bool updated = (i + j + k) % 2 == color;
                *at(x, i, j, k) = updated ? diagonal(op, i, j, k).inverse * *at(b, i, j, k) : 0.0f;
            }
        }
    }
    fill_ghosts(op, x);
}

static float residual(const BrumeOperator *op, const BrumeField *x, const BrumeField *b, int i, int j, int k)
{
    const CellDiagonal cell = diagonal(op, i, j, k);
    return cell.inverse > 0.0f ? gather(op, x, b, i, j, k) - cell.d * *at(x, i, j, k) : 0.0f;
}

// Coarse b = residuals summed over blocks. The last half-sweep has solved the equations of the black cells: without
// neighbours of one color their residual is 0, and only those of red cells are summed.
static void restrict_residual(const BrumeOperator *op, BrumeField *coarse_b, const BrumeField *x, const BrumeField *b)
{
    const BrumeGrid grid = op->grid;
    const BrumeGrid coarse = coarse_b->grid;
    const int last_color = op->odd_periodic ? BLACK : RED;
#pragma omp parallel for schedule(static) if (op->parallel)
    for (int coarse_k = 1; coarse_k <= coarse.nz; coarse_k++) {
        for (int j = 1; j <= coarse.ny; j++) {
            for (int i = 1; i <= coarse.nx; i++) {
                *at(coarse_b, i, j, coarse_k) = 0.0f;
            }
        }
        for (int k = 2 * coarse_k - 1; k <= 2 * coarse_k && k <= grid.nz; k++) {
            for (int color = RED; color <= last_color; color++) {
                for (int j = 1; j <= grid.ny; j++) {
                    for (int i = 1; i <= grid.nx; i++) {
                        if ((i + j + k) % 2 == color) {
                            *at(coarse_b, (i + 1) / 2, (j + 1) / 2, coarse_k) += residual(op, x, b, i, j, k);
                        }
                    }
                }
            }
        }
    }
}

// x += the coarse correction of each cell's block
static void prolong(const BrumeOperator *op, BrumeField *x, const BrumeField *coarse_x)
{
    const BrumeGrid grid = op->grid;
#pragma omp parallel for schedule(static) if (op->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const bool active = diagonal(op, i, j, k).inverse > 0.0f;
                *at(x, i, j, k) += active ? *at(coarse_x, (i + 1) / 2, (j + 1) / 2, (k + 1) / 2) : 0.0f;
            }
        }
    }
    fill_ghosts(op, x);
}

// x = A^-1 b on the coarsest level
static void solve_coarsest(const BrumeCoarsest *coarsest, BrumeField *x, const BrumeField *b)
{
    const BrumeGrid grid = coarsest->grid;
    float right[BRUME_COARSEST_CELLS] = {0.0f}; // b by number of unknown
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                right[brume_coarsest_unknown(grid, i, j, k)] = *at(b, i, j, k);
            }
        }
    }
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const int row = brume_coarsest_unknown(grid, i, j, k);
                float sum = 0.0f;
                for (int column = 0; column < coarsest->count; column++) {
                    sum += coarsest->inverse[row * coarsest->count + column] * right[column];
                }
                *at(x, i, j, k) = sum;
            }
        }
    }
}

static void cycle_coarse(BrumeMultigrid *multigrid, int index);

// One cycle of a level; `next` is the index of the next coarser level. With `from_zero`, x is 0 and not read at first.
static void cycle_level(BrumeMultigrid *multigrid, const BrumeOperator *op, BrumeField *x, const BrumeField *b,
                        int next, bool from_zero)
{
    BrumeMultigridLevel *coarse = &multigrid->levels[next];
    if (from_zero) {
        relax_from_zero(op, x, b, RED);
    } else {
        relax(op, x, b, RED);
    }
    relax(op, x, b, BLACK);
    relax(op, x, b, RED);
    relax(op, x, b, BLACK);

    restrict_residual(op, &coarse->b, x, b);
    brume_aggregation_restrict(&coarse->aggregation, op, &coarse->b, x, b);
    cycle_coarse(multigrid, next);
    brume_aggregation_prolong(&coarse->aggregation, x, &coarse->x);
    prolong(op, x, &coarse->x);

    relax(op, x, b, BLACK);
    relax(op, x, b, RED);
    relax(op, x, b, BLACK);
    relax(op, x, b, RED);
}

// x = M b on a coarse level
static void cycle_coarse(BrumeMultigrid *multigrid, int index)
{
    BrumeMultigridLevel *level = &multigrid->levels[index];
    if (index + 1 == multigrid->count) {
        solve_coarsest(&multigrid->coarsest, &level->x, &level->b);
        return;
    }
    brume_components_remove_mean_parity(&level->components, level->b.data, level->grid.nx, level->b.sy, level->b.sz,
                                        level->parallel);
    for (int visit = 0; visit < brume_multigrid_visits(multigrid, index); visit++) {
        cycle_level(multigrid, &level->op, &level->x, &level->b, index + 1, visit == 0);
    }
}

// z = M r
static void cycle(BrumeMultigrid *multigrid, BrumeField *z, const BrumeField *r)
{
    cycle_level(multigrid, &multigrid->finest, z, r, 0, true);
}

// q = A x on the finest level
static void apply(const BrumeOperator *op, BrumeField *q, const BrumeField *x)
{
    const BrumeGrid grid = op->grid;
#pragma omp parallel for schedule(static) if (op->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            *at(q, 0, j, k) = 0.0f;
            *at(q, grid.nx + 1, j, k) = 0.0f;
            for (int i = 1; i <= grid.nx; i++) {
                const float d = diagonal(op, i, j, k).d;
                const float c = *at(x, i, j, k);
                const float sum = brume_seven_point(c, *at(x, i - 1, j, k), *at(x, i + 1, j, k), *at(x, i, j - 1, k),
                                                    *at(x, i, j + 1, k), *at(x, i, j, k - 1), *at(x, i, j, k + 1));
                // x is 0 behind the 6 - d closed faces, each of which has added c
                *at(q, i, j, k) = d > 0.0f ? sum - (6.0f - d) * c : 0.0f;
            }
        }
    }
}

// y += alpha x
static void add(BrumeField *y, float alpha, const BrumeField *x)
{
    const BrumeGrid grid = y->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                *at(y, i, j, k) += alpha * *at(x, i, j, k);
            }
        }
    }
}

// s = z - mean + beta s
static void update_direction(const BrumeOperator *op, BrumeField *s, const BrumeField *z, float mean, float beta)
{
    const BrumeGrid grid = op->grid;
#pragma omp parallel for schedule(static) if (op->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const float steepest = *at(z, i, j, k) - mean;
                *at(s, i, j, k) = beta == 0.0f ? steepest : steepest + beta * *at(s, i, j, k);
            }
        }
    }
    fill_ghosts(op, s);
}

// p += alpha s, p with rows in plain order
static void update_solution(BrumeField *p, const BrumeField *s, float alpha)
{
    const BrumeGrid grid = p->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                p->data[brume_field_index(p, i, j, k)] += alpha * *at(s, i, j, k);
            }
        }
    }
}

const BrumeCycleKernels brume_reference_cycle_kernels = {
    .cycle = cycle,
    .apply = apply,
    .add = add,
    .update_direction = update_direction,
    .update_solution = update_solution,
};

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
 * with (A x)_c = sum over the faces f of cell c of a_f (x_c - x_neighbor). The coefficients a_f of the coarse levels
 * come from sim/pressure/multigrid/coarsen.c. Three things are not in the tutorial. A cycle visits the coarser levels
 * twice (a W-cycle). A cell next to a thin plate may belong to another coarse cell than its block
 * (sim/pressure/multigrid/aggregation.h). And an odd number of cells along a periodic axis makes cells of one color
 * neighbors: a half-sweep then reads their old values from the ghosts, and adds the coupling to the diagonal on both
 * sides of the equation (l1 Gauss-Seidel: Baker, Falgout, Kolev, Yang 2011).
 *
 * Fields and coefficients are in natural order here, and nothing is stored that follows from the coefficients. The
 * fused passes in sim/pressure/multigrid give the same bits, so the order of every sum below matters: neighbors are
 * summed in pairs along x, y, z, and a coefficient that all faces of a row share is factored out.
 */
#include "sim/reference/kernels.h"

#include "core/domain.h"
#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/parallel/reductions.h"
#include "sim/grid/parity_rows.h"
#include "sim/grid/seven_point.h"
#include "sim/pressure/poisson/components.h"

#include <stdbool.h>
#include <string.h>

enum { RED = 0, BLACK = 1 }; // (i + j + k) % 2

typedef struct Level {
    const BrumePoisson *poisson; ///< of the finest level: the operator on the cells of the box; NULL for a coarse one
    BrumeMultigridLevel storage; ///< not finalized. Of the finest level, grid, periodic and parallel alone are set
    bool odd_periodic;           ///< whether a periodic axis has an odd number of cells
    uint8_t *map; ///< which coarse cell each cell belongs to (aggregation.h); NULL on the finest level: its block's
} Level;

typedef struct Cycle {
    bool bodies;
    int count; ///< levels
    Level levels[1 + BRUME_MULTIGRID_LEVELS];
    BrumeCoarsest coarsest; ///< of the last level
} Cycle;

static float *entry(const BrumeField *x, int i, int j, int k) { return &x->data[brume_field_index(x, i, j, k)]; }

enum { SIDES = 6 }; // of a cell: the lower and the upper one along x, y, z

// the coefficients of a cell's faces
static void faces_of(const Level *level, int i, int j, int k, float faces[SIDES])
{
    for (int side = 0; side < SIDES; side++) {
        if (level->poisson) {
            faces[side] = brume_poisson_coefficient(level->poisson, side, i, j, k);
        } else {
            const BrumeField *face = &level->storage.face[side / 2]; // of the lower faces of each cell
            faces[side] = face->data[brume_field_index(face, i, j, k) + side % 2 * brume_stride(face, side / 2)];
        }
    }
}

// the neighbors of a cell, in the order of its faces
static void neighbors_of(const BrumeField *x, int i, int j, int k, float neighbors[SIDES])
{
    const ptrdiff_t c = brume_field_index(x, i, j, k);
    for (int side = 0; side < SIDES; side++) {
        neighbors[side] = x->data[c + (side % 2 == 0 ? -1 : 1) * brume_stride(x, side / 2)];
    }
}

// The diagonal entries of a cell's equation.
typedef struct CellDiagonal {
    float inverse; ///< 1 / (d + l1), 0 in inactive cells, which have no coefficient
    float d;       ///< sum of the coefficients of its faces
    float l1;      ///< sum of the coefficients to neighbors of the same color
} CellDiagonal;

static CellDiagonal diagonal(const Level *level, int i, int j, int k)
{
    float faces[SIDES];
    faces_of(level, i, j, k, faces);
    const int index[3] = {i, j, k};
    CellDiagonal cell = {0};
    for (int axis = 0; axis < 3; axis++) {
        const int count = brume_cells_along(level->storage.grid, axis);
        const float lower = faces[2 * axis];
        const float upper = faces[2 * axis + 1];
        cell.d += lower + upper;
        if (level->storage.periodic[axis] && count % 2 != 0) { // the first and the last cell are neighbors
            cell.l1 += (index[axis] == 1 ? lower : 0.0f) + (index[axis] == count ? upper : 0.0f);
        }
    }
    cell.inverse = cell.d > 0.0f ? 1.0f / (cell.d + cell.l1) : 0.0f;
    return cell;
}

// the coefficient of all faces of row (j, k), or 0 if they differ; x = 0 behind closed faces
static float row_coefficient(const Level *level, int j, int k)
{
    if (level->poisson) {
        return brume_poisson_cut(level->poisson, j, k) ? 0.0f : 1.0f;
    }
    return level->storage.row_coefficient[(ptrdiff_t)(k - 1) * level->storage.grid.ny + (j - 1)];
}

// b + sum over the faces of coefficient x_neighbor: the equation of a cell without its diagonal term
static float neighbor_sum(const Level *level, const BrumeField *x, const BrumeField *b, int i, int j, int k)
{
    float n[SIDES];
    neighbors_of(x, i, j, k, n);
    const float c = row_coefficient(level, j, k);
    if (c > 0.0f) {
        return *entry(b, i, j, k) + c * ((n[0] + n[1]) + (n[2] + n[3]) + (n[4] + n[5]));
    }
    float f[SIDES];
    faces_of(level, i, j, k, f);
    const float along_x = f[0] * n[0] + f[1] * n[1];
    const float along_y = f[2] * n[2] + f[3] * n[3];
    const float along_z = f[4] * n[4] + f[5] * n[5];
    return *entry(b, i, j, k) + (along_x + along_y + along_z);
}

// Copies opposite cells to the ghosts along periodic axes, and the adjacent planes from other ranks; other ghosts are 0
// throughout.
static void fill_ghosts(const Level *level, BrumeField *x)
{
    const BrumeGrid grid = level->storage.grid;
    const bool *periodic = level->storage.periodic;
    const int first = brume_first_plane(grid);
    const int last = brume_last_plane(grid);
    for (int k = first; periodic[0] && k <= last; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            *entry(x, 0, j, k) = *entry(x, grid.nx, j, k);
            *entry(x, grid.nx + 1, j, k) = *entry(x, 1, j, k);
        }
    }
    for (int k = first; periodic[1] && k <= last; k++) {
        for (int i = 0; i <= grid.nx + 1; i++) {
            *entry(x, i, 0, k) = *entry(x, i, grid.ny, k);
            *entry(x, i, grid.ny + 1, k) = *entry(x, i, 1, k);
        }
    }
    brume_exchange_field(x, 1);
    if (periodic[2]) {
        brume_parity_fill_ghost_planes(x);
    }
}

// a half-sweep: each cell of one color solves its own equation
static void relax(const Level *level, BrumeField *x, const BrumeField *b, int color)
{
    const BrumeGrid grid = level->storage.grid;
#pragma omp parallel for schedule(static) if (level->storage.parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                if ((i + j + k) % 2 != color) {
                    continue;
                }
                const CellDiagonal cell = diagonal(level, i, j, k);
                const float sum = neighbor_sum(level, x, b, i, j, k);
                const float l1_sum = level->odd_periodic ? sum + cell.l1 * *entry(x, i, j, k) : sum;
                *entry(x, i, j, k) = cell.inverse * l1_sum;
            }
        }
    }
    fill_ghosts(level, x);
}

// the first half-sweep from x = 0, where neighbors contribute nothing; x is not read
static void relax_from_zero(const Level *level, BrumeField *x, const BrumeField *b, int color)
{
    const BrumeGrid grid = level->storage.grid;
#pragma omp parallel for schedule(static) if (level->storage.parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const bool updated = (i + j + k) % 2 == color;
                *entry(x, i, j, k) = updated ? diagonal(level, i, j, k).inverse * *entry(b, i, j, k) : 0.0f;
            }
        }
    }
    fill_ghosts(level, x);
}

static float residual(const Level *level, const BrumeField *x, const BrumeField *b, int i, int j, int k)
{
    const CellDiagonal cell = diagonal(level, i, j, k);
    return cell.inverse > 0.0f ? neighbor_sum(level, x, b, i, j, k) - cell.d * *entry(x, i, j, k) : 0.0f;
}

// the same of a cell that belongs to another coarse cell than its block's; its terms are added one after the other
static float residual_by_terms(const Level *level, const BrumeField *x, const BrumeField *b, int i, int j, int k)
{
    float neighbors[SIDES];
    neighbors_of(x, i, j, k, neighbors);
    float faces[SIDES];
    faces_of(level, i, j, k, faces);
    const float c = row_coefficient(level, j, k);
    float sum = *entry(b, i, j, k) - diagonal(level, i, j, k).d * *entry(x, i, j, k);
    for (int side = 0; side < SIDES; side++) {
        sum += (c > 0.0f ? c : faces[side]) * neighbors[side];
    }
    return sum;
}

// whether cell (i, j, k) belongs to another coarse cell than its block; then that cell is in `coarse`
static bool is_reassigned(const Level *level, BrumeGrid grid, int i, int j, int k, int coarse[3])
{
    if (!level->map || level->map[brume_field_index(&level->storage.x, i, j, k)] == BRUME_OWN_BLOCK) {
        return false;
    }
    brume_aggregate_of(coarse, level->map, &level->storage, (const int[3]){i, j, k});
    for (int axis = 0; axis < 3; axis++) { // beyond a periodic side
        coarse[axis] = brume_wrap_index(coarse[axis], brume_cells_along(grid, axis));
    }
    return true;
}

// Coarse b = residuals summed over blocks. The last half-sweep has solved the equations of the black cells: without
// neighbors of one color their residual is 0, and only the residuals of red cells are summed.
static void restrict_residual(const Level *level, BrumeField *coarse_b, const BrumeField *x, const BrumeField *b)
{
    const BrumeGrid grid = level->storage.grid;
    const BrumeGrid coarse = coarse_b->grid;
    const int last_color = level->odd_periodic ? BLACK : RED;
#pragma omp parallel for schedule(static) if (level->storage.parallel)
    for (int coarse_k = brume_first_plane(coarse); coarse_k <= brume_last_plane(coarse); coarse_k++) {
        for (int j = 1; j <= coarse.ny; j++) {
            for (int i = 1; i <= coarse.nx; i++) {
                *entry(coarse_b, i, j, coarse_k) = 0.0f;
            }
        }
        for (int k = 2 * coarse_k - 1; k <= 2 * coarse_k && k <= grid.nz; k++) {
            for (int color = RED; color <= last_color; color++) {
                for (int j = 1; j <= grid.ny; j++) {
                    for (int i = 1; i <= grid.nx; i++) {
                        if ((i + j + k) % 2 == color) {
                            *entry(coarse_b, (i + 1) / 2, (j + 1) / 2, coarse_k) += residual(level, x, b, i, j, k);
                        }
                    }
                }
            }
        }
    }
}

// adds to an entry of plane k if this rank has it
static void add_to_own(BrumeField *x, int i, int j, int k, float value)
{
    if (brume_has_plane(x->grid, k)) {
        *entry(x, i, j, k) += value;
    }
}

// whether this rank has the coarse cell of a plane, or one next to it
static bool is_near_coarse_plane(BrumeGrid coarse, int k)
{
    bool near = false;
    for (int plane = (k + 1) / 2 - 1; plane <= (k + 1) / 2 + 1; plane++) {
        near = near || brume_has_plane(coarse, brume_wrap_index(plane, coarse.nz));
    }
    return near;
}

// After that: moves the residuals of reassigned cells from their block to the coarse cell that they belong to. These
// may be on two ranks, which both compute the residual.
static void restrict_reassigned(const Level *level, BrumeField *coarse_b, BrumeField *x, const BrumeField *b)
{
    const BrumeGrid grid = level->storage.grid;
    if (!level->map) {
        return;
    }
    brume_exchange((const BrumeField *const[]){x, b}, 2, 3); // from a coarse plane to the next one, and one plane more
    for (int k = 1; k <= grid.nz; k++) {
        if (!is_near_coarse_plane(coarse_b->grid, k)) {
            continue;
        }
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const bool summed = level->odd_periodic || (i + j + k) % 2 == RED;
                int coarse[3];
                if (summed && is_reassigned(level, coarse_b->grid, i, j, k, coarse)) {
                    const float moved = residual_by_terms(level, x, b, i, j, k);
                    add_to_own(coarse_b, (i + 1) / 2, (j + 1) / 2, (k + 1) / 2, -moved);
                    add_to_own(coarse_b, coarse[0], coarse[1], coarse[2], moved);
                }
            }
        }
    }
}

// x += the coarse correction of each cell: the correction of its block, and the difference to it for reassigned cells
static void prolong(const Level *level, BrumeField *x, const BrumeField *coarse_x)
{
    const BrumeGrid grid = level->storage.grid;
    if (level->map) {
        brume_exchange_field(coarse_x, 1);
    }
#pragma omp parallel for schedule(static) if (level->storage.parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const float block = *entry(coarse_x, (i + 1) / 2, (j + 1) / 2, (k + 1) / 2);
                int coarse[3];
                if (is_reassigned(level, coarse_x->grid, i, j, k, coarse)) {
                    *entry(x, i, j, k) += *entry(coarse_x, coarse[0], coarse[1], coarse[2]) - block;
                }
                *entry(x, i, j, k) += diagonal(level, i, j, k).inverse > 0.0f ? block : 0.0f;
            }
        }
    }
    fill_ghosts(level, x);
}

// x = A^-1 b on the coarsest level
static void solve_coarsest(const BrumeCoarsest *coarsest, BrumeField *x, const BrumeField *b)
{
    const BrumeGrid grid = coarsest->grid;
    float right[BRUME_COARSEST_CELLS] = {0.0f}; // b by number of unknown
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                right[brume_coarsest_unknown(grid, i, j, k)] = *entry(b, i, j, k);
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
                *entry(x, i, j, k) = sum;
            }
        }
    }
}

// the sum over the cells first, first + 2, ... last of a row in eight lanes, which are added pairwise
static double sum_every_second(const float *row, int first, int last)
{
    double lanes[BRUME_LANES] = {0.0};
    for (int i = first, n = 0; i <= last; i += 2, n++) {
        lanes[n % BRUME_LANES] += (double)row[i];
    }
    return brume_sum_lanes(lanes);
}

// Subtracts the mean over each singular component from x; the cells of even i are summed before the cells of odd i.
static void remove_mean(const BrumeComponents *components, BrumeField *x)
{
    if (components->count == 0) {
        return;
    }
    const BrumeRunRange own = brume_components_own_runs(components);
    for (int n = own.from; n < own.to; n++) {
        const BrumeRun *run = &components->runs[n];
        const float *row = entry(x, 0, run->j, run->k);
        const int odd = run->first % 2;
        components->sums[n] =
            sum_every_second(row, run->first + odd, run->last) + sum_every_second(row, run->first + 1 - odd, run->last);
    }
    brume_components_find_means(components);
    for (int n = own.from; n < own.to; n++) {
        const BrumeRun *run = &components->runs[n];
        for (int i = run->first; i <= run->last; i++) {
            *entry(x, i, run->j, run->k) -= (float)components->means[run->component];
        }
    }
}

static void cycle_coarse(Cycle *cycle, int index);

// One cycle of level `index`. With `from_zero`, x is 0 and not read at first.
static void cycle_level(Cycle *cycle, int index, BrumeField *x, const BrumeField *b, bool from_zero)
{
    const Level *level = &cycle->levels[index];
    BrumeMultigridLevel *coarse = &cycle->levels[index + 1].storage;
    if (from_zero) {
        relax_from_zero(level, x, b, RED);
    } else {
        relax(level, x, b, RED);
    }
    relax(level, x, b, BLACK);
    relax(level, x, b, RED);
    relax(level, x, b, BLACK);

    restrict_residual(level, &coarse->b, x, b);
    restrict_reassigned(level, &coarse->b, x, b);
    cycle_coarse(cycle, index + 1);
    prolong(level, x, &coarse->x);

    relax(level, x, b, BLACK);
    relax(level, x, b, RED);
    relax(level, x, b, BLACK);
    relax(level, x, b, RED);
}

// x = M b on a coarse level
static void cycle_coarse(Cycle *cycle, int index)
{
    BrumeMultigridLevel *level = &cycle->levels[index].storage;
    if (!level->grid.domain) { // the ranks have computed it in parts if the finer level is divided
        brume_gather_field(&level->b);
    }
    if (index + 1 == cycle->count) {
        solve_coarsest(&cycle->coarsest, &level->x, &level->b);
        return;
    }
    remove_mean(&level->components, &level->b);
    const int visits = index > 1 || cycle->bodies ? 2 : 1;
    for (int visit = 0; visit < visits; visit++) {
        cycle_level(cycle, index, &level->x, &level->b, visit == 0);
    }
}

// z = M r
static void precondition(void *state, BrumeField *z, const BrumeField *r) { cycle_level(state, 0, z, r, true); }

// A x at a cell of value c with coefficients of its own on its faces
static float apply_faces(const Level *level, const float n[SIDES], float c, int i, int j, int k)
{
    float f[SIDES];
    faces_of(level, i, j, k, f);
    const float along_x = f[0] * (c - n[0]) + f[1] * (c - n[1]);
    const float along_y = f[2] * (c - n[2]) + f[3] * (c - n[3]);
    const float along_z = f[4] * (c - n[4]) + f[5] * (c - n[5]);
    return along_x + along_y + along_z;
}

// q = A x on the finest level
static void apply(const void *state, BrumeField *q, const BrumeField *x)
{
    const Level *finest = &((const Cycle *)state)->levels[0];
    const BrumeGrid grid = finest->storage.grid;
#pragma omp parallel for schedule(static) if (finest->storage.parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                float n[SIDES];
                neighbors_of(x, i, j, k, n);
                const float c = *entry(x, i, j, k);
                if (row_coefficient(finest, j, k) == 0.0f) {
                    *entry(q, i, j, k) = apply_faces(finest, n, c, i, j, k);
                    continue;
                }
                const float d = diagonal(finest, i, j, k).d;
                const float sum = brume_seven_point(c, n[0], n[1], n[2], n[3], n[4], n[5]);
                // x is 0 behind the 6 - d closed faces, each of which has added c
                *entry(q, i, j, k) = d > 0.0f ? sum - (6.0f - d) * c : 0.0f;
            }
        }
    }
}

// y += alpha x
static void add(BrumeField *y, float alpha, const BrumeField *x)
{
    const BrumeGrid grid = y->grid;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                *entry(y, i, j, k) += alpha * *entry(x, i, j, k);
            }
        }
    }
}

// s = z - mean + beta s
static void update_direction(const void *state, BrumeField *s, const BrumeField *z, float mean, float beta)
{
    const Level *finest = &((const Cycle *)state)->levels[0];
    const BrumeGrid grid = finest->storage.grid;
#pragma omp parallel for schedule(static) if (finest->storage.parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const float steepest = *entry(z, i, j, k) - mean;
                *entry(s, i, j, k) = beta == 0.0f ? steepest : steepest + beta * *entry(s, i, j, k);
            }
        }
    }
    fill_ghosts(finest, s);
}

static void destroy(void *state)
{
    Cycle *cycle = state;
    if (cycle) {
        for (int n = 0; n < cycle->count; n++) {
            brume_level_destroy(&cycle->levels[n].storage);
            brume_free(cycle->levels[n].map);
        }
        brume_coarsest_destroy(&cycle->coarsest);
        brume_free(cycle);
    }
}

static BrumeStatus create_levels(Cycle *cycle, const BrumePoisson *poisson, bool singular, BrumeError *error)
{
    const BrumeCells *cells = poisson->cells;
    Level *level = cycle->levels;
    level->poisson = poisson;
    level->storage.grid = cells->grid;
    level->storage.parallel = poisson->parallel;
    memcpy(level->storage.periodic, cells->coupled, sizeof level->storage.periodic);
    level->odd_periodic = brume_has_odd_periodic_axis(cells->grid, cells->coupled);
    cycle->count = 1;
    BrumeStatus status = brume_level_coarsen_finest(&level[1].storage, poisson, singular, error);
    while (status == BRUME_OK) {
        level++;
        cycle->count++;
        level->odd_periodic = brume_has_odd_periodic_axis(level->storage.grid, level->storage.periodic);
        if (brume_grid_cells(level->storage.grid) <= BRUME_COARSEST_CELLS) {
            return brume_coarsest_create(&cycle->coarsest, &level->storage, error);
        }
        level->map = brume_alloc(brume_grid_entries(level->storage.grid), sizeof *level->map);
        if (!level->map) {
            return brume_out_of_grid_memory(error, "the pressure solver");
        }
        (void)brume_aggregation_find(level->map, &level->storage);
        status = brume_level_coarsen(&level[1].storage, &level->storage, singular, error);
    }
    return status;
}

static BrumeStatus create(void **state, const BrumePoisson *poisson, bool singular, BrumeError *error)
{
    *state = NULL;
    Cycle *cycle = brume_alloc(1, sizeof *cycle);
    if (!cycle) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    cycle->bodies = poisson->cells->bodies;
    const BrumeStatus status = create_levels(cycle, poisson, singular, error);
    if (status != BRUME_OK) {
        destroy(cycle);
        return status;
    }
    *state = cycle;
    return BRUME_OK;
}

static size_t bytes(const void *state)
{
    const Cycle *cycle = state;
    size_t bytes = sizeof *cycle + brume_coarsest_bytes(&cycle->coarsest);
    for (int n = 1; n < cycle->count; n++) {
        const BrumeGrid grid = cycle->levels[n].storage.grid;
        const size_t entries = brume_grid_entries(grid);
        bytes +=
            brume_level_bytes(&cycle->levels[n].storage) + (cycle->levels[n].map ? entries : 0) +
            (4 * entries + (size_t)grid.ny * (size_t)grid.nz) * sizeof(float); // coefficients, and the active cells
    }
    return bytes;
}

const BrumeCycleKernels brume_reference_cycle_kernels = {
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .precondition = precondition,
    .remove_mean = remove_mean,
    .apply = apply,
    .add = add,
    .update_direction = update_direction,
};

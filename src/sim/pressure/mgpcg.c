// The solvers "mgpcg", conjugate gradients preconditioned by a multigrid cycle (McAdams, Sifakis, Teran 2010), and
// "multigrid", the stationary iteration p += M r. sim/reference/vcycle.c has the cycle and the vector
// operations in plain loops; def->kernels selects them, and both give the same bits.
//
// The fused passes below differ from the plain ones in memory traffic only. r, z and s have rows in parity order
// (grid/parity_rows.h), and an iteration passes through memory three times. With the fields read; written:
//     downward    r -= alpha A s, r.r, and the downward pass of the cycle      (s, r; r, z)
//     upward      the upward pass of the cycle, and r.z                        (z, r; z)
//     direction   p += alpha s, s = z + beta s, and s.As                       (p, z, s; p, s)
// A s is computed twice instead of stored. The step alpha s is pending at first: r receives it in the next downward
// pass, p in the next direction pass. Where the residual is predicted to reach the goal, so that a downward pass would
// not be needed, the step is applied to p and r at once.
//
// The stationary iteration takes z itself as the step, which becomes s; there is no direction pass:
//     downward    p += s, r -= A s, r.r, and the downward pass of the cycle    (p, s, r; p, r, z)
//     upward      the upward pass of the cycle                                 (z, r; z)
// If the stationary iteration converges slowly, conjugate gradients continue the solve.
#include "core/domain.h"
#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "sim/grid/parity_rows.h"
#include "sim/grid/wavefront.h"
#include "sim/pressure/conjugate_gradient.h"
#include "sim/pressure/multigrid/multigrid.h"
#include "sim/pressure/pressure_internal.h"

#include <math.h>
#include <string.h>

// the factor by which the first iteration is predicted to reduce the residual norm
#define FIRST_RATE 0.02

// The stationary iteration ends when a cycle leaves more than this share of the residual. The first cycle increases the
// share of rough modes, and must only not increase the residual.
#define SLOW_RATE 0.2
#define SLOW_FIRST_RATE 1.0

enum { SUMS = 4 };

typedef struct MgpcgState {
    BrumeMultigrid *multigrid;        ///< NULL with plain kernels
    const BrumeCycleKernels *kernels; ///< plain kernels, or NULL
    void *plain;                      ///< the hierarchy of plain kernels
    int planes;                       ///< nz + 2
    BrumePlaneSum *sums;              ///< (SUMS x planes) partial sums of planes k
} MgpcgState;

static void destroy(void *state)
{
    MgpcgState *mgpcg = state;
    if (mgpcg) {
        if (mgpcg->kernels) {
            mgpcg->kernels->destroy(mgpcg->plain);
        }
        brume_multigrid_destroy(mgpcg->multigrid);
        brume_free(mgpcg->sums);
        brume_free(mgpcg);
    }
}

static BrumeStatus create(void **state, const BrumePressureDef *def, const BrumePoisson *poisson, bool singular,
                          BrumeError *error)
{
    *state = NULL;
    MgpcgState *created = brume_alloc(1, sizeof *created);
    if (created) {
        created->kernels = def->kernels;
        created->planes = poisson->cells->grid.nz + 2;
        created->sums = brume_alloc((size_t)created->planes, SUMS * sizeof *created->sums);
    }
    if (!created || !created->sums) {
        destroy(created);
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    const BrumeStatus status = def->kernels ? def->kernels->create(&created->plain, poisson, singular, error)
                                            : brume_multigrid_create(&created->multigrid, poisson, singular, error);
    if (status != BRUME_OK) {
        destroy(created);
        return status;
    }
    *state = created;
    return BRUME_OK;
}

static size_t bytes(const void *state)
{
    const MgpcgState *mgpcg = state;
    return sizeof *mgpcg + (size_t)mgpcg->planes * SUMS * sizeof *mgpcg->sums +
           (mgpcg->kernels ? mgpcg->kernels->bytes(mgpcg->plain) : brume_multigrid_bytes(mgpcg->multigrid));
}

typedef struct MgpcgSolve MgpcgSolve;

// The passes of an iteration, fused or plain.
typedef struct IterationPasses {
    /** Applies the pending step, then z = M r. Unless solve->stationary, returns r.z and sets solve->mean. */
    double (*precondition)(MgpcgSolve *solve);
    /** s = z - mean + beta s; returns s.As. */
    double (*update_direction)(MgpcgSolve *solve);
    /** Applies the pending step to r and p, and sets solve->squares. */
    void (*apply_step)(MgpcgSolve *solve);
} IterationPasses;

// One solve.
struct MgpcgSolve {
    BrumeMultigrid *multigrid;
    const BrumeOperator *op;          ///< of the finest level
    const BrumeCycleKernels *kernels; ///< plain kernels; NULL for the fused passes, which use `multigrid` and `op`
    void *plain;                      ///< the hierarchy of plain kernels
    const IterationPasses *passes;
    BrumePressureWork *work;
    BrumePlaneSum *squares, *products, *z_sums, *r_sums; ///< of planes k: r.r; r.z or s.As; sums of z and of r
    bool parity_order;                                   ///< fused: whether the rows of r are in parity order already
    bool r_pending, p_pending;                           ///< whether r, p lack the last step, alpha s
    bool all_neumann;                                    ///< whether the whole box is one singular component
    bool stationary;                                     ///< without conjugate gradients
    float alpha, beta;
    float mean;     ///< of z, which is subtracted in the direction pass
    int iterations; ///< done so far
    double norm;    ///< |r|_2 after the last step that was applied
    double rate;    ///< factor by which that step changed the norm
};

// the partial sum of plane k, set to 0 at its first row
static BrumePlaneSum *plane_sum(BrumePlaneSum *sums, int k, int from)
{
    if (from == 1) {
        sums[k] = (BrumePlaneSum){0};
    }
    return &sums[k];
}

// the sum over all planes
static double add_planes(const MgpcgSolve *solve, const BrumePlaneSum *sums)
{
    const BrumePoisson *poisson = solve->work->poisson;
    const BrumeGrid grid = poisson->cells->grid;
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        poisson->partials[k] = brume_sum_of_plane(sums[k]);
    }
    return brume_sum_planes(grid, poisson->partials);
}

// p += alpha s, for a row of p in plain order and one of s in parity order
BRUME_KERNEL static void mgpcg_step_row(float *restrict p, const float *odd, const float *even, float alpha, int nx)
{
    for (int m = 0; m < nx / 2; m++) {
        p[2 * m + 1] += alpha * odd[m];
        p[2 * m + 2] += alpha * even[m + 1];
    }
    if (nx % 2 != 0) {
        p[nx] += alpha * odd[nx / 2];
    }
}

static void step_p(const MgpcgSolve *solve, int j, int k)
{
    const BrumeField *s = solve->work->s;
    const ptrdiff_t start = brume_field_index(s, 0, j, k);
    const float *even = s->data + start;
    mgpcg_step_row(solve->work->p->data + start, even + brume_parity_odd_start(s->grid.nx), even, solve->alpha,
                   s->grid.nx);
}

// reorders rows of r to parity order, and sets their ghosts along x to 0
static void reorder_rows(BrumeField *r, int k, int from, int to)
{
    const int nx = r->grid.nx;
    float row[BRUME_PRESSURE_MAX_ROW + 2];
    for (int j = from; j < to; j++) {
        float *entries = r->data + brume_field_index(r, 0, j, k);
        memcpy(row, entries, (size_t)r->sy * sizeof *row);
        row[0] = 0.0f;
        row[nx + 1] = 0.0f;
        brume_row_to_parity_order(entries, row, nx);
    }
}

// hook of the downward pass: brings r to parity order, or applies the pending step to r, and to p if stationary
static void update_r_rows(void *context, int k, int from, int to)
{
    MgpcgSolve *solve = context;
    if (!solve->parity_order) {
        reorder_rows(solve->work->r, k, from, to);
    } else if (solve->r_pending) {
        for (int j = from; solve->p_pending && solve->stationary && j < to; j++) {
            step_p(solve, j, k);
        }
        brume_operator_update_residual(solve->op, solve->work->r, solve->work->s, solve->alpha, k, from, to,
                                       plane_sum(solve->squares, k, from));
    }
}

BRUME_KERNEL static double rz_row(const float *r, const float *z, int count) { return brume_dot_row(r, z, count); }

// sum of the cells of a row in parity order
BRUME_KERNEL static double cells_of_row(const float *even, int evens, const float *odd, int odds)
{
    double lanes[BRUME_LANES] = {0.0};
    for (int half = 0; half < 2; half++) {
        const float *cells = half ? odd : even;
        const int count = half ? odds : evens;
        int n = 0;
        for (; n + BRUME_LANES <= count; n += BRUME_LANES) {
            for (int lane = 0; lane < BRUME_LANES; lane++) {
                lanes[lane] += (double)cells[n + lane];
            }
        }
        for (int lane = 0; n < count; n++, lane++) {
            lanes[lane] += (double)cells[n];
        }
    }
    return brume_sum_lanes(lanes);
}

static double sum_row(const float *row, int nx)
{
    const BrumeParitySpan even = brume_parity_span(nx, 0);
    const BrumeParitySpan odd = brume_parity_span(nx, 1);
    return cells_of_row(row + even.cells, even.count, row + odd.cells, odd.count);
}

// The cells of row (j, k) in parity order, the order of sums: the row itself, or with plain kernels a copy in `buffer`,
// whose ghosts are 0.
static const float *row_to_sum(const MgpcgSolve *solve, const BrumeField *x, int j, int k, float *buffer)
{
    const float *row = x->data + brume_field_index(x, 0, j, k);
    if (!solve->kernels) {
        return row;
    }
    brume_row_to_parity_order(buffer, row, x->grid.nx);
    buffer[0] = 0.0f;
    buffer[brume_parity_entry(x->grid.nx, x->grid.nx + 1)] = 0.0f;
    return buffer;
}

// hook of the upward pass: r.z, and if the mean of z must be removed the sums of z and r
static void sum_z_rows(void *context, int k, int from, int to)
{
    MgpcgSolve *solve = context;
    const int nx = solve->work->r->grid.nx;
    float buffers[2][BRUME_PRESSURE_MAX_ROW + 2];
    BrumePlaneSum *product = plane_sum(solve->products, k, from);
    BrumePlaneSum *z_sum = plane_sum(solve->z_sums, k, from);
    BrumePlaneSum *r_sum = plane_sum(solve->r_sums, k, from);
    for (int j = from; j < to; j++) {
        const float *r = row_to_sum(solve, solve->work->r, j, k, buffers[0]);
        const float *z = row_to_sum(solve, solve->work->z, j, k, buffers[1]);
        *brume_sum_of_block(product, j) += rz_row(r, z, nx + 2); // the ghosts of r are 0
        if (solve->all_neumann) {
            *brume_sum_of_block(z_sum, j) += sum_row(z, nx);
            *brume_sum_of_block(r_sum, j) += sum_row(r, nx);
        }
    }
}

// a.b over the cells, for a whose ghosts along x are 0
static double dot(const MgpcgSolve *solve, const BrumeField *a, const BrumeField *b)
{
    const BrumeGrid grid = a->grid;
#pragma omp parallel for schedule(static) if (solve->work->poisson->parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        float buffers[2][BRUME_PRESSURE_MAX_ROW + 2];
        BrumePlaneSum *product = plane_sum(solve->products, k, 1);
        for (int j = 1; j <= grid.ny; j++) {
            *brume_sum_of_block(product, j) +=
                rz_row(row_to_sum(solve, a, j, k, buffers[0]), row_to_sum(solve, b, j, k, buffers[1]), grid.nx + 2);
        }
    }
    return add_planes(solve, solve->products);
}

// Removes the mean of z on singular components, or sets solve->mean; returns r.z. Needs the sums of `sum_z_rows`.
static double product_without_mean(MgpcgSolve *solve)
{
    const BrumePressureWork *work = solve->work;
    const BrumeGrid grid = work->r->grid;
    solve->mean = 0.0f;
    if (solve->all_neumann) {
        const double mean = add_planes(solve, solve->z_sums) / (double)brume_grid_cells(grid);
        solve->mean = (float)mean;
        return add_planes(solve, solve->products) - mean * add_planes(solve, solve->r_sums);
    }
    if (work->components->count > 0) {
        if (solve->kernels) {
            solve->kernels->remove_mean(work->components, work->z);
        } else {
            brume_components_remove_mean_parity(work->components, work->z->data, grid.nx, work->z->sy, work->z->sz,
                                                work->poisson->parallel);
        }
        return dot(solve, work->r, work->z);
    }
    return add_planes(solve, solve->products);
}

static double precondition_fused(MgpcgSolve *solve)
{
    const BrumeCycleHooks hooks = {
        .context = solve, .update_r_rows = update_r_rows, .read_z_rows = solve->stationary ? NULL : sum_z_rows};
    brume_multigrid_cycle(solve->multigrid, solve->work->z, solve->work->r, &hooks);
    solve->parity_order = true;
    if (solve->stationary) {
        solve->p_pending = false;
        return 0.0;
    }
    return product_without_mean(solve);
}

// s = z - mean + beta s
BRUME_KERNEL static void mgpcg_direction_row(float *restrict s, const float *z, float mean, float beta, int count)
{
    if (beta == 0.0f) {
        for (int n = 0; n < count; n++) {
            s[n] = z[n] - mean;
        }
        return;
    }
    for (int n = 0; n < count; n++) {
        s[n] = (z[n] - mean) + beta * s[n];
    }
}

static void direction_rows(void *context, int stage, int k, int from, int to)
{
    MgpcgSolve *solve = context;
    BrumeField *s = solve->work->s;
    if (stage == 1) {
        brume_operator_energy(solve->op, s, k, from, to, plane_sum(solve->products, k, from));
        return;
    }
    for (int j = from; j < to; j++) {
        if (solve->p_pending) {
            step_p(solve, j, k);
        }
        for (int parity = 0; parity < 2; parity++) {
            const BrumeParitySpan span = brume_parity_span(s->grid.nx, parity);
            const ptrdiff_t start = brume_field_index(s, 0, j, k) + span.cells;
            mgpcg_direction_row(s->data + start, solve->work->z->data + start, solve->mean, solve->beta, span.count);
        }
    }
    brume_parity_fill_ghosts(s, solve->op->periodic, k, from, to);
}

static void fill_ghost_planes(void *context)
{
    const MgpcgSolve *solve = context;
    brume_parity_fill_ghost_planes(solve->work->s);
}

// copies the planes of s of other ranks that A reads, where s is not the result of a direction pass
static void complete_direction(MgpcgSolve *solve)
{
    if (!solve->kernels && brume_is_shared(solve->op->grid)) {
        brume_exchange_field(solve->work->s, 1);
        if (solve->op->periodic[2]) {
            fill_ghost_planes(solve);
        }
    }
}

// applies the pending step to p as well
static double update_direction_fused(MgpcgSolve *solve)
{
    const BrumeOperator *op = solve->op;
    const BrumeWavefront wavefront = {
        .context = solve,
        .grid = op->grid,
        .stages = 2,
        .parallel = op->parallel,
        .whole_planes = op->periodic[1],
        .x = solve->work->s,
        .visit = direction_rows,
        .wrap = op->periodic[2] ? fill_ghost_planes : NULL,
    };
    brume_wavefront_run(&wavefront);
    solve->p_pending = false;
    return add_planes(solve, solve->products);
}

static void apply_step_fused(MgpcgSolve *solve)
{
    const BrumeGrid grid = solve->op->grid;
    if (!solve->r_pending && !solve->p_pending) {
        return;
    }
#pragma omp parallel for schedule(static) if (solve->op->parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; solve->p_pending && j <= grid.ny; j++) {
            step_p(solve, j, k);
        }
        if (solve->r_pending) {
            brume_operator_update_residual(solve->op, solve->work->r, solve->work->s, solve->alpha, k, 1, grid.ny + 1,
                                           plane_sum(solve->squares, k, 1));
        }
    }
    solve->p_pending = false;
}

static const IterationPasses fused_passes = {precondition_fused, update_direction_fused, apply_step_fused};

// The plain passes, on rows in plain order. They use z for A s: its values are not needed between the direction pass
// and the next cycle.
static void apply_step_plain(MgpcgSolve *solve)
{
    const BrumePressureWork *work = solve->work;
    if (solve->p_pending) {
        solve->kernels->add(work->p, solve->alpha, work->s);
    }
    if (solve->r_pending) {
        solve->kernels->apply(solve->plain, work->z, work->s);
        solve->kernels->add(work->r, -solve->alpha, work->z);
        (void)dot(solve, work->r, work->r);
        memcpy(solve->squares, solve->products, ((size_t)work->r->grid.nz + 1) * sizeof *solve->squares);
    }
    solve->p_pending = false;
}

static double precondition_plain(MgpcgSolve *solve)
{
    const BrumePressureWork *work = solve->work;
    const BrumeGrid grid = work->r->grid;
    apply_step_plain(solve);
    solve->kernels->precondition(solve->plain, work->z, work->r);
    if (solve->stationary) {
        return 0.0;
    }
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        sum_z_rows(solve, k, 1, grid.ny + 1);
    }
    return product_without_mean(solve);
}

static double update_direction_plain(MgpcgSolve *solve)
{
    const BrumePressureWork *work = solve->work;
    solve->kernels->update_direction(solve->plain, work->s, work->z, solve->mean, solve->beta);
    solve->kernels->apply(solve->plain, work->z, work->s);
    return dot(solve, work->z, work->s);
}

static const IterationPasses plain_passes = {precondition_plain, update_direction_plain, apply_step_plain};

static MgpcgSolve begin_solve(const MgpcgState *mgpcg, BrumePressureWork *work, bool stationary)
{
    const BrumeGrid grid = work->r->grid;
    const int planes = mgpcg->planes;
    const BrumeComponents *components = work->components;
    if (mgpcg->kernels) {
        brume_field_fill(work->z, 0.0f);
        brume_field_fill(work->s, 0.0f);
    } else {
        brume_parity_clear_ghosts(work->z, work->poisson->parallel);
        brume_parity_clear_ghosts(work->s, work->poisson->parallel);
    }
    return (MgpcgSolve){
        .multigrid = mgpcg->multigrid,
        .op = mgpcg->kernels ? NULL : &mgpcg->multigrid->finest,
        .kernels = mgpcg->kernels,
        .plain = mgpcg->plain,
        .passes = mgpcg->kernels ? &plain_passes : &fused_passes,
        .work = work,
        .squares = mgpcg->sums,
        .products = mgpcg->sums + planes,
        .z_sums = mgpcg->sums + 2 * planes,
        .r_sums = mgpcg->sums + 3 * planes,
        .all_neumann = components->count == 1 && components->cells[0] == (double)brume_grid_cells(grid),
        .stationary = stationary,
        .norm = work->norm,
        .rate = FIRST_RATE,
    };
}

// Updates the residual norm from the partial sums after the pending step was applied to r; returns r.r.
static double update_norm(MgpcgSolve *solve)
{
    const double last_norm = solve->norm;
    const double square = add_planes(solve, solve->squares);
    solve->norm = sqrt(square);
    solve->rate = solve->norm / last_norm;
    solve->r_pending = false;
    return square;
}

// Makes alpha s the pending step, or applies it if it is the last one or predicted to be. `square`: r.r if applied.
static void step(void *context, float alpha, double *square)
{
    MgpcgSolve *solve = context;
    const BrumePressureWork *work = solve->work;
    solve->alpha = alpha;
    solve->r_pending = true;
    solve->p_pending = true;
    solve->iterations++;
    if (solve->iterations == work->budget || 0.5 * solve->rate * solve->norm <= work->goal) {
        solve->passes->apply_step(solve);
        *square = update_norm(solve);
    }
}

static double precondition(void *context, double *square)
{
    MgpcgSolve *solve = context;
    const double product = solve->passes->precondition(solve);
    if (solve->r_pending) {
        *square = update_norm(solve);
    }
    return product;
}

static double update_direction(void *context, float beta)
{
    MgpcgSolve *solve = context;
    solve->beta = beta;
    return solve->passes->update_direction(solve);
}

static void iterate_conjugate(MgpcgSolve *solve)
{
    const BrumePressureWork *work = solve->work;
    const BrumeConjugateGradient method = {
        .context = solve, .precondition = precondition, .update_direction = update_direction, .step = step};
    (void)brume_conjugate_gradient(&method, solve->norm * solve->norm, work->goal * work->goal,
                                   work->budget - solve->iterations);
}

// p += M r until the goal or the budget is reached. Returns true if it ended before because it converges slowly.
static bool iterate_stationary(MgpcgSolve *solve)
{
    BrumePressureWork *work = solve->work;
    double square;
    while (solve->iterations < work->budget && solve->norm > work->goal) {
        (void)solve->passes->precondition(solve);
        if (solve->r_pending) {
            (void)update_norm(solve);
            if (solve->norm <= work->goal) {
                return false;
            }
            if (solve->rate > (solve->iterations > 1 ? SLOW_RATE : SLOW_FIRST_RATE)) {
                return true;
            }
        }
        BrumeField *z = work->z; // it becomes the step
        work->z = work->s;
        work->s = z;
        complete_direction(solve);
        step(solve, 1.0f, &square);
    }
    return false;
}

static int solve_conjugate(void *state, BrumePressureWork *work)
{
    MgpcgSolve solve = begin_solve(state, work, false);
    iterate_conjugate(&solve);
    solve.passes->apply_step(&solve);
    return solve.iterations;
}

static int solve_stationary(void *state, BrumePressureWork *work)
{
    MgpcgSolve solve = begin_solve(state, work, true);
    if (iterate_stationary(&solve)) {
        solve.stationary = false;
        iterate_conjugate(&solve);
    }
    solve.passes->apply_step(&solve);
    return solve.iterations;
}

const BrumePressureMethod brume_pressure_mgpcg = {
    .name = "mgpcg", .create = create, .destroy = destroy, .bytes = bytes, .solve = solve_conjugate};

const BrumePressureMethod brume_pressure_multigrid = {
    .name = "multigrid", .create = create, .destroy = destroy, .bytes = bytes, .solve = solve_stationary};

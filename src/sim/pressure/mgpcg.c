// Multigrid cycles, as preconditioner of conjugate gradients (McAdams, Sifakis, Teran 2010) or by themselves, in the
// fewest passes through memory. r, z and s have split rows (split.h). An iteration of mgpcg is
//     down     r -= alpha A s and |r|, then the cycle's way down on r          (s, r; r, z)
//     up       the cycle's way up, then r.z                                    (z, r; z)
//     turn     p += alpha s, s = z + beta s, then s.As                         (p, z, s; p, s)
// with what each reads and writes; A s is formed twice rather than stored. The new p waits for the turn. Where the goal
// is near, so that the way down would be in vain, p and r are brought up to date by themselves.
//
// Without conjugate gradients the step is the cycle's own z as it is, which becomes s, and there is no turn:
//     down     p += s, r -= A s and |r|, then the way down on r            (p, s, r; p, r, z)
//     up       the way up                                                  (z, r; z)
// Where a cycle by itself does too little, conjugate gradients take over.
#include "core/error.h"
#include "core/lanes.h"
#include "core/memory.h"
#include "core/planes.h"
#include "core/simd.h"
#include "sim/pressure/multigrid/multigrid.h"
#include "sim/pressure/multigrid/split.h"
#include "sim/pressure/pressure_internal.h"
#include "sim/wavefront.h"

#include <math.h>
#include <string.h>

// by how much an iteration lessens the residual, before any has shown
#define FIRST_RATE 0.02

// by how much a cycle by itself must lessen it to go on so; the first roughens what is smooth, and need only not worsen
// it
#define SLOW_RATE 0.2
#define SLOW_FIRST_RATE 1.0

enum { SUMS = 4 };

typedef struct State {
    BrumeMultigrid *multigrid;
    double *sums; ///< SUMS x (nz + 1): shares of the planes k
} State;

static void destroy(void *state)
{
    State *mgpcg = state;
    if (mgpcg) {
        brume_multigrid_destroy(mgpcg->multigrid);
        brume_free(mgpcg->sums);
        brume_free(mgpcg);
    }
}

static BrumeStatus create(void **state, const BrumePoisson *poisson, bool singular, BrumeError *error)
{
    *state = NULL;
    State *created = brume_alloc(1, sizeof *created);
    if (created) {
        created->sums = brume_alloc((size_t)poisson->cells->grid.nz + 1, SUMS * sizeof *created->sums);
    }
    if (!created || !created->sums) {
        destroy(created);
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    const BrumeStatus status = brume_multigrid_create(&created->multigrid, poisson, singular, error);
    if (status != BRUME_OK) {
        destroy(created);
        return status;
    }
    *state = created;
    return BRUME_OK;
}

static size_t bytes(const void *state)
{
    const State *mgpcg = state;
    const size_t planes = (size_t)brume_multigrid_stencil(mgpcg->multigrid)->grid.nz + 1;
    return sizeof *mgpcg + planes * SUMS * sizeof *mgpcg->sums + brume_multigrid_bytes(mgpcg->multigrid);
}

// One solve.
typedef struct Solve {
    const BrumeStencil *stencil;
    BrumePressureWork *work;
    double *squares, *products, *z_sums, *r_sums; ///< of planes k: r.r, r.z or s.As, sums of z and r
    bool split;                                   ///< whether r's rows are
    bool stale;                                   ///< whether r and p lack the last step, alpha s
    bool p_stale;                                 ///< whether p alone does
    bool flat;                                    ///< whether the whole box is one singular component
    bool alone;                                   ///< whether cycles go by themselves
    float alpha, beta;
    float mean; ///< of z, to be taken away
} Solve;

static double *plane_sum(double *sums, int k, int from)
{
    if (from == 1) {
        sums[k] = 0.0;
    }
    return &sums[k];
}

// p += alpha s, for a split row of s
BRUME_KERNEL static void step_p_row(float *restrict p, const float *odd, const float *even, float alpha, int nx)
{
    for (int m = 0; m < nx / 2; m++) {
        p[2 * m + 1] += alpha * odd[m];
        p[2 * m + 2] += alpha * even[m + 1];
    }
    if (nx % 2 != 0) {
        p[nx] += alpha * odd[nx / 2];
    }
}

static void step_p(const Solve *solve, int j, int k)
{
    const BrumeField *s = solve->work->s;
    const ptrdiff_t start = brume_field_index(s, 0, j, k);
    const float *even = s->data + start;
    step_p_row(solve->work->p->data + start, even + brume_split_odd(s->grid.nx), even, solve->alpha, s->grid.nx);
}

static void before(void *context, int k, int from, int to)
{
    Solve *solve = context;
    BrumeField *r = solve->work->r;
    const int nx = r->grid.nx;
    if (!solve->split) {
        float row[BRUME_PRESSURE_MAX_ROW + 2];
        for (int j = from; j < to; j++) {
            float *entries = r->data + brume_field_index(r, 0, j, k);
            memcpy(row, entries, (size_t)r->sy * sizeof *row);
            row[0] = 0.0f;
            row[nx + 1] = 0.0f;
            brume_split_row(entries, row, nx);
        }
    } else if (solve->stale) {
        for (int j = from; solve->p_stale && solve->alone && j < to; j++) {
            step_p(solve, j, k);
        }
        brume_stencil_step(solve->stencil, r, solve->work->s, solve->alpha, k, from, to,
                           plane_sum(solve->squares, k, from));
    }
}

BRUME_KERNEL static double rz_row(const float *r, const float *z, int count) { return brume_dot_row(r, z, count); }

// the ghosts of a split row are its first entry and another
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
    const BrumeHalf even = brume_split_half(nx, 0);
    const BrumeHalf odd = brume_split_half(nx, 1);
    return cells_of_row(row + even.own, even.count, row + odd.own, odd.count);
}

static void after(void *context, int k, int from, int to)
{
    Solve *solve = context;
    const BrumeField *r = solve->work->r;
    const BrumeField *z = solve->work->z;
    const int nx = r->grid.nx;
    double *product = plane_sum(solve->products, k, from);
    double *z_sum = plane_sum(solve->z_sums, k, from);
    double *r_sum = plane_sum(solve->r_sums, k, from);
    for (int j = from; j < to; j++) {
        const ptrdiff_t start = brume_field_index(r, 0, j, k);
        *product += rz_row(r->data + start, z->data + start, nx + 2); // r's ghosts are 0
        if (solve->flat) {
            *z_sum += sum_row(z->data + start, nx);
            *r_sum += sum_row(r->data + start, nx);
        }
    }
}

static double dot(const Solve *solve, const BrumeField *r, const BrumeField *z)
{
    const BrumeGrid grid = r->grid;
#pragma omp parallel for schedule(static) if (solve->stencil->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        double *product = plane_sum(solve->products, k, 1);
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t start = brume_field_index(r, 0, j, k);
            *product += rz_row(r->data + start, z->data + start, grid.nx + 2);
        }
    }
    return brume_sum_planes(solve->products, grid.nz);
}

// z = M r, with r and p brought up to date before
static void cycle_alone(Solve *solve, BrumeMultigrid *multigrid)
{
    const BrumeCycleHooks hooks = {.context = solve, .before = before};
    brume_multigrid_cycle(multigrid, solve->work->z, solve->work->r, &hooks);
    solve->split = true;
    solve->p_stale = false;
}

// z = M r, less its mean where that is not known, with r brought up to date before; returns r.z
static double precondition(Solve *solve, BrumeMultigrid *multigrid)
{
    const BrumePressureWork *work = solve->work;
    const BrumeGrid grid = work->r->grid;
    const BrumeCycleHooks hooks = {.context = solve, .before = before, .after = after};
    brume_multigrid_cycle(multigrid, work->z, work->r, &hooks);
    solve->split = true;
    solve->mean = 0.0f;
    if (solve->flat) {
        const double mean = brume_sum_planes(solve->z_sums, grid.nz) / (double)brume_grid_cells(grid);
        solve->mean = (float)mean;
        return brume_sum_planes(solve->products, grid.nz) - mean * brume_sum_planes(solve->r_sums, grid.nz);
    }
    if (work->components->count > 0) {
        brume_components_remove_mean_split(work->components, work->z->data, grid.nx, work->z->sy, work->z->sz,
                                           solve->stencil->parallel);
        return dot(solve, work->r, work->z);
    }
    return brume_sum_planes(solve->products, grid.nz);
}

// s = z - mean + beta s; with beta 0 whatever s holds is forgotten
BRUME_KERNEL static void turn_cells(float *restrict s, const float *z, float mean, float beta, int count)
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

static void visit_turn(void *context, int stage, int k, int from, int to)
{
    Solve *solve = context;
    BrumeField *s = solve->work->s;
    if (stage == 1) {
        brume_stencil_product(solve->stencil, s, k, from, to, plane_sum(solve->products, k, from));
        return;
    }
    for (int j = from; j < to; j++) {
        if (solve->p_stale) {
            step_p(solve, j, k);
        }
        for (int parity = 0; parity < 2; parity++) {
            const BrumeHalf half = brume_split_half(s->grid.nx, parity);
            const ptrdiff_t start = brume_field_index(s, 0, j, k) + half.own;
            turn_cells(s->data + start, solve->work->z->data + start, solve->mean, solve->beta, half.count);
        }
    }
    brume_split_exchange_rows(s, solve->stencil->periodic, k, from, to);
}

static void wrap_turn(void *context)
{
    const Solve *solve = context;
    brume_split_exchange_ends(solve->work->s);
}

// the next direction, with p brought up to date before; returns s.As
static double turn(Solve *solve)
{
    const BrumeStencil *stencil = solve->stencil;
    const BrumeWavefront wave = {
        .context = solve,
        .grid = stencil->grid,
        .stages = 2,
        .parallel = stencil->parallel,
        .whole = stencil->periodic[1],
        .visit = visit_turn,
        .wrap = stencil->periodic[2] ? wrap_turn : NULL,
    };
    brume_wavefront_run(&wave);
    solve->p_stale = false;
    return brume_sum_planes(solve->products, stencil->grid.nz);
}

// brings r and p up to date where they are not
static void catch_up(Solve *solve)
{
    const BrumeGrid grid = solve->stencil->grid;
    if (!solve->stale && !solve->p_stale) {
        return;
    }
#pragma omp parallel for schedule(static) if (solve->stencil->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; solve->p_stale && j <= grid.ny; j++) {
            step_p(solve, j, k);
        }
        if (solve->stale) {
            brume_stencil_step(solve->stencil, solve->work->r, solve->work->s, solve->alpha, k, 1, grid.ny + 1,
                               plane_sum(solve->squares, k, 1));
        }
    }
    solve->stale = false;
    solve->p_stale = false;
}

static Solve begin(const State *mgpcg, BrumePressureWork *work)
{
    const BrumeGrid grid = work->r->grid;
    const size_t planes = (size_t)grid.nz + 1;
    const BrumeComponents *components = work->components;
    const bool flat = components->count == 1 && components->cells[0] == (double)brume_grid_cells(grid);
    brume_split_clear_ghosts(work->z, work->poisson->parallel);
    brume_split_clear_ghosts(work->s, work->poisson->parallel);
    return (Solve){
        .stencil = brume_multigrid_stencil(mgpcg->multigrid),
        .work = work,
        .squares = mgpcg->sums,
        .products = mgpcg->sums + planes,
        .z_sums = mgpcg->sums + 2 * planes,
        .r_sums = mgpcg->sums + 3 * planes,
        .flat = flat,
    };
}

// a step that is not taken yet: its residual is known with the next way down, or here where that would be in vain
static void note_norm(Solve *solve, double *norm, double *rate)
{
    const double last_norm = *norm;
    *norm = sqrt(brume_sum_planes(solve->squares, solve->work->r->grid.nz));
    *rate = *norm / last_norm;
    solve->stale = false;
}

// takes z, as it is, for the next step
static void step_by_cycle(Solve *solve)
{
    BrumeField *z = solve->work->z;
    solve->work->z = solve->work->s;
    solve->work->s = z;
    solve->alpha = 1.0f;
}

// finds the next step along a direction that is conjugate to the last ones; false where rounding has eaten it
static bool step_conjugate(Solve *solve, double product, double last_product)
{
    solve->beta = last_product > 0.0 ? (float)(product / last_product) : 0.0f;
    const double curvature = turn(solve);
    const double alpha = product / curvature;
    solve->alpha = (float)alpha;
    return product > 0.0 && curvature > 0.0 && isfinite((float)alpha);
}

static int iterate(Solve *solve, BrumeMultigrid *multigrid)
{
    const BrumePressureWork *work = solve->work;
    double norm = work->norm;
    double rate = FIRST_RATE;
    double last_product = 0.0;
    int iterations = 0;
    while (iterations < work->budget && norm > work->goal) {
        double product = 0.0;
        if (solve->alone) {
            cycle_alone(solve, multigrid);
        } else {
            product = precondition(solve, multigrid);
        }
        if (solve->stale) {
            note_norm(solve, &norm, &rate);
            if (norm <= work->goal) {
                break;
            }
            if (solve->alone && rate > (iterations > 1 ? SLOW_RATE : SLOW_FIRST_RATE)) {
                solve->alone = false;
                continue;
            }
        }
        if (solve->alone) {
            step_by_cycle(solve);
        } else if (!step_conjugate(solve, product, last_product)) {
            break;
        }
        solve->stale = true;
        solve->p_stale = true;
        last_product = product;
        iterations++;
        if (iterations == work->budget || 0.5 * rate * norm <= work->goal) {
            catch_up(solve);
            note_norm(solve, &norm, &rate);
        }
    }
    catch_up(solve);
    return iterations;
}

static int solve_conjugate(void *state, BrumePressureWork *work)
{
    const State *mgpcg = state;
    Solve solve = begin(mgpcg, work);
    return iterate(&solve, mgpcg->multigrid);
}

static int solve_alone(void *state, BrumePressureWork *work)
{
    const State *mgpcg = state;
    Solve solve = begin(mgpcg, work);
    solve.alone = true;
    return iterate(&solve, mgpcg->multigrid);
}

const BrumePressureMethod brume_pressure_mgpcg = {
    .name = "mgpcg", .create = create, .destroy = destroy, .bytes = bytes, .solve = solve_conjugate};

const BrumePressureMethod brume_pressure_multigrid = {
    .name = "multigrid", .create = create, .destroy = destroy, .bytes = bytes, .solve = solve_alone};

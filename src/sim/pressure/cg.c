// The solver "cg": conjugate gradients without a preconditioner, so that z = r. Its field z holds the product q = A s.
#include "core/domain.h"
#include "core/parallel/simd.h"
#include "sim/pressure/conjugate_gradient.h"
#include "sim/pressure/pressure_internal.h"

typedef struct CgSolve {
    BrumePressureWork *work;
    double square; ///< r.r
} CgSolve;

static double precondition(void *context, double *square)
{
    (void)square;
    const CgSolve *solve = context;
    return solve->square;
}

// s = r + beta s
BRUME_KERNEL static void cg_direction_row(float *restrict s, const float *r, float beta, int nx)
{
    if (beta == 0.0f) {
        for (int i = 1; i <= nx; i++) {
            s[i] = r[i];
        }
        return;
    }
    for (int i = 1; i <= nx; i++) {
        s[i] = r[i] + beta * s[i];
    }
}

static double update_direction(void *context, float beta)
{
    const CgSolve *solve = context;
    const BrumePressureWork *work = solve->work;
    const BrumeGrid grid = work->s->grid;
#pragma omp parallel for schedule(static) if (work->poisson->parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t start = brume_field_index(work->s, 0, j, k);
            cg_direction_row(work->s->data + start, work->r->data + start, beta, grid.nx);
        }
    }
    brume_poisson_fill_ghosts(work->poisson, work->s);
    return brume_poisson_apply(work->poisson, work->z, work->s);
}

// y += alpha x
BRUME_KERNEL static void cg_step_row(float *restrict y, const float *x, float alpha, int nx)
{
    for (int i = 1; i <= nx; i++) {
        y[i] += alpha * x[i];
    }
}

static void step(void *context, float alpha, double *square)
{
    CgSolve *solve = context;
    const BrumePressureWork *work = solve->work;
    const BrumeField *q = work->z;
    const BrumeGrid grid = q->grid;
#pragma omp parallel for schedule(static) if (work->poisson->parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t start = brume_field_index(q, 0, j, k);
            cg_step_row(work->p->data + start, work->s->data + start, alpha, grid.nx);
            cg_step_row(work->r->data + start, q->data + start, -alpha, grid.nx);
        }
    }
    *square = brume_poisson_dot(work->poisson, work->r, work->r);
    solve->square = *square;
}

static int solve_cg(void *state, BrumePressureWork *work)
{
    (void)state;
    CgSolve solve = {.work = work, .square = work->norm * work->norm};
    const BrumeConjugateGradient method = {
        .context = &solve, .precondition = precondition, .update_direction = update_direction, .step = step};
    return brume_conjugate_gradient(&method, solve.square, work->goal * work->goal, work->budget);
}

const BrumePressureMethod brume_pressure_cg = {.name = "cg", .solve = solve_cg};

// The conjugate gradient method (Hestenes and Stiefel 1952), preconditioned or not. One field, z, holds the
// preconditioned residual until the direction has taken it in, then the product q = A s.
#include "core/simd.h"
#include "sim/pressure/pressure_internal.h"

#include <math.h>

// s = z + beta s; with beta 0 whatever s holds is forgotten
BRUME_KERNEL static void turn_row(float *restrict s, const float *z, float beta, int nx)
{
    if (beta == 0.0f) {
        for (int i = 1; i <= nx; i++) {
            s[i] = z[i];
        }
        return;
    }
    for (int i = 1; i <= nx; i++) {
        s[i] = z[i] + beta * s[i];
    }
}

static void turn(const BrumePoisson *poisson, BrumeField *s, const BrumeField *z, float beta)
{
    const BrumeGrid grid = s->grid;
#pragma omp parallel for schedule(static) if (poisson->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t start = brume_field_index(s, 0, j, k);
            turn_row(s->data + start, z->data + start, beta, grid.nx);
        }
    }
    brume_poisson_exchange(poisson, s);
}

// y += alpha x
BRUME_KERNEL static void step_row(float *restrict y, const float *x, float alpha, int nx)
{
    for (int i = 1; i <= nx; i++) {
        y[i] += alpha * x[i];
    }
}

// p += alpha s, r -= alpha q
static void advance(const BrumePressureWork *work, const BrumeField *q, float alpha)
{
    const BrumeGrid grid = q->grid;
#pragma omp parallel for schedule(static) if (work->poisson->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t start = brume_field_index(q, 0, j, k);
            step_row(work->p->data + start, work->s->data + start, alpha, grid.nx);
            step_row(work->r->data + start, q->data + start, -alpha, grid.nx);
        }
    }
}

int brume_conjugate_gradient(BrumePressureWork *work, BrumePreconditioner *precondition, void *state)
{
    const BrumePoisson *poisson = work->poisson;
    BrumeField *q = work->z;
    double squared = work->norm * work->norm;
    double last_product = 0.0;
    int iterations = 0;
    while (iterations < work->budget && squared > work->goal * work->goal) {
        const BrumeField *z = work->r;
        double product = squared; // r.z
        if (precondition) {
            precondition(state, work, work->z, work->r);
            z = work->z;
            product = brume_poisson_dot(poisson, work->r, z);
        }
        turn(poisson, work->s, z, iterations > 0 ? (float)(product / last_product) : 0.0f);
        const double curvature = brume_poisson_apply(poisson, q, work->s);
        const double alpha = product / curvature;
        if (!(product > 0.0) || !(curvature > 0.0) || !isfinite((float)alpha)) {
            break; // rounding has eaten the descent direction
        }
        advance(work, q, (float)alpha);
        squared = brume_poisson_dot(poisson, work->r, work->r);
        last_product = product;
        iterations++;
    }
    return iterations;
}

static int solve(void *state, BrumePressureWork *work)
{
    (void)state;
    return brume_conjugate_gradient(work, NULL, NULL);
}

const BrumePressureMethod brume_pressure_cg = {.name = "cg", .solve = solve};

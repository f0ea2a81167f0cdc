// Successive over-relaxation (Young 1950): red-black sweeps until the residual, looked at now and then, is small. They
// work on the correction A z = r instead of p itself, which comes to the same but rounds less: z is small.
#include "sim/pressure/multigrid/gauss_seidel.h"
#include "sim/pressure/pressure_internal.h"

#include <math.h>

enum { SWEEPS_A_LOOK = 8 }; // a look costs as much as a sweep

// p += z, r = b - Ap; returns |r|_2
static double look(const BrumePressureWork *work)
{
    const BrumeField *z = work->z;
    const BrumeGrid grid = z->grid;
#pragma omp parallel for schedule(static) if (work->poisson->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            brume_poisson_add_row(work->poisson, work->p, z->data + brume_field_index(z, 0, j, k), j, k);
        }
    }
    brume_poisson_exchange(work->poisson, work->p);
    return sqrt(brume_poisson_residual(work->poisson, work->r, work->b, work->p));
}

static int solve(void *state, BrumePressureWork *work)
{
    (void)state;
    const float omega = work->def->over_relaxation;
    int sweeps = 0;
    double norm = work->norm;
    while (sweeps < work->budget && norm > work->goal) {
        brume_gauss_seidel_from_zero(work->poisson, work->z, work->r, 0, omega);
        sweeps++;
        for (int n = 1; n < SWEEPS_A_LOOK && sweeps < work->budget; n++) {
            brume_gauss_seidel(work->poisson, work->z, work->r, 0, omega);
            sweeps++;
        }
        norm = look(work);
    }
    return sweeps;
}

const BrumePressureMethod brume_pressure_relaxation = {.name = "relaxation", .solve = solve};

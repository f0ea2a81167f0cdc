// Successive over-relaxation (Young 1950): red-black sweeps until the residual, looked at now and then, is small.
#include "sim/pressure/gauss_seidel.h"
#include "sim/pressure/pressure_internal.h"

#include <math.h>

enum { SWEEPS_A_LOOK = 4 }; // a look costs as much as half a sweep

static int solve(void *state, BrumePressureWork *work)
{
    (void)state;
    const BrumePoisson *poisson = work->poisson;
    int sweeps = 0;
    double norm = work->norm;
    while (sweeps < work->budget && norm > work->goal) {
        for (int n = 0; n < SWEEPS_A_LOOK && sweeps < work->budget; n++) {
            brume_gauss_seidel(poisson, work->p, work->b, 0, work->def->over_relaxation);
            sweeps++;
        }
        norm = sqrt(brume_poisson_residual(poisson, work->r, work->b, work->p));
    }
    return sweeps;
}

const BrumePressureMethod brume_pressure_relaxation = {.name = "relaxation", .solve = solve};

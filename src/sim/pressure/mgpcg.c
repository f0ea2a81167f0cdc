// Conjugate gradient with one multigrid cycle as preconditioner (McAdams, Sifakis, Teran 2010).
#include "sim/pressure/multigrid.h"
#include "sim/pressure/pressure_internal.h"

static BrumeStatus create(void **state, const BrumePoisson *poisson, bool singular, BrumeError *error)
{
    BrumeMultigrid *multigrid;
    const BrumeStatus status = brume_multigrid_create(&multigrid, poisson, singular, error);
    *state = multigrid;
    return status;
}

static void destroy(void *state) { brume_multigrid_destroy(state); }

static size_t bytes(const void *state) { return brume_multigrid_bytes(state); }

static void precondition(void *state, const BrumePressureWork *work, BrumeField *z, const BrumeField *r)
{
    brume_multigrid_cycle(state, z, r);
    brume_components_remove_mean(work->components, z->data, z->sy, z->sz, true);
}

static int solve(void *state, BrumePressureWork *work) { return brume_conjugate_gradient(work, precondition, state); }

const BrumePressureMethod brume_pressure_mgpcg = {
    .name = "mgpcg", .create = create, .destroy = destroy, .bytes = bytes, .solve = solve};

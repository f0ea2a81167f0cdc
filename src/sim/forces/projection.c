/*
 * Projection (Stam 1999, section 2.3; Stam 2003, project): computes the pressure whose gradient removes the divergence,
 *     lap p = div u / dt,   u <- u - dt grad p.
 */
#include "core/parallel/simd.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/state/state.h"

#include <assert.h>

BRUME_KERNEL static void divergence_row(float *restrict b, const float *u, const float *v, const float *w,
                                        const uint8_t *flags, ptrdiff_t sy, ptrdiff_t sz, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        const float sum = ((u[i + 1] - u[i]) + (v[i + sy] - v[i])) + (w[i + sz] - w[i]);
        b[i] = flags[i] & BRUME_CELL_FLUID ? scale * sum : 0.0f;
    }
}

BRUME_KERNEL static void subtract_gradient_row(float *restrict u, float *restrict v, float *restrict w, const float *p,
                                               ptrdiff_t sy, ptrdiff_t sz, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        u[i] -= scale * (p[i] - p[i - 1]);
        v[i] -= scale * (p[i] - p[i - sy]);
        w[i] -= scale * (p[i] - p[i - sz]);
    }
}

// Writes all faces, also those that no pressure acts on: setting the boundary values afterwards restores them.
static void subtract_gradient(BrumeSim *sim, float scale)
{
    BrumeField *velocity = sim->fields;
    const BrumeField *p = &sim->fields[BRUME_FIELD_PRESSURE];
    const BrumeGrid grid = p->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz + 1; k++) {
        for (int j = 1; j <= grid.ny + 1; j++) {
            const ptrdiff_t c = brume_field_index(p, 1, j, k);
            subtract_gradient_row(velocity[0].data + c, velocity[1].data + c, velocity[2].data + c, p->data + c, p->sy,
                                  p->sz, scale, grid.nx + 1);
        }
    }
}

BrumePressureResult brume_project(BrumeSim *sim, float dt)
{
    assert(dt > 0.0f && brume_holds(sim, BRUME_VALID_CLOSED_FACES));
    const BrumeField *velocity = sim->fields;
    BrumeField *b = &sim->scratch[0];
    const BrumeGrid grid = b->grid;
    const float dt_per_dx = dt / sim->def.dx;
    const float scale = -1.0f / dt_per_dx; // [m/s] -> the right-hand side of A p = b [m^2/s^2]
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t c = brume_field_index(b, 1, j, k);
            divergence_row(b->data + c, velocity[0].data + c, velocity[1].data + c, velocity[2].data + c,
                           sim->geometry->cells.flags + c, b->sy, b->sz, scale, grid.nx);
        }
    }
    const BrumePressureResult result =
        brume_pressure_solve(sim->geometry->pressure, &sim->fields[BRUME_FIELD_PRESSURE], sim->scratch);
    subtract_gradient(sim, dt_per_dx);
    brume_invalidate(sim, BRUME_VALID_MAX_SPEED | BRUME_VALID_DISPLACEMENT);
    brume_set_velocity_boundary(sim);
    return result;
}

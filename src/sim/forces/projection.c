/*
 * Projection (Stam 1999, section 2.3; Stam 2003, project): computes the pressure whose gradient removes the divergence,
 *     lap p = div u / dt,   u <- u - dt grad p,
 * or, where the gradient of the pressure q acts on u already, the difference phi = p - q.
 */
#include "core/field.h"
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

BRUME_KERNEL static void copy_minus_gradient_row(float *restrict to_u, float *restrict to_v, float *restrict to_w,
                                                 const float *u, const float *v, const float *w, const float *p,
                                                 ptrdiff_t sy, ptrdiff_t sz, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        to_u[i] = u[i] - scale * (p[i] - p[i - 1]);
        to_v[i] = v[i] - scale * (p[i] - p[i - sy]);
        to_w[i] = w[i] - scale * (p[i] - p[i - sz]);
    }
}

BRUME_KERNEL static void add_increment_row(float *restrict p, const float *increment, float share, int count)
{
    for (int i = 0; i < count; i++) {
        p[i] = share * p[i] + increment[i];
    }
}

// Writes all faces, also those that no pressure acts on: setting the boundary values afterwards restores them.
static void subtract_gradient(const BrumeField from[3], BrumeField onto[3], const BrumeField *p, float scale)
{
    const BrumeGrid grid = p->grid;
    const bool in_place = from[0].data == onto[0].data;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz + 1; k++) {
        for (int j = 1; j <= grid.ny + 1; j++) {
            const ptrdiff_t c = brume_field_index(p, 1, j, k);
            if (in_place) {
                subtract_gradient_row(onto[0].data + c, onto[1].data + c, onto[2].data + c, p->data + c, p->sy, p->sz,
                                      scale, grid.nx + 1);
            } else {
                copy_minus_gradient_row(onto[0].data + c, onto[1].data + c, onto[2].data + c, from[0].data + c,
                                        from[1].data + c, from[2].data + c, p->data + c, p->sy, p->sz, scale,
                                        grid.nx + 1);
            }
        }
    }
}

void brume_add_pressure_gradient(const BrumeSim *sim, const BrumeField from[3], BrumeField onto[3], float seconds)
{
    subtract_gradient(from, onto, &sim->fields[BRUME_FIELD_PRESSURE], seconds / sim->def.dx);
}

// solves lap phi = div u / dt and subtracts dt grad phi; `phi` is the start of the solve
static BrumePressureResult project(BrumeSim *sim, BrumeField *phi, float dt)
{
    assert(dt > 0.0f && brume_holds(sim, BRUME_VALID_CLOSED_FACES));
    const BrumeField *velocity = sim->fields;
    BrumeField *b = &sim->scratch[0];
    const BrumeGrid grid = b->grid;
    const float dt_per_dx = dt / sim->def.dx;
    const float scale = -1.0f / dt_per_dx; // [m/s] -> the right-hand side of A phi = b [m^2/s^2]
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t c = brume_field_index(b, 1, j, k);
            divergence_row(b->data + c, velocity[0].data + c, velocity[1].data + c, velocity[2].data + c,
                           sim->geometry->cells.flags + c, b->sy, b->sz, scale, grid.nx);
        }
    }
    const BrumePressureResult result = brume_pressure_solve(sim->geometry->pressure, phi, sim->scratch);
    subtract_gradient(sim->fields, sim->fields, phi, dt_per_dx);
    brume_invalidate(sim, BRUME_VALID_MAX_SPEED | BRUME_VALID_DISPLACEMENT);
    brume_set_velocity_boundary(sim);
    brume_establish(sim, BRUME_VALID_DIVERGENCE_FREE);
    return result;
}

BrumePressureResult brume_project(BrumeSim *sim, float dt)
{
    const BrumePressureResult result = project(sim, &sim->fields[BRUME_FIELD_PRESSURE], dt);
    brume_establish(sim, BRUME_VALID_PRESSURE);
    return result;
}

BrumePressureResult brume_project_increment(BrumeSim *sim, float dt, float share)
{
    if (share == 0.0f) {
        return brume_project(sim, dt);
    }
    BrumeField *phi = &sim->scratch[BRUME_PRESSURE_SCRATCH];
    BrumeField *p = &sim->fields[BRUME_FIELD_PRESSURE];
    brume_field_fill(phi, 0.0f);
    const BrumePressureResult result = project(sim, phi, dt);
    const BrumeGrid grid = p->grid;
#pragma omp parallel for schedule(static)
    for (int k = 0; k <= grid.nz + 1; k++) {
        for (int j = 0; j <= grid.ny + 1; j++) {
            const ptrdiff_t c = brume_field_index(p, 0, j, k);
            add_increment_row(p->data + c, phi->data + c, share, grid.nx + 2);
        }
    }
    brume_establish(sim, BRUME_VALID_PRESSURE);
    return result;
}

void brume_make_divergence_free(BrumeSim *sim)
{
    if (brume_holds(sim, BRUME_VALID_DIVERGENCE_FREE)) {
        return;
    }
    BrumeField *phi = &sim->scratch[BRUME_PRESSURE_SCRATCH];
    brume_field_fill(phi, 0.0f);
    (void)project(sim, phi, 1.0f);
}

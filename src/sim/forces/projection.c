/*
 * Projection (Stam 1999, section 2.3; Stam 2003, project): computes the pressure whose gradient removes the divergence,
 *     lap p = div u / dt,   u <- u - dt grad p,
 * or, where the gradient of the pressure q acts on u already, the difference phi = p - q (van Kan 1986).
 * direct_projection.c has the same for direct solvers with all operations fused into two passes.
 */
#include "sim/forces/projection.h"
#include "core/field.h"
#include "core/parallel/simd.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/measures/monitor.h"
#include "sim/pressure/poisson/poisson.h"
#include "sim/state/state.h"

#include <assert.h>
#include <float.h>
#include <math.h>

BRUME_KERNEL static void divergence_row(float *restrict b, const float *u, const float *v, const float *w,
                                        const uint8_t *flags, ptrdiff_t sy, ptrdiff_t sz, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        const float sum = ((u[i + 1] - u[i]) + (v[i + sy] - v[i])) + (w[i + sz] - w[i]);
        b[i] = flags[i] & BRUME_CELL_FLUID ? scale * sum : 0.0f;
    }
}

void brume_divergence_row(const BrumeSim *sim, BrumeField *b, float scale, int j, int k)
{
    const ptrdiff_t c = brume_field_index(b, 1, j, k);
    divergence_row(b->data + c, sim->fields[0].data + c, sim->fields[1].data + c, sim->fields[2].data + c,
                   sim->geometry->cells.flags + c, b->sy, b->sz, scale, b->grid.nx);
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

void brume_add_increment_row(BrumeField *p, const BrumeField *phi, float share, int j, int k)
{
    const ptrdiff_t c = brume_field_index(p, 0, j, k);
    if (share == 0.0f) {
        memcpy(p->data + c, phi->data + c, (size_t)p->sy * sizeof *p->data);
    } else {
        add_increment_row(p->data + c, phi->data + c, share, (int)p->sy);
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

BrumePressureResult brume_project_in_passes(BrumeSim *sim, BrumeField *phi, float dt, bool from_zero)
{
    BrumePressure *pressure = sim->geometry->pressure;
    BrumeField *b = &sim->scratch[0];
    const BrumeGrid grid = b->grid;
    const float dt_per_dx = dt / sim->def.dx;
    const float scale = -1.0f / dt_per_dx; // [m/s] -> the right-hand side of A phi = b [m^2/s^2]
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            brume_divergence_row(sim, b, scale, j, k);
        }
    }
    const BrumePressureResult result = from_zero ? brume_pressure_solve_from_zero(pressure, phi, sim->scratch)
                                                 : brume_pressure_solve(pressure, phi, sim->scratch);
    subtract_gradient(sim->fields, sim->fields, phi, dt_per_dx);
    return result;
}

/*
 * The rounding error of an entry of b, the sum of six face velocities over dt / dx. A velocity of magnitude U is
 * rounded by at most U FLT_EPSILON / 2, with a root mean square of at most U FLT_EPSILON / sqrt(12); the sum of six has
 * sqrt(6) times that, 0.7 U FLT_EPSILON. U is the largest speed of the last measurement.
 */
static double rounding_of_divergence(const BrumeSim *sim, float dt)
{
    const double speed = isfinite(sim->max_speed) ? sim->max_speed : 0.0;
    return sqrt(0.5) * (double)FLT_EPSILON * speed * (double)(sim->def.dx / dt);
}

// Projects the velocity, and adds phi to `share` times the field p; from the start p if `share` is 0 and the solver is
// iterative.
static BrumePressureResult project(BrumeSim *sim, BrumeField *p, float dt, float share)
{
    assert(dt > 0.0f && brume_holds(sim, BRUME_VALID_CLOSED_FACES));
    const bool direct = brume_pressure_direct(sim->geometry->pressure) != NULL;
    brume_pressure_set_rounding(sim->geometry->pressure, rounding_of_divergence(sim, dt));
    BrumePressureResult result;
    if (direct) {
        result = brume_project_directly(sim, p, dt, share);
    } else if (share == 0.0f) {
        result = brume_project_in_passes(sim, p, dt, false);
    } else {
        BrumeField *phi = &sim->scratch[BRUME_PRESSURE_SCRATCH];
        result = brume_project_in_passes(sim, phi, dt, true);
        const BrumeGrid grid = p->grid;
#pragma omp parallel for schedule(static)
        for (int k = 0; k <= grid.nz + 1; k++) {
            for (int j = 0; j <= grid.ny + 1; j++) {
                brume_add_increment_row(p, phi, share, j, k);
            }
        }
    }
    brume_invalidate(sim, BRUME_VALID_DISPLACEMENT | (direct ? 0 : BRUME_VALID_MAX_SPEED));
    brume_set_velocity_boundary(sim);
    brume_establish(sim, BRUME_VALID_DIVERGENCE_FREE);
    if (!direct) {
        (void)brume_measure_flow(sim);
    }
    return result;
}

BrumePressureResult brume_project(BrumeSim *sim, float dt) { return brume_project_increment(sim, dt, 0.0f); }

BrumePressureResult brume_project_increment(BrumeSim *sim, float dt, float share)
{
    const BrumePressureResult result = project(sim, &sim->fields[BRUME_FIELD_PRESSURE], dt, share);
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
    (void)project(sim, phi, 1.0f, 0.0f);
}

/*
 * Implicit diffusion (Stam 1999, section 2.2): (I - D dt lap) x = x0 by backward Euler, stable at any dt. The system is
 * symmetric and close to the identity; conjugate gradients without a preconditioner solve it in a few iterations.
 *
 * Where pressure is solved by `fft`, every wave decays by exp(-D dt / dx^2 times its eigenvalue) instead (Stam 2001):
 * exact in time, and nothing becomes negative or larger than it was, because the eigenvalues are those of the grid.
 *
 * Sides follow the quantity's own boundary rules. Obstacles pass neither heat nor smoke; viscous air sticks to them.
 */
#include "core/field.h"
#include "core/lanes.h"
#include "core/planes.h"
#include "core/simd.h"
#include "sim/sim_internal.h"
#include "sim/spectral/spectral.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-6; // relative residual
enum { MAX_ITERATIONS = 300 };

// which entries are solved for, and with what
typedef struct System {
    const BrumeSim *sim;
    BrumeFieldId id;
    int from[3], to[3]; // the entries inside the sides
    ptrdiff_t sy, sz;
    ptrdiff_t below; // to the cell below a face, 0 for centers
    bool masked;     // whether obstacles cut some of them out
    bool at_center;
    float alpha; // D dt / dx^2
} System;

static System make_system(const BrumeSim *sim, BrumeFieldId id, float alpha)
{
    const BrumeField *field = &sim->fields[id];
    const int location = brume_location(id);
    System system = {
        .sim = sim,
        .id = id,
        .sy = field->sy,
        .sz = field->sz,
        .below = location == BRUME_AT_CENTER ? 0 : brume_stride(field, location),
        .masked = sim->geometry->cells.obstacles,
        .at_center = location == BRUME_AT_CENTER,
        .alpha = alpha,
    };
    for (int axis = 0; axis < 3; axis++) {
        // faces on the sides keep their values
        system.from[axis] = location == axis && !sim->geometry->cells.periodic[axis] ? 2 : 1;
        system.to[axis] = brume_cells_along(field->grid, axis);
    }
    return system;
}

BRUME_KERNEL static void apply_row(float *restrict out, const float *x, ptrdiff_t sy, ptrdiff_t sz, float alpha,
                                   int count)
{
    for (int i = 0; i < count; i++) {
        const float flow = ((x[i] - x[i - 1]) + (x[i] - x[i + 1])) + ((x[i] - x[i - sy]) + (x[i] - x[i + sy])) +
                           ((x[i] - x[i - sz]) + (x[i] - x[i + sz]));
        out[i] = x[i] + alpha * flow;
    }
}

// 1 where a quantity may flow to the neighbour, 0 where that is solid
static inline float passes(uint8_t neighbour) { return neighbour & BRUME_CELL_SOLID ? 0.0f : 1.0f; }

BRUME_KERNEL static void apply_masked_row(float *restrict out, const float *x, const uint8_t *flags, ptrdiff_t below,
                                          ptrdiff_t sy, ptrdiff_t sz, float alpha, int count)
{
    for (int i = 0; i < count; i++) {
        const bool solved = ((flags[i] | flags[i - below]) & BRUME_CELL_SOLID) == 0;
        // centers exchange nothing with solid cells; faces see the value 0 that their solid neighbours hold
        const uint8_t *f = flags + i;
        const bool faces = below != 0;
        const float x_lower = faces ? 1.0f : passes(f[-1]);
        const float x_upper = faces ? 1.0f : passes(f[1]);
        const float y_lower = faces ? 1.0f : passes(f[-sy]);
        const float y_upper = faces ? 1.0f : passes(f[sy]);
        const float z_lower = faces ? 1.0f : passes(f[-sz]);
        const float z_upper = faces ? 1.0f : passes(f[sz]);
        const float flow = (x_lower * (x[i] - x[i - 1]) + x_upper * (x[i] - x[i + 1])) +
                           (y_lower * (x[i] - x[i - sy]) + y_upper * (x[i] - x[i + sy])) +
                           (z_lower * (x[i] - x[i - sz]) + z_upper * (x[i] - x[i + sz]));
        out[i] = solved ? x[i] + alpha * flow : 0.0f;
    }
}

static void apply(const System *system, const float *x, ptrdiff_t c, float *out, int count)
{
    if (system->masked) {
        apply_masked_row(out + c, x + c, system->sim->geometry->cells.flags + c, system->below, system->sy, system->sz,
                         system->alpha, count);
    } else {
        apply_row(out + c, x + c, system->sy, system->sz, system->alpha, count);
    }
}

// the residual x0 - M x at the start x = x0, in r and s; returns r.r and, through `norm`, x0.x0
BRUME_KERNEL static void start_row(float *restrict r, float *restrict s, const float *x, const float *mx,
                                   const uint8_t *flags, ptrdiff_t below, int count)
{
    for (int i = 0; i < count; i++) {
        const bool solved = ((flags[i] | flags[i - below]) & BRUME_CELL_SOLID) == 0;
        r[i] = solved ? x[i] - mx[i] : 0.0f;
        s[i] = r[i];
    }
}

BRUME_KERNEL static double dot_row(const float *a, const float *b, int count) { return brume_dot_row(a, b, count); }

BRUME_KERNEL static void update_row(float *restrict x, float *restrict r, const float *s, const float *q, float step,
                                    int count)
{
    for (int i = 0; i < count; i++) {
        x[i] += step * s[i];
        r[i] -= step * q[i];
    }
}

BRUME_KERNEL static void direct_row(float *restrict s, const float *r, float beta, int count)
{
    for (int i = 0; i < count; i++) {
        s[i] = r[i] + beta * s[i];
    }
}

/** Diffuses quantity `id`, whose boundary is set, by `diffusivity` [m^2/s] over `dt` [s]. */
void brume_diffuse(BrumeSim *sim, BrumeFieldId id, float diffusivity, float dt)
{
    assert(brume_holds(sim, id <= BRUME_FIELD_W ? BRUME_VALID_VELOCITY : BRUME_VALID_SCALAR_GHOSTS));
    BrumeField *x = &sim->fields[id];
    if (diffusivity <= 0.0f || !x->data) {
        return;
    }
    brume_invalidate(sim, id <= BRUME_FIELD_W ? BRUME_VALID_MAX_SPEED : 0);
    const BrumeSpectral *spectral = brume_pressure_spectral(sim->geometry->pressure);
    if (spectral) {
        brume_spectral_diffuse(spectral, x, diffusivity * dt / (sim->def.dx * sim->def.dx));
        brume_set_boundary(sim, id, x);
        return;
    }
    BrumeField *r = &sim->scratch[0];
    BrumeField *s = &sim->scratch[1];
    BrumeField *q = &sim->scratch[2];
    const System system = make_system(sim, id, diffusivity * dt / (sim->def.dx * sim->def.dx));
    const int *from = system.from;
    const int *to = system.to;
    const int count = to[0] - from[0] + 1;
    const int nz = x->grid.nz;
    double *first = sim->planes;
    double *second = sim->planes + nz + 2;
    brume_field_fill(r, 0.0f);
    brume_field_fill(s, 0.0f);
    memset(sim->planes, 0, 2 * (size_t)(nz + 2) * sizeof *sim->planes);

#pragma omp parallel for schedule(static)
    for (int k = from[2]; k <= to[2]; k++) {
        double rr = 0.0;
        double xx = 0.0;
        for (int j = from[1]; j <= to[1]; j++) {
            const ptrdiff_t c = brume_field_index(x, from[0], j, k);
            apply(&system, x->data, c, q->data, count);
            start_row(r->data + c, s->data + c, x->data + c, q->data + c, sim->geometry->cells.flags + c, system.below,
                      count);
            rr += dot_row(r->data + c, r->data + c, count);
            xx += dot_row(x->data + c, x->data + c, count);
        }
        first[k] = rr;
        second[k] = xx;
    }
    double rr = brume_sum_planes(first, nz);
    const double enough = TOLERANCE * TOLERANCE * brume_sum_planes(second, nz);

    for (int iteration = 0; iteration < MAX_ITERATIONS && rr > enough; iteration++) {
        brume_set_sides_homogeneous(sim, id, s);
#pragma omp parallel for schedule(static)
        for (int k = from[2]; k <= to[2]; k++) {
            double sum = 0.0;
            for (int j = from[1]; j <= to[1]; j++) {
                const ptrdiff_t c = brume_field_index(x, from[0], j, k);
                apply(&system, s->data, c, q->data, count);
                sum += dot_row(s->data + c, q->data + c, count);
            }
            first[k] = sum;
        }
        const double sq = brume_sum_planes(first, nz);
        if (!(sq > 0.0)) {
            break;
        }
        const float step = (float)(rr / sq);
#pragma omp parallel for schedule(static)
        for (int k = from[2]; k <= to[2]; k++) {
            double sum = 0.0;
            for (int j = from[1]; j <= to[1]; j++) {
                const ptrdiff_t c = brume_field_index(x, from[0], j, k);
                update_row(x->data + c, r->data + c, s->data + c, q->data + c, step, count);
                sum += dot_row(r->data + c, r->data + c, count);
            }
            first[k] = sum;
        }
        const double previous = rr;
        rr = brume_sum_planes(first, nz);
        const float beta = (float)(rr / previous);
#pragma omp parallel for schedule(static)
        for (int k = from[2]; k <= to[2]; k++) {
            for (int j = from[1]; j <= to[1]; j++) {
                const ptrdiff_t c = brume_field_index(x, from[0], j, k);
                direct_row(s->data + c, r->data + c, beta, count);
            }
        }
    }
    brume_set_boundary(sim, id, x);
}

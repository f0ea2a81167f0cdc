/*
 * Implicit diffusion (Stam 1999, section 2.2): (I - D dt lap) x = x0, backward Euler, stable at any dt. The system is
 * symmetric positive definite and close to the identity: conjugate gradients without a preconditioner solve it in a few
 * iterations.
 *
 * Where `fft` solves for the pressure, every Fourier mode is multiplied by exp(-D dt lambda / dx^2) instead, with
 * lambda its eigenvalue (Stam 2001). That is exact in time, and because lambda is the eigenvalue of the discrete
 * operator, no value becomes negative or exceeds the largest one before.
 *
 * The sides of the box have the boundary conditions of the quantity. Heat and smoke do not diffuse into obstacles; on
 * the faces of obstacles, viscous air has the velocity of the obstacle (no slip).
 */
#include "core/field.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/grid/seven_point.h"
#include "sim/measures/budget.h"
#include "sim/pressure/conjugate_gradient.h"
#include "sim/spectral/spectral.h"
#include "sim/state/state.h"

#include <assert.h>
#include <string.h>

static const double TOLERANCE = 1e-6; // relative residual
enum { MAX_ITERATIONS = 300 };

// The system M x = x0 of one quantity, M = I + alpha A with the 7-point operator A, and the vectors of its solution.
typedef struct DiffusionSystem {
    const BrumeSim *sim;
    BrumeFieldId id;
    BrumeField *x, *r, *s, *q; // solution, residual, direction, M s
    double *partials;          // of each plane (nz+2)
    double square;             // r.r
    int from[3], to[3];        // the unknowns: entries that are not on a side of the box
    int count;                 // of unknowns in a row
    ptrdiff_t below;           // offset of the cell below a face; 0 for a quantity at cell centres
    bool masked;               // whether there are obstacles, whose entries are no unknowns
    float alpha;               // D dt / dx^2
} DiffusionSystem;

static DiffusionSystem make_system(BrumeSim *sim, BrumeFieldId id, float alpha)
{
    BrumeField *field = &sim->fields[id];
    const int location = brume_location(id);
    DiffusionSystem system = {
        .sim = sim,
        .id = id,
        .x = field,
        .r = &sim->scratch[0],
        .s = &sim->scratch[1],
        .q = &sim->scratch[2],
        .partials = sim->planes,
        .below = location == BRUME_AT_CENTER ? 0 : brume_stride(field, location),
        .masked = sim->geometry->cells.obstacles,
        .alpha = alpha,
    };
    for (int axis = 0; axis < 3; axis++) {
        // faces on the sides of the box have given values
        system.from[axis] = location == axis && !sim->geometry->cells.periodic[axis] ? 2 : 1;
        system.to[axis] = brume_cells_along(field->grid, axis);
    }
    system.count = system.to[0] - system.from[0] + 1;
    return system;
}

BRUME_KERNEL static void diffusion_apply_row(float *restrict out, const float *x, ptrdiff_t sy, ptrdiff_t sz,
                                             float alpha, int count)
{
    for (int i = 0; i < count; i++) {
        const float flow = brume_seven_point(x[i], x[i - 1], x[i + 1], x[i - sy], x[i + sy], x[i - sz], x[i + sz]);
        out[i] = x[i] + alpha * flow;
    }
}

// whether neither the cell nor, for a quantity on faces, the cell below the face is solid
static inline bool is_unknown(const uint8_t *flags, ptrdiff_t below)
{
    return ((flags[0] | flags[-below]) & BRUME_CELL_SOLID) == 0;
}

// weight of the face to a neighbour: 0 if the neighbour is solid
static inline float weight_to(uint8_t neighbour) { return neighbour & BRUME_CELL_SOLID ? 0.0f : 1.0f; }

BRUME_KERNEL static void diffusion_apply_masked_row(float *restrict out, const float *x, const uint8_t *flags,
                                                    ptrdiff_t below, ptrdiff_t sy, ptrdiff_t sz, float alpha, int count)
{
    const bool faces = below != 0;
    for (int i = 0; i < count; i++) {
        const uint8_t *f = flags + i;
        // no flow between a cell and a solid one; faces use the value 0 that the faces of obstacles have
        const BrumeFaceWeights weights = {
            .x_lower = faces ? 1.0f : weight_to(f[-1]),
            .x_upper = faces ? 1.0f : weight_to(f[1]),
            .y_lower = faces ? 1.0f : weight_to(f[-sy]),
            .y_upper = faces ? 1.0f : weight_to(f[sy]),
            .z_lower = faces ? 1.0f : weight_to(f[-sz]),
            .z_upper = faces ? 1.0f : weight_to(f[sz]),
        };
        const float flow = brume_seven_point_weighted(x + i, sy, sz, &weights);
        out[i] = is_unknown(f, below) ? x[i] + alpha * flow : 0.0f;
    }
}

// `count` entries of q = M x from entry c on
static void apply_row(const DiffusionSystem *system, const BrumeField *x, ptrdiff_t c)
{
    if (system->masked) {
        diffusion_apply_masked_row(system->q->data + c, x->data + c, system->sim->geometry->cells.flags + c,
                                   system->below, x->sy, x->sz, system->alpha, system->count);
    } else {
        diffusion_apply_row(system->q->data + c, x->data + c, x->sy, x->sz, system->alpha, system->count);
    }
}

// the residual at the start x = x0
BRUME_KERNEL static void diffusion_residual_row(float *restrict r, const float *x, const float *mx,
                                                const uint8_t *flags, ptrdiff_t below, int count)
{
    for (int i = 0; i < count; i++) {
        r[i] = is_unknown(flags + i, below) ? x[i] - mx[i] : 0.0f;
    }
}

BRUME_KERNEL static double diffusion_dot_row(const float *a, const float *b, int count)
{
    return brume_dot_row(a, b, count);
}

BRUME_KERNEL static void diffusion_step_row(float *restrict x, float *restrict r, const float *s, const float *q,
                                            float alpha, int count)
{
    for (int i = 0; i < count; i++) {
        x[i] += alpha * s[i];
        r[i] -= alpha * q[i];
    }
}

BRUME_KERNEL static void diffusion_direction_row(float *restrict s, const float *r, float beta, int count)
{
    if (beta == 0.0f) {
        memcpy(s, r, (size_t)count * sizeof *s);
        return;
    }
    for (int i = 0; i < count; i++) {
        s[i] = r[i] + beta * s[i];
    }
}

// r = x0 - M x0, s = 0; returns the square of the residual norm to reach
static double start(DiffusionSystem *system)
{
    const int nz = system->x->grid.nz;
    double *xx = system->partials + nz + 2;
    brume_field_fill(system->r, 0.0f);
    brume_field_fill(system->s, 0.0f);
    memset(system->partials, 0, 2 * (size_t)(nz + 2) * sizeof *system->partials);
#pragma omp parallel for schedule(static)
    for (int k = system->from[2]; k <= system->to[2]; k++) {
        for (int j = system->from[1]; j <= system->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(system->x, system->from[0], j, k);
            const float *x = system->x->data + c;
            float *r = system->r->data + c;
            apply_row(system, system->x, c);
            diffusion_residual_row(r, x, system->q->data + c, system->sim->geometry->cells.flags + c, system->below,
                                   system->count);
            system->partials[k] += diffusion_dot_row(r, r, system->count);
            xx[k] += diffusion_dot_row(x, x, system->count);
        }
    }
    system->square = brume_sum_planes(system->partials, nz);
    return TOLERANCE * TOLERANCE * brume_sum_planes(xx, nz);
}

// The operations of brume_conjugate_gradient; z = r.
static double precondition(void *context, double *square)
{
    (void)square;
    const DiffusionSystem *system = context;
    return system->square;
}

static double update_direction(void *context, float beta)
{
    const DiffusionSystem *system = context;
    BrumeField *s = system->s;
#pragma omp parallel for schedule(static)
    for (int k = system->from[2]; k <= system->to[2]; k++) {
        for (int j = system->from[1]; j <= system->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(s, system->from[0], j, k);
            diffusion_direction_row(s->data + c, system->r->data + c, beta, system->count);
        }
    }
    brume_set_sides_homogeneous(system->sim, system->id, s);
#pragma omp parallel for schedule(static)
    for (int k = system->from[2]; k <= system->to[2]; k++) {
        double sum = 0.0;
        for (int j = system->from[1]; j <= system->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(s, system->from[0], j, k);
            apply_row(system, s, c);
            sum += diffusion_dot_row(s->data + c, system->q->data + c, system->count);
        }
        system->partials[k] = sum;
    }
    return brume_sum_planes(system->partials, s->grid.nz);
}

static void step(void *context, float alpha, double *square)
{
    DiffusionSystem *system = context;
#pragma omp parallel for schedule(static)
    for (int k = system->from[2]; k <= system->to[2]; k++) {
        double sum = 0.0;
        for (int j = system->from[1]; j <= system->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(system->x, system->from[0], j, k);
            float *r = system->r->data + c;
            diffusion_step_row(system->x->data + c, r, system->s->data + c, system->q->data + c, alpha, system->count);
            sum += diffusion_dot_row(r, r, system->count);
        }
        system->partials[k] = sum;
    }
    system->square = brume_sum_planes(system->partials, system->x->grid.nz);
    *square = system->square;
}

void brume_diffuse(BrumeSim *sim, BrumeFieldId id, float diffusivity, float dt)
{
    assert(brume_holds(sim, id <= BRUME_FIELD_W ? BRUME_VALID_VELOCITY : BRUME_VALID_SCALAR_GHOSTS));
    BrumeField *x = &sim->fields[id];
    if (diffusivity <= 0.0f || !x->data) {
        return;
    }
    brume_invalidate(sim, id <= BRUME_FIELD_W ? BRUME_VALID_MAX_SPEED : 0);
    const float alpha = diffusivity * dt / (sim->def.dx * sim->def.dx);
    const BrumeSpectral *spectral = brume_pressure_spectral(sim->geometry->pressure);
    if (spectral) {
        brume_spectral_diffuse(spectral, x, alpha);
    } else {
        DiffusionSystem system = make_system(sim, id, alpha);
        const double goal = start(&system);
        const BrumeConjugateGradient method = {
            .context = &system, .precondition = precondition, .update_direction = update_direction, .step = step};
        (void)brume_conjugate_gradient(&method, system.square, goal, MAX_ITERATIONS);
    }
    brume_set_boundary(sim, id, x);
    brume_budget_diffused_for(sim, id, (double)diffusivity, (double)dt);
}

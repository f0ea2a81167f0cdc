/*
 * The collocated integrator: Stam's code of 2003 (Real-Time Fluid Dynamics for Games) in three dimensions, with
 * velocity at the centers of the cells. reference/collocated_step.inc has its routines; here are the two types of
 * number for which it is compiled, floats and the fixed point that the paper gives for processors without floating
 * point, and what connects them with the state: the forces and sources of Brume are the sources of the paper.
 *
 * A number in fixed point is a 32-bit integer with def.fraction_bits fractional bits, 9 in the paper. Products are
 * shifted to the right, so that they are rounded down, and quotients towards 0, as by the macros of the paper; products
 * and sums have 64 bits before they are stored, and what does not fit becomes the largest number. In the units of the
 * step, cells and steps, a velocity of 1/512 cell per step is the smallest with 9 bits, and the largest displacement
 * and value is 2^22; temperature is in kelvin, and a density in its own unit. Values are rounded to the nearest number
 * at the start of a step. A state holds floats, which represent the numbers at its end.
 *
 * A pressure that is a checkerboard has no gradient in this arrangement, and a velocity that is one no divergence:
 * neither is changed by a projection.
 */
#include "sim/integrators/centers.h"
#include "sim/integrators/stages.h"

#include "core/field.h"
#include "sim/boundary/boundary.h"
#include "sim/measures/budget.h"
#include "sim/measures/sums.h"
#include "sim/particles/particles.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 20 }; // of each relaxation

typedef struct CollocatedGrid {
    int nx, ny, nz;
    ptrdiff_t stride[3];
    size_t entries;
    int bits; // fractional ones; 0: floats
} CollocatedGrid;

typedef struct CollocatedScalar {
    BrumeFieldId id;
    float diffusivity; // [cells^2 per step]
    float decay;       // the factor of a step
} CollocatedScalar;

#define NUMBER float
#define SUM float
#define OF_TYPE(name) name##_float
static inline float one_float(const CollocatedGrid *g) { return (void)g, 1.0f; }
static inline float narrow_float(float sum) { return sum; }
static inline float multiply_float(const CollocatedGrid *g, float a, float b) { return (void)g, a * b; }
static inline float divide_float(const CollocatedGrid *g, float a, float b) { return (void)g, a / b; }
static inline int whole_float(const CollocatedGrid *g, float a) { return (void)g, (int)a; }
static inline float from_float_float(const CollocatedGrid *g, float value) { return (void)g, value; }
static inline float to_float_float(const CollocatedGrid *g, float number) { return (void)g, number; }
#include "sim/reference/collocated_step.inc"
#undef NUMBER
#undef SUM
#undef OF_TYPE

#define NUMBER int32_t
#define SUM int64_t
#define OF_TYPE(name) name##_fixed
static inline int32_t one_fixed(const CollocatedGrid *g) { return (int32_t)1 << g->bits; }

// -INT32_MIN does not exist
static inline int32_t narrow_fixed(int64_t sum)
{
    return (int32_t)(sum > INT32_MAX ? INT32_MAX : sum < -INT32_MAX ? -INT32_MAX : sum);
}

static inline int32_t multiply_fixed(const CollocatedGrid *g, int32_t a, int32_t b)
{
    return narrow_fixed((int64_t)a * b >> g->bits);
}

static inline int32_t divide_fixed(const CollocatedGrid *g, int32_t a, int32_t b)
{
    return narrow_fixed((int64_t)a * one_fixed(g) / b);
}

static inline int whole_fixed(const CollocatedGrid *g, int64_t a) { return (int)(a >> g->bits); }

static inline int32_t from_float_fixed(const CollocatedGrid *g, float value)
{
    const float scaled = value * (float)one_fixed(g);
    const float largest = 0x1.fffffep30f;
    return isnan(scaled) ? 0 : (int32_t)lrintf(scaled > largest ? largest : scaled < -largest ? -largest : scaled);
}

static inline float to_float_fixed(const CollocatedGrid *g, int32_t number)
{
    return (float)number / (float)one_fixed(g);
}
#include "sim/reference/collocated_step.inc"
#undef NUMBER
#undef SUM
#undef OF_TYPE

static CollocatedGrid grid_of(const BrumeSim *sim)
{
    const BrumeField *u = &sim->fields[BRUME_FIELD_U];
    return (CollocatedGrid){
        .nx = u->grid.nx,
        .ny = u->grid.ny,
        .nz = u->grid.nz,
        .stride = {1, u->sy, u->sz},
        .entries = brume_grid_entries(u->grid),
        .bits = sim->def.fraction_bits,
    };
}

static BrumeStatus add_sources(BrumeStep *step)
{
    brume_find_centers(step->sim);
    brume_move_particles(step->sim, step->sim->fields, step->dt);
    return brume_stage_sources(step);
}

static BrumeStatus step_velocity(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    const CollocatedGrid g = grid_of(sim);
    const float cells_per_mps = (float)step->dt / sim->def.dx;
    const float viscosity = sim->def.viscosity * cells_per_mps / sim->def.dx;
    brume_centers_take_changes(sim);
    (g.bits > 0 ? step_velocity_fixed : step_velocity_float)(&g, sim, cells_per_mps, viscosity);
    brume_establish(sim, BRUME_VALID_PRESSURE);
    brume_centers_to_faces(sim);
    const BrumePressureResult pressure = {.iterations = 2 * SWEEPS, .converged = true}; // all that the method does
    return brume_finish_projection(step, pressure);
}

static BrumeStatus step_scalars(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    const CollocatedGrid g = grid_of(sim);
    const float cells_per_mps = (float)step->dt / sim->def.dx;
    CollocatedScalar scalars[BRUME_SCALAR_COUNT];
    int count = 0;
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        if (brume_has_scalar(sim, scalar)) {
            const BrumeFieldId id = brume_scalar_id(scalar);
            scalars[count++] = (CollocatedScalar){
                .id = id,
                .diffusivity = brume_scalar_diffusivity(&sim->def, id) * cells_per_mps / sim->def.dx,
                .decay = brume_decay_factor(&sim->def, id, step->dt),
            };
        }
    }
    (g.bits > 0 ? step_scalars_fixed : step_scalars_float)(&g, sim, cells_per_mps, count, scalars);
    brume_budget_decayed(sim, step->dt);
    brume_invalidate(sim, BRUME_VALID_SCALAR_GHOSTS);
    brume_set_scalar_ghosts(sim);
    return BRUME_OK;
}

// what is not used, but for the projection of the initial velocity
static void replace_settings(BrumeSimDef *def)
{
    def->advection = "semi-lagrangian";
    def->transport = "semi-lagrangian";
}

const BrumeIntegrator brume_integrator_collocated = {
    .name = "collocated",
    .stages =
        {
            {BRUME_STAGE_EMIT, add_sources},
            {BRUME_STAGE_FORCES, brume_stage_forces},
            {BRUME_STAGE_PROJECTION, step_velocity}, // diffusion and advection too
            {BRUME_STAGE_ADVECT_SCALARS, step_scalars},
        },
    .stage_count = 4,
    .replace_settings = replace_settings,
};

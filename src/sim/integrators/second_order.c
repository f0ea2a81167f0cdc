/*
 * The second-order integrator, the default: the trapezoidal rule along the paths of the air, with one projection a
 * step.
 *
 * The velocity u^n and half of the accelerations at the start of a step are carried along the paths; the other half is
 * added at their ends, and the projection finds the change of the pressure (incremental pressure correction: van Kan
 * 1986; Bell, Colella, Glaz 1989):
 *
 *     c  = u^n + dt/2 (f^n - grad q + nu lap u^n)
 *     u* = c carried along the paths + dt/2 (f^(n+1) - grad q + nu lap u*)
 *     lap phi = div u* / dt,   u^(n+1) = u* - dt grad phi,   p = q + phi
 *
 * with q the pressure of the last step. The paths follow the velocity at the middle of the step, extrapolated from the
 * last two steps; it is free of divergence because both are. A projection removes the specific kinetic energy dt^2
 * |grad phi|^2 / 2; phi is of order dt, so that the loss is of order dt^3 in a unit of time, instead of dt.
 *
 * Reflection (Zehnder, Narain, Thomaszewski 2018), which carries 2 u - u* (u after, u* before the projection), is the
 * same rule with q = p^n. Its pressure then obeys q^(n+1) + q^n = f under a constant force f: an oscillation from step
 * to step that nothing damps. Here p = f after one step.
 *
 * q is the whole pressure of the last step only where that is safe. It is scaled by a share of 1 for displacements of a
 * step up to FULL_SHARE_DISPLACEMENT, and by less beyond, because the gradient of q then acts far from where it was
 * computed; after a solve that ended far from convergence it is 0. With a share of 0 the integrator has the stability
 * of `split`.
 */
#include "sim/integrators/stages.h"

#include "core/domain.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/forces/forces.h"
#include "sim/integrators/hooks.h"
#include "sim/measures/monitor.h"
#include "sim/settings/settings.h"
#include "sim/state/heat.h"
#include "sim/transport/transport.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double FULL_SHARE_DISPLACEMENT = 4.0; // [cells]
static const double LARGEST_RESIDUAL = 0.1;        // relative, of a pressure that acts on the next step
static const double LARGEST_RATIO = 2.0;           // a change of the step length beyond this is extrapolated as this
static const double SMALL_VORTICITY = 5e-3;        // of blocks that are not active [largest speed / dx]
static const double SMALL_BUOYANCY = 5e-5;         // likewise [largest speed^2 / dx]

// the first of the four fields of sim->scratch that the confinement uses: at the start of the paths the fields must not
// overlap the carried velocity, at the end not the velocity along which it was carried
enum { CURL_AT_START = BRUME_SCRATCH_CARRIED + 3, CURL_AT_END = 0 };
_Static_assert((int)CURL_AT_END + 4 <= (int)BRUME_SCRATCH_RESULTS, "the velocity before is read at the end");

BRUME_KERNEL static void extrapolate_row(float *restrict previous, const float *u, float factor, int count)
{
    for (int i = 0; i < count; i++) {
        previous[i] = u[i] + factor * (u[i] - previous[i]);
    }
}

// extrapolates plane k of a component, ghosts included, or only measures it, where `factor` is 0; returns the bits of
// the largest value on its faces
static int32_t extrapolate_plane(BrumeField *previous, const BrumeField *u, int axis, float factor, int k, int32_t max)
{
    const BrumeGrid grid = u->grid;
    for (int j = 0; j <= grid.ny + 1; j++) {
        float *row = previous->data + brume_field_index(u, 0, j, k);
        if (factor != 0.0f) {
            extrapolate_row(row, u->data + brume_field_index(u, 0, j, k), factor, grid.nx + 2);
        }
        if (j >= 1 && j <= grid.ny + (axis == 1) && k >= 1 && k <= grid.nz + (axis == 2)) {
            max = brume_largest_bits(row + 1, grid.nx + (axis == 0), max);
        }
    }
    return max;
}

// as extrapolate_plane for all planes of the three components; returns the largest value [m/s]
static double extrapolate_previous(BrumeSim *sim, float factor)
{
    const BrumeGrid grid = sim->fields[BRUME_FIELD_U].grid;
    double *largest = sim->planes;
#pragma omp parallel for schedule(static)
    for (int k = brume_lowest_plane(grid); k <= brume_highest_plane(grid); k++) {
        int32_t max = 0;
        for (int axis = 0; axis < 3; axis++) {
            max = extrapolate_plane(&sim->previous[axis], &sim->fields[axis], axis, factor, k, max);
        }
        largest[k] = (double)brume_float_of_bits(max);
    }
    return brume_max_planes_with_upper_faces(grid, largest);
}

// r / 2, see below
static float middle_factor(const BrumeSim *sim, double dt)
{
    return (float)(0.5 * brume_fmin(dt / sim->previous_dt, LARGEST_RATIO));
}

/*
 * Sets sim->transport_velocity to the velocity at the middle of the step,
 *     u^(n+1/2) = u^n + r/2 (u^n - u^(n-1)),   r = dt^n / dt^(n-1),
 * which is 1.5 u^n - 0.5 u^(n-1) for equal steps, in sim->previous. It is linear in fields that are free of divergence
 * and hold the prescribed values on closed faces, and therefore has both properties itself; not so where bodies have
 * moved, whose faces are set again, and u^n carries the scalars (carry_scalars). Where the velocity before the last
 * step is not known it is u^n. Returns its largest component [m/s], NaN if a value is not finite.
 */
static double find_transport_velocity(BrumeSim *sim, double dt)
{
    assert(brume_holds(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED | BRUME_VALID_DIVERGENCE_FREE));
    if (!brume_holds(sim, BRUME_VALID_PREVIOUS)) {
        sim->transport_velocity = sim->fields;
        return sim->max_speed;
    }
    brume_invalidate(sim, BRUME_VALID_PREVIOUS);
    sim->transport_velocity = sim->previous;
    const double speed = extrapolate_previous(sim, middle_factor(sim, dt));
    if (brume_holds(sim, BRUME_VALID_PREVIOUS_FLUXES)) {
        return speed;
    }
    brume_set_path_boundary(sim, sim->previous);
    return extrapolate_previous(sim, 0.0f);
}

static float choose_pressure_share(const BrumeSim *sim, double max_speed, double dt)
{
    const double displacement = max_speed * dt / (double)sim->def.dx; // [cells]
    if (sim->pressure_residual > LARGEST_RESIDUAL) {
        return 0.0f;
    }
    return displacement > FULL_SHARE_DISPLACEMENT ? (float)(FULL_SHARE_DISPLACEMENT / displacement) : 1.0f;
}

/*
 * The parts of nu dt [m^2] that act at the start and at the end of the paths. They are halves up to alpha = nu dt /
 * dx^2 = 2, which is a cell Reynolds number of 1 where air moves two cells in a step. Beyond, less acts at the start:
 * halves would change the sign of the shortest waves in each step and damp them less and less.
 */
static float explicit_diffusion(const BrumeStep *step)
{
    const float dx = step->sim->def.dx;
    return brume_fminf(0.5f * step->sim->def.viscosity * (float)step->dt, dx * dx);
}

static float implicit_diffusion(const BrumeStep *step)
{
    return step->sim->def.viscosity * (float)step->dt - explicit_diffusion(step);
}

/*
 * Where the air has no vorticity and no buoyancy its acceleration is a gradient, which the projection finds whatever
 * the velocity before it. There the velocity is extrapolated in time to u + r (u - u_before) = 2 P - u instead of being
 * carried, so that it differs from the carried one at the edge of the active blocks by dt^2 d^2u/dt^2 only. That
 * acceleration is the whole one: neither the old pressure nor a force acts in addition. A force of the embedding
 * program and strokes act everywhere, viscosity moves vorticity into other blocks, and moved bodies change the
 * acceleration.
 */
static bool may_use_active_blocks(const BrumeSim *sim)
{
    return !brume_all_blocks_reason(&sim->def) && isfinite(sim->max_speed) &&
           (!brume_holds(sim, BRUME_VALID_PREVIOUS) || brume_holds(sim, BRUME_VALID_PREVIOUS_FLUXES)) &&
           sim->stroke_count == 0 && !sim->hooks.forces && !sim->bodies_move;
}

// whether there is anything but air: initial smoke or heat, or a source of them
static bool has_scalars(const BrumeSimDef *def)
{
    bool found = false;
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        found = found || brume_emits_smoke(def, kind);
    }
    for (int n = 0; n < def->initial_count; n++) {
        found = found || def->initial[n].quantity == BRUME_INITIAL_TEMPERATURE;
    }
    for (int n = 0; n < def->emitter_count; n++) {
        found = found || brume_emitter_has_scalars(&def->emitters[n]);
    }
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const BrumeFaceDef *face = &def->faces[side];
        found = found || (face->kind == BRUME_INFLOW && face->temperature != 0.0f) ||
                (face->kind == BRUME_WALL && (face->fixed_temperature || face->heat_flux != 0.0f));
    }
    for (int n = 0; n < def->body_count; n++) {
        found = found || def->bodies[n].fixed_temperature || def->bodies[n].heat_flux != 0.0f;
    }
    return found;
}

const char *brume_all_blocks_reason(const BrumeSimDef *def)
{
    return strcmp(def->integrator, brume_integrator_second_order.name) != 0 ? "of the integrator"
           : brume_transport_find(def->transport)->needs_displacement       ? "of the transport scheme"
           : def->viscosity > 0.0f                                          ? "the air is viscous"
           : brume_has_drag(def)                                            ? "drag acts everywhere"
           : !def->active_blocks                                            ? "active_blocks is off"
           : !has_scalars(def)                                              ? "there is neither smoke nor heat"
                                                                            : NULL;
}

// extrapolates the blocks `fresh`, ghosts included; the largest values in them replace smaller `speeds` [m/s]
static void extrapolate_blocks(BrumeSim *sim, float factor, const BrumeBlockSet *fresh, double speeds[3])
{
    const BrumeGrid grid = sim->fields[BRUME_FIELD_U].grid;
    int32_t largest[3] = {0};
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (int k = brume_lowest_plane(grid); k <= brume_highest_plane(grid); k++) {
        for (int j = 0; j <= grid.ny + 1; j++) {
            for (BrumeBlockRun run = {0}; brume_next_block_run(fresh, grid, 0, grid.nx + 1, j, k, &run);) {
                for (int axis = 0; axis < 3; axis++) {
                    const ptrdiff_t c = brume_field_index(&sim->fields[axis], run.first, j, k);
                    const int count = run.last - run.first + 1;
                    extrapolate_row(sim->previous[axis].data + c, sim->fields[axis].data + c, factor, count);
                    largest[axis] = brume_largest_bits(sim->previous[axis].data + c, count, largest[axis]);
                }
            }
        }
    }
    brume_largest_of_ranks(grid, largest, 3);
    for (int axis = 0; axis < 3; axis++) {
        speeds[axis] = brume_fmax(speeds[axis], (double)brume_float_of_bits(largest[axis]));
    }
}

/*
 * As find_transport_velocity, in the blocks that active blocks need: sets their levels. The blocks follow from the
 * displacement; where the velocity at the middle of the step turns out to be larger than that at its start, more blocks
 * are needed, which repeats until none are. Returns the largest speed [m/s] of both.
 */
static double find_partial_velocity(BrumeSim *sim, double dt)
{
    BrumeAdvection *advection = sim->advection;
    const size_t blocks = brume_grid_cells(brume_active_grid(sim->geometry->cells.grid));
    const bool extrapolates = brume_holds(sim, BRUME_VALID_PREVIOUS);
    const float factor = extrapolates ? middle_factor(sim, dt) : 0.0f;
    const double speed = sim->max_speed;
    double speeds[3];
    double found[3];
    brume_invalidate(sim, BRUME_VALID_PREVIOUS);
    sim->transport_velocity = extrapolates ? sim->previous : sim->fields;
    brume_search_active_blocks(sim, (float)(SMALL_VORTICITY * speed),
                               (float)(SMALL_BUOYANCY * speed * speed / (double)sim->def.dx), found);
    memset(advection->extrapolated, 0, blocks);
    do {
        memcpy(speeds, found, sizeof speeds);
        brume_level_blocks(sim, speeds, dt / (double)sim->def.dx);
        for (size_t n = 0; n < blocks; n++) {
            advection->fresh[n] = advection->levels[n] >= BRUME_LEVEL_AROUND && !advection->extrapolated[n];
            advection->extrapolated[n] |= advection->fresh[n];
        }
        const BrumeBlockSet fresh = {advection->fresh, advection->highest, 1, 1};
        if (extrapolates) {
            extrapolate_blocks(sim, factor, &fresh, found);
        }
    } while (memcmp(speeds, found, sizeof speeds) != 0);
    return brume_fmax(speed, brume_fmax(speeds[0], brume_fmax(speeds[1], speeds[2])));
}

BRUME_KERNEL static void extrapolate_end_row(float *restrict to, const float *u, const float *before, float factor,
                                             int count)
{
    for (int i = 0; i < count; i++) {
        const float middle = u[i] + factor * (u[i] - before[i]);
        to[i] = 2.0f * middle - u[i];
    }
}

BRUME_KERNEL static void extrapolate_end_from_middle_row(float *restrict to, const float *u, const float *middle,
                                                         int count)
{
    for (int i = 0; i < count; i++) {
        to[i] = 2.0f * middle[i] - u[i];
    }
}

// sets the velocity at the end of the step in all blocks that are not active
static void extrapolate_to_end(BrumeSim *sim, double dt, BrumeField to[3])
{
    const bool extrapolates = sim->transport_velocity == sim->previous;
    const float factor = extrapolates ? middle_factor(sim, dt) : 0.0f;
    const BrumeBlockSet idle = brume_blocks_of_levels(sim, BRUME_LEVEL_IDLE, BRUME_LEVEL_IDLE);
    const BrumeBlockSet around = brume_blocks_of_levels(sim, BRUME_LEVEL_AROUND, BRUME_LEVEL_MARGIN);
    for (int axis = 0; axis < 3; axis++) {
        const BrumeGrid grid = to[axis].grid;
        const BrumeGrid entries = brume_advected_entries(sim, axis);
        const float *u = sim->fields[axis].data;
        const float *middle = sim->transport_velocity[axis].data;
#pragma omp parallel for schedule(static)
        for (int k = brume_first_plane(grid); k <= brume_planes_to(grid, entries.nz); k++) {
            for (int j = 1; j <= entries.ny; j++) {
                for (BrumeBlockRun run = {0}; brume_next_block_run(&idle, grid, 1, entries.nx, j, k, &run);) {
                    const ptrdiff_t c = brume_field_index(&to[axis], run.first, j, k);
                    extrapolate_end_row(to[axis].data + c, u + c, middle + c, factor, run.last - run.first + 1);
                }
                for (BrumeBlockRun run = {0}; brume_next_block_run(&around, grid, 1, entries.nx, j, k, &run);) {
                    const ptrdiff_t c = brume_field_index(&to[axis], run.first, j, k);
                    extrapolate_end_from_middle_row(to[axis].data + c, u + c, middle + c, run.last - run.first + 1);
                }
            }
        }
    }
}

// the transport velocity, the share of the pressure and the active blocks; returns the largest speed [m/s]
static double find_paths(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    BrumeAdvection *advection = sim->advection;
    step->partial = may_use_active_blocks(sim);
    const double speed = step->partial ? find_partial_velocity(sim, step->dt) : find_transport_velocity(sim, step->dt);
    step->pressure_share = choose_pressure_share(sim, speed, step->dt);
    step->active = brume_blocks_of_levels(sim, BRUME_LEVEL_ACTIVE, BRUME_LEVEL_ACTIVE);
    advection->partial = step->partial;
    return speed;
}

// half of the forces at the start of the paths, and the paths
static void carry_from_start(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    BrumeField *carried = &sim->scratch[BRUME_SCRATCH_CARRIED];
    BrumeField *results = &sim->scratch[BRUME_SCRATCH_RESULTS];
    const float half = 0.5f * (float)step->dt;
    const double speed = find_paths(step);
    const BrumeBlockSet of_paths = brume_blocks_of_levels(sim, BRUME_LEVEL_AROUND, BRUME_LEVEL_ACTIVE);
    const BrumeBlockSet of_forces = brume_blocks_of_levels(sim, BRUME_LEVEL_MARGIN, BRUME_LEVEL_ACTIVE);
    const BrumeBlockSet *around = step->partial ? &of_paths : NULL;
    brume_add_pressure_gradient(sim, sim->fields, carried, step->pressure_share * half, around);
    brume_add_baroclinic(sim, carried, step->pressure_share * half, around);
    brume_add_vorticity_confinement(sim, sim->transport_velocity, carried, &sim->scratch[CURL_AT_START], step->dt,
                                    speed, 0.5f, step->partial ? &of_forces : NULL, around);
    brume_add_buoyancy(sim, carried, half, around);
    for (int id = BRUME_FIELD_U; id <= BRUME_FIELD_W; id++) {
        brume_add_diffusion(sim, &sim->fields[id], &carried[id], (BrumeFieldId)id, explicit_diffusion(step));
    }
    brume_set_carried_boundary(sim, carried);
    brume_advect_velocity(sim, sim->transport_velocity, carried, speed, (float)step->dt, results);
    if (step->partial) {
        extrapolate_to_end(sim, step->dt, results);
        if (step->pressure_share != 1.0f) { // the projection finds the rest of the pressure everywhere
            const BrumeBlockSet others = brume_blocks_of_levels(sim, BRUME_LEVEL_IDLE, BRUME_LEVEL_MARGIN);
            brume_add_pressure_gradient(sim, results, results, -(1.0f - step->pressure_share) * (float)step->dt,
                                        &others);
        }
    }
}

// the carried velocity becomes the state's, and the state's becomes the previous one
static void exchange_velocities(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    const bool extrapolated = sim->transport_velocity == sim->previous;
    for (int axis = 0; axis < 3; axis++) {
        brume_field_swap(&sim->fields[axis], &sim->scratch[BRUME_SCRATCH_RESULTS + axis]);
        brume_field_swap(&sim->previous[axis], &sim->scratch[BRUME_SCRATCH_RESULTS + axis]);
    }
    sim->transport_velocity =
        extrapolated ? &sim->scratch[BRUME_SCRATCH_RESULTS] : sim->previous; // for the forces at the ends of the paths
    sim->previous_dt = step->dt;
    sim->advection->partial = false;
    brume_invalidate(sim, BRUME_VALID_MAX_SPEED | BRUME_VALID_DIVERGENCE_FREE);
    brume_establish(sim, BRUME_VALID_PREVIOUS | BRUME_VALID_PREVIOUS_FLUXES);
}

// the other half of the forces, at the ends of the paths
static void add_forces_at_end(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    const float half = 0.5f * (float)step->dt;
    const BrumeBlockSet *active = brume_step_active(step);
    const BrumeBlockSet margin = brume_blocks_of_levels(sim, BRUME_LEVEL_MARGIN, BRUME_LEVEL_ACTIVE);
    brume_add_pressure_gradient(sim, sim->fields, sim->fields, step->pressure_share * half, active);
    brume_add_baroclinic(sim, sim->fields, step->pressure_share * half, active);
    brume_add_vorticity_confinement(sim, sim->transport_velocity, sim->fields, &sim->scratch[CURL_AT_END], step->dt,
                                    step->initial_speed, 0.5f, active, active ? &margin : NULL);
    brume_add_buoyancy(sim, sim->fields, half, active);
}

static void diffuse_velocity_at_end(BrumeStep *step)
{
    for (int id = BRUME_FIELD_U; id <= BRUME_FIELD_W; id++) {
        (void)brume_solve_diffusion(step->sim, (BrumeFieldId)id, &step->sim->fields[id], implicit_diffusion(step),
                                    step->sim->def.viscosity * (float)step->dt);
    }
}

/*
 * The pressure of a simulation that has taken no step: the pressure of the first step, computed without an old
 * pressure. The velocity is then restored. Sources act from the step itself on.
 */
static void find_initial_pressure(const BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    BrumeStep trial = *step;
    carry_from_start(&trial);
    exchange_velocities(&trial);
    add_forces_at_end(&trial);
    brume_set_velocity_boundary(sim);
    diffuse_velocity_at_end(&trial);
    sim->pressure_residual = brume_project(sim, (float)step->dt).residual;
    for (int axis = 0; axis < 3; axis++) {
        brume_field_swap(&sim->fields[axis], &sim->previous[axis]);
    }
    (void)brume_measure_flow(sim);
    brume_invalidate(sim, BRUME_VALID_PREVIOUS);
    brume_establish(sim, BRUME_VALID_VELOCITY | BRUME_VALID_DIVERGENCE_FREE);
}

static BrumeStatus carry_velocity(BrumeStep *step)
{
    if (!brume_holds(step->sim, BRUME_VALID_PRESSURE)) {
        find_initial_pressure(step);
    }
    carry_from_start(step);
    return BRUME_OK;
}

static BrumeStatus carry_scalars(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    const BrumeField *of_paths = sim->transport_velocity;
    // of_paths is not free of divergence, or has not the divergence of the expansion
    if (!brume_holds(sim, BRUME_VALID_PREVIOUS_FLUXES) || brume_has_fuel(&sim->def)) {
        sim->transport_velocity = sim->fields;
    }
    const BrumeStatus status = brume_stage_advect_scalars(step);
    sim->transport_velocity = of_paths;
    exchange_velocities(step);
    return status;
}

static BrumeStatus add_forces(BrumeStep *step)
{
    // before the forces: the buoyancy at the end of the step follows from the temperature at the end of the step
    brume_diffuse_scalars(step->sim, (float)step->dt);
    add_forces_at_end(step);
    return brume_finish_forces(step);
}

static BrumeStatus diffuse(BrumeStep *step)
{
    diffuse_velocity_at_end(step);
    return BRUME_OK;
}

static BrumeStatus project(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    brume_stabilize_backflow(sim, (float)step->dt, brume_step_active(step));
    return brume_finish_projection(step, brume_project_increment(sim, (float)step->dt, step->pressure_share));
}

const BrumeIntegrator brume_integrator_second_order = {
    .name = "second-order",
    .stages =
        {
            {BRUME_STAGE_ADVECT_VELOCITY, carry_velocity},
            {BRUME_STAGE_ADVECT_SCALARS, carry_scalars},
            {BRUME_STAGE_EMIT, brume_stage_sources},
            {BRUME_STAGE_FORCES, add_forces},
            {BRUME_STAGE_DIFFUSION, diffuse},
            {BRUME_STAGE_PROJECTION, project},
        },
    .stage_count = 6,
};

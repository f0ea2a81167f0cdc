/*
 * Bounds are followed through a run: the range of each scalar contains the initial values and grows by values that
 * sources can add; the bound of the velocity grows by accelerations times time. Hooks of the simulation see every step.
 *
 * Tolerances of a scalar whose largest magnitude is M:
 *   - Transport in flux form stores V q with V = 1 - dt div u, so that a step multiplies values by up to 1 + dt max
 *     |div u|, with the velocity of the transport (docs/transport.md). The divergence is measured.
 *   - Rounding: ROUNDING M for each step.
 *   - The solve of diffusion stops at 1e-5 of the increment in the Euclidean norm: DIFFUSION M for each step.
 * Transport by `accounting` adds arriving amounts and has no upper bound: only the sign of its results is checked.
 */
#include "scene_check.h"

#include "brume/measures.h"
#include "brume/threads.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/cut_walls.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/forces/strokes.h"
#include "sim/integrators/integrator.h"
#include "sim/lifecycle/far_field.h"
#include "sim/measures/sealed_inflow.h"
#include "sim/state/heat.h"
#include "sim/state/state.h"
#include "sim/transport/transport.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double ROUNDING = 4e-6;
static const double DIFFUSION = 2e-5;
static const double HOTTEST = 12000.0;          // gas of the largest heat [K]
static const double LARGEST_UNACCOUNTED = 1e-3; // of a scalar, over the sum of all amounts of its budget
static const double LARGEST_ENERGY = 2.0;       // root mean square speed over its bound
static const double LARGEST_SPEED =
    8.0; // largest speed over its bound: air accelerates where it is displaced through gaps

/** Values between which a scalar must be. */
typedef struct Range {
    double low, high;
    double tolerance; ///< how far it may be outside
} Range;

/** A run under observation. */
typedef struct Run {
    BrumeSim *sim;
    SceneCheck *check;
    Range ranges[BRUME_SCALAR_COUNT];
    double buoyancy;        ///< largest buoyant acceleration of the present step so far [m/s^2]
    double dt;              ///< of the present step; 0 before its sources [s]
    double stretch;         ///< dt max |div u| over dt of the last transport [1/s]
    double source_speed;    ///< largest speed that sides, bodies, emitters, strokes or the wind prescribe [m/s]
    double gap_speed;       ///< of the air of an enclosed inflow through one face, which a body may open [m/s]
    double displaced_rms;   ///< root mean square of the flow that the boundary drives, where computed [m/s]
    double displaced_speed; ///< likewise, the largest speed [m/s]
    double initial_rms;     ///< root mean square of the initial velocity [m/s]
    double initial_speed;   ///< [m/s]
    double rms;             ///< at the end of the last frame [m/s]
    double fastest;         ///< likewise, the largest speed [m/s]
    double gained;          ///< accelerations times time so far [m/s]
    double gained_fastest;  ///< the same for the largest speed [m/s]
    bool other_transport;   ///< whether a frame had a transport scheme that is not in flux form
    bool bounded;           ///< whether a transport followed a pressure solve that had missed its tolerance
    const char *last_stage; ///< the stage after which the state was last within its bounds
} Run;

static void fail_check(const Run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fail_check(const Run *run, const char *format, ...)
{
    SceneCheck *check = run->check;
    if (check->fault[0] != '\0') {
        return; // the first fault counts
    }
    const int size = snprintf(check->fault, sizeof check->fault, "frame %d, step %d: ", brume_sim_frames(run->sim) + 1,
                              run->sim->steps + 1);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(check->fault + size, sizeof check->fault - (size_t)size, format, args);
    va_end(args);
}

static BrumeFieldId id_of(int scalar) { return (BrumeFieldId)(BRUME_FIELD_TEMPERATURE + scalar); }

static int scalar_count(const BrumeSim *sim) { return 2 + sim->def.color_count; }

static double magnitude(const Range *range) { return fmax(fabs(range->low), fabs(range->high)); }

static void include(Range *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

static void widen(Range *range, double change)
{
    range->low += fmin(change, 0.0);
    range->high += fmax(change, 0.0);
}

// the range of a scalar in the fluid cells; false if a value is not finite
static bool find_range(const BrumeSim *sim, BrumeFieldId id, double *low, double *high)
{
    const BrumeField *field = &sim->fields[id];
    const uint8_t *flags = sim->geometry->cells.flags;
    const BrumeGrid grid = field->grid;
    bool finite = true;
    *low = INFINITY;
    *high = -INFINITY;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(field, i, j, k);
                if (flags[c] & BRUME_CELL_FLUID) {
                    const double value = (double)field->data[c];
                    finite = finite && isfinite(value);
                    *low = fmin(*low, value);
                    *high = fmax(*high, value);
                }
            }
        }
    }
    return finite;
}

static bool has_upper_bound(const BrumeSim *sim) { return strcmp(sim->def.transport, "accounting") != 0; }

// the distance of the numbers of 16 bits from a magnitude to the next
static double half_spacing(double value) { return ldexp(1.0, (value >= 0x1p-14 ? ilogb(value) : -14) - 10); }

// The range in numbers of 16 bits, to which the values of a step are rounded up or down.
static void include_halves(Range *range)
{
    const double low = half_spacing(fabs(range->low));
    const double high = half_spacing(fabs(range->high));
    range->low = floor(range->low / low) * low;
    range->high = ceil(range->high / high) * high;
}

static void check_scalars(Run *run, const char *stage)
{
    for (int n = 0; n < scalar_count(run->sim); n++) {
        Range *range = &run->ranges[n];
        double low;
        double high;
        if (!find_range(run->sim, id_of(n), &low, &high)) {
            fail_check(run, "%s is not finite after '%s'", brume_scalar_name(n), stage);
            continue;
        }
        if (brume_has_fuel(&run->sim->def) || brume_has_vapor(&run->sim->def)) { // no other bounds
            if (n == 0 && high > HOTTEST) {
                fail_check(run, "the gas has %.9g K above ambient after '%s'", high, stage);
            }
            continue;
        }
        if (low > high) { // no fluid cell
            continue;
        }
        if (!has_upper_bound(run->sim)) { // its result is the start of the next scheme
            include(range, high);
            if (range->low < 0.0 || low >= 0.0) {
                include(range, low);
            }
        }
        const double above = high - range->high;
        const double below = (has_upper_bound(run->sim) ? range->low : fmin(range->low, 0.0)) - low;
        const double excess = fmax(above, below);
        const double scale = fmax(magnitude(range), (double)FLT_MIN);
        run->check->excess = fmax(run->check->excess, excess / scale);
        const bool halves = run->sim->def.storage == BRUME_STORAGE_HALF && magnitude(range) > 0.0;
        // the rounding of this step; that of the steps before is in the range
        const double tolerance = range->tolerance + (halves ? half_spacing(magnitude(range)) : 0.0);
        run->check->tolerance = fmax(run->check->tolerance, tolerance / scale);
        if (excess > tolerance) {
            fail_check(run, "%s from %.8g to %.8g after '%s', sources from %.8g to %.8g, tolerance %.3g",
                       brume_scalar_name(n), low, high, stage, range->low, range->high, tolerance);
        }
    }
    run->last_stage = stage;
}

// the largest |div u| of the velocity along which scalars have been transported [1/s]
static double find_divergence(const BrumeSim *sim)
{
    const BrumeField *velocity = sim->transport_velocity;
    const uint8_t *flags = sim->geometry->cells.flags;
    const BrumeGrid grid = velocity[0].grid;
    double largest = 0.0;
    brume_exchange_wall_fluxes(sim, velocity);
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(&velocity[0], i, j, k);
                double sum = 0.0;
                for (int axis = 0; axis < 3; axis++) {
                    const float *u = velocity[axis].data + c;
                    sum += (double)u[brume_stride(&velocity[axis], axis)] - (double)u[0];
                }
                largest = flags[c] & BRUME_CELL_FLUID ? fmax(largest, fabs(sum)) : largest;
            }
        }
    }
    brume_restore_wall_velocities(sim, velocity);
    return largest / (double)sim->def.dx;
}

// the values of a source of a kind in an emitter: of smoke, or of temperature
static BrumeSource source_of(const BrumeEmitterDef *emitter, int scalar)
{
    return scalar == 0 ? emitter->temperature : emitter->smoke[scalar - 1];
}

static void widen_by_emitters(const BrumeSim *sim, int scalar, double dt, Range *range)
{
    for (int n = 0; n < sim->def.emitter_count; n++) {
        const BrumeEmitterDef *emitter = &sim->def.emitters[n];
        const double seconds = fmin(sim->time + dt, (double)emitter->end) - fmax(sim->time, (double)emitter->start);
        const BrumeSource source = source_of(emitter, scalar);
        const double value = (double)source.value;
        for (int sign = -1; seconds > 0.0 && sign <= 1; sign += 2) {
            const double factor = 1.0 + sign * (double)emitter->noise;
            if (source.mode == BRUME_SOURCE_SET) {
                include(range, factor * value);
            } else if (source.mode == BRUME_SOURCE_RATE && sign > 0) {
                widen(range, factor * value * seconds);
            }
        }
    }
}

static float decay_of(const BrumeSimDef *def, int scalar)
{
    return scalar == 0 ? def->cooling : def->smoke[scalar - 1].dissipation;
}

static float diffusivity_of(const BrumeSimDef *def, int scalar)
{
    return scalar == 0 ? def->thermal_diffusivity : def->smoke[scalar - 1].diffusivity;
}

// the values that sides, bodies and strokes impose
static void include_sources(const BrumeSim *sim, int scalar, Range *range)
{
    const BrumeSimDef *def = brume_sim_settings(sim);
    const bool heat = scalar == 0 && def->thermal_diffusivity > 0.0f;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const BrumeFaceDef *face = &def->faces[side];
        if (face->kind == BRUME_OPEN) {
            include(range, 0.0);
        } else if (face->kind == BRUME_INFLOW) {
            include(range, (double)(scalar == 0 ? face->temperature : face->smoke[scalar - 1]));
        } else if (face->kind == BRUME_WALL && face->fixed_temperature) {
            include(range, heat ? (double)face->temperature : range->low);
        }
    }
    for (int n = 0; n < def->body_count; n++) {
        if (heat && def->bodies[n].fixed_temperature) {
            include(range, (double)def->bodies[n].temperature);
        }
    }
    for (int n = 0; n < sim->stroke_count; n++) {
        const BrumeStroke *stroke = &sim->strokes[n];
        const float amount = scalar == 0 ? stroke->temperature : stroke->smoke[scalar - 1];
        include(range, amount != 0.0f ? (double)amount : range->high);
        include(range, stroke->erase > 0.0f ? 0.0 : range->high);
    }
    if (decay_of(def, scalar) > 0.0f || sim->bodies_move) { // uncovered cells without neighbors in the air are 0
        include(range, 0.0);
    }
}

// walls with a heat flux change the cells at them, a corner by up to three walls
static void widen_by_heat_fluxes(const BrumeSimDef *def, double dt, Range *range)
{
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const BrumeFaceDef *face = &def->faces[side];
        if (face->kind == BRUME_WALL && !face->fixed_temperature) {
            widen(range, (double)face->heat_flux * dt / (double)def->dx);
        }
    }
}

// widens the ranges by a step of dt [s] that has transported the scalars already, or will
static void widen_ranges(Run *run, double dt)
{
    const BrumeSim *sim = run->sim;
    const bool flux_form = brume_transport_is_exact(sim);
    for (int n = 0; n < scalar_count(sim); n++) {
        Range *range = &run->ranges[n];
        if (sim->def.storage == BRUME_STORAGE_HALF) {
            include_halves(range);
        }
        include_sources(sim, n, range);
        if (flux_form) {
            range->tolerance += expm1(dt * run->stretch) * (magnitude(range) + range->tolerance);
        }
        widen_by_emitters(sim, n, dt, range);
        if (decay_of(&sim->def, n) < 0.0f && range->high > 0.0) { // smoke grows up to 1
            include(range, 1.0);
        }
        if (n == 0) {
            widen_by_heat_fluxes(&sim->def, dt, range);
        }
        range->tolerance += ROUNDING * magnitude(range);
        if (diffusivity_of(&sim->def, n) > 0.0f) {
            range->tolerance += DIFFUSION * magnitude(range);
        }
    }
}

// the largest buoyant acceleration [m/s^2]
static double buoyancy(const Run *run)
{
    const BrumeSimDef *def = &run->sim->def;
    double sum = 0.0;
    for (int n = 0; n < scalar_count(run->sim); n++) {
        double low;
        double high;
        (void)find_range(run->sim, id_of(n), &low, &high);
        const double factor = (double)(n == 0 ? def->thermal_expansion : fabsf(brume_smoke_weight(def, n - 1)));
        sum += low <= high ? factor * fmax(fabs(low), fabs(high)) : 0.0;
    }
    return sum * (double)brume_length(def->gravity);
}

// the largest speed that is prescribed
static void find_source_speed(Run *run)
{
    const BrumeSim *sim = run->sim;
    const BrumeSimDef *def = brume_sim_settings(sim); // of the whole box
    const BrumeSim *whole = sim->far ? sim->far->coarse : sim;
    double speed = (double)brume_length(def->wind);
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const BrumeFaceDef *face = &def->faces[side];
        if (face->kind == BRUME_INFLOW || (face->kind == BRUME_WALL && face->no_slip)) {
            speed = fmax(speed, (double)brume_length(face->velocity));
        }
        if (face->kind == BRUME_INFLOW) {
            const double factor = (double)whole->geometry->inflows.largest[side]; // of the profile
            speed = fmax(speed, factor * (double)brume_length(face->velocity));
        }
    }
    for (int n = 0; n < def->body_count; n++) {
        speed = fmax(speed, brume_body_speed(sim, n));
    }
    for (int n = 0; n < def->emitter_count; n++) {
        if (def->emitters[n].velocity.mode == BRUME_SOURCE_SET) {
            speed = fmax(speed, (double)brume_length(def->emitters[n].velocity.value));
        }
    }
    for (int n = 0; n < sim->stroke_count; n++) {
        speed = fmax(speed, brume_stroke_speed(&sim->strokes[n], def->dx));
    }
    run->source_speed = fmax(run->source_speed, speed);
    BrumeSealedInflow inflow;
    if (brume_find_sealed_inflow(sim, &inflow)) {
        run->gap_speed = fmax(run->gap_speed, fabs(inflow.flux) / ((double)sim->def.dx * (double)sim->def.dx));
    }
}

// adds accelerations times dt to the bound of the velocity
static void add_work(Run *run, double dt)
{
    const BrumeSimDef *def = &run->sim->def;
    run->buoyancy = fmax(run->buoyancy, buoyancy(run)); // half of it acts at the start, before decay
    run->dt = dt;
    double acceleration = run->buoyancy;
    for (int n = 0; n < def->emitter_count; n++) {
        const BrumeVectorSource *source = &def->emitters[n].velocity;
        acceleration += source->mode == BRUME_SOURCE_RATE ? (double)brume_length(source->value) : 0.0;
    }
    // |f| = epsilon dx |omega|, and dx |omega| is at most sqrt(3) |u| in the mean square, 2 sqrt(3) max |u| at a point
    const double confinement = fmin((double)def->vorticity_confinement * dt, 0.5) * sqrt(3.0);
    run->gained += acceleration * dt + confinement * run->rms;
    run->gained_fastest += acceleration * dt + 2.0 * confinement * run->fastest;
}

// at the end of a step: half of the buoyancy follows from the new temperature, which walls may have raised meanwhile
static void add_late_work(Run *run)
{
    const double late = buoyancy(run);
    if (late > run->buoyancy) {
        run->gained += (late - run->buoyancy) * run->dt;
        run->gained_fastest += (late - run->buoyancy) * run->dt;
        run->buoyancy = late;
    }
}

static void measure_velocity(Run *run)
{
    BrumeMeasures measures;
    brume_sim_measure(run->sim, &measures);
    if (!isfinite(measures.kinetic_energy) || !isfinite(measures.max_speed)) {
        fail_check(run, "the velocity is not finite");
    }
    run->rms = sqrt(2.0 * measures.mean_kinetic_energy);
    run->fastest = measures.max_speed;
}

/*
 * Adds the flow without vorticity that the boundary drives at this moment to the sources: of all flows that the
 * boundary allows it has the least energy (Kelvin 1849; Lamb, "Hydrodynamics", section 45), and air that bodies
 * displace through a gap is faster in it than they are. It takes a solve, and is only computed where a bound does not
 * hold without it.
 */
static void add_displaced_air(Run *run)
{
    BrumeError error = {.status = BRUME_OK};
    BrumeSim *copy = NULL;
    const size_t size = brume_sim_saved_size(run->sim);
    void *bytes = brume_alloc(size, 1);
    if (bytes && brume_sim_save(run->sim, bytes, size, &error) == BRUME_OK &&
        brume_sim_create_saved(&copy, bytes, size, &error) == BRUME_OK) {
        BrumeMeasures measures;
        for (int axis = 0; axis < 3; axis++) {
            brume_field_fill(&copy->fields[axis], 0.0f);
        }
        brume_set_velocity_boundary(copy);
        (void)brume_project(copy, 1.0f);
        brume_sim_measure(copy, &measures);
        run->displaced_rms = fmax(run->displaced_rms, sqrt(2.0 * measures.mean_kinetic_energy));
        run->displaced_speed = fmax(run->displaced_speed, measures.max_speed);
    }
    brume_sim_destroy(copy);
    brume_free(bytes);
}

static double rms_bound(const Run *run)
{
    return run->initial_rms + run->source_speed + run->displaced_rms + run->gained;
}

static double speed_bound(const Run *run)
{
    return run->initial_speed + run->source_speed + run->displaced_speed + run->gained_fastest;
}

static void check_velocity(Run *run)
{
    add_late_work(run);
    measure_velocity(run);
    // neither gas that expands nor air that particles move has another bound than that it is finite
    if (brume_has_fuel(&run->sim->def) || run->sim->def.particles[BRUME_PARTICLE_EMBERS].reacts) {
        return;
    }
    const double fastest = run->fastest - run->gap_speed;
    if (run->rms > LARGEST_ENERGY * rms_bound(run) || fastest > LARGEST_SPEED * speed_bound(run)) {
        add_displaced_air(run);
    }
    SceneCheck *check = run->check;
    check->dissipation = rms_bound(run) > 0.0 ? run->rms / rms_bound(run) : 0.0;
    check->energy = fmax(check->energy, check->dissipation);
    check->speed = fmax(check->speed, speed_bound(run) > 0.0 ? fastest / speed_bound(run) : 0.0);
    if (run->rms > LARGEST_ENERGY * rms_bound(run)) {
        fail_check(
            run,
            "root mean square speed %.5g m/s; initially %.5g, sources %.5g, displaced air %.5g, forces times time %.5g",
            run->rms, run->initial_rms, run->source_speed, run->displaced_rms, run->gained);
    }
    if (fastest > LARGEST_SPEED * speed_bound(run)) {
        fail_check(
            run, "speed %.5g m/s; initially %.5g, sources %.5g, displaced air %.5g, gaps %.5g, forces times time %.5g",
            run->fastest, run->initial_speed, run->source_speed, run->displaced_speed, run->gap_speed,
            run->gained_fastest);
    }
}

// no step may depend on the contents of the work fields before it
static void fill_scratch(BrumeSim *sim)
{
    for (int n = 0; n < BRUME_SCRATCH_FIELDS; n++) {
        brume_field_fill(&sim->scratch[n], NAN);
    }
}

// after each stage of a step; the range of a transport is known when the length of its step is, in `see_step`
static bool see_stage(void *context, double fraction, BrumeStage stage)
{
    (void)fraction;
    Run *run = context;
    const BrumeIntegrator *integrator = run->sim->integrator;
    const bool starts_with_sources = integrator->stages[0].stage == BRUME_STAGE_EMIT;
    if (stage == integrator->stages[0].stage) {
        fill_scratch(run->sim);
        add_late_work(run);
        run->buoyancy = buoyancy(run);
        run->dt = 0.0;
    }
    if (stage == BRUME_STAGE_ADVECT_SCALARS) { // the first step follows a solve that is in no statistics
        run->bounded = run->bounded || run->sim->pressure_residual > (double)run->sim->def.tolerance;
    }
    if (stage == BRUME_STAGE_EMIT && !starts_with_sources) {
        run->stretch = find_divergence(run->sim);
    } else {
        check_scalars(run, run->last_stage);
    }
    run->last_stage = brume_stage_name(stage);
    return true;
}

static void see_step(void *context, BrumeSim *sim, double dt)
{
    (void)sim;
    Run *run = context;
    run->check->steps++;
    find_source_speed(run);
    widen_ranges(run, dt);
    check_scalars(run, run->last_stage);
    add_work(run, dt);
}

static void start_observing(Run *run)
{
    for (int n = 0; n < scalar_count(run->sim); n++) {
        Range *range = &run->ranges[n];
        if (!find_range(run->sim, id_of(n), &range->low, &range->high)) {
            fail_check(run, "%s is not finite at the start", brume_scalar_name(n));
        }
        if (range->low > range->high) { // no fluid cell
            *range = (Range){0.0, 0.0, 0.0};
        }
        widen_by_emitters(run->sim, n, 1e-12, range); // the first step begins with their imposed values
    }
    run->last_stage = "start";
    measure_velocity(run);
    run->initial_rms = run->rms;
    run->initial_speed = run->fastest;
}

/** The state of a simulation is saved, destroyed and restored; false if that fails. */
static bool save_and_restore(BrumeSim **sim, BrumeError *error)
{
    const size_t size = brume_sim_saved_size(*sim);
    void *bytes = brume_alloc(size, 1);
    BrumeStatus status = bytes ? brume_sim_save(*sim, bytes, size, error) : BRUME_FAILED;
    if (status == BRUME_OK) {
        brume_sim_destroy(*sim);
        *sim = NULL;
        status = brume_sim_create_saved(sim, bytes, size, error);
    }
    brume_free(bytes);
    return status == BRUME_OK;
}

// the timeline with other kernels in its settings, which are allocated by the caller
static BrumeStatus change_kernels(BrumeTimeline *changed, const BrumeTimeline *timeline, const char *kernels,
                                  BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < timeline->count && status == BRUME_OK; n++) {
        BrumeChange change = timeline->changes[n];
        BrumeSimDef settings = change.settings ? *change.settings : brume_default_sim_def();
        settings.kernels = kernels;
        change.settings = change.settings ? &settings : NULL;
        status = brume_timeline_add(changed, &change, error);
    }
    return status;
}

/** How a run differs from the observed one. */
typedef struct Variant {
    const char *name;
    int threads;
    const char *kernels; ///< NULL: the scene's
    int restored_after;  ///< frames after which the state is saved and restored; 0: never
    int first_frame;     ///< unused
} Variant;

// the hash at the end of a run; 0 and a fault if it fails
static uint64_t run_variant(const BrumeScene *scene, const Variant *variant, SceneCheck *check)
{
    BrumeSimDef def = scene->sim;
    BrumeTimeline timeline = {0};
    BrumeSim *sim = NULL;
    BrumeError error = {.status = BRUME_OK};
    def.kernels = variant->kernels;
    brume_set_threads(variant->threads);
    bool done = change_kernels(&timeline, &scene->timeline, variant->kernels, &error) == BRUME_OK &&
                brume_sim_create(&sim, &def, &error) == BRUME_OK;
    for (int frame = 0; done && frame < scene->frames; frame++) {
        if (frame > 0 && frame == variant->restored_after) {
            done = save_and_restore(&sim, &error);
        }
        const BrumeChange *change = brume_timeline_find(&timeline, frame);
        done = done && (!change || brume_change_apply(change, sim, &error) == BRUME_OK) &&
               brume_sim_frame(sim, NULL, &error) == BRUME_OK;
    }
    const uint64_t hash = done ? brume_sim_hash(sim) : 0;
    if (!done && check->fault[0] == '\0') {
        (void)snprintf(check->fault, sizeof check->fault, "%s: %s", variant->name, error.text);
    }
    brume_sim_destroy(sim);
    brume_timeline_clear(&timeline);
    brume_set_threads(1);
    return hash;
}

// the unaccounted amount of the budget of a scalar beyond a negligible one, over the sum of all its amounts
static double unaccounted_share(const BrumeScalarMeasures *measures, double negligible)
{
    const BrumeBudget *budget = &measures->budget;
    double sum = fabs(measures->total) + fabs(budget->initial) + fabs(budget->emitted) + fabs(budget->dissipated) +
                 fabs(budget->bodies) + fabs(budget->changed);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        sum += fabs(budget->left[face]) + fabs(budget->diffused[face]);
    }
    return sum > 0.0 ? fmax(fabs(budget->unaccounted) - negligible, 0.0) / sum : 0.0;
}

// Of a run in flux form; the budgets are kept from the start, so that they have the errors of any other scheme before,
// and the losses where a pressure solve missed its tolerance: there the bounds hold in place of the budgets.
static void check_budgets(Run *run)
{
    BrumeMeasures measures;
    brume_sim_measure(run->sim, &measures);
    // values below 2^-60 become 0 in the transport
    const double negligible = 0x1p-60 * measures.volume * (double)run->check->steps;
    run->other_transport = run->other_transport || !brume_transport_is_exact(run->sim);
    for (int n = 0; !run->other_transport && n < BRUME_SCALAR_COUNT; n++) {
        double share = unaccounted_share(&measures.scalars[n], negligible);
        if (n == 0) { // fuel compresses and expands the gas that it enters: heat of its mass times the temperature
            const BrumeBudget *fuel = &measures.scalars[BRUME_FIELD_FUEL - BRUME_FIELD_TEMPERATURE].budget;
            const double moved = (double)BRUME_AMBIENT_TEMPERATURE * fuel->emitted;
            share = fmin(share, fabs(measures.scalars[0].budget.unaccounted) / fmax(moved, DBL_MIN));
        }
        run->check->budget = fmax(run->check->budget, share);
        if (share > LARGEST_UNACCOUNTED && !run->bounded) {
            fail_check(run, "%s: %.3g of all amounts are unaccounted for", brume_scalar_name(n), share);
        }
    }
}

static uint64_t run_observed(const BrumeScene *scene, SceneCheck *check)
{
    Run run = {.check = check};
    BrumeError error = {.status = BRUME_OK};
    brume_set_threads(1);
    if (brume_sim_create(&run.sim, &scene->sim, &error) != BRUME_OK) {
        (void)snprintf(check->fault, sizeof check->fault, "%s", error.text);
        return 0;
    }
    brume_sim_set_budgets(run.sim, true);
    start_observing(&run);
    const BrumeSimHooks hooks = {.context = &run, .sources = see_step, .progress = see_stage};
    brume_sim_set_hooks(run.sim, &hooks);
    for (int frame = 0; frame < scene->frames && check->fault[0] == '\0'; frame++) {
        BrumeFrameStats stats = {.converged = true};
        if (brume_scene_frame(scene, run.sim, &stats, &error) != BRUME_OK) {
            fail_check(&run, "%s", error.text);
            break;
        }
        check->unconverged += !stats.converged;
        check_scalars(&run, run.last_stage);
        check_velocity(&run);
        check_budgets(&run);
    }
    const uint64_t hash = check->fault[0] == '\0' ? brume_sim_hash(run.sim) : 0;
    brume_sim_destroy(run.sim);
    return hash;
}

bool check_scene(const BrumeScene *scene, int extra, SceneCheck *check)
{
    static const Variant three_threads = {.name = "three threads", .threads = 3, .kernels = "fast"};
    const Variant others[] = {
        {.name = "one thread, not observed", .threads = 1, .kernels = "fast"},
        {.name = "reference kernels", .threads = 1, .kernels = "reference"},
        {.name = "saved and restored", .threads = 2, .kernels = "fast", .restored_after = scene->frames / 2},
    };
    *check = (SceneCheck){.fault = ""};
    const uint64_t expected = run_observed(scene, check);
    const Variant *variants[] = {&three_threads, &others[extra % 3]};
    for (size_t n = 0; n < sizeof variants / sizeof variants[0] && check->fault[0] == '\0'; n++) {
        const uint64_t hash = run_variant(scene, variants[n], check);
        if (hash != expected && check->fault[0] == '\0') {
            (void)snprintf(check->fault, sizeof check->fault, "%s: state hash %016llx, expected %016llx",
                           variants[n]->name, (unsigned long long)hash, (unsigned long long)expected);
        }
    }
    return check->fault[0] == '\0';
}

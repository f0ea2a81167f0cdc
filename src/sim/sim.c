/*
 * A step of the simulation: the incompressible Navier-Stokes equations with buoyancy, split into the stages of Stam's
 * Stable Fluids (1999) on the staggered grid of Harlow and Welch (1965). docs/equations.md derives each stage.
 */
#include "brume/sim.h"

#include "core/error.h"
#include "core/log.h"
#include "core/minmax.h"
#include "core/parallel/clock.h"
#include "core/parallel/waiting.h"
#include "core/vec3.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/forces/forces.h"
#include "sim/lifecycle/hooks.h"
#include "sim/measures/monitor.h"
#include "sim/state/state.h"
#include "sim/transport/transport.h"

#include <assert.h>
#include <math.h>

// a step in progress: the input and output of its stages
typedef struct Step {
    BrumeSim *sim;
    double dt;            // [s]
    double initial_speed; // largest velocity component at the start of the step [m/s]
    BrumeStepStats *stats;
    BrumeError *error;
} Step;

static BrumeStatus add_sources(Step *step)
{
    const BrumeStatus status = brume_move_obstacles(step->sim, step->dt, step->error);
    if (status == BRUME_OK) {
        brume_apply_strokes(step->sim, step->dt);
        brume_emit(step->sim, step->dt);
        brume_call_source_hook(step->sim, step->dt);
    }
    return status;
}

static BrumeStatus add_forces(Step *step)
{
    brume_add_vorticity_confinement(step->sim, (float)step->dt, step->initial_speed);
    brume_add_buoyancy(step->sim, (float)step->dt);
    brume_add_drag(step->sim, step->dt);
    brume_call_force_hook(step->sim, step->dt);
    brume_set_velocity_boundary(step->sim);
    return BRUME_OK;
}

static BrumeStatus diffuse(Step *step)
{
    const BrumeSimDef *def = &step->sim->def;
    for (int id = BRUME_FIELD_U; id <= BRUME_FIELD_W; id++) {
        brume_diffuse(step->sim, (BrumeFieldId)id, def->viscosity, (float)step->dt);
    }
    brume_diffuse(step->sim, BRUME_FIELD_TEMPERATURE, def->thermal_diffusivity, (float)step->dt);
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        brume_diffuse(step->sim, brume_smoke_id(kind), def->smoke[kind].diffusivity, (float)step->dt);
    }
    return BRUME_OK;
}

static BrumeStatus project(Step *step)
{
    brume_stabilise_backflow(step->sim, (float)step->dt);
    const BrumePressureResult pressure = brume_project(step->sim, (float)step->dt);
    step->stats->iterations = pressure.iterations;
    step->stats->residual = pressure.residual;
    step->stats->converged = pressure.converged;
    step->stats->divergence = brume_measure_flow(step->sim);
    return BRUME_OK;
}

static BrumeStatus advect_velocity(Step *step)
{
    const BrumeStatus status = brume_check_finite(step->sim, step->error);
    if (status == BRUME_OK) {
        brume_advect_velocity(step->sim, (float)step->dt);
    }
    return status;
}

static BrumeStatus advect_scalars(Step *step)
{
    brume_transport_scalars(step->sim, &step->sim->scratch[3], step->dt); // the velocity before its own advection
    brume_measure_speed(step->sim);
    return BRUME_OK;
}

// the stages of a step in their order; u is velocity, s temperature or smoke
static BrumeStatus (*const stages[BRUME_STAGE_COUNT])(Step *step) = {
    [BRUME_STAGE_EMIT] = add_sources,                // s += dt S
    [BRUME_STAGE_FORCES] = add_forces,               // u += dt f
    [BRUME_STAGE_DIFFUSION] = diffuse,               // (1 - nu dt lap) u' = u, and s with its diffusivity
    [BRUME_STAGE_PROJECTION] = project,              // lap p = div u / dt, u -= dt grad p
    [BRUME_STAGE_ADVECT_VELOCITY] = advect_velocity, // u'(x) = u(x - displacement), displacement = dt u
    [BRUME_STAGE_ADVECT_SCALARS] = advect_scalars,   // s'(x) = s(x - displacement) exp(-decay dt)
};

const char *brume_stage_name(BrumeStage stage)
{
    static const char *const names[BRUME_STAGE_COUNT] = {"emit",       "forces",          "diffusion",
                                                         "projection", "advect velocity", "advect scalars"};
    return names[stage];
}

static void log_unconverged(const BrumeSim *sim, const BrumeStepStats *stats)
{
    if (!stats->converged) {
        brume_log(BRUME_LOG_WARNING,
                  "frame %d, step %d: the pressure solve ended after %d iterations at a relative residual of %.3g",
                  sim->frames + 1, sim->steps + 1, stats->iterations, stats->residual);
    }
}

static BrumeStatus take_step(BrumeSim *sim, double dt, BrumeStepStats *stats, BrumeError *error)
{
    assert(brume_holds(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED));
    brume_adapt_waiting();
    BrumeStepStats done = {.dt = dt};
    Step step = {.sim = sim, .dt = dt, .initial_speed = sim->max_speed, .stats = &done, .error = error};
    double start = brume_seconds();
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        if (stage > 0) {
            brume_report_progress(sim, (BrumeStage)stage, dt);
        }
        const BrumeStatus status = stages[stage](&step);
        if (status != BRUME_OK) {
            return status;
        }
        const double end = brume_seconds();
        done.ms[stage] = 1e3 * (end - start);
        start = end;
    }
    done.displacement = sim->max_speed * dt / (double)sim->def.dx;
    log_unconverged(sim, &done);
    sim->time += dt;
    sim->steps++;
    if (stats) {
        *stats = done;
    }
    return BRUME_OK;
}

BrumeStatus brume_sim_step(BrumeSim *sim, double dt, BrumeStepStats *stats, BrumeError *error)
{
    if (!(dt > 0.0) || !isnormal((float)dt)) {
        return brume_fail(error, BRUME_BAD_INPUT, "a step cannot last %g s: dt must be above 0 and finite", dt);
    }
    brume_refresh_written_fields(sim);
    brume_report_progress(sim, BRUME_STAGE_EMIT, dt);
    return take_step(sim, dt, stats, error);
}

// the largest speed of the air, of moving obstacles, and of emitters and strokes that prescribe velocity [m/s]
static double speed_bound(const BrumeSim *sim)
{
    assert(brume_holds(sim, BRUME_VALID_MAX_SPEED));
    const BrumeSimDef *def = &sim->def;
    double speed = sim->max_speed;
    for (int n = 0; n < def->emitter_count; n++) {
        const BrumeVectorSource *source = &def->emitters[n].velocity;
        if (source->mode == BRUME_SOURCE_SET) {
            speed = fmax(speed, (double)brume_length(source->value));
        }
    }
    for (int n = 0; sim->obstacles_move && n < def->obstacle_count; n++) {
        speed = fmax(speed, (double)brume_length(sim->motions[n].velocity));
    }
    for (int n = 0; n < sim->stroke_count; n++) {
        if (sim->strokes[n].push > 0.0f) {
            speed = fmax(speed, (double)brume_length(sim->strokes[n].velocity));
        }
    }
    return speed;
}

// the length of the next step [s]: `remaining` [s], the time to the end of the frame, over the number of steps left
static double choose_step(const BrumeSim *sim, double remaining)
{
    const BrumeSimDef *def = &sim->def;
    const double needed = ceil(remaining * speed_bound(sim) / ((double)def->cfl * (double)def->dx) - 1e-6);
    const double fewest = fmax(1.0, def->min_steps - sim->steps);
    const double most = fmax(1.0, def->max_steps - sim->steps);
    if (needed > most) {
        brume_log(BRUME_LOG_WARNING, "frame %d, step %d: max_steps leaves %.0f steps, the CFL number requires %.0f",
                  sim->frames + 1, sim->steps + 1, most, needed);
    }
    return remaining / fmin(fmax(needed, fewest), most);
}

// where steps of brume_sim_step have passed the end of the next frame, frames are counted from the present time
static void start_frame(BrumeSim *sim)
{
    if (sim->time >= brume_frame_end(sim, sim->frames + 1)) {
        sim->base_time = sim->time;
        sim->base_frames = sim->frames;
        sim->steps = 0;
    }
}

static void end_frame(BrumeSim *sim, double end)
{
    sim->time = end;
    sim->frames++;
    sim->steps = 0;
    sim->stroke_count = 0;
    brume_end_motions(sim);
}

static void add_to_frame(BrumeFrameStats *frame, const BrumeStepStats *step)
{
    frame->steps++;
    frame->iterations += step->iterations;
    frame->max_iterations = brume_max_int(frame->max_iterations, step->iterations);
    frame->residual = fmax(frame->residual, step->residual);
    frame->converged = frame->converged && step->converged;
    frame->divergence = fmax(frame->divergence, step->divergence);
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        frame->ms[stage] += step->ms[stage];
    }
}

BrumeStatus brume_sim_frame(BrumeSim *sim, BrumeFrameStats *stats, BrumeError *error)
{
    const double start = brume_seconds();
    start_frame(sim);
    const double end = brume_frame_end(sim, sim->frames + 1);
    BrumeFrameStats frame = {.frame = sim->frames + 1, .converged = true};
    BrumeStatus status = BRUME_OK;
    sim->stop_requested = false;
    while (status == BRUME_OK && end - sim->time > 1e-9 * end) {
        brume_refresh_written_fields(sim);
        const double dt = choose_step(sim, end - sim->time);
        brume_report_progress(sim, BRUME_STAGE_EMIT, dt);
        if (sim->stop_requested) {
            status =
                brume_fail(error, BRUME_INTERRUPTED, "frame %d was stopped after %d steps", frame.frame, sim->steps);
            break;
        }
        BrumeStepStats step = {.converged = true};
        status = take_step(sim, dt, &step, error);
        if (status == BRUME_OK) {
            add_to_frame(&frame, &step);
        }
    }
    if (status == BRUME_OK) {
        end_frame(sim, end);
    }
    frame.time = sim->time;
    frame.total_ms = 1e3 * (brume_seconds() - start);
    if (stats) {
        *stats = frame;
    }
    return status;
}

/*
 * Steps and frames of the simulation: the incompressible Navier-Stokes equations with buoyancy on the staggered grid of
 * Harlow and Welch (1965). A step runs the stages of the integrator (integrators/second_order.c is the default and
 * reads as the algorithm); a frame is divided into steps of limited displacement. docs/equations.md derives each stage.
 */
#include "brume/sim.h"

#include "core/error.h"
#include "core/log.h"
#include "core/minmax.h"
#include "core/parallel/clock.h"
#include "core/parallel/waiting.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/forces/forces.h"
#include "sim/forces/shape_forces.h"
#include "sim/forces/strokes.h"
#include "sim/integrators/hooks.h"
#include "sim/integrators/integrator.h"
#include "sim/lifecycle/far_field.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/measures/budget.h"
#include "sim/state/emitter_samples.h"
#include "sim/state/half_scalars.h"
#include "sim/state/state.h"
#include "sim/transport/transport.h"

#include <assert.h>
#include <math.h>

const char *brume_stage_name(BrumeStage stage)
{
    static const char *const names[BRUME_STAGE_COUNT] = {"advect velocity", "advect scalars", "emit",
                                                         "forces",          "diffusion",      "projection"};
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

// the part of a step in [0, 1] that is done before a stage of the integrator
static double completed_part(const BrumeIntegrator *integrator, int stage)
{
    return (double)stage / integrator->stage_count;
}

// the stages of a step, whose statistics are added to `stats`
static BrumeStatus run_stages(BrumeSim *sim, double dt, BrumeStepStats *stats, BrumeError *error)
{
    assert(brume_holds(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED));
    const BrumeIntegrator *integrator = sim->integrator;
    BrumeStep step = {.sim = sim, .dt = dt, .initial_speed = sim->max_speed, .stats = stats, .error = error};
    double start = brume_seconds();
    sim->transport_velocity = sim->fields; // where no stage sets another before it is read
    for (int n = 0; n < integrator->stage_count; n++) {
        const BrumeIntegratorStage *stage = &integrator->stages[n];
        if (n > 0) {
            brume_report_progress(sim, stage->stage, dt * completed_part(integrator, n));
        }
        const BrumeStatus status = stage->run(&step);
        if (status != BRUME_OK) {
            return status;
        }
        const double end = brume_seconds();
        stats->ms[stage->stage] += 1e3 * (end - start);
        start = end;
    }
    return BRUME_OK;
}

static BrumeStatus take_step(BrumeSim *sim, double dt, BrumeStepStats *stats, BrumeError *error)
{
    brume_adapt_waiting();
    BrumeStepStats done = {.dt = dt};
    BrumeStatus status = sim->far ? brume_far_before_step(sim, dt, &done, error) : BRUME_OK;
    if (status == BRUME_OK) {
        brume_animate_step(sim, dt);
        status = brume_start_motions(sim, dt, error);
    }
    if (status == BRUME_OK && !(sim->time > 0.0)) {
        status = brume_emit_initially(sim, error);
    }
    if (status == BRUME_OK) {
        status = brume_read_emitter_samples(sim, dt, error);
    }
    if (status == BRUME_OK) {
        status = brume_prepare_state(sim, error);
    }
    if (status == BRUME_OK) {
        status = run_stages(sim, dt, &done, error);
    }
    if (status != BRUME_OK) {
        brume_animate_settings(sim, sim->time, sim->time);
        return status;
    }
    if (sim->def.storage == BRUME_STORAGE_HALF) {
        const BrumeTotals totals_before = brume_budget_totals(sim);
        brume_round_scalars(sim);
        brume_set_scalar_ghosts(sim);
        brume_budget_changed_since(sim, &totals_before);
    }
    done.displacement = sim->max_speed * dt / (double)sim->def.dx;
    log_unconverged(sim, &done);
    sim->deformed_time.now = 1;
    sim->time += dt;
    sim->steps++;
    brume_animate_settings(sim, sim->time, sim->time);
    if (sim->far) {
        brume_far_after_step(sim);
    }
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
    brume_animate_settings(sim, sim->time, sim->time);
    const BrumeStatus status = brume_prepare_state(sim, error);
    if (status != BRUME_OK) {
        return status;
    }
    brume_report_progress(sim, sim->integrator->stages[0].stage, 0.0);
    return take_step(sim, dt, stats, error);
}

// the largest speed [m/s] up to the time `end` [s] of the air, of walls and inflows, of moving bodies, and of emitters,
// forces and strokes that prescribe velocity
static BrumeStatus find_speed_bound(const BrumeSim *sim, double end, double *bound, BrumeError *error)
{
    assert(brume_holds(sim, BRUME_VALID_MAX_SPEED));
    const BrumeSimDef *def = &sim->def;
    double speed = brume_fmax(sim->max_speed, brume_fmax(brume_max_side_speed(sim), brume_integrator_speed(def)));
    for (int n = 0; n < def->emitter_count; n++) {
        const BrumeVectorSource *source = &def->emitters[n].velocity;
        if (source->mode == BRUME_SOURCE_SET) {
            speed = brume_fmax(speed, (double)(brume_length(source->value) + fabsf(def->emitters[n].normal_velocity)));
        }
        speed = brume_fmax(speed, (double)brume_force_speed(&def->emitters[n]));
    }
    for (int n = 0; n < def->body_count; n++) {
        double of_vertices = 0.0;
        const BrumeStatus status = brume_deformation_speed(sim, n, end, &of_vertices, error);
        if (status != BRUME_OK) {
            return status;
        }
        speed = def->bodies[n].passable ? speed : brume_fmax(speed, brume_body_speed(sim, n) + of_vertices);
    }
    for (int n = 0; n < sim->stroke_count; n++) {
        speed = brume_fmax(speed, brume_stroke_speed(&sim->strokes[n], def->dx));
    }
    *bound = speed;
    return BRUME_OK;
}

// the length of the next step [s]: `remaining` [s], the time to the end of the frame, over the number of steps left;
// `speed` [m/s] is the bound up to there
static double choose_step(const BrumeSim *sim, double remaining, double speed)
{
    const BrumeSimDef *def = &sim->def;
    const double needed = ceil(remaining * speed / ((double)def->cfl * (double)def->dx) - 1e-6);
    const double fewest = brume_fmax(1.0, def->min_steps - sim->steps);
    const double most = brume_fmax(1.0, def->max_steps - sim->steps);
    if (needed > most) {
        brume_log(BRUME_LOG_WARNING, "frame %d, step %d: max_steps leaves %.0f steps, the CFL number requires %.0f",
                  sim->frames + 1, sim->steps + 1, most, needed);
    }
    return remaining / brume_fmin(brume_fmax(needed, fewest), most);
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
    frame->residual = brume_fmax(frame->residual, step->residual);
    frame->converged = frame->converged && step->converged;
    frame->divergence = brume_fmax(frame->divergence, step->divergence);
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
    brume_animate_settings(sim, sim->time, sim->time);
    while (status == BRUME_OK && end - sim->time > 1e-9 * end) {
        status = brume_prepare_state(sim, error);
        double speed = 0.0;
        if (status == BRUME_OK) {
            status = find_speed_bound(sim, end, &speed, error);
        }
        if (status != BRUME_OK) {
            break;
        }
        const double dt = choose_step(sim, end - sim->time, speed);
        brume_report_progress(sim, sim->integrator->stages[0].stage, 0.0);
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

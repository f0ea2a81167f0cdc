/*
 * The simulation: the incompressible Euler equations with buoyancy, cut into the steps of Stam's Stable Fluids (1999)
 * on the staggered grid of Harlow and Welch (1965). docs/equations.md derives each step.
 */
#include "brume/sim.h"

#include "core/clock.h"
#include "core/hash.h"
#include "core/vec3.h"
#include "sim/sim_internal.h"

#include <assert.h>
#include <string.h>

static void apply_forces(BrumeSim *sim, double dt)
{
    brume_add_vorticity_confinement(sim, (float)dt);
    brume_add_buoyancy(sim, (float)dt);
    brume_add_drag(sim, dt);
    for (int id = BRUME_FIELD_U; id <= BRUME_FIELD_W; id++) {
        brume_set_boundary(sim, (BrumeFieldId)id, &sim->fields[id]);
    }
}

static void diffuse(BrumeSim *sim, float dt)
{
    for (int id = BRUME_FIELD_U; id <= BRUME_FIELD_W; id++) {
        brume_diffuse(sim, (BrumeFieldId)id, sim->def.viscosity, dt);
    }
    brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, sim->def.thermal_diffusivity, dt);
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        brume_diffuse(sim, brume_smoke_id(kind), sim->def.smoke[kind].diffusivity, dt);
    }
}

// the time since the last lap [ms]
static double lap(double *since)
{
    const double now = brume_seconds();
    const double ms = 1e3 * (now - *since);
    *since = now;
    return ms;
}

BrumeStatus brume_sim_step(BrumeSim *sim, double dt, BrumeStepStats *stats, BrumeError *error)
{
    BrumeStepStats step = {.dt = dt};
    double clock = brume_seconds();

    BrumeStatus status = brume_move_obstacles(sim, dt, error);
    if (status != BRUME_OK) {
        return status;
    }
    brume_apply_strokes(sim, dt);
    brume_emit(sim, dt);
    step.ms[BRUME_STAGE_EMIT] = lap(&clock);

    apply_forces(sim, dt);
    step.ms[BRUME_STAGE_FORCES] = lap(&clock);

    diffuse(sim, (float)dt);
    step.ms[BRUME_STAGE_DIFFUSION] = lap(&clock);

    brume_stabilise_backflow(sim, (float)dt);
    const BrumePressureResult pressure = brume_project(sim, (float)dt);
    step.divergence = brume_measure_flow(sim);
    step.ms[BRUME_STAGE_PROJECTION] = lap(&clock);

    status = brume_check_finite(sim, error);
    if (status != BRUME_OK) {
        return status;
    }
    brume_advect_velocity(sim, (float)dt, sim->max_speed);
    step.ms[BRUME_STAGE_ADVECT_VELOCITY] = lap(&clock);

    brume_advect_scalars(sim, dt);
    brume_measure_speed(sim);
    step.ms[BRUME_STAGE_ADVECT_SCALARS] = lap(&clock);

    step.travel = sim->max_speed * dt / (double)sim->def.dx;
    step.iterations = pressure.iterations;
    step.residual = pressure.residual;
    step.converged = pressure.converged;
    sim->time += dt;
    sim->steps++;
    if (stats) {
        *stats = step;
    }
    return BRUME_OK;
}

// the next step of a frame of which `remaining` [s] are left: as even as the speed limit allows
static double choose_step(const BrumeSim *sim, double remaining)
{
    const BrumeSimDef *def = &sim->def;
    double speed = sim->max_speed;
    for (int n = 0; n < def->emitter_count; n++) {
        const BrumeVectorSource *source = &def->emitters[n].velocity;
        if (source->mode == BRUME_SOURCE_SET) {
            speed = fmax(speed, (double)brume_length(source->value));
        }
    }
    for (int n = 0; sim->moving && n < def->obstacle_count; n++) {
        speed = fmax(speed, (double)brume_length(sim->motions[n].velocity));
    }
    for (int n = 0; n < sim->stroke_count; n++) {
        if (sim->strokes[n].push > 0.0f) {
            speed = fmax(speed, (double)brume_length(sim->strokes[n].velocity));
        }
    }
    const double wanted = ceil(remaining * speed / ((double)def->cfl * (double)def->dx) - 1e-6);
    const double least = fmax(1.0, def->min_steps - sim->steps);
    const double most = fmax(1.0, def->max_steps - sim->steps);
    return remaining / fmin(fmax(wanted, least), most);
}

double brume_frame_end(const BrumeSim *sim, int frame)
{
    return sim->base_time + (frame - sim->base_frames) / (double)sim->def.fps;
}

// nothing stirs and nothing travels until it is said again
static void end_wishes(BrumeSim *sim)
{
    sim->stroke_count = 0;
    sim->moving = false;
    memset(sim->motions, 0, sizeof sim->motions);
}

static void add_to_frame(BrumeFrameStats *frame, const BrumeStepStats *step)
{
    frame->steps++;
    frame->iterations += step->iterations;
    frame->max_iterations = step->iterations > frame->max_iterations ? step->iterations : frame->max_iterations;
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
    const double end = brume_frame_end(sim, sim->frames + 1);
    BrumeFrameStats frame = {.frame = sim->frames + 1, .converged = true};
    BrumeStatus status = BRUME_OK;
    sim->steps = 0;
    while (status == BRUME_OK && end - sim->time > 1e-9 * end) {
        BrumeStepStats step = {.converged = true};
        status = brume_sim_step(sim, choose_step(sim, end - sim->time), &step, error);
        add_to_frame(&frame, &step);
    }
    if (status == BRUME_OK) {
        sim->time = end;
        sim->frames++;
        sim->steps = 0;
        end_wishes(sim);
    }
    frame.time = sim->time;
    frame.total_ms = 1e3 * (brume_seconds() - start);
    if (stats) {
        *stats = frame;
    }
    return status;
}

void brume_sim_set_strokes(BrumeSim *sim, const BrumeStroke *strokes, int count)
{
    assert(count >= 0 && count <= BRUME_MAX_STROKES);
    sim->stroke_count = count;
    if (count > 0) {
        memcpy(sim->strokes, strokes, (size_t)count * sizeof *strokes);
    }
}

void brume_sim_move(BrumeSim *sim, int obstacle, BrumeVec3 velocity)
{
    assert(obstacle >= 0 && obstacle < sim->def.obstacle_count);
    sim->motions[obstacle] = (BrumeMotion){velocity, sim->def.obstacles[obstacle].shape};
    sim->moving = sim->moving || brume_length(velocity) > 0.0f;
}

const BrumeField *brume_sim_field(const BrumeSim *sim, BrumeFieldId id)
{
    return sim->fields[id].data ? &sim->fields[id] : NULL;
}

const BrumeSimDef *brume_sim_settings(const BrumeSim *sim) { return &sim->def; }

double brume_sim_time(const BrumeSim *sim) { return sim->time; }

int brume_sim_frames(const BrumeSim *sim) { return sim->frames; }

uint64_t brume_sim_hash(const BrumeSim *sim)
{
    uint64_t hash = brume_hash_bytes(&sim->time, sizeof sim->time, 0);
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        if (sim->fields[id].data) {
            hash = brume_hash_field(&sim->fields[id], id <= BRUME_FIELD_W ? id : -1, hash);
        }
    }
    return hash;
}

const char *brume_stage_name(BrumeStage stage)
{
    static const char *const names[BRUME_STAGE_COUNT] = {"emit",       "forces",          "diffusion",
                                                         "projection", "advect velocity", "advect scalars"};
    return names[stage];
}

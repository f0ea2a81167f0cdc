/*
 * Motions of bodies: their shapes in the present step, and the velocities that their surfaces have in it.
 */
#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/boundary/geometry.h"
#include "sim/boundary/surface_velocity.h"
#include "sim/state/state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double RADIANS = 3.14159265358979323846 / 180.0; // of a degree

// whether time `a` is at or after time `b` [s], up to rounding
static bool is_reached(double a, double b) { return a >= b - 1e-9 * b; }

static BrumeVec3 move_point(BrumeVec3 point, BrumeVec3 velocity, double seconds)
{
    return brume_vec3((float)((double)point.x + (double)velocity.x * seconds),
                      (float)((double)point.y + (double)velocity.y * seconds),
                      (float)((double)point.z + (double)velocity.z * seconds));
}

double brume_motion_end(const BrumeSim *sim)
{
    const bool at_frame_start = sim->time == brume_frame_end(sim, sim->frames);
    return at_frame_start ? brume_frame_end(sim, sim->frames + 1) : sim->time + 1.0 / (double)sim->def.fps;
}

static bool is_moving(const BrumeMotion *motion)
{
    return brume_length(motion->velocity) > 0.0f || brume_length(motion->rotation_rate) > 0.0f;
}

// an angle after `seconds` [degrees], within a turn where the limits of settings require it
static float turn_angle(float degrees, float rate, double seconds)
{
    const double angle = (double)degrees + (double)rate * seconds;
    return (float)(fabs(angle) > 1e6 ? angle - 360.0 * floor(angle / 360.0) : angle);
}

// the shape at a time [s] of a motion, or at its end after that
static BrumeShape shape_at(const BrumeMotion *motion, double time)
{
    const double elapsed = (is_reached(time, motion->end) ? motion->end : time) - motion->start;
    BrumeShape shape = motion->from;
    shape.a = move_point(motion->from.a, motion->velocity, elapsed);
    shape.b = move_point(motion->from.b, motion->velocity, elapsed);
    shape.rotation.x = turn_angle(motion->from.rotation.x, motion->rotation_rate.x, elapsed);
    shape.rotation.y = turn_angle(motion->from.rotation.y, motion->rotation_rate.y, elapsed);
    shape.rotation.z = turn_angle(motion->from.rotation.z, motion->rotation_rate.z, elapsed);
    return shape;
}

BrumeShape brume_own_shape_at(const BrumeSim *sim, int body, double time)
{
    const BrumeMotion *motion = &sim->motions[body];
    return is_moving(motion) ? shape_at(motion, time) : sim->def.bodies[body].shape;
}

BrumeShape brume_body_shape_at(const BrumeSim *sim, int body, double time)
{
    const int parent = sim->def.bodies[body].parent;
    BrumeShape shape = brume_own_shape_at(sim, body, time);
    shape.mesh = brume_present_shape(sim, body).mesh;
    if (parent == 0) {
        return shape;
    }
    const BrumeShape outer = brume_body_shape_at(sim, parent - 1, time);
    return brume_shape_out_of(&outer, &shape);
}

void brume_sim_move(BrumeSim *sim, int body, BrumeVec3 velocity)
{
    brume_sim_move_and_turn(sim, body, velocity, brume_vec3(0.0f, 0.0f, 0.0f));
}

void brume_sim_move_and_turn(BrumeSim *sim, int body, BrumeVec3 velocity, BrumeVec3 rotation_rate)
{
    assert(body >= 0 && body < sim->def.body_count && isfinite(brume_length(velocity)) &&
           isfinite(brume_length(rotation_rate)));
    sim->motions[body] = (BrumeMotion){
        .velocity = velocity,
        .rotation_rate = rotation_rate,
        .from = sim->def.bodies[body].shape,
        .start = sim->time,
        .end = brume_motion_end(sim),
    };
}

void brume_restart_motions(BrumeSim *sim, const BrumeMotion motions[BRUME_MAX_BODIES])
{
    for (int n = 0; n < BRUME_MAX_BODIES; n++) {
        const BrumeMotion old_motion = motions[n];
        sim->motions[n] = (BrumeMotion){0};
        if (n < sim->def.body_count && is_moving(&old_motion)) {
            brume_sim_move_and_turn(sim, n, old_motion.velocity, old_motion.rotation_rate);
            sim->motions[n].end = old_motion.start == sim->time ? sim->motions[n].end : old_motion.end;
        }
    }
}

void brume_end_motions(BrumeSim *sim)
{
    sim->bodies_move = false;
    memset(sim->motions, 0, sizeof sim->motions);
}

// the distance from a pivot to the farthest point of a shape inside the box [m]
static double reach_from_pivot(const BrumeSimDef *def, const BrumeShape *shape, BrumeVec3 pivot)
{
    BrumeVec3 center;
    float radius;
    brume_shape_sphere(shape, &center, &radius);
    const BrumeVec3 sides = brume_scale(brume_vec3((float)def->nx, (float)def->ny, (float)def->nz), def->dx);
    const BrumeVec3 middle = brume_add(def->origin, brume_scale(sides, 0.5f));
    const double to_corner = (double)(brume_length(brume_sub(middle, pivot)) + 0.5f * brume_length(sides));
    return brume_fmin((double)(brume_length(brume_sub(center, pivot)) + radius), to_corner);
}

double brume_speed_by_motions(const BrumeSimDef *def, const BrumeMotion motions[BRUME_MAX_BODIES], int body,
                              const BrumeShape *shape)
{
    double speed = 0.0;
    for (int next = body + 1; next > 0; next = def->bodies[next - 1].parent) {
        const BrumeMotion *motion = &motions[next - 1];
        const int parent = def->bodies[next - 1].parent;
        const BrumeVec3 rate = motion->rotation_rate;
        const double spin = (double)(fabsf(rate.x) + fabsf(rate.y) + fabsf(rate.z)) * RADIANS;
        const BrumeShape turning = brume_body_shape(def, next - 1);
        speed += spin > 0.0 ? spin * reach_from_pivot(def, shape, brume_shape_pivot(&turning)) : 0.0;
        const BrumeShape outer = parent > 0 ? brume_body_shape(def, parent - 1) : turning;
        speed += (double)brume_length(parent > 0 ? brume_vector_out_of(&outer, motion->velocity) : motion->velocity);
    }
    return speed;
}

double brume_speed_on_body(const BrumeSim *sim, int body, const BrumeShape *shape)
{
    return brume_speed_by_motions(&sim->def, sim->motions, body, shape);
}

double brume_body_speed(const BrumeSim *sim, int body)
{
    const BrumeShape shape = brume_present_shape(sim, body);
    return brume_speed_on_body(sim, body, &shape);
}

// The mean velocity of a body in a step, in the frame of its parent: its spin in the middle of the step, about its
// pivot at the end of the step.
static BrumeRigidVelocity own_velocity(const BrumeSim *sim, int body, double dt)
{
    const BrumeMotion *motion = &sim->motions[body];
    const bool ends_within = !is_reached(motion->end, sim->time + dt);
    const float share = ends_within ? (float)((motion->end - sim->time) / dt) : 1.0f;
    BrumeRigidVelocity rigid = {.velocity = {0}};
    if (brume_length(motion->velocity) > 0.0f) {
        rigid.velocity = brume_scale(motion->velocity, share);
    }
    if (brume_length(motion->rotation_rate) > 0.0f) {
        const BrumeShape middle = shape_at(motion, sim->time + 0.5 * dt);
        const BrumeShape end = shape_at(motion, sim->time + dt);
        rigid.spin = brume_shape_spin(&middle, brume_scale(motion->rotation_rate, share));
        rigid.pivot = brume_shape_pivot(&end);
    }
    return rigid;
}

// the same in the world: the velocity of the parent at the pivot of the body is added
static BrumeRigidVelocity mean_velocity(const BrumeSim *sim, int body, double dt)
{
    const int parent = sim->def.bodies[body].parent;
    BrumeRigidVelocity rigid = own_velocity(sim, body, dt);
    const BrumeRigidVelocity outer =
        parent > 0 ? mean_velocity(sim, parent - 1, dt) : (BrumeRigidVelocity){.velocity = {0}};
    if (parent == 0 || !(brume_is_velocity(&rigid) || brume_is_velocity(&outer))) {
        return rigid;
    }
    const BrumeShape middle = brume_body_shape_at(sim, parent - 1, sim->time + 0.5 * dt);
    const BrumeShape end = brume_body_shape_at(sim, body, sim->time + dt);
    const float scale = brume_shape_scale(&middle).x; // of vectors, but not of spins
    const BrumeVec3 pivot = brume_shape_pivot(&end);
    const BrumeVec3 carried =
        brume_add(outer.velocity, brume_cross(outer.spin, brume_sub(pivot, outer.pivot))); // of the parent there
    rigid.velocity = brume_add(carried, brume_vector_out_of(&middle, rigid.velocity));
    rigid.spin = brume_add(outer.spin, brume_scale(brume_vector_out_of(&middle, rigid.spin), 1.0f / scale));
    rigid.pivot = brume_length(rigid.spin) > 0.0f ? pivot : brume_vec3(0.0f, 0.0f, 0.0f);
    return rigid;
}

void brume_invalidate_flow(BrumeSim *sim)
{
    const bool is_cut = sim->geometry->cells.fractions != NULL;
    brume_invalidate(sim, BRUME_VALID_DIVERGENCE_FREE | BRUME_VALID_PREVIOUS_FLUXES |
                              (is_cut ? 0u : (unsigned)BRUME_VALID_PREVIOUS));
}

// Whether the velocity of a body that cuts cells is the one before up to rounding, as that of keys from frame to frame:
// a change would be an impulse, and a projection for it.
static bool continues(const BrumeSim *sim, const BrumeRigidVelocity *before, const BrumeRigidVelocity *next, double dt)
{
    const float way = brume_length(brume_sub(next->velocity, before->velocity)) * (float)dt;
    return sim->geometry->cells.fractions && brume_length(before->velocity) > 0.0f &&
           !(brume_length(before->spin) > 0.0f || brume_length(next->spin) > 0.0f) && way <= 1e-5f * sim->def.dx;
}

static bool any_deforms(const BrumeSim *sim)
{
    bool any = false;
    for (int n = 0; n < sim->def.body_count; n++) {
        any = any || brume_body_deforms(sim, n);
    }
    return any;
}

BrumeStatus brume_start_motions(BrumeSim *sim, double dt, BrumeError *error)
{
    bool changed = any_deforms(sim);
    const BrumeStatus status = brume_start_deformations(sim, dt, error);
    if (status != BRUME_OK) {
        return status;
    }
    changed = changed || any_deforms(sim);
    sim->bodies_move = false;
    for (int n = 0; n < sim->def.body_count; n++) {
        BrumeMotion *motion = &sim->motions[n];
        if (is_reached(sim->time, motion->end)) {
            motion->velocity = motion->rotation_rate = brume_vec3(0.0f, 0.0f, 0.0f);
        }
    }
    for (int n = 0; n < sim->def.body_count; n++) {
        const BrumeRigidVelocity mean = mean_velocity(sim, n, dt);
        const BrumeRigidVelocity rigid = sim->def.bodies[n].passable ? (BrumeRigidVelocity){.velocity = {0}} : mean;
        const BrumeRigidVelocity *before = &sim->surface_velocity[n];
        if (continues(sim, before, &rigid, dt)) {
            sim->bodies_move = true;
            continue;
        }
        changed = changed || brume_length(brume_sub(rigid.velocity, before->velocity)) > 0.0f ||
                  brume_length(brume_sub(rigid.spin, before->spin)) > 0.0f ||
                  brume_length(brume_sub(rigid.pivot, before->pivot)) > 0.0f;
        sim->surface_velocity[n] = rigid;
        sim->bodies_move =
            sim->bodies_move || brume_is_velocity(&mean) || (sim->deformed && sim->deformed->bodies[n].speed > 0.0);
    }
    if (changed) {
        brume_set_velocity_boundary(sim);
        brume_invalidate_flow(sim);
    }
    return BRUME_OK;
}

/*
 * Emitters: sources of smoke, heat and motion (Stam 2003, add_source), applied over the part of the step in which they
 * are active. A source acts in proportion to the fraction of the cell that the shape covers, so that the total emission
 * varies continuously with the position of the emitter (source_cover.c); a soft edge scales it by the depth of the
 * cell's center.
 *
 * The emitted amount does not depend on the number of steps:
 *   - A rate is integrated over the step; where it is animated, it is the mean over the step.
 *   - A shape that moves is swept: it acts at positions along its path, at most half a cell apart.
 *   - Where the covered fraction c of a cell has the value V, the mean of the cell is at least c V. It is raised to
 * that, and lowered to V / c, but not relaxed to V in every step. (V below 0: the other way around.)
 *   - The air that was inside the shape during the step, and has left it since, has the value as well: the path of the
 *     shape is its path relative to the air, which moves on along straight lines.
 *   - An imposed velocity V acts as the drag of a porous body that fills the fraction c of the cell,
 *     du/dt = c / (1 - c) |u - V| (V - u) / dx, which is integrated exactly.
 *   - A force acts as a rate does (shape_forces.c).
 */
#include "core/domain.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/forces/emission.h"
#include "sim/forces/forces.h"
#include "sim/forces/shape_forces.h"
#include "sim/particles/particles.h"
#include "sim/state/emitter_samples.h"
#include "sim/state/state.h"

#include <math.h>

enum { MAX_POSITIONS = 1024 }; // of a shape in a step

static const double PI = 3.14159265358979323846;
static const float SPACING = 0.5f; // of positions [cells]

// the velocity that an emitter imposes at a point
static BrumeVec3 velocity_at(const BrumeSim *sim, const BrumeExposure *exposure, BrumeVec3 point)
{
    const BrumeSimDef *def = &sim->def;
    const BrumeEmitterDef *emitter = &exposure->emitter;
    BrumeVec3 velocity = emitter->velocity.value;
    if (exposure->between > 0.0f) {
        // points of the surface keep their places to the pivot, while a motion changes the keys
        const BrumeShapeFrame *now = &exposure->frame;
        const BrumeVec3 own = brume_sub(brume_frame_own_point(now, point), now->own_pivot);
        const BrumeShapeFrame *ends = exposure->frames;
        const BrumeVec3 way = brume_sub(brume_frame_point(&ends[1], brume_add(own, ends[1].own_pivot)),
                                        brume_frame_point(&ends[0], brume_add(own, ends[0].own_pivot)));
        velocity = brume_add(velocity, brume_scale(way, emitter->source_velocity / exposure->between));
        if (emitter->body > 0 && sim->deformed) {
            const BrumeVec3 relative = brume_deformation_velocity_near(sim, emitter->body - 1, point);
            velocity = brume_add(velocity, brume_scale(relative, emitter->source_velocity));
        }
    }
    if (emitter->normal_velocity != 0.0f) {
        const BrumeVec3 normal = brume_shape_direction(&emitter->shape, point, 0.25f * def->dx);
        velocity = brume_add(velocity, brume_scale(normal, emitter->normal_velocity));
    }
    return velocity;
}

// the velocity after `cells` = seconds / dx under the drag of a body of velocity `target`
static float dragged_velocity(float value, float target, float coverage, float cells)
{
    const float free = 1.0f - coverage;
    const float excess = value - target;
    return free > 0.0f ? target + excess * free / (free + coverage * fabsf(excess) * cells) : target;
}

// applies a force, or without one the velocity that an emitter imposes or adds
static void emit_velocity(BrumeSim *sim, const BrumeExposure *exposure, const BrumeAppliedForce *force, int axis)
{
    const BrumeSimDef *def = &sim->def;
    const BrumeEmitterDef *emitter = &exposure->emitter;
    BrumeField *field = &sim->fields[axis];
    const BrumeSourceCover covering = brume_source_cover(def, emitter, axis);
    const float reach = covering.reach;
    const BrumeIndexBox box = brume_entries_near(def, &emitter->shape, brume_vec3(reach, reach, reach));
    const bool varies = exposure->between > 0.0f || emitter->normal_velocity != 0.0f;
    const float same_value = brume_component(emitter->velocity.value, axis);
    const float cells_per_mps = exposure->seconds / def->dx;
    const int last = brume_planes_to(field->grid, box.to[2]);
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(field->grid, box.from[2]); k <= last; k++) {
        for (int j = box.from[1]; j <= box.to[1]; j++) {
            for (int i = box.from[0]; i <= box.to[0]; i += BRUME_SEGMENT) {
                float *u = &field->data[brume_field_index(field, i, j, k)];
                BrumeVec3 points[BRUME_SEGMENT];
                float parts[BRUME_SEGMENT];
                const int count =
                    brume_cover_entries(sim, &covering, axis, (const int[]){i, j, k}, box.to[0], 0.0f, points, parts);
                for (int n = 0; n < count; n++) {
                    const float coverage = parts[n] > 0.0f ? parts[n] * brume_edge_factor(&covering, points[n]) : 0.0f;
                    if (coverage > 0.0f && force) {
                        u[n] = brume_forced_velocity(sim, force, axis, (const int[]){i + n, j, k}, points[n], coverage,
                                                     u[n]);
                    } else if (coverage > 0.0f) {
                        const float value =
                            varies ? brume_component(velocity_at(sim, exposure, points[n]), axis) : same_value;
                        u[n] = exposure->mode == BRUME_SOURCE_RATE
                                   ? u[n] + coverage * value * exposure->seconds
                                   : dragged_velocity(u[n], value, coverage, cells_per_mps);
                    }
                }
            }
        }
    }
}

static void exert_force(BrumeSim *sim, const BrumeExposure *exposure)
{
    const BrumeEmitterDef *emitter = &exposure->emitter;
    if (emitter->force.kind == BRUME_FORCE_ATTRACTION) {
        brume_attract_smoke(sim, emitter, exposure->seconds);
        return;
    }
    BrumeAppliedForce force;
    brume_prepare_force(sim, emitter, exposure->time, exposure->seconds, &force);
    brume_invalidate(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED);
    for (int axis = 0; axis < 3; axis++) {
        emit_velocity(sim, exposure, &force, axis);
    }
}

static void apply_emitter(BrumeSim *sim, const BrumeExposure *exposure)
{
    brume_emit_scalars(sim, exposure);
    if (exposure->emitter.velocity.mode == exposure->mode) {
        brume_invalidate(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED);
        for (int axis = 0; axis < 3; axis++) {
            emit_velocity(sim, exposure, NULL, axis);
        }
    }
    if (exposure->emitter.force.kind != BRUME_FORCE_NONE && exposure->mode == BRUME_SOURCE_RATE) {
        exert_force(sim, exposure);
    }
}

static float mix(float from, float to, float share) { return from + share * (to - from); }

static BrumeVec3 mix_vec3(BrumeVec3 from, BrumeVec3 to, float share)
{
    return brume_add(from, brume_scale(brume_sub(to, from), share));
}

static BrumeSource mix_source(BrumeSource from, BrumeSource to, float share)
{
    return (BrumeSource){to.mode, mix(from.value, to.value, share)};
}

// the emitter at a part of the step in [0, 1], in the frame of its parent; it keeps the rates of the whole step
static BrumeEmitterDef own_emitter_at(const BrumeSim *sim, int index, float share)
{
    BrumeEmitterDef emitter = sim->def.emitters[index];
    if (!sim->animate) {
        return emitter;
    }
    const BrumeEmitterDef *from = &sim->emitters_at[0][index];
    const BrumeEmitterDef *to = &sim->emitters_at[1][index];
    emitter.shape.a = mix_vec3(from->shape.a, to->shape.a, share);
    emitter.shape.b = mix_vec3(from->shape.b, to->shape.b, share);
    emitter.shape.radius = mix(from->shape.radius, to->shape.radius, share);
    emitter.shape.second_radius = mix(from->shape.second_radius, to->shape.second_radius, share);
    emitter.shape.position = mix_vec3(from->shape.position, to->shape.position, share);
    emitter.shape.rotation = mix_vec3(from->shape.rotation, to->shape.rotation, share);
    emitter.shape.scale = mix_vec3(from->shape.scale, to->shape.scale, share);
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        if (emitter.smoke[kind].mode == BRUME_SOURCE_SET) {
            emitter.smoke[kind] = mix_source(from->smoke[kind], to->smoke[kind], share);
        }
    }
    if (emitter.fuel.mode == BRUME_SOURCE_SET) {
        emitter.fuel = mix_source(from->fuel, to->fuel, share);
    }
    if (emitter.temperature.mode == BRUME_SOURCE_SET) {
        emitter.temperature = mix_source(from->temperature, to->temperature, share);
    }
    if (emitter.velocity.mode == BRUME_SOURCE_SET) {
        emitter.velocity.value = mix_vec3(from->velocity.value, to->velocity.value, share);
    }
    return emitter;
}

// the emitter in the world at a time of the step, which lasts `dt` [s]
static BrumeEmitterDef emitter_at(const BrumeSim *sim, int index, double time, double dt)
{
    BrumeEmitterDef emitter = own_emitter_at(sim, index, dt > 0.0 ? (float)((time - sim->time) / dt) : 0.0f);
    if (emitter.body > 0) {
        emitter.shape = brume_body_shape_at(sim, emitter.body - 1, time);
    } else if (emitter.parent > 0) {
        const BrumeShape parent = brume_body_shape_at(sim, emitter.parent - 1, time);
        emitter.shape = brume_shape_out_of(&parent, &emitter.shape);
    }
    return emitter;
}

// the number of parts into which positions divide the path of a shape that moves by `distance` [m]
static int count_parts(const BrumeSim *sim, double distance)
{
    const double parts = ceil(distance / (double)(SPACING * sim->def.dx) - 1e-6);
    return parts < MAX_POSITIONS ? (int)brume_fmax(parts, 1.0) : MAX_POSITIONS;
}

// the largest way of the points of a shape in the frame of its parent, or more; of a plane that turns, 0
static double own_distance_moved(const BrumeSim *sim, int index)
{
    const BrumeShape from = own_emitter_at(sim, index, 0.0f).shape;
    const BrumeShape to = own_emitter_at(sim, index, 1.0f).shape;
    double moved = (double)(brume_fmaxf(brume_length(brume_sub(to.a, from.a)), brume_length(brume_sub(to.b, from.b))) +
                            fabsf(to.radius - from.radius) + fabsf(to.second_radius - from.second_radius) +
                            brume_length(brume_sub(to.position, from.position)));
    const float turned = brume_length(brume_sub(to.rotation, from.rotation)) * (float)(PI / 180.0);
    const float grown = brume_length(brume_sub(to.scale, from.scale));
    BrumeVec3 center;
    float radius;
    brume_shape_sphere(&to, &center, &radius);
    if ((turned > 0.0f || grown > 0.0f) && radius < INFINITY) {
        const float reach = radius + brume_length(brume_sub(center, brume_shape_pivot(&to)));
        moved += (double)((turned + grown) * reach);
    }
    return moved;
}

// the same in the world
static double distance_moved(const BrumeSim *sim, int index, double dt)
{
    const int body = sim->def.emitters[index].body;
    const int parent = body > 0 ? body : sim->def.emitters[index].parent;
    const bool deforms = body > 0 && sim->deformed;
    const double moved = body == 0 ? own_distance_moved(sim, index)
                         : deforms ? dt * sim->deformed->bodies[body - 1].speed
                                   : 0.0;
    if (parent == 0) {
        return moved;
    }
    const BrumeShape outer = brume_body_shape(&sim->def, parent - 1);
    const BrumeShape shape = emitter_at(sim, index, sim->time + dt, dt).shape;
    return moved * (double)brume_shape_scale(&outer).x + dt * brume_speed_on_body(sim, parent - 1, &shape);
}

// where its velocity counts, the frames of an emitter around the time of an exposure, at most `half` [s] from it
static void find_motion(const BrumeSim *sim, int index, BrumeExposure *exposure, double half, double dt)
{
    if (exposure->emitter.source_velocity != 0.0f) {
        const double times[2] = {brume_fmax(exposure->time - half, sim->time),
                                 brume_fmin(exposure->time + half, sim->time + dt)};
        for (int n = 0; n < 2; n++) {
            const BrumeEmitterDef emitter = emitter_at(sim, index, times[n], dt);
            exposure->frames[n] = brume_shape_frame(&emitter.shape);
        }
        exposure->frame = brume_shape_frame(&exposure->emitter.shape);
        exposure->between = (float)(times[1] - times[0]);
    }
}

// applies an emitter, which has the triangles of the time of its exposure if its body deforms, at time `at` [s]
static BrumeStatus expose(BrumeSim *sim, int index, BrumeExposure *exposure, double at, double end, BrumeError *error)
{
    brume_set_emitter_samples(sim, index, exposure->mode == BRUME_SOURCE_SET, &exposure->emitter);
    const BrumeMesh *mesh = NULL;
    const int body = exposure->emitter.body;
    BrumeStatus status = body > 0 ? brume_deformed_mesh_at(sim, body - 1, at, &mesh, error) : BRUME_OK;
    if (status == BRUME_OK) {
        exposure->emitter.shape.mesh = mesh ? mesh : exposure->emitter.shape.mesh;
        apply_emitter(sim, exposure);
        if (exposure->mode == BRUME_SOURCE_RATE) {
            const BrumeBirths births = {
                .shape = &exposure->emitter.shape,
                .outside = exposure->emitter.from == BRUME_EMIT_VOLUME ? 0.0f : exposure->emitter.thickness,
                .rates = exposure->emitter.particles,
                .start = exposure->time,
                .seconds = (double)exposure->seconds,
                .end = end,
                .source = (uint32_t)index,
            };
            status = brume_bear_particles(sim, &births, error);
        }
    }
    brume_mesh_release(mesh);
    return status;
}

BrumeStatus brume_emit(BrumeSim *sim, double dt, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < sim->def.emitter_count && status == BRUME_OK; n++) {
        const BrumeEmitterDef *emitter = &sim->def.emitters[n];
        const double from = brume_fmax(sim->time, (double)emitter->start);
        const double to = brume_fmin(sim->time + dt, (double)emitter->end);
        if (!(to > from)) {
            continue;
        }
        // rates act in the middle of the parts, values at their ends and where a path begins within the step
        const double moved = distance_moved(sim, n, dt);
        const int parts = count_parts(sim, moved);
        for (int part = 0; part < parts && status == BRUME_OK; part++) {
            const double start = from + (to - from) * part / parts;
            const double middle = from + (to - from) * (part + 0.5) / parts;
            BrumeExposure exposure = {
                .emitter = emitter_at(sim, n, middle, dt),
                .mode = BRUME_SOURCE_RATE,
                .time = start,
                .seconds = (float)((to - from) / parts),
            };
            status = expose(sim, n, &exposure, middle, sim->time + dt, error);
        }
        const double air = sim->max_speed * dt;
        const int ends = count_parts(sim, moved + air);
        for (int end = from > sim->time ? 0 : 1; end <= ends && status == BRUME_OK; end++) {
            const double time = end < ends ? from + (to - from) * end / ends : to;
            BrumeExposure exposure = {
                .emitter = emitter_at(sim, n, time, dt),
                .mode = BRUME_SOURCE_SET,
                .time = time,
                .seconds = end > 0 ? (float)((to - from) / ends) : 0.0f,
                .age = (float)(sim->time + dt - time),
            };
            find_motion(sim, n, &exposure, 0.5 * (to - from) / ends, dt);
            status = expose(sim, n, &exposure, time, sim->time + dt, error);
        }
    }
    brume_set_scalar_ghosts(sim);
    return status;
}

BrumeStatus brume_emit_initially(BrumeSim *sim, BrumeError *error)
{
    const BrumeStatus status = brume_read_emitter_samples(sim, 0.0, error);
    for (int n = 0; n < sim->def.emitter_count && status == BRUME_OK; n++) {
        if ((double)sim->def.emitters[n].start <= sim->time && (double)sim->def.emitters[n].end > sim->time) {
            BrumeExposure exposure = {
                .emitter = emitter_at(sim, n, sim->time, 0.0), .mode = BRUME_SOURCE_SET, .time = sim->time};
            brume_set_emitter_samples(sim, n, true, &exposure.emitter);
            brume_emit_scalars(sim, &exposure);
        }
    }
    brume_set_scalar_ghosts(sim);
    return status;
}

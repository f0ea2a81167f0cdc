/*
 * Forces in the shapes of emitters. A relaxation is integrated exactly over the step,
 *
 *     u' = V + (u - V) exp(-c rate dt),
 *
 * with the part c of a cell that the shape covers and V the velocity of a wind, of a vortex or of a volume file.
 * Turbulence is an acceleration by curl noise (sim/forces/curl_noise.h) at texture coordinates that follow the flow
 * (transport/texture.c), in two layers whose weights make the mean square the same at all times.
 *
 * An attraction is the driving force of Fattal and Lischinski 2004, "Target-driven smoke animation", F = v rho~ grad
 * rho* / rho*, for a target rho* that falls exponentially with the distance d from the shape, so that grad rho* / rho*
 * is -grad d up to a factor, with a factor that ends it at its range; and their attenuation of momentum. In place of
 * the blurred smoke stands the smoke up to a density from which on the force does not grow.
 */
#include "sim/forces/shape_forces.h"

#include "core/domain.h"
#include "core/elementary.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/random.h"
#include "core/samples.h"
#include "core/texture_layers.h"
#include "core/vec3.h"
#include "sim/forces/source_cover.h"
#include "sim/grid/cells.h"

#include <math.h>

enum { SMOKE = 0, DISTANCE = 1 }; // fields of the scratch: the density of all kinds, the distance to a shape [m]

// a layer starts again in another part of the noise
static BrumeVec3 offset_of_layer(int generation, int layer)
{
    const uint32_t hash = brume_hash3((uint32_t)generation, (uint32_t)layer, 0);
    return brume_vec3((float)(hash % BRUME_CURL_NOISE_SIDE), (float)((hash >> 8) % BRUME_CURL_NOISE_SIDE),
                      (float)((hash >> 16) % BRUME_CURL_NOISE_SIDE));
}

static void prepare_layers(const BrumeSim *sim, double time, BrumeAppliedForce *force)
{
    brume_texture_noise_weights(time, (double)sim->def.texture_period, force->weights);
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        force->offsets[n] = offset_of_layer(sim->texture_generation[n], n);
        brume_exchange_fields(sim->texture[n], 3, 1);
    }
}

void brume_prepare_force(const BrumeSim *sim, const BrumeEmitterDef *emitter, double time, float seconds,
                         BrumeAppliedForce *force)
{
    force->def = &emitter->force;
    force->frame = brume_shape_frame(&emitter->shape);
    force->seconds = seconds;
    force->weights[0] = 1.0f;
    force->weights[1] = 0.0f;
    force->offsets[0] = brume_vec3(0.0f, 0.0f, 0.0f);
    if (emitter->force.kind == BRUME_FORCE_TURBULENCE) {
        brume_curl_noise_set(&force->noise, time * (double)emitter->force.speed, sim->def.seed);
        if (sim->texture[0][0].data) {
            prepare_layers(sim, time + (double)seconds, force);
        }
    }
}

// the way from a face to where its air was when a layer started, the mean of the cells at its sides [m]
static BrumeVec3 way_to_start(const BrumeField texture[3], int axis, const int index[3])
{
    const ptrdiff_t upper = brume_field_index(&texture[0], index[0], index[1], index[2]);
    const ptrdiff_t lower = index[axis] > 1 ? upper - brume_stride(&texture[0], axis) : upper;
    return brume_vec3(0.5f * (texture[0].data[lower] + texture[0].data[upper]),
                      0.5f * (texture[1].data[lower] + texture[1].data[upper]),
                      0.5f * (texture[2].data[lower] + texture[2].data[upper]));
}

static float turbulence_at(const BrumeSim *sim, const BrumeAppliedForce *force, int axis, const int index[3],
                           BrumeVec3 point)
{
    const float spacings = 1.0f / force->def->scale;
    float sum = 0.0f;
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        if (force->weights[n] > 0.0f) {
            const BrumeField *texture = sim->texture[n];
            const BrumeVec3 at = texture[0].data ? brume_add(point, way_to_start(texture, axis, index)) : point;
            const BrumeVec3 in_noise = brume_add(brume_scale(at, spacings), force->offsets[n]);
            sum += force->weights[n] * brume_curl_noise_at(&force->noise, in_noise, axis);
        }
    }
    return force->def->strength * sum;
}

// the component of the velocity of samples at a point; false where they have no value
static bool flow_at(const BrumeAppliedForce *force, int axis, BrumeVec3 point, float *value)
{
    const BrumeVec3 own = brume_frame_own_point(&force->frame, point);
    const double at[3] = {(double)own.x, (double)own.y, (double)own.z};
    *value = 0.0f;
    for (int n = 0; n < 3; n++) {
        double component;
        if (!brume_samples_at(force->def->samples[n], at, &component)) {
            return false;
        }
        *value += (float)component * brume_component(force->frame.axes[n], axis);
    }
    return true;
}

// the component of the velocity to which the air relaxes at a point; false where none is known
static bool target_at(const BrumeAppliedForce *force, int axis, BrumeVec3 point, float *target)
{
    const BrumeForceDef *def = force->def;
    *target = def->kind == BRUME_FORCE_WIND ? brume_component(def->velocity, axis)
              : def->kind == BRUME_FORCE_VORTEX
                  ? brume_component(brume_cross(def->spin, brume_sub(point, force->frame.pivot)), axis)
                  : 0.0f;
    return def->kind != BRUME_FORCE_FLOW || flow_at(force, axis, point, target);
}

float brume_forced_velocity(const BrumeSim *sim, const BrumeAppliedForce *force, int axis, const int index[3],
                            BrumeVec3 point, float coverage, float value)
{
    if (force->def->kind == BRUME_FORCE_TURBULENCE) {
        return value + coverage * force->seconds * turbulence_at(sim, force, axis, index, point);
    }
    float target;
    return target_at(force, axis, point, &target)
               ? target + (value - target) * brume_expf(-coverage * force->def->rate * force->seconds)
               : value;
}

// sets the sum of the densities in a box of cells
static void find_smoke(BrumeSim *sim, const BrumeIndexBox *box)
{
    BrumeField *smoke = &sim->scratch[SMOKE];
    const BrumeGrid grid = smoke->grid;
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(grid, box->from[2]); k <= brume_planes_to(grid, box->to[2]); k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                const ptrdiff_t c = brume_field_index(smoke, i, j, k);
                smoke->data[c] = 0.0f;
                for (int kind = 0; kind <= sim->def.color_count; kind++) {
                    smoke->data[c] += sim->fields[brume_smoke_id(kind)].data[c];
                }
            }
        }
    }
    brume_exchange_field(smoke, 1);
}

// whether a cell or one beside it has smoke
static bool is_near_smoke(const BrumeField *smoke, const BrumeIndexBox *box, const int index[3])
{
    const ptrdiff_t c = brume_field_index(smoke, index[0], index[1], index[2]);
    bool found = smoke->data[c] > 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        const ptrdiff_t stride = brume_stride(smoke, axis);
        found = found || (index[axis] > box->from[axis] && smoke->data[c - stride] > 0.0f) ||
                (index[axis] < box->to[axis] && smoke->data[c + stride] > 0.0f);
    }
    return found;
}

// sets the distance to the shape in the cells of a box at smoke; 0 inside the shape
static void find_distances(BrumeSim *sim, const BrumeIndexBox *box, const BrumeEmitterDef *emitter)
{
    const BrumePlacedShape placed = brume_shape_place(&emitter->shape);
    const float most = emitter->force.range + 2.0f * sim->def.dx;
    BrumeField *distance = &sim->scratch[DISTANCE];
    const BrumeGrid grid = distance->grid;
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(grid, box->from[2]); k <= brume_planes_to(grid, box->to[2]); k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                if (is_near_smoke(&sim->scratch[SMOKE], box, (const int[]){i, j, k})) {
                    const BrumeVec3 center = brume_entry_position(&sim->def, BRUME_AT_CENTER, i, j, k);
                    distance->data[brume_field_index(distance, i, j, k)] =
                        brume_fmaxf(brume_placed_distance(&placed, center, most), 0.0f);
                }
            }
        }
    }
    brume_exchange_field(distance, 1);
}

void brume_attract_smoke(BrumeSim *sim, const BrumeEmitterDef *emitter, float seconds)
{
    const BrumeForceDef *force = &emitter->force;
    const float range = force->range;
    const BrumeIndexBox box = brume_entries_near(&sim->def, &emitter->shape, brume_vec3(range, range, range));
    find_smoke(sim, &box);
    find_distances(sim, &box, emitter);
    brume_invalidate(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED);
    for (int axis = 0; axis < 3; axis++) {
        BrumeField *velocity = &sim->fields[axis];
        const ptrdiff_t stride = brume_stride(velocity, axis);
        const int from[3] = {box.from[0] + (axis == 0), box.from[1] + (axis == 1), box.from[2] + (axis == 2)};
        const int last = brume_planes_to(velocity->grid, box.to[2]);
#pragma omp parallel for schedule(static)
        for (int k = brume_planes_from(velocity->grid, from[2]); k <= last; k++) {
            for (int j = from[1]; j <= box.to[1]; j++) {
                for (int i = from[0]; i <= box.to[0]; i++) {
                    const ptrdiff_t c = brume_field_index(velocity, i, j, k);
                    const float *smoke = &sim->scratch[SMOKE].data[c];
                    const float *distance = &sim->scratch[DISTANCE].data[c];
                    const float density = 0.5f * (smoke[0] + smoke[-stride]);
                    const float amount = brume_fminf(density / force->density, 1.0f);
                    const float share = density > 0.0f ? 0.5f * (distance[0] + distance[-stride]) / range : 1.0f;
                    if (share < 1.0f) {
                        const float falloff = (1.0f - share * share) * (1.0f - share * share);
                        const float slope = (distance[0] - distance[-stride]) / sim->def.dx;
                        float *u = &velocity->data[c];
                        *u -= seconds * force->strength * amount * falloff * slope;
                        *u *= brume_expf(-seconds * force->rate * amount * falloff);
                    }
                }
            }
        }
    }
}

float brume_force_speed(const BrumeEmitterDef *emitter)
{
    const BrumeForceDef *force = &emitter->force;
    if (force->kind == BRUME_FORCE_WIND) {
        return brume_length(force->velocity);
    }
    BrumeVec3 center;
    float radius;
    brume_shape_sphere(&emitter->shape, &center, &radius);
    const float reach = radius + brume_length(brume_sub(center, brume_shape_pivot(&emitter->shape)));
    return force->kind == BRUME_FORCE_VORTEX && reach < INFINITY ? brume_length(force->spin) * reach : 0.0f;
}

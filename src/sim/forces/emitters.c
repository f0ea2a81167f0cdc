/*
 * Emitters: sources of smoke, heat and motion (Stam 2003, add_source), applied over the part of the step in which they
 * are active. The source term of a cell is scaled by the fraction of the cell that the shape covers, so that the total
 * emission varies continuously with the position of the emitter; a soft edge scales it by the depth of the cell's
 * centre.
 */
#include "core/minmax.h"
#include "core/noise.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/forces/forces.h"
#include "sim/measures/budget.h"
#include "sim/measures/sums.h"
#include "sim/state/state.h"

// two octaves of noise, the second with half the amplitude
static float noise_factor(const BrumeEmitterDef *emitter, BrumeVec3 point, double time, uint32_t seed)
{
    if (emitter->noise <= 0.0f) {
        return 1.0f;
    }
    const float scale = 1.0f / emitter->noise_scale;
    float at[4] = {point.x * scale, point.y * scale, point.z * scale, (float)time * emitter->noise_speed};
    float noise = brume_lattice_noise(at, NULL, seed) * (2.0f / 3.0f);
    for (int axis = 0; axis < 4; axis++) {
        at[axis] *= 2.0f;
    }
    noise += brume_lattice_noise(at, NULL, seed + 1) * (1.0f / 3.0f);
    return 1.0f - emitter->noise + 2.0f * emitter->noise * noise;
}

// 0 at the surface of the shape and outside, 1 deeper inside than the softness, a smoothstep between
static float edge_factor(const BrumeEmitterDef *emitter, BrumeVec3 point)
{
    if (emitter->softness <= 0.0f) {
        return 1.0f;
    }
    const float depth = brume_fminf(-brume_shape_distance(&emitter->shape, point) / emitter->softness, 1.0f);
    return depth > 0.0f ? depth * depth * (3.0f - 2.0f * depth) : 0.0f;
}

// the entries that `shape` may cover, grown by one
static BrumeIndexBox entries_near(const BrumeSimDef *def, const BrumeShape *shape)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(shape, &lower, &upper);
    const BrumeVec3 from = brume_scale(brume_sub(lower, def->origin), 1.0f / def->dx); // [cells]
    const BrumeVec3 to = brume_scale(brume_sub(upper, def->origin), 1.0f / def->dx);
    const BrumeGrid grid = {def->nx, def->ny, def->nz};
    BrumeIndexBox box;
    for (int axis = 0; axis < 3; axis++) {
        const float n = (float)brume_cells_along(grid, axis);
        box.from[axis] = (int)brume_fminf(brume_fmaxf(floorf(brume_component(from, axis)), 1.0f), n + 1.0f);
        box.to[axis] = (int)brume_fminf(brume_fmaxf(ceilf(brume_component(to, axis)) + 2.0f, 0.0f), n);
    }
    return box;
}

// The value after `seconds` of a source that covers part of the cell. Where a soft edge makes an imposed value smaller,
// it is the least that the cell has: it would otherwise take smoke away, and approach the full value over several
// steps.
static float apply(float value, BrumeSource source, float coverage, float factor, bool soft, float seconds)
{
    const float target = factor * source.value;
    switch (source.mode) {
    case BRUME_SOURCE_NONE:
        break;
    case BRUME_SOURCE_RATE:
        return value + coverage * factor * source.value * seconds;
    case BRUME_SOURCE_SET:
        if (soft && (target >= 0.0f ? value >= target : value <= target)) {
            return value;
        }
        return value + coverage * (target - value);
    }
    return value;
}

static void emit_quantity(BrumeSim *sim, const BrumeEmitterDef *emitter, BrumeFieldId id, BrumeSource source,
                          float seconds)
{
    BrumeField *field = &sim->fields[id];
    if (source.mode == BRUME_SOURCE_NONE || !field->data) {
        return;
    }
    const BrumeSimDef *def = &sim->def;
    const int location = brume_location(id);
    const BrumeIndexBox box = entries_near(def, &emitter->shape);
    const bool is_scalar = location == BRUME_AT_CENTER;
    const uint8_t *flags = sim->geometry->cells.flags;
#pragma omp parallel for schedule(static)
    for (int k = box.from[2]; k <= box.to[2]; k++) {
        double added = 0.0; // to the fluid cells of the plane
        for (int j = box.from[1]; j <= box.to[1]; j++) {
            for (int i = box.from[0]; i <= box.to[0]; i++) {
                const BrumeVec3 point = {
                    def->origin.x + ((float)i - (location == 0 ? 1.0f : 0.5f)) * def->dx,
                    def->origin.y + ((float)j - (location == 1 ? 1.0f : 0.5f)) * def->dx,
                    def->origin.z + ((float)k - (location == 2 ? 1.0f : 0.5f)) * def->dx,
                };
                const float coverage = brume_shape_coverage(&emitter->shape, point, def->dx);
                if (coverage > 0.0f) {
                    const float edge = edge_factor(emitter, point);
                    const float factor = is_scalar ? edge * noise_factor(emitter, point, sim->time, def->seed) : 1.0f;
                    const float share = is_scalar ? coverage : coverage * edge; // velocity is blended
                    const ptrdiff_t c = brume_field_index(field, i, j, k);
                    const float before = field->data[c];
                    field->data[c] = apply(before, source, share, factor, edge < 1.0f, seconds);
                    added += flags[c] & BRUME_CELL_FLUID ? (double)field->data[c] - (double)before : 0.0;
                }
            }
        }
        sim->planes[k] = added;
    }
    double added = 0.0;
    for (int k = box.from[2]; k <= box.to[2]; k++) {
        added += sim->planes[k];
    }
    brume_budget_add_emitted(sim, id, added * brume_cell_volume(sim));
}

void brume_emit(BrumeSim *sim, double dt)
{
    for (int n = 0; n < sim->def.emitter_count; n++) {
        const BrumeEmitterDef *emitter = &sim->def.emitters[n];
        const double seconds = brume_fmin(sim->time + dt, emitter->end) - brume_fmax(sim->time, emitter->start);
        if (seconds <= 0.0) {
            continue;
        }
        for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
            emit_quantity(sim, emitter, brume_smoke_id(kind), emitter->smoke[kind], (float)seconds);
        }
        emit_quantity(sim, emitter, BRUME_FIELD_TEMPERATURE, emitter->temperature, (float)seconds);
        if (emitter->velocity.mode != BRUME_SOURCE_NONE) {
            brume_invalidate(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED);
        }
        for (int axis = 0; axis < 3; axis++) {
            const BrumeSource source = {emitter->velocity.mode, brume_component(emitter->velocity.value, axis)};
            emit_quantity(sim, emitter, (BrumeFieldId)axis, source, (float)seconds);
        }
    }
    brume_set_scalar_ghosts(sim);
}

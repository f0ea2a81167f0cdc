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
#include "core/color.h"
#include "core/domain.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/noise.h"
#include "core/parallel/reductions.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/forces/forces.h"
#include "sim/forces/shape_forces.h"
#include "sim/forces/source_cover.h"
#include "sim/measures/budget.h"
#include "sim/measures/sums.h"
#include "sim/state/emitter_samples.h"
#include "sim/state/heat.h"
#include "sim/state/state.h"

#include <string.h>

enum { MAX_POSITIONS = 1024 }; // of a shape in a step

static const double PI = 3.14159265358979323846;
static const float SPACING = 0.5f; // of positions [cells]

// an emitter at a position of its path
typedef struct Exposure {
    BrumeEmitterDef emitter;   // as it is there
    BrumeSourceMode mode;      // its sources of this mode act
    double time;               // [s]
    float seconds;             // for which rates act
    float age;                 // time up to the end of the step [s]
    BrumeShapeFrame frame;     // of the shape, where its velocity counts
    BrumeShapeFrame frames[2]; // the same around this time, where its velocity counts
    float between;             // time from one to the other [s]; 0: its velocity does not count
} Exposure;

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

// the factors of the kinds of smoke at a point
static void find_colors(const BrumeEmitterDef *emitter, BrumeVec3 point, float factors[BRUME_SMOKE_KINDS])
{
    const BrumeShapeFrame frame = brume_shape_frame(&emitter->shape);
    const BrumeVec3 own = brume_sub(brume_frame_own_point(&frame, point), emitter->shape.a);
    const BrumeMesh *mesh = emitter->shape.mesh;
    BrumeMeshPoint closest;
    if (emitter->from == BRUME_EMIT_VERTICES ? brume_mesh_closest_vertex(mesh, own, INFINITY, &closest)
                                             : brume_mesh_closest(mesh, own, INFINITY, &closest)) {
        const BrumeVec3 color = brume_mesh_attributes(mesh, closest.triangle, closest.share).color;
        factors[0] = brume_luminance(color);
        factors[1] = color.x;
        factors[2] = color.y;
        factors[3] = color.z;
    }
}

// the velocity that an emitter imposes at a point
static BrumeVec3 velocity_at(const BrumeSim *sim, const Exposure *exposure, BrumeVec3 point)
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

// The value that `value` becomes where the fraction `coverage` of a cell has the value `target`. Where a soft edge
// makes the target smaller, it is the least that the cell has: it would otherwise take smoke away.
static float imposed_value(float value, float target, float coverage, bool soft)
{
    const float least = coverage * target;
    const float most = target / coverage;
    if (target >= 0.0f) {
        return soft ? brume_fmaxf(value, least) : brume_fminf(brume_fmaxf(value, least), most);
    }
    return soft ? brume_fminf(value, least) : brume_fmaxf(brume_fminf(value, least), most);
}

// the velocity after `cells` = seconds / dx under the drag of a body of velocity `target`
static float dragged_velocity(float value, float target, float coverage, float cells)
{
    const float free = 1.0f - coverage;
    const float excess = value - target;
    return free > 0.0f ? target + excess * free / (free + coverage * fabsf(excess) * cells) : target;
}

// the displacement during the time `age` [s] of the air that is at the center of cell `c`
static BrumeVec3 displacement_of_air(const BrumeField velocity[3], ptrdiff_t c, float age)
{
    const ptrdiff_t strides[3] = {1, velocity[0].sy, velocity[0].sz};
    float by[3];
    for (int axis = 0; axis < 3; axis++) {
        by[axis] = 0.5f * age * (velocity[axis].data[c] + velocity[axis].data[c + strides[axis]]);
    }
    return brume_vec3(by[0], by[1], by[2]);
}

// The points of at most BRUME_SEGMENT entries of a row from `first` to `last`, or where the air there was `age` [s]
// ago, with the parts of them in which an emitter acts. Returns their number, or 0 where all parts are 0.
static int cover_entries(const BrumeSim *sim, const BrumeSourceCover *covering, int location, const int first[3],
                         int last, float age, BrumeVec3 points[BRUME_SEGMENT], float parts[BRUME_SEGMENT])
{
    const BrumeVec3 start = brume_entry_position(&sim->def, location, first[0], first[1], first[2]);
    const BrumeSegmentCover segment = brume_compare_segment(covering, start, 2.0f * age * (float)sim->max_speed);
    if (segment == BRUME_SEGMENT_NOT_COVERED) {
        return 0;
    }
    const int count = brume_min_int(BRUME_SEGMENT, last - first[0] + 1);
    for (int n = 0; n < count; n++) {
        const int i = first[0] + n;
        points[n] = brume_entry_position(&sim->def, location, i, first[1], first[2]);
        if (age > 0.0f) {
            const ptrdiff_t c = brume_field_index(&sim->fields[0], i, first[1], first[2]);
            points[n] = brume_sub(points[n], displacement_of_air(sim->transport_velocity, c, age));
        }
    }
    brume_cover_segment(covering, segment, points, count, parts);
    return count;
}

// the scalars that an emitter has sources of
typedef struct EmittedScalars {
    int count;
    BrumeFieldId ids[BRUME_SCALAR_COUNT];
    float *data[BRUME_SCALAR_COUNT];
    float values[BRUME_SCALAR_COUNT];
} EmittedScalars;

static void add_scalar(EmittedScalars *scalars, BrumeSim *sim, BrumeFieldId id, BrumeSource source,
                       BrumeSourceMode mode)
{
    if (source.mode == mode && sim->fields[id].data) {
        scalars->ids[scalars->count] = id;
        scalars->data[scalars->count] = sim->fields[id].data;
        scalars->values[scalars->count++] = source.value;
    }
}

// a cell that an emitter covers in part
typedef struct CoveredCell {
    ptrdiff_t c;
    BrumeVec3 point;
    float coverage;
    float edge;   // by softness
    float factor; // by softness and noise
} CoveredCell;

// what an emitter does in a cell; adds to the sums, which are 0 at first
typedef void CellAction(BrumeSim *sim, const Exposure *exposure, const void *context, const CoveredCell *cell,
                        double sums[BRUME_SCALAR_COUNT]);

// emits into a cell; the sums are those of the amounts in fluid cells
static void emit_into_cell(BrumeSim *sim, const Exposure *exposure, const void *context, const CoveredCell *cell,
                           double added[BRUME_SCALAR_COUNT])
{
    const BrumeEmitterDef *emitter = &exposure->emitter;
    const EmittedScalars *scalars = context;
    float colors[BRUME_SMOKE_KINDS] = {1.0f, 1.0f, 1.0f, 1.0f};
    if (emitter->mesh_color) {
        find_colors(emitter, cell->point, colors);
    }
    const bool is_fluid = sim->geometry->cells.flags[cell->c] & BRUME_CELL_FLUID;
    for (int n = 0; n < scalars->count; n++) {
        const int kind = (int)scalars->ids[n] - (int)BRUME_FIELD_DENSITY; // below 0: temperature
        const float value = kind < 0 ? scalars->values[n] : scalars->values[n] * colors[kind];
        const float old_value = scalars->data[n][cell->c];
        const float new_value = exposure->mode == BRUME_SOURCE_RATE
                                    ? old_value + cell->coverage * cell->factor * value * exposure->seconds
                                    : imposed_value(old_value, cell->factor * value, cell->coverage, cell->edge < 1.0f);
        scalars->data[n][cell->c] = new_value;
        const bool as_heat = kind < 0 && brume_has_fuel(&sim->def);
        const float old_amount = as_heat ? brume_heat_of(old_value) : old_value;
        const float new_amount = as_heat ? brume_heat_of(new_value) : new_value;
        added[n] += is_fluid ? (double)new_amount - (double)old_amount : 0.0;
    }
}

// adds the weight of a fluid cell
static void weigh_cell(BrumeSim *sim, const Exposure *exposure, const void *context, const CoveredCell *cell,
                       double sums[BRUME_SCALAR_COUNT])
{
    (void)exposure;
    (void)context;
    const bool is_fluid = sim->geometry->cells.flags[cell->c] & BRUME_CELL_FLUID;
    sums[0] += is_fluid ? (double)(cell->coverage * cell->factor) : 0.0;
}

/*
 * Emits fuel into a fluid cell. At a rate, its mass, `mass_per_weight` over that of the ambient air in a cell, is added
 * at ambient temperature to the gas that is there: it is compressed for this step, and expands in the next one. A part
 * of the mass replaces air.
 */
static void emit_fuel_into_cell(BrumeSim *sim, const Exposure *exposure, const void *context, const CoveredCell *cell,
                                double sums[BRUME_SCALAR_COUNT])
{
    const float *mass_per_weight = context;
    if (!(sim->geometry->cells.flags[cell->c] & BRUME_CELL_FLUID)) {
        return;
    }
    float *fuel = &sim->fields[BRUME_FIELD_FUEL].data[cell->c];
    float *mixture = &sim->fields[BRUME_FIELD_MIXTURE].data[cell->c];
    float *temperature = &sim->fields[BRUME_FIELD_TEMPERATURE].data[cell->c];
    const float density = brume_relative_density(*temperature);
    float added;
    if (exposure->mode == BRUME_SOURCE_RATE) {
        added = *mass_per_weight * cell->coverage * cell->factor;
        const float compressed = BRUME_AMBIENT_TEMPERATURE / (density + added) - BRUME_AMBIENT_TEMPERATURE;
        const float lost = brume_heat_of(*temperature) - brume_heat_of(compressed);
        *temperature = compressed;
        sim->fields[BRUME_FIELD_EXPANSION].data[cell->c] += lost / BRUME_AMBIENT_TEMPERATURE;
    } else {
        const float target = density * exposure->emitter.fuel.value * cell->factor;
        const float raised = brume_fmaxf(*fuel, cell->coverage * target);
        added = brume_fmaxf(brume_fminf(raised - *fuel, density - *mixture), 0.0f);
    }
    *fuel += added;
    *mixture += added;
    sums[0] += (double)added;
}

static BrumeVec3 in_all_directions(float length) { return brume_vec3(length, length, length); }

// the bits of the largest absolute value of a component on the lower and upper faces of the cells of a box
static int32_t largest_in_box(const BrumeField *velocity, int axis, const BrumeIndexBox *box)
{
    int32_t largest = 0;
    const int last = brume_planes_to(velocity->grid, box->to[2] + (axis == 2));
    for (int k = brume_planes_from(velocity->grid, box->from[2]); k <= last; k++) {
        for (int j = box->from[1]; j <= box->to[1] + (axis == 1); j++) {
            const float *row = velocity->data + brume_field_index(velocity, box->from[0], j, k);
            largest = brume_largest_bits(row, box->to[0] - box->from[0] + 1 + (axis == 0), largest);
        }
    }
    return largest;
}

// the cells whose air was near an emitter at the time of its exposure, by the largest velocities where it may have been
static BrumeIndexBox entries_reached(const BrumeSim *sim, const Exposure *exposure, float reach)
{
    const BrumeShape *shape = &exposure->emitter.shape;
    const BrumeIndexBox box =
        brume_entries_near(&sim->def, shape, in_all_directions(reach + exposure->age * (float)sim->max_speed));
    if (exposure->age <= 0.0f) {
        return box;
    }
    brume_exchange_field(&sim->transport_velocity[BRUME_FIELD_W], BRUME_HALO); // of upper faces: displacement_of_air
    int32_t largest[3];
    float around[3];
    for (int axis = 0; axis < 3; axis++) {
        largest[axis] = largest_in_box(&sim->transport_velocity[axis], axis, &box);
    }
    brume_largest_of_ranks(sim->transport_velocity->grid, largest, 3);
    for (int axis = 0; axis < 3; axis++) {
        const float speed = brume_float_of_bits(largest[axis]);
        around[axis] = reach + exposure->age * brume_fminf(speed, (float)sim->max_speed);
    }
    return brume_entries_near(&sim->def, shape, brume_vec3(around[0], around[1], around[2]));
}

// acts in all cells that an emitter covers; sets the sums of all cells unless `sums` is NULL
static void act_in_cells(BrumeSim *sim, const Exposure *exposure, CellAction *act, const void *context,
                         double sums[BRUME_SCALAR_COUNT])
{
    const BrumeEmitterDef *emitter = &exposure->emitter;
    const BrumeSourceCover covering = brume_source_cover(&sim->def, emitter, BRUME_AT_CENTER);
    const BrumeIndexBox box = entries_reached(sim, exposure, covering.reach);
    const BrumeGrid grid = sim->fields[BRUME_FIELD_TEMPERATURE].grid;
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(grid, box.from[2]); k <= brume_planes_to(grid, box.to[2]); k++) {
        double *plane = sim->planes + BRUME_PLANE_VALUES * k;
        double block[BRUME_SCALAR_COUNT] = {0.0}; // of the present block of rows
        memset(plane, 0, sizeof block);
        for (int j = box.from[1]; j <= box.to[1]; j++) {
            if (j % BRUME_SUM_ROWS == 1) {
                brume_move_sums(block, plane, BRUME_SCALAR_COUNT);
            }
            for (int i = box.from[0]; i <= box.to[0]; i += BRUME_SEGMENT) {
                const ptrdiff_t c = brume_field_index(&sim->fields[BRUME_FIELD_TEMPERATURE], i, j, k);
                BrumeVec3 points[BRUME_SEGMENT];
                float parts[BRUME_SEGMENT];
                const int count = cover_entries(sim, &covering, BRUME_AT_CENTER, (const int[]){i, j, k}, box.to[0],
                                                exposure->age, points, parts);
                for (int n = 0; n < count; n++) {
                    if (parts[n] > 0.0f) {
                        const float edge = brume_edge_factor(&covering, points[n]);
                        const float noise = noise_factor(emitter, points[n], exposure->time, sim->def.seed);
                        const CoveredCell cell = {c + n, points[n], parts[n], edge, edge * noise};
                        act(sim, exposure, context, &cell, block);
                    }
                }
            }
        }
        brume_move_sums(block, plane, BRUME_SCALAR_COUNT);
    }
    if (!sums) {
        return;
    }
    memset(sums, 0, BRUME_SCALAR_COUNT * sizeof *sums);
    brume_gather_planes(grid, sim->planes, BRUME_PLANE_VALUES * sizeof *sim->planes);
    for (int k = box.from[2]; k <= box.to[2]; k++) {
        brume_move_sums(sim->planes + BRUME_PLANE_VALUES * k, sums, BRUME_SCALAR_COUNT);
    }
}

static void emit_smoke_and_heat(BrumeSim *sim, const Exposure *exposure)
{
    const BrumeEmitterDef *emitter = &exposure->emitter;
    EmittedScalars scalars = {0};
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        add_scalar(&scalars, sim, brume_smoke_id(kind), emitter->smoke[kind], exposure->mode);
    }
    add_scalar(&scalars, sim, BRUME_FIELD_TEMPERATURE, emitter->temperature, exposure->mode);
    if (scalars.count == 0) {
        return;
    }
    double added[BRUME_SCALAR_COUNT];
    act_in_cells(sim, exposure, emit_into_cell, &scalars, sim->budgets_on ? added : NULL);
    for (int n = 0; sim->budgets_on && n < scalars.count; n++) {
        brume_budget_add_emitted(sim, scalars.ids[n], added[n] * brume_cell_volume(sim));
    }
}

// the mass of fuel that an emitter adds per second [kg/s]
static double fuel_rate(const BrumeSim *sim, const BrumeEmitterDef *emitter)
{
    const double of_power =
        emitter->power.mode == BRUME_SOURCE_RATE ? (double)emitter->power.value / (double)sim->def.fire.heat : 0.0;
    return of_power + (emitter->fuel.mode == BRUME_SOURCE_RATE ? (double)emitter->fuel.value : 0.0);
}

static void emit_fuel(BrumeSim *sim, const Exposure *exposure)
{
    const bool is_rate = exposure->mode == BRUME_SOURCE_RATE;
    const double rate = fuel_rate(sim, &exposure->emitter);
    if (!brume_has_fuel(&sim->def) || (is_rate ? rate == 0.0 : exposure->emitter.fuel.mode != BRUME_SOURCE_SET)) {
        return;
    }
    double sums[BRUME_SCALAR_COUNT];
    float mass_per_weight = 0.0f;
    const double cell_mass = (double)BRUME_AMBIENT_DENSITY * brume_cell_volume(sim); // [kg]
    if (is_rate) {
        act_in_cells(sim, exposure, weigh_cell, NULL, sums);
        mass_per_weight = sums[0] > 0.0 ? (float)(rate * (double)exposure->seconds / (sums[0] * cell_mass)) : 0.0f;
    }
    act_in_cells(sim, exposure, emit_fuel_into_cell, &mass_per_weight, sim->budgets_on ? sums : NULL);
    if (sim->budgets_on) {
        brume_budget_add_emitted(sim, BRUME_FIELD_FUEL, sums[0] * brume_cell_volume(sim));
        brume_budget_add_emitted(sim, BRUME_FIELD_MIXTURE, sums[0] * brume_cell_volume(sim));
    }
}

static void emit_scalars(BrumeSim *sim, const Exposure *exposure)
{
    emit_smoke_and_heat(sim, exposure);
    emit_fuel(sim, exposure);
}

// applies a force, or without one the velocity that an emitter imposes or adds
static void emit_velocity(BrumeSim *sim, const Exposure *exposure, const BrumeAppliedForce *force, int axis)
{
    const BrumeSimDef *def = &sim->def;
    const BrumeEmitterDef *emitter = &exposure->emitter;
    BrumeField *field = &sim->fields[axis];
    const BrumeSourceCover covering = brume_source_cover(def, emitter, axis);
    const BrumeIndexBox box = brume_entries_near(def, &emitter->shape, in_all_directions(covering.reach));
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
                    cover_entries(sim, &covering, axis, (const int[]){i, j, k}, box.to[0], 0.0f, points, parts);
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

static void exert_force(BrumeSim *sim, const Exposure *exposure)
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

static void apply_emitter(BrumeSim *sim, const Exposure *exposure)
{
    emit_scalars(sim, exposure);
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
static void find_motion(const BrumeSim *sim, int index, Exposure *exposure, double half, double dt)
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
static BrumeStatus expose(BrumeSim *sim, int index, Exposure *exposure, double at, BrumeError *error)
{
    brume_set_emitter_samples(sim, index, exposure->mode == BRUME_SOURCE_SET, &exposure->emitter);
    const BrumeMesh *mesh = NULL;
    const int body = exposure->emitter.body;
    const BrumeStatus status = body > 0 ? brume_deformed_mesh_at(sim, body - 1, at, &mesh, error) : BRUME_OK;
    if (status == BRUME_OK) {
        exposure->emitter.shape.mesh = mesh ? mesh : exposure->emitter.shape.mesh;
        apply_emitter(sim, exposure);
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
            Exposure exposure = {
                .emitter = emitter_at(sim, n, middle, dt),
                .mode = BRUME_SOURCE_RATE,
                .time = start,
                .seconds = (float)((to - from) / parts),
            };
            status = expose(sim, n, &exposure, middle, error);
        }
        const double air = sim->max_speed * dt;
        const int ends = count_parts(sim, moved + air);
        for (int end = from > sim->time ? 0 : 1; end <= ends && status == BRUME_OK; end++) {
            const double time = end < ends ? from + (to - from) * end / ends : to;
            Exposure exposure = {
                .emitter = emitter_at(sim, n, time, dt),
                .mode = BRUME_SOURCE_SET,
                .time = time,
                .seconds = end > 0 ? (float)((to - from) / ends) : 0.0f,
                .age = (float)(sim->time + dt - time),
            };
            find_motion(sim, n, &exposure, 0.5 * (to - from) / ends, dt);
            status = expose(sim, n, &exposure, time, error);
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
            Exposure exposure = {
                .emitter = emitter_at(sim, n, sim->time, 0.0), .mode = BRUME_SOURCE_SET, .time = sim->time};
            brume_set_emitter_samples(sim, n, true, &exposure.emitter);
            emit_scalars(sim, &exposure);
        }
    }
    brume_set_scalar_ghosts(sim);
    return status;
}

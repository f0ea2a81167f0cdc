// The sources of smoke, heat and fuel of an emitter (emitters.c): what they add to the cells that its shape covers.
#include "core/color.h"
#include "core/domain.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/noise.h"
#include "core/parallel/reductions.h"
#include "core/vec3.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/emission.h"
#include "sim/measures/budget.h"
#include "sim/measures/sums.h"
#include "sim/state/heat.h"

#include <string.h>

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

int brume_cover_entries(const BrumeSim *sim, const BrumeSourceCover *covering, int location, const int first[3],
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
typedef void CellAction(BrumeSim *sim, const BrumeExposure *exposure, const void *context, const CoveredCell *cell,
                        double sums[BRUME_SCALAR_COUNT]);

// emits into a cell; the sums are those of the amounts in fluid cells
static void emit_into_cell(BrumeSim *sim, const BrumeExposure *exposure, const void *context, const CoveredCell *cell,
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
        const bool as_heat = kind < 0 && brume_has_fuel(&sim->def);
        float new_value = exposure->mode == BRUME_SOURCE_RATE
                              ? old_value + cell->coverage * cell->factor * value * exposure->seconds
                              : imposed_value(old_value, cell->factor * value, cell->coverage, cell->edge < 1.0f);
        if (as_heat) {
            new_value = brume_fmaxf(new_value, brume_fminf(old_value, BRUME_LEAST_TEMPERATURE));
        }
        scalars->data[n][cell->c] = new_value;
        const float rich = as_heat ? brume_rich_at(sim, cell->c) : 0.0f;
        const float old_amount = as_heat ? brume_heat_of(old_value, rich) : old_value;
        const float new_amount = as_heat ? brume_heat_of(new_value, rich) : new_value;
        added[n] += is_fluid ? (double)new_amount - (double)old_amount : 0.0;
    }
}

// adds the weight of a fluid cell
static void weigh_cell(BrumeSim *sim, const BrumeExposure *exposure, const void *context, const CoveredCell *cell,
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
static void emit_fuel_into_cell(BrumeSim *sim, const BrumeExposure *exposure, const void *context,
                                const CoveredCell *cell, double sums[BRUME_SCALAR_COUNT])
{
    const float *mass_per_weight = context;
    if (!(sim->geometry->cells.flags[cell->c] & BRUME_CELL_FLUID)) {
        return;
    }
    float *fuel = &sim->fields[BRUME_FIELD_FUEL].data[cell->c];
    float *mixture = &sim->fields[BRUME_FIELD_MIXTURE].data[cell->c];
    float *temperature = &sim->fields[BRUME_FIELD_TEMPERATURE].data[cell->c];
    const float density = brume_relative_density(*temperature);
    const float heat = brume_heat_of(*temperature, brume_rich_at(sim, cell->c));
    float added;
    if (exposure->mode == BRUME_SOURCE_RATE) {
        added = *mass_per_weight * cell->coverage * cell->factor;
        *temperature = BRUME_AMBIENT_TEMPERATURE / (density + added) - BRUME_AMBIENT_TEMPERATURE;
    } else {
        const float target = density * exposure->emitter.fuel.value * cell->factor;
        added = brume_fuel_to_add(cell->coverage * target, *fuel, *mixture, density);
    }
    *fuel += added;
    *mixture += added;
    sums[0] += (double)added;
    const float gained = brume_heat_of(*temperature, brume_rich_at(sim, cell->c)) - heat;
    if (exposure->mode == BRUME_SOURCE_RATE) {
        sim->fields[BRUME_FIELD_HEATING].data[cell->c] -= gained / BRUME_AMBIENT_TEMPERATURE;
    } else {
        sums[1] += (double)gained;
    }
}

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
static BrumeIndexBox entries_reached(const BrumeSim *sim, const BrumeExposure *exposure, float reach)
{
    const BrumeShape *shape = &exposure->emitter.shape;
    const float most = reach + exposure->age * (float)sim->max_speed;
    const BrumeIndexBox box = brume_entries_near(&sim->def, shape, brume_vec3(most, most, most));
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
static void act_in_cells(BrumeSim *sim, const BrumeExposure *exposure, CellAction *act, const void *context,
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
                const int count = brume_cover_entries(sim, &covering, BRUME_AT_CENTER, (const int[]){i, j, k},
                                                      box.to[0], exposure->age, points, parts);
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

static void emit_smoke_and_heat(BrumeSim *sim, const BrumeExposure *exposure)
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
    double added[BRUME_SCALAR_COUNT] = {0.0};
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

static void emit_fuel(BrumeSim *sim, const BrumeExposure *exposure)
{
    const bool is_rate = exposure->mode == BRUME_SOURCE_RATE;
    const double rate = fuel_rate(sim, &exposure->emitter);
    if (!brume_has_fuel(&sim->def) || (is_rate ? rate == 0.0 : exposure->emitter.fuel.mode != BRUME_SOURCE_SET)) {
        return;
    }
    double sums[BRUME_SCALAR_COUNT] = {0.0};
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
        brume_budget_add_emitted(sim, BRUME_FIELD_TEMPERATURE, sums[1] * brume_cell_volume(sim));
    }
}

void brume_emit_scalars(BrumeSim *sim, const BrumeExposure *exposure)
{
    emit_smoke_and_heat(sim, exposure);
    emit_fuel(sim, exposure);
}

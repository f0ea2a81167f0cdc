/*
 * All initial fields of a quantity are evaluated and summed in double precision at each location and rounded once. A
 * vector potential is evaluated on the edges around a face. The two faces at an edge get the same value of it with
 * opposite signs, so that its contribution to the divergence cancels.
 */
#include "sim/initial/initial_fields.h"

#include "core/memory.h"
#include "core/minmax.h"
#include "core/samples.h"
#include "sim/initial/flows.h"
#include "sim/initial/formula.h"
#include "sim/initial/initial_settings.h"
#include "sim/initial/ring.h"
#include "sim/initial/scalars.h"

#include <math.h>

// an initial field, prepared for its evaluation
typedef struct Evaluator {
    const BrumeInitialDef *def;
    BrumeFormula formulas[3];
    BrumeInitialRing ring;
    double scale[3], offset[3]; // of a volume: a position p [m] is at scale p + offset in its samples [m]
    int points[3];              // of a volume, along each axis of a cell, over which it has its mean
} Evaluator;

typedef struct Evaluators {
    BrumeInitialBox box;
    int count;
    Evaluator *items; // (count)
} Evaluators;

static double formula_value(const Evaluators *all, const Evaluator *item, int component, const BrumeInitialPoint *point)
{
    double variables[BRUME_FORMULA_VARIABLES];
    for (int axis = 0; axis < 3; axis++) {
        variables[BRUME_FORMULA_X + axis] = point->at[axis];
        variables[BRUME_FORMULA_LX + axis] = all->box.sides[axis];
    }
    return brume_formula_value(&item->formulas[component], variables);
}

// the mean of a volume over the cell around a point; of a velocity its `component`
static double volume_value(const Evaluators *all, const Evaluator *item, int component, const BrumeInitialPoint *point)
{
    const int *points = item->points;
    double sum = 0.0;
    for (int n = 0; n < points[0] * points[1] * points[2]; n++) {
        const int index[3] = {n % points[0], n / points[0] % points[1], n / points[0] / points[1]};
        double at[3];
        for (int axis = 0; axis < 3; axis++) {
            const double from_center = all->box.dx * ((index[axis] + 0.5) / points[axis] - 0.5);
            at[axis] = item->scale[axis] * (point->at[axis] + from_center) + item->offset[axis];
        }
        double value;
        (void)brume_samples_at(item->def->samples[component], at, &value);
        sum += value;
    }
    return (double)item->def->factor * (sum / (points[0] * points[1] * points[2]));
}

// a component of a velocity that has no potential
static double velocity_value(const Evaluators *all, const Evaluator *item, int axis, const BrumeInitialPoint *point)
{
    switch (item->def->kind) {
    case BRUME_INITIAL_FORMULA:
        return item->def->quantity == BRUME_INITIAL_VELOCITY ? formula_value(all, item, axis, point) : 0.0;
    case BRUME_INITIAL_VOLUME:
        return volume_value(all, item, axis, point);
    default:
        return brume_flow_velocity(item->def, &all->box, axis, point);
    }
}

static double scalar_value(const Evaluators *all, const Evaluator *item, const BrumeInitialPoint *point)
{
    switch (item->def->kind) {
    case BRUME_INITIAL_FORMULA:
        return formula_value(all, item, 0, point);
    case BRUME_INITIAL_VOLUME:
        return volume_value(all, item, 0, point);
    default:
        return brume_scalar_value(item->def, &all->box, point);
    }
}

static bool has_potential(const Evaluators *all, const Evaluator *item, int component)
{
    return item->def->kind == BRUME_INITIAL_FORMULA
               ? item->def->quantity == BRUME_INITIAL_POTENTIAL
               : item->ring.values || brume_flow_has_potential(item->def, &all->box, component);
}

// a component of the vector potential on an edge, in half cells from the lower corner; the potential of a formula need
// not be periodic where the velocity is
static double potential_at(const Evaluators *all, const Evaluator *item, int component, const int half[3])
{
    const bool is_formula = item->def->kind == BRUME_INITIAL_FORMULA;
    const BrumeInitialPoint point = brume_initial_point(&all->box, half, !is_formula);
    return is_formula          ? formula_value(all, item, component, &point)
           : item->ring.values ? brume_ring_potential(&item->ring, item->def, &all->box, component, &point)
                               : brume_flow_potential(item->def, &all->box, component, &point);
}

// the derivative along `axis` of a component of the potential [m/s]
static double potential_slope(const Evaluators *all, const Evaluator *item, int component, int axis, const int half[3])
{
    if (!has_potential(all, item, component)) {
        return 0.0;
    }
    int below[3] = {half[0], half[1], half[2]};
    int above[3] = {half[0], half[1], half[2]};
    below[axis]--;
    above[axis]++;
    return (potential_at(all, item, component, above) - potential_at(all, item, component, below)) / all->box.dx;
}

// the sum of the initial velocities on a face
static double velocity_at(const Evaluators *all, int axis, const int half[3])
{
    const int b = (axis + 1) % 3;
    const int c = (axis + 2) % 3;
    const BrumeInitialPoint point = brume_initial_point(&all->box, half, true);
    double sum = 0.0;
    for (int n = 0; n < all->count; n++) {
        const Evaluator *const item = &all->items[n];
        if (!brume_initial_has_components(item->def->quantity)) {
            continue;
        }
        sum += potential_slope(all, item, c, b, half) - potential_slope(all, item, b, c, half);
        sum += velocity_value(all, item, axis, &point);
    }
    return sum;
}

// the sum of the initial fields of a scalar at the center of a cell
static double scalar_at(const Evaluators *all, int quantity, const int half[3])
{
    const BrumeInitialPoint point = brume_initial_point(&all->box, half, true);
    double sum = 0.0;
    for (int n = 0; n < all->count; n++) {
        const Evaluator *const item = &all->items[n];
        if (item->def->quantity == quantity) {
            sum += scalar_value(all, item, &point);
        }
    }
    return quantity >= BRUME_INITIAL_DENSITY ? brume_fmax(sum, 0.0) : sum;
}

static bool has_quantity(const Evaluators *all, int quantity)
{
    for (int n = 0; n < all->count; n++) {
        const int other = all->items[n].def->quantity;
        if (other == quantity || (quantity == BRUME_INITIAL_VELOCITY && other == BRUME_INITIAL_POTENTIAL)) {
            return true;
        }
    }
    return false;
}

// fills the entries 1..n of a field, and the faces n+1 along its own axis; false where a value is not finite
static bool fill(BrumeField *field, const Evaluators *all, int location, int quantity, double base)
{
    const BrumeGrid grid = field->grid;
    int failures = 0;
#pragma omp parallel for schedule(static) reduction(+ : failures)
    for (int k = 1; k <= grid.nz + (location == 2); k++) {
        for (int j = 1; j <= grid.ny + (location == 1); j++) {
            for (int i = 1; i <= grid.nx + (location == 0); i++) {
                const int half[3] = {2 * i - (location == 0 ? 2 : 1), 2 * j - (location == 1 ? 2 : 1),
                                     2 * k - (location == 2 ? 2 : 1)};
                const double value =
                    location == BRUME_AT_CENTER ? scalar_at(all, quantity, half) : velocity_at(all, location, half);
                const float rounded = (float)(base + value);
                failures += !isfinite(rounded);
                field->data[brume_field_index(field, i, j, k)] = rounded;
            }
        }
    }
    return failures == 0;
}

static void destroy(Evaluators *all)
{
    for (int n = 0; all->items && n < all->count; n++) {
        brume_ring_destroy(&all->items[n].ring);
    }
    brume_free(all->items);
}

// `dx`: side of a cell [m]
static BrumeStatus prepare_volume(Evaluator *item, double dx, int number, BrumeError *error)
{
    enum { MOST_POINTS = 64 };
    const BrumeInitialDef *def = item->def;
    const int count = brume_initial_has_components(def->quantity) ? 3 : 1;
    for (int component = 0; component < count; component++) {
        if (!brume_samples_have_values(def->samples[component])) {
            return brume_fail(error, BRUME_BAD_INPUT, "'initial' %d is a volume without samples", number);
        }
    }
    double lower[3];
    double upper[3];
    brume_samples_bounds(def->samples, count, lower, upper);
    for (int axis = 0; axis < 3; axis++) {
        const double size = (double)brume_component(def->size, axis);
        item->scale[axis] = def->placed ? (upper[axis] - lower[axis]) / size : 1.0;
        item->offset[axis] = def->placed ? 0.5 * (lower[axis] + upper[axis]) -
                                               item->scale[axis] * (double)brume_component(def->center, axis)
                                         : 0.0;
        // as many as there are values along the cell
        const double values = item->scale[axis] * dx / def->samples[0]->spacing;
        item->points[axis] = (int)brume_fmin(brume_fmax(floor(values + 0.5), 1.0), (double)MOST_POINTS);
    }
    return BRUME_OK;
}

// prepares the evaluation; to be destroyed also after a failure
static BrumeStatus prepare(Evaluators *all, const BrumeSimDef *def, BrumeError *error)
{
    *all = (Evaluators){.box = brume_initial_box(def), .count = def->initial_count};
    all->items = brume_alloc((size_t)(all->count > 0 ? all->count : 1), sizeof *all->items);
    if (!all->items) {
        return brume_out_of_memory(error, "the initial fields");
    }
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < all->count && status == BRUME_OK; n++) {
        Evaluator *const item = &all->items[n];
        item->def = &def->initial[n];
        const int formulas = item->def->kind != BRUME_INITIAL_FORMULA            ? 0
                             : brume_initial_has_components(item->def->quantity) ? 3
                                                                                 : 1;
        for (int component = 0; component < formulas && status == BRUME_OK; component++) {
            int column = 0;
            status = brume_formula_parse(&item->formulas[component], item->def->formula[component], &column, error);
        }
        if (status == BRUME_OK && item->def->kind == BRUME_INITIAL_VORTEX_RING) {
            status = brume_ring_create(&item->ring, item->def, &all->box, error);
        }
        if (status == BRUME_OK && item->def->kind == BRUME_INITIAL_VOLUME) {
            status = prepare_volume(item, all->box.dx, n, error);
        }
    }
    return status;
}

// the quantity of an initial field that a field of the state holds
static int quantity_of(BrumeFieldId id)
{
    return id <= BRUME_FIELD_W             ? BRUME_INITIAL_VELOCITY
           : id == BRUME_FIELD_TEMPERATURE ? BRUME_INITIAL_TEMPERATURE
                                           : BRUME_INITIAL_DENSITY + (int)id - BRUME_FIELD_DENSITY;
}

BrumeStatus brume_set_initial_fields(BrumeSim *sim, BrumeError *error)
{
    static const char *const names[BRUME_FIELD_COUNT] = {"velocity", "velocity", "velocity", "pressure", "temperature",
                                                         "density",  "color_1",  "color_2",  "color_3"};
    Evaluators all;
    BrumeStatus status = prepare(&all, &sim->def, error);
    for (int n = 0; n < BRUME_FIELD_COUNT && status == BRUME_OK; n++) {
        const BrumeFieldId id = (BrumeFieldId)n;
        BrumeField *const field = &sim->fields[id];
        if (id == BRUME_FIELD_PRESSURE || !field->data) {
            continue;
        }
        const float base = id <= BRUME_FIELD_W ? brume_component(sim->def.wind, (int)id) : 0.0f;
        brume_field_fill(field, base);
        if (has_quantity(&all, quantity_of(id)) &&
            !fill(field, &all, brume_location(id), quantity_of(id), (double)base)) {
            status = brume_fail(error, BRUME_BAD_INPUT, "the initial %s is not finite everywhere", names[id]);
        }
    }
    destroy(&all);
    return status;
}

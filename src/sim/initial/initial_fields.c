/*
 * All initial fields of a quantity are evaluated and summed in double precision at each location and rounded once. A
 * vector potential is evaluated on the edges around a face. The two faces at an edge get the same value of it with
 * opposite signs, so that its contribution to the divergence cancels. Each thread advances from row to row of a plane
 * and evaluates the edges that the next row of faces adds: five edges a cell, of twelve around its lower faces.
 */
#include "sim/initial/initial_fields.h"

#include "brume/measures.h"

#include "core/domain.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/threads.h"
#include "core/samples.h"
#include "sim/initial/flows.h"
#include "sim/initial/formula.h"
#include "sim/initial/initial_settings.h"
#include "sim/initial/ring.h"
#include "sim/initial/scalars.h"

#include <math.h>
#include <omp.h>

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
    int nx; // of the grid
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

// a component of the vector potential on `count` edges along x, the first one in half cells from the lower corner; the
// potential of a formula need not be periodic where the velocity is
static void potential_row(const Evaluators *all, const Evaluator *item, int component, const int half[3], int count,
                          double *row)
{
    if (!has_potential(all, item, component)) {
        for (int n = 0; n < count; n++) {
            row[n] = 0.0;
        }
        return;
    }
    const bool is_formula = item->def->kind == BRUME_INITIAL_FORMULA;
    if (!is_formula && !item->ring.values) {
        brume_flow_potential_row(item->def, &all->box, component, half, count, row);
        return;
    }
    for (int n = 0; n < count; n++) {
        const int at[3] = {half[0] + 2 * n, half[1], half[2]};
        const BrumeInitialPoint point = brume_initial_point(&all->box, at, !is_formula);
        row[n] = is_formula ? formula_value(all, item, component, &point)
                            : brume_ring_potential(&item->ring, item->def, &all->box, component, &point);
    }
}

// the potential of one initial field on the edges of row (j, k), with nx + 1 entries each
typedef struct EdgeRows {
    double *x[2][2]; // along x, below the row and above it, in the planes on both sides
    double *y[2];    // along y, in both planes
    double *z[2];    // along z, below and above
} EdgeRows;

enum { ROWS_OF_EDGES = 8 };

static EdgeRows edge_rows(double *memory, ptrdiff_t length)
{
    double *rows[ROWS_OF_EDGES];
    for (int n = 0; n < ROWS_OF_EDGES; n++) {
        rows[n] = memory + n * length;
    }
    return (EdgeRows){{{rows[0], rows[1]}, {rows[2], rows[3]}}, {rows[4], rows[5]}, {rows[6], rows[7]}};
}

// the edges above row j of plane k, or below it, along x and z
static void find_side(const Evaluators *all, const Evaluator *item, EdgeRows *rows, int upper, int j, int k)
{
    const int nx = all->nx;
    const int y = 2 * j - 2 + 2 * upper;
    potential_row(all, item, 2, (const int[3]){0, y, 2 * k - 1}, nx + 1, rows->z[upper]);
    for (int plane = 0; plane < 2; plane++) {
        potential_row(all, item, 0, (const int[3]){1, y, 2 * k - 2 + 2 * plane}, nx, rows->x[plane][upper]);
    }
}

static void swap_rows(double *rows[2])
{
    double *const lower = rows[0];
    rows[0] = rows[1];
    rows[1] = lower;
}

// finds the edges of row (j, k); beyond the first row, those below it are those above the last one
static void advance_edges(const Evaluators *all, const Evaluator *item, EdgeRows *rows, int j, int k)
{
    if (j == 1) {
        find_side(all, item, rows, 0, j, k);
    } else {
        swap_rows(rows->z);
        swap_rows(rows->x[0]);
        swap_rows(rows->x[1]);
    }
    find_side(all, item, rows, 1, j, k);
    for (int plane = 0; plane < 2; plane++) {
        potential_row(all, item, 1, (const int[3]){0, 2 * j - 1, 2 * k - 2 + 2 * plane}, all->nx + 1, rows->y[plane]);
    }
}

// adds the curl of a potential on the lower faces of `count` cells
static void add_curl(const EdgeRows *rows, int axis, double dx, int count, double *sums)
{
    for (int n = 0; n < count; n++) {
        const double x_along_y = (rows->x[0][1][n] - rows->x[0][0][n]) / dx;
        const double x_along_z = (rows->x[1][0][n] - rows->x[0][0][n]) / dx;
        const double y_along_x = (rows->y[0][n + (axis == 2)] - rows->y[0][n]) / dx;
        const double y_along_z = (rows->y[1][n] - rows->y[0][n]) / dx;
        const double z_along_x = (rows->z[0][n + (axis == 1)] - rows->z[0][n]) / dx;
        const double z_along_y = (rows->z[1][n] - rows->z[0][n]) / dx;
        sums[n] += axis == 0 ? z_along_y - y_along_z : axis == 1 ? x_along_z - z_along_x : y_along_x - x_along_y;
    }
}

// adds the part of an initial velocity that has no potential
static void add_velocity(const Evaluators *all, const Evaluator *item, int axis, const int half[3], int count,
                         double *sums)
{
    const BrumeInitialKind kind = item->def->kind;
    if (kind != BRUME_INITIAL_FORMULA && kind != BRUME_INITIAL_VOLUME && !brume_flow_has_velocity(item->def)) {
        return;
    }
    for (int n = 0; n < count; n++) {
        const int at[3] = {half[0] + 2 * n, half[1], half[2]};
        const BrumeInitialPoint point = brume_initial_point(&all->box, at, true);
        sums[n] += velocity_value(all, item, axis, &point);
    }
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

// in half cells, the first entry of row (j, k) of a location
static void first_of_row(int location, int j, int k, int half[3])
{
    half[0] = location == 0 ? 0 : 1;
    half[1] = 2 * j - (location == 1 ? 2 : 1);
    half[2] = 2 * k - (location == 2 ? 2 : 1);
}

// rounds a row of sums; returns the number of values that are not finite
static int store_row(BrumeField *field, int j, int k, int count, double base, const double *sums)
{
    float *row = field->data + brume_field_index(field, 1, j, k);
    int failures = 0;
    for (int n = 0; n < count; n++) {
        row[n] = (float)(base + sums[n]);
        failures += !isfinite(row[n]);
    }
    return failures;
}

// the initial velocities on the faces of row (j, k)
static int fill_faces(BrumeField velocity[3], const Evaluators *all, const EdgeRows *edges, int j, int k,
                      const double base[3], double *sums)
{
    const BrumeGrid grid = velocity[0].grid;
    int failures = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int count = grid.nx + (axis == 0);
        int half[3];
        first_of_row(axis, j, k, half);
        if (j > grid.ny + (axis == 1) || k > grid.nz + (axis == 2)) {
            continue;
        }
        for (int n = 0; n < count; n++) {
            sums[n] = 0.0;
        }
        for (int n = 0; n < all->count; n++) {
            const Evaluator *const item = &all->items[n];
            if (brume_initial_has_components(item->def->quantity)) {
                add_curl(&edges[n], axis, all->box.dx, count, sums);
                add_velocity(all, item, axis, half, count, sums);
            }
        }
        failures += store_row(&velocity[axis], j, k, count, base[axis], sums);
    }
    return failures;
}

// Fills the entries 1..n of the velocity, and the faces n+1 along the own axis of a component. BRUME_BAD_INPUT where a
// value is not finite.
static BrumeStatus fill_velocity(BrumeField velocity[3], const Evaluators *all, const double base[3], BrumeError *error)
{
    const BrumeGrid grid = velocity[0].grid;
    const ptrdiff_t length = grid.nx + 1;
    const ptrdiff_t rows = (ptrdiff_t)all->count * ROWS_OF_EDGES + 1; // of a thread: the sums, and edges of all items
    const int threads = brume_most_threads();
    double *memory = brume_alloc_untouched((size_t)(threads * rows * length), sizeof *memory);
    if (!memory) {
        return brume_out_of_memory(error, "the initial fields");
    }
    int failures = 0;
#pragma omp parallel num_threads(brume_min_int(brume_get_threads(), threads)) reduction(+ : failures)
    {
        double *const sums = memory + omp_get_thread_num() * rows * length;
        EdgeRows edges[BRUME_MAX_INITIAL];
        for (int n = 0; n < all->count; n++) {
            edges[n] = edge_rows(sums + length * (ROWS_OF_EDGES * n + 1), length);
        }
#pragma omp for schedule(static)
        for (int k = brume_planes_from(grid, 1); k <= brume_highest_plane(grid); k++) {
            for (int j = 1; j <= grid.ny + 1; j++) {
                for (int n = 0; n < all->count; n++) {
                    if (brume_initial_has_components(all->items[n].def->quantity)) {
                        advance_edges(all, &all->items[n], &edges[n], j, k);
                    }
                }
                failures += fill_faces(velocity, all, edges, j, k, base, sums);
            }
        }
    }
    brume_free(memory);
    return brume_sum_of_ranks(grid, failures) == 0
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT, "the initial velocity is not finite everywhere");
}

// fills the entries 1..n of a scalar; false where a value is not finite
static bool fill_scalar(BrumeField *field, const Evaluators *all, int quantity)
{
    const BrumeGrid grid = field->grid;
    int failures = 0;
#pragma omp parallel for schedule(static) reduction(+ : failures)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const int half[3] = {2 * i - 1, 2 * j - 1, 2 * k - 1};
                const float rounded = (float)scalar_at(all, quantity, half);
                failures += !isfinite(rounded);
                field->data[brume_field_index(field, i, j, k)] = rounded;
            }
        }
    }
    return brume_sum_of_ranks(grid, failures) == 0;
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
static BrumeStatus prepare(Evaluators *all, const BrumeSim *sim, BrumeError *error)
{
    const BrumeSimDef *def = sim->far ? &sim->far->box : &sim->def; // a window has the fields of the whole box
    *all = (Evaluators){.box = brume_initial_box(def), .nx = sim->def.nx};
    for (int axis = 0; axis < 3 && sim->far; axis++) {
        all->box.first[axis] = 2 * (sim->far->window.from[axis] - 1);
    }
    all->items = brume_alloc((size_t)def->initial_count + 1, sizeof *all->items);
    if (!all->items) {
        return brume_out_of_memory(error, "the initial fields");
    }
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < def->initial_count && status == BRUME_OK; n++) {
        if (def->initial[n].kind == BRUME_INITIAL_POINTS) {
            continue;
        }
        Evaluator *const item = &all->items[all->count++];
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

// the quantity of an initial field that a scalar of the state holds
static int quantity_of(BrumeFieldId id)
{
    return id == BRUME_FIELD_TEMPERATURE ? BRUME_INITIAL_TEMPERATURE
           : id >= BRUME_FIELD_FUEL      ? -1 // initially there is none
                                         : BRUME_INITIAL_DENSITY + (int)id - BRUME_FIELD_DENSITY;
}

BrumeStatus brume_set_initial_fields(BrumeSim *sim, BrumeError *error)
{
    Evaluators all;
    BrumeStatus status = prepare(&all, sim, error);
    double wind[3];
    for (int axis = 0; axis < 3; axis++) {
        wind[axis] = (double)brume_component(sim->def.wind, axis);
        brume_field_fill(&sim->fields[axis], brume_component(sim->def.wind, axis));
    }
    if (status == BRUME_OK && has_quantity(&all, BRUME_INITIAL_VELOCITY)) {
        status = fill_velocity(sim->fields, &all, wind, error);
    }
    for (int n = 0; n < BRUME_SCALAR_COUNT && status == BRUME_OK; n++) {
        const BrumeFieldId id = (BrumeFieldId)(BRUME_FIELD_TEMPERATURE + n);
        if (!sim->fields[id].data) {
            continue;
        }
        brume_field_fill(&sim->fields[id], 0.0f);
        if (has_quantity(&all, quantity_of(id)) && !fill_scalar(&sim->fields[id], &all, quantity_of(id))) {
            status =
                brume_fail(error, BRUME_BAD_INPUT, "the initial %s is not finite everywhere", brume_scalar_name(n));
        }
    }
    destroy(&all);
    return status;
}

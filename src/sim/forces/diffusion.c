/*
 * Diffusion of second order in time. One step of du/dt = D lap u is the theta method
 *     (I - theta D dt lap) delta = D dt lap u,   u <- u + delta,
 * whose unknown is the increment delta: the right-hand side is computed in differences of u, and conjugate gradients
 * start at delta = 0, so that a small change of a large value is solved to the same number of digits as a large one.
 *
 * theta = 1/2 is the method of Crank and Nicolson (1947), of second order. It makes new extrema where the explicit half
 * weights a value negatively, that is, if (1 - theta) alpha d > 1, with alpha = D dt / dx^2 and d the largest diagonal
 * entry of -dx^2 lap, 6 away from the sides. theta = max(1/2, 1 - 1 / (d alpha)) satisfies this bound at every alpha;
 * it tends to backward Euler. No linear method of second order is positive at every step length (Bolley, Crouzeix
 * 1978).
 *
 * Where `fft` solves for the pressure, every Fourier mode is multiplied by exp(-D dt lambda / dx^2) instead, with
 * lambda its eigenvalue (Stam 2001). That is exact in time, and because lambda is the eigenvalue of the discrete
 * operator, no value becomes negative or exceeds the largest one before.
 *
 * The sides of the box have the boundary conditions of the quantity. Values that walls, inflows and the surfaces of
 * obstacles prescribe hold on the side or surface itself, half a cell from the next value: the difference to it has the
 * weight 2. That is of second order.
 */
#include "core/field.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/grid/seven_point.h"
#include "sim/pressure/conjugate_gradient.h"
#include "sim/spectral/spectral.h"
#include "sim/state/state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-5; // of the residual, relative to the increment
enum { MAX_ITERATIONS = 2000, MAX_ROW = 4096 + 2 };

// The operator A = -dx^2 lap of one quantity.
typedef struct DiffusionOperator {
    const BrumeSim *sim;
    BrumeFieldId id;
    int from[3], to[3];                     // the unknowns: entries that are not on a side of the box
    int count;                              // of unknowns in a row
    ptrdiff_t below;                        // offset of the cell below a face; 0 for a quantity at cell centres
    const uint8_t *flags;                   // of the cells; NULL without obstacles, whose entries are no unknowns
    const uint8_t *ids;                     // the obstacles of the cells
    float weights[BRUME_MAX_OBSTACLES + 1]; // of the face to an obstacle, by id: 2 if its surface has a value, else 0
    bool holds_surfaces;                    // whether any of the weights is not 0
} DiffusionOperator;

// (I + alpha A) delta = r and the vectors of its solution.
typedef struct DiffusionSystem {
    const DiffusionOperator *op;
    float alpha;
    BrumeField *delta, *r, *s, *q; // increment, residual, direction, (I + alpha A) s
    double *partials;              // of each plane (2 x (nz+2))
    double square;                 // r.r
    double first_square;           // r.r at the start
} DiffusionSystem;

static bool obstacle_has_value(const BrumeSimDef *def, int obstacle, BrumeFieldId id)
{
    return brume_location(id) != BRUME_AT_CENTER
               ? brume_obstacle_has_no_slip(def, obstacle)
               : id == BRUME_FIELD_TEMPERATURE && def->obstacles[obstacle].fixed_temperature;
}

static DiffusionOperator make_operator(const BrumeSim *sim, BrumeFieldId id)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeField *field = &sim->fields[id];
    const int location = brume_location(id);
    DiffusionOperator op = {
        .sim = sim,
        .id = id,
        .below = location == BRUME_AT_CENTER ? 0 : brume_stride(field, location),
        .flags = cells->obstacles ? cells->flags : NULL,
        .ids = cells->obstacle_ids,
    };
    for (int axis = 0; axis < 3; axis++) {
        // faces on the sides of the box have given values
        op.from[axis] = location == axis && !cells->periodic[axis] ? 2 : 1;
        op.to[axis] = brume_cells_along(field->grid, axis);
    }
    op.count = op.to[0] - op.from[0] + 1;
    for (int n = 0; cells->obstacles && n < sim->def.obstacle_count; n++) {
        op.weights[n + 1] = obstacle_has_value(&sim->def, n, id) ? 2.0f : 0.0f;
        op.holds_surfaces = op.holds_surfaces || op.weights[n + 1] > 0.0f;
    }
    return op;
}

BRUME_KERNEL static void diffusion_row(float *restrict out, const float *x, ptrdiff_t sy, ptrdiff_t sz, int count)
{
    for (int i = 0; i < count; i++) {
        out[i] = brume_seven_point(x[i], x[i - 1], x[i + 1], x[i - sy], x[i + sy], x[i - sz], x[i + sz]);
    }
}

// whether neither the cell nor, for a quantity on faces, the cell below the face is solid
static inline bool is_unknown(const DiffusionOperator *op, ptrdiff_t c)
{
    return !op->flags || ((op->flags[c] | op->flags[c - op->below]) & BRUME_CELL_SOLID) == 0;
}

// Weight of the difference to a neighbouring entry. An entry between two solid cells, or at the centre of one, is
// beyond the surface, which is half as far away; a face of which one cell is solid is on the surface and has its value.
static inline float weight_to(const DiffusionOperator *op, ptrdiff_t neighbour)
{
    const ptrdiff_t below = neighbour - op->below;
    const bool inside = (op->flags[neighbour] & op->flags[below] & BRUME_CELL_SOLID) != 0;
    return inside ? fmaxf(op->weights[op->ids[neighbour]], op->weights[op->ids[below]]) : 1.0f;
}

static void diffusion_row_near_solids(const DiffusionOperator *op, float *restrict out, const float *data, ptrdiff_t c,
                                      ptrdiff_t sy, ptrdiff_t sz)
{
    for (int i = 0; i < op->count; i++, c++) {
        out[i] = 0.0f;
        if (is_unknown(op, c)) {
            const BrumeFaceWeights weights = {
                .x_lower = weight_to(op, c - 1),
                .x_upper = weight_to(op, c + 1),
                .y_lower = weight_to(op, c - sy),
                .y_upper = weight_to(op, c + sy),
                .z_lower = weight_to(op, c - sz),
                .z_upper = weight_to(op, c + sz),
            };
            out[i] = brume_seven_point_weighted(data + c, sy, sz, &weights);
        }
    }
}

BRUME_KERNEL static uint8_t diffusion_flags_of_row(const uint8_t *flags, int count)
{
    uint8_t bits = 0;
    for (int i = 0; i < count; i++) {
        bits |= flags[i];
    }
    return bits;
}

// whether a row that starts at entry c or one of the eight rows around it has a solid cell
static bool is_near_solids(const DiffusionOperator *op, ptrdiff_t c, ptrdiff_t sy, ptrdiff_t sz)
{
    uint8_t bits = 0;
    for (int n = 0; n < 9; n++) {
        bits |= diffusion_flags_of_row(op->flags + c - 1 + sy * (n % 3 - 1) + sz * (n / 3 - 1), op->count + 2);
    }
    return (bits & BRUME_CELL_SOLID) != 0;
}

// a row of A x from entry c on; 0 at entries that are no unknowns
static void apply_row(const DiffusionOperator *op, float *restrict out, const BrumeField *x, ptrdiff_t c)
{
    if (op->flags && is_near_solids(op, c, x->sy, x->sz)) {
        diffusion_row_near_solids(op, out, x->data, c, x->sy, x->sz);
    } else {
        diffusion_row(out, x->data + c, x->sy, x->sz, op->count);
    }
}

BRUME_KERNEL static double diffusion_dot_row(const float *a, const float *b, int count)
{
    return brume_dot_row(a, b, count);
}

BRUME_KERNEL static void diffusion_scale_row(float *restrict x, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        x[i] *= scale;
    }
}

BRUME_KERNEL static void diffusion_add_row(float *restrict x, const float *y, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        x[i] += scale * y[i];
    }
}

// q = s + alpha q
BRUME_KERNEL static void diffusion_shift_row(float *restrict q, const float *s, float alpha, int count)
{
    for (int i = 0; i < count; i++) {
        q[i] = s[i] + alpha * q[i];
    }
}

BRUME_KERNEL static void diffusion_step_row(float *restrict delta, float *restrict r, const float *s, const float *q,
                                            float alpha, int count)
{
    for (int i = 0; i < count; i++) {
        delta[i] += alpha * s[i];
        r[i] -= alpha * q[i];
    }
}

BRUME_KERNEL static void diffusion_direction_row(float *restrict s, const float *r, float beta, int count)
{
    if (beta == 0.0f) {
        memcpy(s, r, (size_t)count * sizeof *s);
        return;
    }
    for (int i = 0; i < count; i++) {
        s[i] = r[i] + beta * s[i];
    }
}

// The operations of brume_conjugate_gradient; z = r.
static double precondition(void *context, double *square)
{
    (void)square;
    const DiffusionSystem *system = context;
    return system->square;
}

static double update_direction(void *context, float beta)
{
    const DiffusionSystem *system = context;
    const DiffusionOperator *op = system->op;
    BrumeField *s = system->s;
#pragma omp parallel for schedule(static)
    for (int k = op->from[2]; k <= op->to[2]; k++) {
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(s, op->from[0], j, k);
            diffusion_direction_row(s->data + c, system->r->data + c, beta, op->count);
        }
    }
    brume_set_difference_sides(op->sim, op->id, s);
#pragma omp parallel for schedule(static)
    for (int k = op->from[2]; k <= op->to[2]; k++) {
        double sum = 0.0;
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(s, op->from[0], j, k);
            apply_row(op, system->q->data + c, s, c);
            diffusion_shift_row(system->q->data + c, s->data + c, system->alpha, op->count);
            sum += diffusion_dot_row(s->data + c, system->q->data + c, op->count);
        }
        system->partials[k] = sum;
    }
    return brume_sum_planes(system->partials, s->grid.nz);
}

/*
 * No eigenvalue of I + alpha A is below 1, so the error of the increment is at most |r|. The residual is compared with
 * the increment, where that is smaller than the first residual: where alpha is large, a residual that is small relative
 * to the first one can still exceed the slowest modes of the increment.
 */
static void step(void *context, float alpha, double *square)
{
    DiffusionSystem *system = context;
    const DiffusionOperator *op = system->op;
    const int nz = system->r->grid.nz;
    double *lengths = system->partials + nz + 2;
#pragma omp parallel for schedule(static)
    for (int k = op->from[2]; k <= op->to[2]; k++) {
        double residual = 0.0;
        double length = 0.0;
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(system->r, op->from[0], j, k);
            float *delta = system->delta->data + c;
            float *r = system->r->data + c;
            diffusion_step_row(delta, r, system->s->data + c, system->q->data + c, alpha, op->count);
            residual += diffusion_dot_row(r, r, op->count);
            length += diffusion_dot_row(delta, delta, op->count);
        }
        system->partials[k] = residual;
        lengths[k] = length;
    }
    system->square = brume_sum_planes(system->partials, nz);
    const double length = brume_sum_planes(lengths, nz);
    *square = system->square * (length > 0.0 ? fmax(1.0, system->first_square / length) : 1.0);
}

static void measure_residual(DiffusionSystem *system)
{
    const DiffusionOperator *op = system->op;
#pragma omp parallel for schedule(static)
    for (int k = op->from[2]; k <= op->to[2]; k++) {
        double sum = 0.0;
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(system->r, op->from[0], j, k);
            const float *r = system->r->data + c;
            sum += diffusion_dot_row(r, r, op->count);
        }
        system->partials[k] = sum;
    }
    system->square = brume_sum_planes(system->partials, system->r->grid.nz);
    system->first_square = system->square;
}

// r = -alpha A x, the rate of change over the whole step; delta = 0, s = 0
static void start(DiffusionSystem *system, const BrumeField *x, float alpha)
{
    const DiffusionOperator *op = system->op;
    brume_field_fill(system->s, 0.0f);
    memset(system->partials, 0, 2 * (size_t)(x->grid.nz + 2) * sizeof *system->partials);
#pragma omp parallel for schedule(static)
    for (int k = op->from[2]; k <= op->to[2]; k++) {
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(x, op->from[0], j, k);
            apply_row(op, system->r->data + c, x, c);
            diffusion_scale_row(system->r->data + c, -alpha, op->count);
            memset(system->delta->data + c, 0, (size_t)op->count * sizeof(float));
        }
    }
}

static double sum_of_unknowns(const DiffusionSystem *system, const BrumeField *field, double *count)
{
    const DiffusionOperator *op = system->op;
    double *counts = system->partials + field->grid.nz + 2;
#pragma omp parallel for schedule(static)
    for (int k = op->from[2]; k <= op->to[2]; k++) {
        double sum = 0.0;
        int unknowns = 0;
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(field, op->from[0], j, k);
            for (int i = 0; i < op->count; i++) { // entries that are no unknowns are 0
                sum += (double)field->data[c + i];
                unknowns += is_unknown(op, c + i);
            }
        }
        system->partials[k] = sum;
        counts[k] = (double)unknowns;
    }
    *count = brume_sum_planes(counts, field->grid.nz);
    return brume_sum_planes(system->partials, field->grid.nz);
}

// Where nothing leaves the box, the increments sum to `expected`; the rounding errors of a large alpha do not.
static void correct_sum(DiffusionSystem *system, double expected)
{
    const DiffusionOperator *op = system->op;
    double count = 0.0;
    const double sum = sum_of_unknowns(system, system->delta, &count);
    const float correction = count > 0.0 ? (float)((expected - sum) / count) : 0.0f;
#pragma omp parallel for schedule(static)
    for (int k = op->from[2]; k <= op->to[2]; k++) {
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(system->delta, op->from[0], j, k);
            for (int i = 0; i < op->count; i++) {
                system->delta->data[c + i] += is_unknown(op, c + i) ? correction : 0.0f;
            }
        }
    }
}

// Solves for the increment and adds it to x; returns the number of iterations. `closed_sum` is the sum of the
// increments where nothing leaves the box, else NULL.
static int solve_increment(DiffusionSystem *system, BrumeField *x, const double *closed_sum)
{
    const DiffusionOperator *op = system->op;
    measure_residual(system);
    const BrumeConjugateGradient method = {
        .context = system, .precondition = precondition, .update_direction = update_direction, .step = step};
    const int iterations =
        brume_conjugate_gradient(&method, system->square, TOLERANCE * TOLERANCE * system->first_square, MAX_ITERATIONS);
    if (closed_sum) {
        correct_sum(system, *closed_sum);
    }
#pragma omp parallel for schedule(static)
    for (int k = op->from[2]; k <= op->to[2]; k++) {
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(x, op->from[0], j, k);
            diffusion_add_row(x->data + c, system->delta->data + c, 1.0f, op->count);
        }
    }
    return iterations;
}

static DiffusionSystem make_system(BrumeSim *sim, const DiffusionOperator *op, float alpha)
{
    return (DiffusionSystem){
        .op = op,
        .alpha = alpha,
        .delta = &sim->scratch[0],
        .r = &sim->scratch[1],
        .s = &sim->scratch[2],
        .q = &sim->scratch[3],
        .partials = sim->planes,
    };
}

// sets the scalar entries inside obstacles to the temperatures of their surfaces
static void fill_obstacles(const DiffusionOperator *op, BrumeField *x)
{
    if (brume_location(op->id) != BRUME_AT_CENTER || !op->holds_surfaces) {
        return;
    }
    const BrumeSimDef *def = &op->sim->def;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= x->grid.nz; k++) {
        for (int j = 1; j <= x->grid.ny; j++) {
            const ptrdiff_t row = brume_field_index(x, 0, j, k);
            for (int i = 1; i <= x->grid.nx; i++) {
                const int id = op->ids[row + i];
                x->data[row + i] = id > 0 ? def->obstacles[id - 1].temperature : x->data[row + i];
            }
        }
    }
}

static void set_boundary_of(const DiffusionOperator *op, BrumeField *x)
{
    fill_obstacles(op, x);
    brume_set_diffusion_sides(op->sim, op->id, x);
}

void brume_set_diffusion_boundary(const BrumeSim *sim, BrumeFieldId id, BrumeField *field)
{
    const DiffusionOperator op = make_operator(sim, id);
    brume_set_boundary(sim, id, field);
    set_boundary_of(&op, field);
}

void brume_add_diffusion(BrumeSim *sim, BrumeField *from, BrumeField *onto, BrumeFieldId id, float factor)
{
    if (!(factor > 0.0f)) {
        return;
    }
    const DiffusionOperator op = make_operator(sim, id);
    const float scale = -factor / (sim->def.dx * sim->def.dx);
    set_boundary_of(&op, from);
#pragma omp parallel for schedule(static)
    for (int k = op.from[2]; k <= op.to[2]; k++) {
        float row[MAX_ROW];
        for (int j = op.from[1]; j <= op.to[1]; j++) {
            const ptrdiff_t c = brume_field_index(from, op.from[0], j, k);
            apply_row(&op, row, from, c);
            diffusion_add_row(onto->data + c, row, scale, op.count);
        }
    }
    brume_set_boundary(sim, id, from);
}

int brume_solve_diffusion(BrumeSim *sim, BrumeFieldId id, BrumeField *x, float factor)
{
    if (!(factor > 0.0f)) {
        return 0;
    }
    const float alpha = factor / (sim->def.dx * sim->def.dx);
    const DiffusionOperator op = make_operator(sim, id);
    DiffusionSystem system = make_system(sim, &op, alpha);
    set_boundary_of(&op, x);
    start(&system, x, alpha);
    const int iterations = solve_increment(&system, x, NULL);
    brume_set_boundary(sim, id, x);
    return iterations;
}

// whether a side prescribes the value of `id` on it
static bool side_has_value(const BrumeFaceDef *face, int axis, BrumeFieldId id)
{
    const int location = brume_location(id);
    if (face->kind == BRUME_INFLOW) {
        return location != axis;
    }
    return face->kind == BRUME_WALL &&
           (location == BRUME_AT_CENTER ? id == BRUME_FIELD_TEMPERATURE && face->fixed_temperature
                                        : location != axis && face->no_slip);
}

// the largest diagonal entry of A: 1 for each neighbour, 2 where a value is prescribed half a cell away
static float largest_diagonal(const DiffusionOperator *op)
{
    float sum = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        const BrumeFaceDef *faces = &op->sim->def.faces[2 * axis];
        const bool lower = side_has_value(&faces[0], axis, op->id);
        const bool upper = side_has_value(&faces[1], axis, op->id);
        const bool thin = op->to[axis] == 1; // both sides belong to the same cell
        if (op->holds_surfaces || (thin && lower && upper)) {
            sum += 4.0f;
        } else if (!thin || !op->sim->geometry->cells.periodic[axis]) {
            sum += lower || upper ? 3.0f : 2.0f;
        }
    }
    return sum;
}

static float weight_of(const DiffusionOperator *op, float alpha)
{
    return 1.0f - fminf(0.5f, 1.0f / (largest_diagonal(op) * alpha));
}

float brume_diffusion_weight(const BrumeSim *sim, BrumeFieldId id, float diffusivity, float dt)
{
    const DiffusionOperator op = make_operator(sim, id);
    return weight_of(&op, diffusivity * dt / (sim->def.dx * sim->def.dx));
}

// calls for each fluid cell at a side: adds `value` to the entry of `x`, and returns the sum of ghost - inside
static double visit_side(const DiffusionOperator *op, BrumeField *x, int side, float value, double *cells)
{
    const int axis = side / 2;
    int inner;
    int outer;
    brume_other_axes(axis, &inner, &outer);
    const ptrdiff_t outward = side % 2 == 1 ? brume_stride(x, axis) : -brume_stride(x, axis);
    const ptrdiff_t first = brume_stride(x, axis) * (side % 2 == 1 ? op->to[axis] : 1);
    double sum = 0.0;
    for (int b = 1; b <= op->to[outer]; b++) {
        for (int a = 1; a <= op->to[inner]; a++) {
            const ptrdiff_t c = first + brume_stride(x, inner) * a + brume_stride(x, outer) * b;
            if (is_unknown(op, c)) {
                sum += (double)x->data[c + outward] - (double)x->data[c];
                x->data[c] += value;
                *cells += 1.0;
            }
        }
    }
    return sum;
}

static bool has_heat_flux(const DiffusionOperator *op, const BrumeFaceDef *face)
{
    return op->id == BRUME_FIELD_TEMPERATURE && face->kind == BRUME_WALL && !face->fixed_temperature &&
           face->heat_flux != 0.0f;
}

// adds the heat that flows through the sides in `dt` to their cells in x; returns the sum of the added temperatures
static double add_heat_fluxes(const DiffusionOperator *op, BrumeField *x, float dt, BrumeDiffusionResult *result)
{
    const double dx = (double)op->sim->def.dx;
    double sum = 0.0;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const BrumeFaceDef *face = &op->sim->def.faces[side];
        if (has_heat_flux(op, face)) {
            double cells = 0.0;
            const double rise = (double)face->heat_flux * (double)dt / dx; // [K]
            (void)visit_side(op, x, side, (float)rise, &cells);
            result->entered[side] += cells * rise * dx * dx * dx;
            sum += cells * rise;
        }
    }
    return sum;
}

// whether neither a side nor a surface of an obstacle exchanges the quantity with the air by diffusion
static bool is_closed(const DiffusionOperator *op)
{
    bool closed = !op->holds_surfaces;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const BrumeFaceDef *face = &op->sim->def.faces[side];
        closed = closed && face->kind != BRUME_OPEN && !side_has_value(face, side / 2, op->id);
    }
    return closed;
}

// the sum of (surface - inside) over all faces between air and the surfaces of obstacles that have a value
static double sum_at_obstacles(const DiffusionOperator *op, const BrumeField *x, double *partials)
{
    if (!op->holds_surfaces) {
        return 0.0;
    }
    const ptrdiff_t steps[6] = {-1, 1, -x->sy, x->sy, -x->sz, x->sz};
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= x->grid.nz; k++) {
        double sum = 0.0;
        for (int j = 1; j <= x->grid.ny; j++) {
            for (int i = 1; i <= x->grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(x, i, j, k);
                for (int n = 0; n < 6 && is_unknown(op, c); n++) {
                    const ptrdiff_t neighbour = c + steps[n];
                    if (op->ids[neighbour] > 0) {
                        sum +=
                            (double)op->weights[op->ids[neighbour]] * ((double)x->data[neighbour] - (double)x->data[c]);
                    }
                }
            }
        }
        partials[k] = sum;
    }
    return brume_sum_planes(partials, x->grid.nz);
}

// adds what diffuses into the air through sides and surfaces, in a part alpha of the step with the values x
static void add_exchange(const DiffusionOperator *op, BrumeField *x, double alpha, BrumeDiffusionResult *result)
{
    const double dx = (double)op->sim->def.dx;
    const double volume = alpha * dx * dx * dx;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const BrumeFaceDef *face = &op->sim->def.faces[side];
        if (face->kind == BRUME_OPEN || side_has_value(face, side / 2, op->id)) {
            double cells = 0.0;
            result->entered[side] += volume * visit_side(op, x, side, 0.0f, &cells);
        }
    }
    result->entered_from_obstacles += volume * sum_at_obstacles(op, x, op->sim->planes);
}

// the theta method over a whole step
static void diffuse_by_steps(BrumeSim *sim, const DiffusionOperator *op, BrumeField *x, float alpha, float dt,
                             BrumeDiffusionResult *result)
{
    const float theta = weight_of(op, alpha);
    DiffusionSystem system = make_system(sim, op, theta * alpha);
    const bool scalar = brume_location(op->id) == BRUME_AT_CENTER;
    set_boundary_of(op, x);
    if (scalar) {
        add_exchange(op, x, (1.0 - (double)theta) * (double)alpha, result);
    }
    start(&system, x, alpha);
    const double rise = add_heat_fluxes(op, system.r, dt, result);
    result->iterations = solve_increment(&system, x, scalar && is_closed(op) ? &rise : NULL);
    if (scalar) {
        brume_set_diffusion_sides(sim, op->id, x);
        add_exchange(op, x, (double)theta * (double)alpha, result);
    }
}

void brume_diffuse_scalars(BrumeSim *sim, float dt)
{
    (void)brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, sim->def.thermal_diffusivity, dt);
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        (void)brume_diffuse(sim, brume_smoke_id(kind), sim->def.smoke[kind].diffusivity, dt);
    }
}

BrumeDiffusionResult brume_diffuse(BrumeSim *sim, BrumeFieldId id, float diffusivity, float dt)
{
    assert(brume_holds(sim, id <= BRUME_FIELD_W ? BRUME_VALID_VELOCITY : BRUME_VALID_SCALAR_GHOSTS));
    BrumeDiffusionResult result = {.iterations = 0};
    BrumeField *x = &sim->fields[id];
    if (!x->data) {
        return result;
    }
    const DiffusionOperator op = make_operator(sim, id);
    const float alpha = diffusivity * dt / (sim->def.dx * sim->def.dx);
    const BrumeSpectral *spectral = brume_pressure_spectral(sim->geometry->pressure);
    if (!(diffusivity > 0.0f)) {
        (void)add_heat_fluxes(&op, x, dt, &result);
        return result;
    }
    brume_invalidate(sim, id <= BRUME_FIELD_W ? BRUME_VALID_MAX_SPEED : 0);
    if (spectral) {
        brume_spectral_diffuse(spectral, x, alpha);
    } else {
        diffuse_by_steps(sim, &op, x, alpha, dt, &result);
    }
    brume_set_boundary(sim, id, x);
    return result;
}

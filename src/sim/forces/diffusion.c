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
 * Where alpha d is at most 1/2, as for air at the usual resolutions, Heun's method is as accurate and cheaper.
 *
 * Where `fft` solves for the pressure, every Fourier mode is multiplied by exp(-D dt lambda / dx^2) instead, with
 * lambda its eigenvalue (Stam 2001). That is exact in time, and because lambda is the eigenvalue of the discrete
 * operator, no value becomes negative or exceeds the largest one before.
 *
 * diffusion_operator.c has the operator and its boundary conditions.
 */
#include "core/domain.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/body_heat.h"
#include "sim/forces/diffusion_operator.h"
#include "sim/forces/forces.h"
#include "sim/measures/budget.h"
#include "sim/pressure/conjugate_gradient.h"
#include "sim/spectral/spectral.h"
#include "sim/state/heat.h"
#include "sim/state/state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-5;       // of the residual, relative to the increment
static const float LARGEST_EXPLICIT = 0.5f; // alpha d of a step by Heun's method
static const float LARGEST_SERIES = 0.1f;   // bound of the eigenvalues of alpha A of a solve by a series
enum { MAX_ITERATIONS = 2000, MAX_ROW = 4096 + 2 };

// fields of sim->scratch: of a solve by conjugate gradients, and of the two methods by products alone
enum { DELTA, R, S, Q };
enum { Y, NEXT_Y };

// (I + alpha A) delta = r and the vectors of its solution.
typedef struct DiffusionSystem {
    const BrumeDiffusionOperator *op;
    float alpha;
    BrumeField *delta, *r, *s, *q; // increment, residual, direction, (I + alpha A) s
    double *partials;              // of each plane (2 x (nz+2))
    double square;                 // r.r
    double first_square;           // r.r at the start
} DiffusionSystem;

BRUME_KERNEL static double diffusion_dot_row(const float *a, const float *b, int count)
{
    return brume_dot_row(a, b, count);
}

// x = (x + y) / 2 - scale ay
BRUME_KERNEL static void diffusion_heun_row(float *restrict x, const float *y, const float *ay, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        x[i] += 0.5f * (y[i] - x[i]) - scale * ay[i];
    }
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
    const BrumeDiffusionOperator *op = system->op;
    BrumeField *s = system->s;
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(s->grid, op->from[2]); k <= brume_planes_to(s->grid, op->to[2]); k++) {
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(s, op->from[0], j, k);
            diffusion_direction_row(s->data + c, system->r->data + c, beta, op->count);
        }
    }
    brume_set_operator_difference_sides(op, s);
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(s->grid, op->from[2]); k <= brume_planes_to(s->grid, op->to[2]); k++) {
        BrumePlaneSum sum = {0};
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(s, op->from[0], j, k);
            brume_apply_diffusion_to_difference(op, system->q->data + c, s, c);
            diffusion_shift_row(system->q->data + c, s->data + c, system->alpha, op->count);
            *brume_sum_of_block(&sum, j) += diffusion_dot_row(s->data + c, system->q->data + c, op->count);
        }
        system->partials[k] = brume_sum_of_plane(sum);
    }
    return brume_sum_planes(s->grid, system->partials);
}

/*
 * No eigenvalue of I + alpha A is below 1, so the error of the increment is at most |r|. The residual is compared with
 * the increment, where that is smaller than the first residual: where alpha is large, a residual that is small relative
 * to the first one can still exceed the slowest modes of the increment.
 */
static void step(void *context, float alpha, double *square)
{
    DiffusionSystem *system = context;
    const BrumeDiffusionOperator *op = system->op;
    const BrumeGrid grid = system->r->grid;
    double *lengths = system->partials + grid.nz + 2;
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(grid, op->from[2]); k <= brume_planes_to(grid, op->to[2]); k++) {
        BrumePlaneSum residual = {0};
        BrumePlaneSum length = {0};
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(system->r, op->from[0], j, k);
            float *delta = system->delta->data + c;
            float *r = system->r->data + c;
            diffusion_step_row(delta, r, system->s->data + c, system->q->data + c, alpha, op->count);
            *brume_sum_of_block(&residual, j) += diffusion_dot_row(r, r, op->count);
            *brume_sum_of_block(&length, j) += diffusion_dot_row(delta, delta, op->count);
        }
        system->partials[k] = brume_sum_of_plane(residual);
        lengths[k] = brume_sum_of_plane(length);
    }
    system->square = brume_sum_planes(grid, system->partials);
    const double length = brume_sum_planes(grid, lengths);
    *square = system->square * (length > 0.0 ? brume_fmax(1.0, system->first_square / length) : 1.0);
}

static void measure_residual(DiffusionSystem *system)
{
    const BrumeDiffusionOperator *op = system->op;
    const BrumeGrid grid = system->r->grid;
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(grid, op->from[2]); k <= brume_planes_to(grid, op->to[2]); k++) {
        BrumePlaneSum sum = {0};
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(system->r, op->from[0], j, k);
            const float *r = system->r->data + c;
            *brume_sum_of_block(&sum, j) += diffusion_dot_row(r, r, op->count);
        }
        system->partials[k] = brume_sum_of_plane(sum);
    }
    system->square = brume_sum_planes(grid, system->partials);
    system->first_square = system->square;
}

// r = -alpha A x, the rate of change over the whole step; delta = 0, s = 0
static void start(DiffusionSystem *system, const BrumeField *x, float alpha)
{
    const BrumeDiffusionOperator *op = system->op;
    brume_field_fill(system->s, 0.0f);
    memset(system->partials, 0, 2 * (size_t)(x->grid.nz + 2) * sizeof *system->partials);
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(x->grid, op->from[2]); k <= brume_planes_to(x->grid, op->to[2]); k++) {
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(x, op->from[0], j, k);
            brume_apply_diffusion(op, system->r->data + c, x, c);
            diffusion_scale_row(system->r->data + c, -alpha, op->count);
            memset(system->delta->data + c, 0, (size_t)op->count * sizeof(float));
        }
    }
}

static double sum_of_unknowns(const DiffusionSystem *system, const BrumeField *field, double *count)
{
    const BrumeDiffusionOperator *op = system->op;
    double *counts = system->partials + field->grid.nz + 2;
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(field->grid, op->from[2]); k <= brume_planes_to(field->grid, op->to[2]); k++) {
        BrumePlaneSum sum = {0};
        int unknowns = 0;
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(field, op->from[0], j, k);
            double *block = brume_sum_of_block(&sum, j);
            for (int i = 0; i < op->count; i++) { // entries that are no unknowns are 0
                *block += (double)field->data[c + i];
                unknowns += brume_is_diffused(op, c + i);
            }
        }
        system->partials[k] = brume_sum_of_plane(sum);
        counts[k] = (double)unknowns;
    }
    *count = brume_sum_planes(field->grid, counts);
    return brume_sum_planes(field->grid, system->partials);
}

// Where nothing leaves the box, the increments sum to `expected`; the rounding errors of a large alpha do not.
static void correct_sum(DiffusionSystem *system, double expected)
{
    const BrumeDiffusionOperator *op = system->op;
    const BrumeGrid grid = system->delta->grid;
    double count = 0.0;
    const double sum = sum_of_unknowns(system, system->delta, &count);
    const float correction = count > 0.0 ? (float)((expected - sum) / count) : 0.0f;
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(grid, op->from[2]); k <= brume_planes_to(grid, op->to[2]); k++) {
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(system->delta, op->from[0], j, k);
            for (int i = 0; i < op->count; i++) {
                system->delta->data[c + i] += brume_is_diffused(op, c + i) ? correction : 0.0f;
            }
        }
    }
}

// Solves for the increment and adds it to x; returns the number of iterations. `closed_sum` is the sum of the
// increments where nothing leaves the box, else NULL.
static int solve_increment(DiffusionSystem *system, BrumeField *x, const double *closed_sum)
{
    const BrumeDiffusionOperator *op = system->op;
    measure_residual(system);
    const BrumeConjugateGradient method = {
        .context = system, .precondition = precondition, .update_direction = update_direction, .step = step};
    const int iterations =
        brume_conjugate_gradient(&method, system->square, TOLERANCE * TOLERANCE * system->first_square, MAX_ITERATIONS);
    if (closed_sum) {
        correct_sum(system, *closed_sum);
    }
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(x->grid, op->from[2]); k <= brume_planes_to(x->grid, op->to[2]); k++) {
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(x, op->from[0], j, k);
            diffusion_add_row(x->data + c, system->delta->data + c, 1.0f, op->count);
        }
    }
    return iterations;
}

static DiffusionSystem make_system(BrumeSim *sim, const BrumeDiffusionOperator *op, float alpha)
{
    return (DiffusionSystem){
        .op = op,
        .alpha = alpha,
        .delta = &sim->scratch[DELTA],
        .r = &sim->scratch[R],
        .s = &sim->scratch[S],
        .q = &sim->scratch[Q],
        .partials = sim->planes,
    };
}

void brume_set_diffusion_boundary(const BrumeSim *sim, BrumeFieldId id, BrumeField *field)
{
    const BrumeDiffusionOperator op = brume_diffusion_operator(sim, id);
    brume_set_boundary(sim, id, field);
    brume_set_operator_boundary(&op, field);
}

// onto += scale A from
static void add_product(const BrumeDiffusionOperator *op, BrumeField *onto, const BrumeField *from, float scale)
{
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(onto->grid, op->from[2]); k <= brume_planes_to(onto->grid, op->to[2]); k++) {
        float row[MAX_ROW];
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(from, op->from[0], j, k);
            brume_apply_diffusion(op, row, from, c);
            diffusion_add_row(onto->data + c, row, scale, op->count);
        }
    }
}

void brume_add_diffusion(BrumeSim *sim, BrumeField *from, BrumeField *onto, BrumeFieldId id, float factor)
{
    if (!(factor > 0.0f)) {
        return;
    }
    const BrumeDiffusionOperator op = brume_diffusion_operator(sim, id);
    const float scale = -factor / (sim->def.dx * sim->def.dx);
    brume_set_operator_boundary(&op, from);
    add_product(&op, onto, from, scale);
    if (brume_location(id) == BRUME_AT_CENTER) {
        brume_set_boundary(sim, id, from);
    } else { // the surfaces of bodies hold the velocity of the last step, which may differ from the next step's
        brume_set_sides(sim, id, from);
    }
}

// The Neumann series of (I + a A)^-1 in Horner's form: y <- x - a A y, until the next term is below TOLERANCE.
static void solve_by_series(BrumeSim *sim, const BrumeDiffusionOperator *op, BrumeField *x, float alpha)
{
    BrumeField *y = &sim->scratch[Y];
    BrumeField *next = &sim->scratch[NEXT_Y];
    const double ratio = 2.0 * (double)(alpha * brume_largest_diagonal(op)); // no eigenvalue of a A is above it
    brume_field_copy(y, x);
    brume_exchange_field(y, 1);
    double term = ratio;
    while (term > TOLERANCE) {
        term *= ratio;
        brume_field_copy(next, x);
        add_product(op, next, y, -alpha);
        brume_set_operator_sides(op, next);
        brume_field_swap(y, next);
    }
    add_product(op, x, y, -alpha);
}

int brume_solve_diffusion(BrumeSim *sim, BrumeFieldId id, BrumeField *x, float factor, float whole_factor)
{
    if (!(factor > 0.0f)) {
        return 0;
    }
    const float alpha = factor / (sim->def.dx * sim->def.dx);
    const BrumeDiffusionOperator op = brume_diffusion_operator(sim, id);
    int iterations = 0;
    brume_set_operator_boundary(&op, x);
    if (2.0f * alpha * brume_largest_diagonal(&op) <= LARGEST_SERIES) {
        solve_by_series(sim, &op, x, alpha);
    } else {
        DiffusionSystem system = make_system(sim, &op, alpha);
        start(&system, x, alpha);
        iterations = solve_increment(&system, x, NULL);
    }
    brume_diffuse_wall_layer(&op, x, whole_factor / (sim->def.dx * sim->def.dx));
    brume_set_boundary(sim, id, x);
    return iterations;
}

static float implicit_weight(const BrumeDiffusionOperator *op, float alpha)
{
    return 1.0f - brume_fminf(0.5f, 1.0f / (brume_largest_diagonal(op) * alpha));
}

float brume_diffusion_weight(const BrumeSim *sim, BrumeFieldId id, float diffusivity, float dt)
{
    const BrumeDiffusionOperator op = brume_diffusion_operator(sim, id);
    return implicit_weight(&op, diffusivity * dt / (sim->def.dx * sim->def.dx));
}

// for each fluid cell of line b at a side: adds `value` to the entry of `x`, and returns the sum of ghost - inside;
// cells count by the open part of their face, added to `cells`
static double visit_line(const BrumeDiffusionOperator *op, BrumeField *x, int side, int b, float value, double *cells)
{
    const int axis = side / 2;
    int inner;
    int outer;
    brume_other_axes(axis, &inner, &outer);
    const ptrdiff_t outward = side % 2 == 1 ? brume_stride(x, axis) : -brume_stride(x, axis);
    const ptrdiff_t first = brume_stride(x, axis) * (side % 2 == 1 ? op->to[axis] : 1) + brume_stride(x, outer) * b;
    double sums[2] = {0.0}; // the sum and the cells
    double block[2] = {0.0, *cells};
    for (int a = 1; a <= op->to[inner]; a++) {
        if (inner == 1 && a % BRUME_SUM_ROWS == 1) {
            brume_move_sums(block, sums, 2);
        }
        const ptrdiff_t c = first + brume_stride(x, inner) * a;
        if (brume_is_diffused(op, c)) {
            const ptrdiff_t face = side % 2 == 1 ? c + outward : c;
            const float open = brume_open_fraction(&op->sim->geometry->cells, axis, face);
            block[0] += (double)open * ((double)x->data[c + outward] - (double)x->data[c]);
            x->data[c] += open * value;
            block[1] += (double)open;
        }
    }
    brume_move_sums(block, sums, 2);
    *cells = sums[1];
    return sums[0];
}

// the same for all cells at a side
static double visit_side(const BrumeDiffusionOperator *op, BrumeField *x, int side, float value, double *cells)
{
    const BrumeGrid grid = x->grid;
    const int plane = side % 2 == 1 ? grid.nz : 1; // of a side across z
    double *sums = op->sim->planes;
    double *counts = op->sim->planes + grid.nz + 2;
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        BrumePlaneSum sum = {0};
        BrumePlaneSum count = {0};
        if (side / 2 < 2) {
            sum.rows = visit_line(op, x, side, k, value, &count.rows);
        }
        for (int j = 1; side / 2 == 2 && k == plane && j <= grid.ny; j++) {
            *brume_sum_of_block(&sum, j) += visit_line(op, x, side, j, value, brume_sum_of_block(&count, j));
        }
        sums[k] = brume_sum_of_plane(sum);
        counts[k] = brume_sum_of_plane(count);
    }
    *cells = brume_sum_planes(grid, counts);
    return brume_sum_planes(grid, sums);
}

static bool has_heat_flux(const BrumeDiffusionOperator *op, const BrumeFaceDef *face)
{
    return op->id == BRUME_FIELD_TEMPERATURE && face->kind == BRUME_WALL && !face->fixed_temperature &&
           face->heat_flux != 0.0f;
}

// whether heat flows through a side or out of a body
static bool has_heat_fluxes(const BrumeDiffusionOperator *op)
{
    bool found = op->id == BRUME_FIELD_TEMPERATURE && brume_has_body_heat(op->sim);
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        found = found || has_heat_flux(op, &op->sim->def.faces[side]);
    }
    return found;
}

// adds the heat that flows through the sides and out of bodies in `dt` to their cells in x; returns the sum of the
// added temperatures
static double add_heat_fluxes(const BrumeDiffusionOperator *op, BrumeField *x, float dt, BrumeDiffusionResult *result)
{
    const double dx = (double)op->sim->def.dx;
    double sum = 0.0;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const BrumeFaceDef *face = &op->sim->def.faces[side];
        if (has_heat_flux(op, face)) {
            double cells;
            const double rise = (double)face->heat_flux * (double)dt / dx; // [K]
            (void)visit_side(op, x, side, (float)rise, &cells);
            result->entered[side] += cells * rise * dx * dx * dx;
            sum += cells * rise;
        }
    }
    const double from_bodies = op->id == BRUME_FIELD_TEMPERATURE ? brume_add_body_heat(op->sim, x, (double)dt) : 0.0;
    result->entered_from_bodies += from_bodies * dx * dx * dx;
    return sum + from_bodies;
}

// whether neither a side nor a surface of a body exchanges the quantity with the air by diffusion
static bool is_closed(const BrumeDiffusionOperator *op)
{
    bool closed = !op->holds_surfaces;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const BrumeFaceDef *face = &op->sim->def.faces[side];
        closed = closed && face->kind != BRUME_OPEN && !brume_side_has_value(face, side / 2, op->id);
    }
    return closed;
}

// the sum of (surface - inside) over all faces between air and the surfaces of bodies that have a value
static double sum_at_bodies(const BrumeDiffusionOperator *op, const BrumeField *x, double *partials)
{
    if (!op->holds_surfaces) {
        return 0.0;
    }
    const ptrdiff_t steps[6] = {-1, 1, -x->sy, x->sy, -x->sz, x->sz};
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(x->grid); k <= brume_last_plane(x->grid); k++) {
        BrumePlaneSum sum = {0};
        for (int j = 1; j <= x->grid.ny; j++) {
            double *block = brume_sum_of_block(&sum, j);
            for (int i = 1; i <= x->grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(x, i, j, k);
                if (op->sim->geometry->cells.fractions) {
                    const float weight = brume_is_diffused(op, c) ? brume_surface_weight(op, c) : 0.0f;
                    *block += weight > 0.0f
                                  ? (double)weight * ((double)brume_surface_temperature(op, c) - (double)x->data[c])
                                  : 0.0;
                    continue;
                }
                for (int n = 0; n < 6 && brume_is_diffused(op, c); n++) {
                    const ptrdiff_t neighbor = c + steps[n];
                    if (op->ids[neighbor] > 0) {
                        *block +=
                            (double)op->weights[op->ids[neighbor]] * ((double)x->data[neighbor] - (double)x->data[c]);
                    }
                }
            }
        }
        partials[k] = brume_sum_of_plane(sum);
    }
    return brume_sum_planes(x->grid, partials);
}

// adds the amount that diffuses into the air through sides and surfaces, in a part alpha of the step with the values x
static void add_exchange(const BrumeDiffusionOperator *op, BrumeField *x, double alpha, BrumeDiffusionResult *result)
{
    const double dx = (double)op->sim->def.dx;
    const double volume = alpha * dx * dx * dx;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const BrumeFaceDef *face = &op->sim->def.faces[side];
        if (face->kind == BRUME_OPEN || brume_side_has_value(face, side / 2, op->id)) {
            double cells;
            result->entered[side] += volume * visit_side(op, x, side, 0.0f, &cells);
        }
    }
    result->entered_from_bodies += volume * sum_at_bodies(op, x, op->sim->planes);
}

/*
 * Heun's method, explicit and of second order: y = x - alpha A x, x <- (x + y - alpha A y) / 2. It costs two
 * applications of the operator, and is positive where alpha d is at most 1. Up to LARGEST_EXPLICIT it damps every mode
 * by more than half of the exact amount.
 */
static void diffuse_explicitly(BrumeSim *sim, const BrumeDiffusionOperator *op, BrumeField *x, float alpha, float dt,
                               BrumeDiffusionResult *result)
{
    const bool scalar = brume_location(op->id) == BRUME_AT_CENTER;
    const double half = 0.5 * (double)alpha;
    BrumeField *y = &sim->scratch[Y];
    BrumeDiffusionResult counted_already = {.iterations = 0};
    brume_set_operator_boundary(op, x);
    if (scalar) {
        add_exchange(op, x, half, result);
    }
    brume_field_copy(y, x);
    add_product(op, y, x, -alpha);
    (void)add_heat_fluxes(op, y, dt, result);
    brume_set_operator_sides(op, y);
    if (scalar) {
        add_exchange(op, y, half, result);
    }
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(x->grid, op->from[2]); k <= brume_planes_to(x->grid, op->to[2]); k++) {
        float row[MAX_ROW];
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(x, op->from[0], j, k);
            brume_apply_diffusion(op, row, y, c);
            diffusion_heun_row(x->data + c, y->data + c, row, 0.5f * alpha, op->count);
        }
    }
    (void)add_heat_fluxes(op, x, 0.5f * dt, &counted_already);
}

// the theta method over a whole step
static void diffuse_implicitly(BrumeSim *sim, const BrumeDiffusionOperator *op, BrumeField *x, float alpha, float dt,
                               BrumeDiffusionResult *result)
{
    const float theta = implicit_weight(op, alpha);
    DiffusionSystem system = make_system(sim, op, theta * alpha);
    const bool scalar = brume_location(op->id) == BRUME_AT_CENTER;
    brume_set_operator_boundary(op, x);
    if (scalar) {
        add_exchange(op, x, (1.0 - (double)theta) * (double)alpha, result);
    }
    start(&system, x, alpha);
    const double rise = add_heat_fluxes(op, system.r, dt, result);
    result->iterations = solve_increment(&system, x, scalar && is_closed(op) ? &rise : NULL);
    if (scalar) {
        brume_set_operator_sides(op, x);
        add_exchange(op, x, (double)theta * (double)alpha, result);
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
    const BrumeDiffusionOperator op = brume_diffusion_operator(sim, id);
    const float alpha = diffusivity * dt / (sim->def.dx * sim->def.dx);
    const BrumeSpectral *spectral = brume_pressure_spectral(sim->geometry->pressure);
    if (!(diffusivity > 0.0f)) {
        if (has_heat_fluxes(&op)) {
            (void)add_heat_fluxes(&op, x, dt, &result);
            brume_exchange_field(x, 2); // as many planes as are current where ghosts are
        }
        return result;
    }
    brume_invalidate(sim, id <= BRUME_FIELD_W ? BRUME_VALID_MAX_SPEED : 0);
    if (spectral) {
        brume_spectral_diffuse(spectral, x, alpha);
    } else {
        const bool small = alpha * brume_largest_diagonal(&op) <= LARGEST_EXPLICIT;
        (small ? diffuse_explicitly : diffuse_implicitly)(sim, &op, x, alpha, dt, &result);
    }
    brume_diffuse_wall_layer(&op, x, alpha);
    brume_set_boundary(sim, id, x);
    return result;
}

// diffuses a scalar of the state and books the exchanged amount
static void diffuse_scalar(BrumeSim *sim, BrumeFieldId id, float diffusivity, float dt)
{
    const BrumeDiffusionResult result = brume_diffuse(sim, id, diffusivity, dt);
    double left[BRUME_FACE_COUNT];
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        left[side] = -result.entered[side];
    }
    brume_budget_add_diffused(sim, id, left);
    brume_budget_add_bodies(sim, id, -result.entered_from_bodies);
}

void brume_diffuse_scalars(BrumeSim *sim, float dt)
{
    brume_hold_heat(sim);
    diffuse_scalar(sim, BRUME_FIELD_TEMPERATURE, sim->def.thermal_diffusivity, dt);
    for (int id = BRUME_FIELD_FUEL; id <= BRUME_FIELD_MIXTURE; id++) { // gases, which mix as heat does
        diffuse_scalar(sim, (BrumeFieldId)id, sim->def.thermal_diffusivity, dt);
    }
    brume_hold_temperature(sim); // of the heat in the present mixture
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        diffuse_scalar(sim, brume_smoke_id(kind), sim->def.smoke[kind].diffusivity, dt);
    }
}

/*
 * The projection of a box without bodies by a direct solver, whose other work is fused into two passes over
 * z-planes. The pass before the solve forms b = -(dx / dt) div u in units of the operator, with the sums for its norm
 * and its mean. The pass after it sets the ghosts of phi, subtracts dt grad phi from u, sets p to share p + phi and
 * sums the residual b - A phi; one plane behind, where all faces are final, it measures the divergence and the speed of
 * the new velocity. Where the planes of two threads meet, the last plane of the lower thread is measured after both are
 * done, and the last plane of a rank after it has the faces of the next one. A solve whose residual is above the goal
 * is repeated for the divergence that is left, whose pressure is added.
 *
 * src/sim/reference/projection.c has both passes as plain loops with the same bits: every entry is computed by the same
 * operations, and sums and maxima are taken of rows in eight lanes (core/parallel/reductions.h), then of planes.
 */
#include "core/domain.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/projection.h"
#include "sim/grid/parity_rows.h"
#include "sim/measures/monitor.h"
#include "sim/spectral/spectral.h"
#include "sim/state/heat.h"

#include <assert.h>
#include <math.h>
#include <omp.h>

// A further solve must leave less than this share of the residual; otherwise it is as small as rounding allows.
#define STAGNATION_RATE 0.9

enum { CHUNK = 256 };

// adds b.b and the sum of b
BRUME_KERNEL static void square_and_sum_row(const float *b, int count, double *square, double *sum)
{
    double squares[BRUME_LANES] = {0.0};
    double sums[BRUME_LANES] = {0.0};
    int i = 0;
    for (; i + BRUME_LANES <= count; i += BRUME_LANES) {
        for (int lane = 0; lane < BRUME_LANES; lane++) {
            const double value = (double)b[i + lane];
            squares[lane] += value * value;
            sums[lane] += value;
        }
    }
    for (int lane = 0; i < count; i++, lane++) {
        squares[lane] += (double)b[i] * (double)b[i];
        sums[lane] += (double)b[i];
    }
    *square += brume_sum_lanes(squares);
    *sum += brume_sum_lanes(sums);
}

// the pass before the solve
static void form_right_side(const BrumeDirectProjection *projection)
{
    const BrumeField *b = projection->b;
    const BrumeGrid grid = b->grid;
#pragma omp parallel for schedule(static) if (projection->poisson->parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        BrumePlaneSum square = {0};
        BrumePlaneSum sum = {0};
        for (int j = 1; j <= grid.ny; j++) {
            brume_divergence_row(projection->sim, projection->b, -1.0f / projection->dt_per_dx, j, k);
            square_and_sum_row(b->data + brume_field_index(b, 1, j, k), grid.nx, brume_sum_of_block(&square, j),
                               brume_sum_of_block(&sum, j));
        }
        projection->sums[0][k] = brume_sum_of_plane(square);
        projection->sums[1][k] = brume_sum_of_plane(sum);
    }
}

// faces -= scale (phi - phi of the lower neighbor)
BRUME_KERNEL static void subtract_difference_row(float *restrict faces, const float *restrict phi,
                                                 const float *restrict lower, float scale, int count)
{
    for (int i = 0; i < count; i++) {
        faces[i] -= scale * (phi[i] - lower[i]);
    }
}

// updates the faces of component `axis` in row (j, k)
static void update_faces(const BrumeDirectProjection *projection, int axis, int j, int k)
{
    const BrumeField *phi = projection->phi;
    const int index[3] = {projection->first[0], j, k};
    if (axis > 0 && (index[axis] < projection->first[axis] || index[axis] > projection->last[axis])) {
        return;
    }
    const int from = axis == 0 ? projection->first[0] : 1;
    const int to = axis == 0 ? projection->last[0] : phi->grid.nx;
    const float *row = phi->data + brume_field_index(phi, from, j, k);
    subtract_difference_row(projection->sim->fields[axis].data + brume_field_index(phi, from, j, k), row,
                            row - brume_stride(phi, axis), projection->dt_per_dx, to - from + 1);
}

// the sum of the squares of (b - mean) - product
BRUME_KERNEL static double residual_square_row(const float *b, const float *product, float mean, int count)
{
    double lanes[BRUME_LANES] = {0.0};
    int i = 0;
    for (; i + BRUME_LANES <= count; i += BRUME_LANES) {
        for (int lane = 0; lane < BRUME_LANES; lane++) {
            const float r = (b[i + lane] - mean) - product[i + lane];
            lanes[lane] += (double)r * (double)r;
        }
    }
    for (int lane = 0; i < count; i++, lane++) {
        const float r = (b[i] - mean) - product[i];
        lanes[lane] += (double)r * (double)r;
    }
    return brume_sum_lanes(lanes);
}

// updates row (j, k); returns the sum of the squares of its residuals
static double update_row(const BrumeDirectProjection *projection, int j, int k)
{
    const BrumeField *b = projection->b;
    float product[BRUME_PRESSURE_MAX_ROW + 2];
    brume_poisson_apply_row(projection->poisson, product, projection->phi, j, k);
    for (int axis = 0; axis < 3; axis++) {
        update_faces(projection, axis, j, k);
    }
    brume_add_increment_row(projection->p, projection->phi, projection->share, j, k);
    return residual_square_row(b->data + brume_field_index(b, 1, j, k), product + 1, projection->mean, b->grid.nx);
}

BRUME_KERNEL static void difference_row(float *restrict sums, const float *u, const float *v, const float *w,
                                        ptrdiff_t sy, ptrdiff_t sz, int count)
{
    for (int i = 0; i < count; i++) {
        sums[i] = ((u[i + 1] - u[i]) + (v[i + sy] - v[i])) + (w[i + sz] - w[i]);
    }
}

BRUME_KERNEL static void measure_row(const float *sums, const float *u, const float *v, const float *w, int count,
                                     int32_t *divergence, int32_t *speed)
{
    *divergence = brume_max_bits_row(sums, count, *divergence);
    *speed = brume_max_bits_row(u, count, *speed);
    *speed = brume_max_bits_row(v, count, *speed);
    *speed = brume_max_bits_row(w, count, *speed);
}

// adds row (j, k) to the maxima of its plane
static void measure_cells(const BrumeDirectProjection *projection, int j, int k, int32_t *divergence, int32_t *speed)
{
    const BrumeField *u = projection->sim->fields;
    const int nx = u->grid.nx;
    for (int first = 1; first <= nx; first += CHUNK) {
        const int count = nx - first + 1 < CHUNK ? nx - first + 1 : CHUNK;
        const ptrdiff_t c = brume_field_index(u, first, j, k);
        float sums[CHUNK];
        difference_row(sums, u[0].data + c, u[1].data + c, u[2].data + c, u->sy, u->sz, count);
        brume_subtract_expansion(projection->sim, sums, c, count, 1.0f);
        measure_row(sums, u[0].data + c, u[1].data + c, u[2].data + c, count, divergence, speed);
    }
}

static void store_maxima(const BrumeDirectProjection *projection, int k, int32_t divergence, int32_t speed)
{
    projection->sums[1][k] = (double)brume_float_of_bits(divergence);
    projection->sums[2][k] = (double)brume_float_of_bits(speed);
}

// updates plane k, and measures plane k - 1 unless it belongs to another thread or is a ghost
static void update_plane(const BrumeDirectProjection *projection, int k, bool measure_below)
{
    const BrumeGrid grid = projection->phi->grid;
    BrumePlaneSum square = {0};
    int32_t divergence = 0;
    int32_t speed = 0;
    brume_poisson_fill_ghost_rows(projection->poisson, projection->phi, k, 1, grid.ny + 1);
    for (int j = 1; j <= grid.ny; j++) {
        *brume_sum_of_block(&square, j) += update_row(projection, j, k);
        if (j == grid.ny) {
            update_faces(projection, 1, grid.ny + 1, k);
        }
        if (measure_below) {
            measure_cells(projection, j, k - 1, &divergence, &speed);
        }
    }
    projection->sums[0][k] = brume_sum_of_plane(square);
    if (measure_below) {
        store_maxima(projection, k - 1, divergence, speed);
    }
}

static void measure_plane(const BrumeDirectProjection *projection, int k)
{
    int32_t divergence = 0;
    int32_t speed = 0;
    for (int j = 1; j <= projection->phi->grid.ny; j++) {
        measure_cells(projection, j, k, &divergence, &speed);
    }
    store_maxima(projection, k, divergence, speed);
}

// the first plane of a thread; the one of thread `team` is behind the last plane of this rank
static int first_plane(BrumeGrid grid, int thread, int team)
{
    const int first = brume_first_plane(grid);
    return first + (int)((int64_t)(brume_last_plane(grid) - first + 1) * thread / team);
}

// the pass after the solve
static void apply_solution(const BrumeDirectProjection *projection)
{
    BrumeField *phi = projection->phi;
    const BrumeGrid grid = phi->grid;
    const int last = brume_last_plane(grid);
    brume_exchange_field(phi, 1);
    brume_poisson_fill_ghost_planes(projection->poisson, phi);
#pragma omp parallel if (projection->poisson->parallel)
    {
        const int team = omp_get_num_threads();
        const int from = first_plane(grid, omp_get_thread_num(), team);
        const int end = first_plane(grid, omp_get_thread_num() + 1, team);
        for (int k = from; k < end; k++) {
            update_plane(projection, k, k > from);
        }
        for (int j = 1; from < end && end == grid.nz + 1 && j <= grid.ny; j++) {
            update_faces(projection, 2, j, grid.nz + 1);
        }
#pragma omp barrier
        if (from < end && end <= last) {
            measure_plane(projection, end - 1);
        }
    }
    brume_exchange_field(&projection->sim->fields[BRUME_FIELD_W], 1);
    if (brume_first_plane(grid) <= last) {
        measure_plane(projection, last);
    }
}

static const BrumeDirectPasses fused_passes = {form_right_side, apply_solution};

// from the sums of form_right_side: sets the mean of b, and returns the norms of b without and with it
static double norm_of_right_side(BrumeDirectProjection *projection, double *given_norm)
{
    const BrumeGrid grid = projection->b->grid;
    const double square = brume_sum_planes(grid, projection->sums[0]);
    const double cells = (double)brume_grid_cells(grid);
    const bool singular = brume_pressure_is_singular(projection->sim->geometry->pressure);
    const double mean = singular ? brume_sum_planes(grid, projection->sums[1]) / cells : 0.0;
    projection->mean = (float)mean;
    *given_norm = sqrt(square);
    return sqrt(square - brume_fmin(cells * mean * mean, square));
}

static BrumeDirectProjection prepare_projection(BrumeSim *sim, BrumeField *p, float dt, float share)
{
    const BrumeCells *box = &sim->geometry->cells;
    assert(p != &sim->scratch[BRUME_SCRATCH_RIGHT_SIDE] && p != &sim->scratch[BRUME_SCRATCH_DIRECT_SOLUTION]);
    BrumeDirectProjection projection = {
        .sim = sim,
        .poisson = brume_pressure_operator(sim->geometry->pressure),
        .b = &sim->scratch[BRUME_SCRATCH_RIGHT_SIDE],
        .phi = &sim->scratch[BRUME_SCRATCH_DIRECT_SOLUTION],
        .p = p,
        .share = share,
        .dt_per_dx = dt / sim->def.dx,
    };
    for (int axis = 0; axis < 3; axis++) {
        const int n = brume_cells_along(box->grid, axis);
        projection.first[axis] = box->periodic[axis] || box->open[2 * axis] ? 1 : 2;
        projection.last[axis] = box->periodic[axis] || box->open[2 * axis + 1] ? n + 1 : n;
        if (box->periodic[axis] && !box->coupled[axis]) { // one cell thick: the faces have the same cell on both sides
            projection.last[axis] = 0;
        }
        projection.sums[axis] = sim->planes + (ptrdiff_t)axis * (box->grid.nz + 2);
    }
    return projection;
}

// p = share p, for a solve that is not needed or not possible
static void scale_pressure(BrumeField *p, float share)
{
    const ptrdiff_t end = p->sz * (brume_highest_plane(p->grid) + 1);
    for (ptrdiff_t n = p->sz * brume_lowest_plane(p->grid); n < end; n++) {
        p->data[n] = share == 0.0f ? 0.0f : share * p->data[n];
    }
}

BrumePressureResult brume_project_directly(BrumeSim *sim, BrumeField *p, float dt, float share)
{
    BrumePressure *pressure = sim->geometry->pressure;
    const BrumeProjectionKernels *plain = sim->geometry->kernels;
    const BrumeDirectPasses *passes = plain ? plain->direct : &fused_passes;
    BrumeDirectProjection projection = prepare_projection(sim, p, dt, share);
    BrumePressureResult result = {0};
    const double tolerance = (double)sim->def.tolerance;
    double reference = 0.0; // of the first solve
    double last_residual = INFINITY;
    brume_exchange_field(&sim->fields[BRUME_FIELD_W], 1);
    while (result.iterations < sim->def.max_iterations) {
        double given_norm;
        passes->form_right_side(&projection);
        const double b_norm = norm_of_right_side(&projection, &given_norm);
        reference = result.iterations == 0 ? brume_pressure_reference(pressure, b_norm) : reference;
        if (!isfinite(b_norm) || b_norm <= tolerance * reference ||
            brume_pressure_is_negligible(pressure, b_norm, given_norm)) {
            result.converged = result.iterations > 0 && isfinite(b_norm); // the remainder is rounding error
            break;
        }
        brume_spectral_solve(brume_pressure_transforms(pressure), projection.phi, projection.b);
        passes->apply_solution(&projection);
        result.iterations++;
        result.residual = sqrt(brume_sum_planes(p->grid, projection.sums[0])) / reference;
        result.converged = result.residual <= tolerance;
        if (result.converged || result.residual > STAGNATION_RATE * last_residual) {
            break;
        }
        projection.share = 1.0f; // the next solve is one for the divergence that is left
        last_residual = result.residual;
    }
    if (result.iterations == 0) {
        const double divergence = brume_measure_flow(sim);
        const bool finite = isfinite(divergence);
        scale_pressure(p, finite ? share : 0.0f);
        return (BrumePressureResult){.residual = finite ? 0.0 : INFINITY, .converged = finite};
    }
    for (int k = brume_first_plane(p->grid); k <= brume_last_plane(p->grid); k++) { // those along x are set already
        brume_poisson_fill_ghost_rows(projection.poisson, p, k, 1, 1);
    }
    brume_exchange_field(p, 1);
    brume_poisson_fill_ghost_planes(projection.poisson, p);
    brume_poisson_fill_thin_ghosts(projection.poisson, p);
    const double divergence = brume_max_planes(p->grid, projection.sums[1]);
    sim->max_speed = isfinite(divergence) ? brume_max_planes(p->grid, projection.sums[2]) : (double)NAN;
    brume_establish(sim, BRUME_VALID_MAX_SPEED);
    sim->divergence = divergence / (double)sim->def.dx;
    return result;
}

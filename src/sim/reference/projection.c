/*
 * The two passes around the solve of a projection by a direct solver (Stam 2003, project): the right-hand side of
 * A phi = b, and with its solution phi
 *
 *     u <- u - dt grad phi,   p <- share p + phi,   r = (b - mean b) - A phi,
 *
 * where A is -dx^2 times the Laplacian, and the mean of b is subtracted in a box without open sides. The order of the
 * sums matters: along a row in eight lanes, which are added pairwise, then row by row and plane by plane.
 */
#include "sim/reference/kernels.h"

#include "core/domain.h"
#include "core/field.h"
#include "core/parallel/reductions.h"
#include "sim/forces/projection.h"
#include "sim/grid/seven_point.h"
#include "sim/state/heat.h"

// the sum of the face differences of a cell: its divergence times dx [m/s]
static float difference(const BrumeField velocity[3], ptrdiff_t c)
{
    float along[3];
    for (int axis = 0; axis < 3; axis++) {
        along[axis] = velocity[axis].data[c + brume_stride(&velocity[axis], axis)] - velocity[axis].data[c];
    }
    return (along[0] + along[1]) + along[2];
}

// b = -(dx / dt) div u, in units of the operator [m^2/s^2]
static void form_right_side(const BrumeDirectProjection *projection)
{
    BrumeField *b = projection->b;
    const BrumeGrid grid = b->grid;
    const float scale = -1.0f / projection->dt_per_dx;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        BrumePlaneSum square = {0};
        BrumePlaneSum sum = {0};
        for (int j = 1; j <= grid.ny; j++) {
            double squares[BRUME_LANES] = {0.0};
            double sums[BRUME_LANES] = {0.0};
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(b, i, j, k);
                b->data[c] = scale * difference(projection->sim->fields, c);
                brume_subtract_expansion(projection->sim, &b->data[c], c, 1, scale);
                squares[(i - 1) % BRUME_LANES] += (double)b->data[c] * (double)b->data[c];
                sums[(i - 1) % BRUME_LANES] += (double)b->data[c];
            }
            *brume_sum_of_block(&square, j) += brume_sum_lanes(squares);
            *brume_sum_of_block(&sum, j) += brume_sum_lanes(sums);
        }
        projection->sums[0][k] = brume_sum_of_plane(square);
        projection->sums[1][k] = brume_sum_of_plane(sum);
    }
}

// u -= dt grad phi on the faces that pressure acts on
static void subtract_gradient(const BrumeDirectProjection *projection, int axis)
{
    const BrumeField *phi = projection->phi;
    BrumeField *u = &projection->sim->fields[axis];
    int first[3] = {1, 1, 1};
    int last[3] = {phi->grid.nx, phi->grid.ny, phi->grid.nz};
    first[axis] = projection->first[axis];
    last[axis] = projection->last[axis];
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(phi->grid, first[2]); k <= brume_planes_to(phi->grid, last[2]); k++) {
        for (int j = first[1]; j <= last[1]; j++) {
            for (int i = first[0]; i <= last[0]; i++) {
                const ptrdiff_t c = brume_field_index(phi, i, j, k);
                u->data[c] -= projection->dt_per_dx * (phi->data[c] - phi->data[c - brume_stride(phi, axis)]);
            }
        }
    }
}

// p = share p + phi, with the ghosts along x; p is not read where the share is 0
static void add_increment(const BrumeDirectProjection *projection)
{
    BrumeField *p = projection->p;
    const float share = projection->share;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(p->grid); k <= brume_last_plane(p->grid); k++) {
        for (int j = 1; j <= p->grid.ny; j++) {
            for (int i = 0; i <= p->grid.nx + 1; i++) {
                const ptrdiff_t c = brume_field_index(p, i, j, k);
                const float phi = projection->phi->data[c];
                p->data[c] = share == 0.0f ? phi : share * p->data[c] + phi;
            }
        }
    }
}

// A phi at entry c
static float apply(const BrumeDirectProjection *projection, ptrdiff_t c)
{
    const BrumeField *phi = projection->phi;
    const int flags = projection->poisson->cells->flags[c]; // 1 for an open face, 0 for a closed one
    const BrumeFaceWeights weights = {(float)(flags & 1),      (float)(flags >> 1 & 1), (float)(flags >> 2 & 1),
                                      (float)(flags >> 3 & 1), (float)(flags >> 4 & 1), (float)(flags >> 5 & 1)};
    return brume_seven_point_weighted(phi->data + c, phi->sy, phi->sz, &weights);
}

// the squares of the residual, and the largest divergence and component of the velocity
static void measure(const BrumeDirectProjection *projection)
{
    const BrumeField *b = projection->b;
    const BrumeField *u = projection->sim->fields;
    const BrumeGrid grid = b->grid;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        BrumePlaneSum square = {0};
        int32_t divergence = 0;
        int32_t speed = 0;
        for (int j = 1; j <= grid.ny; j++) {
            double squares[BRUME_LANES] = {0.0};
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(b, i, j, k);
                const float r = (b->data[c] - projection->mean) - apply(projection, c);
                float sum = difference(u, c);
                brume_subtract_expansion(projection->sim, &sum, c, 1, 1.0f);
                squares[(i - 1) % BRUME_LANES] += (double)r * (double)r;
                divergence = brume_max_bits_row(&sum, 1, divergence);
                for (int axis = 0; axis < 3; axis++) {
                    speed = brume_max_bits_row(u[axis].data + c, 1, speed);
                }
            }
            *brume_sum_of_block(&square, j) += brume_sum_lanes(squares);
        }
        projection->sums[0][k] = brume_sum_of_plane(square);
        projection->sums[1][k] = (double)brume_float_of_bits(divergence);
        projection->sums[2][k] = (double)brume_float_of_bits(speed);
    }
}

static void apply_solution(const BrumeDirectProjection *projection)
{
    brume_poisson_fill_ghosts(projection->poisson, projection->phi);
    for (int axis = 0; axis < 3; axis++) {
        subtract_gradient(projection, axis);
    }
    add_increment(projection);
    brume_exchange_field(&projection->sim->fields[BRUME_FIELD_W], 1);
    measure(projection);
}

static const BrumeDirectPasses direct = {form_right_side, apply_solution};

const BrumeProjectionKernels brume_reference_projection = {.cycle = &brume_reference_cycle_kernels, .direct = &direct};

#include "sim/pressure/multigrid/operator.h"

#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "sim/grid/parity_rows.h"

#include <string.h>

enum { AXES = 3, DIAGONAL_ROWS = 3 };

// floats of one element of `diagonals`: rows of 1 / (d + l1), of d and of l1
static size_t diagonal_floats(const BrumeOperator *op) { return DIAGONAL_ROWS * (size_t)(op->grid.nx + 2); }

// the l1 term of cell n along an axis: the coefficients between the first and the last cell of an odd periodic axis,
// which have the same color
static float l1_term(const BrumeOperator *op, int axis, int n, float lower, float upper)
{
    const int count = brume_cells_along(op->grid, axis);
    if (!op->periodic[axis] || count % 2 == 0) {
        return 0.0f;
    }
    return (n == 1 ? lower : 0.0f) + (n == count ? upper : 0.0f);
}

// The coefficients of a level: on the finest level they follow from its cells.
typedef struct Coefficients {
    const BrumePoisson *finest; ///< NULL for a coarse level
    const BrumeField *face;     ///< (3) of a coarse level, rows in plain order
} Coefficients;

// coefficients of the lower and upper face of a cell along an axis
static void faces_of(const Coefficients *coefficients, int axis, int i, int j, int k, float *lower, float *upper)
{
    if (coefficients->finest) {
        *lower = brume_poisson_coefficient(coefficients->finest, 2 * axis, i, j, k);
        *upper = brume_poisson_coefficient(coefficients->finest, 2 * axis + 1, i, j, k);
    } else {
        const BrumeField *face = &coefficients->face[axis];
        *lower = brume_field_at(face, i, j, k);
        *upper = brume_field_at(face, i + (axis == 0), j + (axis == 1), k + (axis == 2));
    }
}

static void fill_diagonal(const BrumeOperator *op, const Coefficients *coefficients, int j, int k, float *rows)
{
    const int nx = op->grid.nx;
    memset(rows, 0, diagonal_floats(op) * sizeof *rows); // the ghosts
    float *inverse = rows;
    float *diagonal = inverse + nx + 2;
    float *l1 = diagonal + nx + 2;
    for (int i = 1; i <= nx; i++) {
        const int at[AXES] = {i, j, k};
        const ptrdiff_t entry = brume_parity_entry(nx, i);
        float sum = 0.0f;
        float l1_sum = 0.0f;
        for (int axis = 0; axis < AXES; axis++) {
            float lower;
            float upper;
            faces_of(coefficients, axis, i, j, k, &lower, &upper);
            sum += lower + upper;
            l1_sum += l1_term(op, axis, at[axis], lower, upper);
        }
        inverse[entry] = sum > 0.0f ? 1.0f / (sum + l1_sum) : 0.0f;
        diagonal[entry] = sum;
        l1[entry] = l1_sum;
    }
}

// whether the cells of two rows next to each other along an axis, with numbers n - 1 and n there, have the same l1
// terms
static bool same_l1(const BrumeOperator *op, int axis, int n)
{
    const int count = brume_cells_along(op->grid, axis);
    return !op->periodic[axis] || count % 2 == 0 || (n > 2 && n < count);
}

// Whether row (j, k) and the one before it along y or z have the same coefficients, and so the same diagonals; false if
// that is not known.
static bool same_as_before(const BrumeOperator *op, const Coefficients *coefficients, int axis, int j, int k)
{
    const int n = axis == 1 ? j : k;
    if (n == 1 || !same_l1(op, axis, n)) {
        return false;
    }
    const int before[2] = {j - (axis == 1), k - (axis == 2)};
    if (coefficients->finest) { // without fractions, coefficients follow from the flags
        const BrumePoisson *finest = coefficients->finest;
        return !brume_poisson_cut(finest, j, k) && !brume_poisson_cut(finest, before[0], before[1]) &&
               memcmp(brume_poisson_flags(finest, j, k), brume_poisson_flags(finest, before[0], before[1]),
                      (size_t)op->grid.nx + 2) == 0;
    }
    for (int row = 0; row < 5; row++) { // along x; lower and upper along y; lower and upper along z
        const BrumeField *face = &coefficients->face[(row + 1) / 2];
        const float *faces = face->data + brume_field_index(face, 0, j + (row == 2), k + (row == 4));
        if (memcmp(faces, faces - brume_stride(face, axis), (size_t)face->sy * sizeof *faces) != 0) {
            return false;
        }
    }
    return true;
}

// Computes the diagonals of all rows; those that are known to be equal are stored once. False without memory.
static bool find_diagonals(BrumeOperator *op, const Coefficients *coefficients)
{
    enum { OWN = -1, BELOW = -2, BESIDE = -3 }; // what the diagonal of a row is, before the rows are numbered
    const BrumeGrid grid = op->grid;
    const ptrdiff_t rows = (ptrdiff_t)grid.ny * grid.nz;
#pragma omp parallel for schedule(static) if (op->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            op->diagonal_index[(ptrdiff_t)(k - 1) * grid.ny + (j - 1)] =
                same_as_before(op, coefficients, 2, j, k)   ? BELOW
                : same_as_before(op, coefficients, 1, j, k) ? BESIDE
                                                            : OWN;
        }
    }
    int *own = brume_alloc_untouched((size_t)rows, sizeof *own);
    for (ptrdiff_t row = 0; own && row < rows; row++) {
        int *index = op->diagonal_index + row;
        if (*index == OWN) {
            own[op->diagonal_count] = (int)row;
            *index = op->diagonal_count++;
        } else {
            *index = *index == BELOW ? index[-grid.ny] : index[-1];
        }
    }
    op->diagonals = own ? brume_alloc_untouched((size_t)op->diagonal_count, diagonal_floats(op) * sizeof(float)) : NULL;
#pragma omp parallel for schedule(static) if (op->parallel)
    for (int n = 0; n < (op->diagonals ? op->diagonal_count : 0); n++) {
        float *diagonal = op->diagonals + (size_t)n * diagonal_floats(op);
        fill_diagonal(op, coefficients, own[n] % grid.ny + 1, own[n] / grid.ny + 1, diagonal);
    }
    brume_free(own);
    return op->diagonals != NULL;
}

static bool allocate_operator(BrumeOperator *op, BrumeGrid grid, const bool periodic[AXES], bool parallel)
{
    *op = (BrumeOperator){
        .grid = grid,
        .sy = grid.nx + 2,
        .sz = (ptrdiff_t)(grid.nx + 2) * (grid.ny + 2),
        .periodic = {periodic[0], periodic[1], periodic[2]},
        .odd_periodic = brume_has_odd_periodic_axis(grid, periodic),
        .parallel = parallel,
        .diagonal_index = brume_alloc((size_t)grid.ny * (size_t)grid.nz, sizeof *op->diagonal_index),
    };
    return op->diagonal_index != NULL;
}

// The lower faces of row (j, k) along an axis, in parity order, from the cells above or below them.
static void fill_face_row(BrumeField *face, const BrumePoisson *poisson, int axis, int j, int k)
{
    const BrumeGrid grid = face->grid;
    float row[BRUME_PRESSURE_MAX_ROW + 2] = {0.0f};
    const bool beyond = j > grid.ny || k > grid.nz; // the faces are the upper ones of the cells before
    for (int i = 1; i <= grid.nx; i++) {
        row[i] = beyond ? brume_poisson_coefficient(poisson, 2 * axis + 1, i, j - (axis == 1), k - (axis == 2))
                        : brume_poisson_coefficient(poisson, 2 * axis, i, j, k);
    }
    if (axis == 0) {
        row[grid.nx + 1] = brume_poisson_coefficient(poisson, 1, grid.nx, j, k);
    }
    brume_row_to_parity_order(face->data + brume_field_index(face, 0, j, k), row, grid.nx);
}

// whether row (j, k) is inside and cut
static bool is_cut(const BrumePoisson *poisson, int j, int k)
{
    const BrumeGrid grid = poisson->cells->grid;
    return j >= 1 && j <= grid.ny && k >= 1 && k <= grid.nz && brume_poisson_cut(poisson, j, k);
}

// Stores the coefficients that cut rows read; those of all other rows are left undefined. False without memory.
static bool store_cut_faces(BrumeOperator *op, const BrumePoisson *poisson)
{
    const BrumeGrid grid = op->grid;
    for (int axis = 0; axis < AXES; axis++) {
        op->face[axis] = (BrumeField){.grid = grid, .sy = op->sy, .sz = op->sz};
        op->face[axis].data = brume_alloc_untouched(brume_grid_entries(grid), sizeof(float));
        if (!op->face[axis].data) {
            return false;
        }
    }
#pragma omp parallel for schedule(static) if (op->parallel)
    for (int k = 1; k <= grid.nz + 1; k++) {
        for (int j = 1; j <= grid.ny + 1; j++) {
            for (int axis = 0; axis < AXES; axis++) {
                if (is_cut(poisson, j, k) || (axis > 0 && is_cut(poisson, j - (axis == 1), k - (axis == 2)))) {
                    fill_face_row(&op->face[axis], poisson, axis, j, k);
                }
            }
        }
    }
    return true;
}

BrumeStatus brume_operator_create_finest(BrumeOperator *op, const BrumePoisson *poisson, BrumeError *error)
{
    const BrumeCells *cells = poisson->cells;
    const size_t rows = (size_t)cells->grid.ny * (size_t)cells->grid.nz;
    const Coefficients coefficients = {.finest = poisson};
    if (allocate_operator(op, cells->grid, cells->coupled, poisson->parallel)) {
        op->row_coefficient = brume_alloc(rows, sizeof *op->row_coefficient);
    }
    if (!op->row_coefficient || !find_diagonals(op, &coefficients) || (poisson->cut && !store_cut_faces(op, poisson))) {
        brume_operator_destroy(op);
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    for (size_t row = 0; row < rows; row++) {
        op->row_coefficient[row] = poisson->cut && poisson->cut[row] ? 0.0f : 1.0f;
    }
    return BRUME_OK;
}

static bool all_rows_have_coefficient(const float *row_coefficient, BrumeGrid grid)
{
    for (ptrdiff_t row = 0; row < (ptrdiff_t)grid.ny * grid.nz; row++) {
        if (row_coefficient[row] == 0.0f) {
            return false;
        }
    }
    return true;
}

BrumeStatus brume_operator_create(BrumeOperator *op, BrumeGrid grid, const bool periodic[3], bool parallel,
                                  BrumeField face[3], float **row_coefficient, BrumeError *error)
{
    const Coefficients coefficients = {.face = face};
    if (!allocate_operator(op, grid, periodic, parallel) || !find_diagonals(op, &coefficients)) {
        brume_operator_destroy(op);
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    op->row_coefficient = *row_coefficient;
    *row_coefficient = NULL;
    const bool needed = !all_rows_have_coefficient(op->row_coefficient, grid);
    for (int axis = 0; axis < AXES; axis++) {
        if (needed) {
            brume_field_to_parity_order(&face[axis], parallel);
            op->face[axis] = face[axis];
            face[axis] = (BrumeField){0};
        } else {
            brume_field_destroy(&face[axis]);
        }
    }
    return BRUME_OK;
}

float brume_operator_residual_at(const BrumeOperator *op, const BrumeField *x, const BrumeField *b, int i, int j, int k)
{
    const int nx = op->grid.nx;
    const float coefficient = op->row_coefficient[(ptrdiff_t)(k - 1) * op->grid.ny + (j - 1)];
    const float *diagonal = brume_operator_diagonals(op, j, k) + (nx + 2);
    const ptrdiff_t row = op->sy * j + op->sz * k;
    const ptrdiff_t cell = row + brume_parity_entry(nx, i);
    const ptrdiff_t east = row + brume_parity_entry(nx, i + 1);
    const ptrdiff_t neighbors[] = {
        row + brume_parity_entry(nx, i - 1), east, cell - op->sy, cell + op->sy, cell - op->sz, cell + op->sz};
    const ptrdiff_t faces[] = {cell, east, cell, cell + op->sy, cell, cell + op->sz}; // entries of `face`
    float residual = b->data[cell] - diagonal[brume_parity_entry(nx, i)] * x->data[cell];
    for (int side = 0; side < 2 * AXES; side++) {
        residual +=
            (coefficient > 0.0f ? coefficient : op->face[side / 2].data[faces[side]]) * x->data[neighbors[side]];
    }
    return residual;
}

void brume_operator_destroy(BrumeOperator *op)
{
    brume_free(op->diagonal_index);
    brume_free(op->diagonals);
    brume_free(op->row_coefficient);
    for (int axis = 0; axis < AXES; axis++) {
        brume_field_destroy(&op->face[axis]);
    }
    *op = (BrumeOperator){0};
}

size_t brume_operator_bytes(const BrumeOperator *op)
{
    const BrumeGrid grid = op->grid;
    const size_t rows = (size_t)grid.ny * (size_t)grid.nz;
    const size_t faces = op->face[0].data ? AXES * brume_grid_entries(grid) * sizeof(float) : 0;
    return rows * (sizeof *op->diagonal_index + sizeof *op->row_coefficient) + faces +
           (size_t)op->diagonal_count * diagonal_floats(op) * sizeof *op->diagonals;
}

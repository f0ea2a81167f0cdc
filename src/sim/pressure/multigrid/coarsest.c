// The inverse is computed by Gauss-Jordan elimination in place, in double precision. The matrix is made positive
// definite first, so that no pivoting is needed. The null space of a singular component of n cells consists of the
// constants: adding 1 / n to the couplings of all pairs of its cells makes the constants an eigenvector with eigenvalue
// 1, and subtracting 1 / n from the inverse afterwards leaves the pseudo-inverse. The row of an inactive cell is that
// of the unit matrix during the elimination, and 0 afterwards.
#include "sim/pressure/multigrid/coarsest.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/simd.h"
#include "sim/grid/parity_rows.h"

enum { AXES = 3 };

// adds the coefficient between an unknown and its neighbor; -1 stands for a ghost of value 0
static void couple(double *matrix, int count, int cell, int neighbor, double coefficient)
{
    matrix[cell * count + cell] += coefficient;
    if (neighbor >= 0) {
        matrix[cell * count + neighbor] -= coefficient;
    }
}

static int neighbor_along(const BrumeMultigridLevel *level, const int at[AXES], int axis, int step)
{
    const int size = brume_cells_along(level->grid, axis);
    int adjacent[AXES] = {at[0], at[1], at[2]};
    adjacent[axis] += step;
    if (adjacent[axis] < 1 || adjacent[axis] > size) {
        if (!level->periodic[axis]) {
            return -1;
        }
        adjacent[axis] = step > 0 ? 1 : size;
    }
    return brume_coarsest_unknown(level->grid, adjacent[0], adjacent[1], adjacent[2]);
}

static void fill_row(double *matrix, int count, const BrumeMultigridLevel *level, const int at[AXES])
{
    const int cell = brume_coarsest_unknown(level->grid, at[0], at[1], at[2]);
    if (brume_field_at(&level->active, at[0], at[1], at[2]) == 0.0f) {
        matrix[cell * count + cell] = 1.0;
        return;
    }
    for (int axis = 0; axis < AXES; axis++) {
        const BrumeField *face = &level->face[axis];
        const float lower = brume_field_at(face, at[0], at[1], at[2]);
        const float upper = brume_field_at(face, at[0] + (axis == 0), at[1] + (axis == 1), at[2] + (axis == 2));
        couple(matrix, count, cell, neighbor_along(level, at, axis, -1), (double)lower);
        couple(matrix, count, cell, neighbor_along(level, at, axis, 1), (double)upper);
    }
}

static void fill_matrix(double *matrix, int count, const BrumeMultigridLevel *level)
{
    const BrumeGrid grid = level->grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                fill_row(matrix, count, level, (const int[AXES]){i, j, k});
            }
        }
    }
}

// the singular component of each unknown, -1 for none
static void find_components(int *component, int count, const BrumeMultigridLevel *level)
{
    for (int n = 0; n < count; n++) {
        component[n] = -1;
    }
    for (int n = 0; n < level->components.run_count; n++) {
        const BrumeRun *run = &level->components.runs[n];
        for (int i = run->first; i <= run->last; i++) {
            component[brume_coarsest_unknown(level->grid, i, run->j, run->k)] = run->component;
        }
    }
}

// adds sign / n to the couplings of all pairs of cells of each singular component of n cells
static void add_constants(double *matrix, int count, const int *component, const double *cells, double sign)
{
    for (int row = 0; row < count; row++) {
        for (int column = 0; column < count; column++) {
            if (component[row] >= 0 && component[row] == component[column]) {
                matrix[row * count + column] += sign / cells[component[row]];
            }
        }
    }
}

BRUME_KERNEL static void coarsest_eliminate(double *restrict row, const double *pivot_row, double factor, int count)
{
    for (int n = 0; n < count; n++) {
        row[n] -= factor * pivot_row[n];
    }
}

static void invert_matrix(double *matrix, int count)
{
    for (int n = 0; n < count; n++) {
        double *pivot_row = matrix + n * count;
        const double inverse = 1.0 / pivot_row[n];
        pivot_row[n] = 1.0;
        for (int column = 0; column < count; column++) {
            pivot_row[column] *= inverse;
        }
        for (int other = 0; other < count; other++) {
            if (other != n) {
                double *row = matrix + other * count;
                const double factor = row[n];
                row[n] = 0.0;
                coarsest_eliminate(row, pivot_row, factor, count);
            }
        }
    }
}

static bool is_inactive(const BrumeMultigridLevel *level, int i, int j, int k)
{
    return brume_field_at(&level->active, i, j, k) == 0.0f;
}

// rounds the symmetric part of the inverse to single precision, and clears the rows of inactive cells
static void store_inverse(BrumeCoarsest *coarsest, const double *matrix, const BrumeMultigridLevel *level)
{
    const int count = coarsest->count;
    for (int row = 0; row < count; row++) {
        for (int column = 0; column < count; column++) {
            coarsest->inverse[row * count + column] =
                (float)(0.5 * (matrix[row * count + column] + matrix[column * count + row]));
        }
    }
    const BrumeGrid grid = coarsest->grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                if (is_inactive(level, i, j, k)) {
                    const int cell = brume_coarsest_unknown(grid, i, j, k);
                    coarsest->inverse[cell * count + cell] = 0.0f; // the other entries of its row are 0
                }
            }
        }
    }
}

BrumeStatus brume_coarsest_create(BrumeCoarsest *coarsest, const BrumeMultigridLevel *level, BrumeError *error)
{
    const int count = (int)brume_grid_cells(level->grid);
    const size_t entries = (size_t)count * (size_t)count;
    *coarsest = (BrumeCoarsest){
        .grid = level->grid, .count = count, .inverse = brume_alloc(entries, sizeof *coarsest->inverse)};
    double *matrix = brume_alloc(entries, sizeof *matrix);
    BrumeStatus status = BRUME_OK;
    if (coarsest->inverse && matrix) {
        int component[BRUME_COARSEST_CELLS];
        find_components(component, count, level);
        fill_matrix(matrix, count, level);
        add_constants(matrix, count, component, level->components.cells, 1.0);
        invert_matrix(matrix, count);
        add_constants(matrix, count, component, level->components.cells, -1.0);
        store_inverse(coarsest, matrix, level);
    } else {
        brume_coarsest_destroy(coarsest);
        status = brume_out_of_grid_memory(error, "the pressure solver");
    }
    brume_free(matrix);
    return status;
}

void brume_coarsest_destroy(BrumeCoarsest *coarsest)
{
    brume_free(coarsest->inverse);
    *coarsest = (BrumeCoarsest){0};
}

size_t brume_coarsest_bytes(const BrumeCoarsest *coarsest)
{
    return (size_t)coarsest->count * (size_t)coarsest->count * sizeof *coarsest->inverse;
}

// copies the cells of all rows to an array, in the order of the unknowns
static void gather_cells(float *cells, const BrumeField *field)
{
    const BrumeGrid grid = field->grid;
    const BrumeParitySpan spans[] = {brume_parity_span(grid.nx, 0), brume_parity_span(grid.nx, 1)};
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int parity = 0; parity < 2; parity++) {
                const float *row = field->data + brume_field_index(field, 0, j, k) + spans[parity].cells;
                for (int n = 0; n < spans[parity].count; n++) {
                    *cells++ = row[n];
                }
            }
        }
    }
}

// copies an array in the order of the unknowns to the cells of all rows
static void scatter_cells(BrumeField *field, const float *cells)
{
    const BrumeGrid grid = field->grid;
    const BrumeParitySpan spans[] = {brume_parity_span(grid.nx, 0), brume_parity_span(grid.nx, 1)};
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int parity = 0; parity < 2; parity++) {
                float *row = field->data + brume_field_index(field, 0, j, k) + spans[parity].cells;
                for (int n = 0; n < spans[parity].count; n++) {
                    row[n] = *cells++;
                }
            }
        }
    }
}

// x += matrix b
BRUME_KERNEL static void coarsest_multiply(float *restrict x, const float *matrix, const float *b, int count)
{
    for (int row = 0; row < count; row++) {
        const float *entries = matrix + (ptrdiff_t)row * count;
        for (int n = 0; n < count; n++) {
            x[n] += entries[n] * b[row];
        }
    }
}

void brume_coarsest_solve(const BrumeCoarsest *coarsest, BrumeField *x, const BrumeField *b)
{
    float right[BRUME_COARSEST_CELLS] = {0.0f};
    float solution[BRUME_COARSEST_CELLS] = {0.0f};
    gather_cells(right, b);
    coarsest_multiply(solution, coarsest->inverse, right, coarsest->count);
    scatter_cells(x, solution);
}

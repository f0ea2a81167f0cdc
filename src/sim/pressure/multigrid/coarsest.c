// Gauss-Jordan elimination in double precision, in place; the matrix is made positive definite first, so that it needs
// no pivots. A singular component of n cells has the constants as null space: 1 / n is added to the coupling of any
// two of its cells, which makes the constants an eigenvector of eigenvalue 1, and taken away again from the inverse.
// What remains is the pseudo-inverse, which takes the mean of b and gives x the mean 0. A dead cell's row is the unit
// matrix's until the inverse is there, then 0.
#include "sim/pressure/multigrid/coarsest.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "sim/pressure/multigrid/split.h"

enum { AXES = 3 };

// where cell (i, j, k) lies among the unknowns
static int unknown_of(BrumeGrid grid, int i, int j, int k)
{
    const BrumeHalf half = brume_split_half(grid.nx, i % 2);
    const int before = i % 2 ? grid.nx / 2 : 0; // cells of even i come first
    return ((k - 1) * grid.ny + (j - 1)) * grid.nx + before + (int)(brume_split_at(grid.nx, i) - half.own);
}

// adds the coefficient between an unknown and the one behind it; -1 is a ghost of value 0
static void couple(double *matrix, int count, int cell, int neighbor, double coefficient)
{
    matrix[cell * count + cell] += coefficient;
    if (neighbor >= 0) {
        matrix[cell * count + neighbor] -= coefficient;
    }
}

static int neighbor_of(const BrumeLevel *level, const int at[AXES], int axis, int step)
{
    const int size = brume_cells_along(level->grid, axis);
    int beside[AXES] = {at[0], at[1], at[2]};
    beside[axis] += step;
    if (beside[axis] < 1 || beside[axis] > size) {
        if (!level->periodic[axis]) {
            return -1;
        }
        beside[axis] = step > 0 ? 1 : size;
    }
    return unknown_of(level->grid, beside[0], beside[1], beside[2]);
}

static void fill_row(double *matrix, int count, const BrumeLevel *level, const int at[AXES])
{
    const int cell = unknown_of(level->grid, at[0], at[1], at[2]);
    if (brume_field_at(&level->live, at[0], at[1], at[2]) == 0.0f) {
        matrix[cell * count + cell] = 1.0;
        return;
    }
    for (int axis = 0; axis < AXES; axis++) {
        const BrumeField *face = &level->face[axis];
        const float lower = brume_field_at(face, at[0], at[1], at[2]);
        const float upper = brume_field_at(face, at[0] + (axis == 0), at[1] + (axis == 1), at[2] + (axis == 2));
        couple(matrix, count, cell, neighbor_of(level, at, axis, -1), (double)lower);
        couple(matrix, count, cell, neighbor_of(level, at, axis, 1), (double)upper);
    }
}

static void fill_matrix(double *matrix, int count, const BrumeLevel *level)
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

// the singular component that each unknown is part of, -1 for none
static void find_components(int *component, int count, const BrumeLevel *level)
{
    for (int n = 0; n < count; n++) {
        component[n] = -1;
    }
    for (int n = 0; n < level->components.run_count; n++) {
        const BrumeRun *run = &level->components.runs[n];
        for (int i = run->first; i <= run->last; i++) {
            component[unknown_of(level->grid, i, run->j, run->k)] = run->component;
        }
    }
}

// adds sign / n between any two cells of each component of n
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

static void invert(double *matrix, int count)
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

static bool is_dead(const BrumeLevel *level, int i, int j, int k)
{
    return brume_field_at(&level->live, i, j, k) == 0.0f;
}

// rounds the inverse, made symmetric, to what is kept
static void keep(BrumeCoarsest *coarsest, const double *matrix, const BrumeLevel *level)
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
                if (is_dead(level, i, j, k)) {
                    const int cell = unknown_of(grid, i, j, k);
                    coarsest->inverse[cell * count + cell] = 0.0f; // all that is in its row
                }
            }
        }
    }
}

BrumeStatus brume_coarsest_create(BrumeCoarsest *coarsest, const BrumeLevel *level, BrumeError *error)
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
        invert(matrix, count);
        add_constants(matrix, count, component, level->components.cells, -1.0);
        keep(coarsest, matrix, level);
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

// the cells of all split rows one after another
static void gather_cells(float *cells, const BrumeField *field)
{
    const BrumeGrid grid = field->grid;
    const BrumeHalf halves[] = {brume_split_half(grid.nx, 0), brume_split_half(grid.nx, 1)};
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int parity = 0; parity < 2; parity++) {
                const float *row = field->data + brume_field_index(field, 0, j, k) + halves[parity].own;
                for (int n = 0; n < halves[parity].count; n++) {
                    *cells++ = row[n];
                }
            }
        }
    }
}

// and back
static void scatter_cells(BrumeField *field, const float *cells)
{
    const BrumeGrid grid = field->grid;
    const BrumeHalf halves[] = {brume_split_half(grid.nx, 0), brume_split_half(grid.nx, 1)};
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int parity = 0; parity < 2; parity++) {
                float *row = field->data + brume_field_index(field, 0, j, k) + halves[parity].own;
                for (int n = 0; n < halves[parity].count; n++) {
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

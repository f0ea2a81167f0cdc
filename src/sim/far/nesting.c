#include "sim/far/nesting.h"

#include "core/domain.h"
#include "core/minmax.h"

#include <math.h>

// the coarse cell that contains fine cell n of an axis, counted from 1
static int coarse_cell(const BrumeNesting *nesting, int axis, int n)
{
    return nesting->from[axis] + (n - 1) / nesting->factor + 1;
}

// the mean of a block of fine entries from (i, j, k) on
static float block_mean(const BrumeField *fine, int i, int j, int k, const int size[3])
{
    float sum = 0.0f;
    for (int c = 0; c < size[2]; c++) {
        for (int b = 0; b < size[1]; b++) {
            const float *row = fine->data + brume_field_index(fine, i, j + b, k + c);
            for (int a = 0; a < size[0]; a++) {
                sum += row[a];
            }
        }
    }
    return sum / (float)(size[0] * size[1] * size[2]);
}

// sets coarse entries to means of blocks of fine ones, which are one entry thick along `normal` (3: along none)
static void restrict_blocks(const BrumeNesting *nesting, int normal, const BrumeField *fine, BrumeField *coarse)
{
    const int factor = nesting->factor;
    const int size[3] = {normal == 0 ? 1 : factor, normal == 1 ? 1 : factor, normal == 2 ? 1 : factor};
    const BrumeGrid grid = fine->grid;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= (normal == 2 ? brume_highest_plane(grid) : brume_last_plane(grid));
         k += factor) {
        for (int j = 1; j <= grid.ny + (normal == 1); j += factor) {
            for (int i = 1; i <= grid.nx + (normal == 0); i += factor) {
                const ptrdiff_t c = brume_field_index(coarse, coarse_cell(nesting, 0, i), coarse_cell(nesting, 1, j),
                                                      coarse_cell(nesting, 2, k));
                coarse->data[c] = block_mean(fine, i, j, k, size);
            }
        }
    }
    float *first = coarse->data + coarse->sz * coarse_cell(nesting, 2, 1);
    brume_gather_layers(grid, factor, normal == 2, first, (size_t)coarse->sz * sizeof *first);
}

void brume_restrict_faces(const BrumeNesting *nesting, int axis, const BrumeField *fine, BrumeField *coarse)
{
    restrict_blocks(nesting, axis, fine, coarse);
}

void brume_restrict_cells(const BrumeNesting *nesting, const BrumeField *fine, BrumeField *coarse)
{
    restrict_blocks(nesting, 3, fine, coarse);
}

float brume_prolonged(const BrumeNesting *nesting, const BrumeField *coarse, int location, int i, int j, int k)
{
    const int index[3] = {i, j, k};
    ptrdiff_t first = 0;
    float weight[3];
    for (int axis = 0; axis < 3; axis++) {
        // entry n of a grid is n - offset of its cells from the lower side
        const float offset = location == axis ? 1.0f : 0.5f;
        const float at = ((float)index[axis] - offset) / (float)nesting->factor + (float)nesting->from[axis] + offset;
        const int last = brume_cells_along(coarse->grid, axis); // and last + 1, the ghost or the upper side
        const int below = brume_max_int(0, brume_min_int((int)floorf(at), last));
        weight[axis] = at - (float)below;
        first += brume_stride(coarse, axis) * below;
    }
    const float *data = coarse->data + first;
    float planes[2];
    for (int c = 0; c < 2; c++) {
        float rows[2];
        for (int b = 0; b < 2; b++) {
            const float *row = data + coarse->sy * b + coarse->sz * c;
            rows[b] = row[0] + weight[0] * (row[1] - row[0]);
        }
        planes[c] = rows[0] + weight[1] * (rows[1] - rows[0]);
    }
    return planes[0] + weight[2] * (planes[1] - planes[0]);
}

float brume_prolonged_flux(const BrumeNesting *nesting, const BrumeField *coarse, int axis, int i, int j, int k)
{
    const int index[3] = {i, j, k};
    const int at[3] = {coarse_cell(nesting, 0, i), coarse_cell(nesting, 1, j), coarse_cell(nesting, 2, k)};
    const float *face = coarse->data + brume_field_index(coarse, at[0], at[1], at[2]);
    float value = face[0];
    for (int across = 0; across < 3; across++) {
        const ptrdiff_t stride = brume_stride(coarse, across);
        const int within = (index[across] - 1) % nesting->factor;
        const float from_center = ((float)within + 0.5f) / (float)nesting->factor - 0.5f; // [coarse cells]
        if (across != axis && brume_cells_along(coarse->grid, across) > 1) {
            value += 0.5f * from_center * (face[stride] - face[-stride]);
        }
    }
    return value;
}

static bool is_within(const BrumeIndexBox *box, const int index[3])
{
    bool within = true;
    for (int axis = 0; axis < 3; axis++) {
        within = within && index[axis] >= box->from[axis] && index[axis] <= box->to[axis];
    }
    return within;
}

// whether lower face (i, j, k) along an axis belongs to a cell of `known`
static bool is_known_face(const BrumeIndexBox *known, int axis, int i, int j, int k)
{
    const int above[3] = {i, j, k};
    const int below[3] = {i - (axis == 0), j - (axis == 1), k - (axis == 2)};
    return is_within(known, above) || is_within(known, below);
}

// the fine faces along an axis that lie on coarse ones
static void prolong_coarse_faces(const BrumeNesting *nesting, const BrumeField *coarse, int axis,
                                 const BrumeIndexBox *known, BrumeField *fine)
{
    const BrumeGrid grid = fine->grid;
    const int step[3] = {axis == 0 ? nesting->factor : 1, axis == 1 ? nesting->factor : 1,
                         axis == 2 ? nesting->factor : 1};
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz + (axis == 2); k += step[2]) {
        for (int j = 1; j <= grid.ny + (axis == 1); j += step[1]) {
            for (int i = 1; i <= grid.nx + (axis == 0); i += step[0]) {
                if (!is_known_face(known, axis, i, j, k)) {
                    fine->data[brume_field_index(fine, i, j, k)] = brume_prolonged_flux(nesting, coarse, axis, i, j, k);
                }
            }
        }
    }
}

/** The cosine transform along a side of a coarse cell: the eigenvectors of a Laplacian without flux at both ends. */
typedef struct CosineBasis {
    int size;
    float mode[BRUME_MOST_FACTOR][BRUME_MOST_FACTOR]; ///< of unit length, by wave number and cell
    float eigenvalue[BRUME_MOST_FACTOR];              ///< of minus the second difference
} CosineBasis;

static CosineBasis cosine_basis(int size)
{
    // cos(n pi / 8)
    const double eighths[9] = {1.0, sqrt(2.0 + sqrt(2.0)) / 2.0,  sqrt(0.5),  sqrt(2.0 - sqrt(2.0)) / 2.0,
                               0.0, -sqrt(2.0 - sqrt(2.0)) / 2.0, -sqrt(0.5), -sqrt(2.0 + sqrt(2.0)) / 2.0,
                               -1.0};
    CosineBasis basis = {.size = size};
    for (int wave = 0; wave < size; wave++) {
        const double length = sqrt((wave == 0 ? 1.0 : 2.0) / size);
        for (int n = 0; n < size; n++) {
            const int angle = wave * (2 * n + 1) * (4 / size) % 16; // [pi / 8]
            basis.mode[wave][n] = (float)(length * eighths[angle > 8 ? 16 - angle : angle]);
        }
        basis.eigenvalue[wave] = (float)(2.0 - 2.0 * eighths[wave * 8 / size]);
    }
    return basis;
}

enum { MOST_CELLS = BRUME_MOST_FACTOR * BRUME_MOST_FACTOR * BRUME_MOST_FACTOR };

// transforms the values of a cell along one axis, `stride` apart, or back
static void transform(const CosineBasis *basis, float values[MOST_CELLS], int stride, bool back)
{
    const int size = basis->size;
    for (int n = 0; n < size * size; n++) {
        // the n-th line along this axis
        float *line = values + (n / stride) * stride * size + n % stride;
        float before[BRUME_MOST_FACTOR];
        for (int a = 0; a < size; a++) {
            before[a] = line[a * stride];
        }
        for (int a = 0; a < size; a++) {
            float sum = 0.0f;
            for (int b = 0; b < size; b++) {
                sum += (back ? basis->mode[b][a] : basis->mode[a][b]) * before[b];
            }
            line[a * stride] = sum;
        }
    }
}

// solves lap phi = values - their mean in a cell of size^3 cells without flux through its sides, in units of a fine
// cell
static void solve_in_cell(const CosineBasis *basis, float values[MOST_CELLS])
{
    const int size = basis->size;
    const int strides[3] = {1, size, size * size};
    for (int axis = 0; axis < 3; axis++) {
        transform(basis, values, strides[axis], false);
    }
    for (int n = 0; n < size * size * size; n++) {
        const float eigenvalue =
            basis->eigenvalue[n % size] + basis->eigenvalue[n / size % size] + basis->eigenvalue[n / strides[2]];
        values[n] = n == 0 ? 0.0f : -values[n] / eigenvalue;
    }
    for (int axis = 0; axis < 3; axis++) {
        transform(basis, values, strides[axis], true);
    }
}

// the faces inside the coarse cell whose first fine cell is (i, j, k)
static void fill_cell(const CosineBasis *basis, BrumeField fine[3], int i, int j, int k)
{
    const int size = basis->size;
    const ptrdiff_t first = brume_field_index(&fine[0], i, j, k);
    float phi[MOST_CELLS];
    for (int n = 0; n < size * size * size; n++) {
        const int within[3] = {n % size, n / size % size, n / (size * size)};
        const ptrdiff_t c = first + within[0] + fine[0].sy * within[1] + fine[0].sz * within[2];
        for (int axis = 0; axis < 3; axis++) {
            const ptrdiff_t stride = brume_stride(&fine[axis], axis);
            const float *lower = fine[axis].data + c - stride * within[axis];
            const float share = (float)within[axis] / (float)size;
            if (within[axis] > 0) {
                fine[axis].data[c] = lower[0] + share * (lower[stride * size] - lower[0]);
            }
        }
    }
    for (int n = 0; n < size * size * size; n++) {
        const ptrdiff_t c = first + n % size + fine[0].sy * (n / size % size) + fine[0].sz * (n / (size * size));
        phi[n] = 0.0f;
        for (int axis = 0; axis < 3; axis++) {
            phi[n] += fine[axis].data[c + brume_stride(&fine[axis], axis)] - fine[axis].data[c];
        }
    }
    solve_in_cell(basis, phi);
    const int strides[3] = {1, size, size * size};
    for (int n = 0; n < size * size * size; n++) {
        const int within[3] = {n % size, n / size % size, n / (size * size)};
        const ptrdiff_t c = first + within[0] + fine[0].sy * within[1] + fine[0].sz * within[2];
        for (int axis = 0; axis < 3; axis++) {
            if (within[axis] > 0) {
                fine[axis].data[c] -= phi[n] - phi[n - strides[axis]];
            }
        }
    }
}

void brume_prolong_velocity(const BrumeNesting *nesting, const BrumeField coarse[3], const BrumeIndexBox *known,
                            BrumeField fine[3])
{
    for (int axis = 0; axis < 3; axis++) {
        prolong_coarse_faces(nesting, &coarse[axis], axis, known, &fine[axis]);
    }
    const CosineBasis basis = cosine_basis(nesting->factor);
    const BrumeGrid grid = fine[0].grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k += nesting->factor) {
        for (int j = 1; j <= grid.ny; j += nesting->factor) {
            for (int i = 1; i <= grid.nx; i += nesting->factor) {
                const int index[3] = {i, j, k};
                if (!is_within(known, index)) {
                    fill_cell(&basis, fine, i, j, k);
                }
            }
        }
    }
}

// Coarsening: computes a level's coefficients from the next finer level's. A coarse cell is a block of 2 x 2 x 2 finer
// cells (fewer at the end of an odd side), a coarse face the finer faces between two blocks. Its coefficient is area
// over distance: the sum of the finer coefficients times the ratio of the finer to the coarse distance of cell centers.
// For blocks of equal size that is half the Galerkin product of piecewise-constant transfer, whose corrections would be
// too small by a factor of 2 (Braess 1995, "Towards algebraic multigrid for elliptic problems of second order"). On all
// levels the ghost centers beyond an open side, where the pressure is 0, lie half a cell of the finest level outside.
//
// From the second coarse level on, cells next to a thin plate may belong to the coarse cell of another block
// (aggregation.h).
#include "sim/pressure/multigrid/level.h"

#include "core/domain.h"
#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/parallel/simd.h"
#include "sim/grid/parity_rows.h"
#include "sim/grid/wavefront.h"
#include "sim/pressure/multigrid/coarsest.h"

enum { AXES = 3 };

// The finer level that is coarsened.
typedef struct FineLevel {
    const BrumePoisson *finest;       ///< the cells of the box, or NULL
    const BrumeMultigridLevel *level; ///< a coarse level, or NULL
    BrumeGrid grid;
    const bool *periodic;
} FineLevel;

// coefficient of the lower face of entry (i, j, k) of the finer level along an axis
static float face_of(const FineLevel *fine, int axis, int i, int j, int k)
{
    if (fine->level) {
        return brume_field_at(&fine->level->face[axis], i, j, k);
    }
    const float lower = brume_poisson_coefficient(fine->finest, 2 * axis, i, j, k);
    return lower > 0.0f ? lower
                        : brume_poisson_coefficient(fine->finest, 2 * axis + 1, i - (axis == 0), j - (axis == 1),
                                                    k - (axis == 2));
}

static float cell_width(const FineLevel *fine, int axis, int n)
{
    return fine->level ? fine->level->width[axis][n] : 1.0f;
}

// Distance from the center of cell n - 1 to the center of cell n. The center of a ghost beyond an open side lies half a
// cell of the finest level outside.
static float distance(const float *width, int count, bool periodic, int n)
{
    const float width_before = n > 1 ? width[n - 1] : periodic ? width[count] : 1.0f;
    const float width_after = n <= count ? width[n] : periodic ? width[1] : 1.0f;
    return 0.5f * (width_before + width_after);
}

static float fine_distance(const FineLevel *fine, int axis, int n)
{
    if (!fine->level) {
        return 1.0f;
    }
    return distance(fine->level->width[axis], brume_cells_along(fine->grid, axis), fine->periodic[axis], n);
}

// the finer cells first..last of block n along an axis
static void block_cells(int fine_size, int n, int *first, int *last)
{
    *first = 2 * n - 1;
    *last = 2 * n < fine_size ? 2 * n : fine_size;
}

// sum of the finer coefficients on the lower face of coarse entry (i, j, k)
static float sum_finer_faces(const FineLevel *fine, int axis, int i, int j, int k)
{
    const int at[AXES] = {i, j, k};
    int first[AXES];
    int last[AXES];
    for (int a = 0; a < AXES; a++) {
        const int size = brume_cells_along(fine->grid, a);
        block_cells(size, at[a], &first[a], &last[a]);
        if (a == axis) {
            first[a] = first[a] <= size ? first[a] : size + 1;
            last[a] = first[a];
        }
    }
    float sum = 0.0f;
    for (int fk = first[2]; fk <= last[2]; fk++) {
        for (int fj = first[1]; fj <= last[1]; fj++) {
            for (int fi = first[0]; fi <= last[0]; fi++) {
                sum += face_of(fine, axis, fi, fj, fk);
            }
        }
    }
    return sum;
}

// The same for the finest level and a face whose four finer faces are all inside: the number of open ones, or the sum
// of their open fractions.
BRUME_INLINE float count_open_faces(const BrumeCells *cells, int axis, ptrdiff_t entry)
{
    const ptrdiff_t strides[AXES] = {1, cells->sy, cells->sz};
    const uint8_t *flags = cells->flags + entry;
    const int lower = 2 * axis;
    const ptrdiff_t a = strides[axis == 0 ? 1 : 0];
    const ptrdiff_t b = strides[axis == 2 ? 1 : 2];
    const ptrdiff_t below = strides[axis];
    const int both = (flags[0] >> lower | flags[-below] >> (lower + 1)) & 1;
    const int next_a = (flags[a] >> lower | flags[a - below] >> (lower + 1)) & 1;
    const int next_b = (flags[b] >> lower | flags[b - below] >> (lower + 1)) & 1;
    const int diagonal = (flags[a + b] >> lower | flags[a + b - below] >> (lower + 1)) & 1;
    if (cells->fractions) {
        const float *face = cells->fractions->face[axis].data + entry;
        return (float)both * face[0] + (float)next_a * face[a] + (float)next_b * face[b] +
               (float)diagonal * face[a + b];
    }
    return (float)(both + next_a + next_b + diagonal);
}

// whether the finer cells of block n lie within a finer axis of `size` cells; along the axis of a face, its first cell
static bool is_whole(int size, int n, bool along) { return along ? 2 * n - 1 <= size : 2 * n <= size; }

// whether the finer rows of row (j, k) are in the box, and all of them uniform
static bool has_uniform_rows(const FineLevel *fine, int j, int k)
{
    bool uniform = !fine->level && 2 * j <= fine->grid.ny && 2 * k <= fine->grid.nz;
    for (int n = 0; n < 4; n++) {
        uniform = uniform && brume_poisson_uniform(fine->finest, 2 * j - (n & 1), 2 * k - (n >> 1));
    }
    return uniform;
}

// row (j, k) of the sums of the finer coefficients
static void sum_row(float *sums, const FineLevel *fine, int axis, int j, int k, int end)
{
    const bool whole_row =
        !fine->level && is_whole(fine->grid.ny, j, axis == 1) && is_whole(fine->grid.nz, k, axis == 2);
    const int last_equal = has_uniform_rows(fine, j, k) ? (fine->grid.nx - 1) / 2 : 0; // from the second on
    for (int i = 1; i <= end; i++) {
        if (i > 2 && i <= last_equal) {
            sums[i] = sums[2];
        } else if (whole_row && is_whole(fine->grid.nx, i, axis == 0)) {
            const BrumeCells *cells = fine->finest->cells;
            const ptrdiff_t entry = (2 * i - 1) + cells->sy * (2 * j - 1) + cells->sz * (2 * k - 1);
            sums[i] = axis == 0   ? count_open_faces(cells, 0, entry)
                      : axis == 1 ? count_open_faces(cells, 1, entry)
                                  : count_open_faces(cells, 2, entry);
        } else {
            sums[i] = sum_finer_faces(fine, axis, i, j, k);
        }
    }
}

// finer over coarse distance of the cell centers at face n
static float distance_ratio(const BrumeMultigridLevel *coarse, const FineLevel *fine, int axis, int n)
{
    const int fine_size = brume_cells_along(fine->grid, axis);
    const int count = brume_cells_along(coarse->grid, axis);
    const int fine_n = 2 * n - 1 <= fine_size ? 2 * n - 1 : fine_size + 1;
    return fine_distance(fine, axis, fine_n) / distance(coarse->width[axis], count, coarse->periodic[axis], n);
}

// With an aggregate map, the coarse faces hold the sums of the finer coefficients already.
static void fill_faces(BrumeMultigridLevel *coarse, const FineLevel *fine, const uint8_t *map, int axis)
{
    const BrumeGrid grid = coarse->grid;
    const int count = brume_cells_along(grid, axis);
    if (coarse->periodic[axis] && count == 1) {
        return; // the cell is its own neighbor
    }
    const int end[AXES] = {grid.nx + (axis == 0), grid.ny + (axis == 1), grid.nz + (axis == 2)};
    BrumeField *face = &coarse->face[axis];
    float along_x[BRUME_PRESSURE_MAX_ROW + 2] = {0.0f};
    for (int i = 1; axis == 0 && i <= end[0]; i++) {
        along_x[i] = distance_ratio(coarse, fine, axis, i);
    }
#pragma omp parallel for schedule(static) if (coarse->parallel)
    for (int k = 1; k <= end[2]; k++) {
        for (int j = 1; j <= end[1]; j++) {
            float *row = face->data + brume_field_index(face, 0, j, k);
            if (!map) {
                sum_row(row, fine, axis, j, k, end[0]);
            }
            const float of_row = axis == 0 ? 1.0f : distance_ratio(coarse, fine, axis, axis == 1 ? j : k);
            for (int i = 1; i <= end[0]; i++) {
                row[i] *= axis == 0 ? along_x[i] : of_row;
            }
        }
    }
}

static void fill_active(BrumeMultigridLevel *level)
{
    const BrumeGrid grid = level->grid;
    const BrumeField *face = level->face;
#pragma omp parallel for schedule(static) if (level->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const float along_x = brume_field_at(&face[0], i, j, k) + brume_field_at(&face[0], i + 1, j, k);
                const float along_y = brume_field_at(&face[1], i, j, k) + brume_field_at(&face[1], i, j + 1, k);
                const float along_z = brume_field_at(&face[2], i, j, k) + brume_field_at(&face[2], i, j, k + 1);
                level->active.data[brume_field_index(&level->active, i, j, k)] =
                    along_x + along_y + along_z > 0.0f ? 1.0f : 0.0f;
            }
        }
    }
}

// Whether x is 0 in the cell behind a face, a ghost or an inactive cell: any coefficient then gives the same product.
static bool always_zero(const BrumeMultigridLevel *level, int axis, int i, int j, int k)
{
    const int n = axis == 0 ? i : axis == 1 ? j : k;
    if (!level->periodic[axis] && (n == 0 || n == brume_cells_along(level->grid, axis) + 1)) {
        return true;
    }
    // a periodic ghost counts as active, which only makes a few rows use face fields that would not have to
    return n >= 1 && n <= brume_cells_along(level->grid, axis) && brume_field_at(&level->active, i, j, k) == 0.0f;
}

// the coefficient that all faces of a row have, except faces before x = 0; 0 if they differ
static float common_coefficient(const BrumeMultigridLevel *level, int j, int k)
{
    float common = 0.0f;
    for (int i = 1; i <= level->grid.nx; i++) {
        if (brume_field_at(&level->active, i, j, k) == 0.0f) {
            continue;
        }
        for (int axis = 0; axis < AXES; axis++) {
            const int x = axis == 0;
            const int y = axis == 1;
            const int z = axis == 2;
            const float lower = brume_field_at(&level->face[axis], i, j, k);
            const float upper = brume_field_at(&level->face[axis], i + x, j + y, k + z);
            const bool lower_counts = !always_zero(level, axis, i - x, j - y, k - z);
            const bool upper_counts = !always_zero(level, axis, i + x, j + y, k + z);
            if (common == 0.0f) {
                common = lower_counts ? lower : upper_counts ? upper : 0.0f;
            }
            const bool differs = (lower_counts && lower != common) || (upper_counts && upper != common);
            const bool closed = (lower_counts && lower == 0.0f) || (upper_counts && upper == 0.0f);
            if (differs || closed) {
                return 0.0f;
            }
        }
    }
    return common;
}

// whether all entries first..last of a row are equal to `value`
BRUME_KERNEL static bool all_equal(const float *row, int first, int last, float value)
{
    int different = 0;
    for (int i = first; i <= last; i++) {
        different |= row[i] != value;
    }
    return different == 0;
}

// The common coefficient of a row inside the box whose cells are all active, all faces of which have the same one
// above 0; 0 for any other row. With such faces, the neighbors are active too.
static float uniform_coefficient(const BrumeMultigridLevel *level, int j, int k)
{
    const BrumeGrid grid = level->grid;
    if (j == 1 || j == grid.ny || k == 1 || k == grid.nz || grid.nx < 2) {
        return 0.0f;
    }
    const ptrdiff_t row = brume_field_index(&level->x, 0, j, k);
    const float *along_y = level->face[1].data + row;
    const float *along_z = level->face[2].data + row;
    const float common = along_y[1];
    const int side = level->periodic[0] ? 0 : 1; // the faces on sides with ghosts of 0 do not count
    const bool uniform = common > 0.0f && all_equal(level->active.data + row, 1, grid.nx, 1.0f) &&
                         all_equal(level->face[0].data + row, 1 + side, grid.nx + 1 - side, common) &&
                         all_equal(along_y, 1, grid.nx, common) &&
                         all_equal(along_y + level->x.sy, 1, grid.nx, common) &&
                         all_equal(along_z, 1, grid.nx, common) && all_equal(along_z + level->x.sz, 1, grid.nx, common);
    return uniform ? common : 0.0f;
}

static void fill_row_coefficients(BrumeMultigridLevel *level)
{
    const BrumeGrid grid = level->grid;
#pragma omp parallel for schedule(static) if (level->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const float uniform = uniform_coefficient(level, j, k);
            level->row_coefficient[(ptrdiff_t)(k - 1) * grid.ny + (j - 1)] =
                uniform > 0.0f ? uniform : common_coefficient(level, j, k);
        }
    }
}

static void fill_widths(BrumeMultigridLevel *coarse, const FineLevel *fine)
{
    for (int axis = 0; axis < AXES; axis++) {
        for (int n = 1; n <= brume_cells_along(coarse->grid, axis); n++) {
            int first;
            int last;
            block_cells(brume_cells_along(fine->grid, axis), n, &first, &last);
            coarse->width[axis][n] = 0.0f;
            for (int cell = first; cell <= last; cell++) {
                coarse->width[axis][n] += cell_width(fine, axis, cell);
            }
        }
    }
}

// finds the singular components of a level, with its open faces as the flags that the search expects
static BrumeStatus find_components(BrumeMultigridLevel *level, BrumeError *error)
{
    const BrumeGrid grid = level->grid;
    BrumeCells cells = {
        .grid = grid,
        .sy = level->x.sy,
        .sz = level->x.sz,
        .flags = brume_alloc(brume_grid_entries(grid), 1),
        .coupled = {level->periodic[0], level->periodic[1], level->periodic[2]},
    };
    if (!cells.flags) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t at = i + cells.sy * j + cells.sz * k;
                if (level->active.data[at] == 0.0f) {
                    continue;
                }
                int flags = BRUME_CELL_FLUID;
                for (int axis = 0; axis < AXES; axis++) {
                    const ptrdiff_t stride = brume_stride(&level->x, axis);
                    flags |= level->face[axis].data[at] > 0.0f ? brume_cell_lower(axis) : 0;
                    flags |= level->face[axis].data[at + stride] > 0.0f ? brume_cell_lower(axis) << 1 : 0;
                }
                cells.flags[at] = (uint8_t)flags;
            }
        }
    }
    const BrumeStatus status = brume_components_create(&level->components, &cells, error);
    brume_free(cells.flags);
    return status;
}

static BrumeStatus allocate_level(BrumeMultigridLevel *level, BrumeError *error)
{
    BrumeField *fields[] = {&level->x, &level->b, &level->face[0], &level->face[1], &level->face[2], &level->active};
    const BrumeGrid whole = brume_grid(level->grid.nx, level->grid.ny, level->grid.nz);
    for (size_t n = 0; n < sizeof fields / sizeof fields[0]; n++) {
        const BrumeStatus status = brume_field_create(fields[n], whole, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    level->row_coefficient =
        brume_alloc((size_t)level->grid.ny * (size_t)level->grid.nz, sizeof *level->row_coefficient);
    bool complete = level->row_coefficient != NULL;
    for (int axis = 0; axis < AXES; axis++) {
        level->width[axis] = brume_alloc((size_t)brume_cells_along(level->grid, axis) + 2, sizeof *level->width[axis]);
        complete = complete && level->width[axis];
    }
    return complete ? BRUME_OK : brume_out_of_grid_memory(error, "the pressure solver");
}

// Finds and lists the reassigned cells of the finer level. `*map` is the aggregate map, which the caller frees; it
// stays NULL if no cell is reassigned.
static BrumeStatus find_aggregation(BrumeMultigridLevel *coarse, const BrumeMultigridLevel *fine, uint8_t **map,
                                    BrumeError *error)
{
    uint8_t *found = brume_alloc(brume_grid_entries(fine->grid), sizeof *found);
    if (!found) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    if (brume_aggregation_find(found, fine) == 0) {
        brume_free(found);
        return BRUME_OK;
    }
    *map = found;
    // with an odd periodic axis, the residuals of both colors are restricted
    const bool red_only = !brume_has_odd_periodic_axis(fine->grid, fine->periodic);
    return brume_aggregation_create(&coarse->aggregation, found, fine, &coarse->x, red_only, error);
}

// Whether ranks can compute their planes of a level: all have enough for a pass, or none; each slab starts with the
// first plane of a pair, which becomes one plane of the next coarser level.
static bool can_be_divided(BrumeGrid grid)
{
    bool paired = true;
    for (int r = 0; r < grid.domain->team->ranks; r++) {
        const int start = grid.domain->starts[r];
        paired = paired && (start % 2 != 0 || start > grid.nz);
    }
    return paired && brume_wavefront_fits(grid, BRUME_WAVEFRONT_STAGES) &&
           brume_grid_cells(grid) > BRUME_COARSEST_CELLS;
}

// divides a level among the ranks that share the finer one; all fields are created
static void divide_level(BrumeMultigridLevel *level, const BrumeDomain *domain)
{
    level->b.grid.domain = domain;
    if (can_be_divided(level->b.grid)) {
        level->grid.domain = domain;
        level->x.grid.domain = domain;
    }
}

static BrumeStatus coarsen_level(BrumeMultigridLevel *coarse, const FineLevel *fine, bool singular, BrumeError *error)
{
    *coarse = (BrumeMultigridLevel){
        .grid = {brume_level_coarse_size(fine->grid.nx), brume_level_coarse_size(fine->grid.ny),
                 brume_level_coarse_size(fine->grid.nz), NULL},
        .periodic = {fine->periodic[0], fine->periodic[1], fine->periodic[2]},
    };
    coarse->parallel = brume_needs_team(coarse->grid);
    uint8_t *map = NULL;
    const BrumeDomain *domain = fine->grid.domain ? brume_coarse_domain(fine->grid.domain, coarse->grid.nz) : NULL;
    if (fine->grid.domain && !domain) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    BrumeStatus status = allocate_level(coarse, error);
    if (status == BRUME_OK && domain) {
        divide_level(coarse, domain);
    }
    if (status == BRUME_OK && fine->level) {
        status = find_aggregation(coarse, fine->level, &map, error);
    }
    if (status == BRUME_OK) {
        fill_widths(coarse, fine);
        if (map) {
            brume_aggregation_sum_couplings(coarse->face, map, fine->level);
        }
        for (int axis = 0; axis < AXES; axis++) {
            fill_faces(coarse, fine, map, axis);
        }
        fill_active(coarse);
        fill_row_coefficients(coarse);
        status = singular ? find_components(coarse, error) : BRUME_OK;
    }
    brume_free(map);
    if (status != BRUME_OK) {
        brume_level_destroy(coarse);
    }
    return status;
}

BrumeStatus brume_level_coarsen_finest(BrumeMultigridLevel *coarse, const BrumePoisson *poisson, bool singular,
                                       BrumeError *error)
{
    const BrumeCells *cells = poisson->cells;
    const FineLevel finer = {.finest = poisson, .grid = cells->grid, .periodic = cells->coupled};
    return coarsen_level(coarse, &finer, singular, error);
}

BrumeStatus brume_level_coarsen(BrumeMultigridLevel *coarse, const BrumeMultigridLevel *fine, bool singular,
                                BrumeError *error)
{
    const FineLevel finer = {.level = fine, .grid = fine->grid, .periodic = fine->periodic};
    return coarsen_level(coarse, &finer, singular, error);
}

static void destroy_coarsening_data(BrumeMultigridLevel *level)
{
    for (int axis = 0; axis < AXES; axis++) {
        brume_field_destroy(&level->face[axis]);
        brume_free(level->width[axis]);
        level->width[axis] = NULL;
    }
    brume_field_destroy(&level->active);
    brume_free(level->row_coefficient);
    level->row_coefficient = NULL;
}

BrumeStatus brume_level_finalize(BrumeMultigridLevel *level, BrumeError *error)
{
    const BrumeStatus status = brume_operator_create(&level->op, level->grid, level->periodic, level->parallel,
                                                     level->face, &level->row_coefficient, error);
    destroy_coarsening_data(level);
    return status;
}

void brume_level_destroy(BrumeMultigridLevel *level)
{
    destroy_coarsening_data(level);
    brume_operator_destroy(&level->op);
    brume_field_destroy(&level->x);
    brume_field_destroy(&level->b);
    brume_components_destroy(&level->components);
    brume_aggregation_destroy(&level->aggregation);
    *level = (BrumeMultigridLevel){0};
}

size_t brume_level_bytes(const BrumeMultigridLevel *level)
{
    return 2 * brume_grid_entries(level->grid) * sizeof(float) + brume_operator_bytes(&level->op) +
           brume_components_bytes(&level->components) + brume_aggregation_bytes(&level->aggregation);
}

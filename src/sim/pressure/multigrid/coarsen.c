// How a level follows from the one above it. A coarse cell is a block of 2 x 2 x 2 finer ones (fewer at the end of an
// odd side), a coarse face the finer faces between two blocks. Its coefficient is area over distance: the sum of the
// finer coefficients times the ratio of the finer to the coarse distance of centers. For equal blocks that is half
// the Galerkin product of piecewise-constant transfer, whose corrections would be too short by 2 (Braess 1995,
// "Towards algebraic multigrid for elliptic problems of second order"). The plane of pressure 0 behind an open side
// stays where it is on all levels, half a cell of the box beyond the last one.
//
// Below the first level, cells beside a thin plate may be part of another block's coarse cell (strays.h).
#include "sim/pressure/multigrid/level.h"

#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"

enum { AXES = 3 };

// The finer level, one of both.
typedef struct Source {
    const BrumePoisson *box;
    const BrumeLevel *level;
    BrumeGrid grid;
    const bool *periodic;
} Source;

// coefficient of the lower face of entry (i, j, k) along an axis
static float face_of(const Source *source, int axis, int i, int j, int k)
{
    if (source->level) {
        return brume_field_at(&source->level->face[axis], i, j, k);
    }
    const BrumeCells *cells = source->box->cells;
    const ptrdiff_t stride = axis == 0 ? 1 : axis == 1 ? cells->sy : cells->sz;
    const uint8_t *flags = cells->flags + i + cells->sy * j + cells->sz * k;
    const int lower = BRUME_CELL_X_LOWER << (2 * axis);
    const int upper = BRUME_CELL_X_UPPER << (2 * axis);
    return flags[0] & lower || flags[-stride] & upper ? 1.0f : 0.0f;
}

static float width_of(const Source *source, int axis, int n)
{
    return source->level ? source->level->width[axis][n] : 1.0f;
}

// from the center of cell `n - 1` to that of cell n, or to a ghost's beyond an open side: it lies half a cell outside
static float distance(const float *width, int count, bool periodic, int n)
{
    const float before = n > 1 ? width[n - 1] : periodic ? width[count] : 1.0f;
    const float after = n <= count ? width[n] : periodic ? width[1] : 1.0f;
    return 0.5f * (before + after);
}

static float source_distance(const Source *source, int axis, int n)
{
    if (!source->level) {
        return 1.0f;
    }
    return distance(source->level->width[axis], brume_cells_along(source->grid, axis), source->periodic[axis], n);
}

// the finer cells of a block along an axis: first..last
static void block(int fine_size, int n, int *first, int *last)
{
    *first = 2 * n - 1;
    *last = 2 * n < fine_size ? 2 * n : fine_size;
}

// sum of the finer coefficients that make the lower face of coarse entry (i, j, k)
static float gather_face(const Source *source, int axis, int i, int j, int k)
{
    const int at[AXES] = {i, j, k};
    int first[AXES];
    int last[AXES];
    for (int a = 0; a < AXES; a++) {
        const int size = brume_cells_along(source->grid, a);
        block(size, at[a], &first[a], &last[a]);
        if (a == axis) {
            first[a] = first[a] <= size ? first[a] : size + 1;
            last[a] = first[a];
        }
    }
    float sum = 0.0f;
    for (int fk = first[2]; fk <= last[2]; fk++) {
        for (int fj = first[1]; fj <= last[1]; fj++) {
            for (int fi = first[0]; fi <= last[0]; fi++) {
                sum += face_of(source, axis, fi, fj, fk);
            }
        }
    }
    return sum;
}

// with `moves`, cells need not be part of the block that they lie in (strays.h)
static void fill_faces(BrumeLevel *coarse, const Source *source, const uint8_t *moves, int axis)
{
    const BrumeGrid grid = coarse->grid;
    const int count = brume_cells_along(grid, axis);
    if (coarse->periodic[axis] && count == 1) {
        return; // a cell beside itself
    }
    const int end[AXES] = {grid.nx + (axis == 0), grid.ny + (axis == 1), grid.nz + (axis == 2)};
    const int fine_size = brume_cells_along(source->grid, axis);
    BrumeField *face = &coarse->face[axis];
#pragma omp parallel for schedule(static) if (coarse->parallel)
    for (int k = 1; k <= end[2]; k++) {
        for (int j = 1; j <= end[1]; j++) {
            for (int i = 1; i <= end[0]; i++) {
                const int n = axis == 0 ? i : axis == 1 ? j : k;
                const int fine_n = 2 * n - 1 <= fine_size ? 2 * n - 1 : fine_size + 1;
                const float ratio = source_distance(source, axis, fine_n) /
                                    distance(coarse->width[axis], count, coarse->periodic[axis], n);
                float *coefficient = &face->data[brume_field_index(face, i, j, k)];
                *coefficient = ratio * (moves ? *coefficient : gather_face(source, axis, i, j, k));
            }
        }
    }
}

static void fill_live(BrumeLevel *level)
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
                level->live.data[brume_field_index(&level->live, i, j, k)] =
                    along_x + along_y + along_z > 0.0f ? 1.0f : 0.0f;
            }
        }
    }
}

// whether a cell behind a face is a ghost of value 0 or dead, so that the coefficient does not matter to x
static bool always_zero(const BrumeLevel *level, int axis, int i, int j, int k)
{
    const int n = axis == 0 ? i : axis == 1 ? j : k;
    if (!level->periodic[axis] && (n == 0 || n == brume_cells_along(level->grid, axis) + 1)) {
        return true;
    }
    // a periodic ghost is never taken for dead: its row is not uniform then, which costs little
    return n >= 1 && n <= brume_cells_along(level->grid, axis) && brume_field_at(&level->live, i, j, k) == 0.0f;
}

// the one coefficient of a row, or 0
static float uniform_coefficient(const BrumeLevel *level, int j, int k)
{
    float common = 0.0f;
    for (int i = 1; i <= level->grid.nx; i++) {
        if (brume_field_at(&level->live, i, j, k) == 0.0f) {
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

static void fill_uniform(BrumeLevel *level)
{
    const BrumeGrid grid = level->grid;
#pragma omp parallel for schedule(static) if (level->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            level->uniform[(ptrdiff_t)(k - 1) * grid.ny + (j - 1)] = uniform_coefficient(level, j, k);
        }
    }
}

static void fill_widths(BrumeLevel *coarse, const Source *source)
{
    for (int axis = 0; axis < AXES; axis++) {
        for (int n = 1; n <= brume_cells_along(coarse->grid, axis); n++) {
            int first;
            int last;
            block(brume_cells_along(source->grid, axis), n, &first, &last);
            coarse->width[axis][n] = 0.0f;
            for (int fine = first; fine <= last; fine++) {
                coarse->width[axis][n] += width_of(source, axis, fine);
            }
        }
    }
}

// the coarse graph in the form that components are found in
static BrumeStatus find_components(BrumeLevel *level, BrumeError *error)
{
    const BrumeGrid grid = level->grid;
    BrumeCells cells = {
        .grid = grid,
        .sy = level->x.sy,
        .sz = level->x.sz,
        .flags = brume_alloc(brume_grid_entries(grid), 1),
        .periodic = {level->periodic[0], level->periodic[1], level->periodic[2]},
    };
    if (!cells.flags) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t at = i + cells.sy * j + cells.sz * k;
                if (level->live.data[at] == 0.0f) {
                    continue;
                }
                int flags = BRUME_CELL_FLUID;
                for (int axis = 0; axis < AXES; axis++) {
                    const ptrdiff_t stride = axis == 0 ? 1 : axis == 1 ? cells.sy : cells.sz;
                    flags |= level->face[axis].data[at] > 0.0f ? BRUME_CELL_X_LOWER << (2 * axis) : 0;
                    flags |= level->face[axis].data[at + stride] > 0.0f ? BRUME_CELL_X_UPPER << (2 * axis) : 0;
                }
                cells.flags[at] = (uint8_t)flags;
            }
        }
    }
    const BrumeStatus status = brume_components_create(&level->components, &cells, error);
    brume_free(cells.flags);
    return status;
}

static BrumeStatus allocate(BrumeLevel *level, BrumeError *error)
{
    BrumeField *fields[] = {&level->x, &level->b, &level->face[0], &level->face[1], &level->face[2], &level->live};
    for (size_t n = 0; n < sizeof fields / sizeof fields[0]; n++) {
        const BrumeStatus status = brume_field_create(fields[n], level->grid, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    level->uniform = brume_alloc((size_t)level->grid.ny * (size_t)level->grid.nz, sizeof *level->uniform);
    bool complete = level->uniform != NULL;
    for (int axis = 0; axis < AXES; axis++) {
        level->width[axis] = brume_alloc((size_t)brume_cells_along(level->grid, axis) + 2, sizeof *level->width[axis]);
        complete = complete && level->width[axis];
    }
    return complete ? BRUME_OK : brume_out_of_grid_memory(error, "the pressure solver");
}

// Finds the cells that leave their blocks, and lists them. `*moves` stays NULL where there are none.
static BrumeStatus find_strays(BrumeLevel *coarse, const BrumeLevel *fine, uint8_t **moves, BrumeError *error)
{
    uint8_t *found = brume_alloc(brume_grid_entries(fine->grid), sizeof *found);
    if (!found) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    if (brume_strays_find(found, fine) == 0) {
        brume_free(found);
        return BRUME_OK;
    }
    *moves = found;
    const bool red = !brume_stencil_has_seams(fine->grid, fine->periodic); // else both colors are restricted
    return brume_strays_create(&coarse->strays, found, fine, &coarse->x, red, error);
}

static BrumeStatus coarsen(BrumeLevel *coarse, const Source *source, bool singular, BrumeError *error)
{
    *coarse = (BrumeLevel){
        .grid = {brume_level_coarse_size(source->grid.nx), brume_level_coarse_size(source->grid.ny),
                 brume_level_coarse_size(source->grid.nz)},
        .periodic = {source->periodic[0], source->periodic[1], source->periodic[2]},
    };
    coarse->parallel = brume_worth_a_team(coarse->grid);
    uint8_t *moves = NULL;
    BrumeStatus status = allocate(coarse, error);
    if (status == BRUME_OK && source->level) {
        status = find_strays(coarse, source->level, &moves, error);
    }
    if (status == BRUME_OK) {
        fill_widths(coarse, source);
        if (moves) {
            brume_strays_sum_faces(coarse->face, moves, source->level);
        }
        for (int axis = 0; axis < AXES; axis++) {
            fill_faces(coarse, source, moves, axis);
        }
        fill_live(coarse);
        fill_uniform(coarse);
        status = singular ? find_components(coarse, error) : BRUME_OK;
    }
    brume_free(moves);
    if (status != BRUME_OK) {
        brume_level_destroy(coarse);
    }
    return status;
}

BrumeStatus brume_level_coarsen_box(BrumeLevel *coarse, const BrumePoisson *poisson, bool singular, BrumeError *error)
{
    const BrumeCells *cells = poisson->cells;
    const Source source = {.box = poisson, .grid = cells->grid, .periodic = cells->periodic};
    return coarsen(coarse, &source, singular, error);
}

BrumeStatus brume_level_coarsen(BrumeLevel *coarse, const BrumeLevel *fine, bool singular, BrumeError *error)
{
    const Source source = {.level = fine, .grid = fine->grid, .periodic = fine->periodic};
    return coarsen(coarse, &source, singular, error);
}

static void destroy_build(BrumeLevel *level)
{
    for (int axis = 0; axis < AXES; axis++) {
        brume_field_destroy(&level->face[axis]);
        brume_free(level->width[axis]);
        level->width[axis] = NULL;
    }
    brume_field_destroy(&level->live);
    brume_free(level->uniform);
    level->uniform = NULL;
}

BrumeStatus brume_level_settle(BrumeLevel *level, BrumeError *error)
{
    const BrumeStatus status = brume_stencil_create(&level->stencil, level->grid, level->periodic, level->parallel,
                                                    level->face, &level->uniform, error);
    destroy_build(level);
    return status;
}

void brume_level_destroy(BrumeLevel *level)
{
    destroy_build(level);
    brume_stencil_destroy(&level->stencil);
    brume_field_destroy(&level->x);
    brume_field_destroy(&level->b);
    brume_components_destroy(&level->components);
    brume_strays_destroy(&level->strays);
    *level = (BrumeLevel){0};
}

size_t brume_level_bytes(const BrumeLevel *level)
{
    return 2 * brume_grid_entries(level->grid) * sizeof(float) + brume_stencil_bytes(&level->stencil) +
           brume_components_bytes(&level->components) + brume_strays_bytes(&level->strays);
}

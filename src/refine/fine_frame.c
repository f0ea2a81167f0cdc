/*
 * Transport of fine smoke over the interval between two frames. In the air that moves with the velocity of the cells,
 * the turbulence (turbulence.h) is steady, because its texture coordinates are carried along. The path of a fine cell
 * back to the frame before is therefore that of the turbulence alone, by the midpoint rule in parts of less than a fine
 * cell, followed by that of the velocity of the cells, whose displacements are interpolated:
 *
 *     y = x - integral of the turbulence,   z = y + b(y),   q(x, t + dt) = q(z, t)
 *
 * The density is interpolated once in each frame, by Catmull-Rom splines limited to the range of the eight nearest
 * cells. Then the means of the fine cells are corrected (fine_mean.c). Cells are processed where they, or an adjacent
 * cell, have smoke; elsewhere, fine cells have the value of the cell that contains them.
 */
#include "refine/fine_frame.h"

#include "core/memory.h"
#include "core/minmax.h"
#include "refine/fine_mean.h"
#include "refine/limited_cubic.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    MOST_SCALARS = BRUME_VOLUME_KINDS + 1,
    MOST_PARTS = 16,  // of a path of the turbulence
    FIRST_ROUNDS = 8, // of the correction of the means of the first frame
};
static const float LEAST_RATE = 0.3f; // of the correction of the means in a frame

static const char *const scalar_names[MOST_SCALARS] = {BRUME_GRID_DENSITY, BRUME_GRID_COLOR "1", BRUME_GRID_COLOR "2",
                                                       BRUME_GRID_COLOR "3", BRUME_GRID_TEMPERATURE};

/** The scalars of a frame, coarse and fine, and the previous fine values. */
typedef struct FineScalars {
    int count;
    const BrumeFrameGrid *coarse[MOST_SCALARS];
    BrumeFrameGrids *fine; // its grids are the scalars in this order
    const float *previous[MOST_SCALARS];
    bool is_smoke[MOST_SCALARS];
} FineScalars;

/** The displacements by the turbulence at the fine cells of active cells. */
typedef struct FineTurbulence {
    BrumeCellBox box; // of fine cells
    int extents[3];   // of the box
    float *values;    // (extents x 4) [coarse cells]; 0 in cells that are not active; of BrumeFineMemory
} FineTurbulence;

BrumeStatus brume_fine_frame_add(BrumeFrameGrids *fine, const BrumeFrameGrids *coarse, int factor,
                                 const BrumeFrameGrid *grid, BrumeFrameGrid **added, BrumeError *error)
{
    if (fine->count == 0) {
        fine->cells = brume_grid(factor * coarse->cells.nx, factor * coarse->cells.ny, factor * coarse->cells.nz);
        fine->dx = coarse->dx / factor;
        memcpy(fine->origin, coarse->origin, sizeof fine->origin);
    }
    return brume_frame_grids_add(fine, grid->name, grid->unit, 1, BRUME_AT_CENTERS, added, error);
}

static BrumeStatus find_scalars(FineScalars *scalars, const BrumeFrameGrids *coarse, const BrumeFineMotion *motion,
                                BrumeError *error)
{
    for (int n = 0; n < MOST_SCALARS; n++) {
        const BrumeFrameGrid *grid = brume_frame_grids_find(coarse, scalar_names[n]);
        if (!grid || grid->components != 1 || grid->location != BRUME_AT_CENTERS) {
            continue;
        }
        const int at = scalars->count++;
        scalars->coarse[at] = grid;
        scalars->is_smoke[at] = n < BRUME_VOLUME_KINDS;
        if (motion) {
            const BrumeFrameGrid *previous = brume_frame_grids_find(motion->previous, grid->name);
            if (!previous) {
                return brume_fail(error, BRUME_BAD_INPUT, "the fine frame before has no grid '%s'", grid->name);
            }
            scalars->previous[at] = previous->values;
        }
    }
    if (scalars->count == 0 || !scalars->is_smoke[0]) {
        return brume_fail(error, BRUME_BAD_INPUT, "there is no grid '" BRUME_GRID_DENSITY "'");
    }
    return BRUME_OK;
}

static void clear_grid(BrumeFrameGrid *grid, BrumeGrid cells)
{
    const BrumeCellBox box = grid->filled;
#pragma omp parallel for schedule(static)
    for (int k = box.lower[2]; k < box.upper[2]; k++) {
        for (int j = box.lower[1]; j < box.upper[1]; j++) {
            const size_t row = ((size_t)k * (size_t)cells.ny + (size_t)j) * (size_t)cells.nx + (size_t)box.lower[0];
            memset(grid->values + row, 0, (size_t)(box.upper[0] - box.lower[0]) * sizeof *grid->values);
        }
    }
}

// whether the fine frame, an earlier one, has the grids of the scalars
static bool has_fine_grids(const FineScalars *scalars)
{
    bool has = scalars->fine->count == scalars->count && !scalars->fine->has_particles;
    for (int n = 0; n < scalars->count && has; n++) {
        const BrumeFrameGrid *grid = &scalars->fine->grids[n];
        has = strcmp(grid->name, scalars->coarse[n]->name) == 0 && strcmp(grid->unit, scalars->coarse[n]->unit) == 0 &&
              grid->components == 1 && grid->location == BRUME_AT_CENTERS;
    }
    return has;
}

// makes the fine grids, all 0. Those of an earlier frame have their memory already: new pages take longer to fill.
static BrumeStatus prepare_fine_grids(FineScalars *scalars, const BrumeFrameGrids *coarse, int factor,
                                      BrumeError *error)
{
    BrumeFrameGrids *fine = scalars->fine;
    const bool reused = has_fine_grids(scalars);
    if (!reused) {
        brume_frame_grids_destroy(fine);
    }
    for (int n = 0; n < scalars->count; n++) {
        BrumeFrameGrid *added;
        if (reused) {
            clear_grid(&fine->grids[n], fine->cells);
        } else if (brume_fine_frame_add(fine, coarse, factor, scalars->coarse[n], &added, error) != BRUME_OK) {
            return error->status;
        }
    }
    return BRUME_OK;
}

// marks the cells of a row, and those beside them, in which the value is not negligible, and extends the boxes
static void mark_row(uint8_t *active, const BrumeFineCells *cells, const float *row, float limit, int j, int k)
{
    const BrumeGrid grid = cells->coarse;
    for (int i = 0; i < grid.nx; i++) {
        if (!(fabsf(row[i]) > limit)) {
            continue;
        }
        for (int kn = brume_max_int(k - 1, 0); kn <= brume_min_int(k + 1, grid.nz - 1); kn++) {
            for (int jn = brume_max_int(j - 1, 0); jn <= brume_min_int(j + 1, grid.ny - 1); jn++) {
                for (int in = brume_max_int(i - 1, 0); in <= brume_min_int(i + 1, grid.nx - 1); in++) {
                    active[brume_coarse_index(cells, in, jn, kn)] = 1;
                }
            }
        }
    }
}

// marks cells around values above a small part of the largest one of a scalar
static void mark_active(uint8_t *active, const BrumeFineCells *cells, const BrumeFrameGrid *grid, bool is_smoke)
{
    const size_t count = brume_grid_cells(cells->coarse);
    float largest = 0.0f;
    for (size_t n = 0; n < count; n++) {
        largest = isfinite(grid->values[n]) ? brume_fmaxf(largest, fabsf(grid->values[n])) : largest;
    }
    const float limit = (is_smoke ? 1e-4f : 1e-2f) * largest;
    for (int k = 0; k < cells->coarse.nz; k++) {
        for (int j = 0; j < cells->coarse.ny; j++) {
            mark_row(active, cells, grid->values + brume_coarse_index(cells, 0, j, k), limit, j, k);
        }
    }
}

// the box of cells that are active, or with `values` not NULL also of those that are not 0
static BrumeCellBox box_of(const BrumeFineCells *cells, const float *values)
{
    BrumeCellBox box = brume_no_cells;
    for (int k = 0; k < cells->coarse.nz; k++) {
        for (int j = 0; j < cells->coarse.ny; j++) {
            for (int i = 0; i < cells->coarse.nx; i++) {
                const size_t n = brume_coarse_index(cells, i, j, k);
                if (cells->active[n] || (values && values[n] != 0.0f)) {
                    const BrumeCellBox cell = {{i, j, k}, {i + 1, j + 1, k + 1}};
                    brume_box_add(&box, &cell);
                }
            }
        }
    }
    return brume_box_is_empty(box) ? (BrumeCellBox){{0, 0, 0}, {0, 0, 0}} : box;
}

static BrumeCellBox fine_box(BrumeCellBox box, int factor)
{
    for (int axis = 0; axis < 3; axis++) {
        box.lower[axis] *= factor;
        box.upper[axis] *= factor;
    }
    return box;
}

BRUME_INLINE float *turbulence_entry(const FineTurbulence *self, int i, int j, int k)
{
    return self->values +
           4 * (((ptrdiff_t)(k - self->box.lower[2]) * self->extents[1] + (j - self->box.lower[1])) * self->extents[0] +
                (i - self->box.lower[0]));
}

// The coordinates of a fine cell: the n-th of those in a coarse cell. Work on all of them before the next cell's reads
// each part of an array once.
BRUME_INLINE void fine_cell(int factor, int i, int j, int k, int n, int fine[3])
{
    fine[0] = i * factor + n % factor;
    fine[1] = j * factor + n / factor % factor;
    fine[2] = k * factor + n / (factor * factor);
}

// sets the turbulence in the fine cells of the active cells of a row
BRUME_KERNEL static void fill_row_of_turbulence(const FineTurbulence *self, const BrumeFineCells *cells,
                                                const BrumeTextureNoise *noise, const BrumeField *shape, int j, int k)
{
    const int factor = cells->factor;
    for (int i = cells->box.lower[0]; i < cells->box.upper[0]; i++) {
        if (!cells->active[brume_coarse_index(cells, i, j, k)]) {
            continue;
        }
        for (int n = 0; n < factor * factor * factor; n++) {
            int fine[3];
            fine_cell(factor, i, j, k, n, fine);
            const BrumeVec3 point = {((float)fine[0] + 0.5f) / (float)factor, ((float)fine[1] + 0.5f) / (float)factor,
                                     ((float)fine[2] + 0.5f) / (float)factor};
            const BrumeVec3 value = brume_texture_noise_at(noise, shape, point);
            float *to = turbulence_entry(self, fine[0], fine[1], fine[2]);
            to[0] = value.x;
            to[1] = value.y;
            to[2] = value.z;
        }
    }
}

void brume_fine_memory_destroy(BrumeFineMemory *memory)
{
    brume_free(memory->values);
    *memory = (BrumeFineMemory){0};
}

// memory for `count` floats, all 0, with room for the next frames, whose smoke has mostly spread
static bool reserve(BrumeFineMemory *memory, size_t count)
{
    if (memory->count < count) {
        count += memory->count > 0 ? count / 2 : count / 8;
        brume_fine_memory_destroy(memory);
        memory->values = brume_alloc(count, sizeof *memory->values);
        memory->count = memory->values ? count : 0;
        brume_use_large_pages(memory->values, count * sizeof *memory->values);
    }
    return memory->values != NULL;
}

// sets the turbulence to 0 again, for the next frame
static void clear_turbulence(const FineTurbulence *self, const BrumeFineCells *cells)
{
    const int factor = cells->factor;
#pragma omp parallel for schedule(dynamic)
    for (int k = self->box.lower[2]; k < self->box.upper[2]; k++) {
        for (int j = self->box.lower[1]; j < self->box.upper[1]; j++) {
            for (int i = cells->box.lower[0]; i < cells->box.upper[0]; i++) {
                if (cells->active[brume_coarse_index(cells, i, j / factor, k / factor)]) {
                    memset(turbulence_entry(self, i * factor, j, k), 0, 4 * (size_t)factor * sizeof *self->values);
                }
            }
        }
    }
}

static BrumeStatus create_turbulence(FineTurbulence *self, const BrumeFineCells *cells, const BrumeFineMotion *motion,
                                     BrumeError *error)
{
    const int factor = cells->factor;
    size_t count = 1;
    self->box = fine_box(cells->box, factor);
    for (int axis = 0; axis < 3; axis++) {
        self->extents[axis] = self->box.upper[axis] - self->box.lower[axis];
        count *= (size_t)brume_max_int(self->extents[axis], 1);
    }
    if (count > SIZE_MAX / 4 || !reserve(motion->memory, 4 * count)) {
        return brume_out_of_memory(error, "the turbulence of a fine frame");
    }
    self->values = motion->memory->values;
    const BrumeField shape = {.grid = cells->coarse,
                              .sy = cells->coarse.nx + 2,
                              .sz = (ptrdiff_t)(cells->coarse.nx + 2) * (cells->coarse.ny + 2)};
#pragma omp parallel for schedule(dynamic)
    for (int k = cells->box.lower[2]; k < cells->box.upper[2]; k++) {
        for (int j = cells->box.lower[1]; j < cells->box.upper[1]; j++) {
            fill_row_of_turbulence(self, cells, motion->turbulence, &shape, j, k);
        }
    }
    return BRUME_OK;
}

// the turbulence at a point [fine cells]
BRUME_INLINE BrumeFloat4 turbulence_at(const FineTurbulence *self, BrumeFloat4 point)
{
    const int *lower = self->box.lower;
    const int *upper = self->box.upper;
    float fx;
    float fy;
    float fz;
    const int i = brume_split_among(point[0] - 0.5f, lower[0], upper[0], &fx);
    const int j = brume_split_among(point[1] - 0.5f, lower[1], upper[1], &fy);
    const int k = brume_split_among(point[2] - 0.5f, lower[2], upper[2], &fz);
    return brume_trilinear4(turbulence_entry(self, i, j, k), 4, 4 * (ptrdiff_t)self->extents[0],
                            4 * (ptrdiff_t)self->extents[0] * self->extents[1], fx, fy, fz);
}

// the parts of the path of the turbulence from the fine cells of a cell: none crosses more than one fine cell, nearly
BRUME_INLINE int parts_of(const FineTurbulence *turbulence, int factor, int i, int j, int k)
{
    float largest = 0.0f;
    for (int n = 0; n < factor * factor * factor; n++) {
        int fine[3];
        fine_cell(factor, i, j, k, n, fine);
        const float *value = turbulence_entry(turbulence, fine[0], fine[1], fine[2]);
        for (int axis = 0; axis < 3; axis++) {
            largest = brume_max(largest, fabsf(value[axis]));
        }
    }
    return brume_min_int((int)ceilf(largest * (float)factor), MOST_PARTS);
}

// sets the fine cells of a coarse cell to the previous values at the ends of their paths
BRUME_INLINE void carry_cell(const FineScalars *scalars, const BrumeFineCells *cells, const BrumeFineMotion *motion,
                             const FineTurbulence *turbulence, int i, int j, int k)
{
    const int factor = cells->factor;
    const float scale = (float)factor;
    const int parts = parts_of(turbulence, factor, i, j, k);
    const float step = parts > 0 ? scale / (float)parts : 0.0f;
    for (int n = 0; n < factor * factor * factor; n++) {
        int fine[3];
        fine_cell(factor, i, j, k, n, fine);
        BrumeFloat4 point = {(float)fine[0] + 0.5f, (float)fine[1] + 0.5f, (float)fine[2] + 0.5f, 0.0f};
        BrumeFloat4 velocity = brume_load4(turbulence_entry(turbulence, fine[0], fine[1], fine[2]));
        for (int part = 0; part < parts; part++) {
            velocity = part > 0 ? turbulence_at(turbulence, point) : velocity;
            point -= step * turbulence_at(turbulence, point - 0.5f * step * velocity);
        }
        point += scale * brume_vector_at(motion->displacement, point / scale);
        const BrumeCubicStencil stencil = brume_cubic_stencil(cells->fine, point);
        const size_t at = brume_fine_row(cells, 0, fine[1], fine[2]) + (size_t)fine[0];
        for (int scalar = 0; scalar < scalars->count; scalar++) {
            scalars->fine->grids[scalar].values[at] = brume_limited_cubic(scalars->previous[scalar], &stencil);
        }
    }
}

// carries the values in the active cells of a row
BRUME_KERNEL static void carry_row(const FineScalars *scalars, const BrumeFineCells *cells,
                                   const BrumeFineMotion *motion, const FineTurbulence *turbulence, int j, int k)
{
    for (int i = cells->box.lower[0]; i < cells->box.upper[0]; i++) {
        if (cells->active[brume_coarse_index(cells, i, j, k)]) {
            carry_cell(scalars, cells, motion, turbulence, i, j, k);
        }
    }
}

static BrumeStatus carry(const FineScalars *scalars, const BrumeFineCells *cells, const BrumeFineMotion *motion,
                         BrumeError *error)
{
    FineTurbulence turbulence = {.values = NULL};
    const BrumeStatus status = create_turbulence(&turbulence, cells, motion, error);
    if (status == BRUME_OK) {
#pragma omp parallel for schedule(dynamic)
        for (int k = cells->box.lower[2]; k < cells->box.upper[2]; k++) {
            for (int j = cells->box.lower[1]; j < cells->box.upper[1]; j++) {
                carry_row(scalars, cells, motion, &turbulence, j, k);
            }
        }
        clear_turbulence(&turbulence, cells);
    }
    return status;
}

// sets the fine cells of active cells by interpolation
static void interpolate(const FineScalars *scalars, const BrumeFineCells *cells)
{
    const int factor = cells->factor;
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < cells->fine.nz; k++) {
        for (int j = 0; j < cells->fine.ny; j++) {
            for (int i = 0; i < cells->fine.nx; i++) {
                if (!cells->active[brume_coarse_index(cells, i / factor, j / factor, k / factor)]) {
                    continue;
                }
                const BrumeFloat4 point = {((float)i + 0.5f) / (float)factor, ((float)j + 0.5f) / (float)factor,
                                           ((float)k + 0.5f) / (float)factor, 0.0f};
                const BrumeCubicStencil stencil = brume_cubic_stencil(cells->coarse, point);
                for (int scalar = 0; scalar < scalars->count; scalar++) {
                    scalars->fine->grids[scalar].values[brume_fine_row(cells, 0, j, k) + (size_t)i] =
                        brume_limited_cubic(scalars->coarse[scalar]->values, &stencil);
                }
            }
        }
    }
}

// fills the fine scalars, whose active cells are still to be marked
static BrumeStatus fill_scalars(const FineScalars *scalars, BrumeFineCells *cells, uint8_t *active,
                                const BrumeFineMotion *motion, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < scalars->count; n++) {
        mark_active(active, cells, scalars->coarse[n], scalars->is_smoke[n]);
    }
    cells->box = box_of(cells, NULL);
    if (motion) {
        status = carry(scalars, cells, motion, error);
    } else {
        interpolate(scalars, cells);
    }
    for (int n = 0; n < scalars->count && status == BRUME_OK; n++) {
        const float *coarse = scalars->coarse[n]->values;
        BrumeFrameGrid *fine = &scalars->fine->grids[n];
        fine->filled = fine_box(box_of(cells, coarse), cells->factor);
        for (int round = 0; round < (motion ? 1 : FIRST_ROUNDS) && status == BRUME_OK; round++) {
            status = brume_correct_means(cells, coarse, fine->values, scalars->is_smoke[n], motion ? LEAST_RATE : 1.0f,
                                         error);
        }
    }
    return status;
}

BrumeStatus brume_fine_frame(BrumeFrameGrids *fine, const BrumeFrameGrids *coarse, int factor,
                             const BrumeFineMotion *motion, BrumeError *error)
{
    FineScalars scalars = {.fine = fine};
    if (find_scalars(&scalars, coarse, motion, error) != BRUME_OK ||
        prepare_fine_grids(&scalars, coarse, factor, error) != BRUME_OK) {
        return error->status;
    }
    uint8_t *active = brume_alloc(brume_grid_cells(coarse->cells), sizeof *active);
    if (!active) {
        return brume_out_of_memory(error, "a fine frame");
    }
    BrumeFineCells cells = {.factor = factor, .coarse = coarse->cells, .fine = fine->cells, .active = active};
    const BrumeStatus status = fill_scalars(&scalars, &cells, active, motion, error);
    brume_free(active);
    return status;
}

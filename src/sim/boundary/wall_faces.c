#include "sim/boundary/wall_faces.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"

// Whether one of the cells at lower face c is air. Ghosts beyond a periodic side are marked as solid cells alone.
static bool is_at_air(const BrumeCells *cells, ptrdiff_t c, ptrdiff_t below, bool on_periodic_side)
{
    const uint8_t *flags = cells->flags + c;
    return on_periodic_side ? !(flags[0] & flags[-below] & BRUME_CELL_SOLID)
                            : ((flags[0] | flags[-below]) & BRUME_CELL_FLUID) != 0;
}

// Lists the faces across an axis in plane k and returns their number; with `faces` NULL it only counts them. The faces
// on the upper side of the box are the lower ones of the entries beyond.
static ptrdiff_t list_plane(const BrumeCells *cells, int axis, int k, BrumeWallFace *faces)
{
    const BrumeField *fraction = &cells->fractions->face[axis];
    const BrumeGrid grid = cells->grid;
    const ptrdiff_t below = brume_stride(fraction, axis);
    ptrdiff_t count = 0;
    for (int j = 1; j <= grid.ny + (axis == 1); j++) {
        const ptrdiff_t row = brume_field_index(fraction, 0, j, k);
        const bool cut = brume_cells_row_is_cut(cells, brume_min_int(j, grid.ny), brume_min_int(k, grid.nz));
        for (int i = 1; cut && i <= grid.nx + (axis == 0); i++) {
            const ptrdiff_t c = row + i;
            const int place = axis == 0 ? i : axis == 1 ? j : k;
            const bool on_side =
                cells->periodic[axis] && (place == 1 || place == brume_cells_along(grid, axis) + 1);
            if (fraction->data[c] < 1.0f && is_at_air(cells, c, below, on_side)) {
                if (faces) {
                    faces[count] = (BrumeWallFace){.entry = (int32_t)c};
                }
                count++;
            }
        }
    }
    return count;
}

// lists the faces across an axis, plane by plane; false without memory
static bool list_faces(BrumeWallFaces *list, const BrumeCells *cells, int axis)
{
    const int planes = cells->grid.nz + (axis == 2);
    ptrdiff_t *ends = brume_alloc((size_t)planes + 1, sizeof *ends); // of the faces of each plane
    if (!ends) {
        return false;
    }
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= planes; k++) {
        ends[k] = list_plane(cells, axis, k, NULL);
    }
    for (int k = 1; k <= planes; k++) {
        ends[k] += ends[k - 1];
    }
    BrumeWallFace *faces = brume_alloc_untouched((size_t)ends[planes], sizeof *faces);
    list->faces[axis] = faces;
    list->count[axis] = faces ? ends[planes] : 0;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= planes; k++) {
        if (faces) {
            (void)list_plane(cells, axis, k, faces + ends[k - 1]);
        }
    }
    brume_free(ends);
    return faces != NULL;
}

BrumeStatus brume_wall_faces_create(BrumeWallFaces *faces, const BrumeCells *cells, BrumeError *error)
{
    *faces = (BrumeWallFaces){0};
    for (int axis = 0; cells->fractions && axis < 3; axis++) {
        if (!list_faces(faces, cells, axis)) {
            brume_wall_faces_destroy(faces);
            return brume_out_of_grid_memory(error, "the surfaces of the bodies");
        }
    }
    return BRUME_OK;
}

void brume_wall_faces_destroy(BrumeWallFaces *faces)
{
    for (int axis = 0; axis < 3; axis++) {
        brume_free(faces->faces[axis]);
    }
    *faces = (BrumeWallFaces){0};
}

size_t brume_wall_faces_bytes(const BrumeWallFaces *faces)
{
    size_t bytes = 0;
    for (int axis = 0; axis < 3; axis++) {
        bytes += (size_t)faces->count[axis] * sizeof *faces->faces[axis];
    }
    return bytes;
}

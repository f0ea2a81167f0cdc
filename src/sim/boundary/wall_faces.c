#include "sim/boundary/wall_faces.h"

#include "core/error.h"
#include "core/memory.h"

// Whether one of the cells at lower face c is air. Ghosts beyond a periodic side are marked as solid cells alone.
static bool is_at_air(const BrumeCells *cells, ptrdiff_t c, ptrdiff_t below, bool on_periodic_side)
{
    const uint8_t *flags = cells->flags + c;
    return on_periodic_side ? !(flags[0] & flags[-below] & BRUME_CELL_SOLID)
                            : ((flags[0] | flags[-below]) & BRUME_CELL_FLUID) != 0;
}

// Lists the faces across an axis and returns their number; with `faces` NULL it only counts them. The faces on the
// upper side of the box are the lower ones of the entries beyond.
static ptrdiff_t list_faces(const BrumeCells *cells, int axis, BrumeWallFace *faces)
{
    const BrumeField *fraction = &cells->fractions->face[axis];
    const BrumeGrid grid = cells->grid;
    const int last[3] = {grid.nx + (axis == 0), grid.ny + (axis == 1), grid.nz + (axis == 2)};
    const ptrdiff_t below = brume_stride(fraction, axis);
    ptrdiff_t count = 0;
    for (int k = 1; k <= last[2]; k++) {
        for (int j = 1; j <= last[1]; j++) {
            const ptrdiff_t row = brume_field_index(fraction, 0, j, k);
            const int cell_j = j <= grid.ny ? j : grid.ny;
            const int cell_k = k <= grid.nz ? k : grid.nz;
            for (int i = 1; brume_cells_row_is_cut(cells, cell_j, cell_k) && i <= last[0]; i++) {
                const ptrdiff_t c = row + i;
                const int place = axis == 0 ? i : axis == 1 ? j : k;
                const bool on_side = cells->periodic[axis] && (place == 1 || place == last[axis]);
                if (fraction->data[c] < 1.0f && is_at_air(cells, c, below, on_side)) {
                    if (faces) {
                        faces[count] = (BrumeWallFace){.entry = (int32_t)c};
                    }
                    count++;
                }
            }
        }
    }
    return count;
}

BrumeStatus brume_wall_faces_create(BrumeWallFaces *faces, const BrumeCells *cells, BrumeError *error)
{
    *faces = (BrumeWallFaces){0};
    for (int axis = 0; cells->fractions && axis < 3; axis++) {
        const ptrdiff_t count = list_faces(cells, axis, NULL);
        faces->faces[axis] = brume_alloc((size_t)count, sizeof *faces->faces[axis]);
        if (!faces->faces[axis]) {
            brume_wall_faces_destroy(faces);
            return brume_out_of_grid_memory(error, "the surfaces of the bodies");
        }
        faces->count[axis] = list_faces(cells, axis, faces->faces[axis]);
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

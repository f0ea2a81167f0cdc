#include "sim/boundary/wall_faces.h"

#include "core/error.h"
#include "core/memory.h"

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
                if (fraction->data[c] < 1.0f && ((cells->flags[c] | cells->flags[c - below]) & BRUME_CELL_FLUID)) {
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

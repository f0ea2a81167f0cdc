#include "sim/grid/mesh_crossings.h"

#include "core/memory.h"
#include "core/vec3.h"

// the lattice of the centers of the cells of a box, or of their lower corners
static BrumeMeshLattice lattice_of(const BrumeSimDef *def, const BrumePlacedShape *placed, const BrumeIndexBox *box,
                                   bool at_corners)
{
    const BrumeShapeFrame frame = brume_shape_frame(placed->shape);
    const double dx = (double)def->dx;
    BrumeMeshLattice lattice = {.count = {0}};
    for (int axis = 0; axis < 3; axis++) {
        double at = (double)brume_component(frame.pivot, axis) - (double)brume_component(def->origin, axis);
        for (int own = 0; own < 3; own++) {
            const double of_own =
                (double)brume_component(frame.axes[own], axis) * (double)brume_component(frame.scale, own);
            at += of_own *
                  ((double)brume_component(placed->shape->a, own) - (double)brume_component(frame.own_pivot, own));
            lattice.axes[own][axis] = of_own / dx;
        }
        lattice.origin[axis] = at / dx + (at_corners ? 1.0 : 0.5) - box->from[axis];
        lattice.count[axis] = box->to[axis] - box->from[axis] + 1;
    }
    return lattice;
}

BrumeStatus brume_cross_mesh(BrumeMeshCrossings *crossings, const BrumeSimDef *def, const BrumePlacedShape *placed,
                             bool at_corners, BrumeError *error)
{
    *crossings = (BrumeMeshCrossings){.bits = NULL};
    if (placed->shape->kind != BRUME_SHAPE_MESH || !brume_mesh_has_triangles(placed->shape->mesh)) {
        return BRUME_OK;
    }
    BrumeIndexBox *const box = &crossings->box;
    *box = brume_cells_overlapping(def, placed->shape);
    size_t cells = 1;
    for (int axis = 0; axis < 3; axis++) {
        box->from[axis]--;
        box->to[axis] += at_corners ? 2 : 1;
        cells *= box->to[axis] >= box->from[axis] ? (size_t)(box->to[axis] - box->from[axis] + 1) : 0;
    }
    const BrumeMeshLattice lattice = lattice_of(def, placed, box, at_corners);
    if (cells == 0 || !brume_mesh_fits_lattice(placed->shape->mesh, &lattice)) {
        return BRUME_OK;
    }
    crossings->bits = brume_alloc_untouched(cells, sizeof *crossings->bits);
    if (!crossings->bits || !brume_mesh_cross_lattice(placed->shape->mesh, &lattice, crossings->bits)) {
        brume_free(crossings->bits);
        crossings->bits = NULL;
        return brume_out_of_grid_memory(error, "the cells of a mesh");
    }
    return BRUME_OK;
}

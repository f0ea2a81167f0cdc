/**
 * @file cells.h
 * Which cells are fluid or solid and which faces are open: the voxelized geometry that all terms of the equations use.
 */
#ifndef BRUME_SIM_GRID_CELLS_H
#define BRUME_SIM_GRID_CELLS_H

#include "brume/sim_def.h"
#include "core/domain.h"
#include "core/error.h"
#include "core/field.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/grid/fractions.h"
#include "sim/grid/friction_faces.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Bits of a cell's byte. A face is open if pressure acts on it: between two fluid cells, and between a fluid cell and
 * an open or periodic side of the box. Faces on walls, inflows and bodies are closed, those that a solid covers, and
 * those across an axis of one cell, where the pressure is the same on both sides. Both cells at a face have the same
 * bit for it. A solid cell has BRUME_CELL_SOLID alone. A ghost has no bit, except beyond a periodic side, where it has
 * BRUME_CELL_SOLID if the cell that it repeats is solid.
 */
enum {
    BRUME_CELL_X_LOWER = 1 << 0,
    BRUME_CELL_X_UPPER = 1 << 1,
    BRUME_CELL_Y_LOWER = 1 << 2,
    BRUME_CELL_Y_UPPER = 1 << 3,
    BRUME_CELL_Z_LOWER = 1 << 4,
    BRUME_CELL_Z_UPPER = 1 << 5,
    BRUME_CELL_FACES = 0x3f, ///< all six
    BRUME_CELL_FLUID = 1 << 6,
    BRUME_CELL_SOLID = 1 << 7,
};

/** The grid of these settings, and its planes by ranks if several compute it. */
static inline BrumeGrid brume_settings_grid(const BrumeSimDef *def)
{
    BrumeGrid grid = brume_grid(def->nx, def->ny, def->nz);
    if (def->team) {
        grid.domain = brume_team_domain(def->team, def->nz, def->faces[BRUME_FACE_Z_MIN].kind == BRUME_PERIODIC);
    }
    return grid;
}

/** The bit of a cell's lower face along axis 0, 1, 2; the bit of its upper face is twice that. */
static inline int brume_cell_lower(int axis) { return 1 << (2 * axis); }

/** The entries from[axis] to to[axis] along each axis, both included; none if a `to` is less than its `from`. */
typedef struct BrumeIndexBox {
    int from[3], to[3];
} BrumeIndexBox;

/** The cells of a box (nz+2 x ny+2 x nx+2 bytes, x fastest, ghosts as in BrumeField). */
typedef struct BrumeCells {
    BrumeGrid grid;
    ptrdiff_t sy, sz;            ///< strides, as in BrumeField
    uint8_t *flags;              ///< entry (0, 0, 0)
    uint8_t *body_ids;           ///< same layout: 1 + the body of a solid cell or ghost, else 0; NULL without bodies
    bool periodic[3];            ///< along x, y, z
    bool coupled[3];             ///< periodic with more than one cell: pressure acts across the opposite sides
    bool open[BRUME_FACE_COUNT]; ///< sides of the box with pressure 0
    bool bodies;                 ///< whether any cell is solid or cut
    BrumeIndexBox touched;     ///< outside of these rows along x (`from` and `to` of y and z) all is as without bodies
    bool has_creases;          ///< whether a mesh cuts cells
    BrumeFractions *fractions; ///< the open parts of cut cells (cut_cells.h); NULL with whole cells
    BrumeField distance;       ///< of cut cells, from their lower corners to the surfaces [m] (cut_cells.h)
    uint8_t *wall_ids;         ///< as body_ids: 1 + the body that cuts or fills a cell; NULL with whole cells
    BrumeFrictionFaces friction_faces[3]; ///< along x, y, z: the open faces near the surfaces that cut cells; 0 with
                                          ///< whole cells, and where the air has had no viscosity in a step yet
} BrumeCells;

/** Whether a body covers cell c as a whole, or cuts it. */
static inline bool brume_cell_is_cut(const BrumeCells *cells, ptrdiff_t c)
{
    return cells->wall_ids ? cells->wall_ids[c] > 0 : (cells->flags[c] & BRUME_CELL_SOLID) != 0;
}

/** Whether row (j, k) has a cell with a face of which a body covers a part. */
static inline bool brume_cells_row_is_cut(const BrumeCells *cells, int j, int k)
{
    return cells->fractions && brume_fractions_row_is_cut(cells->fractions, j, k);
}

/** How far before an entry at a location (0 to 2: lower faces along that axis, 3: centers) the other cell at it is. */
static inline ptrdiff_t brume_cells_below(const BrumeCells *cells, int location)
{
    return location == 0 ? 1 : location == 1 ? cells->sy : location == 2 ? cells->sz : 0;
}

/** The open part of lower face c along an axis: of its area, or with whole cells 1. */
static inline float brume_open_fraction(const BrumeCells *cells, int axis, ptrdiff_t c)
{
    return cells->fractions ? cells->fractions->face[axis].data[c] : 1.0f;
}

/**
 * Whether entry c of a quantity at a location (0 to 2: lower faces along that axis, 3: centers) is in the air: a cell
 * that is not solid; a face between two such cells, of which a part is open.
 */
static inline bool brume_cells_in_air(const BrumeCells *cells, int location, ptrdiff_t c)
{
    return cells->fractions && location < 3
               ? cells->fractions->face[location].data[c] > 0.0f
               : ((cells->flags[c] | cells->flags[c - brume_cells_below(cells, location)]) & BRUME_CELL_SOLID) == 0;
}

/** Adds `bit` to marks[n] where brume_cells_in_air holds for entry first + n, of `count` entries of a row. */
void brume_cells_mark_air(const BrumeCells *cells, int location, ptrdiff_t first, int count, int bit, uint8_t *marks);

/**
 * Voxelizes the bodies of `def`, whose shapes are in the world (brume_placed_bodies): a cell is solid if its center is
 * inside one, or if one that is thinner than a cell passes between its center and the center of an adjacent cell, which
 * is farther. BRUME_FAILED if memory runs out.
 */
BrumeStatus brume_cells_create(BrumeCells *cells, const BrumeSimDef *def, BrumeError *error);

/**
 * The same in the arrays of `spare`, of the same settings but for the shapes of the bodies and the numbers of the air,
 * which becomes empty. Takes time in proportion to the rows with bodies of both.
 */
BrumeStatus brume_cells_renew(BrumeCells *cells, BrumeCells *spare, const BrumeSimDef *def, BrumeError *error);

/** Adds the rows at the cells of a box, and at those around them, to the rows that may be touched. */
void brume_cells_touch(BrumeCells *cells, BrumeIndexBox box);

/** Notes that the bodies of `def` have touched the rows around them alone. */
void brume_cells_touch_bodies_alone(BrumeCells *cells, const BrumeSimDef *def);

/** The smallest box that contains both. */
BrumeIndexBox brume_enclosing_box(BrumeIndexBox a, BrumeIndexBox b);

/** The settings with the shapes of bodies in the world, without parents, and with bodies disabled that are not solid.
 */
BrumeSimDef brume_placed_bodies(const BrumeSimDef *def);

void brume_cells_destroy(BrumeCells *cells);

/** Bytes allocated. */
size_t brume_cells_bytes(const BrumeCells *cells);

/** Whether the same bodies cover the same cells and parts of cells, at the same distances of cut cells. The grids and
 * the sides of the box must be equal. */
bool brume_cells_equal(const BrumeCells *a, const BrumeCells *b);

/** The center of a cell [m]. */
static inline BrumeVec3 brume_cell_center(const BrumeSimDef *def, int i, int j, int k)
{
    const BrumeVec3 center = {((float)i - 0.5f) * def->dx, ((float)j - 0.5f) * def->dx, ((float)k - 0.5f) * def->dx};
    return brume_add(center, def->origin);
}

/** Makes cell c part of a body. The open faces of the adjacent cells are not changed. */
void brume_cells_set_solid(BrumeCells *cells, ptrdiff_t c, int body);

/** Sets the ghosts and the open faces of the fluid cells in the rows `touched`, from which cells are solid. */
void brume_cells_find_open_faces(BrumeCells *cells);

/** The cells whose centers may be inside `shape`. */
BrumeIndexBox brume_cells_overlapping(const BrumeSimDef *def, const BrumeShape *shape);

enum {
    BRUME_CELL_BLOCK = 4, ///< cells along the sides of blocks that are compared with a shape as a whole
    BRUME_BLOCK_CELLS = BRUME_CELL_BLOCK * BRUME_CELL_BLOCK * BRUME_CELL_BLOCK,
};

/** The block of cells of a box that starts at cell (i, j, k). */
BrumeIndexBox brume_cell_block(const BrumeIndexBox *box, int i, int j, int k);

/** The n-th cell of a block, where eight in a row are next to each other (Morton order); false where the block ends
 * before it. */
static inline bool brume_block_cell(const BrumeIndexBox *block, int n, int index[3])
{
    for (int axis = 0; axis < 3; axis++) {
        index[axis] = block->from[axis] + (n >> axis & 1) + 2 * (n >> (axis + 3) & 1);
    }
    return index[0] <= block->to[0] && index[1] <= block->to[1] && index[2] <= block->to[2];
}

/** Whether the center of a cell of a block may be within `reach` [m] of the surface of a shape, or inside a shape that
 * is no mesh. */
bool brume_block_is_near(const BrumeSimDef *def, const BrumePlacedShape *placed, const BrumeIndexBox *block,
                         float reach);

#endif

/**
 * @file cells.h
 * Which cells hold air and which faces air can cross: the geometry that all terms of the equations share.
 */
#ifndef BRUME_SIM_BOUNDARY_CELLS_H
#define BRUME_SIM_BOUNDARY_CELLS_H

#include "brume/sim_def.h"
#include "core/error.h"
#include "core/field.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Bits of a cell's byte. A face is open where pressure acts on it: between two cells of air, and between a cell of
 * air and an open or periodic side of the box. Faces on walls, inflows and obstacles are closed. Both cells beside a
 * face agree on it. A solid cell has its bit alone; a ghost has none but, on periodic sides, its twin's solid bit.
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

/** Bit of a cell's lower face along axis 0, 1, 2; the upper one is its double. */
static inline int brume_cell_lower(int axis) { return 1 << (2 * axis); }

/** The cells of a box (nz+2 x ny+2 x nx+2 bytes, x fastest, ghosts as in BrumeField). */
typedef struct BrumeCells {
    BrumeGrid grid;
    ptrdiff_t sy, sz;            ///< as BrumeField's
    uint8_t *flags;              ///< entry (0, 0, 0)
    uint8_t *owners;             ///< laid out likewise: 1 + the obstacle of a solid cell; NULL without obstacles
    bool periodic[3];            ///< along x, y, z
    bool open[BRUME_FACE_COUNT]; ///< sides of the box with pressure 0
    bool obstacles;              ///< whether any cell is solid
} BrumeCells;

/** Rasterises the obstacles: a cell is solid where its centre is inside one. BRUME_FAILED without memory. */
BrumeStatus brume_cells_create(BrumeCells *cells, const BrumeSimDef *def, BrumeError *error);

void brume_cells_destroy(BrumeCells *cells);

/** Bytes held. */
size_t brume_cells_bytes(const BrumeCells *cells);

/** Whether the same obstacles cover the same cells; grid and sides must be the same. */
bool brume_cells_same(const BrumeCells *a, const BrumeCells *b);

/** The cells whose centers may be inside `shape`: `from` to `to` along each axis, none where a `to` is the lesser. */
void brume_cells_around(const BrumeSimDef *def, const BrumeShape *shape, int from[3], int to[3]);

#endif

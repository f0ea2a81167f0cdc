/**
 * @file wall_faces.h
 * The faces of cut cells of which a body covers a part, as lists along each axis: the faces at which the volume flux
 * differs from the velocity of the air.
 */
#ifndef BRUME_SIM_BOUNDARY_WALL_FACES_H
#define BRUME_SIM_BOUNDARY_WALL_FACES_H

#include "core/error.h"
#include "sim/grid/cells.h"

#include <stddef.h>
#include <stdint.h>

typedef struct BrumeWallFace {
    int32_t entry; ///< offset in the velocity component
    float kept;    ///< the velocity of the air while the entry holds a flux (cut_walls.h) [m/s]
} BrumeWallFace;

/** The faces across each axis with a fluid cell on a side, in ascending order; none with whole cells. */
typedef struct BrumeWallFaces {
    BrumeWallFace *faces[3];
    ptrdiff_t count[3];
} BrumeWallFaces;

/** Lists the faces. BRUME_FAILED without memory; `*faces` is empty then. */
BrumeStatus brume_wall_faces_create(BrumeWallFaces *faces, const BrumeCells *cells, BrumeError *error);

void brume_wall_faces_destroy(BrumeWallFaces *faces);

/** Bytes allocated. */
size_t brume_wall_faces_bytes(const BrumeWallFaces *faces);

#endif

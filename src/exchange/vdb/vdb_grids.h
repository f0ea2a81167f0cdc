/**
 * @file vdb_grids.h
 * Which grids an OpenVDB file of a frame has, and from which arrays and with which factors their values come.
 */
#ifndef BRUME_EXCHANGE_VDB_VDB_GRIDS_H
#define BRUME_EXCHANGE_VDB_VDB_GRIDS_H

#include "exchange/frame_grids.h"
#include "exchange/vdb/vdb_names.h"

BRUME_BEGIN_DECLS

/** One component of a grid of a file: `stride` floats from value to value, x fastest; NULL: zeros. */
typedef struct BrumeVdbComponent {
    const float *values;
    int stride;
    BrumeGridLocation location;
    BrumeCellBox filled; ///< entries beyond which all are 0
} BrumeVdbComponent;

/** A grid of a file. A value v that is not 0 is written as scale * v + offset, and 0 is written as 0, inactive. */
typedef struct BrumeVdbGrid {
    const char *name;
    const char *unit;
    int components; ///< 1, or 3 for a vector (x, y, z)
    BrumeVdbComponent component[3];
    double scale, offset;
    bool fog_volume;   ///< has the class `fog volume`
    bool is_direction; ///< the vector turns with the axes; a color does not
    bool staggered;    ///< component n is on the lower faces of axis n
    int colors;        ///< of Brume's color densities as one vector: bit n stands for color_(n+1); otherwise 0
    float *computed;   ///< values that differ from the frame's; NULL: none
} BrumeVdbGrid;

/** The grids of a file. All zero: none. */
typedef struct BrumeVdbGrids {
    int count;
    BrumeVdbGrid grids[BRUME_MAX_FRAME_GRIDS + 1]; ///< one more where one color becomes extinction and albedo
} BrumeVdbGrids;

/**
 * The grids of a frame as a convention needs them. `staggered` writes the velocity on faces where the frame has it;
 * otherwise it is at the centers, as the mean of the faces where the frame has only those. The arrays of the frame are
 * referred to and must stay. BRUME_BAD_INPUT where a grid is on faces and is not part of a complete velocity;
 * BRUME_FAILED without memory. `*grids` is all zero then; otherwise it is freed with brume_vdb_grids_destroy.
 */
BrumeStatus brume_vdb_grids_create(BrumeVdbGrids *grids, const BrumeFrameGrids *frame,
                                   const BrumeVdbConvention *convention, bool staggered, BrumeError *error);

void brume_vdb_grids_destroy(BrumeVdbGrids *grids);

BRUME_END_DECLS

#endif

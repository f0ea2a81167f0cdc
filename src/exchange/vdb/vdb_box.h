/**
 * @file vdb_box.h
 * The cells into which the grids of an OpenVDB file are read: the union of the active boxes of all grids, or the whole
 * box of a file that Brume has written. For C++.
 */
#ifndef BRUME_EXCHANGE_VDB_VDB_BOX_H
#define BRUME_EXCHANGE_VDB_VDB_BOX_H

#include "exchange/vdb/vdb_inputs.h"

struct BrumeVdbFile {
    std::vector<BrumeVdbInput> inputs;
    bool is_own = false; // written by Brume: the box stands in the metadata
    bool z_up = false;
    BrumeVdbPlacement placement = {}; // aligned
    openvdb::CoordBBox box;           // in the index space of the placement
};

/** Finds the placement of the cells, and sets which inputs are resampled. */
void brume_vdb_find_placements(BrumeVdbFile &file, const BrumeVolumeReadDef &def);

/**
 * Finds the box, and sets cells, side and origin of the frame. BRUME_BAD_INPUT where it is too large for any machine,
 * BRUME_FAILED where the values do not fit into the available memory; the text starts with the path.
 */
BrumeStatus brume_vdb_find_box(BrumeVdbFile &file, BrumeFrameGrids *frame, const openvdb::MetaMap &metadata,
                               const char *path, BrumeError *error);

/** Sets cells, side and origin of the frame from the metadata of a file of Brume, which has them. */
void brume_vdb_read_box(BrumeFrameGrids *frame, const openvdb::MetaMap &metadata);

/** The voxels of an input that is resampled, as a dense grid; the upper face of a cell is the lower one of the next. */
openvdb::CoordBBox brume_vdb_dense_box(const BrumeVdbInput &input);

#endif

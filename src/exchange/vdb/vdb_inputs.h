/**
 * @file vdb_inputs.h
 * The grids of an OpenVDB file that are read. For C++.
 */
#ifndef BRUME_EXCHANGE_VDB_VDB_INPUTS_H
#define BRUME_EXCHANGE_VDB_VDB_INPUTS_H

#include "exchange/vdb/vdb_placement.h"
#include "exchange/volume_format.h"

#include <openvdb/Grid.h>
#include <string>
#include <vector>

/** A grid of the file, and the grid of the frame that it becomes. */
struct BrumeVdbInput {
    openvdb::GridBase::Ptr grid;
    int components;
    bool staggered;
    std::string name; // Brume's
    std::string unit;
    int number, same; // its number from 0 among the grids of its own name, and how many these are
    int colors;       // bit n: component n is color_(n+1)
    bool level_set;   // becomes the distance to the surface, positive inside
    double scale, offset;
    openvdb::CoordBBox active;
    BrumeVdbPlacement placement;
    bool resampled; // the voxels differ from the file's placement
};

/**
 * Describes the grids that are read; all members but `resampled` are set. Grids of one name that are added have the
 * same name. BRUME_BAD_INPUT with one line that starts with the path where there is none.
 */
BrumeStatus brume_vdb_choose_grids(std::vector<BrumeVdbInput> &inputs, const openvdb::GridPtrVec &grids, bool z_up,
                                   const BrumeVolumeReadDef &def, const char *path, BrumeError *error);

/** Whether there is metadata of this name and type, whose value is set then. */
template <typename Value> bool brume_vdb_get_meta(const openvdb::MetaMap &map, const char *name, Value &value)
{
    const auto found = map.getMetadata<openvdb::TypedMetadata<Value>>(name);
    if (found) {
        value = found->value();
    }
    return found != nullptr;
}

/** A text; empty: there is none. */
inline std::string brume_vdb_text_meta(const openvdb::MetaMap &map, const char *name)
{
    std::string text;
    brume_vdb_get_meta(map, name, text);
    return text;
}

inline bool brume_vdb_starts_with(const std::string &text, const char *start) { return text.rfind(start, 0) == 0; }

#endif

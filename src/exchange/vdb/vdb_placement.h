/**
 * @file vdb_placement.h
 * How the index space of an OpenVDB grid lies in Brume's box. For C++.
 */
#ifndef BRUME_EXCHANGE_VDB_VDB_PLACEMENT_H
#define BRUME_EXCHANGE_VDB_VDB_PLACEMENT_H

#include <openvdb/Grid.h>
#include <string>

/** The tolerance of lengths and directions, relative to a voxel. */
constexpr double brume_vdb_tolerance = 1e-4;

struct BrumeVdbPlacement {
    openvdb::Mat3d to_brume; // vector of the index space to Brume's axes [m]
    openvdb::Vec3d zero;     // position of index (0, 0, 0) in Brume's axes [m]
    double sides[3];         // of a voxel [m]
    double dx;               // the shortest side
    bool aligned;            // the voxels are cubes along Brume's axes, with which the next members are defined:
    int brume[3];            // index axis a is Brume's axis `brume[a]`,
    bool flipped[3];         // backwards if `flipped[a]`
};

/** A vector in the axes of a file's world, of which y or z points up, in Brume's axes. */
openvdb::Vec3d brume_vdb_turn(const openvdb::Vec3d &vector, bool z_up);

/**
 * The placement of a grid; false where its transform is not linear or cannot be inverted, such as the transform of a
 * camera's frustum.
 */
bool brume_vdb_find_placement(BrumeVdbPlacement &placement, const openvdb::GridBase &grid, bool z_up);

/** Cubes of this side [m] along Brume's axes; `zero` is the center of index (0, 0, 0). */
BrumeVdbPlacement brume_vdb_cubes(double side, const openvdb::Vec3d &zero);

/** Whether voxels of both, of which the first is aligned, are at the same places. */
bool brume_vdb_same_placement(const BrumeVdbPlacement &one, const BrumeVdbPlacement &other);

/** The position in the index space of an aligned placement of a position in Brume's axes [m]. */
openvdb::Vec3d brume_vdb_index_of(const BrumeVdbPlacement &placement, const openvdb::Vec3d &position);

/** The voxels of a placement in words: "rotated voxels of 0.05 x 0.1 x 0.05 m". */
std::string brume_vdb_describe(const BrumeVdbPlacement &placement);

#endif

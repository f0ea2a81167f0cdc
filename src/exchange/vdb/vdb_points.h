/**
 * @file vdb_points.h
 * The particles of a frame as the points of an OpenVDB file. For C++.
 */
#ifndef BRUME_EXCHANGE_VDB_VDB_POINTS_H
#define BRUME_EXCHANGE_VDB_VDB_POINTS_H

#include "exchange/frame_grids.h"

#include <openvdb/Grid.h>

/** The name of the grid of points. */
constexpr const char *brume_vdb_particles = "particles";

/**
 * Makes a grid of points with the voxels of `transform`. Its attributes are `v`, `normal`, `age`, `pscale` (the
 * radius), `kind` and `id`, all in single precision; vectors are turned where z is up. Throws as OpenVDB does.
 */
openvdb::GridBase::Ptr brume_vdb_make_points(const BrumeFrameGrids &frame, const openvdb::math::Transform &transform,
                                             bool z_up);

/** The number of grids that have points. */
std::size_t brume_vdb_count_points(const openvdb::GridPtrVec &grids);

/**
 * Reads all grids of points: the attributes of above, or `N` for the normal, where they have these types. Throws as
 * OpenVDB does.
 */
BrumeStatus brume_vdb_read_points(BrumeFrameGrids &frame, const openvdb::GridPtrVec &grids, bool z_up, const char *path,
                                  BrumeError *error);

#endif

/**
 * @file velocity_sampling.h
 * Samples of a snapshot's velocity for arrows and streamlines: at any point, and the points of a coarse regular grid.
 */
#ifndef BRUME_VIEWER_VIEWS_VELOCITY_SAMPLING_H
#define BRUME_VIEWER_VIEWS_VELOCITY_SAMPLING_H

#include "viewer/simulation/snapshot.h"

/** Whether a point [m] is inside the box and outside of all bodies. */
bool brume_point_is_in_air(const BrumeSnapshotVariant *variant, BrumeVec3 point);

/**
 * The velocity [m/s] at a point [m]: each component is interpolated trilinearly between its faces. Closer to a side of
 * the box than half a cell, the tangential components have their values at half a cell.
 */
BrumeVec3 brume_velocity_at(const BrumeSnapshotVariant *variant, BrumeVec3 point);

/** A coarse regular grid of points in a snapshot's box. */
typedef struct BrumeSampleGrid {
    int nx, ny, nz;   ///< points along each axis
    float spacing;    ///< [m]
    BrumeVec3 corner; ///< the first point [m]
} BrumeSampleGrid;

/** A sample grid of `count` >= 1 points along the longest side of the snapshot's fields, centered in them. */
BrumeSampleGrid brume_sample_grid(const BrumeSnapshotVariant *variant, int count);

/** The position of a point of the grid [m], with indices from 0. */
BrumeVec3 brume_sample_grid_point(const BrumeSampleGrid *grid, int i, int j, int k);

#endif

/**
 * @file flow.h
 * The velocity of a snapshot anywhere in its box.
 */
#ifndef BRUME_VIEWER_VIEWS_FLOW_H
#define BRUME_VIEWER_VIEWS_FLOW_H

#include "viewer/threads/snapshot.h"

/** Whether a point [m] is inside the box and in no obstacle. */
bool brume_flow_is_air(const BrumeSnapshotSide *side, BrumeVec3 point);

/** The velocity [m/s] at a point [m]: trilinear between each component's faces, held within half a cell of the sides.
 */
BrumeVec3 brume_flow_at(const BrumeSnapshotSide *side, BrumeVec3 point);

#endif

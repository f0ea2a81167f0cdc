/**
 * @file preview.h
 * Edits that wait for the next frame, shown in a snapshot of the state before it. The simulation itself is unchanged.
 */
#ifndef BRUME_VIEWER_SIMULATION_PREVIEW_H
#define BRUME_VIEWER_SIMULATION_PREVIEW_H

#include "viewer/simulation/frame_edits.h"
#include "viewer/simulation/snapshot.h"

/**
 * Applies `edits` to the copied fields and settings of variant `n` at `time` [s]: strokes have the effect of the whole
 * frame at once, without the correction of velocity by pressure and walls, and bodies have their positions after the
 * frame. Fields of new colors are created, as far as there is memory. Parallel over z-planes.
 */
void brume_preview_apply(BrumeSnapshotVariant *variant, int n, double time, const BrumeFrameEdits *edits);

#endif

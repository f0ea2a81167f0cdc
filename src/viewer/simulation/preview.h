/**
 * @file preview.h
 * Edits that wait for the next frame, shown in a snapshot of the state before it. The simulation itself is unchanged.
 */
#ifndef BRUME_VIEWER_SIMULATION_PREVIEW_H
#define BRUME_VIEWER_SIMULATION_PREVIEW_H

#include "viewer/simulation/frame_edits.h"
#include "viewer/simulation/snapshot.h"

/**
 * Shows `edits` in the copied fields and settings of variant `n` at `time` [s]: strokes have the effect of the whole
 * frame at once, that on the velocity before pressure and walls have changed it, and obstacles are where the frame will
 * have moved them. A color that the edits add is added, as far as there is memory. Parallel over z-planes.
 */
void brume_preview_apply(BrumeSnapshotVariant *variant, int n, double time, const BrumeFrameEdits *edits);

#endif

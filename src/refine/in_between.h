/**
 * @file in_between.h
 * A frame between two frames, by transport along the velocity in them (in_between.c, docs/volumes.md, Retiming).
 */
#ifndef BRUME_REFINE_IN_BETWEEN_H
#define BRUME_REFINE_IN_BETWEEN_H

#include "core/error.h"
#include "exchange/frame_grids.h"

/**
 * Fills `frame`, which is all zero, with the grids at the centers of the frame `a` at `fraction` = 0, otherwise with
 * those of `a` and `b` that both have on the same cells, `fraction` of the `interval` [s] after `a`; texture
 * coordinates and grids on faces are left out, except that velocities on the faces become those at the centers. The sum
 * of each kind of smoke is interpolated linearly. It has particles where both have (particles_between.h). The time, the
 * number, the scene and the bodies are left to the caller. BRUME_BAD_INPUT where a frame has no velocity or both have
 * other cells, BRUME_FAILED without memory; the caller frees `frame` in any case. Parallel over z-planes.
 */
BrumeStatus brume_in_between(BrumeFrameGrids *frame, const BrumeFrameGrids *a, const BrumeFrameGrids *b,
                             double fraction, double interval, BrumeError *error);

#endif

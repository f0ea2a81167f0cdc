/**
 * @file particles_between.h
 * The particles of a frame between two frames (particles_between.c).
 */
#ifndef BRUME_REFINE_PARTICLES_BETWEEN_H
#define BRUME_REFINE_PARTICLES_BETWEEN_H

#include "core/error.h"
#include "exchange/frame_grids.h"

/**
 * Adds to `frame`, which has no particles, those at `fraction` of the `interval` [s] between the frames `a` and `b`, in
 * the order of their numbers, by which those of both frames belong together. BRUME_FAILED without memory.
 */
BrumeStatus brume_particles_in_between(BrumeFrameGrids *frame, const BrumeFrameGrids *a, const BrumeFrameGrids *b,
                                       double fraction, double interval, BrumeError *error);

#endif

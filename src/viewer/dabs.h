/**
 * @file dabs.h
 * The pointer's way through the air, queued piece by piece until a frame takes it.
 */
#ifndef BRUME_VIEWER_DABS_H
#define BRUME_VIEWER_DABS_H

#include "sim/sim.h"

enum { BRUME_MAX_DABS = 256 };

/** A piece of a stroke as the pointer drew it; the solver's thread decides which frame it falls into. */
typedef struct BrumeDab {
    BrumeStroke stroke; ///< start and end are not read
    double drawn_for;   ///< wall time that the pointer took for it [s], its share of the frame
} BrumeDab;

/** A queue, oldest first. Zeroed, it is empty. */
typedef struct BrumeDabs {
    int count;
    BrumeDab dabs[BRUME_MAX_DABS];
} BrumeDabs;

/**
 * Adds a piece at the end. Where the queue is full, neighbors are joined to make room; where none can be, the oldest
 * is lost.
 */
void brume_dabs_add(BrumeDabs *dabs, const BrumeDab *dab);

/**
 * Takes pieces for the frame from `start` to `end` [s], at most `room` (0 to BRUME_MAX_STROKES): each gets the share of
 * the frame that it has of the time they were drawn for, in their order. Where there are more, those neighbors become
 * one that are shortest together, so that all of the way is gone; what still has no room stays for the next frame.
 * Returns how many were written to `strokes`.
 */
int brume_dabs_take(BrumeDabs *dabs, double start, double end, int room, BrumeStroke *strokes);

#endif

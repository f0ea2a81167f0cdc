/**
 * @file stroke_queue.h
 * The pointer's way through the air, queued piece by piece until a frame takes it.
 */
#ifndef BRUME_VIEWER_THREADS_STROKE_QUEUE_H
#define BRUME_VIEWER_THREADS_STROKE_QUEUE_H

#include "brume/sim.h"

enum { BRUME_MAX_DABS = 256 };

/** A piece of a stroke as the pointer drew it; the solver's thread decides which frame it falls into. */
typedef struct BrumeDab {
    BrumeStroke stroke; ///< start and end are not read
    double drawn_for;   ///< wall time that the pointer took for it [s], its share of the frame
} BrumeDab;

/** A queue, oldest first. Zeroed, it is empty. */
typedef struct BrumeStrokeQueue {
    int count;
    BrumeDab dabs[BRUME_MAX_DABS];
} BrumeStrokeQueue;

/**
 * Adds a piece at the end. Where the queue is full, neighbors are joined to make room; where none can be, the oldest
 * is lost.
 */
void brume_stroke_queue_add(BrumeStrokeQueue *dabs, const BrumeDab *dab);

/**
 * Takes pieces for the frame from `start` to `end` [s], at most `room` (0 to BRUME_MAX_STROKES): each gets the share of
 * the frame that it has of the time they were drawn for, in their order. Where there are more, those neighbors become
 * one that are shortest together, so that all of the way is gone; what still has no room stays for the next frame.
 * Returns how many were written to `strokes`.
 */
int brume_stroke_queue_take(BrumeStrokeQueue *dabs, double start, double end, int room, BrumeStroke *strokes);

#endif

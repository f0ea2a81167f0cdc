/**
 * @file waiting_strokes.h
 * Segments of strokes for which the queue of the next frame has no room, oldest first. They follow the queue's
 * segments, so that no part of a stroke is lost however many are drawn before a frame.
 */
#ifndef BRUME_VIEWER_SIMULATION_WAITING_STROKES_H
#define BRUME_VIEWER_SIMULATION_WAITING_STROKES_H

#include "viewer/simulation/stroke_queue.h"

/** Zeroed, it is empty. */
typedef struct BrumeWaitingStrokes {
    int count, capacity;
    BrumeStrokeSegment *segments; ///< owned
} BrumeWaitingStrokes;

/**
 * Appends a segment to the queue, or to the segments that wait if there are some or the queue has no room. Without
 * memory for that, the oldest segment of the queue is discarded.
 */
void brume_waiting_strokes_add(BrumeWaitingStrokes *waiting, BrumeStrokeQueue *queue,
                               const BrumeStrokeSegment *segment);

/** Moves as many segments to the queue as it has room for without merging. */
void brume_waiting_strokes_refill(BrumeWaitingStrokes *waiting, BrumeStrokeQueue *queue);

/** Marks the segments of a stroke as undone, or not. */
void brume_waiting_strokes_set_undone(BrumeWaitingStrokes *waiting, int edit, bool undone);

/** Removes all segments and frees their memory. */
void brume_waiting_strokes_clear(BrumeWaitingStrokes *waiting);

#endif

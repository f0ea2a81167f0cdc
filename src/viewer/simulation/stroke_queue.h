/**
 * @file stroke_queue.h
 * A first-in first-out queue of the stroke segments that the pointer has drawn, for the frames of the simulation that
 * apply them.
 */
#ifndef BRUME_VIEWER_SIMULATION_STROKE_QUEUE_H
#define BRUME_VIEWER_SIMULATION_STROKE_QUEUE_H

#include "brume/sim.h"

#include <stdbool.h>

enum { BRUME_MAX_QUEUED_SEGMENTS = 1024 };

/** One cubic segment of a stroke as the pointer drew it. A frame applies it. */
typedef struct BrumeStrokeSegment {
    BrumeStroke stroke; ///< `start` and `end` are not read
    double draw_time;   ///< wall time that drawing the segment took [s]; it sets the segment's share of the frame
    int edit;           ///< number of the stroke for undoing it, above 0; 0: it cannot be undone
} BrumeStrokeSegment;

/** The queue, oldest segment first. Zeroed, it is empty. */
typedef struct BrumeStrokeQueue {
    int count;
    BrumeStrokeSegment segments[BRUME_MAX_QUEUED_SEGMENTS];
} BrumeStrokeQueue;

/** Whether two segments are consecutive in one stroke of one brush, so that the queue can merge them. */
bool brume_stroke_segments_join(const BrumeStrokeSegment *first, const BrumeStrokeSegment *second);

/**
 * Appends a segment. If the queue is full, two consecutive segments are merged to free an entry; if no two can be
 * merged, the oldest segment is discarded.
 */
void brume_stroke_queue_add(BrumeStrokeQueue *queue, const BrumeStrokeSegment *segment);

/**
 * Removes the segments of the frame from `start` to `end` [s] and writes them to `strokes`, at most `max_count`
 * (0 to BRUME_MAX_STROKES). The frame is divided among them in order, in proportion to their draw times. If more are
 * queued, consecutive segments of one stroke are merged, shortest first; segments that still do not fit stay in the
 * queue. Returns the number of strokes written.
 */
int brume_stroke_queue_pop_frame(BrumeStrokeQueue *queue, double start, double end, int max_count,
                                 BrumeStroke *strokes);

#endif

/**
 * @file stroke_builder.h
 * Converts pointer positions to stroke segments: consecutive points are connected by cubic Hermite segments with
 * continuous direction, across events, iterations of the viewer's loop and frames, so that a fast stroke is one smooth
 * curve. The slope at a point depends on the point after it, so the last segment stays open until the next point, a
 * rest of the pointer or the end of the stroke.
 */
#ifndef BRUME_VIEWER_WINDOW_STROKE_BUILDER_H
#define BRUME_VIEWER_WINDOW_STROKE_BUILDER_H

#include "viewer/controls/controls.h"
#include "viewer/simulation/stroke_queue.h"

/** A stroke in progress. Zeroed, there is none. */
typedef struct BrumeStrokeBuilder {
    bool drawing; ///< the button is held
    int edit;     ///< number of the stroke, for its segments
    BrumeBrush brush;
    BrumeVec3 axis;              ///< axis of the brushes that attract and turn the air, towards the camera
    BrumeVec3 start, end;        ///< ends of the open segment [m]; equal if there is none
    double start_time, end_time; ///< times of the open segment [s]
    bool has_open_segment;
    bool has_slope;  ///< whether `slope` is known: after the first segment
    BrumeVec3 slope; ///< at `start`, for a segment of length 1 [m]: length at most 1, smaller in sharp turns
    int count;       ///< number of complete segments that are not drained yet
    BrumeStrokeSegment segments[BRUME_MAX_STROKES];
} BrumeStrokeBuilder;

/**
 * Begins a stroke at a point [m] and a time [s]; `edit` is its number, `axis` points towards the camera. Segments that
 * are not drained yet are not discarded.
 */
void brume_stroke_builder_begin(BrumeStrokeBuilder *builder, int edit, const BrumeBrush *brush, BrumeVec3 axis,
                                BrumeVec3 point, double time);

/** Adds a point. A point closer to the previous one than 1/50 of the radius is ignored. */
void brume_stroke_builder_add_point(BrumeStrokeBuilder *builder, BrumeVec3 point, double time);

/** Ends the stroke and completes its last segment. A stroke without motion becomes one short segment. */
void brume_stroke_builder_end(BrumeStrokeBuilder *builder, double time);

/** Discards all segments; a stroke in progress continues from its latest point at the time `now` [s]. */
void brume_stroke_builder_restart(BrumeStrokeBuilder *builder, double now);

/**
 * Removes the complete segments and writes them to `segments`; returns their number. If more than BRUME_MAX_STROKES
 * were completed since the last call, the shortest consecutive ones were merged. If the pointer rests at `now` [s], the
 * open segment is completed, and all brushes except BRUME_BRUSH_PUSH continue at its position.
 */
int brume_stroke_builder_drain(BrumeStrokeBuilder *builder, double now, BrumeStrokeSegment segments[BRUME_MAX_STROKES]);

#endif

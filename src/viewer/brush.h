/**
 * @file brush.h
 * From the pointer's way to a stroke: the points that its events give are joined by cubic Hermite pieces that meet in
 * place and in slope, across events, turns of the loop and frames, so that a fast stroke is one smooth trail. A point's
 * slope needs the point after it, so a piece is held back until the next event, a rest or the release; nothing more is.
 */
#ifndef BRUME_VIEWER_BRUSH_H
#define BRUME_VIEWER_BRUSH_H

#include "viewer/controls.h"
#include "viewer/threads/simulation_thread.h"

/** A stroke under way. Zeroed, there is none. */
typedef struct BrumeTrail {
    bool drawing; ///< the button is held
    bool pushes;  ///< the air instead of leaving smoke
    BrumeBrush brush;
    BrumeVec3 tail, head;        ///< ends of the piece that is held back; equal where there is none
    double tail_time, head_time; ///< [s]
    bool held;
    bool has_slope;  ///< whether the slope at the tail is known, as it is after the first piece
    BrumeVec3 slope; ///< there, for a piece of length 1 [m]: at most 1 long, shorter in sharp turns
    int count;       ///< pieces finished and not yet taken
    BrumeDab dabs[BRUME_MAX_STROKES];
} BrumeTrail;

/** Begins a stroke at a point [m] and a time [s]; pieces not yet taken are kept. */
void brume_trail_begin(BrumeTrail *trail, const BrumeBrush *brush, bool pushes, BrumeVec3 point, double time);

/** Draws on to a point. One that is hardly another (a fiftieth of the radius away) is merged with the one before. */
void brume_trail_draw(BrumeTrail *trail, BrumeVec3 point, double time);

/** Ends the stroke and finishes its last piece. Without any motion it was a dab: a short piece. */
void brume_trail_end(BrumeTrail *trail, double time);

/**
 * Hands over the pieces that are finished, at most BRUME_MAX_STROKES; returns how many. Where more came since the last
 * call, the shortest neighbors were joined to one. At `now` [s], a pointer that has rested for a while has its last
 * piece finished, and goes on leaving smoke where it rests.
 */
int brume_trail_take(BrumeTrail *trail, double now, BrumeDab dabs[BRUME_MAX_STROKES]);

#endif

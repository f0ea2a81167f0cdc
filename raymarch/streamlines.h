/**
 * @file streamlines.h
 * Streamlines of the velocity that a volume has at its time (instantaneous streamlines), from given points.
 */
#ifndef BRUME_RAYMARCH_STREAMLINES_H
#define BRUME_RAYMARCH_STREAMLINES_H

#include "brume/render_settings.h"
#include "core/error.h"

/** A streamline, in the direction of the velocity. All zero: none. */
typedef struct BrumeStreamline {
    int count;         ///< of points: 0, or 2 and more
    BrumeVec3 *points; ///< [m]; freed with brume_streamlines_free
} BrumeStreamline;

/**
 * Traces the streamlines through `count` evenly spaced points on the line of a rake, into `lines[count]`, each by at
 * most the length of the rake in both directions. A line ends at the sides of the box and at the solids of the
 * settings, where the speed is below a thousandth of the largest one at the points of the rake, and after 10,000 cells.
 * A point outside the box or inside a solid has none.
 *
 * The Runge-Kutta method of fourth order integrates over the arc length in steps of half a cell. `spaced`: all these
 * points are kept; otherwise only those between which the line turns by 5 degrees or extends by 4 cells. Parallel over
 * the lines. BRUME_FAILED without memory; all lines are none then.
 */
BrumeStatus brume_trace_streamlines(BrumeStreamline *lines, const BrumeRake *rake, const BrumeRenderSettings *settings,
                                    const BrumeVolume *volume, bool spaced, BrumeError *error);

/** Frees the points of lines, which are none then. */
void brume_streamlines_free(BrumeStreamline *lines, int count);

/** The longest side of the box of a volume [m]. */
float brume_volume_longest_side(const BrumeVolume *volume);

#endif

/**
 * @file strokes.h
 * The effect of one stroke on fields, which need not belong to a simulation.
 */
#ifndef BRUME_SIM_FORCES_STROKES_H
#define BRUME_SIM_FORCES_STROKES_H

#include "brume/field.h"
#include "brume/sim.h"

/** The fields that a stroke has written. */
enum { BRUME_STROKE_WROTE_SCALARS = 1, BRUME_STROKE_WROTE_VELOCITY = 2 };

/**
 * Applies the part of a stroke within `dt` [s] from `time` [s] on to fields on the grid of `def`, of which kinds of
 * smoke may have no data. Ghosts are not written. Returns the written fields, as bits. Parallel over z-planes.
 */
unsigned brume_apply_stroke(const BrumeStroke *stroke, const BrumeSimDef *def, double time, double dt,
                            BrumeField fields[BRUME_FIELD_COUNT]);

/**
 * An upper bound of the speed to which a stroke accelerates air at rest [m/s], on cells of `dx` [m]: of the
 * translation, the rotation at the radius and the flow along the axis. 0 for a stroke that does not push.
 */
double brume_stroke_speed(const BrumeStroke *stroke, float dx);

#endif

/**
 * @file curve.h
 * Evaluation of curves at many positions, and their check.
 */
#ifndef BRUME_RAYMARCH_CURVE_H
#define BRUME_RAYMARCH_CURVE_H

#include "brume/curve.h"

#include <stdbool.h>

/** A curve with its slopes: cubics from point to point. */
typedef struct BrumeCubics {
    int count;
    float at[BRUME_MAX_CURVE_POINTS], value[BRUME_MAX_CURVE_POINTS];
    float slope[BRUME_MAX_CURVE_POINTS]; ///< of a smooth curve
    bool smooth;
} BrumeCubics;

/** The cubics of a curve that has points. */
BrumeCubics brume_curve_cubics(const BrumeCurve *curve);

/** As brume_curve_at. */
float brume_cubics_at(const BrumeCubics *cubics, float position);

/** Whether a curve has a valid number of points, finite and with increasing positions, and values of at least 0. */
bool brume_curve_is_valid(const BrumeCurve *curve);

#endif

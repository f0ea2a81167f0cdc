/**
 * @file curve.h
 * A function of one number, given by control points.
 */
#ifndef BRUME_CURVE_H
#define BRUME_CURVE_H

#include "brume/export.h"

BRUME_BEGIN_DECLS

enum { BRUME_MAX_CURVE_POINTS = 16 };

/** How a curve passes from point to point. */
typedef enum BrumeCurveKind {
    BRUME_CURVE_LINEAR, ///< straight
    BRUME_CURVE_SMOOTH, ///< by cubics that have no extrema between the points
} BrumeCurveKind;

/** A control point: the value at a position. */
typedef struct BrumeCurvePoint {
    float at, value;
} BrumeCurvePoint;

/** The value is constant before the first and after the last point. */
typedef struct BrumeCurve {
    BrumeCurveKind kind;
    int count;                                      ///< 0: there is no curve; otherwise 2 to BRUME_MAX_CURVE_POINTS
    BrumeCurvePoint points[BRUME_MAX_CURVE_POINTS]; ///< with increasing positions
} BrumeCurve;

/**
 * The value of a curve that has points. The smooth one is the monotone cubic of Fritsch and Butland, "A method for
 * constructing local monotone piecewise cubic interpolants", SIAM Journal on Scientific and Statistical Computing 5(2),
 * 1984. NaN counts as a position before the first point.
 */
BRUME_API float brume_curve_at(const BrumeCurve *curve, float position);

BRUME_END_DECLS

#endif

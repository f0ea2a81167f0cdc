/**
 * @file flow_coefficients.h
 * Drag and lift coefficients of a body in a free stream: its force over 1/2 U^2 A, with the speed U of the stream and
 * the area A of the body's projection along it. All functions are pure.
 */
#ifndef BRUME_VIEWER_EDIT_FLOW_COEFFICIENTS_H
#define BRUME_VIEWER_EDIT_FLOW_COEFFICIENTS_H

#include "brume/sim_def.h"

/** The velocity of the stream [m/s]: that of the fastest inflow, or without one of the wind; 0: there is none. */
BrumeVec3 brume_free_stream(const BrumeSimDef *settings);

/**
 * The area of the projection of a shape along a direction of unit length [m^2], by 128 x 128 rays over the sphere
 * around it: for a sphere within 0.2 %. 0 for a half space.
 */
float brume_frontal_area(const BrumeShape *shape, BrumeVec3 direction);

/** The coefficients of a body. */
typedef struct BrumeFlowCoefficients {
    float drag; ///< along the stream
    float lift; ///< across the stream, upwards; in a vertical stream along x
} BrumeFlowCoefficients;

/** The coefficients for a force over the density of the air [m^4/s^2]; the stream [m/s] and the area [m^2] are not 0.
 */
BrumeFlowCoefficients brume_flow_coefficients(BrumeVec3 force, BrumeVec3 stream, float area);

#endif

/**
 * @file ground.h
 * The pattern of the ground plane: its albedo at a point, averaged over about one pixel, so that squares that are
 * smaller than a pixel in the picture become their mean and do not alias.
 */
#ifndef BRUME_RAYMARCH_GROUND_H
#define BRUME_RAYMARCH_GROUND_H

#include "brume/render_settings.h"
#include "core/vec3.h"

/**
 * The albedo of the ground at `point` [m], which a ray of the unit `direction` hits after `distance` [m], averaged over
 * an angle of 1 mrad of the ray: about one pixel of a picture of 960 pixels with a field of view of 40 degrees.
 */
BrumeVec3 brume_ground_albedo(const BrumeRenderSettings *settings, BrumeVec3 point, BrumeVec3 direction,
                              float distance);

enum { BRUME_GROUND_POINTS = 64 };

/** Points of the ground, and the rays that hit them. */
typedef struct BrumeGroundPoints {
    _Alignas(64) float x[BRUME_GROUND_POINTS];
    float z[BRUME_GROUND_POINTS];            ///< [m]
    float direction[3][BRUME_GROUND_POINTS]; ///< x, y and z of the unit vectors
    float distance[BRUME_GROUND_POINTS];     ///< [m]
    float albedo[3][BRUME_GROUND_POINTS];    ///< the result
} BrumeGroundPoints;

/** Sets the albedo of all points, with the bits of brume_ground_albedo. Faster than one by one for patterns. */
void brume_ground_albedos(const BrumeRenderSettings *settings, BrumeGroundPoints *points);

/**
 * The share of `ground_albedo` in the albedo of all points, of patterns that mix two albedos: checker and noise.
 * Octaves of the noise in which the share varies by less than `least_amplitude` are replaced by their mean.
 */
void brume_ground_mixtures(const BrumeRenderSettings *settings, const BrumeGroundPoints *points, float least_amplitude,
                           float shares[BRUME_GROUND_POINTS]);

/** The mean albedo of the whole ground. */
BrumeVec3 brume_ground_mean_albedo(const BrumeRenderSettings *settings);

#endif

/**
 * @file sky_distribution.h
 * Directions towards the sky, chosen in proportion to its radiance: piecewise constant in the sine of the elevation,
 * of which rings of equal height on the unit sphere have equal solid angles (pbrt-v4, section A.4.7).
 */
#ifndef BRUME_RAYMARCH_PATH_SKY_DISTRIBUTION_H
#define BRUME_RAYMARCH_PATH_SKY_DISTRIBUTION_H

#include "brume/render_settings.h"
#include "core/vec3.h"
#include "raymarch/path/path_sampler.h"

enum { BRUME_SKY_RINGS = 64 };

/** The distribution of one sky. With a ground, directions below the horizon are left out. */
typedef struct BrumeSkyDistribution {
    float lowest;                          ///< height of the lowest direction: 0 or -1
    float cumulative[BRUME_SKY_RINGS + 1]; ///< from 0 to 1; all 0 where the sky is black
} BrumeSkyDistribution;

BrumeSkyDistribution brume_sky_distribution(const BrumeRenderSettings *settings);

/** A unit vector towards the sky and its density [1/sr]; the density is 0 where the sky is black. */
BrumeVec3 brume_sky_sample(const BrumeSkyDistribution *sky, BrumePair random, float *density);

/** The density [1/sr] of a direction. */
float brume_sky_density(const BrumeSkyDistribution *sky, BrumeVec3 direction);

#endif

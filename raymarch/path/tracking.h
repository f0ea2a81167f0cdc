/**
 * @file tracking.h
 * Unbiased tracking of light through a grid medium: where a ray collides with the medium, and its transmittance. Both
 * sample the trilinear extinction itself, so neither depends on a marching step. Homogeneous tracking through
 * macro-cells with their majorants: Woodcock et al., "Techniques used in the GEM code", Argonne National Laboratory
 * 1965 (delta tracking); Novak, Selle, Jarosz, "Residual ratio tracking for estimating attenuation in participating
 * media", ACM Transactions on Graphics 33(6), 2014 (ratio tracking); pbrt-v4, sections 11.2 and 14.1.
 */
#ifndef BRUME_RAYMARCH_PATH_TRACKING_H
#define BRUME_RAYMARCH_PATH_TRACKING_H

#include "raymarch/grid_medium.h"
#include "raymarch/intersect.h"
#include "raymarch/path_sampler.h"

#include <stdbool.h>

/** A collision: where light is scattered or absorbed. */
typedef struct BrumeCollision {
    BrumeVec3 point; ///< [m]
    BrumeVec3 cells; ///< the point of the loaded medium [cells] whose smoke is there
} BrumeCollision;

/**
 * Whether a ray [m] collides with the medium before `limit` [m], with the probability 1 - transmittance; then
 * `*collision` is distributed as extinction times transmittance (delta tracking).
 */
bool brume_track_collision(const BrumeGridMedium *medium, const BrumeRay *ray, float limit, BrumePathSampler *sampler,
                           BrumeCollision *collision);

/** An estimate of the transmittance of a ray [m] up to `limit` [m], at least 0; its mean is exact (ratio tracking). */
float brume_track_transmittance(const BrumeGridMedium *medium, const BrumeRay *ray, float limit,
                                BrumePathSampler *sampler);

#endif

/**
 * @file march.h
 * Ray marching: radiance that smoke scatters and emits along a ray, and its transmittance.
 */
#ifndef BRUME_RAYMARCH_CPU_MARCH_H
#define BRUME_RAYMARCH_CPU_MARCH_H

#include "core/vec3.h"
#include "raymarch/intersect.h"
#include "raymarch/light/lit_medium.h"
#include "raymarch/ray_parts.h"

/** The radiance that the smoke on a ray adds, and its transmittance for the radiance behind it. */
typedef struct BrumeMarchResult {
    BrumeVec3 radiance;
    float transmittance;
} BrumeMarchResult;

/** The steps of a march. */
typedef struct BrumeMarchSteps {
    float length; ///< [cells]
    float jitter; ///< by which the steps are shifted, in [0, 1) of their length
    float time;   ///< of the ray, from the middle of the shutter's opening [s]
} BrumeMarchSteps;

/** Marches through a lit medium along a ray [m] up to the distance `limit` [m]. */
BrumeMarchResult brume_march(const BrumeLitMedium *lit, const BrumeRay *ray, float limit, BrumeMarchSteps steps);

/** As brume_march, and adds the radiance to `parts`, unless that is NULL, by the source of its light. */
BrumeMarchResult brume_march_parts(const BrumeLitMedium *lit, const BrumeRay *ray, float limit, BrumeMarchSteps steps,
                                   BrumeRayParts *parts);

/** Transmittance of a medium along a ray [m] up to the distance `limit` [m], in steps of the settings' length. */
float brume_march_transmittance(const BrumeLitMedium *lit, const BrumeRay *ray, float limit);

/** The same for light, which particles attenuate too. */
float brume_shadow_transmittance(const BrumeLitMedium *lit, const BrumeRay *ray, float limit);

/** Distance [m] along a ray [m] at which the transmittance has fallen to `transmittance`; INFINITY if not before
 * `limit`. */
float brume_march_to_transmittance(const BrumeLitMedium *lit, const BrumeRay *ray, float limit, float transmittance);

/**
 * Marches along a ray [m] up to the distance `limit` [m], in steps of the settings' length, and calls `add` for each
 * step with smoke, with the distance [m] of its midpoint and the fraction of the light from behind the smoke that it
 * takes away. Returns the fraction that is left. The medium need not be lit.
 */
float brume_march_weights(const BrumeLitMedium *lit, const BrumeRay *ray, float limit,
                          void (*add)(void *context, float distance, float weight), void *context);

#endif

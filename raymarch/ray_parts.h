/**
 * @file ray_parts.h
 * The radiance along a ray, divided by the source of its light, and the surfaces on the ray: from them the layers of a
 * picture are made.
 */
#ifndef BRUME_RAYMARCH_RAY_PARTS_H
#define BRUME_RAYMARCH_RAY_PARTS_H

#include "brume/render_settings.h"
#include "core/vec3.h"

/** The parts of the radiance along one ray, or their sums over several rays. */
typedef struct BrumeRayParts {
    BrumeVec3 lights[BRUME_MAX_LIGHTS]; ///< radiance that started at each light
    BrumeVec3 sky;                      ///< radiance that started at the sky
    BrumeVec3 emission;                 ///< radiance that started at glowing smoke
    float transmittance;                ///< of the smoke
    float alpha;                        ///< BrumePictureLayers.alpha
} BrumeRayParts;

/** Adds `weight` times `radiance` to a part of the sum. */
static inline void brume_add_part(BrumeVec3 *sum, BrumeVec3 radiance, float weight)
{
    *sum = brume_add(*sum, brume_scale(radiance, weight));
}

/** Adds to `sum` `weight` times the radiance of the sky, of glowing smoke and of the first `lights` lights. */
static inline void brume_add_parts(BrumeRayParts *sum, const BrumeRayParts *parts, float weight, int lights)
{
    brume_add_part(&sum->sky, parts->sky, weight);
    brume_add_part(&sum->emission, parts->emission, weight);
    for (int n = 0; n < lights; n++) {
        brume_add_part(&sum->lights[n], parts->lights[n], weight);
    }
}

#endif

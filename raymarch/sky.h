/**
 * @file sky.h
 * The light that comes from no lamp: the sky's radiance, and how the ground fades into it. Formulas for every
 * renderer.
 */
#ifndef BRUME_RAYMARCH_SKY_H
#define BRUME_RAYMARCH_SKY_H

#include "brume/render_settings.h"
#include "core/vec3.h"

/** Sides of the volume's box after which the ground has faded to 1/e of its contrast with the horizon. */
#define BRUME_GROUND_FADE 7.0f

/** Radiance seen along the unit vector `direction`: horizon to zenith with the cube of what is left to the zenith. */
static inline BrumeVec3 brume_sky_radiance(const BrumeRenderSettings *look, BrumeVec3 direction)
{
    const float left = 1.0f - fminf(fmaxf(direction.y, 0.0f), 1.0f);
    const float horizon = left * left * left;
    return brume_add(brume_scale(look->sky_horizon, horizon), brume_scale(look->sky_zenith, 1.0f - horizon));
}

/** Share of the ground's own radiance that is seen from a `distance`, both in sides of the volume's box. */
static inline float brume_ground_share(float distance)
{
    const float faded = distance / BRUME_GROUND_FADE;
    return expf(-faded * faded);
}

#endif

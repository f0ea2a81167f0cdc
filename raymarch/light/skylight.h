/**
 * @file skylight.h
 * Light from all directions outside the smoke: the radiance of the sky and of the ground below, and the irradiance of
 * surfaces. scattered_light.h transports it through the smoke.
 */
#ifndef BRUME_RAYMARCH_LIGHT_SKYLIGHT_H
#define BRUME_RAYMARCH_LIGHT_SKYLIGHT_H

#include "brume/error.h"
#include "brume/render_settings.h"
#include "core/elementary.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "raymarch/light/ordinates.h"
#include "raymarch/light/sky_image.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    BRUME_IRRADIANCE_ENTRIES = 33, ///< of the table of irradiance over the height of the surface normal
};

/** Distance, in longest sides of the box, at which the ground's contrast with the horizon has faded to 1/e. */
#define BRUME_GROUND_FADE 7.0f

/**
 * Radiance of the sky along the unit vector `direction`. A gradient goes from horizon to zenith with
 * 1 - (1 - sin elevation)^3. Daylight must have been replaced by its image (brume_lit_medium_set_settings).
 */
static inline BrumeVec3 brume_sky_radiance(const BrumeRenderSettings *settings, BrumeVec3 direction)
{
    if (settings->sky.kind == BRUME_SKY_CONSTANT) {
        return settings->sky.radiance;
    }
    if (settings->sky.kind == BRUME_SKY_IMAGE) {
        return brume_sky_image_radiance(&settings->sky, direction);
    }
    const float below_zenith = 1.0f - brume_fminf(brume_fmaxf(direction.y, 0.0f), 1.0f);
    const float horizon = below_zenith * below_zenith * below_zenith;
    return brume_add(brume_scale(settings->sky_horizon, horizon), brume_scale(settings->sky_zenith, 1.0f - horizon));
}

/** Radiance of the sky at the horizon below or above the unit vector `direction`. */
static inline BrumeVec3 brume_horizon_radiance(const BrumeRenderSettings *settings, BrumeVec3 direction)
{
    if (settings->sky.kind == BRUME_SKY_GRADIENT) {
        return settings->sky_horizon;
    }
    return brume_sky_radiance(settings, brume_normalize(brume_vec3(direction.x, 0.0f, direction.z)));
}

/** Weight of the ground's own radiance, against the horizon's, at a `distance` in longest sides of the box. */
static inline float brume_ground_fade(float distance)
{
    const float scaled = distance / BRUME_GROUND_FADE;
    return brume_expf(-scaled * scaled);
}

/** Light from all directions, of one set of settings. */
typedef struct BrumeSkylight {
    BrumeVec3 incident[BRUME_ORDINATES]; ///< mean radiance of sky and ground around each ordinate
    /** Irradiance / pi of unoccluded sky and ground on surfaces whose normal has a y of -1 to 1. */
    BrumeVec3 irradiance_by_height[BRUME_IRRADIANCE_ENTRIES];
    bool is_image; ///< the sky is an image: the members below are used, and of the members above only the last entry
    BrumeVec3 image_means[BRUME_ORDINATES]; ///< of the sky over the solid angle of each ordinate
    BrumeVec3 ground;                       ///< radiance of the unshadowed ground; 0 where there is none
    BrumeSkyIntegrals integrals;            ///< of the sky alone
    BrumeSky sky;                           ///< of which they are
    uint64_t serial;                        ///< another number for every other image; 0 for none
    bool above_ground;                      ///< they leave out directions below the horizon
} BrumeSkylight;

/** Computes the tables. BRUME_FAILED without memory; the sky is unchanged then. */
BrumeStatus brume_skylight_set_settings(BrumeSkylight *sky, const BrumeRenderSettings *settings, BrumeError *error);

/** Irradiance / pi of unoccluded sky and ground on a surface with this unit normal. */
BrumeVec3 brume_skylight_irradiance(const BrumeSkylight *sky, BrumeVec3 normal);

#endif

/**
 * @file skylight.h
 * Light from all directions: the radiance of the sky, and what of sky and ground arrives inside the medium, on the
 * ground and on surfaces.
 */
#ifndef BRUME_RAYMARCH_LIGHT_SKYLIGHT_H
#define BRUME_RAYMARCH_LIGHT_SKYLIGHT_H

#include "brume/error.h"
#include "brume/render_settings.h"
#include "core/elementary.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "raymarch/grid_medium.h"
#include "raymarch/light/sky_image.h"
#include "raymarch/light/transmittance_sweep.h"

#include <stddef.h>
#include <stdint.h>

enum {
    BRUME_SKY_BATCH = 8,           ///< directions swept concurrently
    BRUME_SKY_DIRECTIONS = 32,     ///< sampled over the sphere
    BRUME_SKY_CELLS = 48,          ///< maximum cells of the coarse grid along a side
    BRUME_SKY_CHANNELS = 4,        ///< red, green, blue, and the unoccluded fraction of all directions
    BRUME_GROUND_MAP = 64,         ///< points along each side of the map of the ground's sky visibility
    BRUME_IRRADIANCE_ENTRIES = 33, ///< of the table of irradiance over the height of the surface normal
};

/** Distance, in longest sides of the box, at which the ground's contrast with the horizon has faded to 1/e. */
#define BRUME_GROUND_FADE 7.0f

/**
 * Radiance of the sky along the unit vector `direction`. A gradient goes from horizon to zenith with
 * 1 - (1 - sin elevation)^3. Daylight must have been replaced by its image (brume_sky_prepare).
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

/** Light from all directions in one medium. Directions are swept through a coarse copy of the medium. */
typedef struct BrumeSkylight {
    int factor;               ///< cells of the medium along a side of a coarse cell
    BrumeField extinction[3]; ///< coarse extinction for diffusing light, by color [1/coarse cell]
    BrumeField transposed;    ///< scratch: one of them with x and z exchanged
    BrumeTransmittanceSweep sweeps[BRUME_SKY_BATCH]; ///< scratch
    float
        *radiance; ///< mean over all directions at coarse cells, with ghosts (nz+2 x ny+2 x nx+2 x BRUME_SKY_CHANNELS)
    float *ground_visibility; ///< unoccluded fraction of the sky (BRUME_GROUND_MAP x BRUME_GROUND_MAP), x fastest
    BrumeVec3 ground_lower, ground_upper; ///< corners of that map [m]
    /** Irradiance / pi of unoccluded sky and ground on surfaces whose normal has a y of -1 to 1. */
    BrumeVec3 irradiance_by_height[BRUME_IRRADIANCE_ENTRIES];
    bool is_image; ///< the sky is an image: the members below are used, and of those above only the last entry
    BrumeVec3 mean_radiance[BRUME_SKY_DIRECTIONS]; ///< of the sky over the solid angle of each direction
    BrumeVec3 ground;                              ///< radiance of the unshadowed ground; 0 where there is none
    BrumeSkyIntegrals integrals;                   ///< of the sky alone
    BrumeSky sky;                                  ///< of which they are
    uint64_t serial;                               ///< another number for every other image; 0 for none
    bool above_ground;                             ///< they leave out directions below the horizon
} BrumeSkylight;

/** The direction in which light of the `n`-th direction of the sky travels: points of a Fibonacci spiral. */
BrumeVec3 brume_sky_direction(int n);

/** Allocates for volumes of up to `capacity`. BRUME_FAILED without memory; to be destroyed in any case. */
BrumeStatus brume_skylight_create(BrumeSkylight *sky, BrumeGrid capacity, BrumeError *error);

void brume_skylight_destroy(BrumeSkylight *sky);

/** Bytes allocated for volumes of up to `capacity`. */
size_t brume_skylight_bytes(BrumeGrid capacity);

/** Computes the irradiance table. BRUME_FAILED without memory; the sky is unchanged then. */
BrumeStatus brume_skylight_set_settings(BrumeSkylight *sky, const BrumeRenderSettings *settings, BrumeError *error);

/** Computes radiance and ground visibility for a loaded medium. Parallel over directions and cells. */
void brume_skylight_fill(BrumeSkylight *sky, const BrumeGridMedium *medium, const BrumeRenderSettings *settings);

/** Mean radiance from all directions at a `point` [cells] of the box, and the unoccluded fraction of directions. */
void brume_skylight_at(const BrumeSkylight *sky, BrumeVec3 point, float light[BRUME_SKY_CHANNELS]);

/** Fraction of the sky that smoke leaves visible from a point of the ground [m]. */
float brume_skylight_ground_visibility(const BrumeSkylight *sky, BrumeVec3 point);

/** Irradiance / pi of unoccluded sky and ground on a surface with this unit normal. */
BrumeVec3 brume_skylight_irradiance(const BrumeSkylight *sky, BrumeVec3 normal);

#endif

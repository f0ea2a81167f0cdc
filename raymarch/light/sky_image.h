/**
 * @file sky_image.h
 * An image of the sky: its radiance in a direction, and its means for the light volumes: over the solid angles of the
 * swept directions, and irradiance by surface normal.
 */
#ifndef BRUME_RAYMARCH_LIGHT_SKY_IMAGE_H
#define BRUME_RAYMARCH_LIGHT_SKY_IMAGE_H

#include "brume/render_settings.h"
#include "core/error.h"
#include "core/vec3.h"

#include <stddef.h>

/** The heights cos(pi row / height) of the edge above a row of an image, and of the edge below its last row. */
float brume_sky_row_edge(int row, int height);

/** The azimuth of the left edge of an image that is not turned [rad]: columns go on from it in clockwise order, seen
 * from above. The azimuth of (x, z) is atan2(z, x). */
float brume_sky_first_azimuth(const BrumeSky *sky);

/**
 * Radiance along the unit vector `direction` of a sky of the kind BRUME_SKY_IMAGE: bilinear interpolation between the
 * centers of texels, around the vertical axis without a seam.
 */
BrumeVec3 brume_sky_image_radiance(const BrumeSky *sky, BrumeVec3 direction);

/** The angle about the vertical axis from one entry of the table of irradiance to the next is 2 pi over this. */
enum { BRUME_SKY_AZIMUTHS = 32, BRUME_SKY_POLAR_ANGLES = 33 };

/** Integrals of a sky image. Directions below the horizon are left out where there is a ground. */
typedef struct BrumeSkyIntegrals {
    /**
     * Irradiance / pi of the sky on surfaces by their normal: by its angle to the vertical, from straight down to
     * straight up, then by its azimuth atan2(z, x); the last azimuth repeats the first.
     */
    BrumeVec3 irradiance[BRUME_SKY_AZIMUTHS + 1][BRUME_SKY_POLAR_ANGLES];
} BrumeSkyIntegrals;

/**
 * Computes the irradiance of the sky of `settings`, which is an image, and the mean radiance over the solid angle
 * around each of `count` unit vectors `towards`: of all directions that are closer to it than to the others. The mean
 * of the results over the unit vectors is the mean of the sky. With a ground, only unit vectors above the horizon
 * receive light. BRUME_FAILED without memory.
 */
BrumeStatus brume_sky_integrate(BrumeSkyIntegrals *integrals, const BrumeRenderSettings *settings,
                                const BrumeVec3 *towards, int count, BrumeVec3 *means, BrumeError *error);

/** The irradiance / pi of a table on a surface with this unit normal: bilinear interpolation. */
BrumeVec3 brume_sky_irradiance(const BrumeSkyIntegrals *integrals, BrumeVec3 normal);

/** Checks an image: BRUME_BAD_INPUT where its size is out of range or a value is negative or not finite. */
BrumeStatus brume_sky_image_check(const BrumeSkyImage *image, BrumeError *error);

#endif

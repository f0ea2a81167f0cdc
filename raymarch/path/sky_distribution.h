/**
 * @file sky_distribution.h
 * Directions towards the sky, chosen in proportion to its radiance: constant in every cell of a table of rows and
 * columns. A row lies between two heights on the unit sphere, so that its solid angle is their difference times 2 pi
 * (pbrt-v4, sections 12.5.2 and A.5). An image has a cell for each texel or, where it is large, for a block of them,
 * whose density is in proportion to the mean of the interpolated image; a gradient has rows of equal height with one
 * column.
 */
#ifndef BRUME_RAYMARCH_PATH_SKY_DISTRIBUTION_H
#define BRUME_RAYMARCH_PATH_SKY_DISTRIBUTION_H

#include "brume/render_settings.h"
#include "core/error.h"
#include "core/vec3.h"
#include "raymarch/path_sampler.h"

#include <stddef.h>

enum {
    BRUME_SKY_RINGS = 64,           ///< rows of a sky that is no image
    BRUME_SKY_MAX_TABLE_SIDE = 2048 ///< rows and columns of an image
};

/** The distribution of one sky. With a ground, directions below the horizon are left out. */
typedef struct BrumeSkyDistribution {
    int rows, columns;
    float lowest;        ///< height of the lowest direction: 0 or -1
    float first_azimuth; ///< of the left edge of the columns [rad]
    float *heights;      ///< above `lowest`, of the lower edge of each row, rising, and of the upper edge of the last
    float *row_cdf;      ///< probability of the rows below each row, from 0 to 1 (rows + 1); all 0 where it is black
    float concentration; ///< mean density of its directions over the density of uniform directions, 1 or more
    float *column_cdf;   ///< of the columns before each column, given the row, from 0 to 1 (rows x (columns + 1))
} BrumeSkyDistribution;

/** Computes the distribution. BRUME_FAILED without memory; to be destroyed in any case. */
BrumeStatus brume_sky_distribution_create(BrumeSkyDistribution *sky, const BrumeRenderSettings *settings,
                                          BrumeError *error);

void brume_sky_distribution_destroy(BrumeSkyDistribution *sky);

/** The bytes that brume_sky_distribution_create allocates. */
size_t brume_sky_distribution_bytes(const BrumeRenderSettings *settings);

/** A unit vector towards the sky and its density [1/sr]; the density is 0 where the sky is black. */
BrumeVec3 brume_sky_sample(const BrumeSkyDistribution *sky, BrumePair random, float *density);

/** The density [1/sr] of a direction. */
float brume_sky_density(const BrumeSkyDistribution *sky, BrumeVec3 direction);

#endif

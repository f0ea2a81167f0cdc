/**
 * @file ground_image.h
 * A picture on the ground: its albedo, averaged over about one pixel by levels of halved sides, with several samples
 * where the pixel's footprint is long (anisotropic filtering).
 */
#ifndef BRUME_RAYMARCH_GROUND_IMAGE_H
#define BRUME_RAYMARCH_GROUND_IMAGE_H

#include "brume/render_settings.h"
#include "core/error.h"

/**
 * The albedo of the picture of `settings` at `point` [m], averaged over `width` [m] across the horizontal part of a
 * unit `direction` and `length` [m] along it, `width` <= `length`; outside a picture that does not repeat,
 * `ground_albedo`.
 */
BrumeVec3 brume_ground_image_albedo(const BrumeRenderSettings *settings, BrumeVec3 point, BrumeVec3 direction,
                                    float width, float length);

/** The mean albedo of the picture. */
BrumeVec3 brume_ground_image_mean(const BrumeGroundImage *image);

/** Checks the picture: BRUME_BAD_INPUT where there is none, or its size is out of range. */
BrumeStatus brume_ground_image_check(const BrumeGroundImage *image, BrumeError *error);

#endif

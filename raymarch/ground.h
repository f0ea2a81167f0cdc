/**
 * @file ground.h
 * The pattern of the ground plane: its albedo at a point, averaged over about one pixel, so that squares that are
 * smaller than that in the picture become their mean and do not alias.
 */
#ifndef BRUME_RAYMARCH_GROUND_H
#define BRUME_RAYMARCH_GROUND_H

#include "brume/render_settings.h"
#include "core/vec3.h"

/**
 * The albedo of the ground at `point` [m], which a ray of the unit `direction` hits after `distance` [m], averaged over
 * an angle of 1 mrad of the ray: about one pixel of a picture of 960 pixels with a field of view of 40 degrees.
 */
BrumeVec3 brume_ground_albedo(const BrumeRenderSettings *settings, BrumeVec3 point, BrumeVec3 direction,
                              float distance);

/** The mean albedo of the whole ground. */
BrumeVec3 brume_ground_mean_albedo(const BrumeRenderSettings *settings);

#endif

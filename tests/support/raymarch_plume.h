/**
 * @file raymarch_plume.h
 * A volume that needs no simulation: a billowing plume of hashed value noise.
 */
#ifndef BRUME_TESTS_SUPPORT_RAYMARCH_PLUME_H
#define BRUME_TESTS_SUPPORT_RAYMARCH_PLUME_H

#include "brume/camera.h"
#include "brume/render_settings.h"
#include "brume/volume.h"

#include <math.h>

/**
 * A plume that rises from the floor of a box of n x 3n/2 x n cells, 1 m wide, centered over the origin on y = 0. With
 * `colors`, its smoke is a mixture of the kinds 1 and 2 that varies across its width, instead of kind 0. Free the
 * densities with plume_destroy.
 */
BrumeVolume plume_create(int n, int colors);

void plume_destroy(BrumeVolume *volume);

/** A camera that shows the whole plume. */
extern const BrumeCamera plume_camera;

/** Settings with lights of each kind and a solid of each shape. */
BrumeRenderSettings plume_settings(void);

#endif

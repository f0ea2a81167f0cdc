/**
 * @file default_look.h
 * A look for volumes without a scene, as those of other programs.
 */
#ifndef BRUME_APP_VOLUMES_DEFAULT_LOOK_H
#define BRUME_APP_VOLUMES_DEFAULT_LOOK_H

#include "core/error.h"
#include "exchange/frame_grids.h"

/**
 * Composes the text of a scene, to be freed with brume_free: the camera has the whole box in view, from the front and a
 * little above, and the extinction is brume_density_scale (1/m without smoke), so that the smoke is neither invisible
 * nor black. `name` is the title. BRUME_FAILED without memory.
 */
BrumeStatus brume_default_look(const BrumeFrameGrids *frame, const char *name, char **text, BrumeError *error);

#endif

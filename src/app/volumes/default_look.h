/**
 * @file default_look.h
 * A look for volumes without a scene, as those of other programs.
 */
#ifndef BRUME_APP_VOLUMES_DEFAULT_LOOK_H
#define BRUME_APP_VOLUMES_DEFAULT_LOOK_H

#include "core/error.h"
#include "exchange/frame_grids.h"

#include <stdbool.h>

/** What the look of a sequence depends on. All zero: of no volume yet. */
typedef struct BrumeVolumeExtent {
    int count;                 ///< of volumes
    double lower[3], upper[3]; ///< corners of the box around all [m]
    double scale;              ///< least brume_density_scale; 0: no smoke
    bool burns;                ///< one has flames
} BrumeVolumeExtent;

/** Adds a volume that brume_drawn_volume_read has read. */
void brume_volume_extent_add(BrumeVolumeExtent *extent, const BrumeFrameGrids *frame);

/**
 * By how much volumes of this extent must be moved [m] so that positions in single precision suffice: 0 unless they are
 * farther from the origin than a scene may be, or than 2^17 cells of side `dx` [m].
 */
void brume_volume_extent_shift(const BrumeVolumeExtent *extent, double dx, double shift[3]);

/**
 * Composes the text of a scene, to be freed with brume_free: the camera has the whole box in view, from the front and a
 * little above, and the extinction is the density scale (1/m without smoke), so that the smoke is neither invisible nor
 * black; flames glow as in the preset Fire. `name` is the title. `options`, of `size` bytes, become the options of the
 * command line that give the same view and extinction. BRUME_FAILED without memory.
 */
BrumeStatus brume_default_look(const BrumeVolumeExtent *extent, const char *name, char **text, char *options,
                               size_t size, BrumeError *error);

#endif

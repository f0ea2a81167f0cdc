/**
 * @file volume_look.h
 * The look of volumes: the scene with whose camera, lights and materials they are drawn.
 */
#ifndef BRUME_APP_VOLUMES_VOLUME_LOOK_H
#define BRUME_APP_VOLUMES_VOLUME_LOOK_H

#include "app/cli/messages.h"
#include "brume/scene.h"
#include "brume/sim.h"
#include "core/error.h"
#include "exchange/frame_grids.h"

#include <stdbool.h>

typedef struct BrumeVolumeLookDef {
    const char *look;             ///< file of a scene; NULL: that of the volume
    const char *path;             ///< of the volume
    const char *const *overrides; ///< "KEY=VALUE" of values of the scene
    int override_count;
    int last_frame; ///< of the sequence
} BrumeVolumeLookDef;

/**
 * Makes the look: that of `def->look`, of the scene that the volume was simulated from, or one that fits the volume. In
 * the last case `frame->scene_text` becomes its text. Fails as brume_scene_load does, and with BRUME_BAD_INPUT where an
 * override would change what was simulated, which has no effect on volumes; `*scene` is NULL then. Otherwise the caller
 * frees it.
 */
BrumeStatus brume_volume_look_load(BrumeScene **scene, BrumeFrameGrids *frame, const BrumeVolumeLookDef *def,
                                   BrumeError *error);

/**
 * Moves the obstacles of `def`, those of a look, to their positions in a frame. False, with `def` unchanged, where the
 * frame has another number of them.
 */
bool brume_volume_look_place_obstacles(BrumeSimDef *def, const BrumeFrameGrids *frame);

/** Warns where a look, of the scene at `path`, has another number of obstacles than the volumes: what is drawn then. */
void brume_volume_look_warn_of_obstacles(const BrumeScene *look, const char *path, const BrumeFrameGrids *frame,
                                         BrumeMessages *messages);

#endif

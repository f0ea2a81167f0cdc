/**
 * @file volume_look.h
 * The look of volumes: the scene with whose camera, lights and materials they are drawn.
 */
#ifndef BRUME_APP_VOLUMES_VOLUME_LOOK_H
#define BRUME_APP_VOLUMES_VOLUME_LOOK_H

#include "app/cli/messages.h"
#include "app/cli/paths.h"
#include "app/cli/sequence.h"
#include "app/volumes/drawn_volume.h"
#include "brume/scene.h"
#include "brume/sim.h"
#include "core/error.h"
#include "exchange/frame_grids.h"

#include <stdbool.h>

typedef struct BrumeVolumeLookDef {
    const char *look;             ///< file of a scene; NULL: the volume's
    const char *path;             ///< of the volume
    const char *const *overrides; ///< "KEY=VALUE" of values of the scene
    int override_count;
    int last_frame;                    ///< of the sequence
    const BrumeOutputPattern *pattern; ///< of the sequence; of a single file without a number
    const BrumeSequence *sequence;
} BrumeVolumeLookDef;

/** The look that was made for volumes without a scene. Zeroed: not made yet, or they have a scene. */
typedef struct BrumeMadeLook {
    bool made;         ///< the look is one that fits the volumes
    char options[512]; ///< of the command line, with which any volumes have the same view and extinction
    int files;         ///< that it fits
} BrumeMadeLook;

/**
 * Loads the look: from `def->look`, from the scene that the volume was simulated from, or one that fits the sequence:
 * up to BRUME_LOOK_FILES of its files, at equal distances. In the last case `frame->scene_text` becomes its text,
 * `made` is filled, and volumes far from the origin, also `frame`, are moved by `volumes->shift`. Fails as
 * brume_scene_load does, and with BRUME_BAD_INPUT where an override would change the simulation, which has no effect on
 * volumes; `*scene` is NULL then. Otherwise the caller frees it.
 */
BrumeStatus brume_volume_look_load(BrumeScene **scene, BrumeFrameGrids *frame, const BrumeVolumeLookDef *def,
                                   BrumeDrawnVolumes *volumes, BrumeMadeLook *made, BrumeError *error);

enum { BRUME_LOOK_FILES = 16 };

/** Appends lines on the differences of the first volume from its file, and on the look where it has no scene. */
void brume_volume_look_list_notes(const BrumeScene *scene, const BrumeFrameGrids *frame, const BrumeVolumeLookDef *def,
                                  const BrumeDrawnVolumes *volumes, const BrumeMadeLook *made, BrumeText *lines);

/**
 * Moves the bodies of the look `def` to their positions in a frame. False, with `def` unchanged, where the frame has
 * another number of them.
 */
bool brume_volume_look_place_bodies(BrumeSimDef *def, const BrumeFrameGrids *frame);

/** Warns where the look from the scene at `path` has another number of bodies than the volumes. */
void brume_volume_look_warn_of_bodies(const BrumeScene *look, const char *path, const BrumeFrameGrids *frame,
                                      BrumeMessages *messages);

#endif

/**
 * @file frame_edits.h
 * What one frame applies of the edits of the user, or what waits for the next one.
 */
#ifndef BRUME_VIEWER_SIMULATION_FRAME_EDITS_H
#define BRUME_VIEWER_SIMULATION_FRAME_EDITS_H

#include "viewer/simulation/edit_log.h"

#include <stdbool.h>

/** Zeroed, there are none. */
typedef struct BrumeFrameEdits {
    const BrumeSimDef *settings[BRUME_MAX_VARIANTS]; ///< of the variants, of the log; NULL: none
    int color_count[BRUME_MAX_VARIANTS];             ///< of these
    const BrumeAnimation *animation;                 ///< that begins, of the log; NULL: none
    BrumeStrokeQueue strokes;                        ///< for all variants
    uint64_t placed, moved;                          ///< a bit for each obstacle that is placed, and then moved
    BrumeObstacleDef obstacles[BRUME_MAX_OBSTACLES]; ///< those that are placed; of a volume, without samples
    BrumeVec3 displacements[BRUME_MAX_OBSTACLES];    ///< of those that are moved [m]
} BrumeFrameEdits;

/** Collects the entries from `position` to before `end` that have an effect; `variants`: those of the frame. */
void brume_frame_edits_collect(BrumeFrameEdits *edits, const BrumeEditLog *log, int position, int end,
                               const BrumeLogVariants *variants);

/** Whether there are strokes or motions. */
bool brume_frame_edits_are_visible(const BrumeFrameEdits *edits);

/** Replaces the obstacles of `settings` that are placed, and adds those that are new. Returns a bit for each. */
uint64_t brume_frame_edits_place(const BrumeFrameEdits *edits, BrumeSimDef *settings);

#endif

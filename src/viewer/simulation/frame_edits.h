/**
 * @file frame_edits.h
 * The edits of the user that one frame applies, or that wait for the next one.
 */
#ifndef BRUME_VIEWER_SIMULATION_FRAME_EDITS_H
#define BRUME_VIEWER_SIMULATION_FRAME_EDITS_H

#include "viewer/simulation/edit_log.h"

#include <stdbool.h>

/** Edits for one frame. Zeroed: there are none. */
typedef struct BrumeFrameEdits {
    const BrumeSimDef *settings[BRUME_MAX_VARIANTS]; ///< new settings of each variant, owned by the log; NULL: none
    int color_count[BRUME_MAX_VARIANTS];             ///< number of colors in these settings
    const BrumeAnimation *animation;                 ///< new animated values, owned by the log; NULL: none
    BrumeStrokeQueue strokes;                        ///< for all variants
    uint64_t placed, moved;                          ///< a bit for each body that is placed, and then moved
    BrumeBodyDef bodies[BRUME_MAX_BODIES];           ///< bodies that are placed
    BrumeVec3 displacements[BRUME_MAX_BODIES];       ///< displacements of moved bodies [m]
    BrumeVec3 turns[BRUME_MAX_BODIES];               ///< changes of their rotations [degrees]
} BrumeFrameEdits;

/** Collects the effective entries `position` <= n < `end`; `variants`: the variants of the frame. */
void brume_frame_edits_collect(BrumeFrameEdits *edits, const BrumeEditLog *log, int position, int end,
                               const BrumeLogVariants *variants);

/** Whether there are strokes or motions. */
bool brume_frame_edits_are_visible(const BrumeFrameEdits *edits);

/** Replaces the bodies of `settings` that are placed, and adds those that are new. Returns a bit for each. */
uint64_t brume_frame_edits_place(const BrumeFrameEdits *edits, BrumeSimDef *settings);

#endif

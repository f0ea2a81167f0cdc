/**
 * @file frame_change.h
 * Composes the change that a frame applies to a variant, from what the user has done and what the scene prescribes.
 */
#ifndef BRUME_VIEWER_SIMULATION_FRAME_CHANGE_H
#define BRUME_VIEWER_SIMULATION_FRAME_CHANGE_H

#include "brume/animation.h"
#include "brume/timeline.h"
#include "viewer/simulation/frame_edits.h"

#include <stdbool.h>

/** What a frame is given. */
typedef struct BrumeFrameInput {
    int frame;                       ///< frames finished before it
    double time;                     ///< simulated time at its start [s]
    const BrumeSimDef *now;          ///< the settings before it
    const BrumeChange *scheduled;    ///< what the scene prescribes; NULL: nothing
    const BrumeFrameEdits *edits;    ///< by the user: settings instead of those of the scene, and all else beside them
    int variant;                     ///< of which these settings are
    const BrumeAnimation *animation; ///< whose obstacles move; NULL: none
    bool keeps_settings;             ///< neither settings nor placed obstacles change
} BrumeFrameInput;

/** A change, with the memory that it points to: it is not copied. */
typedef struct BrumeFrameChange {
    BrumeSimDef settings;
    BrumeStroke strokes[BRUME_MAX_STROKES];
    BrumeMove moves[2 * BRUME_MAX_OBSTACLES];
    BrumeChange change;
    uint64_t moved_by_keys, placed_by_keys; ///< a bit for each obstacle: what is not a change by the user
} BrumeFrameChange;

/** Composes the change of a frame. Its strokes are those that are scheduled, and then those of the user. */
void brume_frame_change_compose(BrumeFrameChange *composed, const BrumeFrameInput *input);

/** Whether the change changes nothing. */
bool brume_frame_change_is_empty(const BrumeFrameChange *composed);

/** Takes what keys do to obstacles out of a change: a scene has that as its animation. */
void brume_frame_change_drop_keys(BrumeFrameChange *composed);

#endif

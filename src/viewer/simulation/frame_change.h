/**
 * @file frame_change.h
 * Composes the change that a frame applies to a variant from the user's edits and the scene's scheduled changes.
 */
#ifndef BRUME_VIEWER_SIMULATION_FRAME_CHANGE_H
#define BRUME_VIEWER_SIMULATION_FRAME_CHANGE_H

#include "brume/animation.h"
#include "brume/timeline.h"
#include "viewer/simulation/frame_edits.h"

#include <stdbool.h>

/** The input of a frame. */
typedef struct BrumeFrameInput {
    int frame;                       ///< frames finished before it
    double time;                     ///< simulated time at its start [s]
    const BrumeSimDef *now;          ///< the settings before it
    const BrumeChange *scheduled;    ///< scheduled changes of the scene; NULL: none
    const BrumeFrameEdits *edits;    ///< edits of the user; their settings replace scheduled ones, others are added
    int variant;                     ///< index of the variant with these settings
    const BrumeAnimation *animation; ///< animated values, which move bodies; NULL: none
    bool keeps_settings;             ///< neither settings nor placed bodies change
} BrumeFrameInput;

/** A change, with the memory that it points to. It must not be copied. */
typedef struct BrumeFrameChange {
    BrumeSimDef settings;
    BrumeStroke strokes[BRUME_MAX_STROKES];
    BrumeMove moves[2 * BRUME_MAX_BODIES];
    BrumeChange change;
} BrumeFrameChange;

/** Composes the change of a frame. Its strokes are the scheduled ones, followed by the user's. */
void brume_frame_change_compose(BrumeFrameChange *composed, const BrumeFrameInput *input);

/** Whether the change has no effect. */
bool brume_frame_change_is_empty(const BrumeFrameChange *composed);

#endif

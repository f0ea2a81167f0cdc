/**
 * @file timeline.h
 * What is done to a simulation while it runs, each deed bound to a frame: from the same timeline comes the same state,
 * bit for bit, whether a hand did it live or a file tells it.
 */
#ifndef BRUME_TIMELINE_H
#define BRUME_TIMELINE_H

#include "brume/error.h"
#include "brume/export.h"
#include "brume/sim.h"

BRUME_BEGIN_DECLS

/** An obstacle that travels during one frame. */
typedef struct BrumeMove {
    int obstacle;       ///< index in the settings
    BrumeVec3 velocity; ///< [m/s]
} BrumeMove;

/** What is done before the frame after `frame` finished ones. */
typedef struct BrumeChange {
    int frame;                   ///< frames finished when it is done: 0 for before the first
    int stroke_count;            ///< pieces that act during the coming frame, 0 to BRUME_MAX_STROKES
    int move_count;              ///< obstacles that travel during the coming frame, 0 to BRUME_MAX_OBSTACLES
    const BrumeSimDef *settings; ///< all settings from here on, NULL where they stay; places of obstacles are not taken
    const BrumeStroke *strokes;
    const BrumeMove *moves;
} BrumeChange;

/** Changes of rising frames, at most one a frame. Zeroed, it is empty. */
typedef struct BrumeTimeline {
    int count, capacity;
    BrumeChange *changes; ///< own what they point to
} BrumeTimeline;

/**
 * Adds a copy of a change, of a later frame than all there are. BRUME_FAILED without memory; the timeline is as
 * before then.
 */
BRUME_API BrumeStatus brume_timeline_add(BrumeTimeline *timeline, const BrumeChange *change, BrumeError *error);

/** Makes `copy`, which holds nothing yet, the same as `timeline`. BRUME_FAILED without memory; `copy` is empty then. */
BRUME_API BrumeStatus brume_timeline_copy(BrumeTimeline *copy, const BrumeTimeline *timeline, BrumeError *error);

/** Frees all changes; the timeline is empty after it. */
BRUME_API void brume_timeline_clear(BrumeTimeline *timeline);

/** The change to be done after `frame` finished frames, NULL where there is none. */
BRUME_API const BrumeChange *brume_timeline_find(const BrumeTimeline *timeline, int frame);

/**
 * Applies a change to a simulation: its settings by brume_sim_change, its strokes by brume_sim_set_strokes, its moves
 * by brume_sim_move. Fails as brume_sim_change does, and with BRUME_BAD_INPUT where a move names no obstacle or its
 * velocity is not finite; the simulation is then as it was before the call.
 */
BRUME_API BrumeStatus brume_change_apply(const BrumeChange *change, BrumeSim *sim, BrumeError *error);

BRUME_END_DECLS

#endif

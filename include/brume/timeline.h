/**
 * @file timeline.h
 * Changes of a running simulation, each bound to a frame number. The same timeline gives the same states, bit for bit,
 * whether its changes were recorded from an interactive session or read from a file.
 */
#ifndef BRUME_TIMELINE_H
#define BRUME_TIMELINE_H

#include "brume/error.h"
#include "brume/export.h"
#include "brume/sim.h"

BRUME_BEGIN_DECLS

/** The motion of a body during one frame. */
typedef struct BrumeMove {
    int body;                ///< index in the settings
    BrumeVec3 velocity;      ///< [m/s]
    BrumeVec3 rotation_rate; ///< change of the rotation of its shape [degrees/s]
} BrumeMove;

/** A change that is applied before frame number `frame` + 1. */
typedef struct BrumeChange {
    int frame;        ///< frames finished before it is applied, from 0
    int stroke_count; ///< strokes of the next frame, 0 to BRUME_MAX_STROKES
    int move_count;   ///< moves of the next frame, 0 to BRUME_MAX_BODIES
    /** New settings, NULL for none. Of bodies that exist already, only the ones in `placed` are taken from them. */
    const BrumeSimDef *settings;
    uint64_t placed;            ///< a bit for each body that `settings` replace, 1 << 0 for the first
    const BrumeStroke *strokes; ///< `stroke_count` of them
    const BrumeMove *moves;     ///< `move_count` of them
} BrumeChange;

/** Changes in the order of their frames, at most one for each frame. A zeroed timeline is empty. */
typedef struct BrumeTimeline {
    int count, capacity;
    BrumeChange *changes; ///< `count` of them, which own the arrays that they point to
} BrumeTimeline;

/**
 * Appends a copy of a change and of the arrays that it points to. Its frame must be greater than the frames of all
 * changes in the timeline. BRUME_FAILED without memory; the timeline is unchanged then.
 */
BRUME_API BrumeStatus brume_timeline_add(BrumeTimeline *timeline, const BrumeChange *change, BrumeError *error);

/**
 * Copies a timeline into `copy`, whose former contents are not freed. BRUME_FAILED without memory; `copy` is empty
 * then.
 */
BRUME_API BrumeStatus brume_timeline_copy(BrumeTimeline *copy, const BrumeTimeline *timeline, BrumeError *error);

/** Frees all changes; the timeline is empty afterwards. An empty timeline is allowed. */
BRUME_API void brume_timeline_clear(BrumeTimeline *timeline);

/** The change with this `frame`, NULL if there is none; valid until the timeline is changed. */
BRUME_API const BrumeChange *brume_timeline_find(const BrumeTimeline *timeline, int frame);

/**
 * Applies a change to a simulation: its settings by brume_sim_change, its strokes by brume_sim_set_strokes, its moves
 * by brume_sim_move_and_turn. Fails as brume_sim_change does, and with BRUME_BAD_INPUT where a move names no body or
 * its velocity or its rate is not finite; the simulation is then as it was before the call.
 */
BRUME_API BrumeStatus brume_change_apply(const BrumeChange *change, BrumeSim *sim, BrumeError *error);

BRUME_END_DECLS

#endif

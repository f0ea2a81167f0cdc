/**
 * @file pending_edits.h
 * Edits by the user that the next frame applies. Strokes and motions of obstacles carry the number of their edit, by
 * which it is undone.
 */
#ifndef BRUME_VIEWER_SIMULATION_PENDING_EDITS_H
#define BRUME_VIEWER_SIMULATION_PENDING_EDITS_H

#include "brume/animation.h"
#include "brume/sim.h"
#include "viewer/simulation/snapshot.h"
#include "viewer/simulation/stroke_queue.h"

#include <stdbool.h>

enum { BRUME_MAX_QUEUED_MOTIONS = 4 * BRUME_MAX_OBSTACLES };

/** The displacement of an obstacle during a frame by one edit, or its replacement before the frame, for all variants.
 */
typedef struct BrumeObstacleMotion {
    int edit;    ///< number of the edit, above 0; 0: one that cannot be undone
    bool undone; ///< has no effect
    int obstacle;
    BrumeVec3 displacement; ///< [m]
    bool stays;             ///< a restart begins with it; otherwise with the obstacle where it was before
    bool places;          ///< the obstacle becomes `def`, after earlier displacements; the first that is not there yet
                          ///< is added
    BrumeObstacleDef def; ///< of a volume, the simulation has the samples
} BrumeObstacleMotion;

/** Zeroed, there are none. */
typedef struct BrumePendingEdits {
    bool settings_changed[BRUME_MAX_VARIANTS];
    BrumeSimDef settings[BRUME_MAX_VARIANTS];
    const BrumeAnimation *animation; ///< of all variants from the next frame on; NULL: as before
    BrumeStrokeQueue strokes;        ///< for all variants
    int motion_count;
    BrumeObstacleMotion motions[BRUME_MAX_QUEUED_MOTIONS];
} BrumePendingEdits;

/** Adds a motion; those of the same obstacle by the same edit add up, and where there is no room, those by any edit. */
void brume_pending_edits_move(BrumePendingEdits *edits, const BrumeObstacleMotion *motion);

/** Marks the strokes and motions of an edit as undone, or not. */
void brume_pending_edits_set_undone(BrumePendingEdits *edits, int edit, bool undone);

/**
 * Replaces the obstacles of `settings` that the edits place, and adds those that are new; `placed` gets a bit for each.
 */
void brume_pending_edits_place(const BrumePendingEdits *edits, BrumeSimDef *settings, uint64_t *placed);

/** What a motion leaves of an obstacle for a restart: its place in `settings` if the motion stays. */
void brume_obstacle_motion_keep(const BrumeObstacleMotion *motion, BrumeSimDef *settings);

/** Removes strokes and motions, also those that are undone; obstacles that were placed stay. */
void brume_pending_edits_clear(BrumePendingEdits *edits);

/** Whether there are strokes or motions that are not undone. */
bool brume_pending_edits_have_effect(const BrumePendingEdits *edits);

/** The displacement of an obstacle by all motions that are not undone; false if there is none. */
bool brume_pending_edits_displacement(const BrumePendingEdits *edits, int obstacle, BrumeVec3 *displacement);

#endif

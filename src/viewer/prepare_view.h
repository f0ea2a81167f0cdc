/**
 * @file prepare_view.h
 * A sight: what is wished to be seen of a snapshot, ready to be drawn. Smoke or a quantity loaded and lit, solids in
 * their places, drawing built.
 */
#ifndef BRUME_VIEWER_PREPARE_VIEW_H
#define BRUME_VIEWER_PREPARE_VIEW_H

#include "viewer/threads/render_thread.h"

/** A side, ready to be drawn. */
typedef struct BrumeSightSide {
    BrumeRenderer *renderer;  ///< NULL before the first time
    BrumeGrid grid;           ///< that it has memory for
    BrumeRenderSettings look; ///< that it draws with
} BrumeSightSide;

/** Zeroed, it is empty. */
typedef struct BrumeSight {
    int sides;
    BrumeSightSide side[BRUME_MAX_SIDES];
} BrumeSight;

/** Room for quantities on their way into a sight; zeroed, it is empty. It remembers the scales, so that they hold
 * still.
 */
typedef struct BrumeSightRoom {
    BrumeField values[BRUME_MAX_SIDES];
    BrumeField kinds[BRUME_VOLUME_KINDS];
    BrumeScale scale[BRUME_MAX_SIDES];
    bool has_scale[BRUME_MAX_SIDES];
    BrumeViewKind view; ///< that the scales are of
} BrumeSightRoom;

/**
 * Makes a sight ready for what `wish` shows of a snapshot, and fills `drawing` (one a side), which is emptied first.
 * Memory is taken anew where a grid is another. BRUME_FAILED without memory; the sight cannot be drawn then.
 */
BrumeStatus brume_sight_prepare(BrumeSight *sight, BrumeSightRoom *room, const BrumeSnapshot *snapshot,
                                const BrumeRenderRequest *wish, BrumeDrawing *drawing, BrumeError *error);

/** Whether two wishes want the same from brume_sight_prepare. */
bool brume_sight_same(const BrumeRenderRequest *a, const BrumeRenderRequest *b);

/** Memory that a sight holds [bytes]. */
size_t brume_sight_bytes(const BrumeSight *sight);

void brume_sight_destroy(BrumeSight *sight);
void brume_sight_room_destroy(BrumeSightRoom *room);

#endif

#include "viewer/simulation/pending_edits.h"

#include "core/vec3.h"

void brume_pending_edits_move(BrumePendingEdits *edits, const BrumeObstacleMotion *motion)
{
    const bool is_full = edits->motion_count == BRUME_MAX_QUEUED_MOTIONS;
    for (int n = edits->motion_count - 1; n >= 0; n--) {
        BrumeObstacleMotion *other = &edits->motions[n];
        if (other->obstacle == motion->obstacle && (is_full || other->edit == motion->edit)) {
            other->displacement = brume_add(other->displacement, motion->displacement);
            return;
        }
    }
    if (!is_full) {
        edits->motions[edits->motion_count++] = *motion;
    }
}

void brume_pending_edits_set_undone(BrumePendingEdits *edits, int edit, bool undone)
{
    for (int n = 0; n < edits->strokes.count; n++) {
        BrumeStrokeSegment *segment = &edits->strokes.segments[n];
        segment->undone = segment->edit == edit ? undone : segment->undone;
    }
    for (int n = 0; n < edits->motion_count; n++) {
        BrumeObstacleMotion *motion = &edits->motions[n];
        motion->undone = motion->edit == edit ? undone : motion->undone;
    }
}

void brume_pending_edits_clear(BrumePendingEdits *edits)
{
    edits->strokes.count = 0;
    edits->motion_count = 0;
}

bool brume_pending_edits_have_effect(const BrumePendingEdits *edits)
{
    bool found = false;
    for (int n = 0; n < edits->strokes.count; n++) {
        found = found || !edits->strokes.segments[n].undone;
    }
    for (int n = 0; n < edits->motion_count; n++) {
        found = found || !edits->motions[n].undone;
    }
    return found;
}

bool brume_pending_edits_displacement(const BrumePendingEdits *edits, int obstacle, BrumeVec3 *displacement)
{
    bool found = false;
    *displacement = (BrumeVec3){0};
    for (int n = 0; n < edits->motion_count; n++) {
        const BrumeObstacleMotion *motion = &edits->motions[n];
        if (motion->obstacle == obstacle && !motion->undone) {
            *displacement = brume_add(*displacement, motion->displacement);
            found = true;
        }
    }
    return found;
}

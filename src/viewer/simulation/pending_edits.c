#include "viewer/simulation/pending_edits.h"

#include "core/shape.h"
#include "core/vec3.h"

void brume_pending_edits_move(BrumePendingEdits *edits, const BrumeObstacleMotion *motion)
{
    const bool is_full = edits->motion_count == BRUME_MAX_QUEUED_MOTIONS;
    bool is_latest = true; // of those of this obstacle
    for (int n = edits->motion_count - 1; n >= 0; n--) {
        BrumeObstacleMotion *other = &edits->motions[n];
        if (other->obstacle != motion->obstacle) {
            continue;
        }
        const bool same = other->places == motion->places && other->stays == motion->stays && is_latest;
        is_latest = false;
        if (same && motion->places && (is_full || other->edit == motion->edit)) {
            other->def = motion->def;
            return;
        }
        if (same && (is_full || other->edit == motion->edit)) {
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
    int kept = 0;
    for (int n = 0; n < edits->motion_count; n++) {
        if (edits->motions[n].stays && !edits->motions[n].undone) {
            edits->motions[kept++] = edits->motions[n];
        }
    }
    edits->strokes.count = 0;
    edits->motion_count = kept;
}

// replaces an obstacle, or adds it; false where it would be none of the next
static bool place(const BrumeObstacleMotion *motion, BrumeSimDef *settings)
{
    const int n = motion->obstacle;
    if (n > settings->obstacle_count || n >= BRUME_MAX_OBSTACLES) {
        return false;
    }
    const BrumeObstacleDef before = settings->obstacles[n];
    settings->obstacles[n] = motion->def;
    if (motion->def.shape.kind == BRUME_SHAPE_VOLUME) {
        settings->obstacles[n].shape.samples = n < settings->obstacle_count ? before.shape.samples : NULL;
    }
    settings->obstacle_count += n == settings->obstacle_count;
    return true;
}

void brume_pending_edits_place(const BrumePendingEdits *edits, BrumeSimDef *settings, uint64_t *placed)
{
    for (int n = 0; n < edits->motion_count; n++) {
        const BrumeObstacleMotion *motion = &edits->motions[n];
        if (motion->places && !motion->undone && place(motion, settings)) {
            *placed |= (uint64_t)1 << motion->obstacle;
        }
    }
}

void brume_obstacle_motion_keep(const BrumeObstacleMotion *motion, BrumeSimDef *settings)
{
    const int n = motion->obstacle;
    if (!motion->stays || motion->undone) {
        return;
    }
    if (motion->places) {
        (void)place(motion, settings);
    } else if (n < settings->obstacle_count) {
        settings->obstacles[n].shape = brume_shape_moved(&settings->obstacles[n].shape, motion->displacement);
    }
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
        if (motion->obstacle != obstacle || motion->undone) {
            continue;
        }
        if (motion->places) { // it is where it was placed
            *displacement = (BrumeVec3){0};
            found = false;
        } else {
            *displacement = brume_add(*displacement, motion->displacement);
            found = true;
        }
    }
    return found;
}

#include "viewer/simulation/frame_edits.h"

#include "core/vec3.h"

// adds a motion to the earlier ones of the frame, or replaces the body
static void add_motion(BrumeFrameEdits *edits, const BrumeBodyMotion *motion)
{
    const int n = motion->body;
    const uint64_t bit = (uint64_t)1 << n;
    if (motion->replaces) { // earlier motions have no effect any more
        edits->bodies[n] = motion->def;
        edits->placed |= bit;
        edits->moved &= ~bit;
    } else {
        const bool moved = (edits->moved & bit) != 0;
        edits->displacements[n] = brume_add(moved ? edits->displacements[n] : (BrumeVec3){0}, motion->displacement);
        edits->turns[n] = brume_add(moved ? edits->turns[n] : (BrumeVec3){0}, motion->turn);
        edits->moved |= bit;
    }
}

void brume_frame_edits_collect(BrumeFrameEdits *edits, const BrumeEditLog *log, int position, int end,
                               const BrumeLogVariants *variants)
{
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        edits->settings[n] = NULL;
    }
    edits->animation = NULL;
    edits->strokes.count = 0;
    edits->placed = edits->moved = 0;
    for (int at = position; at < end; at++) {
        const BrumeLogEntry *entry = &log->entries.items[at];
        if (!brume_log_entry_has_effect(entry)) {
            continue;
        }
        for (int n = 0; n < variants->count && entry->kind == BRUME_LOG_SETTINGS; n++) {
            if (entry->variant == variants->ids[n]) {
                edits->settings[n] = entry->settings;
                edits->color_count[n] = entry->settings->color_count;
            }
        }
        if (entry->kind == BRUME_LOG_STROKE) {
            brume_stroke_queue_add(&edits->strokes, &entry->segment);
        } else if (entry->kind == BRUME_LOG_MOTION) {
            add_motion(edits, &entry->motion);
        } else if (entry->kind == BRUME_LOG_ANIMATION) {
            edits->animation = entry->animation;
        }
    }
}

bool brume_frame_edits_are_visible(const BrumeFrameEdits *edits)
{
    return edits->strokes.count > 0 || edits->placed != 0 || edits->moved != 0;
}

uint64_t brume_frame_edits_place(const BrumeFrameEdits *edits, BrumeSimDef *settings)
{
    uint64_t placed = 0;
    for (int n = 0; n < BRUME_MAX_BODIES; n++) {
        const uint64_t bit = (uint64_t)1 << n;
        placed |= (edits->placed & bit) != 0 && brume_place_body(settings, n, &edits->bodies[n]) ? bit : 0;
    }
    return placed;
}

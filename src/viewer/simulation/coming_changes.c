#include "viewer/simulation/coming_changes.h"

#include "core/shape.h"
#include "core/vec3.h"
#include "sim/settings/settings.h"
#include "sim/state/state.h"
#include "viewer/simulation/frame_change.h"

/** Frames have one length since the latest change of the frame rate. */
typedef struct FrameClock {
    double base_time; // [s]
    int base_frame;
    float fps;
} FrameClock;

// the time at the start of a frame, computed as the simulation does, bit for bit
static double start_of(const FrameClock *clock, int frame)
{
    return clock->base_time + (frame - clock->base_frame) / (double)clock->fps;
}

static void set_rate(FrameClock *clock, float fps, int frame)
{
    if (fps != clock->fps) {
        *clock = (FrameClock){start_of(clock, frame), frame, fps};
    }
}

// the settings after a frame, with the obstacles where it has moved them
static BrumeSimDef settings_after(const BrumeSimDef *now, const BrumeChange *change)
{
    BrumeSimDef after = change->settings ? *change->settings : *now;
    for (int n = 0; n < change->move_count; n++) {
        BrumeShape *shape = &after.obstacles[change->moves[n].obstacle].shape;
        const BrumeVec3 by = brume_scale(change->moves[n].velocity, 1.0f / after.fps);
        *shape = brume_shape_moved(shape, by);
    }
    return after;
}

BrumeStatus brume_undoable_session_add_coming_changes(BrumeUndoableSession *undoable, int variant,
                                                      BrumeTimeline *timeline, bool *any, BrumeError *error)
{
    const BrumeSession *session = &undoable->session;
    const BrumeEditLog *log = undoable->log;
    const BrumeSim *sim = session->variants[variant].sim;
    const BrumeLogVariants variants = brume_session_variants(session);
    BrumeFrameEdits *edits = &undoable->edits;
    BrumeSimDef now = *brume_sim_settings(sim);
    FrameClock clock = {sim->base_time, sim->base_frames, now.fps};
    BrumeFrameInput input = {.frame = session->frame, .edits = edits, .variant = variant};
    BrumeStatus status = BRUME_OK;
    int position = log->taken;
    *any = false;
    do {
        BrumeFrameChange composed;
        input.now = &now;
        input.time = start_of(&clock, input.frame);
        input.scheduled = brume_timeline_find(session->scene_timeline, input.frame);
        const int room = BRUME_MAX_STROKES - (input.scheduled ? input.scheduled->stroke_count : 0);
        const int end = brume_edit_log_frame_end(log, position, room);
        brume_frame_edits_collect(edits, log, position, end, &variants);
        *any = *any || brume_frame_edits_are_visible(edits) || edits->settings[variant];
        brume_frame_change_compose(&composed, &input);
        input.keeps_settings = composed.change.settings && brume_sim_check(composed.change.settings, NULL) != BRUME_OK;
        if (input.keeps_settings) {
            brume_frame_change_compose(&composed, &input);
            input.keeps_settings = false;
        }
        if (!brume_frame_change_is_empty(&composed)) {
            status = brume_timeline_add(timeline, &composed.change, error);
        }
        now = settings_after(&now, &composed.change);
        set_rate(&clock, now.fps, input.frame);
        input.frame++;
        position = end;
    } while (status == BRUME_OK && position < log->entries.count);
    return status == BRUME_OK ? brume_session_add_scheduled_changes(session, input.frame, timeline, error) : status;
}

BrumeStatus brume_session_add_scheduled_changes(const BrumeSession *session, int frame, BrumeTimeline *timeline,
                                                BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < session->scene_timeline->count && status == BRUME_OK; n++) {
        const BrumeChange *scheduled = &session->scene_timeline->changes[n];
        if (scheduled->frame >= frame) {
            status = brume_timeline_add(timeline, scheduled, error);
        }
    }
    return status;
}

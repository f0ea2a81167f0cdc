#include "viewer/simulation/coming_changes.h"

#include "core/shape.h"
#include "core/vec3.h"
#include "sim/settings/settings.h"
#include "sim/state/state.h"
#include "viewer/simulation/frame_change.h"

// returns the settings after a frame, with the bodies at the positions to which it has moved them
static BrumeSimDef settings_after(const BrumeSimDef *now, const BrumeChange *change)
{
    BrumeSimDef after = change->settings ? *change->settings : *now;
    for (int n = 0; n < change->move_count; n++) {
        BrumeShape *shape = &after.bodies[change->moves[n].body].shape;
        *shape = brume_shape_after_motion(shape, brume_scale(change->moves[n].velocity, 1.0f / after.fps),
                                          brume_scale(change->moves[n].rotation_rate, 1.0f / after.fps));
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
    double base_time = sim->base_time; // time of the latest change of the frame rate, as in BrumeSim
    int base_frame = sim->base_frames;
    BrumeFrameInput input = {.frame = session->frame, .edits = edits, .variant = variant};
    BrumeStatus status = BRUME_OK;
    int position = log->taken;
    *any = false;
    do {
        BrumeFrameChange composed;
        input.now = &now;
        input.time = base_time + (input.frame - base_frame) / (double)now.fps;
        input.scheduled = brume_timeline_find(session->scene_timeline, input.frame);
        const int room = BRUME_MAX_STROKES - (input.scheduled ? input.scheduled->stroke_count : 0);
        const int end = brume_edit_log_frame_end(log, position, room);
        brume_frame_edits_collect(edits, log, position, end, &variants);
        *any = *any || brume_frame_edits_are_visible(edits) || edits->settings[variant];
        input.keeps_settings = false;
        brume_frame_change_compose(&composed, &input);
        input.keeps_settings = composed.change.settings && brume_sim_check(composed.change.settings, NULL) != BRUME_OK;
        if (input.keeps_settings) {
            brume_frame_change_compose(&composed, &input);
        }
        if (!brume_frame_change_is_empty(&composed)) {
            status = brume_timeline_add(timeline, &composed.change, error);
        }
        const float fps = now.fps;
        now = settings_after(&now, &composed.change);
        if (now.fps != fps) {
            base_time = input.time;
            base_frame = input.frame;
        }
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

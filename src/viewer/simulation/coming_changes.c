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

BrumeStatus brume_session_add_coming_changes(const BrumeSession *session, int variant, const BrumePendingEdits *edits,
                                             BrumeTimeline *timeline, BrumeError *error)
{
    const BrumeSim *sim = session->variants[variant].sim;
    static const BrumePendingEdits none;
    BrumeSimDef now = *brume_sim_settings(sim);
    BrumeStrokeQueue strokes = {0};
    for (int n = 0; n < edits->strokes.count; n++) {
        if (!edits->strokes.segments[n].undone) {
            brume_stroke_queue_add(&strokes, &edits->strokes.segments[n]);
        }
    }
    FrameClock clock = {sim->base_time, sim->base_frames, now.fps};
    BrumeFrameInput input = {
        .frame = session->frame,
        .requested = edits->settings_changed[variant] ? &edits->settings[variant] : NULL,
        .edits = edits,
    };
    BrumeStatus status = BRUME_OK;
    bool is_first = true;
    while (status == BRUME_OK && (is_first || strokes.count > 0)) {
        const BrumeStrokeQueue all_strokes = strokes;
        BrumeFrameChange composed;
        input.now = &now;
        input.time = start_of(&clock, input.frame);
        input.scheduled = brume_timeline_find(&session->scene_timeline, input.frame);
        brume_frame_change_compose(&composed, &input, &strokes);
        input.keeps_settings = composed.change.settings && brume_sim_check(composed.change.settings, NULL) != BRUME_OK;
        if (input.keeps_settings) {
            strokes = all_strokes;
            brume_frame_change_compose(&composed, &input, &strokes);
            input.keeps_settings = false;
        }
        if (!brume_frame_change_is_empty(&composed)) {
            status = brume_timeline_add(timeline, &composed.change, error);
        }
        now = settings_after(&now, &composed.change);
        set_rate(&clock, now.fps, input.frame);
        input.frame++;
        input.requested = NULL;
        input.edits = &none;
        is_first = false;
    }
    return status == BRUME_OK ? brume_session_add_scheduled_changes(session, input.frame, timeline, error) : status;
}

BrumeStatus brume_session_add_scheduled_changes(const BrumeSession *session, int frame, BrumeTimeline *timeline,
                                                BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < session->scene_timeline.count && status == BRUME_OK; n++) {
        const BrumeChange *scheduled = &session->scene_timeline.changes[n];
        if (scheduled->frame >= frame) {
            status = brume_timeline_add(timeline, scheduled, error);
        }
    }
    return status;
}

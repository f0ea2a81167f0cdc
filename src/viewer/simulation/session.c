#include "viewer/simulation/session.h"
#include "core/error.h"
#include "core/memory.h"
#include "sim/lifecycle/lifecycle.h"
#include "viewer/simulation/frame_change.h"

#include <string.h>

static void destroy_variant(BrumeSessionVariant *variant)
{
    brume_sim_destroy(variant->sim);
    brume_timeline_clear(&variant->applied);
    *variant = (BrumeSessionVariant){0};
}

void brume_session_destroy(BrumeSession *session)
{
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        destroy_variant(&session->variants[n]);
    }
    brume_timeline_clear(&session->scene_timeline);
    *session = (BrumeSession){0};
}

BrumeStatus brume_session_start(BrumeSession *session, const BrumeSimDef *settings, int count, BrumeError *error)
{
    BrumeSim *sims[BRUME_MAX_VARIANTS] = {NULL};
    for (int n = 0; n < count; n++) {
        const BrumeStatus status = brume_sim_create(&sims[n], &settings[n], error);
        if (status != BRUME_OK) {
            for (int created = 0; created < n; created++) {
                brume_sim_destroy(sims[created]);
            }
            return status;
        }
    }
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        destroy_variant(&session->variants[n]);
    }
    for (int n = 0; n < count; n++) {
        session->variants[n] = (BrumeSessionVariant){
            .sim = sims[n],
            .initial_settings = settings[n],
            .restart_settings = settings[n],
        };
    }
    session->variant_count = count;
    session->carried_strokes.count = 0;
    session->frame = 0;
    session->failed = false;
    return BRUME_OK;
}

// a simulation in the same state, from the bytes of `sim`
static BrumeStatus copy_sim(BrumeSim **copy, const BrumeSim *sim, BrumeError *error)
{
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = brume_alloc_untouched(size, 1);
    if (!bytes) {
        return brume_out_of_memory(error, "a second variant");
    }
    BrumeStatus status = brume_sim_save(sim, bytes, size, error);
    if (status == BRUME_OK) {
        status = brume_sim_create_saved(copy, bytes, size, error);
    }
    if (status == BRUME_OK) {
        brume_sim_share_samples(*copy, brume_sim_settings(sim));
    }
    brume_free(bytes);
    return status;
}

BrumeStatus brume_session_fork(BrumeSession *session, BrumeError *error)
{
    if (session->variant_count == BRUME_MAX_VARIANTS) {
        return BRUME_OK;
    }
    if (session->failed) {
        return brume_fail(error, BRUME_FAILED, "a frame of the simulation has failed: restart it before a comparison");
    }
    const BrumeSessionVariant *from = &session->variants[0];
    BrumeSessionVariant made = *from;
    made.sim = NULL;
    BrumeStatus status = brume_timeline_copy(&made.applied, &from->applied, error);
    if (status == BRUME_OK) {
        status = copy_sim(&made.sim, from->sim, error);
    }
    if (status != BRUME_OK) {
        brume_timeline_clear(&made.applied);
        return status;
    }
    session->variants[session->variant_count++] = made;
    return BRUME_OK;
}

void brume_session_keep_variant(BrumeSession *session, int kept)
{
    const BrumeSessionVariant variant = session->variants[kept];
    for (int n = 0; n < session->variant_count; n++) {
        if (n != kept) {
            destroy_variant(&session->variants[n]);
        }
    }
    session->variants[kept] = (BrumeSessionVariant){0};
    session->variants[0] = variant;
    session->variant_count = 1;
}

void brume_session_set_restart_settings(BrumeSessionVariant *variant, const BrumeSimDef *settings)
{
    const BrumeSimDef before = variant->restart_settings;
    variant->restart_settings = *settings;
    variant->restart_settings.obstacle_count = before.obstacle_count;
    memcpy(variant->restart_settings.obstacles, before.obstacles, sizeof before.obstacles);
}

// Applies the edits to a variant and appends them to its timeline; strokes that exceed the frame stay in `queue`.
static BrumeStatus apply_edits(BrumeSession *session, int n, const BrumePendingEdits *edits, BrumeStrokeQueue *queue,
                               BrumeError *rejected, BrumeError *error)
{
    BrumeSessionVariant *variant = &session->variants[n];
    BrumeFrameInput input = {
        .frame = session->frame,
        .time = brume_sim_time(variant->sim),
        .now = brume_sim_settings(variant->sim),
        .scheduled = brume_timeline_find(&session->scene_timeline, session->frame),
        .requested = edits->settings_changed[n] ? &edits->settings[n] : NULL,
        .edits = edits,
        .animation = session->animation,
    };
    BrumeFrameChange composed;
    const BrumeStrokeQueue all_strokes = *queue;
    variant->rejected = false;
    brume_frame_change_compose(&composed, &input, queue);
    if (brume_frame_change_is_empty(&composed)) {
        return BRUME_OK;
    }
    BrumeStatus status = brume_change_apply(&composed.change, variant->sim, error);
    variant->rejected = status != BRUME_OK && composed.change.settings;
    if (variant->rejected) { // repeated without the settings
        *rejected = *error;
        *queue = all_strokes;
        input.keeps_settings = true;
        brume_frame_change_compose(&composed, &input, queue);
        status = brume_change_apply(&composed.change, variant->sim, error);
    } else if (status == BRUME_OK && edits->settings_changed[n]) {
        brume_session_set_restart_settings(variant, &edits->settings[n]);
    }
    for (int motion = 0; status == BRUME_OK && !variant->rejected && motion < edits->motion_count; motion++) {
        brume_obstacle_motion_keep(&edits->motions[motion], &variant->restart_settings);
    }
    brume_frame_change_drop_keys(&composed);
    if (status == BRUME_OK && !brume_frame_change_is_empty(&composed)) {
        status = brume_timeline_add(&variant->applied, &composed.change, error);
    }
    return status;
}

static bool report_progress(void *context, double fraction, BrumeStage stage)
{
    (void)stage;
    const BrumeSession *session = context;
    return session->progress(session->progress_context, (session->computing + fraction) / session->variant_count);
}

BrumeStatus brume_session_run_frame(BrumeSession *session, const BrumePendingEdits *edits, BrumeError *rejected,
                                    BrumeError *error)
{
    BrumeStrokeQueue strokes = session->carried_strokes;
    for (int n = 0; n < edits->strokes.count; n++) {
        brume_stroke_queue_add(&strokes, &edits->strokes.segments[n]);
    }
    BrumeStatus status = session->failed
                             ? brume_fail(error, BRUME_FAILED, "a frame of the simulation has failed; restart it")
                             : BRUME_OK;
    for (int n = 0; n < session->variant_count && status == BRUME_OK; n++) {
        session->carried_strokes = strokes; // every variant gets the same strokes
        status = apply_edits(session, n, edits, &session->carried_strokes, rejected, error);
    }
    for (int n = 0; n < session->variant_count && status == BRUME_OK; n++) {
        const BrumeSimHooks hooks = {.context = session, .progress = session->progress ? report_progress : NULL};
        brume_sim_set_hooks(session->variants[n].sim, &hooks);
        brume_sim_animate(session->variants[n].sim, session->animation);
        session->computing = n;
        status = session->progress && !report_progress(session, 0.0, BRUME_STAGE_ADVECT_VELOCITY)
                     ? brume_fail(error, BRUME_INTERRUPTED, "a frame was stopped")
                     : brume_sim_frame(session->variants[n].sim, &session->variants[n].stats, error);
        brume_sim_animate(session->variants[n].sim, NULL);
    }
    session->failed = status != BRUME_OK;
    session->frame += status == BRUME_OK;
    return status;
}

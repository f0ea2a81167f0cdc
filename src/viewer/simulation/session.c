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
            .id = (uint64_t)n,
            .sim = sims[n],
            .initial_settings = settings[n],
        };
    }
    session->variant_count = count;
    session->frame = session->position = 0;
    session->key = 0;
    session->failed = false;
    return BRUME_OK;
}

// creates a simulation in the same state, from the saved bytes of `sim`
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
        status = brume_sim_share_samples(*copy, brume_sim_settings(sim), error);
    }
    brume_free(bytes);
    return status;
}

BrumeStatus brume_session_fork(BrumeSession *session, uint64_t id, BrumeError *error)
{
    if (session->variant_count == BRUME_MAX_VARIANTS) {
        return BRUME_OK;
    }
    if (session->failed) {
        return brume_fail(error, BRUME_FAILED, "a frame of the simulation has failed: restart it before a comparison");
    }
    const BrumeSessionVariant *from = &session->variants[0];
    BrumeSessionVariant second = *from;
    second.id = id;
    second.sim = NULL;
    BrumeStatus status = brume_timeline_copy(&second.applied, &from->applied, error);
    if (status == BRUME_OK) {
        status = copy_sim(&second.sim, from->sim, error);
    }
    if (status != BRUME_OK) {
        brume_timeline_clear(&second.applied);
        return status;
    }
    session->variants[session->variant_count++] = second;
    return BRUME_OK;
}

BrumeLogVariants brume_session_variants(const BrumeSession *session)
{
    BrumeLogVariants variants = {.count = session->variant_count};
    for (int n = 0; n < session->variant_count; n++) {
        variants.ids[n] = session->variants[n].id;
    }
    return variants;
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

// Applies the edits and scheduled changes to a variant and appends them to its timeline.
static BrumeStatus apply_edits(BrumeSession *session, int n, const BrumeFrameEdits *edits, BrumeError *rejected,
                               BrumeError *error)
{
    static const BrumeTimeline none;
    BrumeSessionVariant *variant = &session->variants[n];
    const BrumeSimDef now = *brume_sim_settings(variant->sim); // before the change
    BrumeFrameInput input = {
        .frame = session->frame,
        .time = brume_sim_time(variant->sim),
        .now = &now,
        .scheduled = brume_timeline_find(session->scene_timeline ? session->scene_timeline : &none, session->frame),
        .edits = edits,
        .variant = n,
        .animation = session->animation,
    };
    BrumeFrameChange composed;
    variant->rejected = false;
    brume_frame_change_compose(&composed, &input);
    if (brume_frame_change_is_empty(&composed)) {
        return BRUME_OK;
    }
    BrumeStatus status = brume_change_apply(&composed.change, variant->sim, error);
    variant->rejected = status != BRUME_OK && composed.change.settings;
    if (variant->rejected) { // apply the rest without the settings
        *rejected = *error;
        input.keeps_settings = true;
        brume_frame_change_compose(&composed, &input);
        status = brume_change_apply(&composed.change, variant->sim, error);
    }
    if (input.animation) { // a scene has the effect of keys on bodies as animation
        input.animation = NULL;
        brume_frame_change_compose(&composed, &input);
    }
    if (status == BRUME_OK && !brume_frame_change_is_empty(&composed)) {
        status = brume_timeline_add(&variant->applied, &composed.change, error);
    }
    return status;
}

// reports the progress of one variant as a part of the progress of all
static bool report_progress(void *context, double fraction, BrumeStage stage)
{
    (void)stage;
    const BrumeSession *session = context;
    return session->progress(session->progress_context, (session->computing + fraction) / session->variant_count);
}

BrumeStatus brume_session_run_frame(BrumeSession *session, const BrumeFrameEdits *edits, BrumeError *rejected,
                                    BrumeError *error)
{
    BrumeStatus status = session->failed
                             ? brume_fail(error, BRUME_FAILED, "a frame of the simulation has failed; restart it")
                             : BRUME_OK;
    for (int n = 0; n < session->variant_count && status == BRUME_OK; n++) {
        status = apply_edits(session, n, edits, rejected, error);
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

#include "viewer/simulation/saved_session.h"

#include "core/memory.h"

bool brume_edits_change_grid(const BrumeSession *session, const BrumePendingEdits *edits)
{
    bool changes = false;
    for (int n = 0; n < session->variant_count; n++) {
        const BrumeSimDef *now = brume_sim_settings(session->variants[n].sim);
        const BrumeSimDef *next = &edits->settings[n];
        changes = changes ||
                  (edits->settings_changed[n] && (next->nx != now->nx || next->ny != now->ny || next->nz != now->nz));
    }
    return changes;
}

static bool has_volumes(const BrumeSimDef *settings)
{
    bool found = false;
    for (int n = 0; n < settings->obstacle_count; n++) {
        found = found || settings->obstacles[n].shape.kind == BRUME_SHAPE_VOLUME;
    }
    for (int n = 0; n < settings->emitter_count; n++) {
        found = found || settings->emitters[n].shape.kind == BRUME_SHAPE_VOLUME;
    }
    return found;
}

static bool save_variant(BrumeSavedSession *saved, int n, const BrumeSessionVariant *variant)
{
    BrumeError error;
    saved->variants[n] = *variant;
    saved->variants[n].sim = NULL;
    saved->variants[n].applied = (BrumeTimeline){0};
    if (has_volumes(brume_sim_settings(variant->sim))) {
        return false;
    }
    saved->sizes[n] = brume_sim_saved_size(variant->sim);
    saved->bytes[n] = brume_alloc_untouched(saved->sizes[n], 1);
    return saved->bytes[n] && brume_sim_save(variant->sim, saved->bytes[n], saved->sizes[n], &error) == BRUME_OK &&
           brume_timeline_copy(&saved->variants[n].applied, &variant->applied, &error) == BRUME_OK;
}

void brume_session_save(BrumeSavedSession *saved, const BrumeSession *session, const BrumePendingEdits *edits)
{
    brume_saved_session_clear(saved);
    saved->variant_count = session->variant_count;
    saved->edits = *edits;
    saved->valid = !session->failed;
    for (int n = 0; n < session->variant_count && saved->valid; n++) {
        saved->valid = save_variant(saved, n, &session->variants[n]);
    }
    if (!saved->valid) {
        brume_saved_session_clear(saved);
    }
}

BrumeStatus brume_session_restore(BrumeSavedSession *saved, BrumeSession *session, BrumePendingEdits *edits,
                                  BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < saved->variant_count && status == BRUME_OK; n++) {
        BrumeSessionVariant *variant = &session->variants[n];
        status = brume_sim_load(variant->sim, saved->bytes[n], saved->sizes[n], error);
        if (status == BRUME_OK) {
            BrumeSim *sim = variant->sim;
            brume_timeline_clear(&variant->applied);
            *variant = saved->variants[n];
            variant->sim = sim;
            saved->variants[n].applied = (BrumeTimeline){0};
        }
    }
    session->failed = status != BRUME_OK;
    *edits = saved->edits;
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        edits->settings_changed[n] = false;
    }
    brume_saved_session_clear(saved);
    return status;
}

void brume_saved_session_clear(BrumeSavedSession *saved)
{
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        brume_free(saved->bytes[n]);
        saved->bytes[n] = NULL;
        brume_timeline_clear(&saved->variants[n].applied);
    }
    saved->valid = false;
}

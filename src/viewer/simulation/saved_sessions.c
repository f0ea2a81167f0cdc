#include "viewer/simulation/saved_sessions.h"

#include "core/error.h"
#include "core/memory.h"
#include "sim/lifecycle/lifecycle.h"

#include <string.h>

struct BrumeSavedSession {
    int frame, position;
    size_t bytes; ///< of this state
    int variant_count;
    struct {
        void *state; ///< by brume_sim_save
        size_t size;
        BrumeSessionVariant variant; ///< with its own timeline and without simulation
    } variants[BRUME_MAX_VARIANTS];
    BrumeStrokeQueue carried_strokes;
};

static void destroy(BrumeSavedSession *saved)
{
    for (int n = 0; saved && n < saved->variant_count; n++) {
        brume_free(saved->variants[n].state);
        brume_timeline_clear(&saved->variants[n].variant.applied);
    }
    brume_free(saved);
}

static void drop(BrumeSavedSessions *saved, int index)
{
    saved->bytes -= saved->states[index]->bytes;
    destroy(saved->states[index]);
    saved->count--;
    memmove(&saved->states[index], &saved->states[index + 1],
            (size_t)(saved->count - index) * sizeof(BrumeSavedSession *));
}

void brume_saved_sessions_clear(BrumeSavedSessions *saved)
{
    while (saved->count > 0) {
        drop(saved, saved->count - 1);
    }
}

static BrumeStatus save_variant(BrumeSavedSession *saved, const BrumeSessionVariant *variant, BrumeError *error)
{
    const int n = saved->variant_count;
    const size_t size = brume_sim_saved_size(variant->sim);
    void *state = brume_alloc_untouched(size, 1);
    if (!state) {
        return brume_out_of_memory(error, "a state");
    }
    saved->variants[n].variant = *variant;
    saved->variants[n].variant.sim = NULL;
    BrumeStatus status = brume_timeline_copy(&saved->variants[n].variant.applied, &variant->applied, error);
    if (status == BRUME_OK) {
        status = brume_sim_save(variant->sim, state, size, error);
    }
    if (status != BRUME_OK) {
        brume_timeline_clear(&saved->variants[n].variant.applied);
        brume_free(state);
        return status;
    }
    saved->variants[n].state = state;
    saved->variants[n].size = size;
    saved->variant_count++;
    saved->bytes += size;
    return BRUME_OK;
}

// NULL without memory
static BrumeSavedSession *save(const BrumeSession *session, int position)
{
    BrumeSavedSession *made = brume_alloc(1, sizeof *made);
    if (!made) {
        return NULL;
    }
    made->frame = session->frame;
    made->position = position;
    made->bytes = sizeof *made;
    made->carried_strokes = session->carried_strokes;
    for (int n = 0; n < session->variant_count; n++) {
        if (save_variant(made, &session->variants[n], NULL) != BRUME_OK) {
            destroy(made);
            return NULL;
        }
    }
    return made;
}

// The state without which the fewest frames are to be computed again: that with the least distance to the one before
// it, or to the start. The latest is dropped last.
static int least_useful(const BrumeSavedSessions *saved)
{
    int best = 0;
    int least = 0;
    for (int n = 0; n + 1 < saved->count; n++) {
        const int distance = saved->states[n]->frame - (n > 0 ? saved->states[n - 1]->frame : 0);
        if (n == 0 || distance < least) {
            best = n;
            least = distance;
        }
    }
    return best;
}

static size_t size_of(const BrumeSession *session)
{
    size_t size = sizeof(BrumeSavedSession);
    for (int n = 0; n < session->variant_count; n++) {
        size += brume_sim_saved_size(session->variants[n].sim);
    }
    return size;
}

void brume_saved_sessions_add(BrumeSavedSessions *saved, const BrumeSession *session, int position)
{
    while (saved->count > 0 && saved->states[saved->count - 1]->frame >= session->frame) {
        drop(saved, saved->count - 1);
    }
    const size_t size = size_of(session);
    while (saved->count > 0 && (saved->count == BRUME_MAX_SAVED_SESSIONS || saved->bytes + size > saved->budget)) {
        drop(saved, least_useful(saved));
    }
    if (size > saved->budget) {
        return;
    }
    BrumeSavedSession *made = save(session, position);
    if (made) {
        saved->states[saved->count++] = made;
        saved->bytes += made->bytes;
    }
}

void brume_saved_sessions_drop_after(BrumeSavedSessions *saved, int position)
{
    while (saved->count > 0 && saved->states[saved->count - 1]->position > position) {
        drop(saved, saved->count - 1);
    }
}

void brume_saved_sessions_drop_later(BrumeSavedSessions *saved, int frame)
{
    while (brume_saved_sessions_latest(saved) > frame) {
        drop(saved, saved->count - 1);
    }
}

int brume_saved_sessions_latest(const BrumeSavedSessions *saved)
{
    return saved->count > 0 ? saved->states[saved->count - 1]->frame : -1;
}

bool brume_saved_sessions_have(const BrumeSavedSessions *saved, int frame)
{
    return saved->count > 0 && saved->states[saved->count - 1]->frame == frame;
}

BrumeStatus brume_saved_sessions_restore(const BrumeSavedSessions *saved, BrumeSession *session, int *position,
                                         BrumeError *error)
{
    const BrumeSavedSession *from = saved->states[saved->count - 1];
    BrumeSession made = {
        .scene_timeline = session->scene_timeline,
        .frame = from->frame,
        .carried_strokes = from->carried_strokes,
        .progress = session->progress,
        .progress_context = session->progress_context,
    };
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < from->variant_count && status == BRUME_OK; n++) {
        BrumeSessionVariant *variant = &made.variants[n];
        *variant = from->variants[n].variant;
        status = brume_timeline_copy(&variant->applied, &from->variants[n].variant.applied, error);
        if (status == BRUME_OK) {
            status = brume_sim_create_saved(&variant->sim, from->variants[n].state, from->variants[n].size, error);
        }
        if (status == BRUME_OK) {
            brume_sim_share_samples(variant->sim, &variant->restart_settings);
        }
        made.variant_count++;
    }
    if (status != BRUME_OK) {
        made.scene_timeline = (BrumeTimeline){0};
        brume_session_destroy(&made);
        return status;
    }
    session->scene_timeline = (BrumeTimeline){0};
    brume_session_destroy(session);
    *session = made;
    *position = from->position;
    return BRUME_OK;
}

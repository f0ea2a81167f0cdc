#include "viewer/simulation/saved_sessions.h"

#include "core/error.h"
#include "core/memory.h"
#include "sim/lifecycle/lifecycle.h"

#include <limits.h>
#include <string.h>

struct BrumeSavedSession {
    int frame, position;
    uint64_t key; ///< brume_edit_log_key of the position
    bool current;
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
    saved->held = saved->held == saved->states[index] ? NULL : saved->held;
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

// the latest current state before a frame; NULL without one
static BrumeSavedSession *latest_before(const BrumeSavedSessions *saved, int frame)
{
    BrumeSavedSession *latest = NULL;
    for (int n = 0; n < saved->count; n++) {
        BrumeSavedSession *state = saved->states[n];
        if (state->current && state->frame < frame && (!latest || state->frame > latest->frame)) {
            latest = state;
        }
    }
    return latest;
}

// The state to be dropped: the oldest that is not current; otherwise that without which the fewest frames are to be
// computed again, with the least distance to the one before it, or to the start. The latest is dropped last. -1 where
// the only one is held.
static int least_useful(const BrumeSavedSessions *saved)
{
    const BrumeSavedSession *latest = latest_before(saved, INT_MAX);
    int best = -1;
    int least = 0;
    for (int n = 0; n < saved->count; n++) {
        const BrumeSavedSession *state = saved->states[n];
        if (state == saved->held) {
            continue;
        }
        const BrumeSavedSession *before = latest_before(saved, state->frame);
        const int distance = !state->current   ? -1
                             : state == latest ? INT_MAX
                                               : state->frame - (before ? before->frame : 0);
        if (best < 0 || distance < least) {
            best = n;
            least = distance;
        }
    }
    return best;
}

// drops states until `count` more, of `size` bytes, have room beside the one that is held, or only that is left
static void make_room(BrumeSavedSessions *saved, int count, size_t size)
{
    const size_t held = saved->held ? saved->held->bytes : 0;
    const int most = BRUME_MAX_SAVED_SESSIONS + (saved->held != NULL) - count;
    int index = least_useful(saved);
    while (index >= 0 && (saved->count > most || saved->bytes - held + size > saved->budget)) {
        drop(saved, index);
        index = least_useful(saved);
    }
}

static size_t size_of(const BrumeSession *session)
{
    size_t size = sizeof(BrumeSavedSession);
    for (int n = 0; n < session->variant_count; n++) {
        size += brume_sim_saved_size(session->variants[n].sim);
    }
    return size;
}

// the state of a frame with a key; NULL where it is not kept
static BrumeSavedSession *find(const BrumeSavedSessions *saved, int frame, uint64_t key)
{
    for (int n = 0; n < saved->count; n++) {
        if (saved->states[n]->frame == frame && saved->states[n]->key == key) {
            return saved->states[n];
        }
    }
    return NULL;
}

// saves the present state, which is not kept yet, whatever the budget; NULL without memory
static BrumeSavedSession *append(BrumeSavedSessions *saved, const BrumeSession *session, int position, uint64_t key)
{
    BrumeSavedSession *made = save(session, position);
    if (made) {
        made->key = key;
        saved->states[saved->count++] = made;
        saved->bytes += made->bytes;
    }
    return made;
}

void brume_saved_sessions_add(BrumeSavedSessions *saved, const BrumeSession *session, int position, uint64_t key)
{
    const size_t size = size_of(session);
    BrumeSavedSession *state = find(saved, session->frame, key);
    if (!state) {
        make_room(saved, 1, size);
        state = size <= saved->budget ? append(saved, session, position, key) : NULL;
    }
    if (state) {
        state->current = true;
    }
}

void brume_saved_sessions_hold(BrumeSavedSessions *saved, const BrumeSession *session, int position, uint64_t key)
{
    BrumeSavedSession *state = find(saved, session->frame, key);
    saved->held = state ? state : append(saved, session, position, key);
}

void brume_saved_sessions_release(BrumeSavedSessions *saved)
{
    saved->held = NULL;
    make_room(saved, 0, 0);
}

void brume_saved_sessions_follow(BrumeSavedSessions *saved, const BrumeEditLog *log, int last)
{
    for (int n = 0; n < saved->count; n++) {
        BrumeSavedSession *state = saved->states[n];
        const int position = state->position;
        state->current = state->frame <= last && position <= log->count &&
                         (position == log->count || log->entries[position].frame >= state->frame) &&
                         brume_edit_log_key(log, position) == state->key;
    }
}

int brume_saved_sessions_latest(const BrumeSavedSessions *saved)
{
    const BrumeSavedSession *latest = latest_before(saved, INT_MAX);
    return latest ? latest->frame : -1;
}

BrumeStatus brume_saved_sessions_restore(const BrumeSavedSessions *saved, BrumeSession *session, int *position,
                                         BrumeError *error)
{
    const BrumeSavedSession *from = latest_before(saved, INT_MAX);
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

#include "viewer/simulation/saved_sessions.h"

#include "core/error.h"
#include "core/memory.h"
#include "sim/lifecycle/lifecycle.h"

#include <limits.h>
#include <string.h>

struct BrumeSavedSession {
    bool current;
    size_t bytes;         ///< of this state
    BrumeSession session; ///< with copies of the timelines, without simulations
    struct {
        void *state; ///< bytes from brume_sim_save
        size_t size;
        BrumeSimDef settings; ///< settings with the samples, which a saved state lacks
    } variants[BRUME_MAX_VARIANTS];
};

static void destroy(BrumeSavedSession *saved)
{
    for (int n = 0; saved && n < saved->session.variant_count; n++) {
        brume_free(saved->variants[n].state);
        brume_timeline_clear(&saved->session.variants[n].applied);
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

// appends a variant to a state
static BrumeStatus save_variant(BrumeSavedSession *saved, const BrumeSessionVariant *variant)
{
    const int n = saved->session.variant_count++;
    const size_t size = brume_sim_saved_size(variant->sim);
    BrumeSessionVariant *copy = &saved->session.variants[n];
    *copy = *variant;
    copy->sim = NULL;
    BrumeStatus status = brume_timeline_copy(&copy->applied, &variant->applied, NULL);
    saved->variants[n].settings = *brume_sim_settings(variant->sim);
    saved->variants[n].size = size;
    saved->variants[n].state = brume_alloc_untouched(size, 1);
    if (status == BRUME_OK && saved->variants[n].state) {
        status = brume_sim_save(variant->sim, saved->variants[n].state, size, NULL);
    }
    saved->bytes += size;
    return saved->variants[n].state ? status : BRUME_FAILED;
}

// copies a session with the states of its simulations; NULL without memory
static BrumeSavedSession *copy_session(const BrumeSession *session)
{
    BrumeSavedSession *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return NULL;
    }
    created->session = *session;
    created->session.variant_count = 0;
    created->bytes = sizeof *created;
    for (int n = 0; n < session->variant_count; n++) {
        if (save_variant(created, &session->variants[n]) != BRUME_OK) {
            destroy(created);
            return NULL;
        }
    }
    return created;
}

// whether state `a` is later; in the same frame, the state after the beginning or the end of a comparison is later
static bool is_later(const BrumeSession *a, const BrumeSession *b)
{
    return a->frame > b->frame || (a->frame == b->frame && a->position > b->position);
}

// returns the latest current state before a frame; NULL: none
static BrumeSavedSession *latest_before(const BrumeSavedSessions *saved, int frame)
{
    BrumeSavedSession *latest = NULL;
    for (int n = 0; n < saved->count; n++) {
        BrumeSavedSession *state = saved->states[n];
        if (state->current && state->session.frame < frame &&
            (!latest || is_later(&state->session, &latest->session))) {
            latest = state;
        }
    }
    return latest;
}

// Returns the index of the state to drop next: the oldest state that is not current; otherwise the current state with
// the least distance to the state before it, or to the start, because restoring without it computes the fewest frames
// again. The latest state is the last choice. -1: none, or only the held one.
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
        const BrumeSavedSession *before = latest_before(saved, state->session.frame);
        const int distance = !state->current   ? -1
                             : state == latest ? INT_MAX
                                               : state->session.frame - (before ? before->session.frame : 0);
        if (best < 0 || distance < least) {
            best = n;
            least = distance;
        }
    }
    return best;
}

// drops states until there is room for `count` more of `size` bytes, or only the held one is left
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

// returns the state of a frame with a key; NULL: it is not saved
static BrumeSavedSession *find(const BrumeSavedSessions *saved, int frame, uint64_t key)
{
    for (int n = 0; n < saved->count; n++) {
        const BrumeSession *session = &saved->states[n]->session;
        if (session->frame == frame && session->key == key) {
            return saved->states[n];
        }
    }
    return NULL;
}

// appends the present state, which is not saved yet, whatever the budget; NULL without memory
static BrumeSavedSession *append(BrumeSavedSessions *saved, const BrumeSession *session)
{
    BrumeSavedSession *created = copy_session(session);
    if (created) {
        saved->states[saved->count++] = created;
        saved->bytes += created->bytes;
    }
    return created;
}

void brume_saved_sessions_add(BrumeSavedSessions *saved, const BrumeSession *session)
{
    const size_t size = size_of(session);
    BrumeSavedSession *state = find(saved, session->frame, session->key);
    if (!state) {
        make_room(saved, 1, size);
        state = size <= saved->budget ? append(saved, session) : NULL;
    }
    if (state) {
        state->current = true;
    }
}

void brume_saved_sessions_hold(BrumeSavedSessions *saved, const BrumeSession *session)
{
    BrumeSavedSession *state = find(saved, session->frame, session->key);
    saved->held = state ? state : append(saved, session);
}

void brume_saved_sessions_release(BrumeSavedSessions *saved)
{
    saved->held = NULL;
    make_room(saved, 0, 0);
}

void brume_saved_sessions_follow(BrumeSavedSessions *saved, BrumeEditLog *log)
{
    for (int n = 0; n < saved->count; n++) {
        const BrumeSession *session = &saved->states[n]->session;
        saved->states[n]->current = brume_edit_log_leads_to(log, session->frame, session->position, session->key);
    }
}

int brume_saved_sessions_latest(const BrumeSavedSessions *saved)
{
    const BrumeSavedSession *latest = latest_before(saved, INT_MAX);
    return latest ? latest->session.frame : -1;
}

BrumeStatus brume_saved_sessions_restore(const BrumeSavedSessions *saved, BrumeSession *session, BrumeError *error)
{
    const BrumeSavedSession *from = latest_before(saved, INT_MAX);
    BrumeSession created = from->session;
    BrumeStatus status = BRUME_OK;
    created.variant_count = 0;
    for (int n = 0; n < from->session.variant_count && status == BRUME_OK; n++) {
        BrumeSessionVariant *variant = &created.variants[created.variant_count++];
        status = brume_timeline_copy(&variant->applied, &from->session.variants[n].applied, error);
        if (status == BRUME_OK) {
            status = brume_sim_create_saved(&variant->sim, from->variants[n].state, from->variants[n].size, error);
        }
        if (status == BRUME_OK) {
            status = brume_sim_share_samples(variant->sim, &from->variants[n].settings, error);
        }
    }
    for (int n = created.variant_count; n < BRUME_MAX_VARIANTS; n++) {
        created.variants[n] = (BrumeSessionVariant){0}; // removes the saved session's values
    }
    brume_session_destroy(status == BRUME_OK ? session : &created);
    if (status == BRUME_OK) {
        *session = created;
    }
    return status;
}

// The replay of a simulation: what leads to its present state, or to that of an earlier frame.
#include "core/error.h"
#include "viewer/threads/simulation_thread_internal.h"

// the changes up to a frame, with memory of their own
static BrumeStatus copy_changes(BrumeTimeline *copy, const BrumeTimeline *timeline, int frame, BrumeError *error)
{
    BrumeTimeline part = *timeline;
    while (part.count > 0 && part.changes[part.count - 1].frame >= frame) {
        part.count--;
    }
    return brume_timeline_copy(copy, &part, error);
}

// of an earlier frame: false where the variant is not on the way to the present state
static bool find_past(BrumeSimulationThread *thread, int n, BrumeReplay *replay)
{
    const int frame = thread->current.replay_frame;
    BrumeKeptFrame kept;
    if (!thread->history || !brume_frame_history_find(thread->history, frame, &kept)) {
        return false;
    }
    n = n < kept.variant_count ? n : kept.variant_count - 1;
    replay->frame = frame;
    replay->time = kept.time;
    replay->hash = kept.hash[n];
    return kept.variant_count == 1 || !brume_undoable_session_ends_comparison(&thread->undoable, frame);
}

void brume_simulation_thread_make_replay(BrumeSimulationThread *thread)
{
    const BrumeSession *session = &thread->undoable.session;
    const bool is_past = thread->current.replay_frame >= 0;
    const int wanted = thread->current.replay_variant;
    const BrumeSessionVariant *variant =
        &session->variants[wanted < session->variant_count ? wanted : session->variant_count - 1];
    BrumeReplay replay = {
        .settings = variant->initial_settings,
        .frame = brume_sim_frames(variant->sim),
        .time = brume_sim_time(variant->sim),
    };
    if (is_past) {
        replay.is_lost = !find_past(thread, wanted, &replay);
    } else {
        replay.hash = brume_sim_hash(variant->sim);
    }
    BrumeError error = {0};
    if (!replay.is_lost && copy_changes(&replay.timeline, &variant->applied, replay.frame, &error) != BRUME_OK) {
        brume_simulation_thread_set_error(thread, &error);
        return;
    }
    brume_simulation_thread_lock(thread);
    replay.edits_wait =
        !is_past && (brume_pending_edits_have_effect(&thread->requests.edits) ||
                     brume_pending_edits_have_effect(&thread->current.edits) || session->carried_strokes.count > 0);
    brume_timeline_clear(&thread->replay.timeline);
    thread->replay = replay;
    thread->replay_ready = true;
    brume_simulation_thread_unlock(thread);
}

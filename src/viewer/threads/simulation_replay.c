// The replay of a simulation: what leads to its present state, or to that of an earlier frame.
#include "core/error.h"
#include "viewer/simulation/coming_changes.h"
#include "viewer/threads/simulation_thread_internal.h"

// of an earlier frame: false where the variant is not on the way to the present state
static bool find_past(BrumeSimulationThread *thread, int n, BrumeReplay *replay)
{
    const int frame = replay->frame;
    BrumeKeptFrame kept;
    if (!thread->history || !brume_frame_history_find(thread->history, frame, &kept)) {
        return false;
    }
    n = n < kept.variant_count ? n : kept.variant_count - 1;
    replay->time = kept.time;
    replay->hash = kept.hash[n];
    return kept.variant_count == 1 || !brume_edit_log_ends_comparison(thread->undoable.log, frame);
}

// The changes up to the frame of the replay, and those that follow it: of the present one with the edits that wait.
static BrumeStatus copy_changes(BrumeSimulationThread *thread, int variant, bool is_past, BrumeReplay *replay)
{
    const BrumeSession *session = &thread->undoable.session;
    BrumeTimeline part = session->variants[variant].applied;
    while (part.count > 0 && part.changes[part.count - 1].frame >= replay->frame) {
        part.count--;
    }
    const BrumeStatus status = brume_timeline_copy(&replay->timeline, &part, NULL);
    if (status != BRUME_OK) {
        return status;
    }
    if (is_past || session->failed) {
        return brume_session_add_scheduled_changes(session, replay->frame, &replay->timeline, NULL);
    }
    return brume_undoable_session_add_coming_changes(&thread->undoable, variant, &replay->timeline, &replay->edits_wait,
                                                     NULL);
}

void brume_simulation_thread_make_replay(BrumeSimulationThread *thread)
{
    const BrumeSession *session = &thread->undoable.session;
    brume_simulation_thread_lock(thread);
    const int wanted = thread->replay_variant;
    const int past_frame = thread->replay_frame;
    thread->wants_replay = false;
    brume_simulation_thread_unlock(thread);
    const bool is_past = past_frame >= 0;
    const int n = wanted < session->variant_count ? wanted : session->variant_count - 1;
    const BrumeSessionVariant *variant = &session->variants[n];
    BrumeReplay replay = {
        .settings = variant->initial_settings,
        .frame = is_past ? past_frame : session->frame,
        .time = brume_sim_time(variant->sim),
        .hash = is_past ? 0 : brume_sim_hash(variant->sim),
    };
    brume_simulation_thread_lock(thread);
    replay.is_lost = is_past && !find_past(thread, wanted, &replay);
    if (!replay.is_lost) {
        replay.status = copy_changes(thread, n, is_past, &replay);
    }
    const bool is_wanted = !thread->wants_replay; // no other one since
    brume_timeline_clear(is_wanted ? &thread->replay.timeline : &replay.timeline);
    if (is_wanted) {
        thread->replay = replay;
        thread->replay_ready = true;
    }
    brume_simulation_thread_unlock(thread);
}

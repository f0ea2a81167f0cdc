// The replay of a simulation: what leads to its present state, or to that of an earlier frame.
#include "core/error.h"
#include "viewer/simulation/coming_changes.h"
#include "viewer/threads/simulation_thread_internal.h"

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

// The changes up to the frame of the replay, and those that follow it: of the present one with the edits that wait.
static BrumeStatus copy_changes(BrumeSimulationThread *thread, int variant, const BrumePendingEdits *edits,
                                BrumeReplay *replay)
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
    if (thread->current.replay_frame >= 0 || session->failed) {
        return brume_session_add_scheduled_changes(session, replay->frame, &replay->timeline, NULL);
    }
    replay->edits_wait = brume_pending_edits_have_effect(edits) || edits->settings_changed[variant];
    return brume_session_add_coming_changes(session, variant, edits, &replay->timeline, NULL);
}

void brume_simulation_thread_make_replay(BrumeSimulationThread *thread)
{
    const BrumeSession *session = &thread->undoable.session;
    const bool is_past = thread->current.replay_frame >= 0;
    const int wanted = thread->current.replay_variant;
    const int n = wanted < session->variant_count ? wanted : session->variant_count - 1;
    const BrumeSessionVariant *variant = &session->variants[n];
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
    BrumePendingEdits edits;
    brume_simulation_thread_lock(thread);
    brume_simulation_thread_collect_edits(thread, &edits);
    brume_simulation_thread_unlock(thread);
    if (!replay.is_lost) {
        replay.status = copy_changes(thread, n, &edits, &replay);
    }
    brume_simulation_thread_lock(thread);
    const bool is_wanted = !thread->requests.replay; // no other one since
    brume_timeline_clear(is_wanted ? &thread->replay.timeline : &replay.timeline);
    if (is_wanted) {
        thread->replay = replay;
        thread->replay_ready = true;
    }
    brume_simulation_thread_unlock(thread);
}

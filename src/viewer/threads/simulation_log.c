// The simulation thread follows the log of edits: it goes back to an earlier state and computes frames again. It also
// makes the replay of a simulation: the changes that lead to its present state or to the state of an earlier frame.
#include "core/error.h"
#include "viewer/simulation/coming_changes.h"
#include "viewer/threads/simulation_thread_internal.h"

void brume_simulation_thread_keep_frame(BrumeSimulationThread *thread)
{
    if (thread->history) {
        brume_frame_history_keep(thread->history, &thread->own.undoable.session, thread->own.undoable.session.key);
    }
}

// begins and ends comparisons as the next entries of the log require
static void apply_comparisons(BrumeSimulationThread *thread)
{
    BrumeSimulationOwn *own = &thread->own;
    BrumeLogEntry entry;
    brume_monitor_lock(&thread->monitor);
    while (brume_undoable_session_next_comparison(&own->undoable, &entry)) {
        brume_monitor_unlock(&thread->monitor);
        BrumeError error = {0};
        const BrumeStatus status = brume_undoable_session_compare(&own->undoable, &entry, &error);
        brume_monitor_lock(&thread->monitor);
        thread->shared.error = status != BRUME_OK ? error : thread->shared.error;
        brume_undoable_session_pass_comparison(&own->undoable, &entry, status != BRUME_OK);
    }
    brume_monitor_unlock(&thread->monitor);
}

void brume_simulation_thread_complete_frame(BrumeSimulationThread *thread)
{
    BrumeUndoableSession *undoable = &thread->own.undoable;
    apply_comparisons(thread);
    brume_monitor_lock(&thread->monitor);
    brume_undoable_session_update_progress(undoable);
    const BrumeRecomputation recomputation = {
        .active = !undoable->up_to_date,
        .done = undoable->session.frame - undoable->first_frame,
        .total = undoable->log->frames - undoable->first_frame,
    };
    brume_monitor_unlock(&thread->monitor);
    brume_simulation_thread_keep_frame(thread);
    if (!recomputation.active) {
        thread->own.revision++;
        brume_simulation_thread_publish(thread);
    }
    brume_monitor_lock(&thread->monitor);
    thread->shared.recomputation = recomputation; // after publishing, so that the window can show the snapshot
    brume_monitor_unlock(&thread->monitor);
}

void brume_simulation_thread_follow(BrumeSimulationThread *thread)
{
    BrumeUndoableSession *undoable = &thread->own.undoable;
    const bool had_failed = undoable->session.failed;
    brume_monitor_lock(&thread->monitor);
    const bool returns = brume_undoable_session_must_return(undoable);
    thread->shared.recomputation = (BrumeRecomputation){.active = true}; // until more is known
    if (thread->history) {                                               // list the frames of the log
        brume_frame_history_follow(thread->history, undoable->log, undoable->log->frames);
    }
    brume_monitor_unlock(&thread->monitor);
    BrumeError error = {0};
    if (returns && brume_undoable_session_return(undoable, &error) != BRUME_OK) {
        brume_simulation_thread_set_error(thread, &error);
        undoable->session.failed = true; // its state differs from the one that the log describes
    } else if (had_failed && !undoable->session.failed) {
        brume_simulation_thread_set_error(thread, &error);
    }
    brume_simulation_thread_complete_frame(thread);
}

void brume_simulation_thread_compute_again(BrumeSimulationThread *thread)
{
    BrumeError rejected = {0};
    BrumeError error = {0};
    const BrumeStatus status = brume_undoable_session_run_frame(&thread->own.undoable, &rejected, &error);
    if (status == BRUME_INTERRUPTED) {
        return; // another change of the log, a restart or the end follows
    }
    brume_monitor_lock(&thread->monitor);
    if (status == BRUME_OK) {
        brume_undoable_session_end_frame(&thread->own.undoable);
    } else {
        thread->shared.running = false;
        thread->shared.error = error;
    }
    brume_monitor_unlock(&thread->monitor);
    brume_simulation_thread_complete_frame(thread);
}

// Copies the changes up to the replay's frame, and appends scheduled ones, after the present frame also waiting edits.
static BrumeStatus copy_changes(BrumeSimulationThread *thread, int variant, bool is_past, BrumeReplay *replay)
{
    const BrumeSession *session = &thread->own.undoable.session;
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
    return brume_undoable_session_add_coming_changes(&thread->own.undoable, variant, &replay->timeline,
                                                     &replay->edits_wait, NULL);
}

void brume_simulation_thread_make_replay(BrumeSimulationThread *thread)
{
    BrumeSimulationShared *shared = &thread->shared;
    const BrumeSession *session = &thread->own.undoable.session;
    brume_monitor_lock(&thread->monitor);
    const int wanted = shared->replay_variant;
    const int past_frame = shared->replay_frame;
    shared->wants_replay = false;
    brume_monitor_unlock(&thread->monitor);
    const bool is_past = past_frame >= 0;
    BrumeKeptFrame kept = {0};
    const bool is_known = !is_past || (thread->history && brume_frame_history_find(thread->history, past_frame, &kept));
    const int past_variant = wanted < kept.variant_count ? wanted : kept.variant_count - 1;
    const int n = wanted < session->variant_count ? wanted : session->variant_count - 1;
    const BrumeSessionVariant *variant = &session->variants[n];
    BrumeReplay *replay = &thread->replay; // `replay_ready` is not set: the window thread does not read it
    brume_timeline_clear(&replay->timeline);
    *replay = (BrumeReplay){
        .settings = variant->initial_settings,
        .frame = is_past ? past_frame : session->frame,
        .time = is_past ? kept.time : brume_sim_time(variant->sim),
        .hash = !is_past   ? brume_sim_hash(variant->sim)
                : is_known ? kept.hash[past_variant]
                           : 0,
    };
    brume_monitor_lock(&thread->monitor);
    // the variant of an earlier frame may not be on the way to the present state
    replay->is_lost =
        !is_known || (kept.variant_count > 1 && brume_edit_log_ends_comparison(thread->own.undoable.log, past_frame));
    if (!replay->is_lost) {
        replay->status = copy_changes(thread, n, is_past, replay);
    }
    shared->replay_ready = !shared->wants_replay; // false if another replay was requested meanwhile
    brume_monitor_unlock(&thread->monitor);
}

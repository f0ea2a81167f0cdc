// The simulation thread follows the log of edits: it goes back to an earlier state, and computes frames again.
#include "core/error.h"
#include "viewer/threads/simulation_thread_internal.h"

static void lock(BrumeSimulationThread *thread) { brume_simulation_thread_lock(thread); }

static void unlock(BrumeSimulationThread *thread) { brume_simulation_thread_unlock(thread); }

void brume_simulation_thread_keep_frame(BrumeSimulationThread *thread)
{
    if (thread->history) {
        brume_frame_history_keep(thread->history, &thread->undoable.session, thread->undoable.session.key);
    }
}

// begins and ends the comparisons that come next
static void compare(BrumeSimulationThread *thread)
{
    BrumeLogEntry entry;
    lock(thread);
    while (brume_undoable_session_next_comparison(&thread->undoable, &entry)) {
        unlock(thread);
        BrumeError error = {0};
        const BrumeStatus status = brume_undoable_session_compare(&thread->undoable, &entry, &error);
        lock(thread);
        thread->error = status != BRUME_OK ? error : thread->error;
        brume_undoable_session_pass_comparison(&thread->undoable, &entry, status != BRUME_OK);
    }
    unlock(thread);
}

void brume_simulation_thread_arrive(BrumeSimulationThread *thread)
{
    BrumeUndoableSession *undoable = &thread->undoable;
    compare(thread);
    lock(thread);
    brume_undoable_session_rest(undoable);
    const BrumeRecomputation recomputation = {
        .active = !undoable->rests,
        .done = undoable->session.frame - undoable->first_frame,
        .total = undoable->log->frames - undoable->first_frame,
    };
    unlock(thread);
    brume_simulation_thread_keep_frame(thread);
    if (!recomputation.active) {
        thread->revision++;
        brume_simulation_thread_publish(thread);
    }
    lock(thread);
    thread->recomputation = recomputation; // after the snapshot: then it can be shown
    unlock(thread);
}

void brume_simulation_thread_follow(BrumeSimulationThread *thread)
{
    BrumeUndoableSession *undoable = &thread->undoable;
    const bool had_failed = undoable->session.failed;
    lock(thread);
    const bool returns = brume_undoable_session_must_return(undoable);
    thread->recomputation = (BrumeRecomputation){.active = true}; // until more is known
    if (thread->history) {                                        // which lists the frames of the present way
        brume_frame_history_follow(thread->history, undoable->log, undoable->log->frames);
    }
    unlock(thread);
    BrumeError error = {0};
    if (returns && brume_undoable_session_return(undoable, &error) != BRUME_OK) {
        brume_simulation_thread_set_error(thread, &error);
        undoable->session.failed = true; // its state is not that of the log
    } else if (had_failed && !undoable->session.failed) {
        brume_simulation_thread_set_error(thread, &error);
    }
    brume_simulation_thread_arrive(thread);
}

void brume_simulation_thread_compute_again(BrumeSimulationThread *thread)
{
    BrumeError rejected = {0};
    BrumeError error = {0};
    const BrumeStatus status = brume_undoable_session_run_frame(&thread->undoable, &rejected, &error);
    if (status == BRUME_INTERRUPTED) {
        return; // another change of the log, a restart or the end follows
    }
    lock(thread);
    if (status == BRUME_OK) {
        brume_undoable_session_end_frame(&thread->undoable);
    } else {
        thread->running = false;
        thread->error = error;
    }
    unlock(thread);
    brume_simulation_thread_arrive(thread);
}

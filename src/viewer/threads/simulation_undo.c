// Undoing and redoing by the simulation thread: going back to an earlier state, and computing frames again.
#include "core/error.h"
#include "viewer/threads/simulation_thread_internal.h"

#include <limits.h>
#include <string.h>

static void lock(BrumeSimulationThread *thread) { brume_simulation_thread_lock(thread); }

static void unlock(BrumeSimulationThread *thread) { brume_simulation_thread_unlock(thread); }

void brume_simulation_thread_report_comparison(BrumeSimulationThread *thread)
{
    lock(thread);
    const bool changes = thread->requests.load_scene || thread->requests.end_comparison || thread->requests.fork ||
                         thread->undo_count > 0;
    thread->compares = changes ? thread->compares : thread->undoable.session.variant_count > 1;
    unlock(thread);
}

void brume_simulation_thread_keep_frame(BrumeSimulationThread *thread, bool changed)
{
    const int frame = thread->undoable.session.frame;
    if (thread->history && (changed || frame > thread->kept_until)) {
        brume_frame_history_keep(thread->history, &thread->undoable.session,
                                 brume_undoable_session_key(&thread->undoable));
        thread->kept_until = frame;
    }
}

void brume_simulation_thread_report_recomputation(BrumeSimulationThread *thread)
{
    const BrumeUndoableSession *undoable = &thread->undoable;
    const bool is_behind = brume_undoable_session_is_behind(undoable);
    lock(thread);
    thread->recomputation = (BrumeRecomputation){
        .active = is_behind || thread->undo_count > 0,
        .done = undoable->session.frame - undoable->first_frame,
        .total = undoable->last_frame - undoable->first_frame,
    };
    unlock(thread);
}

// shows the state without the edits that were undone, once it is reached
static void finish_recomputation(BrumeSimulationThread *thread)
{
    if (!brume_undoable_session_is_behind(&thread->undoable)) {
        brume_simulation_thread_report_comparison(thread); // it may have begun or ended in these frames
        thread->revision++;
        brume_simulation_thread_publish(thread);
    }
    brume_simulation_thread_report_recomputation(thread); // after the snapshot: then it can be shown
}

// The history lists the frames of the present way; up to the one before the change, all that had room.
static void update_history(BrumeSimulationThread *thread)
{
    BrumeUndoableSession *undoable = &thread->undoable;
    thread->kept_until =
        undoable->unchanged_frames < thread->kept_until ? undoable->unchanged_frames : thread->kept_until;
    undoable->unchanged_frames = INT_MAX;
    if (thread->history) {
        const int last =
            undoable->last_frame > undoable->session.frame ? undoable->last_frame : undoable->session.frame;
        brume_frame_history_follow(thread->history, &undoable->log, last);
    }
}

static void go_back(BrumeSimulationThread *thread, const BrumeUndoRequest *request)
{
    BrumePendingEdits left;
    lock(thread);
    left = thread->left;
    thread->left = (BrumePendingEdits){0};
    unlock(thread);
    BrumeError error = {0};
    if (brume_undoable_session_go_back(&thread->undoable, request->frame, request->edit, &left, &error) != BRUME_OK) {
        brume_simulation_thread_set_error(thread, &error);
        return;
    }
    thread->current.edits = (BrumePendingEdits){0}; // of a frame that was cancelled
}

void brume_simulation_thread_undo_and_redo(BrumeSimulationThread *thread)
{
    BrumeUndoRequest undo[BRUME_MAX_UNDO_REQUESTS];
    lock(thread);
    const int count = thread->undo_count;
    memcpy(undo, thread->undo, (size_t)count * sizeof undo[0]);
    thread->undo_count = 0;
    unlock(thread);
    const bool had_failed = thread->undoable.session.failed;
    BrumeError error = {0};
    for (int n = 0; n < count; n++) {
        if (undo[n].goes_back) {
            go_back(thread, &undo[n]);
        }
        brume_pending_edits_set_undone(&thread->current.edits, undo[n].edit, undo[n].undone);
        if (brume_undoable_session_set_undone(&thread->undoable, undo[n].edit, undo[n].undone, &error) != BRUME_OK) {
            brume_simulation_thread_set_error(thread, &error);
        }
    }
    update_history(thread);
    if (had_failed && !thread->undoable.session.failed) {
        brume_simulation_thread_set_error(thread, &error);
    }
    finish_recomputation(thread);
}

// After a frame that was stopped: another undo follows, or else a restart or the end, which need no state.
static void resume(BrumeSimulationThread *thread)
{
    BrumeUndoableSession *undoable = &thread->undoable;
    lock(thread);
    const bool goes_on = !thread->quit && !thread->requests.reset;
    unlock(thread);
    BrumeError error = {0};
    if (goes_on && brume_undoable_session_resume(undoable, &error) != BRUME_OK) {
        brume_simulation_thread_set_error(thread, &error);
    }
}

void brume_simulation_thread_catch_up(BrumeSimulationThread *thread)
{
    BrumeError error = {0};
    const BrumeStatus status = brume_undoable_session_catch_up(&thread->undoable, &thread->given, &error);
    if (status == BRUME_INTERRUPTED) {
        resume(thread);
        return;
    }
    if (status == BRUME_OK) {
        brume_simulation_thread_keep_frame(thread, false);
    } else {
        lock(thread);
        thread->running = false;
        thread->error = error;
        unlock(thread);
    }
    finish_recomputation(thread);
}

#include "viewer/undo.h"

#include "viewer/animate.h"
#include "viewer/body_edits.h"
#include "viewer/viewer_state.h"

// whether the simulation thread still computes frames again after an undo or redo
static bool is_recomputing(const BrumeViewer *viewer)
{
    return viewer->simulation_thread && brume_simulation_thread_recomputation(viewer->simulation_thread).active;
}

// Starts counting the steps that canceling takes back: steps made while frames are still computed again count
// together. To be called before the request to the simulation thread.
static void begin_step(BrumeViewer *viewer, bool goes_on)
{
    if (goes_on || !is_recomputing(viewer)) {
        viewer->undo_steps = (BrumeUndoSteps){.goes_on = goes_on};
    }
}

// counts a step: 1 undone, -1 redone or new
static void end_step(BrumeViewer *viewer, int undone)
{
    viewer->undo_steps.undone += undone;
    viewer->undo_steps.position = brume_undo_history_position(viewer->history);
}

// undoes a step of the history, or redoes it
static void move_in_history(BrumeViewer *viewer, bool undoes)
{
    int edit = 0;
    brume_viewer_restart_animation(viewer); // states of the history have the animated values at time 0
    brume_viewer_release_bodies(viewer);
    if (brume_undo_history_step(viewer->history, undoes, &viewer->controls, &edit) && edit > 0) {
        brume_simulation_thread_set_undone(viewer->simulation_thread, edit, undoes);
        viewer->applied.compare = viewer->controls.compare; // the simulation gets it from its log
    }
}

void brume_viewer_undo(BrumeViewer *viewer, bool undoes)
{
    if (undoes ? brume_undo_history_can_undo(viewer->history) : brume_undo_history_can_redo(viewer->history)) {
        begin_step(viewer, false);
        move_in_history(viewer, undoes);
        end_step(viewer, undoes ? 1 : -1);
    }
}

void brume_viewer_go_on_from(BrumeViewer *viewer, int edit, int frame)
{
    begin_step(viewer, true);
    brume_undo_history_add_with_controls(viewer->history, &viewer->controls, edit);
    brume_simulation_thread_go_back(viewer->simulation_thread, edit, frame);
    end_step(viewer, -1);
}

// continues to show the frame of the past; the simulation pauses at its present
static void stay_in_past(BrumeViewer *viewer)
{
    brume_simulation_thread_set_running(viewer->simulation_thread, false);
    viewer->past.going_back = false;
    viewer->controls.running = viewer->applied.running = false;
}

bool brume_viewer_cancel_recomputation(BrumeViewer *viewer)
{
    BrumeUndoSteps steps = viewer->undo_steps;
    if (!is_recomputing(viewer) || steps.position != brume_undo_history_position(viewer->history)) {
        return false;
    }
    viewer->undo_steps = (BrumeUndoSteps){0};
    for (; steps.undone > 0; steps.undone--) {
        move_in_history(viewer, false);
    }
    for (; steps.undone < 0; steps.undone++) {
        move_in_history(viewer, true);
    }
    if (steps.goes_on) {
        brume_undo_history_drop_redo(viewer->history);
        stay_in_past(viewer);
    }
    brume_viewer_show_message(viewer, false, "the frames are not computed again: all is as it was before");
    return true;
}

// Functions for the window thread: they add edits to the log, undo and redo them, and set requests.
#include "core/error.h"
#include "viewer/threads/simulation_thread_internal.h"

// ends a change of the log: publishes its error and wakes the simulation thread; the monitor is locked and is unlocked
static void end_edit(BrumeSimulationThread *thread, const BrumeError *error)
{
    BrumeSimulationShared *shared = &thread->shared;
    shared->error = error->status != BRUME_OK ? *error : shared->error;
    shared->preview_outdated = true;
    brume_monitor_signal_and_unlock(&thread->monitor);
}

// replaces the document by another one, which the simulation thread will start; the monitor is locked
static void replace_log(BrumeSimulationThread *thread, BrumeEditLog *log)
{
    BrumeSimulationShared *shared = &thread->shared;
    BrumeEditLog *former = shared->log;
    shared->log = log;
    shared->next_frame_at = 0.0;
    if (former != shared->followed) { // the simulation thread has not started it
        brume_edit_log_take_timeline(log, former);
        brume_edit_log_destroy(former);
    }
}

void brume_simulation_thread_set_running(BrumeSimulationThread *thread, bool running)
{
    brume_monitor_lock(&thread->monitor);
    thread->shared.running = running;
    thread->shared.requested_frames = 0;
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_simulation_thread_request_frame(BrumeSimulationThread *thread)
{
    brume_monitor_lock(&thread->monitor);
    thread->shared.requested_frames += thread->shared.running ? 0 : 1;
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_simulation_thread_reset(BrumeSimulationThread *thread)
{
    BrumeError error = {0};
    BrumeEditLog *next;
    brume_monitor_lock(&thread->monitor);
    if (brume_edit_log_restart(&next, thread->shared.log, &error) == BRUME_OK) {
        replace_log(thread, next);
    }
    end_edit(thread, &error);
}

void brume_simulation_thread_load_scene(BrumeSimulationThread *thread, const BrumeSimulationThreadDef *def)
{
    BrumeSimulationShared *shared = &thread->shared;
    BrumeError error = {0};
    BrumeEditLog *log;
    BrumeStatus status = brume_edit_log_create(&log, &def->settings, 1, def->animation, &error);
    if (status == BRUME_OK) {
        status = brume_timeline_copy(&log->scene_timeline, &def->timeline, &error);
    }
    brume_monitor_lock(&thread->monitor);
    if (status == BRUME_OK) {
        replace_log(thread, log);
        shared->progress.opening = true;
        shared->running = def->running;
        shared->requested_frames = 0;
        shared->threads = def->threads;
        shared->min_frame_ms = def->min_frame_ms;
    } else {
        brume_edit_log_destroy(log);
    }
    end_edit(thread, &error);
}

void brume_simulation_thread_set_settings(BrumeSimulationThread *thread, int variant, const BrumeSimDef *settings)
{
    BrumeSimulationShared *shared = &thread->shared;
    BrumeError error = {0};
    brume_monitor_lock(&thread->monitor);
    const BrumeLogVariants *variants = &shared->log->variants;
    if (variant < variants->count) {
        (void)brume_edit_log_set_settings(shared->log, variants->ids[variant], settings, &error);
    }
    shared->error = error.status != BRUME_OK ? error : shared->error;
    brume_monitor_unlock(&thread->monitor);
}

void brume_simulation_thread_set_animation(BrumeSimulationThread *thread, const BrumeAnimation *animation)
{
    BrumeSimulationShared *shared = &thread->shared;
    BrumeError error = {0};
    brume_monitor_lock(&thread->monitor);
    (void)brume_edit_log_set_animation(shared->log, animation, &error);
    shared->error = error.status != BRUME_OK ? error : shared->error;
    brume_monitor_unlock(&thread->monitor);
}

void brume_simulation_thread_fork(BrumeSimulationThread *thread, int edit)
{
    BrumeError error = {0};
    brume_monitor_lock(&thread->monitor);
    (void)brume_edit_log_fork(thread->shared.log, edit, &error);
    end_edit(thread, &error);
}

void brume_simulation_thread_end_comparison(BrumeSimulationThread *thread, int kept, int edit)
{
    BrumeError error = {0};
    brume_monitor_lock(&thread->monitor);
    (void)brume_edit_log_keep(thread->shared.log, kept, edit, &error);
    end_edit(thread, &error);
}

bool brume_simulation_thread_compares(BrumeSimulationThread *thread)
{
    brume_monitor_lock(&thread->monitor);
    const bool compares = thread->shared.log->variants.count > 1;
    brume_monitor_unlock(&thread->monitor);
    return compares;
}

void brume_simulation_thread_add_stroke(BrumeSimulationThread *thread, const BrumeStrokeSegment *segment)
{
    BrumeError error = {0};
    brume_monitor_lock(&thread->monitor);
    (void)brume_edit_log_add_stroke(thread->shared.log, segment, &error);
    end_edit(thread, &error);
}

void brume_simulation_thread_move_body(BrumeSimulationThread *thread, const BrumeBodyMotion *motion)
{
    BrumeError error = {0};
    brume_monitor_lock(&thread->monitor);
    (void)brume_edit_log_move(thread->shared.log, motion, &error);
    end_edit(thread, &error);
}

void brume_simulation_thread_go_back(BrumeSimulationThread *thread, int edit, int frame)
{
    BrumeSimulationShared *shared = &thread->shared;
    BrumeError error = {0};
    brume_monitor_lock(&thread->monitor);
    if (brume_edit_log_go_back(shared->log, edit, frame, &error) == BRUME_OK) {
        shared->running = false;
        shared->requested_frames = 0;
    }
    end_edit(thread, &error);
}

void brume_simulation_thread_set_undone(BrumeSimulationThread *thread, int edit, bool undone)
{
    BrumeError error = {0};
    brume_monitor_lock(&thread->monitor);
    (void)brume_edit_log_set_undone(thread->shared.log, edit, undone, &error);
    end_edit(thread, &error);
}

BrumeRecomputation brume_simulation_thread_recomputation(BrumeSimulationThread *thread)
{
    BrumeSimulationShared *shared = &thread->shared;
    brume_monitor_lock(&thread->monitor);
    const bool is_followed = shared->log == thread->own.undoable.log;
    const bool begins = is_followed && shared->log->changes != thread->own.undoable.changes;
    const BrumeRecomputation recomputation = begins        ? (BrumeRecomputation){.active = true}
                                             : is_followed ? shared->recomputation
                                                           : (BrumeRecomputation){0};
    brume_monitor_unlock(&thread->monitor);
    return recomputation;
}

void brume_simulation_thread_set_threads(BrumeSimulationThread *thread, int threads)
{
    brume_monitor_lock(&thread->monitor);
    thread->shared.threads = threads;
    brume_monitor_unlock(&thread->monitor);
}

void brume_simulation_thread_set_speed_limit(BrumeSimulationThread *thread, double limit)
{
    brume_monitor_lock(&thread->monitor);
    thread->shared.speed_limit = limit;
    thread->shared.next_frame_at = 0.0;
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_simulation_thread_set_frame_by_frame(BrumeSimulationThread *thread, bool enabled)
{
    BrumeSimulationShared *shared = &thread->shared;
    brume_monitor_lock(&thread->monitor);
    shared->frame_by_frame = enabled;
    shared->frame_permitted = false;
    shared->preview_outdated = true;
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_simulation_thread_measure_forces(BrumeSimulationThread *thread, bool enabled)
{
    BrumeSimulationShared *shared = &thread->shared;
    brume_monitor_lock(&thread->monitor);
    const bool begins = enabled && !shared->measures_forces;
    shared->measures_forces = enabled;
    shared->preview_outdated = shared->preview_outdated || begins;
    if (begins) {
        brume_monitor_signal(&thread->monitor);
    }
    brume_monitor_unlock(&thread->monitor);
}

void brume_simulation_thread_permit_frame(BrumeSimulationThread *thread)
{
    brume_monitor_lock(&thread->monitor);
    thread->shared.frame_permitted = true;
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_simulation_thread_request_replay(BrumeSimulationThread *thread, int variant, int frame)
{
    BrumeSimulationShared *shared = &thread->shared;
    brume_monitor_lock(&thread->monitor);
    shared->wants_replay = true;
    shared->replay_variant = variant;
    shared->replay_frame = frame;
    shared->replay_ready = false; // an earlier replay becomes invalid
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_simulation_thread_progress(BrumeSimulationThread *thread, BrumeSimulationProgress *progress)
{
    BrumeSimulationShared *shared = &thread->shared;
    brume_monitor_lock(&thread->monitor);
    *progress = shared->progress;
    const bool computes = shared->running || shared->requested_frames > 0;
    const BrumeLogVariants *variants = &shared->log->variants;
    for (int n = 0; n < variants->count && !shared->progress.preparing && computes; n++) {
        const BrumeSimDef *waiting = brume_edit_log_waiting_settings(shared->log, variants->ids[n]);
        if (waiting && !brume_same_grid(brume_grid_of_settings(waiting), progress->published[n])) {
            progress->preparing = true; // the frame after the present one has another grid
            progress->fraction = 0.0;
            progress->grid[n] = brume_grid_of_settings(waiting);
        }
    }
    brume_monitor_unlock(&thread->monitor);
}

bool brume_simulation_thread_poll_replay(BrumeSimulationThread *thread, BrumeReplay *replay)
{
    brume_monitor_lock(&thread->monitor);
    const bool ready = thread->shared.replay_ready;
    thread->shared.replay_ready = false;
    brume_monitor_unlock(&thread->monitor);
    if (ready) { // the simulation thread does not write it before the next request
        *replay = thread->replay;
        thread->replay.timeline = (BrumeTimeline){0};
    }
    return ready;
}

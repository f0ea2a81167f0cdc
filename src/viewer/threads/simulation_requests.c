// The functions of the window thread, which add to the log of edits and change it, and leave requests.
#include "core/error.h"
#include "viewer/threads/simulation_thread_internal.h"

static void lock(BrumeSimulationThread *thread) { brume_simulation_thread_lock(thread); }

static void unlock(BrumeSimulationThread *thread) { brume_simulation_thread_unlock(thread); }

static void unlock_and_signal(BrumeSimulationThread *thread)
{
    (void)pthread_cond_broadcast(&thread->changed);
    unlock(thread);
}

// after an edit that was added to the log, or for which there was no memory; the mutex is locked
static void end_edit(BrumeSimulationThread *thread, const BrumeError *error)
{
    thread->error = error->status != BRUME_OK ? *error : thread->error;
    thread->preview_outdated = true;
    unlock_and_signal(thread);
}

// replaces the document by another one, which is to be started; the mutex is locked
static void replace_log(BrumeSimulationThread *thread, BrumeEditLog *log)
{
    BrumeEditLog *former = thread->log;
    thread->log = log;
    thread->next_frame_at = 0.0;
    if (former != thread->followed) { // it was not begun
        brume_edit_log_take_timeline(log, former);
        brume_edit_log_destroy(former);
    }
}

void brume_simulation_thread_set_running(BrumeSimulationThread *thread, bool running)
{
    lock(thread);
    thread->running = running;
    thread->requested_frames = 0;
    unlock_and_signal(thread);
}

void brume_simulation_thread_request_frame(BrumeSimulationThread *thread)
{
    lock(thread);
    thread->requested_frames += thread->running ? 0 : 1;
    unlock_and_signal(thread);
}

void brume_simulation_thread_reset(BrumeSimulationThread *thread)
{
    BrumeError error = {0};
    BrumeEditLog *next;
    lock(thread);
    if (brume_edit_log_restart(&next, thread->log, &error) == BRUME_OK) {
        replace_log(thread, next);
    }
    end_edit(thread, &error);
}

void brume_simulation_thread_load_scene(BrumeSimulationThread *thread, const BrumeSimulationThreadDef *def)
{
    BrumeError error = {0};
    BrumeEditLog *log;
    BrumeStatus status = brume_edit_log_create(&log, &def->settings, 1, def->animation, &error);
    if (status == BRUME_OK) {
        status = brume_timeline_copy(&log->scene_timeline, &def->timeline, &error);
    }
    lock(thread);
    if (status == BRUME_OK) {
        replace_log(thread, log);
        thread->progress.opening = true;
        thread->running = def->running;
        thread->requested_frames = 0;
        thread->threads = def->threads;
        thread->min_frame_ms = def->min_frame_ms;
    } else {
        brume_edit_log_destroy(log);
    }
    end_edit(thread, &error);
}

void brume_simulation_thread_set_settings(BrumeSimulationThread *thread, int variant, const BrumeSimDef *settings)
{
    BrumeError error = {0};
    lock(thread);
    const BrumeLogVariants *variants = &thread->log->variants;
    if (variant < variants->count) {
        (void)brume_edit_log_set_settings(thread->log, variants->ids[variant], settings, &error);
    }
    thread->error = error.status != BRUME_OK ? error : thread->error;
    unlock(thread);
}

void brume_simulation_thread_set_animation(BrumeSimulationThread *thread, const BrumeAnimation *animation)
{
    BrumeError error = {0};
    lock(thread);
    (void)brume_edit_log_set_animation(thread->log, animation, &error);
    thread->error = error.status != BRUME_OK ? error : thread->error;
    unlock(thread);
}

void brume_simulation_thread_fork(BrumeSimulationThread *thread, int edit)
{
    BrumeError error = {0};
    lock(thread);
    (void)brume_edit_log_fork(thread->log, edit, &error);
    end_edit(thread, &error);
}

void brume_simulation_thread_end_comparison(BrumeSimulationThread *thread, int kept, int edit)
{
    BrumeError error = {0};
    lock(thread);
    (void)brume_edit_log_keep(thread->log, kept, edit, &error);
    end_edit(thread, &error);
}

bool brume_simulation_thread_compares(BrumeSimulationThread *thread)
{
    lock(thread);
    const bool compares = thread->log->variants.count > 1;
    unlock(thread);
    return compares;
}

void brume_simulation_thread_add_stroke(BrumeSimulationThread *thread, const BrumeStrokeSegment *segment)
{
    BrumeError error = {0};
    lock(thread);
    (void)brume_edit_log_add_stroke(thread->log, segment, &error);
    end_edit(thread, &error);
}

void brume_simulation_thread_move_obstacle(BrumeSimulationThread *thread, const BrumeObstacleMotion *motion)
{
    BrumeError error = {0};
    lock(thread);
    (void)brume_edit_log_move(thread->log, motion, &error);
    end_edit(thread, &error);
}

void brume_simulation_thread_go_back(BrumeSimulationThread *thread, int edit, int frame)
{
    BrumeError error = {0};
    lock(thread);
    if (brume_edit_log_go_back(thread->log, edit, frame, &error) == BRUME_OK) {
        thread->running = false;
        thread->requested_frames = 0;
    }
    end_edit(thread, &error);
}

void brume_simulation_thread_set_undone(BrumeSimulationThread *thread, int edit, bool undone)
{
    BrumeError error = {0};
    lock(thread);
    (void)brume_edit_log_set_undone(thread->log, edit, undone, &error);
    end_edit(thread, &error);
}

BrumeRecomputation brume_simulation_thread_recomputation(BrumeSimulationThread *thread)
{
    lock(thread);
    const bool is_followed = thread->log == thread->undoable.log;
    const bool begins = is_followed && thread->log->changes != thread->undoable.changes;
    const BrumeRecomputation recomputation = begins        ? (BrumeRecomputation){.active = true}
                                             : is_followed ? thread->recomputation
                                                           : (BrumeRecomputation){0};
    unlock(thread);
    return recomputation;
}

void brume_simulation_thread_set_threads(BrumeSimulationThread *thread, int threads)
{
    lock(thread);
    thread->threads = threads;
    unlock(thread);
}

void brume_simulation_thread_set_speed_limit(BrumeSimulationThread *thread, double limit)
{
    lock(thread);
    thread->speed_limit = limit;
    thread->next_frame_at = 0.0;
    unlock_and_signal(thread);
}

void brume_simulation_thread_set_frame_by_frame(BrumeSimulationThread *thread, bool enabled)
{
    lock(thread);
    thread->frame_by_frame = enabled;
    thread->frame_permitted = false;
    thread->preview_outdated = true;
    unlock_and_signal(thread);
}

void brume_simulation_thread_permit_frame(BrumeSimulationThread *thread)
{
    lock(thread);
    thread->frame_permitted = true;
    unlock_and_signal(thread);
}

void brume_simulation_thread_request_replay(BrumeSimulationThread *thread, int variant)
{
    brume_simulation_thread_request_past_replay(thread, variant, -1);
}

void brume_simulation_thread_request_past_replay(BrumeSimulationThread *thread, int variant, int frame)
{
    lock(thread);
    thread->wants_replay = true;
    thread->replay_variant = variant;
    thread->replay_frame = frame;
    thread->replay_ready = false; // of an earlier request
    unlock_and_signal(thread);
}

void brume_simulation_thread_progress(BrumeSimulationThread *thread, BrumeSimulationProgress *progress)
{
    lock(thread);
    *progress = thread->progress;
    const bool computes = thread->running || thread->requested_frames > 0;
    const BrumeLogVariants *variants = &thread->log->variants;
    for (int n = 0; n < variants->count && !thread->progress.preparing && computes; n++) {
        const BrumeSimDef *waiting = brume_edit_log_waiting_settings(thread->log, variants->ids[n]);
        if (waiting && !brume_same_grid(brume_grid_of_settings(waiting), progress->published[n])) {
            progress->preparing = true; // after the frame that is computed now
            progress->fraction = 0.0;
            progress->grid[n] = brume_grid_of_settings(waiting);
        }
    }
    unlock(thread);
}

bool brume_simulation_thread_poll_replay(BrumeSimulationThread *thread, BrumeReplay *replay)
{
    lock(thread);
    const bool ready = thread->replay_ready;
    if (ready) {
        *replay = thread->replay;
        thread->replay = (BrumeReplay){0};
        thread->replay_ready = false;
    }
    unlock(thread);
    return ready;
}

void brume_simulation_thread_set_snapshot_callback(BrumeSimulationThread *thread, void (*callback)(void *),
                                                   void *context)
{
    (void)pthread_mutex_lock(&thread->callback_mutex);
    thread->callback = callback;
    thread->callback_context = context;
    (void)pthread_mutex_unlock(&thread->callback_mutex);
}

#include "viewer/threads/simulation_thread_internal.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"
#include "viewer/simulation/preview.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

// of a frame with another grid: the part of its time until its first step, in which the state is resampled
static const double change_share = 0.5;

static void lock(BrumeSimulationThread *thread) { brume_simulation_thread_lock(thread); }

static void unlock(BrumeSimulationThread *thread) { brume_simulation_thread_unlock(thread); }

void brume_simulation_thread_set_error(BrumeSimulationThread *thread, const BrumeError *error)
{
    lock(thread);
    thread->error = *error;
    unlock(thread);
}

static void set_error(BrumeSimulationThread *thread, const BrumeError *error)
{
    brume_simulation_thread_set_error(thread, error);
}

static void call_snapshot_callback(BrumeSimulationThread *thread)
{
    (void)pthread_mutex_lock(&thread->callback_mutex);
    if (thread->callback) {
        thread->callback(thread->callback_context);
    }
    (void)pthread_mutex_unlock(&thread->callback_mutex);
}

// Collects what waits for the next frame, to be shown in advance: while paused, and on until the next frame. A
// recording has none of it. The mutex is locked.
static bool collect_preview(BrumeSimulationThread *thread)
{
    const bool shows = (!thread->running || thread->previewed_frame == thread->undoable.session.frame) &&
                       !thread->frame_by_frame && !thread->undoable.session.failed;
    thread->preview_outdated = false;
    brume_undoable_session_collect_waiting(&thread->undoable, !shows);
    return brume_frame_edits_are_visible(&thread->undoable.edits);
}

// copies the state of all variants, with the preview
static void capture(BrumeSimulationThread *thread, BrumeSnapshot *snapshot, bool previews)
{
    const BrumeSession *session = &thread->undoable.session;
    const BrumeSnapshot *last = &thread->snapshots[thread->latest_slot];
    for (int n = 0; n < session->variant_count; n++) {
        // After a failed frame the previous snapshot is published again. The reader may hold it: both only read it.
        const BrumeSessionVariant *variant = &session->variants[n];
        const BrumeStatus status =
            session->failed
                ? brume_snapshot_copy(&snapshot->variants[n], &last->variants[n], &snapshot->error)
                : brume_snapshot_capture(&snapshot->variants[n], variant->sim, &variant->stats, &snapshot->error);
        if (status != BRUME_OK) {
            break;
        }
        if (previews) {
            brume_preview_apply(&snapshot->variants[n], n, brume_sim_time(variant->sim), &thread->undoable.edits);
        }
    }
    thread->revision += previews || thread->previewed_frame >= 0;
    thread->previewed_frame = previews ? session->frame : -1;
}

void brume_simulation_thread_publish(BrumeSimulationThread *thread)
{
    const BrumeSession *session = &thread->undoable.session;
    const BrumeSnapshot *last = &thread->snapshots[thread->latest_slot];
    const unsigned slot = brume_triple_buffer_write_slot(&thread->buffer);
    BrumeSnapshot *snapshot = &thread->snapshots[slot];
    lock(thread);
    snapshot->error = thread->error;
    snapshot->running = thread->running;
    snapshot->late = thread->late;
    snapshot->frame_by_frame = thread->frame_by_frame;
    snapshot->waits = thread->frame_by_frame && !thread->frame_permitted;
    const bool previews = collect_preview(thread);
    unlock(thread);
    capture(thread, snapshot, previews);
    snapshot->variant_count = session->variant_count;
    snapshot->frame = session->frame;
    snapshot->seed = (uint32_t)session->frame;
    snapshot->time = session->failed ? last->time : brume_sim_time(session->variants[0].sim);
    snapshot->serial = ++thread->serial;
    snapshot->epoch = thread->epoch;
    snapshot->revision = thread->revision;
    snapshot->frame_ms = thread->frame_ms;
    snapshot->threads = thread->team_size;
    thread->reported_running = snapshot->running;
    thread->reported_frame_by_frame = snapshot->frame_by_frame;
    lock(thread);
    for (int n = 0; n < session->variant_count; n++) {
        thread->progress.published[n] = brume_grid_of_settings(&snapshot->variants[n].settings);
    }
    unlock(thread);
    thread->latest_slot = slot;
    brume_triple_buffer_publish(&thread->buffer);
    call_snapshot_callback(thread);
}

// starts the document; where that fails, the former one goes on
static BrumeStatus start(BrumeSimulationThread *thread)
{
    BrumeUndoableSession *undoable = &thread->undoable;
    lock(thread);
    BrumeEditLog *log = thread->log;
    thread->followed = log;
    unlock(thread);
    BrumeError error = {0};
    const BrumeStatus status = brume_undoable_session_start(undoable, log, &error);
    set_error(thread, &error); // also after success, to clear an earlier error
    if (status == BRUME_OK) {
        thread->epoch++;
        thread->frame_ms = 0.0;
        if (thread->history) {
            brume_frame_history_clear(thread->history, thread->epoch);
        }
        brume_simulation_thread_keep_frame(thread);
    }
    BrumeEditLog *ended = NULL;
    lock(thread);
    if (status == BRUME_OK) {
        ended = brume_undoable_session_adopt(undoable, log);
    } else if (undoable->log) {
        thread->log = thread->log == log ? undoable->log : thread->log; // or another one that was requested meanwhile
        thread->followed = undoable->log;
        undoable->changes -= undoable->session.failed; // a frame that was stopped: it is followed again
        ended = log;
    }
    thread->progress.opening = thread->log != thread->followed;
    thread->progress.epoch = thread->epoch;
    thread->recomputation = (BrumeRecomputation){0};
    unlock(thread);
    brume_edit_log_destroy(ended);
    return status;
}

// Waits until the frame has taken its minimum time, or the simulation is paused or continued. The mutex is locked.
static void wait_for_min_frame_time(BrumeSimulationThread *thread, double start_time)
{
    const bool running = thread->running;
    while (!thread->quit && thread->running == running && brume_seconds() < start_time + 1e-3 * thread->min_frame_ms) {
        brume_wait_until(&thread->changed, &thread->mutex, start_time + 1e-3 * thread->min_frame_ms);
    }
}

// whether settings that wait for the next frame have another grid than that which is prepared; the mutex is locked
static bool is_canceled(const BrumeSimulationThread *thread)
{
    const BrumeSession *session = &thread->undoable.session;
    bool canceled = false;
    for (int n = 0; n < session->variant_count; n++) {
        const BrumeSimDef *waiting = brume_edit_log_waiting_settings(thread->undoable.log, session->variants[n].id);
        canceled = canceled || (waiting && !brume_same_grid(brume_grid_of_settings(waiting), thread->progress.grid[n]));
    }
    return canceled && thread->progress.preparing && thread->undoable.saved.held;
}

// called by the simulation within a frame: false where the frame is not needed any more
static bool report_progress(void *context, double fraction)
{
    BrumeSimulationThread *thread = context;
    lock(thread);
    const double before = thread->progress.preparing ? change_share : 0.0;
    thread->progress.fraction = before + (1.0 - before) * fraction;
    thread->progress.stages++;
    const bool is_outdated = thread->computes_again && thread->undoable.log->changes != thread->undoable.changes;
    const bool goes_on = !thread->quit && thread->log == thread->followed && !is_canceled(thread) && !is_outdated;
    unlock(thread);
    return goes_on;
}

// prepares a frame that is asked for; the mutex is locked
static void begin_frame(BrumeSimulationThread *thread)
{
    BrumeUndoableSession *undoable = &thread->undoable;
    const BrumeSession *session = &undoable->session;
    thread->frame_permitted = false;
    thread->requested_frames -= thread->running || thread->requested_frames == 0 ? 0 : 1;
    brume_edit_log_take_frame(undoable->log);
    brume_undoable_session_prepare_frame(undoable);
    thread->progress.in_frame = true;
    thread->progress.preparing = brume_undoable_session_changes_grid(undoable);
    thread->progress.fraction = 0.0;
    for (int n = 0; n < session->variant_count; n++) {
        const BrumeSimDef *next = undoable->edits.settings[n];
        thread->progress.grid[n] = brume_grid_of_settings(next ? next : brume_sim_settings(session->variants[n].sim));
    }
}

static void end_frame(BrumeSimulationThread *thread)
{
    lock(thread);
    thread->progress.in_frame = thread->progress.preparing = false;
    unlock(thread);
}

// After a frame that was stopped: goes back to the state before it, unless a restart or the end follows.
static void cancel_frame(BrumeSimulationThread *thread)
{
    lock(thread);
    const bool cancels = is_canceled(thread) && !thread->quit && thread->log == thread->followed;
    if (cancels) {
        brume_edit_log_give_back_frame(thread->undoable.log);
        thread->frame_permitted = thread->frame_by_frame; // which the frame had used
    }
    unlock(thread);
    end_frame(thread);
    if (cancels) {
        brume_simulation_thread_follow(thread);
        lock(thread);
        thread->progress.canceled++;
        unlock(thread);
    }
}

static void run_frame(BrumeSimulationThread *thread)
{
    BrumeUndoableSession *undoable = &thread->undoable;
    const double start_time = brume_seconds();
    const bool changed = undoable->edits.settings[0] || undoable->edits.settings[1];
    BrumeError rejected = {0};
    BrumeError failed = {0};
    if (brume_undoable_session_changes_grid(undoable)) {
        brume_saved_sessions_hold(&undoable->saved, &undoable->session); // it may be canceled
    }
    const BrumeStatus status = brume_undoable_session_run_frame(undoable, &rejected, &failed);
    if (status == BRUME_INTERRUPTED) {
        cancel_frame(thread);
        return;
    }
    brume_saved_sessions_release(&undoable->saved);
    thread->frame_ms = 1e3 * (brume_seconds() - start_time);
    if (status == BRUME_OK) {
        brume_simulation_thread_keep_frame(thread);
    }
    const double length = 1.0 / (double)brume_sim_settings(undoable->session.variants[0].sim)->fps; // [s]

    lock(thread);
    const double wall_time = length / thread->speed_limit;
    // a delay of up to one frame is made up for, a longer one is not
    thread->late = start_time - thread->next_frame_at > wall_time;
    thread->next_frame_at = (thread->late ? start_time : thread->next_frame_at) + wall_time;
    wait_for_min_frame_time(thread, start_time);
    if (status == BRUME_OK) {
        brume_undoable_session_end_frame(undoable);
        thread->error = changed || rejected.status != BRUME_OK ? rejected : thread->error;
    } else {
        thread->running = false;
        thread->error = failed;
        if (undoable->log->changes == undoable->changes) {
            brume_edit_log_give_back_frame(undoable->log);
        }
    }
    unlock(thread);
    end_frame(thread);
    brume_simulation_thread_publish(thread);
}

static bool frame_is_wanted(const BrumeSimulationThread *thread)
{
    return (thread->running || thread->requested_frames > 0) && !(thread->frame_by_frame && !thread->frame_permitted);
}

/** What the thread does next. */
typedef enum Task {
    TASK_WAIT,
    TASK_START,
    TASK_FOLLOW,
    TASK_COMPARE,
    TASK_AGAIN,
    TASK_REPLAY,
    TASK_FRAME,
    TASK_REPORT
} Task;

// In the order of the log: strokes that follow a restart are applied after it. While frames are computed again, what
// is asked about the state to which they lead waits. The mutex is locked.
static Task next_task(BrumeSimulationThread *thread)
{
    BrumeUndoableSession *undoable = &thread->undoable;
    BrumeLogEntry entry;
    const bool is_due = !thread->running || brume_seconds() >= thread->next_frame_at;
    if (thread->log != thread->followed) {
        return TASK_START;
    }
    if (undoable->log->changes != undoable->changes) {
        return TASK_FOLLOW;
    }
    if (brume_undoable_session_next_comparison(undoable, &entry)) {
        return TASK_COMPARE;
    }
    if (brume_undoable_session_is_behind(undoable)) {
        return TASK_AGAIN;
    }
    if (thread->wants_replay) {
        return TASK_REPLAY;
    }
    if (frame_is_wanted(thread) && undoable->session.failed) { // it cannot go on
        thread->running = false;
        thread->requested_frames = 0;
        thread->preview_outdated = true;
    }
    if (frame_is_wanted(thread) && is_due) {
        return TASK_FRAME;
    }
    const bool reports = thread->running != thread->reported_running ||
                         thread->frame_by_frame != thread->reported_frame_by_frame ||
                         (thread->preview_outdated && !thread->running && thread->requested_frames == 0);
    return reports ? TASK_REPORT : TASK_WAIT;
}

static void set_team_size(BrumeSimulationThread *thread, int threads)
{
    if (threads != thread->team_size) {
        brume_set_threads(threads);
        thread->team_size = threads;
    }
}

static void perform(BrumeSimulationThread *thread, Task task)
{
    if (task == TASK_START) {
        (void)start(thread);
        brume_simulation_thread_publish(thread);
    } else if (task == TASK_FOLLOW) {
        brume_simulation_thread_follow(thread);
    } else if (task == TASK_COMPARE) {
        brume_simulation_thread_arrive(thread);
    } else if (task == TASK_AGAIN) {
        brume_simulation_thread_compute_again(thread);
    } else if (task == TASK_REPLAY) {
        brume_simulation_thread_make_replay(thread);
    } else if (task == TASK_FRAME) {
        run_frame(thread);
    } else {
        brume_simulation_thread_publish(thread);
    }
}

// the simulation thread's main function
static void *run(void *context)
{
    BrumeSimulationThread *thread = context;
    brume_name_threads("brume-sim");
    brume_lower_priority(); // below the threads that prepare and draw; before the team is started, which inherits it
    set_team_size(thread, thread->threads);
    const BrumeStatus status = start(thread);
    if (status == BRUME_OK) {
        brume_simulation_thread_publish(thread);
    }
    lock(thread);
    thread->initialized = true;
    thread->status = status;
    (void)pthread_cond_broadcast(&thread->changed);
    while (!thread->quit && status == BRUME_OK) {
        const Task task = next_task(thread);
        if (task == TASK_WAIT) {
            brume_wait_until(&thread->changed, &thread->mutex,
                             frame_is_wanted(thread) ? thread->next_frame_at : INFINITY);
            continue;
        }
        thread->computes_again = task == TASK_AGAIN;
        if (task == TASK_FRAME) {
            begin_frame(thread);
        } else if (task == TASK_AGAIN) {
            brume_undoable_session_prepare_frame(&thread->undoable);
        }
        const int threads = thread->threads;
        unlock(thread);
        set_team_size(thread, threads);
        perform(thread, task);
        lock(thread);
    }
    thread->ended = true;
    (void)pthread_cond_broadcast(&thread->changed);
    unlock(thread);
    return NULL;
}

BrumeStatus brume_simulation_thread_create(BrumeSimulationThread **thread, const BrumeSimulationThreadDef *def,
                                           BrumeError *error)
{
    *thread = NULL;
    BrumeSimulationThread *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "the viewer");
    }
    brume_wait_init(&created->changed);
    (void)pthread_mutex_init(&created->mutex, NULL);
    (void)pthread_mutex_init(&created->callback_mutex, NULL);
    brume_triple_buffer_init(&created->buffer);

    created->threads = def->threads;
    created->running = created->reported_running = def->running;
    created->min_frame_ms = def->min_frame_ms;
    created->speed_limit = 1.0;
    created->previewed_frame = -1;
    created->undoable.session.progress = report_progress;
    created->undoable.session.progress_context = created;
    created->undoable.saved.budget = def->memory;
    created->history = def->history;
    BrumeStatus status = brume_edit_log_create(&created->log, &def->settings, 1, def->animation, error);
    if (status == BRUME_OK) {
        status = brume_timeline_copy(&created->log->scene_timeline, &def->timeline, error);
    }
    if (status != BRUME_OK) {
        goto cleanup;
    }
    const int failure = pthread_create(&created->handle, NULL, run, created);
    if (failure != 0) {
        status = brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
        goto cleanup;
    }
    created->started = true;
    lock(created);
    while (!created->initialized) {
        (void)pthread_cond_wait(&created->changed, &created->mutex);
    }
    status = created->status;
    if (status != BRUME_OK && error) {
        *error = created->error;
    }
    unlock(created);
cleanup:
    if (status != BRUME_OK) {
        brume_simulation_thread_destroy(created);
        created = NULL;
    }
    *thread = created;
    return status;
}

bool brume_simulation_thread_stop(BrumeSimulationThread *thread, double seconds)
{
    lock(thread);
    thread->quit = true;
    (void)pthread_cond_broadcast(&thread->changed);
    const bool ended = !thread->started || brume_wait_for(&thread->ended, &thread->changed, &thread->mutex, seconds);
    unlock(thread);
    return ended;
}

void brume_simulation_thread_destroy(BrumeSimulationThread *thread)
{
    if (!thread) {
        return;
    }
    if (thread->started) {
        (void)brume_simulation_thread_stop(thread, INFINITY);
        (void)pthread_join(thread->handle, NULL);
    }
    if (thread->log != thread->undoable.log) {
        brume_edit_log_destroy(thread->log);
    }
    brume_undoable_session_destroy(&thread->undoable);
    brume_timeline_clear(&thread->replay.timeline);
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        brume_snapshot_destroy(&thread->snapshots[n]);
    }
    (void)pthread_mutex_destroy(&thread->callback_mutex);
    (void)pthread_mutex_destroy(&thread->mutex);
    (void)pthread_cond_destroy(&thread->changed);
    brume_free(thread);
}

const BrumeSnapshot *brume_simulation_thread_latest_snapshot(BrumeSimulationThread *thread)
{
    (void)brume_triple_buffer_take(&thread->buffer);
    return &thread->snapshots[brume_triple_buffer_read_slot(&thread->buffer)];
}

/*
 * The functions of the source of states.
 */

static const BrumeSnapshot *source_latest_snapshot(void *self) { return brume_simulation_thread_latest_snapshot(self); }

static void source_set_snapshot_callback(void *self, void (*callback)(void *), void *context)
{
    brume_simulation_thread_set_snapshot_callback(self, callback, context);
}

static void source_set_running(void *self, bool running) { brume_simulation_thread_set_running(self, running); }

static void source_step(void *self) { brume_simulation_thread_request_frame(self); }

static void source_restart(void *self) { brume_simulation_thread_reset(self); }

static void source_set_speed_limit(void *self, double limit) { brume_simulation_thread_set_speed_limit(self, limit); }

static void source_set_frame_by_frame(void *self, bool enabled)
{
    brume_simulation_thread_set_frame_by_frame(self, enabled);
}

static void source_permit_frame(void *self) { brume_simulation_thread_permit_frame(self); }

static bool source_stop(void *self, double seconds) { return brume_simulation_thread_stop(self, seconds); }

static void source_destroy(void *self) { brume_simulation_thread_destroy(self); }

BrumeStateSource brume_simulation_thread_source(BrumeSimulationThread *thread)
{
    static const BrumeStateSourceFunctions functions = {
        .latest_snapshot = source_latest_snapshot,
        .set_snapshot_callback = source_set_snapshot_callback,
        .set_running = source_set_running,
        .step = source_step,
        .restart = source_restart,
        .set_speed_limit = source_set_speed_limit,
        .set_frame_by_frame = source_set_frame_by_frame,
        .permit_frame = source_permit_frame,
        .stop = source_stop,
        .destroy = source_destroy,
    };
    return thread ? (BrumeStateSource){thread, &functions} : (BrumeStateSource){0};
}

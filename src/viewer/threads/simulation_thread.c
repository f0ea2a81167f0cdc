#include "viewer/threads/simulation_thread_internal.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"
#include "viewer/simulation/preview.h"

#include <math.h>

// part of the time of a frame with another grid in which the state is resampled, before the first step
static const double change_share = 0.5;

void brume_simulation_thread_set_error(BrumeSimulationThread *thread, const BrumeError *error)
{
    brume_monitor_lock(&thread->monitor);
    thread->shared.error = *error;
    brume_monitor_unlock(&thread->monitor);
}

// Collects the waiting edits for the preview: while the simulation is paused, and after that until its next frame. In
// frame-by-frame mode there is no preview. The monitor is locked.
static bool collect_preview(BrumeSimulationThread *thread)
{
    BrumeSimulationShared *shared = &thread->shared;
    BrumeSimulationOwn *own = &thread->own;
    const bool shows = (!shared->running || own->previewed_frame == own->undoable.session.frame) &&
                       !shared->frame_by_frame && !own->undoable.session.failed;
    shared->preview_outdated = false;
    brume_undoable_session_collect_waiting(&own->undoable, !shows);
    return brume_frame_edits_are_visible(&own->undoable.edits);
}

// copies the state of all variants, with the preview, and measures the forces on bodies
static void capture(BrumeSimulationThread *thread, BrumeSnapshot *snapshot, bool previews, bool measures)
{
    BrumeSimulationOwn *own = &thread->own;
    const BrumeSession *session = &own->undoable.session;
    const BrumeSnapshot *last = own->latest;
    for (int n = 0; n < session->variant_count; n++) {
        // After a failed frame the previous snapshot is copied and published again. The reader may still read it.
        const BrumeSessionVariant *variant = &session->variants[n];
        const BrumeStatus status =
            session->failed
                ? brume_snapshot_copy(&snapshot->variants[n], &last->variants[n], &snapshot->error)
                : brume_snapshot_capture(&snapshot->variants[n], variant->sim, &variant->stats, &snapshot->error);
        if (status != BRUME_OK) {
            break;
        }
        if (measures && !session->failed) {
            brume_snapshot_measure_forces(&snapshot->variants[n], variant->sim);
        }
        if (previews) {
            brume_preview_apply(&snapshot->variants[n], n, brume_sim_time(variant->sim), &own->undoable.edits);
        }
    }
    own->revision += previews || own->previewed_frame >= 0 || (measures && !own->measured);
    own->measured = measures;
    own->previewed_frame = previews ? session->frame : -1;
}

void brume_simulation_thread_publish(BrumeSimulationThread *thread)
{
    BrumeSimulationShared *shared = &thread->shared;
    BrumeSimulationOwn *own = &thread->own;
    const BrumeSession *session = &own->undoable.session;
    const BrumeSnapshot *last = own->latest;
    BrumeSnapshot *snapshot = brume_state_source_next(&thread->source);
    brume_monitor_lock(&thread->monitor);
    snapshot->error = shared->error;
    snapshot->running = shared->running;
    snapshot->late = shared->late;
    snapshot->frame_by_frame = shared->frame_by_frame;
    snapshot->waits = shared->frame_by_frame && !shared->frame_permitted;
    const bool previews = collect_preview(thread);
    const bool measures = shared->measures_forces;
    brume_monitor_unlock(&thread->monitor);
    capture(thread, snapshot, previews, measures);
    snapshot->variant_count = session->variant_count;
    snapshot->frame = session->frame;
    snapshot->seed = (uint32_t)session->frame;
    snapshot->time = session->failed ? last->time : brume_sim_time(session->variants[0].sim);
    snapshot->serial = ++own->serial;
    snapshot->epoch = own->epoch;
    snapshot->revision = own->revision;
    snapshot->frame_ms = own->frame_ms;
    snapshot->threads = own->team_size;
    brume_monitor_lock(&thread->monitor);
    for (int n = 0; n < session->variant_count; n++) {
        shared->progress.published[n] = brume_grid_of_settings(&snapshot->variants[n].settings);
    }
    brume_monitor_unlock(&thread->monitor);
    own->latest = snapshot;
    brume_state_source_publish(&thread->source);
}

// starts the document; where that fails, the previous document continues
static BrumeStatus start(BrumeSimulationThread *thread)
{
    BrumeSimulationShared *shared = &thread->shared;
    BrumeSimulationOwn *own = &thread->own;
    BrumeUndoableSession *undoable = &own->undoable;
    brume_monitor_lock(&thread->monitor);
    BrumeEditLog *log = shared->log;
    shared->followed = log;
    brume_monitor_unlock(&thread->monitor);
    BrumeError error = {0};
    const BrumeStatus status = brume_undoable_session_start(undoable, log, &error);
    brume_simulation_thread_set_error(thread, &error); // also after success, to clear an earlier error
    if (status == BRUME_OK) {
        own->epoch++;
        own->frame_ms = 0.0;
        if (thread->history) {
            brume_frame_history_clear(thread->history, own->epoch);
        }
        brume_simulation_thread_keep_frame(thread);
    }
    BrumeEditLog *ended = NULL;
    brume_monitor_lock(&thread->monitor);
    if (status == BRUME_OK) {
        ended = brume_undoable_session_adopt(undoable, log);
    } else if (undoable->log) {
        shared->log = shared->log == log ? undoable->log : shared->log; // keeps a document that was requested meanwhile
        shared->followed = undoable->log;
        undoable->changes -= undoable->session.failed; // after an interrupted frame, follow the log again
        ended = log;
    }
    shared->progress.opening = shared->log != shared->followed;
    shared->progress.epoch = own->epoch;
    shared->recomputation = (BrumeRecomputation){0};
    brume_monitor_unlock(&thread->monitor);
    brume_edit_log_destroy(ended);
    return status;
}

// Waits until the frame has taken its minimum time, or the simulation is paused or continued. The monitor is locked.
static void wait_for_min_frame_time(BrumeSimulationThread *thread, double start_time)
{
    BrumeSimulationShared *shared = &thread->shared;
    const bool running = shared->running;
    while (!brume_worker_quits(&thread->worker) && shared->running == running &&
           brume_seconds() < start_time + 1e-3 * shared->min_frame_ms) {
        brume_monitor_wait(&thread->monitor, start_time + 1e-3 * shared->min_frame_ms);
    }
}

// whether waiting settings replace the grid that is being prepared: the frame is canceled; the monitor is locked
static bool is_canceled(const BrumeSimulationThread *thread)
{
    const BrumeSimulationOwn *own = &thread->own;
    const BrumeSession *session = &own->undoable.session;
    bool canceled = false;
    for (int n = 0; n < session->variant_count; n++) {
        const BrumeSimDef *waiting = brume_edit_log_waiting_settings(own->undoable.log, session->variants[n].id);
        canceled =
            canceled || (waiting && !brume_same_grid(brume_grid_of_settings(waiting), thread->shared.progress.grid[n]));
    }
    return canceled && thread->shared.progress.preparing && own->undoable.saved.held;
}

// progress function of a frame, called by the simulation; returns false where the frame is not needed any more
static bool report_progress(void *context, double fraction)
{
    BrumeSimulationThread *thread = context;
    BrumeSimulationShared *shared = &thread->shared;
    BrumeSimulationOwn *own = &thread->own;
    brume_monitor_lock(&thread->monitor);
    const double before = shared->progress.preparing ? change_share : 0.0;
    shared->progress.fraction = before + (1.0 - before) * fraction;
    shared->progress.stages++;
    const bool is_outdated = own->computes_again && own->undoable.log->changes != own->undoable.changes;
    const bool goes_on =
        !brume_worker_quits(&thread->worker) && shared->log == shared->followed && !is_canceled(thread) && !is_outdated;
    brume_monitor_unlock(&thread->monitor);
    return goes_on;
}

// prepares a requested frame; the monitor is locked
static void begin_frame(BrumeSimulationThread *thread)
{
    BrumeSimulationShared *shared = &thread->shared;
    BrumeUndoableSession *undoable = &thread->own.undoable;
    const BrumeSession *session = &undoable->session;
    shared->frame_permitted = false;
    shared->requested_frames -= shared->running || shared->requested_frames == 0 ? 0 : 1;
    brume_edit_log_take_frame(undoable->log);
    brume_undoable_session_prepare_frame(undoable);
    shared->progress.in_frame = true;
    shared->progress.preparing = brume_undoable_session_changes_grid(undoable);
    shared->progress.fraction = 0.0;
    for (int n = 0; n < session->variant_count; n++) {
        const BrumeSimDef *next = undoable->edits.settings[n];
        shared->progress.grid[n] = brume_grid_of_settings(next ? next : brume_sim_settings(session->variants[n].sim));
    }
}

static void end_frame(BrumeSimulationThread *thread)
{
    brume_monitor_lock(&thread->monitor);
    thread->shared.progress.in_frame = thread->shared.progress.preparing = false;
    brume_monitor_unlock(&thread->monitor);
}

// Goes back to the state before an interrupted frame if it was canceled, not if a restart or the end follows.
static void cancel_frame(BrumeSimulationThread *thread)
{
    BrumeSimulationShared *shared = &thread->shared;
    brume_monitor_lock(&thread->monitor);
    const bool cancels = is_canceled(thread) && !brume_worker_quits(&thread->worker) && shared->log == shared->followed;
    if (cancels) {
        brume_edit_log_remove_frame(thread->own.undoable.log);
        shared->frame_permitted = shared->frame_by_frame; // restores the permission that the frame has used
    }
    brume_monitor_unlock(&thread->monitor);
    end_frame(thread);
    if (cancels) {
        brume_simulation_thread_follow(thread);
        brume_monitor_lock(&thread->monitor);
        shared->progress.canceled++;
        brume_monitor_unlock(&thread->monitor);
    }
}

static void run_frame(BrumeSimulationThread *thread)
{
    BrumeSimulationShared *shared = &thread->shared;
    BrumeUndoableSession *undoable = &thread->own.undoable;
    const double start_time = brume_seconds();
    const bool changed = undoable->edits.settings[0] || undoable->edits.settings[1];
    BrumeError rejected = {0};
    BrumeError failed = {0};
    if (brume_undoable_session_changes_grid(undoable)) {
        brume_saved_sessions_hold(&undoable->saved, &undoable->session); // the frame may be canceled
    }
    const BrumeStatus status = brume_undoable_session_run_frame(undoable, &rejected, &failed);
    if (status == BRUME_INTERRUPTED) {
        cancel_frame(thread);
        return;
    }
    brume_saved_sessions_release(&undoable->saved);
    thread->own.frame_ms = 1e3 * (brume_seconds() - start_time);
    if (status == BRUME_OK) {
        brume_simulation_thread_keep_frame(thread);
    }
    const double length = 1.0 / (double)brume_sim_settings(undoable->session.variants[0].sim)->fps; // [s]

    brume_monitor_lock(&thread->monitor);
    const double wall_time = length / shared->speed_limit;
    // the next frames make up for a delay of up to one frame, not for a longer one
    shared->late = start_time - shared->next_frame_at > wall_time;
    shared->next_frame_at = (shared->late ? start_time : shared->next_frame_at) + wall_time;
    wait_for_min_frame_time(thread, start_time);
    if (status == BRUME_OK) {
        brume_undoable_session_end_frame(undoable);
        shared->error = changed || rejected.status != BRUME_OK ? rejected : shared->error;
    } else {
        shared->running = false;
        shared->error = failed;
        if (undoable->log->changes == undoable->changes) {
            brume_edit_log_remove_frame(undoable->log);
        }
    }
    brume_monitor_unlock(&thread->monitor);
    end_frame(thread);
    brume_simulation_thread_publish(thread);
}

static bool frame_is_wanted(const BrumeSimulationThread *thread)
{
    const BrumeSimulationShared *shared = &thread->shared;
    return (shared->running || shared->requested_frames > 0) && !(shared->frame_by_frame && !shared->frame_permitted);
}

static void start_document(BrumeSimulationThread *thread)
{
    (void)start(thread);
    brume_simulation_thread_publish(thread);
}

typedef void Task(BrumeSimulationThread *thread);

// Returns the next task, NULL: the thread waits. A restart comes before the edits that follow it in the log. While
// frames are computed again, a requested replay waits. The monitor is locked.
static Task *next_task(BrumeSimulationThread *thread)
{
    BrumeSimulationShared *shared = &thread->shared;
    BrumeSimulationOwn *own = &thread->own;
    BrumeUndoableSession *undoable = &own->undoable;
    BrumeLogEntry entry;
    const bool is_due = !shared->running || brume_seconds() >= shared->next_frame_at;
    if (shared->log != shared->followed) {
        return start_document;
    }
    if (undoable->log->changes != undoable->changes) {
        return brume_simulation_thread_follow;
    }
    if (brume_undoable_session_next_comparison(undoable, &entry)) {
        return brume_simulation_thread_complete_frame;
    }
    if (brume_undoable_session_is_behind(undoable)) {
        return brume_simulation_thread_compute_again;
    }
    if (shared->wants_replay) {
        return brume_simulation_thread_make_replay;
    }
    if (frame_is_wanted(thread) && undoable->session.failed) { // a failed session cannot compute frames
        shared->running = false;
        shared->requested_frames = 0;
        shared->preview_outdated = true;
    }
    if (frame_is_wanted(thread) && is_due) {
        return run_frame;
    }
    const bool reports = shared->running != own->latest->running ||
                         shared->frame_by_frame != own->latest->frame_by_frame ||
                         (shared->preview_outdated && !shared->running && shared->requested_frames == 0);
    return reports ? brume_simulation_thread_publish : NULL;
}

static void set_team_size(BrumeSimulationThread *thread, int threads)
{
    if (threads != thread->own.team_size) {
        brume_set_threads(threads);
        thread->own.team_size = threads;
    }
}

// the simulation thread's main function
static void run(void *context)
{
    BrumeSimulationThread *thread = context;
    BrumeSimulationShared *shared = &thread->shared;
    brume_lower_priority(); // below the threads that prepare and draw; the team, which is started later, inherits it
    set_team_size(thread, shared->threads);
    const BrumeStatus status = start(thread);
    if (status == BRUME_OK) {
        brume_simulation_thread_publish(thread);
    }
    brume_monitor_lock(&thread->monitor);
    shared->initialized = true;
    shared->status = status;
    brume_monitor_signal(&thread->monitor);
    while (!brume_worker_quits(&thread->worker) && status == BRUME_OK) {
        Task *const task = next_task(thread);
        if (!task) {
            brume_monitor_wait(&thread->monitor, frame_is_wanted(thread) ? shared->next_frame_at : INFINITY);
            continue;
        }
        thread->own.computes_again = task == brume_simulation_thread_compute_again;
        if (task == run_frame) {
            begin_frame(thread);
        } else if (task == brume_simulation_thread_compute_again) {
            brume_undoable_session_prepare_frame(&thread->own.undoable);
        }
        const int threads = shared->threads;
        brume_monitor_unlock(&thread->monitor);
        set_team_size(thread, threads);
        task(thread);
        brume_monitor_lock(&thread->monitor);
    }
    brume_monitor_unlock(&thread->monitor);
}

BrumeStatus brume_simulation_thread_create(BrumeSimulationThread **thread, const BrumeSimulationThreadDef *def,
                                           BrumeError *error)
{
    *thread = NULL;
    BrumeSimulationThread *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "the viewer");
    }
    BrumeSimulationShared *shared = &created->shared;
    BrumeSimulationOwn *own = &created->own;
    brume_monitor_init(&created->monitor);
    brume_state_source_init(&created->source);
    shared->threads = def->threads;
    shared->running = def->running;
    shared->min_frame_ms = def->min_frame_ms;
    shared->speed_limit = 1.0;
    own->previewed_frame = -1;
    own->latest = &created->source.snapshots[0]; // empty
    own->undoable.session.progress = report_progress;
    own->undoable.session.progress_context = created;
    own->undoable.saved.budget = def->memory;
    created->history = def->history;
    BrumeStatus status = brume_edit_log_create(&shared->log, &def->settings, 1, def->animation, error);
    if (status == BRUME_OK) {
        status = brume_timeline_copy(&shared->log->scene_timeline, &def->timeline, error);
    }
    if (status == BRUME_OK) {
        status = brume_worker_start(&created->worker, &created->monitor, "brume-sim", run, created, error);
    }
    if (status == BRUME_OK) {
        brume_monitor_lock(&created->monitor);
        while (!shared->initialized) {
            brume_monitor_wait(&created->monitor, INFINITY);
        }
        status = shared->status;
        if (status != BRUME_OK && error) {
            *error = shared->error;
        }
        brume_monitor_unlock(&created->monitor);
    }
    if (status != BRUME_OK) {
        brume_simulation_thread_destroy(created);
        created = NULL;
    }
    *thread = created;
    return status;
}

bool brume_simulation_thread_stop(BrumeSimulationThread *thread, double seconds)
{
    return brume_worker_stop(&thread->worker, seconds);
}

void brume_simulation_thread_destroy(BrumeSimulationThread *thread)
{
    if (!thread) {
        return;
    }
    brume_worker_join(&thread->worker);
    if (thread->shared.log != thread->own.undoable.log) {
        brume_edit_log_destroy(thread->shared.log);
    }
    brume_undoable_session_destroy(&thread->own.undoable);
    brume_timeline_clear(&thread->replay.timeline);
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        brume_snapshot_destroy(&thread->source.snapshots[n]);
    }
    brume_state_source_destroy(&thread->source);
    brume_monitor_destroy(&thread->monitor);
    brume_free(thread);
}

BrumeStateSource *brume_simulation_thread_source(BrumeSimulationThread *thread) { return &thread->source; }

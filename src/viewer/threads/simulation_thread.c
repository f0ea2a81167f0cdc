#include "viewer/threads/simulation_thread_internal.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"
#include "core/vec3.h"
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

void brume_simulation_thread_collect_edits(const BrumeSimulationThread *thread, BrumePendingEdits *edits)
{
    const BrumePendingEdits *requested = &thread->requests.edits;
    const BrumePendingEdits *taken = &thread->current.edits; // by a frame that was cancelled, or settings while paused
    *edits = *taken;
    edits->strokes = thread->undoable.session.carried_strokes;
    for (int n = 0; n < taken->strokes.count; n++) {
        brume_stroke_queue_add(&edits->strokes, &taken->strokes.segments[n]);
    }
    for (int n = 0; n < requested->strokes.count; n++) {
        brume_stroke_queue_add(&edits->strokes, &requested->strokes.segments[n]);
    }
    for (int n = 0; n < thread->waiting_strokes.count; n++) {
        brume_stroke_queue_add(&edits->strokes, &thread->waiting_strokes.segments[n]);
    }
    for (int n = 0; n < requested->motion_count; n++) {
        brume_pending_edits_move(edits, &requested->motions[n]);
    }
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        if (requested->settings_changed[n]) {
            edits->settings_changed[n] = true;
            edits->settings[n] = requested->settings[n];
        }
    }
}

// Collects the edits that wait for the next frame in `preview`, to be shown in advance: while paused, and on until the
// next frame. A recording has none of it. The mutex is locked.
static void collect_preview(BrumeSimulationThread *thread)
{
    const bool shows = !thread->running || thread->previewed_frame == thread->undoable.session.frame;
    thread->preview_outdated = false;
    if (!shows || thread->frame_by_frame || thread->undoable.session.failed) {
        thread->preview = (BrumePendingEdits){0};
    } else {
        brume_simulation_thread_collect_edits(thread, &thread->preview);
    }
}

// copies the state of all variants, with the preview
static void capture(BrumeSimulationThread *thread, BrumeSnapshot *snapshot)
{
    const BrumeSession *session = &thread->undoable.session;
    const BrumeSnapshot *last = &thread->snapshots[thread->latest_slot];
    const bool previews = brume_pending_edits_have_effect(&thread->preview);
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
            brume_preview_apply(&snapshot->variants[n], n, brume_sim_time(variant->sim), &thread->preview);
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
    collect_preview(thread);
    unlock(thread);
    capture(thread, snapshot);
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

static BrumeStatus start(BrumeSimulationThread *thread, const BrumeSimDef *settings, int count)
{
    BrumeError error = {0};
    const BrumeStatus status = brume_undoable_session_start(&thread->undoable, settings, count, &error);
    set_error(thread, &error); // also after success, to clear an earlier error
    if (status == BRUME_OK) {
        thread->epoch++;
        thread->frame_ms = 0.0;
        if (thread->history) {
            brume_frame_history_clear(thread->history, thread->epoch);
        }
        brume_simulation_thread_keep_frame(thread, true);
    }
    return status;
}

static void load_scene(BrumeSimulationThread *thread)
{
    BrumeSimulationRequests *current = &thread->current;
    if (start(thread, &current->scene_settings, 1) == BRUME_OK) {
        brume_timeline_clear(&thread->undoable.session.scene_timeline);
        thread->undoable.session.scene_timeline = current->scene_timeline;
    } else {
        brume_timeline_clear(&current->scene_timeline);
    }
    current->scene_timeline = (BrumeTimeline){0};
    lock(thread);
    thread->progress.opening = thread->requests.load_scene; // another one may have been requested meanwhile
    thread->progress.epoch = thread->epoch;
    unlock(thread);
}

// restarts the variants with their latest settings, those that wait for the next frame included
static void restart(BrumeSimulationThread *thread)
{
    BrumePendingEdits *edits = &thread->current.edits;
    const BrumeSession *session = &thread->undoable.session;
    BrumeSimDef settings[BRUME_MAX_VARIANTS];
    for (int n = 0; n < session->variant_count; n++) {
        const BrumeSimDef *latest = &session->variants[n].restart_settings;
        settings[n] = *latest;
        if (edits->settings_changed[n]) {
            settings[n] = edits->settings[n];
            settings[n].obstacle_count = latest->obstacle_count;
            memcpy(settings[n].obstacles, latest->obstacles, sizeof settings[n].obstacles);
        }
    }
    const BrumePendingEdits waiting = *edits;
    *edits = (BrumePendingEdits){.motion_count = waiting.motion_count}; // of obstacles that were placed
    memcpy(edits->motions, waiting.motions, sizeof edits->motions);
    for (int n = 0; n < session->variant_count; n++) {
        (void)brume_animation_apply_sim(&thread->present_animation, 0.0, &settings[n]);
        (void)brume_animation_apply_obstacles(&thread->present_animation, 0.0, &settings[n]);
    }
    (void)start(thread, settings, session->variant_count);
}

static void fork_state(BrumeSimulationThread *thread)
{
    BrumeError error = {0};
    if (brume_undoable_session_fork(&thread->undoable, &error) != BRUME_OK) {
        set_error(thread, &error);
    }
}

// a restart needs the latest settings and variants, but not the frames that were to be computed again
static void skip_recomputation(BrumeSimulationThread *thread)
{
    BrumeError error = {0};
    if (brume_undoable_session_skip(&thread->undoable, &error) != BRUME_OK) {
        set_error(thread, &error);
    }
}

static void end_comparison(BrumeSimulationThread *thread, int kept)
{
    BrumeError error = {0};
    if (brume_undoable_session_keep_variant(&thread->undoable, kept, &error) != BRUME_OK) {
        set_error(thread, &error);
    }
}

// Handles all requests but the frame's edits. Returns whether a snapshot must be published.
static bool handle_requests(BrumeSimulationThread *thread)
{
    BrumeSimulationRequests *current = &thread->current;
    if (current->error.status != BRUME_OK) {
        set_error(thread, &current->error);
    }
    if (current->load_scene) {
        load_scene(thread);
    }
    if (current->reset) {
        skip_recomputation(thread);
    }
    if (current->end_comparison) {
        end_comparison(thread, current->kept);
    }
    if (current->fork) {
        fork_state(thread);
    }
    if (current->reset) {
        restart(thread);
    }
    const bool replaced = current->end_comparison || current->fork;
    if (replaced || current->load_scene) {
        brume_simulation_thread_report_comparison(thread);
    }
    thread->revision += replaced;
    if (replaced) {
        brume_simulation_thread_keep_frame(thread, true);
    }
    if (current->replay) {
        brume_simulation_thread_make_replay(thread);
    }
    return current->load_scene || current->reset || replaced || current->error.status != BRUME_OK;
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
static bool is_cancelled(const BrumeSimulationThread *thread)
{
    const BrumePendingEdits *requested = &thread->requests.edits;
    bool cancelled = false;
    for (int n = 0; n < thread->undoable.session.variant_count; n++) {
        cancelled =
            cancelled || (requested->settings_changed[n] &&
                          !brume_same_grid(brume_grid_of_settings(&requested->settings[n]), thread->progress.grid[n]));
    }
    return cancelled && brume_undoable_session_can_cancel(&thread->undoable);
}

// called by the simulation within a frame: false where the frame is not needed any more
static bool report_progress(void *context, double fraction)
{
    BrumeSimulationThread *thread = context;
    lock(thread);
    const double before = thread->progress.preparing ? change_share : 0.0;
    thread->progress.fraction = before + (1.0 - before) * fraction;
    thread->progress.stages++;
    const bool is_outdated = brume_undoable_session_is_behind(&thread->undoable) && thread->undo_count > 0;
    const bool goes_on = !thread->quit && !thread->requests.reset && !is_cancelled(thread) && !is_outdated;
    unlock(thread);
    return goes_on;
}

// The mutex is locked since the frame's edits were taken: no one sees the progress without them.
static void begin_frame(BrumeSimulationThread *thread)
{
    const BrumeSession *session = &thread->undoable.session;
    BrumePendingEdits *edits = &thread->current.edits;
    edits->animation = &thread->present_animation;
    thread->progress.in_frame = true;
    thread->progress.preparing = !session->failed && brume_undoable_session_changes_grid(&thread->undoable, edits);
    thread->progress.fraction = 0.0;
    for (int n = 0; n < session->variant_count; n++) {
        thread->progress.grid[n] = brume_grid_of_settings(
            edits->settings_changed[n] ? &edits->settings[n] : brume_sim_settings(session->variants[n].sim));
    }
}

static void end_frame(BrumeSimulationThread *thread)
{
    lock(thread);
    thread->progress.in_frame = thread->progress.preparing = false;
    unlock(thread);
}

// After a frame that was stopped: goes back to the state before it, unless a restart or the end follows: false.
static bool cancel_frame(BrumeSimulationThread *thread)
{
    lock(thread);
    const bool restores =
        brume_undoable_session_can_cancel(&thread->undoable) && !thread->quit && !thread->requests.reset;
    unlock(thread);
    BrumeError error = {0};
    const bool failed =
        restores && brume_undoable_session_cancel(&thread->undoable, &thread->current.edits, &error) != BRUME_OK;
    lock(thread);
    thread->frame_permitted = thread->frame_by_frame; // which the frame had used
    thread->progress.cancelled += restores;
    thread->running = thread->running && !failed;
    thread->error = failed ? error : thread->error;
    unlock(thread);
    return restores;
}

static void run_frame(BrumeSimulationThread *thread)
{
    const double start_time = brume_seconds();
    const bool changed = thread->current.edits.settings_changed[0] || thread->current.edits.settings_changed[1];
    const bool had_failed = thread->undoable.session.failed;
    BrumeError rejected = {0};
    BrumeError failed = {0};
    const BrumeStatus status =
        brume_undoable_session_frame(&thread->undoable, &thread->current.edits, &rejected, &failed);
    if (status == BRUME_INTERRUPTED) {
        const bool restored = cancel_frame(thread);
        end_frame(thread);
        if (restored) {
            brume_simulation_thread_publish(thread);
        }
        return;
    }
    thread->frame_ms = 1e3 * (brume_seconds() - start_time);
    if (status == BRUME_OK) {
        brume_simulation_thread_keep_frame(thread, false);
    }
    const double length = 1.0 / (double)brume_sim_settings(thread->undoable.session.variants[0].sim)->fps; // [s]

    lock(thread);
    const double wall_time = length / thread->speed_limit;
    // a delay of up to one frame is made up for, a longer one is not
    thread->late = start_time - thread->next_frame_at > wall_time;
    thread->next_frame_at = (thread->late ? start_time : thread->next_frame_at) + wall_time;
    wait_for_min_frame_time(thread, start_time);
    if (status != BRUME_OK) {
        thread->running = false;
        thread->error = had_failed ? thread->error : failed; // the first error names the cause
    } else if (changed || rejected.status != BRUME_OK) {
        thread->error = rejected;
    }
    unlock(thread);
    end_frame(thread);
    brume_simulation_thread_publish(thread);
}

static bool frame_is_wanted(const BrumeSimulationThread *thread)
{
    return (thread->running || thread->requested_frames > 0) && !(thread->frame_by_frame && !thread->frame_permitted);
}

// Whether there are requests to be handled before the next frame. While frames are computed again, only those that end
// this are: the others are about the state to which it leads.
static bool has_other_requests(const BrumeSimulationThread *thread)
{
    const BrumeSimulationRequests *requests = &thread->requests;
    const bool is_new_start = requests->load_scene || requests->reset;
    return is_new_start ||
           (!brume_undoable_session_is_behind(&thread->undoable) &&
            (requests->end_comparison || requests->fork || requests->replay || requests->error.status != BRUME_OK));
}

static void set_team_size(BrumeSimulationThread *thread, int threads)
{
    if (threads != thread->team_size) {
        brume_set_threads(threads);
        thread->team_size = threads;
    }
}

// the simulation thread's main function
static void *run(void *context)
{
    BrumeSimulationThread *thread = context;
    lock(thread);
    const int first_threads = thread->threads;
    const BrumeSimDef settings = thread->requests.scene_settings;
    unlock(thread);
    brume_name_threads("brume-sim");
    brume_lower_priority(); // below the threads that prepare and draw; before the team is started, which inherits it
    set_team_size(thread, first_threads);
    const BrumeStatus status = start(thread, &settings, 1);
    if (status == BRUME_OK) {
        brume_simulation_thread_publish(thread);
    }
    lock(thread);
    thread->initialized = true;
    thread->status = status;
    (void)pthread_cond_broadcast(&thread->changed);
    while (!thread->quit && status == BRUME_OK) {
        if (thread->undo_count > 0) {
            unlock(thread);
            brume_simulation_thread_undo_and_redo(thread);
            lock(thread);
            continue;
        }
        // Handled before the next frame, so that strokes that follow a restart are applied after it.
        const bool has_requests = has_other_requests(thread);
        if (!has_requests && brume_undoable_session_is_behind(&thread->undoable)) {
            const int team_size = thread->threads;
            unlock(thread);
            set_team_size(thread, team_size);
            brume_simulation_thread_catch_up(thread);
            lock(thread);
            continue;
        }
        const bool run_next =
            !has_requests && frame_is_wanted(thread) && (!thread->running || brume_seconds() >= thread->next_frame_at);
        const bool report = thread->running != thread->reported_running ||
                            thread->frame_by_frame != thread->reported_frame_by_frame ||
                            (thread->preview_outdated && !thread->running && thread->requested_frames == 0);
        if (!run_next && !report && !has_requests) {
            brume_wait_until(&thread->changed, &thread->mutex,
                             frame_is_wanted(thread) ? thread->next_frame_at : INFINITY);
            continue;
        }
        const int threads = thread->threads;
        brume_simulation_thread_take_requests(thread, run_next);
        if (run_next) {
            begin_frame(thread);
        }
        unlock(thread);
        set_team_size(thread, threads);
        if (handle_requests(thread) || (report && !run_next)) {
            brume_simulation_thread_report_recomputation(thread);
            brume_simulation_thread_publish(thread);
        }
        if (run_next) {
            run_frame(thread);
        }
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

    created->requests.scene_settings = def->settings;
    if (def->animation) {
        created->animation = created->present_animation = *def->animation;
    }
    created->threads = def->threads;
    created->running = created->reported_running = def->running;
    created->min_frame_ms = def->min_frame_ms;
    created->speed_limit = 1.0;
    created->previewed_frame = -1;
    created->undoable.session.progress = report_progress;
    created->undoable.session.progress_context = created;
    created->undoable.saved.budget = def->memory;
    created->history = def->history;
    BrumeStatus status = brume_timeline_copy(&created->undoable.session.scene_timeline, &def->timeline, error);
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
    brume_waiting_strokes_clear(&thread->waiting_strokes);
    brume_undoable_session_destroy(&thread->undoable);
    brume_timeline_clear(&thread->requests.scene_timeline);
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

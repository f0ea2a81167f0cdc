#include "viewer/threads/simulation_thread.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"
#include "core/parallel/triple_buffer.h"
#include "core/vec3.h"
#include "viewer/simulation/saved_session.h"
#include "viewer/simulation/session.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

// of a frame with another grid: the part of its time until its first step, in which the state is resampled
static const double change_share = 0.5;

/** Requests by other threads that the simulation thread has not handled yet. */
typedef struct Requests {
    bool load_scene, reset, set_comparison; // handled in this order
    BrumeSimDef scene_settings;
    BrumeTimeline scene_timeline; // of the scene to be loaded; owned by this struct
    bool compare;
    BrumePendingEdits edits;
    bool replay;
    int replay_variant;
    BrumeError error; // of a request that failed in the window thread
} Requests;

struct BrumeSimulationThread {
    pthread_t handle;
    bool started;

    // Guarded by `mutex`, which is held for copies only, never during a frame.
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    Requests requests;
    int requested_frames; // while paused
    bool quit, running, frame_by_frame, frame_permitted;
    int threads;
    double speed_limit, min_frame_ms;
    double next_frame_at; // clock before which the next frame does not begin [s]
    bool initialized;     // the first start is done, with `status` and `error`
    BrumeStatus status;
    BrumeError error; // for the next snapshot
    bool replay_ready;
    BrumeReplay replay;
    BrumeSimulationProgress progress;
    bool ended;

    pthread_mutex_t callback_mutex; // held while the callback runs
    void (*callback)(void *);
    void *callback_context;

    // Used by the simulation thread alone.
    BrumeSession session;
    Requests current; // requests being handled
    int epoch, team_size;
    uint64_t serial;
    double frame_ms;
    unsigned latest_slot;    // of the snapshot published last
    BrumeSavedSession saved; // before a frame that changes the grid
    bool reported_running, reported_frame_by_frame;

    // Written by the simulation thread, read by the render thread.
    BrumeTripleBuffer buffer;
    BrumeSnapshot snapshots[BRUME_TRIPLE_BUFFER_SLOTS];
};

static void lock(BrumeSimulationThread *thread) { (void)pthread_mutex_lock(&thread->mutex); }

static void unlock(BrumeSimulationThread *thread) { (void)pthread_mutex_unlock(&thread->mutex); }

static void unlock_and_signal(BrumeSimulationThread *thread)
{
    (void)pthread_cond_broadcast(&thread->changed);
    unlock(thread);
}

// sets the error that the next snapshot reports; an empty one clears it
static void set_error(BrumeSimulationThread *thread, const BrumeError *error)
{
    lock(thread);
    thread->error = *error;
    unlock(thread);
}

static void call_snapshot_callback(BrumeSimulationThread *thread)
{
    (void)pthread_mutex_lock(&thread->callback_mutex);
    if (thread->callback) {
        thread->callback(thread->callback_context);
    }
    (void)pthread_mutex_unlock(&thread->callback_mutex);
}

// copies the state to a free slot and publishes it
static void publish(BrumeSimulationThread *thread)
{
    const BrumeSession *session = &thread->session;
    const BrumeSnapshot *last = &thread->snapshots[thread->latest_slot];
    const unsigned slot = brume_triple_buffer_write_slot(&thread->buffer);
    BrumeSnapshot *snapshot = &thread->snapshots[slot];
    lock(thread);
    snapshot->error = thread->error;
    snapshot->running = thread->running;
    snapshot->frame_by_frame = thread->frame_by_frame;
    snapshot->waits = thread->frame_by_frame && !thread->frame_permitted;
    unlock(thread);
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
    }
    snapshot->variant_count = session->variant_count;
    snapshot->frame = session->frame;
    snapshot->seed = (uint32_t)session->frame;
    snapshot->time = session->failed ? last->time : brume_sim_time(session->variants[0].sim);
    snapshot->serial = ++thread->serial;
    snapshot->epoch = thread->epoch;
    snapshot->frame_ms = thread->frame_ms;
    snapshot->threads = thread->team_size;
    thread->reported_running = snapshot->running;
    thread->reported_frame_by_frame = snapshot->frame_by_frame;
    lock(thread);
    for (int n = 0; n < session->variant_count; n++) {
        const BrumeSimDef *settings = &snapshot->variants[n].settings;
        thread->progress.published[n] = (BrumeGrid){settings->nx, settings->ny, settings->nz};
    }
    unlock(thread);
    thread->latest_slot = slot;
    brume_triple_buffer_publish(&thread->buffer);
    call_snapshot_callback(thread);
}

static BrumeStatus start(BrumeSimulationThread *thread, const BrumeSimDef *settings, int count)
{
    BrumeError error = {0};
    const BrumeStatus status = brume_session_start(&thread->session, settings, count, &error);
    set_error(thread, &error); // also after success, to clear an earlier error
    if (status == BRUME_OK) {
        thread->epoch++;
        thread->frame_ms = 0.0;
    }
    return status;
}

static void load_scene(BrumeSimulationThread *thread)
{
    Requests *current = &thread->current;
    if (start(thread, &current->scene_settings, 1) == BRUME_OK) {
        brume_timeline_clear(&thread->session.scene_timeline);
        thread->session.scene_timeline = current->scene_timeline;
    } else {
        brume_timeline_clear(&current->scene_timeline);
    }
    current->scene_timeline = (BrumeTimeline){0};
}

// restarts `count` variants with their latest settings, those that wait for the next frame included
static void restart(BrumeSimulationThread *thread, int count)
{
    BrumePendingEdits *edits = &thread->current.edits;
    const BrumeSession *session = &thread->session;
    BrumeSimDef settings[BRUME_MAX_VARIANTS];
    for (int n = 0; n < count; n++) {
        // a new variant starts as a copy of the first
        const BrumeSimDef *latest = n < session->variant_count ? &session->variants[n].restart_settings : &settings[0];
        settings[n] = *latest;
        if (edits->settings_changed[n]) {
            settings[n] = edits->settings[n];
            settings[n].obstacle_count = latest->obstacle_count;
            memcpy(settings[n].obstacles, latest->obstacles, sizeof settings[n].obstacles);
        }
    }
    *edits = (BrumePendingEdits){0};
    (void)start(thread, settings, count);
}

static void make_replay(BrumeSimulationThread *thread)
{
    const int last = thread->session.variant_count - 1;
    const BrumeSessionVariant *variant =
        &thread->session.variants[thread->current.replay_variant < last ? thread->current.replay_variant : last];
    BrumeReplay replay = {
        .settings = variant->initial_settings,
        .frame = brume_sim_frames(variant->sim),
        .time = brume_sim_time(variant->sim),
        .hash = brume_sim_hash(variant->sim),
    };
    BrumeError error = {0};
    if (brume_timeline_copy(&replay.timeline, &variant->applied, &error) != BRUME_OK) {
        set_error(thread, &error);
        return;
    }
    lock(thread);
    brume_timeline_clear(&thread->replay.timeline);
    thread->replay = replay;
    thread->replay_ready = true;
    unlock(thread);
}

// Handles all requests but the frame's edits. Returns whether a snapshot must be published.
static bool handle_requests(BrumeSimulationThread *thread)
{
    Requests *current = &thread->current;
    if (current->error.status != BRUME_OK) {
        set_error(thread, &current->error);
    }
    if (current->load_scene) {
        load_scene(thread);
    }
    const int count = current->set_comparison ? 1 + current->compare : thread->session.variant_count;
    if (current->reset || count > thread->session.variant_count) {
        restart(thread, count);
    } else if (count < thread->session.variant_count) {
        brume_session_truncate(&thread->session, count);
    }
    if (current->replay) {
        make_replay(thread);
    }
    return current->load_scene || current->reset || current->set_comparison || current->error.status != BRUME_OK;
}

// Waits until the frame has taken its minimum time, or the simulation is paused or continued. The mutex is locked.
static void wait_for_min_frame_time(BrumeSimulationThread *thread, double start_time)
{
    const bool running = thread->running;
    while (!thread->quit && thread->running == running && brume_seconds() < start_time + 1e-3 * thread->min_frame_ms) {
        brume_wait_until(&thread->changed, &thread->mutex, start_time + 1e-3 * thread->min_frame_ms);
    }
}

static BrumeGrid grid_of(const BrumeSimDef *settings) { return (BrumeGrid){settings->nx, settings->ny, settings->nz}; }

static bool same_grid(BrumeGrid a, BrumeGrid b) { return a.nx == b.nx && a.ny == b.ny && a.nz == b.nz; }

// whether settings that wait for the next frame have another grid than that which is prepared; the mutex is locked
static bool is_cancelled(const BrumeSimulationThread *thread)
{
    const BrumePendingEdits *requested = &thread->requests.edits;
    bool cancelled = false;
    for (int n = 0; n < thread->session.variant_count; n++) {
        cancelled = cancelled || (requested->settings_changed[n] &&
                                  !same_grid(grid_of(&requested->settings[n]), thread->progress.grid[n]));
    }
    return cancelled && thread->saved.valid;
}

// called by the simulation within a frame: false where the frame is not needed any more
static bool report_progress(void *context, double fraction)
{
    BrumeSimulationThread *thread = context;
    lock(thread);
    const double before = thread->progress.preparing ? change_share : 0.0;
    thread->progress.fraction = before + (1.0 - before) * fraction;
    thread->progress.stages++;
    const bool goes_on = !thread->quit && !thread->requests.reset && !is_cancelled(thread);
    unlock(thread);
    return goes_on;
}

static void begin_frame(BrumeSimulationThread *thread)
{
    const BrumeSession *session = &thread->session;
    const BrumePendingEdits *edits = &thread->current.edits;
    const bool changes_grid = !session->failed && brume_edits_change_grid(session, edits);
    if (changes_grid) {
        brume_session_save(&thread->saved, session, edits);
    }
    lock(thread);
    thread->progress.in_frame = true;
    thread->progress.preparing = changes_grid;
    thread->progress.fraction = 0.0;
    for (int n = 0; n < session->variant_count; n++) {
        thread->progress.grid[n] =
            grid_of(edits->settings_changed[n] ? &edits->settings[n] : brume_sim_settings(session->variants[n].sim));
    }
    unlock(thread);
}

static void end_frame(BrumeSimulationThread *thread)
{
    brume_saved_session_clear(&thread->saved);
    lock(thread);
    thread->progress.in_frame = thread->progress.preparing = false;
    unlock(thread);
}

// After a frame that was stopped: goes back to the state before it, unless a restart or the end follows: false.
static bool cancel_frame(BrumeSimulationThread *thread)
{
    lock(thread);
    const bool restores = thread->saved.valid && !thread->quit && !thread->requests.reset;
    unlock(thread);
    BrumeError error = {0};
    const bool failed =
        restores && brume_session_restore(&thread->saved, &thread->session, &thread->current.edits, &error) != BRUME_OK;
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
    const bool had_failed = thread->session.failed;
    BrumeError rejected = {0};
    BrumeError failed = {0};
    begin_frame(thread);
    const BrumeStatus status = brume_session_run_frame(&thread->session, &thread->current.edits, &rejected, &failed);
    if (status == BRUME_INTERRUPTED) {
        const bool restored = cancel_frame(thread);
        end_frame(thread);
        if (restored) {
            publish(thread);
        }
        return;
    }
    thread->frame_ms = 1e3 * (brume_seconds() - start_time);
    const double length = 1.0 / (double)brume_sim_settings(thread->session.variants[0].sim)->fps; // [s]

    lock(thread);
    const double wall_time = length / thread->speed_limit;
    // a delay of up to one frame is made up for, a longer one is not
    const bool is_late = start_time - thread->next_frame_at > wall_time;
    thread->next_frame_at = (is_late ? start_time : thread->next_frame_at) + wall_time;
    wait_for_min_frame_time(thread, start_time);
    if (status != BRUME_OK) {
        thread->running = false;
        thread->error = had_failed ? thread->error : failed; // the first error names the cause
    } else if (changed || rejected.status != BRUME_OK) {
        thread->error = rejected;
    }
    unlock(thread);
    end_frame(thread);
    publish(thread);
}

static bool frame_is_wanted(const BrumeSimulationThread *thread)
{
    return (thread->running || thread->requested_frames > 0) && !(thread->frame_by_frame && !thread->frame_permitted);
}

static bool has_other_requests(const BrumeSimulationThread *thread)
{
    const Requests *requests = &thread->requests;
    return requests->load_scene || requests->reset || requests->set_comparison || requests->replay ||
           requests->error.status != BRUME_OK;
}

static void clear_strokes_and_moves(BrumePendingEdits *edits)
{
    edits->strokes.count = 0;
    memset(edits->obstacle_moved, 0, sizeof edits->obstacle_moved);
    memset(edits->displacement, 0, sizeof edits->displacement);
}

// Moves the requests to `current`: for a frame all of them, otherwise those that do not wait for one (strokes and
// moves do). The mutex is locked.
static void move_requests(BrumeSimulationThread *thread, bool for_frame)
{
    Requests *requests = &thread->requests;
    Requests *current = &thread->current;
    if (requests->load_scene) {
        current->edits = (BrumePendingEdits){0};
    } else if (requests->reset) {
        clear_strokes_and_moves(&current->edits); // those of before the restart
    }
    BrumePendingEdits remaining = current->edits; // strokes that the previous frame had no room for
    *current = *requests;
    current->edits = remaining;
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        if (requests->edits.settings_changed[n]) {
            current->edits.settings_changed[n] = true;
            current->edits.settings[n] = requests->edits.settings[n];
            requests->edits.settings_changed[n] = false;
        }
    }
    if (for_frame) {
        for (int n = 0; n < requests->edits.strokes.count; n++) {
            brume_stroke_queue_add(&current->edits.strokes, &requests->edits.strokes.segments[n]);
        }
        memcpy(current->edits.obstacle_moved, requests->edits.obstacle_moved, sizeof current->edits.obstacle_moved);
        memcpy(current->edits.displacement, requests->edits.displacement, sizeof current->edits.displacement);
        requests->edits = (BrumePendingEdits){0};
        thread->frame_permitted = false;
        thread->requested_frames -= thread->running || thread->requested_frames == 0 ? 0 : 1;
    }
    const BrumePendingEdits waiting = requests->edits;
    *requests = (Requests){.edits = waiting};
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
    brume_lower_priority(); // below the render thread; before the team is started, which inherits it
    set_team_size(thread, first_threads);
    const BrumeStatus status = start(thread, &settings, 1);
    if (status == BRUME_OK) {
        publish(thread);
    }
    lock(thread);
    thread->initialized = true;
    thread->status = status;
    (void)pthread_cond_broadcast(&thread->changed);
    while (!thread->quit && status == BRUME_OK) {
        // Handled before the next frame, so that strokes that follow a restart are applied after it.
        const bool has_requests = has_other_requests(thread);
        const bool run_next =
            !has_requests && frame_is_wanted(thread) && (!thread->running || brume_seconds() >= thread->next_frame_at);
        const bool report_running =
            thread->running != thread->reported_running || thread->frame_by_frame != thread->reported_frame_by_frame;
        if (!run_next && !report_running && !has_requests) {
            brume_wait_until(&thread->changed, &thread->mutex,
                             frame_is_wanted(thread) ? thread->next_frame_at : INFINITY);
            continue;
        }
        const int threads = thread->threads;
        move_requests(thread, run_next);
        unlock(thread);
        set_team_size(thread, threads);
        if (handle_requests(thread) || (report_running && !run_next)) {
            publish(thread);
        }
        if (run_next) {
            run_frame(thread);
        }
        lock(thread);
    }
    thread->ended = true;
    unlock_and_signal(thread);
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
    created->threads = def->threads;
    created->running = created->reported_running = def->running;
    created->min_frame_ms = def->min_frame_ms;
    created->speed_limit = 1.0;
    created->session.progress = report_progress;
    created->session.progress_context = created;
    BrumeStatus status = brume_timeline_copy(&created->session.scene_timeline, &def->timeline, error);
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
    const double until = brume_seconds() + seconds;
    lock(thread);
    thread->quit = true;
    (void)pthread_cond_broadcast(&thread->changed);
    while (thread->started && !thread->ended && brume_seconds() < until) {
        brume_wait_until(&thread->changed, &thread->mutex, until);
    }
    const bool ended = !thread->started || thread->ended;
    unlock(thread);
    return ended;
}

void brume_simulation_thread_progress(BrumeSimulationThread *thread, BrumeSimulationProgress *progress)
{
    lock(thread);
    *progress = thread->progress;
    const bool computes = thread->running || thread->requested_frames > 0;
    for (int n = 0; n < BRUME_MAX_VARIANTS && !progress->preparing && computes; n++) {
        const BrumePendingEdits *requested = &thread->requests.edits;
        const BrumeGrid next = grid_of(&requested->settings[n]);
        if (requested->settings_changed[n] && !same_grid(next, progress->published[n])) {
            progress->preparing = true; // after the frame that is computed now
            progress->fraction = 0.0;
            progress->grid[n] = next;
        }
    }
    unlock(thread);
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
    brume_session_destroy(&thread->session);
    brume_saved_session_clear(&thread->saved);
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
    lock(thread);
    thread->requests.reset = true;
    thread->next_frame_at = 0.0;
    clear_strokes_and_moves(&thread->requests.edits);
    unlock_and_signal(thread);
}

void brume_simulation_thread_load_scene(BrumeSimulationThread *thread, const BrumeSimulationThreadDef *def)
{
    BrumeTimeline scene_timeline = {0};
    BrumeError error = {0};
    const BrumeStatus status = brume_timeline_copy(&scene_timeline, &def->timeline, &error);
    lock(thread);
    if (status == BRUME_OK) {
        brume_timeline_clear(&thread->requests.scene_timeline);
        const bool replay = thread->requests.replay;
        thread->requests = (Requests){
            .load_scene = true, .scene_settings = def->settings, .scene_timeline = scene_timeline, .replay = replay};
        thread->running = def->running;
        thread->requested_frames = 0;
        thread->threads = def->threads;
        thread->min_frame_ms = def->min_frame_ms;
        thread->next_frame_at = 0.0;
    } else {
        thread->requests.error = error;
    }
    unlock_and_signal(thread);
}

void brume_simulation_thread_set_settings(BrumeSimulationThread *thread, int variant, const BrumeSimDef *settings)
{
    lock(thread);
    thread->requests.edits.settings_changed[variant] = true;
    thread->requests.edits.settings[variant] = *settings;
    unlock(thread);
}

void brume_simulation_thread_set_comparison(BrumeSimulationThread *thread, bool enabled)
{
    lock(thread);
    thread->requests.set_comparison = true;
    thread->requests.compare = enabled;
    unlock_and_signal(thread);
}

void brume_simulation_thread_add_stroke(BrumeSimulationThread *thread, const BrumeStrokeSegment *segment)
{
    lock(thread);
    brume_stroke_queue_add(&thread->requests.edits.strokes, segment);
    unlock(thread);
}

void brume_simulation_thread_move_obstacle(BrumeSimulationThread *thread, int obstacle, BrumeVec3 displacement)
{
    lock(thread);
    BrumePendingEdits *edits = &thread->requests.edits;
    edits->obstacle_moved[obstacle] = true;
    edits->displacement[obstacle] = brume_add(edits->displacement[obstacle], displacement);
    unlock(thread);
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
    lock(thread);
    thread->requests.replay = true;
    thread->requests.replay_variant = variant;
    unlock_and_signal(thread);
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

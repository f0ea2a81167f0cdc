// The functions of the window thread, which leave requests, and the step by which the simulation thread takes them.
#include "core/error.h"
#include "viewer/threads/simulation_thread_internal.h"

#include <string.h>

static void lock(BrumeSimulationThread *thread) { brume_simulation_thread_lock(thread); }

static void unlock(BrumeSimulationThread *thread) { brume_simulation_thread_unlock(thread); }

static void unlock_and_signal(BrumeSimulationThread *thread)
{
    (void)pthread_cond_broadcast(&thread->changed);
    unlock(thread);
}

// what waits for the next frame, once the variant `kept` is the first
static void keep_settings_of(BrumePendingEdits *edits, int kept)
{
    edits->settings_changed[0] = edits->settings_changed[kept];
    edits->settings[0] = edits->settings[kept];
    for (int n = 1; n < BRUME_MAX_VARIANTS; n++) {
        edits->settings_changed[n] = false;
    }
}

// what waits for the next frame, once there is a second variant
static void copy_settings_to_second(BrumePendingEdits *edits)
{
    edits->settings_changed[1] = edits->settings_changed[0];
    edits->settings[1] = edits->settings[0];
}

// moves the strokes for which the session has room, which carries those that a frame cannot hold
static void take_strokes(BrumeSimulationThread *thread)
{
    BrumeStrokeQueue *from = &thread->requests.edits.strokes;
    BrumeStrokeQueue *to = &thread->current.edits.strokes;
    const int room = BRUME_MAX_QUEUED_SEGMENTS - to->count - thread->undoable.session.carried_strokes.count;
    const int count = from->count < room ? from->count : room;
    brume_stroke_queue_move(from, to, count > 0 ? count : 0);
    brume_waiting_strokes_refill(&thread->waiting_strokes, from);
}

// Moves the requests to `current`: for a frame all of them, otherwise those that do not wait for one (strokes and
// moves do). The mutex is locked.
void brume_simulation_thread_take_requests(BrumeSimulationThread *thread, bool for_frame)
{
    BrumeSimulationRequests *requests = &thread->requests;
    BrumeSimulationRequests *current = &thread->current;
    if (thread->animation_changed) {
        thread->present_animation = thread->animation;
        thread->animation_changed = false;
    }
    if (requests->load_scene) {
        current->edits = (BrumePendingEdits){0};
    } else if (requests->reset) {
        brume_pending_edits_clear(&current->edits); // those of before the restart
    }
    if (requests->end_comparison) {
        keep_settings_of(&current->edits, requests->kept);
    }
    if (requests->fork) {
        copy_settings_to_second(&current->edits);
    }
    const BrumePendingEdits remaining = current->edits; // those of a frame that was cancelled, and settings
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
        take_strokes(thread);
        for (int n = 0; n < requests->edits.motion_count; n++) {
            brume_pending_edits_move(&current->edits, &requests->edits.motions[n]);
        }
        requests->edits.motion_count = 0;
        thread->frame_permitted = false;
        thread->requested_frames -= thread->running || thread->requested_frames == 0 ? 0 : 1;
    }
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        thread->grid_waits[n] = current->edits.settings_changed[n] && !for_frame;
        thread->waiting_grid[n] = brume_grid_of_settings(&current->edits.settings[n]);
    }
    const BrumePendingEdits waiting = requests->edits;
    *requests = (BrumeSimulationRequests){.edits = waiting};
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
    brume_pending_edits_clear(&thread->requests.edits);
    brume_waiting_strokes_clear(&thread->waiting_strokes);
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
        brume_waiting_strokes_clear(&thread->waiting_strokes);
        const bool replay = thread->requests.replay;
        thread->requests = (BrumeSimulationRequests){
            .load_scene = true, .scene_settings = def->settings, .scene_timeline = scene_timeline, .replay = replay};
        thread->animation = def->animation ? *def->animation : (BrumeAnimation){0};
        thread->animation_changed = true;
        thread->progress.opening = true;
        thread->compares = false;
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

void brume_simulation_thread_set_animation(BrumeSimulationThread *thread, const BrumeAnimation *animation)
{
    lock(thread);
    thread->animation = *animation;
    thread->animation_changed = true;
    unlock(thread);
}

void brume_simulation_thread_fork(BrumeSimulationThread *thread)
{
    lock(thread);
    if (!thread->compares) {
        thread->compares = true;
        thread->requests.fork = true;
        copy_settings_to_second(&thread->requests.edits);
    }
    unlock_and_signal(thread);
}

void brume_simulation_thread_end_comparison(BrumeSimulationThread *thread, int kept)
{
    lock(thread);
    BrumeSimulationRequests *requests = &thread->requests;
    if (thread->compares) {
        thread->compares = false;
        keep_settings_of(&requests->edits, kept);
        if (!requests->fork) {
            requests->end_comparison = true;
            requests->kept = kept;
        }
        requests->fork = false; // one that was not handled yet differs from the first by its settings only
    }
    unlock_and_signal(thread);
}

bool brume_simulation_thread_compares(BrumeSimulationThread *thread)
{
    lock(thread);
    const bool compares = thread->compares;
    unlock(thread);
    return compares;
}

void brume_simulation_thread_add_stroke(BrumeSimulationThread *thread, const BrumeStrokeSegment *segment)
{
    lock(thread);
    brume_waiting_strokes_add(&thread->waiting_strokes, &thread->requests.edits.strokes, segment);
    thread->preview_outdated = true;
    unlock_and_signal(thread);
}

void brume_simulation_thread_move_obstacle(BrumeSimulationThread *thread, const BrumeObstacleMotion *motion)
{
    lock(thread);
    brume_pending_edits_move(&thread->requests.edits, motion);
    thread->preview_outdated = true;
    unlock_and_signal(thread);
}

// the request about an edit that waits, or a new one; NULL where there are too many
static BrumeUndoRequest *find_undo_request(BrumeSimulationThread *thread, int edit)
{
    int n = 0;
    while (n < thread->undo_count && thread->undo[n].edit != edit) {
        n++;
    }
    if (n == BRUME_MAX_UNDO_REQUESTS) { // many more than the undo history has edits
        return NULL;
    }
    if (n == thread->undo_count) {
        thread->undo[thread->undo_count++] = (BrumeUndoRequest){.edit = edit};
    }
    return &thread->undo[n];
}

void brume_simulation_thread_go_back(BrumeSimulationThread *thread, int edit, int frame, bool compares)
{
    lock(thread);
    BrumeUndoRequest *request = find_undo_request(thread, edit);
    if (request) {
        request->goes_back = true;
        request->frame = frame;
        thread->left = thread->requests.edits;
        thread->requests.edits = (BrumePendingEdits){0};
        brume_waiting_strokes_clear(&thread->waiting_strokes);
        thread->requests.fork = thread->requests.end_comparison = false;
        thread->compares = compares;
        thread->running = false;
        thread->requested_frames = 0;
        thread->recomputation = (BrumeRecomputation){.active = true}; // until the simulation thread knows more
    }
    unlock_and_signal(thread);
}

void brume_simulation_thread_set_undone(BrumeSimulationThread *thread, int edit, bool undone)
{
    lock(thread);
    brume_pending_edits_set_undone(&thread->requests.edits, edit, undone);
    brume_waiting_strokes_set_undone(&thread->waiting_strokes, edit, undone);
    BrumeUndoRequest *request = find_undo_request(thread, edit);
    if (request) {
        request->undone = undone;
        thread->recomputation.active = true; // until the simulation thread knows more
    }
    thread->preview_outdated = true;
    unlock_and_signal(thread);
}

BrumeRecomputation brume_simulation_thread_recomputation(BrumeSimulationThread *thread)
{
    lock(thread);
    const BrumeRecomputation recomputation = thread->recomputation;
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
    thread->requests.replay = true;
    thread->requests.replay_variant = variant;
    thread->requests.replay_frame = frame;
    thread->replay_ready = false; // of an earlier request
    unlock_and_signal(thread);
}

void brume_simulation_thread_progress(BrumeSimulationThread *thread, BrumeSimulationProgress *progress)
{
    lock(thread);
    *progress = thread->progress;
    const bool computes = thread->running || thread->requested_frames > 0;
    for (int n = 0; n < BRUME_MAX_VARIANTS && !thread->progress.preparing && computes; n++) {
        const BrumePendingEdits *requested = &thread->requests.edits;
        const BrumeGrid next = requested->settings_changed[n] ? brume_grid_of_settings(&requested->settings[n])
                               : thread->grid_waits[n]        ? thread->waiting_grid[n]
                                                              : progress->published[n];
        if (!brume_same_grid(next, progress->published[n])) {
            progress->preparing = true; // after the frame that is computed now
            progress->fraction = 0.0;
            progress->grid[n] = next;
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

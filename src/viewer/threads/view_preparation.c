/*
 * The preparation thread. It copies a state into the renderers of the back view and lights it there, while the render
 * thread draws pictures of the front view. While the back view waits for the render thread, no state is acquired; the
 * state that is acquired afterwards is the latest.
 */
#include "viewer/threads/render_thread_internal.h"

#include "core/error.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"

#include <math.h>
#include <string.h>

// If the full light takes no longer than this, every view has it [ms].
static const double short_light_ms = 8.0;

// returns the index of a geometry set that no picture and no view points to; the monitor is locked
static int free_geometry_set(const BrumeRenderThread *thread)
{
    int set = 0;
    for (bool used = true; used; set += used) {
        used = thread->shared.front_geometry_set == set;
        for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
            used = used || thread->pictures.slots[n].geometry_set == set;
        }
    }
    return set;
}

void brume_render_thread_acquire_snapshot(BrumeRenderThread *thread)
{
    BrumePreparing *preparing = &thread->preparing;
    preparing->snapshot = brume_state_switch_latest(thread->def.states);
    BrumeSnapshot *info = &preparing->infos[brume_triple_buffer_write_slot(&preparing->info_buffer)];
    *info = *preparing->snapshot;
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        memset(info->variants[n].fields, 0, sizeof info->variants[n].fields);
    }
    brume_triple_buffer_publish(&preparing->info_buffer);
    brume_monitor_lock(&thread->monitor);
    thread->shared.source_runs = preparing->snapshot->running;
    thread->shared.source_is_late = preparing->snapshot->late;
    brume_monitor_unlock(&thread->monitor);
}

// whether a snapshot was published and is not acquired yet; the monitor is locked
static bool has_new_snapshot(const BrumeRenderThread *thread)
{
    return atomic_load(&thread->snapshot_count) != thread->shared.acquired_count;
}

bool brume_render_thread_is_behind(const BrumeRenderThread *thread)
{
    const BrumePreparation *preparation = &thread->shared.preparation;
    return has_new_snapshot(thread) || preparation->in_progress || !preparation->attempted ||
           !brume_view_settings_equal(&thread->shared.request.view, &preparation->view.picture.request.view);
}

// Whether the back view is free and a new state, or new settings for the present one, must be prepared. The monitor is
// locked.
static bool is_due(const BrumeRenderThread *thread)
{
    return thread->shared.has_request && !thread->shared.preparation.done && brume_render_thread_is_behind(thread);
}

// Prepares the back view for the snapshot and the settings of `view`. Returns false where they cannot be drawn.
static bool prepare(BrumeRenderThread *thread, BrumeViewInfo *view, BrumeError *error)
{
    const double start = brume_seconds();
    const BrumeSnapshot *snapshot = thread->preparing.snapshot;
    for (int n = 0; n < snapshot->variant_count; n++) {
        if (!brume_snapshot_has_fields(&snapshot->variants[n])) {
            *error = snapshot->error;
            return false;
        }
    }
    BrumeRenderedPicture *picture = &view->picture;
    BrumeOverlayGeometry *geometry = thread->geometry[view->geometry_set];
    const BrumeStatus status = brume_prepare_view(thread->back, &thread->preparing.scratch, snapshot,
                                                  &picture->request.view, view->in_motion, geometry, error);
    picture->variant_count = thread->back->variant_count;
    picture->missing = thread->back->missing;
    picture->seed = snapshot->seed;
    picture->snapshot_count = thread->shared.acquired_count;
    picture->time = snapshot->time;
    for (int n = 0; n < picture->variant_count; n++) {
        picture->scale[n] = thread->preparing.scratch.scale[n];
        picture->geometry[n] = &geometry[n];
        picture->render_settings[n] = thread->back->variants[n].render_settings;
    }
    picture->prepare_ms = 1e3 * (brume_seconds() - start);
    return status == BRUME_OK;
}

// Prepares the snapshot with the settings of `view`. Returns false if the latest attempt had the same state and
// settings. While `in_progress` is set, the monitor need not be locked.
static bool attempt(BrumeRenderThread *thread, BrumeViewInfo *view)
{
    BrumePreparation *preparation = &thread->shared.preparation;
    const BrumeRenderedPicture *last = &preparation->view.picture;
    const BrumeSnapshot *snapshot = thread->preparing.snapshot;
    const bool new_state = !preparation->attempted || snapshot->frame != last->frame ||
                           snapshot->epoch != last->epoch || snapshot->revision != preparation->revision ||
                           snapshot->variant_count != preparation->variants;
    if (!new_state && brume_view_settings_equal(&view->picture.request.view, &last->request.view)) {
        return false;
    }
    view->picture.frame = snapshot->frame;
    view->picture.epoch = snapshot->epoch;
    preparation->attempted = true;
    preparation->new_state = new_state;
    preparation->revision = snapshot->revision;
    preparation->variants = snapshot->variant_count;
    preparation->error = (BrumeError){0};
    preparation->has_view = prepare(thread, view, &preparation->error);
    preparation->view = *view;
    return true;
}

// returns the size of the team: half of the threads while the camera moves, because pictures are drawn at the same
// time; the monitor is locked
static int team_size(const BrumeRenderThread *thread)
{
    const BrumeRenderShared *shared = &thread->shared;
    const bool draws = shared->request.cpu && !shared->request.full && brume_render_thread_camera_moves(thread);
    return draws ? (shared->threads + 1) / 2 : shared->threads;
}

// Acquires the state if there is a new one, passes it to its user and prepares it. The monitor is locked, and is
// unlocked during the work.
static void handle_state(BrumeRenderThread *thread)
{
    BrumeRenderShared *shared = &thread->shared;
    const bool due = is_due(thread);
    const bool is_new = due && has_new_snapshot(thread);
    const bool offered = shared->offer || is_new;
    shared->offer = false;
    if (is_new) {
        shared->acquired_count = atomic_load(&thread->snapshot_count);
    }
    shared->preparation.in_progress = due;
    const bool light_is_short = shared->full_light_ms > 0.0 && shared->full_light_ms <= short_light_ms;
    BrumeViewInfo view = {
        .picture.request.view = shared->request.view,
        .geometry_set = free_geometry_set(thread),
        .in_motion = !shared->request.full && !light_is_short,
    };
    const int threads = team_size(thread);
    brume_monitor_unlock(&thread->monitor);
    if (threads != thread->preparing.team_size) {
        brume_set_threads(threads);
        thread->preparing.team_size = threads;
    }
    if (is_new) {
        brume_render_thread_acquire_snapshot(thread);
    }
    if (offered && thread->def.use) {
        thread->def.use(thread->def.use_context, thread->preparing.snapshot);
    }
    const bool done = due && attempt(thread, &view);
    brume_monitor_lock(&thread->monitor);
    shared->preparation.done = shared->preparation.done || done;
    shared->preparation.in_progress = false;
    brume_monitor_signal(&thread->monitor);
}

void brume_render_thread_prepare_views(void *context)
{
    BrumeRenderThread *thread = context;
    brume_monitor_lock(&thread->monitor);
    while (!brume_worker_quits(&thread->preparer)) {
        if (thread->shared.has_request && (thread->shared.offer || is_due(thread))) {
            handle_state(thread);
        } else {
            brume_monitor_wait(&thread->monitor, INFINITY);
        }
    }
    brume_monitor_unlock(&thread->monitor);
}

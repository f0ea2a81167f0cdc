/*
 * The preparation thread. A state is copied into the renderers of the back view and lit there, while the render thread
 * draws pictures of the front view. While the back view waits for the render thread no state is acquired; the next one
 * is the latest then.
 */
#include "viewer/threads/render_thread_internal.h"

#include "core/error.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"

#include <math.h>
#include <string.h>

// If the full light takes no longer than this, every view has it [ms].
static const double short_light_ms = 8.0;

// the index of a geometry set that no picture and no view points to; the monitor is locked
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
    BrumeViewPreparation *preparing = &thread->preparing;
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
           !brume_view_settings_equal(&thread->shared.request.view, &preparation->settings);
}

// Whether there is a state to acquire, or are settings to prepare it with, and the back view is free. The monitor is
// locked.
static bool is_due(const BrumeRenderThread *thread)
{
    return thread->shared.has_request && !thread->shared.preparation.done && brume_render_thread_is_behind(thread);
}

// prepares the back view for the snapshot; `result` has the settings and the geometry set
static void prepare(BrumeRenderThread *thread, bool in_motion, BrumePreparation *result)
{
    const double start = brume_seconds();
    const BrumeSnapshot *snapshot = thread->preparing.snapshot;
    for (int n = 0; n < snapshot->variant_count; n++) {
        if (!brume_snapshot_has_fields(&snapshot->variants[n])) {
            result->error = snapshot->error;
            return; // the view in front stays
        }
    }
    const int set = result->view.geometry_set;
    result->has_view = brume_prepare_view(thread->back, &thread->preparing.scratch, snapshot, &result->settings,
                                          in_motion, thread->geometry[set], &result->error) == BRUME_OK;
    result->view = (BrumeViewInfo){
        .settings = result->settings,
        .geometry_set = set,
        .in_motion = in_motion,
        .variant_count = thread->back->variant_count,
        .frame = snapshot->frame,
        .epoch = snapshot->epoch,
        .seed = snapshot->seed,
        .snapshot_count = thread->shared.acquired_count,
        .missing = thread->back->missing,
        .time = snapshot->time,
        .prepare_ms = 1e3 * (brume_seconds() - start),
    };
    for (int n = 0; n < result->view.variant_count; n++) {
        result->view.scale[n] = thread->preparing.scratch.scale[n];
    }
}

// the size of the team: half of the threads while the camera moves, because pictures are drawn at the same time; the
// monitor is locked
static int team_size(const BrumeRenderThread *thread)
{
    const BrumeRenderShared *shared = &thread->shared;
    const bool draws = shared->request.cpu && !shared->request.full && brume_render_thread_camera_moves(thread);
    return draws ? (shared->threads + 1) / 2 : shared->threads;
}

// Acquires the state if there is a new one, and prepares it unless the latest attempt was about the same state and
// settings. The monitor is locked, and unlocked meanwhile.
static void handle_state(BrumeRenderThread *thread)
{
    BrumeRenderShared *shared = &thread->shared;
    BrumePreparation *preparation = &shared->preparation;
    const bool due = is_due(thread);
    const bool is_new = due && has_new_snapshot(thread);
    const bool offered = shared->offer || is_new;
    shared->offer = false;
    if (is_new) {
        shared->acquired_count = atomic_load(&thread->snapshot_count);
    }
    preparation->in_progress = due;
    BrumePreparation result = {.attempted = true, .settings = shared->request.view};
    result.view.geometry_set = free_geometry_set(thread);
    const bool light_is_short = shared->full_light_ms > 0.0 && shared->full_light_ms <= short_light_ms;
    const bool in_motion = !shared->request.full && !light_is_short;
    const int threads = team_size(thread);
    const BrumePreparation last = *preparation;
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
    const BrumeSnapshot *snapshot = thread->preparing.snapshot;
    result.frame = snapshot->frame;
    result.epoch = snapshot->epoch;
    result.revision = snapshot->revision;
    result.variants = snapshot->variant_count;
    result.new_state = !last.attempted || result.frame != last.frame || result.epoch != last.epoch ||
                       result.revision != last.revision || result.variants != last.variants;
    result.done = due && (result.new_state || !brume_view_settings_equal(&result.settings, &last.settings));
    if (result.done) {
        prepare(thread, in_motion, &result);
    }
    brume_monitor_lock(&thread->monitor);
    if (result.done) {
        *preparation = result;
    }
    preparation->in_progress = false;
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

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

static void lock(BrumeRenderThread *thread) { brume_render_thread_lock(thread); }

static void unlock(BrumeRenderThread *thread) { brume_render_thread_unlock(thread); }

// the index of a geometry set that no picture and no view points to; the mutex is locked
static int free_geometry_set(const BrumeRenderThread *thread)
{
    int set = 0;
    for (bool used = true; used; set += used) {
        used = thread->front_geometry_set == set;
        for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
            used = used || thread->slots[n].geometry_set == set;
        }
    }
    return set;
}

void brume_render_thread_acquire_snapshot(BrumeRenderThread *thread)
{
    thread->snapshot = thread->source.functions->latest_snapshot(thread->source.self);
    lock(thread);
    thread->info = *thread->snapshot;
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        memset(thread->info.variants[n].fields, 0, sizeof thread->info.variants[n].fields);
    }
    unlock(thread);
}

static void offer_snapshot(BrumeRenderThread *thread)
{
    (void)pthread_mutex_lock(&thread->user_mutex);
    if (thread->use) {
        thread->use(thread->use_context, thread->snapshot);
    }
    (void)pthread_mutex_unlock(&thread->user_mutex);
}

bool brume_render_thread_is_behind(const BrumeRenderThread *thread)
{
    const BrumePreparation *preparation = &thread->preparation;
    return atomic_load(&thread->new_snapshot) || preparation->in_progress || !preparation->attempted ||
           !brume_view_settings_equal(&thread->request.view, &preparation->settings);
}

// Whether there is a state to acquire, or are settings to prepare it with, and the back view is free. The mutex is
// locked.
static bool is_due(const BrumeRenderThread *thread)
{
    return thread->has_request && !thread->preparation.done && brume_render_thread_is_behind(thread);
}

// prepares the back view for the snapshot; `result` has the settings and the geometry set
static void prepare(BrumeRenderThread *thread, bool in_motion, BrumePreparation *result)
{
    const double start = brume_seconds();
    const BrumeSnapshot *snapshot = thread->snapshot;
    for (int n = 0; n < snapshot->variant_count; n++) {
        if (!brume_snapshot_has_fields(&snapshot->variants[n])) {
            result->error = snapshot->error;
            return; // the view in front stays
        }
    }
    const int set = result->view.geometry_set;
    result->has_view = brume_prepare_view(thread->back, &thread->scratch, snapshot, &result->settings, in_motion,
                                          thread->geometry[set], &result->error) == BRUME_OK;
    result->view = (BrumeViewInfo){
        .settings = result->settings,
        .geometry_set = set,
        .in_motion = in_motion,
        .variant_count = thread->back->variant_count,
        .frame = snapshot->frame,
        .epoch = snapshot->epoch,
        .seed = snapshot->seed,
        .snapshot_count = thread->acquired_count,
        .missing = thread->back->missing,
        .time = snapshot->time,
        .prepare_ms = 1e3 * (brume_seconds() - start),
    };
    for (int n = 0; n < result->view.variant_count; n++) {
        result->view.scale[n] = thread->scratch.scale[n];
    }
}

// the size of the team: half of the threads while the camera moves, because pictures are drawn at the same time; the
// mutex is locked
static int team_size(const BrumeRenderThread *thread)
{
    const bool draws = thread->request.cpu && !thread->request.full && brume_render_thread_camera_moves(thread);
    return draws ? (thread->threads + 1) / 2 : thread->threads;
}

// Acquires the state if there is a new one, and prepares it unless the latest attempt was about the same state and
// settings. The mutex is locked, and unlocked meanwhile.
static void handle_state(BrumeRenderThread *thread)
{
    BrumePreparation *preparation = &thread->preparation;
    const bool due = is_due(thread);
    const bool is_new = due && atomic_exchange(&thread->new_snapshot, false);
    const bool offered = thread->offer || is_new;
    thread->offer = false;
    if (is_new) {
        thread->acquired_count = atomic_load(&thread->snapshot_count);
    }
    preparation->in_progress = due;
    BrumePreparation result = {.attempted = true, .settings = thread->request.view};
    result.view.geometry_set = free_geometry_set(thread);
    const bool light_is_short = thread->full_light_ms > 0.0 && thread->full_light_ms <= short_light_ms;
    const bool in_motion = !thread->request.full && !light_is_short;
    const int threads = team_size(thread);
    const BrumePreparation last = *preparation;
    unlock(thread);
    if (threads != thread->preparing_team_size) {
        brume_set_threads(threads);
        thread->preparing_team_size = threads;
    }
    if (is_new) {
        brume_render_thread_acquire_snapshot(thread);
    }
    if (offered) {
        offer_snapshot(thread);
    }
    const BrumeSnapshot *snapshot = thread->snapshot;
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
    lock(thread);
    if (result.done) {
        *preparation = result;
    }
    preparation->in_progress = false;
    (void)pthread_cond_broadcast(&thread->changed);
}

void *brume_render_thread_prepare_views(void *context)
{
    BrumeRenderThread *thread = context;
    brume_name_threads("brume-prepare");
    lock(thread);
    while (!atomic_load(&thread->quit)) {
        if (thread->has_request && (thread->offer || is_due(thread))) {
            handle_state(thread);
        } else {
            brume_wait_until(&thread->states_changed, &thread->mutex, INFINITY);
        }
    }
    thread->preparing_ended = true;
    brume_render_thread_unlock_and_signal(thread);
    return NULL;
}

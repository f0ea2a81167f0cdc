#include "viewer/threads/render_thread_internal.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"

#include <math.h>
#include <string.h>

// Without a new state for this long, the smoke is at rest and the picture is refined; and without a new request for
// this long, the light of pictures in motion is replaced, which cannot be abandoned [s].
static const double rest_after = 0.15;
static const double still_after = 0.1;

// Pictures in motion start at most this often while the source runs, and where its frames are late: the rest of the
// time is for the solver [s].
static const double motion_interval = 1.0 / 66.0;
static const double late_interval = 1.0 / 43.0;

static void lock(BrumeRenderThread *thread) { brume_render_thread_lock(thread); }

static void unlock(BrumeRenderThread *thread) { brume_render_thread_unlock(thread); }

// publishes that the front view has changed; `front_mutex` is locked
static void count_view(BrumeRenderThread *thread) { thread->front_serial = ++thread->view_serial; }

// Replaces the light of pictures in motion. Neither volumes nor geometry change.
static void light_fully(BrumeRenderThread *thread)
{
    const double start = brume_seconds();
    (void)pthread_mutex_lock(&thread->light_mutex);
    brume_light_view(thread->front);
    (void)pthread_mutex_unlock(&thread->light_mutex);
    (void)pthread_mutex_lock(&thread->front_mutex);
    count_view(thread);
    (void)pthread_mutex_unlock(&thread->front_mutex);
    thread->view.in_motion = false;
    lock(thread);
    thread->full_light_ms = 1e3 * (brume_seconds() - start);
    unlock(thread);
}

// swaps the views if the back view was prepared, and permits preparing the next one
static void adopt_result(BrumeRenderThread *thread)
{
    const BrumePreparation *result = &thread->preparation; // not written until `done` is cleared
    thread->has_result = true;
    thread->error = result->error;
    thread->drawn = false;
    thread->changed_at = brume_seconds();
    if (result->new_state) {
        thread->motion.state_interval = thread->changed_at - thread->new_state_at;
        thread->new_state_at = thread->changed_at;
        thread->delivered = false;
    }
    if (result->has_view) {
        thread->view = result->view;
        thread->view.bytes = brume_prepared_view_bytes(thread->front) + brume_prepared_view_bytes(thread->back);
        (void)pthread_mutex_lock(&thread->front_mutex);
        BrumePreparedView *view = thread->back;
        thread->back = thread->front;
        thread->front = view;
        count_view(thread);
        (void)pthread_mutex_unlock(&thread->front_mutex);
    }
    lock(thread);
    thread->front_geometry_set = result->has_view ? result->view.geometry_set : thread->front_geometry_set;
    thread->preparation.done = false;
    (void)pthread_cond_broadcast(&thread->states_changed);
    unlock(thread);
}

// copies the latest request, and the latest prepared view to the front
static void update(BrumeRenderThread *thread)
{
    lock(thread);
    const BrumeRenderRequest request = thread->request;
    thread->current_count = atomic_load(&thread->request_count);
    thread->current_snapshots = atomic_load(&thread->snapshot_count);
    thread->motion.source_runs = thread->info.running;
    thread->motion.source_is_late = thread->info.late;
    thread->motion.camera_moves = brume_render_thread_camera_moves(thread);
    thread->is_behind = brume_render_thread_is_behind(thread);
    const bool has_result = thread->preparation.done;
    const int threads = thread->threads;
    unlock(thread);
    if (threads != thread->team_size) {
        brume_set_threads(threads);
        thread->team_size = threads;
    }
    if (!brume_same_drawing(&request, &thread->current)) {
        thread->changed_at = brume_seconds();
        thread->drawn = false;
    }
    thread->current = request;
    if (has_result) {
        adopt_result(thread);
    }
    if (!thread->drawn) {
        thread->samples_done = 0;
        thread->finished = false;
    }
}

// Whether a picture at rest may be drawn while a view is to be prepared: one finished picture of every state is
// required. A picture with other settings than the latest ones is not.
static bool delivers_state(const BrumeRenderThread *thread, const BrumeRenderRequest *request)
{
    return request->full && !thread->delivered && thread->view_serial > 0 &&
           brume_view_settings_equal(&request->view, &thread->view.settings);
}

// the clock from which on the present picture may be replaced by a better one, 0: at once
static double rest_at(const BrumeRenderThread *thread, bool source_runs)
{
    if (thread->current.full) {
        return 0.0;
    }
    const double smoke = source_runs ? thread->new_state_at + rest_after : 0.0;
    return thread->view.in_motion ? fmax(smoke, thread->changed_at + still_after) : smoke;
}

static void make_picture(BrumeRenderThread *thread)
{
    const BrumeRenderRequest *current = &thread->current;
    const bool may_refine = !thread->is_behind || delivers_state(thread, current);
    const bool at_rest = may_refine && brume_seconds() >= rest_at(thread, thread->motion.source_runs);
    if (!thread->has_result || (current->full && !may_refine)) {
        return;
    }
    if (thread->view.in_motion && at_rest && (current->full || (thread->drawn && !thread->finished))) {
        light_fully(thread);
        thread->drawn = thread->drawn && current->cpu; // the OpenGL renderer loads it
    }
    bool drawable = current->cpu && thread->view_serial > 0 && current->width > 0 && current->height > 0;
    if (drawable && !brume_render_thread_reserve_sums(thread)) {
        (void)brume_out_of_memory(&thread->error, "a picture of %d x %d", current->width, current->height);
        drawable = false;
    }
    if (!drawable) {
        const bool finished = !thread->view.in_motion && !thread->is_behind;
        const bool is_new = !thread->drawn || finished != thread->finished;
        thread->drawn = true;
        thread->finished = finished;
        thread->draw_ms = 0.0;
        if (is_new) {
            brume_render_thread_publish(thread, 0, 0, 0);
        }
    } else if (!thread->drawn && !current->full) {
        brume_render_thread_draw_in_motion(thread);
    } else if (!thread->finished && at_rest) {
        brume_render_thread_refine(thread);
    }
}

// The clock at which the next picture is to be drawn: 0 for at once, INFINITY for not before a signal. The mutex is
// locked.
static double next_picture_at(const BrumeRenderThread *thread)
{
    if (!thread->has_request || thread->request.hidden) {
        return INFINITY;
    }
    if (thread->preparation.done || atomic_load(&thread->request_count) != thread->current_count ||
        (thread->has_result && !thread->drawn && !thread->current.full)) {
        const bool paced = thread->info.running && !thread->request.full;
        return paced ? thread->motion_at + (thread->info.late ? late_interval : motion_interval) : 0.0;
    }
    const bool waits = brume_render_thread_is_behind(thread) && !delivers_state(thread, &thread->request);
    return !thread->has_result || thread->finished || waits ? INFINITY : rest_at(thread, thread->info.running);
}

// the render thread's main function
static void *run(void *context)
{
    BrumeRenderThread *thread = context;
    brume_name_threads("brume-render");
    lock(thread);
    while (!atomic_load(&thread->quit)) {
        const double due = next_picture_at(thread);
        if (due > brume_seconds()) {
            brume_wait_until(&thread->changed, &thread->mutex, due);
            continue;
        }
        unlock(thread);
        update(thread);
        make_picture(thread);
        lock(thread);
    }
    thread->drawing_ended = true;
    brume_render_thread_unlock_and_signal(thread);
    return NULL;
}

// called by the thread that publishes snapshots
static void on_snapshot(void *context)
{
    BrumeRenderThread *thread = context;
    lock(thread);
    atomic_store(&thread->new_snapshot, true);
    (void)atomic_fetch_add(&thread->snapshot_count, 1);
    (void)pthread_cond_broadcast(&thread->states_changed);
    unlock(thread);
}

static BrumeStatus start_threads(BrumeRenderThread *thread, BrumeError *error)
{
    int failure = pthread_create(&thread->handle, NULL, run, thread);
    thread->started = failure == 0;
    if (failure == 0) {
        failure = pthread_create(&thread->preparing_handle, NULL, brume_render_thread_prepare_views, thread);
        thread->preparing_started = failure == 0;
    }
    return failure == 0 ? BRUME_OK : brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
}

BrumeStatus brume_render_thread_create(BrumeRenderThread **thread, BrumeStateSource source, int threads,
                                       void (*on_picture)(void), BrumeError *error)
{
    *thread = NULL;
    BrumeRenderThread *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "the viewer");
    }
    brume_wait_init(&created->changed);
    brume_wait_init(&created->states_changed);
    (void)pthread_mutex_init(&created->mutex, NULL);
    (void)pthread_mutex_init(&created->front_mutex, NULL);
    (void)pthread_mutex_init(&created->light_mutex, NULL);
    (void)pthread_mutex_init(&created->user_mutex, NULL);
    brume_triple_buffer_init(&created->buffer);
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        created->slots[n].geometry_set = -1;
    }
    created->front_geometry_set = -1;
    created->source = source;
    created->on_picture = on_picture;
    created->threads = threads;
    created->moved_at = -INFINITY;
    created->front = &created->views[0];
    created->back = &created->views[1];
    atomic_init(&created->quit, false);
    atomic_init(&created->full, false);
    atomic_init(&created->request_count, 0);
    atomic_init(&created->snapshot_count, 0);
    atomic_init(&created->new_snapshot, true); // there may be one before the callback is set
    brume_render_thread_acquire_snapshot(created);
    const BrumeStatus status = start_threads(created, error);
    if (status != BRUME_OK) {
        brume_render_thread_destroy(created);
        return status;
    }
    source.functions->set_snapshot_callback(source.self, on_snapshot, created);
    *thread = created;
    return BRUME_OK;
}

bool brume_render_thread_stop(BrumeRenderThread *thread, double seconds)
{
    lock(thread);
    atomic_store(&thread->quit, true);
    (void)pthread_cond_broadcast(&thread->changed);
    (void)pthread_cond_broadcast(&thread->states_changed);
    const double end = brume_seconds() + seconds;
    const bool drawing_ended =
        !thread->started || brume_wait_for(&thread->drawing_ended, &thread->changed, &thread->mutex, seconds);
    const bool preparing_ended =
        !thread->preparing_started ||
        brume_wait_for(&thread->preparing_ended, &thread->changed, &thread->mutex, fmax(0.0, end - brume_seconds()));
    unlock(thread);
    return drawing_ended && preparing_ended;
}

void brume_render_thread_destroy(BrumeRenderThread *thread)
{
    if (!thread) {
        return;
    }
    if (thread->started) {
        thread->source.functions->set_snapshot_callback(thread->source.self, NULL, NULL);
        (void)brume_render_thread_stop(thread, INFINITY);
        (void)pthread_join(thread->handle, NULL);
    }
    if (thread->preparing_started) {
        (void)pthread_join(thread->preparing_handle, NULL);
    }
    for (int n = 0; n < 2; n++) {
        brume_prepared_view_destroy(&thread->views[n]);
    }
    brume_view_scratch_destroy(&thread->scratch);
    for (int set = 0; set < BRUME_GEOMETRY_SETS; set++) {
        for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
            brume_overlay_geometry_free(&thread->geometry[set][n]);
        }
    }
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        brume_free(thread->slots[n].rgb);
    }
    brume_preview_destroy(&thread->preview);
    brume_free(thread->sum);
    brume_free(thread->mean);
    (void)pthread_cond_destroy(&thread->changed);
    (void)pthread_cond_destroy(&thread->states_changed);
    (void)pthread_mutex_destroy(&thread->front_mutex);
    (void)pthread_mutex_destroy(&thread->light_mutex);
    (void)pthread_mutex_destroy(&thread->user_mutex);
    (void)pthread_mutex_destroy(&thread->mutex);
    brume_free(thread);
}

#include "viewer/threads/render_thread_internal.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// Without a new state for this long, the smoke is at rest and the picture is refined. Without a new request for this
// long, the full light replaces the light of pictures in motion; its computation cannot be abandoned [s].
static const double rest_after = 0.15;
static const double still_after = 0.1;

// Shortest time between the starts of two pictures in motion while the source runs, and where its frames are late: the
// solver uses the rest of the time [s].
static const double motion_interval = 1.0 / 66.0;
static const double late_interval = 1.0 / 43.0;

// Replaces the light of pictures in motion by the full light. Neither volumes nor geometry change.
static void light_fully(BrumeRenderThread *thread)
{
    const double start = brume_seconds();
    (void)pthread_mutex_lock(&thread->front.mutex);
    thread->front.is_being_lit = true;
    (void)pthread_mutex_unlock(&thread->front.mutex);
    brume_light_view(thread->front.view);
    (void)pthread_mutex_lock(&thread->front.mutex);
    thread->front.is_being_lit = false;
    thread->front.serial = ++thread->drawing.view_serial;
    (void)pthread_mutex_unlock(&thread->front.mutex);
    thread->drawing.view.in_motion = false;
    brume_monitor_lock(&thread->monitor);
    thread->shared.full_light_ms = 1e3 * (brume_seconds() - start);
    brume_monitor_unlock(&thread->monitor);
}

// takes the result of the preparation thread, swaps the views if it prepared the back view, and permits the next one
static void adopt_result(BrumeRenderThread *thread)
{
    BrumeRenderShared *shared = &thread->shared;
    BrumeDrawing *drawing = &thread->drawing;
    const BrumePreparation *result = &shared->preparation; // not written until `done` is cleared
    drawing->has_result = true;
    drawing->error = result->error;
    drawing->drawn = false;
    drawing->changed_at = brume_seconds();
    if (result->new_state) {
        drawing->motion.state_interval = drawing->changed_at - drawing->new_state_at;
        drawing->new_state_at = drawing->changed_at;
        drawing->delivered = false;
    }
    if (result->has_view) {
        drawing->view = result->view;
        drawing->view.picture.bytes =
            brume_prepared_view_bytes(thread->front.view) + brume_prepared_view_bytes(thread->back);
        (void)pthread_mutex_lock(&thread->front.mutex);
        BrumePreparedView *view = thread->back;
        thread->back = thread->front.view;
        thread->front.view = view;
        thread->front.serial = ++drawing->view_serial;
        (void)pthread_mutex_unlock(&thread->front.mutex);
    }
    brume_monitor_lock(&thread->monitor);
    shared->front_geometry_set = result->has_view ? result->view.geometry_set : shared->front_geometry_set;
    shared->preparation.done = false;
    brume_monitor_signal_and_unlock(&thread->monitor);
}

// copies the latest request, and the latest prepared view to the front
static void update(BrumeRenderThread *thread)
{
    BrumeRenderShared *shared = &thread->shared;
    BrumeDrawing *drawing = &thread->drawing;
    brume_monitor_lock(&thread->monitor);
    const BrumeRenderRequest request = shared->request;
    drawing->current_count = atomic_load(&thread->request_count);
    drawing->current_snapshots = atomic_load(&thread->snapshot_count);
    drawing->motion.source_runs = shared->source_runs;
    drawing->motion.source_is_late = shared->source_is_late;
    drawing->motion.camera_moves = brume_render_thread_camera_moves(thread);
    drawing->is_behind = brume_render_thread_is_behind(thread);
    const bool has_result = shared->preparation.done;
    const int threads = shared->threads;
    brume_monitor_unlock(&thread->monitor);
    if (threads != drawing->team_size) {
        brume_set_threads(threads);
        drawing->team_size = threads;
    }
    if (!brume_same_drawing(&request, &drawing->current)) {
        drawing->changed_at = brume_seconds();
        drawing->drawn = false;
    }
    drawing->current = request;
    if (has_result) {
        adopt_result(thread);
    }
    if (!drawing->drawn) {
        drawing->samples_done = 0;
        drawing->finished = false;
    }
}

// Whether a picture at rest may be drawn although a view is to be prepared: the request requires one finished picture
// of every state, with the latest settings, and this state has none yet.
static bool delivers_state(const BrumeRenderThread *thread, const BrumeRenderRequest *request)
{
    const BrumeDrawing *drawing = &thread->drawing;
    return request->full && !drawing->delivered && drawing->view_serial > 0 &&
           brume_view_settings_equal(&request->view, &drawing->view.picture.request.view);
}

// returns the clock at which refining the present picture may begin, 0: at once
static double rest_at(const BrumeRenderThread *thread, bool source_runs)
{
    const BrumeDrawing *drawing = &thread->drawing;
    if (drawing->current.full) {
        return 0.0;
    }
    const double smoke = source_runs ? drawing->new_state_at + rest_after : 0.0;
    return drawing->view.in_motion ? fmax(smoke, drawing->changed_at + still_after) : smoke;
}

// draws a picture of the front view or adds samples to it, unless it is finished
static void make_picture(BrumeRenderThread *thread)
{
    BrumeDrawing *drawing = &thread->drawing;
    const BrumeRenderRequest *current = &drawing->current;
    const bool may_refine = !drawing->is_behind || delivers_state(thread, current);
    const bool at_rest = may_refine && brume_seconds() >= rest_at(thread, drawing->motion.source_runs);
    if (!drawing->has_result || (current->full && !may_refine)) {
        return;
    }
    if (drawing->view.in_motion && at_rest && (current->full || (drawing->drawn && !drawing->finished))) {
        light_fully(thread);
        drawing->drawn = drawing->drawn && current->cpu; // the OpenGL renderer loads it
    }
    bool drawable = current->cpu && drawing->view_serial > 0 && current->width > 0 && current->height > 0;
    if (drawable && !brume_render_thread_reserve_sums(thread)) {
        (void)brume_out_of_memory(&drawing->error, "a picture of %d x %d", current->width, current->height);
        drawable = false;
    }
    if (!drawable) {
        const bool finished = !drawing->view.in_motion && !drawing->is_behind;
        const bool is_new = !drawing->drawn || finished != drawing->finished;
        drawing->drawn = true;
        drawing->finished = finished;
        drawing->draw_ms = 0.0;
        if (is_new) {
            brume_render_thread_publish(thread, 0, 0, 0);
        }
    } else if (!drawing->drawn && !current->full) {
        brume_render_thread_draw_in_motion(thread);
    } else if (!drawing->finished && at_rest) {
        brume_render_thread_refine(thread);
    }
}

// Returns the clock at which the next picture is to be drawn: 0: at once; INFINITY: not before a signal. The monitor is
// locked.
static double next_picture_at(const BrumeRenderThread *thread)
{
    const BrumeRenderShared *shared = &thread->shared;
    const BrumeDrawing *drawing = &thread->drawing;
    if (!shared->has_request || shared->request.hidden) {
        return INFINITY;
    }
    if (shared->preparation.done) {
        return 0.0; // a picture that waits would show an older state than the newest two
    }
    if (atomic_load(&thread->request_count) != drawing->current_count ||
        (drawing->has_result && !drawing->drawn && !drawing->current.full)) {
        const bool paced = shared->source_runs && !shared->request.full;
        return paced ? drawing->motion_at + (shared->source_is_late ? late_interval : motion_interval) : 0.0;
    }
    const bool waits = brume_render_thread_is_behind(thread) && !delivers_state(thread, &shared->request);
    return !drawing->has_result || drawing->finished || waits ? INFINITY : rest_at(thread, shared->source_runs);
}

// the render thread's main function
static void run(void *context)
{
    BrumeRenderThread *thread = context;
    brume_monitor_lock(&thread->monitor);
    while (!brume_worker_quits(&thread->render)) {
        const double due = next_picture_at(thread);
        if (due > brume_seconds()) {
            brume_monitor_wait(&thread->monitor, due);
            continue;
        }
        brume_monitor_unlock(&thread->monitor);
        update(thread);
        make_picture(thread);
        brume_monitor_lock(&thread->monitor);
    }
    brume_monitor_unlock(&thread->monitor);
}

// snapshot callback, called by the thread that publishes snapshots
static void on_snapshot(void *context)
{
    BrumeRenderThread *thread = context;
    brume_monitor_lock(&thread->monitor);
    (void)atomic_fetch_add(&thread->snapshot_count, 1);
    brume_monitor_signal_and_unlock(&thread->monitor);
}

BrumeStatus brume_render_thread_create(BrumeRenderThread **thread, const BrumeRenderThreadDef *def, BrumeError *error)
{
    *thread = NULL;
    BrumeRenderThread *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "the viewer");
    }
    BrumeRenderShared *shared = &created->shared;
    brume_monitor_init(&created->monitor);
    (void)pthread_mutex_init(&created->front.mutex, NULL);
    brume_triple_buffer_init(&created->pictures.buffer);
    brume_triple_buffer_init(&created->preparing.info_buffer);
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        created->pictures.slots[n].geometry_set = -1;
    }
    created->def = *def;
    shared->front_geometry_set = -1;
    shared->threads = def->threads;
    shared->moved_at = -INFINITY;
    shared->acquired_count = UINT_MAX; // a snapshot may be published before the callback is set
    created->front.view = &created->views[0];
    created->back = &created->views[1];
    brume_render_thread_acquire_snapshot(created);
    BrumeStatus status = brume_worker_start(&created->render, &created->monitor, "brume-render", run, created, error);
    if (status == BRUME_OK) {
        status = brume_worker_start(&created->preparer, &created->monitor, "brume-prepare",
                                    brume_render_thread_prepare_views, created, error);
    }
    if (status != BRUME_OK) {
        brume_render_thread_destroy(created);
        return status;
    }
    brume_state_switch_set_callback(def->states, on_snapshot, created);
    *thread = created;
    return BRUME_OK;
}

bool brume_render_thread_stop(BrumeRenderThread *thread, double seconds)
{
    const double end = brume_seconds() + seconds;
    (void)brume_worker_stop(&thread->preparer, 0.0);
    const bool drawing_ended = brume_worker_stop(&thread->render, seconds);
    return brume_worker_stop(&thread->preparer, fmax(0.0, end - brume_seconds())) && drawing_ended;
}

void brume_render_thread_destroy(BrumeRenderThread *thread)
{
    if (!thread) {
        return;
    }
    brume_state_switch_set_callback(thread->def.states, NULL, NULL);
    (void)brume_render_thread_stop(thread, INFINITY);
    brume_worker_join(&thread->render);
    brume_worker_join(&thread->preparer);
    for (int n = 0; n < 2; n++) {
        brume_prepared_view_destroy(&thread->views[n]);
    }
    brume_view_scratch_destroy(&thread->preparing.scratch);
    for (int set = 0; set < BRUME_GEOMETRY_SETS; set++) {
        for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
            brume_overlay_geometry_free(&thread->geometry[set][n]);
        }
    }
    for (int n = 0; n < BRUME_TRIPLE_BUFFER_SLOTS; n++) {
        brume_free(thread->pictures.slots[n].rgb);
    }
    brume_preview_destroy(&thread->drawing.preview);
    brume_free(thread->drawing.sum);
    brume_free(thread->drawing.mean);
    (void)pthread_mutex_destroy(&thread->front.mutex);
    brume_monitor_destroy(&thread->monitor);
    brume_free(thread);
}

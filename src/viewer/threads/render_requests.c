// What the window thread calls: requests, and reading of pictures and of the prepared view.
#include "viewer/threads/render_thread_internal.h"

#include "core/parallel/clock.h"

#include <math.h>
#include <string.h>

// the camera moves if it has been moved within this time [s]
static const double moving_for = 0.25;

static void lock(BrumeRenderThread *thread) { brume_render_thread_lock(thread); }

static void unlock(BrumeRenderThread *thread) { brume_render_thread_unlock(thread); }

bool brume_same_drawing(const BrumeRenderRequest *a, const BrumeRenderRequest *b)
{
    return memcmp(&a->camera, &b->camera, sizeof a->camera) == 0 && a->width == b->width && a->height == b->height &&
           a->cpu == b->cpu && a->full == b->full && a->samples == b->samples && a->divider == b->divider;
}

bool brume_render_thread_camera_moves(const BrumeRenderThread *thread)
{
    return brume_seconds() - thread->moved_at < moving_for;
}

bool brume_render_thread_request(BrumeRenderThread *thread, const BrumeRenderRequest *request)
{
    lock(thread);
    const bool moves = thread->has_request && !brume_same_drawing(request, &thread->request);
    const bool shows = thread->has_request && thread->request.hidden && !request->hidden;
    const bool changes_view = !thread->has_request || !brume_view_settings_equal(&request->view, &thread->request.view);
    thread->request = *request;
    thread->has_request = true;
    atomic_store(&thread->full, request->full);
    if (moves) {
        thread->moved_at = brume_seconds();
    }
    if (shows) {
        (void)pthread_cond_broadcast(&thread->changed);
    }
    if (moves || changes_view) {
        (void)atomic_fetch_add(&thread->request_count, 1);
        (void)pthread_cond_broadcast(&thread->changed);
    }
    if (changes_view) {
        (void)pthread_cond_broadcast(&thread->states_changed);
    }
    unlock(thread);
    return moves || changes_view;
}

void brume_render_thread_set_snapshot_user(BrumeRenderThread *thread, void (*use)(void *, const BrumeSnapshot *),
                                           void *context)
{
    (void)pthread_mutex_lock(&thread->user_mutex);
    thread->use = use;
    thread->use_context = context;
    (void)pthread_mutex_unlock(&thread->user_mutex);
}

void brume_render_thread_offer_snapshot(BrumeRenderThread *thread)
{
    lock(thread);
    thread->offer = true;
    (void)pthread_cond_broadcast(&thread->states_changed);
    unlock(thread);
}

void brume_render_thread_set_threads(BrumeRenderThread *thread, int threads)
{
    lock(thread);
    thread->threads = threads;
    unlock(thread);
}

bool brume_render_thread_poll_picture(BrumeRenderThread *thread, const BrumeRenderedPicture **picture)
{
    const bool is_new = brume_triple_buffer_take(&thread->buffer);
    thread->has_picture = thread->has_picture || is_new;
    *picture = thread->has_picture ? &thread->slots[brume_triple_buffer_read_slot(&thread->buffer)].picture : NULL;
    return is_new;
}

unsigned brume_render_thread_snapshot_count(const BrumeRenderThread *thread)
{
    return atomic_load(&thread->snapshot_count);
}

void brume_render_thread_snapshot_info(BrumeRenderThread *thread, BrumeSnapshot *info)
{
    lock(thread);
    *info = thread->info;
    unlock(thread);
}

bool brume_render_thread_smoke_bounds(BrumeRenderThread *thread, int variant, BrumeVec3 *lower, BrumeVec3 *upper)
{
    (void)pthread_mutex_lock(&thread->front_mutex);
    const bool found = variant < thread->front->variant_count &&
                       brume_renderer_bounds(thread->front->variants[variant].renderer, lower, upper);
    (void)pthread_mutex_unlock(&thread->front_mutex);
    return found;
}

BrumePick brume_render_thread_pick(BrumeRenderThread *thread, int variant, const BrumeCamera *camera, int width,
                                   int height, float x, float y)
{
    BrumePick pick = {.kind = BRUME_PICK_SKY, .distance = INFINITY, .surface = -1};
    (void)pthread_mutex_lock(&thread->front_mutex);
    if (variant < thread->front->variant_count) {
        pick = brume_renderer_pick(thread->front->variants[variant].renderer, camera, width, height, x, y);
    }
    (void)pthread_mutex_unlock(&thread->front_mutex);
    return pick;
}

BrumeStatus brume_render_thread_upload_to_gl(BrumeRenderThread *thread, int variant, BrumeGlRenderer *renderer,
                                             uint64_t *view_serial, int *reduced, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    (void)pthread_mutex_lock(&thread->front_mutex);
    if (variant < thread->front->variant_count && *view_serial != thread->front_serial &&
        pthread_mutex_trylock(&thread->light_mutex) == 0) {
        status = brume_gl_renderer_load(renderer, thread->front->variants[variant].renderer, reduced, error);
        *view_serial = thread->front_serial;
        (void)pthread_mutex_unlock(&thread->light_mutex);
    }
    (void)pthread_mutex_unlock(&thread->front_mutex);
    return status;
}

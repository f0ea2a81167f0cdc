// Functions for the window thread: requests, and reading of pictures and of the prepared view.
#include "viewer/threads/render_thread_internal.h"

#include "core/mesh.h"
#include "core/parallel/clock.h"
#include "raymarch/light/lit_medium.h"

#include <math.h>
#include <string.h>

// the camera moves if it has been moved within this time [s]
static const double moving_for = 0.25;

bool brume_same_drawing(const BrumeRenderRequest *a, const BrumeRenderRequest *b)
{
    return memcmp(&a->camera, &b->camera, sizeof a->camera) == 0 && a->width == b->width && a->height == b->height &&
           a->cpu == b->cpu && a->full == b->full && a->samples == b->samples && a->divider == b->divider;
}

bool brume_render_thread_camera_moves(const BrumeRenderThread *thread)
{
    return brume_seconds() - thread->shared.moved_at < moving_for;
}

bool brume_render_thread_request(BrumeRenderThread *thread, const BrumeRenderRequest *request)
{
    BrumeRenderShared *shared = &thread->shared;
    brume_monitor_lock(&thread->monitor);
    const bool moves = shared->has_request && !brume_same_drawing(request, &shared->request);
    const bool shows = shared->has_request && shared->request.hidden && !request->hidden;
    const bool changes_view = !shared->has_request || !brume_view_settings_equal(&request->view, &shared->request.view);
    shared->request = *request;
    shared->has_request = true;
    atomic_store(&thread->full, request->full);
    if (moves) {
        shared->moved_at = brume_seconds();
    }
    if (moves || changes_view) {
        (void)atomic_fetch_add(&thread->request_count, 1);
    }
    if (moves || changes_view || shows) {
        brume_monitor_signal(&thread->monitor);
    }
    brume_monitor_unlock(&thread->monitor);
    return moves || changes_view;
}

void brume_render_thread_offer_snapshot(BrumeRenderThread *thread)
{
    brume_monitor_lock(&thread->monitor);
    thread->shared.offer = true;
    brume_monitor_signal_and_unlock(&thread->monitor);
}

void brume_render_thread_set_threads(BrumeRenderThread *thread, int threads)
{
    brume_monitor_lock(&thread->monitor);
    thread->shared.threads = threads;
    brume_monitor_unlock(&thread->monitor);
}

bool brume_render_thread_poll_picture(BrumeRenderThread *thread, const BrumeRenderedPicture **picture)
{
    const bool is_new = brume_triple_buffer_take(&thread->pictures.buffer);
    thread->pictures.has_any = thread->pictures.has_any || is_new;
    *picture = thread->pictures.has_any
                   ? &thread->pictures.slots[brume_triple_buffer_read_slot(&thread->pictures.buffer)].picture
                   : NULL;
    return is_new;
}

unsigned brume_render_thread_snapshot_count(const BrumeRenderThread *thread)
{
    return atomic_load(&thread->snapshot_count);
}

const BrumeSnapshot *brume_render_thread_snapshot_info(BrumeRenderThread *thread)
{
    BrumePreparing *preparing = &thread->preparing;
    (void)brume_triple_buffer_take(&preparing->info_buffer);
    return &preparing->infos[brume_triple_buffer_read_slot(&preparing->info_buffer)];
}

bool brume_render_thread_smoke_bounds(BrumeRenderThread *thread, int variant, BrumeVec3 *lower, BrumeVec3 *upper)
{
    (void)pthread_mutex_lock(&thread->front.mutex);
    const bool found = variant < thread->front.view->variant_count &&
                       brume_renderer_bounds(thread->front.view->variants[variant].renderer, lower, upper);
    (void)pthread_mutex_unlock(&thread->front.mutex);
    return found;
}

bool brume_render_thread_mesh_bounds(BrumeRenderThread *thread, int variant, const BrumeMesh *deforming,
                                     BrumeVec3 *lower, BrumeVec3 *upper)
{
    bool found = false;
    (void)pthread_mutex_lock(&thread->front.mutex);
    if (variant < thread->front.view->variant_count) {
        const BrumeLitMedium *lit = brume_renderer_lit_medium(thread->front.view->variants[variant].renderer);
        for (int n = 0; n < lit->settings.surface_count && !found; n++) {
            const BrumeDeformedSurface *surface = &lit->deformed[n];
            found = surface->deforming && surface->deforming == deforming;
            if (found) {
                *lower = brume_mesh_info(surface->mesh)->lower;
                *upper = brume_mesh_info(surface->mesh)->upper;
            }
        }
    }
    (void)pthread_mutex_unlock(&thread->front.mutex);
    return found;
}

BrumePick brume_render_thread_pick(BrumeRenderThread *thread, int variant, const BrumeCamera *camera, int width,
                                   int height, float x, float y)
{
    BrumePick pick = {.kind = BRUME_PICK_SKY, .distance = INFINITY, .surface = -1};
    (void)pthread_mutex_lock(&thread->front.mutex);
    if (variant < thread->front.view->variant_count) {
        pick = brume_renderer_pick(thread->front.view->variants[variant].renderer, camera, width, height, x, y);
    }
    (void)pthread_mutex_unlock(&thread->front.mutex);
    return pick;
}

BrumeStatus brume_render_thread_upload_to_gl(BrumeRenderThread *thread, int variant, BrumeGlRenderer *renderer,
                                             uint64_t *view_serial, int *reduced, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    (void)pthread_mutex_lock(&thread->front.mutex);
    if (variant < thread->front.view->variant_count && *view_serial != thread->front.serial &&
        !thread->front.is_being_lit) {
        status = brume_gl_renderer_load(renderer, thread->front.view->variants[variant].renderer, reduced, error);
        *view_serial = thread->front.serial;
    }
    (void)pthread_mutex_unlock(&thread->front.mutex);
    return status;
}

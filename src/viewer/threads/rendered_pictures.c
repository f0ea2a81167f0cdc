// Publishing of pictures: slots of the triple buffer, their pixels, and what each picture says about itself.
#include "viewer/threads/render_thread_internal.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>

void brume_picture_columns(const BrumeRenderThread *thread, int width, int ends[BRUME_MAX_VARIANTS + 1])
{
    const int split = thread->view.variant_count < 2 ? width : (int)lroundf((float)width * thread->current.divider);
    ends[0] = 0;
    ends[1] = split < 0 ? 0 : split > width ? width : split;
    ends[2] = width;
}

static BrumePictureSlot *write_slot(BrumeRenderThread *thread)
{
    return &thread->slots[brume_triple_buffer_write_slot(&thread->buffer)];
}

uint8_t *brume_render_thread_pixels(BrumeRenderThread *thread, int width, int height)
{
    BrumePictureSlot *slot = write_slot(thread);
    const size_t bytes = 3 * (size_t)width * (size_t)height;
    if (bytes > slot->capacity) {
        brume_free(slot->rgb);
        slot->rgb = brume_alloc_untouched(bytes, 1);
        slot->capacity = slot->rgb ? bytes : 0;
    }
    return slot->rgb;
}

void brume_render_thread_publish(BrumeRenderThread *thread, int width, int height, int samples)
{
    const BrumePreparedView *prepared = thread->front;
    const BrumeViewInfo *view = &thread->view;
    BrumePictureSlot *slot = write_slot(thread);
    BrumeError error = thread->error;
    bool has_pixels = samples > 0;
    if (has_pixels && !brume_render_thread_pixels(thread, width, height)) {
        (void)brume_out_of_memory(&error, "a picture of %d x %d", width, height);
        has_pixels = false;
    }
    slot->picture = (BrumeRenderedPicture){
        .serial = ++thread->serial,
        .view_serial = thread->view_serial,
        .width = has_pixels ? width : 0,
        .height = has_pixels ? height : 0,
        .shrink = thread->shrink,
        .rgb = has_pixels ? slot->rgb : NULL,
        .finished = thread->finished,
        .samples = has_pixels ? samples : 0,
        .request = thread->current,
        .frame = view->frame,
        .epoch = view->epoch,
        .seed = view->seed,
        .snapshot_count = view->snapshot_count,
        .missing = view->missing,
        .variant_count = view->variant_count,
        .time = view->time,
        .prepare_ms = view->prepare_ms,
        .bytes = view->bytes,
        .draw_ms = thread->draw_ms,
        .error = error,
    };
    if (thread->view_serial > 0) {
        slot->picture.request.view = view->settings; // those of the latest request may not be prepared yet
    }
    for (int n = 0; n < view->variant_count; n++) {
        slot->picture.scale[n] = view->scale[n];
        slot->picture.geometry[n] = &thread->geometry[view->geometry_set][n];
        slot->picture.render_settings[n] = prepared->variants[n].render_settings;
    }
    brume_render_thread_lock(thread);
    slot->geometry_set = thread->view_serial > 0 ? view->geometry_set : -1;
    brume_render_thread_unlock(thread);
    brume_triple_buffer_publish(&thread->buffer);
    if (thread->on_picture) {
        thread->on_picture();
    }
}

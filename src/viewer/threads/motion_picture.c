// Pictures in motion: one sample per pixel, with the smoke at a reduced resolution.
#include "viewer/threads/render_thread_internal.h"

#include "core/parallel/clock.h"

// Draws with the smoke at a reduced resolution into the slot that is published next, and records the times of both
// parts. False without memory for it.
static bool draw_preview(BrumeRenderThread *thread, int width, int height, int shrink)
{
    int ends[BRUME_MAX_VARIANTS + 1];
    brume_picture_columns(thread, width, ends);
    uint8_t *rgb = brume_render_thread_pixels(thread, width, height);
    if (!rgb) {
        return false;
    }
    double node_ms = 0.0;
    double pixel_ms = 0.0;
    for (int n = 0; n < thread->view.variant_count; n++) {
        const BrumePreviewDef def = {
            .width = width,
            .height = height,
            .left = ends[n],
            .right = ends[n + 1],
            .shrink = shrink,
            .seed = thread->view.seed,
            .display = &thread->front->variants[0].render_settings,
        };
        if (brume_preview_draw(&thread->preview, thread->front->variants[n].renderer, &thread->current.camera, &def,
                               rgb, &thread->error) != BRUME_OK) {
            return false;
        }
        node_ms += thread->preview.node_ms;
        pixel_ms += thread->preview.pixel_ms;
    }
    thread->draw_ms = node_ms + pixel_ms;
    const double pixels = (double)width * height;
    brume_adaptive_resolution_record(&thread->resolution, node_ms, pixels / (shrink * shrink), pixel_ms, pixels);
    return true;
}

void brume_render_thread_draw_in_motion(BrumeRenderThread *thread)
{
    const BrumeRenderRequest *current = &thread->current;
    thread->motion_at = brume_seconds();
    const double pixels = (double)current->width * current->height;
    const double budget = brume_picture_budget(current->budget_ms, &thread->motion);
    thread->shrink = brume_adaptive_resolution_choose(&thread->resolution, budget, pixels);
    if (thread->shrink == 1 || !draw_preview(thread, current->width, current->height, thread->shrink)) {
        thread->shrink = 1;
        (void)brume_render_thread_add_samples(thread, 1, 0, 1, false);
        brume_adaptive_resolution_record(&thread->resolution, thread->draw_ms, pixels, 0.0, 0.0);
        brume_render_thread_tone_map(thread, 1);
    }
    thread->drawn = true;
    thread->samples_done = 0;
    thread->finished = current->samples == 1 && thread->shrink == 1 && !thread->view.in_motion && !thread->is_behind;
    brume_render_thread_publish(thread, current->width, current->height, 1);
}

/*
 * Pictures of the view in front. At rest: sums of samples at full size, which grow up to all samples of the offline
 * renderer. In motion: one sample per pixel, with the smoke at a reduced resolution.
 */
#include "viewer/threads/render_thread_internal.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "raymarch/cpu/sprites.h"

#include <string.h>

static BrumePictureSlot *write_slot(BrumeRenderThread *thread)
{
    return &thread->pictures.slots[brume_triple_buffer_write_slot(&thread->pictures.buffer)];
}

// the pixel buffer of the picture that is published next; NULL without memory
static uint8_t *picture_pixels(BrumeRenderThread *thread, int width, int height)
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
    BrumeDrawing *drawing = &thread->drawing;
    BrumePictureSlot *slot = write_slot(thread);
    BrumeRenderedPicture *picture = &slot->picture;
    *picture = drawing->view.picture;
    picture->error = drawing->error;
    if (samples > 0 && !picture_pixels(thread, width, height)) {
        (void)brume_out_of_memory(&picture->error, "a picture of %d x %d", width, height);
        samples = 0;
    }
    picture->serial = ++drawing->serial;
    picture->view_serial = drawing->view_serial;
    picture->width = samples > 0 ? width : 0;
    picture->height = samples > 0 ? height : 0;
    picture->shrink = drawing->shrink;
    picture->rgb = samples > 0 ? slot->rgb : NULL;
    picture->finished = drawing->finished;
    picture->samples = samples;
    picture->draw_ms = drawing->draw_ms;
    picture->request = drawing->current;
    if (drawing->view_serial > 0) {
        picture->request.view =
            drawing->view.picture.request.view; // the latest request's settings may not be prepared yet
    }
    brume_monitor_lock(&thread->monitor);
    slot->geometry_set = drawing->view_serial > 0 ? drawing->view.geometry_set : -1;
    brume_monitor_unlock(&thread->monitor);
    brume_triple_buffer_publish(&thread->pictures.buffer);
    if (thread->def.on_picture) {
        thread->def.on_picture();
    }
}

/*
 * At rest.
 */

bool brume_render_thread_reserve_sums(BrumeRenderThread *thread)
{
    BrumeDrawing *drawing = &thread->drawing;
    const size_t floats = 3 * (size_t)drawing->current.width * (size_t)drawing->current.height;
    if (floats > drawing->capacity) {
        brume_free(drawing->sum);
        brume_free(drawing->mean);
        drawing->sum = brume_alloc_untouched(floats, sizeof(float));
        drawing->mean = brume_alloc_untouched(floats, sizeof(float));
        drawing->capacity = drawing->sum && drawing->mean ? floats : 0;
    }
    return drawing->capacity > 0;
}

// computes the mean of the samples, with the same rounding as in brume_renderer_draw
static const float *mean_of(BrumeRenderThread *thread, int samples)
{
    BrumeDrawing *drawing = &thread->drawing;
    bool particles = false;
    for (int n = 0; n < thread->front.view->variant_count; n++) {
        int count;
        (void)brume_renderer_particles(thread->front.view->variants[n].renderer, &count);
        particles = particles || count > 0;
    }
    if (samples == 1 && !particles) {
        return drawing->sum;
    }
    const int height = drawing->current.height;
    const float weight = 1.0f / (float)samples;
    const ptrdiff_t row = 3 * (ptrdiff_t)drawing->current.width;
    const float *sum = drawing->sum;
    float *mean = drawing->mean;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < height; y++) {
        for (ptrdiff_t n = row * y; n < row * (y + 1); n++) {
            mean[n] = sum[n] * weight;
        }
    }
    return mean;
}

// writes the mean of the samples to the pixels of the picture that is published next, if there is memory
static void tone_map(BrumeRenderThread *thread, int samples)
{
    BrumeDrawing *drawing = &thread->drawing;
    const double start = brume_seconds();
    const int width = drawing->current.width;
    const int height = drawing->current.height;
    uint8_t *rgb = picture_pixels(thread, width, height);
    if (!rgb) {
        return; // brume_render_thread_publish reports it
    }
    const BrumePreparedView *view = thread->front.view;
    const float *mean = mean_of(thread, samples);
    const BrumeTonePicture tone = {.width = width, .height = height, .radiance = mean, .bits = 8};
    int ends[BRUME_MAX_VARIANTS + 1];
    const int sides = brume_view_columns(view, drawing->current.divider, width, ends);
    const BrumeDrawDef def = {.width = width, .height = height, .samples = 1};
    for (int n = 0; n < sides && mean == drawing->mean; n++) { // without memory, the picture has none
        const BrumeSpriteTarget target = {.pixels = {.right = width, .bottom = height},
                                          .drawn = {.left = ends[n], .right = ends[n + 1], .bottom = height},
                                          .radiance = drawing->mean};
        (void)brume_renderer_add_sprites(view->variants[n].renderer, &drawing->current.camera, &def, &target, NULL);
    }
    brume_tone_map_view(view, ends, tone, rgb);
    drawing->draw_ms += 1e3 * (brume_seconds() - start);
}

// progress function of pictures at rest, called by the team's threads; returns false once the picture is out of date
static bool is_current(void *context, double fraction)
{
    (void)fraction;
    BrumeRenderThread *thread = context;
    BrumeDrawing *drawing = &thread->drawing;
    if (drawing->current.full && atomic_load(&thread->full) && !drawing->delivered) {
        return !brume_worker_quits(&thread->render); // one finished picture of every state is required
    }
    return !brume_worker_quits(&thread->render) && atomic_load(&thread->snapshot_count) == drawing->current_snapshots &&
           atomic_load(&thread->request_count) == drawing->current_count;
}

// Adds samples [first, end) of a picture at full size to the sums, which the first sample clears. Returns false if
// drawing was abandoned, which `at_rest` permits.
static bool add_samples(BrumeRenderThread *thread, int samples, int first, int end, bool at_rest)
{
    BrumeDrawing *drawing = &thread->drawing;
    const double start = brume_seconds();
    const BrumeRenderRequest *current = &drawing->current;
    if (first == 0) {
        memset(drawing->sum, 0, 3 * (size_t)current->width * (size_t)current->height * sizeof(float));
        drawing->draw_ms = 0.0;
    }
    int ends[BRUME_MAX_VARIANTS + 1];
    const int sides = brume_view_columns(thread->front.view, current->divider, current->width, ends);
    const BrumeDrawDef def = {
        .width = current->width,
        .height = current->height,
        .samples = samples,
        .seed = drawing->view.picture.seed,
        .progress = at_rest ? is_current : NULL,
        .context = thread,
    };
    bool complete = true;
    for (int n = 0; n < sides && complete; n++) {
        const BrumeDrawPart part = {
            .left = ends[n],
            .right = ends[n + 1],
            .first_sample = first,
            .end_sample = end,
        };
        complete = brume_renderer_draw_part(thread->front.view->variants[n].renderer, &current->camera, &def, &part,
                                            drawing->sum, NULL) == BRUME_OK;
    }
    drawing->draw_ms += 1e3 * (brume_seconds() - start);
    return complete;
}

void brume_render_thread_refine(BrumeRenderThread *thread)
{
    BrumeDrawing *drawing = &thread->drawing;
    const BrumeRenderRequest *current = &drawing->current;
    const int done = drawing->samples_done;
    const int doubled = done > 0 ? 2 * done : 1;
    const int end = current->full || doubled > current->samples ? current->samples : doubled;
    const bool complete = add_samples(thread, current->samples, done, end, true);
    drawing->samples_done = complete ? end : 0; // the sums of an abandoned picture are incomplete
    drawing->shrink = 1;
    if (complete) {
        drawing->drawn = true;
        drawing->finished = end == current->samples;
        drawing->delivered = drawing->delivered || drawing->finished;
        tone_map(thread, end);
        brume_render_thread_publish(thread, current->width, current->height, end);
    }
}

/*
 * In motion.
 */

// Draws with the smoke at a reduced resolution into the slot that is published next, and records the times of both
// parts. Returns false without memory.
static bool draw_preview(BrumeRenderThread *thread, int width, int height, int shrink, bool coarse_shadows)
{
    BrumeDrawing *drawing = &thread->drawing;
    int ends[BRUME_MAX_VARIANTS + 1];
    const int sides = brume_view_columns(thread->front.view, drawing->current.divider, width, ends);
    uint8_t *rgb = picture_pixels(thread, width, height);
    if (!rgb) {
        return false;
    }
    double node_ms = 0.0;
    double pixel_ms = 0.0;
    for (int n = 0; n < sides; n++) {
        const BrumePreviewDef def = {
            .width = width,
            .height = height,
            .left = ends[n],
            .right = ends[n + 1],
            .shrink = shrink,
            .coarse_shadows = coarse_shadows,
            .seed = drawing->view.picture.seed,
            .display = &thread->front.view->variants[0].render_settings,
        };
        if (brume_preview_draw(&drawing->preview, thread->front.view->variants[n].renderer, &drawing->current.camera,
                               &def, rgb, &drawing->error) != BRUME_OK) {
            return false;
        }
        node_ms += drawing->preview.node_ms;
        pixel_ms += drawing->preview.pixel_ms;
    }
    drawing->draw_ms = node_ms + pixel_ms;
    const double pixels = (double)width * height;
    brume_adaptive_resolution_record(&drawing->resolution, node_ms, pixels / (shrink * shrink), pixel_ms, pixels);
    return true;
}

void brume_render_thread_draw_in_motion(BrumeRenderThread *thread)
{
    BrumeDrawing *drawing = &thread->drawing;
    const BrumeRenderRequest *current = &drawing->current;
    drawing->motion_at = brume_seconds();
    const double pixels = (double)current->width * current->height;
    const double budget = brume_picture_budget(current->budget_ms, &drawing->motion);
    const bool both_move = drawing->motion.source_runs && drawing->motion.camera_moves;
    drawing->shrink = brume_adaptive_resolution_choose(&drawing->resolution, budget, pixels, both_move);
    if (drawing->shrink == 1 || !draw_preview(thread, current->width, current->height, drawing->shrink, both_move)) {
        drawing->shrink = 1;
        (void)add_samples(thread, 1, 0, 1, false);
        brume_adaptive_resolution_record(&drawing->resolution, drawing->draw_ms, pixels, 0.0, 0.0);
        tone_map(thread, 1);
    }
    drawing->drawn = true;
    drawing->samples_done = 0;
    drawing->finished =
        current->samples == 1 && drawing->shrink == 1 && !drawing->view.in_motion && !drawing->is_behind;
    brume_render_thread_publish(thread, current->width, current->height, 1);
}

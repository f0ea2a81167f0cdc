// Pictures at rest: sums of samples at full size, which grow up to all samples of the offline renderer.
#include "viewer/threads/render_thread_internal.h"

#include "core/memory.h"
#include "core/parallel/clock.h"
#include "raymarch/tone.h"

#include <string.h>

bool brume_render_thread_reserve_sums(BrumeRenderThread *thread)
{
    const size_t floats = 3 * (size_t)thread->current.width * (size_t)thread->current.height;
    if (floats > thread->capacity) {
        brume_free(thread->sum);
        brume_free(thread->mean);
        thread->sum = brume_alloc_untouched(floats, sizeof(float));
        thread->mean = brume_alloc_untouched(floats, sizeof(float));
        thread->capacity = thread->sum && thread->mean ? floats : 0;
    }
    return thread->capacity > 0;
}

// the mean of the samples, with the same rounding as in brume_renderer_draw
static const float *mean_of(BrumeRenderThread *thread, int samples)
{
    if (samples == 1) {
        return thread->sum;
    }
    const int height = thread->current.height;
    const float weight = 1.0f / (float)samples;
    const ptrdiff_t row = 3 * (ptrdiff_t)thread->current.width;
    const float *sum = thread->sum;
    float *mean = thread->mean;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < height; y++) {
        for (ptrdiff_t n = row * y; n < row * (y + 1); n++) {
            mean[n] = sum[n] * weight;
        }
    }
    return mean;
}

// each side has the exposure and the tone curve of its look
void brume_render_thread_tone_map(BrumeRenderThread *thread, int samples)
{
    const double start = brume_seconds();
    const int width = thread->current.width;
    const int height = thread->current.height;
    uint8_t *rgb = brume_render_thread_pixels(thread, width, height);
    if (!rgb) {
        return; // brume_render_thread_publish reports it
    }
    const float *radiance = mean_of(thread, samples);
    int ends[BRUME_MAX_VARIANTS + 1];
    brume_picture_columns(thread, width, ends);
    for (int n = 0; n < thread->view.variant_count; n++) {
        const BrumeTonePicture tone = {
            .width = width, .height = height, .radiance = radiance, .bits = 8, .columns = {ends[n], ends[n + 1]}};
        if (ends[n] < ends[n + 1]) {
            brume_tone_map_picture(&thread->front->variants[n].render_settings, &tone, rgb);
        }
    }
    thread->draw_ms += 1e3 * (brume_seconds() - start);
}

// progress function of pictures at rest, called by the threads of the team: false once the picture is out of date
static bool is_current(void *context, double fraction)
{
    (void)fraction;
    BrumeRenderThread *thread = context;
    if (thread->current.full && atomic_load(&thread->full) && !thread->delivered) {
        return !atomic_load(&thread->quit); // one finished picture of every state is required
    }
    return !atomic_load(&thread->quit) && atomic_load(&thread->snapshot_count) == thread->current_snapshots &&
           atomic_load(&thread->request_count) == thread->current_count;
}

bool brume_render_thread_add_samples(BrumeRenderThread *thread, int samples, int first, int end, bool at_rest)
{
    const double start = brume_seconds();
    const BrumeRenderRequest *current = &thread->current;
    if (first == 0) {
        memset(thread->sum, 0, 3 * (size_t)current->width * (size_t)current->height * sizeof(float));
        thread->draw_ms = 0.0;
    }
    int ends[BRUME_MAX_VARIANTS + 1];
    brume_picture_columns(thread, current->width, ends);
    const BrumeDrawDef def = {
        .width = current->width,
        .height = current->height,
        .samples = samples,
        .seed = thread->view.seed,
        .progress = at_rest ? is_current : NULL,
        .context = thread,
    };
    bool complete = true;
    for (int n = 0; n < thread->view.variant_count && complete; n++) {
        const BrumeDrawPart part = {
            .left = ends[n],
            .right = ends[n + 1],
            .first_sample = first,
            .end_sample = end,
        };
        complete = brume_renderer_draw_part(thread->front->variants[n].renderer, &current->camera, &def, &part,
                                            thread->sum, NULL) == BRUME_OK;
    }
    thread->draw_ms += 1e3 * (brume_seconds() - start);
    return complete;
}

void brume_render_thread_refine(BrumeRenderThread *thread)
{
    const BrumeRenderRequest *current = &thread->current;
    const int done = thread->samples_done;
    const int doubled = done > 0 ? 2 * done : 1;
    const int end = current->full || doubled > current->samples ? current->samples : doubled;
    const bool complete = brume_render_thread_add_samples(thread, current->samples, done, end, true);
    thread->samples_done = complete ? end : 0; // the sums of an abandoned picture are incomplete
    thread->shrink = 1;
    if (complete) {
        thread->drawn = true;
        thread->finished = end == current->samples;
        thread->delivered = thread->delivered || thread->finished;
        brume_render_thread_tone_map(thread, end);
        brume_render_thread_publish(thread, current->width, current->height, end);
    }
}

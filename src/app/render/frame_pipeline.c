#include "app/render/frame_pipeline.h"

#include "app/cli/interrupt.h"
#include "app/cli/paths.h"
#include "brume/renderer.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"
#include "io/image_writer.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct BrumeFramePipeline {
    const BrumeScene *scene;
    BrumeRunStats *stats;
    BrumeRenderer *renderer;
    BrumeGrid capacity; // largest volume that the renderer has memory for
    BrumeImageWriter *writer;
    float *radiance;
    int draw_threads; // 0: the caller draws
    pthread_t thread;
    bool thread_started;

    pthread_mutex_t mutex; // protects busy and stop
    pthread_cond_t changed;
    bool busy; // the renderer holds a state whose image is not submitted to the writer yet
    bool stop;

    // the frame that is drawn; while busy, for the drawing thread alone, otherwise for the caller
    int frame;
    uint32_t seed;
    double time; // [s]
    char path[BRUME_MAX_PATH];
};

static double ms_since(double start) { return 1e3 * (brume_seconds() - start); }

static void draw_frame(BrumeFramePipeline *pipeline)
{
    const BrumeScene *scene = pipeline->scene;
    double start = brume_seconds();
    brume_renderer_light(pipeline->renderer);
    brume_run_stats_image(pipeline->stats, pipeline->frame, BRUME_IMAGE_LIGHT, ms_since(start));

    start = brume_seconds();
    const BrumeCamera camera = brume_camera_at(scene->camera_keys, scene->camera_key_count, pipeline->time);
    const BrumeDrawDef def = {
        .width = scene->width,
        .height = scene->height,
        .samples = scene->samples,
        .seed = pipeline->seed,
    };
    (void)brume_renderer_draw(pipeline->renderer, &camera, &def, pipeline->radiance); // cannot be interrupted
    brume_run_stats_image(pipeline->stats, pipeline->frame, BRUME_IMAGE_DRAW, ms_since(start));

    uint8_t *rgb = brume_image_writer_picture(pipeline->writer, scene->width, scene->height);
    if (rgb) {
        start = brume_seconds();
        brume_tone_map(&scene->render_settings, scene->width, scene->height, pipeline->radiance, rgb);
        brume_image_writer_submit(pipeline->writer, pipeline->frame, pipeline->path, ms_since(start));
    }
}

static void *run_draw_thread(void *context)
{
    BrumeFramePipeline *pipeline = context;
    brume_set_threads(pipeline->draw_threads);
    (void)pthread_mutex_lock(&pipeline->mutex);
    for (;;) {
        while (!pipeline->busy && !pipeline->stop) {
            (void)pthread_cond_wait(&pipeline->changed, &pipeline->mutex);
        }
        if (!pipeline->busy) {
            break;
        }
        (void)pthread_mutex_unlock(&pipeline->mutex);
        draw_frame(pipeline);
        (void)pthread_mutex_lock(&pipeline->mutex);
        pipeline->busy = false;
        (void)pthread_cond_broadcast(&pipeline->changed);
    }
    (void)pthread_mutex_unlock(&pipeline->mutex);
    return NULL;
}

static void wait_until_idle(BrumeFramePipeline *pipeline)
{
    (void)pthread_mutex_lock(&pipeline->mutex);
    while (pipeline->busy) {
        (void)pthread_cond_wait(&pipeline->changed, &pipeline->mutex);
    }
    (void)pthread_mutex_unlock(&pipeline->mutex);
}

static void start_drawing(BrumeFramePipeline *pipeline)
{
    (void)pthread_mutex_lock(&pipeline->mutex);
    pipeline->busy = true;
    (void)pthread_cond_broadcast(&pipeline->changed);
    (void)pthread_mutex_unlock(&pipeline->mutex);
}

static void report_written(void *stats, int frame, double ms)
{
    brume_run_stats_image(stats, frame, BRUME_IMAGE_WRITE, ms);
}

static BrumeStatus start_thread(BrumeFramePipeline *pipeline, BrumeError *error)
{
    const int failure = pthread_create(&pipeline->thread, NULL, run_draw_thread, pipeline);
    if (failure != 0) {
        return brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
    }
    pipeline->thread_started = true;
    return BRUME_OK;
}

BrumeStatus brume_frame_pipeline_create(BrumeFramePipeline **pipeline, const BrumeScene *scene, BrumeGrid grid,
                                        int draw_threads, const BrumeImageSink *sink, BrumeRunStats *stats,
                                        BrumeError *error)
{
    BrumeFramePipeline *self = brume_alloc(1, sizeof *self);
    *pipeline = self;
    if (!self) {
        return brume_out_of_memory(error, "the images of a run");
    }
    self->scene = scene;
    self->stats = stats;
    self->draw_threads = draw_threads;
    (void)pthread_mutex_init(&self->mutex, NULL);
    (void)pthread_cond_init(&self->changed, NULL);
    self->capacity = grid;
    BrumeStatus status =
        brume_renderer_create(&self->renderer, grid.nx, grid.ny, grid.nz, &scene->render_settings, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    self->radiance = brume_alloc_untouched((size_t)scene->width * (size_t)scene->height, 3 * sizeof(float));
    if (!self->radiance) {
        status = brume_out_of_memory(error, "an image of %d x %d pixels", scene->width, scene->height);
        goto cleanup;
    }
    const BrumeImageWriterDef writer_def = {.sink = *sink,
                                            .before = brume_interrupt_block,
                                            .after = brume_interrupt_unblock,
                                            .written = report_written,
                                            .context = stats};
    status = brume_image_writer_create(&self->writer, &writer_def, error);
    if (status == BRUME_OK) {
        status = brume_image_writer_reserve(self->writer, scene->width, scene->height, error);
    }
    if (status == BRUME_OK && draw_threads > 0) {
        status = start_thread(self, error);
    }
cleanup:
    if (status != BRUME_OK) {
        brume_frame_pipeline_destroy(self);
        *pipeline = NULL;
    }
    return status;
}

BrumeDrawnState brume_drawn_state(const BrumeScene *scene, const BrumeSim *sim)
{
    return (BrumeDrawnState){
        .volume = brume_sim_volume(sim),
        .look = brume_scene_render_settings(scene, brume_sim_settings(sim)),
        .time = brume_sim_time(sim),
        .frame = brume_sim_frames(sim),
        .seed = (uint32_t)brume_sim_frames(sim),
    };
}

// a renderer with memory for this volume
static BrumeStatus provide_renderer(BrumeFramePipeline *pipeline, const BrumeDrawnState *state, BrumeError *error)
{
    const BrumeVolume *volume = &state->volume;
    BrumeGrid *capacity = &pipeline->capacity;
    if (volume->nx <= capacity->nx && volume->ny <= capacity->ny && volume->nz <= capacity->nz) {
        return brume_renderer_set_settings(pipeline->renderer, &state->look, error);
    }
    capacity->nx = volume->nx > capacity->nx ? volume->nx : capacity->nx;
    capacity->ny = volume->ny > capacity->ny ? volume->ny : capacity->ny;
    capacity->nz = volume->nz > capacity->nz ? volume->nz : capacity->nz;
    brume_renderer_destroy(pipeline->renderer);
    return brume_renderer_create(&pipeline->renderer, capacity->nx, capacity->ny, capacity->nz, &state->look, error);
}

BrumeStatus brume_frame_pipeline_submit(BrumeFramePipeline *pipeline, const BrumeDrawnState *state, const char *path,
                                        BrumeError *error)
{
    wait_until_idle(pipeline);
    if (brume_image_writer_status(pipeline->writer, error) != BRUME_OK) {
        return error->status;
    }
    const double start = brume_seconds();
    if (provide_renderer(pipeline, state, error) != BRUME_OK ||
        brume_renderer_load(pipeline->renderer, &state->volume, error) != BRUME_OK) {
        return error->status;
    }
    brume_run_stats_image(pipeline->stats, state->frame, BRUME_IMAGE_LOAD, ms_since(start));
    pipeline->frame = state->frame;
    pipeline->seed = state->seed;
    pipeline->time = state->time;
    (void)snprintf(pipeline->path, sizeof pipeline->path, "%s", path);
    if (pipeline->draw_threads > 0) {
        start_drawing(pipeline);
    } else {
        draw_frame(pipeline);
    }
    return BRUME_OK;
}

BrumeStatus brume_frame_pipeline_finish(BrumeFramePipeline *pipeline, BrumeError *error)
{
    wait_until_idle(pipeline);
    return brume_image_writer_finish(pipeline->writer, error);
}

void brume_frame_pipeline_destroy(BrumeFramePipeline *pipeline)
{
    if (!pipeline) {
        return;
    }
    if (pipeline->thread_started) {
        (void)pthread_mutex_lock(&pipeline->mutex);
        pipeline->stop = true;
        (void)pthread_cond_broadcast(&pipeline->changed);
        (void)pthread_mutex_unlock(&pipeline->mutex);
        (void)pthread_join(pipeline->thread, NULL);
    }
    brume_image_writer_destroy(pipeline->writer);
    brume_renderer_destroy(pipeline->renderer);
    brume_free(pipeline->radiance);
    (void)pthread_cond_destroy(&pipeline->changed);
    (void)pthread_mutex_destroy(&pipeline->mutex);
    brume_free(pipeline);
}

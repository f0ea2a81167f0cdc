#include "app/painter.h"

#include "app/cli/interrupt.h"
#include "app/cli/output_pattern.h"
#include "brume/renderer.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"
#include "io/image_writer.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct BrumePainter {
    const BrumeScene *scene;
    BrumeRunStats *stats;
    BrumeRenderer *renderer;
    BrumeImageWriter *writer;
    float *radiance;
    int draw_threads; // 0: drawn by the caller
    pthread_t thread;
    bool running;

    pthread_mutex_t mutex; // of all below
    pthread_cond_t changed;
    bool busy; // the renderer is loaded and its picture not yet with the writer
    bool stop;
    int frame;
    double time;
    char path[BRUME_MAX_PATH];
};

static double ms_since(double start) { return 1e3 * (brume_seconds() - start); }

static void draw(BrumePainter *painter)
{
    const BrumeScene *scene = painter->scene;
    double start = brume_seconds();
    brume_renderer_light(painter->renderer);
    brume_run_stats_picture(painter->stats, painter->frame, BRUME_PICTURE_LIGHT, ms_since(start));

    start = brume_seconds();
    const BrumeCamera camera = brume_camera_at(scene->camera_keys, scene->camera_key_count, painter->time);
    const BrumeDrawDef def = {
        .width = scene->width,
        .height = scene->height,
        .samples = scene->samples,
        .seed = (uint32_t)painter->frame,
    };
    brume_renderer_draw(painter->renderer, &camera, &def, painter->radiance);
    brume_run_stats_picture(painter->stats, painter->frame, BRUME_PICTURE_DRAW, ms_since(start));

    uint8_t *rgb = brume_image_writer_picture(painter->writer, scene->width, scene->height);
    if (rgb) {
        start = brume_seconds();
        brume_tone_map(&scene->look, scene->width, scene->height, painter->radiance, rgb);
        brume_image_writer_submit(painter->writer, painter->frame, painter->path, ms_since(start));
    }
}

static void *work(void *context)
{
    BrumePainter *painter = context;
    brume_set_threads(painter->draw_threads);
    (void)pthread_mutex_lock(&painter->mutex);
    for (;;) {
        while (!painter->busy && !painter->stop) {
            (void)pthread_cond_wait(&painter->changed, &painter->mutex);
        }
        if (!painter->busy) {
            break;
        }
        (void)pthread_mutex_unlock(&painter->mutex);
        draw(painter); // while busy, nobody else touches the renderer and the frame's facts
        (void)pthread_mutex_lock(&painter->mutex);
        painter->busy = false;
        (void)pthread_cond_broadcast(&painter->changed);
    }
    (void)pthread_mutex_unlock(&painter->mutex);
    return NULL;
}

static void wait_until_idle(BrumePainter *painter)
{
    (void)pthread_mutex_lock(&painter->mutex);
    while (painter->busy) {
        (void)pthread_cond_wait(&painter->changed, &painter->mutex);
    }
    (void)pthread_mutex_unlock(&painter->mutex);
}

static void hand_over(BrumePainter *painter)
{
    (void)pthread_mutex_lock(&painter->mutex);
    painter->busy = true;
    (void)pthread_cond_broadcast(&painter->changed);
    (void)pthread_mutex_unlock(&painter->mutex);
}

static void report_written(void *stats, int frame, double ms)
{
    brume_run_stats_picture(stats, frame, BRUME_PICTURE_WRITE, ms);
}

static BrumeStatus start_thread(BrumePainter *painter, BrumeError *error)
{
    const int failure = pthread_create(&painter->thread, NULL, work, painter);
    if (failure != 0) {
        return brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
    }
    painter->running = true;
    return BRUME_OK;
}

BrumeStatus brume_painter_create(BrumePainter **painter, const BrumeScene *scene, int draw_threads,
                                 BrumeRunStats *stats, BrumeError *error)
{
    BrumePainter *self = brume_alloc(1, sizeof *self);
    *painter = self;
    if (!self) {
        return brume_fail(error, BRUME_FAILED, "out of memory");
    }
    self->scene = scene;
    self->stats = stats;
    self->draw_threads = draw_threads;
    (void)pthread_mutex_init(&self->mutex, NULL);
    (void)pthread_cond_init(&self->changed, NULL);
    const BrumeGrid grid = brume_scene_largest_grid(scene);
    BrumeStatus status = brume_renderer_create(&self->renderer, grid.nx, grid.ny, grid.nz, &scene->look, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    self->radiance = brume_alloc_untouched((size_t)scene->width * (size_t)scene->height, 3 * sizeof(float));
    if (!self->radiance) {
        status = brume_fail(error, BRUME_FAILED, "out of memory for a picture of %d x %d", scene->width, scene->height);
        goto cleanup;
    }
    const BrumeImageWriterDef writing = {
        .before = brume_interrupt_hold, .after = brume_interrupt_release, .written = report_written, .context = stats};
    status = brume_image_writer_create(&self->writer, &writing, error);
    if (status == BRUME_OK) {
        status = brume_image_writer_reserve(self->writer, scene->width, scene->height, error);
    }
    if (status == BRUME_OK && draw_threads > 0) {
        status = start_thread(self, error);
    }
cleanup:
    if (status != BRUME_OK) {
        brume_painter_destroy(self);
        *painter = NULL;
    }
    return status;
}

BrumeStatus brume_painter_paint(BrumePainter *painter, const BrumeSim *sim, int frame, const char *path,
                                BrumeError *error)
{
    wait_until_idle(painter);
    if (brume_image_writer_status(painter->writer, error) != BRUME_OK) {
        return error->status;
    }
    const double start = brume_seconds();
    const BrumeRenderSettings look = brume_scene_render_settings(painter->scene, brume_sim_settings(sim));
    if (brume_renderer_set_settings(painter->renderer, &look, error) != BRUME_OK) {
        return error->status;
    }
    const BrumeVolume volume = brume_sim_volume(sim);
    brume_renderer_load(painter->renderer, &volume);
    brume_run_stats_picture(painter->stats, frame, BRUME_PICTURE_LOAD, ms_since(start));
    painter->frame = frame;
    painter->time = brume_sim_time(sim);
    (void)snprintf(painter->path, sizeof painter->path, "%s", path);
    if (painter->draw_threads > 0) {
        hand_over(painter);
    } else {
        draw(painter);
    }
    return BRUME_OK;
}

BrumeStatus brume_painter_finish(BrumePainter *painter, BrumeError *error)
{
    wait_until_idle(painter);
    return brume_image_writer_finish(painter->writer, error);
}

size_t brume_painter_bytes(const BrumePainter *painter)
{
    const size_t pixels = (size_t)painter->scene->width * (size_t)painter->scene->height;
    return brume_renderer_bytes(painter->renderer) + pixels * (3 * sizeof(float) + 2 * 3);
}

void brume_painter_destroy(BrumePainter *painter)
{
    if (!painter) {
        return;
    }
    if (painter->running) {
        (void)pthread_mutex_lock(&painter->mutex);
        painter->stop = true;
        (void)pthread_cond_broadcast(&painter->changed);
        (void)pthread_mutex_unlock(&painter->mutex);
        (void)pthread_join(painter->thread, NULL);
    }
    brume_image_writer_destroy(painter->writer);
    brume_renderer_destroy(painter->renderer);
    brume_free(painter->radiance);
    (void)pthread_cond_destroy(&painter->changed);
    (void)pthread_mutex_destroy(&painter->mutex);
    brume_free(painter);
}

#include "app/volumes/volume_writer.h"

#include "app/cli/interrupt.h"
#include "app/cli/paths.h"
#include "app/volumes/capture.h"
#include "core/memory.h"
#include "core/parallel/clock.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct BrumeVolumeWriter {
    BrumeVolumeWriterDef def;
    BrumeFrameGrids grids; // of the thread while busy, otherwise of the caller
    char path[BRUME_MAX_PATH];
    double copy_ms; // of the present frame
    pthread_t thread;
    bool thread_started;

    pthread_mutex_t mutex; // protects the members below
    pthread_cond_t changed;
    bool busy, stop;
    BrumeStatus status; // of the first file that failed
    BrumeError error;
};

static void write_frame(BrumeVolumeWriter *writer)
{
    const double start = brume_seconds();
    const int frame = writer->grids.frame;
    BrumeError error;
    brume_interrupt_block(); // a second signal waits until the file is complete
    const BrumeStatus status = writer->def.format->write(&writer->grids, writer->path, &writer->def.write, &error);
    brume_interrupt_unblock();
    if (status == BRUME_OK) {
        const double ms = writer->copy_ms + 1e3 * (brume_seconds() - start);
        brume_run_stats_image(writer->def.stats, frame, BRUME_IMAGE_WRITE, ms);
        return;
    }
    (void)pthread_mutex_lock(&writer->mutex);
    if (writer->status == BRUME_OK) {
        writer->status = status;
        writer->error = error;
    }
    (void)pthread_mutex_unlock(&writer->mutex);
}

static void *run_thread(void *context)
{
    BrumeVolumeWriter *writer = context;
    (void)pthread_mutex_lock(&writer->mutex);
    for (;;) {
        while (!writer->busy && !writer->stop) {
            (void)pthread_cond_wait(&writer->changed, &writer->mutex);
        }
        if (!writer->busy) {
            break;
        }
        (void)pthread_mutex_unlock(&writer->mutex);
        write_frame(writer);
        (void)pthread_mutex_lock(&writer->mutex);
        writer->busy = false;
        (void)pthread_cond_broadcast(&writer->changed);
    }
    (void)pthread_mutex_unlock(&writer->mutex);
    return NULL;
}

BrumeStatus brume_volume_writer_create(BrumeVolumeWriter **writer, const BrumeVolumeWriterDef *def, BrumeError *error)
{
    BrumeVolumeWriter *self = brume_alloc(1, sizeof *self);
    *writer = self;
    if (!self) {
        return brume_out_of_memory(error, "the volumes of a run");
    }
    self->def = *def;
    (void)pthread_mutex_init(&self->mutex, NULL);
    (void)pthread_cond_init(&self->changed, NULL);
    const int failure = pthread_create(&self->thread, NULL, run_thread, self);
    if (failure != 0) {
        brume_volume_writer_destroy(self);
        *writer = NULL;
        return brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
    }
    self->thread_started = true;
    return BRUME_OK;
}

BrumeStatus brume_volume_writer_finish(BrumeVolumeWriter *writer, BrumeError *error)
{
    (void)pthread_mutex_lock(&writer->mutex);
    while (writer->busy) {
        (void)pthread_cond_wait(&writer->changed, &writer->mutex);
    }
    const BrumeStatus status = writer->status;
    if (status != BRUME_OK) {
        *error = writer->error;
    }
    (void)pthread_mutex_unlock(&writer->mutex);
    return status;
}

BrumeStatus brume_volume_writer_submit(BrumeVolumeWriter *writer, const BrumeSim *sim, int frame, const char *path,
                                       BrumeError *error)
{
    if (brume_volume_writer_finish(writer, error) != BRUME_OK) {
        return error->status;
    }
    const double start = brume_seconds();
    if (brume_capture(&writer->grids, sim, writer->def.fields, writer->def.scene_text, error) != BRUME_OK) {
        return error->status;
    }
    writer->grids.frame = frame;
    writer->copy_ms = 1e3 * (brume_seconds() - start);
    (void)snprintf(writer->path, sizeof writer->path, "%s", path);
    (void)pthread_mutex_lock(&writer->mutex);
    writer->busy = true;
    (void)pthread_cond_broadcast(&writer->changed);
    (void)pthread_mutex_unlock(&writer->mutex);
    return BRUME_OK;
}

void brume_volume_writer_destroy(BrumeVolumeWriter *writer)
{
    if (!writer) {
        return;
    }
    if (writer->thread_started) {
        (void)pthread_mutex_lock(&writer->mutex);
        writer->stop = true;
        (void)pthread_cond_broadcast(&writer->changed);
        (void)pthread_mutex_unlock(&writer->mutex);
        (void)pthread_join(writer->thread, NULL);
    }
    (void)pthread_cond_destroy(&writer->changed);
    (void)pthread_mutex_destroy(&writer->mutex);
    brume_frame_grids_destroy(&writer->grids);
    brume_free(writer);
}

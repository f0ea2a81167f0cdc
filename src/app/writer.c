#include "app/writer.h"

#include "app/interrupt.h"
#include "app/output_pattern.h"
#include "core/clock.h"
#include "core/memory.h"
#include "io/image.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SLOTS = 2 };

typedef struct Slot {
    uint8_t *rgb;
    int frame;
    double ms;
    char path[BRUME_MAX_PATH];
} Slot;

struct BrumeWriter {
    int width, height;
    BrumeRunStats *stats;
    pthread_t thread;
    bool running;
    Slot slots[SLOTS]; // a ring: `submitted` and `written` count for ever

    pthread_mutex_t mutex; // of all below
    pthread_cond_t changed;
    int submitted, written;
    bool stop;
    BrumeError error; // of the first write that failed; nothing is written after it
};

static BrumeStatus write_slot(const Slot *slot, int width, int height, double *ms, BrumeError *error)
{
    const double start = brume_seconds();
    brume_interrupt_hold();
    const BrumeStatus status = brume_image_write(slot->path, width, height, slot->rgb, error);
    brume_interrupt_release();
    *ms = slot->ms + 1e3 * (brume_seconds() - start);
    return status;
}

static void *work(void *context)
{
    BrumeWriter *writer = context;
    (void)pthread_mutex_lock(&writer->mutex);
    for (;;) {
        while (writer->submitted == writer->written && !writer->stop) {
            (void)pthread_cond_wait(&writer->changed, &writer->mutex);
        }
        if (writer->submitted == writer->written) {
            break;
        }
        const Slot *slot = &writer->slots[writer->written % SLOTS];
        if (writer->error.status == BRUME_OK) {
            (void)pthread_mutex_unlock(&writer->mutex);
            BrumeError error = {0};
            double ms;
            const BrumeStatus status = write_slot(slot, writer->width, writer->height, &ms, &error);
            if (status == BRUME_OK) {
                brume_run_stats_picture(writer->stats, slot->frame, BRUME_PICTURE_WRITE, ms);
            }
            (void)pthread_mutex_lock(&writer->mutex);
            writer->error = error;
            writer->error.status = status;
        }
        writer->written++;
        (void)pthread_cond_broadcast(&writer->changed);
    }
    (void)pthread_mutex_unlock(&writer->mutex);
    return NULL;
}

BrumeStatus brume_writer_create(BrumeWriter **writer, int width, int height, BrumeRunStats *stats, BrumeError *error)
{
    BrumeWriter *self = brume_alloc(1, sizeof *self);
    *writer = self;
    if (!self) {
        return brume_fail(error, BRUME_FAILED, "out of memory");
    }
    self->width = width;
    self->height = height;
    self->stats = stats;
    (void)pthread_mutex_init(&self->mutex, NULL);
    (void)pthread_cond_init(&self->changed, NULL);
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < SLOTS; n++) {
        self->slots[n].rgb = brume_alloc((size_t)width * (size_t)height, 3);
        if (!self->slots[n].rgb) {
            status = brume_fail(error, BRUME_FAILED, "out of memory for pictures of %d x %d", width, height);
            goto cleanup;
        }
    }
    const int failure = pthread_create(&self->thread, NULL, work, self);
    if (failure != 0) {
        status = brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
        goto cleanup;
    }
    self->running = true;
cleanup:
    if (status != BRUME_OK) {
        brume_writer_destroy(self);
        *writer = NULL;
    }
    return status;
}

uint8_t *brume_writer_picture(BrumeWriter *writer)
{
    (void)pthread_mutex_lock(&writer->mutex);
    while (writer->submitted - writer->written == SLOTS && writer->error.status == BRUME_OK) {
        (void)pthread_cond_wait(&writer->changed, &writer->mutex);
    }
    uint8_t *rgb = writer->error.status == BRUME_OK ? writer->slots[writer->submitted % SLOTS].rgb : NULL;
    (void)pthread_mutex_unlock(&writer->mutex);
    return rgb;
}

void brume_writer_submit(BrumeWriter *writer, int frame, const char *path, double ms)
{
    (void)pthread_mutex_lock(&writer->mutex);
    Slot *slot = &writer->slots[writer->submitted % SLOTS];
    slot->frame = frame;
    slot->ms = ms;
    (void)snprintf(slot->path, sizeof slot->path, "%s", path);
    writer->submitted++;
    (void)pthread_cond_broadcast(&writer->changed);
    (void)pthread_mutex_unlock(&writer->mutex);
}

BrumeStatus brume_writer_status(BrumeWriter *writer, BrumeError *error)
{
    (void)pthread_mutex_lock(&writer->mutex);
    const BrumeStatus status = writer->error.status;
    if (status != BRUME_OK) {
        *error = writer->error;
    }
    (void)pthread_mutex_unlock(&writer->mutex);
    return status;
}

BrumeStatus brume_writer_finish(BrumeWriter *writer, BrumeError *error)
{
    (void)pthread_mutex_lock(&writer->mutex);
    while (writer->submitted != writer->written) {
        (void)pthread_cond_wait(&writer->changed, &writer->mutex);
    }
    (void)pthread_mutex_unlock(&writer->mutex);
    return brume_writer_status(writer, error);
}

void brume_writer_destroy(BrumeWriter *writer)
{
    if (!writer) {
        return;
    }
    if (writer->running) {
        (void)pthread_mutex_lock(&writer->mutex);
        writer->stop = true;
        (void)pthread_cond_broadcast(&writer->changed);
        (void)pthread_mutex_unlock(&writer->mutex);
        (void)pthread_join(writer->thread, NULL);
    }
    (void)pthread_cond_destroy(&writer->changed);
    (void)pthread_mutex_destroy(&writer->mutex);
    for (int n = 0; n < SLOTS; n++) {
        brume_free(writer->slots[n].rgb);
    }
    brume_free(writer);
}

#include "io/image_writer.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { QUEUE_LENGTH = 2 };

// a picture of the queue and its file
typedef struct QueuedPicture {
    uint8_t *rgb;
    size_t capacity; ///< [bytes]
    int width, height;
    int frame;
    double ms; ///< time spent on it before it was submitted
    char path[PATH_MAX];
} QueuedPicture;

struct BrumeImageWriter {
    BrumeImageWriterDef def;
    pthread_t thread;
    bool running;
    QueuedPicture queue[QUEUE_LENGTH]; // a ring buffer; `submitted` and `written` are not reduced modulo its length

    pthread_mutex_t mutex; // protects all members below
    pthread_cond_t changed;
    int submitted, written;
    bool stop;
    BrumeError error; // of the first write that failed; later pictures are discarded
};

static BrumeStatus write_picture(const BrumeImageWriterDef *def, const QueuedPicture *picture, BrumeError *error)
{
    const double start = brume_seconds();
    if (def->before) {
        def->before();
    }
    const BrumeSequencePicture next = {
        .rgb = picture->rgb, .width = picture->width, .height = picture->height, .path = picture->path};
    const BrumeStatus status = def->sink.add(def->sink.context, &next, error);
    if (def->after) {
        def->after();
    }
    if (status == BRUME_OK && def->written) {
        def->written(def->context, picture->frame, picture->ms + 1e3 * (brume_seconds() - start));
    }
    return status;
}

static void *write_pictures(void *context)
{
    BrumeImageWriter *writer = context;
    (void)pthread_mutex_lock(&writer->mutex);
    for (;;) {
        while (writer->submitted == writer->written && !writer->stop) {
            (void)pthread_cond_wait(&writer->changed, &writer->mutex);
        }
        if (writer->submitted == writer->written) {
            break;
        }
        const QueuedPicture *picture = &writer->queue[writer->written % QUEUE_LENGTH];
        if (writer->error.status == BRUME_OK) {
            (void)pthread_mutex_unlock(&writer->mutex);
            BrumeError error = {0};
            const BrumeStatus status = write_picture(&writer->def, picture, &error);
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

BrumeStatus brume_image_writer_create(BrumeImageWriter **writer, const BrumeImageWriterDef *def, BrumeError *error)
{
    BrumeImageWriter *self = brume_alloc(1, sizeof *self);
    *writer = self;
    if (!self) {
        return brume_out_of_memory(error, "the image writer");
    }
    self->def = *def;
    (void)pthread_mutex_init(&self->mutex, NULL);
    (void)pthread_cond_init(&self->changed, NULL);
    const int failure = pthread_create(&self->thread, NULL, write_pictures, self);
    if (failure != 0) {
        brume_image_writer_destroy(self);
        *writer = NULL;
        return brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
    }
    self->running = true;
    return BRUME_OK;
}

static bool reserve_pixels(QueuedPicture *picture, int width, int height)
{
    const size_t needed = (size_t)width * (size_t)height * 3;
    if (needed > picture->capacity) {
        brume_free(picture->rgb);
        picture->rgb = brume_alloc_untouched(needed, 1);
        picture->capacity = picture->rgb ? needed : 0;
    }
    return picture->rgb != NULL;
}

BrumeStatus brume_image_writer_reserve(BrumeImageWriter *writer, int width, int height, BrumeError *error)
{
    BrumeStatus status = brume_image_writer_finish(writer, error); // the queue is empty then
    for (int n = 0; n < QUEUE_LENGTH && status == BRUME_OK; n++) {
        if (!reserve_pixels(&writer->queue[n], width, height)) {
            status = brume_out_of_memory(error, "pictures of %d x %d", width, height);
        }
    }
    return status;
}

uint8_t *brume_image_writer_picture(BrumeImageWriter *writer, int width, int height)
{
    (void)pthread_mutex_lock(&writer->mutex);
    while (writer->submitted - writer->written == QUEUE_LENGTH && writer->error.status == BRUME_OK) {
        (void)pthread_cond_wait(&writer->changed, &writer->mutex);
    }
    uint8_t *rgb = NULL;
    if (writer->error.status == BRUME_OK) {
        QueuedPicture *picture = &writer->queue[writer->submitted % QUEUE_LENGTH];
        picture->width = width;
        picture->height = height;
        if (reserve_pixels(picture, width, height)) {
            rgb = picture->rgb;
        } else {
            (void)brume_out_of_memory(&writer->error, "pictures of %d x %d", width, height);
        }
    }
    (void)pthread_mutex_unlock(&writer->mutex);
    return rgb;
}

void brume_image_writer_submit(BrumeImageWriter *writer, int frame, const char *path, double ms)
{
    (void)pthread_mutex_lock(&writer->mutex);
    QueuedPicture *picture = &writer->queue[writer->submitted % QUEUE_LENGTH];
    picture->frame = frame;
    picture->ms = ms;
    (void)snprintf(picture->path, sizeof picture->path, "%s", path);
    writer->submitted++;
    (void)pthread_cond_broadcast(&writer->changed);
    (void)pthread_mutex_unlock(&writer->mutex);
}

BrumeStatus brume_image_writer_status(BrumeImageWriter *writer, BrumeError *error)
{
    (void)pthread_mutex_lock(&writer->mutex);
    const BrumeStatus status = writer->error.status;
    if (status != BRUME_OK) {
        *error = writer->error;
    }
    (void)pthread_mutex_unlock(&writer->mutex);
    return status;
}

BrumeStatus brume_image_writer_finish(BrumeImageWriter *writer, BrumeError *error)
{
    (void)pthread_mutex_lock(&writer->mutex);
    while (writer->submitted != writer->written) {
        (void)pthread_cond_wait(&writer->changed, &writer->mutex);
    }
    (void)pthread_mutex_unlock(&writer->mutex);
    return brume_image_writer_status(writer, error);
}

void brume_image_writer_destroy(BrumeImageWriter *writer)
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
    for (int n = 0; n < QUEUE_LENGTH; n++) {
        brume_free(writer->queue[n].rgb);
    }
    brume_free(writer);
}

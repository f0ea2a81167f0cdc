#include "io/image_writer.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/job_queue.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

enum { QUEUE_LENGTH = 2 };

// a picture of the queue and its file
typedef struct QueuedPicture {
    void *pixels;
    size_t capacity; ///< [bytes]
    BrumePixelFormat format;
    BrumeExrHeader exr; // of planes; of other pictures its member metadata.tile alone
    int width, height;
    int frame;
    double ms; ///< time spent on it before it was submitted
    char path[PATH_MAX];
} QueuedPicture;

struct BrumeImageWriter {
    BrumeImageWriterDef def;
    BrumeJobQueue jobs;                // a picture is a slot
    QueuedPicture queue[QUEUE_LENGTH]; // the data of the slots
    QueuedPicture *filled;             // by the caller
};

static BrumeStatus write_picture(void *context, int slot, BrumeError *error)
{
    const BrumeImageWriter *writer = context;
    const BrumeImageWriterDef *def = &writer->def;
    const QueuedPicture *picture = &writer->queue[slot];
    const double start = brume_seconds();
    if (def->before_write) {
        def->before_write();
    }
    const BrumeSequencePicture next = {.pixels = picture->pixels,
                                       .format = picture->format,
                                       .width = picture->width,
                                       .height = picture->height,
                                       .exr = picture->format.planes > 0 ? &picture->exr : NULL,
                                       .path = picture->path,
                                       .tile = picture->exr.metadata.tile[0] ? picture->exr.metadata.tile : NULL};
    const BrumeStatus status = def->sink.add(def->sink.context, &next, error);
    if (def->after_write) {
        def->after_write();
    }
    if (status == BRUME_OK && def->written) {
        def->written(def->context, picture->frame, picture->ms + 1e3 * (brume_seconds() - start));
    }
    return status;
}

BrumeStatus brume_image_writer_create(BrumeImageWriter **writer, const BrumeImageWriterDef *def, BrumeError *error)
{
    BrumeImageWriter *self = brume_alloc(1, sizeof *self);
    *writer = self;
    if (!self) {
        return brume_out_of_memory(error, "the image writer");
    }
    self->def = *def;
    const BrumeJobQueueDef jobs = {.slots = QUEUE_LENGTH, .run = write_picture, .context = self};
    brume_job_queue_init(&self->jobs, &jobs);
    return BRUME_OK;
}

static bool reserve_pixels(QueuedPicture *picture, int width, int height, BrumePixelFormat format)
{
    const size_t needed = (size_t)width * (size_t)height * brume_pixel_bytes(format);
    if (needed > picture->capacity) {
        brume_free(picture->pixels);
        picture->pixels = brume_alloc_untouched(needed, 1);
        picture->capacity = picture->pixels ? needed : 0;
    }
    return picture->pixels != NULL;
}

BrumeStatus brume_image_writer_reserve(BrumeImageWriter *writer, int width, int height, BrumePixelFormat format,
                                       BrumeError *error)
{
    BrumeStatus status = brume_image_writer_finish(writer, error); // the queue is empty then
    for (int n = 0; n < QUEUE_LENGTH && status == BRUME_OK; n++) {
        if (!reserve_pixels(&writer->queue[n], width, height, format)) {
            status = brume_out_of_memory(error, "pictures of %d x %d", width, height);
        }
    }
    return status;
}

void *brume_image_writer_picture(BrumeImageWriter *writer, int width, int height, BrumePixelFormat format)
{
    const int slot = brume_job_queue_slot(&writer->jobs);
    if (slot < 0) {
        return NULL;
    }
    QueuedPicture *picture = &writer->queue[slot];
    picture->width = width;
    picture->height = height;
    picture->format = format;
    writer->filled = picture;
    if (!reserve_pixels(picture, width, height, format)) {
        BrumeError error;
        (void)brume_out_of_memory(&error, "pictures of %d x %d", width, height);
        brume_job_queue_fail(&writer->jobs, &error);
    }
    return picture->pixels;
}

BrumeExrHeader *brume_image_writer_exr(BrumeImageWriter *writer) { return &writer->filled->exr; }

void brume_image_writer_submit(BrumeImageWriter *writer, int frame, const char *path, double ms)
{
    QueuedPicture *picture = writer->filled;
    picture->frame = frame;
    picture->ms = ms;
    (void)snprintf(picture->path, sizeof picture->path, "%s", path);
    brume_job_queue_submit(&writer->jobs);
}

BrumeStatus brume_image_writer_status(BrumeImageWriter *writer, BrumeError *error)
{
    return brume_job_queue_status(&writer->jobs, error);
}

BrumeStatus brume_image_writer_finish(BrumeImageWriter *writer, BrumeError *error)
{
    return brume_job_queue_finish(&writer->jobs, error);
}

void brume_image_writer_destroy(BrumeImageWriter *writer)
{
    if (!writer) {
        return;
    }
    brume_job_queue_destroy(&writer->jobs);
    for (int n = 0; n < QUEUE_LENGTH; n++) {
        brume_free(writer->queue[n].pixels);
    }
    brume_free(writer);
}

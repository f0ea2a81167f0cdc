/**
 * @file image_writer.h
 * Encodes and writes pictures in the background (core/parallel/job_queue.h), in the order in which they are submitted,
 * while the caller renders the next ones. The queue holds two pictures; the caller of a third waits.
 */
#ifndef BRUME_IO_IMAGE_WRITER_H
#define BRUME_IO_IMAGE_WRITER_H

#include "core/error.h"
#include "io/exr_write.h"
#include "io/image_sink.h"

typedef struct BrumeImageWriter BrumeImageWriter;

/** How a writer works, and functions that its thread calls around every picture; each may be NULL. */
typedef struct BrumeImageWriterDef {
    BrumeImageSink sink;        ///< receives the pictures
    void (*before_write)(void); ///< before a picture is written
    void (*after_write)(void);  ///< after it was written or writing it failed
    void (*written)(void *context, int frame,
                    double ms); ///< after a picture is written; `ms`: the submitted time plus the time of writing [ms]
    void *context;              ///< passed to `written`
} BrumeImageWriterDef;

/** Creates a writer. BRUME_FAILED without memory; `*writer` is NULL then. */
BrumeStatus brume_image_writer_create(BrumeImageWriter **writer, const BrumeImageWriterDef *def, BrumeError *error);

/**
 * Waits for the queue to be empty and allocates it for pictures of width x height, so that no later picture of at most
 * that size allocates. BRUME_FAILED without memory or where a write has failed.
 */
BrumeStatus brume_image_writer_reserve(BrumeImageWriter *writer, int width, int height, BrumePixelFormat format,
                                       BrumeError *error);

/**
 * Waits for room in the queue and returns the next picture to fill (height x width pixels of `format`, top row first).
 * NULL without memory or after a write has failed; brume_image_writer_status then returns the error. One thread at a
 * time fills and submits pictures.
 */
void *brume_image_writer_picture(BrumeImageWriter *writer, int width, int height, BrumePixelFormat format);

/** The header of the picture filled last, to be filled where its format has planes or where it is a tile. */
BrumeExrHeader *brume_image_writer_exr(BrumeImageWriter *writer);

/** Queues the picture filled last for the sink. Its `path` is copied; `ms` is the time spent on it so far [ms]. */
void brume_image_writer_submit(BrumeImageWriter *writer, int frame, const char *path, double ms);

/** Waits until all submitted pictures are written. Returns the status of the first write that failed. */
BrumeStatus brume_image_writer_finish(BrumeImageWriter *writer, BrumeError *error);

/** Returns the status of the first write that has failed so far, and its error; does not wait. */
BrumeStatus brume_image_writer_status(BrumeImageWriter *writer, BrumeError *error);

/** Writes all submitted pictures, ends the thread and frees the writer; NULL is allowed. */
void brume_image_writer_destroy(BrumeImageWriter *writer);

#endif

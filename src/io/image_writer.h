/**
 * @file image_writer.h
 * A thread that encodes and writes pictures while the next ones are made. Two pictures may wait; a third blocks, so
 * that none is lost.
 */
#ifndef BRUME_IO_IMAGE_WRITER_H
#define BRUME_IO_IMAGE_WRITER_H

#include "core/error.h"

#include <stdint.h>

typedef struct BrumeImageWriter BrumeImageWriter;

/** What a program does around every picture; all zero is fine. All are called from the writer's thread. */
typedef struct BrumeImageWriterDef {
    void (*before)(void); ///< before a file is written
    void (*after)(void);  ///< after that, whatever came of it
    void (*written)(void *context, int frame,
                    double ms); ///< after one is whole on the disk; `ms` as submitted + writing
    void *context;
} BrumeImageWriterDef;

/** Starts a writer. BRUME_FAILED without memory or a thread; `*writer` is NULL then. */
BrumeStatus brume_image_writer_create(BrumeImageWriter **writer, const BrumeImageWriterDef *def, BrumeError *error);

/** Takes the memory for pictures of width x height beforehand. BRUME_FAILED without it. */
BrumeStatus brume_image_writer_reserve(BrumeImageWriter *writer, int width, int height, BrumeError *error);

/**
 * The next picture to fill (height x width x 3 bytes, top row first), as soon as there is room; NULL once a write has
 * failed, and without memory. One thread at a time fills and submits.
 */
uint8_t *brume_image_writer_picture(BrumeImageWriter *writer, int width, int height);

/** Hands over the picture filled last, to become `path`, which is copied; `ms` is the time it took so far [ms]. */
void brume_image_writer_submit(BrumeImageWriter *writer, int frame, const char *path, double ms);

/** Waits until all that was submitted is written. Fails as the first write that failed. */
BrumeStatus brume_image_writer_finish(BrumeImageWriter *writer, BrumeError *error);

/** Fails as the first write that failed so far; does not wait. */
BrumeStatus brume_image_writer_status(BrumeImageWriter *writer, BrumeError *error);

/** Ends the thread, with what was submitted written. NULL is fine. */
void brume_image_writer_destroy(BrumeImageWriter *writer);

#endif

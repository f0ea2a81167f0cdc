/**
 * @file writer.h
 * A thread that encodes and writes pictures while the next ones are made. Two pictures may wait; a third blocks.
 */
#ifndef BRUME_APP_WRITER_H
#define BRUME_APP_WRITER_H

#include "app/run_stats.h"
#include "core/error.h"

#include <stdint.h>

typedef struct BrumeWriter BrumeWriter;

/** Starts a writer of width x height pictures that reports to `stats`. BRUME_FAILED without memory or a thread. */
BrumeStatus brume_writer_create(BrumeWriter **writer, int width, int height, BrumeRunStats *stats, BrumeError *error);

/**
 * The next picture to fill (height x width x 3 bytes, top row first), as soon as there is room; NULL once a write
 * has failed. One thread at a time fills and submits.
 */
uint8_t *brume_writer_picture(BrumeWriter *writer);

/** Hands over the picture filled last, to become `path`; `ms` is the time its tone curve took [ms]. */
void brume_writer_submit(BrumeWriter *writer, int frame, const char *path, double ms);

/** Waits until all that was submitted is written. Fails as the first write that failed. */
BrumeStatus brume_writer_finish(BrumeWriter *writer, BrumeError *error);

/** Fails as the first write that failed so far; does not wait. */
BrumeStatus brume_writer_status(BrumeWriter *writer, BrumeError *error);

/** Ends the thread, with what was submitted written. NULL is fine. */
void brume_writer_destroy(BrumeWriter *writer);

#endif

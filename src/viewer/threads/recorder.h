/**
 * @file recorder.h
 * Screenshots and recordings: numbered pictures in a folder, written by a thread of their own.
 */
#ifndef BRUME_VIEWER_THREADS_RECORDER_H
#define BRUME_VIEWER_THREADS_RECORDER_H

#include "core/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct BrumeRecorder BrumeRecorder;

/**
 * The number that comes after the highest in the folder's `NAME-0001EXTENSION` and so on; 1 where there is none.
 * `extension` is ".png", ".yaml" or the like, "" for folders.
 */
int brume_next_number(const char *folder, const char *name, const char *extension);

/**
 * Starts a recorder that writes `FOLDER/NAME-0001.png` and so on, from brume_next_number on. The folder is made.
 * BRUME_FAILED without a folder, memory or a thread; `*recorder` is NULL then.
 */
BrumeStatus brume_recorder_create(BrumeRecorder **recorder, const char *folder, const char *name, BrumeError *error);

/**
 * Takes a copy of a picture (height x width x 3 bytes; `bottom_up`: the lowest row first, as OpenGL reads) to be
 * written, and waits for room where two are waiting, so that none is lost. `*path` (may be NULL) becomes its file,
 * valid until the next call. Fails as the first picture that could not be written.
 */
BrumeStatus brume_recorder_add(BrumeRecorder *recorder, int width, int height, const uint8_t *rgb, bool bottom_up,
                               const char **path, BrumeError *error);

/** Pictures taken so far. */
int brume_recorder_count(const BrumeRecorder *recorder);

/** Fails as the first picture that could not be written so far; does not wait. */
BrumeStatus brume_recorder_status(BrumeRecorder *recorder, BrumeError *error);

/** Waits until all pictures are on the disk. Fails as the first that could not be written. */
BrumeStatus brume_recorder_finish(BrumeRecorder *recorder, BrumeError *error);

/** Writes what is left, then frees all. NULL is fine. */
void brume_recorder_destroy(BrumeRecorder *recorder);

#endif

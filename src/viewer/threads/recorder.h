/**
 * @file recorder.h
 * Writes screenshots and recordings as numbered PNG files in a folder.
 *
 * Which thread does what:
 * | thread              | functions                                                    |
 * | ------------------- | ------------------------------------------------------------ |
 * | image writer thread | encoding and writing files (io/image_writer.h)               |
 * | window thread       | all functions of this header                                 |
 */
#ifndef BRUME_VIEWER_THREADS_RECORDER_H
#define BRUME_VIEWER_THREADS_RECORDER_H

#include "core/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct BrumeRecorder BrumeRecorder;

/**
 * The number after the highest that a file `NAME-0001EXTENSION`, `NAME-0002EXTENSION`, ... in the folder has; 1 if
 * there is none. `extension` is ".png", ".yaml" or the like, "" for folders.
 */
int brume_next_file_number(const char *folder, const char *name, const char *extension);

/**
 * Starts a recorder that writes `FOLDER/NAME-0001.png` and so on, starting at brume_next_file_number. The folder is
 * created if it does not exist. BRUME_FAILED without a folder, memory or a thread; `*recorder` is NULL then.
 */
BrumeStatus brume_recorder_create(BrumeRecorder **recorder, const char *folder, const char *name, BrumeError *error);

/**
 * Copies a picture (height x width x 3 bytes; `bottom_up`: bottom row first, as glReadPixels returns it) to be written.
 * Blocks while two pictures are waiting, so that none is lost. `*path` (may be NULL) becomes the name of its file,
 * valid until the next call. Fails with the error of the first picture that could not be written.
 */
BrumeStatus brume_recorder_add(BrumeRecorder *recorder, int width, int height, const uint8_t *rgb, bool bottom_up,
                               const char **path, BrumeError *error);

/** The number of pictures added so far. */
int brume_recorder_count(const BrumeRecorder *recorder);

/** Fails with the error of the first picture that could not be written so far; does not wait. */
BrumeStatus brume_recorder_status(BrumeRecorder *recorder, BrumeError *error);

/** Waits until all pictures are on the disk. Fails with the error of the first that could not be written. */
BrumeStatus brume_recorder_finish(BrumeRecorder *recorder, BrumeError *error);

/** Writes the pictures that are waiting, then frees everything. NULL is fine. */
void brume_recorder_destroy(BrumeRecorder *recorder);

#endif

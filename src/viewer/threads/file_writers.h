/**
 * @file file_writers.h
 * Writers of volume files and videos. The program that opens the viewer fills the functions; the viewer does not depend
 * on these formats.
 */
#ifndef BRUME_VIEWER_THREADS_FILE_WRITERS_H
#define BRUME_VIEWER_THREADS_FILE_WRITERS_H

#include "core/error.h"
#include "viewer/simulation/snapshot.h"

#include <stdbool.h>
#include <stdint.h>

/** The picture thread calls the functions. Any thread may call `can_write` and `check_video`. */
typedef struct BrumeFileWriters {
    /**
     * Whether this program writes files with this extension (".vdb", ".hdf", ".vti", ".mp4", ".webm"). The system may
     * still lack the library that videos need.
     */
    bool (*can_write)(const char *extension);

    /**
     * Writes a state as a volume file of the format of `path`, completely or not at all. `scene_text` is the scene with
     * which it is drawn. BRUME_FAILED where `path` exists or cannot be written, and without memory.
     */
    BrumeStatus (*write_volume)(const BrumeSnapshotVariant *state, int frame, double time, const char *scene_text,
                                const char *path, BrumeError *error);

    /** BRUME_BAD_INPUT or BRUME_FAILED where no video of this size [pixels] and rate [1/s] can be written. */
    BrumeStatus (*check_video)(int width, int height, double fps, BrumeError *error);

    /** Creates a video under a temporary name. Fails as check_video does, and where `path` cannot be written. */
    BrumeStatus (*open_video)(void **video, const char *path, int width, int height, double fps, BrumeError *error);

    /** Appends a picture of height x width x 3 values in sRGB, top row first. */
    BrumeStatus (*add_to_video)(void *video, const uint8_t *rgb, BrumeError *error);

    /** Completes a video of at least one picture, renames it to `path` and frees it, also on failure. */
    BrumeStatus (*finish_video)(void *video, BrumeError *error);

    /** Removes a video that is not complete, and frees it. NULL is allowed. */
    void (*abandon_video)(void *video);
} BrumeFileWriters;

#endif

/**
 * @file volume_reader.h
 * Reads the next volume file in the background (core/parallel/job_queue.h) while the present one is drawn.
 */
#ifndef BRUME_APP_VOLUMES_VOLUME_READER_H
#define BRUME_APP_VOLUMES_VOLUME_READER_H

#include "app/cli/paths.h"
#include "app/volumes/drawn_volume.h"
#include "core/error.h"
#include "core/parallel/job_queue.h"
#include "exchange/frame_grids.h"

/** A file that is being read. All zero: none. Used by one thread. */
typedef struct BrumeVolumeReader {
    BrumeJobQueue files; ///< one at a time
    char path[BRUME_MAX_PATH];
    BrumeDrawnVolumes volumes;
    BrumeFrameGrids grids;
} BrumeVolumeReader;

/** Starts to read a file as brume_drawn_volume_read does; the one before must have been taken. Where no thread can be
 * started, it is read at once. */
void brume_volume_reader_start(BrumeVolumeReader *reader, const char *path, const BrumeDrawnVolumes *volumes);

/**
 * Waits for the file and moves its grids to `frame`, which is freed before. Fails as brume_drawn_volume_read does;
 * `frame` is all zero then.
 */
BrumeStatus brume_volume_reader_take(BrumeVolumeReader *reader, BrumeFrameGrids *frame, BrumeError *error);

/** Waits for the file, if one is being read, and frees its grids. */
void brume_volume_reader_destroy(BrumeVolumeReader *reader);

#endif

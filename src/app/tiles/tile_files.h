/**
 * @file tile_files.h
 * The tiles of the pictures of a sequence, from the names of files in its folder.
 */
#ifndef BRUME_APP_TILES_TILE_FILES_H
#define BRUME_APP_TILES_TILE_FILES_H

#include "app/cli/paths.h"
#include "core/error.h"

/** A frame of which tiles exist. */
typedef struct BrumeTiledFrame {
    int frame;
    int tiles; ///< of its picture
} BrumeTiledFrame;

/** Frames in ascending order. All zero: none. */
typedef struct BrumeTileFiles {
    int count;
    BrumeTiledFrame *frames;
} BrumeTileFiles;

/**
 * Lists the frames of `range` (all zero: all) of which tiles exist; a pattern without a frame number has frame 1. With
 * `skip_existing`, frames whose whole picture exists are omitted. BRUME_BAD_INPUT where there is no tile, where a frame
 * of the range has none, where one of a frame is missing, and where a frame has tiles of two divisions; BRUME_FAILED
 * without memory and where the folder cannot be read. The list is empty then.
 */
BrumeStatus brume_tile_files_find(BrumeTileFiles *files, const BrumeOutputPattern *pattern,
                                  const BrumeFrameRange *range, bool skip_existing, BrumeError *error);

void brume_tile_files_destroy(BrumeTileFiles *files);

#endif

/**
 * @file tile_bytes.h
 * The files of the tiles of a picture in memory, and the pictures that they make, for each format of images.
 */
#ifndef BRUME_APP_TILES_TILE_BYTES_H
#define BRUME_APP_TILES_TILE_BYTES_H

#include "app/cli/paths.h"
#include "app/tiles/tile.h"
#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A file. */
typedef struct BrumeTileBytes {
    char path[BRUME_MAX_PATH];
    uint8_t *bytes;
    size_t size;
    BrumeTileRecord record;
} BrumeTileBytes;

/** Copies the text of the record of a PNG or EXR file to `text`. False where there is none. */
bool brume_png_tile_text(const uint8_t *bytes, size_t size, char text[BRUME_TILE_TEXT]);
bool brume_exr_tile_text(const uint8_t *bytes, size_t size, char text[BRUME_TILE_TEXT]);

/**
 * Join `count` tiles, which are all tiles of one picture by their records, and write it to `path`. BRUME_BAD_INPUT for
 * tiles that do not fit together, BRUME_FAILED where `path` cannot be written, and without memory.
 */
BrumeStatus brume_png_join(const BrumeTileBytes *tiles, int count, const char *path, bool overwrite, BrumeError *error);
BrumeStatus brume_exr_join(const BrumeTileBytes *tiles, int count, const char *path, bool overwrite, BrumeError *error);

#endif

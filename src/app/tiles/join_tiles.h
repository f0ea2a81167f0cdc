/**
 * @file join_tiles.h
 * Joins the tiles of a picture to the file that the picture has without tiles.
 */
#ifndef BRUME_APP_TILES_JOIN_TILES_H
#define BRUME_APP_TILES_JOIN_TILES_H

#include "app/cli/paths.h"
#include "core/error.h"

#include <stdbool.h>

/**
 * Reads the `tiles` files of a frame and writes its picture, replacing a file only with `overwrite`. BRUME_BAD_INPUT
 * where a file is damaged, is another tile than its name says, or belongs to another picture; BRUME_FAILED without
 * memory and where a file cannot be read or written. No file is written then.
 */
BrumeStatus brume_join_tiles(const BrumeOutputPattern *pattern, int frame, int tiles, bool overwrite,
                             BrumeError *error);

#endif

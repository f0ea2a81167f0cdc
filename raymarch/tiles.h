/**
 * @file tiles.h
 * Pictures are drawn in tiles of pixels, in parallel; every pixel is computed independently of the others.
 */
#ifndef BRUME_RAYMARCH_TILES_H
#define BRUME_RAYMARCH_TILES_H

#include "brume/error.h"
#include "brume/renderer.h"

/** The pixels to draw, and the part of the whole work that this is, for the progress function. */
typedef struct BrumeTiles {
    BrumePictureCrop pixels;
    double share_before, share; ///< fractions of the whole work: done before, and of these tiles
    /** Called before def->partial with the context of the pixels, to provide the picture so far; NULL: nothing. */
    void (*before_partial)(void *context);
} BrumeTiles;

enum { BRUME_TILE_SIDE = 16 }; ///< [pixels]

/** Draws the pixel (x, y). Called by any thread of the team, for different pixels at the same time. */
typedef void (*BrumeDrawPixel)(void *context, int x, int y);

/** Draws a tile of pixels: up to BRUME_TILE_SIDE along each side. Called by any thread, for different tiles. */
typedef void (*BrumeDrawTile)(void *context, const BrumePictureCrop *tile);

/**
 * Calls `draw_pixel` with `context` for every pixel, and before each tile the functions of `def` for progress and
 * partial pictures, unless they are NULL. BRUME_INTERRUPTED where it returned false: some tiles were not drawn then.
 */
BrumeStatus brume_draw_tiles(const BrumeTiles *tiles, const BrumeDrawDef *def, BrumeDrawPixel draw_pixel, void *context,
                             BrumeError *error);

/** As brume_draw_tiles, with a call for each tile. */
BrumeStatus brume_draw_whole_tiles(const BrumeTiles *tiles, const BrumeDrawDef *def, BrumeDrawTile draw_tile,
                                   void *context, BrumeError *error);

/** Calls `draw_block` with `context` for the blocks of a tile: up to `side` pixels along each side, row by row. */
void brume_draw_blocks(const BrumePictureCrop *tile, int side, BrumeDrawTile draw_block, void *context);

#endif

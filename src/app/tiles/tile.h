/**
 * @file tile.h
 * The division of a picture into tiles (`brume render --tile I/N`), and the record in a tile's file that describes its
 * picture.
 */
#ifndef BRUME_APP_TILES_TILE_H
#define BRUME_APP_TILES_TILE_H

#include "app/cli/values.h"
#include "brume/renderer.h"

#include <stdbool.h>

enum {
    BRUME_TILE_ROWS = 16,  ///< tiles consist of whole blocks of this number of rows, as in EXR files
    BRUME_TILE_TEXT = 256, ///< bytes of the text of a record
};

/** The picture that a tile belongs to. */
typedef struct BrumeTileRecord {
    BrumeChunk tile;
    int width, height; ///< of the whole picture [pixels]
    int picture;       ///< its number in the run
    int frame;         ///< that it shows
    double time;       ///< simulated [s]
    int samples;       ///< through each pixel
    char scene_hash[20];
    char version[32]; ///< of the program
} BrumeTileRecord;

/** The largest number of tiles of a picture of this height. */
int brume_tile_limit(int height);

/**
 * The pixels of a tile of a picture: from the top, contiguous blocks of BRUME_TILE_ROWS rows, whose numbers in two
 * tiles differ by at most one. `tile` is one of at most brume_tile_limit(height).
 */
BrumePictureCrop brume_tile_pixels(const BrumeChunk *tile, int width, int height);

/** Writes the text of a record, one line. */
void brume_tile_record_write(const BrumeTileRecord *record, char text[BRUME_TILE_TEXT]);

/** Reads the text of a record. False where it is none, or no tile of a picture. */
bool brume_tile_record_read(BrumeTileRecord *record, const char *text);

/** Returns the first difference between the pictures of two tiles, such as "size"; NULL: none in the records. */
const char *brume_tile_record_difference(const BrumeTileRecord *a, const BrumeTileRecord *b);

#endif

/**
 * @file shown_pictures.h
 * A log of the pictures that the window shows, for measurements of rate, latency and quality (docs/performance.md): the
 * clock, camera and state of each picture, and the pixels of some. Used by the window thread alone.
 */
#ifndef BRUME_VIEWER_SHOWN_PICTURES_H
#define BRUME_VIEWER_SHOWN_PICTURES_H

#include "brume/camera.h"
#include "core/error.h"
#include "core/text.h"

#include <stdint.h>

enum {
    BRUME_SHOWN_SAMPLES = 64,  ///< maximum number of pictures whose pixels are stored
    BRUME_SHOWN_INTERVAL = 10, ///< number of pictures from one of them to the next
};

/** A picture that is on the screen. */
typedef struct BrumeShownPicture {
    double shown_at;            ///< clock after the picture was passed to the display [s]
    int frame, epoch;           ///< frame and epoch of its state
    unsigned newer_states;      ///< number of newer states published when it was shown
    int shrink;                 ///< divisor of the resolution of the smoke
    int samples;                ///< rays per pixel
    double prepare_ms, draw_ms; ///< as BrumeRenderedPicture
    BrumeCamera camera;         ///< camera that it was drawn with
    int width, height;          ///< [pixels]
} BrumeShownPicture;

/** Pixels of one picture. */
typedef struct BrumeShownPixels {
    int width, height;
    uint8_t *rgb; ///< (height x width x 3), sRGB, bottom row first
} BrumeShownPixels;

/** Zeroed, nothing is logged. */
typedef struct BrumeShownPictures {
    const char *folder;
    long count;
    BrumeText table;
    int sample_count;
    BrumeShownPixels samples[BRUME_SHOWN_SAMPLES];
} BrumeShownPictures;

/** Creates the folder where it is missing. BRUME_FAILED where no file can be written there. */
BrumeStatus brume_shown_pictures_start(BrumeShownPictures *shown, const char *folder, BrumeError *error);

/**
 * Returns the memory into which the caller reads the pixels of the next picture (width x height x 3, without padding,
 * bottom row first), NULL where they are not stored. Called before the picture is passed to the display.
 */
uint8_t *brume_shown_pictures_pixels(BrumeShownPictures *shown, int width, int height);

/** Adds a picture. */
void brume_shown_pictures_add(BrumeShownPictures *shown, const BrumeShownPicture *picture);

/**
 * Writes `pictures.csv` and `picture_NNNN.ppm` to the folder, which exists, and frees the memory. BRUME_FAILED
 * where a file cannot be written; the memory is freed then, too.
 */
BrumeStatus brume_shown_pictures_write(BrumeShownPictures *shown, BrumeError *error);

/** Frees the memory. */
void brume_shown_pictures_destroy(BrumeShownPictures *shown);

#endif

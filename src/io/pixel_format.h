/**
 * @file pixel_format.h
 * How the pixels of a picture are stored in memory.
 */
#ifndef BRUME_IO_PIXEL_FORMAT_H
#define BRUME_IO_PIXEL_FORMAT_H

#include <stddef.h>

/** The key of the text of a tile: an attribute of an EXR file, a text of a PNG file. */
#define BRUME_TILE_KEY "brume:tile"

/** The form of pixels, in rows from the top. */
typedef struct BrumePixelFormat {
    int bits;      ///< 8 or 16: sRGB values (uint8_t, uint16_t), the channels of a pixel next to each other
    int channels;  ///< 3: RGB; 4: RGBA, whose colors are not multiplied by alpha
    size_t planes; ///< above 0: bytes of a pixel in the planes of an EXR file instead (exr_write.h)
} BrumePixelFormat;

/** 8-bit RGB, as brume_tone_map makes it. */
static const BrumePixelFormat brume_rgb8 = {.bits = 8, .channels = 3};

/** Bytes of a pixel. */
static inline size_t brume_pixel_bytes(BrumePixelFormat format)
{
    return format.planes > 0 ? format.planes : (size_t)(format.bits / 8) * (size_t)format.channels;
}

#endif

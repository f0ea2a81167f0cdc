/**
 * @file exr_write.h
 * Pictures as OpenEXR files: scanlines, ZIP compression, any number of channels of half or single precision.
 */
#ifndef BRUME_IO_EXR_WRITE_H
#define BRUME_IO_EXR_WRITE_H

#include "brume/camera.h"
#include "core/error.h"
#include "io/image_sink.h"

#include <stdbool.h>
#include <stddef.h>

/** The metadata of a picture. No member depends on when or where the file is written. */
typedef struct BrumeExrMetadata {
    const char *software; ///< that wrote the file; not a copy
    char scene_hash[20];  ///< of the text of the scene, hexadecimal
    int frame;
    double time; ///< simulated [s]
    float fps;   ///< frames per second
    BrumeCamera camera;
    char tile[256]; ///< of which picture the pixels are a tile, as a text (app/tiles/tile.h); "": of none
} BrumeExrMetadata;

/** A channel and its numbers. */
typedef struct BrumeExrChannel {
    char name[32]; ///< as "R" or "depth.Z"
    bool single;   ///< single precision; otherwise half
} BrumeExrChannel;

enum { BRUME_MAX_EXR_CHANNELS = 48 };

/**
 * An EXR file without its pixels. The pixels are one plane (height x width, top row first) for each channel in the
 * order of `channels`, of float or uint16_t (core/half.h), without gaps.
 */
struct BrumeExrHeader {
    int left, top;                 ///< of the pixels in the whole picture
    int whole_width, whole_height; ///< of that picture
    int channel_count;             ///< at least 1
    BrumeExrChannel channels[BRUME_MAX_EXR_CHANNELS];
    BrumeExrMetadata metadata;
};
typedef struct BrumeExrHeader BrumeExrHeader;

/** Bytes of a pixel in the plane of a channel. */
static inline size_t brume_exr_channel_bytes(const BrumeExrChannel *channel) { return channel->single ? 4 : 2; }

/** Bytes of a pixel in all planes. */
static inline size_t brume_exr_pixel_bytes(const BrumeExrHeader *header)
{
    size_t bytes = 0;
    for (int n = 0; n < header->channel_count; n++) {
        bytes += brume_exr_channel_bytes(&header->channels[n]);
    }
    return bytes;
}

/**
 * Writes a picture of width x height pixels. The file is complete or unchanged, as with brume_file_write; without
 * `replace`, BRUME_FAILED where `path` exists. BRUME_FAILED without memory or where the file system or the library
 * fails.
 */
BrumeStatus brume_exr_write(const char *path, int width, int height, const BrumeExrHeader *header, const void *planes,
                            bool replace, BrumeError *error);

/** The sink that writes pictures whose `exr` is not NULL, as brume_exr_write does. */
BrumeImageSink brume_exr_file_sink(bool overwrite);

#endif

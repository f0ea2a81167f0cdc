/**
 * @file video_format.h
 * The formats of videos and their requirements on the pictures. The extension of a path selects the format.
 */
#ifndef BRUME_VIDEO_VIDEO_FORMAT_H
#define BRUME_VIDEO_VIDEO_FORMAT_H

#include "core/error.h"

#include <stddef.h>

/** A container with its codec. */
typedef struct BrumeVideoFormat {
    const char *extension; ///< without the dot: "mp4"
    const char *container; ///< the name of the muxer in FFmpeg
    const char *encoder;   ///< the name of the encoder in FFmpeg
    const char *options;   ///< of the encoder, as "key=value key=value"
    double bits_per_pixel; ///< estimated size of a pixel of a frame [bit]: 2.7 times the mean of the included scenes
    int memory_per_pixel;  ///< that the encoder needs for its reference and future frames [bytes]
} BrumeVideoFormat;

/** All formats; the entry after the last one has an `extension` of NULL. */
extern const BrumeVideoFormat brume_video_formats[];

/** The format for a path by its extension, in small or capital letters; NULL if there is none. */
const BrumeVideoFormat *brume_video_format_of(const char *path);

/**
 * Fails with BRUME_BAD_INPUT where no video of this size and rate can be written: width or height is odd or outside 16
 * to 16384 pixels, or `fps` is outside 0.1 to 240. The text names the remedy.
 */
BrumeStatus brume_video_check(int width, int height, double fps, BrumeError *error);

/** The estimated size of a video [bytes]. */
double brume_video_size(const BrumeVideoFormat *format, int width, int height, int frames);

/** The memory that the encoder needs [bytes]. */
size_t brume_video_memory(const BrumeVideoFormat *format, int width, int height);

#endif

/**
 * @file video_encoder.h
 * Encoding of pictures to a video file. The encoder is a module, `brume-video.so`, that the program loads when it
 * writes a video (brume_video_load): so no other run loads the libraries of FFmpeg, more than a hundred with the
 * libraries that they need, and the program works where they are not installed.
 */
#ifndef BRUME_VIDEO_VIDEO_ENCODER_H
#define BRUME_VIDEO_VIDEO_ENCODER_H

#include "core/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct BrumeVideoEncoder BrumeVideoEncoder;

/** A video to write. */
typedef struct BrumeVideoDef {
    const char *path;  ///< its extension selects the format; copied
    int width, height; ///< [pixels]; accepted by brume_video_check, like `fps`
    double fps;        ///< frames per second; 23.976, 29.97 and 59.94 mean 24000/1001, 30000/1001 and 60000/1001
    bool overwrite;    ///< an existing file is replaced at the end; otherwise it is an error
} BrumeVideoDef;

/**
 * The functions of the module. One thread at a time uses an encoder. On x86-64 the bytes of the file depend on the
 * pictures and on the versions of the libraries only: not on the number of threads, the processor or the time.
 */
typedef struct BrumeVideoFunctions {
    const char *version; ///< of the program that the module belongs to

    /**
     * Creates the file under a temporary name (brume_file_open_part) and starts the encoder. BRUME_FAILED without
     * memory, without the encoder in this installation of FFmpeg, or where the file cannot be written; `*encoder` is
     * NULL then.
     */
    BrumeStatus (*create)(BrumeVideoEncoder **encoder, const BrumeVideoDef *def, BrumeError *error);

    /** Appends a picture of height x width x 3 values in sRGB, top row first. BRUME_FAILED as `create`. */
    BrumeStatus (*add)(BrumeVideoEncoder *encoder, const uint8_t *rgb, BrumeError *error);

    /** The path of the temporary file. */
    const char *(*temporary)(const BrumeVideoEncoder *encoder);

    /**
     * Completes the file and gives it its final name; at least one picture must have been added. Nothing may be added
     * afterwards. BRUME_FAILED as `create`; the temporary file is removed then.
     */
    BrumeStatus (*finish)(BrumeVideoEncoder *encoder, BrumeError *error);

    /** Frees the encoder. Without a successful `finish` the temporary file is removed. NULL is allowed. */
    void (*destroy)(BrumeVideoEncoder *encoder);
} BrumeVideoFunctions;

/** The functions that the module exports. */
extern const BrumeVideoFunctions brume_video_functions;

#endif

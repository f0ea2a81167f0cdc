/**
 * @file picture_file.h
 * The files to which pictures are written: a PNG or EXR file each, or a video of all frames of a recording.
 */
#ifndef BRUME_VIEWER_THREADS_PICTURE_FILE_H
#define BRUME_VIEWER_THREADS_PICTURE_FILE_H

#include "brume/camera.h"
#include "core/error.h"
#include "io/pixel_format.h"
#include "viewer/files/file_kind.h"
#include "viewer/threads/file_writers.h"

#include <stdbool.h>
#include <stdint.h>

/** A picture with what is written beside its pixels. */
typedef struct BrumePictureFile {
    int width, height;
    const void *pixels; ///< height x width, top row first, or planes
    BrumePixelFormat format;
    bool single; ///< planes of single precision, otherwise half
    int frame;
    double time; ///< simulated [s]
    float fps;   ///< frames per second
    BrumeCamera camera;
} BrumePictureFile;

/**
 * Writes a picture to a new file, completely or not at all: EXR where its format has planes, otherwise PNG.
 * BRUME_FAILED where `path` exists or cannot be written, without memory, and for EXR where the program was built
 * without OpenEXR.
 */
BrumeStatus brume_picture_file_write(const BrumePictureFile *picture, const char *path, BrumeError *error);

/** The bytes of a pixel in the planes R, G, B and A. */
size_t brume_linear_pixel_bytes(bool single);

/**
 * Converts radiance (height x width x 3) and alpha (height x width; NULL: 1 everywhere) to these planes. Parallel over
 * pixels.
 */
void brume_linear_planes(const float *radiance, const float *alpha, size_t pixels, bool single, void *planes);

/** The video of a recording. All zero: none. For the picture thread. */
typedef struct BrumeRecordedVideo {
    const BrumeFileWriters *writers;
    void *video;       ///< NULL before the first picture
    int width, height; ///< of that picture
} BrumeRecordedVideo;

/**
 * Appends a picture of 8-bit RGB; the first one creates the file `path`. Fails as the writers do, and with
 * BRUME_BAD_INPUT where the picture has another size than the first.
 */
BrumeStatus brume_recorded_video_add(BrumeRecordedVideo *video, const char *path, double fps,
                                     const BrumePictureFile *picture, BrumeError *error);

/** Completes the video; without a picture there is none. */
BrumeStatus brume_recorded_video_finish(BrumeRecordedVideo *video, BrumeError *error);

/** Removes a video that is not complete. */
void brume_recorded_video_abandon(BrumeRecordedVideo *video);

#endif

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

/** A picture and the metadata that are written with its pixels. */
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
 * Writes a picture to a new file, completely or not at all: an EXR file if its format has planes, otherwise a PNG file.
 * BRUME_FAILED where `path` exists or cannot be written, without memory, and for EXR where the program was built
 * without OpenEXR.
 */
BrumeStatus brume_picture_file_write(const BrumePictureFile *picture, const char *path, BrumeError *error);

/** The size of a pixel in the planes R, G, B and A, all together [bytes]. */
size_t brume_linear_pixel_bytes(bool single);

/**
 * Converts radiance (height x width x 3) and alpha (height x width; NULL: 1 everywhere) to the planes R, G, B and A.
 * Parallel over pixels.
 */
void brume_linear_planes(const float *radiance, const float *alpha, size_t pixels, bool single, void *planes);

/** The video of a recording. Zeroed: there is none. The picture thread alone uses it. */
typedef struct BrumeRecordedVideo {
    const BrumeFileWriters *writers;
    void *video;       ///< NULL before the first picture
    int width, height; ///< of the first picture [pixels]
} BrumeRecordedVideo;

/**
 * Appends a picture of 8-bit RGB; the first one creates the file `path`. Fails as the writers do, and with
 * BRUME_BAD_INPUT where the picture has another size than the first.
 */
BrumeStatus brume_recorded_video_add(BrumeRecordedVideo *video, const char *path, double fps,
                                     const BrumePictureFile *picture, BrumeError *error);

/** Completes the video. Does nothing where no picture was added. */
BrumeStatus brume_recorded_video_finish(BrumeRecordedVideo *video, BrumeError *error);

/** Removes a video that is not complete. */
void brume_recorded_video_abandon(BrumeRecordedVideo *video);

#endif

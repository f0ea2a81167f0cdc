/**
 * @file picture_file.h
 * The files to which the pictures of requests are written: a PNG or EXR file each, or a video of all frames of a
 * recording. The picture thread alone calls these functions.
 */
#ifndef BRUME_VIEWER_THREADS_PICTURE_FILE_H
#define BRUME_VIEWER_THREADS_PICTURE_FILE_H

#include "viewer/threads/picture_thread.h"

/**
 * Writes the picture of a request, height x width `pixels` in this format, top row first, to its new file, completely
 * or not at all: an EXR file if the format has planes, otherwise a PNG file. BRUME_FAILED where the file exists or
 * cannot be written, without memory, and for EXR where the program was built without OpenEXR.
 */
BrumeStatus brume_picture_file_write(const BrumePictureRequest *request, const void *pixels, BrumePixelFormat format,
                                     BrumeError *error);

/** The video of a recording. Without `video` there is none. */
typedef struct BrumeVideoFile {
    const BrumeFileWriters *writers;
    void *video;       ///< NULL before the first picture
    int width, height; ///< of the first picture [pixels]
} BrumeVideoFile;

/**
 * Appends the picture of a request, 8-bit RGB; the first one creates the file. Fails as the writers do, and with
 * BRUME_BAD_INPUT where the picture has another size than the first.
 */
BrumeStatus brume_video_file_add(BrumeVideoFile *file, const BrumePictureRequest *request, double fps,
                                 const void *pixels, BrumeError *error);

/** Completes the video. Does nothing where no picture was added. */
BrumeStatus brume_video_file_finish(BrumeVideoFile *file, BrumeError *error);

/** Removes a video that is not complete. */
void brume_video_file_abandon(BrumeVideoFile *file);

#endif

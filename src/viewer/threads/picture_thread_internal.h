/**
 * @file picture_thread_internal.h The data of the picture thread, and the functions that its files share.
 */
#ifndef BRUME_VIEWER_THREADS_PICTURE_THREAD_INTERNAL_H
#define BRUME_VIEWER_THREADS_PICTURE_THREAD_INTERNAL_H

#include "core/parallel/worker.h"
#include "viewer/threads/picture_thread.h"

/** A recording, until its last request is done. */
typedef struct BrumeRecording {
    BrumeRecordingDef def;
    int number;               ///< ascending
    BrumePictureRequest *end; ///< request that ends it
    int frames;               ///< frames that were added
    int frame, epoch;         ///< number and epoch of the latest of these frames
    bool permit_is_due;       ///< the source waits for the permission to go on
    int written;              ///< frames that are written
    bool failed;              ///< a frame was not written: later ones are discarded
} BrumeRecording;

/** The data that the three threads share, guarded by the monitor. */
typedef struct BrumePictureShared {
    BrumePictureRequest *queue; ///< a request that is ready belongs to the picture thread, others to preparation
    BrumeRecordedLook look;
    BrumeRecording *recording; ///< to which frames are added; NULL: none
    int recordings;            ///< number of the latest one
    BrumeRecordedPath path;
    BrumePictureStatus status;
} BrumePictureShared;

/** The video of a recording. Without `video` there is none. */
typedef struct BrumeVideoFile {
    const BrumeFileWriters *writers;
    void *video;       ///< NULL before the first picture
    int width, height; ///< of the first picture [pixels]
} BrumeVideoFile;

/** The data that the picture thread alone uses. */
typedef struct BrumePictureOwn {
    BrumeFullPicture picture;
    BrumeVideoFile video;
} BrumePictureOwn;

struct BrumePictureThread {
    BrumePictureThreadDef def;
    BrumeWorker worker;
    BrumeMonitor monitor; // locked for copies only, never while a state is copied or drawn
    BrumePictureShared shared;
    BrumePictureOwn own;
};

/** Frees a request and, with the last one, its recording. */
void brume_picture_free_request(BrumePictureRequest *request);

/** Permits the next frame of a recording if it is due and there is room. The monitor is not locked. */
void brume_picture_permit_next_frame(BrumePictureThread *thread);

/** Records a failure, and ends the recording in which it happened (NULL: none). The monitor is locked. */
void brume_picture_note_failure(BrumePictureThread *thread, BrumeRecording *recording, const BrumeError *error);

/*
 * The picture thread: files.
 */

/**
 * Writes the picture of a request, height x width `pixels` in this format, top row first, to its new file, completely
 * or not at all: an EXR file if the format has planes, otherwise a PNG file. BRUME_FAILED where the file exists or
 * cannot be written, without memory, and for EXR where the program was built without OpenEXR.
 */
BrumeStatus brume_picture_file_write(const BrumePictureRequest *request, const void *pixels, BrumePixelFormat format,
                                     BrumeError *error);

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

/**
 * @file picture_thread_internal.h The data of the picture thread, and the functions that its files share.
 */
#ifndef BRUME_VIEWER_THREADS_PICTURE_THREAD_INTERNAL_H
#define BRUME_VIEWER_THREADS_PICTURE_THREAD_INTERNAL_H

#include "core/parallel/worker.h"
#include "viewer/threads/picture_file.h"

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

#endif

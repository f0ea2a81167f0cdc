/**
 * @file picture_thread_internal.h The data of the picture thread: its state, its jobs and the requests. Its source
 * files share them.
 */
#ifndef BRUME_VIEWER_THREADS_PICTURE_THREAD_INTERNAL_H
#define BRUME_VIEWER_THREADS_PICTURE_THREAD_INTERNAL_H

#include "core/parallel/worker.h"
#include "viewer/threads/picture_thread.h"

enum { BRUME_PICTURE_JOBS = 32, BRUME_PICTURE_REQUESTS = 8 };

/** A picture to be drawn and written. */
typedef struct BrumePictureJob {
    uint64_t serial;        // ascending; 0: the slot is free
    BrumeSnapshot snapshot; // its fields are freed when they are not needed any more
    BrumePictureLook look;
    uint8_t *pixels; // pixels that are drawn already (height x width x 3); NULL: the snapshot is drawn
    int width, height;
    size_t bytes;
    int recording;       // number of the recording that it is a frame of, from 1 on; 0: no frame
    bool of_video;       // `path` is the video's path, ...
    double fps;          // ... which has this frame rate
    bool ends_recording; // nothing is drawn: a video is completed
    bool is_volume;      // the snapshot is written as it is, ...
    char *scene_text;    // ... with this scene
    char path[BRUME_PICTURE_PATH];
} BrumePictureJob;

/** A single picture or volume that waits for a snapshot. */
typedef struct BrumePictureRequest {
    BrumePictureLook look;
    bool is_volume;
    int variant;
    char *scene_text;
    char path[BRUME_PICTURE_PATH];
} BrumePictureRequest;

struct BrumePictureThread {
    BrumePictureThreadDef def;
    BrumeWorker worker;
    pthread_mutex_t append_mutex;

    // Guarded by the monitor.
    BrumeMonitor monitor;
    BrumePictureJob jobs[BRUME_PICTURE_JOBS];
    int count;
    uint64_t serial; // serial of the latest job
    size_t bytes;    // of the waiting states
    BrumePictureLook look;
    BrumeRecordedKeys keys;
    BrumePictureRequest requests[BRUME_PICTURE_REQUESTS];
    int request_count;
    bool recording, of_pixels, permit_is_due;
    int recordings;       // number of recordings that were started, which is the number of the latest
    int failed_recording; // number of the latest recording that has failed; 0: none
    BrumeFileKind kind;   // of the latest recording
    double fps;
    char folder[BRUME_PICTURE_PATH - 32]; // folder of the images, or path of the video
    int frames;                           // frames that were added to the latest recording
    int frame, epoch;                     // number and epoch of the latest of these frames
    size_t frame_bytes;
    BrumeRecordedPath path;
    BrumePictureStatus status;

    // Used by the picture thread alone.
    BrumeFullPicture picture;
    BrumeRecordedVideo video;
};

/** Frees the memory that a job owns. */
void brume_picture_free_job(BrumePictureJob *job);

/** Permits the next frame of a recording if it is due and there is room. Unlocks the monitor during the call.
 */
void brume_picture_permit_next_frame(BrumePictureThread *thread);

/** Records the result of a job in the status. The monitor is locked. */
void brume_picture_note_result(BrumePictureThread *thread, const BrumePictureJob *job, BrumeStatus status,
                               const BrumeError *error);

/** Returns a free slot for a job, NULL where there is none. The monitor is locked. */
BrumePictureJob *brume_picture_free_slot(BrumePictureThread *thread);

#endif

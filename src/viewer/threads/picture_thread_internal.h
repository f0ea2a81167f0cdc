/**
 * @file picture_thread_internal.h
 * What the files of the picture thread share: its state, its jobs and the requests.
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
    uint8_t *pixels; // drawn already (height x width x 3); NULL: the snapshot is drawn
    int width, height;
    size_t bytes;
    int recording;       // of which it is a frame, from 1 on; 0: of none
    bool of_video;       // `path` is that of the video, ...
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
    uint64_t serial; // of the latest job
    size_t bytes;    // of the states that wait
    BrumePictureLook look;
    BrumeRecordedKeys keys;
    BrumePictureRequest requests[BRUME_PICTURE_REQUESTS];
    int request_count;
    bool recording, of_pixels, permit_is_due;
    int recordings;       // started; the number of the latest
    int failed_recording; // number of the latest that has failed; 0: none
    BrumeFileKind kind;   // of the latest recording
    double fps;
    char folder[BRUME_PICTURE_PATH - 32]; // or the path of the video
    int frames;                           // added to the latest recording
    int frame, epoch;                     // the latest of them
    size_t frame_bytes;
    BrumeRecordedPath path;
    BrumePictureStatus status;

    // Used by the picture thread alone.
    BrumeFullPicture picture;
    BrumeRecordedVideo video;
};

/** Frees what a job refers to. */
void brume_picture_free_job(BrumePictureJob *job);

/** Permits the next frame of a recording if that is due and there is room. The monitor is locked, and unlocked
 * meanwhile.
 */
void brume_picture_permit_next_frame(BrumePictureThread *thread);

/** Counts what has become of a job; the monitor is locked. */
void brume_picture_note_result(BrumePictureThread *thread, const BrumePictureJob *job, BrumeStatus status,
                               const BrumeError *error);

/** A slot for a job; NULL where there is none; the monitor is locked. */
BrumePictureJob *brume_picture_free_slot(BrumePictureThread *thread);

#endif

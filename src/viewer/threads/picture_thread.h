/**
 * @file picture_thread.h
 * A thread that draws states at full quality, as `brume render` does, and writes them to files: single pictures, and
 * recordings of every frame, as images or as a video. It also writes states as volume files. The states are copies
 * (snapshots), so that simulation and window go on meanwhile.
 *
 * All of them are requests in one queue: single files before frames of recordings, each in their order. A request waits
 * for a snapshot where it needs one, and then for the picture thread.
 *
 * Which thread does what:
 * | thread             | functions                                                                           |
 * | ------------------ | ----------------------------------------------------------------------------------- |
 * | picture thread     | drawing with its own OpenMP team, encoding and writing files, `on_change`, `permit` |
 * | preparation thread | brume_picture_thread_offer, which copies the snapshot, and `permit`                 |
 * | window thread      | all other functions                                                                 |
 *
 * The memory of waiting pictures is bounded. A recording needs a source that waits after every frame
 * (brume_simulation_thread_set_frame_by_frame): `permit` is called when there is room for the next frame, so that no
 * frame is lost; the simulation slows down instead.
 */
#ifndef BRUME_VIEWER_THREADS_PICTURE_THREAD_H
#define BRUME_VIEWER_THREADS_PICTURE_THREAD_H

#include "brume/animation.h"
#include "core/error.h"
#include "viewer/animation/keys.h"
#include "viewer/files/file_kind.h"
#include "viewer/threads/file_writers.h"
#include "viewer/threads/full_picture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BRUME_PICTURE_PATH = 1024 };

typedef struct BrumePictureThread BrumePictureThread;

typedef struct BrumePictureThreadDef {
    int threads;                     ///< size of its team
    size_t budget;                   ///< memory of the waiting states where there are several [bytes]; 0: 1/8 of the
                                     ///< physical memory
    void (*on_change)(void);         ///< called by the picture thread after every picture; NULL for none
    void (*permit)(void *source);    ///< permits the next frame of a recording; NULL for none
    void *source;                    ///< passed to `permit`
    const BrumeFileWriters *writers; ///< for volumes and videos; NULL: these cannot be written
} BrumePictureThreadDef;

/** What is written to the file of a request. */
typedef enum BrumePictureContents {
    BRUME_PICTURE_DRAWN,  ///< the next snapshot that is offered, drawn
    BRUME_PICTURE_VOLUME, ///< a variant of that snapshot, as a volume file
    BRUME_PICTURE_PIXELS, ///< pixels that were drawn already
    BRUME_PICTURE_NONE,   ///< nothing: ends a recording, after its frames
} BrumePictureContents;

/** A file that is to be written, or a frame of a recording. Zeroed members that are not needed. */
typedef struct BrumePictureRequest {
    BrumePictureContents contents;
    char path[BRUME_PICTURE_PATH]; ///< must not exist; a frame has its path from the recording
    BrumePictureLook look;         ///< how the snapshot is drawn; the width and height of pixels
    int variant;                   ///< of a volume
    char *scene_text;              ///< with which a volume is drawn; see brume_alloc
    uint8_t *pixels;               ///< height x width x 3, bottom row first; see brume_alloc
    bool is_frame;                 ///< the pixels are a frame of the recording, ...
    BrumeSnapshot snapshot;        ///< ... of this `epoch` and `time`; otherwise set by the thread

    // of the thread
    bool ready;                        ///< it has its snapshot, or needs none
    BrumeError error;                  ///< of copying the snapshot
    size_t bytes;                      ///< of its snapshot
    struct BrumeRecording *recording;  ///< that it is a frame of; NULL: none
    struct BrumePictureRequest *after; ///< the next one in the queue
} BrumePictureRequest;

/** A recording to be started. */
typedef struct BrumeRecordingDef {
    char path[BRUME_PICTURE_PATH]; ///< of the folder of its images, or of the video
    BrumeFileKind kind;            ///< EXR needs a linear look, a video a look of 8 bits without alpha
    bool of_pixels;                ///< requests of pixels add the frames; not EXR
    double fps;                    ///< frame rate of a video [1/s]
} BrumeRecordingDef;

/** How the frames of a recording are drawn: animated values and camera are evaluated at the time of each state. */
typedef struct BrumeRecordedLook {
    BrumePictureLook look;
    BrumeAnimation animation;
    bool follows; ///< the camera follows `camera_path`; otherwise it is the look's camera
    BrumeCameraPath camera_path;
    double turntable; ///< as BrumeScene.turntable [s]
} BrumeRecordedLook;

/** The progress and the results of the thread. */
typedef struct BrumePictureStatus {
    int requested;  ///< requests that wait for a snapshot to be offered
    int waiting;    ///< requests that are not done yet, also the one that is being drawn
    int left;       ///< frames of all recordings that are not written yet; 1 while the last one ends
    bool recording; ///< frames are added
    int recorded;   ///< frames of the latest recording that are written
    int written;    ///< single pictures and volumes since the start
    int completed;  ///< recordings that were completed since the start
    char result[BRUME_PICTURE_PATH + 96]; ///< one line for the user about the latest of these files
    bool failed;                          ///< a request has failed since the last call, for the reason `error`
    BrumeError error;
} BrumePictureStatus;

/** The path of the camera during a recording. */
typedef struct BrumeRecordedPath {
    int key_count;
    BrumeCameraKey keys[BRUME_MAX_CAMERA_KEYS];
    int epoch; ///< epoch of the simulation to which the times of the keys refer
} BrumeRecordedPath;

/** Starts the thread. BRUME_FAILED without memory or a thread; `*thread` is NULL then. */
BrumeStatus brume_picture_thread_create(BrumePictureThread **thread, const BrumePictureThreadDef *def,
                                        BrumeError *error);

/**
 * Discards the requests that wait and ends the thread, after the present stage of the picture that is drawn; waits at
 * most `seconds`. Returns whether it has ended; otherwise it still uses its memory and the scene's.
 */
bool brume_picture_thread_stop(BrumePictureThread *thread, double seconds);

/** Stops the thread, however long that takes, and frees everything. NULL is fine. */
void brume_picture_thread_destroy(BrumePictureThread *thread);

/** Sets how the frames of recordings are drawn that are offered from now on. */
void brume_picture_thread_set_look(BrumePictureThread *thread, const BrumeRecordedLook *look);

/**
 * Adds a request, which is copied; the thread frees its `scene_text` and `pixels`, also on failure. A frame has the
 * look's camera. BRUME_FAILED without memory, where 32 single files wait already, and for a volume without writers.
 */
BrumeStatus brume_picture_thread_request(BrumePictureThread *thread, const BrumePictureRequest *request,
                                         BrumeError *error);

/**
 * Starts a recording to the files `PATH/frame-0001.png` and so on, or to a video: every snapshot of a new frame, from a
 * source that waits after each frame, is drawn with the look that is set; with `of_pixels`, requests of pixels add the
 * frames instead. Creates the folder. BRUME_FAILED where that fails, and without memory. The recording before has been
 * stopped; its waiting frames are written first.
 */
BrumeStatus brume_picture_thread_start_recording(BrumePictureThread *thread, const BrumeRecordingDef *def,
                                                 BrumeError *error);

/** Adds no more frames to the recording, if there is one; those that wait are written, and then it is complete. */
void brume_picture_thread_stop_recording(BrumePictureThread *thread);

/**
 * Copies the present snapshot where a request or the recording needs it. A snapshot may be offered repeatedly. `thread`
 * is a BrumePictureThread.
 */
void brume_picture_thread_offer(void *context, const BrumeSnapshot *snapshot);

void brume_picture_thread_poll(BrumePictureThread *thread, BrumePictureStatus *status);

/** The path of the camera in the latest recording. */
void brume_picture_thread_path(BrumePictureThread *thread, BrumeRecordedPath *path);

#endif

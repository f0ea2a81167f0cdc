/**
 * @file picture_thread.h
 * A thread that draws states at full quality, as `brume render` does, and writes them to files: single pictures, and
 * recordings of every frame, as images or as a video. It also writes states as volume files. The states are copies
 * (snapshots), so that simulation and window go on meanwhile.
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
#include "viewer/threads/full_picture.h"
#include "viewer/threads/picture_file.h"

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

/** A recording to be started. */
typedef struct BrumeRecordingDef {
    const char *path;   ///< of the folder of its images, or of the video
    BrumeFileKind kind; ///< EXR needs a linear look, a video a look of 8 bits without alpha
    bool of_pixels;     ///< brume_picture_thread_add_frame adds the pictures; not EXR
    double fps;         ///< frame rate of a video [1/s]
} BrumeRecordingDef;

/** The progress and the results of the thread. */
typedef struct BrumePictureStatus {
    int requested;                 ///< single pictures that wait for a snapshot to be offered
    int waiting;                   ///< pictures that are not written yet, the one that is drawn included
    double fraction;               ///< finished part of the picture in progress
    bool recording;                ///< frames are added
    int recorded, left;            ///< frames of the latest recording that are written, and that still wait
    int written;                   ///< single pictures and volumes since the start
    char path[BRUME_PICTURE_PATH]; ///< of the file that was written last
    bool failed;                   ///< a picture has failed since the last call, for the reason `error`
    bool recording_failed;         ///< a recording has failed since the last call, and has ended
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
 * Discards the pictures that wait and ends the thread, after the present stage of the picture that is drawn; waits at
 * most `seconds`. Returns whether it has ended; otherwise it still uses its memory and the scene's.
 */
bool brume_picture_thread_stop(BrumePictureThread *thread, double seconds);

/** Stops the thread, however long that takes, and frees everything. NULL is fine. */
void brume_picture_thread_destroy(BrumePictureThread *thread);

/** Sets the look of the states that are offered from now on. */
void brume_picture_thread_set_look(BrumePictureThread *thread, const BrumePictureLook *look);

/** Animated values and camera of a recording, evaluated at the time of each state. Zeroed: there are none. */
typedef struct BrumeRecordedKeys {
    BrumeAnimation animation;
    bool follows; ///< the camera follows `camera_path`; otherwise it is the look's camera
    BrumeCameraPath camera_path;
    double turntable; ///< as BrumeScene.turntable [s]
} BrumeRecordedKeys;

/** Sets the keys of the states that are recorded from now on. */
void brume_picture_thread_set_keys(BrumePictureThread *thread, const BrumeRecordedKeys *keys);

/**
 * Requests a picture of the next snapshot that is offered, with this look, in the file `path`, which must not exist. Up
 * to eight requests wait at a time; returns false where there are more.
 */
bool brume_picture_thread_request(BrumePictureThread *thread, const BrumePictureLook *look, const char *path);

/**
 * Requests the variant `variant` of the next snapshot as the new volume file `path`, as brume_picture_thread_request;
 * `scene_text` is copied. Also returns false without writers or memory.
 */
bool brume_picture_thread_request_volume(BrumePictureThread *thread, int variant, const char *scene_text,
                                         const char *path);

/** Writes pixels (height x width x 3, bottom row first) that were drawn already; `path` must not exist. */
BrumeStatus brume_picture_thread_add(BrumePictureThread *thread, const char *path, int width, int height,
                                     const uint8_t *rgb, BrumeError *error);

/**
 * Starts a recording to the files `PATH/frame-0001.png` and so on, or to a video: every snapshot of a new frame, from a
 * source that waits after each frame, is drawn with the look that is set; with `of_pixels`,
 * brume_picture_thread_add_frame adds the pictures instead. Creates the folder. BRUME_FAILED where that fails. No
 * recording may be in progress. Waiting frames of earlier recordings are written first.
 */
BrumeStatus brume_picture_thread_start_recording(BrumePictureThread *thread, const BrumeRecordingDef *def,
                                                 BrumeError *error);

/** Adds pixels to the recording, as brume_picture_thread_add: a frame at this time, with the look's camera. */
BrumeStatus brume_picture_thread_add_frame(BrumePictureThread *thread, int epoch, double time, int width, int height,
                                           const uint8_t *rgb, BrumeError *error);

/** Adds no more frames to the recording; those that wait are written, and then a video is completed. */
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

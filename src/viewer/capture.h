/**
 * @file capture.h
 * Screenshots of the window, and recordings: a picture of every simulated frame.
 */
#ifndef BRUME_VIEWER_CAPTURE_H
#define BRUME_VIEWER_CAPTURE_H

#include "brume/camera.h"
#include "viewer/threads/recorder.h"

typedef struct BrumeViewer BrumeViewer;

/** A recording, and the camera's path during it. Zeroed, there is none. */
typedef struct BrumeRecording {
    BrumeRecorder *recorder; ///< NULL if no recording is in progress
    int frame, epoch;        ///< of the latest picture that was recorded
    int recorded;            ///< number of pictures
    int key_count;           ///< of the latest recording; kept after its end, for a scene file
    BrumeCameraKey keys[BRUME_MAX_CAMERA_KEYS];
    int keys_epoch; ///< epoch of the simulation that the keys' times refer to
} BrumeRecording;

/** Writes the content of the framebuffer to the next numbered file. */
void brume_viewer_take_screenshot(BrumeViewer *viewer);

/** Starts a recording, or stops the current one. */
void brume_viewer_toggle_recording(BrumeViewer *viewer);

/**
 * Adds the picture in the framebuffer to the recording if it shows the next frame at full quality, and permits the
 * simulation thread to compute the frame after it.
 */
void brume_viewer_record_picture(BrumeViewer *viewer);

/** Stops the current recording, if there is one, and waits until its files are written. */
void brume_viewer_stop_recording(BrumeViewer *viewer);

#endif

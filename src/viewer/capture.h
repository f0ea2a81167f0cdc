/**
 * @file capture.h
 * Screenshots of the window, and recordings: a picture of every simulated frame.
 */
#ifndef BRUME_VIEWER_CAPTURE_H
#define BRUME_VIEWER_CAPTURE_H

struct BrumeViewer;

/** Writes the content of the framebuffer to the next numbered file. */
void brume_viewer_take_screenshot(struct BrumeViewer *viewer);

/** Starts a recording, or stops the current one. */
void brume_viewer_toggle_recording(struct BrumeViewer *viewer);

/**
 * Adds the picture in the framebuffer to the recording if it shows the next frame at full quality, and permits the
 * simulation thread to compute the frame after it.
 */
void brume_viewer_record_picture(struct BrumeViewer *viewer);

/** Stops the current recording, if there is one, and waits until its files are written. */
void brume_viewer_stop_recording(struct BrumeViewer *viewer);

#endif

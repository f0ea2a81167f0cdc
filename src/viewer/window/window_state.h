/**
 * @file window_state.h
 * What the window remembers from one time to the next, in $XDG_STATE_HOME/brume/viewer.yaml, or
 * ~/.local/state/brume/viewer.yaml where that is not set (XDG Base Directory Specification 0.8).
 */
#ifndef BRUME_VIEWER_WINDOW_WINDOW_STATE_H
#define BRUME_VIEWER_WINDOW_WINDOW_STATE_H

#include "core/error.h"
#include "viewer/controls.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct BrumeWindowState {
    bool has_position;
    int x, y;          ///< upper left corner of the window [points of the desktop]
    int width, height; ///< of the window [points], 320 x 240 to 16384 x 16384
    bool fullscreen, panel, hud;
    float fly_speed;                ///< [m/s]; 0: not chosen yet
    char folder[BRUME_VIEWER_PATH]; ///< that a scene was last opened from; "" for none
} BrumeWindowState;

/** A part of the desktop [points]. */
typedef struct BrumeScreen {
    int x, y, width, height;
} BrumeScreen;

/** A window of 1280 x 720 anywhere, with panel and HUD. */
BrumeWindowState brume_default_place(void);

/** The file's path; false where neither variable is set to an absolute path, or there is not enough room. */
bool brume_window_state_path(char *path, size_t room);

/** Reads the file. What is not there or makes no sense is as by default: a broken file is no error. */
BrumeWindowState brume_window_state_load(const char *path);

/** Writes the file whole, and the folders that it lies in. BRUME_FAILED with the system's reason. */
BrumeStatus brume_window_state_save(const BrumeWindowState *place, const char *path, BrumeError *error);

/** Whether enough of a window's title bar lies on one of the screens to take hold of it. */
bool brume_window_state_is_reachable(const BrumeWindowState *place, const BrumeScreen *screens, int count);

#endif

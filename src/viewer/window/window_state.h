/**
 * @file window_state.h
 * The window's position, size and visible parts, the size of pictures, and the state of panel and brush, saved between
 * two runs of the program in $XDG_STATE_HOME/brume/viewer.yaml, or ~/.local/state/brume/viewer.yaml if that variable is
 * not set (XDG Base Directory Specification 0.8).
 */
#ifndef BRUME_VIEWER_WINDOW_WINDOW_STATE_H
#define BRUME_VIEWER_WINDOW_WINDOW_STATE_H

#include "core/error.h"
#include "viewer/controls/controls.h"
#include "viewer/controls/panel_state.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct BrumeWindowState {
    bool has_position;
    int x, y;          ///< upper left corner of the window [desktop points]
    int width, height; ///< of the window [points], 320 x 240 to 16384 x 16384
    bool fullscreen, panel, hud;
    bool light;      ///< light colors
    float ui_scale;  ///< as in BrumeControls
    float fly_speed; ///< [m/s]; 0: not set
    BrumePictureControls picture;
    BrumeExportControls exports; ///< without the frames of jobs
    BrumeRecentFiles recent;     ///< the file that was opened last is the first
    BrumePanelState panel_state;
    char folder[BRUME_VIEWER_PATH]; ///< folder from which a scene was opened last; "": none
} BrumeWindowState;

/** The area of a screen [desktop points]. */
typedef struct BrumeScreenArea {
    int x, y, width, height;
} BrumeScreenArea;

/** A window of 1280 x 720 without a position, with panel and HUD, dark and at scale 1. */
BrumeWindowState brume_default_window_state(void);

/**
 * Writes the file's path to `path` (`size` bytes). False if neither variable is set to an absolute path, or the path is
 * too long.
 */
bool brume_window_state_path(char *path, size_t size);

/** Writes the path of the folder `name` next to this file to `folder`. False without a file, or if it is too long. */
bool brume_window_state_folder(const char *path, const char *name, char *folder, size_t size);

/**
 * Reads the file. Missing and invalid values are set to their defaults. `error`, which may be NULL, gets one line on an
 * invalid file or on its first invalid value; otherwise its status is BRUME_OK, also without a file.
 */
BrumeWindowState brume_window_state_load(const char *path, BrumeError *error);

/** Writes the file and creates its folders. BRUME_FAILED with the system's message; the old file is unchanged then. */
BrumeStatus brume_window_state_save(const BrumeWindowState *state, const char *path, BrumeError *error);

/** Whether enough of the window's title bar lies on one of the screens for the user to drag it. */
bool brume_window_state_is_reachable(const BrumeWindowState *state, const BrumeScreenArea *screens, int count);

#endif

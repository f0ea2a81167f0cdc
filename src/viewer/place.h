/**
 * @file place.h
 * What the window remembers from one time to the next, in $XDG_STATE_HOME/brume/viewer.yaml, or
 * ~/.local/state/brume/viewer.yaml where that is not set (XDG Base Directory Specification 0.8).
 */
#ifndef BRUME_VIEWER_PLACE_H
#define BRUME_VIEWER_PLACE_H

#include "core/error.h"
#include "viewer/controls.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct BrumePlace {
    bool has_position;
    int x, y;          ///< upper left corner of the window [points of the desktop]
    int width, height; ///< of the window [points], 320 x 240 to 16384 x 16384
    bool fullscreen, panel, hud;
    float fly_speed;                ///< [m/s]; 0: not chosen yet
    char folder[BRUME_VIEWER_PATH]; ///< that a scene was last opened from; "" for none
} BrumePlace;

/** A part of the desktop [points]. */
typedef struct BrumeScreen {
    int x, y, width, height;
} BrumeScreen;

/** A window of 1280 x 720 anywhere, with panel and HUD. */
BrumePlace brume_default_place(void);

/** The file's path; false where neither variable is set to an absolute path, or there is not enough room. */
bool brume_place_path(char *path, size_t room);

/** Reads the file. What is not there or makes no sense is as by default: a broken file is no error. */
BrumePlace brume_place_load(const char *path);

/** Writes the file whole, and the folders that it lies in. BRUME_FAILED with the system's reason. */
BrumeStatus brume_place_save(const BrumePlace *place, const char *path, BrumeError *error);

/** Whether enough of a window's title bar lies on one of the screens to take hold of it. */
bool brume_place_is_reachable(const BrumePlace *place, const BrumeScreen *screens, int count);

#endif

/**
 * @file volume_opener.h
 * How a window that simulates opens volumes, and one that plays them a scene: by a window that takes its place.
 */
#ifndef BRUME_VIEWER_VOLUME_OPENER_H
#define BRUME_VIEWER_VOLUME_OPENER_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

/** Filled by the program that opens the viewer. */
typedef struct BrumeVolumeOpener {
    /** Whether a path is one of volumes rather than of a scene. */
    bool (*may_be_volumes)(const char *path);
    /** Writes the pattern of the volumes of a path to `pattern`. BRUME_BAD_INPUT where there are none to be read. */
    BrumeStatus (*find_volumes)(const char *path, char *pattern, size_t size, BrumeError *error);
    char *next; ///< gets the path (BRUME_VIEWER_PATH bytes) for which the window was closed; "" for none
} BrumeVolumeOpener;

#endif

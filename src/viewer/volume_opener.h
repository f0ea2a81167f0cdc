/**
 * @file volume_opener.h
 * Opens volumes in a window that simulates, or a scene in one that plays volumes: another window replaces it.
 */
#ifndef BRUME_VIEWER_VOLUME_OPENER_H
#define BRUME_VIEWER_VOLUME_OPENER_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

/** The program that opens the viewer fills this struct. */
typedef struct BrumeVolumeOpener {
    /** Whether a path may name volumes rather than a scene. */
    bool (*may_be_volumes)(const char *path);
    /** Writes the pattern of the volumes of a path to `pattern`. BRUME_BAD_INPUT where there are none. */
    BrumeStatus (*find_volumes)(const char *path, char *pattern, size_t size, BrumeError *error);
    char *next; ///< receives the path (BRUME_VIEWER_PATH bytes) for which the window was closed; "" for none
} BrumeVolumeOpener;

#endif

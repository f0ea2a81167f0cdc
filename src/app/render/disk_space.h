/**
 * @file disk_space.h
 * The free space of the file systems of outputs, and the space that outputs need.
 */
#ifndef BRUME_APP_RENDER_DISK_SPACE_H
#define BRUME_APP_RENDER_DISK_SPACE_H

#include "app/cli/messages.h"
#include "app/cli/paths.h"
#include "core/error.h"

#include <stdbool.h>
#include <sys/types.h>

/** The file system of a path. */
typedef struct BrumeDisk {
    dev_t device;
    double free_bytes;           ///< space for the user, without regard to quotas
    char folder[BRUME_MAX_PATH]; ///< the nearest folder of the path that exists, for messages
} BrumeDisk;

/** For a new block of a growing file and for the entries of its folder [bytes]. */
enum { BRUME_DISK_SLACK = 16384 };

/** The space that an output needs [bytes]. */
typedef struct BrumeDiskNeed {
    const char *path; ///< the output, or a file in its folder; NULL: none
    double least;     ///< a lower bound
    double most;      ///< an upper bound
} BrumeDiskNeed;

/** The file system on which the needs exceed the free space most. */
typedef struct BrumeDiskShortage {
    BrumeDisk disk;
    double needed; ///< the sum of the bounds on this file system [bytes]
} BrumeDiskShortage;

/**
 * Finds the file system of a path from its nearest folder that exists. False where it or its free space is unknown, and
 * where the path is a device or a pipe.
 */
bool brume_disk_find(const char *path, BrumeDisk *disk);

/**
 * Whether the sum of the needs on a file system exceeds its free space: the sum of upper bounds with `upper`, otherwise
 * of lower bounds.
 */
bool brume_disk_falls_short(const BrumeDiskNeed *needs, int count, bool upper, BrumeDiskShortage *shortage);

/** Fails with BRUME_FAILED and a text such as "out has 2 GB free, and the next frames need 3 GB"; `what` is the middle.
 */
BrumeStatus brume_fail_disk_shortage(BrumeError *error, const BrumeDiskShortage *shortage, const char *what);

/**
 * Compares the needs of a whole run with the free space: fails with BRUME_FAILED where the lower bounds exceed it, and
 * prints a warning where only the upper bounds do.
 */
BrumeStatus brume_disk_check(const BrumeDiskNeed *needs, int count, BrumeMessages *messages, BrumeError *error);

#endif

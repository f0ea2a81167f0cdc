/**
 * @file view.h
 * The command `view` in two parts: its options, which every build has, and the function that runs it.
 */
#ifndef BRUME_APP_VIEW_H
#define BRUME_APP_VIEW_H

#include "app/cli/args.h"
#include "app/volumes/drawn_volume.h"
#include "viewer/viewer.h"

/** A size on the disk. */
typedef struct BrumeDiskOption {
    bool given;
    size_t bytes;
} BrumeDiskOption;

/** The options of `brume view`. */
typedef struct BrumeViewOptions {
    BrumeCommonOptions common; ///< size: the last session's if it is not given
    BrumeViewerRenderer renderer;
    bool paused, fullscreen, plain;
    double slow; ///< [ms]
    const char *look;
    size_t memory;                          ///< for volumes, or for the past of a simulation [bytes]; 0: not given
    BrumeDiskOption disk;                   ///< for the past of a simulation
    char density_grid[BRUME_MAX_GRID_NAME]; ///< of volumes; empty: found by names
    bool watch;
    const char *stats;
    const char *controls;
    const char *log_pictures;
} BrumeViewOptions;

/**
 * Runs the command with the whole command line of the program; returns the exit status. view.c opens the window;
 * view_exec.c, which is part of the program without a viewer, replaces the process by the viewer's program.
 */
int brume_run_view(const BrumeCommand *command, int argc, char **argv);

#endif

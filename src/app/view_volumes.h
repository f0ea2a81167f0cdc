/**
 * @file view_volumes.h
 * Volume files as the frames that the viewer plays. There is one sequence in the process.
 */
#ifndef BRUME_APP_VIEW_VOLUMES_H
#define BRUME_APP_VIEW_VOLUMES_H

#include "app/cli/args.h"
#include "core/error.h"
#include "viewer/playback/stored_frames.h"

/** The shown volumes and their look. The texts must outlive the sequence. */
typedef struct BrumeViewedVolumesDef {
    const char *pattern;      ///< as "cache/plume.####.hdf", or the path of one file
    const char *look;         ///< file of a scene; NULL: the scene of the first volume, or a look that fits it
    const char *density_grid; ///< grid that is drawn as the density; empty: found by names
    BrumeTextList overrides;
    size_t memory;        ///< for volumes [bytes]; 0: a quarter of the physical memory
    bool watch;           ///< volumes that appear later are added
    const char *stats;    ///< file that is written later and must not be an input; NULL: none
    const char *controls; ///< file for the positions of the controls; NULL: none
} BrumeViewedVolumesDef;

/**
 * Finds the files of a pattern, and the look that fits the first one. With `def->watch` it waits for the first file.
 * BRUME_BAD_INPUT where there is no file and where the look is not valid, BRUME_INTERRUPTED where a signal ends the
 * wait, and all errors of reading the first file.
 */
BrumeStatus brume_viewed_volumes_open(BrumeViewerSequence *sequence, const BrumeViewedVolumesDef *def,
                                      BrumeError *error);

/**
 * Frees everything after the viewer has returned. Where a file is still being read, which may take long, the process
 * ends at once with the exit status `status`. Nothing was opened: does nothing.
 */
void brume_viewed_volumes_close(int status);

#endif

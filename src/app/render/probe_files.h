/**
 * @file probe_files.h
 * The CSV files of a scene's probes, one for each.
 */
#ifndef BRUME_APP_RENDER_PROBE_FILES_H
#define BRUME_APP_RENDER_PROBE_FILES_H

#include "app/cli/paths.h"
#include "brume/scene.h"
#include "brume/sim.h"
#include "core/error.h"
#include "io/line_file.h"

typedef struct BrumeProbeFiles {
    const BrumeScene *scene;
    int count; ///< open files
    BrumeLineFile files[BRUME_MAX_PROBES];
    BrumeProbeSample *samples; ///< of one probe
    size_t capacity;           ///< of `samples`
} BrumeProbeFiles;

/** Writes the path of a probe's file in `folder` to `path`. Fails with BRUME_BAD_INPUT if it is too long. */
BrumeStatus brume_probe_file_path(const BrumeProbe *probe, const char *folder, char path[BRUME_MAX_PATH],
                                  BrumeError *error);

/** Fails with BRUME_BAD_INPUT if the file of a probe exists in `folder`, or if its path is too long. */
BrumeStatus brume_probe_files_check_free(const BrumeScene *scene, const char *folder, BrumeError *error);

/**
 * Creates the files in `folder`, which is made, with their headers; `scene` must outlive them. Files that exist are
 * replaced with `overwrite`, and an error without; or with `ends` (one for each probe; NULL: none) they are continued
 * after this number of bytes. Fails as brume_line_file_open and brume_line_file_continue do; brume_probe_files_destroy
 * is allowed then.
 */
BrumeStatus brume_probe_files_create(BrumeProbeFiles *probes, const BrumeScene *scene, const char *folder,
                                     const long long *ends, bool overwrite, BrumeError *error);

/**
 * Writes the values of the present state for the probes that measure this frame, or the last frame if `last`.
 * BRUME_FAILED without memory or where lines cannot be written.
 */
BrumeStatus brume_probe_files_add(BrumeProbeFiles *probes, BrumeSim *sim, bool last, BrumeError *error);

/** Flushes what was written to the disk. BRUME_FAILED with the system's reason. */
BrumeStatus brume_probe_files_flush(BrumeProbeFiles *probes, BrumeError *error);

/** Closes the files. BRUME_FAILED where their last lines did not reach the disk. All zero is allowed. */
BrumeStatus brume_probe_files_close(BrumeProbeFiles *probes, BrumeError *error);

/** Closes the files and frees the memory. All zero is allowed. */
void brume_probe_files_destroy(BrumeProbeFiles *probes);

#endif

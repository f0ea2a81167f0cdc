/**
 * @file run_checks.h
 * The checks before a run allocates memory or writes a file.
 */
#ifndef BRUME_APP_RUN_RUN_CHECKS_H
#define BRUME_APP_RUN_RUN_CHECKS_H

#include "app/run/run_state.h"

/**
 * Reads the scene run->info.scene_path with the overrides of the command line, and resolves the requested frames. Fails
 * as brume_load_scene_argument and brume_frames_resolve do.
 */
BrumeStatus brume_run_load_scene(BrumeSceneRun *run, BrumeError *error);

/**
 * Reads the pattern of the images and checks that no output replaces a file that it must not replace. BRUME_BAD_INPUT,
 * with a text that names the file and the remedy.
 */
BrumeStatus brume_run_check_outputs(BrumeSceneRun *run, BrumeError *error);

/** Checks the tables and the log alone; before the scene is loaded, without the files of its probes. */
BrumeStatus brume_run_check_tables(const BrumeSceneRun *run, BrumeError *error);

/** Fills `error` for a run without an output. Returns BRUME_BAD_INPUT. */
BrumeStatus brume_fail_no_images(BrumeError *error);

/** BRUME_FAILED where the run needs more memory than there is or is allowed. The number of threads must be set. */
BrumeStatus brume_run_check_memory(const BrumeSceneRun *run, BrumeError *error);

#endif

/**
 * @file run_checks.h
 * What is checked before a run allocates memory or writes a file.
 */
#ifndef BRUME_APP_RUN_RUN_CHECKS_H
#define BRUME_APP_RUN_RUN_CHECKS_H

#include "app/run/run_state.h"

/**
 * Reads the scene run->info.scene_path with the overrides of the command line. Fails as brume_load_scene_argument does.
 */
BrumeStatus brume_run_load_scene(BrumeSceneRun *run, BrumeError *error);

/**
 * Reads the pattern of the images and checks that no output replaces what it must not. BRUME_BAD_INPUT, with a text
 * that names the file and the remedy.
 */
BrumeStatus brume_run_check_outputs(BrumeSceneRun *run, BrumeError *error);

/** BRUME_FAILED where the run needs more memory than there is or is allowed. The number of threads must be set. */
BrumeStatus brume_run_check_memory(const BrumeSceneRun *run, BrumeError *error);

#endif

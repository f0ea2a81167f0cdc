/**
 * @file run_start.h
 * The start of a run: checkpoints, simulation, images and tables.
 */
#ifndef BRUME_APP_RUN_RUN_START_H
#define BRUME_APP_RUN_RUN_START_H

#include "app/run/run_state.h"

/**
 * Opens all outputs, so that one that cannot be written fails before the simulation, and creates the simulation or
 * restores it from a checkpoint. Fails with BRUME_BAD_INPUT or BRUME_FAILED.
 */
BrumeStatus brume_run_start(BrumeSceneRun *run, BrumeError *error);

#endif

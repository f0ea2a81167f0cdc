/**
 * @file volume_source.h
 * The volume files that a run of `brume render` draws in place of the states of a simulation.
 */
#ifndef BRUME_APP_RUN_VOLUME_SOURCE_H
#define BRUME_APP_RUN_VOLUME_SOURCE_H

#include "app/run/run_state.h"

/** Whether the operand of `render` names volumes, by its extension; a .ply file is one where it has points alone. */
bool brume_names_volumes(const char *operand);

/**
 * Finds the requested frames of the volumes run->info.scene_path, with --watch also later ones, reads the first file,
 * and loads the look as the scene of the run, without its probes. BRUME_BAD_INPUT for options that need a simulation,
 * and where a file is missing; BRUME_INTERRUPTED after a signal while it waits.
 */
BrumeStatus brume_run_open_volumes(BrumeSceneRun *run, BrumeError *error);

/**
 * Starts to read the file of a frame in the background, with --watch as soon as it exists: until then it waits. The one
 * before must have been taken.
 */
BrumeStatus brume_volume_source_start(BrumeSceneRun *run, int frame, BrumeError *error);

/**
 * Waits for the file, which becomes the present one. Fails as brume_drawn_volume_read does; there is no present one
 * then.
 */
BrumeStatus brume_volume_source_take(BrumeVolumeSource *source, BrumeError *error);

/** Returns the state of the present file, the file of `frame`. Warns, once in a run, of grids that its look lacks. */
BrumeStatus brume_volume_source_state(BrumeSceneRun *run, int frame, BrumeDrawnState *state, BrumeError *error);

/** Frees what the source holds. All zero is allowed. */
void brume_volume_source_destroy(BrumeVolumeSource *source);

#endif

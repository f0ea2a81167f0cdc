/**
 * @file scene_load.h
 * Loads scenes into the viewer.
 */
#ifndef BRUME_VIEWER_SCENE_LOAD_H
#define BRUME_VIEWER_SCENE_LOAD_H

#include "core/error.h"

struct BrumeViewer;

/**
 * Reads a scene and replaces the current one, or starts the simulation thread with it; for a sequence, reads its look.
 * Fails as brume_scene_load and brume_simulation_thread_create, or BrumeViewerSequence.load_look, do; the current scene
 * is not replaced then.
 */
BrumeStatus brume_viewer_load_scene(struct BrumeViewer *viewer, const char *path, const char *const *overrides,
                                    int count, BrumeError *error);

#endif

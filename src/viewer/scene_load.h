/**
 * @file scene_load.h
 * Loads scenes into the viewer. They are read in the thread of its file queue.
 */
#ifndef BRUME_VIEWER_SCENE_LOAD_H
#define BRUME_VIEWER_SCENE_LOAD_H

#include "brume/scene.h"

struct BrumeViewer;

/**
 * Replaces the current scene by one that was read, which it takes over, or starts the simulation thread with it. Fails
 * as brume_simulation_thread_create does; the scene is freed then, and the current one is not replaced.
 */
BrumeStatus brume_viewer_use_scene(struct BrumeViewer *viewer, BrumeScene *scene, const char *path, BrumeError *error);

/** Reads the look of a sequence. Fails as BrumeViewerSequence.load_look does. */
BrumeStatus brume_viewer_load_look(struct BrumeViewer *viewer, BrumeError *error);

/**
 * Requests a scene from the file queue, the first one with the overrides of the program; waits a short time, so that
 * a scene without large files is read when it returns. Fails as brume_file_queue_request_scene does.
 */
BrumeStatus brume_viewer_request_scene(struct BrumeViewer *viewer, const char *path, BrumeError *error);

/**
 * Uses the first scene. While it is read, a window has a line with the name of its files; without a window, returns at
 * once. Leaves `viewer->scene` NULL where it is not read yet, or where the user closes the window. Fails as
 * brume_scene_load and brume_viewer_use_scene do.
 */
BrumeStatus brume_viewer_await_scene(struct BrumeViewer *viewer, BrumeError *error);

#endif

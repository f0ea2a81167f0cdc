/**
 * @file saved_scene.h
 * The scene that is saved: what the window shows, as a scene file has it.
 */
#ifndef BRUME_VIEWER_SAVED_SCENE_H
#define BRUME_VIEWER_SAVED_SCENE_H

#include "brume/scene.h"
#include "core/error.h"
#include "viewer/threads/simulation_thread.h"

struct BrumeViewer;

/**
 * Allocates the scene that computes the state of `replay`, whose timeline it takes over, or with NULL, that of the
 * sequence which is played; with the present look and the camera of `viewer->saver`. All else that it points to belongs
 * to the viewer. BRUME_FAILED without memory; the timeline stays the replay's then.
 */
BrumeStatus brume_viewer_make_saved_scene(const struct BrumeViewer *viewer, const BrumeReplay *replay,
                                          BrumeScene **scene, BrumeError *error);

/**
 * The scene of the present settings, look and camera as text, without the strokes so far; to be freed with brume_free.
 * BRUME_FAILED without memory.
 */
BrumeStatus brume_viewer_scene_text(const struct BrumeViewer *viewer, char **text, BrumeError *error);

#endif

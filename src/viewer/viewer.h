/**
 * @file viewer.h
 * A window in which the smoke of a scene lives while one flies through it, stirs it and turns its knobs.
 */
#ifndef BRUME_VIEWER_VIEWER_H
#define BRUME_VIEWER_VIEWER_H

#include "brume/scene.h"
#include "core/error.h"
#include "viewer/panel/panel.h"

#include <stdbool.h>

typedef enum BrumeViewerRenderer {
    BRUME_VIEWER_AUTO, ///< OpenGL, or the CPU raymarcher where OpenGL is software
    BRUME_VIEWER_CPU,
    BRUME_VIEWER_GL,
} BrumeViewerRenderer;

typedef struct BrumeViewerDef {
    const char *scene_path;
    const char *const *overrides; ///< of the first scene, as brume_scene_load takes them
    int override_count;
    BrumePresets presets;
    BrumeViewerRenderer renderer;
    int threads;                    ///< of each of the two teams, the solver's and the picture's
    int width, height;              ///< of the window [points]; 0: as it was left, or 1280 x 720
    bool paused, fullscreen, plain; ///< plain: without panel and HUD at first
    double least_frame_ms;          ///< a simulated frame is made to take at least this [ms]
    const char *stats;              ///< file for rates and latencies at the end, NULL for none
} BrumeViewerDef;

/**
 * Opens the window and stays until it is closed. BRUME_BAD_INPUT for a scene that cannot be read, BRUME_FAILED without
 * a display, OpenGL 3.3 or memory.
 */
BrumeStatus brume_viewer_run(const BrumeViewerDef *def, BrumeError *error);

#endif

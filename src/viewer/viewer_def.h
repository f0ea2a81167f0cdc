/**
 * @file viewer_def.h
 * The content and the options of the viewer.
 */
#ifndef BRUME_VIEWER_VIEWER_DEF_H
#define BRUME_VIEWER_VIEWER_DEF_H

#include "brume/scene.h"
#include "viewer/panel/panel.h"
#include "viewer/playback/stored_frames.h"
#include "viewer/threads/file_writers.h"
#include "viewer/volume_opener.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The initial renderer. */
typedef enum BrumeViewerRenderer {
    BRUME_VIEWER_AUTO, ///< OpenGL, or the CPU ray marcher where OpenGL runs in software
    BRUME_VIEWER_CPU,
    BRUME_VIEWER_GL,
} BrumeViewerRenderer;

/** The content and the options; the comments of members define 0 and NULL. */
typedef struct BrumeViewerDef {
    const BrumeViewerSequence *sequence; ///< frames to play; NULL: a scene is simulated
    const char *scene_path;
    const char *const *overrides; ///< of the first scene, as in brume_scene_load
    int override_count;
    BrumePresets presets;
    const BrumeSceneReaders *readers; ///< readers of the files that scenes name
    const BrumeFileWriters *writers;  ///< writers of volume files and videos; NULL: there are none
    const char *looks; ///< folder with the installed presets of looks, in `media` and `lights`; NULL for none
    BrumeViewerRenderer renderer;
    int threads;                     ///< size of each team: solver, preparation thread, render thread
    int width, height;               ///< size of the window [points]; 0: as in the saved window state, or 1280 x 720
    bool paused, fullscreen, plain;  ///< plain: without panel and HUD at first
    size_t memory;                   ///< memory for stored frames and states of a simulation [bytes]
    uint64_t disk;                   ///< maximum size of the temporary file for frames that exceed it [bytes]; 0: none
    double min_frame_ms;             ///< shortest wall time of a simulated frame, reached by waiting [ms]
    const char *stats;               ///< file for rates and latencies when the window is closed, NULL for none
    const char *controls_file;       ///< file for the positions of controls (controls_file.h), NULL for none
    const char *log_pictures;        ///< folder for a log of the pictures that were shown, NULL for none
    const BrumeVolumeOpener *opener; ///< NULL: the window does not change between scenes and volumes
    bool *unfinished; ///< set where a thread still computes after the window was closed: the program must end with
                      ///< _exit; NULL: brume_viewer_run waits for all threads
    bool (*is_interrupted)(void); ///< whether a signal requests that the window be closed; NULL for never
} BrumeViewerDef;

#endif

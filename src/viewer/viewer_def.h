/**
 * @file viewer_def.h
 * What the viewer shows, and its options.
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

/** The renderer at first. */
typedef enum BrumeViewerRenderer {
    BRUME_VIEWER_AUTO, ///< OpenGL, or the CPU ray marcher where OpenGL runs in software
    BRUME_VIEWER_CPU,
    BRUME_VIEWER_GL,
} BrumeViewerRenderer;

/** What is shown and how; the meaning of 0 and NULL is beside the members. */
typedef struct BrumeViewerDef {
    const BrumeViewerSequence *sequence; ///< frames to play; NULL: a scene is simulated
    const char *scene_path;
    const char *const *overrides; ///< of the first scene, as in brume_scene_load
    int override_count;
    BrumePresets presets;
    const BrumeSceneReaders *readers; ///< of the files that scenes name
    const BrumeFileWriters *writers;  ///< of volume files and videos; NULL: there are none
    const char *looks; ///< folder with the installed presets of looks, in `media` and `lights`; NULL for none
    BrumeViewerRenderer renderer;
    int threads;                     ///< of each team: solver, preparation thread, render thread
    int width, height;               ///< of the window [points]; 0: as in the saved window state, or 1280 x 720
    bool paused, fullscreen, plain;  ///< plain: without panel and HUD at first
    size_t memory;                   ///< for the frames and states of a simulation that are kept [bytes]
    uint64_t disk;                   ///< most bytes of the temporary file for frames that have no room in it; 0: none
    double min_frame_ms;             ///< shortest wall time of a simulated frame, reached by waiting [ms]
    const char *stats;               ///< file for rates and latencies when the window is closed, NULL for none
    const char *controls_file;       ///< tells where the controls are (controls_file.h), NULL for none
    const char *log_pictures;        ///< folder for a log of the pictures that were shown, NULL for none
    const BrumeVolumeOpener *opener; ///< NULL: the window does not change between scenes and volumes
    bool *unfinished; ///< set where a thread still computes after the window was closed: the program must end with
                      ///< _exit; NULL: brume_viewer_run waits for all threads
    bool (*is_interrupted)(void); ///< whether a signal requests that the window be closed; NULL for never
} BrumeViewerDef;

#endif

/**
 * @file viewer_internal.h
 * The viewer's parts, for the files that each do one thing with them. All run in the window's thread.
 */
#ifndef BRUME_VIEWER_VIEWER_INTERNAL_H
#define BRUME_VIEWER_VIEWER_INTERNAL_H

#include "viewer/brush.h"
#include "viewer/panel/panel.h"
#include "viewer/threads/history.h"
#include "viewer/threads/performance_counters.h"
#include "viewer/threads/recorder.h"
#include "viewer/threads/render_thread.h"
#include "viewer/threads/simulation_thread.h"
#include "viewer/viewer.h"
#include "viewer/views/overlay.h"
#include "viewer/window/flight.h"
#include "viewer/window/input.h"
#include "viewer/window/window.h"
#include "viewer/window/window_state.h"

/** Pictures of every simulated frame, and the camera's way meanwhile. */
typedef struct BrumeFilm {
    BrumeRecorder *recorder; ///< while recording
    int frame, epoch;        ///< of the newest picture that was recorded
    int recorded;
    int key_count; ///< of the newest recording, kept after its end
    BrumeCameraKey keys[BRUME_MAX_CAMERA_KEYS];
    int keys_epoch; ///< of the simulation that the keys' times belong to
} BrumeFilm;

typedef struct BrumeViewer {
    const BrumeViewerDef *def;
    BrumeWindowState place;
    char place_path[BRUME_VIEWER_PATH];

    // the scene as its file has it
    BrumeScene *scene;
    char path[BRUME_VIEWER_PATH];
    char stem[64]; ///< that the names of written files start with

    // what does the work
    BrumeWindow *window;
    BrumePanel *panel;
    BrumeOverlay *overlay;
    BrumeSimulationThread *live;
    BrumeRenderThread *canvas;
    BrumeGlRenderer *gl[BRUME_MAX_SIDES];
    uint64_t gl_lit[BRUME_MAX_SIDES];
    double gl_ms;  ///< a picture at full size by OpenGL, running mean [ms]
    int gl_shrink; ///< of the newest picture by OpenGL

    // what the user wants, and what has been passed on of it
    BrumeInput input;
    bool has_bookmark[BRUME_BOOKMARKS];
    BrumeCamera bookmarks[BRUME_BOOKMARKS];
    BrumeControls controls, applied;
    BrumeCommands commands;
    BrumeHistory *history;
    BrumeFilm film;
    BrumeRecorder *shots; ///< of screenshots, NULL before the first
    bool saving;          ///< a record has been asked for
    char save_path[BRUME_VIEWER_PATH];
    BrumeCamera save_camera;

    // what is so
    BrumeFacts facts;
    BrumeSnapshot snapshot; ///< facts of what is seen; without fields
    const BrumeRenderedPicture *picture;
    double message_at; ///< clock of the newest message [s]
    char refusal[600]; ///< newest error of the simulation that was told
    BrumePerformanceCounters meter;
    bool hidden;       ///< the window has no area: nothing is drawn
    bool fresh;        ///< a new picture of the smoke has not been shown yet
    bool stale;        ///< the window does not show what is so
    double moved;      ///< clock at which what is seen last moved [s]
    bool input_is_new; ///< `input_at` is of this turn
    double input_at;   ///< clock of an input whose picture has not been shown, 0 for none [s]
} BrumeViewer;

/** The part of the framebuffer that the picture of the smoke fills. */
BrumeRect brume_viewer_rect(const BrumeViewer *viewer);

/** Tells the user something, in the window. */
void brume_viewer_say(BrumeViewer *viewer, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// document.c: scenes in and out
/** Reads a scene and lets it live, in the place of what there is; without success all stays. */
BrumeStatus brume_viewer_open(BrumeViewer *viewer, const char *path, const char *const *overrides, int count,
                              BrumeError *error);
/** Asks for what has been done so far, to be written as a scene file; brume_viewer_finish_save writes it. */
void brume_viewer_save(BrumeViewer *viewer, const char *path);
void brume_viewer_finish_save(BrumeViewer *viewer);

// stage.c: the picture of the smoke and what is drawn over it
void brume_viewer_draw_stage(BrumeViewer *viewer);
/** What lies under a point of the picture: shares of its width and height from the upper left corner. */
BrumePick brume_viewer_pick(BrumeViewer *viewer, float x, float y);

// film.c: screenshots and recordings
/** Writes what is in the framebuffer. */
void brume_viewer_shoot(BrumeViewer *viewer);
/** Starts a recording, or ends it. */
void brume_viewer_film(BrumeViewer *viewer);
/** Adds the picture in the framebuffer to the recording, if it is one that is due. */
void brume_viewer_film_picture(BrumeViewer *viewer);
void brume_viewer_end_film(BrumeViewer *viewer);

// conduct.c: from controls and commands to simulation and pictures
void brume_viewer_conduct(BrumeViewer *viewer);

#endif

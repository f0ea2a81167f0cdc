/**
 * @file viewer_state.h
 * The state of the viewer. It belongs to the window thread, as do all functions in the files of this folder
 * (apply_controls, present, capture, scene_saver, sequence, past).
 */
#ifndef BRUME_VIEWER_VIEWER_STATE_H
#define BRUME_VIEWER_VIEWER_STATE_H

#include "viewer/animation/flight.h"
#include "viewer/controls/undo_history.h"
#include "viewer/dialogs/system_dialog.h"
#include "viewer/file_queue.h"
#include "viewer/files/kept_files.h"
#include "viewer/gl_picture.h"
#include "viewer/history/frame_history.h"
#include "viewer/looks/look_catalog.h"
#include "viewer/looks/look_thumbnails.h"
#include "viewer/opened_meshes.h"
#include "viewer/opened_skies.h"
#include "viewer/panel/panel.h"
#include "viewer/performance_counters.h"
#include "viewer/scene_writer.h"
#include "viewer/shown_pictures.h"
#include "viewer/threads/picture_thread.h"
#include "viewer/threads/playback_thread.h"
#include "viewer/threads/render_thread.h"
#include "viewer/threads/simulation_thread.h"
#include "viewer/threads/state_source.h"
#include "viewer/viewer_def.h"
#include "viewer/window/input.h"
#include "viewer/window/overlay.h"
#include "viewer/window/window.h"

/** The scene that was opened, or the look of a sequence. */
typedef struct BrumeOpenedScene {
    char file_stem[64];         ///< start of the names of written files
    BrumeScene **former_scenes; ///< earlier scenes: the threads may still draw the samples of their bodies
    int former_count;
    bool awaits_picture; ///< there is no picture of the scene yet
    int former_epoch;    ///< epoch of the states of the previous scene
} BrumeOpenedScene;

/** Presets of looks, and the request for their thumbnails. */
typedef struct BrumeLookPresets {
    BrumeLookCatalog catalog;
    BrumeLookThumbnails *thumbnails;  ///< NULL where they could not be started
    BrumeThumbnailRequest request;    ///< the latest one
    unsigned revision;                ///< revision of the catalog in the request
    int frame, epoch, shown_revision; ///< state in the request
    double requested_at;              ///< clock [s]
} BrumeLookPresets;

/** The renderers of OpenGL. */
typedef struct BrumeViewerGl {
    BrumeGlRenderer *renderers[BRUME_MAX_VARIANTS];
    uint64_t view_serial[BRUME_MAX_VARIANTS]; ///< serial of the prepared view in each
    BrumeGlPicture picture;
    BrumeOverlay *overlay;
} BrumeViewerGl;

/** The past of a simulation (past.h). Zeroed, there is none: a sequence is played. */
typedef struct BrumePast {
    BrumeFrameHistory *history;
    BrumeFrameHistoryStatus status; ///< of the latest iteration
    bool shown;                     ///< a frame of the past is shown
    bool going_back;                ///< the simulation is going back to the shown frame
} BrumePast;

/** A stored camera that a key restores. */
typedef struct BrumeBookmark {
    bool is_set;
    BrumeCamera camera;
} BrumeBookmark;

/** The steps for which frames are still computed (undo.h). Zeroed, there are none. */
typedef struct BrumeUndoSteps {
    int undone;        ///< number of undone steps minus redone or added ones
    bool goes_on;      ///< the first step continued from an earlier frame
    unsigned position; ///< position in the undo history after the latest step; 0: none
} BrumeUndoSteps;

/** The values and the camera of the window that follow keys (animate.h). Zeroed, there are none. */
typedef struct BrumeWindowAnimation {
    double time;              ///< time of the animated values [s]; NAN: none
    BrumeAnimation animation; ///< animation that determined them
    bool keys_changed;        ///< keys changed since the latest restart: its states differ from the scene's
    bool is_following;        ///< the camera is `followed_camera`, from its keys
    BrumeCamera followed_camera;
    bool is_flying; ///< the camera's motion is recorded
    int flight_epoch;
    BrumeFlight flight;
} BrumeWindowAnimation;

/** The area of a body's projection, which takes time to compute. */
typedef struct BrumeFrontalArea {
    BrumeShape shape;
    BrumeVec3 direction;
    float area; ///< [m^2]; 0: none was computed
} BrumeFrontalArea;

/** The latest recording. */
typedef struct BrumeViewerRecording {
    bool active; ///< frames are added
    BrumeRecordingDef def;
    int width, height; ///< of a video [pixels]
    int frame, epoch;  ///< number and epoch of the latest frame from the framebuffer
    int number;        ///< in the name of its folder or video
} BrumeViewerRecording;

/** The pictures and the recording. Zeroed, there are none. */
typedef struct BrumeCapture {
    BrumePictureStatus status; ///< of the latest iteration
    BrumeViewerRecording recording;
    int number;                               ///< number of the latest file, 0: none
    bool awaits_framebuffer;                  ///< a picture is to be read from the framebuffer when it has full quality
    char framebuffer_path[BRUME_VIEWER_PATH]; ///< its file; "" for the next numbered one
} BrumeCapture;

struct BrumeViewer;

/** The destination of a saved scene. */
typedef enum BrumeSaveDestination {
    BRUME_SAVE_NOTHING, ///< none is being saved
    BRUME_SAVE_FILE,    ///< a file of the user
    BRUME_SAVE_JOB,     ///< the file of a job
    BRUME_SAVE_KEPT,    ///< the automatic file of unsaved edits
} BrumeSaveDestination;

/** The automatic file of unsaved edits. */
typedef struct BrumeKeptScene {
    char folder[BRUME_RECENT_PATH]; ///< "": none is kept
    char path[BRUME_RECENT_PATH];   ///< its file; "" before the first edit
    unsigned saved_position;        ///< position in the undo history without unsaved edits, or that is in the file
    unsigned seen;                  ///< position in the previous iteration
    double edited_at, kept_at;      ///< clocks of the latest edit, and of the file [s]
    bool failed;                    ///< the file could not be written, and a message was shown
    BrumeKeptFiles files;           ///< files of other scenes
} BrumeKeptScene;

/** A scene that is being saved: the replay of the simulation has been requested, and is then written. */
typedef struct BrumeSceneSaver {
    BrumeSaveDestination destination;
    char path[BRUME_VIEWER_PATH];
    BrumeCamera camera;                       ///< camera of its last frame
    int frames;                               ///< frames of the scene; 0: as many as were simulated
    bool is_past;                             ///< it ends with an earlier frame than the present one
    unsigned position;                        ///< in the undo history
    char message[2 * BRUME_VIEWER_PATH + 64]; ///< message for the user when it is saved
    void (*start_job)(struct BrumeViewer *);  ///< called when it is saved for a job
    BrumeSceneWriter writer;                  ///< active after its replay is ready
    BrumeKeptScene kept;
} BrumeSceneSaver;

/** The jobs. Zeroed, there are none. */
typedef struct BrumeExports {
    BrumeJobList jobs;
    bool wants_render, wants_simulation; ///< a job is to be composed when no scene is being saved
    BrumeJobDef saved_job;               ///< job whose scene is being saved
    char saved_job_text[64];             ///< "render of frames 1 to 144"
    BrumeProcess folder_opener;          ///< shows the folder of a job; pid 0: none runs
} BrumeExports;

typedef struct BrumeViewer {
    BrumeViewerDef def;        ///< options of the program
    char controls_text[65536]; ///< content of the file of controls_file.h
    BrumeWindowState window_state;
    char window_state_path[BRUME_VIEWER_PATH];

    BrumeScene *scene; ///< as it was loaded
    BrumeOpenedScene opened;
    BrumeOpenedSkies skies;   ///< opened by the panel, by presets, or dropped on the window
    BrumeOpenedMeshes meshes; ///< of bodies that were added
    BrumeFileQueue file_queue;
    BrumeLookPresets looks;

    // parts
    BrumeWindow *window;
    BrumePanel *panel;
    BrumeViewerGl gl;
    BrumeStateSwitch states;                  ///< shown states: of the two threads below, or of the past
    BrumeSimulationThread *simulation_thread; ///< NULL where a sequence is played
    BrumePlaybackThread *player;              ///< of the sequence, or of the past of the simulation
    BrumePast past;                           ///< of the simulation
    BrumeRenderThread *render_thread;
    BrumePictureThread *picture_thread;

    // the controls that the user sets, and the applied ones
    BrumeInput input;
    BrumeBookmark bookmarks[BRUME_BOOKMARKS];
    BrumeControls controls, applied;
    BrumeCommands commands;
    BrumeUndoHistory *history;
    BrumeUndoSteps undo_steps;
    int body_edit;            ///< number of the edit of bodies that is not complete; 0: none
    BrumeFrontalArea frontal; ///< of the body that was selected last
    BrumeWindowAnimation keyed;
    BrumeSystemDialog dialog; ///< for files

    // files that are written
    BrumeCapture capture;
    BrumeSceneSaver saver;
    BrumeExports exports;
    bool closing; ///< the window closes when all files are complete

    // the picture and snapshot on the screen
    BrumeReadouts readouts;
    BrumeSnapshot snapshot;              ///< of the latest picture, without fields
    const BrumeRenderedPicture *picture; ///< NULL: none yet, of the program or of a scene that is being opened
    BrumePlaybackStatus timeline;        ///< of the latest iteration, where a sequence is played
    BrumePerformanceCounters counters;
    BrumeShownPictures shown; ///< log of the pictures
    bool has_new_picture;     ///< a picture of the smoke that was not shown yet
    bool needs_redraw;        ///< the window shows something outdated
    double last_motion;       ///< clock of the latest change of camera or smoke [s]
} BrumeViewer;

/** Whether pictures are read from the framebuffer, which therefore shows full quality and no outline. */
bool brume_viewer_reads_framebuffer(const BrumeViewer *viewer);

/**
 * Returns the part of the window for the picture of the smoke: without panel and timeline, so that its middle is
 * visible; the whole window while pictures are read from the framebuffer, which have the window's size.
 */
BrumePictureArea brume_viewer_area(const BrumeViewer *viewer);

/** The same part of the framebuffer, of at least one pixel. */
BrumeRect brume_viewer_rect(const BrumeViewer *viewer);

/** Returns the size of pictures [pixels]: the size that is set, or the window's with or without a panel. */
void brume_viewer_picture_size(const BrumeViewer *viewer, int *width, int *height);

/**
 * Writes the path of the next numbered file in the folder of exports, STEM-0001.EXTENSION or the next after the
 * existing ones, with at least the number `least` (BRUME_VIEWER_PATH bytes). Returns the number.
 */
int brume_viewer_numbered_path(const BrumeViewer *viewer, const char *stem, const char *extension, int least,
                               char *path);

/** Shows a message in the window. */
void brume_viewer_show_message(BrumeViewer *viewer, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Updates the readouts at the clock `now` [s]. */
void brume_viewer_update_readouts(BrumeViewer *viewer, double now);

#endif

/**
 * @file viewer_state.h
 * The state of the viewer. It belongs to the window thread, as do all functions in the files of this folder
 * (apply_controls, present, capture, scene_file, sequence, past).
 */
#ifndef BRUME_VIEWER_VIEWER_STATE_H
#define BRUME_VIEWER_VIEWER_STATE_H

#include "viewer/animation/flight.h"
#include "viewer/controls/undo_history.h"
#include "viewer/files/kept_files.h"
#include "viewer/gl_picture.h"
#include "viewer/history/frame_history.h"
#include "viewer/looks/look_catalog.h"
#include "viewer/looks/look_thumbnails.h"
#include "viewer/opened_skies.h"
#include "viewer/panel/panel.h"
#include "viewer/performance_counters.h"
#include "viewer/scene_save.h"
#include "viewer/scene_writer.h"
#include "viewer/shown_pictures.h"
#include "viewer/threads/picture_thread.h"
#include "viewer/threads/playback_thread.h"
#include "viewer/threads/render_thread.h"
#include "viewer/threads/simulation_thread.h"
#include "viewer/threads/state_source.h"
#include "viewer/volume_opener.h"
#include "viewer/window/input.h"
#include "viewer/window/overlay.h"
#include "viewer/window/window.h"

/** A recording. Zeroed, there is none. */
typedef struct BrumeRecording {
    bool active;    ///< frames are added
    bool finishing; ///< frames that were added are still written
    bool of_pixels; ///< from the framebuffer
    BrumeFileKind kind;
    int width, height;              ///< of a video [pixels]
    int frame, epoch;               ///< of the latest frame from the framebuffer
    int number;                     ///< in the name of its folder or video
    char folder[BRUME_VIEWER_PATH]; ///< or the video
} BrumeRecording;

/** What the frames that are computed again are for. */
typedef enum BrumeUndoStep { BRUME_STEP_UNDO, BRUME_STEP_REDO, BRUME_STEP_GO_ON } BrumeUndoStep;

/** The steps since the latest state that was reached. Zeroed, there are none. */
typedef struct BrumeUndoSteps {
    int count;
    BrumeUndoStep steps[BRUME_UNDO_HISTORY_STATES]; ///< in their order
    unsigned position;                              ///< in the undo history after the latest of them
} BrumeUndoSteps;

/** Presets of looks, and what their thumbnails show. */
typedef struct BrumeLookPresets {
    BrumeLookCatalog catalog;
    BrumeLookThumbnails *thumbnails;  ///< NULL where they could not be started
    BrumeThumbnailRequest request;    ///< the latest one
    unsigned revision;                ///< of the catalog in it
    int frame, epoch, shown_revision; ///< of the state in it
    double requested_at;              ///< clock [s]
} BrumeLookPresets;

/** The past of a simulation (past.h). Zeroed, there is none: a sequence is played. */
typedef struct BrumePast {
    BrumeFrameHistory *history;
    BrumeFrameHistoryStatus status; ///< of the latest iteration
    bool shown;                     ///< a frame of the past is shown
    bool returns;                   ///< it is, until the simulation has gone back to it
} BrumePast;

/** The edits that were not saved, as they are kept (kept_scenes.h). */
typedef struct BrumeKeptScene {
    char folder[BRUME_RECENT_PATH]; ///< "": none is kept
    char path[BRUME_RECENT_PATH];   ///< its file; "" before the first edit
    unsigned kept;                  ///< position in the undo history that was kept or saved, or from which edits count
    unsigned seen;                  ///< position of the iteration before
    double edited_at, kept_at;      ///< clocks of the latest edit, and of the file [s]
    bool failed;                    ///< the file could not be written, which was told
    BrumeKeptFiles files;           ///< of other scenes
} BrumeKeptScene;

typedef struct BrumeViewer {
    // options of the program
    int threads; ///< of each of the two teams
    bool paused_at_start;
    size_t memory;                       ///< for the states and frames of a simulation that are kept [bytes]
    uint64_t disk;                       ///< for frames that have no room in it [bytes]
    double min_frame_ms;                 ///< shortest wall time of a simulated frame [ms]
    const BrumeViewerSequence *sequence; ///< frames to play; NULL: a scene is simulated

    const char *controls_path; ///< of controls_file.h; NULL: none
    char controls_text[65536]; ///< that was written to it

    BrumeWindowState window_state;
    char window_state_path[BRUME_VIEWER_PATH];

    // the scene as it was loaded
    BrumeScene *scene;
    BrumeScene **former_scenes; ///< earlier ones: the threads may still draw the samples of their obstacles
    int former_scene_count;
    BrumeOpenedSkies skies; ///< by the panel, by presets, or dropped on the window
    BrumeLookPresets looks;
    char path[BRUME_VIEWER_PATH];
    char file_stem[64]; ///< start of the names of written files

    // parts
    BrumeWindow *window;
    BrumePanel *panel;
    BrumeOverlay *overlay;
    BrumeStateSwitch states;                  ///< that are shown: of the two threads below, or of the past
    BrumeSimulationThread *simulation_thread; ///< NULL where a sequence is played
    BrumePlaybackThread *player;              ///< of the sequence, or of the past of the simulation
    BrumePast past;                           ///< of the simulation
    BrumeRenderThread *render_thread;
    BrumeGlRenderer *gl[BRUME_MAX_VARIANTS];
    uint64_t gl_view_serial[BRUME_MAX_VARIANTS]; ///< of the prepared view that each holds
    BrumeGlPicture gl_picture;

    // the controls that the user sets, and those that have been applied
    BrumeInput input;
    bool pointer_in_window;
    bool has_bookmark[BRUME_BOOKMARKS];
    BrumeCamera bookmarks[BRUME_BOOKMARKS];
    BrumeControls controls, applied;
    BrumeCommands commands;
    BrumeUndoHistory *history;
    BrumeUndoSteps undo_steps;
    int obstacle_edit;                   ///< number of the edit of obstacles that is not complete; 0: none
    int held_until[BRUME_MAX_OBSTACLES]; ///< frame until which an obstacle is where the user has put it
    BrumePictureThread *picture_thread;
    BrumePictureStatus pictures; ///< of the latest iteration
    BrumeRecording recording;
    int picture_number;                       ///< of the latest file, 0: none
    bool awaits_framebuffer;                  ///< a picture is to be read from the framebuffer when it has full quality
    char framebuffer_path[BRUME_VIEWER_PATH]; ///< its file; "" for the next numbered one
    bool closing;                             ///< the window closes when all pictures are written
    BrumeSceneSave save;                      ///< the scene that is being saved
    BrumeSceneWriter scene_writer;
    BrumeKeptScene kept;

    BrumeSystemDialog dialog;         ///< for files
    const BrumeSceneReaders *readers; ///< of the files that scenes name
    const BrumeVolumeOpener *opener;  ///< NULL: there is none

    // jobs
    const BrumeFileWriters *writers; ///< NULL: there are none
    BrumeJobList jobs;
    bool wants_render, wants_simulation; ///< a job is to be composed when no scene is being saved
    BrumeJobDef saved_job;
    char saved_job_text[64];             ///< "render of frames 1 to 144"
    char opened_path[BRUME_VIEWER_PATH]; ///< of the scene or sequence, absolute; "" where it has none
    BrumeProcess folder_opener;          ///< shows the folder of a job; pid 0: none runs

    // keyframes (animate.h)
    double animated_time;       ///< at which the animated values are [s]; NAN: at none
    BrumeAnimation animated_by; ///< that gave them
    bool keys_changed;          ///< since the latest restart: its states have other values than the scene would give
    bool is_following;          ///< the camera is `followed_camera`, that of its keys
    BrumeCamera followed_camera;
    bool flying; ///< the camera's motion is recorded
    int flight_epoch;
    BrumeFlight flight;

    // the picture and snapshot on the screen
    BrumeReadouts readouts;
    BrumeSnapshot snapshot;              ///< of the latest picture, without fields
    const BrumeRenderedPicture *picture; ///< NULL: none yet, of the program or of a scene that is being opened
    bool opening;                        ///< there is no picture yet of the scene that was opened last
    int former_epoch;                    ///< of the states of the scene before
    double message_at;                   ///< clock of the latest message [s]
    char reported_error[600];            ///< latest error of the simulation that was shown as a message
    BrumePerformanceCounters counters;
    BrumeShownPictures shown;        ///< log of the pictures
    BrumeMeasurements frame_changes; ///< clock of each picture of another frame than the one before [s]
    BrumePlaybackStatus timeline;    ///< of the latest iteration, where a sequence is played
    bool hidden;                     ///< the window is not on the screen: nothing is drawn
    bool has_new_picture;            ///< a picture of the smoke that was not shown yet
    bool needs_redraw;               ///< the window shows something outdated
    double last_motion;              ///< clock of the latest change of camera or smoke [s]
    bool has_new_input;              ///< `pending_input` is of this iteration of the loop
    double pending_input;            ///< clock of an input whose picture was not shown yet, 0 for none [s]
} BrumeViewer;

/** Whether an obstacle that is drawn takes its shape from a volume file: only the CPU renderer draws it. */
bool brume_viewer_has_volume_surface(const BrumeViewer *viewer);

/** Whether pictures are read from the framebuffer, which therefore shows full quality and no outline. */
bool brume_viewer_reads_framebuffer(const BrumeViewer *viewer);

/**
 * The part of the window that the picture of the smoke fills: what panel and timeline leave free, so that its middle is
 * visible; the whole window while pictures are read from the framebuffer, which have its size.
 */
BrumePictureArea brume_viewer_area(const BrumeViewer *viewer);

/** The same part of the framebuffer, of at least one pixel. */
BrumeRect brume_viewer_rect(const BrumeViewer *viewer);

/** Shows a message in the window. */
void brume_viewer_show_message(BrumeViewer *viewer, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Updates the readouts at the clock `now` [s]. */
void brume_viewer_update_readouts(BrumeViewer *viewer, double now);

#endif

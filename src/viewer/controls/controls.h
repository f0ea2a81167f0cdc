/**
 * @file controls.h
 * The data that connects input, panel and viewer: keys, mouse and panel write controls and commands, the viewer applies
 * them and writes the readouts that panel and HUD show. Plain data, used by the window thread alone.
 */
#ifndef BRUME_VIEWER_CONTROLS_CONTROLS_H
#define BRUME_VIEWER_CONTROLS_CONTROLS_H

#include "brume/scene.h"
#include "viewer/animation/keys.h"
#include "viewer/controls/exports.h"
#include "viewer/controls/select_tool.h"
#include "viewer/views/field_view.h"

#include <stdbool.h>
#include <stdint.h>

enum { BRUME_BOOKMARKS = 9, BRUME_VIEWER_PATH = 1024 };

#define BRUME_MIN_UI_SCALE 0.75f
#define BRUME_MAX_UI_SCALE 2.0f

/** What the brush does. */
typedef enum BrumeBrushMode {
    BRUME_BRUSH_SMOKE, ///< adds smoke of one kind, and heat
    BRUME_BRUSH_HEAT,  ///< sets the temperature alone
    BRUME_BRUSH_PUSH,  ///< gives the air the velocity of the pointer
    BRUME_BRUSH_SUCK,  ///< attracts the air to the axis of the view through the pointer, or blows it away
    BRUME_BRUSH_TWIST, ///< turns the air about that axis
    BRUME_BRUSH_ERASE, ///< removes smoke of all kinds, and its heat
    BRUME_BRUSH_MODES
} BrumeBrushMode;

/** What a drag with the left button does to the air. */
typedef struct BrumeBrush {
    BrumeBrushMode mode;
    BrumeBrushMode erases_in_place_of; ///< the mode that the key which selects erasing goes back to
    int kind;                          ///< of the smoke that is added: 0 plain, 1 to 3 the colors
    float radius;                      ///< [m]
    float density;                     ///< [1]
    float heat;                        ///< of the smoke: temperature above ambient [K]
    float temperature;                 ///< of BRUME_BRUSH_HEAT, above ambient or, where it is negative, below [K]
    float erase;                       ///< density that is left at most at half the strength [1]
    float push;                        ///< rate at which the velocity of the air relaxes to that of the brush [1/s]
    float suck;                        ///< largest speed towards the axis [m/s]; negative: away from it
    float twist;                       ///< angular velocity, counterclockwise as the camera sees it [rad/s]
} BrumeBrush;

/** How pictures and recordings are drawn. */
typedef struct BrumePictureControls {
    bool own_size;     ///< otherwise the size of the window's picture
    int width, height; ///< of the own size [pixels], at least 1
    int samples;       ///< rays per pixel, or light paths; 0: those of the scene
} BrumePictureControls;

/** Everything that the user sets. */
typedef struct BrumeControls {
    // simulation and rendering; the variants differ in `sim`, and with `compare_looks` in their render settings
    BrumeSimDef sim[BRUME_MAX_VARIANTS];
    BrumeRenderSettings render_settings;
    BrumeRenderSettings other_look; ///< render settings of the right side while `compare_looks`
    int threads;                    ///< of each team: as BrumeViewerDef.threads
    double speed_limit;             ///< simulated seconds per second of wall time; INFINITY: no limit
    bool running;
    bool loop, backwards; ///< how a sequence of frames is played
    bool scrubbing;       ///< the position on the timeline is being dragged

    // view
    BrumeCamera camera;
    float fly_speed; ///< [m/s]
    BrumeViewKind view;
    bool streamlines;
    float iso_level; ///< density [1]
    bool slice;
    int slice_axis;
    float slice_at;     ///< as a fraction of the box, 0 to 1
    bool cpu;           ///< drawn by the CPU ray marcher, otherwise by OpenGL
    bool box;           ///< the edges of the box are drawn
    bool compare;       ///< two variants side by side
    bool compare_looks; ///< two looks side by side: of one state, or of the two variants
    int edited_variant; ///< the side, 0 or 1, that the panel shows
    float divider;      ///< between the sides, as a fraction of the width
    BrumeBrush brush;

    // the select tool, and what it edits beside the settings
    BrumeSelectTool select;
    BrumePresentObstacles present;
    int surface_of[BRUME_MAX_OBSTACLES]; ///< index in the render settings' surfaces of each obstacle; -1: not drawn

    BrumePictureControls picture;
    BrumeExportControls exports;

    // keyframes; animated members of `sim` and `render_settings` have their values at the time that is shown
    BrumeAnimation animation;
    BrumeCameraPath camera_path;
    bool auto_key;            ///< a change of an animated value sets a key at the time that is shown
    bool follow_path;         ///< the camera follows its keys
    bool curve_editor;        ///< is shown
    float curve_editor_share; ///< its height as a share of the window's
    bool looks_shown; ///< the panel shows the presets of looks, whose thumbnails are drawn; set with every layout

    // window
    bool light;     ///< light colors, otherwise dark ones
    float ui_scale; ///< of panel and HUD, relative to that of the display, BRUME_MIN_UI_SCALE to BRUME_MAX_UI_SCALE
    bool panel, hud, help, fullscreen, vsync;
} BrumeControls;

/** Actions that the user requests once; zeroed after every iteration of the viewer's loop. */
typedef struct BrumeCommands {
    bool quit, reset;
    int advance;          ///< frames to compute, or positions to go on in a sequence, before it pauses
    int timeline_steps;   ///< positions to go on, or back, on the timeline
    bool seek, seek_last; ///< to go there to the frame `seek_frame`, or to the last one, which is the present
    int seek_frame;
    bool go_on, go_on_paused; ///< the simulation goes back to the frame that is shown, and runs on or is paused there
    bool frame_smoke, home, change_projection;
    bool screenshot, record, save;      ///< `record` starts or stops a recording; `save` writes the scene
    bool window_picture;                ///< writes the window with its panel to a file
    bool key;                           ///< sets or removes a key of the value under the pointer, or of the camera
    bool camera_key;                    ///< sets a key of the camera
    bool record_flight;                 ///< starts or stops the recording of the camera's motion as keys
    bool undo, redo, edited;            ///< `edited`: an edit is complete and becomes one step of the undo history
    bool edit_is_dropped;               ///< the latest edit was taken back, and is no step of the undo history
    bool resets;                        ///< that edit resets settings and obstacles together
    bool needs_present;                 ///< an emitter or obstacle was to be edited while another frame is shown
    bool cancel_edit;                   ///< an edit of an obstacle that is not complete is undone
    int bookmark_save, bookmark_recall; ///< 1 to 9, 0 for none
    bool toggle_looks;                  ///< starts the comparison of two looks, or ends it with the selected one
    char open[BRUME_VIEWER_PATH];       ///< scene file to open, "" for none
    char open_sky[BRUME_VIEWER_PATH];   ///< image of the sky to open, "" for none
    char save_as[BRUME_VIEWER_PATH];    ///< file to save to, "" for the next numbered name
    char message[256];                  ///< why something was not done, "" for nothing
    BrumeExportCommands exports;
    BrumeFilePurpose choose;     ///< a dialog for files is to be opened
    int apply_look, remove_look; ///< number of a preset in the list of looks, from 1 on; 0 for none
    char save_look[2][64];       ///< name of a new preset of the present medium, or lights; "" for none
} BrumeCommands;

/** The part of the window that the picture of the smoke fills [points of SDL's events]. */
typedef struct BrumePictureArea {
    float left, top, width, height;
    float scale; ///< of what is drawn with a constant size: that of the display, and that of panel and HUD
} BrumePictureArea;

/** The circle of the brush at the pointer. */
typedef struct BrumeBrushCursor {
    bool shown;
    float x, y, radius; ///< in the window [points]
} BrumeBrushCursor;

/** What the timeline displays: a sequence of frames, or those of the running simulation that are kept. */
typedef struct BrumeTimelineReadouts {
    bool shown;                             ///< a sequence is played
    bool kept;                              ///< frames of the simulation are kept
    bool past;                              ///< one of them is shown, and the simulation pauses
    bool returns;                           ///< the simulation computes its way to the frame that is shown
    int first, last, stride;                ///< positions
    int position, frame;                    ///< the position, and the frame that is shown (0: none)
    bool is_missing, is_broken, is_reading; ///< the frame of the position
    int count;                              ///< files
    const int *numbers;                     ///< their frames, ascending
    const unsigned char *states;            ///< of each: 0 not in memory, 1 in memory, 2 it cannot be read
    int in_memory;
    size_t bytes, budget; ///< of the frames in memory, and the most that they may have
    double fps;           ///< at which the sequence is to be played
    double shown_per_second;
    double read_ms;            ///< to read a frame
    int kept_count;            ///< of the simulation: frames that are kept, in memory and in the temporary file
    uint64_t file_bytes, disk; ///< of the temporary file, and the most that it may have
} BrumeTimelineReadouts;

/** Values that HUD and panel display; written by the viewer. */
typedef struct BrumeReadouts {
    double pictures_per_second; ///< shown by the window
    double renders_per_second;  ///< new pictures of the smoke
    double latency_ms;          ///< from an input to its picture
    double sim_ms, sim_steps;   ///< wall time of a step [ms], and steps of the latest frame
    double mcells_per_second;
    BrumeGrid grid;
    size_t sim_bytes, picture_bytes;
    int threads, iterations;
    bool converged;
    int frame;
    double time;                ///< simulated time [s]
    double prepare_ms, draw_ms; ///< of the latest picture of the smoke [ms]
    int width, height, samples; ///< of that picture
    const char *renderer;       ///< "CPU", or the device's name from OpenGL
    bool recording;
    int recorded;          ///< frames that are written
    int frames_left;       ///< frames that are to be written, also after the recording has ended
    int pictures_left;     ///< single pictures that are to be written
    char preparation[96];  ///< how far the preparation of another grid is; "" for none
    BrumeColorScale scale; ///< of the view
    BrumePictureArea area; ///< of the picture
    BrumeCamera camera;    ///< of the picture that is shown
    bool screenshot;       ///< the picture is written to a file: without messages
    BrumeBrushCursor brush;
    const char *missing; ///< quantity that the view needs and the frames do not have; NULL: none
    BrumeTimelineReadouts timeline;
    BrumeExportReadouts exports;
    BrumeFileReadouts files;
    char scene[64], scene_path[BRUME_VIEWER_PATH];
    char message[600];  ///< latest message for the user
    double message_at;  ///< its clock [s]
    double message_age; ///< [s]
    bool message_is_error;
    bool can_undo, can_redo;
    bool recording_flight;                       ///< the motion of the camera is recorded as keys
    int recomputed, to_recompute;                ///< frames since an edit that was undone; 0: none are computed again
    const struct BrumeLookCatalog *looks;        ///< presets; NULL for none
    struct BrumeLookThumbnails *look_thumbnails; ///< their pictures; NULL for none
    BrumeVec3 look_floor;                        ///< middle of the floor of the box that presets are applied to [m]
    float look_side;                             ///< its longest side [m]
    const char *sky_file;                        ///< image of the sky of the edited look; NULL for none
} BrumeReadouts;

/** The controls at the start of the program, before a scene is loaded: smoke is shown, running at speed limit 1. */
BrumeControls brume_default_controls(void);

/**
 * Sets what a scene determines: the settings of both variants, the render settings, the first camera, and a brush size
 * and flight speed in proportion to its box. View, comparison, threads, speed limit and window stay.
 */
void brume_controls_load_scene(BrumeControls *controls, const BrumeScene *scene);

/**
 * The least y of the camera [m]: a hundredth of the height of the box above the ground, or -INFINITY where no ground is
 * drawn.
 */
float brume_controls_lowest_camera(const BrumeControls *controls);

/** The settings that the panel edits: those of the simulation, or of the selected variant of a comparison. */
BrumeSimDef *brume_controls_sim(BrumeControls *controls);

/** The render settings that the panel edits: those of the selected side while two looks are compared. */
BrumeRenderSettings *brume_controls_look(BrumeControls *controls);
const BrumeRenderSettings *brume_controls_edited_look(const BrumeControls *controls);

/** Whether the picture is divided into two sides. */
bool brume_controls_have_sides(const BrumeControls *controls);

/**
 * Starts the comparison of two looks: both sides have the present look, and the right one is selected unless two
 * variants are compared already. Or ends it: the look of the selected side stays.
 */
void brume_controls_toggle_looks(BrumeControls *controls);

/**
 * The camera of the scene at `time` [s]: that of the keys, turned by the turntable of `scene`, or without keys that of
 * `scene`.
 */
BrumeCamera brume_controls_scene_camera(const BrumeControls *controls, const BrumeScene *scene, double time);

/** Sets a key of the camera at `time` [s], so that brume_controls_scene_camera gives `camera` there. False where there
 * is no room. */
bool brume_controls_set_camera_key(BrumeControls *controls, const BrumeScene *scene, double time,
                                   const BrumeCamera *camera);

/** Gives the animated settings of the simulation and of the picture their values at `time` [s]. */
void brume_controls_animate(BrumeControls *controls, double time);

/** The name of a mode of the brush, as the panel has it: "smoke". */
const char *brume_brush_mode_name(BrumeBrushMode mode);

/** The brush with which a scene starts: its radius and the speed that attracts are in proportion to the box. */
BrumeBrush brume_brush_of_scene(const BrumeScene *scene);

/** Selects a mode of the brush. */
void brume_brush_select(BrumeBrush *brush, BrumeBrushMode mode);

/** Selects the erasing brush or, if it is selected, the one before it. */
void brume_brush_toggle_erase(BrumeBrush *brush);

/** Selects the kind of smoke of the brush, 0 to 3. A color that is not in use yet is added to both variants. */
void brume_controls_set_smoke_kind(BrumeControls *controls, int kind);

/**
 * Sets the number of cells along the longest side of the box of `scene`. The other sides follow with cubic cells, at
 * least 8 each, so that the size of the box stays the same up to rounding.
 */
void brume_set_resolution(BrumeSimDef *sim, const BrumeSimDef *scene, int resolution);

#endif

/**
 * @file controls.h
 * The data that connects input, panel and viewer: keys, mouse and panel write controls and commands; the viewer applies
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

/** The effects of the brush. */
typedef enum BrumeBrushMode {
    BRUME_BRUSH_SMOKE,     ///< adds smoke of one kind, and heat
    BRUME_BRUSH_HEAT,      ///< sets the temperature alone
    BRUME_BRUSH_FUEL,      ///< adds fuel, and sets the temperature
    BRUME_BRUSH_PARTICLES, ///< adds particles of one kind
    BRUME_BRUSH_PUSH,      ///< gives the air the velocity of the pointer
    BRUME_BRUSH_SUCK,      ///< attracts the air to the axis of the view through the pointer, or blows it away
    BRUME_BRUSH_TWIST,     ///< turns the air about this axis
    BRUME_BRUSH_ERASE,     ///< removes smoke of all kinds, and its heat
    BRUME_BRUSH_MODES
} BrumeBrushMode;

/** The settings of the brush, which a drag with the left button moves. */
typedef struct BrumeBrush {
    BrumeBrushMode mode;
    BrumeBrushMode erases_in_place_of; ///< the mode to which the key for erasing switches back
    int kind;                          ///< kind of added smoke: 0 plain, 1 to 3 the colors
    float radius;                      ///< [m]
    float density;                     ///< [1]
    float heat;                        ///< temperature of the smoke above ambient [K]
    float temperature;                 ///< for BRUME_BRUSH_HEAT and FUEL: above ambient; negative: below it [K]
    float fuel;                        ///< its mass as a part of that of ambient air [1]
    BrumeParticleKind particles;       ///< for BRUME_BRUSH_PARTICLES
    float births;                      ///< of these [1/s]
    float erase;                       ///< density that remains at most at half the strength [1]
    float push;                        ///< rate at which the velocity of the air relaxes to the brush's velocity [1/s]
    float suck;                        ///< largest speed towards the axis [m/s]; negative: away from it
    float twist;                       ///< angular velocity, counterclockwise as the camera sees it [rad/s]
} BrumeBrush;

/** How pictures and recordings are drawn. */
typedef struct BrumePictureControls {
    bool own_size;     ///< otherwise the size of the window's picture
    int width, height; ///< the own size [pixels], at least 1
    int samples;       ///< rays per pixel, or light paths; 0: the number in the scene
} BrumePictureControls;

/** All settings that the user changes. */
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

    // the select tool, and the objects that it edits in addition to the settings
    BrumeSelectTool select;
    BrumePresentBodies present;
    int surface_of[BRUME_MAX_BODIES]; ///< index in the render settings' surfaces of each body; -1: none

    BrumePictureControls picture;
    BrumeExportControls exports;

    // keyframes; animated members of `sim` and `render_settings` have their values at the shown time
    BrumeAnimation animation;
    BrumeCameraPath camera_path;
    bool auto_key;            ///< a change of an animated value sets a key at the shown time
    bool follow_path;         ///< the camera follows its keys
    bool curve_editor;        ///< is shown
    float curve_editor_share; ///< its height as a fraction of the window's
    bool looks_shown; ///< the panel shows the presets of looks, whose thumbnails are drawn; set with every layout

    // window
    bool light;     ///< light colors, otherwise dark ones
    float ui_scale; ///< scale of panel and HUD relative to the display's, BRUME_MIN_UI_SCALE to BRUME_MAX_UI_SCALE
    bool panel, hud, help, fullscreen, vsync;
} BrumeControls;

/** Actions that the user requests once; zeroed after every iteration of the viewer's loop. */
typedef struct BrumeCommands {
    bool quit, reset;
    int advance;          ///< frames to compute, or positions to advance in a sequence, before it pauses
    int timeline_steps;   ///< positions to advance on the timeline; negative: back
    bool seek, seek_last; ///< goes to the frame `seek_frame`, or to the last frame, which is the present
    int seek_frame;
    bool go_on, go_on_paused; ///< the simulation goes back to the shown frame, and continues or pauses there
    bool frame_smoke, home, change_projection;
    bool name_brush;                    ///< a key has selected another brush
    bool screenshot, record, save;      ///< `record` starts or stops a recording; `save` writes the scene
    bool window_picture;                ///< writes the window with its panel to a file
    bool key;                           ///< sets or removes a key of the value under the pointer, or of the camera
    bool camera_key;                    ///< sets a key of the camera
    bool record_flight;                 ///< starts or stops the recording of the camera's motion as keys
    bool undo, redo, edited;            ///< `edited`: an edit is complete and becomes one step of the undo history
    bool edit_is_dropped;               ///< the latest edit was taken back, and is no step of the undo history
    bool needs_present;                 ///< an emitter or body was to be edited while another frame is shown
    bool cancel_edit;                   ///< undoes an incomplete edit of a body
    int bookmark_save, bookmark_recall; ///< 1 to 9, 0 for none
    bool toggle_looks;                  ///< starts the comparison of two looks, or ends it with the selected one
    char open[BRUME_VIEWER_PATH];       ///< scene file to open, or mesh file to add, "" for none
    char open_sky[BRUME_VIEWER_PATH];   ///< image of the sky to open, "" for none
    char save_as[BRUME_VIEWER_PATH];    ///< file to save to, "" for the next numbered name
    char message[256];                  ///< reason why an action is not possible, "": none
    BrumeExportCommands exports;
    BrumeFilePurpose choose;     ///< opens a dialog for files
    int apply_look, remove_look; ///< number of a preset in the list of looks, from 1 on; 0 for none
    char save_look[2][64];       ///< name of a new preset of the present medium, or lights; "" for none
} BrumeCommands;

/** The part of the window that the picture of the smoke fills [points of SDL's events]. */
typedef struct BrumePictureArea {
    float left, top, width, height;
    float scale; ///< scale of parts with a constant size: scale of the display times scale of panel and HUD
} BrumePictureArea;

/** The circle of the brush at the pointer. */
typedef struct BrumeBrushCursor {
    bool shown;
    float x, y, radius; ///< in the window [points]
} BrumeBrushCursor;

/** The state of the timeline: a sequence of frames, or the stored frames of the running simulation. */
typedef struct BrumeTimelineReadouts {
    bool shown;                             ///< a sequence is played
    bool kept;                              ///< there are stored frames of the simulation
    bool past;                              ///< a stored frame is shown, and the simulation pauses
    bool going_back;                        ///< the simulation computes the frames up to the shown one
    int first, last, stride;                ///< positions
    int position, frame;                    ///< the position, and the frame that is shown (0: none)
    bool is_missing, is_broken, is_reading; ///< the frame of the position
    int count;                              ///< files
    const int *numbers;                     ///< numbers of their frames, ascending
    const unsigned char *states;            ///< state of each: 0 not in memory, 1 in memory, 2 not readable
    int in_memory;
    size_t bytes, budget; ///< memory of the frames in memory, and its maximum
    double fps;           ///< speed of playback
    double shown_per_second;
    double read_ms;            ///< time to read a frame
    int kept_count;            ///< stored frames of the simulation, in memory and in the temporary file
    uint64_t file_bytes, disk; ///< size of the temporary file, and its maximum
} BrumeTimelineReadouts;

/** Drag and lift coefficient of the selected body (edit/flow_coefficients.h). */
typedef struct BrumeFlowReadouts {
    bool known;        ///< there are a stream and a force; otherwise the others are not valid
    float speed, area; ///< of the stream [m/s], of the projection [m^2]
    float drag, lift;
} BrumeFlowReadouts;

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
    int width, height, samples; ///< of the latest picture of the smoke
    const char *renderer;       ///< "CPU", or the device's name from OpenGL
    bool recording;
    int recorded;          ///< frames that are written
    int frames_left;       ///< frames that are not written yet, also after the recording has ended
    int pictures_left;     ///< single pictures that are not written yet
    char preparation[96];  ///< progress of the preparation of another grid; "": none
    BrumeColorScale scale; ///< of the view
    BrumePictureArea area; ///< of the picture
    BrumeCamera camera;    ///< of the picture that is shown
    bool screenshot;       ///< the picture is written to a file, without messages
    BrumeBrushCursor brush;
    const char *missing; ///< quantity that the view needs and the frames lack; NULL: none
    BrumeTimelineReadouts timeline;
    BrumeFlowReadouts flow;
    BrumeExportReadouts exports;
    BrumeFileReadouts files;
    char scene[64], scene_path[BRUME_VIEWER_PATH];
    char message[600];  ///< latest message for the user
    double message_at;  ///< its clock [s]
    double message_age; ///< [s]
    bool message_is_error;
    bool can_undo, can_redo;
    bool recording_flight;                       ///< the motion of the camera is recorded as keys
    int recomputed, to_recompute;                ///< frames computed again after undoing, and their total; 0: none
    const struct BrumeLookCatalog *looks;        ///< presets; NULL for none
    struct BrumeLookThumbnails *look_thumbnails; ///< thumbnails of the presets; NULL: none
    BrumeVec3 look_floor;                        ///< middle of the floor of the box to which presets are applied [m]
    float look_side;                             ///< longest side of this box [m]
    const char *sky_file;                        ///< image of the sky of the edited look; NULL for none
} BrumeReadouts;

/** The controls at the start of the program, before a scene is loaded: smoke is shown, running at speed limit 1. */
BrumeControls brume_default_controls(void);

/**
 * Sets controls from a scene: the settings of both variants, the render settings, the first camera, and a brush size
 * and flight speed in proportion to its box. View, comparison, threads, speed limit and window do not change.
 */
void brume_controls_load_scene(BrumeControls *controls, const BrumeScene *scene);

/**
 * Returns the least y of the camera [m]: 1/100 of the height of the box above the ground, or -INFINITY without a
 * ground.
 */
float brume_controls_lowest_camera(const BrumeControls *controls);

/** The settings that the panel edits: of the simulation, or of the selected variant of a comparison. */
BrumeSimDef *brume_controls_sim(BrumeControls *controls);

/** The render settings that the panel edits: of the selected side while two looks are compared. */
BrumeRenderSettings *brume_controls_look(BrumeControls *controls);
const BrumeRenderSettings *brume_controls_edited_look(const BrumeControls *controls);

/** Whether the picture is divided into two sides. */
bool brume_controls_have_sides(const BrumeControls *controls);

/**
 * Starts the comparison of two looks: both sides get the present look, and the right one is selected unless two
 * variants are compared already. Or ends it, with the look of the selected side.
 */
void brume_controls_toggle_looks(BrumeControls *controls);

/**
 * Returns the camera of the scene at `time` [s]: from the keys, turned by the turntable of `scene`, or without keys the
 * camera of `scene`.
 */
BrumeCamera brume_controls_scene_camera(const BrumeControls *controls, const BrumeScene *scene, double time);

/** Sets a key of the camera at `time` [s], so that brume_controls_scene_camera gives `camera` there. False where there
 * is no room. */
bool brume_controls_set_camera_key(BrumeControls *controls, const BrumeScene *scene, double time,
                                   const BrumeCamera *camera);

/** Sets the animated settings of the simulation and of the picture to their values at `time` [s]. */
void brume_controls_animate(BrumeControls *controls, double time);

/** Returns the name of a mode of the brush in the panel: "smoke". */
const char *brume_brush_mode_name(BrumeBrushMode mode);

/** Returns the initial brush of a scene: its radius and its speed of attraction are in proportion to the box. */
BrumeBrush brume_brush_of_scene(const BrumeScene *scene);

/** Selects a mode of the brush. */
void brume_brush_select(BrumeBrush *brush, BrumeBrushMode mode);

/** Selects the erasing brush or, if it is selected, the previous mode. */
void brume_brush_toggle_erase(BrumeBrush *brush);

/** Selects the kind of smoke of the brush, 0 to 3. A color that is not in use yet is added to both variants. */
void brume_controls_set_smoke_kind(BrumeControls *controls, int kind);

/**
 * Sets the number of cells along the longest side of the box of `scene`. The other sides get cubic cells, at least 8
 * each, so that the size of the box does not change except by rounding.
 */
void brume_set_resolution(BrumeSimDef *sim, const BrumeSimDef *scene, int resolution);

#endif

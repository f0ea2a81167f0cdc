/**
 * @file controls.h
 * All that a user of the window can set, as plain data: keys, mouse and panel write it, the loop acts on it.
 */
#ifndef BRUME_VIEWER_CONTROLS_H
#define BRUME_VIEWER_CONTROLS_H

#include "brume/scene.h"
#include "viewer/views/field_view.h"

#include <stdbool.h>

enum { BRUME_BOOKMARKS = 9, BRUME_VIEWER_PATH = 1024 };

/** What the left button does to the air. */
typedef struct BrumeBrush {
    int kind;      ///< smoke that it leaves: 0 plain, 1 to 3 the colors
    float radius;  ///< [m]
    float density; ///< [1]
    float heat;    ///< [K above ambient]
    float push;    ///< of Ctrl + drag: rate at which the air takes on the pointer's velocity [1/s]
} BrumeBrush;

/** What is set, and stays. */
typedef struct BrumeControls {
    // the scene as it is wished for now; sides differ in `sim` alone
    BrumeSimDef sim[BRUME_MAX_SIDES];
    BrumeRenderSettings look;
    int threads;
    double pace; ///< simulated seconds a second at most
    bool running;

    // how it is looked at
    BrumeCamera camera;
    float fly_speed; ///< [m/s]
    BrumeViewKind view;
    bool streamlines;
    float iso_level; ///< density [1]
    bool slice;
    int slice_axis;
    float slice_at; ///< share of the box, 0 to 1
    bool cpu;       ///< drawn by the CPU raymarcher, otherwise by OpenGL
    bool box;       ///< the edges of the box are drawn
    bool compare;
    int edited;    ///< side that the panel shows
    float divider; ///< share of the width
    BrumeBrush brush;

    // the window
    bool panel, hud, help, fullscreen, vsync;
} BrumeControls;

/** What is wished for once; zeroed after every turn of the loop. */
typedef struct BrumeCommands {
    bool quit, advance, reset;
    bool frame_smoke, home;
    bool screenshot, record, save;      ///< `record` starts or stops; `save` writes the scene
    bool undo, redo, edited;            ///< `edited`: an edit has come to its end and can be undone as one
    int bookmark_save, bookmark_recall; ///< 1 to 9, 0 for none
    char open[BRUME_VIEWER_PATH];       ///< scene to open, "" for none
    char save_as[BRUME_VIEWER_PATH];    ///< file to save to, "" for the next free name
} BrumeCommands;

/** What is so: printed by HUD and panel, set by the loop. */
typedef struct BrumeFacts {
    double pictures_per_second; ///< of the window
    double renders_per_second;  ///< of the smoke
    double latency_ms;          ///< from input to picture
    double sim_ms, sim_steps;   ///< a step [ms], and steps in the newest frame
    double mcells_per_second;
    BrumeGrid grid;
    size_t sim_bytes, picture_bytes;
    int threads, iterations;
    bool converged;
    int frame;
    double time; ///< simulated [s]
    double light_ms, draw_ms;
    int width, height, samples; ///< of the picture as drawn
    const char *renderer;       ///< "CPU", or the name that OpenGL gives the device
    bool recording;
    int recorded;     ///< frames
    BrumeScale scale; ///< of the view
    char scene[64], scene_path[BRUME_VIEWER_PATH];
    char message[600];  ///< newest message for the user
    double message_age; ///< [s]
    bool message_is_error;
    bool can_undo, can_redo;
} BrumeFacts;

/**
 * Makes the controls those of another scene: its settings on both sides, look and first camera, a brush and a speed of
 * flight that fit its box. What is seen, side by side, threads, pace and the window stay.
 */
void brume_controls_take_scene(BrumeControls *controls, const BrumeScene *scene);

/** Everything as at the program's start, before a scene is taken: smoke is seen, running at pace 1, panel and HUD. */
BrumeControls brume_default_controls(void);

/** Chooses the smoke that the brush leaves, 0 to 3; a color that is not in use yet comes into use on both sides. */
void brume_controls_set_kind(BrumeControls *controls, int kind);

/** Cells of another count along the longest side of the `scene`'s box, which keeps its size as far as cubes allow. */
void brume_set_resolution(BrumeSimDef *sim, const BrumeSimDef *scene, int resolution);

#endif

/**
 * @file input.h
 * Translates SDL's key and mouse events to controls, commands, strokes and displacements of bodies. Used by the
 * window thread alone. One iteration of the viewer's loop calls brume_input_note_modifiers and brume_input_event for
 * every event, and executes its commands and drains its stroke before the next one, then brume_input_advance_camera,
 * then the drain functions.
 */
#ifndef BRUME_VIEWER_WINDOW_INPUT_H
#define BRUME_VIEWER_WINDOW_INPUT_H

#include "brume/renderer.h"
#include "viewer/controls/controls.h"
#include "viewer/edit/select_drag.h"
#include "viewer/window/camera_motion.h"
#include "viewer/window/stroke_builder.h"

#include <SDL.h>

/** The action of a drag, from the press of its button to the release. */
typedef enum BrumeDrag {
    BRUME_DRAG_NONE,
    BRUME_DRAG_STROKE, ///< a stroke of the brush
    BRUME_DRAG_BODY,
    BRUME_DRAG_GIZMO,  ///< a handle of the selected object
    BRUME_DRAG_SELECT, ///< a press that has selected an object; no action until the release
    BRUME_DRAG_DIVIDER,
    BRUME_DRAG_LOOK,
    BRUME_DRAG_ORBIT,
    BRUME_DRAG_PAN,
    BRUME_DRAG_DOLLY
} BrumeDrag;

/** Keys that fly the camera, as bits. */
typedef enum BrumeFlyKey {
    BRUME_FLY_FORWARD = 1,
    BRUME_FLY_BACK = 2,
    BRUME_FLY_LEFT = 4,
    BRUME_FLY_RIGHT = 8,
    BRUME_FLY_UP = 16,
    BRUME_FLY_DOWN = 32,
    BRUME_FLY_FAST = 64
} BrumeFlyKey;

/** State between events. */
typedef struct BrumeInput {
    double tick_zero;    ///< clock (brume_seconds) at SDL's tick 0 [s]
    double latest_event; ///< clock of the latest event that changes the picture [s], 0 for none
    BrumeDrag drag;
    uint8_t button;       ///< button that started the drag
    SDL_Keymod modifiers; ///< modifiers at the time of the event; the present state of the keyboard may be newer
    float x, y;           ///< pointer [points of the picture, from its upper left corner]
    bool pointer_in_window;
    unsigned held_keys;    ///< BrumeFlyKey bits; they fly during BRUME_DRAG_LOOK
    unsigned pressed_keys; ///< keys held at any time since the last iteration, so that a short press is not missed
    BrumeVec3 drag_point;  ///< a point of the plane of a left drag [m]
    BrumeVec3 drag_normal; ///< unit normal of that plane
    BrumeStrokeBuilder stroke;
    int edit;               ///< number of the latest stroke or motion of a surface, for undoing it
    int surface;            ///< index of the dragged surface in the render settings
    BrumeVec3 displacement; ///< displacement of the dragged surface since the latest drain [m]
    BrumeGizmoDrag gizmo;   ///< during BRUME_DRAG_GIZMO
    BrumeCameraAnimation animation;
} BrumeInput;

/** Returns the state without held keys. To be called after SDL_Init, which starts the clock of the events. */
BrumeInput brume_default_input(void);

/**
 * Stores the modifier keys of a key event; to be called for every event, before brume_input_event, also for events that
 * the panel handles. A drag uses the modifiers at its press: if one slow iteration handles the press of Alt, a drag and
 * the release of Alt together, SDL_GetModState would have lost Alt before the drag is handled.
 */
void brume_input_note_modifiers(BrumeInput *input, const SDL_Event *event);

/**
 * Whether this event presses a key that text fields do not use: Ctrl + Q, Ctrl + S, or a function key. The window
 * handles it also while a text field is active.
 */
bool brume_input_is_window_key(const SDL_Event *event);

/** Whether this event is a left press that may start a drag of the brush, so that brume_input_event needs its pick. */
bool brume_input_needs_pick(const BrumeInput *input, const BrumeControls *controls, const SDL_Event *event);

/**
 * The point at which a left drag starts: the picked point if it is a solid or lies in the box, otherwise the middle of
 * the ray's path through the box. False if the ray hits neither.
 */
bool brume_input_stroke_start(const BrumePick *pick, const BrumeRay *ray, BrumeVec3 *point);

/**
 * Handles one event that the panel does not handle. Releases of keys and buttons must always be passed, and all mouse
 * events while `drag` is not BRUME_DRAG_NONE. `area` is the area of the picture. `pick` is the pick at the pointer if
 * brume_input_needs_pick, otherwise NULL. No command may be left from another event: equal ones would be executed once.
 */
void brume_input_event(BrumeInput *input, const SDL_Event *event, const BrumePictureArea *area, const BrumePick *pick,
                       BrumeControls *controls, BrumeCommands *commands);

/**
 * Sets the object and the handle under the pointer: none where it is not over the picture, or during another drag. To
 * be called before each drawing, because objects and the camera move under a pointer at rest.
 */
void brume_input_update_hover(const BrumeInput *input, const BrumePictureArea *area, bool over_picture,
                              BrumeControls *controls);

/**
 * Moves the camera for `seconds`: by the fly keys that were held since the last call, otherwise by the animation.
 * Returns whether the camera moved.
 */
bool brume_input_advance_camera(BrumeInput *input, double seconds, BrumeControls *controls);

/** Starts an animation to another camera. Flying or dragging the camera stops it. */
void brume_input_animate_camera(BrumeInput *input, const BrumeControls *controls, const BrumeCamera *camera);

/** Whether a stroke, a surface or an object is being dragged. */
bool brume_input_is_editing(const BrumeInput *input);

/** Discards strokes and motions that are not drained yet, for a restart of the simulation. `now` is brume_seconds. */
void brume_input_restart_drag(BrumeInput *input, double now);

/** Removes the complete stroke segments, as brume_stroke_builder_drain. `now` is brume_seconds. */
int brume_input_drain_stroke(BrumeInput *input, double now, BrumeStrokeSegment segments[BRUME_MAX_STROKES]);

/** The displacement of the dragged surface since the last call [m]; false if there is none. */
bool brume_input_drain_body_motion(BrumeInput *input, int *surface, BrumeVec3 *displacement);

/** Releases all keys and buttons, as when the window loses the keyboard focus. A stroke ends. */
void brume_input_release_all(BrumeInput *input, double time);

/** A key or mouse binding, for the help and docs/viewer.md. */
typedef struct BrumeBinding {
    const char *group, *keys, *action;
} BrumeBinding;

/** All bindings; the last one has NULL members. */
extern const BrumeBinding brume_bindings[];

#endif

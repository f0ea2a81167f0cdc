/**
 * @file input.h
 * From keys and mouse to controls and commands, and from the pointer's way to strokes and moves of obstacles. A turn of
 * the loop: events, then flying, then what was drawn.
 */
#ifndef BRUME_VIEWER_WINDOW_INPUT_H
#define BRUME_VIEWER_WINDOW_INPUT_H

#include "viewer/brush.h"
#include "viewer/controls.h"
#include "viewer/threads/render_thread.h"
#include "viewer/window/flight.h"

#include <SDL.h>

/** What a held button does, from the press to the release. */
typedef enum BrumeDrag {
    BRUME_DRAG_NONE,
    BRUME_DRAG_SMOKE,
    BRUME_DRAG_PUSH,
    BRUME_DRAG_OBSTACLE,
    BRUME_DRAG_DIVIDER,
    BRUME_DRAG_LOOK,
    BRUME_DRAG_ORBIT,
    BRUME_DRAG_PAN,
    BRUME_DRAG_DOLLY
} BrumeDrag;

/** Keys that fly, as bits. */
typedef enum BrumeFlyKey {
    BRUME_FLY_FORWARD = 1,
    BRUME_FLY_BACK = 2,
    BRUME_FLY_LEFT = 4,
    BRUME_FLY_RIGHT = 8,
    BRUME_FLY_UP = 16,
    BRUME_FLY_DOWN = 32,
    BRUME_FLY_FAST = 64
} BrumeFlyKey;

/** Held state between events. */
typedef struct BrumeInput {
    double tick_zero; ///< clock (brume_seconds) at SDL's tick 0 [s]
    double newest;    ///< clock of the newest event that changes the picture [s], 0 for none
    BrumeDrag drag;
    uint8_t button;   ///< that began the drag
    float x, y;       ///< pointer [points of the window]
    unsigned held;    ///< BrumeFlyKey, which fly while the drag is BRUME_DRAG_LOOK
    unsigned tapped;  ///< those that were to fly at any time since the last turn: a slow turn must not swallow a tap
    BrumeVec3 grip;   ///< a point of the plane that a left drag draws on [m]
    BrumeVec3 facing; ///< unit normal of that plane
    BrumeTrail trail;
    int surface;     ///< index in the look that is dragged
    BrumeVec3 moved; ///< by which it was since it was last asked for [m]
    BrumeFlight flight;
} BrumeInput;

/** Nothing held. After SDL_Init, whose clock the events tell. */
BrumeInput brume_input_start(void);

/** Whether a left press at this event would draw or take hold of something, so that `pressed` must be asked for. */
bool brume_input_needs_pick(const SDL_Event *event);

/**
 * Takes one event that is not the panel's; releases of keys and buttons, and all of the mouse while `drag` is not
 * BRUME_DRAG_NONE, are always this one's. `width` and `height` are the window's, in the unit of the events [points].
 * `pressed` is what lies under the pointer (brume_input_needs_pick), NULL otherwise.
 */
void brume_input_event(BrumeInput *input, const SDL_Event *event, int width, int height, const BrumePick *pressed,
                       BrumeControls *controls, BrumeCommands *commands);

/** Flies for `seconds`: with the keys that are or since the last call were held, else on `flight`. Whether the camera
 * moved. */
bool brume_input_fly(BrumeInput *input, double seconds, BrumeControls *controls);

/** Begins a smooth way to another camera (frame, home, bookmark); flying by hand ends it. */
void brume_input_fly_to(BrumeInput *input, const BrumeControls *controls, const BrumeCamera *camera);

/** What was drawn since the last call; returns the number of pieces. `now` is brume_seconds. */
int brume_input_take_dabs(BrumeInput *input, double now, BrumeDab dabs[BRUME_MAX_STROKES]);

/** How far a surface of the look was dragged since the last call [m]; false where none was. */
bool brume_input_take_move(BrumeInput *input, int *surface, BrumeVec3 *by);

/** Lets go of all keys and buttons, as when the window loses the keyboard. A stroke ends. */
void brume_input_let_go(BrumeInput *input, double time);

/** The lines of the help: key and what it does, all NULL at the end. One table for help overlay and documentation. */
typedef struct BrumeBinding {
    const char *group, *keys, *action;
} BrumeBinding;
extern const BrumeBinding brume_bindings[];

#endif

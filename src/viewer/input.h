/**
 * @file input.h
 * From keys and mouse to controls and commands, and from the pointer's way to strokes.
 */
#ifndef BRUME_VIEWER_INPUT_H
#define BRUME_VIEWER_INPUT_H

#include "viewer/canvas.h"
#include "viewer/controls.h"

#include <SDL.h>

/** A drag with the left button, from the press to the release. */
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

/** Held state between events. */
typedef struct BrumeInput {
    BrumeDrag drag;
    float x, y;                                      ///< pointer [pixels of the picture]
    bool forward, back, left, right, up, down, fast; ///< keys held while flying
    double newest; ///< clock of the newest event that changes the picture [s], 0 for none
} BrumeInput;

/**
 * Takes one event that is not the panel's. `pressed` is what lies under the pointer (asked of the canvas by the loop
 * for left presses), NULL otherwise.
 */
void brume_input_event(BrumeInput *input, const SDL_Event *event, int width, int height, const BrumePick *pressed,
                       BrumeControls *controls, BrumeCommands *commands);

/** Flies for `seconds` with the keys that are held; whether the camera moved. */
bool brume_input_fly(BrumeInput *input, double seconds, BrumeControls *controls);

/** The lines of the help: key and what it does, NULL at the end. One table for help overlay and documentation. */
typedef struct BrumeBinding {
    const char *group, *keys, *action;
} BrumeBinding;
extern const BrumeBinding brume_bindings[];

#endif

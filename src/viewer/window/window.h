/**
 * @file window.h
 * The window: SDL's, with an OpenGL 3.3 core context that is current in the thread that made it. All calls are that
 * thread's. Sizes come in two units: points, in which SDL tells events, and pixels, in which is drawn; on some displays
 * they are the same and all is drawn larger instead (`scale`).
 */
#ifndef BRUME_VIEWER_WINDOW_WINDOW_H
#define BRUME_VIEWER_WINDOW_WINDOW_H

#include "core/error.h"
#include "viewer/window/window_state.h"

#include <SDL.h>
#include <stdbool.h>

typedef struct BrumeWindow {
    SDL_Window *handle;
    SDL_GLContext context;
    int width, height;               ///< [points]
    int pixels_wide, pixels_high;    ///< of the drawable
    float scale;                     ///< pixels that a point of text and panel takes
    bool software;                   ///< OpenGL is computed by the processor
    char renderer[128], version[64]; ///< the device and OpenGL as the driver names them
    bool vsync;                      ///< swapping waits for the display
    bool fullscreen;
    SDL_Rect before_fullscreen; ///< where to go back to [points]
    bool can_be_lost;           ///< the driver tells when it loses the context
} BrumeWindow;

/**
 * Starts SDL's video and opens a window where `place` has it, if that is still on a screen. BRUME_FAILED, with one line
 * that says what to do, where there is no display or no OpenGL 3.3.
 */
BrumeStatus brume_window_create(BrumeWindow **window, const char *title, const BrumeWindowState *place,
                                BrumeError *error);

/** Closes it and stops SDL. NULL is fine. */
void brume_window_destroy(BrumeWindow *window);

/** Learns the sizes anew; after every window event. False where the window has no area at present (minimized). */
bool brume_window_measure(BrumeWindow *window);

void brume_window_set_title(BrumeWindow *window, const char *title);

/** Full screen on its present screen, at the desktop's resolution, or back. */
void brume_window_set_fullscreen(BrumeWindow *window, bool fullscreen);

/** Waits for the display (adaptive where the driver can, so that a late picture is not later still), or not. */
void brume_window_set_vsync(BrumeWindow *window, bool vsync);

/** While held, the pointer is hidden and moves without end, as for looking around. */
void brume_window_hold_pointer(bool held);

/** Shows what was drawn. */
void brume_window_show(BrumeWindow *window);

/** Whether the driver has lost the context; all that was in it is gone then. */
bool brume_window_is_lost(const BrumeWindow *window);

/** Takes over where the window is, to be remembered; the rest of `place` stays. */
void brume_window_remember(const BrumeWindow *window, BrumeWindowState *place);

#endif

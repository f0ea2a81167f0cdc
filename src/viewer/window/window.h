/**
 * @file window.h
 * The window: an SDL window with an OpenGL 3.3 core context. The context is current in the window thread, which created
 * it and calls all functions. Sizes come in two units: points, the unit of SDL's events, and pixels, the unit of
 * drawing. On displays where both are equal, everything is drawn larger instead (`scale`).
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
    int pixels_wide, pixels_high;    ///< size of the drawable [pixels]
    float scale;                     ///< pixels per point of text and panel
    bool software;                   ///< OpenGL runs on the CPU
    char renderer[128], version[64]; ///< the device and OpenGL version as the driver names them
    bool vsync;                      ///< swapping buffers waits for the display
    bool fullscreen;
    bool hidden;                ///< the window is not on the screen: nothing is drawn
    SDL_Rect before_fullscreen; ///< position and size to restore after full screen [points]
    bool reports_context_loss;  ///< the driver reports the loss of the context
} BrumeWindow;

/**
 * Starts SDL's video and opens a window at the position of `state`, if that is on a screen. BRUME_FAILED without
 * memory, a display or OpenGL 3.3, with one line of advice; `*window` is NULL then.
 */
BrumeStatus brume_window_create(BrumeWindow **window, const char *title, const BrumeWindowState *state,
                                BrumeError *error);

/** Closes the window and stops SDL. NULL is allowed. */
void brume_window_destroy(BrumeWindow *window);

/**
 * Updates the sizes; to be called after every window event. False if the window has no area at present (minimized): the
 * sizes do not change then.
 */
bool brume_window_update_size(BrumeWindow *window);

void brume_window_set_title(BrumeWindow *window, const char *title);

/** Switches to full screen on the current screen, at the desktop's resolution, or back. */
void brume_window_set_fullscreen(BrumeWindow *window, bool fullscreen);

/** Switches vertical synchronization. Adaptive where the driver supports it: a late picture is shown at once. */
void brume_window_set_vsync(BrumeWindow *window, bool vsync);

/** Swaps the buffers: shows the picture that was drawn. */
void brume_window_swap_buffers(BrumeWindow *window);

/** Whether the driver has lost the context, and with it all its objects. */
bool brume_window_context_is_lost(const BrumeWindow *window);

/** Writes the window's position, size and full-screen state to `state`; other members do not change. */
void brume_window_store_state(const BrumeWindow *window, BrumeWindowState *state);

#endif

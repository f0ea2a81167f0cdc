#include "viewer/window/window.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "viewer/window/x_errors.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ICON_SIDE = 64, MAX_SCREENS = 16 };

static const int min_width = 320, min_height = 240; // [points]
static const float standard_dpi = 96.0f;

// Whether a video driver shows windows on a desktop. The drivers that SDL falls back to show nothing or occupy the
// console, so they are accepted only if the environment names them.
static bool is_desktop_driver(const char *driver)
{
    const char *const fallbacks[] = {"offscreen", "dummy", "evdev", "KMSDRM"};
    for (size_t n = 0; n < sizeof fallbacks / sizeof fallbacks[0]; n++) {
        if (driver && SDL_strcasecmp(driver, fallbacks[n]) == 0) {
            return getenv("SDL_VIDEODRIVER") != NULL;
        }
    }
    return true;
}

static BrumeStatus start_video(BrumeError *error)
{
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1"); // the program handles Ctrl-C (app/cli/interrupt.h)
    const char *const display = getenv("DISPLAY");
    const char *const wayland = getenv("WAYLAND_DISPLAY");
    const char *const runtime = getenv("XDG_RUNTIME_DIR");
    const bool has_display = display && display[0];
    // without a folder of sockets, the Wayland library would only print a message
    const bool has_wayland = wayland && (wayland[0] == '/' || (wayland[0] && runtime && runtime[0]));
    if (!getenv("SDL_VIDEODRIVER")) {
        // display systems that the environment does not name are not tried, because their libraries print messages
        if (!has_display && !has_wayland) {
            return brume_fail(error, BRUME_FAILED, "no display (set DISPLAY, or use brume render)");
        }
        if (!has_wayland) {
            SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11");
        }
    }
    SDL_ClearError();
    char reason[200] = "no answer";
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
        (void)snprintf(reason, sizeof reason, "%s", SDL_GetError());
    } else if (is_desktop_driver(SDL_GetCurrentVideoDriver())) {
        return BRUME_OK;
    } else {
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
    }
    if (has_display) {
        return brume_fail(error, BRUME_FAILED, "cannot open the display '%.100s' (%s); use brume render", display,
                          reason);
    }
    if (has_wayland) {
        return brume_fail(error, BRUME_FAILED, "cannot open the display (%s); use brume render", reason);
    }
    return brume_fail(error, BRUME_FAILED, "no display (set DISPLAY, or use brume render)");
}

static int list_screens(BrumeScreenArea screens[MAX_SCREENS])
{
    const int displays = SDL_GetNumVideoDisplays();
    int count = 0;
    for (int n = 0; n < displays && count < MAX_SCREENS; n++) {
        SDL_Rect area;
        if (SDL_GetDisplayBounds(n, &area) == 0) {
            screens[count++] = (BrumeScreenArea){area.x, area.y, area.w, area.h};
        }
    }
    return count;
}

static SDL_Window *open_window(const char *title, const BrumeWindowState *state)
{
    BrumeScreenArea screens[MAX_SCREENS];
    const int count = list_screens(screens);
    int x = (int)SDL_WINDOWPOS_CENTERED;
    int y = (int)SDL_WINDOWPOS_CENTERED;
    if (state->has_position && brume_window_state_is_reachable(state, screens, count)) {
        x = state->x;
        y = state->y;
    }
    int widest = 0;
    int highest = 0;
    for (int n = 0; n < count; n++) {
        widest = brume_max_int(widest, screens[n].width);
        highest = brume_max_int(highest, screens[n].height);
    }
    // limits the window to the screen, because there may be no window manager
    const int width = count > 0 ? brume_min_int(state->width, widest) : state->width;
    const int height = count > 0 ? brume_min_int(state->height, highest) : state->height;
    Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    if (state->fullscreen) {
        flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
    }
    return SDL_CreateWindow(title, x, y, width, height, flags);
}

static void request_opengl(bool robust)
{
    SDL_GL_ResetAttributes();
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_FORWARD_COMPATIBLE_FLAG);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    SDL_GL_SetAttribute(SDL_GL_ALPHA_SIZE, 0);
    if (robust) {
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_RESET_NOTIFICATION, SDL_GL_CONTEXT_RESET_LOSE_CONTEXT);
    }
}

/** Fails with the missing part as the reason: GLX of the X server, the library, or a driver for the device. */
static BrumeStatus fail_without_context(const char *reason, BrumeError *error)
{
    const char *const display = getenv("DISPLAY");
    if (strstr(reason, "GLX is not supported")) {
        return brume_fail(error, BRUME_FAILED,
                          "the X server of the display '%.100s' has no GLX, so no OpenGL (start it with GLX, or use "
                          "brume render)",
                          display ? display : "");
    }
    if (strstr(reason, "loading lib") || strstr(reason, "cannot open shared object")) {
        return brume_fail(error, BRUME_FAILED,
                          "the OpenGL library cannot be loaded: %.200s (install libgl1 and libgl1-mesa-dri or the "
                          "driver of the graphics card, or use brume render)",
                          reason);
    }
    return brume_fail(error, BRUME_FAILED,
                      "no OpenGL 3.3: %.200s (install libgl1-mesa-dri or the driver of the graphics card, or use "
                      "brume render)",
                      reason);
}

/** Fails with the OpenGL version that is available, from a context without a required version. */
static BrumeStatus fail_without_opengl(const char *title, const BrumeWindowState *state, const char *reason,
                                       BrumeError *error)
{
    char why[256];
    (void)snprintf(why, sizeof why, "%s", reason);
    brume_x_errors_describe(why, sizeof why);
    SDL_GL_ResetAttributes();
    SDL_Window *const plain = open_window(title, state);
    SDL_GLContext context = plain ? SDL_GL_CreateContext(plain) : NULL;
    BrumeStatus status;
    if (context) {
        status = brume_fail(error, BRUME_FAILED, "OpenGL 3.3 is needed, but there is %.80s (%.80s); use brume render",
                            (const char *)glGetString(GL_VERSION), (const char *)glGetString(GL_RENDERER));
        SDL_GL_DeleteContext(context);
    } else {
        status = fail_without_context(why, error);
    }
    if (plain) {
        SDL_DestroyWindow(plain);
    }
    return status;
}

static bool open_with_context(BrumeWindow *window, const char *title, const BrumeWindowState *state, bool robust)
{
    request_opengl(robust);
    window->handle = open_window(title, state);
    window->context = window->handle ? SDL_GL_CreateContext(window->handle) : NULL;
    if (window->context) {
        return true;
    }
    if (window->handle) {
        SDL_DestroyWindow(window->handle);
        window->handle = NULL;
    }
    return false;
}

/** Draws the icon: white smoke on a dark blue rounded square. */
static void set_icon(SDL_Window *handle)
{
    uint8_t pixels[ICON_SIDE][ICON_SIDE][4];
    for (int y = 0; y < ICON_SIDE; y++) {
        for (int x = 0; x < ICON_SIDE; x++) {
            const float px = (2.0f * (float)x + 1.0f) / ICON_SIDE - 1.0f;
            const float py = 1.0f - (2.0f * (float)y + 1.0f) / ICON_SIDE;
            const float edge = fmaxf(hypotf(fmaxf(fabsf(px) - 0.55f, 0.0f), fmaxf(fabsf(py) - 0.55f, 0.0f)), 0.0f);
            // three discs of smoke, larger towards the top
            const float puffs[3][3] = {{-0.25f, -0.5f, 0.28f}, {0.1f, -0.05f, 0.4f}, {-0.1f, 0.45f, 0.45f}};
            float smoke = 0.0f;
            for (int n = 0; n < 3; n++) {
                const float r = hypotf(px - puffs[n][0], py - puffs[n][1]) / puffs[n][2];
                smoke = fmaxf(smoke, fminf(fmaxf(1.6f * (1.0f - r), 0.0f), 1.0f));
            }
            pixels[y][x][0] = (uint8_t)lroundf(24.0f + 206.0f * smoke);
            pixels[y][x][1] = (uint8_t)lroundf(34.0f + 194.0f * smoke);
            pixels[y][x][2] = (uint8_t)lroundf(52.0f + 174.0f * smoke);
            pixels[y][x][3] = (uint8_t)lroundf(255.0f * fminf(fmaxf((0.42f - edge) * 30.0f, 0.0f), 1.0f));
        }
    }
    SDL_Surface *const icon =
        SDL_CreateRGBSurfaceWithFormatFrom(pixels, ICON_SIDE, ICON_SIDE, 32, 4 * ICON_SIDE, SDL_PIXELFORMAT_RGBA32);
    if (icon) {
        SDL_SetWindowIcon(handle, icon);
        SDL_FreeSurface(icon);
    }
}

/**
 * Pixels per point of text: SDL's ratio of pixels to points if it is not 1, otherwise GDK_SCALE, which desktops set,
 * otherwise the screen's resolution relative to 96 dpi, rounded to quarters.
 */
static float measure_scale(const BrumeWindow *window)
{
    const float ratio = (float)window->pixels_wide / (float)window->width;
    if (ratio > 1.01f) {
        return ratio;
    }
    const char *const gdk_scale = getenv("GDK_SCALE");
    const double number = gdk_scale ? strtod(gdk_scale, NULL) : 0.0;
    if (number >= 1.0 && number <= 4.0) {
        return (float)number;
    }
    float dpi = standard_dpi;
    const int display = SDL_GetWindowDisplayIndex(window->handle);
    if (display < 0 || SDL_GetDisplayDPI(display, &dpi, NULL, NULL) != 0) {
        return 1.0f;
    }
    const float quarters = roundf(4.0f * dpi / standard_dpi) / 4.0f;
    return quarters >= 1.25f ? fminf(quarters, 3.0f) : 1.0f;
}

static void describe_opengl(BrumeWindow *window)
{
    const char *const renderer = (const char *)glGetString(GL_RENDERER);
    const char *const version = (const char *)glGetString(GL_VERSION);
    (void)snprintf(window->renderer, sizeof window->renderer, "%s", renderer ? renderer : "OpenGL");
    (void)snprintf(window->version, sizeof window->version, "%s", version ? version : "");
    const char *const software_renderers[] = {
        "llvmpipe", "softpipe", "SwiftShader", "Software Rasterizer", "GDI Generic", "Apple Software Renderer"};
    for (size_t n = 0; n < sizeof software_renderers / sizeof software_renderers[0]; n++) {
        window->software = window->software || strstr(window->renderer, software_renderers[n]);
    }
    GLint strategy = GL_NO_RESET_NOTIFICATION_ARB;
    const bool robust = epoxy_has_gl_extension("GL_ARB_robustness") || epoxy_has_gl_extension("GL_KHR_robustness") ||
                        epoxy_gl_version() >= 45;
    if (robust) {
        glGetIntegerv(GL_RESET_NOTIFICATION_STRATEGY_ARB, &strategy);
    }
    window->reports_context_loss = robust && strategy == GL_LOSE_CONTEXT_ON_RESET_ARB;
}

BrumeStatus brume_window_create(BrumeWindow **window, const char *title, const BrumeWindowState *state,
                                BrumeError *error)
{
    *window = NULL;
    BrumeWindow *const created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "a window");
    }
    BrumeStatus status = start_video(error);
    if (status != BRUME_OK) {
        brume_free(created);
        return status;
    }
    brume_x_errors_catch();
    // some drivers reject the attribute for context loss instead of ignoring it
    if (!open_with_context(created, title, state, true) && !open_with_context(created, title, state, false)) {
        status = fail_without_opengl(title, state, SDL_GetError(), error);
        brume_x_errors_release(false);
        goto cleanup;
    }
    brume_x_errors_release(true);
    brume_x_errors_go_on();
    if (epoxy_gl_version() < 33) {
        status = brume_fail(error, BRUME_FAILED, "OpenGL 3.3 is needed, but there is %.80s (%.80s); use brume render",
                            (const char *)glGetString(GL_VERSION), (const char *)glGetString(GL_RENDERER));
        goto cleanup;
    }
    SDL_SetWindowMinimumSize(created->handle, min_width, min_height);
    set_icon(created->handle);
    describe_opengl(created);
    created->fullscreen = state->fullscreen;
    created->before_fullscreen =
        (SDL_Rect){state->has_position ? state->x : (int)SDL_WINDOWPOS_CENTERED,
                   state->has_position ? state->y : (int)SDL_WINDOWPOS_CENTERED, state->width, state->height};
    (void)brume_window_update_size(created);
    brume_window_set_vsync(created, true);
    SDL_StopTextInput(); // the panel starts it while a text field is active
    *window = created;
    return BRUME_OK;

cleanup:
    brume_window_destroy(created);
    return status;
}

void brume_window_destroy(BrumeWindow *window)
{
    if (!window) {
        return;
    }
    if (window->context) {
        SDL_GL_DeleteContext(window->context);
    }
    if (window->handle) {
        SDL_DestroyWindow(window->handle);
    }
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    SDL_Quit();
    brume_free(window);
}

bool brume_window_update_size(BrumeWindow *window)
{
    int width = 0;
    int height = 0;
    int pixels_wide = 0;
    int pixels_high = 0;
    SDL_GetWindowSize(window->handle, &width, &height);
    SDL_GL_GetDrawableSize(window->handle, &pixels_wide, &pixels_high);
    if (width < 1 || height < 1 || pixels_wide < 1 || pixels_high < 1 ||
        (SDL_GetWindowFlags(window->handle) & (SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN)) != 0) {
        return false;
    }
    window->width = width;
    window->height = height;
    window->pixels_wide = pixels_wide;
    window->pixels_high = pixels_high;
    window->scale = measure_scale(window);
    return true;
}

void brume_window_set_title(BrumeWindow *window, const char *title) { SDL_SetWindowTitle(window->handle, title); }

void brume_window_set_fullscreen(BrumeWindow *window, bool fullscreen)
{
    SDL_Rect *const before = &window->before_fullscreen;
    if (window->fullscreen == fullscreen) {
        return;
    }
    if (fullscreen) {
        SDL_GetWindowPosition(window->handle, &before->x, &before->y);
        SDL_GetWindowSize(window->handle, &before->w, &before->h);
    }
    if (SDL_SetWindowFullscreen(window->handle, fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0) != 0) {
        return;
    }
    window->fullscreen = fullscreen;
    if (!fullscreen) {
        // without a window manager SDL does not restore them
        SDL_SetWindowSize(window->handle, before->w, before->h);
        SDL_SetWindowPosition(window->handle, before->x, before->y);
    }
}

void brume_window_set_vsync(BrumeWindow *window, bool vsync)
{
    window->vsync = vsync && (SDL_GL_SetSwapInterval(-1) == 0 || SDL_GL_SetSwapInterval(1) == 0);
    if (!window->vsync) {
        (void)SDL_GL_SetSwapInterval(0);
    }
}

void brume_window_swap_buffers(BrumeWindow *window) { SDL_GL_SwapWindow(window->handle); }

bool brume_window_context_is_lost(const BrumeWindow *window)
{
    if (!window->reports_context_loss) {
        return false;
    }
    return (epoxy_has_gl_extension("GL_ARB_robustness") ? glGetGraphicsResetStatusARB() : glGetGraphicsResetStatus()) !=
           GL_NO_ERROR;
}

void brume_window_store_state(const BrumeWindow *window, BrumeWindowState *state)
{
    state->fullscreen = window->fullscreen;
    const Uint32 flags = SDL_GetWindowFlags(window->handle);
    if (window->fullscreen || (flags & (SDL_WINDOW_MINIMIZED | SDL_WINDOW_MAXIMIZED)) != 0) {
        return; // the state keeps the position and size of the normal window
    }
    state->has_position = true;
    SDL_GetWindowPosition(window->handle, &state->x, &state->y);
    SDL_GetWindowSize(window->handle, &state->width, &state->height);
}

#include "viewer/window/window.h"

#include "core/error.h"
#include "core/memory.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ICON_SIDE = 64, MOST_SCREENS = 16 };

static const int least_wide = 320, least_high = 240; // [points]
static const float usual_dpi = 96.0f;

// what SDL falls back to that shows nothing, or takes the whole console; fine where it was asked for by name
static bool is_display(const char *driver)
{
    const char *const others[] = {"offscreen", "dummy", "evdev", "KMSDRM"};
    for (size_t n = 0; n < sizeof others / sizeof others[0]; n++) {
        if (driver && SDL_strcasecmp(driver, others[n]) == 0) {
            return getenv("SDL_VIDEODRIVER") != NULL;
        }
    }
    return true;
}

static BrumeStatus start_video(BrumeError *error)
{
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1"); // Ctrl-C is the program's
    const char *const display = getenv("DISPLAY");
    const char *const wayland = getenv("WAYLAND_DISPLAY");
    const bool has_display = display && display[0];
    const bool has_wayland = wayland && wayland[0];
    if (!getenv("SDL_VIDEODRIVER")) { // what there is no sign of is not tried: its libraries complain by themselves
        if (!has_display && !has_wayland) {
            return brume_fail(error, BRUME_FAILED, "no display (set DISPLAY, or use brume render)");
        }
        if (!has_wayland) {
            SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11");
        }
    }
    SDL_ClearError();
    char reason[200] = "it does not answer";
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
        (void)snprintf(reason, sizeof reason, "%s", SDL_GetError());
    } else if (is_display(SDL_GetCurrentVideoDriver())) {
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

static int screens_of(BrumeScreen screens[MOST_SCREENS])
{
    const int displays = SDL_GetNumVideoDisplays();
    int count = 0;
    for (int n = 0; n < displays && count < MOST_SCREENS; n++) {
        SDL_Rect area;
        if (SDL_GetDisplayBounds(n, &area) == 0) {
            screens[count++] = (BrumeScreen){area.x, area.y, area.w, area.h};
        }
    }
    return count;
}

static SDL_Window *open_window(const char *title, const BrumeWindowState *place)
{
    BrumeScreen screens[MOST_SCREENS];
    const int count = screens_of(screens);
    int x = (int)SDL_WINDOWPOS_CENTERED;
    int y = (int)SDL_WINDOWPOS_CENTERED;
    if (place->has_position && brume_window_state_is_reachable(place, screens, count)) {
        x = place->x;
        y = place->y;
    }
    Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    if (place->fullscreen) {
        flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
    }
    return SDL_CreateWindow(title, x, y, place->width, place->height, flags);
}

static void ask_for_opengl(bool robust)
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

/** Says what OpenGL there is where it is not 3.3: asked of a plain context, which may be any version. */
static BrumeStatus fail_without_opengl(const char *title, const BrumeWindowState *place, const char *reason,
                                       BrumeError *error)
{
    char why[200];
    (void)snprintf(why, sizeof why, "%s", reason);
    SDL_GL_ResetAttributes();
    SDL_Window *const plain = open_window(title, place);
    SDL_GLContext context = plain ? SDL_GL_CreateContext(plain) : NULL;
    BrumeStatus status;
    if (context) {
        status = brume_fail(error, BRUME_FAILED, "OpenGL 3.3 is needed, but there is %.80s (%.80s); use brume render",
                            (const char *)glGetString(GL_VERSION), (const char *)glGetString(GL_RENDERER));
        SDL_GL_DeleteContext(context);
    } else {
        status = brume_fail(error, BRUME_FAILED, "no OpenGL 3.3 (%s); use brume render", why);
    }
    if (plain) {
        SDL_DestroyWindow(plain);
    }
    return status;
}

static bool open_with_context(BrumeWindow *window, const char *title, const BrumeWindowState *place, bool robust)
{
    ask_for_opengl(robust);
    window->handle = open_window(title, place);
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

/** A disc of smoke over dark blue, drawn by its formula. */
static void set_icon(SDL_Window *handle)
{
    uint8_t pixels[ICON_SIDE][ICON_SIDE][4];
    for (int y = 0; y < ICON_SIDE; y++) {
        for (int x = 0; x < ICON_SIDE; x++) {
            const float px = (2.0f * (float)x + 1.0f) / ICON_SIDE - 1.0f;
            const float py = 1.0f - (2.0f * (float)y + 1.0f) / ICON_SIDE;
            const float edge = fmaxf(hypotf(fmaxf(fabsf(px) - 0.55f, 0.0f), fmaxf(fabsf(py) - 0.55f, 0.0f)), 0.0f);
            // three puffs that rise and grow
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
 * Pixels a point of text. Where SDL itself tells points from pixels that ratio is it; elsewhere GDK_SCALE, which
 * desktops set, or the dots an inch that the screen has, in quarters.
 */
static float measure_scale(const BrumeWindow *window)
{
    const float ratio = (float)window->pixels_wide / (float)window->width;
    if (ratio > 1.01f) {
        return ratio;
    }
    const char *const wanted = getenv("GDK_SCALE");
    const double number = wanted ? strtod(wanted, NULL) : 0.0;
    if (number >= 1.0 && number <= 4.0) {
        return (float)number;
    }
    float dpi = usual_dpi;
    const int display = SDL_GetWindowDisplayIndex(window->handle);
    if (display < 0 || SDL_GetDisplayDPI(display, &dpi, NULL, NULL) != 0) {
        return 1.0f;
    }
    const float quarters = roundf(4.0f * dpi / usual_dpi) / 4.0f;
    return quarters >= 1.25f ? fminf(quarters, 3.0f) : 1.0f;
}

static void describe_opengl(BrumeWindow *window)
{
    const char *const renderer = (const char *)glGetString(GL_RENDERER);
    const char *const version = (const char *)glGetString(GL_VERSION);
    (void)snprintf(window->renderer, sizeof window->renderer, "%s", renderer ? renderer : "OpenGL");
    (void)snprintf(window->version, sizeof window->version, "%s", version ? version : "");
    const char *const made_of_software[] = {
        "llvmpipe", "softpipe", "SwiftShader", "Software Rasterizer", "GDI Generic", "Apple Software Renderer"};
    for (size_t n = 0; n < sizeof made_of_software / sizeof made_of_software[0]; n++) {
        window->software = window->software || strstr(window->renderer, made_of_software[n]);
    }
    GLint strategy = GL_NO_RESET_NOTIFICATION_ARB;
    const bool robust = epoxy_has_gl_extension("GL_ARB_robustness") || epoxy_has_gl_extension("GL_KHR_robustness") ||
                        epoxy_gl_version() >= 45;
    if (robust) {
        glGetIntegerv(GL_RESET_NOTIFICATION_STRATEGY_ARB, &strategy);
    }
    window->can_be_lost = robust && strategy == GL_LOSE_CONTEXT_ON_RESET_ARB;
}

BrumeStatus brume_window_create(BrumeWindow **window, const char *title, const BrumeWindowState *place,
                                BrumeError *error)
{
    *window = NULL;
    BrumeWindow *const made = brume_alloc(1, sizeof *made);
    if (!made) {
        return brume_out_of_memory(error, "a window");
    }
    BrumeStatus status = start_video(error);
    if (status != BRUME_OK) {
        brume_free(made);
        return status;
    }
    // some drivers refuse a context that can be lost rather than ignore the wish
    if (!open_with_context(made, title, place, true) && !open_with_context(made, title, place, false)) {
        status = fail_without_opengl(title, place, SDL_GetError(), error);
        goto cleanup;
    }
    if (epoxy_gl_version() < 33) {
        status = brume_fail(error, BRUME_FAILED, "OpenGL 3.3 is needed, but there is %.80s (%.80s); use brume render",
                            (const char *)glGetString(GL_VERSION), (const char *)glGetString(GL_RENDERER));
        goto cleanup;
    }
    SDL_SetWindowMinimumSize(made->handle, least_wide, least_high);
    set_icon(made->handle);
    describe_opengl(made);
    made->fullscreen = place->fullscreen;
    made->before_fullscreen =
        (SDL_Rect){place->has_position ? place->x : (int)SDL_WINDOWPOS_CENTERED,
                   place->has_position ? place->y : (int)SDL_WINDOWPOS_CENTERED, place->width, place->height};
    (void)brume_window_measure(made);
    brume_window_set_vsync(made, true);
    SDL_StopTextInput(); // the panel asks for it where text is typed
    *window = made;
    return BRUME_OK;

cleanup:
    brume_window_destroy(made);
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

bool brume_window_measure(BrumeWindow *window)
{
    int width = 0;
    int height = 0;
    int pixels_wide = 0;
    int pixels_high = 0;
    SDL_GetWindowSize(window->handle, &width, &height);
    SDL_GL_GetDrawableSize(window->handle, &pixels_wide, &pixels_high);
    if (width < 1 || height < 1 || pixels_wide < 1 || pixels_high < 1 ||
        (SDL_GetWindowFlags(window->handle) & SDL_WINDOW_MINIMIZED) != 0) {
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
        // without a window manager nobody else does it
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

void brume_window_hold_pointer(bool held)
{
    if (held != (SDL_GetRelativeMouseMode() == SDL_TRUE)) {
        (void)SDL_SetRelativeMouseMode(held ? SDL_TRUE : SDL_FALSE);
    }
}

void brume_window_show(BrumeWindow *window) { SDL_GL_SwapWindow(window->handle); }

bool brume_window_is_lost(const BrumeWindow *window)
{
    if (!window->can_be_lost) {
        return false;
    }
    return (epoxy_has_gl_extension("GL_ARB_robustness") ? glGetGraphicsResetStatusARB() : glGetGraphicsResetStatus()) !=
           GL_NO_ERROR;
}

void brume_window_remember(const BrumeWindow *window, BrumeWindowState *place)
{
    place->fullscreen = window->fullscreen;
    const Uint32 flags = SDL_GetWindowFlags(window->handle);
    if (window->fullscreen || (flags & (SDL_WINDOW_MINIMIZED | SDL_WINDOW_MAXIMIZED)) != 0) {
        return; // the place to go back to stays the one from before
    }
    place->has_position = true;
    SDL_GetWindowPosition(window->handle, &place->x, &place->y);
    SDL_GetWindowSize(window->handle, &place->width, &place->height);
}

#include "gl_context.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static EGLDisplay display = EGL_NO_DISPLAY;
static EGLContext context = EGL_NO_CONTEXT;
static GLuint framebuffer, color, depth_buffer;

static bool fail_without_context(const char *reason)
{
    (void)fprintf(stderr, "no OpenGL context: %s\n", reason);
    gl_context_destroy();
    return false;
}

bool gl_context_create(void)
{
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
        display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    } else {
        display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    }
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
        display = EGL_NO_DISPLAY;
        return fail_without_context("EGL has no display without a window");
    }
    static const EGLint config_attributes[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                               EGL_NONE};
    static const EGLint context_attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, config_attributes, &config, 1, &count) || count < 1) {
        return fail_without_context("EGL has no configuration for OpenGL");
    }
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes);
    if (context == EGL_NO_CONTEXT) {
        return fail_without_context("the driver has no OpenGL 3.3 core");
    }
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        return fail_without_context("the driver requires a surface");
    }
    return true;
}

static void delete_target(void)
{
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &color);
    glDeleteRenderbuffers(1, &depth_buffer);
}

void gl_context_destroy(void)
{
    if (context != EGL_NO_CONTEXT) {
        if (framebuffer != 0) {
            delete_target();
        }
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display, context);
    }
    // The display is not terminated: leak checkers report the allocations of a driver that is unloaded.
    context = EGL_NO_CONTEXT;
}

void gl_target(int width, int height)
{
    if (framebuffer != 0) {
        delete_target();
    }
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(1, &color);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    glGenRenderbuffers(1, &depth_buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, depth_buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_buffer);
    glClearColor(1.0f, 0.0f, 1.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

// exchanges the upper and lower rows
static void flip(void *data, int height, size_t row_bytes)
{
    unsigned char *rows = data;
    unsigned char *row = malloc(row_bytes);
    for (int y = 0; row != NULL && y < height / 2; y++) {
        unsigned char *upper = rows + row_bytes * (size_t)y;
        unsigned char *lower = rows + row_bytes * (size_t)(height - 1 - y);
        memcpy(row, upper, row_bytes);
        memcpy(upper, lower, row_bytes);
        memcpy(lower, row, row_bytes);
    }
    free(row);
}

void gl_read_rgb(int width, int height, uint8_t *rgb)
{
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    flip(rgb, height, 3 * (size_t)width);
}

void gl_read_depth(int width, int height, float *depth)
{
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width, height, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
    flip(depth, height, sizeof *depth * (size_t)width);
}

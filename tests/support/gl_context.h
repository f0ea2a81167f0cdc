/**
 * @file gl_context.h
 * An OpenGL 3.3 core context and a framebuffer without a window or display: EGL's surfaceless platform.
 */
#ifndef BRUME_TESTS_SUPPORT_GL_CONTEXT_H
#define BRUME_TESTS_SUPPORT_GL_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

/** Makes a context current on the calling thread. Prints the reason to stderr and returns false where EGL fails. */
bool gl_context_create(void);

void gl_context_destroy(void);

/** Binds a new framebuffer of 8-bit color and 24-bit depth, cleared to magenta and depth 1; deletes the one before. */
void gl_target(int width, int height);

/** Reads the colors of the bound framebuffer (height x width x 3, top row first). */
void gl_read_rgb(int width, int height, uint8_t *rgb);

/** Reads the depth of the bound framebuffer (height x width, top row first). */
void gl_read_depth(int width, int height, float *depth);

#endif

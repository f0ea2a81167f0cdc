/**
 * @file gl_context.h
 * An OpenGL 3.3 core context and a framebuffer, with no window and no display: EGL's surfaceless platform.
 */
#ifndef BRUME_TESTS_SUPPORT_GL_CONTEXT_H
#define BRUME_TESTS_SUPPORT_GL_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

/** Makes a context current on the calling thread. Where EGL cannot, says why on stderr and returns false. */
bool gl_context_create(void);

void gl_context_destroy(void);

/** Binds a framebuffer of 8-bit color and 24-bit depth, cleared to magenta and depth 1; replaces the last one. */
void gl_target(int width, int height);

/** The bound framebuffer's colors (height x width x 3, top row first). */
void gl_read_rgb(int width, int height, uint8_t *rgb);

/** The bound framebuffer's depth (height x width, top row first). */
void gl_read_depth(int width, int height, float *depth);

#endif

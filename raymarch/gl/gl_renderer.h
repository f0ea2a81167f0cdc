/**
 * @file gl_renderer.h
 * The OpenGL 3.3 volume renderer: the ray marcher of raymarch/cpu in a fragment shader. Light volumes are computed on
 * the CPU and uploaded, so that both renderers share one implementation of the light. All calls must come from a thread
 * whose current context (core profile, 3.3 or later) is the one in which the renderer was created.
 */
#ifndef BRUME_RAYMARCH_GL_GL_RENDERER_H
#define BRUME_RAYMARCH_GL_GL_RENDERER_H

#include "brume/camera.h"
#include "brume/renderer.h"
#include "core/error.h"
#include "raymarch/gl/gl_view.h"

#include <stddef.h>

typedef struct BrumeGlRenderer BrumeGlRenderer;

/**
 * Creates a renderer and compiles its programs. BRUME_FAILED without OpenGL 3.3 or memory, or where a program does not
 * compile; `*renderer` is NULL then.
 */
BrumeStatus brume_gl_renderer_create(BrumeGlRenderer **renderer, BrumeError *error);

/** Frees a renderer; NULL is allowed. */
void brume_gl_renderer_destroy(BrumeGlRenderer *renderer);

/**
 * Uploads the lit medium of a CPU renderer that is loaded and lit: extinction, kinds, majorants, light volumes, and the
 * uniforms of the settings. Arrays with a longer side than the largest 3D texture are downsampled; `*reduced` (may be
 * NULL) becomes the largest factor, at least 1. BRUME_FAILED where the device has no memory; the volume that was loaded
 * before remains.
 */
BrumeStatus brume_gl_renderer_load(BrumeGlRenderer *renderer, const BrumeRenderer *source, int *reduced,
                                   BrumeError *error);

/**
 * Draws the loaded volume into the bound framebuffer, with exposure, tone curve and sRGB, and writes the depth of
 * solids and ground under brume_gl_projection, so that geometry drawn later is occluded by them. Afterwards blending is
 * off and the depth test is on.
 */
void brume_gl_renderer_draw(BrumeGlRenderer *renderer, const BrumeCamera *camera, const BrumeGlDraw *draw);

/** Writes only the depth of the solids and the ground of `settings`, for a picture from another source. */
void brume_gl_renderer_draw_depth(BrumeGlRenderer *renderer, const BrumeRenderSettings *settings,
                                  const BrumeCamera *camera, const BrumeGlDraw *draw);

/** Bytes allocated on the device. */
size_t brume_gl_renderer_bytes(const BrumeGlRenderer *renderer);

#endif

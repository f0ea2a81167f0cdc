/**
 * @file gl_renderer.h
 * The OpenGL 3.3 volume renderer: the same look as the CPU raymarcher's, marched in a fragment shader. The light comes
 * from the CPU raymarcher's light volumes, so that both follow one set of definitions. All calls are made by the thread
 * whose current context (core profile, 3.3 or later) made the renderer.
 */
#ifndef BRUME_RAYMARCH_GL_GL_RENDERER_H
#define BRUME_RAYMARCH_GL_GL_RENDERER_H

#include "brume/camera.h"
#include "brume/renderer.h"
#include "core/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct BrumeGlRenderer BrumeGlRenderer;

/** Where in the bound framebuffer a picture goes, and how finely it is marched. */
typedef struct BrumeGlDraw {
    int x, y, width, height;   ///< of the picture in the framebuffer [pixels], lower left corner first
    int clip_left, clip_right; ///< columns of the picture that are drawn: clip_left <= x < clip_right
    int shrink;                ///< marched at 1/shrink of the pixels along each side and scaled up, 1 to 8
    float step;                ///< length of a step [cells]; 0: the look's
    uint32_t seed;             ///< of the jitter
} BrumeGlDraw;

/** Compiles its programs. BRUME_FAILED without OpenGL 3.3, a program that does not compile, or memory. */
BrumeStatus brume_gl_renderer_create(BrumeGlRenderer **renderer, BrumeError *error);

void brume_gl_renderer_destroy(BrumeGlRenderer *renderer);

/**
 * Uploads what a loaded and lit CPU renderer holds: extinction, kinds, macro-cells, light volumes, look. Where a side
 * is beyond the largest 3D texture, it is sampled down and `*reduced` (may be NULL) says by how much, else 1.
 * BRUME_FAILED where the device is out of memory; what was loaded before stays.
 */
BrumeStatus brume_gl_renderer_load(BrumeGlRenderer *renderer, const BrumeRenderer *lit, int *reduced,
                                   BrumeError *error);

/**
 * Draws the loaded volume into the bound framebuffer, exposed, tone-mapped and in sRGB, and writes the depth of solids
 * and ground for brume_gl_projection, so that what is drawn after it hides behind them. Blending and depth test are
 * left off and on.
 */
void brume_gl_renderer_draw(BrumeGlRenderer *renderer, const BrumeCamera *camera, const BrumeGlDraw *draw);

/** Writes that depth alone, for a picture that came from elsewhere. `look` tells the solids and the ground. */
void brume_gl_renderer_draw_depth(BrumeGlRenderer *renderer, const BrumeRenderSettings *look, const BrumeCamera *camera,
                                  const BrumeGlDraw *draw);

/** The matrix (column-major) from the world [m] to clip space that both renderers' pictures agree with. */
void brume_gl_projection(const BrumeCamera *camera, float aspect, float matrix[16]);

/** Bytes held on the device. */
size_t brume_gl_renderer_bytes(const BrumeGlRenderer *renderer);

#endif

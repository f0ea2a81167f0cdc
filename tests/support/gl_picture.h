/**
 * @file gl_picture.h
 * Pictures by both renderers, and how far they are apart.
 */
#ifndef BRUME_TESTS_SUPPORT_GL_PICTURE_H
#define BRUME_TESTS_SUPPORT_GL_PICTURE_H

#include "brume/renderer.h"
#include "raymarch/gl/gl_renderer.h"

enum { GL_WIDTH = 320, GL_HEIGHT = 180, GL_BYTES = GL_WIDTH * GL_HEIGHT * 3 };

/** A draw of the whole picture with the look's step, one marched ray a pixel. */
BrumeGlDraw gl_whole_picture(void);

/** Draws into a fresh target (GL_HEIGHT x GL_WIDTH x 3). Fails the test on any GL error. */
void gl_draw(BrumeGlRenderer *renderer, const BrumeCamera *camera, const BrumeGlDraw *draw, uint8_t *rgb);

/** The CPU's picture of the same size. */
void cpu_draw(BrumeRenderer *lit, const BrumeRenderSettings *look, const BrumeCamera *camera, int samples,
              uint8_t *rgb);

/**
 * Peak signal to noise ratio over all bytes of two pictures [dB], 255 the peak. Where the environment names a folder
 * as BRUME_TEST_PICTURES, both are written there, side by side, as `name`.png.
 */
double psnr(const char *name, const uint8_t *a, const uint8_t *b);

#endif

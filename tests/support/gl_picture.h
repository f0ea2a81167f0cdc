/**
 * @file gl_picture.h
 * Pictures of both renderers, and their difference.
 */
#ifndef BRUME_TESTS_SUPPORT_GL_PICTURE_H
#define BRUME_TESTS_SUPPORT_GL_PICTURE_H

#include "brume/renderer.h"
#include "raymarch/gl/gl_renderer.h"

enum { GL_WIDTH = 320, GL_HEIGHT = 180, GL_BYTES = GL_WIDTH * GL_HEIGHT * 3 };

/** The whole picture with the step of the settings, one marched ray per pixel. */
BrumeGlDraw gl_whole_picture(void);

/** Draws into a new target and reads it (GL_HEIGHT x GL_WIDTH x 3). Fails the test on any OpenGL error. */
void gl_draw(BrumeGlRenderer *renderer, const BrumeCamera *camera, const BrumeGlDraw *draw, uint8_t *rgb);

/** Draws a picture of the same size on the CPU. */
void cpu_draw(BrumeRenderer *lit, const BrumeRenderSettings *settings, const BrumeCamera *camera, int samples,
              uint8_t *rgb);

/**
 * Prints and returns the peak signal-to-noise ratio of two pictures [dB], over all bytes with a peak of 255. Where the
 * environment variable BRUME_TEST_PICTURES names a folder, both are written there, side by side, as `name`.png.
 */
double psnr(const char *name, const uint8_t *a, const uint8_t *b);

#endif

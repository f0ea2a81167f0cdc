/**
 * @file renderer.h
 * The CPU raymarcher: hand it a volume, then draw it from any camera.
 */
#ifndef BRUME_RAYMARCH_RENDERER_H
#define BRUME_RAYMARCH_RENDERER_H

#include "core/error.h"
#include "raymarch/camera.h"
#include "raymarch/look.h"
#include "raymarch/volume.h"

#include <stddef.h>
#include <stdint.h>

typedef struct BrumeRenderer BrumeRenderer;

/** How a picture is sampled. */
typedef struct BrumeDrawDef {
    int width, height; ///< [pixels]
    int samples;       ///< rays a pixel, any number from 1
    uint32_t seed;     ///< of the jitter; the frame number gives each frame its own
} BrumeDrawDef;

/**
 * Makes a renderer for volumes of up to nx x ny x nz cells and one look. Takes all memory here; the look is copied.
 * BRUME_FAILED without memory; `*renderer` is NULL then.
 */
BrumeStatus brume_renderer_create(BrumeRenderer **renderer, int nx, int ny, int nz, const BrumeLook *look,
                                  BrumeError *error);

void brume_renderer_destroy(BrumeRenderer *renderer);

/**
 * Takes a copy of what it needs of the volume (whose arrays may change afterwards): extinction, colors, macro-cells.
 * Parallel over z-planes.
 */
void brume_renderer_load(BrumeRenderer *renderer, const BrumeVolume *volume);

/** Lights the loaded volume: the transmittance towards every light and the sky. Once a load, before drawing. */
void brume_renderer_light(BrumeRenderer *renderer);

/**
 * Draws the loaded and lit volume into `radiance` (height x width x 3 floats, linear RGB, top row first), before
 * exposure and tone curve. Parallel over tiles; the same bits at any thread count.
 */
void brume_renderer_draw(BrumeRenderer *renderer, const BrumeCamera *camera, const BrumeDrawDef *def, float *radiance);

/** Exposure, tone curve, sRGB and 8 bits with a fixed ordered dither: (height x width x 3 bytes). */
void brume_tone_map(const BrumeLook *look, int width, int height, const float *radiance, uint8_t *rgb);

/** Bytes held; those of color are held from the first load of a volume whose kinds differ in albedo. */
size_t brume_renderer_bytes(const BrumeRenderer *renderer);

#endif

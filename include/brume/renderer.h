/**
 * @file renderer.h
 * The CPU raymarcher: hand it a volume, then draw it from any camera.
 */
#ifndef BRUME_RENDERER_H
#define BRUME_RENDERER_H

#include "brume/camera.h"
#include "brume/error.h"
#include "brume/export.h"
#include "brume/render_settings.h"
#include "brume/volume.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

BRUME_BEGIN_DECLS

typedef struct BrumeRenderer BrumeRenderer;

/** How a picture is sampled. */
typedef struct BrumeDrawDef {
    int width, height; ///< [pixels]
    int samples;       ///< rays a pixel, any number from 1
    uint32_t seed;     ///< of the jitter; the frame number gives each frame its own
    float step;        ///< length of a marching step towards the camera [cells]; 0: the look's
} BrumeDrawDef;

/**
 * Makes a renderer for volumes of up to nx x ny x nz cells and one look. Takes all memory here; the look is copied.
 * BRUME_FAILED without memory; `*renderer` is NULL then.
 */
BRUME_API BrumeStatus brume_renderer_create(BrumeRenderer **renderer, int nx, int ny, int nz,
                                            const BrumeRenderSettings *look, BrumeError *error);

BRUME_API void brume_renderer_destroy(BrumeRenderer *renderer);

/**
 * Takes a copy of what it needs of the volume (whose arrays may change afterwards): extinction, colors, macro-cells.
 * Parallel over z-planes.
 */
BRUME_API void brume_renderer_load(BrumeRenderer *renderer, const BrumeVolume *volume);

/** Lights the loaded volume: the transmittance towards every light and the sky. Once a load, before drawing. */
BRUME_API void brume_renderer_light(BrumeRenderer *renderer);

/**
 * Draws the loaded and lit volume into `radiance` (height x width x 3 floats, linear RGB, top row first), before
 * exposure and tone curve. Parallel over tiles; the same bits at any thread count.
 */
BRUME_API void brume_renderer_draw(BrumeRenderer *renderer, const BrumeCamera *camera, const BrumeDrawDef *def,
                                   float *radiance);

/** A part of a picture's work, so that it can appear bit by bit. */
typedef struct BrumeDrawPart {
    int left, right;              ///< columns of the picture: left <= x < right
    int first_sample, end_sample; ///< of a pixel's samples: first_sample <= n < end_sample
    bool (*stop)(void *context);  ///< asked by any thread before a tile: true leaves the rest undone; NULL: never
    void *context;                ///< of `stop`
} BrumeDrawPart;

/**
 * As brume_renderer_draw, for a part: the samples' radiance is added to what `sum` (height x width x 3) holds. Parts
 * that cover all samples of a pixel in their order, times 1 / samples, give the bits of brume_renderer_draw. Tiles that
 * `stop` leaves undone are as they were. Whether it was drawn to its end.
 */
BRUME_API bool brume_renderer_draw_part(const BrumeRenderer *renderer, const BrumeCamera *camera,
                                        const BrumeDrawDef *def, const BrumeDrawPart *part, float *sum);

/**
 * Changes the look; load and light again before the next drawing. Memory that more or other lights or kinds need is
 * taken here: BRUME_FAILED without it, and the look is as before then.
 */
BRUME_API BrumeStatus brume_renderer_set_settings(BrumeRenderer *renderer, const BrumeRenderSettings *look,
                                                  BrumeError *error);

/** What lies under a point of the picture. */
typedef enum BrumePickKind { BRUME_PICK_SKY, BRUME_PICK_SMOKE, BRUME_PICK_SURFACE, BRUME_PICK_GROUND } BrumePickKind;

typedef struct BrumePick {
    BrumePickKind kind;
    float distance;     ///< from the camera [m], INFINITY for the sky
    BrumeVec3 point;    ///< [m]; of the sky: nothing
    int surface;        ///< index in the look, for BRUME_PICK_SURFACE; otherwise -1
    float enter, leave; ///< where the ray is inside the loaded volume's box [m], enter >= 0; enter >= leave: nowhere
} BrumePick;

/**
 * What is seen at (x, y) of a picture of width x height pixels, (0, 0) its upper left corner: smoke where it has taken
 * half of the light, else what is behind it.
 */
BRUME_API BrumePick brume_renderer_pick(const BrumeRenderer *renderer, const BrumeCamera *camera, int width, int height,
                                        float x, float y);

/** The smallest box of macro-cells around the smoke that was loaded [m]; false where there is none. */
BRUME_API bool brume_renderer_bounds(const BrumeRenderer *renderer, BrumeVec3 *lower, BrumeVec3 *upper);

/** Exposure, tone curve, sRGB and 8 bits with a fixed ordered dither: (height x width x 3 bytes). */
BRUME_API void brume_tone_map(const BrumeRenderSettings *look, int width, int height, const float *radiance,
                              uint8_t *rgb);

/** Bytes held; those of color are held from the first load of a volume whose kinds differ in albedo. */
BRUME_API size_t brume_renderer_bytes(const BrumeRenderer *renderer);

BRUME_END_DECLS

#endif

/**
 * @file renderer.h
 * The CPU ray marcher: loads a volume, computes the light inside it, and draws it from any camera.
 *
 *     brume_renderer_create(&renderer, nx, ny, nz, &settings, &error);
 *     brume_renderer_load(renderer, &volume, &error);
 *     brume_renderer_light(renderer, &error);
 *     brume_renderer_draw(renderer, &camera, &draw, radiance, &error);
 *     brume_tone_map(&settings, draw.width, draw.height, radiance, rgb);
 *     brume_renderer_destroy(renderer);
 *
 * Threads: functions that take a `const BrumeRenderer *` may run at the same time on one renderer; all others need
 * exclusive access to it. Different renderers are independent. Work inside a call is shared by an OpenMP team; results
 * have the same bits for every number of threads.
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

/** A renderer with its copy of one volume. Created by brume_renderer_create, freed by brume_renderer_destroy. */
typedef struct BrumeRenderer BrumeRenderer;

/** A part of the pixels of a picture: left <= x < right, top <= y < bottom. All zero: the whole picture. */
typedef struct BrumePictureCrop {
    int left, top, right, bottom; ///< [pixels], within the picture
} BrumePictureCrop;

/**
 * Values of each pixel in addition to its radiance, for programs that compose pictures. Every array has height x width
 * elements of the crop; where it is NULL, the values are not computed. All but depth and motion are means over the rays
 * of the pixel. The lights, the sky and the emission add up to the radiance, but for rounding.
 */
typedef struct BrumePictureLayers {
    /**
     * Coverage, 0 to 1. Where not NULL, the picture has no background: the sky is not drawn, and radiance is the
     * radiance of smoke, solids and ground alone, so that radiance + (1 - alpha) x background is the picture before a
     * background. With `ground_catcher` of the render settings the ground has no radiance, and its alpha is the
     * fraction of its light that smoke and solids take away.
     */
    float *alpha;
    float *transmittance; ///< fraction of the light from behind the smoke that arrives
    /**
     * Distance [m] from the camera, along the ray through the center of the pixel, at which the transmittance falls to
     * 1/2, or otherwise the distance of the surface; INFINITY for the sky.
     */
    float *depth;
    /**
     * x 2: the motion, until the next frame (BrumeDrawDef.frame_seconds), of the point that is visible at the center of
     * the pixel [pixels], to the right and up. The mean over the smoke, by the light that it takes away, and the
     * surface or sky behind it, of the motion by its velocity and by the camera. Smoke of a volume without velocity, or
     * with `motion_vectors` of the render settings false, is at rest.
     */
    float *motion;
    float *lights[BRUME_MAX_LIGHTS]; ///< x 3: radiance that started at each light
    float *emission;                 ///< x 3: radiance that started at glowing smoke
    float *sky;   ///< x 3: radiance from the sky; of the ray marcher, also after scattering by ground or smoke
    float *noisy; ///< x 3: the radiance before BrumeTraceDef.denoise; unchanged by brume_renderer_draw
} BrumePictureLayers;

/** How a picture is sampled, and how its progress is reported. */
typedef struct BrumeDrawDef {
    int width, height; ///< of the picture [pixels], at least 1
    int samples;       ///< rays through each pixel, at least 1
    uint32_t seed;     ///< of the jitter; the frame number, for example, gives each frame its own jitter
    float step;        ///< length of a marching step along camera rays [cells]; 0 takes the step of the render settings
    /**
     * Called before each tile of 16 x 16 pixels with the fraction of tiles that are drawn, which never decreases, and
     * once with 1 after the last. Returns false to stop drawing; the result of the call with 1 is ignored. Called by
     * any thread of the team, one at a time. NULL for none.
     */
    bool (*progress)(void *context, double fraction);
    void *context; ///< passed to `progress`
    /**
     * With a shutter in the render settings, or with motion vectors: the camera at a time [s] after the middle of the
     * opening. Called by any thread of the team, for every sample. NULL: the camera does not move.
     */
    BrumeCamera (*camera_at)(const void *context, double time);
    const void *camera_context;       ///< passed to `camera_at`
    double frame_seconds;             ///< time to the next frame, for motion vectors
    BrumePictureCrop crop;            ///< the pixels to draw, with the same values as in the whole picture
    const BrumePictureLayers *layers; ///< filled in addition to the radiance; NULL for none
    /**
     * Asked before each tile, as `progress`: whether the caller wants the picture as it is so far. Then the tiles in
     * progress are completed, `partial` is called by the thread that draws, with radiance and layers of complete tiles
     * and 0 elsewhere, and drawing goes on to the same result. `partial_wanted` must return false from then on. Both
     * NULL for none; also where there is no memory.
     */
    bool (*partial_wanted)(void *context);
    void (*partial)(void *context); ///< called with `context`
} BrumeDrawDef;

/** 960 x 540 pixels, 4 samples, seed 0, the step of the render settings, no progress function, crop or layers. */
BRUME_API BrumeDrawDef brume_default_draw_def(void);

/**
 * Creates a renderer for volumes of up to nx x ny x nz cells, each at most 16384, with a copy of the settings. All
 * memory is allocated here. BRUME_BAD_INPUT where a size, a count, the marching step or a light is out of range,
 * BRUME_FAILED without memory; `*renderer` is NULL then.
 */
BRUME_API BrumeStatus brume_renderer_create(BrumeRenderer **renderer, int nx, int ny, int nz,
                                            const BrumeRenderSettings *settings, BrumeError *error);

/** Frees a renderer; NULL is allowed. */
BRUME_API void brume_renderer_destroy(BrumeRenderer *renderer);

/**
 * The particles of the loaded volume, `*count` of them; valid until the next one is loaded. Where there are any, the
 * light must be computed also for brume_renderer_trace.
 */
BRUME_API const BrumeParticle *brume_renderer_particles(const BrumeRenderer *renderer, int *count);

/**
 * Composes the particles of the loaded volume into a picture that is complete but for them, as those of
 * brume_renderer_draw_part are. brume_renderer_draw and brume_renderer_trace have done it. The light must be computed.
 * BRUME_FAILED without memory.
 */
BRUME_API BrumeStatus brume_renderer_draw_particles(const BrumeRenderer *renderer, const BrumeCamera *camera,
                                                    const BrumeDrawDef *def, float *radiance, BrumeError *error);

/** Stores a pointer of the program with the renderer, which does not use it. NULL at first. */
BRUME_API void brume_renderer_set_user_data(BrumeRenderer *renderer, void *user_data);

/** The pointer of brume_renderer_set_user_data. */
BRUME_API void *brume_renderer_user_data(const BrumeRenderer *renderer);

/**
 * Replaces the render settings. The volume must be loaded and lit again before the next drawing. Memory that other
 * lights or albedos need is allocated here. Fails as brume_renderer_create; the renderer is unchanged then.
 */
BRUME_API BrumeStatus brume_renderer_set_settings(BrumeRenderer *renderer, const BrumeRenderSettings *settings,
                                                  BrumeError *error);

/**
 * Copies the extinction of a volume; its arrays may change afterwards. Negative and NaN densities count as 0.
 * BRUME_BAD_INPUT where the volume is larger than the renderer allows, its rows overlap, or its cell size or origin is
 * not a finite number; the renderer is unchanged then. The light must be computed again (brume_renderer_light) before
 * the next drawing. Of a volume with velocities, they are copied where the settings have a shutter. Parallel over
 * z-planes.
 */
BRUME_API BrumeStatus brume_renderer_load(BrumeRenderer *renderer, const BrumeVolume *volume, BrumeError *error);

/**
 * Computes the light inside the loaded volume: the transmittance towards every light, and the radiance of sky and
 * ground. To be called once after each load, before drawing. BRUME_BAD_INPUT where no volume was loaded since the
 * settings were set; the renderer is unchanged then. Runs on the team of the calling thread.
 */
BRUME_API BrumeStatus brume_renderer_light(BrumeRenderer *renderer, BrumeError *error);

/**
 * Draws the loaded and lit volume into `radiance` (height x width x 3 floats of the crop, linear RGB, top row first),
 * before exposure and tone curve. BRUME_INTERRUPTED where `def->progress` returned false: tiles that were drawn are
 * final, the others 0. BRUME_BAD_INPUT, with `radiance` unchanged, where a size or `samples` is below 1, the crop is
 * empty or not within the picture, or the volume is not lit. Parallel over tiles.
 */
BRUME_API BrumeStatus brume_renderer_draw(const BrumeRenderer *renderer, const BrumeCamera *camera,
                                          const BrumeDrawDef *def, float *radiance, BrumeError *error);

/** The result of brume_renderer_trace. */
typedef struct BrumeTraceResult {
    int samples;  ///< light paths through each pixel
    double error; ///< estimate of the picture's root mean square error over its mean; 0 with one path a pixel
} BrumeTraceResult;

/** How far light paths are followed, and when there are enough of them. */
typedef struct BrumeTraceDef {
    int bounces; ///< scatterings and reflections after the first one, at most; 0: light that was scattered once
    float noise; ///< paths are added until the estimated error is at most this (BrumeTraceResult.error); 0: all samples
    /** Called after each pass with the picture so far, and with the `context` of the drawing. NULL for none. */
    void (*pass)(void *context, const BrumeTraceResult *so_far);
    /**
     * The noise of radiance and alpha is removed after the last pass, guided by the picture of the ray marcher. Light
     * (brume_renderer_light) must be computed then. Layers other than alpha, partial and interrupted pictures and the
     * estimated error are not denoised. With a crop the paths of the 32 pixels around it are drawn, too.
     */
    bool denoise;
} BrumeTraceDef;

/** 1000 bounces, all samples, the picture with its noise. */
BRUME_API BrumeTraceDef brume_default_trace_def(void);

/**
 * Draws the loaded volume by path tracing, as a reference for brume_renderer_draw: an estimate of the exact solution of
 * the radiative transfer equation, with all orders of scattering, which converges with one over the square root of the
 * number of paths. `def->samples` is the largest number of paths through each pixel; `def->step` has no effect. Light
 * (brume_renderer_light) need not be computed, except for `trace->denoise`. `radiance` is filled as by
 * brume_renderer_draw.
 *
 * Passes of 4, 4, 8, 16... paths are drawn. BRUME_INTERRUPTED where `def->progress` returned false: every pixel is the
 * mean of the paths that it has, 0 without any. With a crop, the error is the error of its pixels. BRUME_BAD_INPUT
 * where a size or a number is out of range or no volume is loaded (or lit, for `trace->denoise`), BRUME_FAILED without
 * memory; `radiance` is unchanged then. Parallel over tiles.
 */
BRUME_API BrumeStatus brume_renderer_trace(const BrumeRenderer *renderer, const BrumeCamera *camera,
                                           const BrumeDrawDef *def, const BrumeTraceDef *trace, float *radiance,
                                           BrumeTraceResult *result, BrumeError *error);

/**
 * The bytes that brume_renderer_trace allocates for a picture of this size during the call, without layers and the
 * table of an image of the sky (4 bytes for each texel, for at most 2048 x 2048 of them).
 */
BRUME_API size_t brume_trace_bytes(int width, int height);

/**
 * The bytes that `BrumeTraceDef.denoise` adds to the bytes for a picture or crop of this size, with or without alpha,
 * at most.
 */
BRUME_API size_t brume_trace_denoise_bytes(int width, int height, bool alpha);

/** A part of the work of a picture, for progressive display. */
typedef struct BrumeDrawPart {
    int left, right;              ///< columns of the picture: left <= x < right
    int first_sample, end_sample; ///< samples of each pixel: first_sample <= n < end_sample
} BrumeDrawPart;

/**
 * Draws a part of a picture: the radiance of its samples is added to `sum` (height x width x 3). Parts that cover all
 * samples of a pixel in their order, multiplied by 1 / samples, give the bits of brume_renderer_draw. Fractions of
 * progress are of the part. BRUME_INTERRUPTED where `def->progress` returned false: the other tiles of `sum` are
 * unchanged. Columns, samples and sizes out of range are errors of the caller (assertions); crop, layers and partial
 * pictures have no effect.
 */
BRUME_API BrumeStatus brume_renderer_draw_part(const BrumeRenderer *renderer, const BrumeCamera *camera,
                                               const BrumeDrawDef *def, const BrumeDrawPart *part, float *sum,
                                               BrumeError *error);

/** The object that is visible at a point of the picture. */
typedef enum BrumePickKind {
    BRUME_PICK_SKY,
    BRUME_PICK_SMOKE,
    BRUME_PICK_SURFACE,
    BRUME_PICK_GROUND,
    BRUME_PICK_WALL
} BrumePickKind;

/** The result of brume_renderer_pick. */
typedef struct BrumePick {
    BrumePickKind kind;
    float distance;     ///< from the camera [m], INFINITY for the sky
    BrumeVec3 point;    ///< the visible point [m]; undefined for the sky
    int surface;        ///< index in the settings' surfaces for BRUME_PICK_SURFACE; otherwise -1
    float enter, leave; ///< interval of the ray inside the volume's box [m], enter >= 0; empty where enter >= leave
} BrumePick;

/**
 * Finds the object that is visible at (x, y) of a picture of width x height pixels, (0, 0) its upper left corner: smoke
 * where the transmittance up to the surface behind it falls below 1/2, otherwise that surface. Without a loaded volume
 * there is no smoke.
 */
BRUME_API BrumePick brume_renderer_pick(const BrumeRenderer *renderer, const BrumeCamera *camera, int width, int height,
                                        float x, float y);

/**
 * The smallest box [m] of blocks of 8^3 cells around the loaded smoke. False, with both corners unchanged, where there
 * is no smoke.
 */
BRUME_API bool brume_renderer_bounds(const BrumeRenderer *renderer, BrumeVec3 *lower, BrumeVec3 *upper);

/**
 * Converts radiance (height x width x 3, as brume_renderer_draw fills it) to 8-bit sRGB (height x width x 3 bytes):
 * exposure and tone curve of the settings, the transfer function of sRGB, and ordered dithering. Parallel over rows.
 */
BRUME_API void brume_tone_map(const BrumeRenderSettings *settings, int width, int height, const float *radiance,
                              uint8_t *rgb);

/**
 * The bytes that a renderer of these settings has allocated (brume_renderer_bytes) when a volume with the first `kinds`
 * kinds of smoke, 1 to BRUME_VOLUME_KINDS, is loaded. Lights must have a direction. Nothing is allocated.
 */
BRUME_API size_t brume_renderer_bytes_needed(int nx, int ny, int nz, const BrumeRenderSettings *settings, int kinds);

/** Bytes allocated; memory for kinds of different albedo is included from the first load that needs them. */
BRUME_API size_t brume_renderer_bytes(const BrumeRenderer *renderer);

BRUME_END_DECLS

#endif

/**
 * @file full_picture.h
 * Draws a snapshot at full quality, without overlays: the smoke with the bytes of `brume render`, temperature,
 * vorticity and pressure as in the window.
 */
#ifndef BRUME_VIEWER_THREADS_FULL_PICTURE_H
#define BRUME_VIEWER_THREADS_FULL_PICTURE_H

#include "brume/scene.h"
#include "io/pixel_format.h"
#include "viewer/views/prepare_view.h"

#include <stdbool.h>

/** How a state is drawn. */
typedef struct BrumePictureLook {
    BrumeViewSettings view; ///< slices, arrows, streamlines and isosurfaces are not drawn; `unlit` is not used
    BrumeCamera camera;
    int width, height; ///< [pixels]
    int samples;       ///< rays per pixel; with the path tracer the maximum number of light paths
    float divider;     ///< with two variants: where the first one ends, as a fraction of the width
    // as in BrumeScene
    BrumeImageIntegrator integrator;
    int bounces;
    float noise;
    bool denoise, transparent, deep; ///< deep: 16 bits, otherwise 8
    bool linear, single;             ///< planes R, G, B and A of radiance; of single or half precision
} BrumePictureLook;

/** Renderers and buffers, which are reused for the next picture. A zeroed struct is empty. */
typedef struct BrumeFullPicture {
    BrumePreparedView prepared;
    BrumeViewScratch scratch;
    float *radiance, *alpha;           // of the picture
    float *part_radiance, *part_alpha; // of one variant
    size_t capacity;                   // of each [pixels]
    void *pixels;
    size_t pixel_capacity; // [bytes]
    uint32_t seed;
    bool quantity; // drawn by the ray marcher, whatever the integrator
} BrumeFullPicture;

/** Copies the fields of a snapshot and lights them; it may change afterwards. BRUME_FAILED without memory. */
BrumeStatus brume_full_picture_load(BrumeFullPicture *picture, const BrumeSnapshot *snapshot,
                                    const BrumePictureLook *look, BrumeError *error);

/**
 * Draws the loaded snapshot to `picture->pixels`, in this format. `progress` is called as BrumeDrawDef.progress is;
 * where it returns false, BRUME_INTERRUPTED. BRUME_FAILED without memory.
 */
BrumeStatus brume_full_picture_draw(BrumeFullPicture *picture, const BrumePictureLook *look,
                                    bool (*progress)(void *context, double fraction), void *context,
                                    BrumePixelFormat *format, BrumeError *error);

void brume_full_picture_destroy(BrumeFullPicture *picture);

#endif

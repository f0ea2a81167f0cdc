/**
 * @file preview.h
 * Pictures that are drawn in little time, for a camera or smoke in motion. Rays through the smoke, and shadow rays, are
 * marched only for every shrink-th pixel along each side, the nodes, and for every second node where the picture is
 * smooth. Solids, ground and sky are drawn at full size, so that their edges and patterns are sharp.
 *
 * Where a block of pixels and the nodes around it see one plane or the sky, the shown colors of the nodes are
 * interpolated. Elsewhere the radiance and transmittance of the smoke and the light that surfaces receive are
 * interpolated between the nodes whose rays hit the same surface: joint bilateral upsampling (Kopf et al., "Joint
 * Bilateral Upsampling", ACM Transactions on Graphics 26(3), 2007). Where no node fits, or where a shadow ends between
 * them, the pixel has rays of its own.
 */
#ifndef BRUME_RAYMARCH_CPU_PREVIEW_H
#define BRUME_RAYMARCH_CPU_PREVIEW_H

#include "brume/error.h"
#include "brume/renderer.h"

#include "raymarch/light/lit_medium.h"
#include "raymarch/tone.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BRUME_PREVIEW_MAX_SHRINK = 8 };

/**
 * Computes the light of the loaded volume as brume_renderer_light does, less accurately and in a fraction of the time,
 * for pictures in motion. Pictures at rest need brume_renderer_light.
 */
void brume_light_in_motion(BrumeRenderer *renderer);

/** A picture to draw. */
typedef struct BrumePreviewDef {
    int width, height;                  ///< of the picture [pixels]
    int left, right;                    ///< columns that are drawn: left <= x < right
    int shrink;                         ///< pixels from a node to the next, 1 to BRUME_PREVIEW_MAX_SHRINK
    bool coarse_shadows;                ///< without solids, edges of shadows are interpolated between nodes
    uint32_t seed;                      ///< of the jitter
    const BrumeRenderSettings *display; ///< with the tone curve and the exposure; NULL: the renderer's settings
} BrumePreviewDef;

/** The result of a node's ray. */
typedef struct BrumePreviewNode BrumePreviewNode;

/** Where pixels are between nodes, and the weights of the nodes at the pixels of a block. */
typedef struct BrumeNodePlace BrumeNodePlace;
typedef struct BrumeNodeWeights BrumeNodeWeights;

/** The nodes of a picture, and how long the latest one took. Zeroed, it is empty. */
typedef struct BrumePreview {
    BrumePreviewNode *nodes;
    float *shown;        ///< colors of the nodes as they are shown
    float *sky;          ///< radiance of the sky at some of them
    BrumeLitMedium *lit; ///< the renderer's medium, lit by suns without a disc
    size_t capacity;
    BrumeNodePlace *places;    ///< of the columns of pixels, then of the rows
    BrumeNodeWeights *weights; ///< of the columns of blocks
    size_t pixel_capacity;     ///< columns and rows
    BrumeToneTable *tone;
    bool has_tone;            ///< the table is filled
    double node_ms, pixel_ms; ///< wall time of the nodes, and of the pixels between them
} BrumePreview;

void brume_preview_destroy(BrumePreview *preview);

/**
 * Draws the columns of a picture of the loaded and lit volume into `rgb` (height x width x 3, with the tone curve, top
 * row first); the other columns are unchanged. There is one ray through the center of each pixel, without lens and
 * shutter. The bits do not depend on the number of threads. BRUME_FAILED without memory for the nodes; nothing is drawn
 * then. Parallel over tiles.
 */
BrumeStatus brume_preview_draw(BrumePreview *preview, const BrumeRenderer *renderer, const BrumeCamera *camera,
                               const BrumePreviewDef *def, uint8_t *rgb, BrumeError *error);

#endif

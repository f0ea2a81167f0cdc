/**
 * @file overlay.h
 * What is drawn with OpenGL around the smoke: pictures of bytes, surfaces, lines, the slice, the edges of the box. All
 * calls belong to the thread whose context made the overlay.
 */
#ifndef BRUME_VIEWER_VIEWS_OVERLAY_H
#define BRUME_VIEWER_VIEWS_OVERLAY_H

#include "core/error.h"
#include "viewer/views/drawing.h"

typedef struct BrumeOverlay BrumeOverlay;

/** A part of the framebuffer [pixels], lower left corner first. */
typedef struct BrumeRect {
    int x, y, width, height;
} BrumeRect;

/** Compiles its programs. BRUME_FAILED where the device refuses. */
BrumeStatus brume_overlay_create(BrumeOverlay **overlay, BrumeError *error);

void brume_overlay_destroy(BrumeOverlay *overlay);

/**
 * Fills `rect` with a picture of (height x width x 3) sRGB bytes, top row first, scaled smoothly. It is uploaded where
 * `serial` is not that of the picture before. Neither reads nor writes depth.
 */
void brume_overlay_picture(BrumeOverlay *overlay, BrumeRect rect, const uint8_t *rgb, int width, int height,
                           uint64_t serial);

/**
 * Draws drawing by `matrix` (world to clip space, column-major), hidden by what the depth buffer has. Surfaces are lit
 * from `towards_light` (unit length). `slot` (0 or 1) names buffers that are kept; they are uploaded where `serial` is
 * not what the slot holds.
 */
void brume_overlay_drawing(BrumeOverlay *overlay, int slot, const BrumeDrawing *drawing, uint64_t serial,
                           const float matrix[16], BrumeVec3 towards_light);

/** Draws the twelve edges of a box [m], hidden by what the depth buffer has. */
void brume_overlay_box(BrumeOverlay *overlay, BrumeVec3 lower, BrumeVec3 upper, const float matrix[16]);

/** Draws a circle [m] that faces along `normal` (unit length), in front of everything. */
void brume_overlay_circle(BrumeOverlay *overlay, BrumeVec3 center, BrumeVec3 normal, float radius,
                          const uint8_t color[4], const float matrix[16]);

#endif

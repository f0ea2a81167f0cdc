/**
 * @file overlay.h
 * OpenGL drawing other than the smoke: a picture from bytes, the overlay geometry and the edges of the box. The window
 * thread calls all functions; its context is current.
 */
#ifndef BRUME_VIEWER_WINDOW_OVERLAY_H
#define BRUME_VIEWER_WINDOW_OVERLAY_H

#include "core/error.h"
#include "viewer/views/overlay_geometry.h"

typedef struct BrumeOverlay BrumeOverlay;

/** A part of the framebuffer [pixels], lower left corner first. */
typedef struct BrumeRect {
    int x, y, width, height;
} BrumeRect;

/** How overlay geometry is drawn: the viewport is the picture. */
typedef struct BrumeOverlayView {
    float matrix[16];        ///< world to clip space, column-major
    BrumeVec3 towards_light; ///< unit length; surfaces are lit from there
    float width, height;     ///< of the picture [pixels]
    float pixels_per_point;  ///< the width of lines is given in points
} BrumeOverlayView;

/** Compiles and links a program of two shaders into `*program`. BRUME_FAILED if OpenGL fails. */
BrumeStatus brume_overlay_link_program(unsigned *program, const char *vertex, const char *fragment, BrumeError *error);

/** Compiles the shader programs. BRUME_FAILED without memory or if OpenGL fails; `*overlay` is NULL then. */
BrumeStatus brume_overlay_create(BrumeOverlay **overlay, BrumeError *error);

/** Frees everything. NULL is allowed. */
void brume_overlay_destroy(BrumeOverlay *overlay);

/**
 * Fills `rect` with a picture of (height x width x 3) sRGB bytes, top row first, scaled with bilinear filtering. The
 * picture is uploaded if `serial` differs from the previous picture's. Neither reads nor writes depth.
 */
void brume_overlay_draw_picture(BrumeOverlay *overlay, BrumeRect rect, const uint8_t *rgb, int width, int height,
                                uint64_t serial);

/**
 * Draws overlay geometry with the depth test; lines are antialiased. Each `slot` (0 or 1) has its own buffers, which
 * are uploaded if `serial` differs from the previous one.
 */
void brume_overlay_draw_geometry(BrumeOverlay *overlay, int slot, const BrumeOverlayGeometry *geometry, uint64_t serial,
                                 const BrumeOverlayView *view);

/** Draws the twelve edges of a box [m] with the depth test, also where they lie on the ground. */
void brume_overlay_draw_box(BrumeOverlay *overlay, BrumeVec3 lower, BrumeVec3 upper, const BrumeOverlayView *view);

#endif

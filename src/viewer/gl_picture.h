/**
 * @file gl_picture.h
 * The picture of the smoke by OpenGL, in a separate framebuffer: it is drawn once for each camera and state, however
 * often the window is drawn. In motion it has a reduced resolution within a time budget. At rest the picture at full
 * size is drawn in strips of columns, between which the window handles events, and replaces it when it is complete; a
 * new camera or state abandons it. The device has finished each picture or strip before the next one begins, so that a
 * slow device has no queue of pictures that are out of date.
 */
#ifndef BRUME_VIEWER_GL_PICTURE_H
#define BRUME_VIEWER_GL_PICTURE_H

#include "brume/camera.h"
#include "raymarch/gl/gl_renderer.h"
#include "viewer/simulation/snapshot.h"
#include "viewer/window/overlay.h"

#include <stdbool.h>
#include <stdint.h>

/** The values that a picture depends on. */
typedef struct BrumeGlPictureContent {
    BrumeCamera camera;
    int width, height; ///< [pixels]
    int variant_count;
    float divider; ///< with two variants: where the first ends, as a fraction of the width
    uint32_t seed;
    uint64_t view_serial[BRUME_MAX_VARIANTS]; ///< serials of the prepared views in the renderers; 0: none
} BrumeGlPictureContent;

/** A framebuffer with color and depth, and its content. */
typedef struct BrumeGlPictureTarget {
    unsigned framebuffer, color, depth;
    int width, height; ///< allocated [pixels]
    BrumeGlPictureContent content;
    int shrink;  ///< divisor of its resolution; 0: it is empty
    int columns; ///< number of drawn columns of an incomplete picture
} BrumeGlPictureTarget;

/** Used by the window thread, whose context is current. */
typedef struct BrumeGlPicture {
    BrumeGlPictureTarget shown, next; ///< `next` is at full size and incomplete
    unsigned program, vertex_array;   ///< copies `shown` to the window
    int first_shrink;                 ///< divisor of the resolution of the first picture
    double full_ms;                   ///< running mean of the time of a picture at full size [ms]; 0: not measured
    double ms;                        ///< time of the latest picture [ms]
    int shrink;                       ///< divisor of the resolution of the latest picture; 0: none
} BrumeGlPicture;

/**
 * Compiles the program. The first picture, whose time is unknown, has a reduced resolution with `software`, where
 * OpenGL runs on the CPU. BRUME_FAILED if OpenGL fails.
 */
BrumeStatus brume_gl_picture_create(BrumeGlPicture *picture, bool software, BrumeError *error);

/** Frees everything. A zeroed picture is allowed. */
void brume_gl_picture_destroy(BrumeGlPicture *picture);

/**
 * Draws the smoke of all variants from `renderers` into `rect` of the bound framebuffer, which has the size of the
 * content, and the depth of solids and ground if `with_depth`. The picture is drawn anew if the content has changed, or
 * if it has a reduced resolution and `at_full_size` is set. Returns whether it was drawn anew.
 */
bool brume_gl_picture_draw(BrumeGlPicture *picture, BrumeGlRenderer *const renderers[BRUME_MAX_VARIANTS],
                           const BrumeGlPictureContent *content, BrumeRect rect, bool with_depth, bool at_full_size);

/** Whether the latest picture has this content at a reduced resolution. */
bool brume_gl_picture_is_reduced(const BrumeGlPicture *picture, const BrumeGlPictureContent *content);

/** Draws a strip of the latest picture at full size. True with the last one: the window needs a redraw. */
bool brume_gl_picture_refine(BrumeGlPicture *picture, BrumeGlRenderer *const renderers[BRUME_MAX_VARIANTS]);

#endif

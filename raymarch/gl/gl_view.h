/**
 * @file gl_view.h
 * The view of one picture: its position in the framebuffer, its projection, and the uniform block View of
 * shaders/uniforms.glsl, member for member.
 */
#ifndef BRUME_RAYMARCH_GL_GL_VIEW_H
#define BRUME_RAYMARCH_GL_GL_VIEW_H

#include "brume/camera.h"
#include "core/vec3.h"

#include <stdint.h>

/** The position of a picture in the bound framebuffer, and its resolution. */
typedef struct BrumeGlDraw {
    int x, y, width, height;   ///< lower left corner and size of the picture in the framebuffer [pixels]
    int clip_left, clip_right; ///< columns of the picture that are drawn: clip_left <= x < clip_right
    int shrink;                ///< rays are marched for 1/shrink of the pixels along each side, then enlarged; 1 to 8
    float step;                ///< length of a marching step [cells]; 0 takes the step of the render settings
    uint32_t seed;             ///< of the jitter
} BrumeGlDraw;

/** The column-major matrix from world space [m] to clip space that corresponds to the pictures of both renderers. */
void brume_gl_projection(const BrumeCamera *camera, float aspect, float matrix[16]);

/** A vec4 of GLSL. */
typedef struct BrumeGlVec4 {
    float x, y, z, w;
} BrumeGlVec4;

static inline BrumeGlVec4 brume_gl_vec4(BrumeVec3 v, float w)
{
    const BrumeGlVec4 result = {v.x, v.y, v.z, w};
    return result;
}

/** shaders/uniforms.glsl describes each member. */
typedef struct BrumeGlViewBlock {
    BrumeGlVec4 eye, corner, across, down, depth_row, w_row, picture;
    int32_t reduced[4], marched[4];
    BrumeGlVec4 forward;
} BrumeGlViewBlock;

/** Fills the block of one picture; `step` is the length of a marching step [cells]. */
void brume_gl_fill_view(BrumeGlViewBlock *view, const BrumeCamera *camera, const BrumeGlDraw *draw, float step);

#endif

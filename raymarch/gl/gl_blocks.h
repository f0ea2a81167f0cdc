/**
 * @file gl_blocks.h
 * What the shaders are told: the uniform blocks of shaders/blocks.glsl, member for member. They hold nothing but
 * vectors of four, so that the layout std140 is C's.
 */
#ifndef BRUME_RAYMARCH_GL_GL_BLOCKS_H
#define BRUME_RAYMARCH_GL_GL_BLOCKS_H

#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/gl/gl_program.h"
#include "raymarch/gl/gl_renderer.h"

#include <stdint.h>

/** Bindings of the blocks. */
typedef enum BrumeGlBlock { BRUME_GL_SCENE, BRUME_GL_VIEW, BRUME_GL_BLOCKS } BrumeGlBlock;

typedef struct BrumeGlVec4 {
    float x, y, z, w;
} BrumeGlVec4;

typedef struct BrumeGlSun {
    BrumeGlVec4 travel, color, row[3];
} BrumeGlSun;

typedef struct BrumeGlLamp {
    BrumeGlVec4 position, color, per_cell;
} BrumeGlLamp;

typedef struct BrumeGlSolid {
    BrumeGlVec4 a, b, albedo;
} BrumeGlSolid;

/** See shaders/blocks.glsl for each member. */
typedef struct BrumeGlScene {
    BrumeGlVec4 box, size, filled_lower, filled_upper, smoke, sky, zenith, horizon, ground, ground_map;
    BrumeGlVec4 albedo[BRUME_VOLUME_KINDS];
    BrumeGlVec4 display;
    BrumeGlSun suns[BRUME_MAX_LIGHTS];
    BrumeGlLamp lamps[BRUME_MAX_LIGHTS];
    BrumeGlSolid solids[BRUME_MAX_SURFACES];
} BrumeGlScene;

/** See shaders/blocks.glsl for each member. */
typedef struct BrumeGlView {
    BrumeGlVec4 eye, corner, across, down, depth_row, w_row, picture;
    int32_t reduced[4], marched[4];
} BrumeGlView;

/** How texture coordinates follow from cells, and values from texels; known once textures are planned. */
typedef struct BrumeGlScales {
    BrumeVec3 smoke, sky;               ///< texture coordinates a cell
    float extinction, light;            ///< what a texel is worth: [1/cell]; radiance of the sky and of normals
    BrumeVec3 lights[BRUME_MAX_LIGHTS]; ///< suns, then lamps: a sun's texture coordinates a ray, a lamp's a cell
    float spread;                       ///< how far sampling down may carry smoke [cells]
} BrumeGlScales;

/** Indices of the look's lights that shine, suns first, then lamps, and how many of each. */
BrumeGlVariant brume_gl_shining(const BrumeRenderer *lit, int order[BRUME_MAX_LIGHTS]);

/** The look's part of a scene: sky, ground, solids, exposure, tone curve. */
void brume_gl_fill_look(BrumeGlScene *scene, const BrumeRenderSettings *look);

/** The whole of a scene. */
void brume_gl_fill_scene(BrumeGlScene *scene, const BrumeRenderer *lit, const BrumeGlScales *scales);

/** The view of a picture; `step` is the length of a step [cells]. */
void brume_gl_fill_view(BrumeGlView *view, const BrumeCamera *camera, const BrumeGlDraw *draw, float step);

#endif

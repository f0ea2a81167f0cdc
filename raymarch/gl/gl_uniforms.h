/**
 * @file gl_uniforms.h
 * The uniform blocks of shaders/uniforms.glsl, member for member. They consist only of vectors of four, so that their
 * layout in C is std140.
 */
#ifndef BRUME_RAYMARCH_GL_GL_UNIFORMS_H
#define BRUME_RAYMARCH_GL_GL_UNIFORMS_H

#include "raymarch/gl/gl_program.h"
#include "raymarch/gl/gl_renderer.h"
#include "raymarch/light/lit_medium.h"

#include <stdint.h>

/** Binding points of the blocks. */
typedef enum BrumeGlBlockBinding { BRUME_GL_SCENE, BRUME_GL_VIEW, BRUME_GL_BLOCKS } BrumeGlBlockBinding;

typedef struct BrumeGlVec4 {
    float x, y, z, w;
} BrumeGlVec4;

typedef struct BrumeGlDirectionalLight {
    BrumeGlVec4 direction, color, texture_row[3];
} BrumeGlDirectionalLight;

typedef struct BrumeGlPointLight {
    BrumeGlVec4 position, color, per_cell;
} BrumeGlPointLight;

typedef struct BrumeGlSolid {
    BrumeGlVec4 a, b, albedo;
} BrumeGlSolid;

/** shaders/uniforms.glsl describes each member. */
typedef struct BrumeGlSceneBlock {
    BrumeGlVec4 box, size, occupied_lower, occupied_upper, medium, sky, zenith, horizon, ground, ground_map;
    BrumeGlVec4 albedo[BRUME_VOLUME_KINDS];
    BrumeGlVec4 display;
    BrumeGlDirectionalLight directional_lights[BRUME_MAX_LIGHTS];
    BrumeGlPointLight point_lights[BRUME_MAX_LIGHTS];
    BrumeGlSolid solids[BRUME_MAX_SURFACES];
} BrumeGlSceneBlock;

/** shaders/uniforms.glsl describes each member. */
typedef struct BrumeGlViewBlock {
    BrumeGlVec4 eye, corner, across, down, depth_row, w_row, picture;
    int32_t reduced[4], marched[4];
} BrumeGlViewBlock;

/** Texture coordinates per cell, and physical values per texel; they follow from the upload plan. */
typedef struct BrumeGlTextureScales {
    BrumeVec3 medium, sky;      ///< texture coordinates per cell
    float extinction, radiance; ///< value of a texel of 1: [1/cell]; radiance of the sky, irradiance / pi
    BrumeVec3
        lights[BRUME_MAX_LIGHTS]; ///< directional lights: texture coordinates per ray; then point lights: per cell
    float spread;                 ///< distance by which downsampling may spread smoke [cells]
} BrumeGlTextureScales;

/**
 * The lights that the ground does not block: their indices in the settings, directional lights first, in `order`, and
 * their numbers in the result.
 */
BrumeGlProgramVariant brume_gl_active_lights(const BrumeLitMedium *lit, int order[BRUME_MAX_LIGHTS]);

/** Fills the members that depend only on the settings: sky, ground, solids, exposure, tone curve. */
void brume_gl_fill_settings(BrumeGlSceneBlock *scene, const BrumeRenderSettings *settings);

/** Fills all members. */
void brume_gl_fill_scene(BrumeGlSceneBlock *scene, const BrumeLitMedium *lit, const BrumeGlTextureScales *scales);

/** Fills the block of one picture; `step` is the length of a marching step [cells]. */
void brume_gl_fill_view(BrumeGlViewBlock *view, const BrumeCamera *camera, const BrumeGlDraw *draw, float step);

#endif

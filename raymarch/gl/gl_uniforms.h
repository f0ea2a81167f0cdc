/**
 * @file gl_uniforms.h
 * The uniform block Scene of shaders/uniforms.glsl, member for member. It consists only of vectors of four, so that its
 * layout in C is std140.
 */
#ifndef BRUME_RAYMARCH_GL_GL_UNIFORMS_H
#define BRUME_RAYMARCH_GL_GL_UNIFORMS_H

#include "raymarch/gl/gl_program.h"
#include "raymarch/gl/gl_solids.h"
#include "raymarch/gl/gl_view.h"
#include "raymarch/light/lit_medium.h"

typedef struct BrumeGlDirectionalLight {
    BrumeGlVec4 direction, color, texture_row[3];
} BrumeGlDirectionalLight;

typedef struct BrumeGlPointLight {
    BrumeGlVec4 position, color, per_cell, axis, across, along;
} BrumeGlPointLight;

typedef struct BrumeGlSolid {
    BrumeGlVec4 a, b, albedo, more, picture, own[3];
} BrumeGlSolid;

/** shaders/uniforms.glsl describes each member. */
typedef struct BrumeGlSceneBlock {
    BrumeGlVec4 box, size, occupied_lower, occupied_upper, medium, medium_lower;
    BrumeGlVec4 moments, moments_layer, unoccluded[3], ground_light;
    BrumeGlVec4 zenith, horizon, ground, ground_map;
    BrumeGlVec4 sky_image;
    BrumeGlVec4 albedo[BRUME_VOLUME_KINDS];
    BrumeGlVec4 display, ground_2, walls;
    BrumeGlDirectionalLight directional_lights[BRUME_MAX_LIGHTS];
    BrumeGlPointLight point_lights[BRUME_MAX_LIGHTS];
    BrumeGlSolid solids[BRUME_MAX_SURFACES + 2];
    BrumeGlVec4 phase;
    BrumeGlVec4 glow, blackbody[BRUME_BLACKBODY_ENTRIES];
    BrumeGlVec4 glow_middle;
    BrumeGlVec4 pressure_map[BRUME_VOLUME_KINDS];
} BrumeGlSceneBlock;

/** Texture coordinates per cell, and physical values per texel; they follow from the upload plan. */
typedef struct BrumeGlTextureScales {
    BrumeVec3 medium, moments;          ///< texture coordinates per cell
    BrumeVec3 medium_lower;             ///< lower corner of the textures of the medium [cells]
    float moments_layer;                ///< texture coordinate of the lower face of the box in the first color
    float moments_color;                ///< texture coordinate from one color to the next
    float extinction, radiance;         ///< value of a texel of 1: [1/cell]; radiance, irradiance / pi
    BrumeVec3 lights[BRUME_MAX_LIGHTS]; ///< texture coordinates per ray of directional lights, then per cell of others
    float temperature;                  ///< value of a texel of 1 [K]
    float sky_image;                    ///< radiance of a texel of 1, before the intensity; 0 where there is no image
    float spread;                       ///< distance by which downsampling may spread smoke [cells]
} BrumeGlTextureScales;

/**
 * The properties of the programs. Their lights are those that the ground does not block, whose indices in the settings
 * are in `order`, directional lights first.
 */
BrumeGlProgramVariant brume_gl_active_lights(const BrumeLitMedium *lit, int order[BRUME_MAX_LIGHTS]);

/**
 * Fills the members that depend only on the settings: sky, ground, solids, exposure, tone curve. `solids` has the
 * meshes and volumes of the settings.
 */
void brume_gl_fill_settings(BrumeGlSceneBlock *scene, const BrumeRenderSettings *settings, const BrumeGlSolids *solids);

/** Fills all members. */
void brume_gl_fill_scene(BrumeGlSceneBlock *scene, const BrumeLitMedium *lit, const BrumeGlTextureScales *scales,
                         const BrumeGlSolids *solids);

#endif

/**
 * @file gl_renderer_internal.h
 * The members of the OpenGL renderer, and a limit that tests set.
 */
#ifndef BRUME_RAYMARCH_GL_GL_RENDERER_INTERNAL_H
#define BRUME_RAYMARCH_GL_GL_RENDERER_INTERNAL_H

#include "raymarch/gl/gl_program.h"
#include "raymarch/gl/gl_renderer.h"
#include "raymarch/gl/gl_solids.h"
#include "raymarch/gl/gl_sprites.h"
#include "raymarch/gl/gl_texture.h"
#include "raymarch/gl/gl_uniforms.h"
#include "raymarch/gl/gl_upload.h"

struct BrumeGlRenderer {
    BrumeGlTexture textures[BRUME_GL_TEXTURE_UNITS]; ///< textures that the loaded volume does not need have no name
    BrumeGlSolids solids;                            ///< of the loaded settings
    BrumeGlSolids depth_solids;                      ///< of the settings drawn by depth alone, where they have others
    BrumeGlSprites sprites;                          ///< of the loaded volume
    GLuint programs[BRUME_GL_PROGRAMS];
    BrumeGlSkyImage sky_image;         ///< the image that the texture BRUME_GL_SKY_IMAGE holds
    BrumeGlProgramVariant variant;     ///< for which the programs are compiled
    GLuint vertex_array;               ///< empty: the vertex shader computes the triangle
    GLuint blocks[BRUME_GL_BLOCKS];    ///< buffers
    GLuint depth_scene;                ///< buffer of the scene drawn by depth alone, not always the loaded one
    GLuint framebuffer;                ///< of a reduced picture
    GLuint marched;                    ///< texture of a reduced picture
    int marched_width, marched_height; ///< [pixels]; they only grow
    uint16_t *staging;                 ///< the texels of one texture before they are uploaded
    size_t staging_entries;
    int largest;      ///< maximum side of a 3D texture
    int largest_flat; ///< maximum side of a 2D texture
    float step;       ///< of the loaded settings; 0 before the first load
};

/** Limits the sides of 3D textures to `largest` >= 16, as if the device supported no more. For tests. */
void brume_gl_renderer_limit(BrumeGlRenderer *renderer, int largest);

#endif

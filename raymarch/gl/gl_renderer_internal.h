/**
 * @file gl_renderer_internal.h
 * The OpenGL renderer's parts.
 */
#ifndef BRUME_RAYMARCH_GL_GL_RENDERER_INTERNAL_H
#define BRUME_RAYMARCH_GL_GL_RENDERER_INTERNAL_H

#include "raymarch/gl/gl_blocks.h"
#include "raymarch/gl/gl_half.h"
#include "raymarch/gl/gl_renderer.h"
#include "raymarch/gl/gl_texture.h"

struct BrumeGlRenderer {
    BrumeGlTexture textures[BRUME_GL_SLOTS]; ///< those without a name are not needed
    GLuint programs[BRUME_GL_PROGRAMS];
    BrumeGlVariant variant; ///< that the programs are made for
    GLuint vertices;        ///< an array without members
    GLuint blocks[BRUME_GL_BLOCKS];
    GLuint look_block;  ///< the scene of draw_depth, which may be another than what is loaded
    GLuint framebuffer; ///< of a reduced picture
    GLuint marched;
    int marched_width, marched_height; ///< [pixels]; they only grow
    uint16_t *staging;                 ///< one texture's texels on their way
    size_t staging_entries;
    int largest; ///< side of a 3D texture
    float step;  ///< of what is loaded; 0 before the first load
};

/** Lets no 3D texture have a longer side than `largest` >= 16, as if the device could not do more. For tests. */
void brume_gl_renderer_limit(BrumeGlRenderer *renderer, int largest);

/** What goes into one texture. */
typedef struct BrumeGlUpload {
    BrumeGlEntries entries; ///< their data is NULL where the texture is not needed
    int factor;             ///< by which they are sampled down
    float *owned;           ///< the entries' memory where they were made for this upload
} BrumeGlUpload;

/** All that a load uploads. */
typedef struct BrumeGlPlan {
    BrumeGlUpload uploads[BRUME_GL_SLOTS];
    BrumeGlScales scales;
    BrumeGlVariant variant;
    int reduced; ///< the largest factor
} BrumeGlPlan;

/** Plans the upload of what `lit` holds. BRUME_FAILED without memory; to be destroyed in any case. */
BrumeStatus brume_gl_plan_create(BrumeGlPlan *plan, const BrumeRenderer *lit, int largest, BrumeError *error);

void brume_gl_plan_destroy(BrumeGlPlan *plan);

#endif

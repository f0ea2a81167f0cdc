/**
 * @file gl_upload.h
 * The plan of an upload: which arrays of a lit medium become which textures, the factors by which they are downsampled,
 * and the resulting texture coordinates.
 */
#ifndef BRUME_RAYMARCH_GL_GL_UPLOAD_H
#define BRUME_RAYMARCH_GL_GL_UPLOAD_H

#include "core/error.h"
#include "raymarch/gl/gl_half.h"
#include "raymarch/gl/gl_program.h"
#include "raymarch/gl/gl_texture.h"
#include "raymarch/gl/gl_uniforms.h"
#include "raymarch/light/lit_medium.h"

/** The contents of one texture. */
typedef struct BrumeGlUpload {
    BrumeGlArrayView entries; ///< their data is NULL where the texture is not needed
    int factor;               ///< by which they are downsampled
    bool present;             ///< the texture of the load before holds them: they are not planned again
    float *owned;             ///< memory of the entries where the plan allocated it; otherwise NULL
} BrumeGlUpload;

/** The image of the sky that is on the device. */
typedef struct BrumeGlSkyImage {
    uint64_t serial; ///< BrumeSkylight.serial; 0 where there is none
    float scale;     ///< radiance of a texel of 1
} BrumeGlSkyImage;

/** Everything that one load uploads. */
typedef struct BrumeGlUploadPlan {
    BrumeGlUpload uploads[BRUME_GL_TEXTURE_UNITS];
    BrumeGlTextureScales scales;
    BrumeGlProgramVariant variant;
    int reduced; ///< the largest factor
    BrumeGlSkyImage sky_image;
} BrumeGlUploadPlan;

/**
 * Plans the upload of a lit medium; no 3D texture has a longer side than `largest`. `loaded` is
 * the image of the sky of the load before: where it is unchanged, it is not uploaded again. BRUME_FAILED without
 * memory; to be destroyed in any case. The plan refers to arrays of `lit`.
 */
BrumeStatus brume_gl_upload_plan_create(BrumeGlUploadPlan *plan, const BrumeLitMedium *lit, int largest,
                                        const BrumeGlSkyImage *loaded, BrumeError *error);

void brume_gl_upload_plan_destroy(BrumeGlUploadPlan *plan);

#endif

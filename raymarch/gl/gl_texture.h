/**
 * @file gl_texture.h
 * 3D textures of 16-bit floats, and the texture units that they are bound to.
 */
#ifndef BRUME_RAYMARCH_GL_GL_TEXTURE_H
#define BRUME_RAYMARCH_GL_GL_TEXTURE_H

#include "brume/render_settings.h"
#include "core/error.h"

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Texture units. All but the marched picture and the solids are 3D textures; tables and maps have a depth of 1. */
typedef enum BrumeGlTextureUnit {
    BRUME_GL_EXTINCTION,
    BRUME_GL_KINDS,
    BRUME_GL_MAJORANT,
    BRUME_GL_MOMENTS,
    BRUME_GL_GROUND_LIGHT,
    BRUME_GL_IRRADIANCE,
    BRUME_GL_SKY_IMAGE,
    BRUME_GL_MARCHED,
    BRUME_GL_TEMPERATURE,
    BRUME_GL_SMOKE_SHARE, ///< the part of the extinction that is of smoke, where particles have the rest
    BRUME_GL_SOLIDS,      ///< meshes and volumes: gl_solids.h
    BRUME_GL_LIGHTS,      ///< the first light volume
    BRUME_GL_TEXTURE_UNITS = BRUME_GL_LIGHTS + BRUME_MAX_LIGHTS,
} BrumeGlTextureUnit;

/** A 3D texture (nz x ny x nx x channels) of 16-bit floats. */
typedef struct BrumeGlTexture {
    GLuint name; ///< 0 where there is none
    int nx, ny, nz;
    int channels; ///< 1 or 4
} BrumeGlTexture;

static inline size_t brume_gl_texture_bytes(const BrumeGlTexture *texture)
{
    return (size_t)texture->nx * (size_t)texture->ny * (size_t)texture->nz * (size_t)texture->channels *
           sizeof(uint16_t);
}

/** Whether two textures have the same sides and channels. */
bool brume_gl_texture_same_shape(const BrumeGlTexture *a, const BrumeGlTexture *b);

/**
 * Creates a texture whose sides and channels are filled in. BRUME_FAILED where the device has no memory; its name is 0
 * then.
 */
BrumeStatus brume_gl_texture_create(BrumeGlTexture *texture, BrumeError *error);

/** Replaces all texels. */
void brume_gl_texture_write(const BrumeGlTexture *texture, const uint16_t *texels);

/** Deletes and zeroes a texture; a zeroed one is allowed. */
void brume_gl_texture_destroy(BrumeGlTexture *texture);

/** Sets the unpack state for texels of 16 bits in client memory, rows without gaps. */
void brume_gl_set_packed_unpack_state(void);

/** Discards the OpenGL errors of earlier calls, so that the next error found is of a later call. */
void brume_gl_clear_errors(void);

#endif

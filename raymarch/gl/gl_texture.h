/**
 * @file gl_texture.h
 * Textures of 16-bit floats, and the units that they are bound to.
 */
#ifndef BRUME_RAYMARCH_GL_GL_TEXTURE_H
#define BRUME_RAYMARCH_GL_GL_TEXTURE_H

#include "core/error.h"

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "brume/render_settings.h"

/** Texture units. All but the marched picture are 3D textures, flat tables of depth 1. */
typedef enum BrumeGlSlot {
    BRUME_GL_EXTINCTION,
    BRUME_GL_KINDS,
    BRUME_GL_MACRO,
    BRUME_GL_SKY,
    BRUME_GL_GROUND,
    BRUME_GL_NORMALS,
    BRUME_GL_MARCHED,
    BRUME_GL_LIGHTS, ///< the first of them
    BRUME_GL_SLOTS = BRUME_GL_LIGHTS + BRUME_MAX_LIGHTS,
} BrumeGlSlot;

/** A 3D texture (nz x ny x nx x channels) of halves. */
typedef struct BrumeGlTexture {
    GLuint name;
    int nx, ny, nz;
    int channels; ///< 1 or 4
} BrumeGlTexture;

static inline size_t brume_gl_texture_bytes(const BrumeGlTexture *texture)
{
    return (size_t)texture->nx * (size_t)texture->ny * (size_t)texture->nz * (size_t)texture->channels *
           sizeof(uint16_t);
}

/** Whether two textures have one shape. */
bool brume_gl_texture_same(const BrumeGlTexture *a, const BrumeGlTexture *b);

/** Takes memory for a texture whose shape is filled in. BRUME_FAILED where the device has none; its name is 0 then. */
BrumeStatus brume_gl_texture_create(BrumeGlTexture *texture, BrumeError *error);

/** Replaces all of its texels. */
void brume_gl_texture_write(const BrumeGlTexture *texture, const uint16_t *texels);

/** Frees it; a zeroed texture is fine. */
void brume_gl_texture_destroy(BrumeGlTexture *texture);

/** Forgets the errors of earlier calls, so that the next ones are told from them. */
void brume_gl_clear_errors(void);

#endif

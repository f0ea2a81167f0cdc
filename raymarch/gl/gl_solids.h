/**
 * @file gl_solids.h
 * The triangles of meshes, the values of volumes and the textures that solids have, in one 2D texture of four 32-bit
 * floats a texel, BRUME_GL_SOLIDS_ROW texels a row. shaders/solids.glsl describes the texels and reads them.
 */
#ifndef BRUME_RAYMARCH_GL_GL_SOLIDS_H
#define BRUME_RAYMARCH_GL_GL_SOLIDS_H

#include "brume/render_settings.h"
#include "core/error.h"

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>

enum { BRUME_GL_SOLIDS_ROW = 4096, BRUME_GL_SOLID_ENTRIES = 8 * BRUME_MAX_SURFACES };

/** The data of one mesh, volume or picture of a texture, which is referenced; the other pointers are NULL. */
typedef struct BrumeGlSolidEntry {
    const BrumeMesh *mesh;
    const BrumeSamples *samples;
    const BrumeTexture *texture;
    int frame; ///< of the texture
    int row;   ///< the first one of its texels
} BrumeGlSolidEntry;

/** The texture; all zero: no solid needs one. */
typedef struct BrumeGlSolids {
    GLuint texture;
    int rows;
    int count;
    BrumeGlSolidEntry entries[BRUME_GL_SOLID_ENTRIES]; ///< of solids, streamlines and the pressure, and of textures
} BrumeGlSolids;

/** Whether the texture has the meshes, volumes and textures of these settings, and no others. */
bool brume_gl_solids_match(const BrumeGlSolids *solids, const BrumeRenderSettings *settings);

/**
 * Creates the texture for these settings, of at most `largest` rows. BRUME_FAILED where the device or the machine has
 * no memory, or a mesh has too many triangles; `*solids` is zero then.
 */
BrumeStatus brume_gl_solids_create(BrumeGlSolids *solids, const BrumeRenderSettings *settings, int largest,
                                   BrumeError *error);

/** Deletes the texture and zeroes `*solids`, which may be zero. */
void brume_gl_solids_destroy(BrumeGlSolids *solids);

/** The first row of the data of a shape; -1 where it has none. */
int brume_gl_solids_row(const BrumeGlSolids *solids, const BrumeShape *shape);

/** The first row of the texture of a surface; -1 where it has none. */
int brume_gl_solids_texture_row(const BrumeGlSolids *solids, const BrumeSurface *surface);

/** Bytes on the device. */
size_t brume_gl_solids_bytes(const BrumeGlSolids *solids);

#endif

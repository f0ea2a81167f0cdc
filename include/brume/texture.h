/**
 * @file texture.h
 * Pictures on surfaces: of bodies in pictures, and the materials of meshes.
 */
#ifndef BRUME_TEXTURE_H
#define BRUME_TEXTURE_H

#include "brume/error.h"
#include "brume/export.h"
#include "brume/vec3.h"

#include <stddef.h>

BRUME_BEGIN_DECLS

/** A picture, or a sequence of pictures that repeats. Several threads may use the same texture. */
typedef struct BrumeTexture BrumeTexture;

/** The arguments of brume_texture_create. */
typedef struct BrumeTextureDef {
    int width, height; ///< [texels], 1 to 32768 each
    int frames;        ///< pictures, one after the other: 1 to 100000
    int first;         ///< number of the first picture, as in the names of files
    const char *file;  ///< path of the picture or pattern of the sequence, as a scene names it; NULL for others
} BrumeTextureDef;

/**
 * Creates a texture, which is black until brume_texture_fill is called for each picture, and is freed with
 * brume_texture_release. A texel takes 6 bytes. Fails with BRUME_BAD_INPUT where a number is outside its range or the
 * pictures do not fit into the memory of the machine (the text names it), and with BRUME_FAILED without memory;
 * `*texture` is NULL then.
 */
BRUME_API BrumeStatus brume_texture_create(BrumeTexture **texture, const BrumeTextureDef *def, BrumeError *error);

/**
 * Sets a picture, counted from 0, before other threads use the texture: linear RGB (height x width x 3), the first row
 * at the top. Values become halves (IEEE 754 binary16) in [0, 1].
 */
BRUME_API void brume_texture_fill(BrumeTexture *texture, int frame, const float *rgb);

/** Adds a reference; NULL is allowed. A renderer holds none: the textures of its surfaces must exist while it draws. */
BRUME_API void brume_texture_retain(const BrumeTexture *texture);

/** Releases a reference; the last one frees the texture. NULL is allowed. */
BRUME_API void brume_texture_release(const BrumeTexture *texture);

/** The path of its file, or NULL. */
BRUME_API const char *brume_texture_file(const BrumeTexture *texture);

/** Bytes allocated. */
BRUME_API size_t brume_texture_bytes(const BrumeTexture *texture);

/**
 * Reads the picture `path`, or with a number as in `name.####.png` all pictures of this name, with this as their
 * `file`. Fails with BRUME_BAD_INPUT where there is no such file or it is no picture, and with BRUME_FAILED where it
 * cannot be read; the text is one line that names the file, and `*texture` is NULL. Called by the thread that loads the
 * scene.
 */
typedef BrumeStatus BrumeTextureReader(void *context, const char *path, BrumeTexture **texture, BrumeError *error);

BRUME_END_DECLS

#endif

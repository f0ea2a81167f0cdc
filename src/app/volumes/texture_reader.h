/**
 * @file texture_reader.h
 * The textures of bodies: pictures, and sequences of them.
 */
#ifndef BRUME_APP_VOLUMES_TEXTURE_READER_H
#define BRUME_APP_VOLUMES_TEXTURE_READER_H

#include "brume/texture.h"

#include <stdint.h>

/** A BrumeTextureReader for the formats of brume_read_picture. */
BrumeStatus brume_read_texture(void *context, const char *path, BrumeTexture **texture, BrumeError *error);

/** A texture of the contents of a picture; fails as a BrumeTextureReader. */
BrumeStatus brume_decode_texture(const uint8_t *bytes, size_t size, const char *path, BrumeTexture **texture,
                                 BrumeError *error);

#endif

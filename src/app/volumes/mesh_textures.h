/**
 * @file mesh_textures.h
 * The textures of the materials of mesh files.
 */
#ifndef BRUME_APP_VOLUMES_MESH_TEXTURES_H
#define BRUME_APP_VOLUMES_MESH_TEXTURES_H

#include "brume/texture.h"
#include "core/text.h"
#include "exchange/mesh_file.h"

/**
 * Reads the textures that `file`, of the path `path`, names or contains; the caller releases them. One that cannot be
 * read is NULL, with a line in `lines`, which may be NULL. Fails with BRUME_FAILED without memory.
 */
BrumeStatus brume_mesh_textures_read(BrumeText *lines, const char *path, const BrumeMeshFile *file,
                                     const BrumeTexture *textures[BRUME_MESH_TEXTURES], BrumeError *error);

#endif

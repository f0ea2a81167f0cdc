/**
 * @file mesh_textures.h
 * The base color textures that the materials of a mesh file name.
 */
#ifndef BRUME_EXCHANGE_MESH_MESH_TEXTURES_H
#define BRUME_EXCHANGE_MESH_MESH_TEXTURES_H

#include "exchange/mesh_file.h"

#include <assimp/scene.h>

/**
 * The number of the texture of a material in `file->textures`, to which it is added where it is not there yet, with its
 * bytes in `file->memory` where the file has them; -1 where there is none, or no room. `uv` becomes the set of texture
 * coordinates that it uses.
 */
int brume_mesh_texture_of(BrumeMeshFile *file, const struct aiScene *scene, const struct aiMaterial *material,
                          unsigned *uv);

#endif

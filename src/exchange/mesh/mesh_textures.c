#include "exchange/mesh/mesh_textures.h"

#include <assimp/material.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool find_name(const struct aiMaterial *material, struct aiString *name, unsigned *uv)
{
    static const enum aiTextureType types[] = {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE};
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++) {
        *uv = 0;
        if (aiGetMaterialTexture(material, types[n], 0, name, NULL, uv, NULL, NULL, NULL, NULL) == aiReturn_SUCCESS) {
            *uv = *uv < AI_MAX_NUMBER_OF_TEXTURECOORDS ? *uv : 0;
            return true;
        }
    }
    return false;
}

// a texture in the file itself: by its number, as "*2", or by its name
static const struct aiTexture *find_embedded(const struct aiScene *scene, const char *name)
{
    if (name[0] == '*') {
        char *end;
        const unsigned long number = strtoul(name + 1, &end, 10);
        return end > name + 1 && *end == '\0' && number < scene->mNumTextures ? scene->mTextures[number] : NULL;
    }
    for (unsigned n = 0; n < scene->mNumTextures; n++) {
        if (strcmp(scene->mTextures[n]->mFilename.data, name) == 0) {
            return scene->mTextures[n];
        }
    }
    return NULL;
}

int brume_mesh_texture_of(BrumeMeshFile *file, const struct aiScene *scene, const struct aiMaterial *material,
                          unsigned *uv)
{
    struct aiString name;
    if (!find_name(material, &name, uv) || name.data[0] == '\0' || strlen(name.data) >= BRUME_MESH_TEXTURE_NAME) {
        return -1;
    }
    for (int n = 0; n < file->texture_count; n++) {
        if (strcmp(file->textures[n].name, name.data) == 0) {
            return n;
        }
    }
    if (file->texture_count == BRUME_MESH_TEXTURES) {
        return -1;
    }
    BrumeMeshFileTexture *texture = &file->textures[file->texture_count];
    *texture = (BrumeMeshFileTexture){0};
    (void)snprintf(texture->name, sizeof texture->name, "%.*s", (int)sizeof texture->name - 1, name.data);
    const struct aiTexture *embedded = find_embedded(scene, name.data);
    texture->is_embedded = embedded != NULL || name.data[0] == '*';
    if (embedded && embedded->mHeight == 0 && embedded->mWidth > 0) { // the contents of a file, mWidth bytes
        void *bytes = brume_shared_memory_add(&file->memory, embedded->mWidth, &texture->block);
        if (bytes) {
            memcpy(bytes, embedded->pcData, embedded->mWidth);
            brume_shared_memory_unmap(bytes, embedded->mWidth);
        }
    }
    return file->texture_count++;
}

#include "app/volumes/mesh_textures.h"

#include "app/volumes/texture_reader.h"
#include "core/error.h"
#include "core/path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Replaces %20 and the like of an address, and the backslashes of a path. */
static void make_path(char *name)
{
    char *to = name;
    for (const char *from = name; *from; from++) {
        char digits[3] = {0};
        char *end = digits;
        if (*from == '%' && from[1]) {
            memcpy(digits, from + 1, 2);
        }
        const long code = strtol(digits, &end, 16);
        const bool is_code = end == digits + 2 && code > 0;
        *to++ = is_code ? (char)code : *from == '\\' ? '/' : *from;
        from += is_code ? 2 : 0;
    }
    *to = '\0';
}

/** Reads a texture from the folder of the mesh: by its path there, or by its name alone where it was made elsewhere. */
static BrumeStatus read_beside(const char *mesh, const BrumeMeshFileTexture *texture, BrumeTexture **read,
                               BrumeError *error)
{
    const int folder = (int)(brume_path_name(mesh) - mesh);
    char name[BRUME_MESH_TEXTURE_NAME];
    char path[PATH_MAX + BRUME_MESH_TEXTURE_NAME];
    (void)snprintf(name, sizeof name, "%s", texture->name);
    (void)snprintf(path, sizeof path, "%.*s%s", folder, mesh, name);
    if (access(path, F_OK) != 0) {
        make_path(name);
        (void)snprintf(path, sizeof path, "%.*s%s", folder, mesh, name);
    }
    if (access(path, F_OK) != 0 && strrchr(name, '/')) {
        (void)snprintf(path, sizeof path, "%.*s%s", folder, mesh, brume_path_name(name));
    }
    if (access(path, F_OK) != 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "it is missing");
    }
    return brume_read_texture(NULL, path, read, error);
}

BrumeStatus brume_mesh_textures_read(BrumeText *lines, const char *path, const BrumeMeshFile *file,
                                     const BrumeTexture *textures[BRUME_MESH_TEXTURES], BrumeError *error)
{
    for (int n = 0; n < file->texture_count; n++) {
        const BrumeMeshFileTexture *texture = &file->textures[n];
        BrumeTexture *read = NULL;
        BrumeError found = {0};
        if (texture->is_embedded) {
            void *bytes = texture->block.size > 0 ? brume_shared_memory_map(&file->memory, texture->block) : NULL;
            found.status = bytes ? brume_decode_texture(bytes, texture->block.size, texture->name, &read, &found)
                                 : brume_fail(&found, BRUME_BAD_INPUT, "it is not a file");
            brume_shared_memory_unmap(bytes, texture->block.size);
        } else {
            found.status = read_beside(path, texture, &read, &found);
        }
        if (found.status == BRUME_FAILED) {
            return brume_fail(error, BRUME_FAILED, "%s", found.text);
        }
        if (found.status != BRUME_OK && lines) {
            brume_text_add(lines, "%s: its texture '%s' is not read: %s\n", path, brume_quote(texture->name).text,
                           found.text);
        }
        textures[n] = read;
    }
    return BRUME_OK;
}

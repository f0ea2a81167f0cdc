#include "sim/lifecycle/saved_meshes.h"

#include "core/memory.h"
#include "core/mesh/mesh_internal.h"
#include "core/texture.h"
#include "sim/settings/references.h"

// An array of a mesh. Where the archive is read, a new one; NULL, and `ok` cleared, where it does not have so many
// bytes.
static void *pass_array(BrumeArchive *archive, const void *array, int count, size_t size)
{
    void *passed = (void *)array; // an archive that reads writes through its pointers, so none is const
    if (archive->mode == BRUME_ARCHIVE_READ) {
        archive->ok = archive->ok && count > 0 && (size_t)count <= (archive->size - archive->position) / size;
        passed = archive->ok ? brume_alloc_untouched((size_t)count, size) : NULL;
        archive->ok = passed != NULL;
    }
    if (passed) {
        brume_archive_bytes(archive, passed, (size_t)count * size);
    }
    return passed;
}

static void pass_mesh(BrumeArchive *archive, BrumeMeshDef *def, bool *deforms, char **file)
{
    bool has_uvs = def->uvs != NULL;
    bool has_colors = def->colors != NULL;
    brume_archive_int(archive, &def->vertex_count);
    brume_archive_int(archive, &def->triangle_count);
    brume_archive_bool(archive, &has_uvs);
    brume_archive_bool(archive, &has_colors);
    brume_archive_bool(archive, deforms);
    brume_archive_text(archive, file);
    brume_archive_float(archive, &def->read.unit);
    brume_archive_int(archive, &def->read.up);
    brume_archive_bool(archive, &def->read.flip);
    brume_archive_int(archive, &def->read.frame);
    brume_archive_float(archive, &def->read.fps);
    brume_archive_bytes(archive, def->read.animation, sizeof def->read.animation);
    def->read.animation[sizeof def->read.animation - 1] = '\0';
    def->positions = pass_array(archive, def->positions, def->vertex_count, sizeof *def->positions);
    def->corners = pass_array(archive, def->corners, def->triangle_count, sizeof(int[3]));
    def->normals = pass_array(archive, def->normals, def->triangle_count, sizeof(BrumeVec3[3]));
    def->uvs = has_uvs ? pass_array(archive, def->uvs, def->triangle_count, sizeof(float[6])) : NULL;
    def->colors = has_colors ? pass_array(archive, def->colors, def->triangle_count, sizeof(BrumeVec3[3])) : NULL;
}

static void write_textures(BrumeArchive *archive, const BrumeMesh *mesh)
{
    BrumeMesh copy = *mesh;
    brume_archive_int(archive, &copy.texture_count);
    for (int n = 0; n < copy.texture_count; n++) {
        BrumeTexture texture = copy.textures[n] ? *copy.textures[n] : (BrumeTexture){0};
        const size_t texels = (size_t)texture.width * (size_t)texture.height;
        brume_archive_int(archive, &texture.width); // 0: it was not read
        brume_archive_int(archive, &texture.height);
        if (texels > 0) {
            brume_archive_bytes(archive, texture.texels, texels * sizeof *texture.texels);
        }
    }
    if (copy.texture_count > 0) {
        brume_archive_bytes(archive, copy.texture_of, (size_t)copy.welded.triangle_count * sizeof *copy.texture_of);
    }
}

static void write_mesh(BrumeArchive *archive, const BrumeMesh *mesh)
{
    char *file = mesh->file;
    BrumeMeshDef def = {
        .vertex_count = mesh->welded.vertex_count,
        .positions = mesh->welded.positions,
        .triangle_count = mesh->welded.triangle_count,
        .corners = mesh->welded.corners,
        .normals = mesh->normals,
        .uvs = mesh->uvs,
        .colors = mesh->colors,
        .read = mesh->read,
    };
    bool deforms = mesh->deforms;
    pass_mesh(archive, &def, &deforms, &file);
    write_textures(archive, mesh);
}

enum { MOST_SIDE = 1 << 15 }; // of textures [texels]

// a texture; NULL where it was not read, or `ok` is cleared
static BrumeTexture *read_texture(BrumeArchive *archive)
{
    BrumeTextureDef def = {.frames = 1};
    BrumeTexture *texture = NULL;
    brume_archive_count(archive, &def.width, MOST_SIDE);
    brume_archive_count(archive, &def.height, MOST_SIDE);
    const size_t bytes = (size_t)def.width * (size_t)def.height * sizeof *texture->texels;
    if (archive->ok && bytes > 0) {
        archive->ok =
            bytes <= archive->size - archive->position && brume_texture_create(&texture, &def, NULL) == BRUME_OK;
    }
    if (archive->ok && texture) {
        brume_archive_bytes(archive, texture->texels, bytes);
    }
    return texture;
}

// the textures of a mesh, and in `def` the places that they have; false without memory or where `ok` is cleared
static const BrumeTexture **read_textures(BrumeArchive *archive, BrumeMeshDef *def, int **texture_of)
{
    int count = 0;
    brume_archive_int(archive, &count);
    archive->ok = archive->ok && count >= 0 && (size_t)count <= archive->size - archive->position;
    const BrumeTexture **textures = archive->ok ? brume_alloc((size_t)count + 1, sizeof(BrumeTexture *)) : NULL;
    archive->ok = archive->ok && textures;
    for (int n = 0; n < count && archive->ok; n++) {
        textures[def->texture_count++] = read_texture(archive);
    }
    *texture_of = count > 0 ? pass_array(archive, NULL, def->triangle_count, sizeof(int)) : NULL;
    return textures;
}

// a new mesh; NULL, and `ok` cleared, where the archive does not have it. No more memory is used than it has bytes.
static const BrumeMesh *read_mesh(BrumeArchive *archive)
{
    BrumeMeshDef def = {0};
    BrumeMesh *mesh = NULL;
    char *file = NULL;
    bool deforms = false;
    pass_mesh(archive, &def, &deforms, &file);
    int *texture_of;
    const BrumeTexture **textures = read_textures(archive, &def, &texture_of);
    if (archive->ok) {
        def.textures = textures;
        def.texture_of = texture_of;
        def.file = file && file[0] ? file : NULL;
        archive->ok = brume_mesh_create(&mesh, &def, NULL) == BRUME_OK;
    }
    if (mesh) {
        mesh->deforms = deforms;
    }
    brume_free((void *)def.positions);
    brume_free((void *)def.corners);
    brume_free((void *)def.normals);
    brume_free((void *)def.uvs);
    brume_free((void *)def.colors);
    for (int n = 0; textures && n < def.texture_count; n++) {
        brume_texture_release(textures[n]);
    }
    brume_free(textures);
    brume_free(texture_of);
    brume_free(file);
    return mesh;
}

// meshes, each once
typedef struct MeshList {
    int count;
    const BrumeMesh *meshes[BRUME_MAX_SETTINGS_MESHES];
} MeshList;

// 1 + the index of a mesh in the list, to which it is added; 0 for NULL
static int list_mesh(MeshList *list, const BrumeMesh *mesh)
{
    int n = 0;
    while (mesh && n < list->count && list->meshes[n] != mesh) {
        n++;
    }
    if (mesh && n == list->count) {
        list->meshes[list->count++] = mesh;
    }
    return mesh ? n + 1 : 0;
}

void brume_archive_meshes(BrumeArchive *archive, BrumeSimDef *def)
{
    const bool reading = archive->mode == BRUME_ARCHIVE_READ;
    const BrumeMesh **places[BRUME_MAX_SETTINGS_MESHES];
    int indices[BRUME_MAX_SETTINGS_MESHES];
    MeshList list = {0};
    const int count = brume_settings_meshes(def, places);
    for (int n = 0; n < count; n++) {
        indices[n] = reading ? 0 : list_mesh(&list, *places[n]);
        brume_archive_count(archive, &indices[n], BRUME_MAX_SETTINGS_MESHES);
        *places[n] = reading ? NULL : *places[n];
    }
    brume_archive_count(archive, &list.count, BRUME_MAX_SETTINGS_MESHES);
    for (int n = 0; n < list.count; n++) {
        if (!reading) {
            write_mesh(archive, list.meshes[n]);
        } else {
            list.meshes[n] = archive->ok ? read_mesh(archive) : NULL;
        }
    }
    for (int n = 0; n < count && reading; n++) {
        archive->ok = archive->ok && indices[n] <= list.count;
        if (archive->ok && indices[n] > 0) {
            *places[n] = list.meshes[indices[n] - 1];
            brume_mesh_retain(*places[n]);
        }
    }
    for (int n = 0; n < list.count && reading; n++) {
        brume_mesh_release(list.meshes[n]);
    }
}

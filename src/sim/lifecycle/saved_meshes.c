#include "sim/lifecycle/saved_meshes.h"

#include "core/memory.h"
#include "core/mesh/mesh_internal.h"
#include "sim/settings/references.h"

static void pass_read_def(BrumeArchive *archive, BrumeMeshReadDef *read)
{
    brume_archive_float(archive, &read->unit);
    brume_archive_int(archive, &read->up);
    brume_archive_int(archive, &read->frame);
    brume_archive_float(archive, &read->fps);
    brume_archive_bytes(archive, read->animation, sizeof read->animation);
    read->animation[sizeof read->animation - 1] = '\0';
}

static void write_mesh(BrumeArchive *archive, const BrumeMesh *mesh)
{
    BrumeMesh copy = *mesh; // an archive that reads writes through its pointers, so none is const
    BrumeMeshVertices *welded = &copy.welded;
    const size_t corners = 3 * (size_t)welded->triangle_count;
    bool has_uvs = copy.uvs != NULL;
    bool has_colors = copy.colors != NULL;
    brume_archive_int(archive, &welded->vertex_count);
    brume_archive_int(archive, &welded->triangle_count);
    brume_archive_bool(archive, &has_uvs);
    brume_archive_bool(archive, &has_colors);
    brume_archive_bool(archive, &copy.deforms);
    brume_archive_text(archive, &copy.file);
    pass_read_def(archive, &copy.read);
    brume_archive_bytes(archive, welded->positions, (size_t)welded->vertex_count * sizeof *welded->positions);
    brume_archive_bytes(archive, welded->corners, corners * sizeof *welded->corners);
    brume_archive_bytes(archive, copy.normals, corners * sizeof *copy.normals);
    if (has_uvs) {
        brume_archive_bytes(archive, copy.uvs, 2 * corners * sizeof *copy.uvs);
    }
    if (has_colors) {
        brume_archive_bytes(archive, copy.colors, corners * sizeof *copy.colors);
    }
}

// an array of the archive; NULL, and `ok` cleared, where the archive does not have so many bytes
static void *read_array(BrumeArchive *archive, int count, size_t size)
{
    void *array = NULL;
    archive->ok = archive->ok && count > 0 && (size_t)count <= (archive->size - archive->position) / size;
    if (archive->ok) {
        array = brume_alloc_untouched((size_t)count, size);
        archive->ok = array != NULL;
    }
    if (archive->ok) {
        brume_archive_bytes(archive, array, (size_t)count * size);
    }
    return array;
}

// a new mesh; NULL, and `ok` cleared, where the archive does not have it. No more memory is used than it has bytes.
static const BrumeMesh *read_mesh(BrumeArchive *archive)
{
    BrumeMeshDef def = {0};
    bool has_uvs = false;
    bool has_colors = false;
    bool deforms = false;
    char *file = NULL;
    brume_archive_int(archive, &def.vertex_count);
    brume_archive_int(archive, &def.triangle_count);
    brume_archive_bool(archive, &has_uvs);
    brume_archive_bool(archive, &has_colors);
    brume_archive_bool(archive, &deforms);
    brume_archive_text(archive, &file);
    pass_read_def(archive, &def.read);
    BrumeVec3 *const positions = read_array(archive, def.vertex_count, sizeof *positions);
    int *const corners = read_array(archive, def.triangle_count, sizeof(int[3]));
    BrumeVec3 *const normals = read_array(archive, def.triangle_count, sizeof(BrumeVec3[3]));
    float *const uvs = has_uvs ? read_array(archive, def.triangle_count, sizeof(float[6])) : NULL;
    BrumeVec3 *const colors = has_colors ? read_array(archive, def.triangle_count, sizeof(BrumeVec3[3])) : NULL;
    BrumeMesh *mesh = NULL;
    if (archive->ok) {
        def.positions = positions;
        def.corners = corners;
        def.normals = normals;
        def.uvs = uvs;
        def.colors = colors;
        def.file = file && file[0] ? file : NULL;
        archive->ok = brume_mesh_create(&mesh, &def, NULL) == BRUME_OK;
    }
    if (mesh) {
        mesh->deforms = deforms;
    }
    brume_free(positions);
    brume_free(corners);
    brume_free(normals);
    brume_free(uvs);
    brume_free(colors);
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

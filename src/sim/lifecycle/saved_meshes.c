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
}

static void write_mesh(BrumeArchive *archive, const BrumeMesh *mesh)
{
    BrumeMesh copy = *mesh; // an archive that reads writes through its pointers, so none is const
    BrumeMeshVertices *welded = &copy.welded;
    brume_archive_int(archive, &welded->vertex_count);
    brume_archive_int(archive, &welded->triangle_count);
    brume_archive_text(archive, &copy.file);
    pass_read_def(archive, &copy.read);
    brume_archive_bytes(archive, welded->positions, (size_t)welded->vertex_count * sizeof *welded->positions);
    brume_archive_bytes(archive, welded->corners, 3 * (size_t)welded->triangle_count * sizeof *welded->corners);
}

// a new mesh; NULL, and `ok` cleared, where the archive does not have it. No more memory is used than it has bytes.
static const BrumeMesh *read_mesh(BrumeArchive *archive)
{
    int vertices = 0;
    int triangles = 0;
    char *file = NULL;
    BrumeMeshReadDef read = {0};
    brume_archive_int(archive, &vertices);
    brume_archive_int(archive, &triangles);
    brume_archive_text(archive, &file);
    pass_read_def(archive, &read);
    BrumeVec3 *positions = NULL;
    int *corners = NULL;
    const size_t rest = archive->size - archive->position;
    if (archive->ok && vertices > 0 && triangles > 0 && (size_t)vertices <= rest / sizeof *positions &&
        (size_t)triangles <= rest / (3 * sizeof *corners)) {
        positions = brume_alloc_untouched((size_t)vertices, sizeof *positions);
        corners = brume_alloc_untouched(3 * (size_t)triangles, sizeof *corners);
    }
    archive->ok = archive->ok && positions && corners;
    BrumeMesh *mesh = NULL;
    if (archive->ok) {
        brume_archive_bytes(archive, positions, (size_t)vertices * sizeof *positions);
        brume_archive_bytes(archive, corners, 3 * (size_t)triangles * sizeof *corners);
        const BrumeMeshDef def = {
            .vertex_count = vertices,
            .positions = positions,
            .triangle_count = triangles,
            .corners = corners,
            .file = file && file[0] ? file : NULL,
            .read = read,
        };
        archive->ok = archive->ok && brume_mesh_create(&mesh, &def, NULL) == BRUME_OK;
    }
    brume_free(positions);
    brume_free(corners);
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

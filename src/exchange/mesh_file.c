#include "exchange/mesh_file.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/path.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const brume_mesh_extensions[] = {
    "obj", "stl",     "ply",  "gltf", "glb",   "fbx",  "dae", "3mf",     "3d",   "3ds", "ac",   "ac3d",   "acc",
    "amf", "ase",     "ask",  "b3d",  "blend", "bsp",  "cob", "dxf",     "enff", "hmp", "ifc",  "ifczip", "iqm",
    "irr", "irrmesh", "lwo",  "lws",  "lxo",   "md2",  "md3", "md5mesh", "mdc",  "mdl", "mesh", "ms3d",   "ndo",
    "nff", "off",     "ogex", "pk3",  "pmx",   "prj",  "q3o", "q3s",     "scn",  "sib", "smd",  "step",   "stp",
    "ter", "uc",      "vta",  "x",    "x3d",   "x3db", "xgl", "zae",     "zgl",  NULL,
};

bool brume_is_mesh_path(const char *path)
{
    const char *dot = strrchr(brume_path_name(path), '.');
    for (const char *const *extension = brume_mesh_extensions; dot && *extension; extension++) {
        if (strcasecmp(dot + 1, *extension) == 0) {
            return true;
        }
    }
    return false;
}

size_t brume_mesh_array_bytes(BrumeMeshArray array, int vertices, int triangles)
{
    const size_t corners = (size_t)3 * (size_t)triangles;
    switch (array) {
    case BRUME_MESH_POSITIONS:
        return (size_t)vertices * sizeof(BrumeVec3);
    case BRUME_MESH_CORNERS:
        return corners * sizeof(int);
    case BRUME_MESH_UVS:
        return corners * 2 * sizeof(float);
    case BRUME_MESH_TEXTURE_OF:
        return (size_t)triangles * sizeof(int);
    default:
        return corners * sizeof(BrumeVec3);
    }
}

static void unmap(BrumeMeshFile *file)
{
    BrumeMeshDef *def = &file->def;
    const void *const arrays[BRUME_MESH_ARRAYS] = {def->positions, def->corners, def->normals,
                                                   def->uvs,       def->colors,  def->texture_of};
    for (int n = 0; n < BRUME_MESH_ARRAYS; n++) {
        brume_shared_memory_unmap((void *)arrays[n], file->blocks[n].size);
    }
    *def = (BrumeMeshDef){0};
}

bool brume_mesh_file_map(BrumeMeshFile *file)
{
    BrumeMeshDef *def = &file->def;
    void *arrays[BRUME_MESH_ARRAYS];
    bool mapped = true;
    for (int n = 0; n < BRUME_MESH_ARRAYS; n++) {
        const BrumeSharedBlock block = file->blocks[n];
        const bool right_size =
            block.size == brume_mesh_array_bytes((BrumeMeshArray)n, def->vertex_count, def->triangle_count);
        arrays[n] = right_size ? brume_shared_memory_map(&file->memory, block) : NULL;
        mapped = mapped && (arrays[n] || (n > BRUME_MESH_CORNERS && block.size == 0));
    }
    def->positions = arrays[BRUME_MESH_POSITIONS];
    def->corners = arrays[BRUME_MESH_CORNERS];
    def->normals = arrays[BRUME_MESH_NORMALS];
    def->uvs = arrays[BRUME_MESH_UVS];
    def->colors = arrays[BRUME_MESH_COLORS];
    def->texture_of = arrays[BRUME_MESH_TEXTURE_OF];
    if (!mapped) {
        unmap(file);
    }
    return mapped;
}

void brume_mesh_file_destroy(BrumeMeshFile *file)
{
    unmap(file);
    brume_shared_memory_close(&file->memory);
    *file = (BrumeMeshFile){0};
}

BrumeStatus brume_mesh_file_create(BrumeMesh **mesh, const BrumeMeshFile *file, const char *path, BrumeError *error)
{
    BrumeMeshDef def = file->def;
    BrumeError found;
    def.file = path;
    def.texture_of = def.textures ? def.texture_of : NULL;
    const BrumeStatus status = brume_mesh_create(mesh, &def, &found);
    return status == BRUME_OK ? status : brume_fail(error, status, "%s: %s", path, found.text);
}

/*
 * Sequences.
 */

/** A vertex of the first file. */
typedef struct SequenceVertex {
    BrumeVec3 position;
    int number;
} SequenceVertex;

static int compare_numbers(float a, float b) { return (a > b) - (a < b); }

static int compare_vertices(const void *a, const void *b)
{
    const SequenceVertex *p = a;
    const SequenceVertex *q = b;
    const int x = compare_numbers(p->position.x, q->position.x);
    const int y = compare_numbers(p->position.y, q->position.y);
    const int z = compare_numbers(p->position.z, q->position.z);
    return x ? x : y ? y : z;
}

// Vertices at one position are one vertex of a mesh, which must be so in all files.
static BrumeStatus check_joined(const BrumeMeshDef *first, const BrumeVec3 *positions, const char *path,
                                BrumeError *error)
{
    SequenceVertex *vertices = brume_alloc_untouched((size_t)first->vertex_count, sizeof *vertices);
    if (!vertices) {
        return brume_out_of_memory(error, "the mesh %s", path);
    }
    for (int n = 0; n < first->vertex_count; n++) {
        vertices[n] = (SequenceVertex){first->positions[n], n};
    }
    qsort(vertices, (size_t)first->vertex_count, sizeof *vertices, compare_vertices);
    BrumeStatus status = BRUME_OK;
    for (int n = 1; n < first->vertex_count && status == BRUME_OK; n++) {
        SequenceVertex now[2] = {vertices[n - 1], vertices[n]};
        const bool joined = compare_vertices(&now[0], &now[1]) == 0;
        now[0].position = positions[now[0].number];
        now[1].position = positions[now[1].number];
        if (joined && compare_vertices(&now[0], &now[1]) != 0) {
            status = brume_fail(error, BRUME_BAD_INPUT,
                                "%s: corners of triangles that meet in the first file of the sequence are apart: its "
                                "triangles cannot be kept",
                                path);
        }
    }
    brume_free(vertices);
    return status;
}

BrumeStatus brume_mesh_file_read_positions(BrumeVec3 *positions, const BrumeMeshFile *first, const char *path,
                                           const BrumeMeshReadDef *def, BrumeError *error)
{
    BrumeMeshFile file;
    BrumeStatus status = brume_mesh_file_read(&file, path, def, error);
    if (status == BRUME_OK && file.info.polygons != first->info.polygons) {
        status = brume_fail(error, BRUME_BAD_INPUT,
                            "%s: its %d polygons are not those of the first file of the sequence, which has %d: its "
                            "triangles cannot be kept",
                            path, file.info.polygons, first->info.polygons);
    } else if (status == BRUME_OK && file.def.vertex_count != first->def.vertex_count) {
        status = brume_fail(error, BRUME_BAD_INPUT,
                            "%s: its %d vertices are not those of the first file of the sequence, which has %d: its "
                            "triangles cannot be kept",
                            path, file.def.vertex_count, first->def.vertex_count);
    } else if (status == BRUME_OK && file.info.topology != first->info.topology) {
        status = brume_fail(error, BRUME_BAD_INPUT,
                            "%s: its polygons have other corners than those of the first file of the sequence: its "
                            "triangles cannot be kept",
                            path);
    }
    if (status == BRUME_OK) {
        status = check_joined(&first->def, file.def.positions, path, error);
    }
    if (status == BRUME_OK) {
        memcpy(positions, file.def.positions, (size_t)first->def.vertex_count * sizeof *positions);
    }
    brume_mesh_file_destroy(&file);
    return status;
}

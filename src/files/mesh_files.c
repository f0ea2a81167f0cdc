// Mesh files, whose library is in brume-files.
#include "exchange/mesh_file.h"

#include "core/error.h"

#ifdef BRUME_HAS_ASSIMP

#include "core/memory.h"
#include "core/path.h"
#include "files/files_process.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>

/** A mesh that is read: large, so that it is allocated. */
typedef struct MeshCall {
    BrumeSharedMemory memory[BRUME_FILES_MEMORIES];
    BrumeFilesRequest request;
    BrumeFilesReply reply;
    BrumeMeshParts *parts; ///< mapped
} MeshCall;

// adds the contents of a file beside the mesh file, or marks it as missing
static BrumeStatus add_part(MeshCall *call, BrumeMeshPart *part, BrumeError *error)
{
    const char *mesh = call->request.path;
    part->name[BRUME_MESH_PART_NAME - 1] = '\0';
    char path[PATH_MAX + BRUME_MESH_PART_NAME];
    uint8_t *bytes = NULL;
    size_t size = 0;
    (void)snprintf(path, sizeof path, "%.*s%s", (int)(brume_path_name(mesh) - mesh), mesh, part->name);
    BrumeStatus status = brume_file_read(path, &bytes, &size, error);
    part->missing = status == BRUME_BAD_INPUT;
    void *copy = size > 0 ? brume_shared_memory_add(&call->memory[BRUME_FILES_INPUT], size, &part->block) : NULL;
    if (copy) {
        memcpy(copy, bytes, size);
        brume_shared_memory_unmap(copy, size);
    } else if (size > 0) {
        status = brume_out_of_memory(error, "%s", path);
    }
    brume_free(bytes);
    return part->missing ? BRUME_OK : status;
}

// sends requests until no further file is needed
static BrumeStatus send_requests(MeshCall *call, BrumeError *error)
{
    const int memory[] = {call->memory[BRUME_FILES_INPUT].file, call->memory[BRUME_FILES_RESULT].file};
    BrumeMeshParts *parts = call->parts;
    BrumeStatus status = BRUME_OK;
    while (status == BRUME_OK && !call->reply.mesh_complete) {
        const int known = parts->count;
        status = brume_files_request(&call->request, memory, &call->reply, error);
        const int count = parts->count;
        if (count < known || count > BRUME_MESH_PARTS || (count == known && !call->reply.mesh_complete)) {
            return status == BRUME_OK ? brume_fail(error, BRUME_FAILED,
                                                   "%s: cannot be read: brume-files asks for "
                                                   "the same files again",
                                                   call->request.path)
                                      : status;
        }
        for (int n = known; n < count && status == BRUME_OK; n++) {
            status = add_part(call, &parts->parts[n], error);
        }
    }
    return status;
}

static BrumeStatus read_mesh(BrumeMeshFile *file, MeshCall *call, const char *path, const BrumeMeshReadDef *def,
                             BrumeError *error)
{
    BrumeFilesRequest *request = &call->request;
    BrumeSharedMemory *input = &call->memory[BRUME_FILES_INPUT];
    BrumeSharedBlock contents;
    request->task = BRUME_READ_MESH;
    request->threads = 1;
    request->mesh_def = *def;
    (void)snprintf(request->path, sizeof request->path, "%s", path);
    BrumeStatus status = brume_file_read_shared(path, input, &contents, error);
    if (status != BRUME_OK) {
        return status;
    }
    if (contents.size == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: is empty", path);
    }
    call->parts = brume_shared_memory_add(input, sizeof *call->parts, &request->parts);
    if (!call->parts || !brume_shared_memory_create(&call->memory[BRUME_FILES_RESULT])) {
        return brume_out_of_memory(error, "the mesh %s", path);
    }
    call->parts->count = 1;
    call->parts->parts[0].block = contents;
    (void)snprintf(call->parts->parts[0].name, BRUME_MESH_PART_NAME, "%s", brume_path_name(path));
    status = send_requests(call, error);
    if (status == BRUME_OK) {
        *file = call->reply.mesh;
        file->memory = call->memory[BRUME_FILES_RESULT];
        call->memory[BRUME_FILES_RESULT] = (BrumeSharedMemory){0};
        if (!brume_mesh_file_map(file)) {
            brume_mesh_file_destroy(file);
            status = brume_out_of_memory(error, "the mesh %s", path);
        }
    }
    return status;
}

bool brume_reads_mesh_files(void) { return true; }

BrumeStatus brume_mesh_file_read(BrumeMeshFile *file, const char *path, const BrumeMeshReadDef *def, BrumeError *error)
{
    *file = (BrumeMeshFile){0};
    if (!brume_is_mesh_path(path)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: has no extension of a mesh file (as .obj, .stl, .ply, .gltf, .glb, .fbx, .dae, .3mf)",
                          path);
    }
    MeshCall *call = brume_alloc(1, sizeof *call);
    if (!call) {
        return brume_out_of_memory(error, "the mesh %s", path);
    }
    const BrumeStatus status = read_mesh(file, call, path, def, error);
    brume_shared_memory_unmap(call->parts, call->request.parts.size);
    brume_shared_memory_close(&call->memory[BRUME_FILES_INPUT]);
    brume_shared_memory_close(&call->memory[BRUME_FILES_RESULT]);
    brume_free(call);
    return status;
}

#else

bool brume_reads_mesh_files(void) { return false; }

BrumeStatus brume_mesh_file_read(BrumeMeshFile *file, const char *path, const BrumeMeshReadDef *def, BrumeError *error)
{
    (void)def;
    *file = (BrumeMeshFile){0};
    return brume_fail(error, BRUME_FAILED,
                      "%s: this build of Brume does not read mesh files (build Brume where libassimp-dev is installed)",
                      path);
}

#endif

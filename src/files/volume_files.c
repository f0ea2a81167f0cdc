// The formats of volume files whose libraries are in brume-files.
#include "brume/threads.h"
#include "core/memory.h"
#include "exchange/volume_format.h"
#include "files/files_process.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>

#if defined(BRUME_HAS_HDF5) || defined(BRUME_HAS_OPENVDB)

// moves the result to `frame`, which owns the memory of the result from now on in any case
static BrumeStatus take_frame(BrumeFrameGrids *frame, const BrumeFilesReply *reply, BrumeSharedMemory *result,
                              const char *path, BrumeError *error)
{
    *frame = reply->frame;
    frame->memory = *result;
    brume_shared_memory_accept(&frame->memory, reply->frame.memory.used);
    frame->scene_text = NULL;
    *result = (BrumeSharedMemory){0};
    const char *scene = brume_shared_memory_map(&frame->memory, reply->scene);
    const bool mapped = brume_frame_grids_map(frame) && (scene || reply->scene.size == 0);
    frame->scene_text = scene ? brume_copy_text(scene) : NULL;
    brume_shared_memory_unmap((void *)scene, reply->scene.size);
    if (!mapped || (scene && !frame->scene_text)) {
        brume_frame_grids_destroy(frame);
        return brume_out_of_memory(error, "the grids of %s", path);
    }
    return BRUME_OK;
}

static BrumeStatus read_file(BrumeFilesTask task, BrumeFrameGrids *frame, const char *path,
                             const BrumeVolumeReadDef *def, BrumeError *error)
{
    BrumeSharedMemory memory[BRUME_FILES_MEMORIES] = {{0}};
    static const BrumeFilesRequest empty;
    BrumeFilesRequest request = empty;
    BrumeFilesReply reply;
    request.task = task;
    request.threads = 1;
    request.def = *def;
    (void)snprintf(request.path, sizeof request.path, "%s", path);
    BrumeStatus status = brume_file_read_shared(path, &memory[BRUME_FILES_INPUT], &request.input, error);
    if (status == BRUME_OK && !brume_shared_memory_create(&memory[BRUME_FILES_RESULT])) {
        status = brume_out_of_memory(error, "the grids of %s", path);
    }
    if (status == BRUME_OK) {
        const int descriptors[] = {memory[BRUME_FILES_INPUT].file, memory[BRUME_FILES_RESULT].file};
        status = brume_files_request(&request, descriptors, &reply, error);
    }
    if (status == BRUME_OK) {
        status = take_frame(frame, &reply, &memory[BRUME_FILES_RESULT], path, error);
    }
    brume_shared_memory_close(&memory[BRUME_FILES_INPUT]);
    brume_shared_memory_close(&memory[BRUME_FILES_RESULT]);
    return status;
}

static bool add_scene(BrumeSharedMemory *memory, const char *scene, BrumeSharedBlock *block)
{
    const size_t size = strlen(scene) + 1;
    char *added = brume_shared_memory_add(memory, size, block);
    if (added) {
        memcpy(added, scene, size);
        brume_shared_memory_unmap(added, size);
    }
    return added != NULL;
}

// composes the file; its bytes are the block `*file` of `memory`, which the caller closes in any case
static BrumeStatus compose_file(BrumeFilesTask task, const BrumeFrameGrids *frame, const char *path,
                                const BrumeVolumeWriteDef *def, BrumeSharedMemory *memory, BrumeSharedBlock *file,
                                BrumeError *error)
{
    static const BrumeFilesRequest empty;
    BrumeFilesRequest request = empty;
    BrumeFilesReply reply;
    request.task = task;
    request.threads = brume_get_threads();
    request.frame = *frame;
    request.half = def->half;
    request.z_up = def->z_up;
    request.vdb_staggered = def->vdb_staggered;
    (void)snprintf(request.vdb_names, sizeof request.vdb_names, "%s", def->vdb_names ? def->vdb_names : "");
    (void)snprintf(request.path, sizeof request.path, "%s", path);
    if (!brume_shared_memory_create(memory) ||
        (frame->scene_text && !add_scene(memory, frame->scene_text, &request.scene))) {
        return brume_out_of_memory(error, "%s", path);
    }
    const int descriptors[] = {frame->memory.open ? frame->memory.file : memory->file, memory->file};
    const BrumeStatus status = brume_files_request(&request, descriptors, &reply, error);
    if (status == BRUME_OK) {
        *file = reply.result;
    }
    return status;
}

static BrumeStatus write_file(BrumeFilesTask task, const BrumeFrameGrids *frame, const char *path,
                              const BrumeVolumeWriteDef *def, BrumeError *error)
{
    BrumeSharedMemory memory = {0};
    BrumeSharedBlock file = {0};
    BrumeStatus status = compose_file(task, frame, path, def, &memory, &file, error);
    if (status == BRUME_OK) {
        const uint8_t *bytes = brume_shared_memory_map(&memory, file);
        status = bytes ? brume_volume_file_store(path, bytes, file.size, def, error)
                       : brume_out_of_memory(error, "%s", path);
        brume_shared_memory_unmap((void *)bytes, file.size);
    }
    brume_shared_memory_close(&memory);
    return status;
}

#endif

#ifdef BRUME_HAS_HDF5
static BrumeStatus read_hdf(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def, BrumeError *error)
{
    return read_file(BRUME_READ_HDF, frame, path, def, error);
}

static BrumeStatus write_hdf(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                             BrumeError *error)
{
    return write_file(BRUME_COMPOSE_HDF, frame, path, def, error);
}

static BrumeStatus compose_hdf(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                               uint8_t **bytes, size_t *size, BrumeError *error)
{
    BrumeSharedMemory memory = {0};
    BrumeSharedBlock file = {0};
    BrumeStatus status = compose_file(BRUME_COMPOSE_HDF, frame, path, def, &memory, &file, error);
    const void *composed = status == BRUME_OK ? brume_shared_memory_map(&memory, file) : NULL;
    *size = file.size;
    *bytes = composed ? brume_alloc_untouched(file.size, 1) : NULL;
    if (*bytes) {
        memcpy(*bytes, composed, file.size);
    } else if (status == BRUME_OK) {
        status = brume_out_of_memory(error, "%s", path);
    }
    brume_shared_memory_unmap((void *)composed, file.size);
    brume_shared_memory_close(&memory);
    return status;
}

#define HDF_FORMAT(extension_)                                                                                         \
    {                                                                                                                  \
        .extension = (extension_), .description = "HDF5, which ParaView opens (VTKHDF)", .read = read_hdf,             \
        .compose = compose_hdf, .write = write_hdf, .write_options = BRUME_WRITE_HALF,                                 \
        .particles = BRUME_PARTICLES_ALONE,                                                                            \
    }

const BrumeVolumeFormat brume_hdf_format = HDF_FORMAT(".hdf");
const BrumeVolumeFormat brume_vtkhdf_format = HDF_FORMAT(".vtkhdf");
#endif

#ifdef BRUME_HAS_OPENVDB
static BrumeStatus read_vdb(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def, BrumeError *error)
{
    return read_file(BRUME_READ_VDB, frame, path, def, error);
}

static BrumeStatus write_vdb(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                             BrumeError *error)
{
    return write_file(BRUME_COMPOSE_VDB, frame, path, def, error);
}

const BrumeVolumeFormat brume_vdb_format = {
    .extension = ".vdb",
    .description = "OpenVDB, for Blender, Houdini and others",
    .read = read_vdb,
    .write = write_vdb,
    .write_options = BRUME_WRITE_HALF | BRUME_WRITE_VDB | BRUME_WRITE_UP,
    .particles = BRUME_PARTICLES_INSIDE,
};
#endif

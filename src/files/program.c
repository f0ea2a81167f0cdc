/*
 * The program brume-files: reads and writes the files whose libraries may crash, abort, hang or allocate without limit.
 * Its standard input is a socket, over which it receives one request after the other (messages.h).
 */
#define _GNU_SOURCE // MSG_CMSG_CLOEXEC, O_ASYNC

#include "brume/threads.h"
#include "core/descriptor.h"
#include "core/memory.h"
#include "core/parallel/waiting.h"
#include "files/messages.h"
#include "io/resource_limits.h"
#ifdef BRUME_HAS_HDF5
#include "exchange/hdf/hdf.h"
#endif
#ifdef BRUME_HAS_OPENVDB
#include "exchange/vdb/vdb.h"
#endif
#ifdef BRUME_HAS_OPENEXR
#include "io/exr_codec.h"
#endif
#ifdef BRUME_HAS_ASSIMP
#include "exchange/mesh/mesh_import.h"
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/** A request that is served: the message, and the memory that it carries. */
typedef struct Service {
    const BrumeFilesRequest *request;
    BrumeFilesReply *reply;
    BrumeSharedMemory input, result;
} Service;

/*
 * Tasks.
 */

typedef BrumeStatus ReadVolume(BrumeFrameGrids *frame, const char *path, uint8_t *bytes, size_t size,
                               const BrumeVolumeReadDef *def, BrumeError *error);
typedef BrumeStatus ComposeVolume(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                                  BrumeSharedMemory *memory, BrumeSharedBlock *file, BrumeError *error);

static BrumeStatus fail_memory(const Service *service, BrumeError *error)
{
    return brume_out_of_memory(error, "%s", service->request->path);
}

// adds a copy of `bytes` to the memory of the result
static bool add_result(Service *service, const void *bytes, size_t size, BrumeSharedBlock *block)
{
    void *added = brume_shared_memory_add(&service->result, size, block);
    if (added) {
        memcpy(added, bytes, size);
        brume_shared_memory_unmap(added, size);
    }
    return added != NULL;
}

// reads the file in the memory of the input, with the grids in the memory of the result
static BrumeStatus read_volume(Service *service, ReadVolume *read, BrumeError *error)
{
    const BrumeFilesRequest *request = service->request;
    BrumeFilesReply *reply = service->reply;
    static uint8_t nothing[1];
    uint8_t *bytes = request->input.size > 0 ? brume_shared_memory_map(&service->input, request->input) : nothing;
    if (!bytes) {
        return fail_memory(service, error);
    }
    brume_limit_reading(request->input.size);
    reply->frame.memory = service->result;
    BrumeStatus status = read(&reply->frame, request->path, bytes, request->input.size, &request->def, error);
    service->result.used = reply->frame.memory.used;
    const char *scene = reply->frame.scene_text;
    if (status == BRUME_OK && scene && !add_result(service, scene, strlen(scene) + 1, &reply->scene)) {
        status = fail_memory(service, error);
    }
    reply->frame.memory = service->result;
    if (bytes != nothing) {
        brume_shared_memory_unmap(bytes, request->input.size);
    }
    return status;
}

// composes the file of a frame, whose grids are in the memory of the input, in the memory of the result
static BrumeStatus compose_volume(Service *service, ComposeVolume *compose, BrumeError *error)
{
    const BrumeFilesRequest *request = service->request;
    const BrumeVolumeWriteDef def = {
        .half = request->half,
        .vdb_names = request->vdb_names[0] ? request->vdb_names : NULL,
        .z_up = request->z_up,
        .vdb_staggered = request->vdb_staggered,
    };
    BrumeFrameGrids frame = request->frame;
    size_t values = frame.particle_block.size;
    for (int n = 0; n < frame.count; n++) {
        values += frame.grids[n].block.size;
    }
    brume_limit_writing(values);
    frame.memory = service->input;
    frame.scene_text = brume_shared_memory_map(&service->result, request->scene);
    if (!brume_frame_grids_map(&frame) || (request->scene.size > 0 && !frame.scene_text)) {
        return fail_memory(service, error);
    }
    const BrumeStatus status = compose(&frame, request->path, &def, &service->result, &service->reply->result, error);
    brume_shared_memory_unmap(frame.scene_text, request->scene.size);
    brume_frame_grids_unmap(&frame);
    return status;
}

#ifdef BRUME_HAS_OPENEXR
static BrumeStatus read_exr(Service *service, BrumeError *error)
{
    const BrumeFilesRequest *request = service->request;
    BrumeFilesReply *reply = service->reply;
    uint8_t *bytes = brume_shared_memory_map(&service->input, request->input);
    if (!bytes) {
        return fail_memory(service, error);
    }
    BrumeFloatImage image;
    brume_limit_reading(request->input.size);
    BrumeStatus status = brume_exr_decode(&image, bytes, request->input.size, request->path, error);
    reply->width = image.width;
    reply->height = image.height;
    const size_t size = (size_t)3 * sizeof(float) * (size_t)image.width * (size_t)image.height;
    if (status == BRUME_OK && !add_result(service, image.rgb, size, &reply->result)) {
        status = fail_memory(service, error);
    }
    free(image.rgb);
    brume_shared_memory_unmap(bytes, request->input.size);
    return status;
}

static BrumeStatus compose_exr(Service *service, BrumeError *error)
{
    const BrumeFilesRequest *request = service->request;
    BrumeExrHeader header = request->exr;
    header.metadata.software = request->software;
    void *planes = brume_shared_memory_map(&service->input, request->input);
    if (!planes) {
        return fail_memory(service, error);
    }
    uint8_t *bytes = NULL;
    size_t size = 0;
    brume_limit_writing(request->input.size);
    BrumeStatus status =
        brume_exr_encode(&bytes, &size, request->path, request->width, request->height, &header, planes, error);
    if (status == BRUME_OK && !add_result(service, bytes, size, &service->reply->result)) {
        status = fail_memory(service, error);
    }
    brume_free(bytes);
    brume_shared_memory_unmap(planes, request->input.size);
    return status;
}
#endif

#ifdef BRUME_HAS_ASSIMP
static BrumeStatus read_mesh(Service *service, BrumeError *error)
{
    const BrumeFilesRequest *request = service->request;
    BrumeFilesReply *reply = service->reply;
    const uint8_t *contents[BRUME_MESH_PARTS] = {NULL};
    BrumeMeshParts *parts = brume_shared_memory_map(&service->input, request->parts);
    size_t size = 0;
    bool mapped = parts != NULL;
    for (int n = 0; mapped && n < parts->count; n++) {
        const BrumeSharedBlock block = parts->parts[n].block;
        contents[n] = brume_shared_memory_map(&service->input, block);
        mapped = contents[n] || block.size == 0;
        size += block.size;
    }
    const int count = parts ? parts->count : 0;
    brume_limit_reading(size);
    reply->mesh.memory = service->result;
    const BrumeStatus status = mapped ? brume_mesh_import(&reply->mesh, request->path, parts, contents,
                                                          &request->mesh_def, &reply->mesh_complete, error)
                                      : fail_memory(service, error);
    for (int n = 0; n < count; n++) {
        brume_shared_memory_unmap((void *)contents[n], parts->parts[n].block.size);
    }
    brume_shared_memory_unmap(parts, request->parts.size);
    return status;
}
#endif

static BrumeStatus serve_request(Service *service, BrumeError *error)
{
    switch (service->request->task) {
#ifdef BRUME_HAS_HDF5
    case BRUME_READ_HDF:
        return read_volume(service, brume_hdf_read, error);
    case BRUME_COMPOSE_HDF:
        return compose_volume(service, brume_hdf_compose, error);
#endif
#ifdef BRUME_HAS_OPENVDB
    case BRUME_READ_VDB:
        return read_volume(service, brume_vdb_read, error);
    case BRUME_COMPOSE_VDB:
        return compose_volume(service, brume_vdb_compose, error);
#endif
#ifdef BRUME_HAS_OPENEXR
    case BRUME_READ_EXR:
        return read_exr(service, error);
    case BRUME_COMPOSE_EXR:
        return compose_exr(service, error);
#endif
#ifdef BRUME_HAS_ASSIMP
    case BRUME_READ_MESH:
        return read_mesh(service, error);
#endif
    default:
        return brume_fail(error, BRUME_FAILED, "%s: this build of brume-files does not know its format",
                          service->request->path);
    }
}

// whether a library keeps objects that it could not complete
static bool has_failed_library(void)
{
#ifdef BRUME_HAS_HDF5
    return brume_hdf_has_failed();
#else
    return false;
#endif
}

/*
 * Messages.
 */

// waits for the next request; false where the other end is closed
static bool receive(BrumeFilesRequest *request, int memory[BRUME_FILES_MEMORIES])
{
    enum { BYTES = BRUME_FILES_MEMORIES * sizeof(int) };
    union {
        struct cmsghdr header; // aligns the bytes
        char bytes[CMSG_SPACE(BYTES)];
    } control = {{0}};
    struct iovec part = {request, sizeof *request};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t size;
    do {
        size = recvmsg(STDIN_FILENO, &message, MSG_CMSG_CLOEXEC);
    } while (size < 0 && errno == EINTR);
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (size != (ssize_t)sizeof *request || !header || header->cmsg_len != CMSG_LEN(BYTES)) {
        return false;
    }
    memcpy(memory, CMSG_DATA(header), BYTES);
    return true;
}

static bool send_reply(const BrumeFilesReply *reply)
{
    ssize_t size;
    do {
        size = send(STDIN_FILENO, reply, sizeof *reply, MSG_NOSIGNAL);
    } while (size < 0 && errno == EINTR);
    return size == (ssize_t)sizeof *reply;
}

// While a request is served, the signal that the socket sends when its other end is closed ends this process.
static void end_with_caller(bool ends)
{
    const int flags = fcntl(STDIN_FILENO, F_GETFL);
    (void)fcntl(STDIN_FILENO, F_SETFL, ends ? flags | O_ASYNC : flags & ~O_ASYNC);
}

static void limit_resources(void)
{
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    // where the memory of the machine runs out, the system ends this process and not its caller
    const int score = brume_open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0) {
        (void)!write(score, "1000", 4);
        (void)close(score);
    }
}

int main(void)
{
    static BrumeFilesRequest request;
    static BrumeFilesReply reply;
    static const BrumeFilesReply empty;
    int memory[BRUME_FILES_MEMORIES];
    int threads = 0;
    limit_resources();
    brume_set_waiting(BRUME_WAITING_BRIEF); // the caller computes between two requests
    brume_keep_freed_memory();              // the next request needs about as much memory as the latest
    (void)fcntl(STDIN_FILENO, F_SETOWN, getpid());
    while (receive(&request, memory)) {
        end_with_caller(true);
        if (request.threads != threads) {
            threads = request.threads;
            brume_set_threads(threads);
            if (threads > 1) {
                brume_adapt_waiting();
            }
        }
        reply = empty;
        Service service = {
            .request = &request,
            .reply = &reply,
            .input = {.open = true, .file = memory[BRUME_FILES_INPUT]},
            .result = {.open = true, .file = memory[BRUME_FILES_RESULT], .used = request.scene.size},
        };
        reply.status = serve_request(&service, &reply.error);
        reply.ends = reply.status == BRUME_FAILED || has_failed_library();
        brume_shared_memory_close(&service.input);
        end_with_caller(false);
        if (!send_reply(&reply) || reply.ends) {
            break;
        }
        // its own frame is freed after the reply: the caller has work to do meanwhile
        reply.frame.memory = service.result;
        brume_frame_grids_destroy(&reply.frame);
    }
    // exit would run the handlers of libraries, which wait for threads or crash after a failure
    _exit(EXIT_SUCCESS);
}

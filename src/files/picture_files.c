// Pictures of the OpenEXR format, whose library is in brume-files.
#include "files/files_process.h"
#include "io/exr_read.h"
#include "io/exr_write.h"
#include "io/file.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The memory of a request, and the request: large, so that it is filled in place. */
typedef struct PictureRequest {
    BrumeSharedMemory memory[BRUME_FILES_MEMORIES];
    BrumeFilesRequest request;
    BrumeFilesReply reply;
} PictureRequest;

// copies `size` bytes to the memory of the input, and sends the request to brume-files
static BrumeStatus send(PictureRequest *call, BrumeFilesTask task, const char *path, const void *input, size_t size,
                        BrumeError *error)
{
    BrumeFilesRequest *request = &call->request;
    BrumeSharedMemory *memory = call->memory;
    request->task = task;
    request->threads = 1;
    (void)snprintf(request->path, sizeof request->path, "%s", path);
    const bool created = brume_shared_memory_create(&memory[BRUME_FILES_INPUT]) &&
                         brume_shared_memory_create(&memory[BRUME_FILES_RESULT]);
    void *copy = created ? brume_shared_memory_add(&memory[BRUME_FILES_INPUT], size, &request->input) : NULL;
    if (!copy) {
        return brume_out_of_memory(error, "the image %s", path);
    }
    memcpy(copy, input, size);
    brume_shared_memory_unmap(copy, size);
    const int descriptors[] = {memory[BRUME_FILES_INPUT].file, memory[BRUME_FILES_RESULT].file};
    return brume_files_request(request, descriptors, &call->reply, error);
}

static void close_memory(PictureRequest *call)
{
    brume_shared_memory_close(&call->memory[BRUME_FILES_INPUT]);
    brume_shared_memory_close(&call->memory[BRUME_FILES_RESULT]);
}

BrumeStatus brume_exr_read(BrumeFloatImage *image, const uint8_t *bytes, size_t size, const char *path,
                           BrumeError *error)
{
    *image = (BrumeFloatImage){0};
    if (!brume_is_exr(bytes, size)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: is not an OpenEXR file", path);
    }
    static const PictureRequest empty;
    PictureRequest call = empty;
    const BrumeFilesReply *reply = &call.reply;
    BrumeStatus status = send(&call, BRUME_READ_EXR, path, bytes, size, error);
    if (status == BRUME_OK) {
        status = brume_float_image_create(image, reply->width, reply->height, path, error);
    }
    if (status == BRUME_OK) {
        void *pixels = brume_shared_memory_map(&call.memory[BRUME_FILES_RESULT], reply->result);
        if (pixels && reply->result.size == (size_t)3 * sizeof(float) * (size_t)image->width * (size_t)image->height) {
            memcpy(image->rgb, pixels, reply->result.size);
            brume_shared_memory_unmap(pixels, reply->result.size);
        } else {
            status = brume_out_of_memory(error, "the image %s", path);
            free(image->rgb);
            *image = (BrumeFloatImage){0};
        }
    }
    close_memory(&call);
    return status;
}

BrumeStatus brume_exr_write(const char *path, int width, int height, const BrumeExrHeader *header, const void *planes,
                            bool replace, BrumeError *error)
{
    assert(width > 0 && height > 0 && header->channel_count > 0);
    static const PictureRequest empty;
    PictureRequest call = empty;
    const BrumeSharedBlock *file = &call.reply.result;
    call.request.width = width;
    call.request.height = height;
    call.request.exr = *header;
    (void)snprintf(call.request.software, sizeof call.request.software, "%s", header->metadata.software);
    const size_t size = (size_t)width * (size_t)height * brume_exr_pixel_bytes(header);
    BrumeStatus status = send(&call, BRUME_COMPOSE_EXR, path, planes, size, error);
    if (status == BRUME_OK) {
        void *bytes = brume_shared_memory_map(&call.memory[BRUME_FILES_RESULT], *file);
        status = bytes ? (replace ? brume_file_write : brume_file_create)(path, bytes, file->size, error)
                       : brume_out_of_memory(error, "the image %s", path);
        brume_shared_memory_unmap(bytes, file->size);
    }
    close_memory(&call);
    return status;
}

static BrumeStatus replace_file(void *unused, const BrumeSequencePicture *picture, BrumeError *error)
{
    (void)unused;
    return brume_exr_write(picture->path, picture->width, picture->height, picture->exr, picture->pixels, true, error);
}

static BrumeStatus create_file(void *unused, const BrumeSequencePicture *picture, BrumeError *error)
{
    (void)unused;
    return brume_exr_write(picture->path, picture->width, picture->height, picture->exr, picture->pixels, false, error);
}

BrumeImageSink brume_exr_file_sink(bool overwrite)
{
    return (BrumeImageSink){.add = overwrite ? replace_file : create_file, .context = NULL};
}

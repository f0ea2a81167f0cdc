#include "exchange/mesh/mesh_streams.h"

#include "core/memory.h"

#include <stdio.h>
#include <string.h>

/** An open file. */
typedef struct MemoryStream {
    struct aiFile file;
    const uint8_t *bytes;
    size_t size, position;
} MemoryStream;

static MemoryStream *stream_of(struct aiFile *file) { return (MemoryStream *)(void *)file->UserData; }

static size_t read_stream(struct aiFile *file, char *buffer, size_t size, size_t count)
{
    MemoryStream *stream = stream_of(file);
    const size_t items = size > 0 ? (stream->size - stream->position) / size : 0;
    const size_t read = count < items ? count : items;
    if (read > 0) {
        memcpy(buffer, stream->bytes + stream->position, read * size);
    }
    stream->position += read * size;
    return read;
}

static size_t write_stream(struct aiFile *file, const char *buffer, size_t size, size_t count)
{
    (void)file;
    (void)buffer;
    (void)size;
    (void)count;
    return 0;
}

static size_t tell_stream(struct aiFile *file) { return stream_of(file)->position; }

static size_t size_of_stream(struct aiFile *file) { return stream_of(file)->size; }

static enum aiReturn seek_stream(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    MemoryStream *stream = stream_of(file);
    const size_t start = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? stream->position : stream->size;
    const size_t position = start + offset; // also backward, by an offset that wraps around
    if (position > stream->size) {
        return aiReturn_FAILURE;
    }
    stream->position = position;
    return aiReturn_SUCCESS;
}

static void flush_stream(struct aiFile *file) { (void)file; }

// the name of a file relative to the folder of the mesh file, as in "./textures//a.mtl"
static void copy_name(const char *name, char copy[BRUME_MESH_PART_NAME])
{
    size_t length = 0;
    while (strncmp(name, "./", 2) == 0 || name[0] == '/') {
        name += name[0] == '/' ? 1 : 2;
    }
    for (; *name && length + 1 < BRUME_MESH_PART_NAME; name++) {
        const char character = *name;
        copy[length++] = character == '\\' ? '/' : character; // of files from Windows
    }
    copy[length] = '\0';
}

static const BrumeMeshPart *find_part(BrumeMeshParts *parts, const char *name)
{
    char wanted[BRUME_MESH_PART_NAME];
    copy_name(name, wanted);
    for (int n = 0; n < parts->count; n++) {
        if (strcmp(parts->parts[n].name, wanted) == 0) {
            return &parts->parts[n];
        }
    }
    if (wanted[0] && parts->count < BRUME_MESH_PARTS) {
        BrumeMeshPart *added = &parts->parts[parts->count++];
        *added = (BrumeMeshPart){.missing = false};
        (void)snprintf(added->name, sizeof added->name, "%s", wanted);
    }
    return NULL;
}

static struct aiFile *open_stream(struct aiFileIO *io, const char *name, const char *mode)
{
    const BrumeMeshStreams *streams = (const BrumeMeshStreams *)(const void *)io->UserData;
    const BrumeMeshPart *part = mode[0] == 'r' ? find_part(streams->parts, name) : NULL;
    MemoryStream *stream = part && !part->missing ? brume_alloc(1, sizeof *stream) : NULL;
    if (!stream) {
        return NULL;
    }
    stream->bytes = streams->contents[part - streams->parts->parts];
    stream->size = part->block.size;
    stream->file = (struct aiFile){
        .ReadProc = read_stream,
        .WriteProc = write_stream,
        .TellProc = tell_stream,
        .FileSizeProc = size_of_stream,
        .SeekProc = seek_stream,
        .FlushProc = flush_stream,
        .UserData = (aiUserData)(void *)stream,
    };
    return &stream->file;
}

static void close_stream(struct aiFileIO *io, struct aiFile *file)
{
    (void)io;
    brume_free(stream_of(file));
}

struct aiFileIO brume_mesh_file_io(BrumeMeshStreams *streams)
{
    return (struct aiFileIO){
        .OpenProc = open_stream, .CloseProc = close_stream, .UserData = (aiUserData)(void *)streams};
}

#include "core/descriptor.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/memory.h"
#include "io/file.h"
#include "io/resource_limits.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// finds the size of a file; fails unless it is a regular one that fits into memory
static BrumeStatus find_size(int file, const char *path, size_t *size, BrumeError *error)
{
    struct stat about;
    if (fstat(file, &about) != 0) {
        return brume_fail(error, BRUME_FAILED, "%s: cannot read: %s", path, strerror(errno));
    }
    if (!S_ISREG(about.st_mode)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: not a regular file", path);
    }
    *size = (size_t)about.st_size;
    return brume_admit_values((double)about.st_size, path, "contents", error);
}

// reads up to `*size` bytes, of which there may be fewer by now
static BrumeStatus read_content(int file, const char *path, void *bytes, size_t *size, BrumeError *error)
{
    const ssize_t length = brume_read_up_to(file, bytes, *size);
    if (length < 0) {
        return brume_fail(error, BRUME_FAILED, "%s: cannot read: %s", path, strerror(errno));
    }
    *size = (size_t)length;
    return BRUME_OK;
}

static BrumeStatus read_to_heap(int file, const char *path, uint8_t **bytes, size_t *size, BrumeError *error)
{
    BrumeStatus status = find_size(file, path, size, error);
    if (status != BRUME_OK) {
        return status;
    }
    uint8_t *const content = brume_alloc_untouched(*size + 1, 1);
    status = content ? read_content(file, path, content, size, error) : brume_out_of_memory(error, "%s", path);
    if (status == BRUME_OK) {
        *bytes = content;
    } else {
        brume_free(content);
    }
    return status;
}

BrumeStatus brume_file_read(const char *path, uint8_t **bytes, size_t *size, BrumeError *error)
{
    *bytes = NULL;
    *size = 0;
    int file;
    BrumeStatus status = brume_open_input(&file, path, error);
    if (status == BRUME_OK) {
        status = read_to_heap(file, path, bytes, size, error);
        (void)close(file);
    }
    return status;
}

static BrumeStatus read_to_memory(int file, const char *path, BrumeSharedMemory *memory, BrumeSharedBlock *block,
                                  BrumeError *error)
{
    size_t size = 0;
    BrumeStatus status = find_size(file, path, &size, error);
    if (status == BRUME_OK && !brume_shared_memory_create(memory)) {
        status = brume_out_of_memory(error, "%s", path);
    }
    if (status != BRUME_OK) {
        return status;
    }
    void *content = brume_shared_memory_add(memory, size + 1, block); // a block is not empty
    status = content ? read_content(file, path, content, &size, error) : brume_out_of_memory(error, "%s", path);
    brume_shared_memory_unmap(content, block->size);
    block->size = size;
    if (status != BRUME_OK) {
        brume_shared_memory_close(memory);
    }
    return status;
}

BrumeStatus brume_file_read_shared(const char *path, BrumeSharedMemory *memory, BrumeSharedBlock *block,
                                   BrumeError *error)
{
    *memory = (BrumeSharedMemory){0};
    *block = (BrumeSharedBlock){0};
    int file;
    BrumeStatus status = brume_open_input(&file, path, error);
    if (status == BRUME_OK) {
        status = read_to_memory(file, path, memory, block, error);
        (void)close(file);
    }
    return status;
}

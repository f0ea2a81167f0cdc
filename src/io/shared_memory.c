#define _GNU_SOURCE // memfd_create, MAP_POPULATE

#include "io/shared_memory.h"

#include "core/descriptor.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool brume_shared_memory_create(BrumeSharedMemory *memory)
{
    const int file = memfd_create("brume", MFD_CLOEXEC);
    *memory = (BrumeSharedMemory){.open = file >= 0, .file = file >= 0 ? file : 0};
    return memory->open;
}

static void *map(const BrumeSharedMemory *memory, BrumeSharedBlock block, int flags)
{
    void *mapped =
        mmap(NULL, block.size, PROT_READ | PROT_WRITE, MAP_SHARED | flags, memory->file, (off_t)block.offset);
    return mapped == MAP_FAILED ? NULL : mapped;
}

void *brume_shared_memory_add(const BrumeSharedMemory *memory, size_t size, BrumeSharedBlock *block)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct stat about;
    *block = (BrumeSharedBlock){0};
    if (size == 0 || size > SIZE_MAX / 4 || !memory->open || fstat(memory->file, &about) != 0) {
        return NULL;
    }
    const BrumeSharedBlock added = {.offset = ((size_t)about.st_size + page - 1) / page * page, .size = size};
    if (brume_ftruncate(memory->file, (off_t)(added.offset + size)) != 0) {
        return NULL;
    }
    void *mapped = map(memory, added, 0);
    if (mapped) {
        *block = added;
    }
    return mapped;
}

void *brume_shared_memory_map(const BrumeSharedMemory *memory, BrumeSharedBlock block)
{
    struct stat about;
    if (block.size == 0 || !memory->open || fstat(memory->file, &about) != 0) {
        return NULL;
    }
    const size_t size = (size_t)about.st_size; // a page behind the end cannot be accessed
    // its pages are there already: all at once is faster than one at a time
    return block.offset <= size && block.size <= size - block.offset ? map(memory, block, MAP_POPULATE) : NULL;
}

void brume_shared_memory_unmap(void *mapped, size_t size)
{
    if (mapped) {
        (void)munmap(mapped, size);
    }
}

void brume_shared_memory_close(BrumeSharedMemory *memory)
{
    if (memory->open) {
        (void)close(memory->file);
    }
    *memory = (BrumeSharedMemory){0};
}

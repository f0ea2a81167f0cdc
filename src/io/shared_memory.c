#define _GNU_SOURCE // memfd_create, mremap, MAP_POPULATE, SEEK_DATA

#include "io/shared_memory.h"

#include "core/descriptor.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Memory that was closed, with the bytes of each. Its pages count as used memory, so there is a limit.
enum { MAX_KEPT = 4, MAX_KEPT_BYTES = 256 << 20 };
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static int kept[MAX_KEPT]; // files, guarded by the lock, as the next
static int kept_count;

// the size of the file of a memory [bytes]
static size_t size_of(int file)
{
    struct stat about;
    return fstat(file, &about) == 0 ? (size_t)about.st_size : 0;
}

// makes the file of a memory at least `end` bytes long
static bool extend(int file, size_t end) { return end <= size_of(file) || brume_ftruncate(file, (off_t)end) == 0; }

bool brume_shared_memory_create(BrumeSharedMemory *memory)
{
    (void)pthread_mutex_lock(&kept_lock);
    int file = kept_count > 0 ? kept[--kept_count] : -1;
    (void)pthread_mutex_unlock(&kept_lock);
    file = file >= 0 ? file : memfd_create("brume", MFD_CLOEXEC);
    *memory = (BrumeSharedMemory){.open = file >= 0, .created = true, .file = file >= 0 ? file : 0};
    return memory->open;
}

// whether the file of a memory is kept for the next one
static bool keep(int file)
{
    (void)pthread_mutex_lock(&kept_lock);
    size_t bytes = size_of(file);
    for (int n = 0; n < kept_count; n++) {
        bytes += size_of(kept[n]);
    }
    const bool has_place = kept_count < MAX_KEPT && bytes <= MAX_KEPT_BYTES;
    if (has_place) {
        kept[kept_count++] = file;
    }
    (void)pthread_mutex_unlock(&kept_lock);
    return has_place;
}

static void *map(const BrumeSharedMemory *memory, BrumeSharedBlock block, int flags)
{
    void *mapped =
        mmap(NULL, block.size, PROT_READ | PROT_WRITE, MAP_SHARED | flags, memory->file, (off_t)block.offset);
    return mapped == MAP_FAILED ? NULL : mapped;
}

void *brume_shared_memory_add(BrumeSharedMemory *memory, size_t size, BrumeSharedBlock *block)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *block = (BrumeSharedBlock){0};
    if (size == 0 || size > SIZE_MAX / 4 || !memory->open) {
        return NULL;
    }
    const BrumeSharedBlock added = {.offset = (memory->used + page - 1) / page * page, .size = size};
    const size_t old_size = size_of(memory->file);
    if (!extend(memory->file, added.offset + size)) {
        return NULL;
    }
    const size_t left = old_size > added.offset ? old_size - added.offset : 0; // of an earlier use
    void *mapped = map(memory, added, left >= size ? MAP_POPULATE : 0);
    if (mapped) {
        memset(mapped, 0, left < size ? left : size);
        memory->used = added.offset + size;
        *block = added;
    }
    return mapped;
}

void *brume_shared_memory_resize(BrumeSharedMemory *memory, void *mapped, size_t size, BrumeSharedBlock *block)
{
    if (size == 0 || size > SIZE_MAX / 4 || !extend(memory->file, block->offset + size)) {
        return NULL;
    }
    void *moved = mremap(mapped, block->size, size, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) {
        return NULL;
    }
    block->size = size;
    memory->used = block->offset + size;
    return moved;
}

void *brume_shared_memory_map(const BrumeSharedMemory *memory, BrumeSharedBlock block)
{
    if (block.size == 0 || !memory->open) {
        return NULL;
    }
    struct stat about;
    const size_t size = fstat(memory->file, &about) == 0 ? (size_t)about.st_size : 0;
    // Where its pages are there already, all at once is faster than one at a time. They are not of a sparse grid.
    const bool is_sparse = (size_t)about.st_blocks * 512 < size - size / 4;
    // a page behind the end cannot be accessed
    return block.offset <= size && block.size <= size - block.offset ? map(memory, block, is_sparse ? 0 : MAP_POPULATE)
                                                                     : NULL;
}

bool brume_shared_memory_has_pages(const BrumeSharedMemory *memory, size_t offset, size_t size)
{
    const off_t found = lseek(memory->file, (off_t)offset, SEEK_DATA);
    return found >= 0 ? (size_t)found < offset + size : errno != ENXIO;
}

void brume_shared_memory_unmap(void *mapped, size_t size)
{
    if (mapped) {
        (void)munmap(mapped, size);
    }
}

void brume_shared_memory_accept(BrumeSharedMemory *memory, size_t used)
{
    memory->used = used;
    (void)brume_ftruncate(memory->file, (off_t)used); // where it fails, the memory stays as large as it was
}

void brume_shared_memory_close(BrumeSharedMemory *memory)
{
    if (memory->open && !(memory->created && keep(memory->file))) {
        (void)close(memory->file);
    }
    *memory = (BrumeSharedMemory){0};
}

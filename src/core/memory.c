#include "core/memory.h"

#include "core/control_group.h"
#include "core/descriptor.h"
#include "core/error.h"

#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { ALIGNMENT = 64 };

static void *allocate_default(void *context, size_t bytes, size_t alignment)
{
    (void)context;
    return aligned_alloc(alignment, bytes); // `bytes` is a multiple of the alignment, as C17 requires
}

static void release_default(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static const BrumeAllocator default_allocator = {allocate_default, release_default, NULL};
static BrumeAllocator allocator = {allocate_default, release_default, NULL};
static atomic_size_t blocks_held; // a block must be freed by the allocator that it came from

BrumeStatus brume_set_allocator(const BrumeAllocator *chosen, BrumeError *error)
{
    if (chosen && (!chosen->allocate || !chosen->release)) {
        return brume_fail(error, BRUME_BAD_INPUT, "an allocator needs both allocate and release");
    }
    const size_t held = atomic_load(&blocks_held);
    if (held > 0) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "the allocator cannot change while the library holds memory (%zu blocks)", held);
    }
    allocator = chosen ? *chosen : default_allocator;
    return BRUME_OK;
}

void *brume_alloc_untouched(size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - ALIGNMENT) / size) {
        return NULL;
    }
    const size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *memory = allocator.allocate(allocator.context, bytes > 0 ? bytes : ALIGNMENT, ALIGNMENT);
    if (memory) {
        atomic_fetch_add_explicit(&blocks_held, 1, memory_order_relaxed);
    }
    return memory;
}

// the pages that a block has to itself, from the first one on, and their bytes
static uint8_t *inner_pages(void *memory, size_t bytes, size_t *inside)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t head = (page - (size_t)(uintptr_t)memory % page) % page;
    *inside = bytes > head ? (bytes - head) / page * page : 0;
    return (uint8_t *)memory + head;
}

// Sets memory to 0. The pages of a large block are given back to the system, which has zeros in their place when they
// are next read, and takes memory only where they are next written. That holds for the memory of the C library alone.
static void clear(void *memory, size_t bytes)
{
    enum { LARGE = 4 << 20 };
    size_t inside;
    uint8_t *pages = inner_pages(memory, bytes, &inside);
    const size_t head = (size_t)(pages - (uint8_t *)memory);
    if (bytes < LARGE || allocator.allocate != allocate_default || madvise(pages, inside, MADV_DONTNEED) != 0) {
        memset(memory, 0, bytes);
        return;
    }
    memset(memory, 0, head);
    memset(pages + inside, 0, bytes - head - inside);
}

void *brume_alloc(size_t count, size_t size)
{
    void *memory = brume_alloc_untouched(count, size);
    if (memory) {
        clear(memory, count * size);
    }
    return memory;
}

void brume_use_large_pages(void *memory, size_t bytes)
{
    enum { OWN_MAPPING = 32 << 20 }; // from this size on a block of the C library shares no pages with others
    if (memory && bytes >= OWN_MAPPING && allocator.allocate == allocate_default) {
        size_t inside;
        uint8_t *pages = inner_pages(memory, bytes, &inside);
        (void)madvise(pages, inside, MADV_HUGEPAGE);
    }
}

void *brume_realloc(void *memory, size_t old_bytes, size_t bytes)
{
    void *moved = brume_alloc_untouched(1, bytes);
    if (moved && memory) {
        memcpy(moved, memory, old_bytes < bytes ? old_bytes : bytes);
        brume_free(memory);
    }
    return moved;
}

void *brume_make_room(void *items, int count, int *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    const int larger = *capacity > 0 ? 2 * *capacity : 16;
    void *moved = brume_realloc(items, (size_t)count * size, (size_t)larger * size);
    *capacity = moved ? larger : *capacity;
    return moved;
}

char *brume_copy_text(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = brume_alloc_untouched(1, size);
    return copy ? memcpy(copy, text, size) : NULL;
}

void brume_free(void *memory)
{
    if (memory) {
        atomic_fetch_sub_explicit(&blocks_held, 1, memory_order_relaxed);
        allocator.release(allocator.context, memory);
    }
}

void brume_return_free_pages(void)
{
#ifdef __GLIBC__
    (void)malloc_trim(0);
#endif
}

void brume_keep_freed_memory(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 25); // the largest that there is
#endif
}

size_t brume_physical_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_size = sysconf(_SC_PAGESIZE);
    const size_t machine = pages > 0 && page_size > 0 ? (size_t)pages * (size_t)page_size : 0;
    const size_t group = brume_group_limits().memory;
    return machine < group ? machine : group;
}

size_t brume_kernel_bytes(const char *path, const char *name)
{
    char text[4096] = "";
    const int file = brume_open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)brume_read_up_to(file, text, sizeof text - 1);
        (void)close(file);
    }
    const char *line = strstr(text, name);
    return line ? (size_t)strtoull(line + strlen(name), NULL, 10) << 10 : 0;
}

size_t brume_available_memory(void)
{
    const size_t physical = brume_physical_memory();
    const size_t available = brume_kernel_bytes("/proc/meminfo", "MemAvailable:");
    return available > 0 && available < physical ? available : physical;
}

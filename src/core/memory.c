#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIGNMENT = 64 };

void *brume_alloc_untouched(size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - ALIGNMENT) / size) {
        return NULL;
    }
    const size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return aligned_alloc(ALIGNMENT, bytes > 0 ? bytes : ALIGNMENT);
}

void *brume_alloc(size_t count, size_t size)
{
    void *memory = brume_alloc_untouched(count, size);
    if (memory) {
        memset(memory, 0, count * size);
    }
    return memory;
}

void brume_free(void *memory) { free(memory); }

size_t brume_physical_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_size = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_size > 0 ? (size_t)pages * (size_t)page_size : 0;
}

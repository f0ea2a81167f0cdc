// The allocation functions of the C++ libraries in this program: what a damaged file makes them allocate is counted, so
// that it is refused also where the system sets no limit (a sanitizer), and tells whether memory has run out or the
// file is damaged. A source of the program itself, since a sanitizer's functions precede those of archives.
#include "io/resource_limits.h"

#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace
{

std::atomic<std::size_t> used_bytes; // allocated and not freed

} // namespace

void *operator new(std::size_t size, const std::nothrow_t &) noexcept
{
    void *memory = nullptr;
    if (brume_allows_allocation(used_bytes + size)) {
        memory = std::malloc(size > 0 ? size : 1);
    }
    if (memory) {
        used_bytes += malloc_usable_size(memory);
    } else {
        brume_note_failed_allocation(used_bytes + size);
    }
    return memory;
}

void *operator new(std::size_t size)
{
    void *memory = operator new(size, std::nothrow);
    if (!memory) {
        throw std::bad_alloc();
    }
    return memory;
}

void operator delete(void *memory) noexcept
{
    used_bytes -= malloc_usable_size(memory); // 0 of nullptr
    std::free(memory);
}

void operator delete(void *memory, std::size_t) noexcept { operator delete(memory); }

// a sanitizer's functions for arrays do not call those above
void *operator new[](std::size_t size) { return operator new(size); }

void *operator new[](std::size_t size, const std::nothrow_t &) noexcept { return operator new(size, std::nothrow); }

void operator delete[](void *memory) noexcept { operator delete(memory); }

void operator delete[](void *memory, std::size_t) noexcept { operator delete(memory); }

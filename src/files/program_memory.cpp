// The allocation function of the C++ libraries in this program: a file that claims too large a block is refused also
// where the system sets no limit (a sanitizer), and the size that a damaged file asks for tells whether memory has run
// out or the file is damaged. A source of the program itself, since a sanitizer's function precedes those of archives.
#include "io/resource_limits.h"

#include <cstdlib>
#include <new>

void *operator new(std::size_t size, const std::nothrow_t &) noexcept
{
    return brume_allows_allocation(size) ? std::malloc(size > 0 ? size : 1) : nullptr;
}

void *operator new(std::size_t size)
{
    void *memory = operator new(size, std::nothrow);
    if (!memory) {
        brume_note_failed_allocation(size);
        throw std::bad_alloc();
    }
    return memory;
}

void operator delete(void *memory) noexcept { std::free(memory); }

void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

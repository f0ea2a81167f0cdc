// The allocation function of the program that reads OpenVDB files: the size that a damaged file asks for tells whether
// memory has run out or the file is damaged.
#include "io/resource_limits.h"

#include <cstdlib>
#include <new>

void *operator new(std::size_t size)
{
    void *memory = std::malloc(size > 0 ? size : 1);
    if (!memory) {
        brume_note_failed_allocation(size);
        throw std::bad_alloc();
    }
    return memory;
}

void operator delete(void *memory) noexcept { std::free(memory); }

void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

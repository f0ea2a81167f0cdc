/**
 * @file shared_memory.h
 * Memory that two processes can map: a file without a name (memfd_create), which grows block by block. The grids of
 * frames are in such memory, so that the program brume-files fills and reads them without copies.
 */
#ifndef BRUME_IO_SHARED_MEMORY_H
#define BRUME_IO_SHARED_MEMORY_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

BRUME_BEGIN_DECLS

/** All zero: none. */
typedef struct BrumeSharedMemory {
    bool open;
    int file;
} BrumeSharedMemory;

/** A part of such memory. */
typedef struct BrumeSharedBlock {
    size_t offset; ///< a multiple of the size of a page
    size_t size;   ///< [bytes]
} BrumeSharedBlock;

/** Creates empty memory. False where the system has none. */
bool brume_shared_memory_create(BrumeSharedMemory *memory);

/**
 * Adds a block of zeros at the end and maps it; `*block` says where it is. NULL where memory runs out or `size` is 0.
 * To be unmapped with brume_shared_memory_unmap.
 */
void *brume_shared_memory_add(const BrumeSharedMemory *memory, size_t size, BrumeSharedBlock *block);

/** Maps a block. NULL where the memory does not have it, and where the system cannot map it. */
void *brume_shared_memory_map(const BrumeSharedMemory *memory, BrumeSharedBlock block);

/** Unmaps a block. NULL is allowed. */
void brume_shared_memory_unmap(void *mapped, size_t size);

/** Closes the memory, which stays while blocks are mapped. All zero then. */
void brume_shared_memory_close(BrumeSharedMemory *memory);

BRUME_END_DECLS

#endif

/**
 * @file shared_memory.h
 * Memory that two processes can map: a file without a name (memfd_create), which grows block by block. The grids of
 * frames are in such memory, so that the program brume-files fills and reads them without copies. Memory that is closed
 * is kept for the next that is created, up to 256 MiB in all: new pages, which the system fills with zeros, take
 * longer than old ones.
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
    bool created; ///< by this process; otherwise received from another
    int file;
    size_t used; ///< end of the last block [bytes]; what the file has beyond was left by an earlier use
} BrumeSharedMemory;

/** A part of such memory. */
typedef struct BrumeSharedBlock {
    size_t offset; ///< a multiple of the size of a page
    size_t size;   ///< [bytes]
} BrumeSharedBlock;

/** Creates empty memory. False where the system has none. Any thread may call it, and brume_shared_memory_close. */
bool brume_shared_memory_create(BrumeSharedMemory *memory);

/**
 * Adds a block of zeros at the end and maps it; `*block` says where it is. NULL where memory runs out or `size` is 0.
 * To be unmapped with brume_shared_memory_unmap.
 */
void *brume_shared_memory_add(BrumeSharedMemory *memory, size_t size, BrumeSharedBlock *block);

/**
 * Makes the last block, which is mapped, `size` bytes long, and returns where it is mapped now; what is added is
 * undefined. NULL where memory runs out; the block is then as it was.
 */
void *brume_shared_memory_resize(BrumeSharedMemory *memory, void *mapped, size_t size, BrumeSharedBlock *block);

/** Maps a block. NULL where the memory does not have it, and where the system cannot map it. */
void *brume_shared_memory_map(const BrumeSharedMemory *memory, BrumeSharedBlock block);

/** Whether a part of the memory has pages; where it has none, all bytes are 0, and reading them would make pages. */
bool brume_shared_memory_has_pages(const BrumeSharedMemory *memory, size_t offset, size_t size);

/** Unmaps a block. NULL is allowed. */
void brume_shared_memory_unmap(void *mapped, size_t size);

/** Takes over what another process has added to the memory: `used` of its own. What is left beyond is given back. */
void brume_shared_memory_accept(BrumeSharedMemory *memory, size_t used);

/** Closes the memory, whose blocks must be unmapped in this process if it has created it. All zero then. */
void brume_shared_memory_close(BrumeSharedMemory *memory);

BRUME_END_DECLS

#endif

/**
 * @file memory.h
 * All memory of the library, taken from the allocator that brume_set_allocator chose.
 */
#ifndef BRUME_CORE_MEMORY_H
#define BRUME_CORE_MEMORY_H

#include "brume/base.h"

#include <stddef.h>

BRUME_BEGIN_DECLS

/**
 * `count` zeroed elements of `size` bytes, 64-byte aligned; NULL where there is no memory or the product overflows.
 * Pages of large blocks take no memory before they are written. Free with brume_free.
 */
void *brume_alloc(size_t count, size_t size);

/**
 * As brume_alloc, but uninitialized: the caller writes the pages first, so that on a NUMA machine each page lies with
 * the thread that works on it.
 */
void *brume_alloc_untouched(size_t count, size_t size);

/**
 * Asks the system for large pages in a block of which most will be written: they are given at once, and need fewer
 * entries in the table of the processor. Blocks below 32 MiB stay as they are.
 */
void brume_use_large_pages(void *memory, size_t bytes);

/**
 * Resizes a block that brume_alloc or brume_alloc_untouched returned (NULL: allocates a new one) from `old_bytes` to
 * `bytes`, keeping the contents; added bytes are uninitialized. NULL without memory; the block is unchanged then.
 */
void *brume_realloc(void *memory, size_t old_bytes, size_t bytes);

/**
 * An array of elements of `size` bytes with room for one behind the first `count`: `items` (NULL: a new one) where
 * `*capacity` is above `count`, otherwise one of twice the capacity, with a copy of them. NULL without memory; nothing
 * has changed then. Free with brume_free.
 */
void *brume_make_room(void *items, int count, int *capacity, size_t size);

/** A copy of a text; NULL without memory. Free with brume_free. */
char *brume_copy_text(const char *text);

/**
 * Returns free pages between the blocks of the C library's allocator to the system, where that can be asked for (GNU C
 * library). For a user of many large blocks of different sizes: freed one by one, they leave gaps that the next ones do
 * not fit into. It takes .3 ms where 128 MiB are in use.
 */
void brume_return_free_pages(void);

/**
 * From now on the C library's allocator (GNU C library) keeps what is freed, in blocks up to 32 MiB, instead of
 * returning it to the system, which fills each new page with zeros. For a program that needs about as much memory again
 * and again.
 */
void brume_keep_freed_memory(void);

/**
 * Physical memory of the machine, or the limit of its control groups where that is lower [bytes]; 0 where the system
 * does not report it.
 */
size_t brume_physical_memory(void);

/**
 * The number after `name` in a text file of the kernel, as "VmSize:" in /proc/self/status, whose unit is kB, in bytes;
 * 0 where it is not known. The first 4095 bytes of the file are searched.
 */
size_t brume_kernel_bytes(const char *path, const char *name);

/**
 * Memory that the system can still give without swapping, at most brume_physical_memory [bytes]; 0 where it is not
 * known.
 */
size_t brume_available_memory(void);

BRUME_END_DECLS

#endif

/**
 * @file memory.h
 * Aligned memory that is counted, so that a simulation can state its bytes a cell.
 */
#ifndef BRUME_CORE_MEMORY_H
#define BRUME_CORE_MEMORY_H

#include "core/error.h"

#include <stddef.h>

/** `bytes` of zeroed memory, 64-byte aligned; NULL when there is none, or when bytes overflow. Free with brume_free. */
void *brume_alloc(size_t count, size_t size);

/** As brume_alloc, but the pages are not touched, for memory that its users touch first. */
void *brume_alloc_untouched(size_t count, size_t size);

/** Frees what brume_alloc gave; NULL is fine. */
void brume_free(void *memory);

/** Physical memory of the machine [bytes]; 0 where it cannot be told. */
size_t brume_physical_memory(void);

#endif

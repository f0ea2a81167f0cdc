/**
 * @file bytes.h
 * A run of bytes, for functions that take several runs as one.
 */
#ifndef BRUME_CORE_BYTES_H
#define BRUME_CORE_BYTES_H

#include <stddef.h>

typedef struct BrumeBytes {
    const void *data;
    size_t size;
} BrumeBytes;

#endif

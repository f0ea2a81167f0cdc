/**
 * @file base.h
 * Settings of the whole process: version, memory allocator and log messages of the library.
 */
#ifndef BRUME_BASE_H
#define BRUME_BASE_H

#include "brume/error.h"
#include "brume/export.h"

#include <stddef.h>

BRUME_BEGIN_DECLS

/*
 * The version of these headers; brume_version() returns the version of the loaded library. Until version 1.0, libraries
 * of one minor version are compatible with one another (soname libbrume.so.0.1), then libraries of one major version.
 */
#define BRUME_VERSION_MAJOR 0
#define BRUME_VERSION_MINOR 1
#define BRUME_VERSION_PATCH 0
#define BRUME_VERSION_STRING "0.1.0"
/** As a number that can be compared: 10000 major + 100 minor + patch. */
#define BRUME_VERSION_NUMBER (10000 * BRUME_VERSION_MAJOR + 100 * BRUME_VERSION_MINOR + BRUME_VERSION_PATCH)

/** The version of the library as text, for example "0.1.0". The text is static. */
BRUME_API const char *brume_version(void);

/** The functions by which the library allocates memory. Several threads may call them at the same time. */
typedef struct BrumeAllocator {
    /** Returns `bytes` of memory at a multiple of `alignment` (a power of two), or NULL where there is none. */
    void *(*allocate)(void *context, size_t bytes, size_t alignment);
    /** Frees a block that `allocate` returned; `memory` is never NULL. */
    void (*release)(void *context, void *memory);
    void *context; ///< passed to both functions
} BrumeAllocator;

/**
 * Sets the allocator for all memory of the library. Its members are copied; NULL restores the default (aligned_alloc
 * and free). This covers simulations, renderers, scenes, timelines, encoded images and every returned text. It does not
 * cover allocations of other libraries on Brume's behalf: libyaml while a scene is parsed, the OpenMP runtime for its
 * threads, and the C library for open files and locales.
 *
 * There is one allocator per process. Fails with BRUME_BAD_INPUT where a function is NULL or the library holds memory;
 * the allocator is unchanged then. Must not run while another thread is inside the library.
 */
BRUME_API BrumeStatus brume_set_allocator(const BrumeAllocator *allocator, BrumeError *error);

/**
 * Frees memory that a function of the library returned to its caller and that has no destroy function of its own, such
 * as the text of brume_scene_write. NULL is allowed. May be called from any thread.
 */
BRUME_API void brume_free(void *memory);

/** The severity of a message. */
typedef enum BrumeLogLevel {
    BRUME_LOG_INFO,    ///< a choice that the library made
    BRUME_LOG_WARNING, ///< a result that is less accurate than the settings require
} BrumeLogLevel;

/** Receives one message: a line of text without a newline, valid during the call. */
typedef void BrumeLogFunction(void *context, BrumeLogLevel level, const char *text);

/**
 * Sets the function that receives the library's messages, with its `context`; NULL (the default) discards them.
 * Failures are not messages: they are returned as a BrumeStatus with a BrumeError. `log` is called by the thread that
 * called the library, never from inside a parallel region; where several threads use the library, it is called by
 * several at a time. It must not call the library with the handle that the thread is using.
 *
 * There is one log function per process. Must not run while another thread is inside the library.
 */
BRUME_API void brume_set_log(BrumeLogFunction *log, void *context);

BRUME_END_DECLS

#endif

/**
 * @file module.h
 * Modules of the program: shared libraries that it loads at run time, so that it needs none of the libraries that they
 * are linked with.
 */
#ifndef BRUME_CORE_MODULE_H
#define BRUME_CORE_MODULE_H

#include "core/error.h"

/** A module, and what messages say where it cannot be used. */
typedef struct BrumeModule {
    const char *file;           ///< its name, as "brume-video.so"
    const char *const *folders; ///< in which it may be (brume_find_beside_program)
    int flags;                  ///< of dlopen
    const char *functions;      ///< the symbol of its table of functions, of which the first member is the version
    const char *effect;         ///< of its absence, as "videos cannot be written"
    const char *built;          ///< how it is built, and what works without it
    const char *cure;           ///< where a library that it needs is missing, as "install it, or write images"
} BrumeModule;

/**
 * Loads a module, which stays loaded, and returns its table of functions. NULL, and BRUME_FAILED as the status of the
 * error, where it is not installed, where libraries that it needs are missing, and where it belongs to another version.
 */
const void *brume_module_load(const BrumeModule *module, BrumeError *error);

#endif

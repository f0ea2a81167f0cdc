/**
 * @file next_function.h
 * For libraries that are loaded by LD_PRELOAD and stand before functions of others. The source file defines _GNU_SOURCE
 * before its first header.
 */
#ifndef BRUME_TESTS_SUPPORT_NEXT_FUNCTION_H
#define BRUME_TESTS_SUPPORT_NEXT_FUNCTION_H

#include <dlfcn.h>
#include <string.h>

/** Defines `next`, the function that this library stands before; ISO C has no conversion from an object pointer. */
#define NEXT(type, name)                                                                                               \
    static type next;                                                                                                  \
    if (!next) {                                                                                                       \
        void *const symbol = dlsym(RTLD_NEXT, name);                                                                   \
        memcpy(&next, &symbol, sizeof next);                                                                           \
    }

#endif

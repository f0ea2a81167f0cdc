/**
 * @file sanitized.h
 * What tests leave out under a sanitizer, where the same code takes about ten times as long as in a release build.
 */
#ifndef BRUME_TESTS_SUPPORT_SANITIZED_H
#define BRUME_TESTS_SUPPORT_SANITIZED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/**
 * Skips a test in builds with sanitizers: one that measures errors with fine grids or many samples, where other tests
 * run the same code with fewer of them. Its call has a comment that names these tests.
 */
static inline void skip_under_sanitizers(void)
{
#ifdef BRUME_SANITIZED
    skip();
#endif
}

/** `count`, in builds with sanitizers `sanitized`: of repetitions that run the same code. */
static inline int fewer_under_sanitizers(int count, int sanitized)
{
#ifdef BRUME_SANITIZED
    (void)count;
    return sanitized;
#else
    (void)sanitized;
    return count;
#endif
}

#endif

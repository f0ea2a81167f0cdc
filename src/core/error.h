/**
 * @file error.h
 * Filling a BrumeError: one printf-style call where the failure is detected.
 */
#ifndef BRUME_CORE_ERROR_H
#define BRUME_CORE_ERROR_H

#include "brume/error.h"
#include "brume/export.h"

BRUME_BEGIN_DECLS
/**
 * Fills `error` (which may be NULL) with a printf-style text and returns `status`, so that a failing function can
 * end in `return brume_fail(error, BRUME_FAILED, "...")`. A text that is too long is cut. All functions of this file
 * escape control characters as brume_text_printable does.
 */
BrumeStatus brume_fail(BrumeError *error, BrumeStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** As brume_fail, for an error at a position in a file: the text becomes `file:line:column: ...`. */
BrumeStatus brume_fail_at(BrumeError *error, BrumeStatus status, const char *file, int line, int column,
                          const char *format, ...) __attribute__((format(printf, 6, 7)));

/** Fails with BRUME_FAILED and the text "out of memory for " followed by the printf-style description. */
BrumeStatus brume_out_of_memory(BrumeError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** As brume_out_of_memory, for memory that grows with the number of cells: the text says to lower the resolution. */
BrumeStatus brume_out_of_grid_memory(BrumeError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

BRUME_END_DECLS

#endif

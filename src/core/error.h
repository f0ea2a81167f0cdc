/**
 * @file error.h
 * How every fallible call of Brume reports: a status, and one line of text that names file, line and cure.
 */
#ifndef BRUME_CORE_ERROR_H
#define BRUME_CORE_ERROR_H

/** What became of a call. The values are the program's exit codes. */
typedef enum BrumeStatus {
    BRUME_OK = 0,            ///< done
    BRUME_FAILED = 1,        ///< the machine said no: memory, disk, a state that is no longer finite
    BRUME_BAD_INPUT = 2,     ///< the caller's scene, argument or settings are wrong
    BRUME_INTERRUPTED = 130, ///< stopped on request, everything finished so far is kept
} BrumeStatus;

/** The one line about a failure. `line` and `column` count from 1; 0 where the trouble has no place in a file. */
typedef struct BrumeError {
    BrumeStatus status;
    int line;
    int column;
    char text[512]; ///< the whole message without a newline, `file:line:column: ` included where it has a place
} BrumeError;

/**
 * Fills `error` (which may be NULL) with a printf-style text and returns `status`, so that a failing function can
 * end in `return brume_fail(error, BRUME_FAILED, "...")`. A text that is too long is cut.
 */
BrumeStatus brume_fail(BrumeError *error, BrumeStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** As brume_fail, for trouble at a place in a file: the text becomes `file:line:column: ...`. */
BrumeStatus brume_fail_at(BrumeError *error, BrumeStatus status, const char *file, int line, int column,
                          const char *format, ...) __attribute__((format(printf, 6, 7)));

#endif

/**
 * @file error.h
 * The result of functions that can fail: a status, and a description of the failure.
 */
#ifndef BRUME_ERROR_H
#define BRUME_ERROR_H

/** The result of a call. The values are the exit codes of the program `brume`. */
typedef enum BrumeStatus {
    BRUME_OK = 0,            ///< done
    BRUME_FAILED = 1,        ///< no memory, a failed system call, or a state that is no longer finite
    BRUME_BAD_INPUT = 2,     ///< the caller's scene, argument or settings are wrong
    BRUME_INTERRUPTED = 130, ///< stopped by a progress function; results of completed work remain
} BrumeStatus;

/** The description of a failure; undefined after BRUME_OK. A function that takes a BrumeError accepts NULL for it. */
typedef struct BrumeError {
    BrumeStatus status;
    int line;       ///< from 1; 0 for a failure without a position in a file
    int column;     ///< from 1; 0 for a failure without a position in a file
    char text[512]; ///< one line of UTF-8 without control characters; starts with `file:line:column: ` where there is
                    ///< such a position
} BrumeError;

#endif

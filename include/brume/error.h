/**
 * @file error.h
 * How every function of Brume that can fail reports: a status, and one line of text that names file, line and cure.
 */
#ifndef BRUME_ERROR_H
#define BRUME_ERROR_H

/** The result of a call. The values are the program's exit codes. */
typedef enum BrumeStatus {
    BRUME_OK = 0,            ///< done
    BRUME_FAILED = 1,        ///< no memory, a failed system call, or a state that is no longer finite
    BRUME_BAD_INPUT = 2,     ///< the caller's scene, argument or settings are wrong
    BRUME_INTERRUPTED = 130, ///< stopped on request; everything finished so far is kept
} BrumeStatus;

/** The one line about a failure. `line` and `column` count from 1; 0 where the failure has no place in a file. */
typedef struct BrumeError {
    BrumeStatus status;
    int line;
    int column;
    char text[512]; ///< the whole message without a newline, `file:line:column: ` included where it has a place
} BrumeError;

#endif

/**
 * @file line_file.h
 * Text files that grow by whole lines, for results of runs that take long: the file on the disk at any time, also after
 * an interruption or on a full disk, is whole lines.
 */
#ifndef BRUME_IO_LINE_FILE_H
#define BRUME_IO_LINE_FILE_H

#include "core/error.h"
#include "core/text.h"

#include <stdbool.h>

/** An open file; all zero for none. */
typedef struct BrumeLineFile {
    bool open;
    int descriptor;
    char *path;      ///< a copy
    long long bytes; ///< of the whole lines that were written
} BrumeLineFile;

/**
 * Creates a file. With `replace`, one that exists is emptied; without, BRUME_FAILED where a regular file exists, so
 * that one of several processes succeeds. A device or a pipe is opened either way. BRUME_FAILED with the system's
 * reason, and where another process has the file open in this way; `file` is all zero then.
 */
BrumeStatus brume_line_file_open(BrumeLineFile *file, const char *path, bool replace, BrumeError *error);

/** Continues standard output, which must have no buffered text. BRUME_FAILED with the system's reason. */
BrumeStatus brume_line_file_open_output(BrumeLineFile *file, BrumeError *error);

/**
 * Opens a file that brume_line_file_open created, cuts it after its first `bytes` bytes and continues there. Fails as
 * brume_line_file_open does, and with BRUME_BAD_INPUT where the file is shorter or does not end a line there.
 */
BrumeStatus brume_line_file_continue(BrumeLineFile *file, const char *path, long long bytes, BrumeError *error);

/** Flushes the appended lines to the disk. BRUME_FAILED with the system's reason. */
BrumeStatus brume_line_file_flush(BrumeLineFile *file, BrumeError *error);

/**
 * Appends a text of whole lines. BRUME_FAILED with the system's reason, and where the text is incomplete because memory
 * ran out; the file then ends after the lines of earlier calls.
 */
BrumeStatus brume_line_file_append(BrumeLineFile *file, const BrumeText *lines, BrumeError *error);

/** Flushes the file to the disk and closes it; all zero is allowed. BRUME_FAILED with the system's reason. */
BrumeStatus brume_line_file_close(BrumeLineFile *file, BrumeError *error);

#endif

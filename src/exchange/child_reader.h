/**
 * @file child_reader.h
 * Reads volume files of other programs in a child process (child_process.h), because libraries for such formats may
 * crash, abort or allocate without limit on damaged files.
 */
#ifndef BRUME_EXCHANGE_CHILD_READER_H
#define BRUME_EXCHANGE_CHILD_READER_H

#include "exchange/frame_grids.h"

BRUME_BEGIN_DECLS

enum { BRUME_READ_LIMIT_SECONDS = 1800 }; ///< of processor time of one file

/** Reads a file into `frame`, which is all zero, as BrumeVolumeFormat.read does. */
typedef BrumeStatus BrumeReadFunction(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def,
                                      BrumeError *error);

/**
 * Calls `read` in a child process and copies the frame to the caller. `library` is the name that messages give to what
 * `read` uses, for example "OpenVDB".
 *
 * The result of `read` is returned with its text. BRUME_BAD_INPUT with one line that starts with the path where the
 * child is ended by a signal (a crash, an abort, no memory), exits, or takes more than BRUME_READ_LIMIT_SECONDS of
 * processor time. BRUME_INTERRUPTED where SIGINT, SIGTERM or SIGHUP ends it. BRUME_FAILED where the child cannot be
 * started and where memory runs out. `frame`, all zero before, is all zero after a failure.
 *
 * In the child only the calling thread exists: `read` must not use OpenMP or wait for other threads. What it prints is
 * discarded. The child may allocate as much memory as the machine has, and dies with the caller.
 */
BrumeStatus brume_read_in_child(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def,
                                BrumeReadFunction *read, const char *library, BrumeError *error);

/** As brume_read_in_child, with another limit of processor time [s]. */
BrumeStatus brume_read_in_child_within(int seconds, BrumeFrameGrids *frame, const char *path,
                                       const BrumeVolumeReadDef *def, BrumeReadFunction *read, const char *library,
                                       BrumeError *error);

BRUME_END_DECLS

#endif

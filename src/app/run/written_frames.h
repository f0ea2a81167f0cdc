/**
 * @file written_frames.h
 * What the messages of a run say of the frames that it has written: each to a file, or all to one video.
 */
#ifndef BRUME_APP_RUN_WRITTEN_FRAMES_H
#define BRUME_APP_RUN_WRITTEN_FRAMES_H

#include "app/cli/messages.h"
#include "app/cli/paths.h"
#include "app/render/run_stats.h"
#include "core/error.h"

#include <stdbool.h>

/** Such as "12 frames in 3.1 s: out/a.0001.png to out/a.0012.png". */
typedef struct BrumeWrittenText {
    char text[2 * BRUME_MAX_PATH + 128];
} BrumeWrittenText;

/** Describes the frames of a run that took `seconds`; "no frame is written, in 3.1 s" where there is none. */
BrumeWrittenText brume_describe_written(const BrumeOutputPattern *pattern, const BrumeFrameCount *written,
                                        double seconds);

/** Prints that all files of the frames exist, so that a run has nothing to do. */
void brume_print_nothing_to_do(BrumeMessages *messages);

/**
 * Appends the frames that are on the disk to the text of an error. A video that is not complete (`video_complete`) is
 * not on the disk.
 */
void brume_append_written(const BrumeOutputPattern *pattern, const BrumeFrameCount *written, bool video_complete,
                          BrumeError *error);

/**
 * Fills `error` for a run that stops after frame `done`, because the next frames do not fit on the disk: `shortage` has
 * the numbers. Returns BRUME_FAILED.
 */
BrumeStatus brume_fail_disk_full(const BrumeOutputPattern *pattern, const BrumeFrameRange *frames, int done,
                                 const BrumeError *shortage, BrumeError *error);

/** Fills `error` for a run that a signal ended after frame `done`, with what continues it. Returns BRUME_INTERRUPTED.
 */
BrumeStatus brume_fail_interrupted(const BrumeOutputPattern *pattern, const BrumeFrameRange *frames, int done,
                                   BrumeError *error);

#endif

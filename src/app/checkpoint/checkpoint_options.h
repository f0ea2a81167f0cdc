/**
 * @file checkpoint_options.h
 * The options of a run that concern its checkpoints.
 */
#ifndef BRUME_APP_CHECKPOINT_CHECKPOINT_OPTIONS_H
#define BRUME_APP_CHECKPOINT_CHECKPOINT_OPTIONS_H

#include "core/error.h"

#include <stdbool.h>

/** Whether a run goes on from a checkpoint. */
typedef enum BrumeResumeMode {
    BRUME_RESUME_OFF,   ///< it starts at the first frame
    BRUME_RESUME_SAME,  ///< from a checkpoint of the same scene
    BRUME_RESUME_KEPT,  ///< the same, from one that was kept on purpose, to make a part of the frames again
    BRUME_RESUME_FORCE, ///< also if the scene has changed: the new settings hold from there on
} BrumeResumeMode;

/** When checkpoints are written: after every so many frames, or after so much wall time. */
typedef struct BrumeCheckpointInterval {
    bool given;
    int frames;     ///< 0: by time
    double seconds; ///< 0: by frames; both 0: none but at the end
} BrumeCheckpointInterval;

typedef struct BrumeCheckpointOptions {
    BrumeResumeMode resume;
    BrumeCheckpointInterval interval; ///< not given: brume_default_checkpoint_interval
    int keep;                         ///< checkpoints that are left when a run is complete
    const char *folder;               ///< NULL: from the path of the output
} BrumeCheckpointOptions;

/** Every five minutes. */
BrumeCheckpointInterval brume_default_checkpoint_interval(void);

/*
 * Parsers for the option tables (BrumeOption::parse); they fail with BRUME_BAD_INPUT.
 */

/** No value (NULL), or "force"; `member` is a BrumeResumeMode. */
BrumeStatus brume_parse_resume(void *member, const char *option, const char *value, BrumeError *error);

/** "24" frames, "90s", "10m", "2h", or "0" for none; `member` is a BrumeCheckpointInterval. */
BrumeStatus brume_parse_interval(void *member, const char *option, const char *value, BrumeError *error);

/** A number from 0, or "all"; `member` is an int. */
BrumeStatus brume_parse_keep(void *member, const char *option, const char *value, BrumeError *error);

#endif

/**
 * @file checkpoint_options.h
 * The options of a run that concern its checkpoints.
 */
#ifndef BRUME_APP_CHECKPOINT_CHECKPOINT_OPTIONS_H
#define BRUME_APP_CHECKPOINT_CHECKPOINT_OPTIONS_H

#include "core/error.h"

#include <stdbool.h>

/** Whether a run continues from a checkpoint. */
typedef enum BrumeResumeMode {
    BRUME_RESUME_OFF,   ///< the run starts at the first frame
    BRUME_RESUME_SAME,  ///< from a checkpoint of the same scene
    BRUME_RESUME_KEPT,  ///< the same, from a checkpoint that was kept on purpose, to compute a part of the frames again
    BRUME_RESUME_FORCE, ///< also if the scene has changed: the new settings apply from there on
} BrumeResumeMode;

/** The interval between checkpoints: a number of frames, or a wall time. */
typedef struct BrumeCheckpointInterval {
    bool given;
    int frames;     ///< 0: by time
    double seconds; ///< 0: by frames; both 0: none but at the end
} BrumeCheckpointInterval;

typedef struct BrumeCheckpointOptions {
    BrumeResumeMode resume;
    BrumeCheckpointInterval interval; ///< not given: brume_default_checkpoint_interval
    int keep;                         ///< number of checkpoints that are left when a run is complete
    const char *folder;               ///< NULL: from the path of the output
} BrumeCheckpointOptions;

/** Returns an interval of five minutes. */
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

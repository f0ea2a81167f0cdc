/**
 * @file resume.h
 * Going on from a checkpoint: which one, whether the scene is still the same, and the state from it.
 */
#ifndef BRUME_APP_CHECKPOINT_RESUME_H
#define BRUME_APP_CHECKPOINT_RESUME_H

#include "app/checkpoint/checkpoint.h"
#include "app/checkpoint/checkpoint_folder.h"
#include "app/checkpoint/checkpoint_options.h"
#include "app/cli/messages.h"

/**
 * Restores the latest checkpoint of a frame up to `last_frame`; a damaged one is skipped with a warning. `*sim` is NULL
 * where there is none: the run then starts at the first frame. BRUME_BAD_INPUT where the checkpoint is of another scene
 * or version of the program and mode is not BRUME_RESUME_FORCE (the text names the keys that differ), and as
 * brume_checkpoint_restore fails.
 */
BrumeStatus brume_resume(const BrumeCheckpointFolder *folder, const BrumeScene *scene, BrumeResumeMode mode,
                         int last_frame, BrumeMessages *messages, BrumeRunRecord *record, BrumeProbeEnds *ends,
                         BrumeSim **sim, BrumeError *error);

#endif

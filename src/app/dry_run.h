/**
 * @file dry_run.h
 * What a render would take: memory, disk and time, the last from a short probe that simulates and draws a little.
 */
#ifndef BRUME_APP_DRY_RUN_H
#define BRUME_APP_DRY_RUN_H

#include "app/cli/frame_range.h"
#include "brume/scene.h"
#include "core/error.h"

/**
 * Probes for a few seconds with the calling thread's team and prints the estimate; writes nothing. `output` is the
 * pattern whose disk is looked at, NULL for none. Fails as the simulation or the renderer does.
 */
BrumeStatus brume_dry_run(const BrumeScene *scene, const BrumeFrameRange *frames, const char *output,
                          BrumeError *error);

#endif

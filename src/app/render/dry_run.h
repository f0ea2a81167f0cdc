/**
 * @file dry_run.h
 * An estimate of the memory, disk space and time of a render, from a short simulation and a small picture.
 */
#ifndef BRUME_APP_RENDER_DRY_RUN_H
#define BRUME_APP_RENDER_DRY_RUN_H

#include "app/cli/values.h"
#include "app/render/picture_output.h"
#include "brume/scene.h"
#include "core/error.h"

/**
 * Simulates and draws for two to four seconds with the calling thread's team, and prints the estimate for `frames`, or,
 * where `turns` is above 0, for this number of pictures of a turntable around the last one. Writes no file. `output` is
 * the output pattern, whose disk is examined for free space; NULL: none. Fails as the simulation or the renderer does,
 * and with BRUME_INTERRUPTED after a signal.
 */
BrumeStatus brume_dry_run(const BrumeScene *scene, const BrumePictureOutput *pictures, const BrumeFrameRange *frames,
                          int turns, const char *output, BrumeError *error);

#endif

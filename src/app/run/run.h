/**
 * @file run.h
 * A run of a scene or of volumes, with or without images: the common part of `brume render` and `brume sim`.
 */
#ifndef BRUME_APP_RUN_RUN_H
#define BRUME_APP_RUN_RUN_H

#include "app/run/run_options.h"

/**
 * Runs the scene at `path`, with images if `draws`, or draws the volumes of the pattern `path`, and prints results and
 * errors; returns the exit status.
 */
int brume_run_scene(const BrumeRunSettings *settings, const char *path, bool draws);

#endif

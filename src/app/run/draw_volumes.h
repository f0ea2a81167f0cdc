/**
 * @file draw_volumes.h
 * `brume render` of volumes: draws a sequence of volume files without simulating.
 */
#ifndef BRUME_APP_RUN_DRAW_VOLUMES_H
#define BRUME_APP_RUN_DRAW_VOLUMES_H

#include "app/run/run_options.h"

/** Whether the operand of `render` names volumes, by its extension. */
bool brume_names_volumes(const char *operand);

/** Draws the volumes of the pattern `volumes` and prints results and errors; returns the exit status. */
int brume_draw_volumes(const BrumeRunSettings *settings, const char *volumes);

#endif

/**
 * @file rank_speeds.h
 * Slabs in proportion to the speeds of ranks: a machine that is half as fast gets half of the planes. The state does
 * not depend on the slabs.
 */
#ifndef BRUME_APP_RUN_RANK_SPEEDS_H
#define BRUME_APP_RUN_RANK_SPEEDS_H

#include "app/run/run_state.h"

/**
 * Measures the speed of each rank while all simulate a small box, and sets those of the team where they differ by more
 * than the variation between equal machines. Without --slabs only where the ranks run on several machines. All ranks
 * call it before they create the simulation, with their numbers of threads.
 */
void brume_ranks_measure_speeds(BrumeSceneRun *run);

/** Parses the value of --slabs, a BrumeSlabs. */
BrumeStatus brume_parse_slabs(void *member, const char *option, const char *value, BrumeError *error);

#endif

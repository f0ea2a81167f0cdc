/*
 * Ranks of a shared grid as threads of one process, which copy planes from each other's memory.
 */
#ifndef BRUME_TESTS_SUPPORT_THREAD_TEAM_H
#define BRUME_TESTS_SUPPORT_THREAD_TEAM_H

#include "core/domain.h"

/* Calls `run` with a team of this many ranks, once in each of as many threads, and returns when all calls have. */
void run_as_ranks(int ranks, void (*run)(void *context, BrumeTeam *team), void *context);

#endif

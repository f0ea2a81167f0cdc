/*
 * Ranks of a shared grid as threads of one process, which copy planes from each other's memory.
 */
#ifndef BRUME_TESTS_SUPPORT_THREAD_TEAM_H
#define BRUME_TESTS_SUPPORT_THREAD_TEAM_H

#include "core/domain.h"

/*
 * Calls `run` with a team of this many ranks, once in each of as many threads, and returns when all calls have. The
 * divisions of the team are freed after each call.
 */
void run_as_ranks(int ranks, void (*run)(void *context, BrumeTeam *team), void *context);

/*
 * A computation that a test repeats with several ranks: of one rank, or of the whole grid where `team` is NULL. Returns
 * a hash of its results.
 */
typedef uint64_t RankFunction(void *context, BrumeTeam *team);

/* Whether `compute` returns `expected` on each of this many ranks. */
bool all_ranks_return(uint64_t expected, int ranks, RankFunction *compute, void *context);

/* The exchanges of a computation that are tested are those between calls of these functions, which ignore NULL. */
void start_tested_exchanges(BrumeTeam *team);
void end_tested_exchanges(BrumeTeam *team);

enum { MOST_TESTED_EXCHANGES = 512 };

/* The tested exchanges of a computation. One is needed if a result differs where it copies one plane less. */
typedef struct NeededExchanges {
    int count, needed;
    bool is_needed[MOST_TESTED_EXCHANGES + 1]; // by number, from 1
} NeededExchanges;

/*
 * Adds the exchanges that are needed for `compute` to `found`, which is zero at first: repeats it, for each exchange
 * that is not in `found` yet, with one plane less. Fails the test unless all ranks return `expected` with all planes.
 */
void find_needed_exchanges(NeededExchanges *found, uint64_t expected, int ranks, RankFunction *compute, void *context);

#endif

/**
 * @file run_ranks.h
 * The processes that share the simulation of a run, started by mpirun or srun: ranks (core/domain.h). Rank 0 decides
 * what is done, writes all files and prints all messages. The others make the calls on the simulation that rank 0
 * announces to them (run_calls.h). A run of one process has no ranks, and these functions do nothing then.
 */
#ifndef BRUME_APP_RUN_RUN_RANKS_H
#define BRUME_APP_RUN_RUN_RANKS_H

#include "app/run/run_state.h"

/**
 * Connects this process with those that a launcher has started with it; none without a launcher. BRUME_BAD_INPUT where
 * the module for MPI is missing, MPI does not connect them, or the scene is on standard input, which one process has.
 */
BrumeStatus brume_ranks_start(BrumeSceneRun *run, BrumeError *error);

/**
 * The number of threads of this process, where `threads` is what one alone would have: processors that several ranks of
 * a machine may use are divided among them, unless -t or OMP_NUM_THREADS says how many each has.
 */
int brume_ranks_threads(const BrumeSceneRun *run, int threads);

/** Whether this process follows rank 0. */
bool brume_ranks_follow(const BrumeSceneRun *run);

/** What rank 0 broadcasts to the other ranks: the next call, which all ranks make, or the end of the run. */
typedef struct BrumeAnnouncement {
    int call;   ///< BrumeRunCall; -1: the run ends
    int status; ///< of the run that ends
    int probes; ///< that rank 0 measures: those of a run whose frames are repeated are complete
} BrumeAnnouncement;

/** Copies the announcement of rank 0 to the others. */
void brume_ranks_announce(const BrumeSceneRun *run, BrumeAnnouncement *announcement);

/** Copies bytes of rank 0, `*size` of them, to new memory of the others. */
void brume_ranks_share_bytes(const BrumeSceneRun *run, uint8_t **bytes, size_t *size);

/**
 * The common status of all ranks after something that each has done with `status`: if one has failed, all fail with its
 * error. Where only this one has failed and the others wait for it in the midst of a call, prints the error and ends
 * all processes. Also learns whether a signal has asked any rank to stop.
 */
BrumeStatus brume_ranks_agree(BrumeSceneRun *run, BrumeStatus status, BrumeError *error);

/** Adds up the messages of all ranks since this rank's traffic was `before`. */
void brume_ranks_count_traffic(BrumeSceneRun *run, const BrumeTraffic *before);

/** Whether a signal has asked this process, or another rank before the latest brume_ranks_agree, to stop. */
bool brume_ranks_interrupted(const BrumeSceneRun *run);

/** Disconnects the processes, when there is no simulation any more. */
void brume_ranks_end(BrumeSceneRun *run);

#endif

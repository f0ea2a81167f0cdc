/**
 * @file mpi_watch.h
 * Finds processes whose machine or network has failed. A process that dies closes its connections, and the launcher
 * ends the others. A machine that loses its network or its power closes none: without a watch, the others would wait
 * for its messages as long as the network's own limits allow, from minutes to hours.
 *
 * A limit on the time of a message would not do, because a rank may legitimately compute for long before it sends it.
 * So a thread of each process sends a sign of life, an empty message, in short intervals, whatever the simulation does:
 * rank 0 to all, and all to rank 0. It does so through MPI, which reaches all processes on every kind of network, where
 * connections of our own would need addresses and open ports; MPI must allow calls from several threads for that. Where
 * it does not, there is no watch.
 *
 * Time is counted in intervals of the thread, not by the clock: where all processes are suspended, no time passes.
 */
#ifndef BRUME_MPI_MPI_WATCH_H
#define BRUME_MPI_MPI_WATCH_H

#include "mpi/mpi_functions.h"

typedef struct BrumeMpiWatch BrumeMpiWatch;

/** Starts the thread. All ranks call it. BRUME_FAILED without memory or threads; `*watch` is NULL then. */
BrumeStatus brume_mpi_watch_start(BrumeMpiWatch **watch, const BrumeTeam *team, const BrumeMpiDef *def,
                                  BrumeError *error);

/** Ends the thread, and receives what has been sent to it. All ranks call it. NULL is allowed. */
void brume_mpi_watch_end(BrumeMpiWatch *watch);

#endif

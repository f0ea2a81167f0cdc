/**
 * @file mpi_functions.h
 * Ranks (core/domain.h) that are processes of MPI. The functions are a module, `brume-mpi.so`, that the program loads
 * when a launcher has started it several times for one simulation (brume_mpi_load): the program itself is not linked
 * with MPI.
 */
#ifndef BRUME_MPI_MPI_FUNCTIONS_H
#define BRUME_MPI_MPI_FUNCTIONS_H

#include "core/domain.h"
#include "core/error.h"

/** How the processes are watched (mpi_watch.h), and the sizes of messages. */
typedef struct BrumeMpiDef {
    double silence; ///< time without a sign of life after which a process counts as lost [s]
    /** Called by another thread when a process on the machine `host` is lost; must end the process and not return. */
    void (*lost)(int rank, const char *host, double silence);
    size_t most_bytes; ///< of one message of MPI; 0: 1 GiB. For tests
} BrumeMpiDef;

/** The functions of the module. They are called by the thread that runs the simulation. */
typedef struct BrumeMpiFunctions {
    const char *version; ///< of the program that the module belongs to

    /**
     * Starts MPI, and fills `team`, which must not move until `end`. All processes call it. BRUME_FAILED without memory
     * or threads; MPI itself ends the processes where it fails, here and later.
     */
    BrumeStatus (*start)(BrumeTeam *team, const BrumeMpiDef *def, BrumeError *error);

    /** The number of ranks that may run on the same processors of this machine as this rank, which counts too. */
    int (*sharing_processors)(const BrumeTeam *team);

    /** Whether the ranks run on more than one machine. */
    bool (*has_several_machines)(const BrumeTeam *team);

    /** Copies `data` of rank `from` to all. Takes no processor time while it waits, as for the end of a frame. */
    void (*broadcast)(const BrumeTeam *team, void *data, size_t bytes, int from);

    /**
     * Sets values[r] to the `value` of rank r, and waits as `broadcast` does. False where another rank has not called
     * it within `patience` [s]; then only `abort` may be called.
     */
    bool (*agree)(const BrumeTeam *team, int64_t value, int64_t *values, double patience);

    /** Ends all processes with this exit status. Does not return. */
    void (*abort)(const BrumeTeam *team, int status);

    /** Ends MPI, when no simulation uses the team. All ranks call it. */
    void (*end)(BrumeTeam *team);
} BrumeMpiFunctions;

/** The functions that the module exports. */
extern const BrumeMpiFunctions brume_mpi_functions;

#endif

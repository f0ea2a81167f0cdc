/**
 * @file launcher.h
 * Processes that mpirun (Open MPI, MPICH) or srun (Slurm) has started with this one.
 */
#ifndef BRUME_APP_CLI_LAUNCHER_H
#define BRUME_APP_CLI_LAUNCHER_H

/** What the environment says of the processes. */
typedef struct BrumeLaunch {
    const char *launcher; ///< "mpirun" or "srun"; NULL: there is none
    long processes;       ///< 1 without a launcher
    long rank;            ///< the number of this process, from 0
} BrumeLaunch;

/** Returns the launch of this process. */
BrumeLaunch brume_launch(void);

#endif

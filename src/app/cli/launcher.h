/**
 * @file launcher.h
 * Launchers start a program several times at once: mpirun of Open MPI and of MPICH, and srun of Slurm.
 */
#ifndef BRUME_APP_CLI_LAUNCHER_H
#define BRUME_APP_CLI_LAUNCHER_H

/** The number of processes that the launcher has started with this one, and its name; 1 and NULL without a launcher. */
int brume_launched_processes(const char **name);

#endif

/**
 * @file mpi_library.h
 * Loading the module with the functions of MPI.
 */
#ifndef BRUME_MPI_MPI_LIBRARY_H
#define BRUME_MPI_MPI_LIBRARY_H

#include "mpi/mpi_functions.h"

/**
 * Loads the module next to the program or from its installation; it stays loaded. BRUME_FAILED where it is not
 * installed, where libraries that it needs are missing, and where it belongs to another version of the program;
 * `*functions` is NULL then.
 */
BrumeStatus brume_mpi_load(const BrumeMpiFunctions **functions, BrumeError *error);

#endif

/**
 * @file spinning.h
 * The time for which threads of an OpenMP team spin while they wait.
 */
#ifndef BRUME_APP_SPINNING_H
#define BRUME_APP_SPINNING_H

/**
 * Sets GOMP_SPINCOUNT such that waiting threads sleep after a few microseconds, and executes the program again, because
 * the OpenMP runtime reads its environment when it is loaded. With the default of GCC's runtime, threads spin far
 * longer. That is no faster on an idle machine, and about ten times slower on a busy one, where a spinning thread
 * occupies the core that the thread it waits for needs. Does nothing if the environment sets GOMP_SPINCOUNT or
 * OMP_WAIT_POLICY. To be called first in main.
 */
void brume_limit_spinning(char **argv);

#endif

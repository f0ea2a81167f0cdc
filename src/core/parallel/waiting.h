/**
 * @file waiting.h
 * How long the threads of a team spin before they sleep while they wait for the next parallel region or at a barrier.
 */
#ifndef BRUME_CORE_PARALLEL_WAITING_H
#define BRUME_CORE_PARALLEL_WAITING_H

/**
 * Adapts the waiting of the teams that the calling thread starts to the load of the machine, unless brume_set_waiting
 * or the environment selects one: at once to brief waiting when other processes need the processors, back to the
 * runtime's default some tenths of a second after they stop. To be called before each step and each volume that is
 * drawn; it reads a clock, and ten times a second the counters of the process. If a thread cannot be started, nothing
 * changes.
 */
void brume_adapt_waiting(void);

#endif

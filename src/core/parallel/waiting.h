/**
 * @file waiting.h
 * How long the threads of a team spin before they sleep while they wait for the next parallel region or at a barrier.
 */
#ifndef BRUME_CORE_PARALLEL_WAITING_H
#define BRUME_CORE_PARALLEL_WAITING_H

/**
 * Adapts the waiting of the teams that the calling thread starts to the load of the machine, unless brume_set_waiting
 * or the environment says otherwise: at once to brief waiting where other work wants the processors, back to the
 * runtime's own after some tenths of a second without such work. To be called before each step; it reads a clock, and
 * ten times a second the counters of the process. Where the system refuses a thread, nothing changes.
 */
void brume_adapt_waiting(void);

#endif

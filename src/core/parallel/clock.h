/**
 * @file clock.h
 * The monotonic clock, for measurements and deadlines.
 */
#ifndef BRUME_CORE_PARALLEL_CLOCK_H
#define BRUME_CORE_PARALLEL_CLOCK_H

/** The time on the monotonic clock, from an unspecified start [s]. */
double brume_seconds(void);

#endif

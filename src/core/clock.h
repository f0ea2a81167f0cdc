/**
 * @file clock.h
 * Wall-clock time for the measurements that go into statistics.
 */
#ifndef BRUME_CORE_CLOCK_H
#define BRUME_CORE_CLOCK_H

/** Seconds on a clock that never jumps. */
double brume_seconds(void);

#endif

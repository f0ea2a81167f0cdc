/**
 * @file team_time.h
 * The processor time of each thread of a team, and what it says of the work that the team did not share.
 */
#ifndef BRUME_APP_BENCH_TEAM_TIME_H
#define BRUME_APP_BENCH_TEAM_TIME_H

/** Processor time that each of the caller's `threads` threads has used since its start [s]. */
void brume_read_team_time(double *seconds, int threads);

/**
 * The share of the first thread's time that the others, in the mean, did not work: what is done by one thread alone,
 * and slabs of unequal work. 0 for a team of one, below 0 where the others did more.
 */
double brume_team_alone(const double *begin, const double *end, int threads);

#endif

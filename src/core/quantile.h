/**
 * @file quantile.h
 * What repeated measurements come down to: quantiles, which a few disturbed ones do not move.
 */
#ifndef BRUME_CORE_QUANTILE_H
#define BRUME_CORE_QUANTILE_H

/** Sorts `count` values, at least one, and returns the one at the share `at`: 0 the smallest, 1 the largest. */
double brume_quantile(double *values, int count, double at);

/** Sorts `count` values, at least one, and returns the one in the middle, the mean of two where their count is even. */
double brume_median(double *values, int count);

#endif

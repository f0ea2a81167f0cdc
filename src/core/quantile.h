/**
 * @file quantile.h
 * Quantiles of repeated measurements, which are robust against a few outliers.
 */
#ifndef BRUME_CORE_QUANTILE_H
#define BRUME_CORE_QUANTILE_H

/** Sorts `count` >= 1 values and returns their quantile `at`: 0 gives the smallest, 0.5 the median, 1 the largest. */
double brume_quantile(double *values, int count, double at);

/** Sorts `count` >= 1 values and returns their median: the middle one, or the mean of the two middle ones. */
double brume_median(double *values, int count);

#endif

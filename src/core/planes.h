/**
 * @file planes.h
 * Sums and maxima whose bits do not depend on threads: one partial a z-plane, put together in order.
 */
#ifndef BRUME_CORE_PLANES_H
#define BRUME_CORE_PLANES_H

#include <math.h>

/** Sum of `partials[1..nz]` in order. */
static inline double brume_sum_planes(const double *partials, int nz)
{
    double sum = 0.0;
    for (int k = 1; k <= nz; k++) {
        sum += partials[k];
    }
    return sum;
}

/** Maximum of `partials[1..nz]`; NaN if one of them is. */
static inline double brume_max_planes(const double *partials, int nz)
{
    double max = partials[1];
    for (int k = 2; k <= nz; k++) {
        max = partials[k] > max || isnan(partials[k]) ? partials[k] : max;
    }
    return max;
}

#endif

#include "core/quantile.h"

#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

double brume_quantile(double *values, int count, double at)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return values[(int)(at * (count - 1) + 0.5)];
}

double brume_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

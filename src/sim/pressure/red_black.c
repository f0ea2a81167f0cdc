#include "sim/pressure/red_black.h"

#include <omp.h>

// the renewed ghost planes are seen by all threads when this returns
static void wrap_once(const BrumeRedBlack *sweep)
{
#pragma omp barrier
    if (sweep->wrap) {
#pragma omp single
        sweep->wrap(sweep->context);
    }
}

// planes from..to-1 of this thread: the partition of schedule(static)
static void own_slab(int planes, int *from, int *to)
{
    const int threads = omp_get_num_threads();
    const int thread = omp_get_thread_num();
    const int share = planes / threads;
    const int rest = planes % threads;
    *from = 1 + thread * share + (thread < rest ? thread : rest);
    *to = *from + share + (thread < rest ? 1 : 0);
}

void brume_red_black_sweep(const BrumeRedBlack *sweep, int first)
{
    const int second = 1 - first;
#pragma omp parallel if (sweep->parallel)
    {
        int from;
        int to;
        own_slab(sweep->planes, &from, &to);
        for (int k = from; k < to; k++) {
            sweep->first_half(sweep->context, k, first);
            if (k - 1 > from) {
                sweep->second_half(sweep->context, k - 1, second);
            }
        }
        wrap_once(sweep);
        if (from < to) {
            sweep->second_half(sweep->context, from, second);
        }
        if (from < to - 1) {
            sweep->second_half(sweep->context, to - 1, second);
        }
        wrap_once(sweep);
    }
}

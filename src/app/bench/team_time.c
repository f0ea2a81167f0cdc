#include "app/bench/team_time.h"

#include <omp.h>
#include <time.h>

static double thread_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void brume_read_team_time(double *seconds, int threads)
{
#pragma omp parallel num_threads(threads)
    seconds[omp_get_thread_num()] = thread_seconds();
}

double brume_team_alone(const double *begin, const double *end, int threads)
{
    const double first = end[0] - begin[0];
    double others = 0.0;
    for (int n = 1; n < threads; n++) {
        others += end[n] - begin[n];
    }
    return threads > 1 && first > 0.0 ? 1.0 - others / ((threads - 1) * first) : 0.0;
}

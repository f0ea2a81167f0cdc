#include "core/parallel/clock.h"

#include <math.h>
#include <time.h>

// longest single wait [s]: any time_t can represent its end, and a return without a signal is allowed
static const double LONGEST_WAIT = 3600.0;

double brume_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void brume_wait_init(pthread_cond_t *changed)
{
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

void brume_wait_until(pthread_cond_t *changed, pthread_mutex_t *mutex, double until)
{
    const double clock = fmin(until, brume_seconds() + LONGEST_WAIT);
    const double whole = floor(clock);
    const struct timespec time = {(time_t)whole, (long)(1e9 * (clock - whole))};
    (void)pthread_cond_timedwait(changed, mutex, &time);
}

bool brume_wait_for(const bool *condition, pthread_cond_t *changed, pthread_mutex_t *mutex, double seconds)
{
    const double until = brume_seconds() + seconds;
    while (!*condition && brume_seconds() < until) {
        brume_wait_until(changed, mutex, until);
    }
    return *condition;
}

#include "core/wait.h"

#include "core/clock.h"

#include <math.h>
#include <time.h>

static const double longest = 3600.0; // that a timespec holds without care, and often enough to look around [s]

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
    const double clock = fmin(until, brume_seconds() + longest);
    const double whole = floor(clock);
    const struct timespec time = {(time_t)whole, (long)(1e9 * (clock - whole))};
    (void)pthread_cond_timedwait(changed, mutex, &time);
}

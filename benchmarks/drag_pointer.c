// Moves the pointer by real events of the X server at 125 Hz, as a mouse does: one pixel to the right per event, and
// back after each sweep, one pixel lower. Prints the clock of each event, so that a picture whose camera turns with the
// pointer shows which event it answers (bench_shown_pictures). A button must be held by another program.
//     drag_pointer SECONDS
#include <X11/Xlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { EVENTS_PER_SECOND = 125, SWEEP = 400 };

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    Display *display = argc == 2 ? XOpenDisplay(NULL) : NULL;
    if (!display) {
        (void)fputs("usage: drag_pointer SECONDS, with an X server\n", stderr);
        return 2;
    }
    const int count = (int)(strtod(argv[1], NULL) * EVENTS_PER_SECOND);
    double *clocks = calloc((size_t)count + 1, sizeof *clocks);
    const double start = seconds();
    for (int n = 1; clocks && n <= count; n++) {
        const double due = start + (double)n / EVENTS_PER_SECOND;
        const struct timespec until = {(time_t)due, (long)(1e9 * (due - (double)(time_t)due))};
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        const int sweep = n / SWEEP;
        const int back = n % SWEEP == 0;
        clocks[n] = seconds();
        (void)XWarpPointer(display, None, None, 0, 0, 0, 0, back ? 0 : sweep % 2 ? -1 : 1, back ? 1 : 0);
        (void)XFlush(display);
    }
    for (int n = 1; clocks && n <= count; n++) {
        (void)printf("%.6f\n", clocks[n]);
    }
    const int status = clocks ? 0 : 1;
    free(clocks);
    (void)XCloseDisplay(display);
    return status;
}

#include "app/spinning.h"

#include <stdlib.h>
#include <unistd.h>

void brume_limit_spinning(char **argv)
{
    static const char *const settings[] = {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"};
    for (int n = 0; n < 2; n++) {
        if (getenv(settings[n])) {
            return;
        }
    }
    // about 3 microseconds; measurements are in docs/benchmarks.md
    if (setenv("GOMP_SPINCOUNT", "1000", 0) == 0) {
        (void)execv("/proc/self/exe", argv); // returns only if it fails; the program then continues with the default
    }
}

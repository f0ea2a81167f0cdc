#include "app/volumes/volume_frame.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

// whether a file name has a number before its extension that may be that of a frame
static bool find_number(const char *path, int *number)
{
    enum { MAX_DIGITS = 5 }; // more are a date
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *end = strrchr(name, '.');
    const char *first = end ? end : name;
    while (first > name && isdigit((unsigned char)first[-1])) {
        first--;
    }
    if (!end || first == end || end - first > MAX_DIGITS) {
        return false;
    }
    *number = 0;
    for (; first < end; first++) {
        *number = 10 * *number + (*first - '0');
    }
    return true;
}

int brume_volume_frame(const BrumeFrameGrids *volume, const char *path)
{
    int number;
    return volume->has_frame ? volume->frame : find_number(path, &number) ? number : 1;
}

#include "app/volumes/volume_frame.h"

#include <ctype.h>
#include <string.h>

// the number before the extension of a file name; 0: there is none, or it is no frame
static int number_in_name(const char *path)
{
    enum { MAX_DIGITS = 5 }; // more are a date
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *end = strrchr(name, '.');
    const char *first = end ? end : name;
    int number = 0;
    while (first > name && isdigit((unsigned char)first[-1])) {
        first--;
    }
    if (end && end - first <= MAX_DIGITS) {
        for (; first < end; first++) {
            number = 10 * number + (*first - '0');
        }
    }
    return number;
}

int brume_volume_frame(const BrumeFrameGrids *volume, const char *path)
{
    enum { MOST = 99999 }; // each frame up to it has statistics
    const int frame = volume->has_frame ? volume->frame : number_in_name(path);
    return frame > 0 && frame <= MOST ? frame : 1;
}

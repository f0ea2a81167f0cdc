#include "app/cli/picture_size.h"

#include "app/cli/args.h"
#include "core/error.h"

#include <string.h>

BrumeStatus brume_parse_size(void *member, const char *option, const char *value, BrumeError *error)
{
    BrumePictureSize *size = member;
    char width[16] = "";
    const char *cross = strchr(value, 'x');
    if (cross && cross - value < (ptrdiff_t)sizeof width) {
        memcpy(width, value, (size_t)(cross - value));
        if (brume_parse_int(width, 1, 1 << 20, &size->width) && brume_parse_int(cross + 1, 1, 1 << 20, &size->height)) {
            return BRUME_OK;
        }
    }
    return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is not WIDTHxHEIGHT (for example 960x540)", option, value);
}

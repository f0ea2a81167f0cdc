#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>

BrumeStatus brume_fail(BrumeError *error, BrumeStatus status, const char *format, ...)
{
    if (error) {
        *error = (BrumeError){.status = status};
        va_list args;
        va_start(args, format);
        (void)vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return status;
}

BrumeStatus brume_fail_at(BrumeError *error, BrumeStatus status, const char *file, int line, int column,
                          const char *format, ...)
{
    if (error) {
        *error = (BrumeError){.status = status, .line = line, .column = column};
        const int prefix = snprintf(error->text, sizeof error->text, "%s:%d:%d: ", file, line, column);
        if (prefix >= 0 && (size_t)prefix < sizeof error->text) {
            va_list args;
            va_start(args, format);
            (void)vsnprintf(error->text + prefix, sizeof error->text - (size_t)prefix, format, args);
            va_end(args);
        }
    }
    return status;
}

#include "core/error.h"

#include "core/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// file names and other texts of the user may contain newlines and commands to a terminal
static void make_printable(BrumeError *error)
{
    char text[sizeof error->text];
    memcpy(text, error->text, sizeof text);
    brume_text_printable(error->text, sizeof error->text, text);
}

static BrumeStatus fail_with(BrumeError *error, BrumeStatus status, const char *prefix, const char *suffix,
                             const char *format, va_list args)
{
    if (error) {
        char text[sizeof error->text];
        (void)vsnprintf(text, sizeof text, format, args);
        *error = (BrumeError){.status = status};
        // the text after the description is dropped first where all three do not fit
        (void)snprintf(error->text, sizeof error->text, "%s%s%s", prefix, text, suffix);
        make_printable(error);
    }
    return status;
}

BrumeStatus brume_fail(BrumeError *error, BrumeStatus status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fail_with(error, status, "", "", format, args);
    va_end(args);
    return status;
}

BrumeStatus brume_out_of_memory(BrumeError *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fail_with(error, BRUME_FAILED, "out of memory for ", "", format, args);
    va_end(args);
    return BRUME_FAILED;
}

BrumeStatus brume_out_of_grid_memory(BrumeError *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fail_with(error, BRUME_FAILED, "out of memory for ", " (lower the resolution)", format, args);
    va_end(args);
    return BRUME_FAILED;
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
        make_printable(error);
    }
    return status;
}

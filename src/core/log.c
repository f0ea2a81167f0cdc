#include "core/log.h"

#include <stdarg.h>
#include <stdio.h>

static BrumeLogFunction *log_function;
static void *log_context;

void brume_set_log(BrumeLogFunction *log, void *context)
{
    log_function = log;
    log_context = context;
}

void brume_log(BrumeLogLevel level, const char *format, ...)
{
    if (!log_function) {
        return;
    }
    char text[sizeof(BrumeError){0}.text];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    log_function(log_context, level, text);
}

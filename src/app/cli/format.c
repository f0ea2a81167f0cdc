#include "app/cli/format.h"

#include "core/printable.h"

#include <stdarg.h>
#include <stdio.h>

// formats with three digits in the largest unit in which the value is at least 1
static BrumeShortText format_scaled(double value, const char *const *units)
{
    int unit = 0;
    while (value >= 999.5 && units[unit + 1]) {
        value /= 1000.0;
        unit++;
    }
    int digits = 0;
    if (unit > 0 && value < 99.95) {
        digits = value < 9.995 ? 2 : 1;
    }
    BrumeShortText result;
    (void)snprintf(result.text, sizeof result.text, "%.*f%s", digits, value, units[unit]);
    return result;
}

BrumeShortText brume_format_bytes(double bytes)
{
    static const char *const units[] = {" B", " kB", " MB", " GB", " TB", " PB", NULL};
    return format_scaled(bytes, units);
}

BrumeShortText brume_format_count(double count)
{
    static const char *const units[] = {"", " k", " M", " G", " T", NULL};
    return format_scaled(count, units);
}

BrumeShortText brume_format_duration(double seconds)
{
    const long long whole = seconds > 0.0 && seconds < 1e15 ? (long long)(seconds + 0.5) : 0;
    const int minutes = (int)(whole / 60 % 60);
    const int rest = (int)(whole % 60);
    BrumeShortText result;
    if (whole >= 3600) {
        (void)snprintf(result.text, sizeof result.text, "%lld:%02d:%02d", whole / 3600, minutes, rest);
    } else {
        (void)snprintf(result.text, sizeof result.text, "%d:%02d", minutes, rest);
    }
    return result;
}

void brume_print_labeled(const char *label, const char *format, ...)
{
    enum { LABEL_WIDTH = 12 };
    char text[4096];
    char line[sizeof text];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    brume_text_printable(line, sizeof line, text);
    (void)printf("%-*s %s\n", LABEL_WIDTH, label, line);
}

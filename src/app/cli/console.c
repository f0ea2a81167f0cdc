#include "app/cli/console.h"

#include "core/clock.h"
#include "core/error.h"
#include "io/file.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

void brume_print_error(const BrumeError *error)
{
    (void)fprintf(stderr, "%s%s\n", error->line > 0 ? "" : "brume: ", error->text);
}

BrumeStatus brume_console_open(BrumeConsole *console, bool quiet, int verbosity, const char *log_path,
                               BrumeError *error)
{
    *console = (BrumeConsole){
        .quiet = quiet,
        .verbosity = verbosity,
        .terminal = isatty(STDOUT_FILENO) != 0,
        .log_path = log_path,
        .started = brume_seconds(),
    };
    if (log_path) {
        if (brume_file_make_folder(log_path, error) != BRUME_OK) {
            return BRUME_FAILED;
        }
        console->log = fopen(log_path, "w");
        if (!console->log) {
            return brume_fail(error, BRUME_FAILED, "%s: cannot write the log: %s", log_path, strerror(errno));
        }
    }
    return BRUME_OK;
}

static void log_line(BrumeConsole *console, const char *line)
{
    if (console->log) {
        const bool written = fprintf(console->log, "%9.3f  %s\n", brume_seconds() - console->started, line) >= 0;
        if ((!written || fflush(console->log) != 0) && console->log_error == 0) {
            console->log_error = errno;
        }
    }
}

static void end_progress(BrumeConsole *console)
{
    if (console->progress_width > 0) {
        (void)printf("\n");
        (void)fflush(stdout);
        console->progress_width = 0;
    }
}

BrumeStatus brume_console_close(BrumeConsole *console, BrumeError *error)
{
    end_progress(console);
    BrumeStatus status = BRUME_OK;
    const int earlier = console->log_error;
    if (console->log && (fclose(console->log) != 0 || earlier != 0)) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot write the log: %s", console->log_path,
                            strerror(earlier ? earlier : errno));
    }
    *console = (BrumeConsole){0};
    return status;
}

void brume_console_say(BrumeConsole *console, BrumeLevel level, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (level <= BRUME_DETAIL) {
        log_line(console, line);
    }
    if (!console->quiet && (int)level <= console->verbosity) {
        end_progress(console);
        (void)printf("%s\n", line);
        (void)fflush(stdout);
    }
}

void brume_console_progress(BrumeConsole *console, const char *line)
{
    log_line(console, line);
    if (console->quiet) {
        return;
    }
    if (console->terminal) {
        // spaces wipe what a longer line left
        const int width = printf("\r%-*s", console->progress_width, line) - 1;
        console->progress_width = width;
    } else {
        (void)printf("%s\n", line);
    }
    (void)fflush(stdout);
}

void brume_console_warn(BrumeConsole *console, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    log_line(console, line);
    end_progress(console);
    (void)fprintf(stderr, "brume: warning: %s\n", line);
}

void brume_console_error(BrumeConsole *console, const BrumeError *error)
{
    log_line(console, error->text);
    end_progress(console);
    brume_print_error(error);
}

#include "app/cli/messages.h"

#include "app/cli/format.h"
#include "core/error.h"
#include "core/parallel/clock.h"
#include "io/file.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

void brume_print_error(const BrumeError *error)
{
    (void)fprintf(stderr, "%s%s\n", error->line > 0 ? "" : "brume: ", error->text);
}

BrumeStatus brume_messages_open(BrumeMessages *messages, bool quiet, int verbosity, const char *log_path,
                                BrumeError *error)
{
    *messages = (BrumeMessages){
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
        messages->log = fopen(log_path, "w");
        if (!messages->log) {
            return brume_fail(error, BRUME_FAILED, "%s: cannot write the log: %s", log_path, strerror(errno));
        }
    }
    return BRUME_OK;
}

static void log_line(BrumeMessages *messages, const char *line)
{
    if (messages->log) {
        const bool written = fprintf(messages->log, "%9.3f  %s\n", brume_seconds() - messages->started, line) >= 0;
        if ((!written || fflush(messages->log) != 0) && messages->log_error == 0) {
            messages->log_error = errno;
        }
    }
}

static void end_progress(BrumeMessages *messages)
{
    if (messages->progress_width > 0) {
        (void)printf("\n");
        (void)fflush(stdout);
        messages->progress_width = 0;
    }
}

BrumeStatus brume_messages_close(BrumeMessages *messages, BrumeError *error)
{
    end_progress(messages);
    BrumeStatus status = BRUME_OK;
    const int earlier = messages->log_error;
    if (messages->log && (fclose(messages->log) != 0 || earlier != 0)) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot write the log: %s", messages->log_path,
                            strerror(earlier ? earlier : errno));
    }
    *messages = (BrumeMessages){0};
    return status;
}

void brume_messages_print(BrumeMessages *messages, BrumeVerbosity level, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (level <= BRUME_PRINT_DETAILS) {
        log_line(messages, line);
    }
    if (!messages->quiet && (int)level <= messages->verbosity) {
        end_progress(messages);
        (void)printf("%s\n", line);
        (void)fflush(stdout);
    }
}

void brume_messages_progress(BrumeMessages *messages, const BrumeProgress *progress)
{
    char line[256];
    brume_progress_line(progress, line, sizeof line);
    log_line(messages, line);
    if (messages->quiet) {
        return;
    }
    if (messages->terminal) {
        // padding overwrites the rest of a longer line
        const int width = printf("\r%-*s", messages->progress_width, line) - 1;
        messages->progress_width = width;
    } else {
        (void)printf("%s\n", line);
    }
    (void)fflush(stdout);
}

void brume_messages_warning(BrumeMessages *messages, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    log_line(messages, line);
    end_progress(messages);
    (void)fprintf(stderr, "brume: warning: %s\n", line);
}

void brume_messages_scene_warnings(BrumeMessages *messages, const BrumeScene *scene)
{
    for (int n = 0; n < scene->warning_count; n++) {
        brume_messages_warning(messages, "%s", scene->warnings[n]);
    }
}

void brume_messages_error(BrumeMessages *messages, const BrumeError *error)
{
    log_line(messages, error->text);
    end_progress(messages);
    brume_print_error(error);
}

enum { RING = BRUME_PROGRESS_WINDOW + 1 };

void brume_progress_start(BrumeProgress *progress, int frames, double now)
{
    *progress = (BrumeProgress){.frames = frames, .started = now, .ends = {now}};
}

void brume_progress_count(BrumeProgress *progress, double now, double cell_steps, double seconds)
{
    progress->done++;
    progress->ends[progress->done % RING] = now;
    progress->cell_rate = seconds > 0.0 ? cell_steps / seconds : 0.0;
}

double brume_progress_left(const BrumeProgress *progress)
{
    const int window = progress->done < BRUME_PROGRESS_WINDOW ? progress->done : BRUME_PROGRESS_WINDOW;
    if (window == 0) {
        return 0.0;
    }
    const double span = progress->ends[progress->done % RING] - progress->ends[(progress->done - window) % RING];
    return span / window * (progress->frames - progress->done);
}

void brume_progress_line(const BrumeProgress *progress, char *line, size_t size)
{
    const double elapsed = progress->ends[progress->done % RING] - progress->started;
    (void)snprintf(line, size, "frame %d/%d  %d%%  elapsed %s  left %s  %.1f Mcells/s", progress->done,
                   progress->frames, (int)(100.0 * progress->done / progress->frames),
                   brume_format_duration(elapsed).text, brume_format_duration(brume_progress_left(progress)).text,
                   1e-6 * progress->cell_rate);
}

#include "app/cli/messages.h"

#include "app/cli/format.h"
#include "app/cli/launcher.h"
#include "core/error.h"
#include "core/parallel/clock.h"
#include "core/printable.h"
#include "io/file.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void brume_print_error(const BrumeError *error)
{
    (void)fprintf(stderr, "%s%s\n", error->line > 0 ? "" : "brume: ", error->text);
}

void brume_print_first_error(const BrumeError *error)
{
    static const struct timespec pause = {.tv_sec = 1};
    if (brume_launch().rank == 0) {
        brume_print_error(error);
    } else {
        (void)nanosleep(&pause, NULL);
    }
}

static int output_error; // errno of the first write to standard output that failed; 0: none

static void flush_output(void)
{
    errno = 0;
    const bool written = fflush(stdout) == 0 && ferror(stdout) == 0;
    if (!written && output_error == 0) {
        output_error = errno != 0 ? errno : EIO;
    }
}

int brume_finish_output(int status)
{
    flush_output();
    if (output_error != 0 && status == BRUME_OK) {
        BrumeError error;
        status = (int)brume_fail(&error, BRUME_FAILED, "cannot write to standard output: %s", strerror(output_error));
        brume_print_error(&error);
    }
    return status;
}

BrumeStatus brume_messages_open(BrumeMessages *messages, bool quiet, int verbosity, const char *log_path, bool append,
                                BrumeError *error)
{
    *messages = (BrumeMessages){
        .quiet = quiet,
        .verbosity = verbosity,
        // mpirun connects its processes with terminals of their own, whatever its output is
        .terminal = isatty(STDOUT_FILENO) != 0 && brume_launch().processes == 1,
        .log_path = log_path,
        .started = brume_seconds(),
    };
    if (log_path) {
        if (brume_file_make_folder(log_path, error) != BRUME_OK) {
            return BRUME_FAILED;
        }
        messages->log = fopen(log_path, append ? "a" : "w");
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

void brume_messages_use_error_stream(BrumeMessages *messages)
{
    messages->stream = stderr;
    messages->terminal = isatty(STDERR_FILENO) != 0 && brume_launch().processes == 1;
}

static FILE *stream_of(const BrumeMessages *messages) { return messages->stream ? messages->stream : stdout; }

static void end_progress(BrumeMessages *messages)
{
    if (messages->progress_width > 0) {
        (void)fprintf(stream_of(messages), "\n");
        flush_output();
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

BrumeStatus brume_messages_end(BrumeMessages *messages, BrumeStatus status)
{
    BrumeError error;
    if (brume_messages_close(messages, &error) == BRUME_OK) {
        return status;
    }
    brume_print_error(&error);
    return status == BRUME_OK ? error.status : status;
}

/** A printable line of a message. */
typedef struct MessageLine {
    char text[1024];
} MessageLine;

static MessageLine compose_line(const char *format, va_list args)
{
    MessageLine line;
    char text[sizeof line.text];
    (void)vsnprintf(text, sizeof text, format, args);
    brume_text_printable(line.text, sizeof line.text, text);
    return line;
}

void brume_messages_print(BrumeMessages *messages, BrumeVerbosity level, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const MessageLine line = compose_line(format, args);
    va_end(args);
    if (level <= BRUME_PRINT_DETAILS) {
        log_line(messages, line.text);
    }
    if (!messages->silent && !messages->quiet && (int)level <= messages->verbosity) {
        end_progress(messages);
        (void)fprintf(stream_of(messages), "%s\n", line.text);
        flush_output();
    }
}

static void overwrite_progress(BrumeMessages *messages, const char *line)
{
    // padding overwrites the rest of a longer line
    const int width = fprintf(stream_of(messages), "\r%-*s", messages->progress_width, line) - 1;
    messages->progress_width = width;
}

void brume_messages_progress(BrumeMessages *messages, const BrumeProgress *progress)
{
    char line[256];
    brume_progress_line(progress, line, sizeof line);
    log_line(messages, line);
    if (messages->silent || messages->quiet) {
        return;
    }
    if (messages->terminal) {
        overwrite_progress(messages, line);
    } else {
        (void)fprintf(stream_of(messages), "%s\n", line);
    }
    flush_output();
}

void brume_messages_progress_within(BrumeMessages *messages, const BrumeProgress *progress)
{
    if (messages->terminal && !messages->silent && !messages->quiet) {
        char line[256];
        brume_progress_line(progress, line, sizeof line);
        overwrite_progress(messages, line);
        flush_output();
    }
}

void brume_messages_warning(BrumeMessages *messages, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const MessageLine line = compose_line(format, args);
    va_end(args);
    if (messages->silent) {
        return;
    }
    log_line(messages, line.text);
    end_progress(messages);
    (void)fprintf(stderr, "brume: warning: %s\n", line.text);
}

void brume_messages_scene_warnings(BrumeMessages *messages, const BrumeScene *scene)
{
    for (int n = 0; n < scene->warning_count; n++) {
        brume_messages_warning(messages, "%s", scene->warnings[n]);
    }
}

void brume_messages_error(BrumeMessages *messages, const BrumeError *error)
{
    if (messages->silent) {
        return;
    }
    log_line(messages, error->text);
    end_progress(messages);
    brume_print_error(error);
}

enum { RING = BRUME_PROGRESS_WINDOW + 1 };

void brume_progress_start(BrumeProgress *progress, int done, int frames, double now)
{
    *progress = (BrumeProgress){.frames = frames, .first = done, .done = done, .started = now};
    progress->ends[done % RING] = now;
}

void brume_progress_count(BrumeProgress *progress, double now, double cell_steps, double seconds)
{
    progress->done++;
    progress->ends[progress->done % RING] = now;
    progress->cell_rate = seconds > 0.0 ? cell_steps / seconds : 0.0;
}

double brume_progress_left(const BrumeProgress *progress)
{
    const int counted = progress->done - progress->first;
    const int window = counted < BRUME_PROGRESS_WINDOW ? counted : BRUME_PROGRESS_WINDOW;
    if (window == 0) {
        return 0.0;
    }
    const double span = progress->ends[progress->done % RING] - progress->ends[(progress->done - window) % RING];
    return span / window * (progress->frames - progress->done);
}

void brume_progress_line(const BrumeProgress *progress, char *line, size_t size)
{
    const double elapsed = progress->ends[progress->done % RING] - progress->started;
    char rate[sizeof progress->note + 2] = "";
    if (progress->note[0]) {
        (void)snprintf(rate, sizeof rate, "  %s", progress->note);
    } else if (progress->cell_rate > 0.0) {
        (void)snprintf(rate, sizeof rate, "  %.1f Mcells/s", 1e-6 * progress->cell_rate);
    }
    (void)snprintf(line, size, "%s %d/%d  %d%%  elapsed %s  left %s%s", progress->unit ? progress->unit : "frame",
                   progress->done, progress->frames, (int)(100.0 * progress->done / progress->frames),
                   brume_format_duration(elapsed).text, brume_format_duration(brume_progress_left(progress)).text,
                   rate);
}

#include "viewer/jobs/job_list.h"

#include "core/parallel/clock.h"
#include "core/text.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

enum { NICENESS = 10, MAX_ARGUMENTS = 64, INTERRUPTED = 130, MAX_SIGNALS = 100 };

static bool has_ended(const BrumeJob *job) { return job->state >= BRUME_JOB_DONE; }

static bool is_active(const BrumeJob *job) { return job->state == BRUME_JOB_RUNS || job->state == BRUME_JOB_STOPS; }

// removes a job from the list, but not its record
static void remove_job(BrumeJobList *list, int n)
{
    list->count--;
    memmove(&list->jobs[n], &list->jobs[n + 1], (size_t)(list->count - n) * sizeof list->jobs[0]);
}

void brume_describe_stopped_job(const BrumeJob *job, char *text, size_t size)
{
    const BrumeQuote output = brume_quote(job->def.output);
    if (job->total > 0) {
        (void)snprintf(text, size, "%s: stopped after %d of %d frames of %s", job->def.name, job->done, job->total,
                       output.text);
    } else {
        (void)snprintf(text, size, "%s: stopped before the first frame of %s", job->def.name, output.text);
    }
}

BrumeStatus brume_job_list_add(BrumeJobList *list, const BrumeJobDef *def, int *serial, BrumeError *error)
{
    if (def->full) {
        return brume_fail(error, BRUME_FAILED, "%s: the names of its files are too long", def->name);
    }
    for (int n = 0; n < list->count && list->count == BRUME_MAX_JOBS; n++) {
        if (has_ended(&list->jobs[n])) {
            brume_job_record_release(&list->jobs[n].record);
            remove_job(list, n);
        }
    }
    if (list->count == BRUME_MAX_JOBS) {
        return brume_fail(error, BRUME_FAILED, "%d jobs wait already (cancel one)", BRUME_MAX_JOBS);
    }
    *serial = ++list->last_serial;
    list->jobs[list->count++] = (BrumeJob){.def = *def, .serial = *serial};
    return BRUME_OK;
}

// returns the index of a job; -1: none
static int find(const BrumeJobList *list, int serial)
{
    int n = list->count - 1;
    while (n >= 0 && list->jobs[n].serial != serial) {
        n--;
    }
    return n;
}

BrumeStatus brume_job_list_keep(BrumeJobList *list, int serial, const char *folder, const char *opened,
                                BrumeError *error)
{
    const int found = find(list, serial);
    BrumeJob *job = found >= 0 ? &list->jobs[found] : NULL;
    const bool is_due = job && job->def.again != BRUME_JOB_NOT_AGAIN && !job->record.path[0];
    return is_due ? brume_job_record_write(&job->record, folder, opened, &job->def, error) : BRUME_OK;
}

static int is_record(const struct dirent *entry) { return strncmp(entry->d_name, "job-", 4) == 0; }

int brume_job_list_load(BrumeJobList *list, const char *folder, const char *opened, const char *program)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_record, alphasort);
    int loaded = 0;
    for (int n = 0; n < count; n++) {
        char path[BRUME_JOB_PATH + 256];
        BrumeJob job = {.state = BRUME_JOB_STOPPED};
        (void)snprintf(path, sizeof path, "%s/%s", folder, entries[n]->d_name);
        if (list->count < BRUME_MAX_JOBS && brume_job_record_read(&job.record, path, opened, program, &job.def)) {
            job.serial = ++list->last_serial;
            list->jobs[list->count++] = job;
            loaded++;
        }
        free(entries[n]);
    }
    free((void *)entries);
    return loaded;
}

bool brume_read_progress_line(const char *line, int *done, int *total, char left[16])
{
    char unit[16];
    int numbers[2];
    char remaining[16] = "";
    if (sscanf(line, "%15[a-z] %9d/%9d", unit, &numbers[0], &numbers[1]) != 3 || numbers[0] < 0 ||
        numbers[1] < numbers[0] || numbers[1] < 1) {
        return false;
    }
    const char *at = strstr(line, "left ");
    if (at) {
        (void)sscanf(at, "left %15[0-9:]", remaining);
    }
    *done = numbers[0];
    *total = numbers[1];
    memcpy(left, remaining, sizeof remaining);
    return true;
}

// stores the progress, or the line as text; the first line of an error is not replaced, because it has the cause
static void take_line(void *context, bool is_error, const char *line)
{
    BrumeJob *job = context;
    static const char prefix[] = "brume: ";
    const char *text = strncmp(line, prefix, sizeof prefix - 1) == 0 ? line + sizeof prefix - 1 : line;
    const bool is_warning = strncmp(text, "warning: ", 9) == 0;
    if (!is_error && brume_read_progress_line(line, &job->done, &job->total, job->left)) {
        return;
    }
    if ((is_error && !job->has_error && !is_warning) || (!is_error && !job->has_error && line[0])) {
        (void)snprintf(job->text, sizeof job->text, "%.599s", text);
        job->has_error = is_error;
    }
}

static void start(BrumeJobList *list, BrumeJob *job)
{
    const char *arguments[MAX_ARGUMENTS + 1] = {NULL};
    int count = 0;
    for (const char *at = NULL; count < MAX_ARGUMENTS && (at = brume_job_next_argument(&job->def, at));) {
        arguments[count++] = at;
    }
    BrumeError error;
    list->stopped_twice = false;
    job->started = brume_seconds();
    if (brume_process_start(&list->process, arguments, job->def.folder, NICENESS, &error) == BRUME_OK) {
        job->state = BRUME_JOB_RUNS;
    } else {
        job->state = BRUME_JOB_FAILED;
        job->has_error = true;
        (void)snprintf(job->text, sizeof job->text, "%.599s", error.text);
    }
}

// sets the state of a job whose process has ended
static void finish(BrumeJobList *list, BrumeJob *job)
{
    const int ending = list->process.ending;
    const bool exited = WIFEXITED(ending);
    job->left[0] = '\0';
    if (exited && WEXITSTATUS(ending) == 0) {
        job->state = BRUME_JOB_DONE;
        job->done = job->total;
        brume_job_record_end(&job->record);
    } else if ((exited && WEXITSTATUS(ending) == INTERRUPTED) || job->state == BRUME_JOB_STOPS) {
        job->state = BRUME_JOB_STOPPED;
    } else {
        job->state = BRUME_JOB_FAILED;
        if (!job->has_error && exited) {
            (void)snprintf(job->text, sizeof job->text, "it has ended with status %d", WEXITSTATUS(ending));
        } else if (!job->has_error) {
            (void)snprintf(job->text, sizeof job->text, "it was ended by signal %d (%s)", WTERMSIG(ending),
                           strsignal(WTERMSIG(ending)));
        }
    }
}

bool brume_job_list_update(BrumeJobList *list, BrumeJob *ended)
{
    ended->serial = 0;
    for (int n = 0; n < list->count; n++) {
        BrumeJob *job = &list->jobs[n];
        if (is_active(job)) {
            const int done = job->done;
            const int total = job->total;
            if (brume_process_poll(&list->process, take_line, job)) {
                return job->done != done || job->total != total;
            }
            finish(list, job);
            *ended = *job;
            return true;
        }
        if (job->state == BRUME_JOB_WAITS) {
            start(list, job);
            if (has_ended(job)) {
                *ended = *job;
            }
            return true;
        }
    }
    return false;
}

// asks the program to stop after its frame; a second request makes it stop at once
static void stop_process(BrumeJobList *list, BrumeJob *job)
{
    list->stopped_twice = job->state == BRUME_JOB_STOPS;
    job->state = BRUME_JOB_STOPS;
    brume_process_signal(&list->process, SIGINT);
}

void brume_job_list_cancel(BrumeJobList *list, int serial)
{
    const int found = find(list, serial);
    if (found >= 0 && is_active(&list->jobs[found])) {
        stop_process(list, &list->jobs[found]);
    } else if (found >= 0) {
        brume_job_record_end(&list->jobs[found].record);
        remove_job(list, found);
    }
}

const BrumeJob *brume_job_list_find(const BrumeJobList *list, int serial)
{
    const int found = find(list, serial);
    return found >= 0 ? &list->jobs[found] : NULL;
}

bool brume_job_can_run_again(const BrumeJob *job)
{
    return job->def.again != BRUME_JOB_NOT_AGAIN && (job->state == BRUME_JOB_STOPPED || job->state == BRUME_JOB_FAILED);
}

bool brume_job_list_run_again(BrumeJobList *list, int serial)
{
    const BrumeJob *before = brume_job_list_find(list, serial);
    if (!before || !brume_job_can_run_again(before)) {
        return false;
    }
    BrumeJob job = {.def = before->def, .serial = serial, .record = before->record};
    brume_job_add_again(&job.def);
    if (job.def.full) {
        return false;
    }
    remove_job(list, (int)(before - list->jobs));
    list->jobs[list->count++] = job;
    return true;
}

void brume_job_list_stop(BrumeJobList *list)
{
    for (int n = list->count - 1; n >= 0; n--) {
        if (is_active(&list->jobs[n])) {
            stop_process(list, &list->jobs[n]);
        } else if (list->jobs[n].state == BRUME_JOB_WAITS) {
            brume_job_record_release(&list->jobs[n].record);
            remove_job(list, n);
        }
    }
}

int brume_job_list_left(const BrumeJobList *list)
{
    int left = 0;
    for (int n = 0; n < list->count; n++) {
        left += !has_ended(&list->jobs[n]);
    }
    return left;
}

// Stops the program. It ends at once at a second signal, but not while it writes a file.
static void end_process(BrumeProcess *process)
{
    const struct timespec pause = {.tv_nsec = 50000000};
    int ending;
    for (int n = 0; n < MAX_SIGNALS && process->pid > 0; n++) {
        brume_process_signal(process, n + 1 < MAX_SIGNALS ? SIGTERM : SIGKILL);
        (void)nanosleep(&pause, NULL);
        process->pid = waitpid(process->pid, &ending, WNOHANG) == 0 ? process->pid : 0;
    }
    while (process->pid > 0 && waitpid(process->pid, &ending, 0) < 0 && errno == EINTR) {
    }
}

void brume_job_list_destroy(BrumeJobList *list)
{
    if (list->process.pid > 0) {
        end_process(&list->process);
        brume_process_close(&list->process);
    }
    for (int n = 0; n < list->count; n++) {
        brume_job_record_release(&list->jobs[n].record);
    }
    *list = (BrumeJobList){0};
}

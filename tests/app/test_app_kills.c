// Runs that are killed at random moments and go on: the same states, pictures and volumes as those of a run that
// nothing disturbs. While they run, every file under its final name is complete.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/checkpoint/checkpoint.h"
#include "program.h"

static ProgramRun run;

enum { FRAMES = 12, MAX_PATH = 600, MAX_ARGUMENTS = 512 };

static const char scene[] =
    "name: Killed\n"
    "domain: {size: [1, 1.25, 1]}\n"
    "solver: {resolution: 20}\n"
    "time: {fps: 24, frames: 12}\n"
    "bodies: [{shape: sphere, center: [0, 0.8, 0], radius: 0.15}]\n"
    "emitters:\n"
    "  - {shape: sphere, center: [0, 0.25, 0], radius: 0.15, density: 1, color_1: 0.5, temperature: 80}\n"
    "image: {width: 48, height: 32, samples: 1}\n"
    "timeline:\n"
    "  - {frame: 4, moves: [{body: 0, velocity: [0.5, 0, 0]}]}\n"
    "  - {frame: 9, set: {solver.cfl: 1}}\n";

/* A command whose runs are killed; '@' stands for the folder of its outputs. */
typedef struct KilledCommand {
    const char *name;
    const char *arguments;
    bool simulates; // its states have hashes, and it writes checkpoints
} KilledCommand;

static const KilledCommand commands[] = {
    {"render", "render killed.yaml -q -o @/a.####.png --stats @/s.json", true},
#ifdef BRUME_HAS_HDF5
    {"sim", "sim killed.yaml -q -o @/a.####.hdf --fields smoke,temperature,faces --stats @/s.json", true},
    {"draw", "render volumes/a.####.hdf -q -o @/a.####.png", false},
#endif
};

static void compose(char text[MAX_ARGUMENTS], const char *arguments, const char *folder, const char *more)
{
    size_t used = 0;
    for (const char *c = arguments; *c; c++) {
        used += (size_t)snprintf(text + used, MAX_ARGUMENTS - used, *c == '@' ? "%s" : "%.1s", *c == '@' ? folder : c);
    }
    used += (size_t)snprintf(text + used, MAX_ARGUMENTS - used, " %s", more);
    assert_true(used < MAX_ARGUMENTS);
}

static bool ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name);
    return length >= strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

static void assert_whole_checkpoint(const char *path)
{
    BrumeCheckpoint checkpoint;
    BrumeError error;
    if (brume_checkpoint_read(&checkpoint, path, &error) == BRUME_OK) {
        brume_checkpoint_free(&checkpoint);
    } else if (exists(path)) { // otherwise the run has removed it meanwhile
        fail_msg("%s", error.text);
    }
}

// A file under its final name: pictures and volumes have the bytes of the reference, statistics are JSON, checkpoints
// have their hash. Any other file is temporary.
static void assert_whole(const char *folder, const char *reference, const char *name)
{
    char path[MAX_PATH];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (ends_with(name, ".png") || ends_with(name, ".hdf")) {
        char expected[MAX_PATH];
        (void)snprintf(expected, sizeof expected, "%s/%s", reference, name);
        assert_same_files(expected, path);
    } else if (ends_with(name, ".json")) {
        size_t size;
        char *statistics = read_whole_file(path, &size);
        if (!is_json(statistics)) {
            fail_msg("%s: not JSON", path);
        }
        free(statistics);
    } else if (ends_with(name, ".checkpoint")) {
        assert_whole_checkpoint(path);
    } else {
        assert_true(ends_with(name, ".part") || strcmp(name, "a.checkpoints") == 0);
    }
}

/* The files that the watch of a run has seen, by the time of their last change. */
typedef struct Watch {
    struct timespec seen; // files of earlier times have been read
    long files;           // that were read
} Watch;

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec >= b->tv_nsec;
}

// reads all files of a folder that have changed since the last time
static void watch_folder(Watch *watch, const char *folder, const char *reference, struct timespec *latest)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        char path[MAX_PATH];
        struct stat about;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && is_later(&about.st_ctim, &watch->seen)) {
            assert_whole(folder, reference, entry->d_name);
            *latest = is_later(&about.st_ctim, latest) ? about.st_ctim : *latest;
            watch->files++;
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
}

static void look(Watch *watch, const char *folder, const char *reference)
{
    char checkpoints[MAX_PATH];
    struct timespec latest = watch->seen;
    (void)snprintf(checkpoints, sizeof checkpoints, "%s/a.checkpoints", folder);
    watch_folder(watch, folder, reference, &latest);
    watch_folder(watch, checkpoints, reference, &latest);
    watch->seen = latest;
}

static double seconds_of_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// watches a run and kills it after some time; returns whether it had ended before
static bool watch_and_kill(Program *program, double seconds, Watch *watch, const char *folder, const char *reference)
{
    const double end = seconds_of_clock() + seconds;
    bool ended = false;
    while (!ended && seconds_of_clock() < end) {
        ended = ends_within(program, 0.002);
        look(watch, folder, reference);
    }
    (void)kill(program->pid, SIGKILL);
    finish_program(program, &run);
    if ((run.status != 0 && run.status != 128 + SIGKILL) || run.err[0]) {
        fail_msg("%s: status %d: %s", folder, run.status, run.err);
    }
    watch->seen = (struct timespec){0}; // all files once more
    look(watch, folder, reference);
    return run.status == 0;
}

// the hashes of all states, one behind the other
static void read_hashes(const char *folder, char hashes[FRAMES * 20])
{
    char path[MAX_PATH];
    size_t size;
    (void)snprintf(path, sizeof path, "%s/s.json", folder);
    char *text = read_whole_file(path, &size);
    int count = 0;
    for (const char *at = text; (at = strstr(at, "\"hash\": ")) != NULL && count < FRAMES; at++) {
        (void)snprintf(hashes + (ptrdiff_t)20 * count++, 20, "%.18s", at + strlen("\"hash\": "));
    }
    assert_int_equal(count, FRAMES);
    free(text);
}

// the run is complete: the same states, all files, and nothing else
static void assert_complete(const KilledCommand *command, const char *folder, const char *reference)
{
    assert_int_equal(count_entries(folder), count_entries(reference));
    for (int frame = 1; frame <= FRAMES; frame++) {
        char path[2][MAX_PATH];
        const char *extension = strstr(command->arguments, ".png") ? "png" : "hdf";
        (void)snprintf(path[0], sizeof path[0], "%s/a.%04d.%s", reference, frame, extension);
        (void)snprintf(path[1], sizeof path[1], "%s/a.%04d.%s", folder, frame, extension);
        assert_same_files(path[0], path[1]);
    }
    if (command->simulates) {
        static char expected[FRAMES * 20];
        static char hashes[FRAMES * 20];
        read_hashes(reference, expected);
        read_hashes(folder, hashes);
        assert_memory_equal(hashes, expected, sizeof hashes);
    }
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void kill_runs_of(const KilledCommand *command, int wanted, uint32_t *random)
{
    char reference[64];
    char arguments[MAX_ARGUMENTS];
    (void)snprintf(reference, sizeof reference, "%s-reference", command->name);
    compose(arguments, command->arguments, reference, "-t 2");
    const double start = seconds_of_clock();
    run_program(&run, arguments);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    const double whole = seconds_of_clock() - start;
    int kills = 0;
    int rounds = 0;
    int longest = 0; // kills of one sequence
    Watch watch = {0};
    for (; kills < wanted; rounds++) {
        char folder[64];
        (void)snprintf(folder, sizeof folder, "%s-%d", command->name, rounds);
        int attempt = 0;
        for (bool done = false; !done; attempt++) {
            char more[96];
            const uint32_t every = 1 + next_random(random) % 3;
            (void)snprintf(more, sizeof more, "-t %d", 1 + (int)(next_random(random) % 4));
            if (command->simulates) {
                (void)snprintf(more + strlen(more), sizeof more - strlen(more), " --checkpoint-every %u", every);
            }
            if (attempt > 0) {
                (void)strncat(more, " --resume", sizeof more - strlen(more) - 1);
            }
            compose(arguments, command->arguments, folder, more);
            Program program = start_program(arguments, 0);
            done = watch_and_kill(&program, whole * (double)next_random(random) * 0x1p-24, &watch, folder, reference);
            kills += !done;
        }
        longest = attempt - 1 > longest ? attempt - 1 : longest;
        assert_complete(command, folder, reference);
        remove_folder(folder);
    }
    print_message("%s: %d kills in %d runs, at most %d in one; %ld files read meanwhile\n", command->name, kills,
                  rounds, longest, watch.files);
}

static int number_of(const char *variable, int fallback)
{
    const char *wanted = getenv(variable);
    return wanted ? atoi(wanted) : fallback;
}

static void test_killed_runs_go_on(void **state)
{
    (void)state;
    make_file("killed.yaml", scene);
    uint32_t random = (uint32_t)number_of("BRUME_KILL_SEED", 1);
#ifdef BRUME_HAS_HDF5
    run_program(&run, "sim killed.yaml -q -o volumes/a.####.hdf");
    assert_int_equal(run.status, 0);
    for (int frame = 1; frame <= FRAMES; frame++) { // the references of the volumes can be read
        char arguments[MAX_ARGUMENTS];
        (void)snprintf(arguments, sizeof arguments, "info volumes/a.%04d.hdf", frame);
        run_program(&run, arguments);
        assert_int_equal(run.status, 0);
    }
#endif
    for (size_t n = 0; n < sizeof commands / sizeof commands[0]; n++) {
        kill_runs_of(&commands[n], number_of("BRUME_KILLS", 3), &random);
    }
    for (int frame = 1; frame <= FRAMES; frame++) { // and so can those of the pictures
        char path[64];
        (void)snprintf(path, sizeof path, "render-reference/a.%04d.png", frame);
        assert_whole_png(path, 48, 32);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_killed_runs_go_on, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

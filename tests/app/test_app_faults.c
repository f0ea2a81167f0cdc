// Each system call that a command makes, and each allocation, fails in turn: one clear line, no incomplete file, and a
// run that goes on afterwards.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

static ProgramRun run;
static int wrong_runs; // that ended otherwise than they must; each is printed

enum { MAX_COMMAND = 1024, MAX_NAME = 600 };

/* A command of the program; '@' in its texts stands for the folder of its outputs. */
typedef struct Command {
    const char *name;
    const char *arguments;
    const char *earlier; // added to the arguments of an earlier run in the same folder; NULL: there is none
    const char *cure;    // added to the arguments of a run that makes what is missing; NULL: it makes no files
} Command;

#define RENDER                                                                                                         \
    "render tiny.yaml -q -t 1 -o @/a.####.png --stats @/s.json --measures @/m.csv --probes-dir @ --checkpoint-every 1"
#define SIM "sim tiny.yaml -q -t 1 -o @/a.####.hdf --stats @/s.json --probes-dir @ --checkpoint-every 1"
#define DRAW "render inputs/c.####.hdf -q -t 1 -o @/a.####.png"
#define EARLIER "--frames 1:1 --keep-checkpoints 1"

static const Command commands[] = {
    {"render", RENDER, NULL, "--resume"},
    {"render-resume", RENDER " --resume", EARLIER, ""},
    {"render-workers", RENDER " --skip-existing", EARLIER, ""},
#ifdef BRUME_HAS_HDF5
    {"sim", SIM, NULL, "--resume"},
    {"sim-resume", SIM " --resume", EARLIER, ""},
    {"draw", DRAW, NULL, "--resume"},
    {"draw-resume", DRAW " --resume", "--frames 1:1", ""},
    {"convert-hdf", "convert inputs/c.####.raw @/a.####.hdf -q", NULL, "--overwrite"},
    {"convert-raw", "convert inputs/c.####.hdf @/a.####.raw -q", NULL, "--overwrite"},
    {"convert-vti", "convert inputs/c.####.hdf @/a.####.vti -q", NULL, "--overwrite"},
    {"convert-ply", "convert inputs/c.####.hdf @/a.####.ply -q", NULL, "--overwrite"},
    {"info-hdf", "info inputs/c.0001.hdf", NULL, NULL},
    {"info-raw", "info inputs/c.0001.raw", NULL, NULL},
#ifdef BRUME_HAS_EXPAT
    {"info-vti", "info inputs/c.0001.vti", NULL, NULL},
#endif
#ifdef BRUME_HAS_OPENVDB
    {"sim-vdb", "sim tiny.yaml -q -t 1 -o @/a.####.vdb", NULL, "--overwrite"},
    {"convert-vdb", "convert inputs/c.####.hdf @/a.####.vdb -q", NULL, "--overwrite"},
    {"convert-from-vdb", "convert inputs/c.####.vdb @/a.####.raw -q", NULL, "--overwrite"},
    {"info-vdb", "info inputs/c.0001.vdb", NULL, NULL},
#endif
#endif
    {"info-scene", "info tiny.yaml", NULL, NULL},
#ifdef BRUME_HAS_VIDEO
    {"video-mp4", "render little.yaml -q -t 1 --frames 1:2 -o @/a.mp4 --checkpoint-every 1", NULL, "--resume"},
    {"video-webm", "render little.yaml -q -t 1 --frames 1:2 -o @/a.webm --checkpoint-every 1", NULL, "--resume"},
    {"convert-video", "convert inputs/p.####.png @/a.mp4 -q", NULL, ""},
#endif
#ifdef BRUME_HAS_OPENEXR
    {"render-exr", "render sky.yaml -q -t 1 -o @/a.####.exr", NULL, "--overwrite"},
    {"info-exr", "info sky.yaml", NULL, NULL},
#endif
    {"render-path", RENDER " --integrator path", NULL, "--resume"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* A call that fails at some time. */
typedef struct Fault {
    const char *call;
    int reason;    // errno; 0: the first byte alone is transferred
    bool harmless; // the run succeeds nevertheless
    bool stays;    // all later calls fail too
} Fault;

static const Fault call_faults[] = {
    {"open", EACCES, false, false},
    {"open", EMFILE, false, true},
    {"open", EINTR, true, false},
    {"read", EIO, false, false},
    {"read", EINTR, true, false},
    {"read", 0, true, false},
    {"read", 0, true, true},
    {"write", ENOSPC, false, false},
    {"write", ENOSPC, false, true},
    {"write", EIO, false, false},
    {"write", EINTR, true, false},
    {"write", 0, true, false},
    {"fsync", EIO, false, false},
    {"fsync", EINTR, true, false},
    {"close", EIO, false, false},
    {"close", EINTR, true, false},
    {"ftruncate", EIO, false, false},
    {"ftruncate", EINTR, true, false},
    {"lseek", EIO, false, false},
    {"fstat", EIO, false, false},
    {"stat", EIO, false, false},
    {"access", EIO, false, false},
    {"realpath", EIO, false, false},
    {"flock", ENOLCK, true, true},
    {"rename", EIO, false, false},
    {"renameat2", EIO, false, false},
    {"renameat2", EINVAL, true, true},
    {"unlink", EIO, false, false},
    {"mkdir", ENOSPC, false, false},
    {"rmdir", EIO, false, false},
    {"opendir", EMFILE, false, false},
    {"readdir", EIO, false, false},
    {"mmap", ENOMEM, false, false},
    {"memfd_create", EMFILE, false, false},
    {"spawn", EAGAIN, false, false},
    {"socketpair", EMFILE, false, false},
    {"poll", EINTR, true, false},
    {"sendmsg", EINTR, true, false},
    {"recv", EINTR, true, false},
    {"waitpid", EINTR, true, false},
    {"pthread_create", EAGAIN, false, false},
};
enum { CALL_FAULTS = sizeof call_faults / sizeof call_faults[0] };

static const Fault allocation_faults[] = {{"alloc", ENOMEM, false, false}, {"alloc", ENOMEM, false, true}};
enum { ALLOCATION_FAULTS = sizeof allocation_faults / sizeof allocation_faults[0] };

static void set_number(const char *variable, int value)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%d", value);
    assert_int_equal(setenv(variable, text, 1), 0);
}

static void set_fault(const Fault *fault, int at)
{
    assert_int_equal(setenv("BRUME_FAULT_CALL", fault->call, 1), 0);
    set_number("BRUME_FAULT_AT", at);
    set_number("BRUME_FAULT_ERRNO", fault->reason);
    set_number("BRUME_FAULT_STAYS", fault->stays);
    assert_int_equal(setenv("BRUME_FAULT_MARK", "mark", 1), 0);
    assert_int_equal(setenv("LD_PRELOAD", BRUME_FAULTY_CALLS, 1), 0);
}

static void clear_fault(void)
{
    assert_int_equal(unsetenv("LD_PRELOAD"), 0);
    assert_int_equal(unsetenv("BRUME_FAULT_CALL"), 0);
}

// the arguments of a command with `more` added and the folder in place
static void compose(char text[MAX_COMMAND], const Command *command, const char *more, const char *folder)
{
    char whole[MAX_COMMAND];
    (void)snprintf(whole, sizeof whole, "%s %s", command->arguments, more);
    size_t used = 0;
    for (const char *c = whole; *c; c++) {
        used += (size_t)snprintf(text + used, MAX_COMMAND - used, *c == '@' ? "%s" : "%.1s", *c == '@' ? folder : c);
    }
    assert_true(used < MAX_COMMAND);
}

// each line is a message of the program; returns how many are errors rather than warnings
static int count_errors(const char *text)
{
    int errors = 0;
    bool ended_by_runtime = false;
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        assert_non_null(strchr(line, '\n'));
        if (line[0] == '\n') {
            continue;
        }
        // libgomp ends the program itself, after an empty line, where it has no memory for a team of threads; two
        // threads may print that at once
        const bool of_runtime = strncmp(line, "libgomp: ", strlen("libgomp: ")) == 0 ||
                                strncmp(line, "Out of memory allocating", strlen("Out of memory allocating")) == 0;
        const bool of_scene = strncmp(line, "sky.yaml:", strlen("sky.yaml:")) == 0; // with its line and column
        if (!of_runtime && !of_scene && strncmp(line, "brume: ", strlen("brume: ")) != 0) {
            print_error("not a message: %s\n", line);
            wrong_runs++;
        }
        ended_by_runtime = ended_by_runtime || of_runtime;
        errors += !of_runtime && strncmp(line, "brume: warning: ", strlen("brume: warning: ")) != 0;
    }
    return errors > 0 ? errors : ended_by_runtime;
}

static bool has_extension(const char *name, const char *extension)
{
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, extension) == 0;
}

// A file of the folder against that of the reference: a table that is not complete is its beginning, statistics are
// JSON, and all other files have the same bytes.
static void assert_file(const char *folder, const char *reference, const char *name, bool complete)
{
    char path[MAX_NAME];
    char expected_path[MAX_NAME];
    size_t size;
    size_t expected_size;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)snprintf(expected_path, sizeof expected_path, "%s/%s", reference, name);
    if (!complete && has_extension(name, ".csv")) {
        char *table = read_whole_file(path, &size);
        char *expected = read_whole_file(expected_path, &expected_size);
        assert_true(size <= expected_size);
        assert_memory_equal(table, expected, size);
        free(table);
        free(expected);
    } else if (has_extension(name, ".json")) {
        char *statistics = read_whole_file(path, &size);
        if (!is_json(statistics)) {
            fail_msg("%s: not JSON", path);
        }
        free(statistics);
    } else {
        assert_same_files(expected_path, path);
    }
}

// All files of the folder are those of the reference; `complete`: none is missing. Temporary files only where
// `part` says so.
static void assert_files(const char *folder, const char *reference, bool complete, bool part)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        char path[MAX_NAME];
        struct stat about;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (has_extension(entry->d_name, ".part")) {
            if (!part) {
                fail_msg("%s is left", path);
            }
        } else if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && !has_extension(entry->d_name, ".lock")) {
            assert_file(folder, reference, entry->d_name, complete);
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
    entries = complete ? opendir(reference) : NULL;
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        char path[MAX_NAME];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (!exists(path)) {
            fail_msg("%s is missing", path);
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
}

// the name of a folder or a file of the command
static bool names_a_file(const char *text, const char *folder)
{
    return strstr(text, folder) || strstr(text, "inputs") || strstr(text, ".yaml") || strstr(text, "standard output");
}

// what the program prints of the reference
static char reference_output[sizeof run.out];

// Runs the command with the fault at the n-th call, and then one that makes what is missing; returns whether there was
// such a call.
static bool run_with_fault(const Command *command, const Fault *fault, int at)
{
    char folder[128];
    char reference[64];
    char arguments[MAX_COMMAND];
    (void)snprintf(folder, sizeof folder, "%s-%s-%d-%d-%d", command->name, fault->call, fault->reason, fault->stays,
                   at);
    (void)snprintf(reference, sizeof reference, "%s-reference", command->name);
    if (command->earlier) {
        compose(arguments, command, command->earlier, folder);
        char *resume = strstr(arguments, " --resume");
        if (resume) { // the earlier run is a new one
            memset(resume, ' ', strlen(" --resume"));
        }
        run_successfully(&run, arguments);
    }
    compose(arguments, command, "", folder);
    (void)unlink("mark");
    set_fault(fault, at);
    run_program_within(&run, arguments, 60.0);
    clear_fault();
    const bool happened = exists("mark");
    const int errors = count_errors(run.err);
    const bool allocates = strcmp(fault->call, "alloc") == 0;
    // the exit status 2 of an input that the user must make readable; of a checkpoint it is a warning
    const bool bad_input = errors > 0 && strstr(run.err, "cannot open: Permission denied");
    // FFmpeg does not repeat these two
    const bool by_ffmpeg =
        strstr(command->name, "video") && (strcmp(fault->call, "open") == 0 || strcmp(fault->call, "close") == 0);
    const bool harmless = fault->harmless && !by_ffmpeg;
    // the others have no file: threads, of libgomp's teams too, and memory that is shared with brume-files
    const bool named = errors == 0 || allocates || strstr(run.err, "start a thread") || strstr(run.err, "libgomp: ") ||
                       strstr(run.err, "out of memory for the grid") || strstr(run.err, "brume-video.so") ||
                       names_a_file(run.err, folder);
    if (run.status != (bad_input ? 2 : errors > 0) || errors > 1 || (harmless && errors > 0) || !named) {
        print_error("%s: status %d, %s\n", folder, run.status, run.err);
        wrong_runs++;
    }
    // libgomp ends the program while other threads write
    const bool leaves_part = strstr(run.err, "libgomp: ") || strcmp(fault->call, "unlink") == 0;
    assert_files(folder, reference, errors == 0, leaves_part);
    if (!command->cure && strcmp(run.out, errors == 0 ? reference_output : "") != 0) {
        print_error("%s: printed %s\n", folder, run.out);
        wrong_runs++;
    }
    if (errors > 0 && command->cure) {
        compose(arguments, command, command->cure, folder);
        run_successfully(&run, arguments);
        assert_files(folder, reference, true, false);
    }
    remove_folder(folder);
    return happened;
}

static void make_inputs(void)
{
    static const char *const inputs[] = {
        "render tiny.yaml -q -o inputs/p.####.png",
#ifdef BRUME_HAS_OPENEXR
        "render tiny.yaml -q --frame 1 -o inputs/sky.exr --size 8x4 --probes-dir inputs/sky",
#endif
#ifdef BRUME_HAS_HDF5
        "sim tiny.yaml -q -o inputs/c.####.hdf --probes-dir inputs/probes",
        "convert inputs/c.####.hdf inputs/c.####.raw -q",
        "convert inputs/c.####.hdf inputs/c.####.vti -q",
#ifdef BRUME_HAS_OPENVDB
        "convert inputs/c.####.hdf inputs/c.####.vdb -q",
#endif
#endif
    };
    for (size_t n = 0; n < sizeof inputs / sizeof inputs[0]; n++) {
        run_successfully(&run, inputs[n]);
    }
}

static int enter_with_inputs(void **state)
{
    if (enter_folder(state) != 0) {
        return -1;
    }
    make_file("tiny.yaml", "name: Tiny\n"
                           "domain: {size: [1, 1, 1]}\n"
                           "solver: {resolution: 8}\n"
                           "emitters:\n"
                           "  - {shape: sphere, center: [0, 0.25, 0], radius: 0.2, density: 1, temperature: 100}\n"
                           "time: {fps: 24, frames: 2}\n"
                           "image: {width: 24, height: 16, samples: 1}\n"
                           "probes: [{name: line, kind: line, from: [0, 0, 0], to: [0, 1, 0], counts: 3}]\n");
    make_file("sky.yaml", "domain: {size: [1, 1, 1]}\n"
                          "solver: {resolution: 8}\n"
                          "time: {fps: 24, frames: 2}\n"
                          "image: {width: 24, height: 16, samples: 1}\n"
                          "render: {sky: {kind: image, file: inputs/sky.exr}}\n");
    make_inputs();
    return 0;
}

// what the command makes and prints without a fault
static void make_reference(const Command *command)
{
    char folder[64];
    char arguments[MAX_COMMAND];
    (void)snprintf(folder, sizeof folder, "%s-reference", command->name);
    compose(arguments, command, "", folder);
    run_successfully(&run, arguments);
    memcpy(reference_output, run.out, sizeof reference_output);
}

static int number_of(const char *variable, int fallback)
{
    const char *wanted = getenv(variable);
    return wanted ? atoi(wanted) : fallback;
}

// whether BRUME_FAULT_COMMAND, where it is given, names the command
static bool is_wanted(const Command *command)
{
    const char *wanted = getenv("BRUME_FAULT_COMMAND");
    return !wanted || strcmp(wanted, command->name) == 0;
}

/*
 * Every command with every fault: at each `stride`-th call, up to the last. Without a stride (0) it is a sample: one
 * call, of the first `reach`, of every `share`-th pair of a command and a fault.
 */
static void fail_calls(const Fault *faults, int count, int stride, int share, int reach)
{
    int pair = 0;
    for (int c = 0; c < COMMANDS; c++) {
        const Command *command = &commands[c];
        if (!is_wanted(command)) {
            continue;
        }
        make_reference(command);
        for (int f = 0; f < count; f++, pair++) {
            // libraries that FFmpeg needs end the program, or print, without memory and where no file can be opened
            if (strstr(command->name, "video") &&
                (faults == allocation_faults || faults[f].stays || strcmp(faults[f].call, "mmap") == 0 ||
                 (strcmp(faults[f].call, "open") == 0 && faults[f].reason == EINTR))) { // libgcrypt aborts
                continue;
            }
            const int shift = 389 * pair;
            int runs = 0;
            if (stride > 0) {
                for (int at = 1 + shift % stride; run_with_fault(command, &faults[f], at); at += stride) {
                    runs++;
                }
                print_message("%s: %s, errno %d%s: %d calls\n", command->name, faults[f].call, faults[f].reason,
                              faults[f].stays ? " from then on" : "", runs);
            } else if (pair % share == 0) {
                (void)run_with_fault(command, &faults[f], 1 + shift % reach);
            }
        }
    }
    assert_int_equal(wrong_runs, 0);
}

static void test_each_call_fails(void **state)
{
    (void)state;
    fail_calls(call_faults, CALL_FAULTS, number_of("BRUME_FAULT_STRIDE", 0), 29, 11);
}

static void test_each_allocation_fails(void **state)
{
    (void)state;
    fail_calls(allocation_faults, ALLOCATION_FAULTS, number_of("BRUME_ALLOCATION_STRIDE", 0), 2, 1300);
}

// with the argument --commands, it prints the values of BRUME_FAULT_COMMAND
int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--commands") == 0) {
        for (int c = 0; c < COMMANDS; c++) {
            puts(commands[c].name);
        }
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_call_fails, enter_with_inputs, leave_folder),
        cmocka_unit_test_setup_teardown(test_each_allocation_fails, enter_with_inputs, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

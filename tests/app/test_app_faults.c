// Each system call that concerns files, and each allocation, fails: one clear line, no incomplete file, and a run that
// goes on afterwards.
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
#include <unistd.h>

#include "program.h"

static ProgramRun run;

enum { FRAMES = 3 };

static const char probe_of_scene[] = "probes: [{name: line, kind: line, from: [0, 0, 0], to: [0, 1, 0], counts: 3}]\n";

// the small scene with a probe
static int enter_with_probe(void **state)
{
    if (enter_folder(state) != 0) {
        return -1;
    }
    size_t size;
    char *little = read_whole_file("little.yaml", &size);
    char text[4096];
    (void)snprintf(text, sizeof text, "%s%s", little, probe_of_scene);
    free(little);
    make_file("probed.yaml", text);
    return 0;
}

static void start_of_command(char *text, size_t size, const char *folder)
{
    (void)snprintf(text, size,
                   "render probed.yaml -q -t 1 -o %s/a.####.png --frames 1:%d --stats %s/s.json --measures %s/m.csv "
                   "--probes-dir %s --checkpoint-every 1",
                   folder, FRAMES, folder, folder, folder);
}

// the reference has been made; every image that exists is the same
static void assert_images(const char *folder, bool all)
{
    for (int frame = 1; frame <= FRAMES; frame++) {
        char expected[64];
        char path[96];
        (void)snprintf(expected, sizeof expected, "reference/a.%04d.png", frame);
        (void)snprintf(path, sizeof path, "%s/a.%04d.png", folder, frame);
        if (all || exists(path)) {
            assert_same_files(expected, path);
        }
    }
}

static void assert_no_incomplete_file(const char *folder)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        if (strstr(entry->d_name, ".part")) {
            fail_msg("%s/%s is left", folder, entry->d_name);
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
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
        // libgomp ends the program itself, after an empty line, where it has no memory for a team of threads
        const bool of_runtime = strncmp(line, "libgomp: Out of memory", strlen("libgomp: Out of memory")) == 0;
        if (!of_runtime && strncmp(line, "brume: ", strlen("brume: ")) != 0) {
            fail_msg("not a message: %s", line);
        }
        ended_by_runtime = ended_by_runtime || of_runtime;
        errors += !of_runtime && strncmp(line, "brume: warning: ", strlen("brume: warning: ")) != 0;
    }
    return errors > 0 ? errors : ended_by_runtime;
}

/* A call that fails at some time. */
typedef struct Fault {
    const char *call;
    int reason;    // errno; 0: the first byte alone is written
    bool harmless; // the run succeeds nevertheless
    bool stays;    // all later calls fail too
} Fault;

static void set_fault(const Fault *fault, int at)
{
    char text[16];
    assert_int_equal(setenv("BRUME_FAULT_CALL", fault->call, 1), 0);
    (void)snprintf(text, sizeof text, "%d", at);
    assert_int_equal(setenv("BRUME_FAULT_AT", text, 1), 0);
    (void)snprintf(text, sizeof text, "%d", fault->reason);
    assert_int_equal(setenv("BRUME_FAULT_ERRNO", text, 1), 0);
    assert_int_equal(setenv("BRUME_FAULT_STAYS", fault->stays ? "1" : "0", 1), 0);
    assert_int_equal(setenv("BRUME_FAULT_MARK", "mark", 1), 0);
    assert_int_equal(setenv("LD_PRELOAD", BRUME_FAULTY_CALLS, 1), 0);
}

static void clear_fault(void)
{
    assert_int_equal(unsetenv("LD_PRELOAD"), 0);
    assert_int_equal(unsetenv("BRUME_FAULT_CALL"), 0);
}

static void expect_success(const char *arguments, const char *more)
{
    char whole[640];
    (void)snprintf(whole, sizeof whole, "%s %s", arguments, more);
    run_program(&run, whole);
    if (run.status != 0 || run.err[0]) {
        fail_msg("brume %s: status %d, %s", whole, run.status, run.err);
    }
}

// A run with the fault at the n-th call, a new one or one that goes on, and then one that goes on without a fault;
// returns whether there was such a call.
static bool run_with_fault(const Fault *fault, bool resumed, int at)
{
    char folder[64];
    (void)snprintf(folder, sizeof folder, "%s-%d-%d-%d-%d", fault->call, fault->reason, fault->stays, resumed, at);
    char arguments[512];
    start_of_command(arguments, sizeof arguments, folder);
    if (resumed) {
        expect_success(arguments, "--frames 1:2 --keep-checkpoints 2");
        (void)strncat(arguments, " --resume", sizeof arguments - strlen(arguments) - 1);
    }
    (void)unlink("mark");
    set_fault(fault, at);
    run_program(&run, arguments);
    clear_fault();
    const int errors = count_errors(run.err);
    // what the user must cure himself has the exit status 2
    const bool no_scene = strstr(run.err, "brume: probed.yaml: cannot open: Permission denied") != NULL;
    if (run.status != (no_scene ? 2 : errors > 0) || errors > 1 || (fault->harmless && errors > 0)) {
        fail_msg("%s, errno %d: status %d, %s", folder, fault->reason, run.status, run.err);
    }
    assert_images(folder, errors == 0);
    if (!strstr(run.err, "libgomp: ")) { // which ends the program while other threads write
        assert_no_incomplete_file(folder);
    }
    if (errors > 0) {
        expect_success(arguments, "--resume");
    }
    assert_images(folder, true);
    assert_no_incomplete_file(folder);
    char path[96];
    (void)snprintf(path, sizeof path, "%s/m.csv", folder);
    assert_same_files("reference/m.csv", path);
    (void)snprintf(path, sizeof path, "%s/line.csv", folder);
    assert_same_files("reference/line.csv", path);
    return exists("mark");
}

static void make_reference(void)
{
    char arguments[512];
    start_of_command(arguments, sizeof arguments, "reference");
    expect_success(arguments, "");
}

// every so many calls fail; all of them if the environment says 1
static int stride_of(const char *variable, int standard)
{
    const char *wanted = getenv(variable);
    return wanted ? atoi(wanted) : standard;
}

static void fail_each_call(const Fault *faults, int count, int stride)
{
    for (int n = 0; n < 2 * count; n++) {
        const Fault *fault = &faults[n / 2];
        const bool resumed = n % 2 == 1;
        int at = 1 + n % stride;
        while (run_with_fault(fault, resumed, at)) {
            at += stride;
        }
        print_message("%s, errno %d%s%s: %d calls\n", fault->call, fault->reason, fault->stays ? ", stays" : "",
                      resumed ? ", going on" : "", at - stride);
    }
}

static void test_each_call_fails_once(void **state)
{
    (void)state;
    static const Fault faults[] = {
        {"write", ENOSPC, false, false}, {"write", EIO, false, false},    {"write", EINTR, true, false},
        {"write", 0, true, false},       {"open", EACCES, false, false},  {"fsync", EIO, false, false},
        {"rename", EIO, false, false},   {"mkdir", ENOSPC, false, false}, {"close", EIO, false, false},
        {"close", EINTR, false, false},  {"read", EIO, false, false},     {"read", EINTR, true, false},
    };
    make_reference();
    fail_each_call(faults, (int)(sizeof faults / sizeof faults[0]), stride_of("BRUME_FAULT_STRIDE", 4));
}

// whether the program can encode videos
static bool has_video(void)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s", getenv("BRUME_PROGRAM"));
    char *slash = strrchr(path, '/');
    assert_non_null(slash);
    (void)snprintf(slash, sizeof path - (size_t)(slash - path), "/brume-video.so");
    return exists(path);
}

// A video with the fault at the n-th call: it is that of a run without a fault, or there is one clear line and no file.
// Returns whether there was such a call.
static bool encode_with_fault(const Fault *fault, const char *extension, int at)
{
    char folder[64];
    char arguments[256];
    char path[96];
    char reference[64];
    (void)snprintf(folder, sizeof folder, "%s-%d-%s-%d", fault->call, fault->reason, extension, at);
    (void)snprintf(arguments, sizeof arguments,
                   "render little.yaml -q -t 1 -o %s/a.%s --frames 1:%d --checkpoint-every 1", folder, extension,
                   FRAMES);
    (void)snprintf(path, sizeof path, "%s/a.%s", folder, extension);
    (void)snprintf(reference, sizeof reference, "reference/a.%s", extension);
    (void)unlink("mark");
    set_fault(fault, at);
    run_program(&run, arguments);
    clear_fault();
    const int errors = count_errors(run.err);
    const bool no_scene = strstr(run.err, "brume: little.yaml: cannot open: Permission denied") != NULL;
    if (run.status != (no_scene ? 2 : errors > 0) || errors > 1 || (fault->harmless && errors > 0)) {
        fail_msg("%s, errno %d: status %d, %s", folder, fault->reason, run.status, run.err);
    }
    if (errors == 0) {
        assert_same_files(reference, path);
    } else {
        assert_false(exists(path));
    }
    assert_no_incomplete_file(folder);
    return exists("mark");
}

static void test_each_call_of_a_video_fails_once(void **state)
{
    (void)state;
    if (!has_video()) {
        skip();
    }
    static const Fault faults[] = {
        {"write", ENOSPC, false, false}, {"write", 0, true, false},    {"write", EINTR, true, false},
        {"open", EACCES, false, false},  {"fsync", EIO, false, false}, {"rename", EIO, false, false},
        {"close", EIO, false, false},    {"read", EIO, false, false},
    };
    static const char *const extensions[] = {"mp4", "webm"};
    const int stride = stride_of("BRUME_FAULT_STRIDE", 4);
    for (int n = 0; n < 2; n++) {
        char arguments[128];
        (void)snprintf(arguments, sizeof arguments, "render little.yaml -q -o reference/a.%s --frames 1:%d",
                       extensions[n], FRAMES);
        expect_success(arguments, "");
        for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
            int at = 1 + ((int)k + n) % stride;
            while (encode_with_fault(&faults[k], extensions[n], at)) {
                at += stride;
            }
        }
    }
}

static void test_each_allocation_fails(void **state)
{
    (void)state;
    if (!getenv("BRUME_ALLOCATION_STRIDE")) { // takes minutes
        skip();
    }
    static const Fault faults[] = {{"alloc", ENOMEM, false, false}, {"alloc", ENOMEM, false, true}};
    make_reference();
    fail_each_call(faults, (int)(sizeof faults / sizeof faults[0]), stride_of("BRUME_ALLOCATION_STRIDE", 61));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_call_fails_once, enter_with_probe, leave_folder),
        cmocka_unit_test_setup_teardown(test_each_call_of_a_video_fails_once, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_each_allocation_fails, enter_with_probe, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

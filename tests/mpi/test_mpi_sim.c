// brume sim as several processes that mpirun has started: the same states and files as of one process, checkpoints of
// any number of processes, one voice, and an end of all when one fails or dies.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

static ProgramRun run;
static char brume[1024]; // path of the program

enum { FRAMES = 12 };

static const char scene[] = "name: Shared\n"
                            "domain: {size: [1, 1, 1.25]}\n"
                            "solver: {resolution: 20}\n"
                            "time: {fps: 24, frames: 12}\n"
                            "bodies: [{shape: sphere, center: [0, 0.7, 0], radius: 0.15}]\n"
                            "emitters:\n"
                            "  - {shape: sphere, center: [0, 0.25, 0], radius: 0.15, density: 1, temperature: 80}\n"
                            "timeline:\n"
                            "  - {frame: 4, moves: [{body: 0, velocity: [0.5, 0, 0]}]}\n"
                            "  - {frame: 9, set: {solver.cfl: 1}}\n";

static int enter(void **state)
{
    const int status = enter_folder(state);
    make_file("shared.yaml", scene);
    return status;
}

static Program start_on_ranks(int ranks, const char *command, const char *arguments)
{
    char text[4096];
    (void)snprintf(text, sizeof text, "-n %d %s %s", ranks, command, arguments);
    (void)setenv("BRUME_PROGRAM", MPI_LAUNCHER, 1);
    const Program program = start_program(text, 0);
    (void)setenv("BRUME_PROGRAM", brume, 1);
    return program;
}

// waits for a run on ranks; what remains of its standard error are the lines of brume, without what mpirun writes
static void finish_on_ranks(Program *program)
{
    finish_program(program, &run);
    char *end = run.err;
    for (char *line = run.err, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        const char *own = strstr(line, "brume: ");
        if (own && own < next) {
            memmove(end, own, (size_t)(next - own));
            end += next - own;
        }
    }
    *end = '\0';
}

static void run_on_ranks(int ranks, const char *arguments)
{
    Program program = start_on_ranks(ranks, brume, arguments);
    finish_on_ranks(&program);
}

static void run_well_on_ranks(int ranks, const char *arguments)
{
    run_on_ranks(ranks, arguments);
    if (run.status != 0 || run.err[0]) {
        fail_msg("%s: exit status %d, %s", arguments, run.status, run.err);
    }
}

static int count(const char *text, const char *part)
{
    int number = 0;
    for (const char *found = text; (found = strstr(found, part)) != NULL; found += strlen(part)) {
        number++;
    }
    return number;
}

// fails the test unless standard error has one line, this one
static void assert_one_error(int status, const char *line)
{
    if (run.status != status || count(run.err, "\n") != 1 || !strstr(run.err, line)) {
        fail_msg("exit status %d instead of %d, or not one line '%s':\n%s", run.status, status, line, run.err);
    }
}

// the hashes in a file of statistics, one after another
static void read_hashes(const char *path, char hashes[FRAMES][17])
{
    size_t size;
    char *text = read_whole_file(path, &size);
    const char *at = text;
    for (int n = 0; n < FRAMES; n++) {
        at = strstr(at, "\"hash\": \"");
        assert_non_null(at);
        at += strlen("\"hash\": \"");
        (void)snprintf(hashes[n], 17, "%s", at);
    }
    assert_null(strstr(at, "\"hash\""));
    free(text);
}

static void assert_same_hashes(const char *a, const char *b)
{
    char hashes[2][FRAMES][17];
    read_hashes(a, hashes[0]);
    read_hashes(b, hashes[1]);
    for (int n = 0; n < FRAMES; n++) {
        assert_string_equal(hashes[0][n], hashes[1][n]);
    }
}

// the volumes of the first frames in two folders
static void assert_same_volumes(const char *a, const char *b, const char *extension, int frames)
{
    for (int frame = 1; frame <= frames; frame++) {
        char paths[2][64];
        (void)snprintf(paths[0], sizeof paths[0], "%s/a.%04d%s", a, frame, extension);
        (void)snprintf(paths[1], sizeof paths[1], "%s/a.%04d%s", b, frame, extension);
        assert_same_files(paths[0], paths[1]);
    }
}

// The bytes of brume_sim_save at the end of a checkpoint; the durations of stages before them differ from run to run.
static const char *state_in_checkpoint(const char *bytes, size_t size, size_t *state_size)
{
    static const char magic[] = "BRME_MST";
    size_t at = 0;
    while (at + strlen(magic) < size && memcmp(bytes + at, magic, strlen(magic)) != 0) {
        at++;
    }
    *state_size = size - at;
    return bytes + at;
}

static void assert_same_states(const char *a, const char *b)
{
    const char *const paths[2] = {a, b};
    char *bytes[2];
    const char *states[2];
    size_t sizes[2];
    for (int n = 0; n < 2; n++) {
        size_t size;
        bytes[n] = read_whole_file(paths[n], &size);
        states[n] = state_in_checkpoint(bytes[n], size, &sizes[n]);
    }
    assert_true(sizes[0] > 100000);
    assert_int_equal(sizes[1], sizes[0]);
    assert_memory_equal(states[1], states[0], sizes[0]);
    free(bytes[0]);
    free(bytes[1]);
}

static void test_any_number_of_ranks(void **state)
{
    (void)state;
    run_successfully(&run, "sim shared.yaml -q -o one/a.####.vti --measures one/m.csv --stats one.json");
    for (int ranks = 2; ranks <= 4; ranks += 2) {
        char text[256];
        (void)snprintf(text, sizeof text, "sim shared.yaml -o %d/a.####.vti --measures %d/m.csv --stats %d.json", ranks,
                       ranks, ranks);
        run_well_on_ranks(ranks, text);
        assert_int_equal(count(run.out, "frame 12/12"), 1);
        (void)snprintf(text, sizeof text, "%d.json", ranks);
        assert_same_hashes("one.json", text);
        char folder[16];
        (void)snprintf(folder, sizeof folder, "%d", ranks);
        assert_same_volumes("one", folder, ".vti", FRAMES);
        size_t size;
        char *stats = read_whole_file(text, &size);
        (void)snprintf(text, sizeof text, "\"ranks\": %d,", ranks);
        assert_non_null(strstr(stats, text));
        free(stats);
        (void)snprintf(text, sizeof text, "%d/m.csv", ranks);
        assert_same_files("one/m.csv", text);
    }
}

// runs of five frames, whose volumes have this extension
static void run_alone_and_on_ranks(const char *extension, const char *options)
{
    char text[256];
    (void)snprintf(text, sizeof text, "sim shared.yaml -q --frames 1:5 -o one/a.####%s %s", extension, options);
    run_successfully(&run, text);
    (void)snprintf(text, sizeof text, "sim shared.yaml -q --frames 1:5 -o three/a.####%s %s", extension, options);
    run_well_on_ranks(3, text);
    assert_same_volumes("one", "three", extension, 5);
}

static void test_the_same_bytes_of_volumes_and_checkpoints(void **state)
{
    (void)state;
    run_alone_and_on_ranks(".raw", "--fields smoke,temperature,velocity,faces,pressure --checkpoint-every 1 "
                                   "--keep-checkpoints all");
    assert_same_volumes("one", "three", ".raw.yaml", 5);
    for (int frame = 1; frame <= 5; frame++) {
        char paths[2][64];
        (void)snprintf(paths[0], sizeof paths[0], "one/a.checkpoints/%04d.checkpoint", frame);
        (void)snprintf(paths[1], sizeof paths[1], "three/a.checkpoints/%04d.checkpoint", frame);
        assert_same_states(paths[0], paths[1]);
    }
#ifdef BRUME_HAS_HDF5
    run_alone_and_on_ranks(".hdf", "--fields smoke --overwrite");
#endif
}

static void test_another_number_of_ranks_goes_on(void **state)
{
    (void)state;
    static const int ranks[][2] = {{4, 2}, {1, 3}, {2, 1}};
    run_successfully(&run, "sim shared.yaml -q --stats one.json");
    for (int n = 0; n < 3; n++) {
        (void)remove("a.json");
        run_well_on_ranks(ranks[n][0], "sim shared.yaml -q --stats a.json --frames 1:5 --keep-checkpoints 1");
        run_well_on_ranks(ranks[n][1], "sim shared.yaml --stats a.json --resume --overwrite");
        assert_non_null(strstr(run.out, "going on after frame 5 "));
        assert_same_hashes("one.json", "a.json");
        remove_folder("a.checkpoints");
    }
}

// the process of a rank, a child of mpirun
static pid_t rank_process(const Program *program, int rank)
{
    char path[64];
    char text[256] = "";
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)program->pid, (int)program->pid);
    FILE *children = fopen(path, "r");
    assert_non_null(children);
    assert_non_null(fgets(text, sizeof text, children));
    (void)fclose(children);
    char *word = text;
    for (int n = 0; n < rank; n++) {
        word = strchr(word, ' ') + 1;
    }
    return (pid_t)strtol(word, NULL, 10);
}

// whether a process runs; one whose parent has not taken its status yet does not
static bool is_running(pid_t process)
{
    char path[64];
    char text[256] = "";
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *about = fopen(path, "r");
    const bool found = about && fgets(text, sizeof text, about);
    if (about) {
        (void)fclose(about);
    }
    const char *const state = strrchr(text, ')');
    return found && state && state[2] != 'Z' && state[2] != 'X';
}

static const char slow_run[] = "sim shared.yaml -q -D solver.resolution=32 -D solver.cfl=0.5 -o out/a.####.vti "
                               "--stats a.json --checkpoint-every 2";

// a run of two ranks that goes on from the checkpoints of a stopped one has the states of an undisturbed one
static void go_on(void)
{
    char text[512];
    (void)snprintf(text, sizeof text, "%s --resume", slow_run);
    run_well_on_ranks(2, text);
    if (!exists("one.json")) {
        run_successfully(&run, "sim shared.yaml -q -D solver.resolution=32 -D solver.cfl=0.5 -o one/a.####.vti --stats "
                               "one.json");
    }
    assert_same_hashes("one.json", "a.json");
    assert_same_volumes("one", "out", ".vti", FRAMES);
    remove_folder("out");
    (void)remove("a.json");
}

static void test_a_signal_to_any_rank_stops_all(void **state)
{
    (void)state;
    for (int rank = -1; rank <= 2; rank += 2) { // -1: mpirun, which sends SIGUSR2 on
        Program program = start_on_ranks(3, brume, slow_run);
        wait_for_file(&program, "out/a.0003.vti");
        const pid_t process = rank < 0 ? program.pid : rank_process(&program, rank);
        assert_int_equal(kill(process, rank < 0 ? SIGUSR2 : SIGTERM), 0);
        finish_on_ranks(&program);
        assert_int_equal(run.status, 130);
        assert_int_equal(count(run.err, "interrupted after frame"), 1);
        assert_in_range(count_entries("out/a.checkpoints"), 1, 2);
        go_on();
    }
}

static void test_the_death_of_a_rank_ends_all(void **state)
{
    (void)state;
    for (int rank = 0; rank < 2; rank++) {
        Program program = start_on_ranks(3, brume, slow_run);
        wait_for_file(&program, "out/a.0004.vti");
        pid_t processes[3];
        for (int n = 0; n < 3; n++) {
            processes[n] = rank_process(&program, n);
        }
        assert_int_equal(kill(processes[rank], SIGKILL), 0);
        assert_true(ends_within(&program, 10.0));
        finish_on_ranks(&program);
        assert_int_not_equal(run.status, 0);
        for (int n = 0; n < 3; n++) {
            assert_false(is_running(processes[n]));
        }
        go_on();
    }
}

static void test_a_silent_rank_ends_all(void **state)
{
    (void)state;
    char text[512];
    (void)snprintf(text, sizeof text, "%s --rank-timeout 2s", slow_run);
    Program program = start_on_ranks(3, brume, text);
    wait_for_file(&program, "out/a.0003.vti");
    assert_int_equal(kill(rank_process(&program, 2), SIGSTOP), 0);
    assert_true(ends_within(&program, 20.0));
    finish_on_ranks(&program);
    assert_int_not_equal(run.status, 0);
    assert_int_equal(count(run.err, "no sign of life from rank "), 1);
    go_on();
}

static void test_errors(void **state)
{
    (void)state;
    run_on_ranks(2, "sim nothing.yaml -o a.####.vti");
    assert_one_error(2, "brume: nothing.yaml: cannot open");
    run_on_ranks(2, "sim shared.yaml --nothing");
    assert_one_error(2, "brume: unknown option '--nothing'");
    run_on_ranks(2, "sim - --stats s.json");
    assert_one_error(2,
                     "brume: mpirun has started 2 processes, of which only one can read a scene from standard input");
    run_on_ranks(2, "sim shared.yaml -q -o out/a.####.vti --measures /dev/full");
    assert_one_error(1, "brume: /dev/full: cannot write");
    // a file that cannot be written after some frames
    assert_int_equal(mkdir("late", 0777), 0);
    assert_int_equal(mkdir("late/a.0003.vti", 0777), 0);
    run_on_ranks(3, "sim shared.yaml -q -o late/a.####.vti --overwrite");
    assert_one_error(1, "late/a.0003.vti");
    // one rank that fails before the others
    char text[2048];
    (void)snprintf(text, sizeof text, "exec %s sim $OMPI_COMM_WORLD_RANK.yaml -q --stats s.json\n", brume);
    make_file("uneven.sh", text);
    make_file("0.yaml", scene);
    Program program = start_on_ranks(2, "sh", "uneven.sh");
    finish_on_ranks(&program);
    assert_one_error(2, "brume: rank 1: 1.yaml: cannot open");
}

// the messages and bytes of the first frames in the output of a program: "frame N: ... M messages, B bytes between"
static void read_traffic(const char *text, int frames, long long traffic[][2])
{
    for (int frame = 1; frame <= frames; frame++) {
        char start[16];
        (void)snprintf(start, sizeof start, "frame %d: ", frame);
        const char *line = strstr(text, start);
        const char *end = line ? strstr(line, " messages, ") : NULL;
        if (!end) {
            fail_msg("no messages of frame %d in %s", frame, text);
            return;
        }
        const char *number = end;
        while (number[-1] >= '0' && number[-1] <= '9') {
            number--;
        }
        assert_int_equal(
            sscanf(number, "%lld messages, %lld bytes between", &traffic[frame - 1][0], &traffic[frame - 1][1]), 2);
    }
}

static void test_messages_are_those_of_the_model(void **state)
{
    (void)state;
    enum { MODELED = 3 };
    long long sent[MODELED][2] = {{0}};
    long long modeled[MODELED][2] = {{0}};
    run_well_on_ranks(3, "sim shared.yaml -v --frames 1:3 -o out/a.####.vti");
    assert_non_null(strstr(run.out, "ranks: 3 of 4 to 8 planes"));
    read_traffic(run.out, MODELED, sent);
    run_successfully(&run, "info shared.yaml --ranks 3 --frames 3");
    read_traffic(run.out, MODELED, modeled);
    assert_true(sent[0][0] > 0);
    assert_memory_equal(sent, modeled, sizeof sent);

    run_well_on_ranks(2, "sim shared.yaml -q --stats measured.json --slabs measured");
    run_successfully(&run, "sim shared.yaml -q --stats one.json");
    assert_same_hashes("measured.json", "one.json");
}

int main(void)
{
    (void)snprintf(brume, sizeof brume, "%s", getenv("BRUME_PROGRAM") ? getenv("BRUME_PROGRAM") : "");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_any_number_of_ranks, enter, leave_folder),
        cmocka_unit_test_setup_teardown(test_the_same_bytes_of_volumes_and_checkpoints, enter, leave_folder),
        cmocka_unit_test_setup_teardown(test_another_number_of_ranks_goes_on, enter, leave_folder),
        cmocka_unit_test_setup_teardown(test_a_signal_to_any_rank_stops_all, enter, leave_folder),
        cmocka_unit_test_setup_teardown(test_the_death_of_a_rank_ends_all, enter, leave_folder),
        cmocka_unit_test_setup_teardown(test_a_silent_rank_ends_all, enter, leave_folder),
        cmocka_unit_test_setup_teardown(test_messages_are_those_of_the_model, enter, leave_folder),
        cmocka_unit_test_setup_teardown(test_errors, enter, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

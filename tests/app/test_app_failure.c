// Runs that end early: a full disk, Ctrl-C, too little memory. No image file is incomplete.
#define _GNU_SOURCE // unshare

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

static ProgramRun run;

static void pause_ms(long ms)
{
    const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)nanosleep(&pause, NULL);
}

static void assert_frames(const char *folder, int count, int width, int height)
{
    assert_int_equal(count_entries(folder), count);
    for (int frame = 1; frame <= count; frame++) {
        char path[256];
        (void)snprintf(path, sizeof path, "%s/a.%04d.png", folder, frame);
        assert_whole_png(path, width, height);
    }
}

// moves away the checkpoint of a run that was stopped
static void take_checkpoint(void)
{
    assert_int_equal(count_entries("out/a.checkpoints"), 1);
    assert_int_equal(rename("out/a.checkpoints", "checkpoints"), 0);
}

static void test_full_disk(void **state)
{
    (void)state;
    assert_int_equal(mkdir("small", 0777), 0);
    // in a mount namespace of this process alone
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", "small", "tmpfs", 0, "size=100k") != 0) {
        print_message("no permission to mount a file system\n");
        skip();
    }
    run_program(&run, "render little.yaml -q -o small/a.####.png --size 160x90");
    const int written = count_entries("small");
    const char warning[] = "brume: warning: small has 102 kB free, and the outputs may need up to ";
    assert_memory_equal(run.err, warning, sizeof warning - 1);
    // the run stops before a write fails; a checkpoint does not fit
    char expected[256];
    (void)snprintf(
        expected, sizeof expected,
        ": stopped after frame %d of 12, without a checkpoint (free some space); %d frames are written, 1 to "
        "%d\n",
        written, written, written);
    assert_non_null(strstr(run.err, "\nbrume: small has "));
    assert_non_null(strstr(run.err, " free, and the next frames need "));
    assert_non_null(strstr(run.err, expected));
    assert_int_equal(run.status, 1);
    assert_string_equal(run.out, "");
    assert_in_range(written, 2, 11);
    assert_frames("small", written, 160, 90);
}

static int leave_small_disk(void **state)
{
    (void)umount2("small", MNT_DETACH);
    return leave_folder(state);
}

// a limit on the file size, which needs no permission
static void test_file_that_does_not_fit(void **state)
{
    (void)state;
    Program program = start_program("render little.yaml -q -o out/a.####.png --size 160x90", 1024);
    finish_program(&program, &run);
    assert_string_equal(run.err, "brume: out/a.0001.png: cannot write: File too large; no frame is written\n");
    assert_int_equal(run.status, 1);
    assert_int_equal(count_entries("out"), 0);
}

static void test_log_and_stats_that_fail(void **state)
{
    (void)state;
    run_program(&run, "render little.yaml -q -o out/a.####.png --frames 1:2 --log /dev/full");
    assert_string_equal(run.err, "brume: /dev/full: cannot write the log: No space left on device\n");
    assert_int_equal(run.status, 1);
    assert_frames("out", 2, 64, 36);

    // before any work
    run_program(&run, "render little.yaml -q -o new/a.####.png --stats /proc/nowhere/s.json");
    assert_string_equal(run.err, "brume: /proc/nowhere: cannot make the folder: No such file or directory\n");
    assert_int_equal(run.status, 1);
    assert_false(exists("new/a.0001.png"));
}

static void run_with_output(const char *arguments, const char *path)
{
    Program program = start_program_with_output(arguments, path);
    finish_program(&program, &run);
}

static void test_full_standard_output(void **state)
{
    (void)state;
    static const char *const arguments[] = {"info little.yaml",
                                            "help",
                                            "help render",
                                            "render --help",
                                            "-h",
                                            "--version",
                                            "render little.yaml --dry-run",
                                            "sim little.yaml --until-steady 1"};
    for (size_t n = 0; n < sizeof arguments / sizeof arguments[0]; n++) {
        run_with_output(arguments[n], "/dev/full");
        const char *expected = "brume: cannot write to standard output: No space left on device\n";
        const char *line = strstr(run.err, "brume: cannot"); // after the warning that the state is not steady
        assert_non_null(line);
        assert_string_equal(line, expected);
        assert_int_equal(run.status, 1);
    }
    // another error remains the only one
    run_with_output("info nowhere.yaml", "/dev/full");
    assert_string_equal(run.err, "brume: nowhere.yaml: cannot open: No such file or directory\n");
    assert_int_equal(run.status, 2);
    // nothing is printed
    run_with_output("render little.yaml -q -o out/a.####.png --frames 1:2", "/dev/full");
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
}

// no file that the program opens takes the place of standard output
static void test_closed_standard_output(void **state)
{
    (void)state;
    run_with_output("render little.yaml -q -v -o out/a.####.png --log run.log --frames 1:2", NULL);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_frames("out", 2, 64, 36);
    run_with_output("render little.yaml -o out/b.####.png --measures m.csv --frame 1", NULL);
    assert_string_equal(run.err, "brume: cannot write to standard output: Bad file descriptor\n");
    assert_int_equal(run.status, 1);
    assert_whole_png("out/b.0001.png", 64, 36);
    size_t size;
    char *table = read_whole_file("m.csv", &size);
    assert_null(strstr(table, "elapsed"));
    free(table);
}

// a folder in which no file can be created is an error before the simulation: no progress is printed
static void test_unwritable_folder(void **state)
{
    (void)state;
    run_program(&run, "render little.yaml -o /proc/a.####.png --frame 12");
    assert_string_equal(run.err, "brume: /proc/a.0012.png: cannot write: No such file or directory\n");
    assert_string_equal(run.out, "");
    assert_int_equal(run.status, 1);
    run_program(&run, "bench little.yaml --sizes 8 --csv /proc/b.csv");
    assert_string_equal(run.err, "brume: /proc/b.csv: cannot write: No such file or directory\n");
    assert_string_equal(run.out, "");
    assert_int_equal(run.status, 1);
    if (geteuid() != 0) { // the superuser may write everywhere
        assert_int_equal(mkdir("out", 0555), 0);
        run_program(&run, "render little.yaml -o out/a.####.png --frame 12");
        assert_string_equal(run.err, "brume: out/a.0012.png: cannot write: Permission denied\n");
        assert_string_equal(run.out, "");
        assert_int_equal(run.status, 1);
    }
}

// a run removes the temporary files of killed runs, also those of frames that it does not draw
static void test_temporary_files_of_killed_runs(void **state)
{
    (void)state;
    assert_int_equal(mkdir("out", 0777), 0);
    make_file("out/a.0001.png.brume-0.part", "half a picture");
    make_file("out/a.0009.png.brume-0.part", "half a picture");
    make_file("out/b.0009.png.brume-0.part", "of another pattern");
    make_file("s.json.brume-0.part", "{");
    run_program(&run, "render little.yaml -q -o out/a.####.png --frames 1:2 --stats s.json");
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_int_equal(unlink("out/b.0009.png.brume-0.part"), 0);
    assert_frames("out", 2, 64, 36);
    assert_int_equal(count_entries("."), 3); // little.yaml, out and s.json
}

// a frame that another program creates during the run is not replaced
static void test_frame_of_another_run(void **state)
{
    (void)state;
    Program program = start_program("render little.yaml -q -o out/a.####.png -D time.frames=5000", 0);
    wait_for_file(&program, "out/a.0001.png");
    assert_int_equal(kill(program.pid, SIGSTOP), 0);
    char path[64];
    int frame = count_entries("out") + 20;
    (void)snprintf(path, sizeof path, "out/a.%04d.png", frame);
    make_file(path, "of another run");
    assert_int_equal(kill(program.pid, SIGCONT), 0);
    finish_program(&program, &run);
    char expected[256];
    (void)snprintf(expected, sizeof expected,
                   "brume: %s: cannot write: another program has created it meanwhile (write to another folder); %d "
                   "frames are written, 1 to %d\n",
                   path, frame - 1, frame - 1);
    assert_string_equal(run.err, expected);
    assert_int_equal(run.status, 1);
    assert_int_equal(unlink(path), 0);
    assert_frames("out", frame - 1, 64, 36);
}

// of two runs that are started at once, one writes all frames and its whole table, and the other fails
static void test_two_runs_at_once(void **state)
{
    (void)state;
    static const char *const arguments[] = {"render little.yaml -q -o out/a.####.png",
                                            "sim little.yaml -q --measures m.csv"};
    for (int n = 0; n < 2; n++) {
        static ProgramRun other;
        Program first = start_program(arguments[n], 0);
        Program second = start_program(arguments[n], 0);
        finish_program(&first, &run);
        finish_program(&second, &other);
        const ProgramRun *failed = run.status == 0 ? &other : &run;
        assert_int_equal(run.status == 0 ? run.status : other.status, 0);
        assert_in_range(failed->status, 1, 2);
        assert_non_null(strstr(failed->err, failed->status == 1 ? "another program has created it" : "--overwrite"));
        assert_int_equal(strchr(failed->err, '\n') - failed->err, (int)strlen(failed->err) - 1);
    }
    assert_frames("out", 12, 64, 36);
    size_t size;
    char *table = read_whole_file("m.csv", &size);
    int lines = 0;
    for (const char *c = table; (c = strchr(c, '\n')) != NULL; c++) {
        lines++;
    }
    assert_int_equal(lines, 1 + 13); // the header, the initial state and the frames
    free(table);
}

static void assert_interrupted_by(int signal_number)
{
    Program program = start_program("render little.yaml -q -o out/a.####.png -D time.frames=5000 --stats s.json", 0);
    wait_for_file(&program, "out/a.0003.png");
    assert_int_equal(kill(program.pid, signal_number), 0);
    finish_program(&program, &run);
    assert_int_equal(run.status, 130);
    int done = 0;
    const char *line = strstr(run.err, "brume: interrupted");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "brume: interrupted after frame %d of 5000", &done), 1);
    assert_in_range(done, 3, 4999);
    char expected[512];
    (void)snprintf(expected, sizeof expected,
                   "brume: stopping after this frame (a second signal stops immediately)\n"
                   "brume: interrupted after frame %d of 5000 (go on with --resume); %d frames are written, 1 to %d\n",
                   done, done, done);
    assert_string_equal(run.err, expected);
    take_checkpoint();
    assert_frames("out", done, 64, 36);
    size_t size;
    char *stats = read_whole_file("s.json", &size);
    assert_true(is_json(stats));
    free(stats);
}

static void test_interrupt(void **state)
{
    (void)state;
    assert_interrupted_by(SIGINT);
}

static void test_terminate(void **state)
{
    (void)state;
    assert_interrupted_by(SIGTERM);
}

static void test_hang_up(void **state)
{
    (void)state;
    assert_interrupted_by(SIGHUP);
}

// frames of 800 steps, which the second signal interrupts also where this process runs late
static void assert_stopped_by(int first_signal, int second_signal)
{
    Program program = start_program("render little.yaml -q -o out/a.####.png --stats s.json -D solver.resolution=40 "
                                    "-D solver.min_steps=800 -D solver.max_steps=800",
                                    0);
    wait_for_file(&program, "out/a.0001.png");
    pause_ms(100); // well into the second frame
    assert_int_equal(kill(program.pid, first_signal), 0);
    wait_for_error_output(&program); // two signals that are pending at once would be delivered as one
    if (second_signal == SIGHUP) {
        pause_ms(300); // one that follows SIGHUP immediately does not count
    }
    assert_int_equal(kill(program.pid, second_signal), 0);
    finish_program(&program, &run);
    assert_int_equal(run.status, 130);
    assert_string_equal(run.err, "brume: stopping after this frame (a second signal stops immediately)\n");
    assert_frames("out", 1, 64, 36);
    size_t size;
    char *stats = read_whole_file("s.json", &size);
    assert_true(is_json(stats)); // also while the run continues
    free(stats);
}

static void test_second_interrupt(void **state)
{
    (void)state;
    assert_stopped_by(SIGINT, SIGINT);
}

static void test_second_hang_up(void **state)
{
    (void)state;
    assert_stopped_by(SIGHUP, SIGHUP);
}

// a terminal that is closed sends SIGHUP twice: the frame is finished nevertheless
static void test_repeated_hang_up(void **state)
{
    (void)state;
    Program program = start_program("render little.yaml -q -o out/a.####.png -D solver.resolution=40 "
                                    "-D solver.min_steps=100 -D solver.max_steps=100",
                                    0);
    wait_for_file(&program, "out/a.0001.png");
    pause_ms(30);
    assert_int_equal(kill(program.pid, SIGHUP), 0);
    wait_for_error_output(&program);
    assert_int_equal(kill(program.pid, SIGHUP), 0);
    finish_program(&program, &run);
    assert_int_equal(run.status, 130);
    assert_non_null(strstr(run.err, "brume: interrupted after frame 2 of 12 "));
    take_checkpoint();
    assert_frames("out", 2, 64, 36);
}

static void test_too_little_memory(void **state)
{
    (void)state;
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (memory > 100e9) {
        print_message("the memory of this machine suffices for the largest scene\n");
        skip();
    }
    run_program(&run, "render little.yaml -o out/a.####.png -D solver.resolution=1250 -D domain.size=[1,1,1]");
    assert_int_equal(run.status, 1);
    assert_string_equal(run.out, "");
    assert_int_equal(strncmp(run.err, "brume: 1250 x 1250 x 1250 cells and 64 x 36 pixels need ", 56), 0);
    assert_non_null(strstr(run.err, " (lower solver.resolution)\n"));
    assert_false(exists("out"));
}

// a limit below what a run needs refuses it, before it makes a file or a folder
static void test_memory_limit(void **state)
{
    (void)state;
    run_program(&run, "render little.yaml -o out/a.####.png --max-memory 1M --frames 1:2");
    assert_string_equal(run.out, "");
    assert_int_equal(strncmp(run.err, "brume: 16 x 24 x 16 cells and 64 x 36 pixels need ", 50), 0);
    assert_non_null(strstr(run.err, " of memory (simulation "));
    assert_non_null(strstr(run.err, ", renderer "));
    assert_non_null(strstr(run.err, ", images 69.1 kB, checkpoint "));
    assert_non_null(strstr(run.err, "), --max-memory allows 1.00 MB (lower solver.resolution)\n"));
    assert_int_equal(run.status, 1);
    assert_false(exists("out"));

    // the renderer and its images count: this picture alone has 8 GB of buffers
    run_program(&run, "render little.yaml -o out/a.####.png --max-memory 6G --size 16384x16384");
    assert_non_null(strstr(run.err, "16 x 24 x 16 cells and 16384 x 16384 pixels need 8.0"));
    assert_non_null(strstr(run.err, " (lower the size of the image)\n"));
    assert_int_equal(run.status, 1);
    run_program(&run, "render little.yaml --dry-run --max-memory 6G --size 16384x16384");
    assert_int_equal(run.status, 1);

    // without images there is neither
    run_program(&run, "sim little.yaml --until-steady 1 --max-memory=500kB -q");
    assert_int_equal(strncmp(run.err, "brume: 16 x 24 x 16 cells need ", 31), 0);
    assert_null(strstr(run.err, "renderer"));
    assert_int_equal(run.status, 1);
    run_program(&run, "sim little.yaml --stats s.json --max-memory 8MiB -q -D time.frames=2");
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);

    static const char *const wrong[] = {"lots", "0", "-1G", "8X", "8GiBs", "nan", "1e30", "inf"};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        char arguments[128];
        char expected[128];
        (void)snprintf(arguments, sizeof arguments, "render little.yaml -o out/a.####.png --max-memory=%s", wrong[n]);
        (void)snprintf(expected, sizeof expected,
                       "brume: --max-memory: '%s' is not a size of memory (for example 8G or 500M)\n", wrong[n]);
        run_program(&run, arguments);
        assert_string_equal(run.err, expected);
        assert_int_equal(run.status, 2);
    }
}

static void test_unconverged_solves_are_reported(void **state)
{
    (void)state;
    run_program(&run,
                "render little.yaml -q -o out/a.####.png --frames 1:3 --stats s.json -D solver.pressure=relaxation "
                "-D solver.max_iterations=1 -D solver.tolerance=1e-6");
    assert_int_equal(run.status, 0);
    assert_int_equal(
        strncmp(run.err, "brume: warning: pressure did not converge in 3 of 3 frames (largest residual ", 77), 0);
    assert_non_null(strstr(run.err, ", tolerance 1.0e-06)\n"));
    size_t size;
    char *stats = read_whole_file("s.json", &size);
    assert_non_null(strstr(stats, "\"converged\": false"));
    free(stats);
}

// a scene that probably does not mean what it says is told where: by a run, its estimate and `info`
static void test_scene_warnings(void **state)
{
    (void)state;
    make_file("flat.yaml", "domain: {size: [1, 0.1, 1]}\nsolver: {resolution: 16}\ntime: {frames: 1}\n"
                           "image: {width: 16, height: 9}\n");
    static const char *const commands[] = {"render flat.yaml -q -o a.png", "render flat.yaml --dry-run",
                                           "info flat.yaml", "sim flat.yaml -q --stats s.json"};
    for (size_t n = 0; n < sizeof commands / sizeof commands[0]; n++) {
        run_program(&run, commands[n]);
        assert_string_equal(run.err,
                            "brume: warning: flat.yaml:1:16: the side of 0.1 m along y becomes 0.5 m, because it "
                            "has at least 8 cells of 0.0625 m; a higher 'resolution' makes the cells smaller\n");
        assert_int_equal(run.status, 0);
    }
}

static const char sealed_scene[] =
    "domain: {size: [2, 1, 1], boundaries: {x_min: {kind: inflow, velocity: [1, 0, 0]}, x_max: open, y_max: wall}}\n"
    "solver: {resolution: 16}\n"
    "time: {frames: 3, fps: 24}\n"
    "image: {width: 16, height: 9}\n"
    "bodies:\n"
    "  - {shape: box, from: [-0.25, -1, -1], to: [0, 2, 1]}\n";

// an inflow into a region that bodies enclose is told once, also where a body closes it later
static void test_sealed_inflow(void **state)
{
    (void)state;
    const char *const warning = "frame 0: the air from the inflow 'x_min' (1 m^3/s) cannot leave the region [-1, 0, "
                                "-0.5] to [-0.25, 1, 0.5] m, which walls and bodies enclose";
    make_file("sealed.yaml", sealed_scene);
    run_program(&run, "sim sealed.yaml -q --stats s.json");
    assert_non_null(strstr(run.err, warning));
    assert_null(strstr(strstr(run.err, warning) + strlen(warning), "the air from"));
    assert_int_equal(run.status, 0);

    // a gap of one cell lets the air out
    run_program(&run, "sim sealed.yaml -q --stats s.json --overwrite -D bodies.0.to=[0,0.875,1]");
    assert_null(strstr(run.err, "the air from"));
    assert_int_equal(run.status, 0);
    // until the body moves
    char moving[1024];
    (void)snprintf(moving, sizeof moving, "%stimeline: [{frame: 1, moves: [{body: 0, velocity: [0, -6, 0]}]}]\n",
                   sealed_scene);
    make_file("moving.yaml", moving);
    run_program(&run, "sim moving.yaml -q --stats s.json --overwrite -D bodies.0.from=[-0.25,0.25,-1]");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.err, "frame 2: the air from the inflow 'x_min'"));
    // a region without an inflow may be enclosed
    run_program(&run, "sim sealed.yaml -q --stats s.json --overwrite -D domain.boundaries.x_min=wall");
    assert_null(strstr(run.err, "the air from"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_file_that_does_not_fit, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_log_and_stats_that_fail, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_full_standard_output, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_closed_standard_output, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_unwritable_folder, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_temporary_files_of_killed_runs, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_frame_of_another_run, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_two_runs_at_once, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_interrupt, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_terminate, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_hang_up, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_second_interrupt, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_second_hang_up, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_repeated_hang_up, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_too_little_memory, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_memory_limit, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_scene_warnings, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_sealed_inflow, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_unconverged_solves_are_reported, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_full_disk, enter_folder,
                                        leave_small_disk), // last: it changes the mount namespace
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

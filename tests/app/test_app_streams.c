// `-` as the path of a scene on standard input and of a table on standard output.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

static ProgramRun run;

// runs the program with the file `path` as its standard input; with `as_pipe`, through a pipe
static void run_with_input(const char *arguments, const char *path, bool as_pipe)
{
    const int before = dup(STDIN_FILENO);
    int file = open(path, O_RDONLY);
    assert_true(before >= 0 && file >= 0);
    pid_t writer = -1;
    if (as_pipe) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        writer = fork();
        assert_true(writer >= 0);
        if (writer == 0) {
            char byte;
            (void)close(ends[0]);
            while (read(file, &byte, 1) == 1 && write(ends[1], &byte, 1) == 1) {
            }
            _exit(0);
        }
        (void)close(ends[1]);
        (void)close(file);
        file = ends[0];
    }
    assert_int_equal(dup2(file, STDIN_FILENO), STDIN_FILENO);
    (void)close(file);
    run_program(&run, arguments);
    assert_int_equal(dup2(before, STDIN_FILENO), STDIN_FILENO);
    (void)close(before);
    if (writer > 0) {
        assert_int_equal(waitpid(writer, NULL, 0), writer);
    }
}

static void expect_error(const char *arguments, const char *input, int status, const char *line)
{
    run_with_input(arguments, input, false);
    assert_string_equal(run.err, line);
    assert_int_equal(run.status, status);
}

static void test_scene_on_standard_input(void **state)
{
    (void)state;
    static ProgramRun from_file;
    run_program(&from_file, "info little.yaml");
    run_with_input("info -", "little.yaml", false);
    assert_string_equal(run.out, from_file.out);
    run_with_input("info -", "little.yaml", true);
    assert_string_equal(run.out, from_file.out);
    assert_int_equal(run.status, 0);

    run_program(&run, "render little.yaml -q -o a.####.png --frames 1:3");
    assert_int_equal(run.status, 0);
    for (int as_pipe = 0; as_pipe < 2; as_pipe++) {
        run_with_input("render - -q -o out/a.####.png --frames 1:3 -D time.fps=24 --stats out/s.json --overwrite",
                       "little.yaml", as_pipe);
        assert_string_equal(run.err, "");
        assert_int_equal(run.status, 0);
        assert_same_files("a.0003.png", "out/a.0003.png");
        size_t size;
        char *stats = read_whole_file("out/s.json", &size);
        assert_non_null(strstr(stats, "\"scene\": \"Little plume\",\n  \"file\": \"/dev/stdin\""));
        free(stats);
    }

    // a run goes on with the same scene, and not with another one
    run_with_input("render - -q -o b/a.####.png --frames 1:3 --keep-checkpoints 1", "little.yaml", true);
    assert_int_equal(run.status, 0);
    run_with_input("render - -o b/a.####.png --resume", "little.yaml", true);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "going on after frame 3 "));
    expect_error("render - -o b/a.####.png --resume -D solver.cfl=3 -D time.frames=20", "little.yaml", 2,
                 "brume: --resume: the scene has changed since frame 3: solver.cfl (default, now 3) (change it back, "
                 "give --resume=force to go on with the new values, or --overwrite to start again)\n");
}

static void test_refused_scenes_on_standard_input(void **state)
{
    (void)state;
    make_file("bad.yaml", "# a misspelled key\nsolver:\n  resolutoin: 64\n");
    make_file("empty.yaml", "");
    static const char *const commands[] = {"info -", "render - -o out/a.####.png", "sim - --stats s.json"};
    for (size_t n = 0; n < sizeof commands / sizeof commands[0]; n++) {
        expect_error(commands[n], "bad.yaml", 2,
                     "stdin:3:3: unknown key 'resolutoin' in 'solver' (did you mean 'resolution'?)\n");
        expect_error(commands[n], "empty.yaml", 2, "stdin:1:1: the file is empty\n");
        expect_error(commands[n], ".", 1, "brume: stdin: cannot read: Is a directory\n");
        run_with_input(commands[n], "/dev/zero", false);
        assert_string_equal(run.err, "brume: stdin: too large for a scene\n");
        assert_int_equal(run.status, 2);
    }
    const int file = open("zero.yaml", O_WRONLY | O_CREAT, 0666);
    assert_int_equal(write(file, "name: a\0b\n", 10), 10);
    assert_int_equal(close(file), 0);
    expect_error("info -", "zero.yaml", 2, "brume: stdin: not a text in UTF-8: byte 0x00 is not allowed\n");

    // the file that standard input is redirected from is the scene
    expect_error("sim - --stats little.yaml --overwrite", "little.yaml", 2,
                 "brume: little.yaml is the scene (give another --stats)\n");
    assert_int_equal(link("little.yaml", "hard.png"), 0);
    expect_error("render - -o hard.png --frame 1 --overwrite", "little.yaml", 2,
                 "brume: hard.png is the scene (give another --output)\n");
    assert_int_equal(count_entries("."), 5);
}

static void test_tables_on_standard_output(void **state)
{
    (void)state;
    run_program(&run, "sim little.yaml -q --measures m.csv --stats s.json -D time.frames=4");
    assert_int_equal(run.status, 0);
    size_t size;
    char *table = read_whole_file("m.csv", &size);
    run_program(&run, "sim little.yaml --measures - -D time.frames=4");
    assert_string_equal(run.out, table);
    assert_non_null(strstr(run.err, "frame 4/4  100%"));
    assert_non_null(strstr(run.err, "4 frames in "));
    assert_int_equal(run.status, 0);
    free(table);

    run_program(&run, "sim little.yaml --stats - -v -D time.frames=4");
    assert_true(is_json(run.out));
    assert_memory_equal(run.out, "{\n  \"program\": \"brume\"", 22);
    char *stats = read_whole_file("s.json", &size);
    const char *hash = strstr(stats, "\"frame\": 4");
    assert_non_null(hash);
    hash = strstr(hash, "\"hash\": ");
    char expected[32];
    (void)snprintf(expected, sizeof expected, "%.26s", hash);
    assert_non_null(strstr(run.out, expected));
    free(stats);
    assert_int_equal(run.status, 0);

    // images and the other table go to files as before
    run_program(&run, "render little.yaml -q -o out/a.####.png --frames 1:2 --measures - --stats out/s.json");
    assert_memory_equal(run.out, "frame,time,", 11);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_int_equal(count_entries("out"), 3);
    assert_int_equal(count_entries("."), 4); // no file is named '-'
    assert_false(exists("-"));

    run_program(&run, "sim little.yaml --measures - --stats -");
    assert_string_equal(run.err,
                        "brume: --measures and --stats both write to standard output (give one of them a file)\n");
    assert_string_equal(run.out, "");
    assert_int_equal(run.status, 2);
}

static void test_standard_output_that_fails(void **state)
{
    (void)state;
    Program program = start_program_with_output("sim little.yaml -q --measures - -D time.frames=2", "/dev/full");
    finish_program(&program, &run);
    assert_string_equal(run.err, "brume: standard output: cannot write: No space left on device\n");
    assert_int_equal(run.status, 1);
    program = start_program_with_output("sim little.yaml -q --stats - -D time.frames=2", "/dev/full");
    finish_program(&program, &run);
    assert_string_equal(run.err, "brume: cannot write to standard output: No space left on device\n");
    assert_int_equal(run.status, 1);
    assert_int_equal(count_entries("."), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_scene_on_standard_input, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_refused_scenes_on_standard_input, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_tables_on_standard_output, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_standard_output_that_fails, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

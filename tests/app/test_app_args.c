// Invalid arguments and scenes: the exact error line and exit status of each.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "program.h"

typedef struct BadCase {
    const char *arguments;
    int status;
    const char *line; // on standard error
} BadCase;

static const BadCase bad_arguments[] = {
    // commands
    {"", 2, "brume: no command (see 'brume help')"},
    {"rendr little.yaml", 2, "brume: unknown command 'rendr' (did you mean 'render'?)"},
    {"little.yaml", 2,
     "brume: unknown command 'little.yaml' (commands: render, sim, view, info, convert, refine, join, bench, help)"},
    {"help rendr", 2, "brume: unknown command 'rendr' (did you mean 'render'?)"},
    {"help render info", 2, "brume: unexpected argument 'info' ('help' takes one COMMAND, and has 'render')"},
    {"--bogus", 2, "brume: unknown option '--bogus' (see 'brume help')"},
    // options
    {"render little.yaml --framse 1:2", 2, "brume: unknown option '--framse' of 'render' (did you mean '--frames'?)"},
    {"render little.yaml --xyzzy", 2, "brume: unknown option '--xyzzy' of 'render' (see 'brume help render')"},
    {"render little.yaml -Z", 2, "brume: unknown option '-Z' of 'render' (see 'brume help render')"},
    {"render little.yaml -qZ", 2, "brume: unknown option '-Z' of 'render' (see 'brume help render')"},
    {"render little.yaml --csv t.csv", 2, "brume: option '--csv' belongs to 'bench', not to 'render'"},
    {"render little.yaml -\xc3\xa9", 2, "brume: unknown option '-\xc3\xa9' of 'render' (see 'brume help render')"},
    {"info little.yaml -t 2", 2, "brume: option '-t' belongs to 'render', not to 'info'"},
    {"sim little.yaml --dry-run", 2, "brume: option '--dry-run' belongs to 'render', not to 'sim'"},
    {"sim little.yaml -o a.####.png", 2,
     "brume: --output: 'a.####.png' is an image; brume sim writes volumes, as cache/plume.####.hdf (brume render draws "
     "images)"},
    {"sim little.yaml -o a.mp4", 2,
     "brume: --output: 'a.mp4' is a video; brume sim writes volumes, as cache/plume.####.hdf (brume render draws "
     "videos)"},
    {"sim little.yaml --half --measures a.csv", 2,
     "brume: --half needs volumes (give -o PATTERN, as -o cache/plume.####.hdf)"},
    {"sim little.yaml --fields velocity --measures a.csv", 2,
     "brume: --fields needs volumes (give -o PATTERN, as -o cache/plume.####.hdf)"},
    {"sim little.yaml --fields smoke,heat", 2,
     "brume: --fields: unknown field 'heat' (known: smoke, temperature, velocity, faces, pressure, fuel, particles)"},
    {"render little.yaml -o out/a.####.png --watch", 2,
     "brume: --watch needs volumes, as cache/plume.####.hdf, instead of a SCENE"},
    {"render little.yaml -o out/a.####.png --look little.yaml", 2,
     "brume: --look needs volumes, as cache/plume.####.hdf, instead of a SCENE"},
    {"render little.yaml --quiet=3", 2, "brume: option '--quiet' takes no value"},
    {"render little.yaml --threads", 2, "brume: option '--threads' needs a value (N)"},
    {"render little.yaml -D", 2, "brume: option '--define' needs a value (KEY=VALUE)"},
    // texts of the user do not reach the terminal unescaped
    {"info no\nwhere\x1b[31m.yaml", 2, "brume: no\\nwhere\\x1b[31m.yaml: cannot open: No such file or directory"},
    {"ren\tder", 2, "brume: unknown command 'ren\\tder' (did you mean 'render'?)"},
    {"render little.yaml --fra\x7fmes=1", 2,
     "brume: unknown option '--fra\\x7fmes' of 'render' (did you mean '--frames'?)"},
    {"info gr\xc3\xbc\xc3\x9f\x65.yaml", 2,
     "brume: gr\xc3\xbc\xc3\x9f\x65.yaml: cannot open: No such file or directory"},
    {"info c1\xc2\x9b\xff.yaml", 2, "brume: c1\\xc2\\x9b\\xff.yaml: cannot open: No such file or directory"},
    // operands
    {"render -o a.png", 2, "brume: no SCENE (usage: brume render SCENE|VOLUMES -o PATTERN [options])"},
    {"info", 2, "brume: no FILE (usage: brume info FILE [options])"},
    {"sim", 2, "brume: no SCENE (usage: brume sim SCENE [options])"},
    {"sim little.yaml", 2,
     "brume: no output (give -o PATTERN, as -o cache/plume.####.hdf, --measures FILE or --stats FILE, or add probes to "
     "the scene)"},
    {"render little.yaml b.yaml", 2,
     "brume: unexpected argument 'b.yaml' ('render' takes one SCENE, and has 'little.yaml')"},
    // values
    {"render little.yaml -t 0", 2, "brume: --threads: '0' is not a whole number from 1 to 1024"},
    {"sim little.yaml --until-steady 0", 2, "brume: --until-steady: '0' is not a number above 0"},
    {"sim little.yaml --until-steady 1e-3x", 2, "brume: --until-steady: '1e-3x' is not a number above 0"},
    {"sim little.yaml --until-steady nan", 2, "brume: --until-steady: 'nan' is not a number above 0"},
    {"render little.yaml -t 2x", 2, "brume: --threads: '2x' is not a whole number from 1 to 1024"},
    {"render little.yaml --threads=99999999999999", 2,
     "brume: --threads: '99999999999999' is not a whole number from 1 to 1024"},
    {"render little.yaml --samples 0", 2, "brume: --samples: '0' is not a whole number from 1 to 65536"},
    {"render little.yaml --size 640", 2, "brume: --size: '640' is not WIDTHxHEIGHT (for example 960x540)"},
    {"render little.yaml --size 640x", 2, "brume: --size: '640x' is not WIDTHxHEIGHT (for example 960x540)"},
    {"render little.yaml --size 0x360", 2, "brume: --size: '0x360' is not WIDTHxHEIGHT (for example 960x540)"},
    // frames
    {"render little.yaml --frames 5x", 2,
     "brume: --frames: '5x' is not A, A:B or A:B:S (whole numbers, S from 1, as 60, 1:120 or 1:120:2)"},
    {"render little.yaml --frames 1:2:3:4", 2,
     "brume: --frames: '1:2:3:4' is not A, A:B or A:B:S (whole numbers, S from 1, as 60, 1:120 or 1:120:2)"},
    {"render little.yaml -o a.##.png --frames -1:2", 2,
     "brume: frame -1 is before the scene's initial state, which is frame 0"},
    {"render little.yaml --frames 1:5:0", 2,
     "brume: --frames: '1:5:0' is not A, A:B or A:B:S (whole numbers, S from 1, as 60, 1:120 or 1:120:2)"},
    {"sim little.yaml --until-steady 0,5", 2,
     "brume: --until-steady: '0,5' is not a number above 0 (the decimal separator is a point: 0.5)"},
    {"render little.yaml --noise 1,5e-2", 2,
     "brume: --noise: '1,5e-2' is not a number from 0 to 1 (the decimal separator is a point: 1.5e-2)"},
    {"render little.yaml --frames 5:2", 2, "brume: --frames: '5:2' ends before it starts"},
    {"render little.yaml --chunk 0/3", 2, "brume: --chunk: '0/3' is not I/N (whole numbers, I from 1 to N, as 3/8)"},
    {"render little.yaml --chunk 4/3", 2, "brume: --chunk: '4/3' is not I/N (whole numbers, I from 1 to N, as 3/8)"},
    {"render little.yaml --chunk 3", 2, "brume: --chunk: '3' is not I/N (whole numbers, I from 1 to N, as 3/8)"},
    {"render little.yaml --chunk 1/2/3", 2,
     "brume: --chunk: '1/2/3' is not I/N (whole numbers, I from 1 to N, as 3/8)"},
    {"render little.yaml -o out/a.png --chunk 1/12", 2,
     "brume: --output: 'out/a.png' has no frame number for 12 frames (did you mean 'out/a.####.png'?)"},
    {"render little.yaml -o out/a.####.png --skip-existing --overwrite", 2,
     "brume: --skip-existing and --overwrite exclude each other (give one)"},
    {"render little.yaml -o out/a.mp4 --chunk 1/2", 2,
     "brume: --chunk: 'out/a.mp4' is a video, which one run writes (draw images, as out/plume.####.png, and make a "
     "video of them with brume convert)"},
    {"render little.yaml -o out/a.webm --skip-existing", 2,
     "brume: --skip-existing: 'out/a.webm' is a video, which one run writes (draw images, as out/plume.####.png, and "
     "make a video of them with brume convert)"},
    {"render little.####.raw -o out/a.mp4 --chunk 1/2", 2,
     "brume: --chunk: 'out/a.mp4' is a video, which one run writes (draw images, as out/plume.####.png, and make a "
     "video of them with brume convert)"},
    {"render little.yaml -o out/a.####.png --lock-timeout 5m", 2,
     "brume: --lock-timeout has no effect without --skip-existing (give both)"},
    {"render little.yaml --lock-timeout 0s", 2,
     "brume: --lock-timeout: '0s' is not a time above 0 (for example 90s, 10m or 2h)"},
    {"render little.yaml --lock-timeout 5", 2,
     "brume: --lock-timeout: '5' is not a time above 0 (for example 90s, 10m or 2h)"},
    {"render little.yaml -o out/a.####.png --integrator trace", 2,
     "brume: --integrator: unknown integrator 'trace' (known: march, path)"},
    {"render little.yaml -o out/a.####.png --noise 0.01", 2,
     "brume: --noise has no effect without --integrator path (give both)"},
    {"render little.yaml -o out/a.####.png --integrator march --noise 0.01", 2,
     "brume: --noise has no effect without --integrator path (give both)"},
    {"render little.yaml --integrator path --noise -0.1", 2, "brume: --noise: '-0.1' is not a number from 0 to 1"},
    {"render little.yaml --integrator path --noise nan", 2, "brume: --noise: 'nan' is not a number from 0 to 1"},
    {"render little.yaml --integrator path --noise 1%", 2, "brume: --noise: '1%' is not a number from 0 to 1"},
    {"sim little.yaml --integrator path", 2, "brume: option '--integrator' belongs to 'render', not to 'sim'"},
    {"sim little.yaml --chunk 1/2", 2, "brume: option '--chunk' belongs to 'render', not to 'sim'"},
    {"render little.yaml --frame 1.5", 2, "brume: --frame: '1.5' is not a whole number"},
    {"render little.yaml -o out/a.#.png --frames 1:13", 2,
     "brume: frame 13 is after the scene's end at 12 (lengthen it: -D time.frames=13)"},
    // output
    {"render little.yaml", 2, "brume: no output (give -o PATTERN, for example -o out/plume.####.png)"},
    {"render little.yaml -o out/a.png", 2,
     "brume: --output: 'out/a.png' has no frame number for 12 frames (did you mean 'out/a.####.png'?)"},
    {"render little.yaml -o out/a.####.jpg", 2,
     "brume: --output: 'out/a.####.jpg' has the unknown format 'jpg' (known: png, exr, mp4, webm)"},
    {"render little.yaml -o out/a.####.mp4", 2,
     "brume: --output: 'out/a.####.mp4' has a frame number, but a video has all frames (give one such as "
     "out/plume.mp4)"},
    {"render little.yaml -o out/", 2, "brume: --output: 'out/' has no extension (give one such as out/plume.####.png)"},
    {"render little.yaml -o out/a####", 2,
     "brume: --output: 'out/a####' has no extension (give one such as out/plume.####.png)"},
    {"render little.yaml -o out/a.##.%d.png", 2, "brume: --output: 'out/a.##.%d.png' has two frame numbers"},
    {"render little.yaml -o little.yaml/a.####.png", 1, "brume: little.yaml: cannot make the folder: File exists"},
    // outputs that would replace the scene or each other
    {"sim little.yaml --stats little.yaml", 2, "brume: little.yaml is the scene (give another --stats)"},
    {"sim little.yaml --stats s.json --log ./little.yaml", 2, "brume: ./little.yaml is the scene (give another --log)"},
    {"sim little.yaml --measures little.yaml --overwrite", 2,
     "brume: little.yaml is the scene (give another --measures)"},
    {"bench little.yaml --csv little.yaml", 2, "brume: little.yaml is the scene (give another --csv)"},
    {"sim little.yaml --stats a --log ./a", 2, "brume: --stats and --log both write ./a (give two files)"},
    {"sim little.yaml --measures out/a.csv --stats out/a.csv", 2,
     "brume: --measures and --stats both write out/a.csv (give two files)"},
    // bench
    {"bench little.yaml --sizes 64,", 2,
     "brume: --sizes: '64,' is not a list of up to 32 whole numbers from 8 to 2048, as 8,16"},
    {"bench little.yaml --sizes 4", 2,
     "brume: --sizes: '4' is not a list of up to 32 whole numbers from 8 to 2048, as 8,16"},
    {"bench little.yaml --threads one", 2,
     "brume: --threads: 'one' is not a list of up to 32 whole numbers from 1 to 1024, as 1,2"},
    {"bench little.yaml --steps 2", 2, "brume: --steps: '2' is not a whole number from 5 to 100000"},
    {"bench little.yaml --warmup soon", 2, "brume: --warmup: 'soon' is not a number from 0 to 3600"},
    {"bench little.yaml --rounds 5", 2, "brume: --rounds measures the renderer (give --render)"},
    {"bench little.yaml --image 64x36", 2, "brume: --image measures the renderer (give --render)"},
    {"bench --render --rounds 2", 2, "brume: --rounds: '2' is not a whole number from 5 to 100000"},
    {"bench --render --image 64", 2, "brume: --image: '64' is not WIDTHxHEIGHT (for example 960x540)"},
    {"bench --render --weak 64", 2, "brume: --weak measures the solver, --render the renderer (give one of them)"},
    {"bench --render --steps 9", 2, "brume: --steps measures the solver, --render the renderer (give one of them)"},
    {"bench --render --warmup 1", 2, "brume: --warmup needs a scene (without one, --render draws a procedural plume)"},
    {"bench --render -D render.exposure=1", 2,
     "brume: -D needs a scene (without one, --render draws a procedural plume)"},
    {"bench --render little.yaml --csv little.yaml", 2, "brume: little.yaml is the scene (give another --csv)"},
    {"bench little.yaml --json a.json", 2, "brume: unknown option '--json' of 'bench' (see 'brume help bench')"},
    {"bench little.yaml --markdown a.md", 2, "brume: unknown option '--markdown' of 'bench' (see 'brume help bench')"},
};

static const BadCase bad_scenes[] = {
    {"render nowhere.yaml -o out/a.####.png", 2, "brume: nowhere.yaml: cannot open: No such file or directory"},
    {"render ./litle.yaml -o out/a.####.png", 2,
     "brume: ./litle.yaml: cannot open: No such file or directory (did you mean './little.yaml'?)"},
    {"render bad.yaml -o out/a.####.png --stats out/s.json --log out/log", 2,
     "bad.yaml:3:3: unknown key 'resolutoin' in 'solver' (did you mean 'resolution'?)"},
    {"info bad.yaml", 2, "bad.yaml:3:3: unknown key 'resolutoin' in 'solver' (did you mean 'resolution'?)"},
    {"bench bad.yaml --csv out/a.csv", 2,
     "bad.yaml:3:3: unknown key 'resolutoin' in 'solver' (did you mean 'resolution'?)"},
    {"render little.yaml -o out/a.####.png -D solver.resolutoin=64", 2,
     "brume: -D solver.resolutoin=64: unknown key 'resolutoin' in 'solver' (did you mean 'resolution'?)"},
    {"render little.yaml -o out/a.####.png -D solver", 2,
     "brume: -D solver: no value (give KEY=VALUE, for example section.key=128)"},
};

static void check_cases(const BadCase *cases, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        static ProgramRun run;
        run_program(&run, cases[n].arguments);
        char expected[1024];
        (void)snprintf(expected, sizeof expected, "%s\n", cases[n].line);
        if (run.status != cases[n].status || strcmp(run.err, expected) != 0 || run.out[0] != '\0') {
            fail_msg("brume %s\n  printed  %s  expected %s  exit status %d, expected %d; on standard output: '%s'",
                     cases[n].arguments, run.err, expected, run.status, cases[n].status, run.out);
        }
        if (exists("out")) {
            fail_msg("brume %s: created 'out'", cases[n].arguments);
        }
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    check_cases(bad_arguments, sizeof bad_arguments / sizeof bad_arguments[0]);
    assert_int_equal(count_entries("."), 1); // little.yaml
}

static void test_bad_scenes(void **state)
{
    (void)state;
    make_file("bad.yaml", "# a misspelled key\nsolver:\n  resolutoin: 64\n");
    check_cases(bad_scenes, sizeof bad_scenes / sizeof bad_scenes[0]);
    assert_int_equal(count_entries("."), 2);
}

static void assert_content(const char *path, const char *text)
{
    size_t size;
    char *content = read_whole_file(path, &size);
    assert_string_equal(content, text);
    free(content);
}

/** Neither the scene, by any of its names, nor a file of another kind is replaced. */
static void test_outputs_replace_no_other_file(void **state)
{
    (void)state;
    static const char scene[] =
        "probes: [{kind: points, name: little, points: [[0, 0.5, 0]], quantities: [velocity]}]\n";
    static const char notes[] = "precious\n";
    make_file("little.csv", scene);
    make_file("notes.txt", notes);
    assert_int_equal(link("little.yaml", "hard.png"), 0);
    assert_int_equal(symlink("little.yaml", "soft.png"), 0);
    size_t size;
    char *little = read_whole_file("little.yaml", &size);
    static const BadCase cases[] = {
        {"sim little.yaml --stats hard.png", 2, "brume: hard.png is the scene (give another --stats)"},
        {"sim little.yaml --stats soft.png", 2, "brume: soft.png is the scene (give another --stats)"},
        {"sim soft.png --stats little.yaml", 2, "brume: little.yaml is the scene (give another --stats)"},
        {"render little.yaml -o hard.png --frame 1", 2, "brume: hard.png is the scene (give another --output)"},
        {"render little.yaml -o soft.png --frame 1 --overwrite", 2,
         "brume: soft.png is the scene (give another --output)"},
        {"sim little.csv --overwrite", 2, "brume: ./little.csv is the scene (give another --probes-dir)"},
        {"sim little.yaml --stats notes.txt", 2,
         "brume: notes.txt exists and is not a statistics file of brume (remove it, or give another --stats)"},
        {"sim little.yaml --stats s.json --log notes.txt", 2,
         "brume: notes.txt exists and is not a log file of brume (remove it, or give another --log)"},
        {"bench little.yaml --csv notes.txt", 2,
         "brume: notes.txt exists and is not a table of brume bench (remove it, or give another --csv)"},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
    assert_content("little.yaml", little);
    assert_content("little.csv", scene);
    assert_content("notes.txt", notes);
    assert_int_equal(count_entries("."), 5);
    free(little);

    // the program's own files and empty ones are replaced
    static ProgramRun run;
    make_file("a", "");
    make_file("b", "");
    for (int times = 0; times < 2; times++) {
        run_program(&run, "sim little.yaml -q --stats a --log b -D time.frames=2");
        assert_string_equal(run.err, "");
        assert_int_equal(run.status, 0);
    }
    run_program(&run, "sim little.yaml -q --stats notes.txt --overwrite -D time.frames=2");
    assert_int_equal(run.status, 0);
}

/** Names with control characters are printed escaped, also by successful runs, in warnings and in the log. */
static void test_control_characters(void **state)
{
    (void)state;
    static ProgramRun run;
    assert_int_equal(rename("little.yaml", "a\x1b[2J\n.yaml"), 0);
    run_program(&run, "render a\x1b[2J\n.yaml -o b\x1b[1m\n.png --frame 1 --log l");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, ": b\\x1b[1m\\n.png\n"));
    assert_null(strchr(run.out, '\x1b'));
    size_t size;
    char *log = read_whole_file("l", &size);
    assert_non_null(strstr(log, ": b\\x1b[1m\\n.png\n"));
    free(log);
    run_program(&run, "bench a\x1b[2J\n.yaml --sizes 8 --threads 1 --warmup 0 --steps 5 --csv /proc/b\n");
    assert_string_equal(run.err, "brume: /proc/b\\n: cannot write: No such file or directory\n");
    make_file("x\n.yaml", "solver:\n  resolutoin: 64\n");
    run_program(&run, "info x\n.yaml");
    assert_string_equal(run.err, "x\\n.yaml:2:3: unknown key 'resolutoin' in 'solver' (did you mean 'resolution'?)\n");
}

static void test_threads_of_the_environment(void **state)
{
    (void)state;
    static ProgramRun run;
    static const char *const values[] = {"99999999999", "4294967297", "1025", "99999999999,2"};
    for (size_t n = 0; n < sizeof values / sizeof values[0]; n++) {
        char expected[128];
        (void)snprintf(expected, sizeof expected, "brume: OMP_NUM_THREADS: '%s' is not a whole number from 1 to 1024\n",
                       values[n]);
        assert_int_equal(setenv("OMP_NUM_THREADS", values[n], 1), 0);
        run_program(&run, "render little.yaml -o out/a.####.png");
        assert_string_equal(run.err, expected);
        assert_int_equal(run.status, 2);
        assert_false(exists("out"));
        run_program(&run, "sim little.yaml -q -t 2 --until-steady 1e9"); // the option takes precedence
        assert_string_equal(run.err, "");
        assert_int_equal(run.status, 0);
    }
    assert_int_equal(setenv("OMP_NUM_THREADS", "2,1", 1), 0);
    run_program(&run, "render little.yaml -v -o out/a.####.png --frame 1");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "threads: 2,"));
    assert_int_equal(unsetenv("OMP_NUM_THREADS"), 0);
}

static void test_help_and_version(void **state)
{
    (void)state;
    static const char *const commands[] = {"render", "sim",  "view",  "info", "convert",
                                           "refine", "join", "bench", "help"};
    static ProgramRun by_command;
    static ProgramRun by_option;
    for (size_t n = 0; n < sizeof commands / sizeof commands[0]; n++) {
        char arguments[64];
        (void)snprintf(arguments, sizeof arguments, "help %s", commands[n]);
        run_program(&by_command, arguments);
        (void)snprintf(arguments, sizeof arguments, "%s --help", commands[n]);
        run_program(&by_option, arguments);
        assert_int_equal(by_command.status, 0);
        assert_int_equal(by_option.status, 0);
        assert_string_equal(by_command.out, by_option.out);
        assert_non_null(strstr(by_command.out, commands[n]));
    }
    run_program(&by_command, "help");
    run_program(&by_option, "-h");
    assert_string_equal(by_command.out, by_option.out);
    run_program(&by_command, "--version");
    assert_string_equal(by_command.out, "brume 0.1.0\n");
    assert_int_equal(by_command.status, 0);
}

/** docs/cli.md has every option that the help of a command lists. */
static void test_documented_options(void **state)
{
    (void)state;
    static const char *const commands[] = {"render", "sim", "view", "info", "convert", "refine", "join", "bench"};
    size_t size;
    char *const page = read_whole_file(BRUME_SOURCE_DIR "/docs/cli.md", &size);
    for (size_t n = 0; n < sizeof commands / sizeof commands[0]; n++) {
        static ProgramRun help;
        char arguments[64];
        (void)snprintf(arguments, sizeof arguments, "help %s", commands[n]);
        run_program(&help, arguments);
        const char *const options = strstr(help.out, "\noptions:\n");
        assert_non_null(options);
        for (const char *option = options; (option = strstr(option, " --")) != NULL; option++) {
            char entry[64];
            (void)snprintf(entry, sizeof entry, "`%.*s", (int)strcspn(option + 1, " \n"), option + 1);
            if (strcmp(entry, "`--help") != 0 && !strstr(page, entry)) {
                fail_msg("docs/cli.md lacks %s of %s", entry + 1, commands[n]);
            }
        }
    }
    free(page);
}

static void test_order_of_arguments(void **state)
{
    (void)state;
    static const char *const orders[] = {
        "info little.yaml -D time.frames=7",
        "-D time.frames=7 info little.yaml",
        "little.yaml -Dtime.frames=7 info",
        "--define=time.frames=7 little.yaml -- info",
    };
    static ProgramRun first;
    static ProgramRun other;
    run_program(&first, orders[0]);
    assert_int_equal(first.status, 0);
    assert_non_null(strstr(first.out, "7 frames at 24 per second"));
    for (size_t n = 1; n < sizeof orders / sizeof orders[0]; n++) {
        run_program(&other, orders[n]);
        assert_string_equal(other.err, "");
        assert_string_equal(other.out, first.out);
    }
}

static void test_info(void **state)
{
    (void)state;
    static ProgramRun run;
    run_program(&run, "info little.yaml");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "scene        Little plume\n"));
    assert_non_null(strstr(run.out, "box          1 x 1.5 x 1 m, lower corner at (-0.5, 0, -0.5) m\n"));
    assert_non_null(strstr(run.out, "cells        16 x 24 x 16 (6.14 k), dx 0.0625 m\n"));
    assert_non_null(strstr(run.out, "time         12 frames at 24 per second: 0.5 s\n"));
    assert_non_null(strstr(run.out,
                           "emitters     sphere at (0, 0.25, 0) m, radius 0.2 m, density 1, temperature 100 K, "
                           "velocity (0, 1, 0) m/s\n"));
    run_successfully(&run, "info little.yaml -D emitters.0.force.kind=turbulence -D emitters.0.force.scale=0.2 "
                           "-D solver.texture_period=1");
    assert_non_null(
        strstr(run.out, "velocity (0, 1, 0) m/s, turbulence, strength 2 m/s^2, scale 0.2 m, speed 1 1/s\n"));
    run_successfully(&run, "info little.yaml -D emitters.0.power=800 -D fire.model=ignition -D fire.soot=5 -D "
                           "render.emission.intensity=1");
    assert_non_null(
        strstr(run.out,
               "fire         ignition, heat 50000 kJ/kg, air 17.2, radiated 0.2, absorption 0 1/m, heat_capacity 2.8, "
               "soot 5, soot_kind density, ignition 300 K, rate 10 1/s\n"));
    assert_non_null(strstr(run.out, "temperature 100 K, power 800 kW, velocity (0, 1, 0) m/s\n"));
    // the sun of a daylight sky: its irradiance through the air, times the factors of the light
    run_successfully(&run, "info little.yaml -D lights.0.elevation=30 -D lights.0.daylight=true -D "
                           "lights.0.intensity=2");
    assert_non_null(strstr(run.out, ", daylight at an elevation of 30 degrees: "));
    const char *irradiance = strstr(run.out, "degrees: ");
    double red;
    double green;
    double blue;
    assert_int_equal(sscanf(irradiance, "degrees: %lg %lg %lg W/m^2 of red, green and blue\n", &red, &green, &blue), 3);
    assert_true(red > green && green > blue); // 8 W/m^2 outside the atmosphere
    assert_true(red < 16.0 && blue > 2.0);
    assert_int_equal(count_entries("."), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_bad_arguments, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_bad_scenes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_outputs_replace_no_other_file, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_control_characters, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_threads_of_the_environment, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_help_and_version, enter_folder, leave_folder),
        cmocka_unit_test(test_documented_options),
        cmocka_unit_test_setup_teardown(test_order_of_arguments, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_info, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

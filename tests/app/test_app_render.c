// Successful runs of `render` and `bench`: their files, and that results depend on the scene alone.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <time.h>

#include "program.h"

static ProgramRun run;

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *c = text; (c = strstr(c, word)) != NULL; c++) {
        count++;
    }
    return count;
}

static void assert_same_file(const char *a, const char *b)
{
    size_t size_a;
    size_t size_b;
    char *data_a = read_whole_file(a, &size_a);
    char *data_b = read_whole_file(b, &size_b);
    if (size_a != size_b || memcmp(data_a, data_b, size_a) != 0) {
        fail_msg("%s and %s differ (%zu and %zu bytes)", a, b, size_a, size_b);
    }
    free(data_a);
    free(data_b);
}

static void test_frames(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -o out/deep/a.####.png --frames 2:7:2");
    assert_int_equal(count_entries("out/deep"), 3);
    assert_whole_png("out/deep/a.0002.png", 64, 36);
    assert_whole_png("out/deep/a.0004.png", 64, 36);
    assert_whole_png("out/deep/a.0006.png", 64, 36);
    assert_int_equal(count_of(run.out, "frame "), 6); // one progress line per frame, as standard output is no terminal
    assert_non_null(strstr(run.out, "frame 6/6  100%  elapsed "));
    assert_non_null(strstr(run.out, "3 frames in "));
    assert_non_null(strstr(run.out, ": out/deep/a.0002.png to out/deep/a.0006.png\n"));

    // the path of a single frame needs no number; the image is the same as in a sequence
    run_successfully(&run, "-o one.png render little.yaml --frame 4 -q");
    assert_string_equal(run.out, "");
    assert_same_file("one.png", "out/deep/a.0004.png");

    run_successfully(&run, "render little.yaml -q -o b%d.png --frames 1:2 --size 40x30 --samples 2");
    assert_whole_png("b1.png", 40, 30);
    assert_whole_png("b2.png", 40, 30);
}

static void test_images_change_with_the_flow(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -q -o a.##.png --frames 1:12:11");
    size_t first_size;
    size_t last_size;
    char *first = read_whole_file("a.01.png", &first_size);
    char *last = read_whole_file("a.12.png", &last_size);
    assert_false(first_size == last_size && memcmp(first, last, first_size) == 0);
    free(first);
    free(last);
}

static void test_overwrite(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -q -o out/a.####.png --frames 1:3");
    run_program(&run, "render little.yaml -o out/a.####.png --frames 2:5");
    assert_int_equal(run.status, 2);
    assert_string_equal(run.out, "");
    assert_string_equal(run.err, "brume: out/a.0002.png and 1 more of the frames exist (give --overwrite to replace "
                                 "them, or another --output)\n");
    assert_int_equal(count_entries("out"), 3);
    run_program(&run, "render little.yaml -o out/a.####.png --frames 3:5");
    assert_string_equal(run.err,
                        "brume: out/a.0003.png exists (give --overwrite to replace them, or another --output)\n");
    run_successfully(&run, "render little.yaml -q -o out/a.####.png --frames 2:5 --overwrite");
    assert_int_equal(count_entries("out"), 5);
}

// copies the hashes of all frames in the statistics, one per line
static void copy_hashes(const char *stats, char *hashes, size_t room)
{
    size_t used = 0;
    for (const char *c = stats; (c = strstr(c, "\"hash\": \"")) != NULL;) {
        c += strlen("\"hash\": \"");
        assert_true(used + 17 < room);
        memcpy(hashes + used, c, 16);
        used += 16;
        hashes[used++] = '\n';
    }
    hashes[used] = '\0';
}

static void test_stats(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -q -o a.####.png --frames 3:5 --stats out/s.json --log out/run.log");
    size_t size;
    char *stats = read_whole_file("out/s.json", &size);
    assert_true(is_json(stats));
    static const char *const members[] = {
        "\"frame\": ", "\"steps\": ",      "\"iterations\": ", "\"residual\": ", "\"converged\": true",
        "\"emit\": ",  "\"projection\": ", "\"total\": ",      "\"hash\": \"",
    };
    for (size_t n = 0; n < sizeof members / sizeof members[0]; n++) {
        assert_int_equal(count_of(stats, members[n]), 5); // also of frames that are not drawn
    }
    assert_int_equal(count_of(stats, "\"image_ms\": {"), 3);
    assert_int_equal(count_of(stats, "\"image_ms\": null"), 2);
    assert_non_null(strstr(stats, "\"cells\": [16, 24, 16]"));
    free(stats);
    char *log = read_whole_file("out/run.log", &size);
    assert_int_equal(count_of(log, " frame "), 2 * 5); // details and progress of each frame, despite --quiet
    free(log);
}

/*
 * With fewer threads than cores the images are drawn while the simulation continues, otherwise after each frame. The
 * result must depend neither on that nor on the number of threads.
 */
static void test_same_bits_at_any_thread_count(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 5, 8};
    char reference[12 * 17 + 1] = "";
    for (size_t n = 0; n < sizeof threads / sizeof threads[0]; n++) {
        char arguments[256];
        (void)snprintf(arguments, sizeof arguments, "render little.yaml -q -o t%d/a.####.png -t %d --stats t%d.json",
                       threads[n], threads[n], threads[n]);
        run_successfully(&run, arguments);
        char path[64];
        (void)snprintf(path, sizeof path, "t%d.json", threads[n]);
        size_t size;
        char *stats = read_whole_file(path, &size);
        char hashes[12 * 17 + 1];
        copy_hashes(stats, hashes, sizeof hashes);
        free(stats);
        assert_int_equal(strlen(hashes), 12 * 17);
        if (n == 0) {
            memcpy(reference, hashes, sizeof hashes);
        }
        assert_string_equal(hashes, reference);
        for (int frame = 1; frame <= 12; frame++) {
            char other[64];
            (void)snprintf(path, sizeof path, "t1/a.%04d.png", frame);
            (void)snprintf(other, sizeof other, "t%d/a.%04d.png", threads[n], frame);
            assert_same_file(path, other);
        }
    }
}

static void test_dry_run(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml --dry-run -o out/a.####.png --frames 2:9");
    static const char *const labels[] = {"\ncells  ", "\nmemory  ", "\ndisk  ",
                                         "\nsteps  ", "\nprobe  ",  "\nestimate  "};
    for (size_t n = 0; n < sizeof labels / sizeof labels[0]; n++) {
        assert_non_null(strstr(run.out, labels[n]));
    }
    assert_non_null(strstr(run.out, "simulates 1 to 9, draws 8 of them"));
    assert_int_equal(count_entries("."), 1);
    run_successfully(&run, "render little.yaml --dry-run"); // the output is optional
}

// a run of many hours is estimated in a few seconds, and a signal ends the estimate
static void test_dry_run_of_a_long_run(void **state)
{
    (void)state;
    const char *const arguments =
        "render little.yaml --dry-run -D solver.resolution=256 --size 4096x4096 --samples 256 "
        "-D solver.min_steps=50 -D solver.max_steps=50";
    double seconds = -seconds_now();
    run_successfully(&run, arguments);
    seconds += seconds_now();
    print_message("estimated in %.1f s\n", seconds);
    assert_true(seconds < 300.0); // about 2.5 s on an idle machine; the pictures would take hours
    assert_non_null(strstr(run.out, "cells        171 x 256 x 171 ("));
    assert_non_null(strstr(run.out, ": 50.0 steps per frame, "));
    assert_non_null(strstr(run.out, " ms per image, scaled from "));
    int hours = 0;
    const char *estimate = strstr(run.out, "\nestimate ");
    assert_non_null(estimate);
    assert_int_equal(sscanf(estimate, " estimate %d:", &hours), 1);
    assert_true(hours >= 1); // 12 pictures of 4e9 rays

    Program program = start_program(arguments, 0);
    const struct timespec pause = {.tv_nsec = 300000000};
    (void)nanosleep(&pause, NULL);
    assert_int_equal(kill(program.pid, SIGTERM), 0);
    seconds = -seconds_now();
    finish_program(&program, &run);
    seconds += seconds_now();
    assert_true(run.status == 130 || run.status == 128 + SIGTERM); // the latter before the program waits for signals
    assert_string_equal(run.out, "");
    assert_true(seconds < 60.0);
}

// the value of a column in a row of a CSV file, from 0
static const char *cell(const char *csv, const char *column, int row)
{
    const char *name = csv;
    const char *at = strchr(csv, '\n') + 1;
    for (; row > 0; row--) {
        at = strchr(at, '\n') + 1;
    }
    while (strcspn(name, ",\n") != strlen(column) || strncmp(name, column, strlen(column)) != 0) {
        name += strcspn(name, ",\n");
        if (*name++ != ',') {
            fail_msg("no column %s", column);
        }
        at = strchr(at, ',') + 1;
    }
    return at;
}

static double number(const char *csv, const char *column, int row) { return strtod(cell(csv, column, row), NULL); }

static void assert_ratio(double ratio, double expected, const char *what)
{
    if (!(fabs(ratio - expected) <= 1e-4 * expected)) {
        fail_msg("%s is %.9g, expected %.9g", what, ratio, expected);
    }
}

// the machine, the build, the scene and the method behind the cases
static void assert_facts(const char *csv)
{
    static const char *const facts[] = {"\n# version: brume ",
                                        "\n# machine: ", "\n# system: ", "\n# build: ", "\n# measured: "};
    assert_int_equal(count_of(csv, "\n# "), 6);
    for (size_t n = 0; n < sizeof facts / sizeof facts[0]; n++) {
        assert_int_equal(count_of(csv, facts[n]), 1);
    }
}

static void test_bench(void **state)
{
    (void)state;
    run_successfully(&run, "bench little.yaml --sizes 16,24 --threads 1,2,3 --warmup 0.2 --steps 5 --csv out/b.csv "
                           "--weak 16");
    assert_int_equal(count_of(run.out, "\n16x16x16 "), 4 + 4 + 2); // cases, stages and scaling of both series
    assert_int_equal(count_of(run.out, "\n24x24x24 "), 5 + 5 + 4);
    size_t size;
    char *csv = read_whole_file("out/b.csv", &size);
    assert_int_equal(count_of(csv, "\n"), 1 + 9 + 6);
    assert_int_equal(strncmp(csv, "nx,ny,nz,threads,", 17), 0);
    assert_facts(csv);
    assert_non_null(strstr(csv, "\n# scene: little.yaml: maccormack, "));
    for (int n = 0; n < 9; n++) {
        // the first case of the weak series is one of the strong series, and two and three cubes of 16³ cells become
        // one of 24³
        static const int equal[] = {0, 0, 0, 3, 3, 3, 0, 3, 3};
        assert_memory_equal(cell(csv, "hash", n), cell(csv, "hash", equal[n]), 16);
        assert_memory_equal(cell(csv, "series", n), n < 6 ? "strong," : "weak,", n < 6 ? 7 : 5);
        assert_int_equal((int)number(csv, "threads", n), 1 + n % 3);
        const int base = n - n % 3;
        const double speedup = number(csv, "speedup", n);
        assert_int_equal((int)number(csv, "base_threads", n), 1);
        assert_int_equal((int)number(csv, "base_nx", n), (int)number(csv, "nx", base));
        assert_ratio(speedup, number(csv, "mcells_per_s", n) / number(csv, "mcells_per_s", base), "speed-up");
        assert_ratio(number(csv, "efficiency", n), speedup / (1 + n % 3), "efficiency");
        assert_ratio(number(csv, "share_of_bound", n), speedup / number(csv, "speedup_bound", n), "share of the bound");
        assert_ratio(number(csv, "share_of_triad", n), number(csv, "gb_per_s", n) / number(csv, "triad_gb_per_s", n),
                     "share of the triad");
        assert_true(number(csv, "ms_projection", n) > 0.0 && number(csv, "bytes_projection", n) > 0.0);
        assert_true(number(csv, "imbalance", n) <= 1.0);
    }
    free(csv);

    // the file may be replaced; another one that cannot be written is refused before the measurement
    run_program(&run, "bench little.yaml --csv /proc/b.csv");
    assert_string_equal(run.err, "brume: /proc/b.csv: cannot write: No such file or directory\n");
    run_successfully(&run, "bench little.yaml --sizes 8 --threads 1 --warmup 0 --steps 5 --csv out/b.csv");
    assert_null(strstr(run.out, "scaling"));
}

// two sizes with one and two threads each; the numbers follow from each other
static void check_render_csv(const char *csv, const int sizes[2])
{
    static const char *const times[] = {"load", "light", "draw", "tone", "picture", "draw_all"};
    assert_int_equal(count_of(csv, "\n"), 1 + 4 + 6);
    assert_facts(csv);
    for (int n = 0; n < 4; n++) {
        assert_int_equal((int)number(csv, "nx", n), sizes[n / 2]);
        assert_int_equal((int)number(csv, "threads", n), 1 + n % 2);
        const double samples = number(csv, "samples", n);
        const double in_smoke = number(csv, "samples_in_smoke", n);
        const double rate = number(csv, "msamples_per_s", n);
        const double smoky = number(csv, "smoky_cells", n);
        assert_true(samples > in_smoke && in_smoke > 100.0); // of 64 x 36 rays
        assert_true(samples == number(csv, "samples", n / 2 * 2));
        assert_true(smoky > 0.0 && smoky < number(csv, "occupied_macro_cells", n));
        assert_memory_equal(cell(csv, "hash", n), cell(csv, "hash", n / 2 * 2), 16);
        double medians[6];
        for (int time = 0; time < 6; time++) {
            char name[64];
            (void)snprintf(name, sizeof name, "ms_%s", times[time]);
            medians[time] = number(csv, name, n);
            assert_true(medians[time] > 0.0);
            const double base = number(csv, name, n / 2 * 2);
            (void)snprintf(name, sizeof name, "ms_lower_%s", times[time]);
            assert_true(number(csv, name, n) <= medians[time]);
            (void)snprintf(name, sizeof name, "ms_upper_%s", times[time]);
            assert_true(number(csv, name, n) >= medians[time]);
            (void)snprintf(name, sizeof name, "speedup_%s", times[time]);
            assert_ratio(number(csv, name, n), base / medians[time], name);
        }
        assert_true(medians[4] > medians[2] || medians[4] > medians[1]); // a picture has all stages
        assert_ratio(rate, 1e-3 * samples / medians[2], "samples per second");
        assert_ratio(number(csv, "share_of_trilinear", n), rate / number(csv, "trilinear_mpoints_per_s", n),
                     "share of the kernel");
        assert_ratio(number(csv, "gain_of_skipping", n), medians[5] / medians[2], "gain of skipping");
        assert_int_equal((int)number(csv, "base_threads", n), 1);
    }
}

static void test_bench_render(void **state)
{
    (void)state;
    static ProgramRun bench;
    run_successfully(&bench, "bench --render --sizes 16,24 --threads 1,2 --rounds 5 --image 64x36 --csv out/r.csv");
    assert_int_equal(count_of(bench.out, "\n16x16x16 "), 5); // two rows of times, two of samples, one of speed-ups
    assert_int_equal(count_of(bench.out, "\n24x24x24 "), 5);
    assert_non_null(strstr(bench.out, "procedural plume"));
    assert_non_null(strstr(bench.out, "64 x 36 pixels"));
    size_t size;
    char *csv = read_whole_file("out/r.csv", &size);
    check_render_csv(csv, (const int[]){16, 24});
    assert_int_equal(strncmp(csv, "nx,ny,nz,threads,samples,", 25), 0);
    assert_int_equal(strncmp(strchr(csv, '\n'), "\n16,16,16,1,", 12), 0);
    free(csv);

    // a scene, with one number of threads: no table of speed-ups
    run_successfully(&bench, "bench --render little.yaml --sizes 16 --threads 2 --rounds 5 --image 64x36 --warmup 0.2 "
                             "-D render.exposure=1");
    assert_int_equal(count_of(bench.out, "\n16x16x16 "), 2);
    assert_non_null(strstr(bench.out, "little.yaml, after 0.2 s of the scene"));
    assert_null(strstr(bench.out, "speed-up"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_frames, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_images_change_with_the_flow, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_overwrite, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_stats, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_same_bits_at_any_thread_count, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_dry_run, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_dry_run_of_a_long_run, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_bench, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_bench_render, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

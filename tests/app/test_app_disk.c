// The free space of the disk before and during a run. A preloaded library reports it; test_app_failure fills a real
// disk.
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

static ProgramRun run;

// runs the program on a disk that has `bytes` free, and `step` less each time it looks
static void run_on_disk(const char *arguments, long bytes, long step)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%ld", bytes);
    assert_int_equal(setenv("BRUME_FREE_BYTES", text, 1), 0);
    (void)snprintf(text, sizeof text, "%ld", step);
    assert_int_equal(setenv("BRUME_FREE_STEP", text, 1), 0);
    assert_int_equal(setenv("LD_PRELOAD", BRUME_FAULTY_CALLS, 1), 0);
    run_program(&run, arguments);
    assert_int_equal(unsetenv("LD_PRELOAD"), 0);
}

static void test_too_little_space(void **state)
{
    (void)state;
    // 12 images of at least (3 * 64 + 1) * 36 / 1032 + 57 bytes
    run_on_disk("render little.yaml -o out/a.####.png", 700, 0);
    assert_string_equal(run.err, "brume: . has 700 B free, and the outputs need at least 765 B (free some space, or "
                                 "write to another disk)\n");
    assert_string_equal(run.out, "");
    assert_int_equal(run.status, 1);
    assert_int_equal(count_entries("."), 1);
    // a table of 13 lines
    run_on_disk("sim little.yaml --measures m.csv", 700, 0);
    assert_memory_equal(run.err, "brume: . has 700 B free, and the outputs need at least ", 54);
    assert_int_equal(run.status, 1);
    assert_int_equal(count_entries("."), 1);
    // of a disk whose size is not known, nothing is expected; nor of a device
    run_on_disk("render little.yaml -q -o out/a.####.png", -1, 0);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_int_equal(count_entries("out"), 12);
    run_on_disk("render little.yaml -o new/a.####.png --dry-run", 123456, 0);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, " for 12 images (123 kB free)\n"));
}

static void test_space_that_may_not_suffice(void **state)
{
    (void)state;
    run_on_disk("render little.yaml -q -o out/a.####.png", 60000, 0);
    const char expected[] = "brume: warning: . has 60.0 kB free, and the outputs may need up to ";
    assert_memory_equal(run.err, expected, sizeof expected - 1);
    assert_non_null(strstr(run.err, "; the run stops where the next frames do not fit\n"));
    assert_int_equal(run.status, 0);
    assert_int_equal(count_entries("out"), 12);
    // images that are replaced, or exist and stay, need no further space
    run_on_disk("render little.yaml -o out/a.####.png --frames 1:12 --skip-existing", 100, 0);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, "");
}

static void test_disk_that_becomes_full(void **state)
{
    (void)state;
    run_program(&run, "render little.yaml -q -o reference/a.####.png --stats reference/s.json");
    assert_int_equal(run.status, 0);
    run_on_disk("render little.yaml -q -o out/a.####.png --stats out/s.json", 2000000, 80000);
    const int done = count_entries("out") - 2; // the statistics and the folder of the checkpoint
    assert_in_range(done, 1, 11);
    char expected[256];
    (void)snprintf(expected, sizeof expected, ": stopped after frame %d of 12 (free some space, go on with --resume); ",
                   done);
    assert_non_null(strstr(run.err, " free, and the next frames with a checkpoint need "));
    assert_non_null(strstr(run.err, expected));
    assert_string_equal(strchr(run.err, '\n'), "\n"); // one line
    assert_int_equal(run.status, 1);
    (void)snprintf(expected, sizeof expected, "out/a.checkpoints/%04d.checkpoint", done);
    assert_true(exists(expected));

    run_program(&run, "render little.yaml -q -o out/a.####.png --stats out/s.json --resume");
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    for (int frame = 1; frame <= 12; frame++) {
        char image[64];
        char path[64];
        (void)snprintf(image, sizeof image, "reference/a.%04d.png", frame);
        (void)snprintf(path, sizeof path, "out/a.%04d.png", frame);
        assert_same_files(image, path);
    }
    assert_int_equal(count_entries("out"), 13);
}

static void test_volumes(void **state)
{
    (void)state;
    // values that are not compressed are a lower bound, unless the run may end before its last frame
    run_on_disk("sim little.yaml -o v/a.####.raw", 500000, 0);
    const char refusal[] = "brume: . has 500 kB free, and the outputs need at least ";
    assert_memory_equal(run.err, refusal, sizeof refusal - 1);
    assert_int_equal(run.status, 1);
    assert_int_equal(count_entries("."), 1);
    run_on_disk("sim little.yaml -q -o v/a.####.raw --until-steady 1e-9 --frames 1:2", 500000, 0);
    assert_null(strstr(run.err, "at least"));
    // a run stops before the disk is full, with a checkpoint
    run_on_disk("sim little.yaml -q -o w/a.####.raw", 12000000, 700000);
    const int done = (count_entries("w") - 1) / 2; // with a header each, and the folder of the checkpoint
    assert_in_range(done, 1, 11);
    char expected[256];
    (void)snprintf(expected, sizeof expected,
                   ": stopped after frame %d of 12 (free some space, go on with --resume); %d frame", done, done);
    assert_non_null(strstr(run.err, expected));
    assert_int_equal(run.status, 1);
    run_program(&run, "sim little.yaml -q -o w/a.####.raw --resume");
    assert_int_equal(run.status, 0);
    assert_int_equal(count_entries("w"), 24);

    // images of volumes
    run_on_disk("render w/a.####.raw -o out/a.####.png", 700, 0);
    assert_string_equal(run.err, "brume: . has 700 B free, and the outputs need at least 765 B (free some space, or "
                                 "write to another disk)\n");
    assert_int_equal(run.status, 1);
    assert_false(exists("out"));
    run_on_disk("render w/a.####.raw -q -o out/a.####.png", 120000, 10000);
    const int drawn = count_entries("out");
    assert_in_range(drawn, 1, 11);
    (void)snprintf(expected, sizeof expected, ": stopped after frame %d of 12 (free some space, go on with --resume); ",
                   drawn);
    assert_non_null(strstr(run.err, " free, and the next frames need "));
    assert_non_null(strstr(run.err, expected));
    assert_int_equal(run.status, 1);
    run_program(&run, "render w/a.####.raw -q -o out/a.####.png --resume");
    assert_int_equal(run.status, 0);
    assert_int_equal(count_entries("out"), 12);
}

#ifdef BRUME_HAS_VIDEO
// a video of the frames so far is completed; its size is only estimated, and refuses no run
static void test_video(void **state)
{
    (void)state;
    run_on_disk("render little.yaml -q -o small.mp4 --frames 1:2", 700, 0);
    assert_null(strstr(run.err, "at least"));
    run_on_disk("render little.yaml -q -o out/a.mp4", 2000000, 80000);
    assert_int_equal(run.status, 1);
    int done = 0;
    const char *stopped = strstr(run.err, ": stopped after frame ");
    assert_non_null(stopped);
    assert_int_equal(sscanf(stopped, ": stopped after frame %d of 12", &done), 1);
    assert_in_range(done, 1, 11);
    char expected[256];
    (void)snprintf(expected, sizeof expected,
                   " of 12 (free some space, --resume cannot continue a video: start again with --overwrite); "
                   "out/a.mp4 has %d frames, 1 to %d\n",
                   done, done);
    assert_non_null(strstr(run.err, expected));
    assert_true(exists("out/a.mp4"));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_too_little_space, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_space_that_may_not_suffice, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_disk_that_becomes_full, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_volumes, enter_folder, leave_folder),
#ifdef BRUME_HAS_VIDEO
        cmocka_unit_test_setup_teardown(test_video, enter_folder, leave_folder),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

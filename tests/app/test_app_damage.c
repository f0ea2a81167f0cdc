// Damaged files given to the program: one line that names the file, and never a picture of other values. The tests of
// each format change every byte (tests/exchange); these are a sample.
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

enum { MAX_PATH = 128 };

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// one line that starts with the path
static void assert_refused(const char *arguments, const char *path)
{
    char start[MAX_PATH];
    (void)snprintf(start, sizeof start, "brume: %s: ", path);
    const char *end = strchr(run.err, '\n');
    if (run.status != 2 || strncmp(run.err, start, strlen(start)) != 0 || !end || end[1]) {
        fail_msg("brume %s: status %d, %s", arguments, run.status, run.err);
    }
}

// `info` and `render` of a damaged volume; a change that the format allows, as that of a blank, gives the same picture
static void check_volume(const char *path)
{
    char arguments[2 * MAX_PATH];
    (void)snprintf(arguments, sizeof arguments, "info %s", path);
    run_program_within(&run, arguments, 60.0);
    const bool refused = run.status != 0;
    if (refused) {
        assert_refused(arguments, path);
        assert_string_equal(run.out, "");
    }
    (void)snprintf(arguments, sizeof arguments, "render %s -q -o picture.png", path);
    run_program_within(&run, arguments, 60.0);
    if (refused) {
        assert_refused(arguments, path);
        assert_false(exists("picture.png"));
    } else {
        assert_int_equal(run.status, 0);
        assert_same_files("whole.png", "picture.png");
        assert_int_equal(unlink("picture.png"), 0);
    }
}

static int number_of(const char *variable, int fallback)
{
    const char *wanted = getenv(variable);
    return wanted ? atoi(wanted) : fallback;
}

// changes a byte at each of some places, and cuts the file there
static void damage(const char *path, void (*check)(const char *path))
{
    size_t size;
    char *bytes = read_whole_file(path, &size);
    const int places = number_of("BRUME_DAMAGE_RUNS", 3);
    for (int n = 0; n < places; n++) {
        const size_t at = (size_t)n * (size - 1) / (size_t)(places - 1);
        bytes[at] ^= 0x10;
        write_bytes(path, bytes, size);
        check(path);
        bytes[at] ^= 0x10;
        write_bytes(path, bytes, at);
        check(path);
    }
    write_bytes(path, bytes, size);
    free(bytes);
}

static const char volume_scene[] = "solver: {resolution: 8}\n"
                                   "domain: {size: [1, 1, 1]}\n"
                                   "emitters: [{shape: sphere, center: [0, 0.3, 0], radius: 0.3, density: 1}]\n"
                                   "time: {fps: 24, frames: 3}\n"
                                   "image: {width: 24, height: 16, samples: 1}\n";

static const char *const volumes[] = {
    "v.0001.hdf",
    "v.0001.raw",
#ifdef BRUME_HAS_EXPAT
    "v.0001.vti",
#endif
#ifdef BRUME_HAS_OPENVDB
    "v.0001.vdb",
#endif
};

static void test_damaged_volumes(void **state)
{
    (void)state;
    make_file("scene.yaml", volume_scene);
    run_successfully(&run, "sim scene.yaml -q -o v.####.hdf");
    for (size_t n = 0; n < sizeof volumes / sizeof volumes[0]; n++) {
        char arguments[2 * MAX_PATH];
        if (!strstr(volumes[n], ".hdf")) {
            (void)snprintf(arguments, sizeof arguments, "convert v.0001.hdf %s -q", volumes[n]);
            run_successfully(&run, arguments);
        }
        (void)snprintf(arguments, sizeof arguments, "render %s -q -o whole.png --overwrite", volumes[n]);
        run_successfully(&run, arguments);
        damage(volumes[n], check_volume);
    }
}

// a run goes on without the damaged checkpoint, to the same pictures
static void check_checkpoint(const char *path)
{
    char start[MAX_PATH];
    (void)snprintf(start, sizeof start, "brume: warning: %s: ", path);
    run_program_within(&run, "render scene.yaml -q -o out/a.####.png --resume --keep-checkpoints 1", 60.0);
    assert_int_equal(run.status, 0);
    const char *end = strchr(run.err, '\n');
    if (strncmp(run.err, start, strlen(start)) != 0 || !end || end[1]) {
        fail_msg("%s", run.err);
    }
    assert_same_files("reference/a.0003.png", "out/a.0003.png");
    assert_int_equal(unlink("out/a.0003.png"), 0);
}

static void test_damaged_checkpoints(void **state)
{
    (void)state;
    make_file("scene.yaml", volume_scene);
    run_successfully(&run, "render scene.yaml -q -o reference/a.####.png");
    run_successfully(&run, "render scene.yaml -q -o out/a.####.png --frames 1:2 --keep-checkpoints 1");
    damage("out/a.checkpoints/0002.checkpoint", check_checkpoint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_damaged_volumes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_damaged_checkpoints, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

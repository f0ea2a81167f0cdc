// Scenes that start from volume files: `brume sim`, `render` and `--resume` with raw volumes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exchange/volume_format.h"
#include "program.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static ProgramRun run;

static void expect_failure(const char *arguments, const char *part)
{
    run_program(&run, arguments);
    const char *end = strchr(run.err, '\n');
    if (run.status != 2 || !strstr(run.err, part) || !end || end[1] != '\0') {
        fail_msg("brume %s: exit status %d, expected 2; printed %s, expected one line with %s", arguments, run.status,
                 run.err, part);
    }
}

// a ball around (0, 0.5, 0): the values are 10 times the distance to its surface, positive inside
static void make_ball(const char *path, double radius)
{
    enum { SIDE = 16 };
    BrumeFrameGrids frame = {.cells = {SIDE, SIDE, SIDE, NULL}, .dx = 0.05, .origin = {-0.4, 0.1, -0.4}};
    BrumeFrameGrid *density;
    BrumeFrameGrid *velocity;
    BrumeError error;
    assert_int_equal(brume_frame_grids_add(&frame, "density", "1", 1, BRUME_AT_CENTERS, &density, &error), BRUME_OK);
    assert_int_equal(brume_frame_grids_add(&frame, "velocity", "m/s", 3, BRUME_AT_CENTERS, &velocity, &error),
                     BRUME_OK);
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        const int index[3] = {n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE};
        const double x = -0.4 + (index[0] + 0.5) * 0.05;
        const double y = -0.4 + (index[1] + 0.5) * 0.05;
        const double z = -0.4 + (index[2] + 0.5) * 0.05;
        frame.grids[0].values[n] = (float)(10.0 * (radius - sqrt(x * x + y * y + z * z)));
        frame.grids[1].values[3 * n + 1] = 0.5f;
    }
    const BrumeVolumeWriteDef def = {.overwrite = true};
    if (brume_raw_format.write(&frame, path, &def, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    brume_frame_grids_destroy(&frame);
}

static const char scene[] = "domain: {size: [1, 1, 1]}\n"
                            "solver: {resolution: 20}\n"
                            "time: {frames: 4}\n"
                            "image: {width: 48, height: 48, samples: 1}\n"
                            "initial:\n"
                            "  - {kind: volume, file: files/ball.raw, quantity: velocity}\n"
                            "  - {kind: volume, file: files/ball.raw, center: [0.2, 0.3, 0], size: 0.6}\n"
                            "emitters:\n"
                            "  - {shape: volume, file: files/ball.raw, density: 1, temperature: 50, size: 0.4}\n"
                            "bodies:\n"
                            "  - {shape: volume, file: files/ball.raw, threshold: 0, center: [0, 0.8, 0], size: 0.4}\n";

// makes the scene in a folder of its own, from which paths start
static void make_scene(void)
{
    (void)mkdir("in", 0777);
    (void)mkdir("in/files", 0777);
    make_ball("in/files/ball.raw", 0.25);
    make_file("in/scene.yaml", scene);
}

// the pictures of the volumes of a run are those of the run, while the file of the body exists
static void test_volumes_of_a_run(void **state)
{
    (void)state;
    make_scene();
    run_successfully(&run, "render in/scene.yaml -o a/p.##.png -t 1");
    run_successfully(&run, "render in/scene.yaml -o d/p.##.png -t 2");
    run_successfully(&run, "sim in/scene.yaml -o c/p.##.raw");
    run_successfully(&run, "render c/p.##.raw -o b/p.##.png");
    assert_same_files("a/p.04.png", "b/p.04.png");
    assert_same_files("a/p.04.png", "d/p.04.png");
    run_successfully(&run, "render in/scene.yaml -D bodies.0.visible=false --frame 4 -o without.png");
    assert_int_equal(rename("in/files/ball.raw", "in/files/moved.raw"), 0);
    expect_failure("render c/p.##.raw -o e/p.##.png",
                   "in/files/ball.raw: cannot open: No such file or directory (restore "
                   "the file, or leave the body out of the picture: -D "
                   "bodies.N.visible=false)");
    run_successfully(&run, "render c/p.04.raw -D bodies.0.visible=false -o other.png");
    assert_same_files("without.png", "other.png");
    assert_int_equal(rename("in/files/moved.raw", "in/files/ball.raw"), 0);
    make_ball("in/files/ball.raw", 0.3);
    expect_failure("render c/p.##.raw -o e/p.##.png", "so it is not the one that the scene was written with");
}

// a changed file is refused; the same values at another path are not
static void test_resume(void **state)
{
    (void)state;
    make_scene();
    run_successfully(&run, "sim in/scene.yaml --measures whole.csv");
    run_successfully(&run, "sim in/scene.yaml --frames 1:2 --measures m.csv --keep-checkpoints all --checkpoints k");
    make_ball("in/files/ball.raw", 0.3);
    expect_failure("sim in/scene.yaml --measures m.csv --checkpoints k --resume",
                   "--resume: the scene has changed since frame 2: initial.1.hash (");
    make_ball("in/files/ball.raw", 0.25);
    assert_int_equal(rename("in", "elsewhere"), 0);
    run_successfully(&run, "sim elsewhere/scene.yaml --measures m.csv --checkpoints k --resume");
    assert_same_files("m.csv", "whole.csv");
    assert_int_equal(rename("elsewhere", "in"), 0);
}

static void test_errors(void **state)
{
    (void)state;
    make_scene();
    make_file("in/text.raw", "none");
    static const char *const cases[][2] = {
        {"initial.0.file=files/none.raw",
         "-D initial.0.file=files/none.raw: files/none.raw.yaml: cannot open: No such file "
         "or directory (a relative path of -D "
         "starts at the working folder)"},
        {"initial.0.file=in/scene.yaml", "in/scene.yaml: not a volume file that can be read (known are "},
        {"initial.0.file=in/text.raw", "/in/text.raw: "},
        {"initial.0.quantity=temperature", "in/scene.yaml:6:26: "},
        {"initial.0.grid=density", "has no vector grid 'density'; its grids are: density, velocity (a vector) (name"},
        {"initial.1.center=[3,0,0]", "-D initial.1.center=[3,0,0]: this volume spans 2.7 to 3.3 m along x, outside"},
        {"emitters.0.threshold=0", "'threshold' in 'emitter' is 0, but must be above 0"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char arguments[256];
        (void)snprintf(arguments, sizeof arguments, "render in/scene.yaml -o x/p.##.png -D %s", cases[n][0]);
        expect_failure(arguments, cases[n][1]);
        assert_false(exists("x"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volumes_of_a_run),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

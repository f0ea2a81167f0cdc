// `brume convert` and `brume info` on volume files, as processes.
#include "frame_support.h"
#include "program.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void write_volume(const char *path, const BrumeFrameGrids *frame)
{
    BrumeError error;
    const BrumeVolumeWriteDef def = {.overwrite = true};
    assert_int_equal(brume_volume_format_of(path)->write(frame, path, &def, &error), BRUME_OK);
}

// files frame.0001.vti and so on, whose values differ
static void write_sequence(const char *pattern, const int *numbers, int count)
{
    for (int n = 0; n < count; n++) {
        char path[64];
        BrumeFrameGrids frame = frame_of_all_kinds(brume_grid(4, 5, 6));
        frame.has_frame = false; // that of the file name applies
        frame.grids[0].values[7] = (float)numbers[n];
        (void)snprintf(path, sizeof path, pattern, numbers[n]);
        write_volume(path, &frame);
        brume_frame_grids_destroy(&frame);
    }
}

static BrumeFrameGrids read_volume(const char *path)
{
    BrumeFrameGrids frame = {0};
    BrumeError error;
    if (brume_volume_file_read(&frame, path, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return frame;
}

static void assert_run(const char *arguments, int status, const char *out, const char *err)
{
    static ProgramRun run;
    run_program(&run, arguments);
    if (run.status != status || strcmp(run.out, out) != 0 || strcmp(run.err, err) != 0) {
        fail_msg(
            "brume %s\n  status %d, expected %d\n  printed  '%s'\n  expected '%s'\n  errors   '%s'\n  expected '%s'",
            arguments, run.status, status, run.out, out, run.err, err);
    }
}

static void test_one_file(void **state)
{
    (void)state;
    BrumeFrameGrids frame = frame_of_all_kinds(brume_grid(4, 5, 6));
    write_volume("a.vti", &frame);
    assert_run("convert a.vti out/b.raw", 0, "1 file: out/b.raw\n", "");
    assert_run("convert -q out/b.raw c.vti", 0, "", "");
    assert_same_files("a.vti", "c.vti");
    BrumeFrameGrids read = read_volume("out/b.raw");
    assert_true(frames_are_equal(&frame, &read));
    brume_frame_grids_destroy(&read);

    assert_run("convert a.vti --grids temperature,velocity_y d.vti -q", 0, "", "");
    read = read_volume("d.vti");
    assert_int_equal(read.count, 2);
    assert_string_equal(read.grids[0].name, "temperature");
    assert_string_equal(read.grids[1].name, "velocity_y");
    assert_memory_equal(read.grids[0].values, frame.grids[1].values, 120 * sizeof(float));
    brume_frame_grids_destroy(&read);
    brume_frame_grids_destroy(&frame);
}

static void test_sequences(void **state)
{
    (void)state;
    static const int numbers[] = {1, 2, 3, 5, 9, 10};
    write_sequence("a.%04d.vti", numbers, 6);
    make_file("a.00011.vti", "not of the pattern");
    make_file("a.0012.vti.part", "not of the pattern");
    static ProgramRun run;
    run_program(&run, "convert a.####.vti out/b_%03d.raw");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, "brume: warning: a.####.vti: 4 frames are missing: 4, 6-8\n");
    assert_non_null(strstr(run.out, "frame 6/6  100%"));
    assert_non_null(strstr(run.out, "\n6 files: out/b_001.raw to out/b_010.raw\n"));
    assert_int_equal(count_entries("out"), 12);
    for (int n = 0; n < 6; n++) {
        char path[64];
        (void)snprintf(path, sizeof path, "out/b_%03d.raw", numbers[n]);
        BrumeFrameGrids frame = read_volume(path);
        assert_int_equal(frame.frame, numbers[n]);
        assert_true(frame.grids[0].values[7] == (float)numbers[n]);
        brume_frame_grids_destroy(&frame);
    }
    assert_run("convert a.####.vti c/b.#.ply --frames 1:9:2 --iso 0.5 -q", 0, "",
               "brume: warning: a.####.vti: 1 frame is missing: 7\n");
    assert_int_equal(count_entries("c"), 4);
    assert_true(exists("c/b.1.ply") && exists("c/b.9.ply"));
    // a sequence of every second frame is complete
    static const int even[] = {2, 4, 6};
    write_sequence("e%d.vti", even, 3);
    assert_run("convert e#.vti -q f#.raw", 0, "", "");
    static const int gaps[] = {2, 4, 10};
    write_sequence("g%d.vti", gaps, 3);
    assert_run("convert g#.vti -q h#.raw", 0, "", "brume: warning: g#.vti: 2 frames are missing: 6:8:2\n");
    assert_true(exists("f2.raw") && exists("f4.raw") && exists("f6.raw.yaml"));
}

/** Meshes without triangles are reported at the end. */
static void test_empty_meshes(void **state)
{
    (void)state;
    for (int n = 1; n <= 3; n++) {
        char path[64];
        BrumeFrameGrids frame = {.cells = {4, 5, 6, NULL}, .dx = 1.0};
        frame_add(&frame, "density", "1", 1, BRUME_AT_CENTERS)->values[50] = 0.03125f * (float)n;
        (void)snprintf(path, sizeof path, "a%d.vti", n);
        write_volume(path, &frame);
        brume_frame_grids_destroy(&frame);
    }
    assert_run("convert a#.vti b#.ply -q", 0, "",
               "brume: warning: 3 of 3 meshes are empty: no value is above 0.1 (the largest is 0.09375)\n");
    assert_run("convert a#.vti c#.ply -q --iso 0.0625", 0, "",
               "brume: warning: 2 of 3 meshes are empty: no value is above 0.0625 (the largest is 0.0625)\n");
    assert_run("convert a#.vti d#.ply -q --iso 0.03", 0, "", "");
    assert_true(exists("b1.ply") && exists("b2.ply") && exists("b3.ply"));
}

static void test_refusals(void **state)
{
    (void)state;
    static const int numbers[] = {1, 2};
    write_sequence("a.%04d.vti", numbers, 2);
    assert_int_equal(symlink("a.0002.vti", "b.0002.vti"), 0);
    assert_int_equal(link("a.0001.vti", "c.vti"), 0);
    make_file("d.0002.raw", "precious");
    make_file("e.0001.raw", "precious");
    make_file("e.0002.raw", "precious");
    const int entries = count_entries(".");
    static const struct {
        const char *arguments, *error;
    } cases[] = {
        {"convert", "brume: no INPUT (usage: brume convert INPUT OUTPUT [options])\n"},
        {"convert a.0001.vti", "brume: no OUTPUT (usage: brume convert INPUT OUTPUT [options])\n"},
        {"convert a.0001.vti b.vti c.vti", "brume: unexpected argument 'c.vti' ('convert' takes one INPUT and one "
                                           "OUTPUT, and has 'a.0001.vti' and 'b.vti')\n"},
        {"convert nowhere.vti b.vti", "brume: nowhere.vti: cannot open: No such file or directory\n"},
        {"convert nowhere/a.#.vti b.#.vti", "brume: nowhere/a.#.vti: there is no file of this pattern\n"},
        {"convert x.####.vti b.####.vti", "brume: x.####.vti: there is no file of this pattern\n"},
        {"convert a.####.vti b.####.vti --frames 3:4",
         "brume: a.####.vti: there is no file of this pattern in the range of --frames\n"},
        {"convert a.0001.vti b.vti --frames 1:2", "brume: --frames: 'a.0001.vti' has no frame number\n"},
        {"convert a.####.vti b.vti", "brume: OUTPUT: 'b.vti' has no frame number for 2 frames (did you mean "
                                     "'b.####.vti'?)\n"},
        {"convert a.0001.vti b.####.vti",
         "brume: OUTPUT: 'b.####.vti' has a frame number, and the input 'a.0001.vti' has none\n"},
        {"convert a.####.vti a.####.vti --overwrite", "brume: a.0001.vti is the input a.0001.vti (give another "
                                                      "OUTPUT)\n"},
        {"convert a.####.vti b.%04d.vti --overwrite", "brume: b.0002.vti is the input a.0002.vti (give another "
                                                      "OUTPUT)\n"},
        {"convert a.0001.vti c.vti --overwrite", "brume: c.vti is the input a.0001.vti (give another OUTPUT)\n"},
        {"convert a.####.vti d.####.raw",
         "brume: d.0002.raw exists (give --overwrite to replace it, or another OUTPUT)\n"},
        {"convert a.####.vti e.####.raw",
         "brume: e.0001.raw and 1 more of the outputs exist (give --overwrite to replace them, or another OUTPUT)\n"},
        {"convert a.####.vti #.%d.vti", "brume: OUTPUT: '#.%d.vti' has two frame numbers\n"},
        {"convert a.0001.vti b.vti --half", "brume: --half does not apply to .vti files (remove it)\n"},
        {"convert a.0001.vti b.raw --iso 1", "brume: --iso does not apply to .raw files (remove it)\n"},
        {"convert a.0001.vti b.raw --iso-grid x", "brume: --iso-grid does not apply to .raw files (remove it)\n"},
        {"convert a.0001.vti b.ply --grids density", "brume: --grids does not apply to .ply files (remove it)\n"},
        {"convert a.0001.vti b.vti --vdb-up z", "brume: --vdb-up does not apply to .vti files (remove it)\n"},
        {"convert a.0001.vti b.vti --vdb-staggered", "brume: --vdb-staggered does not apply to .vti files (remove "
                                                     "it)\n"},
        {"convert a.0001.vti b.vti --vdb-names houdini", "brume: --vdb-names does not apply to .vti files (remove "
                                                         "it)\n"},
        {"convert a.0001.vti b.vti --vdb-names maya",
         "brume: --vdb-names: 'maya' is unknown (known: blender, houdini, embergen)\n"},
        {"convert a.0001.vti b.vti --vdb-up x", "brume: --vdb-up: 'x' is unknown (known: y, z)\n"},
        {"convert a.0001.vti b.ply --iso 0", "brume: --iso: '0' is not a number above 0\n"},
        {"convert a.0001.vti b.vti --grids density,smoke",
         "brume: --grids: a.0001.vti has no grid 'smoke' (it has: density, temperature, velocity, a <grid> & "
         "\"its\" \\ name, velocity_x, velocity_y, velocity_z)\n"},
        {"info a.0001.vti -D time.frames=2", "brume: --define: it changes scenes, and 'a.0001.vti' is a volume file\n"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        assert_run(cases[n].arguments, 2, "", cases[n].error);
    }
    static ProgramRun run;
    run_program(&run, "convert little.yaml b.vti");
    assert_non_null(strstr(run.err, "brume: little.yaml: not a volume file that can be read (known are "));
    run_program(&run, "convert a.0001.vti b.jpg");
    assert_non_null(strstr(run.err, "brume: OUTPUT: 'b.jpg' has no extension that can be written (known: "));
    assert_int_equal(run.status, 2);
    assert_int_equal(count_entries("."), entries);

    assert_run("convert a.####.vti e.####.raw --overwrite -q", 0, "", "");
    BrumeFrameGrids frame = read_volume("e.0002.raw");
    assert_int_equal(frame.frame, 2);
    brume_frame_grids_destroy(&frame);
}

/** The files before a damaged one are converted. */
static void test_damaged_frame(void **state)
{
    (void)state;
    static const int numbers[] = {1, 2, 3};
    write_sequence("a.%04d.vti", numbers, 3);
    make_file("a.0002.vti", "<VTKFile");
    static ProgramRun run;
    run_program(&run, "convert a.####.vti b.####.raw");
    assert_int_equal(run.status, 2);
    assert_string_equal(run.err, "brume: a.0002.vti: not complete XML (line 1: unclosed token)\n");
    assert_non_null(strstr(run.out, "\n1 file: b.0001.raw\n"));
    assert_true(exists("b.0001.raw") && !exists("b.0002.raw") && !exists("b.0003.raw"));
}

/** A signal ends the run after a file, and all files that exist are complete. */
static void test_interruption(void **state)
{
    (void)state;
    enum { FRAMES = 200 };
    static int numbers[FRAMES];
    for (int n = 0; n < FRAMES; n++) {
        numbers[n] = n + 1;
    }
    write_sequence("a.%04d.vti", numbers, FRAMES);
    static ProgramRun run;
    const Program program = start_program("convert a.####.vti out/b.####.raw", 0);
    wait_for_file(&program, "out/b.0003.raw.yaml");
    assert_int_equal(kill(program.pid, SIGINT), 0);
    Program ended = program;
    finish_program(&ended, &run);
    assert_int_equal(run.status, 130);
    int done = 0;
    const char *line = strstr(run.err, "brume: interrupted: ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "brume: interrupted: %d of 200 files are written\n", &done), 1);
    assert_true(done >= 3 && done < FRAMES);
    assert_int_equal(count_entries("out"), 2 * done);
    for (int n = 1; n <= done; n++) {
        char path[64];
        (void)snprintf(path, sizeof path, "out/b.%04d.raw", n);
        BrumeFrameGrids frame = read_volume(path);
        brume_frame_grids_destroy(&frame);
    }
}

static void test_info(void **state)
{
    (void)state;
    BrumeFrameGrids frame = {
        .cells = {4, 8, 2, NULL}, .dx = 0.5, .origin = {-1.0, 0.0, 3.0}, .has_frame = true, .frame = 7, .time = 0.25};
    BrumeFrameGrid *density = frame_add(&frame, "density", "1", 1, BRUME_AT_CENTERS);
    BrumeFrameGrid *velocity = frame_add(&frame, "velocity", "m/s", 3, BRUME_AT_CENTERS);
    (void)frame_add(&frame, "velocity_x", "m/s", 1, BRUME_AT_X_FACES);
    for (int n = 0; n < 16; n++) { // the lower half of the box, in x and y
        density->values[n / 2 % 4 * 4 + n % 2 + n / 8 * 32] = 2.0f;
    }
    velocity->values[3] = 3.0f;
    velocity->values[4] = -4.0f;
    frame.scene_text = brume_copy_text("name: Half a box\nsmoke: {density: {extinction: 12}}\n");
    write_volume("a.raw", &frame);
    // rays along x and z through 1 m of density 2: an optical depth of 2 for an extinction of 1
    assert_run(
        "info a.raw", 0,
        "file         raw floats with a YAML header, 1.34 kB\n"
        "scene        Half a box\n"
        "frame        7, at 0.25 s\n"
        "box          2 x 4 x 1 m, lower corner at (-1, 0, 3) m, y up\n"
        "cells        4 x 8 x 2 (64), dx 0.5 m\n"
        "grids        density [1], 4 x 8 x 2 centers: 0 to 2, mean 0.5, 25 % not zero\n"
        "             velocity [m/s], vectors at 4 x 8 x 2 centers: length 0 to 5, mean 0.07812, 1.56 % not zero\n"
        "             velocity_x [m/s], 5 x 8 x 2 x faces: 0 to 0, mean 0, 0 % not zero\n"
        "scale        an extinction of 2 1/m for a density of 1 gives an optical depth of 4 through the smoke\n"
        "             the scene draws it with 12 1/m\n"
        "problems     none found\n",
        "");
    brume_frame_grids_destroy(&frame);

    frame = (BrumeFrameGrids){.cells = {2, 2, 2, NULL}, .dx = 1.0};
    density = frame_add(&frame, "density", "", 1, BRUME_AT_CENTERS);
    density->values[1] = -1.0f;
    density->values[6] = NAN;
    density->values[7] = INFINITY;
    write_volume("b.vti", &frame);
    static ProgramRun run;
    run_program(&run, "info b.vti");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "frame        not in the file\n"));
    assert_non_null(strstr(run.out, "density, 2 x 2 x 2 centers: -1 to 0, mean -0.1667, 12.5 % not zero\n"
                                    "note         without velocity; motion blur in other programs needs it "
                                    "(brume sim --fields smoke,temperature,particles,velocity)\n"
                                    "problems     density: 2 of 8 values are not finite, the first at (0, 1, 1)\n"
                                    "             density: 1 of 8 values are below 0, the lowest is -1\n"
                                    "             density: its unit is not in the file\n"
                                    "             no smoke: no density is above 0\n"));
    brume_frame_grids_destroy(&frame);
    // a cache of density alone has no problem
    frame = (BrumeFrameGrids){.cells = {2, 2, 2, NULL}, .dx = 1.0};
    frame_add(&frame, "density", "1", 1, BRUME_AT_CENTERS)->values[0] = 1.0f;
    write_volume("d.vti", &frame);
    run_program(&run, "info d.vti");
    assert_non_null(strstr(run.out, "note         without velocity; motion blur in other programs needs it "
                                    "(brume sim --fields smoke,temperature,particles,velocity)\n"
                                    "problems     none found\n"));
    brume_frame_grids_destroy(&frame);
    frame = (BrumeFrameGrids){.cells = {2, 2, 2, NULL}, .dx = 1.0};
    write_volume("c.vti", &frame);
    run_program(&run, "info c.vti");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "grids        none\n"
                                    "note         without velocity; motion blur in other programs needs it "
                                    "(brume sim --fields smoke,temperature,particles,velocity)\n"
                                    "problems     no density (a scalar at the centers named "
                                    "'density')\n"));
    assert_run("info nowhere.raw", 2, "", "brume: nowhere.raw.yaml: cannot open: No such file or directory\n");
}

#ifdef BRUME_HAS_HDF5
// the vertices of a mesh in PLY: 3 of position [m] and 3 of the normal each; returns their number
static int read_vertices(const char *path, float (*vertices)[6], int most)
{
    char line[128];
    int count = 0;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    do {
        assert_non_null(fgets(line, sizeof line, file));
        (void)sscanf(line, "element vertex %d", &count); // NOLINT(cert-err34-c): made by the program
    } while (strcmp(line, "end_header\n") != 0);
    assert_in_range(count, 1, most);
    assert_int_equal(fread(vertices, sizeof *vertices, (size_t)count, file), count);
    assert_int_equal(fclose(file), 0);
    return count;
}

// a sphere that moves, and a body that is not drawn: the vertices of each frame lie on the sphere, with its normals
static void test_bodies(void **state)
{
    (void)state;
    enum { MOST = 100000 };
    static float vertices[MOST][6];
    make_file("s.yaml", "domain: {size: 1}\nsolver: {resolution: 16}\ntime: {frames: 2, fps: 10}\n"
                        "bodies:\n  - {shape: sphere, center: [0, 0.4, 0.1], radius: 0.2}\n"
                        "  - {shape: box, center: [0, 0.8, 0], size: 0.1, visible: false}\n"
                        "animation:\n  - {path: bodies.0.position.0, interpolation: linear, "
                        "keys: [{time: 0, value: 0}, {time: 1, value: 1}]}\n");
    assert_run("sim -q s.yaml -o s.#.hdf", 0, "", "");
    assert_run("convert -q s.#.hdf y.#.ply --bodies", 0, "", "");
    assert_run("convert -q s.#.hdf z.#.ply --bodies --vdb-up z", 0, "", "");
    for (int frame = 1; frame <= 2; frame++) {
        for (int z_up = 0; z_up < 2; z_up++) {
            char path[32];
            (void)snprintf(path, sizeof path, "%s.%d.ply", z_up ? "z" : "y", frame);
            const float center[3] = {0.1f * (float)frame, z_up ? -0.1f : 0.4f, z_up ? 0.4f : 0.1f};
            const int count = read_vertices(path, vertices, MOST);
            for (int n = 0; n < count; n++) {
                double squares = 0.0;
                double along = 0.0;
                for (int axis = 0; axis < 3; axis++) {
                    const double from_center = (double)(vertices[n][axis] - center[axis]);
                    squares += from_center * from_center;
                    along += from_center * (double)vertices[n][axis + 3];
                }
                assert_true(fabs(sqrt(squares) - 0.2) < 3e-4); // cells of 1/64 m
                assert_true(along > 0.199 * sqrt(squares) / 0.2);
            }
        }
    }
    assert_run("convert s.#.hdf c.#.raw --bodies", 2, "", "brume: --bodies does not apply to .raw files (remove it)\n");
    assert_run("convert s.#.hdf c.#.ply --bodies --iso 1", 2, "",
               "brume: --bodies and --iso exclude each other (remove one)\n");
    assert_run("convert -q s.#.hdf s.#.vti", 0, "", "");
    assert_run("convert -q s.#.vti d.#.ply --bodies", 2, "",
               "brume: --bodies: s.1.vti has no bodies (the cache, .hdf, of a scene has them)\n");
    assert_false(exists("d.1.ply"));
}
#endif

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_one_file),     IN_FOLDER(test_sequences),     IN_FOLDER(test_refusals),
        IN_FOLDER(test_empty_meshes), IN_FOLDER(test_damaged_frame), IN_FOLDER(test_interruption),
        IN_FOLDER(test_info),
#ifdef BRUME_HAS_HDF5
        IN_FOLDER(test_bodies),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

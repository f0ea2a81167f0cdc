// Volumes: simulated once, drawn any number of times, with the pictures of the simulation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <unistd.h>

#include "window.h"

static ProgramRun run;

static void expect_same_frames(const char *a, const char *b, int first, int last)
{
    for (int frame = first; frame <= last; frame++) {
        char path[2][64];
        (void)snprintf(path[0], sizeof path[0], a, frame);
        (void)snprintf(path[1], sizeof path[1], b, frame);
        assert_same_files(path[0], path[1]);
    }
}

// a scene whose picture depends on bodies that move, heat the air and change their color, on colors, a changing box
// and the camera's motion
static const char moving_scene[] = "name: Moving\n"
                                   "domain: {size: [1, 1.5, 1]}\n"
                                   "solver: {resolution: 18}\n"
                                   "bodies:\n"
                                   "  - {shape: sphere, center: [0, 0.9, 0], radius: 0.15, temperature: 50}\n"
                                   "air: {thermal_diffusivity: 0.001}\n"
                                   "emitters:\n"
                                   "  - {shape: sphere, center: [0, 0.25, 0], radius: 0.2, density: 1, color_1: 2, "
                                   "temperature: 100, velocity: [0, 1, 0]}\n"
                                   "timeline:\n"
                                   "  - {frame: 3, moves: [{body: 0, velocity: [0.5, 0, 0]}]}\n"
                                   "animation:\n"
                                   "  - {path: bodies.0.albedo.2, keys: [{time: 0, value: 0}, {time: 0.3, value: 1}]}\n"
                                   "  - path: bodies.0.temperature\n"
                                   "    keys: [{time: 0, value: 0}, {time: 0.2, value: 400}]\n"
                                   "time: {fps: 24, frames: 8}\n"
                                   "image: {width: 64, height: 36, samples: 1}\n"
                                   "camera:\n"
                                   "  keys:\n"
                                   "    - {time: 0, position: [0, 0.8, 3], target: [0, 0.7, 0]}\n"
                                   "    - {time: 0.3, position: [1, 0.8, 3], target: [0, 0.7, 0]}\n";

static void test_same_pictures(void **state)
{
    (void)state;
    make_file("moving.yaml", moving_scene);
    static const char *const scenes[] = {"little.yaml", "moving.yaml"};
    for (size_t n = 0; n < sizeof scenes / sizeof scenes[0]; n++) {
        char arguments[256];
        (void)snprintf(arguments, sizeof arguments, "render %s -o a/p.####.png --frames 1:6", scenes[n]);
        run_successfully(&run, arguments);
        (void)snprintf(arguments, sizeof arguments, "sim %s -o c/p.####.hdf --frames 1:6", scenes[n]);
        run_successfully(&run, arguments);
        run_successfully(&run, "render c/p.####.hdf -o b/p.####.png");
        expect_same_frames("a/p.%04d.png", "b/p.%04d.png", 1, 6);
        run_successfully(&run, "render c/p.0005.hdf -o one.png");
        assert_same_files("one.png", "a/p.0005.png");
        run_successfully(&run, "render c/p.####.hdf -o b/p.####.png --overwrite --size 32x18 --frames 2:6:2");
        assert_whole_png("b/p.0004.png", 32, 18);
        assert_whole_png("b/p.0005.png", 64, 36);
        assert_int_equal(unlink("one.png"), 0);
        assert_int_equal(system("rm -r a b c"), 0);
    }
}

// hot smoke glows alike in a simulation and in its volumes; without their temperature it does not, which a message says
static void test_glow(void **state)
{
    (void)state;
    static const char glow[] = " -D render.emission.intensity=0.01 -D render.emission.temperature_scale=30";
    static const char look[] = "-D image.width=48 -D image.height=32";
    char arguments[512];
    (void)snprintf(arguments, sizeof arguments, "render little.yaml -o a.png --frame 4 %s%s", look, glow);
    run_successfully(&run, arguments);
    (void)snprintf(arguments, sizeof arguments, "render little.yaml -o dark.png --frame 4 %s", look);
    run_successfully(&run, arguments);
    run_successfully(&run, "sim little.yaml -o c/p.####.hdf --frames 4:4");
    run_successfully(&run, "sim little.yaml -o d/p.####.hdf --frames 4:4 --fields smoke");
    (void)snprintf(arguments, sizeof arguments, "render c/p.0004.hdf -o b.png %s%s", look, glow);
    run_successfully(&run, arguments);
    assert_same_files("a.png", "b.png");
    (void)snprintf(arguments, sizeof arguments, "render d/p.0004.hdf -o no.png %s%s", look, glow);
    run_program(&run, arguments);
    assert_int_equal(run.status, 0);
    assert_same_files("no.png", "dark.png");
    assert_non_null(strstr(run.err, "brume: warning: d/p.0004.hdf: it has no grid 'temperature', so its smoke does not "
                                    "glow ('render.emission')\n"));
    Picture bright = read_picture("a.png");
    Picture dark = read_picture("dark.png");
    long brighter = 0;
    for (int n = 0; n < 3 * 48 * 32; n++) {
        brighter += bright.rgb[n] - dark.rgb[n];
    }
    assert_true(brighter > 3000);
    free_picture(&bright);
    free_picture(&dark);
}

// particles are drawn from a cache, in smoke and alone, as from the simulation
static void test_particles(void **state)
{
    (void)state;
    static const char particles[] =
        "-D image.width=64 -D image.height=64 -D emitters.0.dust=3000 -D emitters.0.embers=2000 "
        "-D emitters.0.leaves=300 -D particles.dust.diameter=0.01 -D particles.embers.diameter=0.02 "
        "-D particles.leaves.diameter=0.1 ";
    static const char *const others[] = {
        "", "-D emitters.0.density=0 -D emitters.0.temperature=0 -D camera.shutter=0.9 -D emitters.0.velocity=[0,3,0]"};
    for (size_t n = 0; n < sizeof others / sizeof others[0]; n++) {
        char arguments[512];
        (void)snprintf(arguments, sizeof arguments, "render little.yaml -o a.png --overwrite --frame 4 %s%s", particles,
                       others[n]);
        run_successfully(&run, arguments);
        (void)snprintf(arguments, sizeof arguments, "sim little.yaml -o c/p.####.hdf --overwrite --frames 4:4 %s%s%s",
                       n == 1 ? "--fields particles " : "", particles, others[n]);
        run_successfully(&run, arguments);
        run_successfully(&run, "render c/p.0004.hdf -o b.png --overwrite");
        assert_same_files("a.png", "b.png");
    }
    run_successfully(&run, "convert c/p.0004.hdf c/p.0004.ply"); // without a scene
    run_successfully(&run, "render c/p.0004.ply -o b.png --overwrite --look little.yaml");
    assert_int_equal(unlink("a.png"), 0);
    run_successfully(&run, "render little.yaml -o a.png --frame 1 -D emitters.0.density=0");
    Picture with = read_picture("b.png");
    Picture without = read_picture("a.png");
    int differ = 0;
    for (int n = 0; n < with.width * with.height; n++) {
        differ += memcmp(with.rgb + 3 * (ptrdiff_t)n, without.rgb + 3 * (ptrdiff_t)n, 3) != 0;
    }
    assert_in_range(differ, 100, with.width * with.height - 100);
    free_picture(&with);
    free_picture(&without);

    // of another program: without radius and kind, and with a point that is no place; the same completely
    static const char head[] = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
                               "property float z\n";
    char text[512];
    (void)snprintf(text, sizeof text, "%send_header\n0 0.5 0\nnan 0.5 0\n", head);
    make_file("bare.ply", text);
    (void)snprintf(text, sizeof text,
                   "%sproperty float radius\nproperty int kind\nend_header\n0 0.5 0 0.1 0\n"
                   "inf 0.5 0 0.1 9\n",
                   head);
    make_file("whole.ply", text);
    static const char look[] = "--look little.yaml -D particles.dust.diameter=0.2 --overwrite -o";
    char arguments[256];
    (void)snprintf(arguments, sizeof arguments, "render bare.ply %s b.png", look);
    run_successfully(&run, arguments);
    (void)snprintf(arguments, sizeof arguments, "render whole.ply %s a.png", look);
    run_successfully(&run, arguments);
    assert_same_files("a.png", "b.png");
    run_successfully(&run, "render little.yaml -o c.png --frame 1 -D emitters.0.density=0");
    assert_true(system("cmp -s a.png c.png") != 0);
}

// smoke with detail is alike in a simulation and in its volumes, also where the simulation was resumed; volumes without
// texture coordinates give a message
static void test_detail(void **state)
{
    (void)state;
    static const char detail[] = " -D solver.texture_period=0.2 -D render.detail.factor=2 -D render.detail.strength=6 "
                                 "-D image.width=48 -D image.height=32";
    char arguments[512];
    (void)snprintf(arguments, sizeof arguments, "render little.yaml -o a/p.####.png --frames 1:6 %s", detail);
    run_successfully(&run, arguments);
    (void)snprintf(arguments, sizeof arguments, "sim little.yaml -o c/p.####.hdf --frames 1:3 %s", detail);
    run_successfully(&run, arguments);
    (void)snprintf(arguments, sizeof arguments, "sim little.yaml -o c/p.####.hdf --frames 1:6 --resume %s", detail);
    run_successfully(&run, arguments);
    run_successfully(&run, "render c/p.####.hdf -o b/p.####.png --frames 1:6");
    expect_same_frames("a/p.%04d.png", "b/p.%04d.png", 1, 6);
    run_successfully(&run, "render c/p.0006.hdf -o off.png -D render.detail.factor=1");
    Picture with = read_picture("a/p.0006.png");
    Picture without = read_picture("off.png");
    int different = 0;
    for (int n = 0; n < 3 * 48 * 32; n++) {
        different += abs(with.rgb[n] - without.rgb[n]) > 2;
    }
    assert_true(different > 20);
    free_picture(&with);
    free_picture(&without);
    // without texture coordinates: of a simulation, and of a volume that is drawn with another look
    static const char in_place[] = "'detail' stays in place while the smoke moves";
    run_successfully(&run, "sim little.yaml -o d/p.####.hdf --frames 6:6");
    run_program(&run, "render d/p.0006.hdf -o fixed.png -D render.detail.factor=2");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.err, in_place));
    run_program(&run,
                "render d/p.0006.hdf -o fixed.png -D render.detail.factor=2 -D render.detail.strength=0 --overwrite");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, ""); // nothing moves
    make_file("look.yaml", "solver: {texture_period: 0.2}\n"
                           "render: {detail: {factor: 2}}\n"
                           "image: {width: 48, height: 32, samples: 1}\n");
    run_program(&run, "render d/p.0006.hdf --look look.yaml -o fixed.png --overwrite");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.err, "brume: warning: d/p.0006.hdf: it has no grids 'texture_1' and 'texture_2', so the "
                                    "detail stays in place while the smoke moves ('render.detail')\n"));
}

// the bytes of the files do not depend on the number of threads
static void test_same_files(void **state)
{
    (void)state;
    run_successfully(&run, "sim little.yaml -o c/p.####.hdf -t 1 --fields smoke,temperature,velocity,faces");
    run_successfully(&run, "sim little.yaml -o d/p.####.hdf -t 3 --fields smoke,temperature,velocity,faces");
    expect_same_frames("c/p.%04d.hdf", "d/p.%04d.hdf", 1, 12);
    run_successfully(&run, "sim little.yaml -o h/p.####.hdf --half --frames 3:12:3");
    assert_int_equal(count_entries("h"), 4);
}

static void test_look(void **state)
{
    (void)state;
    make_file("look.yaml", "name: Look\n"
                           "image: {width: 48, height: 30, samples: 1}\n"
                           "camera: {position: [0, 0.7, 2], target: [0, 0.7, 0]}\n");
    run_successfully(&run, "sim little.yaml -o c/p.####.hdf --frames 1:4");
    run_successfully(&run, "render c/p.####.hdf --look look.yaml -o a/p.####.png --frame 4");
    assert_whole_png("a/p.0004.png", 48, 30);
    run_successfully(&run, "render c/p.####.hdf -D image.width=48 -D image.height=30 -D camera.position=[0,0.7,2] "
                           "-D camera.target=[0,0.7,0] -o b/p.####.png --frame 4");
    assert_same_files("a/p.0004.png", "b/p.0004.png");
}

static void expect_warning(const char *arguments, const char *text)
{
    run_program(&run, arguments);
    char expected[512];
    (void)snprintf(expected, sizeof expected, "brume: warning: %s\n", text);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, expected);
}

// the number of bodies of a look is that of the volumes, or a line says what is drawn
static void test_bodies_of_look(void **state)
{
    (void)state;
    make_file("moving.yaml", moving_scene);
    make_file("none.yaml", "name: None\nimage: {width: 48, height: 30, samples: 1}\n");
    make_file("two.yaml", "name: Two\nimage: {width: 48, height: 30, samples: 1}\n"
                          "bodies: [{shape: sphere, center: [0, 0.3, 0], radius: 0.1}, "
                          "{shape: sphere, center: [0, 0.7, 0], radius: 0.1}]\n");
    run_successfully(&run, "sim moving.yaml -q -o c/p.####.hdf --frames 1:1");
    expect_warning("render c/p.0001.hdf -q --look none.yaml -o none.png",
                   "none.yaml has no bodies, so the 1 of the volumes is not drawn (add as many)");
    expect_warning("render c/p.0001.hdf -q --look two.yaml -o two.png",
                   "two.yaml has 2 bodies and the volumes have 1, so those of the look are drawn, at its positions");
    run_successfully(&run, "render c/p.0001.hdf -q --look moving.yaml -o one.png");
}

// a single volume is the frame that it has, or that of its name
static void test_frame_of_single_volume(void **state)
{
    (void)state;
    run_successfully(&run, "sim little.yaml -q -o c/p.####.hdf --frames 4:5");
    run_successfully(&run, "render c/p.####.hdf -q -o a/p.####.png");
    run_successfully(&run, "render c/p.0005.hdf -q -o b/p.####.png");
    assert_same_files("b/p.0005.png", "a/p.0005.png");
    assert_int_equal(count_entries("b"), 1);
    assert_int_equal(rename("c/p.0005.hdf", "c/other.0003.hdf"), 0);
    run_successfully(&run, "render c/other.0003.hdf -q --frame 5 -o five.png");
    assert_same_files("five.png", "a/p.0005.png");
    run_with_error(&run, 2, "render c/other.0003.hdf -q --frame 3 -o no.png",
                   "c/other.0003.hdf: it is the volume of frame 5, not 3");
}

// a volume of another program: smoke in the middle of a box anywhere
static void make_foreign_volume(const char *path, const char *grid, float density)
{
    enum { SIDE = 12 };
    float values[SIDE * SIDE * SIDE] = {0};
    for (int k = 4; k < 8; k++) {
        for (int j = 4; j < 8; j++) {
            for (int i = 4; i < 8; i++) {
                values[i + SIDE * (j + SIDE * k)] = density;
            }
        }
    }
    char header[64];
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(values, sizeof values, 1, file), 1);
    assert_int_equal(fclose(file), 0);
    (void)snprintf(header, sizeof header, "%s.yaml", path);
    char text[512];
    (void)snprintf(text, sizeof text,
                   "format: brume raw volume\n"
                   "version: 1\n"
                   "bytes: 6912\n"
                   "type: float32\n"
                   "endianness: little\n"
                   "order: xyz\n"
                   "up: y\n"
                   "cells: [12, 12, 12]\n"
                   "spacing: 0.5\n"
                   "origin: [100, -50, 30]\n"
                   "grids:\n"
                   "  - {name: \"%s\", unit: \"1\", components: 1, location: centers, extents: [12, 12, 12], "
                   "offset: 0}\n",
                   grid);
    make_file(header, text);
}

// it is visible without any setting, whatever the scale of its densities
static void test_without_scene(void **state)
{
    (void)state;
    make_foreign_volume("thin.raw", "density", 1e-3f);
    make_foreign_volume("dense.raw", "density", 1e3f);
    make_foreign_volume("empty.raw", "density", 0.0f);
    run_successfully(&run, "render thin.raw -o thin.png --size 64x36 --samples 1 -D smoke.density.albedo=0");
    run_successfully(&run, "render dense.raw -o dense.png --size 64x36 --samples 1 -D smoke.density.albedo=0");
    run_successfully(&run, "render empty.raw -o empty.png --size 64x36 --samples 1 -D smoke.density.albedo=0");
    int difference[2] = {0};
    Picture empty = read_picture("empty.png");
    static const char *const names[] = {"thin.png", "dense.png"};
    for (int n = 0; n < 2; n++) {
        Picture picture = read_picture(names[n]);
        difference[n] = difference_at(&picture, &empty, 32, 18);
        free_picture(&picture);
    }
    free_picture(&empty);
    assert_in_range(difference[0], 20, 255);
    assert_in_range(difference[1], difference[0] - 2, difference[0] + 2);
}

// Names of other programs: a grid that may be the density is drawn, and flames glow.
static void test_names_without_scene(void **state)
{
    (void)state;
    make_foreign_volume("density.raw", "density", 1.0f);
    make_foreign_volume("fog.raw", "voxel_fog_density", 1.0f);
    make_foreign_volume("flame.raw", "flame", 1.0f);
    run_successfully(&run, "render density.raw -o density.png --size 64x36 --samples 1");
    run_successfully(&run, "render fog.raw -o fog.png --size 64x36 --samples 1");
    assert_non_null(
        strstr(run.out, "fog.raw: the grid 'density' is the grid 'voxel_fog_density' (--density-grid NAME"));
    run_successfully(&run, "render fog.raw -o named.png --size 64x36 --samples 1 --density-grid voxel_fog_density");
    assert_same_files("fog.png", "density.png");
    assert_same_files("named.png", "density.png");
    run_successfully(&run, "convert fog.raw fog.vti --density-grid voxel_fog_density");
    run_successfully(&run, "render fog.vti -o converted.png --size 64x36 --samples 1");
    assert_same_files("converted.png", "density.png");
    run_with_error(&run, 2, "render fog.raw -o no.png --density-grid smoke",
                   "fog.raw: has no grid of numbers 'smoke' (it has: voxel_fog_density)");
    run_successfully(&run, "render flame.raw -o flame.png --size 64x36 --samples 1");
    run_successfully(&run, "render flame.raw -o cold.png --size 64x36 --samples 1 -D render.emission.intensity=0");
    Picture flame = read_picture("flame.png");
    Picture cold = read_picture("cold.png");
    const size_t middle = 3 * (size_t)(64 * 18 + 32);
    assert_in_range(flame.rgb[middle], cold.rgb[middle] + 60, 255);
    free_picture(&cold);
    free_picture(&flame);
}

// Frames may have the number 0 and negative ones, and one of them drawn alone is that of the whole run.
static void test_numbers_without_scene(void **state)
{
    (void)state;
    make_foreign_volume("f.-001.raw", "density", 1.0f);
    make_foreign_volume("f.0000.raw", "density", 0.1f);
    make_foreign_volume("f.0001.raw", "density", 10.0f);
    run_successfully(&run, "render f.####.raw -o a/f.####.png --size 64x36 --samples 1 -t 1");
    assert_int_equal(count_entries("a"), 3);
    assert_non_null(strstr(run.out,
                           "has no scene; 24 frames per second are assumed (-D time.fps=N)\n"
                           "view and extinction fit 3 files of f.####.raw; the same again: -D camera.position="));
    assert_non_null(strstr(run.out, ": a/f.-001.png to a/f.0001.png; "));
    run_successfully(&run, "render f.####.raw -o b/f.####.png --size 64x36 --samples 1 --frames -1:0");
    assert_int_equal(count_entries("b"), 2);
    assert_same_files("b/f.-001.png", "a/f.-001.png");
    assert_same_files("b/f.0000.png", "a/f.0000.png");
    run_successfully(&run, "render f.####.raw -o alone.png --size 64x36 --samples 1 --frame 0 -D time.fps=30");
    assert_same_files("alone.png", "a/f.0000.png");
    assert_non_null(strstr(run.out, "30 frames per second"));
    // the options that are printed give a single file the same look
    char command[1024];
    const char *options = strstr(run.out, "the same again: ");
    assert_non_null(options);
    options += strlen("the same again: ");
    (void)snprintf(command, sizeof command, "render f.0000.raw -o single.png --size 64x36 --samples 1 %.*s",
                   (int)strcspn(options, "\n"), options);
    run_successfully(&run, command);
    assert_same_files("single.png", "a/f.0000.png");
    run_with_error(&run, 2, "render f.####.raw -o c.####.png --frames -2:0",
                   "f.-002.raw: the volume of frame -2 is missing (give --frames with those that exist, -1 to 1)");
    run_successfully(&run, "convert f.####.raw d.####.vti --frames -1:0");
    assert_true(exists("d.-001.vti") && exists("d.0000.vti"));
}

// time.first_frame numbers files, metadata, tables and options; the frame before it is the initial state
static void test_first_frame(void **state)
{
    (void)state;
    run_successfully(&run,
                     "sim little.yaml -D time.first_frame=1001 -o c/p.####.hdf --frames 1000:1003 --measures m.csv");
    assert_int_equal(count_entries("c"), 4);
    assert_non_null(strstr(run.out, "c/p.1000.hdf to c/p.1003.hdf"));
    run_successfully(&run, "info c/p.1000.hdf");
    assert_non_null(strstr(run.out, "frame        1000, at 0 s\n"));
    FILE *file = fopen("m.csv", "r");
    char line[4096];
    assert_non_null(file);
    for (int n = -1; n < 4; n++) {
        assert_non_null(fgets(line, sizeof line, file));
        if (n >= 0) {
            assert_int_equal(strtol(line, NULL, 10), 1000 + n);
        }
    }
    assert_int_equal(fclose(file), 0);
    run_successfully(&run, "render c/p.####.hdf -o a/p.####.png");
    run_successfully(&run, "render little.yaml -D time.first_frame=1001 -o b/p.####.png --frames 1000:1003");
    run_successfully(&run, "render little.yaml -o d/p.####.png --frames 0:3");
    for (int n = 0; n < 4; n++) {
        char paths[3][32];
        (void)snprintf(paths[0], sizeof paths[0], "a/p.%d.png", 1000 + n);
        (void)snprintf(paths[1], sizeof paths[1], "b/p.%d.png", 1000 + n);
        (void)snprintf(paths[2], sizeof paths[2], "d/p.%04d.png", n);
        assert_same_files(paths[0], paths[1]);
        Picture one = read_picture(paths[0]);
        Picture other = read_picture(paths[2]); // only the number is another
        assert_memory_equal(one.rgb, other.rgb, 3 * (size_t)one.width * (size_t)one.height);
        free_picture(&one);
        free_picture(&other);
    }
    run_successfully(&run, "sim little.yaml -o v/p.####.hdf --frames 3:3");
    run_successfully(&run, "sim little.yaml -o v/p.####.vtkhdf --frames 3:3");
    assert_same_files("v/p.0003.hdf", "v/p.0003.vtkhdf");
    run_successfully(&run, "render v/p.####.vtkhdf -o v/p.####.png");
    assert_same_files("v/p.0003.png", "d/p.0003.png");
    run_with_error(&run, 2, "render little.yaml -D time.first_frame=1001 -o e.##.png --frames 1:3",
                   "frame 1 is before the scene's initial state, which is frame 1000");
    run_with_error(&run, 2, "render little.yaml -D time.first_frame=-5 -D time.frames=3 -o e.##.png --frames -5:1",
                   "frame 1 is after the scene's end at -3 (lengthen it: -D time.frames=7)");
}

// its look fits the sequence, also where a part of the frames is drawn
static void test_part_without_scene(void **state)
{
    (void)state;
    make_foreign_volume("f.0001.raw", "density", 1.0f);
    make_foreign_volume("f.0002.raw", "density", 0.1f);
    run_successfully(&run, "render f.0002.raw -o one.##.png --size 64x36 --samples 1");
    assert_true(exists("one.02.png"));
    run_successfully(&run, "render f.####.raw -o a/f.####.png --size 64x36 --samples 1");
    run_successfully(&run, "render f.####.raw -o b/f.####.png --size 64x36 --samples 1 --chunk 2/2");
    assert_int_equal(count_entries("b"), 1);
    assert_same_files("a/f.0002.png", "b/f.0002.png");
}

static void assert_other_files(const char *a, const char *b)
{
    size_t size_a = 0;
    size_t size_b = 0;
    char *data_a = read_whole_file(a, &size_a);
    char *data_b = read_whole_file(b, &size_b);
    assert_true(size_a != size_b || memcmp(data_a, data_b, size_a) != 0);
    free(data_a);
    free(data_b);
}

// streamlines need the velocity, colors by the pressure the pressure, and are those of the simulation with it
static void test_flow(void **state)
{
    (void)state;
    static const char tunnel[] =
        "domain: {size: [1, 0.5, 0.5], boundaries: {x_min: {kind: inflow, velocity: [1, 0, 0]}, "
        "x_max: open}}\n"
        "solver: {resolution: 24}\n"
        "air: {wind: [1, 0, 0]}\n"
        "bodies: [{shape: sphere, center: [-0.1, 0.25, 0], radius: 0.1}]\n"
        "time: {frames: 2}\n"
        "image: {width: 48, height: 32, samples: 1}\n"
        "render: {surface_color: pressure, streamlines: [{from: [-0.4, 0.1, 0], to: [-0.4, "
        "0.4, 0], radius: 0.01}]}\n";
    make_file("tunnel.yaml", tunnel);
    const char *no_lines = "-D render.streamlines=null";
    const char *no_colors = "-D render.surface_color=albedo";
    char arguments[256];
    run_successfully(&run, "sim tunnel.yaml -o n/p.####.hdf --frames 2:2 --fields smoke,velocity");
    run_with_error(
        &run, 2, "render n/p.0002.hdf -o a.png",
        "n/p.0002.hdf: colors by the pressure need the grid 'pressure' (write it with --fields "
        "smoke,temperature,particles,velocity,pressure, or give -D render.surface_color=albedo); no frame is written");
    run_successfully(&run, "sim tunnel.yaml -o f/p.####.hdf --frames 2:2 --fields smoke,pressure");
    run_with_error(
        &run, 2, "render f/p.0002.hdf -o a.png",
        "f/p.0002.hdf: 'render.streamlines' need the grid 'velocity' (write it with --fields "
        "smoke,temperature,particles,velocity,pressure, or give -D render.streamlines=null); no frame is written");
    (void)snprintf(arguments, sizeof arguments, "render f/p.0002.hdf -o f.png %s", no_lines);
    run_successfully(&run, arguments);
    (void)snprintf(arguments, sizeof arguments, "render tunnel.yaml -o s.png --frame 2 %s", no_lines);
    run_successfully(&run, arguments);
    assert_same_files("f.png", "s.png");
    (void)snprintf(arguments, sizeof arguments, "render f/p.0002.hdf -o albedo.png %s %s", no_lines, no_colors);
    run_successfully(&run, arguments);
    assert_other_files("f.png", "albedo.png");
    (void)snprintf(arguments, sizeof arguments, "render n/p.0002.hdf -o lines.png %s", no_colors);
    run_successfully(&run, arguments);
    assert_other_files("lines.png", "albedo.png");
}

// motion blur needs the velocities, and is that of the simulation with them
static void test_motion_blur(void **state)
{
    (void)state;
    run_successfully(&run, "sim little.yaml -o m/p.####.hdf --frames 3:3");
    run_with_error(&run, 2, "render m/p.0003.hdf -o a.png -D camera.shutter=0.5",
                   "m/p.0003.hdf: motion blur needs the grid 'velocity' (write it with --fields "
                   "smoke,temperature,particles,velocity, or give "
                   "-D camera.shutter=0); no frame is written");
    run_successfully(&run, "sim little.yaml -o m/v.####.hdf --frames 3:3 --fields smoke,velocity");
    run_successfully(&run, "render m/v.0003.hdf -o v.png -D camera.shutter=1");
    run_successfully(&run, "render m/v.0003.hdf -o sharp.png");
    run_successfully(&run, "render little.yaml -o s.png --frame 3 -D camera.shutter=1");
    assert_same_files("v.png", "s.png");
    Picture blurred = read_picture("v.png");
    Picture sharp = read_picture("sharp.png");
    assert_int_equal(blurred.width, sharp.width);
    assert_true(memcmp(blurred.rgb, sharp.rgb, 3 * (size_t)sharp.width * (size_t)sharp.height) != 0);
    free_picture(&blurred);
    free_picture(&sharp);
}

static void test_refusals(void **state)
{
    (void)state;
    run_successfully(&run, "sim little.yaml -o c/p.####.hdf --frames 2:4");
    run_with_error(&run, 2, "render c/q.####.hdf -o a/p.####.png", "c/q.####.hdf: there is no such volume");
    run_with_error(&run, 2, "render c/p.####.hdf", "no output (give -o PATTERN, for example -o out/plume.####.png)");
    run_with_error(&run, 2, "render c/p.####.hdf -o a/p.####.png --frames 1:4",
                   "c/p.0001.hdf: the volume of frame 1 is missing (give --frames with those that exist, 2 to 4)");
    run_with_error(&run, 2, "render c/p.####.hdf -o a/p.####.png --measures m.csv",
                   "--measures needs a simulation, but volumes are only drawn (give a SCENE)");
    run_with_error(&run, 2, "render c/p.####.hdf -o a/p.####.png -D solver.cfl=1",
                   "--define changes what was simulated, but volumes are only drawn: solver.cfl (default, now 1) "
                   "(simulate the scene again)");
    run_with_error(&run, 2, "render c/p.####.hdf -o a/p.####.png -D smoke.color_2.extinction=3",
                   "-D smoke.color_2.extinction=3: the volumes have no smoke 'color_2'");
    run_with_error(&run, 2, "render c/p.####.hdf -o a.png",
                   "--output: 'a.png' has no frame number for 3 frames (did you mean 'a.####.png'?)");
    run_with_error(
        &run, 2, "sim little.yaml -o c/p.####.hdf",
        "c/p.0002.hdf and 2 more of the frames exist (give --overwrite to replace them, or another --output)");
    assert_false(exists("a"));
    // a damaged file is named, and the frames before it stay
    FILE *file = fopen("c/p.0003.hdf", "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 2000, SEEK_SET), 0);
    assert_int_equal(fputc(0xa5, file), 0xa5);
    assert_int_equal(fclose(file), 0);
    run_with_error(&run, 2, "render c/p.####.hdf -o a/p.####.png",
                   "c/p.0003.hdf: damaged: its size or its hash is not that "
                   "with which it was written (write it again); frame 2 is "
                   "written");
    assert_whole_png("a/p.0002.png", 64, 36);
    assert_int_equal(count_entries("a"), 1);
}

// a run that is killed goes on, to the same files
static void test_resume(void **state)
{
    (void)state;
    run_successfully(&run, "sim little.yaml -o c/p.####.hdf");
    Program program = start_program("sim little.yaml -o d/p.####.hdf --checkpoint-every 2", 0);
    wait_for_file(&program, "d/p.0005.hdf");
    assert_int_equal(kill(program.pid, SIGKILL), 0);
    finish_program(&program, &run);
    run_successfully(&run, "sim little.yaml -o d/p.####.hdf --resume");
    expect_same_frames("c/p.%04d.hdf", "d/p.%04d.hdf", 1, 12);
    assert_int_equal(count_entries("d"), 12);
    run_successfully(&run, "sim little.yaml -o d/p.####.hdf --resume");
    assert_string_equal(run.out, "nothing to do: all files exist (give --overwrite to make them again)\n");
    // drawing too
    run_successfully(&run, "render c/p.####.hdf -o a/p.####.png");
    program = start_program("render c/p.####.hdf -o b/p.####.png", 0);
    wait_for_file(&program, "b/p.0003.png");
    assert_int_equal(kill(program.pid, SIGKILL), 0);
    finish_program(&program, &run);
    run_successfully(&run, "render c/p.####.hdf -o b/p.####.png --resume");
    expect_same_frames("a/p.%04d.png", "b/p.%04d.png", 1, 12);
    run_successfully(&run, "render c/p.####.hdf -o b/p.####.png --resume");
    assert_string_equal(run.out, "nothing to do: all files exist (give --overwrite to make them again)\n");
}

static void test_watch(void **state)
{
    (void)state;
    Program drawing = start_program("render c/p.####.hdf -o a/p.####.png --watch", 0);
    run_successfully(&run, "sim little.yaml -o c/p.####.hdf");
    finish_program(&drawing, &run);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "draws frames 1 to 12 of the scene (--frames A:B for fewer)\n"));
    run_successfully(&run, "render little.yaml -o b/p.####.png");
    expect_same_frames("a/p.%04d.png", "b/p.%04d.png", 1, 12);
    // a signal ends the wait
    drawing = start_program("render n/p.####.hdf -o a/n.####.png --watch", 0);
    wait_for_output(&drawing);
    assert_int_equal(kill(drawing.pid, SIGTERM), 0);
    finish_program(&drawing, &run);
    assert_int_equal(run.status, 130);
}

// what is waited for is printed as the other messages are: not with --quiet, but to the log
static void test_messages_of_watch(void **state)
{
    (void)state;
    static const char quiet[] = "render n/p.####.hdf -o a/n.####.png --watch --quiet --log run.log";
    Program drawing = start_program(quiet, 0);
    wait_for_text(&drawing, "run.log", "  waiting for n/p.####.hdf\n");
    assert_int_equal(kill(drawing.pid, SIGTERM), 0);
    finish_program(&drawing, &run);
    assert_int_equal(run.status, 130);
    assert_string_equal(run.out, "");
    assert_non_null(strstr(run.err, "brume: interrupted while waiting for n/p.####.hdf\n"));

    // a log that would replace another file is refused before the wait
    make_file("precious.txt", "precious\n");
    run_program(&run, "render n/p.####.hdf -o a/n.####.png --watch --log precious.txt");
    assert_int_equal(run.status, 2);
    assert_string_equal(run.out, "");
    assert_string_equal(run.err, "brume: precious.txt exists and is not a log file of brume (remove it, or give "
                                 "another --log)\n");
}

// each of two workers waits for the volume that it has claimed
static void test_watch_of_workers(void **state)
{
    (void)state;
    static const char worker[] = "render c/p.####.hdf -o a/p.####.png --watch --skip-existing -t 1";
    Program first = start_program(worker, 0);
    Program second = start_program(worker, 0);
    run_successfully(&run, "sim little.yaml -o c/p.####.hdf -t 1");
    finish_program(&first, &run);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    finish_program(&second, &run);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    run_successfully(&run, "render c/p.####.hdf -o b/p.####.png");
    expect_same_frames("b/p.%04d.png", "a/p.%04d.png", 1, 12);
    assert_int_equal(count_entries("a"), 12); // no lock file
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_pictures, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_glow, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_particles, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_detail, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_same_files, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_look, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_bodies_of_look, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_frame_of_single_volume, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_without_scene, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_names_without_scene, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_numbers_without_scene, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_first_frame, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_part_without_scene, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_flow, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_motion_blur, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_refusals, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_resume, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_watch, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_messages_of_watch, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_watch_of_workers, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

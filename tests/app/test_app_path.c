// Pictures of the path tracer: those of the library, with any number of threads, from scenes and from volumes; when
// they are complete, and what the program says about them.
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

#include "brume/brume.h"
#include "core/memory.h"
#include "io/png.h"
#include "program.h"

static ProgramRun run;

static bool same_files(const char *a, const char *b)
{
    size_t sizes[2];
    char *files[2] = {read_whole_file(a, &sizes[0]), read_whole_file(b, &sizes[1])};
    const bool same = sizes[0] == sizes[1] && memcmp(files[0], files[1], sizes[0]) == 0;
    free(files[0]);
    free(files[1]);
    return same;
}

// writes frame `frame` of little.yaml as the library draws it
static void draw_with_library(const char *path, int frame, int samples, const BrumeTraceDef *trace)
{
    BrumeScene *scene = NULL;
    BrumeSim *sim = NULL;
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_scene_load(&scene, "little.yaml", NULL, 0, NULL, &error), BRUME_OK);
    assert_int_equal(brume_sim_create(&sim, &scene->sim, &error), BRUME_OK);
    for (int n = 1; n <= frame; n++) {
        assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
    }
    const BrumeSimDef *cells = &scene->sim;
    const BrumeVolume volume = brume_sim_volume(sim);
    assert_int_equal(brume_renderer_create(&renderer, cells->nx, cells->ny, cells->nz, &scene->render_settings, &error),
                     BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    const size_t pixels = (size_t)scene->width * (size_t)scene->height;
    float *radiance = malloc(pixels * 3 * sizeof *radiance);
    uint8_t *rgb = malloc(pixels * 3);
    assert_non_null(radiance);
    assert_non_null(rgb);
    const BrumeCamera camera = brume_scene_camera(scene, brume_sim_time(sim));
    const BrumeDrawDef draw = {
        .width = scene->width, .height = scene->height, .samples = samples, .seed = (uint32_t)frame};
    BrumeTraceResult result;
    assert_int_equal(brume_renderer_trace(renderer, &camera, &draw, trace, radiance, &result, &error), BRUME_OK);
    brume_tone_map(&scene->render_settings, scene->width, scene->height, radiance, rgb);
    size_t size;
    uint8_t *png = brume_png_encode(rgb, scene->width, scene->height, &size);
    assert_non_null(png);
    make_binary_file(path, png, size);
    brume_free(png);
    free(rgb);
    free(radiance);
    brume_renderer_destroy(renderer);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
}

static void test_picture_of_the_library(void **state)
{
    (void)state;
    const BrumeTraceDef all = brume_default_trace_def();
    draw_with_library("all.png", 6, 7, &all);
    draw_with_library("two.png", 6, 7, &(BrumeTraceDef){.bounces = 2});
    assert_false(same_files("all.png", "two.png"));
    for (int threads = 1; threads <= 3; threads++) {
        char arguments[256];
        (void)snprintf(arguments, sizeof arguments,
                       "render little.yaml --integrator path --samples 7 --frames 5:6 -t %d -o t%d/a.####.png", threads,
                       threads);
        run_successfully(&run, arguments);
        char path[2][64];
        (void)snprintf(path[0], sizeof path[0], "t%d/a.0005.png", threads);
        (void)snprintf(path[1], sizeof path[1], "t%d/a.0006.png", threads);
        assert_same_files(path[0], "t1/a.0005.png");
        assert_same_files(path[1], "all.png");
    }
    run_successfully(&run, "render little.yaml --integrator path --samples 7 -D image.bounces=2 --frame 6 -o a.png");
    assert_same_files("a.png", "two.png");
}

static void test_keys_of_the_scene(void **state)
{
    (void)state;
    size_t size;
    char *text = read_whole_file("little.yaml", &size);
    char scene[1024];
    const int head = (int)(strstr(text, "image:") - text);
    (void)snprintf(scene, sizeof scene,
                   "%.*simage: {width: 64, height: 36, samples: 64, integrator: path, noise: 0.2, bounces: 3}\n", head,
                   text);
    free(text);
    make_file("path.yaml", scene);
    run_successfully(&run, "render path.yaml --frame 6 -o keys.png");
    run_successfully(&run, "render little.yaml --frame 6 -o options.png --integrator path --samples 64 --noise 0.2 "
                           "-D image.bounces=3");
    assert_same_files("keys.png", "options.png");
    // options win over keys, and marching ignores those of the path tracer
    run_successfully(&run, "render path.yaml --frame 6 -o all.png --noise 0");
    assert_false(same_files("keys.png", "all.png"));
    run_successfully(&run, "render path.yaml --frame 6 -o march.png --integrator march --samples 1");
    run_successfully(&run, "render little.yaml --frame 6 -o plain.png");
    run_successfully(&run, "render little.yaml --frame 6 -o named.png --integrator march");
    assert_same_files("march.png", "plain.png");
    assert_same_files("named.png", "plain.png");
    assert_false(same_files("keys.png", "plain.png"));

    run_successfully(&run, "info path.yaml");
    assert_non_null(
        strstr(run.out, "64 x 36 pixels, 64 light paths per pixel, fewer where the error is at most 0.2\n"));
    run_successfully(&run, "info little.yaml");
    assert_non_null(strstr(run.out, "64 x 36 pixels, 1 ray per pixel\n"));
    run_with_error(&run, 2, "render path.yaml -o a.####.png --integrator march --noise 0.1",
                   "--noise has no effect without --integrator path (give both)");
    run_with_error(&run, 2, "render little.yaml -o a.####.png -D image.noise=0.1",
                   "-D image.noise=0.1: 'noise' in 'image' has no effect without 'integrator: path'");
}

// samples and error of the image of a frame in the statistics
static void read_trace(const char *path, int frame, int *samples, double *error)
{
    size_t size;
    char *stats = read_whole_file(path, &size);
    assert_true(is_json(stats));
    char start[32];
    (void)snprintf(start, sizeof start, "{\"frame\": %d,", frame);
    const char *at = strstr(stats, start);
    assert_non_null(at);
    const char *trace = strstr(at, "\"trace\": {");
    const char *hash = strstr(at, "\"hash\": ");
    assert_non_null(hash);
    *samples = 0;
    *error = 0.0;
    if (trace && trace < hash) {
        assert_int_equal(sscanf(trace, "\"trace\": {\"samples\": %d, \"error\": %lf}", samples, error), 2);
    }
    free(stats);
}

static void test_noise(void **state)
{
    (void)state;
    int samples;
    double error;
    run_successfully(
        &run, "render little.yaml --integrator path --samples 4096 --noise 0.05 --frames 6:7 -o a.####.png --stats "
              "a.json");
    read_trace("a.json", 6, &samples, &error);
    assert_true(samples > 4 && samples <= 1024); // four times the error or more with as many as allowed
    assert_true(error > 0.0 && error <= 0.05);
    char text[256];
    (void)snprintf(text, sizeof text, " ms per image, %d paths, error ", samples);
    assert_non_null(strstr(run.out, text));
    int before;
    read_trace("a.json", 5, &before, &error); // it is not drawn
    assert_int_equal(before, 0);

    // the picture is that of so many paths; half as many have a larger error
    (void)snprintf(text, sizeof text,
                   "render little.yaml --integrator path --samples %d --frame 6 -o b.png --stats b.json", samples);
    run_successfully(&run, text);
    assert_same_files("b.png", "a.0006.png");
    int all;
    read_trace("b.json", 6, &all, &error);
    assert_int_equal(all, samples);
    (void)snprintf(text, sizeof text,
                   "render little.yaml --integrator path --samples %d --noise 0.05 --frame 6 -o c.png --stats c.json",
                   samples / 2);
    run_successfully(&run, text);
    read_trace("c.json", 6, &all, &error);
    assert_int_equal(all, samples / 2);
    assert_true(error > 0.05);

    // progress, and statistics of marched pictures
    run_successfully(&run, "render little.yaml --integrator path --samples 5 --frames 1:4 -o d.####.png");
    assert_non_null(strstr(run.out, "\nframe 4/4  100%"));
    assert_non_null(strstr(run.out, "  5 paths, error 0."));
    run_successfully(&run, "render little.yaml --frame 1 -o e.png --stats e.json");
    read_trace("e.json", 1, &all, &error);
    assert_int_equal(all, 0);
    assert_null(strstr(run.out, "paths"));
}

static void expect_same_frames(const char *a, const char *b)
{
    for (int frame = 1; frame <= 12; frame++) {
        char path[2][64];
        (void)snprintf(path[0], sizeof path[0], a, frame);
        (void)snprintf(path[1], sizeof path[1], b, frame);
        assert_same_files(path[0], path[1]);
    }
}

#define PATH_OPTIONS "little.yaml --integrator path --samples 32 "

static void test_going_on(void **state)
{
    (void)state;
    run_successfully(&run, "render " PATH_OPTIONS "-o a/p.####.png");
    run_successfully(&run, "render " PATH_OPTIONS
                           "-o b/p.####.png --checkpoint-every 3 --keep-checkpoints all --stats b.json");
    expect_same_frames("b/p.%04d.png", "a/p.%04d.png");
    assert_int_equal(unlink("b/p.0008.png"), 0);
    assert_int_equal(unlink("b/p.0011.png"), 0);
    run_successfully(&run, "render " PATH_OPTIONS "-o b/p.####.png --resume --keep-checkpoints all --stats b.json");
    assert_non_null(strstr(run.out, "going on after frame 6"));
    expect_same_frames("b/p.%04d.png", "a/p.%04d.png");
    int samples;
    double error;
    read_trace("b.json", 3, &samples, &error); // of the first run
    assert_int_equal(samples, 32);
    assert_true(error > 0.0);
    assert_int_equal(unlink("b/p.0002.png"), 0);
    run_successfully(&run, "render " PATH_OPTIONS "-o b/p.####.png --skip-existing");
    expect_same_frames("b/p.%04d.png", "a/p.%04d.png");
}

static void test_signal(void **state)
{
    (void)state;
    run_successfully(&run, "render " PATH_OPTIONS "-o a/p.####.png");
    Program program = start_program("render " PATH_OPTIONS "-o b/p.####.png", 0);
    wait_for_file(&program, "b/p.0002.png");
    (void)kill(program.pid, SIGTERM);
    finish_program(&program, &run);
    if (run.status != 0) { // it was not complete yet
        assert_int_equal(run.status, 130);
        assert_non_null(strstr(run.err, "interrupted after frame "));
        assert_non_null(strstr(run.err, "--resume"));
    }
    run_successfully(&run, "render " PATH_OPTIONS "-o b/p.####.png --resume");
    expect_same_frames("b/p.%04d.png", "a/p.%04d.png");
}

static void test_memory_and_time(void **state)
{
    (void)state;
    run_program(&run, "render little.yaml -o a.####.png --max-memory 1k");
    assert_non_null(strstr(run.err, ", images 69.1 kB, ")); // 30 bytes of each pixel
    run_program(&run, "render little.yaml -o a.####.png --max-memory 1k --integrator path");
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.err, ", images 161 kB, ")); // 40 more

    run_successfully(&run, "render little.yaml --dry-run --integrator path --samples 48");
    assert_non_null(strstr(run.out, " ms per image with 48 light paths per pixel\n"));
    run_successfully(&run, "render little.yaml --dry-run --integrator path --samples 65536 --noise 0.2");
    int paths = 0;
    const char *text = strstr(run.out, " ms per image with ");
    assert_non_null(text);
    assert_int_equal(sscanf(text, " ms per image with %d", &paths), 1);
    assert_true(paths >= 4 && paths <= 1024);
    run_successfully(&run, "render little.yaml --dry-run");
    assert_null(strstr(run.out, "light paths"));
}

static void test_denoise(void **state)
{
    (void)state;
    static const char options[] = "render little.yaml --frame 6 --integrator path --samples 8";
    static const char *const outputs[] = {
        "-o noisy.png",
        "-o clean.png --denoise -t 1",
        "-o threads.png --denoise -t 3",
        "-o key.png -D image.denoise=true",
    };
    for (size_t n = 0; n < sizeof outputs / sizeof outputs[0]; n++) {
        char arguments[256];
        (void)snprintf(arguments, sizeof arguments, "%s %s", options, outputs[n]);
        run_successfully(&run, arguments);
    }
    assert_same_files("threads.png", "clean.png");
    assert_same_files("key.png", "clean.png");
    assert_false(same_files("noisy.png", "clean.png"));
    run_with_error(&run, 2, "render little.yaml -o d/p.####.png --denoise",
                   "--denoise has no effect without --integrator path (give both)");
    // the paths of 32 more pixels on each side, and the planes of the denoiser
    run_program(&run, "render little.yaml -o a.####.png --max-memory 1k --integrator path --denoise");
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.err, ", images 3.56 MB, "));
}

#ifdef BRUME_HAS_HDF5
static void test_volumes(void **state)
{
    (void)state;
    run_successfully(&run, "render " PATH_OPTIONS "-o a/p.####.png");
    run_successfully(&run, "sim little.yaml -o c/p.####.hdf");
    run_successfully(&run, "render c/p.####.hdf --integrator path --samples 32 -o b/p.####.png");
    expect_same_frames("b/p.%04d.png", "a/p.%04d.png");
    assert_non_null(strstr(run.out, "\nframe 12/12  100%"));
    assert_non_null(strstr(run.out, "  32 paths, error 0."));
    run_with_error(&run, 2, "render c/p.####.hdf -o d/p.####.png --noise 0.1",
                   "--noise has no effect without --integrator path (give both)");

    // the look of the simulated scene, and its change
    run_successfully(&run,
                     "sim little.yaml -D image.integrator=path -D image.samples=32 -D image.noise=0.2 -o e/p.####.hdf "
                     "--frames 6:6");
    run_successfully(&run, "render e/p.0006.hdf -o few.png");
    run_successfully(&run, "render e/p.0006.hdf -o all.png --noise 0");
    run_successfully(&run, "render e/p.0006.hdf -o march.png --integrator march --samples 1");
    run_successfully(&run, "render little.yaml --frame 6 -o plain.png");
    assert_same_files("all.png", "a/p.0006.png");
    assert_same_files("march.png", "plain.png");
    assert_false(same_files("few.png", "all.png"));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_picture_of_the_library, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_keys_of_the_scene, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_noise, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_going_on, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_signal, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_memory_and_time, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_denoise, enter_folder, leave_folder),
#ifdef BRUME_HAS_HDF5
        cmocka_unit_test_setup_teardown(test_volumes, enter_folder, leave_folder),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

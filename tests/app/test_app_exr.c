// EXR images: what is written is read, layers add up to the picture, and runs treat them as other images.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <unistd.h>

#include "brume/brume.h"
#include "core/half.h"
#include "exr_file.h"
#include "io/exr_write.h"
#include "program.h"

#include <stb_image.h>

static ProgramRun run;

enum { WIDTH = 64, HEIGHT = 36, PIXELS = WIDTH * HEIGHT }; // of little.yaml

// planes of both precisions, with values of all sizes, and pixels of a part of the picture
static void test_round_trip(void **state)
{
    (void)state;
    enum { ACROSS = 21, DOWN = 37, COUNT = ACROSS * DOWN };
    BrumeExrHeader header = {.left = 5,
                             .top = 9,
                             .whole_width = 40,
                             .whole_height = 60,
                             .channel_count = 3,
                             .channels = {{"R", false}, {"depth.Z", true}, {"A", false}},
                             .metadata = {.software = "test", .scene_hash = "0123", .frame = 12, .time = 0.5}};
    struct {
        uint16_t red[COUNT];
        float depth[COUNT];
        uint16_t alpha[COUNT];
    } planes;
    assert_int_equal(brume_exr_pixel_bytes(&header) * COUNT, 8 * COUNT);
    uint8_t *bytes = malloc((size_t)8 * COUNT);
    assert_non_null(bytes);
    for (int n = 0; n < COUNT; n++) {
        planes.red[n] = (uint16_t)(n * 37 % 0x7c00); // all finite halves
        planes.depth[n] = expf(0.05f * (float)(n % 400)) * ((float)n + 0.1f);
        planes.alpha[n] = brume_half_of_float((float)n / COUNT);
    }
    memcpy(bytes, planes.red, sizeof planes.red);
    memcpy(bytes + sizeof planes.red, planes.depth, sizeof planes.depth);
    memcpy(bytes + sizeof planes.red + sizeof planes.depth, planes.alpha, sizeof planes.alpha);
    BrumeError error;
    assert_int_equal(brume_exr_write("a.exr", ACROSS, DOWN, &header, bytes, false, &error), BRUME_OK);
    assert_int_equal(brume_exr_write("a.exr", ACROSS, DOWN, &header, bytes, false, &error), BRUME_FAILED);
    assert_int_equal(brume_exr_write("no/a.exr", ACROSS, DOWN, &header, bytes, true, &error), BRUME_FAILED);
    assert_string_equal(error.text, "no/a.exr: cannot write: No such file or directory");
    free(bytes);
    ExrFile *file = read_exr("a.exr");
    assert_int_equal(file->left, 5);
    assert_int_equal(file->top, 9);
    assert_int_equal(file->width, ACROSS);
    assert_int_equal(file->height, DOWN);
    assert_int_equal(file->whole_width, 40);
    assert_int_equal(file->whole_height, 60);
    assert_int_equal(file->channel_count, 3);
    assert_string_equal(file->software, "test");
    assert_string_equal(file->scene_hash, "0123");
    assert_int_equal(file->frame, 12);
    assert_true(file->time == 0.5);
    for (int n = 0; n < COUNT; n++) {
        assert_true(exr_values(file, "R")[n] == brume_float_of_half(planes.red[n]));
        assert_true(exr_values(file, "depth.Z")[n] == planes.depth[n]);
        assert_true(exr_values(file, "A")[n] == brume_float_of_half(planes.alpha[n]));
    }
    free_exr(file);
}

// R, G and B of all sources of light add up to those of the picture
static void assert_layers_add_up(const ExrFile *file)
{
    static const char *const colors[] = {"R", "G", "B"};
    for (int c = 0; c < 3; c++) {
        char sky[16];
        char light[16];
        (void)snprintf(sky, sizeof sky, "sky.%s", colors[c]);
        (void)snprintf(light, sizeof light, "light.1.%s", colors[c]);
        const float *picture = exr_values(file, colors[c]);
        const float *of_sky = exr_values(file, sky);
        const float *of_light = exr_values(file, light);
        double lit = 0.0;
        for (int n = 0; n < PIXELS; n++) {
            assert_true(fabsf(of_sky[n] + of_light[n] - picture[n]) <= 2e-6f * picture[n] + 1e-8f);
            lit += (double)of_light[n] / PIXELS;
        }
        assert_true(lit > 0.05);
    }
}

// exposure and tone curve make the PNG image of the same frame from the picture
static void assert_is_the_png(const ExrFile *file)
{
    run_successfully(&run, "render little.yaml --frame 6 -o all.png");
    BrumeScene *scene = NULL;
    BrumeError error;
    assert_int_equal(brume_scene_load(&scene, "little.yaml", NULL, 0, NULL, &error), BRUME_OK);
    static float radiance[3 * PIXELS];
    static uint8_t rgb[3 * PIXELS];
    for (int n = 0; n < PIXELS; n++) {
        radiance[3 * n] = exr_values(file, "R")[n];
        radiance[3 * n + 1] = exr_values(file, "G")[n];
        radiance[3 * n + 2] = exr_values(file, "B")[n];
    }
    brume_tone_map(&scene->render_settings, WIDTH, HEIGHT, radiance, rgb);
    brume_scene_destroy(scene);
    int width;
    int height;
    int channels;
    uint8_t *png = stbi_load("all.png", &width, &height, &channels, 3);
    assert_non_null(png);
    assert_memory_equal(png, rgb, sizeof rgb);
    stbi_image_free(png);
}

static void test_layers(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml --frame 6 -o all.exr --layers all --bits 32");
    ExrFile *all = read_exr("all.exr");
    assert_int_equal(all->channel_count, 14);
    assert_int_equal(all->width, WIDTH);
    assert_int_equal(all->height, HEIGHT);
    assert_int_equal(all->frame, 6);
    assert_true(fabs(all->time - 0.25) < 1e-6);
    assert_string_equal(all->software, "Brume " BRUME_VERSION_STRING);
    assert_int_equal(strlen(all->scene_hash), 16);
    assert_layers_add_up(all);
    assert_is_the_png(all);
    float nearest = INFINITY;
    float farthest = 0.0f;
    float least = 1.0f;
    for (int n = 0; n < PIXELS; n++) {
        nearest = fminf(nearest, exr_values(all, "depth.Z")[n]);
        farthest = fmaxf(farthest, exr_values(all, "depth.Z")[n]);
        least = fminf(least, exr_values(all, "transmittance.Y")[n]);
        assert_true(exr_values(all, "A")[n] == 1.0f);
    }
    assert_true(nearest > 0.5f && nearest < 10.0f);
    assert_true(farthest == 1e10f); // the sky
    assert_true(least < 0.1f);
    assert_true(exr_values(all, "transmittance.Y")[0] == 1.0f);
    for (int n = 0; n < all->channel_count; n++) {
        assert_true(all->channels[n].single);
    }

    // the picture alone in half precision, with two layers in any order
    run_successfully(&run, "render little.yaml --frame 6 -o half.exr --layers sky,depth -t 1");
    ExrFile *half = read_exr("half.exr");
    assert_int_equal(half->channel_count, 8);
    for (int n = 0; n < half->channel_count; n++) {
        const ExrChannel *channel = &half->channels[n];
        assert_int_equal(channel->single, strcmp(channel->name, "depth.Z") == 0);
        const float *exact = exr_values(all, channel->name);
        for (int k = 0; k < PIXELS; k++) {
            const float expected = channel->single ? exact[k] : brume_float_of_half(brume_half_of_float(exact[k]));
            assert_true(channel->values[k] == expected);
        }
    }
    free_exr(half);
    free_exr(all);
    // the same bytes again, at any time and with any number of threads
    run_successfully(&run, "render little.yaml --frame 6 -o threads.exr --layers depth,sky -t 3");
    assert_same_files("half.exr", "threads.exr");
}

// smoke that rises, a body that moves, and a camera that turns
static void test_motion(void **state)
{
    (void)state;
    make_file(
        "moves.yaml",
        "domain: {size: [1, 1.5, 1], boundaries: {x: periodic, y: periodic, z: periodic}}\nsolver: {resolution: 24}\n"
        "time: {fps: 20, frames: 6}\n"
        "bodies: [{shape: box, from: [-0.4, 0.9, -0.2], to: [0.4, 1.3, 0.2]}]\n"
        "air: {wind: [1, 0, 0]}\n"
        "emitters: [{shape: sphere, center: [0, 0.3, 0], radius: 0.2, density: 9}]\n"
        "timeline: [{frame: 2, moves: [{body: 0, velocity: [0.5, 0, 0]}]}]\n"
        "camera: {projection: orthographic, position: [0, 0.75, 3], target: [0, 0.75, 0], height: 1.5}\n"
        "render: {ground: {visible: false}}\nimage: {width: 60, height: 60, samples: 1}\n");
    run_successfully(&run, "render moves.yaml --frames 2:3 -o m.#.exr --layers motion");
    ExrFile *moves = read_exr("m.2.exr");
    ExrFile *rests = read_exr("m.3.exr");
    const int body = 16 * 60 + 30; // 1.09 m high; 40 pixels a meter, 0.5 m/s for 0.05 s
    const int smoke = 48 * 60 + 30;
    assert_int_equal(moves->channel_count, 6);
    assert_true(fabsf(exr_values(moves, "forward.u")[body] - 1.0f) < 1e-4f);
    assert_true(exr_values(moves, "forward.v")[body] == 0.0f);
    assert_true(exr_values(rests, "forward.u")[body] == 0.0f);
    // the wind of 1 m/s is 2 pixels
    assert_true(fabsf(exr_values(moves, "forward.u")[smoke] - 2.0f) < 0.3f);
    assert_true(fabsf(exr_values(moves, "forward.v")[smoke]) < 0.3f);
    free_exr(moves);
    free_exr(rests);
    // 72 degrees of a turn in a frame: what is on the axis stays
    run_successfully(&run, "render moves.yaml --frame 3 -o t.exr --layers motion -D camera.turntable=0.25");
    ExrFile *turns = read_exr("t.exr");
    assert_true(fabsf(exr_values(turns, "forward.u")[10 * 60 + 20]) > 2.0f);
    free_exr(turns);
}

static void test_path_tracer(void **state)
{
    (void)state;
    run_successfully(&run,
                     "render little.yaml --frame 6 -o a.exr --layers all --bits 32 --integrator path --samples 4 -t 1");
    ExrFile *file = read_exr("a.exr");
    assert_int_equal(file->channel_count, 14);
    assert_layers_add_up(file);
    free_exr(file);
    run_successfully(&run,
                     "render little.yaml --frame 6 -o b.exr --layers all --bits 32 --integrator path --samples 4 -t 3");
    assert_same_files("a.exr", "b.exr");
}

// the denoised picture, and the picture before as a layer, to which the light of all sources adds up
static void test_denoised(void **state)
{
    (void)state;
    static const char options[] = "render little.yaml --frame 6 --layers all --bits 32 --integrator path --samples 4";
    char arguments[256];
    (void)snprintf(arguments, sizeof arguments, "%s -o noisy.exr", options);
    run_successfully(&run, arguments);
    (void)snprintf(arguments, sizeof arguments, "%s -o clean.exr --denoise", options);
    run_successfully(&run, arguments);
    ExrFile *noisy = read_exr("noisy.exr");
    ExrFile *clean = read_exr("clean.exr");
    assert_int_equal(clean->channel_count, 17);
    double change = 0.0;
    double sum = 0.0;
    for (int c = 0; c < 3; c++) {
        static const char *const names[2][3] = {{"R", "G", "B"}, {"noisy.R", "noisy.G", "noisy.B"}};
        assert_memory_equal(exr_values(clean, names[1][c]), exr_values(noisy, names[0][c]), PIXELS * sizeof(float));
        for (int n = 0; n < PIXELS; n++) {
            const double before = (double)exr_values(noisy, names[0][c])[n];
            change += fabs((double)exr_values(clean, names[0][c])[n] - before);
            sum += before;
        }
    }
    assert_true(change > 0.02 * sum && change < 0.3 * sum);
    assert_memory_equal(exr_values(clean, "light.1.R"), exr_values(noisy, "light.1.R"), PIXELS * sizeof(float));
    free_exr(noisy);
    free_exr(clean);
    run_with_error(&run, 2, "render little.yaml -o a.####.exr --layers noisy --integrator path",
                   "--layers: 'noisy' is the picture before --denoise (give both, or leave it out)");
}

// light of glowing smoke has a layer of its own, by both integrators
static void test_emission(void **state)
{
    (void)state;
    static const char *const integrators[] = {"march", "path --samples 4"};
    for (int integrator = 0; integrator < 2; integrator++) {
        char arguments[256];
        (void)snprintf(arguments, sizeof arguments,
                       "render little.yaml --frame 6 -o %d.exr --layers all --bits 32 -D render.emission.intensity=1"
                       " -D render.emission.temperature_scale=20 --integrator %s",
                       integrator, integrators[integrator]);
        run_successfully(&run, arguments);
        char path[16];
        (void)snprintf(path, sizeof path, "%d.exr", integrator);
        ExrFile *glow = read_exr(path);
        assert_int_equal(glow->channel_count, 17);
        float brightest = 0.0f;
        for (int n = 0; n < PIXELS; n++) {
            const float emission = exr_values(glow, "emission.R")[n];
            const float sum = exr_values(glow, "sky.R")[n] + exr_values(glow, "light.1.R")[n] + emission;
            assert_true(fabsf(sum - exr_values(glow, "R")[n]) <= 2e-6f * sum + 1e-8f);
            brightest = fmaxf(brightest, emission);
        }
        assert_true(brightest > 1e-3f);
        free_exr(glow);
    }
    static const char warning[] = "brume: warning: --layers: 'emission' is black, because nothing glows "
                                  "('render.emission')\n";
    run_program(&run, "render little.yaml -q --frame 1 -o black.exr --layers emission");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err, warning);
    ExrFile *black = read_exr("black.exr");
    assert_true(exr_values(black, "emission.G")[PIXELS / 2] == 0.0f);
    free_exr(black);
}

static void test_runs(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml --frames 5:6 -o a.####.exr");
    run_with_error(&run, 2, "render little.yaml --frames 6:6 -o a.####.exr",
                   "a.0006.exr exists (give --overwrite to replace it, or another --output)");
    run_successfully(&run, "render little.yaml --frames 5:6 -o a.####.exr --skip-existing");
    assert_non_null(strstr(run.out, "nothing to do"));
    assert_int_equal(unlink("a.0006.exr"), 0);
    run_successfully(&run, "render little.yaml --frames 5:6 -o a.####.exr --skip-existing");
    assert_true(exists("a.0006.exr"));
    run_successfully(&run, "render little.yaml -o a.exr --frame 6 --dry-run");
    assert_non_null(strstr(run.out, "for 1 images"));
    run_with_error(&run, 2, "render little.yaml -o a.####.exr --bits 8",
                   "images .exr have 16 or 32 bits, but image.bits is 8 (give --bits 16, or images .png)");
    run_with_error(
        &run, 2, "render little.yaml -o a.####.exr --layers depth,shadow",
        "--layers: unknown layer 'shadow' (known: all, depth, transmittance, lights, sky, emission, motion, noisy)");
    run_with_error(
        &run, 2, "render little.yaml -o a.####.exr --layers depth,",
        "--layers: unknown layer '' (known: all, depth, transmittance, lights, sky, emission, motion, noisy)");
#ifdef BRUME_HAS_HDF5
    run_successfully(&run, "sim little.yaml --frames 6:6 -o c.####.hdf --fields smoke,velocity");
    run_successfully(&run, "render c.####.hdf -o v.####.exr --layers all");
    run_successfully(&run, "render little.yaml --frames 6:6 -o w.####.exr --layers all");
    assert_same_files("v.0006.exr", "w.0006.exr");
    // without velocities there are no motion vectors
    run_successfully(&run, "sim little.yaml --frames 6:6 -o still.####.hdf");
    run_successfully(&run, "render still.####.hdf -o x.####.exr --layers all");
    ExrFile *file = read_exr("x.0006.exr");
    assert_int_equal(file->channel_count, 12);
    free_exr(file);
    run_with_error(&run, 2, "render still.####.hdf -o y.####.exr --layers motion",
                   "still.0006.hdf: --layers motion needs the grid 'velocity' (write it with --fields "
                   "smoke,temperature,particles,velocity, "
                   "or leave that layer out); no frame is written");
#endif
}

// the data window of the crop in the display window of the picture
static void test_crop(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml --frame 6 -o all.exr --layers all");
    run_successfully(&run, "render little.yaml --frame 6 -o part.exr --layers all --crop 21,9,53,30");
    ExrFile *all = read_exr("all.exr");
    ExrFile *part = read_exr("part.exr");
    assert_int_equal(part->left, 21);
    assert_int_equal(part->top, 9);
    assert_int_equal(part->width, 53 - 21);
    assert_int_equal(part->height, 30 - 9);
    assert_int_equal(part->whole_width, WIDTH);
    assert_int_equal(part->whole_height, HEIGHT);
    assert_string_equal(part->scene_hash, all->scene_hash);
    assert_int_equal(part->channel_count, all->channel_count);
    for (int n = 0; n < part->channel_count; n++) {
        for (int y = 0; y < part->height; y++) {
            assert_memory_equal(part->channels[n].values + (ptrdiff_t)(y * part->width),
                                all->channels[n].values + (ptrdiff_t)((y + 9) * WIDTH + 21),
                                (size_t)part->width * sizeof(float));
        }
    }
    free_exr(all);
    free_exr(part);
}

// with alpha, colors are multiplied by it, and layers add up
static void test_transparent(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml --frame 6 -o a.exr --transparent --layers all --bits 32");
    run_successfully(&run, "render little.yaml --frame 6 -o b.exr --layers transmittance --bits 32");
    ExrFile *file = read_exr("a.exr");
    ExrFile *opaque = read_exr("b.exr");
    assert_layers_add_up(file);
    int clear = 0;
    for (int n = 0; n < PIXELS; n++) {
        const float alpha = exr_values(file, "A")[n];
        assert_true(alpha >= 0.0f && alpha <= 1.0f);
        assert_true(alpha > 0.0f || exr_values(file, "R")[n] == 0.0f);
        assert_true(alpha < 1.0f || exr_values(file, "R")[n] == exr_values(opaque, "R")[n]);
        clear += alpha == 0.0f;
    }
    assert_true(clear > PIXELS / 8);
    free_exr(file);
    free_exr(opaque);
}

// OpenEXR's own program reads the header
static void test_exrheader(void **state)
{
    (void)state;
    if (system("exrheader >/dev/null 2>&1") == 127 << 8) {
        skip();
    }
    run_successfully(&run, "render little.yaml --frame 6 -o a.exr --layers all");
    assert_int_equal(system("exrheader a.exr >header.txt 2>&1"), 0);
    size_t size;
    char *text = read_whole_file("header.txt", &size);
    assert_non_null(strstr(text, "depth.Z, 32-bit floating-point, sampling 1 1"));
    assert_non_null(strstr(text, "light.1.R, 16-bit floating-point, sampling 1 1"));
    assert_non_null(strstr(text, "dataWindow (type box2i): (0 0) - (63 35)"));
    assert_non_null(strstr(text, "compression (type compression): zip, multi-scanline blocks"));
    assert_null(strstr(text, "capDate"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_layers, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_motion, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_path_tracer, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_denoised, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_transparent, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_crop, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_emission, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_runs, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_exrheader, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The forms of pictures: bits of the numbers, parts of the pixels, and alpha.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>

#include "program.h"

#include <stb_image.h>

static ProgramRun run;

enum { WIDTH = 64, HEIGHT = 36, PIXELS = WIDTH * HEIGHT }; // of little.yaml

static void test_16_bits(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml --frame 6 -o 8.png");
    run_successfully(&run, "render little.yaml --frame 6 -o 16.png --bits 16");
    run_successfully(&run, "render little.yaml --frame 6 -o key.png -D image.bits=16");
    run_successfully(&run, "render little.yaml --frame 6 -o last.png -D image.bits=16 --bits 8 -t 2");
    assert_same_files("16.png", "key.png");
    assert_same_files("8.png", "last.png");
    int width;
    int height;
    int channels;
    uint8_t *shallow = stbi_load("8.png", &width, &height, &channels, 3);
    uint16_t *deep = stbi_load_16("16.png", &width, &height, &channels, 3);
    assert_non_null(shallow);
    assert_non_null(deep);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    assert_true(stbi_is_16_bit("16.png"));
    // 8 bits are dithered: the number below or above that of 16 bits
    int fine = 0;
    for (int n = 0; n < 3 * PIXELS; n++) {
        const double exact = 255.0 * deep[n] / 65535.0;
        assert_true(shallow[n] > exact - 1.005 && shallow[n] < exact + 1.005);
        fine += deep[n] % 257 != 0;
    }
    assert_true(fine > 2 * PIXELS);
    stbi_image_free(shallow);
    stbi_image_free(deep);
    run_with_error(&run, 2, "render little.yaml -o a.####.png --bits 12", "--bits: '12' is not 8, 16 or 32");
    run_with_error(&run, 2, "render little.yaml -o a.mp4 --bits 16",
                   "a video has 8 bits, but image.bits is 16 (give images, or -D image.bits=8)");
    run_with_error(&run, 2, "render little.yaml -o a.####.png --bits 32",
                   "images .png have 8 or 16 bits, but image.bits is 32 (give images .exr, or --bits 16)");
    run_with_error(&run, 2, "render little.yaml -o a.####.png --layers sky",
                   "--layers: only images .exr have layers (give -o PATTERN with .exr)");
#ifndef BRUME_HAS_OPENEXR
    run_with_error(
        &run, 2, "render little.yaml -o a.####.exr",
        "--output: EXR images need OpenEXR, which this program was built without (install libopenexr-dev and "
        "build it again)");
#endif
}

// the same pixels as in the whole picture, by both integrators
static void test_crop(void **state)
{
    (void)state;
    static const char *const integrators[] = {"march", "path --samples 2"};
    for (int n = 0; n < 2; n++) {
        char arguments[256];
        (void)snprintf(arguments, sizeof arguments,
                       "render little.yaml --frame 6 -o all.png --overwrite --integrator %s", integrators[n]);
        run_successfully(&run, arguments);
        (void)snprintf(arguments, sizeof arguments,
                       "render little.yaml --frame 6 -o part.png --overwrite --crop 21,9,53,30 --integrator %s",
                       integrators[n]);
        run_successfully(&run, arguments);
        int width;
        int height;
        int channels;
        uint8_t *all = stbi_load("all.png", &width, &height, &channels, 3);
        uint8_t *part = stbi_load("part.png", &width, &height, &channels, 3);
        assert_non_null(all);
        assert_non_null(part);
        assert_int_equal(width, 53 - 21);
        assert_int_equal(height, 30 - 9);
        for (int y = 0; y < height; y++) {
            assert_memory_equal(part + (ptrdiff_t)(3 * y * width), all + (ptrdiff_t)(3 * ((y + 9) * WIDTH + 21)),
                                (size_t)(3 * width));
        }
        stbi_image_free(all);
        stbi_image_free(part);
    }
    static const char *const wrong[] = {"1,2,3", "1,2,3,4,5", "5,2,5,4", "1,4,3,4", "-1,0,3,4", "a,0,3,4", "1,,3,4"};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        char arguments[128];
        char line[256];
        (void)snprintf(arguments, sizeof arguments, "render little.yaml -o a.png --frame 6 --crop=%s", wrong[n]);
        (void)snprintf(line, sizeof line,
                       "--crop: '%s' is not x0,y0,x1,y1 with x0 < x1 and y0 < y1 (as 100,50,300,200)", wrong[n]);
        run_with_error(&run, 2, arguments, line);
    }
    run_with_error(&run, 2, "render little.yaml -o a.png --frame 6 --crop 0,0,65,36",
                   "--crop: 0,0,65,36 is not within the picture of 64 x 36 pixels");
    run_with_error(&run, 2, "render little.yaml -o a.mp4 --crop 0,0,6,6",
                   "--crop: a video has whole pictures (give images)");
}

static double linear_of_srgb(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

#define LOOK                                                                                                           \
    " --bits 16 -D render.tone=linear -D render.exposure=-2 -D render.sky_zenith=[0.3,0.5,0.8]"                        \
    " -D render.sky_horizon=[0.3,0.5,0.8]"

// a PNG file over a background of one color is the picture before a sky of this color
static void test_transparent(void **state)
{
    (void)state;
    static const double background[3] = {0.3 / 4.0, 0.5 / 4.0, 0.8 / 4.0}; // two stops below the sky
    run_successfully(&run, "render little.yaml --frame 6 -o opaque.png" LOOK);
    run_successfully(&run, "render little.yaml --frame 6 -o a.png --transparent" LOOK);
    int width;
    int height;
    int channels;
    uint16_t *opaque = stbi_load_16("opaque.png", &width, &height, &channels, 3);
    uint16_t *picture = stbi_load_16("a.png", &width, &height, &channels, 0);
    assert_non_null(opaque);
    assert_non_null(picture);
    assert_int_equal(channels, 4);
    int clear = 0;
    int covered = 0;
    for (int n = 0; n < PIXELS; n++) {
        const double alpha = picture[4 * n + 3] / 65535.0;
        for (int c = 0; c < 3; c++) {
            const double color = linear_of_srgb(picture[4 * n + c] / 65535.0);
            const double expected = linear_of_srgb(opaque[3 * n + c] / 65535.0);
            assert_true(fabs(color * alpha + background[c] * (1.0 - alpha) - expected) < 3e-5);
        }
        clear += picture[4 * n + 3] == 0;
        covered += picture[4 * n + 3] > 64000;
    }
    assert_true(clear > PIXELS / 8);
    assert_true(covered > 20);
    stbi_image_free(opaque);

    // 8 bits: dithered
    run_successfully(&run, "render little.yaml --frame 6 -o 8.png --transparent --bits 8");
    run_successfully(&run, "render little.yaml --frame 6 -o key.png -D image.background=transparent");
    assert_same_files("8.png", "key.png");
    uint8_t *shallow = stbi_load("8.png", &width, &height, &channels, 0);
    assert_non_null(shallow);
    assert_int_equal(channels, 4);
    for (int n = 0; n < PIXELS; n++) {
        assert_true(fabs(shallow[4 * n + 3] - 255.0 * picture[4 * n + 3] / 65535.0) < 1.01);
    }
    stbi_image_free(shallow);
    stbi_image_free(picture);
    run_with_error(&run, 2, "render little.yaml -o a.mp4 --transparent",
                   "a video has no transparent background (give images, or -D image.background=sky)");
}

// The ground as a catcher of shadows: without color, and with alpha in the shadow of the smoke alone.
static void test_catcher(void **state)
{
    (void)state;
    run_with_error(&run, 2, "render little.yaml -o a.png --frame 6 -D render.ground.catcher=true",
                   "-D render.ground.catcher=true: 'catcher' in 'ground' has no effect without 'background: "
                   "transparent' in 'image'");
    // far smoke: its shadow on the ground is beside it
    run_successfully(&run, "render little.yaml --frame 9 -o a.png --transparent -D render.ground.catcher=true");
    int width;
    int height;
    int channels;
    uint8_t *picture = stbi_load("a.png", &width, &height, &channels, 0);
    assert_non_null(picture);
    int shadow = 0; // black
    int smoke = 0;
    int clear = 0;
    for (int n = 0; n < PIXELS; n++) {
        const uint8_t *pixel = picture + 4 * n;
        shadow += pixel[3] > 20 && pixel[0] <= 1 && pixel[1] <= 1 && pixel[2] <= 1;
        smoke += pixel[3] > 250 && pixel[0] > 50;
        clear += pixel[3] == 0;
    }
    assert_true(shadow > 10);
    assert_true(smoke > 50);
    assert_true(clear > PIXELS / 4);
    stbi_image_free(picture);
    // where the sky is chosen, the catcher has no effect
    run_successfully(&run,
                     "render little.yaml --frame 6 -o b.png -D image.background=sky -D render.ground.catcher=true");
    run_successfully(&run, "render little.yaml --frame 6 -o c.png");
    assert_same_files("b.png", "c.png");
}

// SIGUSR1 writes the picture that is being drawn, and the run goes on
static void test_partial_picture(void **state)
{
    (void)state;
    // minutes of light paths
    Program program =
        start_program("render little.yaml --frame 2 -o out/a.####.png --integrator path --samples 65536", 0);
    const double end = seconds_now() + 60.0;
    while (!exists("out/a.0002.partial.png") && seconds_now() < end) { // a signal before the drawing has no effect
        assert_int_equal(kill(program.pid, exists("out") ? SIGUSR1 : 0), 0);
        assert_false(ends_within(&program, 0.2));
    }
    assert_whole_png("out/a.0002.partial.png", WIDTH, HEIGHT);
    assert_int_equal(kill(program.pid, SIGTERM), 0);
    assert_false(ends_within(&program, 0.1));
    assert_int_equal(kill(program.pid, SIGTERM), 0); // a second signal stops at once
    finish_program(&program, &run);
    assert_int_equal(run.status, 130);
    assert_non_null(strstr(run.err, "brume: wrote out/a.0002.partial.png, "));
    assert_false(exists("out/a.0002.png"));
}

// the mean difference of two pictures of 8 bits
static double mean_difference(const char *a_path, const char *b_path)
{
    int width;
    int height;
    int channels;
    uint8_t *a = stbi_load(a_path, &width, &height, &channels, 3);
    uint8_t *b = stbi_load(b_path, &width, &height, &channels, 3);
    assert_non_null(a);
    assert_non_null(b);
    double sum = 0.0;
    for (int n = 0; n < 3 * PIXELS; n++) {
        sum += abs((int)a[n] - (int)b[n]);
    }
    stbi_image_free(a);
    stbi_image_free(b);
    return sum / (3.0 * PIXELS);
}

#define SIDE "-D camera.target=[0,0.7,0] -D emitters.0.center=[0.15,0.25,0] "

static void test_turntable(void **state)
{
    (void)state;
    // the first picture is that of the frame; the others are those of cameras at the places of the turn
    run_successfully(&run, "render little.yaml --frame 6 -o front.png -D camera.position=[0,1,3] " SIDE);
    run_successfully(&run, "render little.yaml --frame 6 -o right.png -D camera.position=[3,1,0] " SIDE);
    run_successfully(&run, "render little.yaml --frame 6 -o back.png -D camera.position=[0,1,-3] " SIDE);
    run_successfully(&run, "render little.yaml --frame 6 -o turn/a.##.png --turntable 4 --stats stats.json "
                           "-D camera.position=[0,1,3] " SIDE);
    assert_non_null(strstr(run.out, "picture 4/4"));
    assert_non_null(strstr(run.out, "4 pictures in "));
    assert_same_files("front.png", "turn/a.00.png");
    assert_true(mean_difference("right.png", "turn/a.01.png") < 0.3);
    assert_true(mean_difference("back.png", "turn/a.02.png") < 0.3);
    assert_true(mean_difference("front.png", "turn/a.01.png") > 1.0);
    assert_true(mean_difference("front.png", "turn/a.02.png") > 1.0);
    assert_false(exists("turn/a.04.png"));
    assert_false(exists("turn/a.checkpoints"));
    size_t size;
    char *stats = read_whole_file("stats.json", &size);
    assert_non_null(strstr(stats, "{\"picture\": 3, \"angle\": 270, \"image_ms\": {\"load\": "));
    free(stats);
    // the missing one alone, with the same bytes; also from a volume, and in parts
    assert_int_equal(rename("turn/a.02.png", "kept.png"), 0);
    run_successfully(&run, "render little.yaml --frame 6 -o turn/a.##.png --turntable 4 --resume "
                           "-D camera.position=[0,1,3] " SIDE);
    assert_non_null(strstr(run.out, "1 picture in "));
    assert_same_files("kept.png", "turn/a.02.png");
    run_successfully(&run, "sim little.yaml --frames 5:6 -o v.##.hdf -D camera.position=[0,1,3] " SIDE);
    run_successfully(&run, "render v.##.hdf --frame 6 --chunk 2/2 -o volume/a.##.png --turntable 4");
    assert_false(exists("volume/a.01.png"));
    assert_same_files("turn/a.02.png", "volume/a.02.png");
    assert_same_files("turn/a.03.png", "volume/a.03.png");
    run_successfully(&run, "render v.06.hdf --skip-existing -o volume/a.##.png --turntable 4");
    assert_same_files("turn/a.01.png", "volume/a.01.png");
    run_successfully(&run, "render little.yaml --frame 6 -o dry.##.png --turntable 36 --dry-run");
    assert_non_null(strstr(run.out, "simulates 1 to 6, draws 36 pictures around the last one"));
    run_with_error(&run, 2, "render little.yaml -o a.##.png --turntable 4",
                   "--turntable draws one frame, not 12 (give --frame N)");
    run_with_error(&run, 2, "render v.##.hdf -o a.##.png --turntable 4",
                   "--turntable draws one frame, not 2 (give --frame N)");
    run_with_error(&run, 2, "render v.##.hdf -o a.##.png --turntable 4 --watch --frame 6",
                   "--turntable and --watch exclude each other (give one)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_16_bits, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_crop, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_partial_picture, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_transparent, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_catcher, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_turntable, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

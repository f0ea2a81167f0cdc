// Textures of bodies from files: one picture, sequences that repeat, and pictures that cannot be used.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "io/png.h"
#include "program.h"
#include <stb_image.h>

#include <sys/stat.h>
#include <unistd.h>

static ProgramRun run;

// a picture of width x height pixels, of one color but for the black pixel in the lower left corner
static void make_picture(const char *path, int width, int height, const uint8_t color[3])
{
    uint8_t rgb[3 * 16 * 16];
    for (int n = 0; n < width * height; n++) {
        memcpy(rgb + 3 * n, color, 3);
    }
    memset(rgb + 3 * (height - 1) * width, 0, 3);
    size_t size = 0;
    uint8_t *png = brume_png_encode(rgb, width, height, &size);
    assert_non_null(png);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(png, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    brume_free(png);
}

static void make_scene(const char *texture)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "domain: {size: [1, 1, 1]}\nsolver: {resolution: 8}\ntime: {frames: 5, fps: 25}\n"
                   "bodies: [{shape: box, center: [0, 0.1, 0], size: 0.15, texture: %s, albedo: 1}]\n"
                   "camera: {position: [0, 2, 0.01], target: [0, 0.1, 0], field_of_view: 6}\n"
                   "image: {width: 40, height: 40, bits: 8}\nrender: {tone: linear, exposure: -2}\n",
                   texture);
    make_file("scenes/box.yaml", text);
}

static void read_pixel(const char *path, int x, int y, uint8_t rgb[3])
{
    int width;
    int height;
    int channels;
    uint8_t *pixels = stbi_load(path, &width, &height, &channels, 3);
    assert_non_null(pixels);
    memcpy(rgb, pixels + 3 * (y * width + x), 3);
    stbi_image_free(pixels);
}

static const uint8_t red[3] = {255, 0, 0};
static const uint8_t green[3] = {0, 255, 0};
static const uint8_t blue[3] = {0, 0, 255};

static void test_one_picture(void **state)
{
    (void)state;
    assert_int_equal(mkdir("scenes", 0777), 0);
    make_picture("scenes/red.png", 8, 8, red);
    make_scene("red.png");
    run_successfully(&run, "info scenes/box.yaml");
    assert_non_null(strstr(run.out, "red.png, 8 x 8\n"));
    run_successfully(&run, "render scenes/box.yaml -o march.png --frame 1 --threads 1");
    run_successfully(&run, "render scenes/box.yaml -o three.png --frame 1 --threads 3");
    assert_same_files("march.png", "three.png");
    run_successfully(&run, "render scenes/box.yaml -o path.png --frame 1 --integrator path --samples 64");
    static const char *const pictures[] = {"march.png", "path.png"};
    for (int n = 0; n < 2; n++) {
        uint8_t middle[3];
        uint8_t corner[3]; // of the box, at the left and the front
        read_pixel(pictures[n], 20, 20, middle);
        read_pixel(pictures[n], 6, 33, corner);
        assert_true(middle[0] > 60 && middle[1] < 3 && middle[2] < 3);
        assert_true(corner[0] < middle[0] / 2 && corner[1] < 3);
    }
}

// numbers 4 to 6 are red, green and blue; frame 1 has number 1, which is number 4
static void test_sequence(void **state)
{
    (void)state;
    const uint8_t *const colors[] = {red, green, blue};
    assert_int_equal(mkdir("scenes/wall", 0777), 0);
    for (int n = 0; n < 3; n++) {
        char path[64];
        (void)snprintf(path, sizeof path, "scenes/wall/a.%03d.png", n + 4);
        make_picture(path, 8, 8, colors[n]);
    }
    make_scene("wall/a.###.png");
    run_successfully(&run, "info scenes/box.yaml");
    assert_non_null(strstr(run.out, "a.###.png, 8 x 8, 3 pictures from number 4 on\n"));
    run_successfully(&run, "render scenes/box.yaml -o out/f.#.png");
    for (int frame = 1; frame <= 5; frame++) {
        char path[64];
        uint8_t middle[3];
        (void)snprintf(path, sizeof path, "out/f.%d.png", frame);
        read_pixel(path, 20, 20, middle);
        for (int c = 0; c < 3; c++) {
            assert_int_equal(middle[c] > 60, c == (frame - 1) % 3);
        }
    }
    assert_same_files("out/f.1.png", "out/f.4.png");
}

static void expect_error(const char *line)
{
    run_program(&run, "render scenes/box.yaml -o bad.png --frame 1");
    assert_int_equal(run.status, 2);
    assert_non_null(strstr(run.err, line));
    assert_ptr_equal(strchr(run.err, '\n'), run.err + strlen(run.err) - 1);
    assert_false(exists("bad.png"));
}

static void test_errors(void **state)
{
    (void)state;
    make_scene("none.png");
    expect_error(
        "scenes/box.yaml:4:65: scenes/none.png: there is no such picture (a relative path starts at the folder "
        "of the scene)\n");
    make_scene("none/a.##.png");
    expect_error("/a.##.png: there is no such picture\n");
    make_scene("box.yaml");
    expect_error("box.yaml: is not a PNG, JPEG, Radiance (.hdr) or OpenEXR (.exr) picture (convert it to one)\n");
    make_scene("wall/a.###.png");
    assert_int_equal(rename("scenes/wall/a.005.png", "scenes/wall/a.007.png"), 0);
    expect_error("a.###.png: number 5 is missing between 4 and 6\n");
    make_picture("scenes/wall/a.005.png", 8, 4, green);
    expect_error("a.005.png: has 8 x 4 pixels, but the first picture of ");
    make_scene("a.#.%d.png");
    expect_error("has two frame numbers\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_picture),
        cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

// Pictures that become smoke of their colors.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/volumes/picture_reader.h"
#include "core/memory.h"
#include "io/png.h"
#include "program.h"

#include <math.h>

enum { WIDTH = 40, HEIGHT = 24, PIXELS = WIDTH * HEIGHT };

static ProgramRun run;

static void make_picture(const char *path)
{
    uint8_t rgb[3 * PIXELS];
    for (int n = 0; n < PIXELS; n++) {
        const double x = (n % WIDTH + 0.5) / WIDTH;
        const int row = n / WIDTH;
        const double y = 1.0 - (row + 0.5) / HEIGHT; // upwards
        rgb[3 * n] = (uint8_t)(40.0 + 200.0 * exp(-30.0 * ((x - 0.25) * (x - 0.25) + (y - 0.7) * (y - 0.7))));
        rgb[3 * n + 1] = (uint8_t)(60.0 + 180.0 * y * (1.0 - x));
        rgb[3 * n + 2] = (uint8_t)(140.0 + 100.0 * sin(9.0 * x + 4.0 * y));
    }
    size_t size = 0;
    uint8_t *png = brume_png_encode(rgb, WIDTH, HEIGHT, &size);
    assert_non_null(png);
    make_binary_file(path, png, size);
    brume_free(png);
}

static float *read_picture(const char *path)
{
    int width = 0;
    int height = 0;
    float *rgb = NULL;
    BrumeError error = {0};
    if (brume_read_picture(NULL, path, &width, &height, &rgb, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    assert_true(width == WIDTH && height == HEIGHT);
    return rgb;
}

// the correlation of a channel of two pictures
static double correlation(const float *a, const float *b, int channel)
{
    double sums[5] = {0.0}; // of a, b, a a, b b, a b
    for (int n = 0; n < PIXELS; n++) {
        const double x = (double)a[3 * n + channel];
        const double y = (double)b[3 * n + channel];
        sums[0] += x;
        sums[1] += y;
        sums[2] += x * x;
        sums[3] += y * y;
        sums[4] += x * y;
    }
    const double covariance = sums[4] - sums[0] * sums[1] / PIXELS;
    return covariance / sqrt((sums[2] - sums[0] * sums[0] / PIXELS) * (sums[3] - sums[1] * sums[1] / PIXELS));
}

// three smokes of pure colors in thin air, lit and seen from the front, show the picture: upright, not mirrored
static void test_smoke_shows_the_picture(void **state)
{
    (void)state;
    make_picture("picture.png");
    make_file("smoke.yaml",
              "domain: {size: [1.25, 0.75, 0.25], boundaries: {all: open}}\n"
              "solver: {resolution: 80}\n"
              "smoke:\n"
              "  color_1: {albedo: [1, 0, 0], extinction: 2}\n"
              "  color_2: {albedo: [0, 1, 0], extinction: 2}\n"
              "  color_3: {albedo: [0, 0, 1], extinction: 2}\n"
              "initial:\n"
              "  - {kind: volume, file: picture.png, grid: red, quantity: color_1, center: [0, 0.375, 0], size: [1.25, "
              "0.75, 0.05]}\n"
              "  - {kind: volume, file: picture.png, grid: green, quantity: color_2, center: [0, 0.375, 0], size: "
              "[1.25, 0.75, 0.05]}\n"
              "  - {kind: volume, file: picture.png, grid: blue, quantity: color_3, center: [0, 0.375, 0], size: "
              "[1.25, 0.75, 0.05]}\n"
              "camera: {position: [0, 0.375, 5], target: [0, 0.375, 0], field_of_view: 8.578}\n"
              "lights: [{kind: sun, azimuth: 0, elevation: 10, intensity: 60}]\n"
              "render: {sky_horizon: 0, sky_zenith: 0, anisotropy: 0, tone: linear, exposure: 0, ground: {albedo: 0}}\n"
              "image: {width: 40, height: 24, bits: 8}\n");
    run_successfully(&run, "render smoke.yaml --frame 0 -o drawn.png");
    float *expected = read_picture("picture.png");
    float *drawn = read_picture("drawn.png");
    for (int channel = 0; channel < 3; channel++) {
        const double value = correlation(expected, drawn, channel);
        if (!(value >= 0.98)) {
            fail_msg("channel %d has a correlation of %.4f", channel, value);
        }
    }
    free(expected);
    free(drawn);
}

// A picture of more pixels than cells is averaged: the stripes of a checkerboard of single pixels are no pattern in the
// cells.
static void test_more_pixels_than_cells(void **state)
{
    (void)state;
    enum { SIDE = 160 };
    static uint8_t rgb[3 * SIDE * SIDE];
    for (int n = 0; n < SIDE * SIDE; n++) {
        memset(rgb + 3 * n, (n % SIDE + n / SIDE) % 2 == 0 ? 255 : 0, 3);
    }
    size_t size = 0;
    uint8_t *png = brume_png_encode(rgb, SIDE, SIDE, &size);
    FILE *file = fopen("board.png", "wb");
    assert_true(png && file && fwrite(png, 1, size, file) == size && fclose(file) == 0);
    brume_free(png);
    make_file("board.yaml",
              "domain: {size: [1, 1, 1], boundaries: {all: wall}}\n"
              "solver: {resolution: 16}\n"
              "initial: [{kind: volume, file: board.png, grid: darkness, center: [0, 0.5, 0], size: 1}]\n");
    run_successfully(&run, "sim board.yaml --frames 0:0 -o board.####.vti");
    run_successfully(&run, "info board.0000.vti");
    // 160 pixels along the cells, one of them across: a tenth of a cell, of which half is dark
    assert_non_null(strstr(run.out, "density [1], 16 x 16 x 16 centers: 0 to 0.05, mean"));
}

static void test_errors(void **state)
{
    (void)state;
    make_picture("picture.png");
    make_file("grid.yaml", "initial:\n"
                           "  - {kind: volume, file: picture.png, grid: alpha}\n");
    run_program(&run, "info grid.yaml");
    assert_int_equal(run.status, 2);
    assert_non_null(strstr(run.err, "grid.yaml:2:26: "));
    assert_non_null(strstr(run.err,
                           "picture.png: a picture has no grid 'alpha'; its grids are: red, green, blue, luminance, "
                           "darkness (name one of them with 'grid')\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smoke_shows_the_picture),
        cmocka_unit_test(test_more_pixels_than_cells),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

// The conversion to Y'CbCr: exact values of BT.709, the siting of chroma, and gradients without bands.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "raymarch/tone.h"
#include "video/yuv.h"

enum { WIDTH = 16, HEIGHT = 16, HALF = 8 };

static uint8_t rgb[HEIGHT][WIDTH][3];
static uint8_t luma[HEIGHT][WIDTH];
static uint8_t cb[HALF][HALF];
static uint8_t cr[HALF][HALF];

static void convert(void)
{
    const BrumeYuvPlanes planes = {&luma[0][0], &cb[0][0], &cr[0][0], WIDTH, HALF, HALF};
    memset(luma, 255, sizeof luma);
    memset(cb, 255, sizeof cb);
    memset(cr, 255, sizeof cr);
    brume_yuv_from_rgb(&rgb[0][0][0], WIDTH, HEIGHT, &planes);
}

static void fill(uint8_t r, uint8_t g, uint8_t b)
{
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            rgb[y][x][0] = r;
            rgb[y][x][1] = g;
            rgb[y][x][2] = b;
        }
    }
}

static double mean_of(const uint8_t *plane, int count)
{
    double sum = 0.0;
    for (int n = 0; n < count; n++) {
        sum += plane[n];
    }
    return sum / count;
}

static void assert_near(double value, double expected, double tolerance, const char *what)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%s is %.6g, expected %.6g within %.2g", what, value, expected, tolerance);
    }
}

// the values of the standard, which are whole numbers, at every pixel: dither does not change them
static void test_gray(void **state)
{
    (void)state;
    static const struct {
        uint8_t gray, expected;
    } cases[] = {{0, 16}, {85, 89}, {170, 162}, {255, 235}}; // 16 + 219 gray / 255
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        fill(cases[n].gray, cases[n].gray, cases[n].gray);
        convert();
        for (int k = 0; k < WIDTH * HEIGHT; k++) {
            assert_int_equal((&luma[0][0])[k], cases[n].expected);
        }
        for (int k = 0; k < HALF * HALF; k++) {
            assert_int_equal((&cb[0][0])[k], 128);
            assert_int_equal((&cr[0][0])[k], 128);
        }
    }
}

// Y' = 0.2126 R + 0.7152 G + 0.0722 B, Cb = (B - Y') / 1.8556, Cr = (R - Y') / 1.5748, in limited range
static void test_colors(void **state)
{
    (void)state;
    static const uint8_t colors[][3] = {{255, 0, 0},   {0, 255, 0},   {0, 0, 255},   {255, 255, 0},
                                        {0, 255, 255}, {255, 0, 255}, {37, 91, 200}, {240, 120, 13}};
    for (size_t n = 0; n < sizeof colors / sizeof colors[0]; n++) {
        fill(colors[n][0], colors[n][1], colors[n][2]);
        convert();
        const double r = colors[n][0] / 255.0;
        const double g = colors[n][1] / 255.0;
        const double b = colors[n][2] / 255.0;
        const double y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        // the mean over a dither matrix is exact to half of its 64 steps
        assert_near(mean_of(&luma[0][0], WIDTH * HEIGHT), 16.0 + 219.0 * y, 0.51 / 64.0, "luma");
        assert_near(mean_of(&cb[0][0], HALF * HALF), 128.0 + 224.0 * (b - y) / 1.8556, 0.51 / 64.0, "cb");
        assert_near(mean_of(&cr[0][0], HALF * HALF), 128.0 + 224.0 * (r - y) / 1.5748, 0.51 / 64.0, "cr");
    }
}

// a chroma sample has the weights 1, 2, 1 of columns 2x - 1, 2x, 2x + 1 and those 1, 1 of rows 2y, 2y + 1
static void test_siting_of_chroma(void **state)
{
    (void)state;
    fill(0, 0, 0);
    for (int y = 4; y < 6; y++) {
        rgb[y][6][2] = 255; // the column of sample 3, both rows of sample 2
    }
    convert();
    const double full = 112.0; // of blue: (1 - 0.0722) / 1.8556 = 0.5
    assert_near(cb[2][3], 128.0 + 0.5 * full, 1.0, "cb at the column");
    assert_near(cb[2][2], 128.0, 0.0, "cb to its left");
    assert_near(cb[2][4], 128.0, 0.0, "cb to its right");
    assert_near(cb[1][3], 128.0, 0.0, "cb above");
    assert_near(cb[3][3], 128.0, 0.0, "cb below");

    fill(0, 0, 0);
    rgb[4][7][2] = 255; // between the samples 3 and 4, one of two rows
    convert();
    assert_near(cb[2][3], 128.0 + 0.125 * full, 1.0, "cb left of a pixel");
    assert_near(cb[2][4], 128.0 + 0.125 * full, 1.0, "cb right of a pixel");
}

// of a gray between two levels of the picture, dithered as the renderer does, the mean stays
static void test_gradient_has_no_bands(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int step = 0; step < 400; step++) {
        const double gray = 100.0 + 0.01 * step;
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                memset(rgb[y][x], (int)(gray + (double)brume_dither(x, y)), 3);
            }
        }
        convert();
        const double error = mean_of(&luma[0][0], WIDTH * HEIGHT) - (16.0 + 219.0 * gray / 255.0);
        worst = fmax(worst, fabs(error));
    }
    assert_true(worst > 0.0);
    assert_near(worst, 0.0, 0.12, "the largest deviation of a mean"); // 0.47 with rounding
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gray),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_siting_of_chroma),
        cmocka_unit_test(test_gradient_has_no_bands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

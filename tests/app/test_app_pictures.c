// The forms of pictures: bits of the numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_16_bits, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Formats of videos by the extension, and the sizes and rates that are possible.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "video/video_format.h"

static void test_extensions(void **state)
{
    (void)state;
    assert_string_equal(brume_video_format_of("out/plume.mp4")->encoder, "libx264");
    assert_string_equal(brume_video_format_of("a.b.WebM")->encoder, "libvpx-vp9");
    assert_null(brume_video_format_of("out/plume.png"));
    assert_null(brume_video_format_of("plume.mp4.brume-0.part"));
    assert_null(brume_video_format_of("mp4"));
}

static void assert_refused(int width, int height, double fps, const char *text)
{
    BrumeError error;
    assert_int_equal(brume_video_check(width, height, fps, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, text);
}

static void test_limits(void **state)
{
    (void)state;
    BrumeError error;
    assert_int_equal(brume_video_check(960, 540, 24.0, &error), BRUME_OK);
    assert_int_equal(brume_video_check(16, 16384, 0.1, &error), BRUME_OK);
    assert_int_equal(brume_video_check(16384, 16, 240.0, &error), BRUME_OK);
    assert_refused(961, 540, 24.0,
                   "a video needs an even width and height, not 961 x 540 (give 962 x 540, or write images)");
    assert_refused(960, 541, 24.0,
                   "a video needs an even width and height, not 960 x 541 (give 960 x 542, or write images)");
    assert_refused(8, 540, 24.0, "a video of 8 x 540 pixels is not possible (give a size from 16 to 16384)");
    assert_refused(960, 16386, 24.0, "a video of 960 x 16386 pixels is not possible (give a size from 16 to 16384)");
    assert_refused(960, 540, 0.01,
                   "a video of 0.01 frames per second is not possible (give 0.1 to 240, or write images)");
    assert_refused(960, 540, 2e5,
                   "a video of 200000 frames per second is not possible (give 0.1 to 240, or write images)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

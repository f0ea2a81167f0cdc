// Textures: colors at and between texels, repetition, the pictures of a sequence, and what is refused.
#include "core/texture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

// 4 x 2 texels: red grows to the right in quarters, green is 1 in the upper row, blue marks one texel
static BrumeTexture *make_texture(int frames, int first)
{
    const BrumeTextureDef def = {.width = 4, .height = 2, .frames = frames, .first = first, .file = "wall.png"};
    BrumeTexture *texture = NULL;
    BrumeError error;
    assert_int_equal(brume_texture_create(&texture, &def, &error), BRUME_OK);
    for (int frame = 0; frame < frames; frame++) {
        float rgb[2][4][3] = {0};
        for (int row = 0; row < 2; row++) {
            for (int column = 0; column < 4; column++) {
                rgb[row][column][0] = 0.25f * (float)column;
                rgb[row][column][1] = row == 0 ? 1.0f : 0.0f;
            }
        }
        rgb[1][3][2] = 1.0f / (float)(1 << frame);
        brume_texture_fill(texture, frame, rgb[0][0]);
    }
    return texture;
}

static void expect_color(const BrumeTexture *texture, int frame, float u, float v, float red, float green, float blue)
{
    const BrumeVec3 color = brume_texture_color(texture, frame, u, v);
    if (color.x != red || color.y != green || color.z != blue) {
        fail_msg("at %g, %g: %g %g %g instead of %g %g %g", (double)u, (double)v, (double)color.x, (double)color.y,
                 (double)color.z, (double)red, (double)green, (double)blue);
    }
}

static void test_colors(void **state)
{
    (void)state;
    BrumeTexture *texture = make_texture(1, 1);
    // centers of texels: v points up
    expect_color(texture, 0, 0.125f, 0.75f, 0.0f, 1.0f, 0.0f);
    expect_color(texture, 0, 0.375f, 0.75f, 0.25f, 1.0f, 0.0f);
    expect_color(texture, 0, 0.875f, 0.25f, 0.75f, 0.0f, 1.0f);
    // linear between them
    expect_color(texture, 0, 0.25f, 0.75f, 0.125f, 1.0f, 0.0f);
    expect_color(texture, 0, 0.75f, 0.5f, 0.625f, 0.5f, 0.25f);
    expect_color(texture, 0, 0.8125f, 0.375f, 0.6875f, 0.25f, 0.5625f);
    // across the edges: the last column beside the first one, the upper row below the lower one
    expect_color(texture, 0, 0.0f, 0.75f, 0.375f, 1.0f, 0.0f);
    expect_color(texture, 0, 1.0f, 0.75f, 0.375f, 1.0f, 0.0f);
    expect_color(texture, 0, 0.875f, 0.0f, 0.75f, 0.5f, 0.5f);
    // and it repeats
    for (int n = -3; n <= 3; n++) {
        expect_color(texture, 0, 0.75f + (float)n, 0.5f - (float)n, 0.625f, 0.5f, 0.25f);
    }
    expect_color(texture, 0, 1e30f, -1e30f, 0.375f, 0.5f, 0.25f);
    assert_string_equal(brume_texture_file(texture), "wall.png");
    assert_true(brume_texture_bytes(texture) == sizeof *texture + (size_t)4 * 2 * 6);
    brume_texture_release(texture);
}

// values are halves in [0, 1]
static void test_stored_values(void **state)
{
    (void)state;
    const BrumeTextureDef def = {.width = 1, .height = 1, .frames = 1};
    BrumeTexture *texture = NULL;
    assert_int_equal(brume_texture_create(&texture, &def, NULL), BRUME_OK);
    expect_color(texture, 0, 0.5f, 0.5f, 0.0f, 0.0f, 0.0f);
    const float rgb[] = {-2.0f, 7.0f, 0.1f};
    brume_texture_fill(texture, 0, rgb);
    expect_color(texture, 0, 0.5f, 0.5f, 0.0f, 1.0f, 0.0999755859375f);
    const float nan[] = {NAN, INFINITY, -INFINITY};
    brume_texture_fill(texture, 0, nan);
    expect_color(texture, 0, 0.5f, 0.5f, 0.0f, 1.0f, 0.0f);
    assert_null(brume_texture_file(texture));
    brume_texture_release(texture);
}

static void test_sequences(void **state)
{
    (void)state;
    BrumeTexture *texture = make_texture(5, 3); // numbers 3 to 7
    for (int frame = 0; frame < 5; frame++) {
        expect_color(texture, frame, 0.875f, 0.25f, 0.75f, 0.0f, 1.0f / (float)(1 << frame));
    }
    brume_texture_set_rate(texture, 4, 25.0);
    static const int expected[] = {1, 2, 3, 4, 0, 1, 2, 3, 4, 0};
    for (int n = 0; n < 10; n++) {
        assert_int_equal(brume_texture_frame(texture, 0.04 * n), expected[n]);
        assert_int_equal(brume_texture_frame(texture, 0.04 * n - 0.019), expected[n]);
        assert_int_equal(brume_texture_frame(texture, 0.04 * n + 0.019), expected[n]);
    }
    assert_int_equal(brume_texture_frame(texture, -0.08), 4);
    brume_texture_set_rate(texture, -1000, 1.0);
    assert_int_equal(brume_texture_frame(texture, 0.0), 2); // 1003 = 200 * 5 + 3 before the first
    brume_texture_release(texture);
    texture = make_texture(1, 7);
    brume_texture_set_rate(texture, 0, 25.0);
    assert_int_equal(brume_texture_frame(texture, 12.0), 0);
    brume_texture_release(texture);
}

static void test_unread(void **state)
{
    (void)state;
    BrumeTexture *texture = brume_texture_create_unread("a/####.png");
    assert_non_null(texture);
    assert_string_equal(brume_texture_file(texture), "a/####.png");
    assert_int_equal(brume_texture_frame(texture, 3.0), 0);
    expect_color(texture, 0, 0.5f, 0.5f, 1.0f, 1.0f, 1.0f);
    brume_texture_retain(texture);
    brume_texture_release(texture);
    expect_color(texture, 0, 0.5f, 0.5f, 1.0f, 1.0f, 1.0f);
    brume_texture_release(texture);
    brume_texture_release(NULL);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        BrumeTextureDef def;
        const char *text;
    } cases[] = {
        {{.width = 0, .height = 1, .frames = 1}, "a texture has 1 pictures of 0 x 1 texels"},
        {{.width = 1, .height = 32769, .frames = 1}, "1 to 100000 of up to 32768 x 32768 are allowed"},
        {{.width = 1, .height = 1, .frames = 0}, "a texture has 0 pictures"},
        {{.width = 32768, .height = 32768, .frames = 100000}, "more than half of the memory of this machine"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        BrumeError error;
        BrumeTexture *texture = make_texture(1, 1);
        brume_texture_release(texture);
        assert_int_equal(brume_texture_create(&texture, &cases[n].def, &error), BRUME_BAD_INPUT);
        assert_null(texture);
        assert_non_null(strstr(error.text, cases[n].text));
        assert_null(strchr(error.text, '\n'));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colors), cmocka_unit_test(test_stored_values), cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_unread), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

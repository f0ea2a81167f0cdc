// Images of the sky that are opened in the window: their paths, and what stays after a failure.
#include "brume/scene.h"
#include "core/error.h"
#include "raymarch_check.h"
#include "viewer/opened_skies.h"

#include <stdlib.h>
#include <string.h>

// a picture of two texels that has its number as radiance; "bad.hdr" cannot be read
static BrumeStatus read_fake(void *context, const char *path, int *width, int *height, float **radiance,
                             BrumeError *error)
{
    int *count = context;
    if (strcmp(path, "bad.hdr") == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: damaged", path);
    }
    ++*count;
    *width = 2;
    *height = 1;
    *radiance = malloc(6 * sizeof **radiance);
    assert_non_null(*radiance);
    for (int n = 0; n < 6; n++) {
        (*radiance)[n] = (float)*count;
    }
    return BRUME_OK;
}

static void test_opened_skies(void **state)
{
    (void)state;
    assert_true(brume_is_sky_file("/a b/studio.HDR") && brume_is_sky_file("x.exr"));
    assert_false(brume_is_sky_file("plume.yaml") || brume_is_sky_file("hdr") || brume_is_sky_file("a.hdr/b"));
    int count = 0;
    const BrumeSceneReaders readers = {.sky = read_fake, .context = &count};
    BrumeOpenedSkies opened = {0};
    BrumeSkyImage first = {0};
    BrumeSkyImage second = {0};
    BrumeError error;
    assert_int_equal(brume_opened_skies_read(&opened, &readers, "/no/first.hdr", &first, &error), BRUME_OK);
    assert_int_equal(brume_opened_skies_read(&opened, &readers, "bad.hdr", &second, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "bad.hdr: damaged");
    assert_null(second.radiance);
    assert_int_equal(opened.count, 1);
    assert_int_equal(brume_opened_skies_read(&opened, &readers, BRUME_SOURCE_DIR "/docs/../README.md", &second, &error),
                     BRUME_OK);
    assert_true(first.width == 2 && first.height == 1 && first.radiance[5] == 1.0f && second.radiance[5] == 2.0f);
    // each by its values, with an absolute path where the file exists
    assert_string_equal(brume_opened_skies_path(&opened, &first), "/no/first.hdr");
    assert_string_equal(brume_opened_skies_path(&opened, &second), BRUME_SOURCE_DIR "/README.md");
    const BrumeSkyImage other = {2, 1, (const float[6]){0.0f}};
    assert_null(brume_opened_skies_path(&opened, &other));
    brume_opened_skies_destroy(&opened);
    const BrumeSceneReaders none = {0};
    assert_int_equal(brume_opened_skies_read(&opened, &none, "/no/first.hdr", &first, &error), BRUME_BAD_INPUT);
    assert_int_equal(opened.count, 0);
    brume_opened_skies_destroy(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_opened_skies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

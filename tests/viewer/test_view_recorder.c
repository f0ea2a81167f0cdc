// The recorder: no picture is lost, all are the right way up, and the first failure is reported.
#include "viewer/threads/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb_image.h>

enum { WIDTH = 5, HEIGHT = 3, PICTURES = 12, BYTES = WIDTH * HEIGHT * 3 };

static void fill(uint8_t *rgb, int seed)
{
    for (int n = 0; n < BYTES; n++) {
        rgb[n] = (uint8_t)(37 * n + 11 * seed);
    }
}

static void read_picture(const char *path, uint8_t *rgb)
{
    int width = 0;
    int height = 0;
    int channels = 0;
    uint8_t *read = stbi_load(path, &width, &height, &channels, 3);
    assert_non_null(read);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    memcpy(rgb, read, BYTES);
    stbi_image_free(read);
}

static int make_folder(void **state)
{
    static char folder[] = "/tmp/brume-recorder-XXXXXX";
    *state = mkdtemp(folder);
    return *state ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return system(command);
}

static void test_all_pictures_in_their_order(void **state)
{
    char folder[128];
    (void)snprintf(folder, sizeof folder, "%s/deep/shots", (const char *)*state);
    BrumeRecorder *recorder = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_recorder_create(&recorder, folder, "plume", &error), BRUME_OK);
    uint8_t rgb[BYTES];
    for (int n = 1; n <= PICTURES; n++) {
        const char *path = NULL;
        fill(rgb, n);
        assert_int_equal(brume_recorder_add(recorder, WIDTH, HEIGHT, rgb, n == 2, &path, &error), BRUME_OK);
        char expected[256];
        (void)snprintf(expected, sizeof expected, "%s/plume-%04d.png", folder, n);
        assert_string_equal(path, expected);
    }
    assert_int_equal(brume_recorder_finish(recorder, &error), BRUME_OK);
    assert_int_equal(brume_recorder_count(recorder), PICTURES);
    brume_recorder_destroy(recorder);

    for (int n = 1; n <= PICTURES; n++) {
        char path[256];
        (void)snprintf(path, sizeof path, "%s/plume-%04d.png", folder, n);
        uint8_t read[BYTES];
        read_picture(path, read);
        fill(rgb, n);
        for (int y = 0; y < HEIGHT; y++) {
            const int from = n == 2 ? HEIGHT - 1 - y : y; // the second was handed over bottom row first
            assert_memory_equal(read + y * WIDTH * 3, rgb + from * WIDTH * 3, WIDTH * 3);
        }
    }
    assert_int_equal(brume_next_file_number(folder, "plume", ".png"), PICTURES + 1);
    assert_int_equal(brume_next_file_number(folder, "plume", ".yaml"), 1);
    assert_int_equal(brume_next_file_number(folder, "plum", ".png"), 1);
    assert_int_equal(brume_next_file_number("/nowhere", "plume", ".png"), 1);
}

static void test_goes_on_after_the_highest_number(void **state)
{
    const char *folder = *state;
    BrumeError error = {0};
    uint8_t rgb[BYTES];
    fill(rgb, 1);
    char path[128];
    (void)snprintf(path, sizeof path, "%s/shot-0041.png", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    BrumeRecorder *recorder = NULL;
    assert_int_equal(brume_recorder_create(&recorder, folder, "shot", &error), BRUME_OK);
    const char *next = NULL;
    assert_int_equal(brume_recorder_add(recorder, WIDTH, HEIGHT, rgb, false, &next, &error), BRUME_OK);
    assert_string_equal(next + strlen(next) - 13, "shot-0042.png");
    brume_recorder_destroy(recorder);
    uint8_t read[BYTES];
    (void)snprintf(path, sizeof path, "%s/shot-0042.png", folder);
    read_picture(path, read);
    assert_memory_equal(read, rgb, BYTES);
}

static void test_first_failure_is_told(void **state)
{
    char folder[128];
    (void)snprintf(folder, sizeof folder, "%s/gone", (const char *)*state);
    BrumeRecorder *recorder = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_recorder_create(&recorder, folder, "plume", &error), BRUME_OK);
    assert_int_equal(rmdir(folder), 0);
    uint8_t rgb[BYTES] = {0};
    assert_int_equal(brume_recorder_add(recorder, WIDTH, HEIGHT, rgb, false, NULL, &error), BRUME_OK);
    assert_int_equal(brume_recorder_finish(recorder, &error), BRUME_FAILED);
    assert_non_null(strstr(error.text, "plume-0001.png: cannot write"));
    assert_int_equal(brume_recorder_add(recorder, WIDTH, HEIGHT, rgb, false, NULL, &error), BRUME_FAILED);
    assert_int_equal(brume_recorder_status(recorder, &error), BRUME_FAILED);
    brume_recorder_destroy(recorder);

    (void)snprintf(folder, sizeof folder, "%s/file", (const char *)*state);
    FILE *file = fopen(folder, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(brume_recorder_create(&recorder, folder, "plume", &error), BRUME_FAILED);
    assert_null(recorder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_pictures_in_their_order),
        cmocka_unit_test(test_goes_on_after_the_highest_number),
        cmocka_unit_test(test_first_failure_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

/*
 * Every file of tests/bad_scenes is refused with exactly the error that its first line gives: `# line:column: text`.
 */
#include "scene_support.h"

#include <dirent.h>

enum { MIN_BAD_SCENES = 60 };

static const char *folder = BRUME_SOURCE_DIR "/tests/bad_scenes";

/** Whether the file is refused as its first line says; prints both errors where it is not. */
static bool is_refused(const char *name)
{
    char path[1024];
    char first[1024];
    char expected[2100];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(first, sizeof first, file));
    (void)fclose(file);
    first[strcspn(first, "\n")] = '\0';
    (void)snprintf(expected, sizeof expected, "%s:%s", path, first + strlen("# "));

    BrumeScene *scene = NULL;
    BrumeError error = {.status = BRUME_OK};
    const BrumeStatus status = brume_scene_load(&scene, path, NULL, 0, NULL, &error);
    int line = 0;
    int column = 0;
    assert_int_equal(sscanf(first, "# %d:%d:", &line, &column), 2);
    const bool refused = status == BRUME_BAD_INPUT && error.status == status && !scene && error.line == line &&
                         error.column == column && strcmp(error.text, expected) == 0;
    if (!refused) {
        print_error("value:    %s\nexpected: %s\n", status == BRUME_OK ? "(no error)" : error.text, expected);
    }
    brume_scene_destroy(scene);
    return refused;
}

static void test_bad_scenes(void **state)
{
    (void)state;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    int count = 0;
    int wrong = 0;
    for (const struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        if (entry->d_name[0] != '.') {
            wrong += !is_refused(entry->d_name);
            count++;
        }
    }
    (void)closedir(entries);
    print_message("%d bad scenes\n", count);
    assert_int_equal(wrong, 0);
    assert_true(count >= MIN_BAD_SCENES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

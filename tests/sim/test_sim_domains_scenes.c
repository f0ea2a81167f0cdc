/*
 * The scenes of scenes/ and scenes/validation/, at low resolution, which a change of the timeline raises: the same bits
 * for any number of ranks. After each exchange, planes of other ranks that it did not copy are NaN.
 */
#include "app/cli/scene_readers.h"
#include "shared_frames.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FRAMES = 3 };

// a scene may have many steps per frame, or exactly one number of them
static const char *const overrides[] = {"solver.resolution=24", "solver.min_steps=1", "solver.max_steps=2",
                                        "timeline=[{frame: 2, set: {solver.resolution: 30}}]"};

static int ends_with_yaml(const struct dirent *entry)
{
    const char *extension = strrchr(entry->d_name, '.');
    return extension && strcmp(extension, ".yaml") == 0;
}

static void expect_same_scene(const char *path)
{
    const int ranks[] = {1, 2, 3, 5};
    BrumeScene *scene = NULL;
    BrumeError error;
    if (brume_scene_load(&scene, path, overrides, (int)(sizeof overrides / sizeof *overrides), &brume_scene_readers,
                         &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(scene->timeline.count, 1);
    const bool refused =
        strcmp(scene->sim.integrator, "collocated") == 0 || strcmp(scene->sim.integrator, "practical") == 0;
    if (!refused) { // they need one process
        expect_same_frames(path, (SharedFrames){.def = &scene->sim, .scene = scene, .frames = FRAMES}, ranks, 4);
    }
    brume_scene_destroy(scene);
}

// returns the number of scenes in the folder
static int expect_same_scenes(const char *folder)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, ends_with_yaml, alphasort);
    assert_true(count >= 0);
    for (int n = 0; n < count; n++) {
        char path[1024];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entries[n]->d_name);
        expect_same_scene(path);
        free(entries[n]);
    }
    free(entries);
    return count;
}

static void test_scenes(void **state)
{
    (void)state;
    assert_in_range(expect_same_scenes(BRUME_SOURCE_DIR "/scenes"), 20, 100);
}

static void test_validation(void **state)
{
    (void)state;
    assert_in_range(expect_same_scenes(BRUME_SOURCE_DIR "/scenes/validation"), 20, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_validation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

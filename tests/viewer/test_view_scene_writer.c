// Scenes that are written in a thread of their own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "core/memory.h"
#include "program.h"
#include "viewer/scene_writer.h"

// a scene with one stroke, whose parts are allocated as those that the viewer writes
static BrumeScene *make_scene(void)
{
    static const char text[] = "name: Written\n"
                               "domain: {size: [1, 1, 1]}\n"
                               "solver: {resolution: 16}\n"
                               "timeline:\n"
                               "  - frame: 3\n"
                               "    set: {air.viscosity: 0.01}\n";
    BrumeScene *parsed = NULL;
    BrumeError error;
    assert_int_equal(brume_scene_parse(&parsed, text, "written.yaml", NULL, 0, NULL, &error), BRUME_OK);
    BrumeScene *scene = brume_alloc(1, sizeof *scene);
    assert_non_null(scene);
    *scene = *parsed;
    assert_int_equal(brume_timeline_copy(&scene->timeline, &parsed->timeline, &error), BRUME_OK);
    brume_scene_destroy(parsed);
    return scene;
}

static BrumeStatus wait_for(BrumeSceneWriter *writer, BrumeError *error)
{
    BrumeStatus status;
    while (!brume_scene_writer_poll(writer, &status, error)) {
        usleep(500);
    }
    assert_false(brume_scene_writer_poll(writer, &status, error)); // once
    return status;
}

static void test_scene_is_written(void **state)
{
    (void)state;
    BrumeSceneWriter writer = {0};
    BrumeError error;
    BrumeStatus status;
    assert_false(brume_scene_writer_poll(&writer, &status, &error));
    for (int n = 0; n < 2; n++) { // the second one replaces the first
        brume_scene_writer_start(&writer, make_scene(), n == 0 ? "first" : "second", "out.yaml");
        assert_int_equal(wait_for(&writer, &error), BRUME_OK);
        size_t size;
        char *text = read_whole_file("out.yaml", &size);
        assert_true(strncmp(text, n == 0 ? "# first\n" : "# second\n", 8) == 0);
        assert_non_null(strstr(text, "\n  - frame: 3\n"));
        free(text);
    }
    BrumeScene *read = NULL;
    assert_int_equal(brume_scene_load(&read, "out.yaml", NULL, 0, NULL, &error), BRUME_OK);
    assert_int_equal(read->timeline.count, 1);
    assert_true(read->timeline.changes[0].settings->viscosity == 0.01f);
    brume_scene_destroy(read);
}

static void test_failure_is_told(void **state)
{
    (void)state;
    BrumeSceneWriter writer = {0};
    BrumeError error;
    brume_scene_writer_start(&writer, make_scene(), "none", "missing/out.yaml");
    assert_int_equal(wait_for(&writer, &error), BRUME_FAILED);
    assert_non_null(strstr(error.text, "missing/out.yaml: cannot write: "));
}

static void test_end_waits_for_the_file(void **state)
{
    (void)state;
    BrumeSceneWriter writer = {0};
    brume_scene_writer_finish(&writer); // idle
    brume_scene_writer_start(&writer, make_scene(), "last", "last.yaml");
    brume_scene_writer_finish(&writer);
    assert_true(exists("last.yaml"));
    assert_false(writer.active);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_scene_is_written, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_failure_is_told, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_end_waits_for_the_file, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Mesh files that are read in a thread of their own: their order, errors, and what is canceled meanwhile.
#include "core/error.h"
#include "core/parallel/clock.h"
#include "core/vec3.h"
#include "raymarch_check.h"
#include "test_mesh.h"
#include "viewer/file_queue.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double max_wait = 30.0; // [s]

static atomic_int started, permitted, wakes;

// a sphere, once it is permitted; "bad.obj" cannot be read
static BrumeStatus read_fake(void *context, const char *path, const BrumeMeshReadDef *def, BrumeMesh **mesh,
                             BrumeError *error)
{
    (void)context;
    (void)def;
    const int number = atomic_fetch_add(&started, 1);
    while (atomic_load(&permitted) <= number) {
        usleep(200);
    }
    if (strcmp(path, "bad.obj") == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: damaged", path);
    }
    TestMesh triangles = {0};
    test_mesh_add_sphere(&triangles, 0, brume_vec3(0.0f, 0.0f, 0.0f), 1.0f);
    *mesh = test_mesh_create(&triangles);
    return BRUME_OK;
}

static void wake(void) { atomic_fetch_add(&wakes, 1); }

static const BrumeSceneReaders readers = {.mesh = read_fake};
static BrumeFileQueue queue;

static int set_up(void **state)
{
    (void)state;
    atomic_store(&started, 0);
    atomic_store(&permitted, 0);
    atomic_store(&wakes, 0);
    queue = (BrumeFileQueue){.readers = NULL};
    brume_file_queue_init(&queue, &readers, wake);
    return 0;
}

static void wait_until(const atomic_int *number, int value)
{
    const double start = brume_seconds();
    while (atomic_load(number) < value) {
        assert_true(brume_seconds() - start < max_wait);
        usleep(200);
    }
}

static void request(const char *path)
{
    BrumeError error;
    assert_int_equal(brume_file_queue_request(&queue, path, &error), BRUME_OK);
}

static void test_files_in_their_order(void **state)
{
    (void)state;
    BrumeFileReading reading;
    char name[72];
    assert_false(brume_file_queue_describe(&queue, name, sizeof name) || brume_file_queue_cancel(&queue));
    request("first.obj");
    request("bad.obj");
    wait_until(&started, 1);
    assert_true(brume_file_queue_describe(&queue, name, sizeof name)); // the caller goes on while it is read
    assert_string_equal(name, "first.obj");
    assert_false(brume_file_queue_poll(&queue, &reading));
    atomic_store(&permitted, 2);
    wait_until(&wakes, 2);
    assert_false(brume_file_queue_describe(&queue, name, sizeof name));
    assert_true(brume_file_queue_poll(&queue, &reading));
    assert_string_equal(reading.path, "first.obj");
    assert_int_equal(brume_mesh_info(reading.mesh)->triangles, 20);
    brume_mesh_release(reading.mesh);
    assert_true(brume_file_queue_poll(&queue, &reading));
    assert_null(reading.mesh);
    assert_string_equal(reading.error.text, "bad.obj: damaged");
    assert_false(brume_file_queue_poll(&queue, &reading));
    brume_file_queue_destroy(&queue);
}

// the file that is read when it is canceled is dropped, those behind it are not read at all
static void test_canceled_files(void **state)
{
    (void)state;
    BrumeFileReading reading;
    char name[72];
    request("first.obj");
    request("second.obj");
    wait_until(&started, 1);
    assert_true(brume_file_queue_cancel(&queue));
    assert_false(brume_file_queue_describe(&queue, name, sizeof name) || brume_file_queue_cancel(&queue));
    request("third.obj");
    atomic_store(&permitted, 2);
    wait_until(&wakes, 3);
    assert_int_equal(atomic_load(&started), 2);
    assert_true(brume_file_queue_poll(&queue, &reading));
    assert_string_equal(reading.path, "third.obj");
    brume_mesh_release(reading.mesh);
    assert_false(brume_file_queue_poll(&queue, &reading));
    brume_file_queue_destroy(&queue);
}

// A request beyond the capacity fails. Destruction waits for the file that is being read, reads no other, and frees
// the meshes that were not polled.
static void test_full_queue(void **state)
{
    (void)state;
    BrumeError error;
    for (int n = 0; n < BRUME_FILE_READINGS; n++) {
        request("one.obj");
    }
    assert_int_equal(brume_file_queue_request(&queue, "more.obj", &error), BRUME_FAILED);
    assert_string_equal(error.text, "more.obj: 16 other files are read first");
    wait_until(&started, 1);
    assert_false(brume_file_queue_stop(&queue, 0.0));
    atomic_store(&permitted, 1);
    brume_file_queue_destroy(&queue);
    assert_int_equal(atomic_load(&started), 1);
}

// A scene replaces the files before it, and tells which of its own files is read. The caller waits as long as it likes.
static void test_scene(void **state)
{
    (void)state;
    static const char text[] = "domain: {size: [4, 4, 4]}\nsolver: {resolution: 8}\n"
                               "bodies:\n  - {shape: mesh, file: parts/ball.obj, center: [0, 2, 0]}\n";
    BrumeFileReading reading;
    BrumeError error;
    char name[72];
    FILE *file = fopen("queue_ball.yaml", "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
    request("first.obj");
    wait_until(&started, 1);
    static const char *const overrides[] = {"solver.resolution=16"};
    assert_int_equal(brume_file_queue_request_scene(&queue, "./queue_ball.yaml", overrides, 1, &error), BRUME_OK);
    assert_true(brume_file_queue_describe(&queue, name, sizeof name)); // the mesh is not wanted any more
    assert_string_equal(name, "queue_ball.yaml");
    atomic_store(&permitted, 1);
    wait_until(&started, 2);
    assert_true(brume_file_queue_describe(&queue, name, sizeof name));
    assert_string_equal(name, "queue_ball.yaml: ball.obj");
    brume_file_queue_wait(&queue, 0.01);
    assert_false(brume_file_queue_poll(&queue, &reading));
    atomic_store(&permitted, 2);
    brume_file_queue_wait(&queue, max_wait);
    assert_true(brume_file_queue_poll(&queue, &reading));
    assert_true(reading.is_scene && reading.scene && !reading.mesh);
    assert_int_equal(reading.scene->sim.body_count, 1);
    assert_int_equal(reading.scene->sim.nx, 16);
    brume_scene_destroy(reading.scene);
    assert_int_equal(brume_file_queue_request_scene(&queue, "queue_none.yaml", NULL, 0, &error), BRUME_OK);
    brume_file_queue_wait(&queue, max_wait);
    assert_true(brume_file_queue_poll(&queue, &reading));
    assert_true(!reading.scene && reading.error.status == BRUME_BAD_INPUT);
    assert_int_equal(brume_file_queue_request_scene(&queue, "./queue_ball.yaml", NULL, 0, &error), BRUME_OK);
    atomic_store(&permitted, 3);
    brume_file_queue_wait(&queue, max_wait);
    brume_file_queue_destroy(&queue); // also frees a scene
    assert_int_equal(remove("queue_ball.yaml"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_files_in_their_order, set_up),
        cmocka_unit_test_setup(test_canceled_files, set_up),
        cmocka_unit_test_setup(test_full_queue, set_up),
        cmocka_unit_test_setup(test_scene, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

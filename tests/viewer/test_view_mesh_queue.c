// Mesh files that are read in a thread of their own: their order, errors, and what is canceled meanwhile.
#include "core/error.h"
#include "core/parallel/clock.h"
#include "core/vec3.h"
#include "raymarch_check.h"
#include "test_mesh.h"
#include "viewer/mesh_queue.h"

#include <stdatomic.h>
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
static BrumeMeshQueue queue;

static int set_up(void **state)
{
    (void)state;
    atomic_store(&started, 0);
    atomic_store(&permitted, 0);
    atomic_store(&wakes, 0);
    queue = (BrumeMeshQueue){.readers = NULL};
    brume_mesh_queue_init(&queue, &readers, wake);
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
    assert_int_equal(brume_mesh_queue_request(&queue, path, &error), BRUME_OK);
}

static void test_files_in_their_order(void **state)
{
    (void)state;
    BrumeMeshReading reading;
    char path[BRUME_MESH_READING_PATH];
    assert_false(brume_mesh_queue_path(&queue, path) || brume_mesh_queue_cancel(&queue));
    request("first.obj");
    request("bad.obj");
    wait_until(&started, 1);
    assert_true(brume_mesh_queue_path(&queue, path)); // the caller goes on while it is read
    assert_string_equal(path, "first.obj");
    assert_false(brume_mesh_queue_poll(&queue, &reading));
    atomic_store(&permitted, 2);
    wait_until(&wakes, 2);
    assert_false(brume_mesh_queue_path(&queue, path));
    assert_true(brume_mesh_queue_poll(&queue, &reading));
    assert_string_equal(reading.path, "first.obj");
    assert_int_equal(brume_mesh_info(reading.mesh)->triangles, 20);
    brume_mesh_release(reading.mesh);
    assert_true(brume_mesh_queue_poll(&queue, &reading));
    assert_null(reading.mesh);
    assert_string_equal(reading.error.text, "bad.obj: damaged");
    assert_false(brume_mesh_queue_poll(&queue, &reading));
    brume_mesh_queue_destroy(&queue);
}

// the file that is read when it is canceled is dropped, those behind it are not read at all
static void test_canceled_files(void **state)
{
    (void)state;
    BrumeMeshReading reading;
    char path[BRUME_MESH_READING_PATH];
    request("first.obj");
    request("second.obj");
    wait_until(&started, 1);
    assert_true(brume_mesh_queue_cancel(&queue));
    assert_false(brume_mesh_queue_path(&queue, path) || brume_mesh_queue_cancel(&queue));
    request("third.obj");
    atomic_store(&permitted, 2);
    wait_until(&wakes, 3);
    assert_int_equal(atomic_load(&started), 2);
    assert_true(brume_mesh_queue_poll(&queue, &reading));
    assert_string_equal(reading.path, "third.obj");
    brume_mesh_release(reading.mesh);
    assert_false(brume_mesh_queue_poll(&queue, &reading));
    brume_mesh_queue_destroy(&queue);
}

// A request beyond the capacity fails. Destruction waits for the file that is being read, reads no other, and frees
// the meshes that were not polled.
static void test_full_queue(void **state)
{
    (void)state;
    BrumeError error;
    for (int n = 0; n < BRUME_MESH_READINGS; n++) {
        request("one.obj");
    }
    assert_int_equal(brume_mesh_queue_request(&queue, "more.obj", &error), BRUME_FAILED);
    assert_string_equal(error.text, "more.obj: 16 other files are read first");
    wait_until(&started, 1);
    assert_false(brume_mesh_queue_stop(&queue, 0.0));
    atomic_store(&permitted, 1);
    brume_mesh_queue_destroy(&queue);
    assert_int_equal(atomic_load(&started), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_files_in_their_order, set_up),
        cmocka_unit_test_setup(test_canceled_files, set_up),
        cmocka_unit_test_setup(test_full_queue, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

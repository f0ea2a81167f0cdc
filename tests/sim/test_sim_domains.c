/*
 * The same bits for any number of ranks that share a grid: ranks are threads here. After each exchange, planes of other
 * ranks that it did not copy are NaN.
 *
 * Without arguments the test runs fixed scenes and some random ones. `test_sim_domains FIRST COUNT FRAMES` runs others.
 */
#include "busy_box.h"
#include "core/memory.h"
#include "random_scene.h"
#include "shared_frames.h"
#include "sim_support.h"

#include <stdio.h>
#include <stdlib.h>

static void expect_same_bits(const char *name, const BrumeSimDef *def, int frames, const int *ranks, int count)
{
    expect_same_frames(name, (SharedFrames){.def = def, .frames = frames}, ranks, count);
}

static void test_each_pressure_solver(void **state)
{
    (void)state;
    const int ranks[] = {2, 3, 5};
    for (int method = 0; brume_pressure_name(method); method++) {
        BrumeSimDef def = busy_box();
        def.pressure = brume_pressure_name(method);
        busy_box_for_solver(&def);
        expect_same_bits(def.pressure, &def, 5, ranks, 3);
    }
}

static void test_thin_box(void **state)
{
    (void)state;
    const int ranks[] = {2};
    BrumeSimDef def = busy_box();
    def.nz = 1;
    expect_same_bits("thin", &def, 5, ranks, 1);
}

// a window that follows a jet
static void test_far_field(void **state)
{
    (void)state;
    const int ranks[] = {2, 3};
    for (int factor = 2; factor <= 4; factor *= 2) {
        BrumeSimDef def = box_def(64, 96, 64, 0.02f, BRUME_OPEN);
        def.faces[BRUME_FACE_Y_MIN].kind = BRUME_WALL;
        def.far_factor = factor;
        def.emitter_count = 1;
        def.emitters[0] = brume_default_emitter_def();
        def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.6f, 0.2f, 0.5f}, .radius = 0.1f};
        def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
        def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 300.0f};
        expect_same_bits("far field", &def, 12, ranks, 2);
    }
}

// slabs of unequal sizes, with a rank of one block
static void test_unequal_slabs(void **state)
{
    (void)state;
    const double speeds[] = {1.0, 3.0, 2.0, 1e-6};
    const int ranks[] = {2, 3, 4};
    BrumeSimDef def = busy_box();
    def.nz = 47;
    expect_same_frames("unequal slabs", (SharedFrames){.def = &def, .speeds = speeds, .frames = 5}, ranks, 3);
}

// 16 slabs of 16 planes, more than the planes of the coarsest grids
static void test_many_ranks(void **state)
{
    (void)state;
    const int ranks[] = {16};
    BrumeSimDef def = box_def(24, 24, 256, 0.02f, BRUME_OPEN);
    def.faces[BRUME_FACE_Y_MIN].kind = BRUME_WALL;
    def.pressure = "mgpcg";
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.24f, 0.3f, 2.55f}, .radius = 0.1f};
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_CAPSULE, .a = {0.24f, 0.1f, 0.3f}, .b = {0.24f, 0.1f, 4.8f}, .radius = 0.08f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 300.0f};
    expect_same_bits("many ranks", &def, 3, ranks, 1);
}

// whether the random scene has the same bits with 2, 3 and 5 ranks
static bool check_random_scene(uint32_t seed, int frames)
{
    BrumeScene *scene = NULL;
    char *text = NULL;
    BrumeError error = {.status = BRUME_OK};
    assert_int_equal(random_scene(&scene, &text, seed, &error), BRUME_OK);
    if (strcmp(scene->sim.integrator, "collocated") == 0 || strcmp(scene->sim.integrator, "practical") == 0) {
        scene->sim.integrator = "split"; // the others need one process
        scene->sim.fraction_bits = 0;
    }
    SharedFrames alone = {.def = &scene->sim, .frames = frames};
    compute_frames_alone(&alone);
    bool same = true;
    for (int ranks = 2; same && ranks <= 5; ranks = 2 * ranks - 1) {
        const int frame = first_different_frame(&alone, ranks);
        same = frame < 0;
        if (!same) {
            printf("random-%u: frame %d differs with %d ranks\n%s", seed, frame, ranks, text);
        }
    }
    (void)fflush(stdout);
    brume_scene_destroy(scene);
    brume_free(text);
    return same;
}

static void test_random_scenes(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 10; seed++) {
        assert_true(check_random_scene(seed, 3));
    }
}

int main(int argc, char **argv)
{
    if (argc == 4) {
        const uint32_t first = (uint32_t)strtoul(argv[1], NULL, 10);
        const uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
        uint32_t different = 0;
        for (uint32_t n = 0; n < count; n++) {
            different += !check_random_scene(first + n, (int)strtol(argv[3], NULL, 10));
        }
        printf("%u of %u random scenes differ\n", different, count);
        return different > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_pressure_solver),
        cmocka_unit_test(test_thin_box),
        cmocka_unit_test(test_far_field),
        cmocka_unit_test(test_unequal_slabs),
        cmocka_unit_test(test_many_ranks),
        cmocka_unit_test(test_random_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

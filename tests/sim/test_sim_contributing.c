/* The example of CONTRIBUTING.md, an advection scheme of its own: CMakeLists.txt extracts it and links it with this
 * test. It takes the semi-Lagrangian step, so that it must give the state of that scheme, bit for bit. */
#include "sim_support.h"

static const char scene_path[] = BRUME_SOURCE_DIR "/scenes/plume.yaml";

static BrumeScene *load(const char *scheme)
{
    const char *const overrides[] = {"solver.resolution=24", scheme};
    BrumeScene *scene = NULL;
    BrumeError error = {0};
    if (brume_scene_load(&scene, scene_path, overrides, 2, NULL, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return scene;
}

static uint64_t hash_after_frames(const BrumeScene *scene, const char *kernels)
{
    BrumeSimDef def = scene->sim;
    def.kernels = kernels;
    BrumeSim *sim = create(&def);
    BrumeError error = {0};
    for (int frame = 0; frame < 5; frame++) {
        if (brume_scene_frame(scene, sim, NULL, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    return hash;
}

static void the_example_is_in_the_list(void **state)
{
    (void)state;
    int count = 0;
    while (brume_advection_name(count)) {
        count++;
    }
    assert_true(count >= 3);
    assert_string_equal(brume_advection_name(count - 1), "my-scheme");
}

static void the_example_runs(void **state)
{
    (void)state;
    BrumeScene *example = load("solver.advection=my-scheme");
    BrumeScene *expected = load("solver.advection=semi-lagrangian");
    BrumeScene *other = load("solver.advection=maccormack");
    for (int set = 0; brume_kernels_name(set); set++) {
        const uint64_t hash = hash_after_frames(example, brume_kernels_name(set));
        assert_true(hash == hash_after_frames(expected, "fast"));
        assert_true(hash != hash_after_frames(other, "fast"));
    }
    brume_scene_destroy(example);
    brume_scene_destroy(expected);
    brume_scene_destroy(other);
}

static void error_messages_list_the_example(void **state)
{
    (void)state;
    const char *const overrides[] = {"solver.advection=none"};
    BrumeScene *scene = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_scene_load(&scene, scene_path, overrides, 1, NULL, &error), BRUME_BAD_INPUT);
    if (!strstr(error.text, "my-scheme")) {
        fail_msg("'my-scheme' is not in '%s'", error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_is_in_the_list),
        cmocka_unit_test(the_example_runs),
        cmocka_unit_test(error_messages_list_the_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The comparison of two variants: both go on from the state in which it began, and either may be kept.
#include "simulation_thread_support.h"

static const BrumeSnapshot *wait_for_variants(BrumeSimulationThread *thread, int count)
{
    const double start = brume_seconds();
    while (latest_snapshot(thread)->variant_count != count) {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
    return latest_snapshot(thread);
}

// what is done before the fork: a stroke, a solid that moves, and a setting
static void edit_before(BrumeSimulationThread *thread, BrumeSimDef *settings)
{
    (void)advance(thread, 2);
    const BrumeStrokeSegment segment = segment_at(0, 1);
    brume_simulation_thread_add_stroke(thread, &segment);
    move_solid(thread, 0, brume_vec3(0.03f, 0.0f, 0.0f));
    (void)advance(thread, 2);
    settings->vorticity_confinement = 2.0f;
    brume_simulation_thread_set_settings(thread, 0, settings);
    (void)advance(thread, 1);
}

// the hash after five more frames of a run of its own in which `settings` are set after the first two
static uint64_t hash_of_separate_run(const BrumeSimDef *scene, const BrumeSimDef *settings)
{
    BrumeSimulationThread *thread = create(scene, false);
    BrumeSimDef before = *scene;
    edit_before(thread, &before);
    (void)advance(thread, 2);
    brume_simulation_thread_set_settings(thread, 0, settings);
    const BrumeStrokeSegment segment = segment_at(1, 2);
    brume_simulation_thread_add_stroke(thread, &segment);
    (void)advance(thread, 3);
    BrumeReplay replay = get_replay(thread, 0);
    brume_timeline_clear(&replay.timeline);
    brume_simulation_thread_destroy(thread);
    return replay.hash;
}

// both sides have the bits of two runs that were never forked, and so have the scenes that are saved from them
static void test_fork_equals_two_separate_runs(void **state)
{
    (void)state;
    const BrumeSimDef scene = small_def();
    BrumeSimulationThread *thread = create(&scene, false);
    BrumeSimDef settings[2] = {scene, scene};
    edit_before(thread, &settings[0]);
    settings[1] = settings[0];
    const BrumeSnapshot *snapshot = latest_snapshot(thread);
    const uint64_t present = hash_of(&snapshot->variants[0]);
    const int revision = snapshot->revision;
    assert_false(brume_simulation_thread_compares(thread));
    brume_simulation_thread_fork(thread, 0);
    assert_true(brume_simulation_thread_compares(thread));
    snapshot = wait_for_variants(thread, 2);
    assert_int_equal(snapshot->frame, 5); // it goes on: no restart
    assert_int_equal(snapshot->epoch, 1);
    assert_true(snapshot->revision > revision);
    assert_true(hash_of(&snapshot->variants[0]) == present);
    assert_true(hash_of(&snapshot->variants[1]) == present);

    snapshot = advance(thread, 2);
    assert_true(hash_of(&snapshot->variants[0]) == hash_of(&snapshot->variants[1]));
    settings[0].cooling += 5.0f;
    settings[1].gravity.y = -3.0f;
    for (int n = 0; n < 2; n++) {
        brume_simulation_thread_set_settings(thread, n, &settings[n]);
    }
    const BrumeStrokeSegment segment = segment_at(1, 2);
    brume_simulation_thread_add_stroke(thread, &segment);
    (void)advance(thread, 3);
    for (int n = 0; n < 2; n++) {
        BrumeReplay replay = get_replay(thread, n);
        assert_int_equal(replay.frame, 10);
        assert_true(replay.hash == hash_of_separate_run(&scene, &settings[n]));
        assert_true(run_replay(&replay) == replay.hash);
        brume_timeline_clear(&replay.timeline);
    }
    brume_simulation_thread_destroy(thread);
}

// the kept variant goes on with its settings; a second fork starts from it
static void test_either_variant_can_be_kept(void **state)
{
    (void)state;
    const BrumeSimDef scene = small_def();
    for (int kept = 0; kept < 2; kept++) {
        BrumeSimulationThread *thread = create(&scene, false);
        (void)advance(thread, 2);
        brume_simulation_thread_fork(thread, 0);
        BrumeSimDef settings[2] = {scene, scene};
        settings[0].cooling = 2.0f;
        settings[1].cooling = 7.0f;
        for (int n = 0; n < 2; n++) {
            brume_simulation_thread_set_settings(thread, n, &settings[n]);
        }
        const BrumeSnapshot *snapshot = advance(thread, 2);
        const uint64_t hash = hash_of(&snapshot->variants[kept]);
        assert_true(hash != hash_of(&snapshot->variants[1 - kept]));
        brume_simulation_thread_end_comparison(thread, kept, 0);
        snapshot = wait_for_variants(thread, 1);
        assert_true(hash_of(&snapshot->variants[0]) == hash);
        assert_int_equal(snapshot->frame, 4);
        assert_true(snapshot->variants[0].settings.cooling == settings[kept].cooling);
        (void)advance(thread, 1);
        check_replay(thread, 0);
        brume_simulation_thread_fork(thread, 0);
        snapshot = advance(thread, 1);
        assert_int_equal(snapshot->variant_count, 2);
        assert_true(hash_of(&snapshot->variants[0]) == hash_of(&snapshot->variants[1]));
        check_replay(thread, 1);

        const int epoch = epoch_of(thread);
        brume_simulation_thread_reset(thread); // both, with their settings
        snapshot = wait_for_restart(thread, epoch);
        assert_int_equal(snapshot->variant_count, 2);
        assert_true(snapshot->variants[1].settings.cooling == settings[kept].cooling);
        brume_simulation_thread_destroy(thread);
    }
}

// settings that wait for the next frame belong to the variant for which they were set, however often it is forked
static void test_waiting_settings_follow_their_variant(void **state)
{
    (void)state;
    const BrumeSimDef scene = small_def();
    BrumeSimulationThread *thread = create(&scene, false);
    (void)advance(thread, 1);
    BrumeSimDef settings = scene;
    settings.cooling = 1.0f;
    brume_simulation_thread_set_settings(thread, 0, &settings);
    brume_simulation_thread_fork(thread, 0); // of a variant whose settings wait
    settings.cooling = 2.0f;
    brume_simulation_thread_set_settings(thread, 1, &settings);
    brume_simulation_thread_end_comparison(thread, 1, 0);
    brume_simulation_thread_fork(thread, 0);
    settings.cooling = 3.0f;
    brume_simulation_thread_set_settings(thread, 0, &settings);
    const BrumeSnapshot *snapshot = advance(thread, 1);
    assert_int_equal(snapshot->variant_count, 2);
    assert_true(snapshot->variants[0].settings.cooling == 3.0f);
    assert_true(snapshot->variants[1].settings.cooling == 2.0f);

    brume_simulation_thread_end_comparison(thread, 1, 0);
    settings.cooling = 4.0f;
    brume_simulation_thread_set_settings(thread, 0, &settings);
    brume_simulation_thread_fork(thread, 0);
    snapshot = advance(thread, 1);
    assert_int_equal(snapshot->variant_count, 2);
    assert_true(snapshot->variants[0].settings.cooling == 4.0f);
    assert_true(snapshot->variants[1].settings.cooling == 4.0f);
    assert_true(hash_of(&snapshot->variants[0]) == hash_of(&snapshot->variants[1]));
    for (int n = 0; n < 2; n++) {
        check_replay(thread, n);
    }
    brume_simulation_thread_end_comparison(thread, 0, 0);
    brume_simulation_thread_end_comparison(thread, 1, 0); // of none
    assert_false(brume_simulation_thread_compares(thread));
    (void)advance(thread, 1);
    check_replay(thread, 0);
    brume_simulation_thread_destroy(thread);
}

// there is no comparison of a simulation that cannot go on
static void test_failed_simulation_is_not_forked(void **state)
{
    (void)state;
    const BrumeSimDef scene = small_def();
    BrumeSimulationThread *thread = create(&scene, true);
    (void)wait_for_frames(thread, 1);
    BrumeStrokeSegment segment = segment_at(0, 1);
    segment.stroke.temperature = INFINITY;
    brume_simulation_thread_add_stroke(thread, &segment);
    double start = brume_seconds();
    while (latest_snapshot(thread)->running) {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
    brume_simulation_thread_fork(thread, 0);
    start = brume_seconds();
    while (brume_simulation_thread_compares(thread)) {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
    while (!strstr(latest_snapshot(thread)->error.text, "before a comparison")) {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
    assert_int_equal(latest_snapshot(thread)->variant_count, 1);
    brume_simulation_thread_destroy(thread);
}

// A shape that is given by samples refers to the same ones in both variants, and stays valid after the comparison.
static void test_samples_are_shared(void **state)
{
    (void)state;
    enum { N = 8 };
    float values[N * N * N];
    for (int n = 0; n < N * N * N; n++) {
        values[n] = (float)(n % 7) - 2.5f;
    }
    const BrumeSamplesDef def = {
        .nx = N, .ny = N, .nz = N, .first = {0.3, 0.3, 0.3}, .spacing = 0.05, .values = values};
    BrumeSamples *samples = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_samples_create(&samples, &def, &error), BRUME_OK);
    BrumeSimDef scene = small_def();
    scene.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_VOLUME,
                                           .a = {0.3f, 0.3f, 0.3f},
                                           .b = {0.65f, 0.65f, 0.65f},
                                           .threshold = 0.5f,
                                           .samples = samples};
    BrumeSimulationThread *thread = create(&scene, false);
    (void)advance(thread, 1);
    brume_simulation_thread_fork(thread, 0);
    brume_simulation_thread_set_settings(thread, 1, &scene); // no change
    const BrumeSnapshot *snapshot = advance(thread, 1);
    assert_ptr_equal(snapshot->variants[1].settings.emitters[0].shape.samples, samples);
    BrumeReplay replay = get_replay(thread, 1);
    assert_int_equal(replay.timeline.count, 0);
    assert_true(run_replay(&replay) == replay.hash);
    brume_timeline_clear(&replay.timeline);
    brume_simulation_thread_destroy(thread);
    brume_samples_release(samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fork_equals_two_separate_runs),
        cmocka_unit_test(test_either_variant_can_be_kept),
        cmocka_unit_test(test_waiting_settings_follow_their_variant),
        cmocka_unit_test(test_failed_simulation_is_not_forked),
        cmocka_unit_test(test_samples_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

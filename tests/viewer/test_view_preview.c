// Edits that wait for the next frame are shown while the simulation is paused, and change no bit of what it computes.
#include "simulation_thread_support.h"

// waits until a snapshot shows another state than `hash`
static const BrumeSnapshot *wait_for_change(BrumeSimulationThread *thread, uint64_t hash)
{
    const double start = brume_seconds();
    const BrumeSnapshot *snapshot;
    do {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
        snapshot = latest_snapshot(thread);
    } while (hash_of(&snapshot->variants[0]) == hash);
    return snapshot;
}

static void wait_for_state(BrumeSimulationThread *thread, uint64_t hash)
{
    const double start = brume_seconds();
    while (hash_of(&latest_snapshot(thread)->variants[0]) != hash) {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
}

static float largest(const BrumeField *field)
{
    float most = 0.0f;
    for (int k = 1; k <= field->grid.nz; k++) {
        for (int j = 1; j <= field->grid.ny; j++) {
            for (int i = 1; i <= field->grid.nx; i++) {
                most = fmaxf(most, brume_field_at(field, i, j, k));
            }
        }
    }
    return most;
}

static uint64_t hash_of_replay(BrumeSimulationThread *thread, bool edits_wait)
{
    BrumeReplay replay = get_replay(thread, 0);
    assert_int_equal(replay.edits_wait, edits_wait);
    brume_timeline_clear(&replay.timeline);
    return replay.hash;
}

// a stroke in air without smoke, which it sets to its amount
static void test_stroke_is_shown_while_paused(void **state)
{
    (void)state;
    BrumeSimDef scene = small_def();
    scene.emitter_count = 0;
    BrumeSimulationThread *thread = create(&scene, false);
    const BrumeSnapshot *snapshot = advance(thread, 2);
    const uint64_t before = hash_of(&snapshot->variants[0]);
    const uint64_t state_before = hash_of_replay(thread, false);
    const int revision = snapshot->revision;
    assert_true(largest(&snapshot->variants[0].fields[BRUME_FIELD_DENSITY]) == 0.0f);
    BrumeStrokeSegment segment = segment_at(0, 1);
    brume_simulation_thread_add_stroke(thread, &segment);
    snapshot = wait_for_change(thread, before);
    assert_int_equal(snapshot->frame, 2);
    assert_true(snapshot->revision > revision);
    assert_false(snapshot->running);
    const float density = largest(&snapshot->variants[0].fields[BRUME_FIELD_DENSITY]);
    assert_true(density > 0.4f && density <= 0.5f); // as much as the stroke emits
    assert_true(largest(&snapshot->variants[0].fields[BRUME_FIELD_TEMPERATURE]) > 32.0f);
    assert_true(largest(&snapshot->variants[0].fields[BRUME_FIELD_U]) > 0.01f); // it pushes

    // a second one, of a color that is not in use
    const uint64_t first = hash_of(&snapshot->variants[0]);
    BrumeSimDef settings = scene;
    settings.color_count = 2;
    brume_simulation_thread_set_settings(thread, 0, &settings);
    segment = segment_at(1, 2);
    segment.stroke.smoke[0] = 0.0f;
    segment.stroke.smoke[2] = 3.0f;
    brume_simulation_thread_add_stroke(thread, &segment);
    snapshot = wait_for_change(thread, first);
    assert_true(largest(&snapshot->variants[0].fields[BRUME_FIELD_COLOR_2]) > 1.5f);

    // the state is what it was, and the frames are those of a run that never showed anything in advance
    assert_true(hash_of_replay(thread, true) == state_before);
    (void)advance(thread, 2);
    BrumeReplay replay = get_replay(thread, 0);
    assert_int_equal(replay.timeline.changes[0].stroke_count, 2);
    assert_false(replay.edits_wait);
    assert_true(run_replay(&replay) == replay.hash);
    brume_timeline_clear(&replay.timeline);
    brume_simulation_thread_destroy(thread);
}

// a vortex shows in the velocity, cold in the temperature; smoke and state stay
static void test_flow_and_cold_are_shown_while_paused(void **state)
{
    (void)state;
    BrumeSimDef scene = small_def();
    scene.emitter_count = 0;
    BrumeSimulationThread *thread = create(&scene, false);
    const uint64_t before = hash_of(&advance(thread, 1)->variants[0]);
    const uint64_t state_before = hash_of_replay(thread, false);
    BrumeStrokeSegment segment = segment_at(0, 1);
    segment.stroke.to = segment.stroke.from = brume_vec3(0.5f, 0.5f, 0.5f);
    segment.stroke.from_slope = segment.stroke.to_slope = segment.stroke.velocity = (BrumeVec3){0};
    segment.stroke.smoke[0] = 0.0f;
    segment.stroke.temperature = -30.0f;
    segment.stroke.radius = 0.3f;
    segment.stroke.push = 1000.0f; // the whole flow within the frame
    segment.stroke.twist = 4.0f;
    segment.stroke.axis = brume_vec3(0.0f, 0.0f, 1.0f);
    brume_simulation_thread_add_stroke(thread, &segment);
    const BrumeSnapshot *snapshot = wait_for_change(thread, before);
    const BrumeField *fields = snapshot->variants[0].fields;
    // two cells above the middle, of 16 by 24 by 16, and as far below
    assert_true(fabsf(brume_field_at(&fields[BRUME_FIELD_U], 9, 10, 9) + 4.0f * 1.5f / CELLS) < 1e-3f);
    assert_true(fabsf(brume_field_at(&fields[BRUME_FIELD_U], 9, 7, 9) - 4.0f * 1.5f / CELLS) < 1e-3f);
    assert_true(brume_field_at(&fields[BRUME_FIELD_TEMPERATURE], 8, 8, 8) < -25.0f);
    assert_true(largest(&fields[BRUME_FIELD_DENSITY]) == 0.0f);
    assert_true(hash_of_replay(thread, true) == state_before);
    brume_simulation_thread_destroy(thread);
}

// solids are shown where they were dragged
static void test_moved_solid_is_shown_while_paused(void **state)
{
    (void)state;
    const BrumeSimDef scene = small_def();
    BrumeSimulationThread *thread = create(&scene, false);
    (void)advance(thread, 1);
    brume_simulation_thread_fork(thread, 0);
    move_solid(thread, 0, brume_vec3(0.05f, 0.0f, 0.0f));
    move_solid(thread, 0, brume_vec3(0.05f, -0.1f, 0.0f));
    const double start = brume_seconds();
    const BrumeSnapshot *snapshot;
    do {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
        snapshot = latest_snapshot(thread);
    } while (snapshot->variant_count < 2 || snapshot->variants[1].settings.bodies[0].shape.a.y > 0.85f);
    assert_int_equal(snapshot->frame, 1);
    for (int n = 0; n < 2; n++) {
        assert_true(fabsf(snapshot->variants[n].settings.bodies[0].shape.a.x - 0.6f) < 1e-6f);
    }
    snapshot = advance(thread, 1);
    for (int n = 0; n < 2; n++) {
        assert_true(fabsf(snapshot->variants[n].settings.bodies[0].shape.a.x - 0.6f) < 1e-5f);
        check_replay(thread, n);
    }
    brume_simulation_thread_destroy(thread);
}

// what a restart discards is not shown any more; a recording shows the states alone
static void test_preview_ends(void **state)
{
    (void)state;
    const BrumeSimDef scene = small_def();
    BrumeSimulationThread *thread = create(&scene, false);
    const uint64_t at_start = hash_of(&latest_snapshot(thread)->variants[0]);
    const BrumeSnapshot *snapshot = advance(thread, 1);
    const uint64_t before = hash_of(&snapshot->variants[0]);
    const BrumeStrokeSegment segment = segment_at(0, 1);
    brume_simulation_thread_add_stroke(thread, &segment);
    (void)wait_for_change(thread, before);
    brume_simulation_thread_set_frame_by_frame(thread, true);
    wait_for_state(thread, before);
    brume_simulation_thread_set_frame_by_frame(thread, false);
    (void)wait_for_change(thread, before);
    brume_simulation_thread_reset(thread);
    wait_for_state(thread, at_start);
    (void)advance(thread, 1);
    wait_for_state(thread, before);
    brume_simulation_thread_destroy(thread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stroke_is_shown_while_paused),
        cmocka_unit_test(test_flow_and_cold_are_shown_while_paused),
        cmocka_unit_test(test_moved_solid_is_shown_while_paused),
        cmocka_unit_test(test_preview_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

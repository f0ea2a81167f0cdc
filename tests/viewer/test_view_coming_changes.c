// A replay has the edits that wait for the next frame, and what the scene prescribes later: computed on from it, frames
// are those of the simulation that goes on.
#include "simulation_thread_support.h"

// the state after `frames` more frames of the replay, computed without the viewer, and of the simulation that goes on
static void check_coming_frames(BrumeSimulationThread *thread, int frames)
{
    BrumeReplay replay = get_replay(thread, 0);
    BrumeReplay later = replay;
    assert_int_equal(replay.status, BRUME_OK);
    assert_true(run_replay(&replay) == replay.hash);
    const BrumeSnapshot *snapshot = advance(thread, frames);
    later.frame = snapshot->frame;
    later.time = snapshot->time;
    BrumeReplay live = get_replay(thread, 0);
    assert_int_equal(live.frame, later.frame);
    assert_true(run_replay(&later) == live.hash);
    brume_timeline_clear(&replay.timeline);
    brume_timeline_clear(&live.timeline);
}

// settings, a moved solid, and more strokes than a frame holds, none of which can be joined
static void edit(BrumeSimulationThread *thread, const BrumeSimDef *settings, int strokes)
{
    brume_simulation_thread_set_settings(thread, 0, settings);
    move_solid(thread, 1, brume_vec3(0.05f, 0.0f, 0.02f));
    for (int n = 0; n < strokes; n++) {
        BrumeStrokeSegment segment = segment_at(n, strokes);
        segment.edit = n + 2;
        brume_simulation_thread_add_stroke(thread, &segment);
    }
}

static void test_edits_that_wait(void **state)
{
    (void)state;
    BrumeSimDef settings = small_def();
    BrumeSimulationThread *thread = create(&settings, false);
    settings.viscosity = 0.01f;
    edit(thread, &settings, 3 * BRUME_MAX_STROKES + 5); // before the first frame
    BrumeReplay replay = get_replay(thread, 0);
    assert_true(replay.edits_wait);
    assert_int_equal(replay.frame, 0);
    assert_int_equal(replay.timeline.count, 4);
    assert_int_equal(replay.timeline.changes[0].stroke_count, BRUME_MAX_STROKES);
    assert_int_equal(replay.timeline.changes[0].move_count, 1);
    assert_true(replay.timeline.changes[0].settings->viscosity == settings.viscosity);
    assert_null(replay.timeline.changes[1].settings);
    assert_int_equal(replay.timeline.changes[3].stroke_count, 5);
    brume_timeline_clear(&replay.timeline);
    check_coming_frames(thread, 6);

    settings.fps = 30.0f; // the frames of the strokes become shorter
    edit(thread, &settings, 2 * BRUME_MAX_STROKES);
    check_coming_frames(thread, 3);
    replay = get_replay(thread, 0);
    assert_false(replay.edits_wait);
    brume_timeline_clear(&replay.timeline);
    brume_simulation_thread_destroy(thread);
}

static void test_undone_and_rejected_edits_are_left_out(void **state)
{
    (void)state;
    const BrumeSimDef settings = small_def();
    BrumeSimulationThread *thread = create(&settings, false);
    (void)advance(thread, 1);
    BrumeReplay before = get_replay(thread, 0);
    BrumeSimDef rejected = settings;
    rejected.pressure = "dct"; // which solves boxes without bodies only
    edit(thread, &rejected, 2);
    for (int n = 1; n <= 3; n++) {
        brume_simulation_thread_set_undone(thread, n, true);
    }
    BrumeReplay after = get_replay(thread, 0);
    assert_int_equal(after.timeline.count, before.timeline.count);
    brume_timeline_clear(&before.timeline);
    brume_timeline_clear(&after.timeline);
    brume_simulation_thread_set_undone(thread, 3, false);
    check_coming_frames(thread, 2);
    brume_simulation_thread_destroy(thread);
}

static void test_changes_of_the_scene_follow(void **state)
{
    (void)state;
    BrumeSimDef settings = small_def();
    BrumeSimDef later = settings;
    later.viscosity = 0.02f;
    BrumeTimeline timeline = {0};
    const BrumeMove move = {.velocity = {0.3f, 0.0f, 0.0f}};
    const BrumeChange changes[] = {{.frame = 1, .moves = &move, .move_count = 1},
                                   {.frame = 3, .moves = &move, .move_count = 1},
                                   {.frame = 6, .settings = &later}};
    for (int n = 0; n < 3; n++) {
        assert_int_equal(brume_timeline_add(&timeline, &changes[n], NULL), BRUME_OK);
    }
    const BrumeSimulationThreadDef def = {.settings = settings, .timeline = timeline, .threads = 2};
    BrumeSimulationThread *thread = create_by(&def);
    (void)advance(thread, 2);
    BrumeReplay replay = get_replay(thread, 0);
    assert_false(replay.edits_wait);
    assert_int_equal(replay.timeline.count, 3);
    assert_int_equal(replay.timeline.changes[2].frame, 6);
    assert_true(replay.timeline.changes[2].settings->viscosity == later.viscosity);
    brume_timeline_clear(&replay.timeline);
    settings.viscosity = 0.01f;
    edit(thread, &settings, 2 * BRUME_MAX_STROKES); // beside the move before frame 4
    check_coming_frames(thread, 6);
    brume_simulation_thread_destroy(thread);
    brume_timeline_clear(&timeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits_that_wait),
        cmocka_unit_test(test_undone_and_rejected_edits_are_left_out),
        cmocka_unit_test(test_changes_of_the_scene_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

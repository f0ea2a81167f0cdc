// Undoing strokes and moved solids: the state is, bit for bit, that of a run in which they never were.
#include "core/random.h"
#include "sanitized.h"
#include "simulation_thread_support.h"

enum { EDITS = 4, LAST_FRAME = 9 };

static BrumeSimulationThread *create_with_memory(const BrumeSimDef *settings, size_t memory)
{
    const BrumeSimulationThreadDef def = {.settings = *settings, .threads = 2, .memory = memory};
    BrumeSimulationThread *thread = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_simulation_thread_create(&thread, &def, &error), BRUME_OK);
    brume_simulation_thread_set_speed_limit(thread, INFINITY);
    return thread;
}

static void stroke(BrumeSimulationThread *thread, int edit, int part, float density)
{
    BrumeStrokeSegment segment = segment_at(part, 3);
    segment.edit = edit;
    segment.stroke.smoke[0] = density;
    brume_simulation_thread_add_stroke(thread, &segment);
}

// A run with edits of all kinds, of which those in `wanted` (bit n: edit n + 1) are made at all. Two strokes share a
// frame, of which each then has half.
static void run_edits(BrumeSimulationThread *thread, const BrumeSimDef *scene, unsigned wanted)
{
    (void)advance(thread, 1);
    if ((wanted & 1u) != 0) {
        stroke(thread, 1, 0, 0.5f);
    }
    if ((wanted & 2u) != 0) {
        stroke(thread, 2, 1, 0.9f);
    }
    (void)advance(thread, 2);
    BrumeSimDef settings = *scene;
    settings.vorticity_confinement = 2.0f;
    brume_simulation_thread_set_settings(thread, 0, &settings);
    (void)advance(thread, 1);
    if ((wanted & 4u) != 0) {
        move_solid(thread, 3, brume_vec3(0.05f, -0.1f, 0.0f));
    }
    (void)advance(thread, 1);
    brume_simulation_thread_fork(thread, 0);
    settings.cooling = 3.0f;
    brume_simulation_thread_set_settings(thread, 1, &settings);
    if ((wanted & 8u) != 0) {
        stroke(thread, 4, 2, 0.7f);
    }
    (void)advance(thread, 2);
    brume_simulation_thread_end_comparison(thread, 1, 0);
    (void)advance(thread, 2);
}

static uint64_t present_hash(BrumeSimulationThread *thread)
{
    BrumeReplay replay = get_replay(thread, 0); // waits until nothing is computed again
    assert_int_equal(replay.frame, LAST_FRAME);
    brume_timeline_clear(&replay.timeline);
    return replay.hash;
}

// the bits of runs that have a subset of the edits
static void hashes_of_subsets(const BrumeSimDef *scene, uint64_t hashes[1 << EDITS])
{
    for (unsigned wanted = 0; wanted < 1u << EDITS; wanted++) {
        BrumeSimulationThread *thread = create_with_memory(scene, 0);
        run_edits(thread, scene, wanted);
        hashes[wanted] = present_hash(thread);
        for (unsigned other = 0; other < wanted; other++) {
            if (hashes[other] == hashes[wanted]) {
                fail_msg("the edits %x and %x lead to the same state", other, wanted);
            }
        }
        brume_simulation_thread_destroy(thread);
    }
}

// in any order, with all states kept, with some and with none
static void test_undo_equals_never_done(void **state)
{
    (void)state;
    const BrumeSimDef scene = small_def();
    uint64_t expected[1 << EDITS];
    hashes_of_subsets(&scene, expected);
    static const unsigned steps[] = {15, 7, 3, 2, 0, 1, 9, 13, 12, 15, 6, 14, 15}; // the edits that are not undone
    static const size_t memories[] = {700000, (size_t)1 << 30, 0};
    for (int m = 0; m < fewer_under_sanitizers(3, 1); m++) {
        BrumeSimulationThread *thread = create_with_memory(&scene, memories[m]);
        run_edits(thread, &scene, 15);
        assert_true(present_hash(thread) == expected[15]);
        for (size_t n = 1; n < sizeof steps / sizeof steps[0]; n++) {
            for (int edit = 1; edit <= EDITS; edit++) {
                const unsigned bit = 1u << (edit - 1);
                if ((steps[n] & bit) != (steps[n - 1] & bit)) {
                    brume_simulation_thread_set_undone(thread, edit, (steps[n] & bit) == 0);
                }
            }
            const uint64_t hash = present_hash(thread);
            if (hash != expected[steps[n]]) {
                fail_msg("memory %zu: the edits %x lead to another state than a run of them alone", memories[m],
                         steps[n]);
            }
            assert_false(brume_simulation_thread_recomputation(thread).active);
            if (n % 4 == 1) {
                check_replay(thread, 0); // and the scene that is saved leads to it
            }
        }
        brume_simulation_thread_destroy(thread);
    }
}

// what is not undone goes on: frames, edits and another undo after it
static void test_run_goes_on_after_undo(void **state)
{
    (void)state;
    const BrumeSimDef scene = small_def();
    uint64_t hash[2];
    for (int undoes = 0; undoes < 2; undoes++) {
        BrumeSimulationThread *thread = create_with_memory(&scene, (size_t)1 << 30);
        (void)advance(thread, 2);
        if (undoes) {
            stroke(thread, 1, 0, 0.8f);
        }
        (void)advance(thread, 4);
        if (undoes) {
            brume_simulation_thread_set_undone(thread, 1, true);
        }
        stroke(thread, 2, 1, 0.8f); // waits for the frame after those that are computed again
        brume_simulation_thread_fork(thread, 0);
        const BrumeSnapshot *snapshot = advance(thread, 2);
        assert_int_equal(snapshot->frame, 8);
        brume_simulation_thread_end_comparison(thread, 0, 0);
        stroke(thread, 3, 2, 0.8f);
        (void)advance(thread, 1);
        brume_simulation_thread_set_undone(thread, 3, true);
        hash[undoes] = present_hash(thread);
        BrumeReplay replay = get_replay(thread, 0);
        assert_int_equal(replay.timeline.count, 1);
        assert_int_equal(replay.timeline.changes[0].frame, 6);
        brume_timeline_clear(&replay.timeline);

        brume_simulation_thread_set_undone(thread, 2, true);
        const int epoch = epoch_of(thread);
        brume_simulation_thread_reset(thread); // does not wait for it
        const BrumeSnapshot *start = wait_for_restart(thread, epoch);
        assert_int_equal(start->frame, 0);
        assert_false(brume_simulation_thread_recomputation(thread).active);
        brume_simulation_thread_set_undone(thread, 2, false); // of before the restart
        (void)advance(thread, 1);
        replay = get_replay(thread, 0);
        assert_int_equal(replay.timeline.count, 0);
        brume_timeline_clear(&replay.timeline);
        brume_simulation_thread_destroy(thread);
    }
    assert_true(hash[0] == hash[1]);
}

static int stages_of(BrumeSimulationThread *thread)
{
    BrumeSimulationProgress progress;
    brume_simulation_thread_progress(thread, &progress);
    return progress.stages;
}

// Frames that are computed again are given up by the opposite request: the state before is there at once, without
// memory for states, too; and where it was reached, it comes back without computing.
static void test_recomputation_is_canceled(void **state)
{
    (void)state;
    const int frames = fewer_under_sanitizers(40, 12);
    BrumeSimDef scene = small_def();
    scene.nx *= 2; // so that a frame takes a while
    scene.ny *= 2;
    scene.nz *= 2;
    scene.dx *= 0.5f;
    scene.min_steps = scene.max_steps = 4;
    static const size_t memories[] = {(size_t)1 << 30, 0};
    for (int m = 0; m < 2; m++) {
        BrumeSimulationThread *thread = create_with_memory(&scene, memories[m]);
        stroke(thread, 1, 0, 0.8f);
        (void)advance(thread, 1);
        const int per_frame = stages_of(thread);
        (void)advance(thread, frames - 1);
        BrumeReplay replay = get_replay(thread, 0);
        const uint64_t before = replay.hash;
        brume_timeline_clear(&replay.timeline);
        for (int undone = 1; undone >= 0; undone--) { // an undo, and a redo
            const int stages = stages_of(thread);
            brume_simulation_thread_set_undone(thread, 1, undone != 0);
            const double start = brume_seconds();
            while (undone && brume_simulation_thread_recomputation(thread).done == 0) {
                assert_true(brume_seconds() - start < max_wait);
                usleep(200);
            }
            brume_simulation_thread_set_undone(thread, 1, false);
            replay = get_replay(thread, 0);
            assert_int_equal(replay.frame, frames);
            assert_true(replay.hash == before);
            brume_timeline_clear(&replay.timeline);
            assert_false(brume_simulation_thread_recomputation(thread).active);
            if (stages_of(thread) - stages > frames * per_frame / 2) {
                fail_msg("%d stages of steps after the request was canceled", stages_of(thread) - stages);
            }
        }
        brume_simulation_thread_destroy(thread);
    }
}

// A run with a comparison that begins as edit 1 and ends as edit 2, of which those in `wanted` are made. Writes the
// hashes of the variants and returns their number.
static int run_comparison(BrumeSimulationThread *thread, const BrumeSimDef *scene, unsigned wanted, uint64_t hashes[2])
{
    const bool begins = (wanted & 1u) != 0;
    const bool ends = (wanted & 2u) != 0;
    BrumeSimDef settings = *scene;
    stroke(thread, 0, 0, 0.5f);
    (void)advance(thread, 3);
    if (begins) {
        brume_simulation_thread_fork(thread, 1);
        settings.cooling = 4.0f;
        brume_simulation_thread_set_settings(thread, 1, &settings);
    }
    (void)advance(thread, 2);
    if (ends) {
        brume_simulation_thread_end_comparison(thread, 1, 2);
    }
    (void)advance(thread, 1);
    if (begins) { // of the second variant, also where the comparison has ended
        settings.vorticity_confinement = 3.0f;
        brume_simulation_thread_set_settings(thread, ends ? 0 : 1, &settings);
    }
    stroke(thread, 0, 2, 0.5f);
    (void)advance(thread, 3);
    for (int n = 0; n < 2; n++) {
        BrumeReplay replay = get_replay(thread, n);
        hashes[n] = replay.hash;
        brume_timeline_clear(&replay.timeline);
    }
    return latest_snapshot(thread)->variant_count;
}

static void check_comparison(BrumeSimulationThread *thread, int count, const uint64_t expected[2])
{
    for (int n = 0; n < 2; n++) {
        BrumeReplay replay = get_replay(thread, n);
        assert_int_equal(replay.frame, LAST_FRAME);
        assert_true(replay.hash == expected[n]);
        assert_true(run_replay(&replay) == replay.hash);
        brume_timeline_clear(&replay.timeline);
    }
    assert_int_equal(latest_snapshot(thread)->variant_count, count);
    assert_int_equal(brume_simulation_thread_compares(thread), count > 1);
}

// The end of a comparison is undone: both variants have gone on, each with its own settings; then its start: there
// never was one. Redone, all comes back, without computing where the states are kept.
static void test_comparison_is_undone(void **state)
{
    (void)state;
    const BrumeSimDef scene = small_def();
    uint64_t expected[4][2];
    static const unsigned runs[] = {0, 1, 3};
    for (int n = 0; n < 3; n++) {
        BrumeSimulationThread *thread = create_with_memory(&scene, 0);
        assert_int_equal(run_comparison(thread, &scene, runs[n], expected[runs[n]]), runs[n] == 1 ? 2 : 1);
        brume_simulation_thread_destroy(thread);
    }
    assert_true(expected[1][0] == expected[0][0]); // the first variant goes on as if it were alone
    assert_true(expected[3][0] == expected[1][1]);
    static const size_t memories[] = {(size_t)1 << 30, 0};
    for (int m = 0; m < 2; m++) {
        BrumeSimulationThread *thread = create_with_memory(&scene, memories[m]);
        uint64_t hashes[2];
        (void)run_comparison(thread, &scene, 3, hashes);
        assert_true(hashes[0] == expected[3][0]);
        brume_simulation_thread_set_undone(thread, 2, true);
        check_comparison(thread, 2, expected[1]);
        brume_simulation_thread_set_undone(thread, 1, true);
        check_comparison(thread, 1, expected[0]);
        const int stages = stages_of(thread);
        brume_simulation_thread_set_undone(thread, 1, false);
        check_comparison(thread, 2, expected[1]);
        brume_simulation_thread_set_undone(thread, 2, false);
        check_comparison(thread, 1, expected[3]);
        assert_true(m > 0 || stages_of(thread) == stages);
        brume_simulation_thread_destroy(thread);
    }
}

/*
 * Random edits of all kinds.
 */

static float unit(uint32_t seed, uint32_t n, uint32_t which) { return brume_unit_float(brume_hash3(n, which, seed)); }

// an edit with the number n + 1, or settings, which have none; false for these
static bool random_edit(BrumeSimulationThread *thread, const BrumeSimDef *scene, uint32_t seed, uint32_t n)
{
    const int edit = (int)n + 1;
    const bool compares = brume_simulation_thread_compares(thread);
    BrumeSimDef settings = *scene;
    switch ((int)(6.0f * unit(seed, n, 1))) {
    case 0:
        if (compares) {
            brume_simulation_thread_end_comparison(thread, (int)(2.0f * unit(seed, n, 2)), edit);
        } else {
            brume_simulation_thread_fork(thread, edit);
        }
        return true;
    case 1:
        brume_simulation_thread_go_back(thread, edit, (int)(unit(seed, n, 2) * (float)latest_snapshot(thread)->frame));
        return true;
    case 2:
        move_solid(thread, edit, brume_vec3(0.04f * unit(seed, n, 2) - 0.02f, 0.02f, 0.0f));
        return true;
    case 3:
        settings.cooling = 5.0f * unit(seed, n, 2) - 0.5f; // sometimes rejected
        settings.nx = unit(seed, n, 3) < 0.2f ? settings.nx + 4 : settings.nx;
        brume_simulation_thread_set_settings(thread, compares && unit(seed, n, 4) < 0.5f, &settings);
        return false;
    default:
        stroke(thread, edit, (int)(3.0f * unit(seed, n, 2)), 0.9f * unit(seed, n, 3));
        return true;
    }
}

// hash of both variants, once nothing is computed again, and the number of frames
static uint64_t whole_state(BrumeSimulationThread *thread, int *frame)
{
    uint64_t hash = 0;
    for (int n = 0; n < 2; n++) {
        BrumeReplay replay = get_replay(thread, n);
        *frame = replay.frame;
        hash = brume_hash_bytes(&replay.hash, sizeof replay.hash, hash);
        assert_true(run_replay(&replay) == replay.hash); // the log, replayed without the viewer
        brume_timeline_clear(&replay.timeline);
    }
    return hash;
}

// All that was done is undone, step by step, and redone: the state is what it was. At every place, a run of the log
// without the viewer leads to it.
static void test_random_edits(void **state)
{
    (void)state;
    enum { STEPS = 40 };
    const BrumeSimDef scene = small_def();
    const int seeds = fewer_under_sanitizers(4, 2); // with the memory of the history, and without
    for (uint32_t seed = 1; seed <= (uint32_t)seeds; seed++) {
        const BrumeFrameHistoryDef def = {.memory = (size_t)1 << 28, .playback = (size_t)1 << 26};
        BrumeFrameHistory *history = NULL;
        assert_int_equal(brume_frame_history_create(&history, &def, NULL), BRUME_OK);
        const BrumeSimulationThreadDef thread_def = {
            .settings = scene, .threads = 2, .memory = seed % 2 == 0 ? 0 : (size_t)1 << 28, .history = history};
        BrumeSimulationThread *thread = create_by(&thread_def);
        int edits[STEPS];
        int count = 0;
        int undone = 0; // of the latest
        int frame = 0;
        for (uint32_t n = 0; n < STEPS; n++) {
            const float what = unit(seed, n, 0);
            if (what < 0.2f && count > undone) {
                brume_simulation_thread_set_undone(thread, edits[count - ++undone], true);
            } else if (what < 0.3f && undone > 0) {
                brume_simulation_thread_set_undone(thread, edits[count - undone--], false);
            } else if (random_edit(thread, &scene, seed, n)) {
                count -= undone;
                undone = 0;
                edits[count++] = (int)n + 1;
            }
            for (int k = 0; k < (int)(3.0f * unit(seed, n, 5)); k++) {
                brume_simulation_thread_request_frame(thread);
            }
            if (n % 4 == 3) {
                (void)whole_state(thread, &frame);
            }
        }
        while (undone > 0) {
            brume_simulation_thread_set_undone(thread, edits[count - undone--], false);
        }
        (void)whole_state(thread, &frame);
        (void)advance(thread, 1); // which gives all that waits to a frame
        int frame_before = 0;
        const uint64_t before = whole_state(thread, &frame_before);
        for (int n = count - 1; n >= 0; n--) {
            brume_simulation_thread_set_undone(thread, edits[n], true);
            (void)whole_state(thread, &frame);
        }
        for (int n = 0; n < count; n++) {
            brume_simulation_thread_set_undone(thread, edits[n], false);
        }
        const uint64_t after = whole_state(thread, &frame);
        if (after != before || frame != frame_before) {
            fail_msg("seed %u: the state of frame %d has become another one, of frame %d", seed, frame_before, frame);
        }
        brume_simulation_thread_destroy(thread);
        brume_frame_history_destroy(history);
    }
}

// edits that wait are taken out of the picture, and come back
static void test_undo_while_paused(void **state)
{
    (void)state;
    const BrumeSimDef scene = small_def();
    BrumeSimulationThread *thread = create_with_memory(&scene, (size_t)1 << 30);
    const BrumeSnapshot *snapshot = advance(thread, 1);
    const uint64_t before = hash_of(&snapshot->variants[0]);
    stroke(thread, 1, 0, 0.8f);
    move_solid(thread, 2, brume_vec3(0.0f, -0.1f, 0.0f));
    const double start = brume_seconds();
    do {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
        snapshot = latest_snapshot(thread);
    } while (hash_of(&snapshot->variants[0]) == before || snapshot->variants[0].settings.bodies[0].shape.a.y > 0.85f);
    for (int edit = 1; edit <= 2; edit++) {
        brume_simulation_thread_set_undone(thread, edit, true);
    }
    do {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
        snapshot = latest_snapshot(thread);
    } while (hash_of(&snapshot->variants[0]) != before || snapshot->variants[0].settings.bodies[0].shape.a.y < 0.85f);
    (void)advance(thread, 2); // which take them nevertheless, as undone
    BrumeReplay replay = get_replay(thread, 0);
    assert_int_equal(replay.timeline.count, 0);
    brume_timeline_clear(&replay.timeline);
    brume_simulation_thread_set_undone(thread, 1, false);
    replay = get_replay(thread, 0);
    assert_int_equal(replay.frame, 3);
    assert_int_equal(replay.timeline.count, 1);
    assert_int_equal(replay.timeline.changes[0].frame, 1);
    assert_int_equal(replay.timeline.changes[0].move_count, 0);
    assert_true(run_replay(&replay) == replay.hash);
    brume_timeline_clear(&replay.timeline);
    brume_simulation_thread_destroy(thread);
}

// an edit that makes a frame fail can be undone
static void test_undo_of_a_failure(void **state)
{
    (void)state;
    const BrumeSimDef scene = small_def();
    BrumeSimulationThread *thread = create_with_memory(&scene, (size_t)1 << 30);
    const BrumeSnapshot *snapshot = advance(thread, 3);
    const uint64_t good = hash_of(&snapshot->variants[0]);
    BrumeStrokeSegment segment = segment_at(0, 1);
    segment.edit = 1;
    segment.stroke.temperature = INFINITY;
    brume_simulation_thread_add_stroke(thread, &segment);
    brume_simulation_thread_request_frame(thread);
    const double start = brume_seconds();
    while (latest_snapshot(thread)->error.status == BRUME_OK) {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
    brume_simulation_thread_set_undone(thread, 1, true);
    while (latest_snapshot(thread)->error.status != BRUME_OK) {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
    snapshot = latest_snapshot(thread);
    assert_int_equal(snapshot->frame, 3);
    assert_true(hash_of(&snapshot->variants[0]) == good);
    (void)advance(thread, 2);
    check_replay(thread, 0);
    brume_simulation_thread_destroy(thread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undo_equals_never_done),
        cmocka_unit_test(test_run_goes_on_after_undo),
        cmocka_unit_test(test_recomputation_is_canceled),
        cmocka_unit_test(test_undo_while_paused),
        cmocka_unit_test(test_undo_of_a_failure),
        cmocka_unit_test(test_comparison_is_undone),
        cmocka_unit_test(test_random_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The log of edits: what a frame takes of it, what is undone and left, and what a restart makes of it.
#include "simulation_thread_support.h"
#include "viewer/simulation/edit_log.h"

static BrumeEditLog *create_log(void)
{
    const BrumeSimDef settings = small_def();
    BrumeEditLog *log = NULL;
    assert_int_equal(brume_edit_log_create(&log, &settings, 1, NULL, NULL), BRUME_OK);
    return log;
}

static void add_stroke(BrumeEditLog *log, int edit)
{
    BrumeStrokeSegment segment = segment_at(0, 1);
    segment.edit = edit;
    assert_int_equal(brume_edit_log_add_stroke(log, &segment, NULL), BRUME_OK);
}

static void set_cooling(BrumeEditLog *log, int variant, float cooling)
{
    BrumeSimDef settings = small_def();
    settings.cooling = cooling;
    assert_int_equal(brume_edit_log_set_settings(log, log->variants.ids[variant], &settings, NULL), BRUME_OK);
}

static void move(BrumeEditLog *log, int edit, float x, bool survives_restart)
{
    const BrumeBodyMotion motion = {
        .edit = edit, .displacement = {x, 0.0f, 0.0f}, .survives_restart = survives_restart};
    assert_int_equal(brume_edit_log_move(log, &motion, NULL), BRUME_OK);
}

// a frame takes the strokes for which it has room, undone or not; the next ones, and what follows them, wait
static void test_frame_takes_what_it_has_room_for(void **state)
{
    (void)state;
    BrumeEditLog *log = create_log();
    for (int n = 1; n <= BRUME_MAX_STROKES + 2; n++) {
        add_stroke(log, n);
    }
    set_cooling(log, 0, 1.0f);
    set_cooling(log, 0, 2.0f); // instead
    assert_int_equal(log->entries.count, BRUME_MAX_STROKES + 3);
    assert_int_equal(brume_edit_log_set_undone(log, 1, true, NULL), BRUME_OK);
    brume_edit_log_take_frame(log);
    assert_int_equal(log->frames, 1);
    assert_int_equal(log->taken, BRUME_MAX_STROKES);
    assert_int_equal(brume_edit_log_position(log, 0), 0);
    assert_int_equal(brume_edit_log_position(log, 1), BRUME_MAX_STROKES);
    assert_true(brume_edit_log_waiting_settings(log, 0)->cooling == 2.0f);
    brume_edit_log_remove_frame(log);
    assert_int_equal(log->frames, 0);
    assert_int_equal(log->taken, 0);
    brume_edit_log_take_frame(log);
    brume_edit_log_take_frame(log);
    assert_int_equal(log->taken, log->entries.count);
    assert_int_equal(log->entries.items[log->taken - 1].frame, 1);
    assert_null(brume_edit_log_waiting_settings(log, 0));
    // the parts of one stroke can be merged, and take the room of one
    for (int n = 0; n < 3 * BRUME_MAX_STROKES; n++) {
        BrumeStrokeSegment segment = segment_at(0, 1);
        segment.stroke.to = segment.stroke.from;
        assert_int_equal(brume_edit_log_add_stroke(log, &segment, NULL), BRUME_OK);
    }
    assert_int_equal(brume_edit_log_frame_end(log, log->taken, 1), log->entries.count);
    assert_int_equal(brume_edit_log_frame_end(log, log->taken, 0), log->taken);
    brume_edit_log_destroy(log);
}

// an edit that is undone has the key of one that never was; going back keeps what came after, and what waits
static void test_undone_and_left(void **state)
{
    (void)state;
    BrumeEditLog *log = create_log();
    add_stroke(log, 1);
    brume_edit_log_take_frame(log);
    const uint64_t first = brume_edit_log_key(log, 1);
    add_stroke(log, 2);
    brume_edit_log_take_frame(log);
    assert_true(brume_edit_log_key(log, 2) != first);
    assert_true(brume_edit_log_leads_to(log, 1, 1, first));
    const unsigned changes = log->changes;
    assert_int_equal(brume_edit_log_set_undone(log, 2, true, NULL), BRUME_OK);
    assert_true(log->changes != changes);
    assert_true(brume_edit_log_key(log, 2) == first);
    assert_int_equal(brume_edit_log_set_undone(log, 2, false, NULL), BRUME_OK);
    const uint64_t second = brume_edit_log_key(log, 2);
    add_stroke(log, 3); // waits

    assert_int_equal(brume_edit_log_go_back(log, 4, 1, NULL), BRUME_OK);
    assert_int_equal(log->frames, 1);
    assert_int_equal(log->entries.count, 1);
    assert_false(brume_edit_log_leads_to(log, 2, 2, second));
    add_stroke(log, 5);
    brume_edit_log_take_frame(log);
    brume_edit_log_take_frame(log);
    assert_true(brume_edit_log_key(log, 2) != second);
    assert_int_equal(brume_edit_log_set_undone(log, 4, true, NULL), BRUME_OK);
    assert_int_equal(log->frames, 2);
    assert_int_equal(log->entries.count, 3);
    assert_int_equal(log->taken, 2);
    assert_true(brume_edit_log_leads_to(log, 2, 2, second));
    assert_int_equal(brume_edit_log_set_undone(log, 4, false, NULL), BRUME_OK);
    assert_int_equal(log->frames, 3);
    assert_int_equal(log->entries.items[1].edit, 5);
    brume_edit_log_destroy(log);
}

// settings stay with the variant for which they were set, and what was undone or rejected is no part of a restart
static void test_restart(void **state)
{
    (void)state;
    BrumeEditLog *log = create_log();
    const float x = log->start_settings[0].bodies[0].shape.a.x;
    move(log, 1, 0.1f, true);
    move(log, 1, 0.1f, true); // adds up
    move(log, 2, 0.2f, false);
    move(log, 3, 0.4f, true);
    assert_int_equal(log->entries.count, 3);
    assert_int_equal(brume_edit_log_set_undone(log, 3, true, NULL), BRUME_OK);
    set_cooling(log, 0, 1.0f);
    assert_int_equal(brume_edit_log_fork(log, 4, NULL), BRUME_OK);
    assert_int_equal(log->variants.count, 2);
    set_cooling(log, 1, 2.0f);
    brume_edit_log_take_frame(log);
    set_cooling(log, 0, 3.0f);
    brume_edit_log_take_frame(log);
    set_cooling(log, 0, -1.0f);
    brume_edit_log_reject(log, log->entries.count - 1);
    BrumeEditLog *next = NULL;
    assert_int_equal(brume_edit_log_restart(&next, log, NULL), BRUME_OK);
    assert_int_equal(next->start_count, 2);
    assert_true(next->start_settings[0].cooling == 3.0f);
    assert_true(next->start_settings[1].cooling == 2.0f);
    assert_true(fabsf(next->start_settings[1].bodies[0].shape.a.x - x - 0.2f) < 1e-6f);
    brume_edit_log_destroy(next);

    assert_int_equal(brume_edit_log_keep(log, 1, 5, NULL), BRUME_OK);
    assert_int_equal(log->variants.count, 1);
    set_cooling(log, 0, 4.0f); // of the one that was kept
    assert_int_equal(brume_edit_log_restart(&next, log, NULL), BRUME_OK);
    assert_int_equal(next->start_count, 1);
    assert_true(next->start_settings[0].cooling == 4.0f);
    brume_edit_log_destroy(next);
    assert_int_equal(brume_edit_log_set_undone(log, 5, true, NULL), BRUME_OK);
    assert_int_equal(brume_edit_log_restart(&next, log, NULL), BRUME_OK);
    assert_true(next->start_settings[0].cooling == 3.0f);
    assert_true(next->start_settings[1].cooling == 4.0f);
    brume_edit_log_destroy(next);
    assert_int_equal(brume_edit_log_set_undone(log, 4, true, NULL), BRUME_OK);
    assert_int_equal(log->variants.count, 1);
    assert_int_equal(brume_edit_log_restart(&next, log, NULL), BRUME_OK);
    assert_int_equal(next->start_count, 1);
    assert_true(next->start_settings[0].cooling == 3.0f);
    brume_edit_log_destroy(next);
    brume_edit_log_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame_takes_what_it_has_room_for),
        cmocka_unit_test(test_undone_and_left),
        cmocka_unit_test(test_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Undo and redo, and the functions of the controls.
#include "raymarch_check.h"
#include "viewer/controls/undo_history.h"

#include <string.h>

static BrumeUndoHistory *history;
static BrumeControls controls;

static int set_up(void **state)
{
    (void)state;
    controls = brume_default_controls();
    return brume_undo_history_create(&history, &controls, NULL) == BRUME_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    brume_undo_history_destroy(history);
    return 0;
}

static void edit(float viscosity)
{
    controls.sim[0].viscosity = viscosity;
    brume_undo_history_add(history, &controls);
}

static int undone_edit;

static bool undo(void) { return brume_undo_history_step(history, true, &controls, &undone_edit); }

static bool redo(void) { return brume_undo_history_step(history, false, &controls, &undone_edit); }

static void test_undo_and_redo(void **state)
{
    (void)state;
    assert_false(brume_undo_history_can_undo(history));
    assert_false(undo());
    edit(1.0f);
    controls.render_settings.exposure = 2.0f;
    controls.sim[1].cfl = 5.0f;
    controls.threads = 7;
    brume_undo_history_add(history, &controls);
    controls.camera.field_of_view = 12.0f; // not part of the history

    assert_true(undo());
    assert_near("exposure", controls.render_settings.exposure, 0.25, 0.0);
    assert_near("cfl of the second side", controls.sim[1].cfl, 2.0, 0.0);
    assert_int_not_equal(controls.threads, 7);
    assert_near("viscosity", controls.sim[0].viscosity, 1.0, 0.0);
    assert_near("field of view", controls.camera.field_of_view, 12.0, 0.0);
    assert_true(undo());
    assert_near("viscosity", controls.sim[0].viscosity, 0.0, 0.0);
    assert_false(undo());

    assert_true(redo());
    assert_true(redo());
    assert_false(redo());
    assert_near("exposure", controls.render_settings.exposure, 2.0, 0.0);
    assert_int_equal(controls.threads, 7);
}

static void test_an_edit_removes_redo_states(void **state)
{
    (void)state;
    edit(1.0f);
    edit(2.0f);
    assert_true(undo());
    assert_true(brume_undo_history_can_redo(history));
    edit(3.0f);
    assert_false(brume_undo_history_can_redo(history));
    assert_true(undo());
    assert_near("viscosity", controls.sim[0].viscosity, 1.0, 0.0);
}

static void test_an_edit_without_a_change_is_not_added(void **state)
{
    (void)state;
    edit(1.0f);
    edit(1.0f);
    assert_true(undo());
    assert_false(brume_undo_history_can_undo(history));
    edit(0.0f);
    assert_true(brume_undo_history_can_redo(history));
}

// an edit that was taken back is no state; another change than that stays
static void test_an_edit_is_dropped(void **state)
{
    (void)state;
    edit(1.0f);
    edit(2.0f);
    controls.sim[0].viscosity = 1.5f;
    brume_undo_history_drop_latest(history, &controls);
    controls.sim[0].viscosity = 1.0f;
    brume_undo_history_drop_latest(history, &controls);
    assert_false(brume_undo_history_can_redo(history));
    assert_true(undo());
    assert_near("viscosity", controls.sim[0].viscosity, 0.0, 0.0);
    assert_false(undo());
    brume_undo_history_drop_latest(history, &controls);
    assert_true(redo());
    assert_near("viscosity", controls.sim[0].viscosity, 1.0, 0.0);
}

static void test_the_oldest_state_is_removed(void **state)
{
    (void)state;
    for (int n = 1; n <= 200; n++) {
        edit((float)n);
    }
    int undone = 0;
    while (undo()) {
        undone++;
        assert_near("viscosity", controls.sim[0].viscosity, 200.0 - undone, 0.0);
    }
    assert_int_equal(undone, BRUME_UNDO_HISTORY_STATES - 1);
    while (redo()) {
        undone--;
    }
    assert_int_equal(undone, 0);
    assert_near("viscosity", controls.sim[0].viscosity, 200.0, 0.0);
    brume_undo_history_restart(history, &controls);
    assert_false(brume_undo_history_can_undo(history));
}

// strokes are in the same history, in order; they leave the controls alone
static void test_numbered_edits_are_in_order(void **state)
{
    (void)state;
    edit(1.0f);
    for (int n = 0; n < 3; n++) { // segments of one stroke
        brume_undo_history_add_edit(history, &controls, 7);
    }
    edit(2.0f);
    brume_undo_history_add_edit(history, &controls, 8);
    brume_undo_history_add_edit(history, &controls, 9);
    static const int numbers[] = {9, 8, 0, 7, 0};
    static const double values[] = {2.0, 2.0, 1.0, 1.0, 0.0};
    for (int n = 0; n < 5; n++) {
        assert_true(undo());
        assert_int_equal(undone_edit, numbers[n]);
        assert_near("viscosity", controls.sim[0].viscosity, values[n], 0.0);
    }
    assert_false(undo());
    for (int n = 4; n >= 0; n--) {
        assert_true(redo());
        assert_int_equal(undone_edit, numbers[n]);
    }
    assert_near("viscosity", controls.sim[0].viscosity, 2.0, 0.0);
    assert_false(redo());

    assert_true(undo());
    brume_undo_history_drop_edits(history); // a restart
    assert_true(undo());
    assert_int_equal(undone_edit, 0);
    assert_near("viscosity", controls.sim[0].viscosity, 1.0, 0.0);
    assert_true(undo());
    assert_near("viscosity", controls.sim[0].viscosity, 0.0, 0.0);
    assert_false(undo());
    assert_true(redo() && redo());
    assert_false(redo());
}

// a color that has been drawn is not taken away by the undo of an earlier edit
static void test_undo_keeps_colors(void **state)
{
    (void)state;
    edit(1.0f);
    brume_controls_set_smoke_kind(&controls, 2);
    brume_undo_history_add_edit(history, &controls, 1);
    assert_true(undo() && undo());
    assert_near("viscosity", controls.sim[0].viscosity, 0.0, 0.0);
    assert_int_equal(controls.sim[0].color_count, 2);
}

static void begin_comparison(int number)
{
    controls.sim[1] = controls.sim[0];
    controls.compare = true;
    controls.edited_variant = 1;
    brume_undo_history_add_comparison(history, &controls, number);
}

static void keep_variant(int kept, int number)
{
    controls.sim[0] = controls.sim[kept];
    controls.compare = false;
    controls.edited_variant = 0;
    brume_undo_history_add_comparison(history, &controls, number);
}

// the start and the end of a comparison are steps, and no settings are lost
static void test_comparison(void **state)
{
    (void)state;
    edit(1.0f);
    begin_comparison(1);
    controls.sim[1].viscosity = 5.0f;
    brume_undo_history_add(history, &controls);
    controls.sim[0].viscosity = 3.0f;
    brume_undo_history_add(history, &controls);
    keep_variant(1, 2);
    edit(6.0f);
    static const struct {
        int edit;
        bool compare;
        double a, b;
    } steps[] = {{0, false, 5.0, 5.0}, {2, true, 3.0, 5.0},  {0, true, 1.0, 5.0},
                 {0, true, 1.0, 1.0},  {1, false, 1.0, 1.0}, {0, false, 0.0, 0.0}};
    for (int n = 0; n < 6; n++) {
        assert_true(undo());
        assert_int_equal(undone_edit, steps[n].edit);
        assert_int_equal(controls.compare, steps[n].compare);
        assert_int_equal(controls.edited_variant, steps[n].compare);
        assert_near("A", controls.sim[0].viscosity, steps[n].a, 0.0);
        assert_near("B", controls.sim[1].viscosity, steps[n].b, 0.0);
    }
    assert_false(undo());
    for (int n = 4; n >= 0; n--) {
        assert_true(redo());
        assert_int_equal(undone_edit, steps[n + 1].edit);
        assert_int_equal(controls.compare, steps[n].compare);
        assert_near("A", controls.sim[0].viscosity, steps[n].a, 0.0);
    }
    assert_true(redo());
    assert_near("A", controls.sim[0].viscosity, 6.0, 0.0);

    // after a restart, its steps are the settings alone
    brume_undo_history_drop_edits(history);
    for (int n = 0; n < 6 && undo(); n++) {
        assert_int_equal(undone_edit, 0);
        assert_false(controls.compare);
    }
    assert_near("A", controls.sim[0].viscosity, 0.0, 0.0);
}

// start and end of a comparison of two looks are steps, and no look is lost
static void test_looks_are_undone(void **state)
{
    (void)state;
    const double first = (double)controls.render_settings.exposure;
    brume_controls_toggle_looks(&controls);
    brume_undo_history_add(history, &controls);
    assert_true(controls.compare_looks);
    assert_int_equal(controls.edited_variant, 1);
    assert_ptr_equal(brume_controls_look(&controls), &controls.other_look);
    brume_controls_look(&controls)->exposure = 2.0f;
    brume_undo_history_add(history, &controls);
    controls.edited_variant = 0;
    brume_controls_look(&controls)->exposure = -3.0f;
    brume_undo_history_add(history, &controls);
    controls.edited_variant = 1;
    brume_controls_toggle_looks(&controls); // B stays
    brume_undo_history_add(history, &controls);
    assert_false(controls.compare_looks);
    assert_near("exposure", brume_controls_look(&controls)->exposure, 2.0, 0.0);
    assert_ptr_equal(brume_controls_look(&controls), &controls.render_settings);

    assert_true(undo());
    assert_true(controls.compare_looks);
    assert_near("look A", controls.render_settings.exposure, -3.0, 0.0);
    assert_near("look B", controls.other_look.exposure, 2.0, 0.0);
    assert_true(undo());
    assert_true(undo());
    assert_near("look B", controls.other_look.exposure, first, 0.0);
    assert_true(undo());
    assert_false(controls.compare_looks);
    assert_false(undo());
    while (redo()) {
    }
    assert_false(controls.compare_looks);
    assert_near("exposure", controls.render_settings.exposure, 2.0, 0.0);
    // an edit without a comparison leaves the other look alone: one step
    controls.render_settings.exposure = 1.0f;
    brume_undo_history_add(history, &controls);
    assert_true(undo());
    assert_near("exposure", controls.render_settings.exposure, 2.0, 0.0);
}

static void test_selected_color_is_added_to_all_variants(void **state)
{
    (void)state;
    controls.sim[1].color_count = 2;
    brume_controls_set_smoke_kind(&controls, 1);
    assert_int_equal(controls.brush.kind, 1);
    assert_int_equal(controls.sim[0].color_count, 1);
    assert_int_equal(controls.sim[1].color_count, 2);
    brume_controls_set_smoke_kind(&controls, 0);
    assert_int_equal(controls.sim[0].color_count, 1);
}

static void test_resolution(void **state)
{
    (void)state;
    BrumeSimDef scene = brume_default_sim_def();
    scene.nx = 77;
    scene.ny = 96;
    scene.nz = 64;
    scene.dx = 3.0f / 96.0f;
    BrumeSimDef sim = scene;
    brume_set_resolution(&sim, &scene, 48);
    assert_int_equal(sim.nx, 39); // 38.5
    assert_int_equal(sim.ny, 48);
    assert_int_equal(sim.nz, 32);
    assert_near("cell", sim.dx, 1.0 / 16.0, 0.0);
    brume_set_resolution(&sim, &scene, 8);
    assert_int_equal(sim.nz, 8);
    brume_set_resolution(&sim, &scene, 96);
    assert_memory_equal(&sim, &scene, sizeof sim);
}

// the position tells whether the same edits are in effect
static void test_position(void **state)
{
    (void)state;
    const unsigned start = brume_undo_history_position(history);
    edit(1.0f);
    const unsigned first = brume_undo_history_position(history);
    assert_int_not_equal(first, start);
    edit(1.0f); // no change
    assert_int_equal(brume_undo_history_position(history), first);
    brume_undo_history_add_edit(history, &controls, 1);
    const unsigned second = brume_undo_history_position(history);
    assert_int_not_equal(second, first);
    assert_true(undo());
    assert_int_equal(brume_undo_history_position(history), first);
    assert_true(redo());
    assert_int_equal(brume_undo_history_position(history), second);
    assert_true(undo());
    assert_true(undo());
    assert_int_equal(brume_undo_history_position(history), start);
    edit(2.0f); // instead of the two
    const unsigned third = brume_undo_history_position(history);
    assert_true(third != start && third != first && third != second);

    // a comparison that ends with the variant of the same settings is no edit, with another one it is
    begin_comparison(2);
    keep_variant(1, 3);
    assert_int_equal(brume_undo_history_position(history), third);
    begin_comparison(4);
    assert_int_equal(brume_undo_history_position(history), third);
    controls.sim[1].viscosity = 3.0f;
    brume_undo_history_add(history, &controls);
    const unsigned fourth = brume_undo_history_position(history);
    keep_variant(1, 5);
    assert_int_not_equal(brume_undo_history_position(history), fourth);
    brume_undo_history_restart(history, &controls);
    assert_true(brume_undo_history_position(history) > fourth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_undo_and_redo, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_edit_removes_redo_states, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_edit_without_a_change_is_not_added, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_edit_is_dropped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_oldest_state_is_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbered_edits_are_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_undo_keeps_colors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_comparison, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_looks_are_undone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_selected_color_is_added_to_all_variants, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_position, set_up, tear_down),
        cmocka_unit_test(test_resolution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Undo and redo, and what else the controls know by themselves.
#include "raymarch_check.h"
#include "viewer/threads/history.h"

#include <string.h>

static BrumeHistory *history;
static BrumeControls controls;

static int set_up(void **state)
{
    (void)state;
    controls = brume_default_controls();
    return brume_history_create(&history, &controls, NULL) == BRUME_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    brume_history_destroy(history);
    return 0;
}

static void edit(float viscosity)
{
    controls.sim[0].viscosity = viscosity;
    brume_history_keep(history, &controls);
}

static void test_undo_and_redo(void **state)
{
    (void)state;
    assert_false(brume_history_can_undo(history));
    assert_false(brume_history_undo(history, &controls));
    edit(1.0f);
    controls.look.exposure = 2.0f;
    controls.sim[1].cfl = 5.0f;
    controls.threads = 7;
    brume_history_keep(history, &controls);
    controls.camera.field_of_view = 12.0f; // not the scene's

    assert_true(brume_history_undo(history, &controls));
    assert_near("exposure", controls.look.exposure, 0.25, 0.0);
    assert_near("cfl of the second side", controls.sim[1].cfl, 2.0, 0.0);
    assert_int_not_equal(controls.threads, 7);
    assert_near("viscosity", controls.sim[0].viscosity, 1.0, 0.0);
    assert_near("field of view", controls.camera.field_of_view, 12.0, 0.0);
    assert_true(brume_history_undo(history, &controls));
    assert_near("viscosity", controls.sim[0].viscosity, 0.0, 0.0);
    assert_false(brume_history_undo(history, &controls));

    assert_true(brume_history_redo(history, &controls));
    assert_true(brume_history_redo(history, &controls));
    assert_false(brume_history_redo(history, &controls));
    assert_near("exposure", controls.look.exposure, 2.0, 0.0);
    assert_int_equal(controls.threads, 7);
}

static void test_an_edit_ends_what_could_be_redone(void **state)
{
    (void)state;
    edit(1.0f);
    edit(2.0f);
    assert_true(brume_history_undo(history, &controls));
    assert_true(brume_history_can_redo(history));
    edit(3.0f);
    assert_false(brume_history_can_redo(history));
    assert_true(brume_history_undo(history, &controls));
    assert_near("viscosity", controls.sim[0].viscosity, 1.0, 0.0);
}

static void test_an_edit_of_nothing_is_not_kept(void **state)
{
    (void)state;
    edit(1.0f);
    edit(1.0f);
    assert_true(brume_history_undo(history, &controls));
    assert_false(brume_history_can_undo(history));
    edit(0.0f);
    assert_true(brume_history_can_redo(history));
}

static void test_the_oldest_is_forgotten(void **state)
{
    (void)state;
    for (int n = 1; n <= 200; n++) {
        edit((float)n);
    }
    int undone = 0;
    while (brume_history_undo(history, &controls)) {
        undone++;
        assert_near("viscosity", controls.sim[0].viscosity, 200.0 - undone, 0.0);
    }
    assert_int_equal(undone, BRUME_HISTORY_STATES - 1);
    while (brume_history_redo(history, &controls)) {
        undone--;
    }
    assert_int_equal(undone, 0);
    assert_near("viscosity", controls.sim[0].viscosity, 200.0, 0.0);
    brume_history_restart(history, &controls);
    assert_false(brume_history_can_undo(history));
}

static void test_a_kind_of_smoke_comes_into_use(void **state)
{
    (void)state;
    controls.sim[1].color_count = 2;
    brume_controls_set_kind(&controls, 1);
    assert_int_equal(controls.brush.kind, 1);
    assert_int_equal(controls.sim[0].color_count, 1);
    assert_int_equal(controls.sim[1].color_count, 2);
    brume_controls_set_kind(&controls, 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_undo_and_redo, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_edit_ends_what_could_be_redone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_edit_of_nothing_is_not_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_oldest_is_forgotten, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_kind_of_smoke_comes_into_use, set_up, tear_down),
        cmocka_unit_test(test_resolution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

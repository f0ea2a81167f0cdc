/* The embedding program takes part in a step: it writes fields, adds sources and forces, and stops a frame. */
#include "library_support.h"

static BrumeSimDef periodic_def(void)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = 16;
    def.ny = 12;
    def.nz = 20;
    def.dx = 0.0625f;
    def.origin = (BrumeVec3){0.0f, 0.0f, 0.0f};
    def.gravity = (BrumeVec3){0.0f, 0.0f, 0.0f};
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        def.faces[face] = (BrumeFaceDef){.kind = BRUME_PERIODIC};
    }
    return def;
}

static float blob(int i, int j, int k) { return expf(-0.1f * (float)((i - 5) * (i - 5) + (j - 7) * (j - 7) + k)); }

static void fill_field(BrumeSim *sim, BrumeFieldId id, float value)
{
    BrumeField *field = brume_sim_write_field(sim, id);
    assert_non_null(field);
    const BrumeGrid grid = field->grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                field->data[brume_field_index(field, i, j, k)] = value;
            }
        }
    }
}

static void step_once(BrumeSim *sim, double dt)
{
    BrumeError error = {0};
    assert_status(brume_sim_step(sim, dt, NULL, &error), BRUME_OK, &error);
}

// 0.5 m/s for 0.25 s over cells of 1/16 m: the smoke that was written moves by two cells, up to the rounding of fluxes
static void test_written_fields_move_exactly(void **state)
{
    (void)state;
    const BrumeSimDef def = periodic_def();
    for (int axis = 0; axis < 3; axis++) {
        BrumeSim *sim = create_sim(&def);
        BrumeField *density = brume_sim_write_field(sim, BRUME_FIELD_DENSITY);
        for (int k = 1; k <= def.nz; k++) {
            for (int j = 1; j <= def.ny; j++) {
                for (int i = 1; i <= def.nx; i++) {
                    density->data[brume_field_index(density, i, j, k)] = blob(i, j, k);
                }
            }
        }
        fill_field(sim, (BrumeFieldId)axis, 0.5f); // the last faces are the first ones, in a periodic box
        step_once(sim, 0.25);
        const int n[3] = {def.nx, def.ny, def.nz};
        const BrumeField *after = brume_sim_field(sim, BRUME_FIELD_DENSITY);
        for (int k = 1; k <= def.nz; k++) {
            for (int j = 1; j <= def.ny; j++) {
                for (int i = 1; i <= def.nx; i++) {
                    int from[3] = {i, j, k};
                    from[axis] = (from[axis] - 1 + n[axis] - 2) % n[axis] + 1;
                    assert_true(fabsf(brume_field_at(after, i, j, k) - blob(from[0], from[1], from[2])) <= 1e-6f);
                }
            }
        }
        brume_sim_destroy(sim);
    }
}

// a fast wind that is written counts when the next frame chooses its steps
static void test_written_velocity_sets_the_steps(void **state)
{
    (void)state;
    BrumeSimDef def = periodic_def();
    def.cfl = 1.0f;
    def.max_steps = 64;
    BrumeSim *sim = create_sim(&def);
    fill_field(sim, BRUME_FIELD_V, 0.0625f * 24.0f * 4.0f); // four cells a frame
    BrumeFrameStats stats;
    BrumeError error = {0};
    assert_status(brume_sim_frame(sim, &stats, &error), BRUME_OK, &error);
    assert_int_equal(stats.steps, 4);
    fill_field(sim, BRUME_FIELD_V, NAN);
    assert_status(brume_sim_frame(sim, &stats, &error), BRUME_FAILED, &error);
    assert_non_null(strstr(error.text, "v is"));
    assert_null(brume_sim_write_field(sim, BRUME_FIELD_COLOR_1)); // not in use
    assert_null(brume_sim_write_field(sim, BRUME_FIELD_COUNT));
    brume_sim_destroy(sim);
}

typedef struct Calls {
    int sources, forces;
    double seconds;
} Calls;

static void add_smoke(void *context, BrumeSim *sim, double dt)
{
    Calls *calls = context;
    calls->sources++;
    calls->seconds += dt;
    fill_field(sim, BRUME_FIELD_DENSITY, (float)calls->seconds);
}

static void accelerate(void *context, BrumeSim *sim, double dt)
{
    Calls *calls = context;
    calls->forces++;
    BrumeField *u = brume_sim_write_field(sim, BRUME_FIELD_U);
    for (size_t n = 0; n < brume_grid_entries(u->grid); n++) {
        u->data[n] += (float)(3.0 * dt); // 3 m/s^2
    }
}

static void test_sources_and_forces(void **state)
{
    (void)state;
    const BrumeSimDef def = periodic_def();
    BrumeSim *sim = create_sim(&def);
    Calls calls = {0};
    brume_sim_set_hooks(sim, &(BrumeSimHooks){.context = &calls, .sources = add_smoke, .forces = accelerate});
    for (int n = 0; n < 4; n++) {
        step_once(sim, 0.125);
    }
    assert_int_equal(calls.sources, 4);
    assert_int_equal(calls.forces, 4);
    assert_true(brume_field_at(brume_sim_field(sim, BRUME_FIELD_DENSITY), 3, 3, 3) == 0.5f);
    assert_true(brume_field_at(brume_sim_field(sim, BRUME_FIELD_U), 5, 5, 5) == 1.5f);
    brume_sim_set_hooks(sim, NULL);
    step_once(sim, 0.125);
    assert_int_equal(calls.sources, 4);
    brume_sim_destroy(sim);
}

typedef struct Progress {
    int calls, steps;
    int stop_after; // calls; 0: never
    double fraction;
    bool rises;
} Progress;

static bool watch(void *context, double fraction, BrumeStage stage)
{
    Progress *progress = context;
    progress->rises = progress->rises && fraction > progress->fraction - 1e-12;
    progress->fraction = fraction;
    progress->calls++;
    progress->steps += stage == BRUME_STAGE_EMIT;
    return progress->stop_after == 0 || progress->calls < progress->stop_after;
}

static void test_progress_rises(void **state)
{
    (void)state;
    const BrumeSimDef def = plume_def();
    BrumeSim *sim = create_sim(&def);
    for (int frame = 0; frame < 3; frame++) {
        Progress progress = {.rises = true};
        brume_sim_set_hooks(sim, &(BrumeSimHooks){.context = &progress, .progress = watch});
        BrumeFrameStats stats;
        BrumeError error = {0};
        assert_status(brume_sim_frame(sim, &stats, &error), BRUME_OK, &error);
        assert_int_equal(progress.steps, stats.steps);
        assert_int_equal(progress.calls, stats.steps * BRUME_STAGE_COUNT);
        assert_true(progress.rises && progress.fraction > 0.6 && progress.fraction < 1.0);
    }
    brume_sim_destroy(sim);
}

// stopped before any of its stages, the frame ends in the same bits
static void test_a_stopped_frame_continues(void **state)
{
    (void)state;
    const BrumeSimDef def = plume_def();
    BrumeSim *whole = create_sim(&def);
    run_frames(whole, 3);
    for (int stop = 1; stop <= 3 * BRUME_STAGE_COUNT + 1; stop++) {
        BrumeSim *sim = create_sim(&def);
        run_frames(sim, 2);
        Progress progress = {.stop_after = stop, .rises = true};
        brume_sim_set_hooks(sim, &(BrumeSimHooks){.context = &progress, .progress = watch});
        BrumeFrameStats stats;
        BrumeError error = {0};
        BrumeStatus status = brume_sim_frame(sim, &stats, &error);
        const int steps = stats.steps;
        if (status != BRUME_OK) {
            assert_status(status, BRUME_INTERRUPTED, &error);
            assert_int_equal(brume_sim_frames(sim), 2);
            assert_int_equal(steps, (stop + BRUME_STAGE_COUNT - 2) / BRUME_STAGE_COUNT);
            progress.stop_after = 0;
            assert_status(brume_sim_frame(sim, &stats, &error), BRUME_OK, &error);
            assert_int_equal(steps + stats.steps, 3);
        }
        assert_int_equal(brume_sim_frames(sim), 3);
        assert_true(brume_sim_hash(sim) == brume_sim_hash(whole));
        brume_sim_destroy(sim);
    }
    brume_sim_destroy(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_fields_move_exactly), cmocka_unit_test(test_written_velocity_sets_the_steps),
        cmocka_unit_test(test_sources_and_forces),          cmocka_unit_test(test_progress_rises),
        cmocka_unit_test(test_a_stopped_frame_continues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

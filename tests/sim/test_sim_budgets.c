// Budgets of smoke and heat: each term against its exact value, and their sum against the total.
#include "core/parallel/reductions.h"
#include "sim_support.h"

#include <stdlib.h>

static BrumeMeasures measures;

static BrumeBudget budget_of(BrumeSim *sim, int scalar)
{
    brume_sim_measure(sim, &measures);
    return measures.scalars[scalar].budget;
}

static double one(double x, double y, double z, const void *context)
{
    (void)x;
    (void)y;
    (void)z;
    (void)context;
    return 1.0;
}

static BrumeEmitterDef ball(float x, float y, float z, float radius)
{
    BrumeEmitterDef emitter = brume_default_emitter_def();
    emitter.shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = brume_vec3(x, y, z), .b = {0}, .radius = radius};
    return emitter;
}

/* Without motion: rate times time times covered volume is emitted, and decay removes the rest exactly. */
static void test_emission_and_decay_at_rest(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 16, 0.0625f, BRUME_WALL);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.smoke[0].dissipation = 0.5f;
    def.cooling = 2.0f;
    def.emitter_count = 2;
    def.emitters[0] = ball(0.5f, 0.5f, 0.5f, 0.2f);
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, 4.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 100.0f};
    def.emitters[1] = def.emitters[0]; // a half of it is inside the body
    def.emitters[1].shape.a = brume_vec3(0.25f, 0.25f, 0.25f);
    def.body_count = 1;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = brume_vec3(0.0f, 0.0f, 0.0f), .b = brume_vec3(0.25f, 1.0f, 1.0f)};
    BrumeSim *sim = create(&def);
    assert_near(budget_of(sim, 1).initial, 0.0, 0.0); // they are off
    step(sim, 0.125, NULL);
    brume_sim_measure(sim, &measures);
    const double initial = measures.scalars[1].total;
    assert_true(initial > 0.0);
    brume_sim_set_budgets(sim, true);
    assert_near(budget_of(sim, 1).initial, initial, 0.0);
    const double per_step = initial; // a step emits after the decay
    for (int n = 0; n < 16; n++) {
        step(sim, 0.125, NULL);
    }
    const BrumeBudget smoke = budget_of(sim, 1);
    assert_near(smoke.emitted, 16 * per_step, 1e-6 * smoke.emitted);
    const double total = measures.scalars[1].total;
    const double factor = exp(-0.5 * 0.125);
    double expected = initial;
    double dissipated = 0.0;
    for (int n = 0; n < 16; n++) {
        dissipated += expected * (1.0 - factor);
        expected = expected * factor + per_step;
    }
    assert_near(total, expected, 1e-6 * expected);
    assert_near(smoke.dissipated, dissipated, 1e-6 * dissipated);
    assert_near(smoke.unaccounted, 0.0, 1e-6 * total);
    const BrumeBudget heat = measures.scalars[0].budget;
    assert_true(heat.emitted > 0.0);
    assert_near(heat.unaccounted, 0.0, 1e-6 * measures.scalars[0].total);
    assert_near(heat.bodies, 0.0, 0.0);
    brume_sim_destroy(sim);
}

/* Held walls warm the air through their faces alone. */
static void test_diffusion_through_held_walls(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 12, 8, 0.125f, BRUME_WALL);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.thermal_diffusivity = 0.05f;
    def.faces[BRUME_FACE_X_MIN].fixed_temperature = true;
    def.faces[BRUME_FACE_X_MIN].temperature = 10.0f;
    def.faces[BRUME_FACE_Z_MAX].fixed_temperature = true;
    def.faces[BRUME_FACE_Z_MAX].temperature = 2.0f;
    BrumeSim *sim = create(&def);
    brume_sim_set_budgets(sim, true);
    for (int n = 0; n < 20; n++) {
        step(sim, 0.05, NULL);
    }
    const BrumeBudget heat = budget_of(sim, 0);
    const double total = measures.scalars[0].total;
    assert_true(total > 0.1);
    assert_near(heat.diffused[BRUME_FACE_X_MIN] + heat.diffused[BRUME_FACE_Z_MAX], -total, 1e-4 * total);
    assert_near(heat.unaccounted, 0.0, 1e-4 * total);
    assert_near(heat.diffused[BRUME_FACE_Y_MIN], 0.0, 0.0);
    assert_true(heat.diffused[BRUME_FACE_X_MIN] < heat.diffused[BRUME_FACE_Z_MAX]);
    brume_sim_destroy(sim);
}

/* Smoke that fills the box leaves with the wind, a cell a step. */
static void test_smoke_leaves_with_the_wind(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 8, 8, 0.125f, BRUME_PERIODIC);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.faces[BRUME_FACE_X_MIN].kind = BRUME_OPEN;
    def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
    def.wind = brume_vec3(1.0f, 0.0f, 0.0f);
    BrumeSim *sim = create(&def);
    fill(sim, BRUME_FIELD_DENSITY, one, NULL);
    brume_sim_set_budgets(sim, true);
    for (int n = 1; n <= 7; n++) {
        step(sim, 0.125, NULL);
        const BrumeBudget smoke = budget_of(sim, 1);
        assert_near(measures.scalars[1].total, 1.0 - n / 8.0, 1e-6);
        assert_near(smoke.left[BRUME_FACE_X_MAX], n / 8.0, 1e-6);
        assert_near(smoke.left[BRUME_FACE_X_MIN], 0.0, 0.0);
        assert_near(smoke.unaccounted, 0.0, 2e-6);
    }
    brume_sim_destroy(sim);
}

static void add_smoke(void *context, BrumeSim *sim, double dt)
{
    (void)context;
    BrumeField *density = brume_sim_write_field(sim, BRUME_FIELD_DENSITY);
    density->data[brume_field_index(density, 8, 8, 8)] += (float)dt;
}

static void test_hooks_and_strokes(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 16, 0.0625f, BRUME_WALL);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    BrumeSim *sim = create(&def);
    const BrumeSimHooks hooks = {.sources = add_smoke};
    brume_sim_set_hooks(sim, &hooks);
    brume_sim_set_budgets(sim, true);
    step(sim, 0.25, NULL);
    step(sim, 0.5, NULL);
    const double cell = 0.0625 * 0.0625 * 0.0625;
    assert_near(budget_of(sim, 1).emitted, 0.75 * cell, 1e-9 * cell);
    brume_sim_set_hooks(sim, NULL);
    const BrumeStroke stroke = {.start = 0.0,
                                .end = 100.0,
                                .from = brume_vec3(0.2f, 0.5f, 0.5f),
                                .to = brume_vec3(0.8f, 0.5f, 0.5f),
                                .from_slope = brume_vec3(0.6f, 0.0f, 0.0f),
                                .to_slope = brume_vec3(0.6f, 0.0f, 0.0f),
                                .radius = 0.2f,
                                .smoke = {2.0f}};
    brume_sim_set_strokes(sim, &stroke, 1);
    step(sim, 0.25, NULL);
    const BrumeBudget smoke = budget_of(sim, 1);
    assert_true(smoke.emitted > 10.0 * cell);
    assert_near(smoke.unaccounted, 0.0, 1e-6 * measures.scalars[1].total);
    brume_sim_destroy(sim);
}

/* A body that moves through uniform smoke books the content that it covers less the content that it uncovers. */
static void move_body(int ny)
{
    BrumeSimDef def = box_def(16, ny, 16, 0.0625f, BRUME_PERIODIC);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){
        .kind = BRUME_SHAPE_SPHERE, .a = {0.4f, 0.5f * def.dx * (float)ny, 0.5f}, .b = {0}, .radius = 0.2f};
    BrumeSim *sim = create(&def);
    fill(sim, BRUME_FIELD_DENSITY, one, NULL);
    brume_sim_set_budgets(sim, true);
    brume_sim_move(sim, 0, brume_vec3(0.5f, 0.3f, 0.2f));
    for (int n = 0; n < 4; n++) {
        step(sim, 0.01, NULL);
    }
    const BrumeBudget smoke = budget_of(sim, 1);
    assert_true(smoke.bodies != 0.0);
    assert_near(smoke.bodies, smoke.initial - measures.scalars[1].total, 1e-6);
    assert_near(smoke.unaccounted, 0.0, 1e-6);
    brume_sim_destroy(sim);
}

static void test_moving_body(void **state)
{
    (void)state;
    move_body(16);
    move_body(2 * BRUME_SUM_ROWS); // in two blocks of rows
}

static BrumeSim *create_stirred(void)
{
    BrumeSimDef def = box_def(24, 24, 24, 1.0f / 24.0f, BRUME_WALL);
    def.smoke[0].dissipation = 0.3f;
    def.cooling = 0.5f;
    def.emitter_count = 1;
    def.emitters[0] = ball(0.5f, 0.25f, 0.5f, 0.15f);
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, 2.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 60.0f};
    return create(&def);
}

/* A plume in a closed box. The tolerance is the error of the present default scheme of transport. */
static void test_stirred_closed_box(void **state)
{
    (void)state;
    BrumeSim *sim = create_stirred();
    brume_sim_set_budgets(sim, true);
    for (int n = 0; n < 60; n++) {
        step(sim, 1.0 / 60.0, NULL);
    }
    const BrumeBudget smoke = budget_of(sim, 1);
    const double total = measures.scalars[1].total;
    assert_true(smoke.emitted > smoke.dissipated && smoke.dissipated > 0.0);
    assert_near(smoke.emitted - smoke.dissipated + smoke.unaccounted, total, 1e-12);
    assert_near(smoke.unaccounted, 0.0, 0.2 * total);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        assert_near(smoke.left[face], 0.0, 0.0);
    }
    brume_sim_destroy(sim);
}

/* A saved state has the budgets, and a change of settings keeps and books them. */
static void test_saved_and_changed(void **state)
{
    (void)state;
    BrumeError error = {0};
    BrumeSim *sim = create_stirred();
    brume_sim_set_budgets(sim, true);
    for (int n = 0; n < 5; n++) {
        step(sim, 1.0 / 60.0, NULL);
    }
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    BrumeSim *loaded = NULL;
    assert_int_equal(brume_sim_create_saved(&loaded, bytes, size, &error), BRUME_OK);
    step(sim, 1.0 / 60.0, NULL);
    step(loaded, 1.0 / 60.0, NULL);
    const BrumeBudget expected = budget_of(sim, 1);
    const BrumeBudget resumed = budget_of(loaded, 1);
    assert_memory_equal(&resumed, &expected, sizeof expected);

    // a body appears where the smoke is
    BrumeSimDef def = *brume_sim_settings(sim);
    def.body_count = 1;
    def.bodies[0].shape = def.emitters[0].shape;
    const double before = measures.scalars[1].total;
    assert_int_equal(brume_sim_change(sim, &def, &error), BRUME_OK);
    const BrumeBudget changed = budget_of(sim, 1);
    assert_near(changed.changed, measures.scalars[1].total - before, 1e-12);
    assert_true(changed.changed < -0.5 * before);
    assert_near(changed.emitted, expected.emitted, 0.0);

    // another grid
    def = *brume_sim_settings(loaded);
    def.nx = def.ny = def.nz = 32;
    def.dx = 1.0f / 32.0f;
    assert_int_equal(brume_sim_change(loaded, &def, &error), BRUME_OK);
    const BrumeBudget resampled = budget_of(loaded, 1);
    assert_near(resampled.emitted, expected.emitted, 0.0);
    assert_near(resampled.unaccounted, expected.unaccounted, 1e-9);
    brume_sim_destroy(loaded);
    brume_sim_destroy(sim);
    free(bytes);
}

/* Decay of any rate is booked, also where nothing is left after a step. */
static void test_fast_decay(void **state)
{
    (void)state;
    static const float rates[] = {2e2f, 2e3f, 2e4f, 2e5f};
    for (size_t n_rate = 0; n_rate < sizeof rates / sizeof rates[0]; n_rate++) {
        const float rate = rates[n_rate];
        BrumeSimDef def = box_def(16, 16, 16, 0.0625f, BRUME_WALL);
        def.faces[BRUME_FACE_X_MIN].kind = BRUME_INFLOW;
        def.faces[BRUME_FACE_X_MIN].velocity = brume_vec3(1.0f, 0.0f, 0.0f);
        def.faces[BRUME_FACE_X_MIN].temperature = 100.0f;
        def.faces[BRUME_FACE_X_MIN].smoke[0] = 1.0f;
        def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
        def.cooling = rate;
        def.smoke[0].dissipation = rate;
        BrumeSim *sim = create(&def);
        brume_sim_set_budgets(sim, true);
        for (int n = 0; n < 4; n++) {
            step(sim, 1.0 / 24.0, NULL);
        }
        const BrumeBudget heat = budget_of(sim, 0);
        const BrumeBudget smoke = budget_of(sim, 1);
        assert_near(heat.dissipated, 100.0 * 4.0 / 24.0, 0.01);
        assert_near(heat.unaccounted, 0.0, 1e-5 * heat.dissipated);
        assert_near(smoke.unaccounted, 0.0, 1e-5 * smoke.dissipated);
        brume_sim_destroy(sim);
    }
}

/* No air becomes hotter and no smoke denser than their source, however far the pressure is from its solution. */
static void test_bounds_with_unconverged_pressure(void **state)
{
    (void)state;
    static const char *const kernels[] = {"fast", "reference"};
    uint64_t hashes[2];
    for (int n = 0; n < 2; n++) {
        BrumeSimDef def = box_def(24, 32, 24, 1.0f / 24.0f, BRUME_OPEN);
        def.faces[BRUME_FACE_Y_MIN].kind = BRUME_WALL;
        def.kernels = kernels[n];
        def.pressure = "cg";
        def.max_iterations = 3;
        def.emitter_count = 1;
        def.emitters[0] = ball(0.5f, 0.2f, 0.5f, 0.15f);
        def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 5470.0f};
        def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
        BrumeSim *sim = create(&def);
        double residual = 0.0;
        for (int times = 0; times < 24; times++) {
            BrumeStepStats stats;
            step(sim, 1.0 / 96.0, &stats);
            residual = fmax(residual, stats.residual);
            brume_sim_measure(sim, &measures);
            assert_at_most(measures.scalars[0].max, 5470.0 * 1.001);
            assert_at_least(measures.scalars[0].min, -5.0);
            assert_at_most(measures.scalars[1].max, 1.001);
        }
        assert_at_least(residual, 0.1);
        hashes[n] = brume_sim_hash(sim);
        brume_sim_destroy(sim);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_emission_and_decay_at_rest),
        cmocka_unit_test(test_diffusion_through_held_walls),
        cmocka_unit_test(test_smoke_leaves_with_the_wind),
        cmocka_unit_test(test_hooks_and_strokes),
        cmocka_unit_test(test_moving_body),
        cmocka_unit_test(test_stirred_closed_box),
        cmocka_unit_test(test_saved_and_changed),
        cmocka_unit_test(test_fast_decay),
        cmocka_unit_test(test_bounds_with_unconverged_pressure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Cases with exact solutions: rest, uniform wind, repeated projection, decay, drag, emission, frame times. */
#include "core/field.h"
#include "core/vec3.h"
#include "sim/measures/monitor.h"
#include "sim_support.h"

// a blob without a symmetry axis
static double blob(double x, double y, double z, const void *context)
{
    (void)context;
    return exp(-((x - 0.3) * (x - 0.3) + (y - 0.4) * (y - 0.4) * 2.0 + (z - 0.5) * (z - 0.5) * 3.0) * 20.0);
}

// a uniform wind with wind dt / dx = 2 moves every value by exactly two cells, and in flux form up to the rounding of
// its differences
static void test_uniform_wind_moves_two_cells(void **state)
{
    (void)state;
    for (int scheme = 0; brume_transport_name(scheme); scheme++) {
        for (int axis = 0; axis < 3; axis++) {
            BrumeSimDef def = box_def(16, 12, 20, 0.0625f, BRUME_PERIODIC);
            float *wind[3] = {&def.wind.x, &def.wind.y, &def.wind.z};
            *wind[axis] = 0.5f;
            def.transport = brume_transport_name(scheme);
            def.advection = brume_advection_name(scheme % 2);
            // values below 2^-60 become 0
            const double rounding = strcmp(def.transport, "ppm") == 0 ? 5e-7 : 0x1p-60;
            BrumeSim *sim = create(&def);
            fill(sim, BRUME_FIELD_DENSITY, blob, NULL);
            BrumeField before;
            assert_int_equal(brume_field_create(&before, sim->geometry->cells.grid, NULL), BRUME_OK);
            memcpy(before.data, sim->fields[BRUME_FIELD_DENSITY].data, brume_grid_entries(before.grid) * sizeof(float));
            step(sim, 0.25, NULL);

            const int n[3] = {16, 12, 20};
            const BrumeField *after = brume_sim_field(sim, BRUME_FIELD_DENSITY);
            for (int k = 1; k <= 20; k++) {
                for (int j = 1; j <= 12; j++) {
                    for (int i = 1; i <= 16; i++) {
                        int from[3] = {i, j, k};
                        from[axis] = (from[axis] - 1 + n[axis] - 2) % n[axis] + 1;
                        assert_near((double)brume_field_at(after, i, j, k),
                                    (double)brume_field_at(&before, from[0], from[1], from[2]), rounding);
                    }
                }
            }
            assert_near(max_abs(&sim->fields[axis]), 0.5, 0.0);
            brume_field_destroy(&before);
            brume_sim_destroy(sim);
        }
    }
}

// a wind of fractions of a cell makes no new extremum
static void test_any_wind_makes_no_new_extremum(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(24, 24, 24, 1.0f / 24.0f, BRUME_PERIODIC);
    def.wind = brume_vec3(0.31f, -0.17f, 0.23f);
    BrumeSim *sim = create(&def);
    fill(sim, BRUME_FIELD_DENSITY, blob, NULL);
    const BrumeField *density = brume_sim_field(sim, BRUME_FIELD_DENSITY);
    double low;
    double high;
    range_of(density, &low, &high);
    for (int n = 0; n < 20; n++) {
        step(sim, 0.1, NULL);
        double now_low;
        double now_high;
        range_of(density, &now_low, &now_high);
        assert_at_least(now_low, low);
        assert_at_most(now_high, high);
    }
    brume_sim_destroy(sim);
}

// constant temperature in a closed box: the velocity stays 0 at the solver's default tolerance
static void test_uniform_heat_stays_at_rest(void **state)
{
    (void)state;
    const double heat = 87.3;
    for (int with_sphere = 0; with_sphere < 2; with_sphere++) {
        BrumeSimDef def = box_def(16, 24, 16, 0.1f, BRUME_WALL);
        def.body_count = with_sphere;
        def.bodies[0].shape =
            (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.8f, 1.0f, 0.8f}, .b = {0, 0, 0}, .radius = 0.3f};
        BrumeSim *sim = create(&def);
        fill(sim, BRUME_FIELD_TEMPERATURE, same_value, &heat);
        for (int n = 0; n < 10; n++) {
            step(sim, 0.05, NULL);
        }
        // buoyancy alone would give g beta T dt = 0.14 m/s in a step; only the rounding of its mean remains
        for (int axis = 0; axis < 3; axis++) {
            assert_at_most(max_abs(&sim->fields[axis]), with_sphere ? 1e-4 : 1e-6);
        }
        brume_sim_destroy(sim);
    }
}

// clean air at rest: every value stays 0 and the solver makes no iteration
static void test_rest_stays_rest(void **state)
{
    (void)state;
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.ny = def.nz = 12;
    def.vorticity_confinement = 5.0f;
    def.viscosity = 0.1f;
    BrumeSim *sim = create(&def);
    BrumeStepStats stats;
    step(sim, 0.1, &stats);
    assert_int_equal(stats.iterations, 0);
    assert_true(stats.converged);
    for (int id = 0; id <= BRUME_FIELD_DENSITY; id++) {
        assert_near(max_abs(&sim->fields[id]), 0.0, 0.0);
    }
    brume_sim_destroy(sim);
}

static double swirl(double x, double y, double z, const void *context)
{
    const int axis = *(const int *)context;
    return axis == 0   ? sin(5.0 * x + 1.0) * cos(4.0 * y) + z * x
           : axis == 1 ? cos(3.0 * z) * sin(6.0 * x) + 0.5 * y
                       : sin(7.0 * y + z) - x * x;
}

static void fill_swirl(BrumeSim *sim)
{
    for (int axis = 0; axis < 3; axis++) {
        fill(sim, (BrumeFieldId)axis, swirl, &axis);
    }
}

// a second projection changes the velocity by <= 1e-4 relative, for every solver and kind of box
static void test_projection_twice(void **state)
{
    (void)state;
    for (int method = 0; brume_pressure_name(method); method++) {
        for (int kind = 0; kind < 4; kind++) {
            BrumeSimDef def = box_def(20, 16, 24, 0.05f, kind == 1 ? BRUME_PERIODIC : BRUME_WALL);
            def.pressure = brume_pressure_name(method);
            def.max_iterations = 5000;
            if (kind >= 2) {
                def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
                def.faces[BRUME_FACE_X_MIN].kind = BRUME_OPEN;
            }
            if (kind == 3) {
                def.body_count = 1;
                def.bodies[0].shape =
                    (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.4f, 0.6f}, .b = {0, 0, 0}, .radius = 0.2f};
            }
            if (brume_pressure_unmet_need(def.pressure, def.body_count > 0, brume_all_periodic(&def))) {
                continue;
            }
            BrumeSim *sim = create(&def);
            fill_swirl(sim);
            const BrumePressureResult first = brume_project(sim, 0.1f);
            assert_true(first.converged);
            assert_at_most(first.residual, 1e-4);
            const double divergence = brume_measure_flow(sim);
            BrumeField once[3];
            double size = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                assert_int_equal(brume_field_create(&once[axis], sim->geometry->cells.grid, NULL), BRUME_OK);
                memcpy(once[axis].data, sim->fields[axis].data, brume_grid_entries(once[axis].grid) * sizeof(float));
                size = fmax(size, max_abs(&once[axis]));
            }
            brume_project(sim, 0.1f);
            for (int axis = 0; axis < 3; axis++) {
                for (size_t n = 0; n < brume_grid_entries(once[axis].grid); n++) {
                    once[axis].data[n] -= sim->fields[axis].data[n];
                }
                assert_at_most(max_abs(&once[axis]) / size, 1e-4);
                brume_field_destroy(&once[axis]);
            }
            // |div| in one cell is at most the norm of the residual over all 7680 cells, relative to |div u| ~ 10 /s
            assert_at_most(divergence, 1e-4 * 10.0 * sqrt(7680.0));
            brume_sim_destroy(sim);
        }
    }
}

// cooling and dissipation are exponentials of time, independent of the number of steps
static void test_decay_is_exponential(void **state)
{
    (void)state;
    const double start = 2.0;
    for (int steps = 1; steps <= 10; steps += 9) {
        BrumeSimDef def = box_def(8, 8, 8, 0.1f, BRUME_WALL);
        def.cooling = 0.7f;
        def.color_count = 3;
        def.thermal_expansion = 0.0f;
        for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
            def.smoke[kind].dissipation = 0.5f * (float)(kind + 1);
        }
        BrumeSim *sim = create(&def);
        fill(sim, BRUME_FIELD_TEMPERATURE, same_value, &start);
        for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
            fill(sim, brume_smoke_id(kind), same_value, &start);
        }
        for (int n = 0; n < steps; n++) {
            step(sim, 1.0 / steps, NULL);
        }
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], 4, 4, 4), 2.0 * exp(-0.7), 2e-6);
        for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
            assert_near((double)brume_field_at(&sim->fields[brume_smoke_id(kind)], 4, 4, 4),
                        2.0 * exp(-0.5 * (kind + 1)), 2e-6);
        }
        brume_sim_destroy(sim);
    }
}

// drag relaxes a uniform flow to the wind as exp(-drag t)
static void test_drag_is_exponential(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 8, 8, 0.1f, BRUME_PERIODIC);
    def.wind = brume_vec3(3.0f, 0.0f, 0.0f);
    def.drag = 2.0f;
    BrumeSim *sim = create(&def);
    const double still = 0.0;
    fill(sim, BRUME_FIELD_U, same_value, &still);
    for (int n = 0; n < 4; n++) {
        step(sim, 0.1, NULL);
    }
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 4, 4, 4), 3.0 * (1.0 - exp(-2.0 * 0.4)), 1e-5);
    brume_sim_destroy(sim);
}

// an emitter of rate 3 /s that covers whole cells, active for 0.25 s of a step of 1 s
static void test_emission_is_limited_to_its_time_and_cells(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 16, 0.125f, BRUME_WALL);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.color_count = 1;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.5f, 0.5f, 0.5f}, .b = {1.0f, 0.75f, 1.5f}, .radius = 0.0f};
    def.emitters[0].start = 0.5f;
    def.emitters[0].end = 0.75f;
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, 3.0f};
    def.emitters[0].smoke[1] = (BrumeSource){BRUME_SOURCE_SET, 0.5f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_RATE, 40.0f};
    BrumeSim *sim = create(&def);
    step(sim, 1.0, NULL);
    const double cells = 4 * 2 * 8;
    assert_near(sum_of(&sim->fields[BRUME_FIELD_DENSITY]), cells * 3.0 * 0.25, 1e-4);
    assert_near(sum_of(&sim->fields[BRUME_FIELD_COLOR_1]), cells * 0.5, 1e-4);
    assert_near(sum_of(&sim->fields[BRUME_FIELD_TEMPERATURE]), cells * 10.0, 1e-3);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], 5, 5, 5), 0.75, 1e-6);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], 4, 5, 5), 0.0, 0.0);
    step(sim, 1.0, NULL); // no longer active
    assert_near(sum_of(&sim->fields[BRUME_FIELD_DENSITY]), cells * 3.0 * 0.25, 1e-4);
    brume_sim_destroy(sim);
}

// the noise factor has mean 1: an emitter with noise emits as much as one without, within a percent
static void test_noise_preserves_the_mean(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(32, 32, 32, 1.0f / 32.0f, BRUME_WALL);
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.0f, 0.0f, 0.0f}, .b = {1.0f, 1.0f, 1.0f}, .radius = 0.0f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, 1.0f};
    def.emitters[0].noise = 1.0f;
    def.emitters[0].noise_scale = 0.05f;
    BrumeSim *sim = create(&def);
    assert_int_equal(brume_emit(sim, 1.0, NULL), BRUME_OK);
    double low;
    double high;
    range_of(&sim->fields[BRUME_FIELD_DENSITY], &low, &high);
    assert_near(sum_of(&sim->fields[BRUME_FIELD_DENSITY]) / 32768.0, 1.0, 0.01);
    assert_at_least(low, 0.0);
    assert_at_most(high, 2.0);
    assert_at_least(high - low, 1.0);
    brume_sim_destroy(sim);
}

// inside a sphere of radius 0.4 with a softness of 0.2, the source is a smoothstep of the depth of the cell's center
static void test_soft_edge_is_a_smoothstep_of_depth(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(32, 32, 32, 1.0f / 32.0f, BRUME_WALL);
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.5f, 0.5f}, .radius = 0.4f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 2.0f};
    def.emitters[0].softness = 0.2f;
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 3; n++) { // the edge does not fill up
        assert_int_equal(brume_emit(sim, 1.0, NULL), BRUME_OK);
    }
    for (int i = 1; i <= 32; i++) {
        const double x = (i - 0.5) / 32.0 - 0.5;
        const double aside = 0.5 / 32.0; // of the row of cells from the axis, along y and z
        const double depth = fmin(fmax((0.4 - sqrt(x * x + 2.0 * aside * aside)) / 0.2, 0.0), 1.0);
        const double coverage = fabs(x) < 0.38 ? 1.0 : 0.0; // the cells at the surface are covered in part
        if (fabs(fabs(x) - 0.4) > 0.03) {
            const double expected = 2.0 * coverage * depth * depth * (3.0 - 2.0 * depth);
            assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], i, 16, 16), expected, 1e-5);
        }
    }
    brume_sim_destroy(sim);
}

// frames end exactly at n / fps, independent of the number of their steps
static void test_frames_end_on_time(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 16, 0.0625f, BRUME_PERIODIC);
    def.wind = brume_vec3(5.0f, 0.0f, 0.0f); // 80 cells a second
    def.fps = 10.0f;
    BrumeError error;
    for (int limit = 1; limit <= 16; limit *= 4) {
        def.max_steps = limit;
        BrumeSim *sim = create(&def);
        for (int frame = 1; frame <= 3; frame++) {
            BrumeFrameStats stats;
            assert_int_equal(brume_sim_frame(sim, &stats, &error), BRUME_OK);
            assert_int_equal(stats.frame, frame);
            assert_int_equal(stats.steps, limit < 4 ? limit : 4); // 8 cells at 2 a step
            assert_true(brume_sim_time(sim) == frame / 10.0);
        }
        assert_int_equal(brume_sim_frames(sim), 3);
        brume_sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform_wind_moves_two_cells),
        cmocka_unit_test(test_any_wind_makes_no_new_extremum),
        cmocka_unit_test(test_uniform_heat_stays_at_rest),
        cmocka_unit_test(test_rest_stays_rest),
        cmocka_unit_test(test_projection_twice),
        cmocka_unit_test(test_decay_is_exponential),
        cmocka_unit_test(test_drag_is_exponential),
        cmocka_unit_test(test_emission_is_limited_to_its_time_and_cells),
        cmocka_unit_test(test_noise_preserves_the_mean),
        cmocka_unit_test(test_soft_edge_is_a_smoothstep_of_depth),
        cmocka_unit_test(test_frames_end_on_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

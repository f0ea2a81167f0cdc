// Values at positions: exact for linear fields and at the places where a quantity is stored; positions of probes.
#include "sim_support.h"

#include <stdlib.h>

enum { ALL = (1 << BRUME_PROBE_QUANTITY_COUNT) - 1 };

static double linear(double x, double y, double z, const void *context)
{
    const double *a = context;
    return a[0] + a[1] * x + a[2] * y + a[3] * z;
}

static BrumeProbeSample sample_at(BrumeSim *sim, double x, double y, double z)
{
    BrumeProbeSample sample = {.position = {x, y, z}};
    brume_sim_sample(sim, ALL, &sample, 1);
    return sample;
}

/* The columns of a sample by name. */
static double value(const BrumeProbeSample *sample, const char *name)
{
    for (int column = 0; column < BRUME_PROBE_COLUMNS; column++) {
        if (strcmp(brume_probe_column_name(column), name) == 0) {
            return sample->values[column];
        }
    }
    fail_msg("no column %s", name);
    return 0.0;
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(brume_probe_column_name(0), "velocity_x");
    assert_string_equal(brume_probe_column_name(8), "color_3");
    assert_string_equal(brume_probe_column_name(9), "fuel");
    assert_string_equal(brume_probe_column_name(13), "vorticity_z");
    assert_null(brume_probe_column_name(14));
    assert_string_equal(brume_probe_quantity_name(BRUME_PROBE_VELOCITY), "velocity");
    assert_string_equal(brume_probe_quantity_name(BRUME_PROBE_DENSITY), "density");
    assert_string_equal(brume_probe_quantity_name(BRUME_PROBE_VORTICITY), "vorticity");
    assert_null(brume_probe_quantity_name(BRUME_PROBE_QUANTITY_COUNT));
    assert_int_equal(brume_probe_column_quantity(2), BRUME_PROBE_VELOCITY);
    assert_int_equal(brume_probe_column_quantity(3), BRUME_PROBE_PRESSURE);
    assert_int_equal(brume_probe_column_quantity(8), BRUME_PROBE_COLOR_3);
    assert_int_equal(brume_probe_column_quantity(10), BRUME_PROBE_MIXTURE);
    assert_int_equal(brume_probe_column_quantity(12), BRUME_PROBE_VORTICITY);
}

/* Linear fields are interpolated exactly; u = (2 - 3 y + z, ...) has a constant vorticity. */
static void test_linear_fields(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(12, 10, 8, 0.125f, BRUME_OPEN);
    BrumeSim *sim = create(&def);
    const double u[4] = {2.0, 0.5, -3.0, 1.0};
    const double v[4] = {-1.0, 4.0, 0.25, 2.0};
    const double w[4] = {0.5, -1.0, 0.5, 0.125};
    const double p[4] = {10.0, 1.0, 2.0, 3.0};
    const double t[4] = {5.0, -2.0, 1.0, 0.5};
    fill(sim, BRUME_FIELD_U, linear, u);
    fill(sim, BRUME_FIELD_V, linear, v);
    fill(sim, BRUME_FIELD_W, linear, w);
    fill(sim, BRUME_FIELD_PRESSURE, linear, p);
    fill(sim, BRUME_FIELD_TEMPERATURE, linear, t);
    static const double points[][3] = {
        {0.75, 0.625, 0.5}, {0.8125, 0.6875, 0.5625}, {0.7123, 0.4444, 0.3301}, {0.31, 0.97, 0.85}, {0.2, 0.21, 0.2}};
    for (size_t n = 0; n < sizeof points / sizeof points[0]; n++) {
        const double x = points[n][0];
        const double y = points[n][1];
        const double z = points[n][2];
        const BrumeProbeSample sample = sample_at(sim, x, y, z);
        assert_near(value(&sample, "velocity_x"), linear(x, y, z, u), 1e-6);
        assert_near(value(&sample, "velocity_y"), linear(x, y, z, v), 1e-6);
        assert_near(value(&sample, "velocity_z"), linear(x, y, z, w), 1e-6);
        assert_near(value(&sample, "pressure"), linear(x, y, z, p), 2e-6);
        assert_near(value(&sample, "temperature"), linear(x, y, z, t), 1e-6);
        assert_near(value(&sample, "vorticity_x"), 0.5 - 2.0, 1e-5);
        assert_near(value(&sample, "vorticity_y"), 1.0 + 1.0, 1e-5);
        assert_near(value(&sample, "vorticity_z"), 4.0 + 3.0, 1e-5);
        assert_near(value(&sample, "density"), 0.0, 0.0);
    }
    brume_sim_destroy(sim);
}

/* At centers and faces, whose positions are rounded, the value is the one that is stored. */
static void test_stored_values(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(9, 11, 13, 0.1f, BRUME_WALL);
    def.origin = brume_vec3(-0.45f, 0.3f, -7.0f);
    BrumeSim *sim = create(&def);
    BrumeField *density = brume_sim_write_field(sim, BRUME_FIELD_DENSITY);
    BrumeField *v = brume_sim_write_field(sim, BRUME_FIELD_V);
    for (int k = 1; k <= 13; k++) {
        for (int j = 1; j <= 11; j++) {
            for (int i = 1; i <= 9; i++) {
                density->data[brume_field_index(density, i, j, k)] = (float)((i * 7 + j * 13 + k * 29) % 17);
                v->data[brume_field_index(v, i, j, k)] = (float)((i * 5 + j * 11 + k * 3) % 13);
            }
        }
    }
    for (int k = 1; k <= 13; k++) {
        for (int j = 2; j <= 11; j++) {
            for (int i = 1; i <= 9; i++) {
                const float dx = 0.1f;
                const float x = -0.45f + ((float)i - 0.5f) * dx;
                const float z = -7.0f + ((float)k - 0.5f) * dx;
                const BrumeProbeSample center =
                    sample_at(sim, (double)x, (double)(0.3f + ((float)j - 0.5f) * dx), (double)z);
                assert_near(value(&center, "density"), (double)brume_field_at(density, i, j, k), 0.0);
                const BrumeProbeSample face =
                    sample_at(sim, (double)x, (double)(0.3f + ((float)j - 1.0f) * dx), (double)z);
                assert_near(value(&face, "velocity_y"), (double)brume_field_at(v, i, j, k), 0.0);
            }
        }
    }
    brume_sim_destroy(sim);
}

/* On the sides: the temperature of a held wall, the velocity of a wall without slip, and the nearest pressure. */
static void test_sides(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 8, 8, 0.125f, BRUME_WALL);
    def.faces[BRUME_FACE_Y_MIN].no_slip = true;
    def.faces[BRUME_FACE_Y_MIN].velocity = brume_vec3(3.0f, 0.0f, 0.0f);
    def.faces[BRUME_FACE_Y_MIN].fixed_temperature = true;
    def.faces[BRUME_FACE_Y_MIN].temperature = 40.0f;
    BrumeSim *sim = create(&def);
    const double u[4] = {7.0, 0.0, 0.0, 0.0};
    const double p[4] = {0.0, 0.0, 8.0, 0.0};
    fill(sim, BRUME_FIELD_U, linear, u);
    fill(sim, BRUME_FIELD_PRESSURE, linear, p);
    fill(sim, BRUME_FIELD_TEMPERATURE, linear, u);
    const BrumeProbeSample floor = sample_at(sim, 0.5, 0.0, 0.5);
    assert_near(value(&floor, "velocity_x"), 3.0, 1e-6);
    assert_near(value(&floor, "temperature"), 40.0, 1e-5);
    assert_near(value(&floor, "pressure"), 0.5, 0.0);
    assert_near(value(&floor, "vorticity_z"), -(7.0 + 1.0) / 0.125, 1e-5);
    const BrumeProbeSample below = sample_at(sim, 0.5, -5.0, 0.5);
    assert_near(value(&below, "temperature"), 40.0, 1e-5);
    const BrumeProbeSample ceiling = sample_at(sim, 0.5, 1.0, 0.5);
    assert_near(value(&ceiling, "velocity_x"), 7.0, 0.0);
    brume_sim_destroy(sim);
}

/* Cells in a body do not count. */
static void test_bodies(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 8, 8, 0.125f, BRUME_WALL);
    def.body_count = 1;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = brume_vec3(0.0f, 0.0f, 0.0f), .b = brume_vec3(0.5f, 1.0f, 1.0f)};
    BrumeSim *sim = create(&def);
    const double t[4] = {9.0, 0.0, 0.0, 0.0};
    fill(sim, BRUME_FIELD_TEMPERATURE, linear, t);
    const BrumeProbeSample beside = sample_at(sim, 0.53, 0.47, 0.51);
    assert_near(value(&beside, "temperature"), 9.0, 1e-12);
    const BrumeProbeSample inside = sample_at(sim, 0.25, 0.5, 0.5);
    assert_near(value(&inside, "temperature"), 0.0, 0.0);
    brume_sim_destroy(sim);
}

static void test_positions(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 10, 12, 0.25f, BRUME_WALL);
    def.origin = brume_vec3(-1.0f, 0.0f, 0.0f);
    BrumeProbeSample samples[512];

    BrumeProbe line = {.kind = BRUME_PROBE_LINE, .counts = {5, 0, 0}};
    line.from = brume_vec3(-1.0f, 0.5f, 0.0f);
    line.to = brume_vec3(1.0f, 0.5f, 2.0f);
    assert_int_equal(brume_probe_size(&line, &def), 5);
    brume_probe_positions(&line, &def, samples);
    for (int n = 0; n < 5; n++) {
        assert_near(samples[n].position[0], -1.0 + 0.5 * n, 0.0);
        assert_near(samples[n].position[1], 0.5, 0.0);
        assert_near(samples[n].position[2], 0.5 * n, 0.0);
    }

    const BrumeProbe plane = {.kind = BRUME_PROBE_PLANE, .axis = 1, .position = 1.25f, .whole = true};
    assert_int_equal(brume_probe_size(&plane, &def), 8 * 12);
    brume_probe_positions(&plane, &def, samples);
    assert_near(samples[0].position[0], -0.875, 0.0);
    assert_near(samples[0].position[1], 1.25, 0.0);
    assert_near(samples[0].position[2], 0.125, 0.0);
    assert_near(samples[9].position[0], -0.625, 0.0);
    assert_near(samples[9].position[2], 0.375, 0.0);
    assert_near(samples[95].position[2], 2.875, 0.0);

    const BrumeProbe coarse = {.kind = BRUME_PROBE_PLANE, .axis = 2, .position = 1, .whole = true, .counts = {3, 2, 0}};
    assert_int_equal(brume_probe_size(&coarse, &def), 6);
    brume_probe_positions(&coarse, &def, samples);
    assert_near(samples[1].position[0], 0.0, 0.0);
    assert_near(samples[5].position[0], 1.0, 0.0);
    assert_near(samples[5].position[1], 2.5, 0.0);

    BrumeProbe box = {.kind = BRUME_PROBE_BOX, .from = brume_vec3(-0.625f, 0.2f, 0.0f)};
    box.to = brume_vec3(0.0f, 0.9f, 0.5f);
    assert_int_equal(brume_probe_size(&box, &def), 3 * 3 * 2);
    brume_probe_positions(&box, &def, samples);
    assert_near(samples[0].position[0], -0.625, 0.0);
    assert_near(samples[0].position[1], 0.375, 0.0);
    assert_near(samples[17].position[0], -0.125, 0.0);
    assert_near(samples[17].position[1], 0.875, 0.0);
    assert_near(samples[17].position[2], 0.375, 0.0);
}

static void test_same_digits_at_any_thread_count(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 16, 0.0625f, BRUME_WALL);
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = brume_vec3(0.5f, 0.3f, 0.5f), .b = {0}, .radius = 0.2f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 50.0f};
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 5; n++) {
        step(sim, 0.02, NULL);
    }
    const BrumeProbe plane = {.kind = BRUME_PROBE_PLANE, .axis = 0, .position = 0.47f, .whole = true};
    BrumeProbeSample expected[256];
    for (int threads = 1; threads <= 3; threads++) {
        BrumeProbeSample samples[256];
        brume_set_threads(threads);
        brume_probe_positions(&plane, &def, samples);
        brume_sim_sample(sim, ALL, samples, 256);
        if (threads == 1) {
            memcpy(expected, samples, sizeof samples);
        }
        assert_memory_equal(samples, expected, sizeof samples);
    }
    brume_set_threads(0);
    brume_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_linear_fields),
        cmocka_unit_test(test_stored_values),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_same_digits_at_any_thread_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Texture coordinates: exact displacements in uniform flows, their restarts, and a state that does not depend on them.
 */
#include "brume/threads.h"
#include "core/texture_layers.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/measures/monitor.h"
#include "sim_support.h"

#include <stdlib.h>

static const BrumeVec3 wind = {0.5f, -0.25f, 0.125f}; // [m/s]

static double wind_along(double x, double y, double z, const void *axis)
{
    (void)x;
    (void)y;
    (void)z;
    return (double)brume_component(wind, *(const int *)axis);
}

/* A periodic box, or one with the wind through an inflow in x, with the uniform wind. */
static BrumeSim *create_windy(bool inflow, float period)
{
    BrumeSimDef def = box_def(16, 12, 10, 0.0625f, BRUME_PERIODIC);
    if (inflow) {
        for (int face = 0; face < BRUME_FACE_COUNT; face++) {
            def.faces[face].kind = face == BRUME_FACE_X_MIN   ? BRUME_INFLOW
                                   : face == BRUME_FACE_X_MAX ? BRUME_OPEN
                                                              : BRUME_WALL;
        }
        def.faces[BRUME_FACE_X_MIN].velocity = brume_vec3(wind.x, 0.0f, 0.0f);
    }
    def.texture_period = period;
    BrumeSim *sim = create(&def);
    for (int axis = 0; axis < (inflow ? 1 : 3); axis++) {
        fill(sim, (BrumeFieldId)axis, wind_along, &axis);
    }
    brume_set_velocity_boundary(sim);
    (void)brume_measure_flow(sim);
    return sim;
}

static void expect_displacement(const BrumeSim *sim, int layer, BrumeVec3 expected, double tolerance)
{
    for (int axis = 0; axis < 3; axis++) {
        double low;
        double high;
        range_of(brume_sim_texture(sim, layer, axis), &low, &high);
        assert_near(low, (double)brume_component(expected, axis), tolerance);
        assert_near(high, (double)brume_component(expected, axis), tolerance);
    }
}

/* Air that came through the side of a periodic box, or through an inflow, has been displaced as any other. */
static void test_uniform_flow(void **state)
{
    (void)state;
    for (int inflow = 0; inflow < 2; inflow++) {
        BrumeSim *sim = create_windy(inflow == 1, 100.0f);
        const BrumeVec3 back = inflow ? brume_vec3(-wind.x, 0.0f, 0.0f) : brume_scale(wind, -1.0f);
        for (int n = 1; n <= 24; n++) {
            step(sim, 0.0625, NULL);
            expect_displacement(sim, 0, brume_scale(back, 0.0625f * (float)n), 2e-5);
            expect_displacement(sim, 1, brume_scale(back, 0.0625f * (float)n), 2e-5);
        }
        brume_sim_destroy(sim);
    }
}

/* Each layer starts again after its period, with a weight of 0, and the two alternate. */
static void test_restarts(void **state)
{
    (void)state;
    BrumeSim *sim = create_windy(false, 1.0f);
    for (int n = 1; n <= 40; n++) {
        step(sim, 0.0625, NULL);
        const double time = 0.0625 * n;
        const double ages[2] = {fmod(time, 1.0), n < 8 ? time : fmod(time + 0.5, 1.0)};
        double sum = 0.0;
        for (int layer = 0; layer < 2; layer++) {
            expect_displacement(sim, layer, brume_scale(wind, -(float)ages[layer]), 2e-5);
            const double weight = brume_texture_weight(time, 1.0, layer);
            assert_near(weight, ages[layer] == 0.0 ? 0.0 : weight, 1e-12);
            sum += weight;
        }
        assert_near(sum, 1.0, 1e-12);
    }
    assert_near(brume_texture_weight(0.0, 1.0, 1), 1.0, 1e-12);
    assert_near(brume_texture_weight(0.25, 1.0, 0), 0.5, 1e-12);
    assert_int_equal(brume_texture_generation(0.9999999, 1.0, 0), 1); // the end of a frame, as a sum of steps
    assert_int_equal(brume_texture_generation(0.99, 1.0, 0), 0);
    brume_sim_destroy(sim);
}

/* A plume that turns and leaves through the top, with two kinds of smoke. */
static BrumeSimDef plume_def(float period, const char *integrator, const char *transport)
{
    BrumeSimDef def = box_def(20, 24, 18, 0.05f, BRUME_WALL);
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    def.texture_period = period;
    def.integrator = integrator;
    def.transport = transport;
    def.color_count = 1;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.2f, 0.4f}, .radius = 0.15f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].smoke[1] = (BrumeSource){BRUME_SOURCE_SET, 0.5f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 80.0f};
    return def;
}

static void expect_same_cells(const BrumeField *a, const BrumeField *b)
{
    for (int k = 1; k <= a->grid.nz; k++) {
        for (int j = 1; j <= a->grid.ny; j++) {
            const ptrdiff_t row = brume_field_index(a, 1, j, k);
            assert_memory_equal(a->data + row, b->data + row, (size_t)a->grid.nx * sizeof(float));
        }
    }
}

/* All other fields have the same bits with and without texture coordinates, for every integrator. */
static void test_nothing_else_changes(void **state)
{
    (void)state;
    for (int n = 0; brume_integrator_name(n); n++) {
        BrumeSimDef closed = {.integrator = brume_integrator_name(n)};
        if (close_box_for_integrator(&closed)) { // such integrators refuse texture coordinates
            continue;
        }
        const char *transport = n == 1 ? "maccormack" : "ppm";
        const BrumeSimDef without = plume_def(0.0f, brume_integrator_name(n), transport);
        const BrumeSimDef with = plume_def(0.3f, brume_integrator_name(n), transport);
        BrumeSim *a = create(&without);
        BrumeSim *b = create(&with);
        BrumeError error = {0};
        for (int frame = 0; frame < 4; frame++) {
            assert_int_equal(brume_sim_frame(a, NULL, &error), BRUME_OK);
            assert_int_equal(brume_sim_frame(b, NULL, &error), BRUME_OK);
        }
        for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
            const BrumeField *field = brume_sim_field(a, (BrumeFieldId)id);
            if (field) {
                expect_same_cells(field, brume_sim_field(b, (BrumeFieldId)id));
            }
        }
        assert_null(brume_sim_texture(a, 0, 0));
        assert_non_null(brume_sim_texture(b, 1, 2));
        assert_null(brume_sim_volume(a).texture[0][0]);
        assert_int_equal(brume_sim_bytes(b) - brume_sim_bytes(a),
                         6 * brume_grid_entries(brume_grid(20, 24, 18)) * sizeof(float));
        assert_int_equal(brume_settings_bytes(&with) - brume_settings_bytes(&without),
                         brume_sim_bytes(b) - brume_sim_bytes(a));
        brume_sim_destroy(a);
        brume_sim_destroy(b);
    }
}

static void expect_same_texture(const BrumeSim *a, const BrumeSim *b)
{
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS; n++) {
        expect_same_cells(brume_sim_texture(a, n / 3, n % 3), brume_sim_texture(b, n / 3, n % 3));
    }
    assert_int_equal(brume_sim_hash(a), brume_sim_hash(b));
}

/* A saved state continues with the same bits, in the middle of a frame and at another number of threads. */
static void test_saved_state(void **state)
{
    (void)state;
    const BrumeSimDef def = plume_def(0.3f, "second-order", "ppm");
    const int threads = brume_get_threads();
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 5; n++) {
        step(sim, 0.03, NULL);
    }
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    BrumeError error = {0};
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    brume_set_threads(3);
    BrumeSim *loaded = NULL;
    assert_int_equal(brume_sim_create_saved(&loaded, bytes, size, &error), BRUME_OK);
    expect_same_texture(sim, loaded);
    for (int n = 0; n < 9; n++) { // over a restart of each layer
        step(loaded, 0.03, NULL);
    }
    brume_set_threads(1);
    for (int n = 0; n < 9; n++) {
        step(sim, 0.03, NULL);
    }
    expect_same_texture(sim, loaded);
    double low;
    double high;
    range_of(brume_sim_texture(sim, 0, 1), &low, &high);
    assert_at_least(high - low, 0.01); // it has moved
    brume_set_threads(threads);
    free(bytes);
    brume_sim_destroy(loaded);
    brume_sim_destroy(sim);
}

/* Texture coordinates may be switched on and off, and the grid may change, while the simulation runs. */
static void test_changes(void **state)
{
    (void)state;
    BrumeSimDef def = plume_def(0.0f, "second-order", "ppm");
    BrumeSim *sim = create(&def);
    BrumeError error = {0};
    step(sim, 0.03, NULL);
    def.texture_period = 0.5f;
    assert_int_equal(brume_sim_change(sim, &def, &error), BRUME_OK);
    assert_non_null(brume_sim_texture(sim, 0, 0));
    step(sim, 0.03, NULL);
    step(sim, 0.03, NULL);
    BrumeField before = {0};
    assert_int_equal(brume_field_create(&before, brume_grid(20, 24, 18), &error), BRUME_OK);
    brume_field_copy(&before, brume_sim_texture(sim, 1, 1));
    assert_at_least(max_abs(&before), 1e-5);
    def.transport = "semi-lagrangian"; // other memory
    assert_int_equal(brume_sim_change(sim, &def, &error), BRUME_OK);
    assert_memory_equal(before.data, brume_sim_texture(sim, 1, 1)->data,
                        brume_grid_entries(before.grid) * sizeof(float));
    brume_field_destroy(&before);
    def.nx = 10;
    def.ny = 12;
    def.nz = 9;
    def.dx = 0.1f;
    assert_int_equal(brume_sim_change(sim, &def, &error), BRUME_OK);
    step(sim, 0.03, NULL);
    assert_at_least(max_abs(brume_sim_texture(sim, 1, 1)), 1e-6);
    def.texture_period = 0.0f;
    assert_int_equal(brume_sim_change(sim, &def, &error), BRUME_OK);
    assert_null(brume_sim_texture(sim, 0, 0));
    brume_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform_flow),
        cmocka_unit_test(test_restarts),
        cmocka_unit_test(test_nothing_else_changes),
        cmocka_unit_test(test_saved_state),
        cmocka_unit_test(test_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

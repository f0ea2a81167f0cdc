// What emitters emit: their volume however small they are, and the same amount in any number of steps.
#include "sim_support.h"

static BrumeMeasures measures;

static double total_of(BrumeSim *sim, int scalar)
{
    brume_sim_measure(sim, &measures);
    return measures.scalars[scalar].total;
}

typedef struct Case {
    BrumeShape shape; // about the origin [cells]
    double volume;    // [cells]
} Case;

static const double PI = 3.14159265358979323846;

// shapes thinner than a cell emit their volume wherever they are between the centers, as a value and as a rate
static void test_small_shapes_emit_their_volume(void **state)
{
    (void)state;
    const Case cases[] = {
        {{.kind = BRUME_SHAPE_SPHERE, .radius = 0.32f}, 4.0 / 3.0 * PI * 0.32 * 0.32 * 0.32},
        {{.kind = BRUME_SHAPE_SPHERE, .radius = 0.04f}, 4.0 / 3.0 * PI * 0.04 * 0.04 * 0.04},
        {{.kind = BRUME_SHAPE_SPHERE, .radius = 0.9f}, 4.0 / 3.0 * PI * 0.9 * 0.9 * 0.9},
        {{.kind = BRUME_SHAPE_BOX, .a = {-0.2f, -0.1f, -0.3f}, .b = {0.2f, 0.1f, 0.3f}}, 0.4 * 0.2 * 0.6},
        {{.kind = BRUME_SHAPE_BOX, .a = {-4.0f, -0.05f, -3.0f}, .b = {4.0f, 0.05f, 3.0f}}, 8.0 * 0.1 * 6.0},
        {{.kind = BRUME_SHAPE_CYLINDER, .a = {-3.0f, -1.0f, 0.0f}, .b = {3.0f, 1.0f, 0.0f}, .radius = 0.2f},
         PI * 0.04 * 6.32455532},
        {{.kind = BRUME_SHAPE_CAPSULE, .a = {-1.0f, -2.0f, 0.5f}, .b = {1.0f, 2.0f, -0.5f}, .radius = 0.25f},
         PI * 0.0625 * 4.58257569 + 4.0 / 3.0 * PI * 0.015625},
    };
    const float dx = 0.125f;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        for (int place = 0; place < 12; place++) {
            BrumeSimDef def = box_def(16, 16, 16, dx, BRUME_WALL);
            const float at = 8.0f + (float)(place % 4) * 0.25f;
            const int row = place / 4;
            const BrumeVec3 center = {at, 8.0f + (float)row * 0.33f, 8.5f};
            def.emitter_count = 1;
            def.emitters[0] = brume_default_emitter_def();
            BrumeShape *shape = &def.emitters[0].shape;
            *shape = cases[n].shape;
            shape->a = brume_scale(brume_add(shape->a, center), dx);
            shape->b = brume_scale(brume_add(shape->b, center), dx);
            shape->radius *= dx;
            def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 2.0f};
            def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_RATE, 30.0f};
            BrumeSim *sim = create(&def);
            for (int times = 0; times < 3; times++) {
                assert_int_equal(brume_emit(sim, 0.5, NULL), BRUME_OK);
            }
            const double volume = cases[n].volume * (double)(dx * dx * dx);
            assert_near(total_of(sim, 1), 2.0 * volume, 0.01 * 2.0 * volume);
            assert_near(total_of(sim, 0), 45.0 * volume, 0.01 * 45.0 * volume);
            brume_sim_destroy(sim);
        }
    }
}

// [cells]; of a sphere of radius `radius`, whose strength rises from its surface inwards within `softness`
static double soft_volume(double radius, double softness)
{
    enum { SHELLS = 1000 };
    double volume = 0.0;
    for (int n = 0; n < SHELLS; n++) {
        const double r = radius * (n + 0.5) / SHELLS;
        const double depth = fmin((radius - r) / softness, 1.0);
        volume += 4.0 * PI * r * r * radius / SHELLS * depth * depth * (3.0 - 2.0 * depth);
    }
    return volume;
}

// spheres thinner than two cells with soft edges emit the integral of the profile of their edge, wherever they are
static void test_small_soft_spheres_emit(void **state)
{
    (void)state;
    const float dx = 0.125f;
    for (int n = 0; n < 3 * 27; n++) {
        const int size = n / 27;
        const float radius = 0.3f + 0.3f * (float)size; // [cells]
        BrumeSimDef def = box_def(16, 16, 16, dx, BRUME_WALL);
        def.emitter_count = 1;
        BrumeEmitterDef *emitter = &def.emitters[0];
        *emitter = brume_default_emitter_def();
        const BrumeVec3 center = {8.0f + (float)(n % 3) * 0.25f, 8.0f + (float)(n / 3 % 3) * 0.25f,
                                  8.0f + (float)(n / 9 % 3) * 0.25f};
        emitter->shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = brume_scale(center, dx), .radius = radius * dx};
        emitter->softness = 0.6f * radius * dx;
        emitter->smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, 4.0f};
        BrumeSim *sim = create(&def);
        assert_int_equal(brume_emit(sim, 0.5, NULL), BRUME_OK);
        const double expected = 2.0 * soft_volume((double)radius, 0.6 * (double)radius) * (double)(dx * dx * dx);
        assert_near(total_of(sim, 1), expected, 0.01 * expected);
        brume_sim_destroy(sim);
    }
}

// in a wind, imposed smoke fills the air that passes through the shape: the same amount for any length of the steps
static void test_imposed_smoke_does_not_depend_on_steps(void **state)
{
    (void)state;
    const double radius = 0.2;
    const double exact = 4.0 / 3.0 * PI * radius * radius * radius + PI * radius * radius * 1.0;
    for (int steps = 6; steps <= 96; steps *= 2) {
        BrumeSimDef def = box_def(64, 24, 24, 1.0f / 32.0f, BRUME_OPEN);
        def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
        def.wind = brume_vec3(1.0f, 0.0f, 0.0f);
        def.emitter_count = 1;
        def.emitters[0] = brume_default_emitter_def();
        def.emitters[0].shape =
            (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.4f, 0.375f, 0.375f}, .radius = (float)radius};
        def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
        BrumeSim *sim = create(&def);
        for (int n = 0; n < steps; n++) {
            step(sim, 1.0 / steps, NULL);
        }
        const double curvature = 0.25 * (1.0 / 32.0) * (1.0 / 32.0) / (radius * radius); // of the estimated fractions
        assert_near(total_of(sim, 1), exact * (1.0 + curvature), 0.01 * exact);
        brume_sim_destroy(sim);
    }
}

// an imposed velocity acts on partly covered faces by the time, not by the number of calls
static void test_imposed_velocity_does_not_depend_on_steps(void **state)
{
    (void)state;
    double sums[2];
    for (int n = 0; n < 2; n++) {
        BrumeSimDef def = box_def(16, 16, 16, 0.0625f, BRUME_WALL);
        def.emitter_count = 1;
        def.emitters[0] = brume_default_emitter_def();
        def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.5f, 0.5f}, .radius = 0.2f};
        def.emitters[0].velocity = (BrumeVectorSource){BRUME_SOURCE_SET, {0.0f, 2.0f, 0.0f}};
        BrumeSim *sim = create(&def);
        for (int times = 0; times < (n == 0 ? 1 : 16); times++) {
            assert_int_equal(brume_emit(sim, n == 0 ? 0.1 : 0.1 / 16.0, NULL), BRUME_OK);
        }
        sums[n] = 0.0;
        for (int k = 1; k <= 16; k++) {
            for (int j = 1; j <= 17; j++) {
                for (int i = 1; i <= 16; i++) {
                    sums[n] += (double)brume_field_at(&sim->fields[BRUME_FIELD_V], i, j, k);
                }
            }
        }
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_V], 8, 9, 8), 2.0, 0.0);
        brume_sim_destroy(sim);
    }
    assert_near(sums[1], sums[0], 1e-5 * sums[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_shapes_emit_their_volume),
        cmocka_unit_test(test_small_soft_spheres_emit),
        cmocka_unit_test(test_imposed_smoke_does_not_depend_on_steps),
        cmocka_unit_test(test_imposed_velocity_does_not_depend_on_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

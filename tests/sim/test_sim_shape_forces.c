// Forces in the shapes of emitters against their exact solutions, and that smoke takes the form of its target.
#include "sim/forces/curl_noise.h"
#include "sim/measures/monitor.h"
#include "sim_support.h"

static BrumeMeasures measures;

// a periodic box with one force in a box around it, without buoyancy
static BrumeSimDef forced_box(int n, float dx, BrumeForceKind kind)
{
    BrumeSimDef def = box_def(n, n, n, dx, BRUME_PERIODIC);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    const float side = (float)n * dx;
    def.emitters[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {-side, -side, -side}, .b = {2.0f * side, 2.0f * side, 2.0f * side}};
    def.emitters[0].force.kind = kind;
    return def;
}

static double velocity_at(const BrumeSim *sim, int axis, int i, int j, int k)
{
    return (double)brume_field_at(&sim->fields[axis], i, j, k);
}

// u = V + (u0 - V) exp(-rate t) at any number of steps
static void test_wind_and_drag_relax_exactly(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 10; steps += 9) {
        for (int drag = 0; drag < 2; drag++) {
            BrumeSimDef def = forced_box(8, 0.125f, drag ? BRUME_FORCE_DRAG : BRUME_FORCE_WIND);
            def.wind = brume_vec3(0.4f, 0.0f, -0.2f);
            def.emitters[0].force.velocity = brume_vec3(1.0f, -2.0f, 0.5f);
            def.emitters[0].force.rate = 3.0f;
            BrumeSim *sim = create(&def);
            for (int n = 0; n < steps; n++) {
                step(sim, 0.5 / steps, NULL);
            }
            const double start[3] = {0.4, 0.0, -0.2};
            const double target[3] = {drag ? 0.0 : 1.0, drag ? 0.0 : -2.0, drag ? 0.0 : 0.5};
            for (int axis = 0; axis < 3; axis++) {
                const double expected = target[axis] + (start[axis] - target[axis]) * exp(-1.5);
                assert_near(velocity_at(sim, axis, 3, 5, 4), expected, 1e-5);
            }
            brume_sim_destroy(sim);
        }
    }
}

// a force acts in its time alone, and half as much in cells of which its shape covers half
static void test_coverage_and_time(void **state)
{
    (void)state;
    BrumeSimDef def = forced_box(8, 0.125f, BRUME_FORCE_WIND);
    def.emitters[0].shape.a.x = 0.5f * 0.125f + 2.0f * 0.125f; // to the middle of the third cell
    def.emitters[0].shape.b.x = 0.9375f;
    def.emitters[0].force.velocity = brume_vec3(0.0f, 1.0f, 0.0f);
    def.emitters[0].force.rate = 2.0f;
    def.emitters[0].start = 0.1f;
    def.emitters[0].end = 0.3f;
    BrumeSim *sim = create(&def);
    assert_int_equal(brume_emit(sim, 0.5, NULL), BRUME_OK);
    assert_near(velocity_at(sim, 1, 2, 4, 4), 0.0, 1e-6);
    assert_near(velocity_at(sim, 1, 3, 4, 4), 1.0 - exp(-0.5 * 2.0 * 0.2), 1e-5);
    assert_near(velocity_at(sim, 1, 4, 4, 4), 1.0 - exp(-2.0 * 0.2), 1e-5);
    brume_sim_destroy(sim);
}

// within a rate much above 1 / dt the velocity is spin x (x - pivot), and keyframes of the shape move the pivot
static void test_vortex_is_a_rotation(void **state)
{
    (void)state;
    BrumeSimDef def = forced_box(16, 0.0625f, BRUME_FORCE_VORTEX);
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_CYLINDER,
                                         .a = {0.4f, 0.1f, 0.5f},
                                         .b = {0.4f, 0.9f, 0.5f},
                                         .radius = 0.35f,
                                         .position = {0.1f, 0.0f, 0.0f}};
    def.emitters[0].force.spin = brume_vec3(0.0f, 4.0f, 0.0f);
    def.emitters[0].force.rate = 1e4f;
    BrumeSim *sim = create(&def);
    assert_int_equal(brume_emit(sim, 0.1, NULL), BRUME_OK);
    // spin x r = 4 (z, 0, -x) about the axis at (.5, ., .5)
    assert_near(velocity_at(sim, 0, 9, 8, 11), 4.0 * (10.5 * 0.0625 - 0.5), 1e-5);
    assert_near(velocity_at(sim, 2, 11, 8, 9), -4.0 * (10.5 * 0.0625 - 0.5), 1e-5);
    assert_near(velocity_at(sim, 1, 9, 8, 9), 0.0, 1e-6);
    assert_near(velocity_at(sim, 0, 9, 8, 16), 0.0, 1e-6); // outside
    brume_sim_destroy(sim);
}

// a linear velocity of samples, in the frame of a shape that is turned by 90 degrees and moved
static void test_flow_of_samples(void **state)
{
    (void)state;
    enum { N = 9 };
    static float values[3][N * N * N];
    for (int n = 0; n < N * N * N; n++) {
        const float x = 0.25f * (float)(n % N) - 1.0f;
        const float y = 0.25f * (float)(n / N % N) - 1.0f;
        values[0][n] = 1.0f + x;
        values[1][n] = 2.0f * y;
        values[2][n] = -0.5f;
    }
    BrumeSamples *samples[3] = {NULL, NULL, NULL};
    BrumeSimDef def = forced_box(16, 0.0625f, BRUME_FORCE_FLOW);
    for (int n = 0; n < 3; n++) {
        const BrumeSamplesDef of_values = {
            .nx = N, .ny = N, .nz = N, .first = {-1.0, -1.0, -1.0}, .spacing = 0.25, .values = values[n]};
        assert_int_equal(brume_samples_create(&samples[n], &of_values, NULL), BRUME_OK);
        def.emitters[0].force.samples[n] = samples[n];
    }
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_BOX,
                                         .a = {-0.5f, -0.5f, -0.5f},
                                         .b = {0.5f, 0.5f, 0.5f},
                                         .position = {0.5f, 0.5f, 0.5f},
                                         .rotation = {0.0f, 0.0f, 90.0f}};
    def.emitters[0].force.rate = 1e5f;
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 3; n++) {
        brume_samples_release(samples[n]);
    }
    assert_int_equal(brume_emit(sim, 0.1, NULL), BRUME_OK);
    // own x is the world's y, own y the world's -x, about (.5, .5, .5)
    assert_near(velocity_at(sim, 1, 5, 10, 8), 1.0 + (9.0 * 0.0625 - 0.5), 1e-5);
    assert_near(velocity_at(sim, 0, 5, 10, 8), -2.0 * -(4.0 * 0.0625 - 0.5), 1e-5);
    assert_near(velocity_at(sim, 2, 5, 10, 8), -0.5, 1e-5);
    brume_sim_destroy(sim);
}

static double noise_at(const BrumeCurlNoise *noise, BrumeVec3 at, int axis)
{
    return (double)brume_curl_noise_at(noise, at, axis);
}

// curl noise has the mean square 1, no divergence, a period of 16 spacings, and is continuous in time
static void test_curl_noise(void **state)
{
    (void)state;
    static BrumeCurlNoise noise;
    double squares = 0.0;
    double largest = 0.0;
    enum { POINTS = 40000, SEEDS = 5 };
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        brume_curl_noise_set(&noise, 3.3 * seed, seed);
        for (int n = 0; n < POINTS / SEEDS; n++) {
            const BrumeVec3 at = {fmodf(0.618034f * (float)n, 16.0f), fmodf(0.414214f * (float)n, 16.0f),
                                  fmodf(0.732051f * (float)n, 16.0f)};
            const float h = 1.0f / 256.0f;
            double divergence = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                const double value = noise_at(&noise, at, axis);
                squares += value * value;
                const BrumeVec3 by = brume_along(axis, h);
                divergence += (noise_at(&noise, brume_add(at, by), axis) - noise_at(&noise, brume_sub(at, by), axis)) /
                              (2.0 * (double)h);
            }
            largest = fmax(largest, fabs(divergence));
        }
    }
    assert_near(squares / POINTS, 1.0, 0.03);
    assert_at_most(largest, 0.02); // rounding and the kinks of the first derivative
    const BrumeVec3 at = {1.3f, -2.7f, 5.1f};
    const BrumeVec3 around = {1.3f + 16.0f, -2.7f - 32.0f, 5.1f};
    assert_near(noise_at(&noise, around, 1), noise_at(&noise, at, 1), 1e-5);
    brume_curl_noise_set(&noise, 2.0 - 1e-6, 7);
    const double before = noise_at(&noise, at, 0);
    brume_curl_noise_set(&noise, 2.0, 7);
    assert_near(noise_at(&noise, at, 0), before, 1e-4);
}

// the acceleration has the root mean square of the setting
static void test_turbulence_has_its_strength(void **state)
{
    (void)state;
    BrumeSimDef def = forced_box(32, 0.03125f, BRUME_FORCE_TURBULENCE);
    def.emitters[0].force.strength = 3.0f;
    def.emitters[0].force.scale = 0.15f;
    for (int moving = 0; moving < 2; moving++) {
        def.texture_period = moving ? 0.7f : 0.0f;
        BrumeSim *sim = create(&def);
        assert_int_equal(brume_emit(sim, 0.1, NULL), BRUME_OK);
        double squares = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            for (int n = 0; n < 32 * 32 * 32; n++) {
                const double u = velocity_at(sim, axis, 1 + n % 32, 1 + n / 32 % 32, 1 + n / 1024);
                squares += u * u / (32 * 32 * 32);
            }
        }
        assert_near(sqrt(squares), 0.3, 0.03);
        brume_sim_destroy(sim);
    }
}

// eddies that do not change move with a uniform wind
static void test_turbulence_moves_with_the_air(void **state)
{
    (void)state;
    BrumeSimDef def = forced_box(32, 0.03125f, BRUME_FORCE_TURBULENCE);
    def.emitters[0].force.strength = 1e-3f; // the wind stays uniform
    def.emitters[0].force.scale = 0.15f;
    def.emitters[0].force.speed = 0.0f;
    def.wind = brume_vec3(1.0f, 0.0f, 0.0f);
    def.texture_period = 8.0f;
    double before[3] = {0.0, 0.0, 0.0};
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 32; n++) { // 8 cells in .25 s
        step(sim, 0.25 / 32.0, NULL);
        if (n == 15 || n == 31) {
            // by the force alone, twice, 4 cells apart along x
            const int i = n == 15 ? 8 : 12;
            double change[3];
            for (int axis = 0; axis < 3; axis++) {
                change[axis] = -velocity_at(sim, axis, i, 9, 7);
            }
            assert_int_equal(brume_emit(sim, 1e-3, NULL), BRUME_OK);
            for (int axis = 0; axis < 3; axis++) {
                change[axis] += velocity_at(sim, axis, i, 9, 7);
            }
            brume_set_velocity_boundary(sim); // for the next step
            (void)brume_measure_flow(sim);
            for (int axis = 1; axis < 3 && n == 31; axis++) { // along x, the velocity of 1 hides it
                assert_at_least(fabs(change[axis]), 1e-7);
                assert_near(change[axis], before[axis], 1e-8);
            }
            memcpy(before, change, sizeof before);
        }
    }
    brume_sim_destroy(sim);
}

static double one(double x, double y, double z, const void *context)
{
    (void)x;
    (void)y;
    (void)z;
    (void)context;
    return 1.0;
}

// on smoke of the full density the acceleration towards a box is strength (1 - (d / range)^2)^2, and smoke beyond stays
static void test_attraction_has_its_profile(void **state)
{
    (void)state;
    BrumeSimDef def = forced_box(32, 0.03125f, BRUME_FORCE_ATTRACTION);
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {-1.0f, -1.0f, -1.0f}, .b = {0.25f, 2.0f, 2.0f}};
    def.emitters[0].force.strength = 3.0f;
    def.emitters[0].force.range = 0.5f;
    def.emitters[0].force.rate = 0.0f;
    BrumeSim *sim = create(&def);
    fill(sim, BRUME_FIELD_DENSITY, one, NULL);
    assert_int_equal(brume_emit(sim, 0.01, NULL), BRUME_OK);
    for (int i = 2; i <= 32; i++) {
        const double d = (i - 1) * 0.03125 - 0.25;
        const double inner = 1.0 - d * d / 0.25;
        const double expected = i < 10 || d >= 0.5 ? 0.0 : -0.03 * inner * inner; // face 9 has half of the slope
        if (i != 9) {
            assert_near(velocity_at(sim, 0, i, 16, 16), expected, 1e-4);
        }
        assert_near(velocity_at(sim, 1, i, 16, 16), 0.0, 1e-7);
    }
    brume_sim_destroy(sim);
}

static double blob(double x, double y, double z, const void *context)
{
    const double *center = context;
    const double square =
        (x - center[0]) * (x - center[0]) + (y - center[1]) * (y - center[1]) + (z - center[2]) * (z - center[2]);
    return square < 0.01 ? 1.0 : 0.0;
}

// the share of the smoke within `radius` of a point
static double share_within(const BrumeSim *sim, const double center[3], double radius)
{
    double inside = 0.0;
    double total = 0.0;
    const BrumeField *density = &sim->fields[BRUME_FIELD_DENSITY];
    const double dx = (double)sim->def.dx;
    for (int n = 0; n < 32 * 32 * 32; n++) {
        const int index[3] = {1 + n % 32, 1 + n / 32 % 32, 1 + n / 1024};
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            const double way = (index[axis] - 0.5) * dx - center[axis];
            square += way * way;
        }
        const double value = (double)brume_field_at(density, index[0], index[1], index[2]);
        total += value;
        inside += square < radius * radius ? value : 0.0;
    }
    return inside / total;
}

// a ball of smoke in a closed box is drawn into a sphere beside it and stays there; no smoke is lost
static void test_smoke_goes_to_its_target(void **state)
{
    (void)state;
    BrumeSimDef def = forced_box(32, 0.03125f, BRUME_FORCE_ATTRACTION);
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        def.faces[side].kind = BRUME_WALL;
    }
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.7f, 0.5f, 0.5f}, .radius = 0.15f};
    def.emitters[0].force.strength = 8.0f;
    def.emitters[0].force.range = 0.8f;
    def.emitters[0].force.rate = 4.0f;
    BrumeSim *sim = create(&def);
    const double start[3] = {0.25, 0.5, 0.5};
    const double target[3] = {0.7, 0.5, 0.5};
    fill(sim, BRUME_FIELD_DENSITY, blob, start);
    brume_sim_measure(sim, &measures);
    const double total = measures.scalars[1].total;
    assert_near(share_within(sim, target, 0.2), 0.0, 1e-6);
    for (int n = 0; n < 96; n++) {
        step(sim, 1.0 / 48.0, NULL);
    }
    assert_at_least(share_within(sim, target, 0.2), 0.8);
    brume_sim_measure(sim, &measures);
    assert_near(measures.scalars[1].total, total, 1e-5 * total);
    brume_sim_destroy(sim);
}

static void test_refused_forces(void **state)
{
    (void)state;
    BrumeSimDef def = forced_box(8, 0.125f, BRUME_FORCE_FLOW);
    BrumeSim *sim = NULL;
    BrumeError error;
    assert_int_equal(brume_sim_create(&sim, &def, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "'emitter' 0 has the force 'flow' without samples");
    def.emitters[0].force.kind = BRUME_FORCE_ATTRACTION;
    def.emitters[0].from = BRUME_EMIT_SURFACE;
    def.emitters[0].thickness = 0.1f;
    assert_int_equal(brume_sim_create(&sim, &def, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "'emitter' 0: an attraction needs a shape other than a volume, and no 'emit_from'");
    def.emitters[0].from = BRUME_EMIT_VOLUME;
    def.emitters[0].force.range = 0.0f;
    assert_int_equal(brume_sim_create(&sim, &def, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "'range' in 'emitter' 0 is 0, but must be from 0.0001 to 10000 [m]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wind_and_drag_relax_exactly),
        cmocka_unit_test(test_coverage_and_time),
        cmocka_unit_test(test_vortex_is_a_rotation),
        cmocka_unit_test(test_flow_of_samples),
        cmocka_unit_test(test_curl_noise),
        cmocka_unit_test(test_turbulence_has_its_strength),
        cmocka_unit_test(test_turbulence_moves_with_the_air),
        cmocka_unit_test(test_attraction_has_its_profile),
        cmocka_unit_test(test_smoke_goes_to_its_target),
        cmocka_unit_test(test_refused_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

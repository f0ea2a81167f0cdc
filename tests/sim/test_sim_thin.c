/*
 * Boxes that are one cell thick compute the result of eight identical layers: with every pressure solver, along y and
 * along z, with bodies, sources, diffusion, confinement and a velocity across the box.
 */
#include "core/field.h"
#include "sim/measures/monitor.h"
#include "sim_support.h"

enum { LAYERS = 8, STEPS = 6 };

typedef struct Case {
    const char *name;
    const char *pressure;
    double tolerance; // relative difference of the velocities after all steps
    BrumeFaceKind kind;
    bool body;
} Case;

// the air that enters through an open side depends on the sign of the velocity there, which rounding decides where the
// air is almost at rest; elsewhere the tolerance of the pressure solve holds
static const Case cases[] = {
    {"dct, walls", "dct", 2e-5, BRUME_WALL, false},
    {"dct, open", "dct", 5e-3, BRUME_OPEN, false},
    {"dct, periodic", "dct", 2e-5, BRUME_PERIODIC, false},
    {"fft", "fft", 2e-5, BRUME_PERIODIC, false},
    {"mgpcg, walls", "mgpcg", 5e-5, BRUME_WALL, true},
    {"mgpcg, open", "mgpcg", 5e-3, BRUME_OPEN, true},
    {"mgpcg, periodic", "mgpcg", 5e-5, BRUME_PERIODIC, true},
    {"multigrid", "multigrid", 5e-5, BRUME_WALL, true},
    {"cg", "cg", 5e-5, BRUME_WALL, true},
    {"relaxation", "relaxation", 5e-3, BRUME_OPEN, true},
};

// a plume next to a cylinder that spans the thin axis, with a uniform velocity along it
static BrumeSimDef scene_of(const Case *test, int thin, int layers)
{
    const int other = thin == 1 ? 2 : 1;
    BrumeSimDef def = box_def(48, 40, 40, 1.0f / 48.0f, test->kind);
    *(thin == 1 ? &def.ny : &def.nz) = layers;
    def.faces[2 * thin].kind = def.faces[2 * thin + 1].kind = BRUME_PERIODIC;
    def.pressure = test->pressure;
    def.tolerance = 4e-6f;
    def.max_iterations = 3000;
    def.gravity = other == 1 ? brume_vec3(0.3f, -9.81f, 0.0f) : brume_vec3(0.3f, 0.0f, -9.81f);
    def.wind = thin == 1 ? brume_vec3(0.0f, 0.2f, 0.0f) : brume_vec3(0.0f, 0.0f, 0.2f);
    def.viscosity = 1e-3f;
    def.thermal_diffusivity = 1e-3f;
    def.smoke[0].diffusivity = 1e-3f;
    def.vorticity_confinement = 0.3f;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    const float far = 10.0f;
    def.emitters[0].shape = (BrumeShape){
        .kind = BRUME_SHAPE_CYLINDER,
        .a = thin == 1 ? brume_vec3(0.4f, -far, 0.2f) : brume_vec3(0.4f, 0.2f, -far),
        .b = thin == 1 ? brume_vec3(0.4f, far, 0.2f) : brume_vec3(0.4f, 0.2f, far),
        .radius = 0.1f,
    };
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 200.0f};
    def.body_count = test->body;
    def.bodies[0].shape = def.emitters[0].shape;
    def.bodies[0].shape.a.x = def.bodies[0].shape.b.x = 0.55f;
    *(other == 1 ? &def.bodies[0].shape.a.y : &def.bodies[0].shape.a.z) = 0.45f;
    *(other == 1 ? &def.bodies[0].shape.b.y : &def.bodies[0].shape.b.z) = 0.45f;
    // the same vortices in any number of layers
    def.initial_count = 1;
    def.initial[0] = brume_default_initial_def();
    def.initial[0].kind = BRUME_INITIAL_TAYLOR_GREEN;
    def.initial[0].axis = thin;
    def.initial[0].speed = 0.5f;
    def.initial[0].waves = thin == 1 ? brume_vec3(1.0f, 0.0f, 1.0f) : brume_vec3(1.0f, 1.0f, 0.0f);
    return def;
}

// the largest difference of a quantity in the box of one layer from the layers of the other, over its largest value
static double difference(const BrumeSim *one, const BrumeSim *many, BrumeFieldId id, int thin)
{
    const BrumeField *a = &one->fields[id];
    const BrumeField *b = &many->fields[id];
    double largest = 0.0;
    for (int k = 1; k <= b->grid.nz; k++) {
        for (int j = 1; j <= b->grid.ny; j++) {
            for (int i = 1; i <= b->grid.nx; i++) {
                const double value = (double)brume_field_at(a, i, thin == 1 ? 1 : j, thin == 2 ? 1 : k);
                largest = fmax(largest, fabs(value - (double)brume_field_at(b, i, j, k)));
            }
        }
    }
    return largest / fmax(max_abs(b), 1e-6);
}

static void expect_same(const Case *test, int thin, const char *advection, const char *kernels)
{
    BrumeSimDef def = scene_of(test, thin, 1);
    def.advection = advection;
    def.kernels = kernels;
    BrumeSim *one = create(&def);
    def = scene_of(test, thin, LAYERS);
    def.advection = advection;
    def.kernels = kernels;
    BrumeSim *many = create(&def);
    static const BrumeFieldId ids[] = {BRUME_FIELD_U, BRUME_FIELD_V, BRUME_FIELD_W, BRUME_FIELD_TEMPERATURE,
                                       BRUME_FIELD_DENSITY};
    for (int n = 0; n < STEPS; n++) {
        BrumeStepStats stats[2];
        step(one, 0.02, &stats[0]);
        step(many, 0.02, &stats[1]);
        if (!(stats[0].converged && stats[1].converged)) {
            fail_msg("%s, thin along %c: not converged, residuals %g after %d and %g after %d iterations", test->name,
                     "xyz"[thin], stats[0].residual, stats[0].iterations, stats[1].residual, stats[1].iterations);
        }
        if (n == 0) {
            assert_at_most(stats[0].iterations, 1.5 * stats[1].iterations + 2.0);
        }
    }
    for (size_t n = 0; n < sizeof ids / sizeof ids[0]; n++) {
        const double found = difference(one, many, ids[n], thin);
        if (!(found <= test->tolerance)) {
            print_error("%s, %s, thin along %c, quantity %d\n", test->name, advection, "xyz"[thin], (int)ids[n]);
        }
        assert_at_most(found, test->tolerance);
    }
    assert_at_least(max_abs(&one->fields[BRUME_FIELD_U]), 0.3);
    brume_sim_destroy(one);
    brume_sim_destroy(many);
}

static void test_one_cell_is_eight_layers(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        for (int thin = 1; thin <= 2; thin++) {
            for (int scheme = 0; brume_advection_name(scheme); scheme++) {
                if (scheme == 0 || n == 0) {
                    expect_same(&cases[n], thin, brume_advection_name(scheme), "fast");
                }
            }
        }
    }
}

// the reference kernels give the bits of the fast ones in a thin box too
static void test_reference_kernels(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        for (int thin = 1; thin <= 2; thin++) {
            BrumeSimDef def = scene_of(&cases[n], thin, 1);
            BrumeSim *fast = create(&def);
            def.kernels = "reference";
            BrumeSim *reference = create(&def);
            for (int s = 0; s < 3; s++) {
                step(fast, 0.02, NULL);
                step(reference, 0.02, NULL);
            }
            assert_true(brume_sim_hash(fast) == brume_sim_hash(reference));
            brume_sim_destroy(fast);
            brume_sim_destroy(reference);
        }
    }
}

static void test_threads(void **state)
{
    (void)state;
    for (int thin = 1; thin <= 2; thin++) {
        uint64_t hashes[2];
        for (int n = 0; n < 2; n++) {
            brume_set_threads(n == 0 ? 1 : 3);
            const BrumeSimDef def = scene_of(&cases[4], thin, 1);
            BrumeSim *sim = create(&def);
            for (int s = 0; s < 3; s++) {
                step(sim, 0.02, NULL);
            }
            hashes[n] = brume_sim_hash(sim);
            brume_sim_destroy(sim);
        }
        assert_true(hashes[0] == hashes[1]);
    }
}

// a change to another resolution, and back
static void test_resample(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(32, 32, 1, 1.0f / 32.0f, BRUME_PERIODIC);
    def.initial_count = 1;
    def.initial[0] = brume_default_initial_def();
    def.initial[0].kind = BRUME_INITIAL_MODE;
    def.initial[0].quantity = BRUME_INITIAL_TEMPERATURE;
    BrumeSim *sim = create(&def);
    const double before = max_abs(&sim->fields[BRUME_FIELD_TEMPERATURE]);
    BrumeSimDef fine = def;
    fine.nx = fine.ny = 64;
    fine.dx = 1.0f / 64.0f;
    BrumeError error = {0};
    assert_int_equal(brume_sim_change(sim, &fine, &error), BRUME_OK);
    assert_near(max_abs(&sim->fields[BRUME_FIELD_TEMPERATURE]), before, 0.02);
    assert_int_equal(brume_sim_change(sim, &def, &error), BRUME_OK);
    assert_near(max_abs(&sim->fields[BRUME_FIELD_TEMPERATURE]), before, 0.02);
    step(sim, 0.1, NULL);
    brume_sim_destroy(sim);
}

static void expect_refused(BrumeSimDef def, const char *text)
{
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_sim_create(&sim, &def, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, text);
}

static void test_refused(void **state)
{
    (void)state;
    expect_refused(box_def(1, 16, 16, 0.1f, BRUME_PERIODIC),
                   "'resolution' in 'solver' is 1 along x; a box may be one cell thick along y or z");
    expect_refused(box_def(16, 1, 1, 0.1f, BRUME_PERIODIC),
                   "'resolution' in 'solver' is 1 along two axes; a box may be one cell thick along y or z");
    expect_refused(box_def(16, 16, 1, 0.1f, BRUME_WALL),
                   "'resolution' in 'solver' is 1 along z, whose faces must then be periodic ('boundaries: {z: "
                   "periodic}')");
    expect_refused(box_def(16, 16, 4, 0.1f, BRUME_PERIODIC),
                   "'resolution' in 'solver' is 4, but must be from 8 to 4096 [cells]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_cell_is_eight_layers),
        cmocka_unit_test(test_reference_kernels),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_resample),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

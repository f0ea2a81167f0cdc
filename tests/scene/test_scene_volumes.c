/*
 * Volume files in scenes: initial fields, emitters and bodies whose values a reader of this test makes from
 * formulas.
 */
#include "scene_support.h"

#include "brume/brume.h"
#include "core/field.h"
#include "core/samples.h"
#include "core/vec3.h"
#include "scene/compare.h"
#include "sim/boundary/geometry.h"
#include "sim/state/state.h"

#include <math.h>
#include <string.h>

enum { MAX_VALUES = 64 * 64 * 64 };

/** What the reader makes of the file: the values of component n at x, y and z are slope x + 2 slope y + ... */
typedef struct Reader {
    int reads;
    float change; ///< added to all values
} Reader;

static double linear(double x, double y, double z) { return 3.0 + x + 2.0 * y - 0.5 * z; }

// from 1.5 inside a sphere at (0, 0.5, 0) to below: the level 1 is at a distance of 0.25
static double ball(double x, double y, double z) { return 1.25 - sqrt(x * x + (y - 0.5) * (y - 0.5) + z * z); }

static double hat(double x, double y, double z) { return fmax(0.0, 4.0 * (ball(x, y, z) - 1.0)); }

static const char *base_of(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }

static BrumeStatus fail_read(BrumeError *error, const char *path, const char *reason)
{
    error->status = BRUME_BAD_INPUT;
    (void)snprintf(error->text, sizeof error->text, "%s: %s", base_of(path), reason);
    return BRUME_BAD_INPUT;
}

// files: linear.vdb, ball.vdb, hat.vdb, nan.vdb of 24 x 36 x 20 values at the centers of cells of 1/16 m
static BrumeStatus read_formula(void *context, const char *path, const char *grid, int count, int frame,
                                BrumeSamples *samples[3], BrumeError *error)
{
    (void)frame;
    static float values[MAX_VALUES];
    Reader *reader = context;
    const char *name = base_of(path);
    double (*const formula)(double, double, double) = strcmp(name, "ball.vdb") == 0  ? ball
                                                      : strcmp(name, "hat.vdb") == 0 ? hat
                                                                                     : linear;
    reader->reads++;
    if (strcmp(name, "missing.vdb") == 0) {
        return fail_read(error, path, "no such file");
    }
    BrumeSamplesDef def = {
        .nx = 24, .ny = 36, .nz = 20, .spacing = 0.0625, .values = values, .file = path, .grid = grid};
    def.first[0] = -0.75 + 0.03125;
    def.first[1] = -0.5 + 0.03125;
    def.first[2] = -0.625 + 0.03125;
    for (int n = 0; n < def.nx * def.ny * def.nz; n++) {
        const int i = n % def.nx;
        const int j = n / def.nx % def.ny;
        const int k = n / def.nx / def.ny;
        values[n] = (float)formula(def.first[0] + i * def.spacing, def.first[1] + j * def.spacing,
                                   def.first[2] + k * def.spacing) +
                    reader->change;
    }
    values[17] = strcmp(name, "nan.vdb") == 0 ? NAN : values[17];
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < count && status == BRUME_OK; n++) {
        status = brume_samples_create(&samples[n], &def, error);
    }
    return status;
}

// two particles, and a row without one
static BrumeStatus read_points(void *context, const char *path, const char *grid, int count, int frame,
                               BrumeSamples *samples[3], BrumeError *error)
{
    (void)frame;
    Reader *reader = context;
    const float change = reader->change;
    const float values[3 * BRUME_POINT_NUMBERS] = {0.1f,  0.5f, 0.2f, 1.0f, 0.0f, 0.0f, 0.0f, 2.0f, 0.0f, 0.03f,
                                                   -0.1f, 0.6f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, change,
                                                   0.0f,  0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, -1.0f};
    assert_string_equal(grid, "");
    assert_int_equal(count, 1);
    reader->reads++;
    const BrumeSamplesDef def = {
        .nx = BRUME_POINT_NUMBERS, .ny = 3, .nz = 1, .spacing = 1.0, .values = values, .file = path, .grid = grid};
    return brume_samples_create(&samples[0], &def, error);
}

static Reader reader;

static const BrumeSceneReaders readers = {.samples = read_formula, .points = read_points, .context = &reader};

static int reset_reader(void **state)
{
    (void)state;
    reader = (Reader){0};
    return 0;
}

static BrumeScene *parse(const char *text)
{
    BrumeScene *scene = NULL;
    BrumeError error;
    if (brume_scene_parse(&scene, text, "scene.yaml", NULL, 0, &readers, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return scene;
}

static void expect_error_of(const BrumeSceneReaders *given, const char *text, const char *expected)
{
    BrumeScene *scene = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_scene_parse(&scene, text, "scene.yaml", NULL, 0, given, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, expected);
    assert_null(scene);
}

static void expect_error(const char *text, const char *expected) { expect_error_of(&readers, text, expected); }

static BrumeSim *simulate(const BrumeScene *scene, int frames)
{
    BrumeSim *sim = NULL;
    BrumeError error;
    BrumeStatus status = brume_sim_create(&sim, &scene->sim, &error);
    for (int n = 0; n < frames && status == BRUME_OK; n++) {
        status = brume_scene_frame(scene, sim, NULL, &error);
    }
    if (status != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static double value_at(const BrumeSim *sim, BrumeFieldId id, int i, int j, int k)
{
    return (double)brume_field_at(brume_sim_field(sim, id), i, j, k);
}

#define BOX "domain: {size: [1, 1, 1]}\nsolver: {resolution: 20}\n" // other cells than the file's

// between the values of the file, a linear function is exact up to the rounding of values
static void test_linear_function(void **state)
{
    (void)state;
    BrumeScene *scene = parse(BOX "initial:\n"
                                  "  - {kind: volume, file: linear.vdb, factor: 2}\n"
                                  "  - {kind: volume, file: linear.vdb, quantity: temperature}\n"
                                  "  - {kind: volume, file: linear.vdb, quantity: color_1, grid: density}\n"
                                  "  - {kind: uniform, quantity: color_1, value: 1}\n");
    assert_int_equal(reader.reads, 2); // density twice, but read once
    assert_int_equal(scene->sim.color_count, 1);
    BrumeSim *sim = simulate(scene, 0);
    for (int k = 1; k <= 20; k++) {
        for (int j = 1; j <= 20; j++) {
            for (int i = 1; i <= 20; i++) {
                const double x = -0.5 + (i - 0.5) * 0.05;
                const double y = (j - 0.5) * 0.05;
                const double z = -0.5 + (k - 0.5) * 0.05;
                expect_near("density", value_at(sim, BRUME_FIELD_DENSITY, i, j, k), 2.0 * linear(x, y, z), 2e-6);
                expect_near("temperature", value_at(sim, BRUME_FIELD_TEMPERATURE, i, j, k), linear(x, y, z), 1e-6);
                expect_near("color", value_at(sim, BRUME_FIELD_COLOR_1, i, j, k), 1.0 + linear(x, y, z), 1e-6);
            }
        }
    }
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
}

// with the cells of the file, values and total equal the file's
static void test_same_cells(void **state)
{
    (void)state;
    BrumeScene *scene = parse("domain: {size: [2, 2.25, 1.25], origin: [-1, -0.5, -0.625]}\n"
                              "solver: {resolution: [32, 36, 20]}\n"
                              "initial:\n  - {kind: volume, file: hat.vdb}\n");
    BrumeSim *sim = simulate(scene, 0);
    double total = 0.0;
    double expected = 0.0;
    for (int k = 1; k <= 20; k++) {
        for (int j = 1; j <= 36; j++) {
            for (int i = 1; i <= 32; i++) {
                // the file has 24 cells along x, those from 5 to 28 of the box
                const float here = i >= 5 && i <= 28 ? (float)hat(-1.0 + (i - 0.5) * 0.0625, -0.5 + (j - 0.5) * 0.0625,
                                                                  -0.625 + (k - 0.5) * 0.0625)
                                                     : 0.0f;
                expect_near("density", value_at(sim, BRUME_FIELD_DENSITY, i, j, k), (double)here, 0.0);
                total += value_at(sim, BRUME_FIELD_DENSITY, i, j, k);
                expected += (double)here;
            }
        }
    }
    assert_true(expected > 50.0);
    expect_near("total", total, expected, 0.0);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
}

static double velocity_at(const BrumeScene *scene, int component, double x, double y, double z)
{
    double value;
    const double at[3] = {x, y, z};
    (void)brume_samples_at(scene->sim.initial[0].samples[component], at, &value);
    return value;
}

// a place in the scene moves and stretches the box of the file; outside it nothing is added
static void test_place(void **state)
{
    (void)state;
    BrumeScene *scene =
        parse(BOX "initial:\n  - {kind: volume, file: linear.vdb, center: [0, 0.5, 0], size: 0.9}\n"
                  "  - {kind: volume, file: linear.vdb, quantity: temperature, size: [1.5, 2.25, 1.25]}\n");
    const BrumeVec3 size = scene->sim.initial[0].size; // in the proportions of 1.5 x 2.25 x 1.25
    expect_near("size along x", (double)size.x, 0.6, 1e-6);
    expect_near("size along y", (double)size.y, 0.9, 1e-6);
    expect_near("size along z", (double)size.z, 0.5, 1e-6);
    BrumeSim *sim = simulate(scene, 0);
    const double x = -0.5 + 9.5 * 0.05;
    const double y = 12.5 * 0.05;
    const double z = -0.5 + 8.5 * 0.05;
    // the center of the box of the file is (0, 0.625, 0), and lengths are 2.5 times as large
    expect_near("density", value_at(sim, BRUME_FIELD_DENSITY, 10, 13, 9),
                linear(2.5 * x, 0.625 + 2.5 * (y - 0.5), 2.5 * z), 2e-6);
    expect_near("density outside", value_at(sim, BRUME_FIELD_DENSITY, 3, 13, 9), 0.0, 0.0);
    expect_near("temperature", value_at(sim, BRUME_FIELD_TEMPERATURE, 10, 13, 9), linear(x, y, z), 1e-6);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
}

// the components are sampled at the faces; in a periodic box the mean is not changed by the projection
static void test_velocity(void **state)
{
    (void)state;
    BrumeScene *scene = parse(BOX "initial:\n  - {kind: volume, file: linear.vdb, quantity: velocity}\n");
    expect_near("u at a face", velocity_at(scene, 0, 0.05, 0.325, 0.1), linear(0.05, 0.325, 0.1), 1e-6);
    assert_int_equal(reader.reads, 1);
    brume_scene_destroy(scene);

    const float uniform[8] = {2.0f, 2.0f, 2.0f, 2.0f, 2.0f, 2.0f, 2.0f, 2.0f};
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.ny = def.nz = 16;
    def.dx = 0.0625f;
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        def.faces[face].kind = BRUME_PERIODIC;
    }
    const BrumeSamplesDef samples_def = {
        .nx = 2, .ny = 2, .nz = 2, .first = {-0.25, 0.25, -0.25}, .spacing = 0.5, .values = uniform};
    BrumeSamples *samples = NULL;
    BrumeError error;
    assert_int_equal(brume_samples_create(&samples, &samples_def, &error), BRUME_OK);
    def.initial_count = 1;
    def.initial[0] = brume_default_initial_def();
    def.initial[0].kind = BRUME_INITIAL_VOLUME;
    def.initial[0].quantity = BRUME_INITIAL_VELOCITY;
    def.initial[0].samples[0] = def.initial[0].samples[1] = def.initial[0].samples[2] = samples;
    BrumeSim *sim = NULL;
    assert_int_equal(brume_sim_create(&sim, &def, &error), BRUME_OK);
    brume_samples_release(samples); // the simulation has references of its own
    expect_near("u", value_at(sim, BRUME_FIELD_U, 5, 6, 7), 2.0, 1e-6);
    expect_near("w", value_at(sim, BRUME_FIELD_W, 16, 16, 1), 2.0, 1e-6);
    brume_sim_destroy(sim);
}

// the solid cells of the samples of a distance equal the cells of the sphere, up to one layer at the surface
static void test_body(void **state)
{
    (void)state;
    BrumeScene *scene = parse("domain: {size: [1, 1, 1]}\nsolver: {resolution: 40}\n"
                              "bodies:\n  - {shape: volume, file: ball.vdb, threshold: 1}\n");
    BrumeSim *sim = simulate(scene, 0);
    int solid = 0;
    for (int k = 1; k <= 40; k++) {
        for (int j = 1; j <= 40; j++) {
            for (int i = 1; i <= 40; i++) {
                const double x = -0.5 + (i - 0.5) * 0.025;
                const double y = (j - 0.5) * 0.025;
                const double z = -0.5 + (k - 0.5) * 0.025;
                const double depth = ball(x, y, z) - 1.0;
                const BrumeField *field = brume_sim_field(sim, BRUME_FIELD_DENSITY);
                const bool is_solid = sim->geometry->cells.flags[brume_field_index(field, i, j, k)] & BRUME_CELL_SOLID;
                if (is_solid != (depth > 0.0) && fabs(depth) > 0.025) {
                    fail_msg("cell (%d, %d, %d) is %s, %g m inside the sphere", i, j, k, is_solid ? "solid" : "fluid",
                             depth);
                }
                solid += is_solid;
            }
        }
    }
    expect_near("solid cells", solid, 4.0 / 3.0 * 3.14159265 * 1000.0, 200.0);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
}

// a rate is weighted with the value over the threshold
static void test_emitter(void **state)
{
    (void)state;
    BrumeScene *scene = parse(BOX "air: {gravity: [0, 0, 0]}\ntime: {fps: 10}\n"
                                  "emitters:\n  - {shape: volume, file: hat.vdb, threshold: 0.5, density_rate: 2}\n");
    BrumeSim *sim = simulate(scene, 1);
    double in_file[3];
    for (int i = 4; i <= 10; i++) {
        in_file[0] = -0.5 + (i - 0.5) * 0.05;
        in_file[1] = 10.5 * 0.05;
        in_file[2] = -0.5 + 9.5 * 0.05;
        double value;
        (void)brume_samples_at(scene->sim.emitters[0].shape.samples, in_file, &value);
        expect_near("density", value_at(sim, BRUME_FIELD_DENSITY, i, 11, 10), 0.1 * 2.0 * fmin(value / 0.5, 1.0), 1e-6);
    }
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
}

// of three rows two are points; a plate without a normal gets one, and without a diameter that of the kind
static void test_points(void **state)
{
    (void)state;
    BrumeScene *scene = parse(BOX "initial:\n  - {kind: points, file: a.ply, particles: leaves}\n");
    BrumeSim *sim = simulate(scene, 0);
    int count;
    const BrumeParticle *particles = brume_sim_particles(sim, &count);
    assert_true(brume_scene_has_particles(scene));
    assert_int_equal(count, 2);
    const BrumeParticle first = {.position = {0.1f, 0.5f, 0.2f},
                                 .velocity = {1.0f, 0.0f, 0.0f},
                                 .normal = {0.0f, 1.0f, 0.0f},
                                 .diameter = 0.03f,
                                 .kind = BRUME_PARTICLE_LEAVES};
    assert_memory_equal(&particles[0], &first, sizeof first);
    assert_float_equal(brume_dot(particles[1].normal, particles[1].normal), 1.0f, 1e-5f);
    assert_float_equal(particles[1].diameter, scene->sim.particles[BRUME_PARTICLE_LEAVES].diameter, 0.0f);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
}

static const char all_uses[] =
    BOX "initial:\n  - {kind: volume, file: hat.vdb, center: [0.1, 0.4, 0], factor: 0.5}\n"
        "  - {kind: volume, file: linear.vdb, quantity: velocity, factor: 0.1}\n"
        "  - {kind: points, file: a.ply, particles: leaves}\n"
        "emitters:\n  - {shape: volume, file: hat.vdb, density: 1, temperature: 50}\n"
        "  - {shape: sphere, center: [0, 0.3, 0], radius: 0.2, force: {kind: flow, file: linear.vdb, rate: 0.5}}\n"
        "bodies:\n"
        "  - {shape: volume, file: ball.vdb, threshold: 1, center: [0.2, 0.7, 0], size: 0.5}\n"
        "time: {frames: 4}\n"
        "timeline:\n"
        "  - {frame: 1, set: {emitters.0.threshold: 0.25}}\n"
        "  - {frame: 2, moves: [{body: 0, velocity: [0.5, 0, 0]}]}\n";

// the written scene has the hashes; it reads as the same scene, also where no file is read
static void test_write(void **state)
{
    (void)state;
    BrumeScene *scene = parse(all_uses);
    char *text = written(scene);
    assert_non_null(strstr(text, "hash: \""));
    BrumeScene *again = parse(text);
    char *same = written(again);
    assert_string_equal(text, same);
    BrumeSim *sim = simulate(scene, 2);
    BrumeSim *other = simulate(again, 2);
    assert_int_equal(brume_sim_hash(sim), brume_sim_hash(other));
    const int reads = reader.reads;
    BrumeScene *unread = NULL;
    BrumeError error;
    assert_int_equal(
        brume_scene_parse_written(&unread, text, "scene.yaml", NULL, 0, BRUME_SCENE_FILES_NONE, &readers, &error),
        BRUME_OK);
    assert_int_equal(reader.reads, reads);
    char *of_unread = written(unread);
    assert_string_equal(text, of_unread);
    BrumeSim *none = NULL;
    assert_int_equal(brume_sim_create(&none, &unread->sim, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "'emitter' 0 is a volume without samples");
    brume_free(text);
    brume_free(same);
    brume_free(of_unread);
    brume_sim_destroy(sim);
    brume_sim_destroy(other);
    brume_scene_destroy(scene);
    brume_scene_destroy(again);
    brume_scene_destroy(unread);
}

// other values in a file are a difference; another path is none
static void test_changed_file(void **state)
{
    (void)state;
    static const char text[] = BOX "initial:\n  - {kind: volume, file: linear.vdb}\n";
    BrumeScene *before = parse(text);
    char *saved = written(before);
    BrumeScene *moved = parse(BOX "initial:\n  - {kind: volume, file: elsewhere/linear.vdb}\n");
    reader.change = 0.5f;
    BrumeScene *after = parse(text);
    BrumeText differences = {0};
    BrumeError error;
    assert_int_equal(brume_scene_compare(before, moved, 1, &differences, &error), BRUME_OK);
    assert_int_equal(differences.size, 0);
    assert_int_equal(brume_scene_compare(before, after, 1, &differences, &error), BRUME_OK);
    assert_int_equal(strncmp(differences.data, "initial.0.hash (", 16), 0);
    BrumeScene *refused = NULL;
    assert_int_equal(brume_scene_parse(&refused, saved, "saved.yaml", NULL, 0, &readers, &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "so it is not the one that the scene was written with"));
    brume_text_destroy(&differences);
    brume_free(saved);
    brume_scene_destroy(before);
    brume_scene_destroy(moved);
    brume_scene_destroy(after);
}

// a saved state holds the samples of shapes; steps have the same bits after it, and with another number of threads
static void test_saved_state(void **state)
{
    (void)state;
    BrumeScene *scene = parse(all_uses);
    const int threads = brume_get_threads();
    brume_set_threads(1);
    BrumeSim *whole = simulate(scene, 4);
    brume_set_threads(2);
    BrumeSim *sim = simulate(scene, 2);
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    BrumeError error;
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    brume_sim_destroy(sim);
    BrumeSim *restored = NULL;
    if (brume_sim_create_saved(&restored, bytes, size, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    for (int n = 0; n < 2; n++) {
        assert_int_equal(brume_scene_frame(scene, restored, NULL, &error), BRUME_OK);
    }
    assert_int_equal(brume_sim_hash(restored), brume_sim_hash(whole));
    BrumeSimDef def = *brume_sim_settings(restored); // initial fields without samples have no effect here
    def.drag = 1.0f;
    assert_int_equal(brume_sim_change(restored, &def, &error), BRUME_OK);
    brume_set_threads(threads);
    free(bytes);
    brume_sim_destroy(restored);
    brume_sim_destroy(whole);
    brume_scene_destroy(scene);
}

static void test_errors(void **state)
{
    (void)state;
    expect_error("initial:\n  - {kind: volume, file: missing.vdb}\n", "scene.yaml:2:26: missing.vdb: no such file");
    expect_error("initial:\n  - {kind: volume, file: nan.vdb}\n",
                 "scene.yaml:2:26: the value at (17, 0, 0) is not finite");
    expect_error(
        "initial:\n  - {kind: volume, file: linear.vdb, center: [5, 0, 0]}\n",
        "scene.yaml:2:46: this volume spans 4.25 to 5.75 m along x, outside the box, which spans -0.5 to 0.5 m "
        "(move it with 'center')");
    expect_error("domain: {origin: [3, 0, 0]}\nbodies:\n  - {shape: volume, file: linear.vdb}\n",
                 "scene.yaml:3:5: a volume in 'body' lies outside the box, which spans [3, 0, 0] to [4, 1, 1] m");
    expect_error_of(NULL, "bodies:\n  - {shape: volume, file: linear.vdb}\n",
                    "scene.yaml:2:27: this program does not read volume files, such as the 'file' of this scene");
    const BrumeSceneReaders of_skies_alone = {0};
    expect_error_of(&of_skies_alone, "bodies:\n  - {shape: volume, file: linear.vdb}\n",
                    "scene.yaml:2:27: this program does not read volume files, such as the 'file' of this scene");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_linear_function, reset_reader),
        cmocka_unit_test_setup(test_same_cells, reset_reader),
        cmocka_unit_test_setup(test_place, reset_reader),
        cmocka_unit_test_setup(test_velocity, reset_reader),
        cmocka_unit_test_setup(test_body, reset_reader),
        cmocka_unit_test_setup(test_emitter, reset_reader),
        cmocka_unit_test_setup(test_points, reset_reader),
        cmocka_unit_test_setup(test_write, reset_reader),
        cmocka_unit_test_setup(test_changed_file, reset_reader),
        cmocka_unit_test_setup(test_saved_state, reset_reader),
        cmocka_unit_test_setup(test_errors, reset_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Emitters whose samples vary with time: what they emit against sums of the samples, flows that turn, and that all
// ranks, any number of threads and a loaded state have the same bits.
#include "core/memory.h"
#include "core/samples.h"
#include "core/shape.h"
#include "shared_frames.h"
#include "sim/state/emitter_samples.h"
#include "sim_support.h"

enum { N = 8, MOST_FILES = 3 };
static const float DX = 0.125f;
static const float FPS = 10.0f;
static const float THRESHOLD = 64.0f; // above all values: an emitter has the part value / THRESHOLD of its strength

/** The files of a test: frames of which each has a grid of its own. */
typedef struct Files {
    int count;
    int numbers[MOST_FILES];
    int shift[MOST_FILES];          // of the grid along x [cells]
    float factor[MOST_FILES];       // of the values
    BrumeVec3 velocity[MOST_FILES]; // of a vector, the same everywhere
    int components;
    int missing; // this frame cannot be read; 0: all can
    int destroyed;
} Files;

// from 1 to 7, different in neighbors
static float value_at(int i, int j, int k) { return (float)(1 + (i + 2 * j + 4 * k) % 7); }

static BrumeStatus read_frame(void *context, int index, BrumeSamples *samples[3], BrumeError *error)
{
    const Files *files = context;
    static _Thread_local float values[N * N * N];
    if (files->missing > 0 && index == files->missing) {
        (void)snprintf(error->text, sizeof error->text, "smoke.%04d.vdb: cannot open", files->numbers[index]);
        return error->status = BRUME_BAD_INPUT;
    }
    for (int component = 0; component < files->components; component++) {
        for (int n = 0; n < N * N * N; n++) {
            values[n] = files->components == 3 ? brume_component(files->velocity[index], component)
                                               : files->factor[index] * value_at(n % N, n / N % N, n / N / N);
        }
        const double half = 0.5 * (double)DX;
        const BrumeSamplesDef def = {.nx = N,
                                     .ny = N,
                                     .nz = N,
                                     .first = {half + files->shift[index] * (double)DX, half, half},
                                     .spacing = (double)DX,
                                     .values = values,
                                     .file = "smoke.####.vdb"};
        assert_int_equal(brume_samples_create(&samples[component], &def, error), BRUME_OK);
    }
    return BRUME_OK;
}

static void destroy_files(void *context) { ((Files *)context)->destroyed++; }

static void make_samples(Files *files, BrumeSamples *samples[3])
{
    const BrumeSamplesFramesDef def = {.count = files->count,
                                       .frames = files->numbers,
                                       .read = read_frame,
                                       .destroy = destroy_files,
                                       .context = files};
    samples[0] = samples[1] = samples[2] = NULL;
    assert_int_equal(read_frame(files, 0, samples, NULL), BRUME_OK);
    assert_int_equal(brume_samples_set_frames(samples, files->components, &def, NULL), BRUME_OK);
}

static void release(BrumeSamples *samples[3])
{
    for (int n = 0; n < 3; n++) {
        brume_samples_release(samples[n]);
    }
}

// a box of air at rest, as large as the grid of the first frame, with one emitter of the shape of the samples
static BrumeSimDef still_box(int nx, const BrumeSamples *samples)
{
    BrumeSimDef def = box_def(nx, N, N, DX, BRUME_PERIODIC);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.fps = FPS;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    const float side = (float)N * DX;
    def.emitters[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_VOLUME, .b = {side, side, side}, .samples = samples, .threshold = THRESHOLD};
    return def;
}

static void expect_density(const BrumeSim *sim, int shift, double factor)
{
    for (int n = 0; n < N * N * N; n++) {
        const int index[3] = {n % N, n / N % N, n / N / N};
        const double expected = factor * (double)(value_at(index[0], index[1], index[2]) / THRESHOLD);
        const BrumeField *density = &sim->fields[BRUME_FIELD_DENSITY];
        assert_near((double)brume_field_at(density, index[0] + 1 + shift, index[1] + 1, index[2] + 1), expected,
                    1e-6 * expected);
    }
}

static const Files doubling = {.count = 3, .numbers = {0, 1, 3}, .factor = {1.0f, 2.0f, 4.0f}, .components = 1};

// a rate emits the integral over time of what is linear between frames and constant after the last one
static void test_rate_is_integrated(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 4; steps += 3) { // in a frame
        Files files = doubling;
        BrumeSamples *samples[3];
        make_samples(&files, samples);
        BrumeSimDef def = still_box(N, samples[0]);
        def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, 5.0f};
        BrumeSim *sim = create(&def);
        release(samples);
        const double means[] = {1.5, 2.5, 3.5, 4.0};
        double emitted = 0.0;
        for (int frame = 0; frame < 4; frame++) {
            for (int n = 0; n < steps; n++) {
                step(sim, 1.0 / (double)FPS / steps, NULL);
            }
            emitted += means[frame] * 5.0 / (double)FPS;
            expect_density(sim, 0, emitted);
        }
        assert_int_equal(files.destroyed, 0);
        brume_sim_destroy(sim);
        assert_int_equal(files.destroyed, 1);
    }
}

// an imposed value is that of the frame at the end of the step, from time 0 on
static void test_values_of_frames(void **state)
{
    (void)state;
    Files files = doubling;
    BrumeSamples *samples[3];
    make_samples(&files, samples);
    BrumeSimDef def = still_box(N, samples[0]);
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    BrumeSim *sim = create(&def);
    release(samples);
    assert_int_equal(brume_emit_initially(sim, NULL), BRUME_OK);
    expect_density(sim, 0, 1.0);
    const double factors[] = {2.0, 3.0, 4.0, 4.0};
    double sum = 0.0;
    for (int n = 0; n < N * N * N; n++) {
        sum += (double)value_at(n % N, n / N % N, n / N / N);
    }
    for (int frame = 0; frame < 4; frame++) {
        assert_int_equal(brume_sim_frame(sim, NULL, NULL), BRUME_OK);
        expect_density(sim, 0, factors[frame]);
        assert_near(sum_of(&sim->fields[BRUME_FIELD_DENSITY]) * (double)THRESHOLD, factors[frame] * sum, 1e-3);
    }
    brume_sim_destroy(sim);
}

// a grid that moves: each frame has its own place, and the earlier one acts up to the later one
static void test_grids_of_frames(void **state)
{
    (void)state;
    Files files = {.count = 2, .numbers = {0, 1}, .shift = {0, N}, .factor = {1.0f, 2.0f}, .components = 1};
    BrumeSamples *samples[3];
    make_samples(&files, samples);
    BrumeSimDef def = still_box(3 * N, samples[0]);
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, (float)FPS};
    BrumeSim *sim = create(&def);
    assert_int_equal(brume_sim_frame(sim, NULL, NULL), BRUME_OK);
    expect_density(sim, 0, 1.0);
    expect_density(sim, N, 0.0);
    assert_int_equal(brume_sim_frame(sim, NULL, NULL), BRUME_OK);
    expect_density(sim, 0, 1.0);
    expect_density(sim, N, 2.0);
    expect_density(sim, 2 * N, 0.0);
    brume_sim_destroy(sim);
    // a shape that is twice as large, turned about its pivot
    def.emitters[0].shape.b = brume_scale(def.emitters[0].shape.b, 2.0f);
    def.emitters[0].shape.rotation.y = 90.0f;
    sim = create(&def);
    assert_int_equal(brume_read_emitter_samples(sim, 0.1, NULL), BRUME_OK);
    BrumeShape shape = def.emitters[0].shape;
    brume_set_shape_samples(sim, 0, false, &shape);
    assert_true(brume_shape_equal(&shape, &def.emitters[0].shape));
    brume_set_shape_samples(sim, 0, true, &shape);
    assert_near((double)shape.a.x, 2.0, 1e-6);
    assert_near((double)shape.b.x, 4.0, 1e-6);
    assert_near((double)shape.b.y, 2.0, 1e-6);
    assert_near((double)brume_shape_pivot(&shape).x, 1.0, 1e-6);
    brume_sim_destroy(sim);
    release(samples);
    assert_int_equal(files.destroyed, 1);
}

// the flow turns from x to y between two frames
static void test_flow_turns(void **state)
{
    (void)state;
    Files files = {
        .count = 2, .numbers = {0, 2}, .velocity = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}}, .components = 3};
    BrumeSamples *samples[3];
    make_samples(&files, samples);
    BrumeSimDef def = still_box(N, NULL);
    const float side = (float)N * DX;
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_BOX, .b = {side, side, side}};
    def.emitters[0].force.kind = BRUME_FORCE_FLOW;
    def.emitters[0].force.rate = 1e5f;
    for (int n = 0; n < 3; n++) {
        def.emitters[0].force.samples[n] = samples[n];
    }
    BrumeSim *sim = create(&def);
    release(samples);
    const double along_y[] = {0.25, 0.75, 1.0}; // in the middle of each step
    for (int n = 0; n < 3; n++) {
        step(sim, 0.1, NULL);
        assert_near((double)brume_field_at(&sim->fields[0], 4, 4, 4), 1.0 - along_y[n], 1e-5);
        assert_near((double)brume_field_at(&sim->fields[1], 4, 4, 4), along_y[n], 1e-5);
        assert_near((double)brume_field_at(&sim->fields[2], 4, 4, 4), 0.0, 1e-5);
    }
    brume_sim_destroy(sim);
    assert_int_equal(files.destroyed, 1);
}

// hot smoke from a grid that moves, in a flow that turns
typedef struct Busy {
    Files smoke, flow;
    BrumeSamples *samples[2][3];
    BrumeSimDef def;
} Busy;

static void make_busy(Busy *busy)
{
    busy->smoke =
        (Files){.count = 3, .numbers = {0, 2, 3}, .shift = {0, 2, 2}, .factor = {1.0f, 2.0f, 4.0f}, .components = 1};
    busy->flow =
        (Files){.count = 2, .numbers = {1, 4}, .velocity = {{2.0f, 0.5f, 0.0f}, {0.0f, 1.0f, 2.0f}}, .components = 3};
    make_samples(&busy->smoke, busy->samples[0]);
    make_samples(&busy->flow, busy->samples[1]);
    busy->def = still_box(2 * N, busy->samples[0][0]);
    BrumeSimDef *def = &busy->def;
    def->nz = 2 * N;
    def->gravity = brume_vec3(0.0f, -9.81f, 0.0f);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        def->faces[face].kind = face == BRUME_FACE_Y_MAX ? BRUME_OPEN : BRUME_WALL;
    }
    BrumeEmitterDef *emitter = &def->emitters[0];
    emitter->smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    emitter->temperature = (BrumeSource){BRUME_SOURCE_RATE, 500.0f};
    emitter->force.kind = BRUME_FORCE_FLOW;
    emitter->force.rate = 3.0f;
    for (int n = 0; n < 3; n++) {
        emitter->force.samples[n] = busy->samples[1][n];
    }
}

static void release_busy(Busy *busy)
{
    release(busy->samples[0]);
    release(busy->samples[1]);
}

static void advance(BrumeSim *sim, int frames)
{
    for (int n = 0; n < frames; n++) {
        BrumeError error = {0};
        if (brume_sim_frame(sim, NULL, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
    }
}

static void test_same_bits(void **state)
{
    (void)state;
    Busy busy;
    make_busy(&busy);
    expect_same_frames("samples that vary", (SharedFrames){.def = &busy.def, .frames = 5}, (const int[]){2, 3}, 2);
    uint64_t hashes[2];
    for (int n = 0; n < 2; n++) {
        brume_set_threads(n == 0 ? 1 : 3);
        BrumeSim *sim = create(&busy.def);
        advance(sim, 5);
        hashes[n] = brume_sim_hash(sim);
        brume_sim_destroy(sim);
    }
    brume_set_threads(0);
    assert_true(hashes[0] == hashes[1]);
    release_busy(&busy);
}

// active blocks and all of them, with a source that leaves the place of its first frame
static void test_active_blocks(void **state)
{
    (void)state;
    double sums[2];
    for (int n = 0; n < 2; n++) {
        Files files = {.count = 2, .numbers = {0, 1}, .shift = {0, 12 * N}, .factor = {1.0f, 8.0f}, .components = 1};
        BrumeSamples *samples[3];
        make_samples(&files, samples);
        BrumeSimDef def = still_box(16 * N, samples[0]);
        def.gravity = brume_vec3(0.0f, -9.81f, 0.0f);
        def.active_blocks = n == 1;
        def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 500.0f};
        BrumeSim *sim = create(&def);
        release(samples);
        advance(sim, 2);
        sums[n] = max_abs(&sim->fields[BRUME_FIELD_V]);
        brume_sim_destroy(sim);
    }
    print_message("largest v %.9g in all blocks, %.9g in active ones\n", sums[0], sums[1]);
    assert_near(sums[1], sums[0], 1e-3 * sums[0]);
}

// the window of a far field follows the samples, out of the place of the first frame
static void test_far_field(void **state)
{
    (void)state;
    Files files = {.count = 2, .numbers = {0, 1}, .shift = {0, 12 * N}, .factor = {1.0f, 2.0f}, .components = 1};
    BrumeSamples *samples[3];
    make_samples(&files, samples);
    BrumeSimDef def = box_def(16 * N, 8 * N, 8 * N, DX, BRUME_WALL);
    def.fps = FPS;
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.far_factor = 2;
    def.emitter_count = 1;
    def.emitters[0] = still_box(N, samples[0]).emitters[0];
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, FPS};
    BrumeSim *sim = create(&def);
    release(samples);
    advance(sim, 2);
    double sum = 0.0;
    for (int n = 0; n < N * N * N; n++) {
        sum += (double)value_at(n % N, n / N % N, n / N / N);
    }
    print_message("the window has %d x %d x %d cells\n", sim->def.nx, sim->def.ny, sim->def.nz);
    assert_near(sum_of(&sim->fields[BRUME_FIELD_DENSITY]) * (double)THRESHOLD / sum, 3.0, 1e-5);
    def.emitters[0] = brume_default_emitter_def(); // another emitter, without samples
    assert_int_equal(brume_sim_change(sim, &def, NULL), BRUME_OK);
    assert_int_equal(files.destroyed, 1);
    advance(sim, 1);
    assert_near(sum_of(&sim->fields[BRUME_FIELD_DENSITY]) * (double)THRESHOLD / sum, 3.0, 1e-5);
    brume_sim_destroy(sim);
}

// a loaded state goes on with the samples of equal settings; alone, it does not have their frames
static void test_saved_state(void **state)
{
    (void)state;
    Busy busy;
    make_busy(&busy);
    BrumeSim *sim = create(&busy.def);
    advance(sim, 2);
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = brume_alloc_untouched(size, 1);
    assert_non_null(bytes);
    assert_int_equal(brume_sim_save(sim, bytes, size, NULL), BRUME_OK);
    advance(sim, 2);
    BrumeSim *other = create(&busy.def);
    assert_int_equal(brume_sim_load(other, bytes, size, NULL), BRUME_OK);
    advance(other, 2);
    assert_true(brume_sim_hash(other) == brume_sim_hash(sim));
    brume_sim_destroy(other);
    assert_int_equal(brume_sim_create_saved(&other, bytes, size, NULL), BRUME_OK);
    BrumeError error;
    assert_int_equal(brume_sim_frame(other, NULL, &error), BRUME_FAILED);
    assert_string_equal(error.text,
                        "the frames of smoke.####.vdb are not known: the state was restored without its scene");
    brume_sim_destroy(other);
    brume_free(bytes);
    brume_sim_destroy(sim);
    release_busy(&busy);
    assert_true(busy.smoke.destroyed == 1 && busy.flow.destroyed == 1);
}

// a frame that cannot be read: one line, after which the simulation goes on as if it had been there
static void test_missing_frame(void **state)
{
    (void)state;
    Busy busy;
    make_busy(&busy);
    BrumeSim *whole = create(&busy.def);
    advance(whole, 3);
    Busy missing;
    make_busy(&missing);
    missing.smoke.missing = 1;
    BrumeSim *sim = create(&missing.def);
    BrumeError error;
    assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "smoke.0002.vdb: cannot open");
    assert_near(brume_sim_time(sim), 0.0, 0.0);
    missing.smoke.missing = 0;
    advance(sim, 3);
    assert_true(brume_sim_hash(sim) == brume_sim_hash(whole));
    brume_sim_destroy(sim);
    brume_sim_destroy(whole);
    release_busy(&busy);
    release_busy(&missing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate_is_integrated), cmocka_unit_test(test_values_of_frames),
        cmocka_unit_test(test_grids_of_frames),    cmocka_unit_test(test_flow_turns),
        cmocka_unit_test(test_same_bits),          cmocka_unit_test(test_active_blocks),
        cmocka_unit_test(test_far_field),          cmocka_unit_test(test_saved_state),
        cmocka_unit_test(test_missing_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Saving and loading of states in memory: a simulation that continues from the bytes computes the same steps. */
#include "library_support.h"

typedef struct Saved {
    void *bytes;
    size_t size;
} Saved;

static Saved save(const BrumeSim *sim)
{
    BrumeError error = {0};
    Saved saved = {.size = brume_sim_saved_size(sim)};
    saved.bytes = malloc(saved.size);
    assert_non_null(saved.bytes);
    assert_status(brume_sim_save(sim, saved.bytes, saved.size, &error), BRUME_OK, &error);
    return saved;
}

static BrumeSim *load(const Saved *saved)
{
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    assert_status(brume_sim_create_saved(&sim, saved->bytes, saved->size, &error), BRUME_OK, &error);
    return sim;
}

static bool stop_at_second_step(void *context, double fraction, BrumeStage stage)
{
    (void)fraction;
    int *steps = context;
    *steps += stage == BRUME_STAGE_EMIT;
    return *steps < 2;
}

// strokes and a body that moves, for the coming frame
static void disturb(BrumeSim *sim)
{
    const double start = brume_sim_time(sim);
    const BrumeStroke stroke = {
        .start = start,
        .end = start + 1.0 / 24.0,
        .from = {-0.3f, 0.4f, 0.0f},
        .to = {0.3f, 0.6f, 0.0f},
        .from_slope = {0.6f, 0.2f, 0.0f},
        .to_slope = {0.6f, 0.2f, 0.0f},
        .radius = 0.1f,
        .smoke = {0.0f, 0.7f},
        .erase = 0.3f,
        .push = 20.0f,
        .velocity = {2.0f, 1.0f, 0.0f},
        .suck = 0.4f,
        .twist = -3.0f,
        .axis = {0.2f, 0.3f, 1.0f},
    };
    brume_sim_set_strokes(sim, &stroke, 1);
    brume_sim_move(sim, 0, (BrumeVec3){1.5f, -0.5f, 0.0f});
}

// three frames on from a saved state, with other numbers of threads
static void assert_continues(const BrumeSimDef *def)
{
    BrumeSim *sim = create_sim(def);
    run_frames(sim, 3);
    disturb(sim);
    const Saved saved = save(sim);
    assert_int_equal(saved.size, brume_sim_saved_size(sim));
    brume_set_threads(3);
    BrumeSim *loaded = load(&saved);
    assert_true(brume_sim_hash(loaded) == brume_sim_hash(sim));
    assert_int_equal(brume_sim_frames(loaded), 3);
    run_frames(loaded, 3);
    brume_set_threads(1);
    run_frames(sim, 3);
    assert_true(brume_sim_hash(loaded) == brume_sim_hash(sim));
    brume_sim_destroy(sim);
    brume_sim_destroy(loaded);
    free(saved.bytes);
}

static void test_continues_with_the_same_bits(void **state)
{
    (void)state;
    BrumeSimDef def = plume_def();
    def.tolerance = 1e-2f; // so that the result depends on the initial pressure
    for (int pressure = 0; brume_pressure_name(pressure); pressure++) {
        def.pressure = brume_pressure_name(pressure);
        if (!brume_pressure_unmet_need(def.pressure, true, false)) {
            assert_continues(&def);
        }
    }
    def = plume_def();
    def.emitters[0].velocity = (BrumeVectorSource){BRUME_SOURCE_SET, {0.0f, 3.0f, 0.0f}}; // the air leaves in a step
    static const char *const integrators[] = {"split", "classic"};
    for (int n = 0; n < 2; n++) {
        def.integrator = integrators[n];
        assert_continues(&def);
    }
}

static void test_continues_in_the_middle_of_a_frame(void **state)
{
    (void)state;
    const BrumeSimDef def = plume_def();
    BrumeSim *whole = create_sim(&def);
    BrumeSim *stopped = create_sim(&def);
    run_frames(whole, 2);
    run_frames(stopped, 2);
    disturb(whole);
    disturb(stopped);
    int steps = 0;
    brume_sim_set_hooks(stopped, &(BrumeSimHooks){.context = &steps, .progress = stop_at_second_step});
    BrumeError error = {0};
    assert_status(brume_sim_frame(stopped, NULL, &error), BRUME_INTERRUPTED, &error);
    const Saved saved = save(stopped);
    brume_set_threads(2);
    BrumeSim *loaded = load(&saved);
    run_frames(loaded, 2);
    brume_set_threads(1);
    run_frames(whole, 2);
    assert_true(brume_sim_hash(loaded) == brume_sim_hash(whole));
    assert_int_equal(brume_sim_frames(loaded), 4);
    brume_sim_destroy(whole);
    brume_sim_destroy(stopped);
    brume_sim_destroy(loaded);
    free(saved.bytes);
}

// another grid, other settings; the handle stays and so do its hooks
static void test_loads_into_another_simulation(void **state)
{
    (void)state;
    const BrumeSimDef def = plume_def();
    BrumeSim *sim = create_sim(&def);
    run_frames(sim, 2);
    const Saved saved = save(sim);

    BrumeSimDef other_def = brume_default_sim_def();
    other_def.nx = other_def.ny = other_def.nz = 8;
    BrumeSim *other = create_sim(&other_def);
    int steps = 1;
    brume_sim_set_hooks(other, &(BrumeSimHooks){.context = &steps, .progress = stop_at_second_step});
    BrumeError error = {0};
    assert_null(brume_sim_user_data(other));
    brume_sim_set_user_data(other, &steps);
    other_def.nx = 16; // another grid: all members are built again
    assert_status(brume_sim_change(other, &other_def, &error), BRUME_OK, &error);
    assert_ptr_equal(brume_sim_user_data(other), &steps);
    assert_status(brume_sim_load(other, saved.bytes, saved.size, &error), BRUME_OK, &error);
    assert_true(brume_sim_hash(other) == brume_sim_hash(sim));
    assert_int_equal(brume_sim_settings(other)->ny, def.ny);
    assert_ptr_equal(brume_sim_user_data(other), &steps);
    assert_status(brume_sim_frame(other, NULL, &error), BRUME_INTERRUPTED, &error);
    brume_sim_destroy(sim);
    brume_sim_destroy(other);
    free(saved.bytes);
}

static void expect_refused(BrumeSim *sim, const void *bytes, size_t size)
{
    BrumeError error = {0};
    BrumeSim *made = sim;
    assert_status(brume_sim_create_saved(&made, bytes, size, &error), BRUME_BAD_INPUT, &error);
    assert_null(made);
    assert_true(strlen(error.text) > 0);
    const uint64_t hash = brume_sim_hash(sim);
    assert_status(brume_sim_load(sim, bytes, size, NULL), BRUME_BAD_INPUT, &error);
    assert_true(brume_sim_hash(sim) == hash);
}

static void test_refuses_bad_bytes(void **state)
{
    (void)state;
    const BrumeSimDef def = plume_def();
    BrumeSim *sim = create_sim(&def);
    run_frames(sim, 1);
    const Saved saved = save(sim);
    run_frames(sim, 1);

    expect_refused(sim, NULL, 0);
    for (size_t size = 0; size < saved.size; size += 1 + size / 3) {
        expect_refused(sim, saved.bytes, size);
    }
    expect_refused(sim, saved.bytes, saved.size - 1);
    uint8_t *bytes = saved.bytes;
    for (size_t at = 0; at < saved.size; at += 1 + at / 3) {
        bytes[at] ^= 0x40;
        expect_refused(sim, bytes, saved.size);
        bytes[at] ^= 0x40;
    }
    // bytes behind the state are not part of it
    uint8_t *longer = calloc(1, saved.size + 100);
    assert_non_null(longer);
    memcpy(longer, bytes, saved.size);
    BrumeError error = {0};
    assert_status(brume_sim_load(sim, longer, saved.size + 100, &error), BRUME_OK, &error);

    uint8_t small[16] = {0};
    assert_status(brume_sim_save(sim, small, sizeof small, &error), BRUME_BAD_INPUT, &error);
    assert_int_equal(small[0], 0);
    free(longer);
    free(saved.bytes);
    brume_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_continues_with_the_same_bits),
        cmocka_unit_test(test_continues_in_the_middle_of_a_frame),
        cmocka_unit_test(test_loads_into_another_simulation),
        cmocka_unit_test(test_refuses_bad_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

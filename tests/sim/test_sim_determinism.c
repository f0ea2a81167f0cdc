/* The same bits at any thread count, in every build. */
#include "busy_box.h"
#include "sim_support.h"

static uint64_t hash_after(const BrumeSimDef *def, int threads, int frames)
{
    const int before = brume_get_threads();
    brume_set_threads(threads);
    BrumeSim *sim = create(def);
    BrumeError error;
    for (int frame = 0; frame < frames; frame++) {
        assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    brume_set_threads(before);
    return hash;
}

// The state hashes of every build, at any optimization level; only a change of the algorithm may change them.
typedef struct Golden {
    const char *pressure;
    int trace_order;
    uint64_t hash;
} Golden;

static const Golden golden[] = {
    {"mgpcg", 2, 0xd48cd0f9bfa6b3du},      {"multigrid", 3, 0xc296c023fb477b69u}, {"cg", 3, 0x97cd2dcd5ed86afcu},
    {"relaxation", 2, 0x1aaa038aad0daa0u}, {"dct", 3, 0xc3daabf3ee4d034au},       {"fft", 2, 0xdd40911667dd8008u},
    {"auto", 3, 0xaa0e555132fcc807u},
};

static const Golden *golden_of(const char *pressure)
{
    for (size_t n = 0; n < sizeof golden / sizeof golden[0]; n++) {
        if (strcmp(golden[n].pressure, pressure) == 0) {
            return &golden[n];
        }
    }
    fail_msg("add %s to the golden hashes", pressure);
    return NULL;
}

static void test_same_bits_at_any_thread_count(void **state)
{
    (void)state;
    const int threads[] = {1, 2, 3, 5, 8};
    for (int method = 0; brume_pressure_name(method); method++) {
        BrumeSimDef def = busy_box();
        def.pressure = brume_pressure_name(method);
        const Golden *known = golden_of(def.pressure);
        busy_box_for_solver(&def);
        def.trace_order = known->trace_order;
        const int frames = method == 0 ? 20 : 5;
        const uint64_t expected = hash_after(&def, 1, frames);
        print_message("%s: state hash %016llx after %d frames\n", def.pressure, (unsigned long long)expected, frames);
        assert_int_equal(expected, known->hash);
        for (int n = 1; n < 5; n++) {
            assert_int_equal(hash_after(&def, threads[n], frames), expected);
        }
    }
}

// the hash depends on every field, every cell and the time
static void test_hash_depends_on_the_whole_state(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 9, 10, 0.1f, BRUME_WALL);
    def.color_count = 3;
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    def.fire.model = BRUME_FIRE_MIXING; // which has further fields
    BrumeSim *sim = create(&def);
    const uint64_t before = brume_sim_hash(sim);
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        BrumeField *field = &sim->fields[id];
        float *last = &field->data[brume_field_index(field, 8 + (id == 0), 9 + (id == 1), 10 + (id == 2))];
        *last += 1e-6f;
        assert_true(brume_sim_hash(sim) != before);
        *last -= 1e-6f;
        assert_int_equal(brume_sim_hash(sim), before);
    }
    sim->time = 1e-9;
    assert_true(brume_sim_hash(sim) != before);
    brume_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits_at_any_thread_count),
        cmocka_unit_test(test_hash_depends_on_the_whole_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

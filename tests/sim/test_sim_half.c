// Scalars of 16 bits: their rounding, what it keeps, and saved states.
#include "core/half.h"
#include "sim/measures/monitor.h"
#include "sim/state/half_scalars.h"
#include "sim_support.h"

#include <stdlib.h>

static BrumeMeasures measures;

static BrumeSimDef half_box(int n, BrumeFaceKind kind)
{
    BrumeSimDef def = box_def(n, n, n, 1.0f / (float)n, kind);
    def.storage = BRUME_STORAGE_HALF;
    return def;
}

static bool is_half(float value) { return brume_float_of_half(brume_half_of_float(value)) == value; }

// each result is one of the two halves around the value, as often as makes their mean the value
static void rounding_is_unbiased(void **state)
{
    (void)state;
    const double values[] = {0.3, -17.2, 1.0 + 0x1p-13, 3.1e-5, 2.2e-7, -1e-8, 40000.5};
    enum { N = 32 };
    BrumeSimDef def = half_box(N, BRUME_PERIODIC);
    BrumeSim *sim = create(&def);
    for (size_t n = 0; n < sizeof values / sizeof values[0]; n++) {
        fill(sim, BRUME_FIELD_TEMPERATURE, same_value, &values[n]);
        fill(sim, BRUME_FIELD_DENSITY, same_value, &values[n]);
        brume_round_scalars(sim);
        const double ulp = fabs(values[n]) < 0x1p-14 ? 0x1p-24 : ldexp(1.0, ilogb(values[n]) - 10);
        const double share = fmod(fabs(values[n]), ulp) / ulp; // of those rounded away from 0
        double sum = 0.0;
        for (int c = 0; c < N * N * N; c++) {
            const int i = 1 + c % N;
            const int j = 1 + c / N % N;
            const int k = 1 + c / (N * N);
            const float value = brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], i, j, k);
            assert_true(is_half(value) && fabs((double)value - values[n]) < ulp);
            assert_true(value == brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], i, j, k)); // not by the field
            sum += (double)value;
        }
        const double deviation = ulp * sqrt(share * (1.0 - share) / (N * N * N));
        assert_near(sum / (N * N * N), values[n], 4.0 * deviation + 1e-7 * fabs(values[n]));
    }
    brume_sim_destroy(sim);
}

static void halves_and_the_largest_stay(void **state)
{
    (void)state;
    const double values[][2] = {{0.5, 0.5}, {0x1p-24, 0x1p-24}, {-65504.0, -65504.0}, {1e9, 65504.0}, {-7e4, -65504.0}};
    BrumeSimDef def = half_box(8, BRUME_PERIODIC);
    BrumeSim *sim = create(&def);
    for (size_t n = 0; n < sizeof values / sizeof values[0]; n++) {
        fill(sim, BRUME_FIELD_TEMPERATURE, same_value, &values[n][0]);
        brume_round_scalars(sim);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], 3, 4, 5), values[n][1], 0.0);
    }
    brume_sim_destroy(sim);
}

// Smoke that decays by 1e-4 a step, a fifth of the distance of two halves: rounding to nearest would keep it for ever.
static void slow_decay_is_kept(void **state)
{
    (void)state;
    BrumeSimDef def = half_box(16, BRUME_PERIODIC);
    def.smoke[0].dissipation = 0.01f;
    BrumeSim *sim = create(&def);
    const double density = 1.0;
    fill(sim, BRUME_FIELD_DENSITY, same_value, &density);
    for (int n = 0; n < 200; n++) {
        step(sim, 0.01, NULL);
    }
    brume_sim_measure(sim, &measures);
    // the deviation of 200 roundings of 4096 cells: sqrt(200 x 0.2 x 0.8 / 4096) 2^-11 = 4.3e-5
    assert_near(measures.scalars[BRUME_FIELD_DENSITY - BRUME_FIELD_TEMPERATURE].total, exp(-0.02), 2e-4);
    brume_sim_destroy(sim);
}

// a plume below a warm wall whose temperature is not a half, with a second color
static BrumeSimDef plume(int n)
{
    BrumeSimDef def = half_box(n, BRUME_WALL);
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    def.faces[BRUME_FACE_X_MIN].fixed_temperature = true;
    def.faces[BRUME_FACE_X_MIN].temperature = 1.3f;
    def.thermal_diffusivity = 1e-3f;
    def.color_count = 1;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.25f, 0.5f}, .radius = 0.15f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, 3.7f};
    def.emitters[0].smoke[1] = (BrumeSource){BRUME_SOURCE_SET, 0.71f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_RATE, 300.0f};
    return def;
}

// after each step the scalars are halves; the hash depends neither on threads, kernels nor on having been saved
static void same_bits(void **state)
{
    (void)state;
    uint64_t expected = 0;
    for (int variant = 0; variant < 4; variant++) {
        BrumeSimDef def = plume(20);
        def.kernels = variant == 1 ? "reference" : "fast";
        brume_set_threads(variant == 2 ? 3 : 1);
        BrumeSim *sim = create(&def);
        for (int n = 0; n < 8; n++) {
            step(sim, 0.02, NULL);
            sim = variant == 3 && n == 4 ? reload(sim) : sim;
        }
        for (int id = BRUME_FIELD_TEMPERATURE; id <= BRUME_FIELD_COLOR_1; id++) {
            const BrumeField *field = &sim->fields[id];
            for (int c = 0; c < 20 * 20 * 20; c++) {
                assert_true(is_half(brume_field_at(field, 1 + c % 20, 1 + c / 20 % 20, 1 + c / 400)));
            }
            assert_true(max_abs(field) > 0.1);
        }
        const uint64_t hash = brume_sim_hash(sim);
        assert_true(variant == 0 || hash == expected);
        expected = hash;
        brume_sim_destroy(sim);
    }
    brume_set_threads(0);
}

// a state takes 2 bytes a value where it has halves, 4 where it has not, and has the same values either way
static void saved_without_loss(void **state)
{
    (void)state;
    BrumeError error;
    size_t sizes[2];
    for (int rounded = 0; rounded < 2; rounded++) {
        BrumeSimDef def = plume(24);
        BrumeSim *sim = create(&def);
        step(sim, 0.02, NULL);
        const double other = 0.1;
        if (!rounded) {
            fill(sim, BRUME_FIELD_DENSITY, same_value, &other);
            brume_set_scalar_ghosts(sim);
        }
        sizes[rounded] = brume_sim_saved_size(sim);
        void *bytes = malloc(sizes[rounded]);
        BrumeSim *loaded = NULL;
        assert_int_equal(brume_sim_save(sim, bytes, sizes[rounded], &error), BRUME_OK);
        assert_int_equal(brume_sim_create_saved(&loaded, bytes, sizes[rounded], &error), BRUME_OK);
        for (int id = BRUME_FIELD_TEMPERATURE; id <= BRUME_FIELD_COLOR_1; id++) { // ghosts included
            assert_memory_equal(loaded->fields[id].data, sim->fields[id].data,
                                brume_grid_entries(sim->fields[id].grid) * sizeof(float));
        }
        for (size_t end = sizes[rounded] - 1; end > sizes[rounded] / 2; end = end * 7 / 8) {
            BrumeSim *cut = NULL;
            assert_int_equal(brume_sim_create_saved(&cut, bytes, end, &error), BRUME_BAD_INPUT);
        }
        free(bytes);
        brume_sim_destroy(loaded);
        brume_sim_destroy(sim);
    }
    assert_int_equal(sizes[0] - sizes[1], 26 * 26 * 24 * 2); // all rows of the density, those of ghosts too
}

static BrumeSim *run_plume(BrumeStorage storage)
{
    BrumeSimDef def = plume(32);
    def.storage = storage;
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 30; n++) {
        step(sim, 0.02, NULL);
    }
    return sim;
}

static void smoke_differs_little_from_floats(void **state)
{
    (void)state;
    BrumeSim *exact = run_plume(BRUME_STORAGE_FLOAT);
    BrumeSim *sim = run_plume(BRUME_STORAGE_HALF);
    for (int id = BRUME_FIELD_DENSITY; id <= BRUME_FIELD_COLOR_1; id++) {
        double sum = 0.0;
        double total = 0.0;
        double difference = 0.0;
        for (int c = 0; c < 32 * 32 * 32; c++) {
            const int i = 1 + c % 32;
            const int j = 1 + c / 32 % 32;
            const int k = 1 + c / 1024;
            const double value = (double)brume_field_at(&exact->fields[id], i, j, k);
            const double half = (double)brume_field_at(&sim->fields[id], i, j, k);
            sum += value;
            total += half;
            difference += fabs(half - value);
        }
        assert_near(total / sum, 1.0, 2e-4);
        assert_at_most(difference / sum, 5e-3);
        assert_at_least(difference / sum, 1e-5); // rounded at all
    }
    brume_sim_destroy(exact);
    brume_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_is_unbiased), cmocka_unit_test(halves_and_the_largest_stay),
        cmocka_unit_test(slow_decay_is_kept),   cmocka_unit_test(same_bits),
        cmocka_unit_test(saved_without_loss),   cmocka_unit_test(smoke_differs_little_from_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

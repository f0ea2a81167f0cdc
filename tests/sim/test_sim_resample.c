/* Resampling onto another grid: exact for linear fields, conservative, and the run continues. */
#include "core/field.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim_support.h"

#include <math.h>

static BrumeSimDef sized_def(int n)
{
    BrumeSimDef def = box_def(n, n, n, 1.0f / (float)n, BRUME_WALL);
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.2f, 0.5f}, .b = {0, 0, 0}, .radius = 0.12f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 200.0f};
    return def;
}

static void change(BrumeSim *sim, const BrumeSimDef *def)
{
    BrumeError error = {0};
    if (brume_sim_change(sim, def, &error) != BRUME_OK) {
        print_error("%s\n", error.text);
        fail();
    }
}

// another simulation with the resampled state, whose velocity is not projected yet
static BrumeSim *resampled(BrumeSim *sim, const BrumeSimDef *def)
{
    BrumeSim *to = create(def);
    BrumeError error = {0};
    assert_int_equal(brume_resample(to, sim, false, &error), BRUME_OK);
    brume_sim_destroy(sim);
    return to;
}

static double linear(double x, double y, double z, const void *context)
{
    (void)context;
    return 1.0 + 0.3 * x + 0.5 * y - 0.2 * z;
}

// finer and coarser, integer and fractional ratios; without the cells whose interpolation the sides cut
static void test_linear_fields_are_exact(void **state)
{
    (void)state;
    const int sizes[][2] = {{16, 24}, {24, 16}, {16, 32}, {32, 16}, {40, 12}, {20, 27}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        const BrumeSimDef first = sized_def(sizes[n][0]);
        const BrumeSimDef second = sized_def(sizes[n][1]);
        BrumeSim *sim = create(&first);
        const BrumeFieldId ids[] = {BRUME_FIELD_U, BRUME_FIELD_V, BRUME_FIELD_W, BRUME_FIELD_DENSITY};
        for (int m = 0; m < 4; m++) {
            fill(sim, ids[m], linear, NULL);
        }
        sim = resampled(sim, &second);
        const int last = sizes[n][1];
        for (int m = 0; m < 4; m++) {
            const int at = brume_location(ids[m]);
            for (int i = 4; i <= last - 2; i++) {
                const double dx = (double)second.dx;
                const double expected = linear((i - (at == 0 ? 1.0 : 0.5)) * dx, (i - (at == 1 ? 1.0 : 0.5)) * dx,
                                               (i - (at == 2 ? 1.0 : 0.5)) * dx, NULL);
                assert_near((double)brume_field_at(&sim->fields[ids[m]], i, i, i), expected, 2e-6);
            }
        }
        brume_sim_destroy(sim);
    }
}

static double amount(const BrumeSim *sim)
{
    return sum_of(&sim->fields[BRUME_FIELD_DENSITY]) * pow((double)sim->def.dx, 3.0);
}

static BrumeSim *plume(int n, int frames)
{
    const BrumeSimDef def = sized_def(n);
    BrumeSim *sim = create(&def);
    BrumeError error;
    for (int frame = 0; frame < frames; frame++) {
        assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
    }
    return sim;
}

// the amount of smoke is preserved, and a finer grid and back changes its distribution little
static void test_smoke_is_preserved(void **state)
{
    (void)state;
    BrumeSim *sim = plume(64, 12);
    const double before = amount(sim);
    BrumeField density;
    assert_int_equal(brume_field_create(&density, sim->geometry->cells.grid, NULL), BRUME_OK);
    memcpy(density.data, sim->fields[BRUME_FIELD_DENSITY].data,
           brume_grid_entries(density.grid) * sizeof *density.data);
    const int sizes[] = {96, 64, 80, 48, 24};
    for (int n = 0; n < 5; n++) {
        const double given = amount(sim);
        const BrumeSimDef def = sized_def(sizes[n]);
        change(sim, &def);
        print_message("to %d cells: amount %+.2e\n", sizes[n], amount(sim) / given - 1.0);
        assert_near(amount(sim) / given, 1.0, 1e-5);
        if (n == 1) {
            double error = 0.0;
            double all = 0.0;
            for (int k = 1; k <= 64; k++) { // ghosts are undefined between steps
                for (int j = 1; j <= 64; j++) {
                    const ptrdiff_t row = brume_field_index(&density, 0, j, k);
                    for (ptrdiff_t c = row + 1; c <= row + 64; c++) {
                        error += fabs((double)(density.data[c] - sim->fields[BRUME_FIELD_DENSITY].data[c]));
                        all += (double)density.data[c];
                    }
                }
            }
            print_message("64 to 96 and back: %.2f %% of the smoke elsewhere\n", 50.0 * error / all);
            assert_at_most(50.0 * error / all, 1.5);
        }
    }
    assert_near(amount(sim) / before, 1.0, 2e-5);
    brume_field_destroy(&density);
    brume_sim_destroy(sim);
}

// after resampling the solver converges and the velocity is free of divergence again
static void test_run_continues(void **state)
{
    (void)state;
    BrumeSim *sim = plume(32, 8);
    const double time = brume_sim_time(sim);
    BrumeSimDef def = sized_def(48);
    def.body_count = 1;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.6f, 0.5f}, .b = {0, 0, 0}, .radius = 0.1f};
    change(sim, &def);
    assert_true(brume_sim_time(sim) == time);
    assert_int_equal(brume_sim_frames(sim), 8);
    for (int n = 0; n < 4; n++) {
        BrumeFrameStats stats;
        BrumeError error;
        assert_int_equal(brume_sim_frame(sim, &stats, &error), BRUME_OK);
        assert_true(stats.converged);
        assert_at_most((double)stats.max_iterations, 12.0);
        assert_at_most(stats.divergence, 0.05);
    }
    assert_int_equal(brume_sim_frames(sim), 12);
    brume_sim_destroy(sim);
}

// a shifted box: the overlap is unchanged, the air beyond it is clean and moves with the wind
static void test_shifted_box(void **state)
{
    (void)state;
    BrumeSimDef def = sized_def(16);
    BrumeSim *sim = create(&def);
    brume_field_fill(&sim->fields[BRUME_FIELD_DENSITY], 0.7f);
    brume_field_fill(&sim->fields[BRUME_FIELD_U], 0.0f);
    def.origin.x = 0.5f;
    def.wind.x = 2.0f;
    def.faces[BRUME_FACE_X_MIN].kind = def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
    sim = resampled(sim, &def);
    for (int i = 2; i <= 16; i++) {
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], i, 8, 8), i <= 8 ? 0.7 : 0.0, 1e-6);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], i, 8, 8), i <= 9 ? 0.0 : 2.0, 1e-6);
    }
    brume_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_fields_are_exact),
        cmocka_unit_test(test_smoke_is_preserved),
        cmocka_unit_test(test_run_continues),
        cmocka_unit_test(test_shifted_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

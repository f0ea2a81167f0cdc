// Smoke that grows, walls that mirror scalars, and a box that is periodic along one axis.
#include "sim/measures/monitor.h"
#include "sim_support.h"

static double ramp(double x, double y, double z, const void *context)
{
    (void)y, (void)z, (void)context;
    return 1.5 * x; // from 0 to above the density up to which smoke grows
}

// ds/dt = g s (1 - s) from s at the start; 1 and more stays
static void smoke_grows_up_to_one(void **state)
{
    (void)state;
    static const char *const integrators[] = {"second-order", "collocated", "practical", "prescribed"};
    for (int n = 0; n < 4; n++) {
        BrumeSimDef def = box_def(32, 8, 8, 1.0f / 32.0f, BRUME_WALL);
        BrumeMeasures measures;
        def.integrator = integrators[n];
        def.smoke[0].dissipation = -3.0f;
        BrumeSim *sim = create(&def);
        fill(sim, BRUME_FIELD_DENSITY, ramp, NULL);
        brume_sim_set_budgets(sim, true);
        for (int s = 0; s < 10; s++) {
            step(sim, 0.05, NULL);
        }
        for (int i = 1; i <= 32; i++) {
            const double before = 1.5 * (i - 0.5) / 32.0;
            const double grown = before / (before + (1.0 - before) * exp(-3.0 * 0.5));
            assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], i, 4, 5),
                        before < 1.0 ? grown : before, 2e-6);
        }
        brume_sim_measure(sim, &measures);
        assert_at_least(measures.scalars[1].budget.emitted, 0.1 / 16.0);
        assert_near(measures.scalars[1].budget.unaccounted, 0.0, 1e-6);
        for (int s = 0; s < 100; s++) {
            step(sim, 0.1, NULL);
        }
        double low;
        double high;
        range_of(&sim->fields[BRUME_FIELD_DENSITY], &low, &high);
        assert_near(low, 1.0, 1e-5);
        assert_near(high, 1.5 * 31.5 / 32.0, 1e-5);
        brume_sim_destroy(sim);
    }
}

static void growth_has_a_bound(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 8, 8, 0.125f, BRUME_WALL);
    BrumeSim *sim = NULL;
    BrumeError error;
    def.smoke[0].dissipation = -101.0f;
    assert_int_equal(brume_sim_create(&sim, &def, &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "'dissipation' in 'smoke.density' is -101, but must be from -100"));
}

static double stream(double x, double y, double z, const void *context)
{
    (void)z;
    const double shift = *(const double *)context;
    return exp(-(pow(fmod(x - shift + 1.5, 1.0) - 0.5, 2.0) + pow(y - 0.3, 2.0)) / 0.01);
}

// A box that is periodic along x alone: what starts a quarter of the box further to the right stays so, across its
// side, while floor and ceiling hold the air.
static void one_axis_wraps(void **state)
{
    (void)state;
    static const char *const integrators[] = {"second-order", "practical"};
    for (int n = 0; n < 2; n++) {
        BrumeSimDef def = box_def(32, 32, 8, 1.0f / 32.0f, BRUME_WALL);
        static const double shifts[2] = {0.4, 0.65};
        BrumeSim *sims[2];
        const double speed = 1.0;
        def.integrator = integrators[n];
        def.faces[BRUME_FACE_X_MIN].kind = BRUME_PERIODIC;
        def.faces[BRUME_FACE_X_MAX].kind = BRUME_PERIODIC;
        for (int m = 0; m < 2; m++) {
            sims[m] = create(&def);
            fill(sims[m], BRUME_FIELD_U, same_value, &speed);
            fill(sims[m], BRUME_FIELD_DENSITY, stream, &shifts[m]);
            fill(sims[m], BRUME_FIELD_TEMPERATURE, stream, &shifts[m]);
            brume_set_velocity_boundary(sims[m]);
            (void)brume_measure_flow(sims[m]);
            for (int s = 0; s < 40; s++) { // a distance of .8 of the box
                step(sims[m], 0.02, NULL);
            }
        }
        double largest = 0.0;
        for (int j = 1; j <= 32; j++) {
            for (int i = 1; i <= 32; i++) {
                const double a = (double)brume_field_at(&sims[0]->fields[BRUME_FIELD_DENSITY], i, j, 4);
                const double b = (double)brume_field_at(&sims[1]->fields[BRUME_FIELD_DENSITY], 1 + (i + 7) % 32, j, 4);
                assert_near(a, b, 1e-3);
                largest = fmax(largest, a);
            }
        }
        assert_at_least(largest, 0.2);
        assert_near(sum_of(&sims[0]->fields[BRUME_FIELD_DENSITY]) / sum_of(&sims[1]->fields[BRUME_FIELD_DENSITY]), 1.0,
                    1e-5);
        brume_sim_destroy(sims[0]);
        brume_sim_destroy(sims[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smoke_grows_up_to_one),
        cmocka_unit_test(growth_has_a_bound),
        cmocka_unit_test(one_axis_wraps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

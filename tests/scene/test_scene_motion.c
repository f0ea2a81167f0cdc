// Animated values act in each step of a frame: the emitted amounts, and their places, do not depend on the frame rate.
#include "scene_support.h"

#include "scene/format/animation.h"
#include "sim/state/state.h"

#include <math.h>

static const char *moving_source = "domain: {size: [2, 0.5, 0.5], boundaries: {all: open}}\n"
                                   "solver: {resolution: 64, min_steps: 8}\n"
                                   "air: {gravity: [0, 0, 0]}\n"
                                   "emitters: [{shape: sphere, center: [-0.9, 0.25, 0], radius: 0.05, density: 1}]\n"
                                   "animation:\n"
                                   "  - path: emitters.0.center.0\n"
                                   "    interpolation: linear\n"
                                   "    keys: [{time: 0, value: -0.9}, {time: 0.5, value: 0.9}]\n";

static const char *ramp = "domain: {size: [1, 2, 1], boundaries: {all: open, y_min: wall}}\n"
                          "solver: {resolution: 48}\n"
                          "emitters:\n"
                          "  - {shape: sphere, center: [0, 0.15, 0], radius: 0.12, density_rate: 3,\n"
                          "     temperature_rate: 200}\n"
                          "animation:\n"
                          "  - path: emitters.0.density_rate\n"
                          "    interpolation: linear\n"
                          "    keys: [{time: 0, value: 0}, {time: 1, value: 6}, {time: 2, value: 0}]\n";

static BrumeMeasures measures;

// the state after `seconds` at a frame rate
static BrumeSim *simulate(const char *text, int fps, double seconds)
{
    BrumeScene *scene = NULL;
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    char rate[32];
    (void)snprintf(rate, sizeof rate, "time.fps=%d", fps);
    const char *const overrides[] = {rate};
    assert_int_equal(brume_scene_parse(&scene, text, "motion.yaml", overrides, 1, NULL, &error), BRUME_OK);
    assert_int_equal(brume_sim_create(&sim, &scene->sim, &error), BRUME_OK);
    brume_sim_set_budgets(sim, true);
    for (int frame = 0; frame < (int)lround(seconds * fps); frame++) {
        assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
    }
    brume_sim_measure(sim, &measures);
    brume_scene_destroy(scene);
    return sim;
}

static void expect_within(const char *what, double value, double expected, double share)
{
    if (!(fabs(value - expected) <= share * fabs(expected))) {
        fail_msg("%s: %.6g, expected %.6g within %g", what, value, expected, share);
    }
}

static void test_moving_source_leaves_a_streak(void **state)
{
    (void)state;
    enum { CELLS = 64 };
    double first = 0.0;
    for (int fps = 12; fps <= 96; fps *= 2) {
        BrumeSim *sim = simulate(moving_source, fps, 0.5);
        const double total = measures.scalars[1].total;
        first = fps == 12 ? total : first;
        expect_within("total", total, first, 0.01);
        const BrumeField *density = &sim->fields[BRUME_FIELD_DENSITY];
        double sums[CELLS + 1] = {0};
        double mean = 0.0;
        int inside = 0;
        for (int i = 1; i <= CELLS; i++) { // along the path but for its ends
            for (int k = 1; k <= density->grid.nz; k++) {
                for (int j = 1; j <= density->grid.ny; j++) {
                    sums[i] += (double)brume_field_at(density, i, j, k);
                }
            }
            const double x = -1.0 + (i - 0.5) * 2.0 / CELLS;
            if (fabs(x) < 0.85) {
                mean += sums[i];
                inside++;
            }
        }
        mean /= inside;
        for (int i = 1; i <= CELLS; i++) {
            const double x = -1.0 + (i - 0.5) * 2.0 / CELLS;
            if (fabs(x) < 0.85 && !(sums[i] >= 0.9 * mean)) {
                fail_msg("%d fps: at x = %.3g the streak has %.4g of its mean", fps, x, sums[i] / mean);
            }
        }
        brume_sim_destroy(sim);
    }
}

static void test_rates_are_integrated(void **state)
{
    (void)state;
    for (int fps = 12; fps <= 96; fps *= 2) {
        BrumeSim *sim = simulate(ramp, fps, 1.0);
        expect_within("emitted", measures.scalars[1].budget.emitted, 0.02245, 0.003);
        brume_sim_destroy(sim);
    }
}

static void test_means(void **state)
{
    (void)state;
    BrumeAnimatedValue value = {.key_count = 4, .keys = {{0.5, 2.0}, {1.0, 5.0}, {2.5, -1.0}, {3.0, 0.0}}};
    const BrumeKeyInterpolation kinds[] = {BRUME_KEYS_SMOOTH, BRUME_KEYS_LINEAR, BRUME_KEYS_HOLD};
    const double spans[][2] = {{0.0, 0.4}, {0.1, 0.9}, {0.6, 0.7}, {0.2, 3.5}, {1.5, 2.75}, {2.9, 4.0}, {3.5, 4.0}};
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        value.interpolation = kinds[kind];
        for (size_t n = 0; n < sizeof spans / sizeof spans[0]; n++) {
            enum { POINTS = 200000 };
            const double length = spans[n][1] - spans[n][0];
            double sum = 0.0;
            for (int point = 0; point < POINTS; point++) {
                sum += brume_animated_value_at(&value, spans[n][0] + length * (point + 0.5) / POINTS);
            }
            const double mean = brume_animated_mean(&value, spans[n][0], spans[n][1]);
            if (!(fabs(mean - sum / POINTS) < 1e-4)) {
                fail_msg("mean %.9g, expected %.9g", mean, sum / POINTS);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moving_source_leaves_a_streak),
        cmocka_unit_test(test_rates_are_integrated),
        cmocka_unit_test(test_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

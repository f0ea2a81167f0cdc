/*
 * Scenes with initial fields and boxes one cell thick: their values, what they write, and cases without dimensions.
 */
#include "scene_support.h"

#include "brume/base.h"
#include "brume/sim.h"

static const char *const all_kinds =
    "domain: {size: 6.283185307179586, origin: [0, 0, 0], boundaries: {all: periodic}}\n"
    "solver: {resolution: [32, 32, 1]}\n"
    "time: {fps: 40, frames: 800}\n"
    "initial:\n"
    "  - {kind: uniform, velocity: [1, 0, 0]}\n"
    "  - {kind: uniform, quantity: temperature, value: 2}\n"
    "  - {kind: taylor-green, waves: [1, 1, 0]}\n"
    "  - {kind: shear, thickness: 0.3, along: y, across: x, width: 3.141592653589793, perturbation: 0.01}\n"
    "  - {kind: vortex, radius: 0.4, speed: -2, center: [2, 3, 0]}\n"
    "  - {kind: vortex, radius: 0.4, profile: taylor}\n"
    "  - {kind: deformation, speed: 0.1}\n"
    "  - {kind: blob, radius: 0.5, quantity: color_2, profile: sharp}\n"
    "  - {kind: disc, radius: 0.5, slot_width: 0.2, slot_depth: 0.8}\n"
    "  - {kind: layer, thickness: 2, upper: 1, profile: linear, quantity: temperature}\n"
    "  - {kind: mode, quantity: temperature, value: 3, waves: [2, 1, 0], phase: [-0.25, 0, 0]}\n"
    "  - {kind: noise, scale: 0.7, seed: 3}\n"
    "  - {kind: noise, quantity: temperature, scale: 0.7, value: 0.1}\n"
    "  - {kind: rotation, rate: 0.5}\n"
    "  - {kind: formula, quantity: velocity, formula: [sin(y), \"-cos(x) * 2\", 0]}\n"
    "  - {kind: formula, quantity: temperature, formula: \"max(0, 1 - x ^ 2)\"}\n";

static uint64_t first_hash(const BrumeScene *scene)
{
    BrumeSim *sim = NULL;
    BrumeError error;
    if (brume_sim_create(&sim, &scene->sim, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    return hash;
}

static void test_all_kinds(void **state)
{
    (void)state;
    BrumeScene *const scene = load_text(all_kinds, NULL, 0);
    const BrumeSimDef *const sim = &scene->sim;
    assert_int_equal(sim->nx, 32);
    assert_int_equal(sim->ny, 32);
    assert_int_equal(sim->nz, 1);
    assert_true(sim->dx == (float)(6.283185307179586 / 32.0));
    assert_int_equal(sim->initial_count, 16);
    assert_int_equal(sim->color_count, 2); // the blob is of color_2
    assert_int_equal(sim->initial[2].quantity, BRUME_INITIAL_VELOCITY);
    assert_int_equal(sim->initial[8].quantity, BRUME_INITIAL_DENSITY);
    assert_int_equal(sim->initial[4].profile, BRUME_INITIAL_RANKINE);
    assert_true(fabsf(sim->initial[5].center.x - 3.1415927f) < 1e-6f); // the center of the box
    assert_string_equal(sim->initial[14].formula[2], "0");

    char *text = NULL;
    BrumeError error;
    assert_int_equal(brume_scene_write(scene, NULL, &text, &error), BRUME_OK);
    BrumeScene *const again = load_text(text, NULL, 0);
    assert_int_equal(again->sim.nz, 1);
    assert_true(again->sim.dx == sim->dx);
    assert_true(first_hash(again) == first_hash(scene));
    char *second = NULL;
    assert_int_equal(brume_scene_write(again, NULL, &second, &error), BRUME_OK);
    assert_string_equal(second, text);
    brume_free(text);
    brume_free(second);
    brume_scene_destroy(again);
    brume_scene_destroy(scene);
}

// a ring, whose direction and potential the other scene does not have
static void test_ring_and_potential(void **state)
{
    (void)state;
    BrumeScene *const scene =
        load_text("solver: {resolution: 16}\ninitial:\n"
                  "  - {kind: vortex-ring, radius: 0.2, thickness: 0.08, circulation: 0.5, direction: [1, 1, 0]}\n"
                  "  - {kind: formula, quantity: potential, formula: [0, 0, \"sin(2 * pi * x / lx)\"]}\n"
                  "  - {kind: uniform, quantity: density, value: 1}\n" // what other kinds have without the key
                  "timeline: [{frame: 1, set: {air.drag: 1}}]\n",
                  NULL, 0);
    assert_int_equal(scene->timeline.changes[0].settings->initial_count, 3);
    char *text = NULL;
    BrumeError error;
    assert_int_equal(brume_scene_write(scene, NULL, &text, &error), BRUME_OK);
    BrumeScene *const again = load_text(text, NULL, 0);
    assert_true(first_hash(again) == first_hash(scene));
    brume_free(text);
    brume_scene_destroy(again);
    brume_scene_destroy(scene);
}

// a box of side 2 pi has cubic cells at any resolution, and frames of .025 s end at multiples of it
static void test_without_dimensions(void **state)
{
    (void)state;
    static const int resolutions[] = {8, 24, 48, 64, 96, 100, 128, 256};
    for (size_t n = 0; n < sizeof resolutions / sizeof resolutions[0]; n++) {
        char text[256];
        const int cells = resolutions[n];
        for (int list = 0; list < 3; list++) {
            char counts[64];
            (void)snprintf(counts, sizeof counts,
                           list == 0   ? "%d"
                           : list == 1 ? "[%d, %d, 1]"
                                       : "[%d, %d, %d]",
                           cells, cells, cells);
            (void)snprintf(text, sizeof text,
                           "domain: {size: 6.283185307179586, boundaries: {all: periodic}}\n"
                           "solver: {resolution: %s}\ntime: {fps: 40, frames: 4}\n",
                           counts);
            BrumeScene *const scene = load_text(text, NULL, 0);
            assert_int_equal(scene->sim.nx, cells);
            assert_int_equal(scene->sim.ny, cells);
            assert_int_equal(scene->sim.nz, list == 1 ? 1 : cells);
            assert_true(scene->sim.dx == (float)(6.283185307179586 / cells));
            if (cells == 24) {
                BrumeSim *sim = NULL;
                assert_int_equal(brume_sim_create(&sim, &scene->sim, NULL), BRUME_OK);
                for (int frame = 1; frame <= 4; frame++) {
                    assert_int_equal(brume_scene_frame(scene, sim, NULL, NULL), BRUME_OK);
                    assert_true(brume_sim_time(sim) == frame / 40.0);
                }
                brume_sim_destroy(sim);
            }
            brume_scene_destroy(scene);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_kinds),
        cmocka_unit_test(test_ring_and_potential),
        cmocka_unit_test(test_without_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * The far field: exact properties of restriction and prolongation, and a window in a coarse box against the whole box
 * in fine cells.
 */
#include "sim/far/nesting.h"
#include "sim/measures/sums.h"
#include "sim_support.h"

#include <stdlib.h>

static float value_at(int n) { return sinf(12.9898f * (float)n) * 0.5f; }

static void create_velocity(BrumeField velocity[3], BrumeGrid grid)
{
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(brume_field_create(&velocity[axis], grid, NULL), BRUME_OK);
    }
}

static void destroy_velocity(BrumeField velocity[3])
{
    for (int axis = 0; axis < 3; axis++) {
        brume_field_destroy(&velocity[axis]);
    }
}

static double divergence_at(const BrumeField velocity[3], int i, int j, int k)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const ptrdiff_t c = brume_field_index(&velocity[axis], i, j, k);
        sum += (double)velocity[axis].data[c + brume_stride(&velocity[axis], axis)] - (double)velocity[axis].data[c];
    }
    return sum;
}

// fluxes through coarse faces are kept, and all fine cells of a coarse one have its divergence
static void prolongation_keeps_fluxes_and_divergence(void **state)
{
    (void)state;
    for (int factor = 2; factor <= 4; factor += 2) {
        const BrumeNesting nesting = {.factor = factor, .from = {2, 1, 3}};
        const int n[3] = {4 * factor, 3 * factor, 2 * factor};
        BrumeField coarse[3];
        BrumeField means[3];
        BrumeField fine[3];
        create_velocity(coarse, brume_grid(9, 8, 10));
        create_velocity(means, brume_grid(9, 8, 10));
        create_velocity(fine, brume_grid(n[0], n[1], n[2]));
        for (int axis = 0; axis < 3; axis++) {
            for (size_t e = 0; e < brume_grid_entries(coarse[axis].grid); e++) {
                coarse[axis].data[e] = value_at((int)e + 1000 * axis);
            }
        }
        const BrumeIndexBox none = {{1, 1, 1}, {0, 0, 0}};
        brume_prolong_velocity(&nesting, coarse, &none, fine);
        for (int axis = 0; axis < 3; axis++) {
            brume_restrict_faces(&nesting, axis, &fine[axis], &means[axis]);
        }
        for (int k = 1; k <= n[2]; k++) {
            for (int j = 1; j <= n[1]; j++) {
                for (int i = 1; i <= n[0]; i++) {
                    const int at[3] = {3 + (i - 1) / factor, 2 + (j - 1) / factor, 4 + (k - 1) / factor};
                    assert_near(divergence_at(fine, i, j, k), divergence_at(coarse, at[0], at[1], at[2]) / factor,
                                2e-6);
                    for (int axis = 0; axis < 3; axis++) {
                        const ptrdiff_t c = brume_field_index(&coarse[axis], at[0], at[1], at[2]);
                        assert_near((double)means[axis].data[c], (double)coarse[axis].data[c], 1e-6);
                    }
                }
            }
        }
        destroy_velocity(coarse);
        destroy_velocity(means);
        destroy_velocity(fine);
    }
}

// a velocity that is linear in space, without divergence, is prolonged exactly
static void prolongation_of_a_linear_flow_is_exact(void **state)
{
    (void)state;
    const BrumeNesting nesting = {.factor = 4, .from = {1, 1, 1}};
    BrumeField coarse[3];
    BrumeField fine[3];
    create_velocity(coarse, brume_grid(6, 6, 6));
    create_velocity(fine, brume_grid(8, 12, 8));
    const double a[3][3] = {{0.3, 0.2, -0.5}, {0.7, 0.4, 0.1}, {-0.6, 0.9, -0.7}}; // without trace
    for (int pass = 0; pass < 2; pass++) {
        BrumeField *velocity = pass == 0 ? coarse : fine;
        const BrumeGrid grid = velocity[0].grid;
        if (pass == 1) {
            brume_prolong_velocity(&nesting, coarse, &(BrumeIndexBox){{1, 1, 1}, {0, 0, 0}}, fine);
        }
        for (int k = pass; k <= grid.nz + 1 - pass; k++) {
            for (int j = pass; j <= grid.ny + 1 - pass; j++) {
                for (int i = pass; i <= grid.nx + 1 - pass; i++) {
                    for (int axis = 0; axis < 3; axis++) {
                        double x[3] = {i - 0.5, j - 0.5, k - 0.5};
                        x[axis] -= 0.5;
                        double expected = 0.0;
                        for (int n = 0; n < 3; n++) {
                            expected += a[axis][n] * (pass == 0 ? x[n] : x[n] / 4.0 + 1.0);
                        }
                        const ptrdiff_t c = brume_field_index(&velocity[axis], i, j, k);
                        if (pass == 0) {
                            velocity[axis].data[c] = (float)expected;
                        } else {
                            assert_near((double)velocity[axis].data[c], expected, 2e-5);
                        }
                    }
                }
            }
        }
    }
    destroy_velocity(coarse);
    destroy_velocity(fine);
}

static BrumeSimDef plume_def(int n, int factor)
{
    BrumeSimDef def = box_def(2 * n, 2 * n, 2 * n, 1.0f / (float)n, BRUME_OPEN);
    def.faces[BRUME_FACE_Y_MIN].kind = BRUME_WALL;
    def.origin = brume_vec3(-1.0f, 0.0f, -1.0f);
    def.far_factor = factor;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape.a = brume_vec3(0.0f, 0.2f, 0.0f);
    def.emitters[0].shape.radius = 0.12f;
    def.emitters[0].smoke[0] = (BrumeSource){.mode = BRUME_SOURCE_SET, .value = 1.0f};
    def.emitters[0].temperature = (BrumeSource){.mode = BRUME_SOURCE_SET, .value = 60.0f};
    return def;
}

// the mean height of the smoke [m]
static double smoke_height(const BrumeSim *sim)
{
    const BrumeField *density = &sim->fields[BRUME_FIELD_DENSITY];
    const BrumeGrid grid = density->grid;
    double sum = 0.0;
    double moment = 0.0;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const double value = (double)density->data[brume_field_index(density, i, j, k)];
                sum += value;
                moment += value * (double)brume_cell_center(&sim->def, i, j, k).y;
            }
        }
    }
    return moment / sum;
}

static void run(BrumeSim *sim, int frames)
{
    BrumeError error = {0};
    for (int frame = 0; frame < frames; frame++) {
        if (brume_sim_frame(sim, NULL, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
    }
}

// the plume of the whole box in small cells: its amount of smoke, its height, and the budget of the smoke
static void a_window_follows_a_plume(void **state)
{
    (void)state;
    double smoke[3];
    double height[3];
    for (int factor = 1; factor <= 4; factor *= 2) {
        const BrumeSimDef def = plume_def(24, factor);
        BrumeSim *sim = create(&def);
        brume_sim_set_budgets(sim, true);
        for (int n = 0; n < 3; n++) {
            run(sim, n == 2 ? 24 : 12);
            BrumeMeasures measures;
            brume_sim_measure(sim, &measures);
            const BrumeScalarMeasures *density = &measures.scalars[1];
            if (factor == 1) {
                smoke[n] = density->total;
                height[n] = smoke_height(sim);
            }
            assert_near(density->total, smoke[n], 5e-4 * smoke[n]);
            assert_near(smoke_height(sim), height[n], 3e-3 * height[n]);
            assert_near(density->budget.unaccounted, 0.0, 1e-5 * smoke[n]);
            assert_at_most(fabs(density->budget.changed), 1e-5 * smoke[n]); // what a window gave up
            assert_at_most(sim->divergence, 1e-3);
            assert_int_equal(brume_sim_settings(sim)->ny, 48);
            const int heights[3] = {24, 32, 48}; // of the window [cells]
            assert_int_equal(sim->def.ny, factor == 1 ? 48 : heights[n]);
        }
        brume_sim_destroy(sim);
    }
}

static void threads_make_no_difference(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int n = 0; n < 2; n++) {
        brume_set_threads(n == 0 ? 1 : 3);
        const BrumeSimDef def = plume_def(24, 4);
        BrumeSim *sim = create(&def);
        run(sim, 20);
        hashes[n] = brume_sim_hash(sim);
        brume_sim_destroy(sim);
    }
    assert_true(hashes[0] == hashes[1]);
}

// a saved state in the middle goes on with the same bits
static void a_saved_state_goes_on(void **state)
{
    (void)state;
    const BrumeSimDef def = plume_def(24, 2);
    BrumeSim *sim = create(&def);
    run(sim, 20);
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    BrumeError error = {0};
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    BrumeSim *loaded;
    if (brume_sim_create_saved(&loaded, bytes, size, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    assert_true(brume_sim_hash(sim) == brume_sim_hash(loaded));
    run(sim, 12);
    run(loaded, 12);
    assert_int_equal(sim->def.ny, loaded->def.ny);
    assert_true(brume_sim_hash(sim) == brume_sim_hash(loaded));
    assert_int_equal(brume_sim_load(sim, bytes, size, &error), BRUME_OK);
    run(sim, 12);
    assert_true(brume_sim_hash(sim) == brume_sim_hash(loaded));
    free(bytes);
    brume_sim_destroy(loaded);
    brume_sim_destroy(sim);
}

// an emitter that is added far away is within the window from the next step on
static void a_new_emitter_extends_the_window(void **state)
{
    (void)state;
    BrumeSimDef def = plume_def(24, 2);
    BrumeSim *sim = create(&def);
    run(sim, 4);
    assert_int_equal(sim->def.ny, 24);
    const double smoke = brume_total(sim, BRUME_FIELD_DENSITY);
    BrumeEmitterDef emitter = def.emitters[0];
    emitter.shape.a.y = 1.5f;
    BrumeError error = {0};
    assert_int_equal(brume_sim_add_emitter(sim, &emitter, NULL, &error), BRUME_OK);
    assert_int_equal(brume_sim_settings(sim)->emitter_count, 2);
    assert_int_equal(brume_sim_settings(sim)->ny, 48);
    run(sim, 1);
    assert_int_equal(sim->def.ny, 48);
    const double pi = 3.14159265358979;
    const double ball = 4.0 / 3.0 * pi * 0.12 * 0.12 * 0.12;
    assert_near(brume_total(sim, BRUME_FIELD_DENSITY) - smoke, ball, 0.15 * ball);
    brume_sim_destroy(sim);
}

// the far field can be switched on and off, and the resolution changed, with the same amount of smoke
static void settings_of_the_box_change(void **state)
{
    (void)state;
    BrumeSimDef def = plume_def(24, 2);
    BrumeSim *sim = create(&def);
    run(sim, 12);
    const double smoke = brume_total(sim, BRUME_FIELD_DENSITY);
    const int factors[4] = {1, 4, 2, 2};
    BrumeError error = {0};
    for (int n = 0; n < 4; n++) {
        def = n < 3 ? plume_def(24, factors[n]) : plume_def(32, factors[n]);
        if (brume_sim_change(sim, &def, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
        assert_int_equal(brume_sim_settings(sim)->far_factor, factors[n]);
        assert_int_equal(brume_sim_settings(sim)->nx, def.nx);
        assert_near(brume_total(sim, BRUME_FIELD_DENSITY), smoke, 1e-3 * smoke);
        assert_at_most(sim->divergence, 1e-3);
    }
    run(sim, 2);
    brume_sim_destroy(sim);
}

// other fields are allocated for the window alone, and its far field stays
static void changes_of_fields_keep_the_far_field(void **state)
{
    (void)state;
    BrumeSimDef def = plume_def(24, 2);
    BrumeSim *sim = create(&def);
    run(sim, 8);
    const double smoke = brume_total(sim, BRUME_FIELD_DENSITY);
    const BrumeSim *coarse = sim->far->coarse;
    BrumeError error = {0};
    for (int n = 0; n < 3; n++) {
        def.color_count = 1;
        def.advection = n >= 1 ? "semi-lagrangian" : def.advection;
        def.texture_period = n >= 2 ? 2.0f : 0.0f;
        if (brume_sim_change(sim, &def, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
        assert_ptr_equal(sim->far->coarse, coarse);
        assert_int_equal(brume_sim_settings(sim)->ny, 48);
        assert_true(brume_total(sim, BRUME_FIELD_DENSITY) == smoke);
        assert_non_null(coarse->fields[BRUME_FIELD_DENSITY + 1].data);
    }
    run(sim, 2);
    brume_sim_destroy(sim);
}

// a body at rest is on the coarse grid alone until the window comes close to it, and then in the window in whole
static void bodies_may_be_outside_of_the_window(void **state)
{
    (void)state;
    double height[2];
    for (int n = 0; n < 2; n++) {
        BrumeSimDef def = plume_def(24, n == 0 ? 1 : 2);
        def.body_count = 1;
        def.bodies[0].shape = brume_default_emitter_def().shape;
        def.bodies[0].shape.a = brume_vec3(0.1f, 1.5f, 0.0f);
        def.bodies[0].shape.radius = 0.15f;
        BrumeSim *sim = create(&def);
        run(sim, 8);
        if (n == 1) {
            assert_int_equal(sim->def.ny, 24);
            assert_false(sim->geometry->cells.bodies);
            assert_true(sim->far->coarse->geometry->cells.bodies);
        }
        run(sim, 32);
        assert_int_equal(sim->def.ny, 48);
        assert_true(sim->geometry->cells.bodies);
        assert_at_most(sim->divergence, 1e-3);
        height[n] = smoke_height(sim);
        brume_sim_destroy(sim);
    }
    assert_near(height[1], height[0], 3e-3 * height[0]);
}

// noise of the whole box is that in the window too
static void initial_fields_are_those_of_the_box(void **state)
{
    (void)state;
    BrumeSim *sims[2];
    for (int n = 0; n < 2; n++) {
        BrumeSimDef def = plume_def(24, n == 0 ? 1 : 4);
        def.initial_count = 1;
        def.initial[0] = brume_default_initial_def();
        def.initial[0].kind = BRUME_INITIAL_NOISE;
        def.initial[0].speed = 0.3f;
        def.initial[0].scale = 0.3f;
        def.initial[0].spread = 0.1f;
        def.initial[0].center = brume_vec3(0.2f, 0.3f, 0.1f);
        sims[n] = create(&def);
    }
    assert_at_most(sims[1]->def.ny, 40);
    const BrumeFarWindow *window = &sims[1]->far->window;
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *whole = &sims[0]->fields[axis];
        const BrumeField *part = &sims[1]->fields[axis];
        for (int k = 1; k <= sims[1]->def.nz; k++) {
            for (int j = 1; j <= sims[1]->def.ny; j++) {
                for (int i = 1; i <= sims[1]->def.nx; i++) {
                    const ptrdiff_t c = brume_field_index(whole, i + window->from[0] - 1, j + window->from[1] - 1,
                                                          k + window->from[2] - 1);
                    assert_near((double)part->data[brume_field_index(part, i, j, k)], (double)whole->data[c], 1e-3);
                }
            }
        }
    }
    brume_sim_destroy(sims[0]);
    brume_sim_destroy(sims[1]);
}

// the displacements that lead to where the air of smoky cells came from, in a window as in the whole box
static void texture_coordinates_follow_the_window(void **state)
{
    (void)state;
    BrumeSim *sims[2];
    for (int n = 0; n < 2; n++) {
        BrumeSimDef def = plume_def(24, n == 0 ? 1 : 2);
        def.texture_period = 1.0f;
        sims[n] = create(&def);
        run(sims[n], 40);
    }
    int shift[3];
    for (int axis = 0; axis < 3; axis++) {
        shift[axis] = sims[1]->far->window.from[axis] - 1;
    }
    double difference = 0.0;
    double norm = 0.0;
    const BrumeField *density = &sims[1]->fields[BRUME_FIELD_DENSITY];
    const BrumeGrid grid = density->grid;
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS; n++) {
        const BrumeField *whole = &sims[0]->texture[n / 3][n % 3];
        const BrumeField *part = &sims[1]->texture[n / 3][n % 3];
        for (int k = 1; k <= grid.nz; k++) {
            for (int j = 1; j <= grid.ny; j++) {
                for (int i = 1; i <= grid.nx; i++) {
                    const ptrdiff_t c = brume_field_index(density, i, j, k);
                    if (density->data[c] > 0.01f) {
                        const double a =
                            (double)whole->data[brume_field_index(whole, i + shift[0], j + shift[1], k + shift[2])];
                        difference += ((double)part->data[c] - a) * ((double)part->data[c] - a);
                        norm += a * a;
                    }
                }
            }
        }
    }
    assert_at_most(difference, 0.005 * 0.005 * norm);
    brume_sim_destroy(sims[0]);
    brume_sim_destroy(sims[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prolongation_keeps_fluxes_and_divergence),
        cmocka_unit_test(prolongation_of_a_linear_flow_is_exact),
        cmocka_unit_test(a_window_follows_a_plume),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(a_saved_state_goes_on),
        cmocka_unit_test(a_new_emitter_extends_the_window),
        cmocka_unit_test(settings_of_the_box_change),
        cmocka_unit_test(changes_of_fields_keep_the_far_field),
        cmocka_unit_test(bodies_may_be_outside_of_the_window),
        cmocka_unit_test(initial_fields_are_those_of_the_box),
        cmocka_unit_test(texture_coordinates_follow_the_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The projection: fused and in separate passes, with the pressure that the velocity contains, and its measurements. */
#include "core/field.h"
#include "sim/boundary/boundary.h"
#include "sim/forces/projection.h"
#include "sim/measures/monitor.h"
#include "sim/pressure/pressure.h"
#include "sim_support.h"

#include <float.h>

enum { BOXES = 6 };

static double swirl(double x, double y, double z, const void *context)
{
    const int axis = *(const int *)context;
    return sin(5.0 * x + 3.0 * y * (axis + 1) + 7.0 * z) + 0.5 * cos(11.0 * y + axis) * sin(6.0 * z - 2.0 * x);
}

static double hill(double x, double y, double z, const void *context)
{
    (void)context;
    return 0.3 * cos(4.0 * x + 1.0) * sin(3.0 * y) + 0.2 * z;
}

// boxes without bodies: open, mixed, closed, a periodic y, all periodic, an inflow
static BrumeSimDef box_of_kind(int kind)
{
    BrumeSimDef def = box_def(27, 18, 21, 0.05f, kind == 4 ? BRUME_PERIODIC : kind == 0 ? BRUME_OPEN : BRUME_WALL);
    def.pressure = "auto";
    if (kind == 1 || kind == 5) {
        def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
        def.faces[BRUME_FACE_X_MIN].kind = BRUME_OPEN;
        def.faces[BRUME_FACE_Z_MAX].kind = BRUME_OPEN;
    }
    if (kind == 3) {
        def.faces[BRUME_FACE_Y_MIN].kind = BRUME_PERIODIC;
        def.faces[BRUME_FACE_Y_MAX].kind = BRUME_PERIODIC;
        def.faces[BRUME_FACE_Z_MIN].kind = BRUME_OPEN;
    }
    if (kind == 5) {
        def.faces[BRUME_FACE_X_MAX].kind = BRUME_INFLOW;
        def.faces[BRUME_FACE_X_MAX].velocity = (BrumeVec3){-0.7f, 0.1f, 0.0f};
    }
    return def;
}

// a simulation with a velocity and a pressure whose boundary values are set
static BrumeSim *create_swirl(const BrumeSimDef *def)
{
    BrumeSim *sim = create(def);
    for (int axis = 0; axis < 3; axis++) {
        fill(sim, (BrumeFieldId)axis, swirl, &axis);
    }
    fill(sim, BRUME_FIELD_PRESSURE, hill, NULL);
    brume_set_velocity_boundary(sim);
    return sim;
}

// largest difference of field `id` of two simulations in the cells, and on the upper faces of a component
static double difference(const BrumeSim *a, const BrumeSim *b, BrumeFieldId id)
{
    const BrumeField *field = &a->fields[id];
    const BrumeGrid grid = field->grid;
    double largest = 0.0;
    for (int k = 1; k <= grid.nz + (id == BRUME_FIELD_W); k++) {
        for (int j = 1; j <= grid.ny + (id == BRUME_FIELD_V); j++) {
            for (int i = 1; i <= grid.nx + (id == BRUME_FIELD_U); i++) {
                largest = fmax(largest, fabs((double)brume_field_at(field, i, j, k) -
                                             (double)brume_field_at(&b->fields[id], i, j, k)));
            }
        }
    }
    return largest;
}

// In boxes with an open side, both forms have the same bits. In others, the mean of b is removed before or after the
// transforms, which rounds differently. The result does not depend on the number of threads.
static void test_fused_equals_separate_passes(void **state)
{
    (void)state;
    const int before = brume_get_threads();
    for (int kind = 0; kind < BOXES; kind++) {
        for (int threads = 1; threads <= 5; threads += 2) {
            for (int n = 0; n < 2; n++) {
                const float share = n == 0 ? 0.0f : 0.75f;
                const BrumeSimDef def = box_of_kind(kind);
                brume_set_threads(threads);
                BrumeSim *fused = create_swirl(&def);
                BrumeSim *separate = create_swirl(&def);
                BrumeField *p = &separate->fields[BRUME_FIELD_PRESSURE];
                BrumeField *phi = &separate->scratch[BRUME_SCRATCH_INCREMENT];
                const BrumePressureResult done = brume_project_increment(fused, 0.1f, share);
                const BrumePressureResult result = brume_project_in_passes(separate, phi, 0.1f, true);
                for (int k = 1; k <= p->grid.nz; k++) {
                    for (int j = 1; j <= p->grid.ny; j++) {
                        brume_add_increment_row(p, phi, share, j, k);
                    }
                }
                brume_set_velocity_boundary(separate);
                assert_int_equal(done.iterations, 1);
                assert_true(done.converged && result.converged);
                const bool singular = kind == 2 || kind == 4;
                for (int id = 0; id <= BRUME_FIELD_PRESSURE; id++) {
                    if (!fused->fields[id].data) {
                        continue;
                    }
                    assert_at_most(difference(fused, separate, (BrumeFieldId)id), singular ? 5e-6 : 0.0);
                }
                if (!singular) {
                    assert_near(done.residual, result.residual, 1e-12);
                }
                const double speed = fused->max_speed;
                const double divergence = fused->divergence;
                assert_near(divergence, brume_measure_flow(fused), 0.0);
                assert_near(speed, fused->max_speed, 0.0);
                brume_sim_destroy(fused);
                brume_sim_destroy(separate);
            }
        }
    }
    brume_set_threads(before);
}

// The plain passes (sim/reference/projection.c) give the bits of the fused ones: velocity, pressure with its ghosts and
// everything that a projection measures, in boxes that need one solve or, for rounding, several.
static void test_plain_passes_give_the_same_bits(void **state)
{
    (void)state;
    const int before = brume_get_threads();
    for (int kind = 0; kind < 2 * BOXES; kind++) {
        BrumeSimDef def = box_of_kind(kind % BOXES);
        def.nz = kind == 4 ? 1 : def.nz; // one cell thick
        def.tolerance = kind < BOXES ? def.tolerance : 1e-7f;
        for (int n = 0; n < 3; n++) {
            const float share = 0.5f * (float)n;
            BrumeSim *sims[2];
            BrumePressureResult results[2];
            for (int set = 0; set < 2; set++) {
                def.kernels = brume_kernels_name(set);
                brume_set_threads(set == 0 ? 3 : 2);
                sims[set] = create_swirl(&def);
                results[set] = brume_project_increment(sims[set], 0.1f, share);
            }
            assert_int_equal(results[0].iterations, results[1].iterations);
            assert_in_range(results[0].iterations, kind < BOXES ? 1 : 2, kind < BOXES ? 1 : 10);
            assert_near(results[0].residual, results[1].residual, 0.0);
            assert_near(sims[0]->max_speed, sims[1]->max_speed, 0.0);
            assert_near(sims[0]->divergence, sims[1]->divergence, 0.0);
            for (int id = 0; id <= BRUME_FIELD_PRESSURE; id++) {
                if (!sims[0]->fields[id].data) {
                    continue;
                }
                const BrumeField *field = &sims[0]->fields[id];
                assert_memory_equal(field->data, sims[1]->fields[id].data,
                                    brume_grid_entries(field->grid) * sizeof(float));
            }
            brume_sim_destroy(sims[0]);
            brume_sim_destroy(sims[1]);
        }
    }
    brume_set_threads(before);
}

// Subtracting dt grad p before the projection and adding the difference gives the velocity and the pressure of a
// projection without p, for a direct and an iterative solver.
static void test_shared_pressure_is_part_of_the_result(void **state)
{
    (void)state;
    const char *const solvers[] = {"dct", "mgpcg"};
    const float dt = 0.1f;
    for (size_t solver = 0; solver < 2; solver++) {
        for (int kind = 0; kind < BOXES; kind++) {
            BrumeSimDef def = box_of_kind(kind);
            def.pressure = solvers[solver];
            def.tolerance = 1e-6f;
            BrumeSim *whole = create_swirl(&def);
            BrumeSim *change = create_swirl(&def);
            assert_at_most(brume_project(whole, dt).residual, 5e-6);
            // 0.8 times the exact pressure, and its gradient
            BrumeField *p = &change->fields[BRUME_FIELD_PRESSURE];
            const BrumeField *exact = &whole->fields[BRUME_FIELD_PRESSURE];
            for (size_t n = 0; n < brume_grid_entries(p->grid); n++) {
                p->data[n] = 0.8f * exact->data[n];
            }
            for (int axis = 0; axis < 3; axis++) {
                BrumeField *u = &change->fields[axis];
                for (int k = 1; k <= u->grid.nz + 1; k++) {
                    for (int j = 1; j <= u->grid.ny + 1; j++) {
                        for (int i = 1; i <= u->grid.nx + 1; i++) {
                            const ptrdiff_t c = brume_field_index(u, i, j, k);
                            u->data[c] -= dt / def.dx * (p->data[c] - p->data[c - brume_stride(u, axis)]);
                        }
                    }
                }
            }
            brume_set_velocity_boundary(change);
            const BrumePressureResult done = brume_project_increment(change, dt, 1.0f);
            assert_at_most(done.residual, 1e-4);
            for (int id = 0; id <= BRUME_FIELD_W; id++) {
                assert_at_most(difference(whole, change, (BrumeFieldId)id), 2e-4);
            }
            assert_at_most(difference(whole, change, BRUME_FIELD_PRESSURE), 2e-4);
            brume_sim_destroy(whole);
            brume_sim_destroy(change);
        }
    }
}

// A velocity that is not finite is not projected: no iteration, not converged, and a speed that is not a number.
static void test_values_that_are_not_finite_are_reported(void **state)
{
    (void)state;
    const BrumeSimDef def = box_of_kind(1);
    BrumeSim *sim = create_swirl(&def);
    sim->fields[1].data[brume_field_index(&sim->fields[1], 5, 6, 7)] = NAN;
    const BrumePressureResult done = brume_project_increment(sim, 0.1f, 1.0f);
    assert_int_equal(done.iterations, 0);
    assert_false(done.converged);
    assert_true(isnan(sim->max_speed) && !isfinite(sim->divergence));
    assert_near(max_abs(&sim->fields[BRUME_FIELD_PRESSURE]), 0.0, 0.0);
    brume_sim_destroy(sim);
}

/*
 * A steady flow in equilibrium with its pressure, carried by a uniform wind: the changes of the pressure are small, and
 * their divergence consists of rounding errors to a large part. Every solver reports convergence at a tolerance that it
 * could not reach for rounding errors, and leaves a divergence of their size.
 */
static void test_rounding_errors_count_as_converged(void **state)
{
    (void)state;
    const double cell = 1.0 / 16.0;
    for (int n = 0; brume_pressure_name(n); n++) {
        BrumeSimDef def = box_def(16, 16, 8, (float)cell, BRUME_PERIODIC);
        def.pressure = brume_pressure_name(n);
        def.tolerance = 1e-6f;
        def.max_iterations = 1000;
        def.initial_count = 2;
        def.initial[0] = def.initial[1] = brume_default_initial_def();
        def.initial[0].velocity = brume_vec3(3.0f, 2.0f, 1.0f);
        def.initial[1].kind = BRUME_INITIAL_TAYLOR_GREEN;
        def.initial[1].speed = 0.01f;
        BrumeSim *sim = create(&def);
        for (int s = 0; s < 10; s++) {
            BrumeStepStats stats;
            step(sim, 0.001, &stats);
            if (!stats.converged || stats.residual > (double)def.tolerance) {
                fail_msg("%s, step %d: residual %g", def.pressure, s, stats.residual);
            }
            assert_at_most(stats.divergence, 6.0 * (double)FLT_EPSILON * 3.01 / cell);
        }
        brume_sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fused_equals_separate_passes),
        cmocka_unit_test(test_plain_passes_give_the_same_bits),
        cmocka_unit_test(test_shared_pressure_is_part_of_the_result),
        cmocka_unit_test(test_values_that_are_not_finite_are_reported),
        cmocka_unit_test(test_rounding_errors_count_as_converged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

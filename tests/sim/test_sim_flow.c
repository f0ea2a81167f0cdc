/* Flows with analytic solutions: viscous Taylor-Green, diffusion of a mode, Couette flow; order of the advection. */
#include "core/vec3.h"
#include "sanitized.h"
#include "sim/measures/monitor.h"
#include "sim/transport/transport.h"
#include "sim_support.h"

static const double PI = 3.14159265358979323846;

static double taylor_green(double x, double y, double z, const void *context)
{
    (void)z;
    return *(const int *)context == 0 ? cos(x) * sin(y) : -sin(x) * cos(y);
}

// mean kinetic energy of u and v in the box
static double energy(const BrumeSim *sim)
{
    double sum = 0.0;
    for (int axis = 0; axis < 2; axis++) {
        const BrumeField *field = &sim->fields[axis];
        for (int k = 1; k <= field->grid.nz; k++) {
            for (int j = 1; j <= field->grid.ny; j++) {
                for (int i = 1; i <= field->grid.nx; i++) {
                    sum += 0.5 * pow((double)brume_field_at(field, i, j, k), 2.0);
                }
            }
        }
    }
    return sum / (double)brume_grid_cells(sim->geometry->cells.grid);
}

// rms difference of two velocities, relative to the second one
static double relative_difference(const BrumeSim *sim, const BrumeSim *exact)
{
    double difference = 0.0;
    double square = 0.0;
    for (int axis = 0; axis < 2; axis++) {
        for (int j = 1; j <= sim->def.ny; j++) {
            for (int i = 1; i <= sim->def.nx; i++) {
                const double value = (double)brume_field_at(&exact->fields[axis], i, j, 1);
                difference += pow((double)brume_field_at(&sim->fields[axis], i, j, 1) - value, 2.0);
                square += value * value;
            }
        }
    }
    return sqrt(difference / square);
}

// energy error and velocity error at t = 1 for n cells a side of 2 pi, nu = 0.05, dt proportional to dx
static double taylor_green_error(int n, double *velocity_error)
{
    BrumeSimDef def = box_def(n, n, 1, (float)(2.0 * PI / n), BRUME_PERIODIC);
    def.viscosity = 0.05f;
    def.tolerance = 1e-6f;
    BrumeSim *sim = create(&def);
    for (int axis = 0; axis < 2; axis++) {
        fill(sim, (BrumeFieldId)axis, taylor_green, &axis);
    }
    const double start = energy(sim);
    const int steps = 5 * (n / 16);
    for (int m = 0; m < steps; m++) {
        step(sim, 1.0 / steps, NULL);
    }
    const double error = energy(sim) / start - exp(-4.0 * 0.05);
    BrumeSim *exact = create(&def);
    for (int axis = 0; axis < 2; axis++) {
        fill(exact, (BrumeFieldId)axis, taylor_green, &axis);
        for (size_t c = 0; c < brume_grid_entries(exact->fields[axis].grid); c++) {
            exact->fields[axis].data[c] *= (float)exp(-2.0 * 0.05);
        }
    }
    *velocity_error = relative_difference(sim, exact);
    brume_sim_destroy(exact);
    brume_sim_destroy(sim);
    return fabs(error) / exp(-4.0 * 0.05);
}

// u = u0 exp(-2 nu t): energy within 0.05 % at 64^2, velocity of order >= 1.8 in time and space together
static void test_viscous_taylor_green(void **state)
{
    (void)state;
    double coarse;
    double fine;
    const double energy_error = taylor_green_error(64, &coarse);
    (void)taylor_green_error(128, &fine);
    print_message("Taylor-Green: energy error %.3g at 64^2, velocity error %.3g at 64^2, %.3g at 128^2, order %.2f\n",
                  energy_error, coarse, fine, log2(coarse / fine));
    assert_at_most(energy_error, 0.0005);
    assert_at_least(log2(coarse / fine), 1.8);
}

static double cosine_mode(double x, double y, double z, const void *context)
{
    (void)context;
    return cos(2.0 * PI * x) * cos(PI * y) * cos(3.0 * PI * z);
}

// With insulating walls a cosine mode is an eigenvector with the eigenvalue lambda = sum(2 - 2 cos(pi m / n)): with
// z = alpha lambda, a step multiplies it by 1 - z + z^2 / 2 (Heun) for alpha up to 1/12, and by
// (1 - (1 - theta) z) / (1 + theta z) beyond.
static void test_diffusion_of_a_mode(void **state)
{
    (void)state;
    const float diffusivities[] = {1e-4f, 0.01f, 1.0f};
    for (int n = 0; n < 3; n++) {
        BrumeSimDef def = box_def(16, 16, 16, 1.0f / 16.0f, BRUME_WALL);
        BrumeSim *sim = create(&def);
        fill(sim, BRUME_FIELD_TEMPERATURE, cosine_mode, NULL);
        const double before = (double)brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], 1, 1, 1);
        (void)brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, diffusivities[n], 0.1f);
        const double alpha = (double)diffusivities[n] * 0.1 * 256.0;
        const double theta = fmax(0.5, 1.0 - 1.0 / (6.0 * alpha));
        const double eigenvalue = 6.0 - 2.0 * (cos(2.0 * PI / 16.0) + cos(PI / 16.0) + cos(3.0 * PI / 16.0));
        const double z = alpha * eigenvalue;
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], 1, 1, 1),
                    before *
                        (alpha <= 1.0 / 12.0 ? 1.0 - z + 0.5 * z * z : (1.0 - (1.0 - theta) * z) / (1.0 + theta * z)),
                    2e-6);
        brume_sim_destroy(sim);
    }
}

static double step_profile(double x, double y, double z, const void *context)
{
    (void)y, (void)z, (void)context;
    return x < 0.5 ? 10.0 : -1.0;
}

// strong diffusion preserves the sum between insulating walls and bodies, and makes no new extremum
static void test_diffusion_is_stable_and_conservative(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(20, 12, 16, 0.05f, BRUME_WALL);
    def.body_count = 1;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.3f, 0.4f}, .b = {0, 0, 0}, .radius = 0.2f};
    BrumeSim *sim = create(&def);
    fill(sim, BRUME_FIELD_TEMPERATURE, step_profile, NULL);
    BrumeField *field = &sim->fields[BRUME_FIELD_TEMPERATURE];
    brume_clear_solids(&sim->geometry->cells, BRUME_AT_CENTER, field);
    const double before = sum_of(field);
    (void)brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, 10.0f, 1.0f); // 4000 cells^2
    brume_clear_solids(&sim->geometry->cells, BRUME_AT_CENTER, field);
    double low;
    double high;
    range_of(field, &low, &high);
    assert_near(sum_of(field), before, 1e-6 * fabs(before));
    assert_at_least(low, -1.0);
    assert_at_most(high, 10.0);
    brume_sim_destroy(sim);
}

static double noise(double x, double y, double z, const void *context)
{
    (void)x, (void)y, (void)z;
    uint32_t *seed = *(uint32_t *const *)context;
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1u << 24) - 0.5;
}

// a flow in which every face has another velocity gains no energy
static void test_unresolved_flow_loses_energy(void **state)
{
    (void)state;
    for (int n = 0; n < 2; n++) {
        BrumeSimDef def = box_def(24, 24, 24, 1.0f / 24.0f, BRUME_PERIODIC);
        def.integrator = brume_integrator_name(n);
        BrumeSim *sim = create(&def);
        uint32_t seed = 7;
        const void *context = &seed;
        for (int axis = 0; axis < 3; axis++) {
            fill(sim, (BrumeFieldId)axis, noise, &context);
        }
        (void)brume_project(sim, 0.01f);
        double before = energy(sim);
        const double first = before;
        for (int m = 0; m < 100; m++) {
            step(sim, 0.5 / 24.0 / sim->max_speed, NULL);
            const double now = energy(sim);
            assert_at_most(now, first);
            before = now;
        }
        print_message("%s: %.3f of the energy left\n", def.integrator, before / first);
        assert_at_most(before, 0.5 * first);
        brume_sim_destroy(sim);
    }
}

// viscous flow between a fixed wall and one that moves at 1 m/s converges to the linear profile of Couette flow
static void test_couette_flow(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 16, 8, 0.0625f, BRUME_PERIODIC);
    def.faces[BRUME_FACE_Y_MIN] = (BrumeFaceDef){.kind = BRUME_WALL, .no_slip = true};
    def.faces[BRUME_FACE_Y_MAX] = (BrumeFaceDef){.kind = BRUME_WALL, .no_slip = true, .velocity = {1.0f, 0.0f, 0.0f}};
    def.viscosity = 1.0f;
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 40; n++) {
        step(sim, 0.1, NULL);
    }
    for (int j = 1; j <= 16; j++) {
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 4, j, 4), (j - 0.5) / 16.0, 1e-4);
    }
    brume_sim_destroy(sim);
}

// conduction between walls at fixed temperatures converges to the linear profile
static void test_conduction_between_fixed_temperatures(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 8, 16, 0.0625f, BRUME_WALL);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.faces[BRUME_FACE_Z_MIN] = (BrumeFaceDef){.fixed_temperature = true, .temperature = 30.0f};
    def.faces[BRUME_FACE_Z_MAX] = (BrumeFaceDef){.fixed_temperature = true, .temperature = -10.0f};
    def.thermal_diffusivity = 1.0f;
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 60; n++) {
        step(sim, 0.1, NULL);
    }
    for (int k = 1; k <= 16; k++) {
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], 4, 4, k),
                    30.0 - 40.0 * (k - 0.5) / 16.0, 1e-3);
    }
    brume_sim_destroy(sim);
}

// LeVeque's vortex in a unit square (LeVeque 1996, eq. 9.5), reversed at half the time
static double vortex(double x, double y, double z, const void *context)
{
    (void)z;
    const double *axis_and_strength = context;
    return axis_and_strength[0] < 0.5 ? axis_and_strength[1] * pow(sin(PI * x), 2.0) * sin(2.0 * PI * y)
                                      : -axis_and_strength[1] * pow(sin(PI * y), 2.0) * sin(2.0 * PI * x);
}

static double smooth_blob(double x, double y, double z, const void *context)
{
    (void)z, (void)context;
    return exp(-((x - 0.5) * (x - 0.5) + (y - 0.75) * (y - 0.75)) / 0.02);
}

// mean error of the blob after the vortex has been reversed, at 2 cells a step
static double vortex_error(int n, const char *scheme, int order)
{
    BrumeSimDef def = box_def(n, n, 1, 1.0f / (float)n, BRUME_WALL);
    def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_PERIODIC;
    def.transport = scheme;
    def.trace_order = order;
    BrumeSim *sim = create(&def);
    fill(sim, BRUME_FIELD_DENSITY, smooth_blob, NULL);
    double low;
    double high;
    range_of(&sim->fields[BRUME_FIELD_DENSITY], &low, &high);
    const int steps = n / 2; // of 2 cells at speed 1, over 1 s
    for (int m = 0; m < steps; m++) {
        for (int axis = 0; axis < 2; axis++) {
            const double context[2] = {axis, cos(PI * (m + 0.5) / steps)};
            fill(sim, (BrumeFieldId)axis, vortex, context);
        }
        (void)brume_measure_flow(sim);
        advect_own_velocity(sim, 1.0f / (float)steps); // for its displacements; the velocity itself is refilled
        brume_transport_scalars(sim, sim->scratch + BRUME_SCRATCH_RESULTS, 1.0 / steps);
        sim->steps++; // alternates the order of the axes
        double now_low;
        double now_high;
        range_of(&sim->fields[BRUME_FIELD_DENSITY], &now_low, &now_high);
        const double rounding = strcmp(scheme, "ppm") == 0 ? 2e-7 * (m + 1) : 0.0;
        assert_at_least(now_low, low - rounding);
        assert_at_most(now_high, high + rounding);
    }
    const BrumeField *density = &sim->fields[BRUME_FIELD_DENSITY];
    double error = 0.0;
    for (int j = 1; j <= n; j++) {
        for (int i = 1; i <= n; i++) {
            error +=
                fabs((double)brume_field_at(density, i, j, 1) - smooth_blob((i - 0.5) / n, (j - 0.5) / n, 0.0, NULL));
        }
    }
    brume_sim_destroy(sim);
    return error / (n * n);
}

// mean error of a blob in each component of a carried velocity after the vortex has been reversed, at 2 cells a step
static void carried_vortex_errors(int n, const char *scheme, int order, double errors[3])
{
    BrumeSimDef def = box_def(n, n, 1, 1.0f / (float)n, BRUME_WALL);
    def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_PERIODIC;
    def.advection = scheme;
    def.trace_order = order;
    BrumeSim *sim = create(&def);
    BrumeSim *blobs = create(&def); // its velocity is the one that is carried
    for (int axis = 0; axis < 3; axis++) {
        fill(blobs, (BrumeFieldId)axis, smooth_blob, NULL);
    }
    const int steps = n / 2; // of 2 cells at speed 1, over 1 s
    for (int m = 0; m < steps; m++) {
        for (int axis = 0; axis < 2; axis++) {
            const double context[2] = {axis, cos(PI * (m + 0.5) / steps)};
            fill(sim, (BrumeFieldId)axis, vortex, context);
        }
        BrumeField *results = sim->scratch + BRUME_SCRATCH_RESULTS;
        brume_advect_velocity(sim, sim->fields, blobs->fields, 1.0, 1.0f / (float)steps, results);
        for (int axis = 0; axis < 3; axis++) {
            brume_field_swap(&blobs->fields[axis], &results[axis]);
            brume_set_boundary(blobs, (BrumeFieldId)axis, &blobs->fields[axis]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const double x = axis == 0 ? 1.0 : 0.5;
        const double y = axis == 1 ? 1.0 : 0.5;
        double error = 0.0;
        for (int j = 1; j <= n; j++) {
            for (int i = 1; i <= n; i++) {
                error += fabs((double)brume_field_at(&blobs->fields[axis], i, j, 1) -
                              smooth_blob((i - x) / n, (j - y) / n, 0.0, NULL));
            }
        }
        errors[axis] = error / (n * n);
    }
    brume_sim_destroy(blobs);
    brume_sim_destroy(sim);
}

static void test_carried_velocity_converges(void **state)
{
    (void)state;
    skip_under_sanitizers(); // the other flows and sim_random carry the velocity on smaller grids
    for (int order = 2; order <= 3; order++) {
        double coarse[3];
        double fine[3];
        double plain[3];
        carried_vortex_errors(64, "maccormack", order, coarse);
        carried_vortex_errors(128, "maccormack", order, fine);
        carried_vortex_errors(128, "semi-lagrangian", order, plain);
        for (int axis = 0; axis < 3; axis++) {
            print_message("velocity along axis %d in the reversing vortex, trace of order %d: error %.3g at 64^2, %.3g "
                          "at 128^2, order %.2f; semi-Lagrangian %.3g\n",
                          axis, order, coarse[axis], fine[axis], log2(coarse[axis] / fine[axis]), plain[axis]);
            assert_at_least(log2(coarse[axis] / fine[axis]), 1.8);
            assert_at_most(fine[axis], 0.5 * plain[axis]);
        }
    }
}

static void test_advection_converges(void **state)
{
    (void)state;
    skip_under_sanitizers(); // sim_advection and sim_random have each scheme and order of the trace on smaller grids
    for (int order = 2; order <= 3; order++) {
        const double coarse = vortex_error(64, "maccormack", order);
        const double fine = vortex_error(128, "maccormack", order);
        const double plain = vortex_error(128, "semi-lagrangian", order);
        print_message("reversing vortex, trace of order %d: error %.3g at 64^2, %.3g at 128^2, order %.2f; "
                      "semi-Lagrangian %.3g\n",
                      order, coarse, fine, log2(coarse / fine), plain);
        assert_at_least(log2(coarse / fine), 1.8);
        assert_at_most(fine, 0.5 * plain);
        if (order == 2) { // the flux form needs no trace
            const double ppm_coarse = vortex_error(64, "ppm", order);
            const double ppm = vortex_error(128, "ppm", order);
            print_message("ppm: error %.3g at 64^2, %.3g at 128^2, order %.2f\n", ppm_coarse, ppm,
                          log2(ppm_coarse / ppm));
            assert_at_least(log2(ppm_coarse / ppm), 1.8);
            assert_at_most(ppm_coarse, coarse);
            assert_at_most(ppm, 1.1 * fine); // its limiter flattens the one smooth extremum more
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_viscous_taylor_green), cmocka_unit_test(test_unresolved_flow_loses_energy),
        cmocka_unit_test(test_diffusion_of_a_mode),  cmocka_unit_test(test_diffusion_is_stable_and_conservative),
        cmocka_unit_test(test_couette_flow),         cmocka_unit_test(test_conduction_between_fixed_temperatures),
        cmocka_unit_test(test_advection_converges),  cmocka_unit_test(test_carried_velocity_converges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Diffusion: exact decay of the modes of the discrete operator for each kind of side, steady profiles that the operator
 * reproduces exactly, budgets of heat, bounds at any step length.
 */
#include "sim_support.h"

#include "core/field.h"
#include "sim/boundary/geometry.h"

#define PI 3.14159265358979323846

enum { N = 16 };

// sin or cos of a multiple of pi x, the same for all y and z or a product of both directions
typedef struct Mode {
    bool sine;
    double wave_number; // in units of pi / m
    double mean, amplitude;
} Mode;

static double mode_along_y(double x, double y, double z, const void *context)
{
    (void)x, (void)z;
    const Mode *mode = context;
    const double phase = PI * mode->wave_number * y;
    return mode->mean + mode->amplitude * (mode->sine ? sin(phase) : cos(phase));
}

// eigenvalue of -dx^2 lap along one axis of n cells and 1 m
static double eigenvalue(double wave_number, int n) { return 2.0 - 2.0 * cos(PI * wave_number / n); }

// the factor of a mode in a step: Heun's method for alpha d up to 1/2, the theta method beyond
static double factor_of(double diagonal, double alpha, double lambda)
{
    const double z = alpha * lambda;
    const double theta = fmax(0.5, 1.0 - 1.0 / (diagonal * alpha));
    return diagonal * alpha <= 0.5 ? 1.0 - z + 0.5 * z * z : (1.0 - (1.0 - theta) * z) / (1.0 + theta * z);
}

static BrumeSimDef channel_def(BrumeFaceDef lower, BrumeFaceDef upper)
{
    BrumeSimDef def = box_def(8, N, 8, 1.0f / (float)N, BRUME_PERIODIC);
    def.pressure = "mgpcg";
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.faces[BRUME_FACE_Y_MIN] = lower;
    def.faces[BRUME_FACE_Y_MAX] = upper;
    return def;
}

typedef struct ModeCase {
    const char *name;
    BrumeFaceDef face;
    BrumeFieldId id;
    Mode mode;
} ModeCase;

static const ModeCase mode_cases[] = {
    {"insulating walls", {.kind = BRUME_WALL}, BRUME_FIELD_TEMPERATURE, {.wave_number = 3.0, .amplitude = 1.0}},
    {"walls at 0 K",
     {.kind = BRUME_WALL, .fixed_temperature = true},
     BRUME_FIELD_TEMPERATURE,
     {.sine = true, .wave_number = 3.0, .amplitude = 1.0}},
    {"an inflow at rest and at 0 K",
     {.kind = BRUME_INFLOW},
     BRUME_FIELD_TEMPERATURE,
     {.sine = true, .wave_number = 2.0, .amplitude = 1.0}},
    {"periodic sides",
     {.kind = BRUME_PERIODIC},
     BRUME_FIELD_TEMPERATURE,
     {.sine = true, .wave_number = 4.0, .amplitude = 1.0}},
    {"smoke beside walls", {.kind = BRUME_WALL}, BRUME_FIELD_DENSITY, {.wave_number = 2.0, .amplitude = 1.0}},
    {"free slip", {.kind = BRUME_WALL}, BRUME_FIELD_U, {.wave_number = 2.0, .amplitude = 1.0}},
    {"no slip",
     {.kind = BRUME_WALL, .no_slip = true},
     BRUME_FIELD_U,
     {.sine = true, .wave_number = 3.0, .amplitude = 1.0}},
    {"normal velocity", {.kind = BRUME_WALL}, BRUME_FIELD_V, {.sine = true, .wave_number = 3.0, .amplitude = 1.0}},
};

enum { MODE_CASES = sizeof mode_cases / sizeof mode_cases[0] };

// the factor of a mode after `steps` steps of alpha, at the entry with the largest value
static double decay(const ModeCase *mode_case, float alpha, int steps)
{
    BrumeSimDef def = channel_def(mode_case->face, mode_case->face);
    BrumeSim *sim = create(&def);
    fill(sim, mode_case->id, mode_along_y, &mode_case->mode);
    const BrumeField *field = &sim->fields[mode_case->id];
    int largest = 2;
    for (int j = 2; j <= N; j++) {
        if (fabsf(brume_field_at(field, 4, j, 4)) > fabsf(brume_field_at(field, 4, largest, 4))) {
            largest = j;
        }
    }
    const double before = (double)brume_field_at(field, 4, largest, 4);
    for (int n = 0; n < steps; n++) {
        (void)brume_diffuse(sim, mode_case->id, 1.0f, alpha / (float)(N * N));
    }
    const double after = (double)brume_field_at(field, 4, largest, 4);
    brume_sim_destroy(sim);
    return after / before;
}

// the modes of each kind of side are eigenvectors: one step multiplies them by the factor of the theta method
static void test_modes_have_the_factor_of_the_method(void **state)
{
    (void)state;
    const float alphas[] = {0.01f, 0.2f, 5.0f, 400.0f};
    for (int n = 0; n < MODE_CASES; n++) {
        const ModeCase *mode_case = &mode_cases[n];
        const bool held =
            mode_case->mode.sine && mode_case->face.kind != BRUME_PERIODIC && mode_case->id != BRUME_FIELD_V;
        const double diagonal = held ? 7.0 : 6.0;
        for (int a = 0; a < 4; a++) {
            const double alpha = (double)alphas[a];
            assert_near(decay(mode_case, alphas[a], 1),
                        factor_of(diagonal, alpha, eigenvalue(mode_case->mode.wave_number, N)), 1e-5);
        }
    }
}

// of the theta method between alpha .28 and .14, of Heun's method between .06 and .03
static void test_order_in_time(void **state)
{
    (void)state;
    const float alphas[2] = {0.28f, 0.06f};
    for (int n = 0; n < MODE_CASES; n++) {
        for (int method = 0; method < 2; method++) {
            const float alpha = alphas[method];
            const double exact = exp(-eigenvalue(mode_cases[n].mode.wave_number, N) * 16.0 * (double)alpha);
            const double coarse = fabs(decay(&mode_cases[n], alpha, 16) - exact);
            const double fine = fabs(decay(&mode_cases[n], 0.5f * alpha, 32) - exact);
            print_message("%s, alpha %g: errors %.2e and %.2e, order %.2f in time\n", mode_cases[n].name, (double)alpha,
                          coarse, fine, log2(coarse / fine));
            assert_at_least(log2(coarse / fine), 1.9);
        }
    }
}

// 1 K on 100 K in a box of 1 m and 64 cells along y, kappa 1e-3 m^2/s: exp(-kappa pi^2 20 s) = .821
static void test_small_mode_on_a_large_value_decays(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 64, 8, 1.0f / 64.0f, BRUME_WALL);
    BrumeSim *sim = create(&def);
    const Mode mode = {.wave_number = 1.0, .mean = 100.0, .amplitude = 1.0};
    fill(sim, BRUME_FIELD_TEMPERATURE, mode_along_y, &mode);
    brume_set_scalar_ghosts(sim);
    const BrumeField *field = &sim->fields[BRUME_FIELD_TEMPERATURE];
    const double before = sum_of(field);
    for (int n = 0; n < 2000; n++) {
        (void)brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, 1e-3f, 0.01f);
    }
    const double exact = exp(-1e-3 * 4096.0 * eigenvalue(1.0, 64) * 20.0);
    assert_near(exact, 0.821, 5e-4);
    double low;
    double high;
    range_of(field, &low, &high);
    assert_near(0.5 * (high - low) / cos(PI / 128.0), exact, 2e-3);
    assert_near(sum_of(field), before, 1e-6 * before);
    brume_sim_destroy(sim);
}

static double noise(double x, double y, double z, const void *context)
{
    (void)context;
    const uint32_t cell = (uint32_t)(x * 32.0) + 64u * (uint32_t)(y * 32.0) + 4096u * (uint32_t)(z * 32.0);
    return (cell * 2654435761u) >> 31 ? 50.0 : -20.0;
}

static BrumeSimDef cavity_def(bool held)
{
    BrumeSimDef def = box_def(20, 12, 16, 1.0f / 20.0f, BRUME_WALL);
    def.body_count = 2;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.3f, 0.3f, 0.4f}, .b = {0, 0, 0}, .radius = 0.15f};
    def.bodies[1].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.6f, 0.0f, 0.0f}, .b = {0.75f, 0.3f, 0.8f}, .radius = 0.0f};
    if (held) {
        def.thermal_diffusivity = 1e-3f;
        def.faces[BRUME_FACE_X_MIN].fixed_temperature = true;
        def.faces[BRUME_FACE_X_MIN].temperature = 50.0f;
        def.faces[BRUME_FACE_Y_MIN].fixed_temperature = true;
        def.faces[BRUME_FACE_Y_MIN].temperature = -20.0f;
        def.bodies[0].fixed_temperature = true;
        def.bodies[0].temperature = 10.0f;
    }
    return def;
}

// no step length makes a new extremum, between insulating and held surfaces; the budget of heat closes
static void test_bounds_and_budget_at_any_step(void **state)
{
    (void)state;
    const float alphas[] = {0.04f, 0.5f, 3.0f, 100.0f, 1e4f, 1e6f};
    for (int held = 0; held < 2; held++) {
        for (int n = 0; n < 6; n++) {
            BrumeSimDef def = cavity_def(held);
            BrumeSim *sim = create(&def);
            BrumeField *field = &sim->fields[BRUME_FIELD_TEMPERATURE];
            fill(sim, BRUME_FIELD_TEMPERATURE, noise, NULL);
            brume_set_scalar_ghosts(sim);
            const double volume = pow((double)def.dx, 3.0);
            double entered = 0.0;
            double gross = 0.0;
            const double before = sum_of(field) * volume;
            for (int step = 0; step < 3; step++) {
                const float dt = alphas[n] * def.dx * def.dx;
                const BrumeDiffusionResult result = brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, 1.0f, dt);
                for (int side = 0; side < BRUME_FACE_COUNT; side++) {
                    entered += result.entered[side];
                    gross += fabs(result.entered[side]);
                }
                entered += result.entered_from_bodies;
                gross += fabs(result.entered_from_bodies);
                if (held) {
                    assert_true(result.entered_from_bodies != 0.0);
                } else {
                    assert_true(result.entered_from_bodies == 0.0 && gross == 0.0);
                }
            }
            brume_set_scalar_ghosts(sim);
            double low;
            double high;
            range_of(field, &low, &high);
            assert_at_least(low, -20.0 * (1.0 + 1e-6));
            assert_at_most(high, 50.0 * (1.0 + 1e-6));
            print_message("alpha %g, %s: budget off by %.1e of %.3g K m^3\n", (double)alphas[n],
                          held ? "held" : "insulating", sum_of(field) * volume - before - entered, gross);
            assert_near(sum_of(field) * volume, before + entered, 2e-6 * 50.0 * 0.48 + 2e-5 * gross);
            brume_sim_destroy(sim);
        }
    }
}

// the linear profile between held walls is exact, and the heat that enters equals the heat that leaves
static void test_conduction(void **state)
{
    (void)state;
    BrumeSimDef def = channel_def((BrumeFaceDef){.fixed_temperature = true, .temperature = 30.0f},
                                  (BrumeFaceDef){.fixed_temperature = true, .temperature = -10.0f});
    BrumeSim *sim = create(&def);
    BrumeDiffusionResult result = {.iterations = 0};
    for (int n = 0; n < 40; n++) {
        result = brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, 1.0f, 0.1f);
    }
    for (int j = 1; j <= N; j++) {
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], 4, j, 4), 30.0 - 40.0 * (j - 0.5) / N,
                    40.0 * 1e-6);
    }
    const double heat = 1.0 * 40.0 * 0.25 * 0.1; // gradient x area x time [K m^3]
    assert_near(result.entered[BRUME_FACE_Y_MIN], heat, 1e-5 * heat);
    assert_near(result.entered[BRUME_FACE_Y_MAX], -heat, 1e-5 * heat);
    brume_sim_destroy(sim);
}

// a wall with a heat flux q, opposite to a wall at 0 K: the gradient becomes q / kappa, and heat enters at q x area
static void test_heat_flux(void **state)
{
    (void)state;
    BrumeSimDef def = channel_def((BrumeFaceDef){.heat_flux = 6.0f}, (BrumeFaceDef){.fixed_temperature = true});
    BrumeSim *sim = create(&def);
    BrumeDiffusionResult result = {.iterations = 0};
    for (int n = 0; n < 200; n++) {
        result = brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, 2.0f, 0.05f);
    }
    for (int j = 1; j <= N; j++) {
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], 4, j, 4), 3.0 * (1.0 - (j - 0.5) / N),
                    1e-5);
    }
    assert_near(result.entered[BRUME_FACE_Y_MIN], 6.0 * 0.25 * 0.05, 1e-7);
    assert_near(result.entered[BRUME_FACE_Y_MAX], -6.0 * 0.25 * 0.05, 1e-6);
    brume_sim_destroy(sim);
}

// without a diffusivity the heat stays in the cells at the wall; between insulating walls the total is exact
static void test_heat_flux_without_diffusivity(void **state)
{
    (void)state;
    BrumeSimDef def = channel_def((BrumeFaceDef){.heat_flux = -2.0f}, (BrumeFaceDef){.kind = BRUME_WALL});
    for (int n = 0; n < 2; n++) {
        BrumeSim *sim = create(&def);
        const BrumeDiffusionResult result = brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, (float)n, 0.5f);
        assert_near(result.entered[BRUME_FACE_Y_MIN], -2.0 * 0.25 * 0.5, 1e-7);
        assert_near(sum_of(&sim->fields[BRUME_FIELD_TEMPERATURE]) / pow(N, 3.0), -0.25, 1e-6);
        if (n == 0) {
            assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], 1, 1, 1), -1.0 * N, 1e-5);
            assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], 1, 2, 1), 0.0, 0.0);
        }
        brume_sim_destroy(sim);
    }
}

// a slab of 4 cells at the floor with a temperature of its own: the profile above it is linear from its surface
static void test_body_with_a_temperature(void **state)
{
    (void)state;
    BrumeSimDef def = channel_def((BrumeFaceDef){.kind = BRUME_WALL}, (BrumeFaceDef){.fixed_temperature = true});
    def.thermal_diffusivity = 1.0f;
    def.body_count = 1;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {-1.0f, -1.0f, -1.0f}, .b = {2.0f, 0.25f, 2.0f}, .radius = 0.0f};
    def.bodies[0].fixed_temperature = true;
    def.bodies[0].temperature = 24.0f;
    BrumeSim *sim = create(&def);
    BrumeDiffusionResult result = {.iterations = 0};
    for (int n = 0; n < 60; n++) {
        result = brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, 1.0f, 0.1f);
    }
    for (int j = 5; j <= N; j++) {
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], 4, j, 4),
                    24.0 * (N - (j - 0.5)) / (N - 4.0), 24.0 * 1e-6);
    }
    const double heat = 24.0 / 0.75 * 0.25 * 0.1;
    assert_near(result.entered_from_bodies, heat, 1e-5 * heat);
    assert_near(result.entered[BRUME_FACE_Y_MAX], -heat, 1e-5 * heat);
    brume_sim_destroy(sim);
}

// theta method for velocity in the two parts that an integrator calls, with a force on the air
static void accelerate(BrumeSim *sim, float viscosity, float dt, float force)
{
    BrumeField *u = &sim->fields[BRUME_FIELD_U];
    BrumeField *sum = &sim->scratch[5];
    const float theta = brume_diffusion_weight(sim, BRUME_FIELD_U, viscosity, dt);
    memcpy(sum->data, u->data, brume_grid_entries(u->grid) * sizeof(float));
    brume_add_diffusion(sim, u, sum, BRUME_FIELD_U, (1.0f - theta) * viscosity * dt);
    for (int k = 1; k <= u->grid.nz; k++) {
        for (int j = 1; j <= u->grid.ny; j++) {
            for (int i = 1; i <= u->grid.nx; i++) {
                sum->data[brume_field_index(sum, i, j, k)] += force * dt;
            }
        }
    }
    brume_set_boundary(sim, BRUME_FIELD_U, sum);
    (void)brume_solve_diffusion(sim, BRUME_FIELD_U, sum, theta * viscosity * dt, viscosity * dt);
    brume_field_swap(u, sum);
}

static void along_channel(BrumeSim *sim, float alpha, int steps)
{
    for (int n = 0; n < steps; n++) {
        accelerate(sim, 1.0f, alpha / (N * N), 0.0f);
    }
}

// a mode between walls without slip decays with order 2, by conjugate gradients
static void test_order_of_both_parts(void **state)
{
    (void)state;
    const BrumeFaceDef wall = {.kind = BRUME_WALL, .no_slip = true};
    const Mode mode = {.sine = true, .wave_number = 3.0, .amplitude = 1.0};
    const float alphas[2] = {0.28f, 0.14f};
    for (int method = 0; method < 2; method++) {
        double errors[2];
        for (int n = 0; n < 2; n++) {
            const float alpha = n == 0 ? alphas[method] : 0.5f * alphas[method];
            BrumeSimDef def = channel_def(wall, wall);
            BrumeSim *sim = create(&def);
            fill(sim, BRUME_FIELD_U, mode_along_y, &mode);
            const double before = (double)brume_field_at(&sim->fields[BRUME_FIELD_U], 4, 8, 4);
            along_channel(sim, alpha, n == 0 ? 16 : 32);
            const double exact = before * exp(-eigenvalue(3.0, N) * 16.0 * (double)alphas[method]);
            errors[n] = fabs((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 4, 8, 4) - exact);
            brume_sim_destroy(sim);
        }
        print_message("both parts, alpha %g: errors %.2e and %.2e, order %.2f\n", (double)alphas[method], errors[0],
                      errors[1], log2(errors[0] / errors[1]));
        assert_at_least(log2(errors[0] / errors[1]), 1.9);
    }
}

// small steps, solved by the series, have the factor of Crank and Nicolson
static void test_series_of_small_steps(void **state)
{
    (void)state;
    const BrumeFaceDef wall = {.kind = BRUME_WALL, .no_slip = true};
    const Mode mode = {.sine = true, .wave_number = 7.0, .amplitude = 1.0};
    const float alphas[3] = {0.014f, 0.005f, 0.0005f};
    for (int n = 0; n < 3; n++) {
        BrumeSimDef def = channel_def(wall, wall);
        BrumeSim *sim = create(&def);
        fill(sim, BRUME_FIELD_U, mode_along_y, &mode);
        const double before = (double)brume_field_at(&sim->fields[BRUME_FIELD_U], 4, 8, 4);
        along_channel(sim, alphas[n], 32);
        const double z = 0.5 * (double)alphas[n] * eigenvalue(7.0, N);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 4, 8, 4),
                    before * pow((1.0 - z) / (1.0 + z), 32.0), 2e-6);
        brume_sim_destroy(sim);
    }
}

// u = G / 2 nu (y (H - y) + dx^2 / 4) is the exact solution in the grid, at any step length, to rounding of G dt
static void test_poiseuille_flow(void **state)
{
    (void)state;
    const BrumeFaceDef wall = {.kind = BRUME_WALL, .no_slip = true};
    const float steps[] = {0.5f / (N * N), 0.1f, 10.0f};
    const int counts[] = {800, 40, 40};
    for (int n = 0; n < 3; n++) {
        BrumeSimDef def = channel_def(wall, wall);
        BrumeSim *sim = create(&def);
        for (int m = 0; m < counts[n]; m++) {
            accelerate(sim, 1.0f, steps[n], 8.0f);
        }
        for (int j = 1; j <= N; j++) {
            const double y = (j - 0.5) / N;
            assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 4, j, 4),
                        4.0 * (y * (1.0 - y) + 0.25 / (N * N)), 1e-5 + 1e-6 * 8.0 * (double)steps[n]);
        }
        brume_sim_destroy(sim);
    }
}

/*
 * Couette flow under a wall that moves at 1 m/s, above a floor of two slabs: where the slab has no slip the profile is
 * linear from its surface, and where it slips freely the air moves with the wall. A solid partition separates them.
 */
static void test_slip_of_each_body(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, N, 33, 1.0f / (float)N, BRUME_PERIODIC);
    def.faces[BRUME_FACE_Y_MIN] = (BrumeFaceDef){.kind = BRUME_WALL};
    def.faces[BRUME_FACE_Y_MAX] = (BrumeFaceDef){.kind = BRUME_WALL, .no_slip = true, .velocity = {1.0f, 0.0f, 0.0f}};
    def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_WALL;
    const float cell = 1.0f / (float)N;
    const BrumeSlip slips[3] = {BRUME_SLIP_NO, BRUME_SLIP_FREE, BRUME_SLIP_FREE};
    const float from[3] = {-1.0f, 17.0f, 16.0f};
    const float to[3] = {16.0f, 40.0f, 17.0f};
    def.body_count = 3;
    for (int n = 0; n < 3; n++) {
        def.bodies[n].shape = (BrumeShape){.kind = BRUME_SHAPE_BOX,
                                           .a = {-1.0f, -1.0f, from[n] * cell},
                                           .b = {2.0f, n < 2 ? 0.25f : 2.0f, to[n] * cell}};
        def.bodies[n].slip = slips[n];
    }
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 80; n++) {
        (void)brume_diffuse(sim, BRUME_FIELD_U, 1.0f, 0.1f);
    }
    for (int j = 5; j <= N; j++) {
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 4, j, 8), (j - 4.5) / (N - 4.0), 1e-5);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 4, j, 25), 1.0, 1e-5);
    }
    brume_sim_destroy(sim);
}

// by default bodies have no slip where the air is viscous, and free slip where it is not
static void test_default_slip(void **state)
{
    (void)state;
    BrumeSimDef def = cavity_def(false);
    assert_false(brume_body_has_no_slip(&def, 0));
    def.viscosity = 1e-5f;
    assert_true(brume_body_has_no_slip(&def, 0));
    def.bodies[0].slip = BRUME_SLIP_FREE;
    assert_false(brume_body_has_no_slip(&def, 0));
    def.viscosity = 0.0f;
    def.bodies[0].slip = BRUME_SLIP_NO;
    assert_true(brume_body_has_no_slip(&def, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes_have_the_factor_of_the_method),
        cmocka_unit_test(test_order_in_time),
        cmocka_unit_test(test_small_mode_on_a_large_value_decays),
        cmocka_unit_test(test_bounds_and_budget_at_any_step),
        cmocka_unit_test(test_conduction),
        cmocka_unit_test(test_heat_flux),
        cmocka_unit_test(test_heat_flux_without_diffusivity),
        cmocka_unit_test(test_body_with_a_temperature),
        cmocka_unit_test(test_order_of_both_parts),
        cmocka_unit_test(test_series_of_small_steps),
        cmocka_unit_test(test_poiseuille_flow),
        cmocka_unit_test(test_slip_of_each_body),
        cmocka_unit_test(test_default_slip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

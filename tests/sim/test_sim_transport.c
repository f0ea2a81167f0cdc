/*
 * Transport in flux form: uniform wind, constants, sums, bounds at any step, budgets of sides and moving bodies, and
 * the same bits with the reference and at any number of threads.
 */
#include "sim_support.h"
#include "transport_support.h"

static double blob(double x, double y, double z, const void *context)
{
    (void)context;
    const double r = sqrt((x - 0.4) * (x - 0.4) + (y - 0.5) * (y - 0.5) + (z - 0.5) * (z - 0.5)) / 0.25;
    return r < 1.0 ? pow(cos(0.5 * transport_pi * r), 2.0) : 0.0;
}

static double cube(double x, double y, double z, const void *context)
{
    (void)context;
    return fabs(x - 0.4) < 0.2 && fabs(y - 0.5) < 0.2 && fabs(z - 0.5) < 0.2 ? 1.0 : 0.0;
}

static double one(double x, double y, double z, const void *context)
{
    (void)context;
    (void)x;
    (void)y;
    (void)z;
    return 1.0;
}

static BrumeSim *unit_box(int n, BrumeFaceKind kind, const char *kernels)
{
    BrumeSimDef def = box_def(n, n, n, 1.0f / (float)n, kind);
    def.transport = "ppm";
    def.kernels = kernels;
    return create(&def);
}

// A displacement of two whole cells along each axis moves every value by two cells, up to the rounding of the fluxes.
static void wind_of_two_cells_is_exact(void **state)
{
    (void)state;
    enum { N = 24 };
    BrumeSim *sim = unit_box(N, BRUME_PERIODIC, "fast");
    fill(sim, BRUME_FIELD_DENSITY, blob, NULL);
    for (int axis = 0; axis < 3; axis++) {
        brume_field_fill(&sim->fields[axis], axis == 1 ? -2.0f : 2.0f);
    }
    BrumeSim *before = unit_box(N, BRUME_PERIODIC, "fast");
    fill(before, BRUME_FIELD_DENSITY, blob, NULL);
    transport_step(sim, 1.0 / N);
    double error = 0.0;
    for (int k = 1; k <= N; k++) {
        for (int j = 1; j <= N; j++) {
            for (int i = 1; i <= N; i++) {
                const float expected =
                    brume_field_at(&before->fields[BRUME_FIELD_DENSITY], brume_wrap_index(i - 2, N),
                                   brume_wrap_index(j + 2 > N ? j + 2 - N : j + 2, N), brume_wrap_index(k - 2, N));
                error =
                    fmax(error, fabs((double)(brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], i, j, k) - expected)));
            }
        }
    }
    assert_at_most(error, 1e-6);
    brume_sim_destroy(sim);
    brume_sim_destroy(before);
}

static BrumeSim *stirred(int n, uint32_t seed, double cells, double dt, const char *kernels)
{
    BrumeSim *sim = unit_box(n, BRUME_WALL, kernels);
    set_curl(sim, random_potential, &seed);
    scale_velocity(sim, cells, dt);
    return sim;
}

static void constants_stay(void **state)
{
    (void)state;
    const double cells[] = {0.5, 2.0, 17.0, 130.0};
    for (int n = 0; n < 4; n++) {
        BrumeSim *sim = stirred(24, 7u, cells[n], 0.1, "fast");
        fill(sim, BRUME_FIELD_DENSITY, one, NULL);
        for (int step = 0; step < 4; step++) {
            transport_step(sim, 0.1);
        }
        double low;
        double high;
        range_of(&sim->fields[BRUME_FIELD_DENSITY], &low, &high);
        print_message("constant at %g cells a step: 1 %+.2g %+.2g\n", cells[n], low - 1.0, high - 1.0);
        const double tolerance = 2e-6 * fmax(1.0, cells[n]); // rounding of u dt / dx
        assert_near(low, 1.0, tolerance);
        assert_near(high, 1.0, tolerance);
        brume_sim_destroy(sim);
    }
}

// Sums stay and no new extremum appears, at any step.
static void sums_and_bounds_hold(void **state)
{
    (void)state;
    const double cells[] = {0.7, 2.0, 5.0, 130.0};
    const int steps[] = {100, 100, 30, 2};
    for (int n = 0; n < 4; n++) {
        BrumeSim *sim = stirred(24, 3u, cells[n], 0.1, "fast");
        fill(sim, BRUME_FIELD_DENSITY, cube, NULL);
        fill(sim, BRUME_FIELD_TEMPERATURE, blob, NULL);
        const double smoke = sum_of(&sim->fields[BRUME_FIELD_DENSITY]);
        const double heat = sum_of(&sim->fields[BRUME_FIELD_TEMPERATURE]);
        for (int step = 0; step < steps[n]; step++) {
            transport_step(sim, 0.1);
        }
        double low;
        double high;
        range_of(&sim->fields[BRUME_FIELD_DENSITY], &low, &high);
        const double drift = sum_of(&sim->fields[BRUME_FIELD_DENSITY]) / smoke - 1.0;
        print_message("%g cells a step: drift %.2g, range %.9g to %.9g\n", cells[n], drift, low, high);
        assert_near(drift, 0.0, 1e-6);
        assert_near(sum_of(&sim->fields[BRUME_FIELD_TEMPERATURE]) / heat, 1.0, 1e-6);
        assert_at_least(low, 0.0);
        assert_at_most(high, 1.0 + 2e-7 * fmax(1.0, cells[n]) * steps[n]);
        brume_sim_destroy(sim);
    }
}

// a box with sides of several kinds, a body that moves and one that rests
static BrumeSimDef busy_def(int sides)
{
    BrumeSimDef def = box_def(29, 23, 21, 1.0f / 25.0f, sides == 1 ? BRUME_PERIODIC : BRUME_WALL);
    def.color_count = 2;
    def.body_count = 2;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.4f, 0.5f, 0.4f}, .radius = 0.12f};
    def.bodies[1].shape = (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.7f, 0.2f, 0.3f}, .b = {0.8f, 0.6f, 0.4f}};
    def.fps = 10.0f;
    def.tolerance = 1e-6f;
    if (sides == 2) {
        def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
        def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
        def.faces[BRUME_FACE_X_MIN] = (BrumeFaceDef){
            .kind = BRUME_INFLOW, .velocity = {0.6f, 0.0f, 0.0f}, .temperature = 3.0f, .smoke = {0.5f, 0.2f}};
        def.faces[BRUME_FACE_Z_MIN].fixed_temperature = true;
        def.faces[BRUME_FACE_Z_MIN].temperature = 5.0f;
    }
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.2f, 0.5f}, .radius = 0.1f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, 4.0f};
    def.emitters[0].smoke[1] = (BrumeSource){BRUME_SOURCE_SET, 0.8f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 60.0f};
    def.emitters[0].velocity = (BrumeVectorSource){BRUME_SOURCE_SET, {0.4f, 1.5f, 0.7f}};
    return def;
}

static uint64_t busy_hash(int sides, const char *kernels, int threads, double dt)
{
    const int before = brume_get_threads();
    brume_set_threads(threads);
    BrumeSimDef def = busy_def(sides);
    def.kernels = kernels;
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 5; n++) {
        brume_sim_move(sim, 0, brume_vec3(0.3f, 0.2f, -0.1f));
        step(sim, dt, NULL);
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    brume_set_threads(before);
    return hash;
}

static void reference_and_threads_give_the_same_bits(void **state)
{
    (void)state;
    const double steps[] = {0.02, 0.15};
    for (int n = 0; n < 6; n++) {
        const double dt = steps[n / 3];
        const uint64_t expected = busy_hash(n % 3, "reference", 2, dt);
        for (int threads = 1; threads <= 3; threads++) {
            const uint64_t hash = busy_hash(n % 3, "fast", threads, dt);
            if (hash != expected) {
                fail_msg("sides %d, dt %g, %d threads: hash %016llx, reference %016llx", n % 3, dt, threads,
                         (unsigned long long)hash, (unsigned long long)expected);
            }
        }
    }
}

static double left(const BrumeScalarExchange *exchange)
{
    double sum = -brume_from_bodies(exchange);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        sum += exchange->left[face];
    }
    return sum;
}

// The change of each sum equals the fluxes through sides and surfaces, with moving bodies and all kinds of sides.
static void budgets_close(void **state)
{
    (void)state;
    for (int sides = 0; sides < 3; sides++) {
        BrumeSimDef def = busy_def(sides);
        BrumeSim *sim = create(&def);
        double moved = 0.0;
        for (int n = 0; n < 5; n++) {
            brume_sim_move(sim, 0, brume_vec3(0.3f, 0.2f, -0.1f));
            step(sim, 0.03, NULL);
            // a second transport along the velocity of the step, by itself
            double before[2];
            double after[2];
            const double cell = pow((double)def.dx, 3.0);
            brume_sim_step(sim, 0.03, NULL, NULL);
            brume_set_velocity_boundary(sim);
            for (int id = 0; id < 2; id++) {
                before[id] = cell * sum_of(&sim->fields[BRUME_FIELD_TEMPERATURE + id]);
            }
            brume_transport_scalars(sim, sim->fields, 0.03);
            brume_set_scalar_ghosts(sim);
            for (int id = 0; id < 2; id++) {
                const BrumeScalarExchange *exchange =
                    brume_transport_exchange(sim, (BrumeFieldId)(BRUME_FIELD_TEMPERATURE + id));
                after[id] = cell * sum_of(&sim->fields[BRUME_FIELD_TEMPERATURE + id]);
                assert_near(after[id] + left(exchange), before[id], 1e-6 * before[id]);
                moved += fabs(brume_from_bodies(exchange));
            }
        }
        assert_true(moved > 0.0);
        brume_sim_destroy(sim);
    }
}

// Smoke of density 1 everywhere stays so next to a moving body, up to the divergence left by the pressure solve.
static void moving_body_keeps_a_constant(void **state)
{
    (void)state;
    BrumeSimDef def = busy_def(0);
    def.emitter_count = 0;
    BrumeSim *sim = create(&def);
    fill(sim, BRUME_FIELD_DENSITY, one, NULL);
    for (int n = 0; n < 10; n++) {
        brume_sim_move(sim, 0, brume_vec3(0.5f, 0.3f, -0.2f));
        step(sim, 0.05, NULL);
    }
    const BrumeCells *cells = &sim->geometry->cells;
    for (int k = 1; k <= def.nz; k++) {
        for (int j = 1; j <= def.ny; j++) {
            for (int i = 1; i <= def.nx; i++) {
                const ptrdiff_t c = brume_field_index(&sim->fields[0], i, j, k);
                if (cells->flags[c] & BRUME_CELL_FLUID) {
                    assert_near((double)sim->fields[BRUME_FIELD_DENSITY].data[c], 1.0, 1e-3);
                }
            }
        }
    }
    brume_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wind_of_two_cells_is_exact),
        cmocka_unit_test(constants_stay),
        cmocka_unit_test(sums_and_bounds_hold),
        cmocka_unit_test(reference_and_threads_give_the_same_bits),
        cmocka_unit_test(budgets_close),
        cmocka_unit_test(moving_body_keeps_a_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

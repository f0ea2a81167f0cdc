// West's method: what it conserves, the waves of the density of the air, walls that reflect, friction.
#include "sim/integrators/centers.h"
#include "sim/measures/monitor.h"
#include "sim_support.h"

#include <stdlib.h>

static BrumeSimDef practical_box(int nx, int ny, int nz, BrumeFaceKind kind)
{
    BrumeSimDef def = box_def(nx, ny, nz, 1.0f / (float)nx, kind);
    def.integrator = "practical";
    return def;
}

// the mass of the air over that at rest [cells]
static double mass_of(const BrumeSim *sim)
{
    const double square = (double)sim->def.wave_speed * (double)sim->def.wave_speed;
    const BrumeField *p = &sim->fields[BRUME_FIELD_PRESSURE];
    return (double)brume_grid_cells(p->grid) + sum_of(p) / square;
}

static BrumeSim *plume(BrumeAccounting accounting, BrumeFaceKind kind)
{
    BrumeSimDef def = practical_box(24, 32, 24, kind);
    def.accounting = accounting;
    def.wave_speed = 4.0f;
    def.viscosity = 1e-3f;
    def.thermal_diffusivity = 1e-3f;
    def.smoke[0].diffusivity = 1e-3f;
    def.color_count = 3;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape.a = brume_vec3(0.5f, 0.2f, 0.5f);
    def.emitters[0].shape.radius = 0.15f;
    def.emitters[0].end = 0.1f;
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].smoke[2] = (BrumeSource){BRUME_SOURCE_SET, 0.5f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 40.0f};
    return create(&def);
}

static void mass_and_smoke_are_conserved(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        BrumeSim *sim = plume(variant % 2 == 0 ? BRUME_ACCOUNTING_FORWARD_REVERSE : BRUME_ACCOUNTING_FORWARD,
                              variant < 2 ? BRUME_WALL : BRUME_PERIODIC);
        const double mass = mass_of(sim);
        for (int n = 0; n < 40; n++) {
            step(sim, 0.005, NULL);
        }
        const double smoke = sum_of(&sim->fields[BRUME_FIELD_DENSITY]);
        const double color = sum_of(&sim->fields[BRUME_FIELD_COLOR_1 + 1]);
        const double heat = sum_of(&sim->fields[BRUME_FIELD_TEMPERATURE]);
        assert_at_least(smoke, 100.0);
        for (int n = 0; n < 200; n++) {
            step(sim, 0.005, NULL);
        }
        double low;
        double high;
        range_of(&sim->fields[BRUME_FIELD_PRESSURE], &low, &high);
        assert_near(mass_of(sim) / mass, 1.0, 1e-5);
        assert_near(sum_of(&sim->fields[BRUME_FIELD_DENSITY]) / smoke, 1.0, 1e-5);
        assert_near(sum_of(&sim->fields[BRUME_FIELD_COLOR_1 + 1]) / color, 1.0, 1e-5);
        assert_near(sum_of(&sim->fields[BRUME_FIELD_TEMPERATURE]) / heat, 1.0, 1e-5);
        assert_true(low > -16.0); // the density is above 0
        brume_sim_destroy(sim);
    }
}

static void air_at_rest_stays(void **state)
{
    (void)state;
    BrumeSimDef def = practical_box(16, 16, 16, BRUME_WALL);
    BrumeSim *sim = create(&def);
    const double density = 0.3;
    fill(sim, BRUME_FIELD_DENSITY, same_value, &density);
    for (int n = 0; n < 10; n++) {
        step(sim, 0.01, NULL);
    }
    assert_true(sim->max_speed == 0.0);
    assert_true(max_abs(&sim->fields[BRUME_FIELD_PRESSURE]) == 0.0);
    double low;
    double high;
    range_of(&sim->fields[BRUME_FIELD_DENSITY], &low, &high);
    assert_true(low == (double)0.3f && high == (double)0.3f);
    brume_sim_destroy(sim);
}

static double denser_at_left(double x, double y, double z, const void *context)
{
    (void)y, (void)z;
    return x < 0.5 ? *(const double *)context : 0.0;
}

// where the pressure falls below `value` [cells from x_min]
static double front(const BrumeSim *sim, double value)
{
    const BrumeField *p = &sim->fields[BRUME_FIELD_PRESSURE];
    for (int i = p->grid.nx - 1; i >= 1; i--) {
        const double here = (double)brume_field_at(p, i, 4, 4);
        const double next = (double)brume_field_at(p, i + 1, 4, 4);
        if (here > value) {
            return i - 0.5 + (here - value) / (here - next);
        }
    }
    return 0.0;
}

// A step of the density becomes two of half its height, one of which goes to the right. Forward alone, air that moves
// away from a cell on both sides leaves gaps, and the front is noise.
static void a_step_of_density_spreads_at_the_wave_speed(void **state)
{
    (void)state;
    for (int smoothed = 0; smoothed < 2; smoothed++) {
        BrumeSimDef def = practical_box(128, 8, 8, BRUME_WALL);
        def.wave_speed = 2.0f;
        def.viscosity = smoothed ? 1e-3f : 0.0f;
        BrumeSim *sim = create(&def);
        const double jump = 0.04; // of 1 % of the density
        fill(sim, BRUME_FIELD_PRESSURE, denser_at_left, &jump);
        brume_establish(sim, BRUME_VALID_PRESSURE);
        for (int n = 0; n < 160; n++) {
            step(sim, 0.25 / 128.0 / 2.0, NULL); // waves move by a quarter of a cell
        }
        assert_near(front(sim, 0.25 * jump), 64.0 + 40.0, 1.0);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_PRESSURE], 64, 4, 4), 0.5 * jump, 0.05 * jump);
        assert_true(brume_field_at(&sim->fields[BRUME_FIELD_PRESSURE], 127, 4, 4) == 0.0f);
        brume_sim_destroy(sim);
    }
}

static double noise(double x, double y, double z, const void *context)
{
    return *(const double *)context * sin(1e4 * (x + 3.1 * y + 7.7 * z) * (1.0 + x + y));
}

// waves that would move by 16 cells in a step move by half a cell
static void noise_does_not_grow_in_long_steps(void **state)
{
    (void)state;
    const double amplitude = 1000.0; // a tenth of the density
    for (int periodic = 0; periodic < 2; periodic++) {
        BrumeSimDef def = practical_box(16, 16, 16, periodic ? BRUME_PERIODIC : BRUME_WALL);
        def.wave_speed = 100.0f;
        BrumeSim *sim = create(&def);
        fill(sim, BRUME_FIELD_PRESSURE, noise, &amplitude);
        brume_establish(sim, BRUME_VALID_PRESSURE);
        for (int n = 0; n < 200; n++) {
            step(sim, 0.01, NULL);
            assert_at_most(max_abs(&sim->fields[BRUME_FIELD_PRESSURE]), 2.0 * amplitude);
        }
        assert_at_most(max_abs(&sim->fields[BRUME_FIELD_PRESSURE]), 0.5 * amplitude);
        brume_sim_destroy(sim);
    }
}

// a frame has as many steps as the waves need
static void steps_are_short_enough_for_waves(void **state)
{
    (void)state;
    BrumeSimDef def = practical_box(16, 16, 16, BRUME_WALL);
    BrumeError error;
    BrumeFrameStats stats;
    def.fps = 16.0f;
    def.wave_speed = 4.0f; // 4 cells in a frame
    BrumeSim *sim = create(&def);
    assert_int_equal(brume_sim_frame(sim, &stats, &error), BRUME_OK);
    assert_int_equal(stats.steps, 8);
    brume_sim_destroy(sim);
}

// air that moves to a wall comes back, its smoke stays in the cells at the wall; the opposite side is not concerned
static void walls_reflect(void **state)
{
    (void)state;
    const double speed = 1.0;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        BrumeSimDef def = practical_box(16, 16, 16, BRUME_PERIODIC);
        const int axis = side / 2;
        def.faces[side].kind = BRUME_WALL;
        def.faces[side ^ 1].kind = BRUME_WALL;
        def.wave_speed = 0.01f;
        BrumeSim *sim = create(&def);
        BrumeField *u = &sim->previous[axis];
        const int last = side % 2 == 1 ? 16 : 1;
        const float outward = side % 2 == 1 ? 1.0f : -1.0f;
        fill(sim, BRUME_FIELD_DENSITY, same_value, &speed);
        for (int n = 0; n < 3; n++) {
            brume_field_fill(&sim->previous[n], n == axis ? outward : 0.0f);
        }
        brume_establish(sim, BRUME_VALID_PREVIOUS);
        brume_centers_to_faces(sim);
        step(sim, 0.5 / 16.0, NULL); // half a cell
        const int at_wall[3] = {axis == 0 ? last : 8, axis == 1 ? last : 8, axis == 2 ? last : 8};
        const int away[3] = {axis == 0 ? 17 - last : 8, axis == 1 ? 17 - last : 8, axis == 2 ? 17 - last : 8};
        assert_at_most((double)(outward * brume_field_at(u, at_wall[0], at_wall[1], at_wall[2])), -0.9);
        assert_at_least((double)(outward * brume_field_at(u, away[0], away[1], away[2])), 0.4);
        assert_near(sum_of(&sim->fields[BRUME_FIELD_DENSITY]), 4096.0, 1e-2);
        assert_at_least((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], at_wall[0], at_wall[1], at_wall[2]),
                        1.4);
        brume_sim_destroy(sim);
    }
}

static void same_bits_after_a_saved_state_and_with_threads(void **state)
{
    (void)state;
    uint64_t expected = 0;
    for (int variant = 0; variant < 3; variant++) { // 1 thread, 3 threads, 3 with a saved state in between
        brume_set_threads(variant == 0 ? 1 : 3);
        BrumeSim *sim = plume(BRUME_ACCOUNTING_FORWARD_REVERSE, BRUME_WALL);
        for (int n = 0; n < 20; n++) {
            sim = variant == 2 && n == 10 ? reload(sim) : sim;
            step(sim, 0.01, NULL);
        }
        const uint64_t hash = brume_sim_hash(sim);
        assert_true(variant == 0 || hash == expected);
        expected = hash;
        brume_sim_destroy(sim);
    }
    brume_set_threads(0);
}

// u' = v exp(-b dt), v / (1 + a v dt), max(v - c dt, 0) one after the other, with the speed of all components
static void friction_slows_air_and_does_not_reverse_it(void **state)
{
    (void)state;
    const double dt = 0.1;
    static const double winds[2] = {0.0, 0.5}; // along x
    for (int n = 0; n < 2; n++) {
        BrumeSimDef def = box_def(8, 8, 8, 0.125f, BRUME_PERIODIC);
        const double u = 1.2 - winds[n];
        const double v = -0.9;
        def.integrator = "split";
        def.wind = brume_vec3((float)winds[n], 0.0f, 0.0f);
        def.drag = 0.5f;
        def.quadratic_drag = 0.8f;
        def.dry_friction = 0.4f;
        BrumeSim *sim = create(&def);
        const double components[2] = {1.2, -0.9};
        fill(sim, BRUME_FIELD_U, same_value, &components[0]);
        fill(sim, BRUME_FIELD_V, same_value, &components[1]);
        brume_set_velocity_boundary(sim);
        (void)brume_measure_flow(sim);
        step(sim, dt, NULL);
        const double speed = hypot(u, v);
        const double linear = speed * exp(-0.5 * dt);
        const double slower = linear / (1.0 + 0.8 * linear * dt) - 0.4 * dt;
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 3, 4, 5), winds[n] + u * slower / speed, 1e-6);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_V], 3, 4, 5), v * slower / speed, 1e-6);
        for (int s = 0; s < 40; s++) {
            step(sim, dt, NULL);
        }
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 3, 4, 5), winds[n], 1e-7);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_V], 3, 4, 5), 0.0, 1e-7);
        brume_sim_destroy(sim);
    }
}

static void refuses_what_it_cannot(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) {
        BrumeSimDef def = practical_box(16, 16, 16, n == 0 ? BRUME_OPEN : BRUME_WALL);
        BrumeSim *sim = NULL;
        BrumeError error;
        def.faces[BRUME_FACE_Z_MAX].fixed_temperature = n == 1;
        def.body_count = n == 2;
        def.bodies[0].shape = (BrumeShape){.a = {0.5f, 0.5f, 0.5f}, .radius = 0.2f};
        assert_int_equal(brume_sim_create(&sim, &def, &error), BRUME_BAD_INPUT);
        assert_non_null(strstr(error.text, n == 2 ? "'practical' needs a box without bodies"
                                                  : "'practical' needs sides ('domain.boundaries') that are periodic"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_and_smoke_are_conserved),
        cmocka_unit_test(air_at_rest_stays),
        cmocka_unit_test(a_step_of_density_spreads_at_the_wave_speed),
        cmocka_unit_test(noise_does_not_grow_in_long_steps),
        cmocka_unit_test(steps_are_short_enough_for_waves),
        cmocka_unit_test(walls_reflect),
        cmocka_unit_test(same_bits_after_a_saved_state_and_with_threads),
        cmocka_unit_test(friction_slows_air_and_does_not_reverse_it),
        cmocka_unit_test(refuses_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Water vapor: saturation against published values, the equilibrium of cells, the base of a cloud, what is conserved.
#include "sim/measures/sums.h"
#include "sim/vapor/condensation.h"
#include "sim_support.h"

static const double LATENT = 2.501e6 / 1005.0; // L / c_p [K]

// a box of n cells with plain smoke as liquid water and color_1 as vapor
static BrumeSimDef moist_box(int n, float dx)
{
    BrumeSimDef def = box_def(n, n, n, dx, BRUME_WALL);
    def.color_count = 1;
    def.vapor.kind = 2;
    return def;
}

static float value_at(const BrumeSim *sim, BrumeFieldId id, int j) { return brume_field_at(&sim->fields[id], 3, j, 4); }

static void set_water(BrumeSim *sim, double vapor, double liquid, double temperature)
{
    fill(sim, BRUME_FIELD_COLOR_1, same_value, &vapor);
    fill(sim, BRUME_FIELD_DENSITY, same_value, &liquid);
    fill(sim, BRUME_FIELD_TEMPERATURE, same_value, &temperature);
    brume_set_scalar_ghosts(sim);
}

// the vapor pressure of water, from the International Meteorological Tables (WMO 1966), within Bolton's 0.3 %
static void saturation_is_that_of_tables(void **state)
{
    (void)state;
    const double table[][2] = {{-30, 50.88}, {-10, 286.27}, {0, 610.78}, {10, 1227.2}, {20, 2337.3}, {30, 4243.0}};
    for (size_t n = 0; n < sizeof table / sizeof table[0]; n++) {
        const double expected = 0.622 * table[n][1] / (101325.0 - table[n][1]);
        float slope;
        const float kelvin = (float)(table[n][0] + 273.15);
        assert_near((double)brume_saturation(kelvin, 101325.0f, &slope), expected, 4e-3 * expected);
        const double above = (double)brume_saturation(kelvin + 0.5f, 101325.0f, NULL);
        const double below = (double)brume_saturation(kelvin - 0.5f, 101325.0f, NULL);
        assert_near((double)slope, above - below, 1e-3 * (above - below));
    }
    assert_true(isfinite(brume_saturation(2000.0f, 1e4f, NULL)) && isfinite(brume_saturation(0.0f, 1e6f, NULL)));
}

// water and moist enthalpy stay; where there is liquid, vapor is saturated, elsewhere below
static void cells_reach_equilibrium(void **state)
{
    (void)state;
    const double cases[][3] = {{0.05, 0.0, 20.0}, {0.02, 0.0, 0.0}, {0.001, 0.004, 5.0}, {0.0, 0.02, 10.0},
                               {0.3, 0.0, 60.0},  {0.01, 0.0, 0.0}, {0.0, 1e-5, 0.0},    {0.012, 0.001, -10.0}};
    BrumeSimDef def = moist_box(8, 10.0f);
    BrumeSim *sim = create(&def);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        set_water(sim, cases[n][0], cases[n][1], cases[n][2]);
        brume_condense(sim);
        for (int j = 1; j <= 8; j++) {
            const double exner = 1.0 - 9.81 * 10.0 * (j - 0.5) / (1005.0 * 293.15);
            const double vapor = (double)value_at(sim, BRUME_FIELD_COLOR_1, j);
            const double liquid = (double)value_at(sim, BRUME_FIELD_DENSITY, j);
            const double temperature = (double)value_at(sim, BRUME_FIELD_TEMPERATURE, j);
            assert_near(vapor + liquid, cases[n][0] + cases[n][1], 1e-7 * (cases[n][0] + cases[n][1]));
            const double enthalpy = exner * temperature + LATENT * vapor;
            assert_near(enthalpy, exner * cases[n][2] + LATENT * cases[n][0], 2e-5 * (fabs(enthalpy) + 1.0));
            const double saturated = (double)brume_saturation((float)(exner * (293.15 + temperature)),
                                                              (float)(101325.0 * pow(exner, 3.5)), NULL);
            assert_at_least(liquid, 0.0);
            assert_near(vapor, liquid > 0.0 ? saturated : fmin(vapor, saturated), 2e-5 * saturated);
        }
    }
    brume_sim_destroy(sim);
}

// the vapor of the ambient air counts for saturation, and does not condense
static void ambient_vapor_keeps_steam(void **state)
{
    (void)state;
    BrumeSimDef def = moist_box(8, 0.1f);
    double left[2];
    for (int humid = 0; humid < 2; humid++) {
        def.vapor.ambient = humid ? 0.012f : 0.0f;
        BrumeSim *sim = create(&def);
        set_water(sim, 0.0, 0.004, 0.0);
        brume_condense(sim);
        left[humid] = (double)value_at(sim, BRUME_FIELD_DENSITY, 4);
        brume_sim_destroy(sim);
    }
    assert_near(left[0], 0.0, 0.0);
    assert_true(left[1] > 0.002 && left[1] < 0.004);
    def.vapor.ambient = 0.1f; // far above saturation
    BrumeSim *sim = create(&def);
    set_water(sim, 0.0, 0.0, 0.0);
    brume_condense(sim);
    assert_near((double)value_at(sim, BRUME_FIELD_DENSITY, 4), 0.0, 0.0);
    brume_sim_destroy(sim);
}

// in mixed air the base is where Bolton's temperature of condensation (1980, eq. 15) is reached by g / c_p
static void base_is_at_the_dew_point(void **state)
{
    (void)state;
    BrumeSimDef def = moist_box(80, 25.0f);
    def.nx = def.nz = 8;
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 3; n++) {
        const double humidity = 0.5 + 0.2 * n;
        const double pressure = 2337.3 * humidity;
        set_water(sim, 0.622 * pressure / (101325.0 - pressure), 0.0, 0.0);
        brume_condense(sim);
        const double condensation = 1.0 / (1.0 / (293.15 - 55.0) - log(humidity) / 2840.0) + 55.0;
        const double height = 1005.0 * (293.15 - condensation) / 9.81;
        int base = 1;
        while (!(value_at(sim, BRUME_FIELD_DENSITY, base) > 0.0f)) {
            base++;
        }
        assert_near((base - 0.5) * 25.0, height, 25.0);
        for (int j = base; j <= 80; j++) { // all of it above is cloud, denser with the height
            assert_true(value_at(sim, BRUME_FIELD_DENSITY, j) >
                        (j > base ? value_at(sim, BRUME_FIELD_DENSITY, j - 1) : 0.0f));
        }
    }
    brume_sim_destroy(sim);
}

static double dry_above(double x, double y, double z, const void *context)
{
    (void)context;
    return 0.012 * (y < 700.0 ? 1.0 + 0.05 * sin(x / 60.0) * cos(z / 80.0) : 0.3);
}

// a warm bubble rises, makes a cloud and mixes: water stays, to the same bits in any number of threads and after a load
static void water_stays(void **state)
{
    (void)state;
    uint64_t expected = 0;
    for (int variant = 0; variant < 4; variant++) {
        BrumeSimDef def = moist_box(20, 60.0f);
        def.kernels = variant == 1 ? "reference" : "fast";
        def.emitter_count = 1;
        def.emitters[0] = brume_default_emitter_def();
        def.emitters[0].shape =
            (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {600.0f, 200.0f, 550.0f}, .radius = 200.0f};
        def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 4.0f};
        brume_set_threads(variant == 2 ? 3 : 1);
        BrumeSim *sim = create(&def);
        fill(sim, BRUME_FIELD_COLOR_1, dry_above, NULL);
        brume_set_scalar_ghosts(sim);
        const double water = brume_total(sim, BRUME_FIELD_COLOR_1);
        for (int n = 0; n < 24; n++) {
            step(sim, 6.0, NULL);
            sim = variant == 3 && n == 11 ? reload(sim) : sim;
        }
        const double liquid = brume_total(sim, BRUME_FIELD_DENSITY);
        assert_at_least(liquid, 1e-3 * water);
        assert_near(brume_total(sim, BRUME_FIELD_COLOR_1) + liquid, water, 1e-5 * water);
        const uint64_t hash = brume_sim_hash(sim);
        assert_true(variant == 0 || hash == expected);
        expected = hash;
        brume_sim_destroy(sim);
    }
    brume_set_threads(0);
}

// vapor lifts the air by 0.608 g, liquid water pulls it down by g
static void water_has_weight(void **state)
{
    (void)state;
    BrumeSimDef def = moist_box(8, 1.0f);
    assert_near((double)brume_smoke_weight(&def, 0), 1.0, 0.0);
    assert_near((double)brume_smoke_weight(&def, 1), 1.0 - 1.0 / 0.622, 1e-3);
    def.vapor.kind = 0;
    assert_near((double)brume_smoke_weight(&def, 0), 0.0, 0.0);
}

static void what_cannot_condense_is_refused(void **state)
{
    (void)state;
    BrumeSimDef def = moist_box(8, 1.0f);
    def.color_count = 0;
    expect_refusal(&def, "'vapor' has color_1, but color_count is 0");
    def = moist_box(8, 1.0f);
    def.vapor.liquid = 1;
    expect_refusal(&def, "'vapor' has the same smoke for vapor ('kind') and 'liquid'");
    def = moist_box(8, 1.0f);
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    def.fire.model = BRUME_FIRE_MIXING;
    expect_refusal(&def, "'vapor' cannot be in a scene with fuel, whose gas has another heat than moist air");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saturation_is_that_of_tables),
        cmocka_unit_test(cells_reach_equilibrium),
        cmocka_unit_test(ambient_vapor_keeps_steam),
        cmocka_unit_test(base_is_at_the_dew_point),
        cmocka_unit_test(water_stays),
        cmocka_unit_test(water_has_weight),
        cmocka_unit_test(what_cannot_condense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

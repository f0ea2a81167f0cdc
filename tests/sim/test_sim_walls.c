/*
 * Walls and inflows: profiles and openings, ghosts of transport, slip of each body, the step length next to moving
 * walls, bounds of the temperature between held walls.
 */
#include "sim_support.h"

#include "core/field.h"
#include "core/random.h"
#include "sim/boundary/geometry.h"
#include "sim/boundary/inflow.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

static float u_at(const BrumeSim *sim, int i, int j, int k)
{
    return brume_field_at(&sim->fields[BRUME_FIELD_U], i, j, k);
}

static BrumeFrameStats frame_of(const BrumeSimDef *def)
{
    BrumeSim *sim = create(def);
    BrumeFrameStats stats;
    BrumeError error;
    if (brume_sim_frame(sim, &stats, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    brume_sim_destroy(sim);
    return stats;
}

// a wall or an inflow at 1 m/s, 64 cells a frame: 32 steps of CFL number 2, although the air is at rest at the start
static void test_speeds_of_sides_count_for_the_step(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 8, 1.0f / 64.0f, BRUME_WALL);
    def.fps = 1.0f;
    def.max_steps = 1000;
    assert_int_equal(frame_of(&def).steps, 1);
    def.faces[BRUME_FACE_Y_MAX].velocity = brume_vec3(1.0f, 0.0f, 0.0f); // free slip: no effect
    assert_int_equal(frame_of(&def).steps, 1);
    def.faces[BRUME_FACE_Y_MAX].no_slip = true;
    assert_int_equal(frame_of(&def).steps, 32);

    def = box_def(16, 16, 8, 1.0f / 64.0f, BRUME_OPEN);
    def.fps = 1.0f;
    def.max_steps = 1000;
    def.faces[BRUME_FACE_X_MAX] = (BrumeFaceDef){.kind = BRUME_INFLOW, .velocity = {-1.0f, 0.0f, 0.0f}};
    assert_true(frame_of(&def).steps >= 32);
    // the largest velocity of a profile counts: 9/4 of the mean between plates along both axes, a little less in cells
    def.faces[BRUME_FACE_X_MAX].profile = BRUME_INFLOW_PARABOLIC;
    assert_true(frame_of(&def).steps >= 70);
}

static double flux_of(const BrumeSim *sim, BrumeFace side)
{
    const int axis = (int)side / 2;
    const BrumeField *velocity = &sim->fields[axis];
    const int count[3] = {velocity->grid.nx, velocity->grid.ny, velocity->grid.nz};
    int inner;
    int outer;
    brume_other_axes(axis, &inner, &outer);
    double sum = 0.0;
    for (int b = 1; b <= count[outer]; b++) {
        for (int a = 1; a <= count[inner]; a++) {
            int index[3];
            index[axis] = side % 2 == 1 ? count[axis] + 1 : 1;
            index[inner] = a;
            index[outer] = b;
            sum += (double)brume_field_at(velocity, index[0], index[1], index[2]);
        }
    }
    return sum * (double)sim->def.dx * (double)sim->def.dx;
}

// velocity times area, for every profile and opening on every face
static void test_flux_of_profiles(void **state)
{
    (void)state;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        for (int profile = 0; profile < 3; profile++) {
            for (int opening = 0; opening < 3; opening++) {
                BrumeSimDef def = box_def(20, 16, 24, 0.05f, BRUME_OPEN);
                def.origin = brume_vec3(1.0f, -2.0f, 3.0f);
                BrumeFaceDef *face = &def.faces[side];
                *face = (BrumeFaceDef){.kind = BRUME_INFLOW,
                                       .velocity = {1.5f, 1.5f, 1.5f},
                                       .profile = (BrumeInflowProfile)profile,
                                       .thickness = 0.07f};
                face->opening =
                    (BrumeOpening){(BrumeOpeningKind)opening, {1.45f, -1.63f, 3.62f}, 0.31f, {0.5f, 0.6f, 0.7f}};
                BrumeSim *sim = create(&def);
                const double lengths[3] = {1.0, 0.8, 1.2};
                const double sizes[3] = {0.5, 0.6, 0.7};
                const int a = (side / 2 + 1) % 3;
                const int b = (side / 2 + 2) % 3;
                const double areas[3] = {lengths[a] * lengths[b], PI * 0.31 * 0.31, sizes[a] * sizes[b]};
                assert_near(flux_of(sim, (BrumeFace)side), 1.5 * areas[opening], 3e-6);
                assert_near(brume_inflow_area(&def, (BrumeFace)side), areas[opening], 1e-6);
                brume_sim_destroy(sim);
            }
        }
    }
}

// between plates: 3/2 (1 - (y/h)^2) times the mean, scaled to the exact sum of the cells; uniform along the periodic z
static void test_plane_channel(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 8, 1.0f / 16.0f, BRUME_WALL);
    def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_PERIODIC;
    def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
    def.faces[BRUME_FACE_X_MIN] =
        (BrumeFaceDef){.kind = BRUME_INFLOW, .velocity = {2.0f, 0.0f, 0.0f}, .profile = BRUME_INFLOW_PARABOLIC};
    BrumeSim *sim = create(&def);
    const double scale = 1.0 / (1.0 + 0.5 / (16.0 * 16.0)); // the midpoint sum of 3/2 (1 - y^2) is 1 + 1/2n^2
    for (int j = 1; j <= 16; j++) {
        const double y = (j - 8.5) / 8.0;
        assert_near((double)u_at(sim, 1, j, 3), scale * 3.0 * (1.0 - y * y), 1e-6);
        assert_true(u_at(sim, 1, j, 1) == u_at(sim, 1, j, 8));
    }
    brume_sim_destroy(sim);
}

static double tanh_ratio(const BrumeSim *sim, int j) { return (double)(u_at(sim, 1, j, 4) / u_at(sim, 1, 16, 4)); }

static void test_boundary_layer(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 32, 8, 1.0f / 32.0f, BRUME_WALL);
    def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_PERIODIC;
    def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
    def.faces[BRUME_FACE_X_MIN] = (BrumeFaceDef){
        .kind = BRUME_INFLOW, .velocity = {1.0f, 0.0f, 0.0f}, .profile = BRUME_INFLOW_TANH, .thickness = 0.1f};
    BrumeSim *sim = create(&def);
    for (int j = 1; j <= 16; j++) {
        const double y = (j - 0.5) / 32.0;
        assert_near(tanh_ratio(sim, j), tanh(y / 0.1) / tanh(15.5 / 3.2), 1e-6);
    }
    brume_sim_destroy(sim);
}

// a round jet: air, heat and smoke enter through the opening alone, and the rest of the face is a wall
static void test_opening(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 16, 1.0f / 16.0f, BRUME_OPEN);
    def.faces[BRUME_FACE_Y_MIN] = (BrumeFaceDef){
        .kind = BRUME_INFLOW,
        .no_slip = true,
        .velocity = {0.5f, 1.0f, 0.0f},
        .temperature = 20.0f,
        .smoke = {1.0f},
        .profile = BRUME_INFLOW_PARABOLIC,
        .opening = {BRUME_OPENING_ROUND, {0.5f, 0.0f, 0.5f}, 0.25f, {0.0f, 0.0f, 0.0f}},
    };
    BrumeSim *sim = create(&def);
    const BrumeField *v = &sim->fields[BRUME_FIELD_V];
    BrumeField *temperature = &sim->fields[BRUME_FIELD_TEMPERATURE];
    brume_field_fill(temperature, 3.0f);
    brume_field_fill(&sim->fields[BRUME_FIELD_U], 0.25f);
    brume_set_boundary(sim, BRUME_FIELD_U, &sim->fields[BRUME_FIELD_U]);
    brume_set_scalar_ghosts(sim);
    double largest = 0.0;
    for (int k = 1; k <= 16; k++) {
        for (int i = 1; i <= 16; i++) {
            const double x = (i - 8.5) / 16.0;
            const double z = (k - 8.5) / 16.0;
            const bool inside = x * x + z * z < 0.0625;
            const double velocity = (double)brume_field_at(v, i, 1, k);
            assert_true(inside == (velocity > 0.0));
            largest = fmax(largest, velocity);
            assert_near((double)brume_field_at(temperature, i, 0, k), inside ? 20.0 : 3.0, 0.0);
            assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], i, 0, k), inside ? 1.0 : 0.0, 0.0);
        }
    }
    assert_near(largest, 2.0 * (1.0 - 1.0 / 32.0), 0.02); // the nearest centers are at r^2 = R^2 / 32
    assert_near(largest, (double)sim->geometry->inflows.largest[BRUME_FACE_Y_MIN], 1e-6);
    assert_near((double)u_at(sim, 2, 0, 2), -0.25, 1e-6);               // no slip outside of the opening
    assert_near((double)u_at(sim, 9, 0, 8), 0.5 * largest, 0.05 * 0.5); // the air that enters, not mirrored
    brume_set_diffusion_sides(sim, BRUME_FIELD_TEMPERATURE, temperature);
    assert_near((double)brume_field_at(temperature, 8, 0, 8), 37.0, 1e-5); // 2 x 20 - 3
    brume_sim_destroy(sim);
}

// air that enters through a round opening leaves through a whole face: the box is balanced to rounding
static void test_fluxes_of_a_closed_box_balance(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 16, 1.0f / 16.0f, BRUME_WALL);
    def.faces[BRUME_FACE_X_MIN] =
        (BrumeFaceDef){.kind = BRUME_INFLOW,
                       .velocity = {1.0f, 0.0f, 0.0f},
                       .profile = BRUME_INFLOW_TANH,
                       .thickness = 0.05f,
                       .opening = {BRUME_OPENING_ROUND, {0.0f, 0.45f, 0.6f}, 0.3f, {0.0f, 0.0f, 0.0f}}};
    def.faces[BRUME_FACE_X_MAX] = (BrumeFaceDef){.kind = BRUME_INFLOW, .velocity = {(float)(PI * 0.09), 0.0f, 0.0f}};
    BrumeSim *sim = create(&def);
    assert_near(flux_of(sim, BRUME_FACE_X_MIN), flux_of(sim, BRUME_FACE_X_MAX), 1e-7);
    BrumeStepStats stats;
    step(sim, 0.01, &stats);
    assert_true(stats.converged);
    brume_sim_destroy(sim);
}

static void test_refused_settings(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 16, 1.0f / 16.0f, BRUME_OPEN);
    BrumeFaceDef *face = &def.faces[BRUME_FACE_Z_MIN];
    *face = (BrumeFaceDef){.kind = BRUME_INFLOW,
                           .velocity = {0.0f, 0.0f, 1.0f},
                           .opening = {BRUME_OPENING_ROUND, {0.5f, 0.9f, 0.5f}, 0.25f, {0.0f, 0.0f, 0.0f}}};
    expect_refusal(&def, "the opening of face 'z_min' reaches beyond the face");
    face->opening.center = brume_vec3(0.5f, 0.5f, 0.0f);
    face->opening.radius = 0.01f;
    expect_refusal(&def,
                   "the opening of face 'z_min' contains the center of no cell; enlarge it or raise the resolution");
    face->opening.radius = 0.2f;
    face->profile = BRUME_INFLOW_TANH;
    expect_refusal(&def, "'thickness' in face 'z_min' is 0, but must be from 1e-06 to 1000000 [m]");

    def = box_def(16, 16, 16, 1.0f / 16.0f, BRUME_OPEN);
    def.body_count = 1;
    def.bodies[0] =
        (BrumeBodyDef){.shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.5f, 0.5f}, .b = {0, 0, 0}, .radius = 0.2f},
                       .fixed_temperature = true,
                       .temperature = 5.0f};
    expect_refusal(&def, "'body' 0 has a temperature, which has no effect because 'thermal_diffusivity' is 0");
}

// inside bodies velocity is extrapolated where the air slips, and is the body's velocity where it does not
static void test_velocity_inside_bodies(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(24, 12, 12, 1.0f / 12.0f, BRUME_WALL);
    def.body_count = 2;
    for (int n = 0; n < 2; n++) {
        def.bodies[n].shape = (BrumeShape){
            .kind = BRUME_SHAPE_SPHERE, .a = {0.5f + (float)n, 0.5f, 0.5f}, .b = {0, 0, 0}, .radius = 0.3f};
        def.bodies[n].slip = n == 0 ? BRUME_SLIP_FREE : BRUME_SLIP_NO;
    }
    BrumeSim *sim = create(&def);
    BrumeField *v = &sim->fields[BRUME_FIELD_V];
    BrumeField *temperature = &sim->fields[BRUME_FIELD_TEMPERATURE];
    brume_field_fill(v, 1.0f);
    brume_field_fill(temperature, 2.0f);
    brume_set_boundary(sim, BRUME_FIELD_V, v);
    brume_set_boundary(sim, BRUME_FIELD_TEMPERATURE, temperature);
    assert_near((double)brume_field_at(v, 4, 7, 6), 1.0, 1e-6);
    assert_near((double)brume_field_at(v, 16, 7, 6), 0.0, 0.0);
    assert_near((double)brume_field_at(v, 12, 7, 6), 1.0, 0.0);
    assert_near((double)brume_field_at(temperature, 4, 6, 6), 2.0, 1e-6);
    assert_near((double)brume_field_at(temperature, 16, 6, 6), 2.0, 1e-6);
    brume_sim_destroy(sim);
}

// Next to bodies that touch a wall, or cross a periodic side, interpolation reads values that were extrapolated into
// the body, and their ghosts: a uniform temperature stays uniform.
static void test_bodies_at_sides(void **state)
{
    (void)state;
    static const char *const schemes[] = {"semi-lagrangian", "maccormack", "cubic", "ppm"};
    for (size_t n = 0; n < sizeof schemes / sizeof schemes[0]; n++) {
        BrumeSimDef def = box_def(16, 12, 12, 1.0f / 16.0f, BRUME_WALL);
        def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_PERIODIC;
        def.transport = schemes[n];
        def.tolerance = 1e-6f;
        def.body_count = 2;
        def.bodies[0].shape =
            (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.2f, 0.0f, 0.2f}, .b = {0.4f, 0.3f, 0.4f}, .radius = 0.0f};
        def.bodies[1].shape =
            (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.7f, 0.4f, 0.75f}, .b = {0, 0, 0}, .radius = 0.2f};
        def.initial_count = 2;
        def.initial[0] = def.initial[1] = brume_default_initial_def();
        def.initial[0].quantity = BRUME_INITIAL_TEMPERATURE;
        def.initial[0].value = 100.0f;
        def.initial[1].kind = BRUME_INITIAL_NOISE;
        def.initial[1].scale = 0.3f;
        BrumeSim *sim = create(&def);
        const BrumeField *temperature = &sim->fields[BRUME_FIELD_TEMPERATURE];
        for (int s = 0; s < 5; s++) {
            step(sim, 0.04, NULL); // paths of less than two cells, as deep as values are extrapolated
        }
        for (int k = 1; k <= 12; k++) {
            for (int j = 1; j <= 12; j++) {
                for (int i = 1; i <= 16; i++) {
                    const ptrdiff_t c = brume_field_index(temperature, i, j, k);
                    if (sim->geometry->cells.flags[c] & BRUME_CELL_FLUID) {
                        assert_near((double)sim->fields[BRUME_FIELD_TEMPERATURE].data[c], 100.0, 1e-2);
                    }
                }
            }
        }
        brume_sim_destroy(sim);
    }
}

// a body with the slip `auto` stops the air at its surface from the moment on at which the air becomes viscous
static void test_viscosity_changes_the_slip(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(12, 12, 12, 1.0f / 12.0f, BRUME_OPEN);
    def.body_count = 1;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.5f, 0.5f}, .b = {0, 0, 0}, .radius = 0.3f};
    def.wind = brume_vec3(0.0f, 1.0f, 0.0f);
    BrumeSim *sim = create(&def);
    const BrumeField *v = &sim->fields[BRUME_FIELD_V];
    assert_at_least(fabs((double)brume_field_at(v, 4, 7, 6)), 1e-3); // extrapolated from the air
    def.viscosity = 1e-3f;
    BrumeError error = {0};
    assert_int_equal(brume_sim_change(sim, &def, &error), BRUME_OK);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_V], 4, 7, 6), 0.0, 0.0);
    brume_sim_destroy(sim);
}

static double random_between(uint32_t *seed, double from, double to)
{
    return from + (to - from) * (double)brume_unit_float(brume_hash_u32((*seed)++));
}

/*
 * Random boxes with held walls, cold or hot inflows and bodies with a temperature, at steps of up to 8 cells: the
 * temperature stays between the coldest and the hottest source. Transport in flux form multiplies it by up to 1 + dt
 * |div u| in a step (docs/transport.md); its velocity is u + r/2 (u - u of the last step) with r of at most 2.
 */
static void test_temperature_stays_within_its_sources(void **state)
{
    (void)state;
    for (uint32_t scene = 0; scene < 40; scene++) {
        uint32_t seed = 1000u * scene;
        BrumeSimDef def = box_def(12, 14, 10, 0.1f, BRUME_WALL);
        def.advection = brume_advection_name(scene % 4 == 0);
        def.thermal_diffusivity = (float)pow(10.0, random_between(&seed, -5.0, 0.0));
        def.viscosity = scene % 3 == 0 ? 1e-3f : 0.0f;
        double low = 0.0;
        double high = 0.0;
        for (int side = 0; side < BRUME_FACE_COUNT; side++) {
            BrumeFaceDef *face = &def.faces[side];
            const double kind = random_between(&seed, 0.0, 3.0);
            face->kind = side == BRUME_FACE_Y_MAX ? BRUME_OPEN : kind < 1.0 ? BRUME_INFLOW : BRUME_WALL;
            face->no_slip = kind > 1.5;
            face->fixed_temperature = kind > 1.0;
            face->temperature = (float)random_between(&seed, -100.0, 100.0);
            const double speed = random_between(&seed, 0.0, 1.0) * (side % 2 == 0 ? 1.0 : -1.0);
            face->velocity = face->kind == BRUME_INFLOW ? brume_vec3((float)(side / 2 == 0 ? speed : 0.0),
                                                                     (float)(side / 2 == 1 ? speed : 0.0),
                                                                     (float)(side / 2 == 2 ? speed : 0.0))
                                                        : brume_vec3(0.0f, 0.0f, 0.0f);
            if (face->kind != BRUME_OPEN) {
                low = fmin(low, (double)face->temperature);
                high = fmax(high, (double)face->temperature);
            }
        }
        if (scene % 2 == 1) {
            def.body_count = 1;
            def.bodies[0] = (BrumeBodyDef){
                .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.6f, 0.7f, 0.5f}, .b = {0, 0, 0}, .radius = 0.25f},
                .slip = scene % 4 == 1 ? BRUME_SLIP_NO : BRUME_SLIP_FREE,
                .fixed_temperature = true,
                .temperature = (float)random_between(&seed, -100.0, 100.0)};
            low = fmin(low, (double)def.bodies[0].temperature);
            high = fmax(high, (double)def.bodies[0].temperature);
        }
        BrumeSim *sim = create(&def);
        double divergence[2] = {sim->divergence, sim->divergence}; // of the last step and the one before
        double tolerance = 1e-3;
        for (int n = 0; n < 12; n++) {
            const double dt = random_between(&seed, 0.02, 0.4);
            BrumeStepStats stats;
            step(sim, dt, &stats);
            tolerance += dt * (2.0 * divergence[0] + divergence[1]) * fmax(-low, high);
            divergence[1] = divergence[0];
            divergence[0] = stats.divergence;
            double least;
            double most;
            range_of(&sim->fields[BRUME_FIELD_TEMPERATURE], &least, &most);
            if (least < low - tolerance || most > high + tolerance) {
                fail_msg("scene %u, step %d: temperature from %g to %g, sources from %g to %g, tolerance %g", scene, n,
                         least, most, low, high, tolerance);
            }
        }
        assert_at_most(tolerance, 0.25); // a quarter of a percent of the range of the sources
        brume_sim_destroy(sim);
    }
}

static BrumeSimDef rich_def(void)
{
    BrumeSimDef def = box_def(12, 12, 12, 0.1f, BRUME_OPEN);
    def.thermal_diffusivity = 1e-2f;
    def.faces[BRUME_FACE_X_MIN] =
        (BrumeFaceDef){.kind = BRUME_INFLOW,
                       .no_slip = true,
                       .velocity = {0.7f, 0.0f, 0.0f},
                       .profile = BRUME_INFLOW_TANH,
                       .thickness = 0.1f,
                       .opening = {BRUME_OPENING_RECTANGLE, {0.0f, 0.6f, 0.6f}, 0.0f, {0.0f, 0.8f, 0.5f}}};
    def.faces[BRUME_FACE_Y_MIN] = (BrumeFaceDef){.kind = BRUME_WALL, .heat_flux = 0.5f};
    def.body_count = 1;
    def.bodies[0] =
        (BrumeBodyDef){.shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.6f, 0.6f, 0.6f}, .b = {0, 0, 0}, .radius = 0.25f},
                       .slip = BRUME_SLIP_NO,
                       .fixed_temperature = true,
                       .temperature = 30.0f};
    return def;
}

// a restored state continues with the same bits: walls, inflows and bodies are saved with it
static void test_saved_state(void **state)
{
    (void)state;
    const BrumeSimDef def = rich_def();
    BrumeSim *sim = create(&def);
    step(sim, 0.05, NULL);
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    BrumeError error;
    BrumeSim *restored = NULL;
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    assert_int_equal(brume_sim_create_saved(&restored, bytes, size, &error), BRUME_OK);
    for (int n = 0; n < 3; n++) {
        step(sim, 0.05, NULL);
        step(restored, 0.05, NULL);
    }
    assert_true(brume_sim_hash(sim) == brume_sim_hash(restored));
    assert_true(max_abs(&sim->fields[BRUME_FIELD_TEMPERATURE]) > 0.1);
    free(bytes);
    brume_sim_destroy(restored);
    brume_sim_destroy(sim);
}

// the number of threads does not change a bit of walls, diffusion and inflows
static void test_threads(void **state)
{
    (void)state;
    const BrumeSimDef def = rich_def();
    uint64_t hashes[2];
    for (int n = 0; n < 2; n++) {
        brume_set_threads(n == 0 ? 1 : 3);
        BrumeSim *sim = create(&def);
        for (int m = 0; m < 4; m++) {
            step(sim, 0.05, NULL);
        }
        hashes[n] = brume_sim_hash(sim);
        brume_sim_destroy(sim);
    }
    assert_true(hashes[0] == hashes[1]);
}

// a change of the settings replaces the profile
static void test_change_of_the_profile(void **state)
{
    (void)state;
    BrumeSimDef def = rich_def();
    BrumeSim *sim = create(&def);
    def.faces[BRUME_FACE_X_MIN].opening.kind = BRUME_OPENING_FACE;
    def.faces[BRUME_FACE_X_MIN].profile = BRUME_INFLOW_UNIFORM;
    BrumeError error;
    assert_int_equal(brume_sim_change(sim, &def, &error), BRUME_OK);
    assert_near((double)u_at(sim, 1, 1, 1), 0.7f, 0.0);
    assert_near(flux_of(sim, BRUME_FACE_X_MIN), 0.7 * 1.44, 1e-6);
    brume_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_speeds_of_sides_count_for_the_step),
        cmocka_unit_test(test_flux_of_profiles),
        cmocka_unit_test(test_plane_channel),
        cmocka_unit_test(test_boundary_layer),
        cmocka_unit_test(test_opening),
        cmocka_unit_test(test_fluxes_of_a_closed_box_balance),
        cmocka_unit_test(test_refused_settings),
        cmocka_unit_test(test_velocity_inside_bodies),
        cmocka_unit_test(test_bodies_at_sides),
        cmocka_unit_test(test_viscosity_changes_the_slip),
        cmocka_unit_test(test_temperature_stays_within_its_sources),
        cmocka_unit_test(test_saved_state),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_change_of_the_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The box: flow through its sides and around bodies, invalid settings, extreme settings, values not finite. */
#include "core/field.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim_support.h"

// the flow through an inflow leaves through the open side, and is uniform in an empty box
static void test_inflow_leaves_through_the_open_side(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(24, 12, 12, 0.05f, BRUME_WALL);
    def.faces[BRUME_FACE_X_MIN] =
        (BrumeFaceDef){.kind = BRUME_INFLOW, .velocity = {2.0f, 0.0f, 0.0f}, .temperature = 5.0f, .smoke = {0.5f}};
    def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 100; n++) {
        step(sim, 0.02, NULL); // 80 cells in all
    }
    for (int i = 1; i <= 25; i++) {
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], i, 6, 6), 2.0, 2e-3);
    }
    for (int i = 1; i <= 24; i++) {
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], i, 6, 6), 0.5, 1e-3);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], i, 6, 6), 5.0, 1e-2);
    }
    brume_sim_destroy(sim);
}

// air that enters through an open side is clean: a downdraft clears the box from its open top
static void test_open_side_lets_in_clean_air(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(12, 20, 12, 0.05f, BRUME_WALL);
    def.faces[BRUME_FACE_Y_MIN] = (BrumeFaceDef){.kind = BRUME_INFLOW, .velocity = {0.0f, -1.0f, 0.0f}};
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    def.wind = brume_vec3(0.0f, -1.0f, 0.0f);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    BrumeSim *sim = create(&def);
    brume_field_fill(&sim->fields[BRUME_FIELD_DENSITY], 1.0f);
    for (int n = 0; n < 5; n++) {
        step(sim, 0.1, NULL); // 2 cells each
    }
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], 6, 20, 6), 0.0, 1e-4);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], 6, 13, 6), 0.0, 0.02);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], 6, 8, 6), 1.0, 0.02);
    brume_sim_destroy(sim);
}

// air that enters has the wind's velocity along the side, not the velocity of the air inside
static void test_open_side_lets_in_the_wind(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(12, 20, 12, 0.05f, BRUME_PERIODIC);
    def.faces[BRUME_FACE_Y_MIN] = (BrumeFaceDef){.kind = BRUME_INFLOW, .velocity = {0.5f, -1.0f, 0.0f}};
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    def.wind = brume_vec3(0.25f, -1.0f, -0.125f);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    BrumeSim *sim = create(&def);
    brume_field_fill(&sim->fields[BRUME_FIELD_U], 0.5f);
    brume_field_fill(&sim->fields[BRUME_FIELD_W], 0.5f);
    for (int n = 0; n < 5; n++) {
        step(sim, 0.1, NULL); // 2 cells each
    }
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 6, 20, 6), 0.25, 1e-4);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_W], 6, 20, 6), -0.125, 1e-4);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 6, 13, 6), 0.25, 0.02);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 6, 8, 6), 0.5, 0.02);
    brume_sim_destroy(sim);
}

// the pressure beyond an open side is (wind^2 - u^2) / 2 where air enters faster than the wind, 0 where it leaves
static void test_backflow_is_stabilized(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 8, 8, 0.5f, BRUME_WALL);
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    def.faces[BRUME_FACE_X_MIN].kind = BRUME_OPEN;
    def.wind = brume_vec3(-1.0f, -1.0f, 0.0f);
    BrumeSim *sim = create(&def);
    BrumeField *u = &sim->fields[BRUME_FIELD_U];
    BrumeField *v = &sim->fields[BRUME_FIELD_V];
    const float before[] = {-4.0f, -1.0f, -0.5f, 2.0f};
    const double dt_per_dx = 0.5; // [s/m]
    for (int n = 0; n < 4; n++) {
        v->data[brume_field_index(v, 1 + n, 9, 4)] = before[n];
        v->data[brume_field_index(v, 1 + n, 5, 4)] = before[n];
        u->data[brume_field_index(u, 1, 1 + n, 4)] = -before[n];
    }
    brume_stabilize_backflow(sim, (float)dt_per_dx * def.dx, NULL);
    for (int n = 0; n < 4; n++) {
        const double inward = -(double)before[n];
        const double top = inward > 1.0 ? (inward + 0.5 * dt_per_dx) / (1.0 + 0.5 * dt_per_dx * inward) : inward;
        const double side =
            inward > 0.0 ? inward / (1.0 + 0.5 * dt_per_dx * inward) : inward; // the wind is directed outwards there
        assert_near((double)brume_field_at(v, 1 + n, 9, 4), -top, 1e-6);
        assert_near((double)brume_field_at(v, 1 + n, 5, 4), -inward, 0.0);
        assert_near((double)brume_field_at(u, 1, 1 + n, 4), side, 1e-6);
    }
    brume_sim_destroy(sim);
}

// no flow through the surfaces of bodies of any shape, and no smoke or heat inside
static void test_no_flow_through_bodies(void **state)
{
    (void)state;
    const BrumeShape shapes[] = {
        {.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.6f, 0.5f}, .b = {0, 0, 0}, .radius = 0.2f},
        {.kind = BRUME_SHAPE_BOX, .a = {0.3f, 0.5f, 0.3f}, .b = {0.7f, 0.55f, 0.7f}, .radius = 0.0f},
        {.kind = BRUME_SHAPE_CYLINDER, .a = {0.2f, 0.5f, 0.4f}, .b = {0.8f, 0.6f, 0.6f}, .radius = 0.12f},
        {.kind = BRUME_SHAPE_CAPSULE, .a = {0.3f, 0.5f, 0.4f}, .b = {0.7f, 0.6f, 0.6f}, .radius = 0.12f},
    };
    for (size_t n = 0; n < sizeof shapes / sizeof shapes[0]; n++) {
        BrumeSimDef def = box_def(20, 24, 20, 0.05f, BRUME_WALL);
        def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
        def.body_count = 1;
        def.bodies[0].shape = shapes[n];
        def.emitter_count = 1;
        def.emitters[0] = brume_default_emitter_def();
        def.emitters[0].shape =
            (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.2f, 0.5f}, .b = {0, 0, 0}, .radius = 0.15f};
        def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
        def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 200.0f};
        BrumeSim *sim = create(&def);
        BrumeError error;
        int solids = 0;
        for (int frame = 0; frame < 20; frame++) {
            assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
        }
        const BrumeCells *cells = &sim->geometry->cells;
        for (int k = 1; k <= 20; k++) {
            for (int j = 1; j <= 24; j++) {
                for (int i = 1; i <= 20; i++) {
                    const ptrdiff_t c = i + cells->sy * j + cells->sz * k;
                    if (!(cells->flags[c] & BRUME_CELL_SOLID)) {
                        continue;
                    }
                    solids++;
                    assert_true(sim->fields[BRUME_FIELD_DENSITY].data[c] == 0.0f);
                    assert_true(sim->fields[BRUME_FIELD_TEMPERATURE].data[c] == 0.0f);
                    const ptrdiff_t strides[3] = {1, cells->sy, cells->sz};
                    for (int axis = 0; axis < 3; axis++) {
                        if (cells->flags[c - strides[axis]] & BRUME_CELL_FLUID) {
                            assert_true(sim->fields[axis].data[c] == 0.0f);
                        }
                        if (cells->flags[c + strides[axis]] & BRUME_CELL_FLUID) {
                            assert_true(sim->fields[axis].data[c + strides[axis]] == 0.0f);
                        }
                    }
                }
            }
        }
        assert_true(solids > 50);
        assert_at_least(sum_of(&sim->fields[BRUME_FIELD_DENSITY]), 100.0);
        brume_sim_destroy(sim);
    }
}

// distances at points where they are known
static void test_shape_distances(void **state)
{
    (void)state;
    const BrumeShape box = {.kind = BRUME_SHAPE_BOX, .a = {0, 0, 0}, .b = {2, 4, 6}, .radius = 0};
    const BrumeShape capsule = {.kind = BRUME_SHAPE_CAPSULE, .a = {0, 0, 0}, .b = {0, 3, 0}, .radius = 0.5f};
    const BrumeShape cylinder = {.kind = BRUME_SHAPE_CYLINDER, .a = {0, 0, 0}, .b = {0, 3, 0}, .radius = 0.5f};
    assert_near((double)brume_shape_distance(&box, brume_vec3(1, 2, 1)), -1.0, 1e-6);
    assert_near((double)brume_shape_distance(&box, brume_vec3(5, 8, 3)), 5.0, 1e-6);
    assert_near((double)brume_shape_distance(&capsule, brume_vec3(0, 5, 0)), 1.5, 1e-6);
    assert_near((double)brume_shape_distance(&cylinder, brume_vec3(0, 5, 0)), 2.0, 1e-6);
    assert_near((double)brume_shape_distance(&cylinder, brume_vec3(3.5f, 7, 0)), 5.0, 1e-5);
    assert_near((double)brume_shape_distance(&cylinder, brume_vec3(0.25f, 1.5f, 0)), -0.25, 1e-6);
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(&cylinder, &lower, &upper);
    assert_near((double)lower.x, -0.5, 1e-6);
    assert_near((double)lower.y, 0.0, 1e-6);
    assert_near((double)upper.y, 3.0, 1e-6);
}

// steps of the schemes that gather, and of the flux form, which takes up to 64 substeps
enum { GATHER_STEPS = 100, FLUX_STEPS = 20 };

// extreme sources, forces and steps stay stable: the speed is bounded by the speed of the settings
static void test_extremes_stay_bounded(void **state)
{
    (void)state;
    const struct {
        float heat, speed, confinement, viscosity, dt;
        double limit; // [m/s]
    } cases[] = {
        {1e4f, 0.0f, 0.0f, 0.0f, 0.1f, 1e3},    {300.0f, 100.0f, 0.0f, 0.0f, 1.0f, 1e3},
        {300.0f, 1.0f, 50.0f, 0.0f, 0.1f, 1e3}, {300.0f, 1.0f, 1e6f, 0.0f, 0.5f, 1e4},
        {300.0f, 1.0f, 0.0f, 1e6f, 10.0f, 1e3}, {0.0f, 1e5f, 10.0f, 0.0f, 100.0f, 1e7},
    };
    const size_t count = sizeof cases / sizeof cases[0];
    for (size_t m = 0; m < 2 * count; m++) {
        const size_t n = m / 2;
        BrumeSimDef def = box_def(12, 18, 12, 0.8f / 12, BRUME_WALL);
        def.transport = m % 2 ? "maccormack" : "ppm";
        def.faces[BRUME_FACE_Y_MAX].kind = n % 2 ? BRUME_OPEN : BRUME_WALL;
        def.vorticity_confinement = cases[n].confinement;
        def.viscosity = cases[n].viscosity;
        def.body_count = 1;
        def.bodies[0].shape =
            (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.45f, 0.7f, 0.4f}, .b = {0, 0, 0}, .radius = 0.15f};
        def.emitter_count = 1;
        def.emitters[0] = brume_default_emitter_def();
        def.emitters[0].shape =
            (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.4f, 0.2f, 0.4f}, .b = {0, 0, 0}, .radius = 0.15f};
        def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
        def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, cases[n].heat};
        def.emitters[0].velocity = (BrumeVectorSource){cases[n].speed > 0.0f ? BRUME_SOURCE_SET : BRUME_SOURCE_NONE,
                                                       {cases[n].speed, 0.3f * cases[n].speed, 0.0f}};
        BrumeSim *sim = create(&def);
        double most = 1.0; // the flux form keeps the bounds up to the divergence of each step, and to rounding
        const int steps = cases[n].viscosity > 0.0f ? 30 : m % 2 ? GATHER_STEPS : FLUX_STEPS;
        for (int s = 0; s < steps; s++) {
            BrumeStepStats stats;
            step(sim, (double)cases[n].dt, &stats);
            most *= m % 2 ? 1.0 : 1.0 + stats.divergence * stats.dt + 1e-6;
        }
        assert_at_most(sim->max_speed, cases[n].limit);
        double low;
        double high;
        range_of(&sim->fields[BRUME_FIELD_DENSITY], &low, &high);
        assert_at_least(low, 0.0);
        assert_at_most(high, most);
        brume_sim_destroy(sim);
    }
}

// a value that is not finite ends the run with its field and cell in the message
static void test_value_not_finite_is_reported(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 16, 0.1f, BRUME_WALL);
    BrumeSim *sim = create(&def);
    BrumeError error = {0};
    assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
    BrumeField *density = brume_sim_write_field(sim, BRUME_FIELD_DENSITY);
    density->data[brume_field_index(density, 5, 6, 7)] = NAN;
    assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_FAILED);
    const char *expected = "density is no longer finite at cell (5, 6, 7) in frame 2, step 1";
    error.text[strlen(expected)] = '\0';
    assert_string_equal(error.text, expected);
    brume_sim_destroy(sim);
}

typedef struct Wrong {
    BrumeFieldId id;
    int i, j, k;
    float value;
} Wrong;

// a step of a box in a diagonal wind that fails only by the check
static void assert_step_fails(const char *scheme, bool at_rest, Wrong wrong)
{
    static const char *const names[] = {"u", "v", "w", "heating", "pressure", "temperature", "density"};
    BrumeSimDef def = box_def(12, 13, 14, 0.1f, BRUME_OPEN);
    def.advection = scheme;
    def.vorticity_confinement = 0.0f;
    def.thermal_expansion = 0.0f;
    def.smoke[0].weight = 0.0f;
    def.wind = at_rest ? brume_vec3(0.0f, 0.0f, 0.0f) : brume_vec3(1.0f, 1.0f, 1.0f);
    BrumeSim *sim = create(&def);
    BrumeField *field = brume_sim_write_field(sim, wrong.id);
    field->data[brume_field_index(field, wrong.i, wrong.j, wrong.k)] = wrong.value;
    BrumeError error = {0};
    assert_int_equal(brume_sim_step(sim, 0.13, NULL, &error), BRUME_FAILED);
    char expected[128];
    (void)snprintf(expected, sizeof expected, "%s is no longer finite at cell (%d, %d, %d) in frame 1, step 1",
                   names[wrong.id], wrong.i, wrong.j, wrong.k);
    error.text[strlen(expected)] = '\0';
    assert_string_equal(error.text, expected);
    brume_sim_destroy(sim);
}

// in the first cell, inside and on the upper sides; with every scheme; whether or not a trace reads the value
static void test_every_value_not_finite_is_found(void **state)
{
    (void)state;
    const float values[] = {NAN, INFINITY, -INFINITY, -3e38f};
    const BrumeFieldId ids[] = {BRUME_FIELD_U, BRUME_FIELD_V, BRUME_FIELD_W, BRUME_FIELD_TEMPERATURE,
                                BRUME_FIELD_DENSITY};
    const int threads = brume_get_threads();
    for (int n = 0; n < 5 * 4 * 3 * 2 * 2; n++) {
        const BrumeFieldId id = ids[n % 5];
        const int place = n / 5 / 4 % 3;
        Wrong wrong = {id, 1, 1, 1, values[n / 5 % 4]};
        if (place > 0) {
            wrong = (Wrong){id, 5, 7, 6, wrong.value};
        }
        if (place > 1) { // on the upper sides
            wrong = (Wrong){id, 12 + (id == 0), 13 + (id == 1), 14 + (id == 2), wrong.value};
        }
        if (id <= BRUME_FIELD_W && isfinite(wrong.value)) {
            continue; // the backflow stabilization makes it small
        }
        brume_set_threads(1 + n / 60 % 2);
        for (int scheme = 0; brume_advection_name(scheme); scheme++) {
            assert_step_fails(brume_advection_name(scheme), n / 120 == 0, wrong);
        }
    }
    brume_set_threads(threads);
}

// settings out of range are refused by name, and no simulation is created
static void test_bad_settings_are_refused(void **state)
{
    (void)state;
    BrumeSimDef defs[7];
    for (int n = 0; n < 7; n++) {
        defs[n] = brume_default_sim_def();
    }
    defs[0].nx = 7;
    defs[1].viscosity = NAN;
    defs[2].faces[BRUME_FACE_X_MIN].kind = BRUME_PERIODIC;
    defs[3].pressure = "magic";
    defs[4].advection = "upwind";
    defs[5].emitter_count = 1;
    defs[5].emitters[0] = brume_default_emitter_def();
    defs[5].emitters[0].smoke[2].mode = BRUME_SOURCE_SET;
    defs[6].solids = "cut";
    defs[6].integrator = "classic";
    defs[6].body_count = 1;
    defs[6].bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.5f, 0.5f}, .radius = 0.1f};
    const char *const texts[] = {
        "'resolution' in 'solver' is 7, but must be from 8 to 4096 [cells]",
        "'viscosity' in 'air' is nan, but must be from 0 to 1000000 [m^2/s]",
        "face 'x_min' is periodic but 'x_max' is not; opposite faces are both periodic or neither is",
        "'pressure' in 'solver' is 'magic', but must be one of mgpcg, multigrid, cg, relaxation, dct, fft, auto",
        "'advection' in 'solver' is 'upwind', but must be one of maccormack, semi-lagrangian",
        "'emitter' 0 emits color_2, but color_count is 0",
        "'solids' in 'solver' is 'cut', but the integrator 'classic' needs whole cells ('cells')",
    };
    for (int n = 0; n < 7; n++) {
        BrumeSim *sim = (BrumeSim *)&defs;
        BrumeError error = {0};
        assert_int_equal(brume_sim_create(&sim, &defs[n], &error), BRUME_BAD_INPUT);
        assert_null(sim);
        assert_string_equal(error.text, texts[n]);
        size_t bytes = 7;
        BrumeError of_bytes = {0};
        assert_int_equal(brume_sim_bytes_needed(&defs[n], &bytes, &of_bytes), BRUME_BAD_INPUT);
        assert_string_equal(of_bytes.text, texts[n]);
        assert_int_equal(bytes, 7);
    }
}

// sets the bodies of layout 0 to 3, from none to many
static void place_bodies(BrumeSimDef *def, int layout)
{
    const float dx = def->dx;
    const BrumeVec3 sides = {(float)def->nx * dx, (float)def->ny * dx, (float)def->nz * dx};
    def->body_count = layout == 0 ? 0 : layout == 3 ? 27 : layout == 1 ? 1 : 4;
    for (int n = 0; n < def->body_count; n++) {
        BrumeBodyDef *body = &def->bodies[n];
        const int row = n / 3 % 3;
        const int plane = n / 9;
        const BrumeVec3 center = {((float)(n % 3) + 0.5f) / 3.0f * sides.x, ((float)row + 0.5f) / 3.0f * sides.y,
                                  ((float)plane + 0.5f) / 3.0f * sides.z};
        const float x = ((float)n + 0.4f) / 4.0f * sides.x;
        if (layout == 1) { // a large sphere
            const BrumeVec3 middle = brume_scale(sides, 0.5f);
            body->shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = middle, .b = middle, .radius = 0.25f * sides.x};
        } else if (layout == 2) { // plates with a gap
            body->shape = (BrumeShape){
                .kind = BRUME_SHAPE_BOX, .a = {x, -dx, -dx}, .b = {x + 1.5f * dx, 0.9f * sides.y, sides.z + dx}};
        } else { // small spheres
            body->shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = center, .b = center, .radius = 0.1f * sides.z};
        }
    }
}

// brume_sim_bytes_needed, which no memory is allocated for, agrees with brume_sim_bytes for every pressure solver
static void test_bytes_needed(void **state)
{
    (void)state;
    static const int cells[][3] = {{64, 48, 56}, {33, 47, 40}, {96, 24, 16}};
    for (int layout = 0; layout < 4; layout++) {
        for (int n = 0; n < 3 * 100 && brume_pressure_name(n / 3); n++) {
            const int *size = cells[n % 3];
            BrumeSimDef def = box_def(size[0], size[1], size[2], 0.02f, BRUME_WALL);
            def.faces[BRUME_FACE_Y_MAX].kind = n % 3 == 0 ? BRUME_WALL : BRUME_OPEN; // a closed box, or an open one
            def.color_count = 2;
            def.viscosity = n % 2 == 0 ? 1e-5f : 0.0f;
            def.pressure = brume_pressure_name(n / 3);
            place_bodies(&def, layout);
            if (brume_pressure_unmet_need(def.pressure, layout > 0, false)) {
                for (int face = 0; face < BRUME_FACE_COUNT; face++) {
                    def.faces[face].kind = BRUME_PERIODIC;
                }
            }
            if (brume_pressure_unmet_need(def.pressure, layout > 0, true)) {
                continue; // the direct solvers allow no bodies
            }
            const bool only_whole = strcmp(def.pressure, "relaxation") == 0;
            for (int set = 0; set < (only_whole ? 2 : 4); set++) {
                def.kernels = brume_kernels_name(set % 2);
                def.solids = brume_solids_name(set / 2);
                BrumeSim *sim = create(&def);
                const double bytes = (double)brume_sim_bytes(sim);
                size_t estimate = 0;
                assert_int_equal(brume_sim_bytes_needed(&def, &estimate, NULL), BRUME_OK);
                const double needed = (double)estimate;
                if (needed < 0.98 * bytes || needed > 1.2 * bytes || (layout == 0 && needed > 1.02 * bytes)) {
                    fail_msg("%d x %d x %d cells, %s, %s kernels, solids %s, bodies %d: %.0f bytes are needed, "
                             "expected 0.98 "
                             "to %g of %.0f",
                             size[0], size[1], size[2], def.pressure, def.kernels, def.solids, layout, needed,
                             layout == 0 ? 1.02 : 1.2, bytes);
                }
                brume_sim_destroy(sim);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inflow_leaves_through_the_open_side),
        cmocka_unit_test(test_open_side_lets_in_clean_air),
        cmocka_unit_test(test_open_side_lets_in_the_wind),
        cmocka_unit_test(test_backflow_is_stabilized),
        cmocka_unit_test(test_no_flow_through_bodies),
        cmocka_unit_test(test_shape_distances),
        cmocka_unit_test(test_extremes_stay_bounded),
        cmocka_unit_test(test_value_not_finite_is_reported),
        cmocka_unit_test(test_every_value_not_finite_is_found),
        cmocka_unit_test(test_bad_settings_are_refused),
        cmocka_unit_test(test_bytes_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

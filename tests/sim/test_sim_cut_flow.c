/*
 * Whole steps with cut cells (solver.solids: cut): exact flows along true surfaces, bodies that move and turn, smoke
 * that is conserved, and the same bits with any threads and kernels. BRUME_VERBOSE=1 prints the errors.
 */
#include "core/field.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/cut_cells.h"
#include "sim/measures/monitor.h"
#include "sim_support.h"
#include "test_mesh.h"

#include <stdlib.h>

static void run_frames(BrumeSim *sim, int frames)
{
    BrumeError error = {0};
    for (int n = 0; n < frames; n++) {
        if (brume_sim_frame(sim, NULL, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
    }
}

// the largest difference of the velocity on open faces to a uniform one
static double largest_difference(const BrumeSim *sim, const double velocity[3])
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeGrid grid = cells->grid;
    double largest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 1; k <= grid.nz; k++) {
            for (int j = 1; j <= grid.ny; j++) {
                for (int i = 1; i <= grid.nx; i++) {
                    const ptrdiff_t c = brume_field_index(&sim->fields[0], i, j, k);
                    if (brume_cells_in_air(cells, axis, c)) {
                        largest = fmax(largest, fabs((double)sim->fields[axis].data[c] - velocity[axis]));
                    }
                }
            }
        }
    }
    return largest;
}

// a channel between two planes at 30 degrees across a flat box, through which air flows uniformly
static BrumeSimDef channel_def(const char *solids)
{
    const double angle = 3.14159265358979 / 6.0;
    BrumeSimDef def = box_def(48, 48, 1, 1.0f / 48.0f, BRUME_WALL);
    def.solids = solids;
    def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_PERIODIC;
    def.faces[BRUME_FACE_X_MIN].kind = BRUME_INFLOW;
    def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
    def.wind = brume_vec3((float)cos(angle), (float)sin(angle), 0.0f);
    def.faces[BRUME_FACE_X_MIN].velocity = def.wind;
    def.body_count = 2;
    for (int n = 0; n < 2; n++) {
        def.bodies[n].shape = (BrumeShape){.kind = BRUME_SHAPE_PLANE,
                                           .a = {0.5f, n == 0 ? 0.3513f : 0.6531f, 0.0f},
                                           .rotation = {0.0f, 0.0f, n == 0 ? 30.0f : 210.0f}};
    }
    return def;
}

static void test_uniform_flow_in_a_turned_channel(void **state)
{
    (void)state;
    static const char *const integrators[] = {"second-order", "split"};
    for (int n = 0; n < 2; n++) {
        BrumeSimDef def = channel_def("cut");
        def.integrator = integrators[n];
        def.tolerance = 1e-6f;
        BrumeSim *sim = create(&def);
        const double velocity[3] = {(double)def.wind.x, (double)def.wind.y, 0.0};
        assert_at_most(largest_difference(sim, velocity), 1e-5);
        run_frames(sim, 12);
        if (getenv("BRUME_VERBOSE")) {
            print_message("%s: largest difference %.3g\n", integrators[n], largest_difference(sim, velocity));
        }
        assert_at_most(largest_difference(sim, velocity), 1e-5);
        brume_sim_destroy(sim);
    }
    BrumeSimDef def = channel_def("cells"); // the steps of whole cells disturb the flow
    BrumeSim *sim = create(&def);
    const double velocity[3] = {(double)def.wind.x, (double)def.wind.y, 0.0};
    assert_at_least(largest_difference(sim, velocity), 0.1);
    brume_sim_destroy(sim);
}

// a closed box with a sphere, smoke and heat all around it
static BrumeSimDef sphere_def(void)
{
    BrumeSimDef def = box_def(32, 28, 24, 1.0f / 32.0f, BRUME_WALL);
    def.solids = "cut";
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.3f, 0.41f, 0.37f}, .radius = 0.13f};
    return def;
}

static double blob(double x, double y, double z, const void *context)
{
    (void)context;
    const double r = sqrt((x - 0.5) * (x - 0.5) + (y - 0.4) * (y - 0.4) + (z - 0.35) * (z - 0.35));
    return r < 0.25 ? 1.0 + cos(r / 0.25 * 3.14159265) : 0.0;
}

static double total(const BrumeSim *sim)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeField *density = &sim->fields[BRUME_FIELD_DENSITY];
    double sum = 0.0;
    for (int k = 1; k <= cells->grid.nz; k++) {
        for (int j = 1; j <= cells->grid.ny; j++) {
            for (int i = 1; i <= cells->grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(density, i, j, k);
                sum += cells->flags[c] & BRUME_CELL_FLUID ? (double)density->data[c] : 0.0;
            }
        }
    }
    return sum;
}

static void test_a_moving_sphere_conserves_smoke(void **state)
{
    (void)state;
    BrumeSimDef def = sphere_def();
    BrumeSim *sim = create(&def);
    fill(sim, BRUME_FIELD_DENSITY, blob, NULL);
    brume_set_scalar_ghosts(sim);
    const double before = total(sim);
    for (int n = 0; n < 12; n++) {
        brume_sim_move_and_turn(sim, 0, brume_vec3(0.8f, 0.1f, -0.05f), brume_vec3(0.0f, 90.0f, 0.0f));
        run_frames(sim, 1);
        if (getenv("BRUME_VERBOSE")) {
            print_message("%d: total %.8g, divergence %.3g, speed %.3g, range %.3g\n", n, total(sim) / before,
                          sim->divergence, sim->max_speed, max_abs(&sim->fields[BRUME_FIELD_DENSITY]));
        }
    }
    assert_near(total(sim), before, 1e-6 * before);
    brume_sim_destroy(sim);
}

static double everywhere(double x, double y, double z, const void *context)
{
    (void)context;
    return 1.0 + x + 2.0 * y + 3.0 * z;
}

// A sphere of which a periodic side cuts off a part, so that faces on the side are between a solid cell and one in the
// air: both copies of such a face let the same amount pass.
static void test_a_turning_sphere_on_a_periodic_side_conserves_smoke(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        BrumeSimDef def = box_def(16, 16, 16, 1.0f / 16.0f, BRUME_WALL);
        def.faces[(ptrdiff_t)2 * axis].kind = def.faces[2 * axis + 1].kind = BRUME_PERIODIC;
        def.wind = brume_vec3(axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f);
        def.solids = "cut";
        def.body_count = 1;
        def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.47f, 0.52f, 0.49f}, .radius = 0.2f};
        *(axis == 0   ? &def.bodies[0].shape.a.x
          : axis == 1 ? &def.bodies[0].shape.a.y
                      : &def.bodies[0].shape.a.z) = axis == 1 ? 0.96f : 0.04f;
        BrumeSim *sim = create(&def);
        fill(sim, BRUME_FIELD_DENSITY, everywhere, NULL);
        brume_set_scalar_ghosts(sim);
        const double before = total(sim);
        for (int n = 0; n < 4; n++) {
            brume_sim_move_and_turn(sim, 0, brume_vec3(0.0f, 0.0f, 0.0f), brume_vec3(60.0f, 90.0f, -70.0f));
            run_frames(sim, 1);
        }
        assert_near(total(sim), before, 1e-6 * before);
        brume_sim_destroy(sim);
    }
}

static uint64_t hash_of_motion(const char *kernels, int threads)
{
    brume_set_threads(threads);
    BrumeSimDef def = sphere_def();
    def.kernels = kernels;
    def.viscosity = 1e-4f;
    def.bodies[0].slip = BRUME_SLIP_FREE;
    BrumeSim *sim = create(&def);
    fill(sim, BRUME_FIELD_DENSITY, blob, NULL);
    brume_set_scalar_ghosts(sim);
    for (int n = 0; n < 4; n++) {
        brume_sim_move_and_turn(sim, 0, brume_vec3(0.8f, 0.1f, -0.05f), brume_vec3(0.0f, 90.0f, 0.0f));
        run_frames(sim, 1);
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    brume_set_threads(1);
    return hash;
}

static void test_any_threads_and_kernels_give_the_same_bits(void **state)
{
    (void)state;
    const uint64_t hash = hash_of_motion("fast", 1);
    assert_true(hash == hash_of_motion("fast", 3));
    assert_true(hash == hash_of_motion("reference", 2));
}

// A box that a plate pushes through smoke, several cells in a frame: none is lost or made.
static void test_a_piston_conserves_smoke(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(64, 32, 32, 1.0f / 32.0f, BRUME_WALL);
    def.origin = brume_vec3(-1.0f, 0.0f, -0.5f);
    def.solids = "cut";
    def.body_count = 1;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {-0.8f, 0.2f, -0.3f}, .b = {-0.74f, 0.8f, 0.3f}, .radius = 0.0f};
    BrumeSim *sim = create(&def);
    fill(sim, BRUME_FIELD_DENSITY, blob, NULL);
    brume_set_scalar_ghosts(sim);
    const double before = total(sim);
    for (int n = 0; n < 5; n++) {
        brume_sim_move(sim, 0, brume_vec3(6.0f, 0.0f, 0.0f));
        run_frames(sim, 1);
        assert_near(total(sim), before, 1e-5 * before);
    }
    brume_sim_destroy(sim);
}

// Saved in the middle of a frame in which a body moves and turns, a simulation goes on with the same bits.
static void test_a_saved_motion_goes_on(void **state)
{
    (void)state;
    BrumeSimDef def = sphere_def();
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.2f, 0.3f, 0.3f}, .b = {0.5f, 0.5f, 0.45f}, .radius = 0.0f};
    BrumeSim *sim = create(&def);
    BrumeError error = {0};
    fill(sim, BRUME_FIELD_DENSITY, blob, NULL);
    brume_set_scalar_ghosts(sim);
    brume_sim_move_and_turn(sim, 0, brume_vec3(0.8f, 0.1f, -0.05f), brume_vec3(30.0f, 90.0f, 0.0f));
    for (int n = 0; n < 3; n++) {
        step(sim, 0.011, NULL);
    }
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    BrumeSim *saved = NULL;
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    assert_int_equal(brume_sim_create_saved(&saved, bytes, size, &error), BRUME_OK);
    free(bytes);
    for (int n = 0; n < 3; n++) {
        step(sim, 0.011, NULL);
        step(saved, 0.011, NULL);
    }
    assert_true(brume_sim_hash(sim) == brume_sim_hash(saved));
    brume_sim_destroy(sim);
    brume_sim_destroy(saved);
}

// Without a body, or with one that is disabled, 'cut' changes no bit.
static void test_nothing_changes_without_bodies(void **state)
{
    (void)state;
    for (int disabled = 0; disabled < 2; disabled++) {
        uint64_t hashes[2];
        for (int n = 0; n < 2; n++) {
            BrumeSimDef def = sphere_def();
            def.solids = brume_solids_name(n);
            def.body_count = disabled;
            def.bodies[0].disabled = true;
            def.gravity.y = -9.81f;
            def.smoke[0].weight = 0.5f;
            BrumeSim *sim = create(&def);
            fill(sim, BRUME_FIELD_DENSITY, blob, NULL);
            brume_set_scalar_ghosts(sim);
            run_frames(sim, 2);
            hashes[n] = brume_sim_hash(sim);
            brume_sim_destroy(sim);
        }
        assert_true(hashes[0] == hashes[1]);
    }
}

// the air in a cylinder that turns with it, about the axis z through (.5, .5), at 1 radian/s
static double rotation(double x, double y, double z, const void *context)
{
    (void)z;
    const int axis = *(const int *)context;
    return axis == 0 ? 0.5 - y : axis == 1 ? x - 0.5 : 0.0;
}

static const double cylinder_radius = 0.43; // [m]

// the solid around a cylinder, as a volume whose values are the distance from it
static BrumeSamples *cylinder_samples(void)
{
    enum { N = 193 };
    static float values[2 * N * N];
    for (int n = 0; n < 2 * N * N; n++) {
        const double x = -1.0 + 3.0 / (N - 1) * (n % N) - 0.5;
        const double y = -1.0 + 3.0 / (N - 1) * (n / N % N) - 0.5;
        values[n] = (float)(sqrt(x * x + y * y) - cylinder_radius);
    }
    const BrumeSamplesDef def = {
        .nx = N, .ny = N, .nz = 2, .first = {-1.0, -1.0, 0.0}, .spacing = 3.0 / (N - 1), .values = values};
    BrumeSamples *samples = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_samples_create(&samples, &def, &error), BRUME_OK);
    return samples;
}

typedef struct Errors {
    double mean, largest;
} Errors;

static Errors turn_cylinder(BrumeSamples *samples, int n)
{
    BrumeSimDef def = box_def(n, n, 1, 1.0f / (float)n, BRUME_WALL);
    def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_PERIODIC;
    def.solids = "cut";
    def.tolerance = 1e-5f;
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){
        .kind = BRUME_SHAPE_VOLUME, .a = {-1.0f, -1.0f, -1.0f}, .b = {2.0f, 2.0f, 2.0f}, .samples = samples};
    BrumeSim *sim = create(&def);
    for (int axis = 0; axis < 3; axis++) {
        set_entries(sim, (BrumeFieldId)axis, &sim->fields[axis], rotation, &axis);
    }
    brume_set_velocity_boundary(sim);
    (void)brume_measure_flow(sim);
    for (int frame = 0; frame < 24; frame++) {
        brume_sim_move_and_turn(sim, 0, brume_vec3(0.0f, 0.0f, 0.0f), brume_vec3(0.0f, 0.0f, 57.29578f));
        run_frames(sim, 1);
    }
    Errors errors = {0};
    double faces = 0.0;
    for (int j = 1; j <= n; j++) {
        for (int i = 1; i <= n; i++) {
            const ptrdiff_t c = brume_field_index(&sim->fields[0], i, j, 1);
            for (int axis = 0; axis < 2; axis++) {
                if (brume_cells_in_air(&sim->geometry->cells, axis, c)) {
                    const double exact =
                        rotation((i - (axis == 0 ? 1.0 : 0.5)) / n, (j - (axis == 1 ? 1.0 : 0.5)) / n, 0.0, &axis);
                    const double error = fabs((double)sim->fields[axis].data[c] - exact);
                    errors.mean += error;
                    errors.largest = fmax(errors.largest, error);
                    faces += 1.0;
                }
            }
        }
    }
    errors.mean /= faces;
    brume_sim_destroy(sim);
    return errors;
}

static void test_air_turns_with_a_cylinder(void **state)
{
    (void)state;
    BrumeSamples *samples = cylinder_samples();
    for (int n = 24; n <= (getenv("BRUME_VERBOSE") ? 96 : 48); n *= 2) {
        const Errors errors = turn_cylinder(samples, n);
        if (getenv("BRUME_VERBOSE")) {
            print_message("turning cylinder, %d cells: mean %.3g, largest %.3g\n", n, errors.mean, errors.largest);
        }
        assert_at_most(errors.mean, 3e-5); // of .43 m/s at the wall
        assert_at_most(errors.largest, 3e-4);
    }
    brume_samples_release(samples);
}

// The potential flow around a cylinder without friction is steady: the change of the velocity, of 1 m/s far away,
// within two radii of the cylinder after a quarter of a second.
static Errors flow_around_cylinder(const char *solids, int n)
{
    static const float middle[2] = {0.503f, 0.497f};
    static const float radius = 0.15f;
    BrumeSimDef def = box_def(n, n, 1, 1.0f / (float)n, BRUME_WALL);
    def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_PERIODIC;
    def.faces[BRUME_FACE_X_MIN].kind = BRUME_INFLOW;
    def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
    def.wind = def.faces[BRUME_FACE_X_MIN].velocity = brume_vec3(1.0f, 0.0f, 0.0f);
    def.solids = solids;
    def.tolerance = 1e-5f;
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_CYLINDER,
                                       .a = {middle[0], middle[1], -1.0f},
                                       .b = {middle[0], middle[1], 1.0f},
                                       .radius = radius};
    BrumeSim *sim = create(&def);
    BrumeField start[2];
    BrumeError error;
    for (int axis = 0; axis < 2; axis++) {
        assert_int_equal(brume_field_create(&start[axis], sim->fields[axis].grid, &error), BRUME_OK);
        brume_field_copy(&start[axis], &sim->fields[axis]);
    }
    run_frames(sim, 6);
    Errors changes = {0};
    double faces = 0.0;
    for (int j = 1; j <= n; j++) {
        for (int i = 1; i <= n; i++) {
            const ptrdiff_t c = brume_field_index(&sim->fields[0], i, j, 1);
            const double x = (i - 0.5) / n - (double)middle[0];
            const double y = (j - 0.5) / n - (double)middle[1];
            for (int axis = 0; axis < 2 && sqrt(x * x + y * y) < 2.0 * (double)radius; axis++) {
                if (brume_cells_in_air(&sim->geometry->cells, axis, c)) {
                    const double change = fabs((double)sim->fields[axis].data[c] - (double)start[axis].data[c]);
                    changes.mean += change;
                    changes.largest = fmax(changes.largest, change);
                    faces += 1.0;
                }
            }
        }
    }
    changes.mean /= faces;
    for (int axis = 0; axis < 2; axis++) {
        brume_field_destroy(&start[axis]);
    }
    brume_sim_destroy(sim);
    return changes;
}

static void test_potential_flow_is_steady(void **state)
{
    (void)state;
    for (int n = 32; n <= (getenv("BRUME_VERBOSE") ? 128 : 64); n *= 2) {
        const Errors cut = flow_around_cylinder("cut", n);
        const Errors cells = flow_around_cylinder("cells", n);
        if (getenv("BRUME_VERBOSE")) {
            print_message("around a cylinder, %d cells: mean %.3g, largest %.3g; with whole cells %.3g, %.3g\n", n,
                          cut.mean, cut.largest, cells.mean, cells.largest);
        }
        if (n == 64) {
            assert_at_most(cut.mean, 0.15 * cells.mean);
            assert_at_most(cut.largest, 0.1 * cells.largest);
        }
    }
}

static double sum_of_temperature(const BrumeSim *sim)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeField *temperature = &sim->fields[BRUME_FIELD_TEMPERATURE];
    double sum = 0.0;
    for (int k = 1; k <= cells->grid.nz; k++) {
        for (int j = 1; j <= cells->grid.ny; j++) {
            for (int i = 1; i <= cells->grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(temperature, i, j, k);
                sum += cells->flags[c] & BRUME_CELL_FLUID ? (double)temperature->data[c] : 0.0;
            }
        }
    }
    return sum;
}

// Heat diffuses around a sphere: none is lost where it insulates, and where it has a temperature, what enters the air
// is booked; the air takes that temperature in the end.
static void test_diffusion_of_heat(void **state)
{
    (void)state;
    for (int held = 0; held < 2; held++) {
        for (int n = 0; n < 2; n++) {                // explicit and implicit steps
            const float dt = n == 0 ? 0.004f : 0.4f; // [s]
            BrumeSimDef def = sphere_def();
            def.thermal_diffusivity = 0.01f;
            def.bodies[0].fixed_temperature = held;
            def.bodies[0].temperature = 3.0f;
            BrumeSim *sim = create(&def);
            fill(sim, BRUME_FIELD_TEMPERATURE, blob, NULL);
            brume_set_scalar_ghosts(sim);
            double entered = 0.0; // [K cells]
            const double before = sum_of_temperature(sim);
            for (int repeats = 0; repeats < 5; repeats++) {
                const BrumeDiffusionResult result =
                    brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, def.thermal_diffusivity, dt);
                entered += result.entered_from_bodies * 32.0 * 32.0 * 32.0;
                brume_set_scalar_ghosts(sim);
            }
            assert_near(sum_of_temperature(sim), before + entered, 1e-5 * before);
            assert_true(held ? entered > 0.0 : entered == 0.0);
            for (int repeats = 0; held && n == 1 && repeats < 100; repeats++) {
                (void)brume_diffuse(sim, BRUME_FIELD_TEMPERATURE, def.thermal_diffusivity, 10.0f * dt);
                brume_set_scalar_ghosts(sim);
            }
            double cells = 0.0;
            for (int k = 1; held && n == 1 && k <= def.nz; k++) {
                for (int j = 1; j <= def.ny; j++) {
                    for (int i = 1; i <= def.nx; i++) {
                        const ptrdiff_t c = brume_field_index(&sim->fields[0], i, j, k);
                        cells += (sim->geometry->cells.flags[c] & BRUME_CELL_FLUID) != 0;
                    }
                }
            }
            if (held && n == 1) {
                assert_near(sum_of_temperature(sim), 3.0 * cells, 1e-3 * cells);
            }
            brume_sim_destroy(sim);
        }
    }
}

// The mean drag coefficient from t = 1.5 s to 2.5 s of a sphere of 8 cells and a diameter of 1 m in a channel without
// friction, at Reynolds number 100, in wind of 1 m/s, or drawn at that speed. Its center is at x [m] in the beginning.
static double drag_of_sphere(bool drawn, float x)
{
    BrumeSimDef def = box_def(64, 24, 24, 0.125f, BRUME_WALL);
    def.origin = brume_vec3(-3.5f, -1.5f, -1.5f);
    def.solids = "cut";
    def.fps = 20.0f;
    def.viscosity = 0.01f;
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {x, 0.0f, 0.0f}, .radius = 0.5f};
    if (!drawn) {
        def.wind = def.faces[BRUME_FACE_X_MIN].velocity = brume_vec3(1.0f, 0.0f, 0.0f);
        def.faces[BRUME_FACE_X_MIN].kind = BRUME_INFLOW;
        def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
    }
    static BrumeMeasures measures;
    BrumeSim *sim = create(&def);
    double force = 0.0;
    for (int n = 1; n <= 50; n++) {
        if (drawn) {
            brume_sim_move(sim, 0, brume_vec3(-1.0f, 0.0f, 0.0f));
        }
        run_frames(sim, 1);
        brume_sim_measure(sim, &measures);
        force += n > 30 ? 0.05 * (measures.bodies[0].pressure[0] + measures.bodies[0].viscous[0]) : 0.0;
    }
    brume_sim_destroy(sim);
    return 2.0 * force / (0.25 * 3.14159265358979);
}

// A sphere that is drawn passes all positions between the cells; one at rest has a drag that differs by 3 % between
// them.
static void test_a_drawn_sphere_has_the_drag_of_one_in_wind(void **state)
{
    (void)state;
    double in_wind = 0.0;
    for (int n = 0; n < 5; n++) {
        in_wind += 0.2 * drag_of_sphere(false, 0.025f * (float)n);
    }
    const double drawn = drag_of_sphere(true, 1.5f);
    if (getenv("BRUME_VERBOSE")) {
        print_message("drag coefficient %.4f in wind, %.4f drawn\n", in_wind, drawn);
    }
    assert_near(drawn, in_wind, 0.02 * in_wind);
}

// The largest speed [m/s] around a ball at rest that a body with a velocity of 1 m/s crosses.
static double fastest_where_surfaces_meet(BrumeShape shape, BrumeVec3 velocity)
{
    BrumeSimDef def = box_def(24, 24, 24, 1.0f / 24.0f, BRUME_OPEN);
    def.solids = "cut";
    def.body_count = 2;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.52f, 0.47f, 0.51f}, .radius = 0.21f};
    def.bodies[1].shape = shape;
    BrumeSim *sim = create(&def);
    double fastest = 0.0;
    for (int frame = 0; frame < 10; frame++) {
        brume_sim_move(sim, 1, velocity);
        run_frames(sim, 1);
        fastest = fmax(fastest, largest_difference(sim, (const double[3]){0.0, 0.0, 0.0}));
    }
    if (getenv("BRUME_VERBOSE")) {
        print_message("two velocities: at most %.3g m/s\n", fastest);
    }
    brume_sim_destroy(sim);
    return fastest;
}

// A half space that recedes across a ball at rest draws the air after it, and a rod thinner than a cell that crosses it
// pushes air aside. Cells where both surfaces meet are nearly closed: the velocity of the other body passes no wall of
// the ball there, whether its cells are cut or closed as a whole, so that the air stays about as fast as that body.
static void test_surfaces_of_two_velocities_meet(void **state)
{
    (void)state;
    const BrumeShape half_space = {
        .kind = BRUME_SHAPE_PLANE, .a = {0.5f, 0.5f, 0.5f}, .rotation = {20.0f, 0.0f, 35.0f}};
    const double receding = fastest_where_surfaces_meet(half_space, brume_vec3(0.0f, -1.0f, 0.0f));
    assert_true(receding > 0.5);
    assert_at_most(receding, 4.0);
    const BrumeShape rod = {
        .kind = BRUME_SHAPE_CAPSULE, .a = {0.2f, 0.41f, 0.2f}, .b = {0.8f, 0.61f, 0.9f}, .radius = 0.45f / 24.0f};
    const double crossing = fastest_where_surfaces_meet(rod, brume_vec3(0.6f, 0.8f, 0.0f));
    assert_true(crossing > 0.5);
    assert_at_most(crossing, 4.0);
}

// A mesh in a wind of 1 m/s, whose side leaves 3/32 of a row of faces open, which end at a notch, as along a car at a
// wheel: without brume_extrapolate_to_narrow_faces the air in the row reaches 4.35 m/s.
static void test_a_row_of_narrow_faces_makes_no_jet(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(48, 16, 20, 1.0f / 16.0f, BRUME_WALL);
    def.faces[BRUME_FACE_X_MIN] = (BrumeFaceDef){.kind = BRUME_INFLOW, .velocity = {1.0f, 0.0f, 0.0f}};
    def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
    def.wind = brume_vec3(1.0f, 0.0f, 0.0f);
    def.solids = "cut";
    def.fps = 32.0f;
    TestMesh triangles = {0};
    const float near = 4.0625f * def.dx;
    const float far = 1.25f - near;
    test_mesh_add_box(&triangles, brume_vec3(0.8f, 0.125f, near), brume_vec3(1.3f, 0.5f, far));
    test_mesh_add_box(&triangles, brume_vec3(1.52f, 0.125f, near), brume_vec3(2.0f, 0.5f, far));
    test_mesh_add_box(&triangles, brume_vec3(0.9f, 0.4f, near), brume_vec3(1.9f, 0.6f, far));
    BrumeMesh *mesh = test_mesh_create(&triangles);
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_MESH, .mesh = mesh, .scale = {1.0f, 1.0f, 1.0f}};
    BrumeSim *sim = create(&def);
    double fastest = 0.0;
    for (int frame = 0; frame < 48; frame++) {
        run_frames(sim, 1);
        fastest = fmax(fastest, largest_difference(sim, (const double[3]){0.0, 0.0, 0.0}));
    }
    if (getenv("BRUME_VERBOSE")) {
        print_message("narrow faces: at most %.3g m/s\n", fastest);
    }
    assert_true(fastest > 1.5);
    assert_at_most(fastest, 3.0);
    brume_sim_destroy(sim);
    brume_mesh_release(mesh);
}

int main(void)
{
    brume_set_threads(1); // small boxes
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_piston_conserves_smoke),
        cmocka_unit_test(test_a_saved_motion_goes_on),
        cmocka_unit_test(test_nothing_changes_without_bodies),
        cmocka_unit_test(test_air_turns_with_a_cylinder),
        cmocka_unit_test(test_a_drawn_sphere_has_the_drag_of_one_in_wind),
        cmocka_unit_test(test_surfaces_of_two_velocities_meet),
        cmocka_unit_test(test_a_row_of_narrow_faces_makes_no_jet),
        cmocka_unit_test(test_potential_flow_is_steady),
        cmocka_unit_test(test_diffusion_of_heat),
        cmocka_unit_test(test_uniform_flow_in_a_turned_channel),
        cmocka_unit_test(test_a_moving_sphere_conserves_smoke),
        cmocka_unit_test(test_a_turning_sphere_on_a_periodic_side_conserves_smoke),
        cmocka_unit_test(test_any_threads_and_kernels_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

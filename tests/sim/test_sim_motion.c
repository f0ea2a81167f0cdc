/* Moving bodies: their positions, the air at their surfaces, the cells that they uncover. */
#include "sim_support.h"

#include "core/field.h"
#include "core/parallel/clock.h"
#include "core/random.h"
#include "core/vec3.h"
#include "sim/measures/monitor.h"

static BrumeSimDef plate_def(int n)
{
    BrumeSimDef def = box_def(n, n, n, 1.0f / (float)n, BRUME_WALL);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.body_count = 1;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.25f, 0.25f, 0.25f}, .b = {0.375f, 0.75f, 0.75f}, .radius = 0.0f};
    return def;
}

static void frame(BrumeSim *sim, BrumeFrameStats *stats)
{
    BrumeError error = {0};
    if (brume_sim_frame(sim, stats, &error) != BRUME_OK) {
        print_error("%s\n", error.text);
        fail();
    }
}

static bool solid(const BrumeSim *sim, int i, int j, int k)
{
    const BrumeCells *cells = &sim->geometry->cells;
    return (cells->flags[i + cells->sy * j + cells->sz * k] & BRUME_CELL_SOLID) != 0;
}

// a plate moving through air at rest: its faces hold its velocity, and the projected flow satisfies continuity
static void test_plate_pushes_air(void **state)
{
    (void)state;
    BrumeSimDef def = plate_def(32);
    BrumeSim *sim = create(&def);
    const float speed = 24.0f / 32.0f; // one cell in a frame
    BrumeFrameStats stats;
    brume_sim_move(sim, 0, brume_vec3(speed, 0.0f, 0.0f));
    frame(sim, &stats);
    assert_true(stats.converged);
    for (int k = 9; k <= 24; k++) {
        for (int j = 9; j <= 24; j++) {
            // cells 10 to 13 are solid now
            assert_true(!solid(sim, 9, j, k) && solid(sim, 10, j, k) && solid(sim, 13, j, k) && !solid(sim, 14, j, k));
            assert_true(brume_field_at(&sim->fields[BRUME_FIELD_U], 10, j, k) == speed);
            assert_true(brume_field_at(&sim->fields[BRUME_FIELD_U], 14, j, k) == speed);
        }
    }
    // the air ahead and behind moves with the plate; next to the plate it flows back
    assert_at_least((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 15, 16, 16), 0.5 * (double)speed);
    assert_at_least((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 9, 16, 16), 0.5 * (double)speed);
    assert_at_most((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 12, 4, 16), -0.01 * (double)speed);
    // after a projection the net flow through every cross-section of the closed box is 0
    brume_sim_move(sim, 0, brume_vec3(speed, 0.0f, 0.0f));
    brume_set_velocity_boundary(sim);
    brume_set_scalar_ghosts(sim);
    const BrumePressureResult result = brume_project(sim, 1.0f / 24.0f);
    assert_true(result.converged);
    assert_at_most(brume_measure_flow(sim), 1e-3 * (double)speed * 32.0);
    for (int i = 2; i <= 32; i++) {
        double flow = 0.0;
        for (int k = 1; k <= 32; k++) {
            for (int j = 1; j <= 32; j++) {
                // the faces of solid cells count with the velocity of the plate
                const bool inside = solid(sim, i - 1, j, k) || solid(sim, i, j, k);
                flow += inside ? (double)speed : (double)brume_field_at(&sim->fields[BRUME_FIELD_U], i, j, k);
            }
        }
        assert_near(flow / (256.0 * (double)speed), 0.0, 1e-3);
    }
    // once the plate rests, so does the air at its surface
    brume_sim_move(sim, 0, brume_vec3(0.0f, 0.0f, 0.0f));
    sim->bodies_move = false;
    frame(sim, NULL);
    assert_true(brume_field_at(&sim->fields[BRUME_FIELD_U], 14, 16, 16) == 0.0f);
    brume_sim_destroy(sim);
}

static uint64_t hash_of(const BrumeSimDef *def, const BrumeVec3 *velocity, int threads)
{
    const int before = brume_get_threads();
    brume_set_threads(threads);
    BrumeSim *sim = create(def);
    for (int n = 0; n < 5; n++) {
        if (velocity) {
            brume_sim_move(sim, 0, *velocity);
        }
        frame(sim, NULL);
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    brume_set_threads(before);
    return hash;
}

static BrumeSimDef smoky_def(void)
{
    BrumeSimDef def = plate_def(24);
    def.gravity.y = -9.81f;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.2f, 0.45f}, .b = {0, 0, 0}, .radius = 0.15f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 100.0f};
    return def;
}

static void test_rest_and_threads_change_no_bit(void **state)
{
    (void)state;
    const BrumeSimDef def = smoky_def();
    const BrumeVec3 still = {0.0f, 0.0f, 0.0f};
    const BrumeVec3 velocity = {1.1f, 0.3f, -0.4f};
    assert_int_equal(hash_of(&def, &still, 1), hash_of(&def, NULL, 1));
    const uint64_t moved = hash_of(&def, &velocity, 1);
    assert_true(moved != hash_of(&def, NULL, 1));
    assert_int_equal(hash_of(&def, &velocity, 2), moved);
    assert_int_equal(hash_of(&def, &velocity, 3), moved);
}

// the settings contain the present position; the body stays there after the frame
static void test_settings_contain_the_position(void **state)
{
    (void)state;
    BrumeSimDef def = plate_def(16);
    BrumeSim *sim = create(&def);
    brume_sim_move(sim, 0, brume_vec3(0.0f, 2.4f, 0.0f));
    frame(sim, NULL);
    frame(sim, NULL);
    const BrumeShape *shape = &brume_sim_settings(sim)->bodies[0].shape;
    assert_near((double)shape->a.y, 0.35, 1e-6);
    assert_near((double)shape->b.y, 0.85, 1e-6);
    assert_true(shape->a.x == 0.25f);
    brume_sim_destroy(sim);
}

// uniform smoke and heat stay uniform in the air, in flux form up to the divergence, and are 0 inside the body
static void check_uniform_smoke(const char *transport)
{
    BrumeSimDef def = plate_def(24);
    def.transport = transport;
    double slack = 0.0;
    def.cfl = 8.0f; // several layers in a step
    BrumeSim *sim = create(&def);
    brume_field_fill(&sim->fields[BRUME_FIELD_DENSITY], 0.5f);
    brume_field_fill(&sim->fields[BRUME_FIELD_TEMPERATURE], 20.0f);
    brume_set_velocity_boundary(sim);
    brume_set_scalar_ghosts(sim);
    for (int n = 0; n < 3; n++) {
        brume_sim_move(sim, 0, brume_vec3(3.0f, 0.0f, 1.0f));
        BrumeFrameStats stats;
        frame(sim, &stats);
        slack += strcmp(transport, "ppm") == 0 ? stats.divergence / (double)def.fps : 0.0;
    }
    for (int k = 1; k <= 24; k++) {
        for (int j = 1; j <= 24; j++) {
            for (int i = 1; i <= 24; i++) {
                const double air = solid(sim, i, j, k) ? 0.0 : 1.0;
                assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], i, j, k), 0.5 * air,
                            0.5 * slack + 1e-5);
                assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], i, j, k), 20.0 * air,
                            20.0 * slack + 1e-3);
            }
        }
    }
    assert_at_most(slack, 2e-3);
    brume_sim_destroy(sim);
}

static void test_uncovered_cells_take_the_values_around(void **state)
{
    (void)state;
    check_uniform_smoke("maccormack");
    check_uniform_smoke("ppm");
}

// A plate that moves through a box one cell thick: cells that it covers and uncovers keep no pressure gradient across
// the box, which no projection could remove.
static void test_nothing_moves_across_a_thin_box(void **state)
{
    (void)state;
    BrumeSimDef def = plate_def(24);
    def.nz = 1;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.2f, 0.3f, -1.0f}, .b = {0.3f, 0.7f, 2.0f}, .radius = 0.0f};
    def.faces[BRUME_FACE_Z_MIN].kind = def.faces[BRUME_FACE_Z_MAX].kind = BRUME_PERIODIC;
    BrumeSim *sim = create(&def);
    for (int n = 0; n < 24; n++) {
        brume_sim_move(sim, 0, brume_vec3(n < 12 ? 1.0f : -1.0f, 0.0f, 0.0f));
        frame(sim, NULL);
    }
    double low;
    double high;
    range_of(&sim->fields[BRUME_FIELD_U], &low, &high);
    assert_at_least(high - low, 0.5); // the plate has moved the air
    range_of(&sim->fields[BRUME_FIELD_W], &low, &high);
    assert_at_most(fmax(-low, high), 0.0);
    brume_sim_destroy(sim);
}

// with sanitizers many frames take too long
#ifdef BRUME_SANITIZED
enum { RANDOM_MOVES = 10 };
#else
enum { RANDOM_MOVES = 30 };
#endif

// random motions, out of the box and back, in boxes of all kinds
static void test_random_moves_stay_finite(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        BrumeSimDef def = smoky_def();
        def.transport = kind == 1 ? "maccormack" : "ppm";
        double most = 1.0; // the flux form keeps the bounds up to the divergence of each step
        for (int face = 0; kind > 0 && face < BRUME_FACE_COUNT; face++) {
            def.faces[face].kind = kind == 1 ? BRUME_OPEN : BRUME_PERIODIC;
        }
        def.viscosity = kind == 1 ? 1e-3f : 0.0f;
        BrumeSim *sim = create(&def);
        int fewest = 1 << 30;
        BrumeVec3 velocity = {0};
        for (int n = 0; n < RANDOM_MOVES; n++) {
            float speed[3];
            for (int axis = 0; axis < 3; axis++) {
                speed[axis] = 20.0f * (brume_unit_float(brume_hash_u32((uint32_t)(100 * n + axis))) - 0.5f);
            }
            // odd motions reverse the even ones, so that the body leaves the box and comes back
            velocity = n % 2 ? brume_scale(velocity, -1.0f) : brume_vec3(speed[0], speed[1], speed[2]);
            brume_sim_move(sim, 0, velocity);
            BrumeFrameStats stats;
            frame(sim, &stats);
            most *= kind == 1 ? 1.0 : 1.0 + stats.divergence / (double)def.fps;
            int count = 0;
            for (int k = 1; k <= 24; k++) {
                for (int j = 1; j <= 24; j++) {
                    for (int i = 1; i <= 24; i++) {
                        count += solid(sim, i, j, k);
                    }
                }
            }
            fewest = count < fewest ? count : fewest;
        }
        assert_at_most((double)fewest, 3.0 * 12.0 * 12.0 - 1.0); // part of it has left the box
        assert_at_most(sim->max_speed, 200.0);
        assert_at_most(max_abs(&sim->fields[BRUME_FIELD_DENSITY]), most + 1e-5);
        brume_sim_destroy(sim);
    }
}

// printed only, because the time depends on the load of the machine
static void test_cost_of_moving(void **state)
{
    (void)state;
    BrumeSimDef def = plate_def(64);
    BrumeSim *sim = create(&def);
    brume_sim_move(sim, 0, brume_vec3(24.0f / 64.0f, 0.0f, 0.0f));
    double best = INFINITY;
    for (int n = 0; n < 5; n++) {
        sim->motions[0].from.a.x += 1.0f / 64.0f;
        sim->motions[0].from.b.x += 1.0f / 64.0f;
        const BrumeGeometry *before = sim->geometry;
        BrumeDisplaced displaced;
        const double start = brume_seconds();
        assert_int_equal(brume_move_bodies(sim, 1.0 / 24.0, &displaced, NULL), BRUME_OK);
        best = fmin(best, brume_seconds() - start);
        assert_true(sim->geometry != before);
    }
    print_message("moving a body at 64^3: %.1f ms\n", 1e3 * best);
    brume_sim_destroy(sim);
}

static void expect_uniform_smoke(const BrumeSim *sim)
{
    const BrumeField *density = &sim->fields[BRUME_FIELD_DENSITY];
    const BrumeCells *cells = &sim->geometry->cells;
    for (int k = 1; k <= density->grid.nz; k++) {
        for (int j = 1; j <= density->grid.ny; j++) {
            for (int i = 1; i <= density->grid.nx; i++) {
                if (cells->flags[brume_field_index(density, i, j, k)] & BRUME_CELL_FLUID) {
                    assert_near((double)brume_field_at(density, i, j, k), 1.0, 1e-3);
                }
            }
        }
    }
}

// In the first step of a motion, and in the first of another one, the velocity that carries the smoke is projected
// anew: it holds the velocity of the body in that step, and is free of divergence.
static void test_smoke_stays_uniform_when_a_motion_starts(void **state)
{
    (void)state;
    for (int viscous = 0; viscous < 2; viscous++) {
        BrumeSimDef def = plate_def(16);
        def.viscosity = viscous ? 1e-3f : 0.0f;
        def.tolerance = 1e-6f;
        def.initial_count = 1;
        def.initial[0] = brume_default_initial_def();
        def.initial[0].quantity = BRUME_INITIAL_DENSITY;
        def.initial[0].value = 1.0f;
        BrumeSim *sim = create(&def);
        for (int n = 0; n < 4; n++) {
            brume_sim_move(sim, 0, brume_vec3(n % 2 == 0 ? 1.0f : -1.0f, 0.5f, 0.0f));
            step(sim, 0.05, NULL);
            expect_uniform_smoke(sim);
        }
        brume_sim_destroy(sim);
    }
}

static double density_total(BrumeSim *sim, double *unaccounted)
{
    BrumeMeasures measures;
    brume_sim_measure(sim, &measures);
    *unaccounted = measures.scalars[1].budget.unaccounted;
    return measures.scalars[1].total;
}

// A body that stops has no velocity on its faces in the next step: smoke that covers a part of its surface neither
// enters it nor leaves it. In the frame of the motion the body moves by one cell exactly.
static void test_stopped_body_moves_no_smoke(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 16, 1.0f / 16.0f, BRUME_WALL);
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){
        .kind = BRUME_SHAPE_BOX, .a = {0.375f, 0.375f, 0.375f}, .b = {0.625f, 0.625f, 0.625f}, .radius = 0.0f};
    def.initial_count = 1;
    def.initial[0] = brume_default_initial_def();
    def.initial[0].kind = BRUME_INITIAL_LAYER;
    def.initial[0].profile = BRUME_INITIAL_LINEAR;
    def.initial[0].quantity = BRUME_INITIAL_DENSITY;
    def.initial[0].across = 1;
    def.initial[0].center = brume_vec3(0.5f, 0.5f, 0.5f);
    def.initial[0].thickness = 0.02f;
    def.initial[0].lower = 1.0f;
    def.initial[0].upper = 0.0f;
    BrumeSim *sim = create(&def);
    brume_sim_set_budgets(sim, true);
    double unaccounted;
    const double total = density_total(sim, &unaccounted);
    for (int n = 0; n < 4; n++) {
        brume_sim_move(sim, 0, brume_vec3(0.0f, n == 0 ? 1.5f : 0.0f, 0.0f));
        frame(sim, NULL);
        assert_near(density_total(sim, &unaccounted), total, 1e-5 * total);
        assert_near(unaccounted, 0.0, 1e-7 * total);
    }
    brume_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plate_pushes_air),
        cmocka_unit_test(test_rest_and_threads_change_no_bit),
        cmocka_unit_test(test_settings_contain_the_position),
        cmocka_unit_test(test_uncovered_cells_take_the_values_around),
        cmocka_unit_test(test_nothing_moves_across_a_thin_box),
        cmocka_unit_test(test_random_moves_stay_finite),
        cmocka_unit_test(test_cost_of_moving),
        cmocka_unit_test(test_smoke_stays_uniform_when_a_motion_starts),
        cmocka_unit_test(test_stopped_body_moves_no_smoke),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Steps outside frames: lengths that are refused, motions and strokes, frames that follow, stages in a wrong order. */
#include "core/field.h"
#include "core/vec3.h"
#include "sim/measures/monitor.h"
#include "sim/transport/transport.h"
#include "sim_support.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void frame(BrumeSim *sim, BrumeFrameStats *stats)
{
    BrumeError error = {0};
    if (brume_sim_frame(sim, stats, &error) != BRUME_OK) {
        print_error("%s\n", error.text);
        fail();
    }
}

// a plate in smoke, in frames of 1/16 s and two steps, so that all times are exact
static BrumeSimDef plate_def(void)
{
    BrumeSimDef def = box_def(16, 16, 16, 1.0f / 16.0f, BRUME_WALL);
    def.fps = 16.0f;
    def.min_steps = 2;
    def.max_steps = 2;
    def.body_count = 1;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.25f, 0.25f, 0.25f}, .b = {0.375f, 0.75f, 0.75f}, .radius = 0.0f};
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.7f, 0.2f, 0.5f}, .b = {0, 0, 0}, .radius = 0.15f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 100.0f};
    return def;
}

static float plate_x(const BrumeSim *sim) { return brume_sim_settings(sim)->bodies[0].shape.a.x; }

static void test_impossible_lengths_are_refused(void **state)
{
    (void)state;
    const double lengths[] = {0.0, -0.0, -0.1, (double)NAN, (double)INFINITY, -(double)INFINITY, 1e-60, 1e60};
    const BrumeSimDef def = plate_def();
    BrumeSim *sim = create(&def);
    frame(sim, NULL);
    brume_sim_move(sim, 0, brume_vec3(1.0f, 0.0f, 0.0f));
    const uint64_t hash = brume_sim_hash(sim);
    for (size_t n = 0; n < sizeof lengths / sizeof lengths[0]; n++) {
        BrumeStepStats stats = {.dt = 7.0};
        BrumeError error = {0};
        assert_int_equal(brume_sim_step(sim, lengths[n], &stats, &error), BRUME_BAD_INPUT);
        assert_int_equal(error.status, BRUME_BAD_INPUT);
        assert_non_null(strstr(error.text, "dt must be"));
        assert_null(strchr(error.text, '\n'));
        assert_true(stats.dt == 7.0);
        assert_int_equal(brume_sim_hash(sim), hash);
        assert_true(plate_x(sim) == 0.25f);
        assert_int_equal(brume_sim_step(sim, lengths[n], NULL, NULL), BRUME_BAD_INPUT);
    }
    BrumeSim *undisturbed = create(&def);
    frame(undisturbed, NULL);
    brume_sim_move(undisturbed, 0, brume_vec3(1.0f, 0.0f, 0.0f));
    frame(undisturbed, NULL);
    frame(sim, NULL);
    assert_int_equal(brume_sim_hash(sim), brume_sim_hash(undisturbed));
    brume_sim_destroy(undisturbed);
    brume_sim_destroy(sim);
}

// a frame and its steps made one by one give the same bits, with a moving body and strokes
static void test_steps_equal_a_frame(void **state)
{
    (void)state;
    const BrumeSimDef def = plate_def();
    const BrumeVec3 velocity = {2.0f, 0.5f, -0.5f};
    const BrumeStroke strokes[2] = {
        {.start = 0.0,
         .end = 0.05,
         .from = {0.6f, 0.5f, 0.5f},
         .to = {0.8f, 0.6f, 0.4f},
         .radius = 0.1f,
         .smoke = {1.0f}},
        {.start = 0.02,
         .end = 0.06,
         .from = {0.6f, 0.3f, 0.5f},
         .to = {0.7f, 0.3f, 0.5f},
         .radius = 0.15f,
         .push = 20.0f,
         .velocity = {1.0f, 0.0f, 0.0f}},
    };
    BrumeSim *framed = create(&def);
    brume_sim_move(framed, 0, velocity);
    brume_sim_set_strokes(framed, strokes, 2);
    frame(framed, NULL);
    BrumeSim *stepped = create(&def);
    brume_sim_move(stepped, 0, velocity);
    brume_sim_set_strokes(stepped, strokes, 2);
    step(stepped, 1.0 / 32.0, NULL);
    step(stepped, 1.0 / 32.0, NULL);
    assert_true(plate_x(framed) == 0.25f + 2.0f / 16.0f);
    assert_true(plate_x(stepped) == plate_x(framed));
    assert_int_equal(brume_sim_hash(stepped), brume_sim_hash(framed));
    brume_sim_destroy(stepped);
    brume_sim_destroy(framed);
}

// the displacement is velocity times the time stepped, up to the duration of a frame
static void test_body_moves_with_the_steps(void **state)
{
    (void)state;
    const double lengths[] = {1.0 / 256.0, 1.0 / 64.0, 1.0 / 48.0, 1.0 / 16.0};
    for (size_t n = 0; n < sizeof lengths / sizeof lengths[0]; n++) {
        const BrumeSimDef def = plate_def();
        BrumeSim *sim = create(&def);
        step(sim, 0.3, NULL); // not at the start of a frame
        const double start = brume_sim_time(sim);
        brume_sim_move(sim, 0, brume_vec3(1.5f, 0.0f, 0.0f));
        for (int m = 0; m < 40 && brume_sim_time(sim) < start + 0.15; m++) {
            step(sim, lengths[n], NULL);
            const double elapsed = fmin(brume_sim_time(sim) - start, 1.0 / 16.0);
            assert_near((double)plate_x(sim), 0.25 + 1.5 * elapsed, 1e-6);
        }
        assert_near((double)plate_x(sim), 0.25 + 1.5 / 16.0, 1e-6);
        // once at rest, the faces of the plate hold no velocity
        const float face = brume_field_at(&sim->fields[BRUME_FIELD_U], 7, 8, 8);
        assert_true(face == 0.0f);
        brume_sim_destroy(sim);
    }
}

// a motion that ends within a step: the plate moves for a part of it, and displaces air at its mean velocity
static void test_motion_ends_within_a_step(void **state)
{
    (void)state;
    const BrumeSimDef def = plate_def();
    BrumeSim *sim = create(&def);
    brume_sim_move(sim, 0, brume_vec3(1.0f, 0.0f, 0.0f));
    step(sim, 0.25, NULL); // four frames
    assert_near((double)plate_x(sim), 0.25 + 1.0 / 16.0, 1e-6);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 7, 8, 8), 0.25, 1e-6);
    step(sim, 0.25, NULL);
    assert_near((double)plate_x(sim), 0.25 + 1.0 / 16.0, 1e-6);
    assert_true(brume_field_at(&sim->fields[BRUME_FIELD_U], 7, 8, 8) == 0.0f);
    brume_sim_destroy(sim);
}

// a new velocity replaces the motion where it is; a change of settings continues it
static void test_motions_are_replaced_and_continued(void **state)
{
    (void)state;
    BrumeSimDef def = plate_def();
    BrumeSim *sim = create(&def);
    step(sim, 0.01, NULL);
    brume_sim_move(sim, 0, brume_vec3(1.0f, 0.0f, 0.0f));
    step(sim, 1.0 / 64.0, NULL);
    brume_sim_move(sim, 0, brume_vec3(-1.0f, 0.0f, 0.0f));
    step(sim, 1.0 / 32.0, NULL);
    assert_near((double)plate_x(sim), 0.25 + 1.0 / 64.0 - 1.0 / 32.0, 1e-6);
    def = *brume_sim_settings(sim);
    def.color_count = 1; // other fields
    assert_int_equal(brume_sim_change(sim, &def, NULL), BRUME_OK);
    step(sim, 1.0 / 64.0, NULL);
    def = *brume_sim_settings(sim);
    def.nx = def.ny = def.nz = 20; // another grid
    def.dx = 1.0f / 20.0f;
    assert_int_equal(brume_sim_change(sim, &def, NULL), BRUME_OK);
    for (int n = 0; n < 4; n++) {
        step(sim, 1.0 / 64.0, NULL);
    }
    assert_near((double)plate_x(sim), 0.25 + 1.0 / 64.0 - 1.0 / 16.0, 1e-6);
    brume_sim_destroy(sim);
}

// time never goes back: a frame completes the steps within it, or lasts a whole frame after steps beyond its end
static void test_frames_follow_steps(void **state)
{
    (void)state;
    const BrumeSimDef def = plate_def();
    BrumeSim *sim = create(&def);
    BrumeFrameStats stats;
    step(sim, 1.0 / 32.0, NULL);
    frame(sim, &stats);
    assert_int_equal(stats.frame, 1);
    assert_int_equal(stats.steps, 1); // the other one of two
    assert_true(brume_sim_time(sim) == 1.0 / 16.0);
    step(sim, 0.5, NULL);
    brume_sim_move(sim, 0, brume_vec3(1.0f, 0.0f, 0.0f));
    frame(sim, &stats);
    assert_int_equal(stats.frame, 2);
    assert_int_equal(stats.steps, 2);
    assert_true(brume_sim_time(sim) == 0.5 + 2.0 / 16.0);
    assert_near((double)plate_x(sim), 0.25 + 1.0 / 16.0, 1e-6);
    frame(sim, &stats);
    assert_true(brume_sim_time(sim) == 0.5 + 3.0 / 16.0);
    assert_near((double)plate_x(sim), 0.25 + 1.0 / 16.0, 1e-6); // a frame ends motions
    brume_sim_destroy(sim);
}

#ifndef NDEBUG
static void buoyancy_of_stale_ghosts(BrumeSim *sim)
{
    brume_invalidate(sim, BRUME_VALID_SCALAR_GHOSTS);
    brume_add_buoyancy(sim, sim->fields, 0.1f, NULL);
}

static void diffusion_after_forces(BrumeSim *sim)
{
    assert_int_equal(brume_emit(sim, 0.1, NULL), BRUME_OK);
    brume_add_buoyancy(sim, sim->fields, 0.1f, NULL);
    (void)brume_diffuse(sim, BRUME_FIELD_U, 0.1f, 0.1f);
}

static void projection_after_forces(BrumeSim *sim)
{
    assert_int_equal(brume_emit(sim, 0.1, NULL), BRUME_OK);
    brume_add_buoyancy(sim, sim->fields, 0.1f, NULL);
    (void)brume_project(sim, 0.1f);
}

static void check_without_measurement(BrumeSim *sim)
{
    brume_add_buoyancy(sim, sim->fields, 0.1f, NULL);
    (void)brume_check_finite(sim, NULL);
}

static void advection_without_speed(BrumeSim *sim)
{
    brume_add_buoyancy(sim, sim->fields, 0.1f, NULL);
    brume_set_velocity_boundary(sim);
    advect_own_velocity(sim, 0.1f);
}

static void scalars_before_velocity(BrumeSim *sim)
{
    brume_transport_scalars(sim, sim->scratch + BRUME_SCRATCH_RESULTS, 0.1);
}

static void diffusion_of_advected_scalars(BrumeSim *sim)
{
    advect_own_velocity(sim, 0.1f);
    brume_transport_scalars(sim, sim->scratch + BRUME_SCRATCH_RESULTS, 0.1);
    (void)brume_diffuse(sim, BRUME_FIELD_DENSITY, 0.1f, 0.1f);
}

// runs stages in a child process and returns the signal that ended it, 0 for none
static int signal_of(void (*run)(BrumeSim *))
{
    (void)fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGABRT, SIG_DFL);
        (void)close(STDERR_FILENO);
        brume_set_threads(1); // the threads of the parent do not exist here
        BrumeSimDef def = plate_def();
        def.transport = "maccormack"; // reads the displacements that velocity finds
        BrumeSim *sim = create(&def);
        run(sim);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void whole_step(BrumeSim *sim) { step(sim, 0.1, NULL); }

static void test_wrong_orders_abort(void **state)
{
    (void)state;
    void (*const wrong[])(BrumeSim *) = {
        buoyancy_of_stale_ghosts, diffusion_after_forces,  projection_after_forces,       check_without_measurement,
        advection_without_speed,  scalars_before_velocity, diffusion_of_advected_scalars,
    };
    assert_int_equal(signal_of(whole_step), 0);
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        print_message("stages in wrong order %zu\n", n);
        assert_int_equal(signal_of(wrong[n]), SIGABRT);
    }
}
#else
static void test_wrong_orders_abort(void **state)
{
    (void)state;
    skip(); // assertions are compiled out
}
#endif

static uint64_t hash_after_steps(const BrumeSimDef *def, float scratch, int steps)
{
    BrumeSim *sim = create(def);
    if (def->body_count > 0) {
        brume_sim_move(sim, 0, brume_vec3(0.7f, 0.9f, -1.1f));
    }
    for (int n = 0; n < steps; n++) {
        for (int f = 0; f < BRUME_SCRATCH_FIELDS; f++) {
            brume_field_fill(&sim->scratch[f], scratch);
        }
        step(sim, 0.05, NULL);
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    return hash;
}

// no result depends on the contents of the work fields before a step: with every integrator, at every kind of side
static void test_work_fields_do_not_matter(void **state)
{
    (void)state;
    for (int n = 0; brume_integrator_name(n); n++) {
        for (int moving = 0; moving < 2; moving++) {
            BrumeSimDef def = box_def(12, 11, 10, 0.1f, BRUME_WALL);
            def.integrator = brume_integrator_name(n);
            def.advection = moving ? "maccormack" : "semi-lagrangian";
            def.viscosity = 0.002f;
            def.fps = 1.0f;
            def.faces[BRUME_FACE_X_MIN].kind = BRUME_OPEN;
            def.faces[BRUME_FACE_Z_MAX].kind = BRUME_OPEN;
            def.faces[BRUME_FACE_Y_MIN].no_slip = true;
            def.initial_count = 2;
            def.initial[0] = def.initial[1] = brume_default_initial_def();
            def.initial[0].kind = def.initial[1].kind = BRUME_INITIAL_NOISE;
            def.initial[0].scale = def.initial[1].scale = 0.3f;
            def.initial[1].quantity = BRUME_INITIAL_TEMPERATURE;
            def.initial[1].value = 20.0f;
            def.body_count = moving; // at the wall at the top
            def.bodies[0].shape =
                (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.8f, 0.6f}, .b = {0, 0, 0}, .radius = 0.25f};
            (void)close_box_for_integrator(&def);
            assert_true(hash_after_steps(&def, 0.0f, 8) == hash_after_steps(&def, NAN, 8));
        }
    }
}

// the integrator `classic` replaces the settings of transport too
static void test_classic_has_its_own_transport(void **state)
{
    (void)state;
    BrumeSimDef def = plate_def();
    def.integrator = "classic";
    def.transport = "semi-lagrangian";
    const uint64_t expected = hash_after_steps(&def, 0.0f, 4);
    for (int n = 0; brume_transport_name(n); n++) {
        def.transport = brume_transport_name(n);
        assert_true(hash_after_steps(&def, 0.0f, 4) == expected);
    }
}

// an integrator that is selected in a running simulation does not use fields of an earlier one
static void test_integrator_changes(void **state)
{
    (void)state;
    for (int n = 0; brume_integrator_name(n); n++) {
        BrumeSimDef def = plate_def();
        def.integrator = brume_integrator_name(n);
        (void)close_box_for_integrator(&def);
        def.integrator = brume_integrator_name(0);
        BrumeSim *sim = create(&def);
        step(sim, 0.05, NULL);
        def.integrator = brume_integrator_name(n);
        assert_int_equal(brume_sim_change(sim, &def, NULL), BRUME_OK);
        const bool same = n == 0;
        assert_true(brume_holds(sim, BRUME_VALID_PREVIOUS) == same && brume_holds(sim, BRUME_VALID_PRESSURE) == same);
        step(sim, 0.05, NULL);
        def.integrator = brume_integrator_name(0);
        assert_int_equal(brume_sim_change(sim, &def, NULL), BRUME_OK);
        step(sim, 0.05, NULL);
        assert_true(sim->max_speed > 0.0 && sim->max_speed < 5.0);
        brume_sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_orders_abort), // first: a child of a process with threads could not start a team
        cmocka_unit_test(test_impossible_lengths_are_refused),
        cmocka_unit_test(test_steps_equal_a_frame),
        cmocka_unit_test(test_body_moves_with_the_steps),
        cmocka_unit_test(test_motion_ends_within_a_step),
        cmocka_unit_test(test_motions_are_replaced_and_continued),
        cmocka_unit_test(test_frames_follow_steps),
        cmocka_unit_test(test_work_fields_do_not_matter),
        cmocka_unit_test(test_classic_has_its_own_transport),
        cmocka_unit_test(test_integrator_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

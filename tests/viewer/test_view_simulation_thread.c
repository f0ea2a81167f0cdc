// The simulation thread: requests are handled, in order, and the replay of a state reproduces it bit for bit.
#include "core/random.h"
#include "simulation_thread_support.h"

#include "brume/scene.h"

#include <pthread.h>

static void test_paused_takes_single_frames(void **state)
{
    (void)state;
    const BrumeSimDef settings = small_def();
    BrumeSimulationThread *simulation_thread = create(&settings, false);
    const BrumeSnapshot *snapshot = latest_snapshot(simulation_thread);
    assert_int_equal(snapshot->frame, 0);
    assert_int_equal(snapshot->variant_count, 1);
    assert_true(brume_snapshot_has_fields(&snapshot->variants[0]));
    assert_int_equal(snapshot->threads, 2);
    for (int frame = 1; frame <= 3; frame++) {
        brume_simulation_thread_request_frame(simulation_thread);
        (void)wait_for(simulation_thread, 0, frame);
        usleep(20000);
        snapshot = latest_snapshot(simulation_thread);
        assert_int_equal(snapshot->frame, frame);
        assert_false(snapshot->running);
        assert_int_equal(snapshot->variants[0].stats.frame, frame);
        assert_true(fabs(snapshot->time - frame / (double)settings.fps) < 1e-9);
        assert_string_equal(snapshot->error.text, "");
    }
    brume_simulation_thread_set_running(simulation_thread, true);
    (void)wait_for(simulation_thread, 0, 10); // in order, as it checks
    brume_simulation_thread_set_running(simulation_thread, false);
    const double start = brume_seconds();
    while (latest_snapshot(simulation_thread)->running) { // the pause is reported without another frame
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
    const int stopped = latest_snapshot(simulation_thread)->frame;
    usleep(20000);
    assert_int_equal(latest_snapshot(simulation_thread)->frame, stopped);
    check_replay(simulation_thread, 0);
    brume_simulation_thread_destroy(simulation_thread);
}

// the main guarantee: after edits of all kinds in a running session, its replay leads to the same state
static void test_replay_leads_to_the_same_state(void **state)
{
    (void)state;
    BrumeSimDef settings = small_def();
    BrumeSimulationThread *simulation_thread = create(&settings, true);
    (void)wait_for_frames(simulation_thread, 3);
    for (int n = 0; n < 100; n++) { // more than fit into a frame
        const BrumeStrokeSegment segment = segment_at(n, 100);
        brume_simulation_thread_add_stroke(simulation_thread, &segment);
    }
    (void)wait_for_frames(simulation_thread, 3);
    move_solid(simulation_thread, 0, brume_vec3(0.02f, 0.0f, 0.0f));
    move_solid(simulation_thread, 0, brume_vec3(0.02f, 0.01f, 0.0f));
    (void)wait_for_frames(simulation_thread, 3);
    settings.vorticity_confinement = 3.0f;
    settings.fps = 25.0f;
    for (int n = 0; n < 5; n++) { // repeating the same settings is no change
        brume_simulation_thread_set_settings(simulation_thread, 0, &settings);
        (void)wait_for_frames(simulation_thread, 2);
    }
    settings.nx = settings.nz = 24;
    settings.ny = 36;
    settings.dx = 1.0f / 24.0f;
    settings.color_count = 1;
    brume_simulation_thread_set_settings(simulation_thread, 0, &settings);
    const BrumeStrokeSegment last = segment_at(0, 1);
    brume_simulation_thread_add_stroke(simulation_thread, &last);
    const BrumeSnapshot *snapshot = wait_for_frames(simulation_thread, 3);
    assert_int_equal(snapshot->variants[0].fields[BRUME_FIELD_DENSITY].grid.ny, 36);
    assert_non_null(snapshot->variants[0].fields[BRUME_FIELD_COLOR_1].data);
    assert_true(fabsf(snapshot->variants[0].settings.bodies[0].shape.a.x - 0.54f) < 1e-4f);
    brume_simulation_thread_set_running(simulation_thread, false);
    brume_simulation_thread_set_threads(simulation_thread, 3);
    (void)advance(simulation_thread, 2);

    BrumeReplay replay = get_replay(simulation_thread, 0);
    int changes = 0;
    int strokes = 0;
    int moves = 0;
    for (int n = 0; n < replay.timeline.count; n++) {
        changes += replay.timeline.changes[n].settings != NULL;
        strokes += replay.timeline.changes[n].stroke_count;
        moves += replay.timeline.changes[n].move_count;
    }
    assert_int_equal(changes, 2);
    assert_true(strokes > 1);
    assert_true(moves >= 1);
    assert_int_equal(replay.settings.nx, CELLS);
    assert_true(run_replay(&replay) == replay.hash);
    brume_timeline_clear(&replay.timeline);
    brume_simulation_thread_destroy(simulation_thread);
}

static void test_scene_timeline_is_applied(void **state)
{
    (void)state;
    BrumeSimDef settings = small_def();
    BrumeSimDef later = settings;
    later.wind = brume_vec3(0.5f, 0.0f, 0.0f);
    later.drag = 1.0f;
    BrumeStroke stroke = segment_at(0, 1).stroke;
    stroke.start = 2.0 / (double)settings.fps;
    stroke.end = 3.0 / (double)settings.fps;
    const BrumeMove move = {.velocity = {0.3f, 0.0f, 0.0f}};
    BrumeSimulationThreadDef def = {.settings = settings, .threads = 1};
    BrumeError error = {0};
    const BrumeChange first = {.frame = 2, .stroke_count = 1, .strokes = &stroke, .move_count = 1, .moves = &move};
    const BrumeChange second = {.frame = 4, .settings = &later};
    assert_int_equal(brume_timeline_add(&def.timeline, &first, &error), BRUME_OK);
    assert_int_equal(brume_timeline_add(&def.timeline, &second, &error), BRUME_OK);

    BrumeSimulationThread *simulation_thread = NULL;
    assert_int_equal(brume_simulation_thread_create(&simulation_thread, &def, &error), BRUME_OK);
    brume_simulation_thread_set_speed_limit(simulation_thread, INFINITY);
    (void)advance(simulation_thread, 6);
    BrumeReplay replay = get_replay(simulation_thread, 0);
    const BrumeReplay scene = {.settings = settings, .timeline = def.timeline, .frame = 6, .time = replay.time};
    assert_true(run_replay(&scene) == replay.hash);
    assert_true(run_replay(&replay) == replay.hash);
    brume_timeline_clear(&replay.timeline);

    // after a restart: the initial settings of the scene, not those that its timeline sets later
    const int epoch = epoch_of(simulation_thread);
    brume_simulation_thread_reset(simulation_thread);
    (void)wait_for_restart(simulation_thread, epoch);
    (void)advance(simulation_thread, 2);
    const BrumeStrokeSegment segment = segment_at(0, 1);
    brume_simulation_thread_add_stroke(simulation_thread, &segment); // in addition to those of the scene
    move_solid(simulation_thread, 0, brume_vec3(0.0f, 0.01f, 0.0f));
    (void)advance(simulation_thread, 3);
    replay = get_replay(simulation_thread, 0);
    assert_int_equal(replay.timeline.count, 2);
    assert_int_equal(replay.timeline.changes[0].stroke_count, 2);
    assert_int_equal(replay.timeline.changes[0].move_count, 1);
    assert_true(replay.settings.drag == settings.drag);
    assert_true(run_replay(&replay) == replay.hash);
    brume_timeline_clear(&replay.timeline);
    brume_timeline_clear(&def.timeline);
    brume_simulation_thread_destroy(simulation_thread);
}

// Bodies follow their keys in the window as in a scene, also in a saved one, and again after an undo and a restart.
static void test_bodies_follow_their_keys(void **state)
{
    (void)state;
    enum { FRAMES = 6 };
    static BrumeScene scene;
    scene.animation.count = 2;
    scene.animation.values[0] = (BrumeAnimatedValue){.path = "bodies.0.center.0",
                                                     .interpolation = BRUME_KEYS_LINEAR,
                                                     .key_count = 2,
                                                     .keys = {{0.0, 0.4}, {0.2, 0.6}}};
    scene.animation.values[1] = (BrumeAnimatedValue){.path = "bodies.0.radius",
                                                     .interpolation = BRUME_KEYS_LINEAR,
                                                     .key_count = 2,
                                                     .keys = {{0.0, 0.15}, {0.1, 0.2}}};
    BrumeSimDef settings = small_def();
    settings.bodies[0].shape.a.x = 0.4f;
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_sim_create(&sim, &settings, &error), BRUME_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        assert_int_equal(brume_scene_frame(&scene, sim, NULL, &error), BRUME_OK);
    }
    const BrumeSimulationThreadDef def = {
        .settings = settings, .animation = &scene.animation, .threads = 2, .memory = (size_t)1 << 30};
    BrumeSimulationThread *simulation_thread = create_by(&def);
    for (int run = 0; run < 2; run++) {
        (void)advance(simulation_thread, 2);
        BrumeStrokeSegment segment = segment_at(0, 1);
        segment.edit = run + 1;
        brume_simulation_thread_add_stroke(simulation_thread, &segment);
        (void)advance(simulation_thread, FRAMES - 2);
        brume_simulation_thread_set_undone(simulation_thread, run + 1, true);
        BrumeReplay replay = get_replay(simulation_thread, 0);
        assert_true(replay.hash == brume_sim_hash(sim));
        for (int n = 0; n < replay.timeline.count; n++) { // the keys do it
            assert_int_equal(replay.timeline.changes[n].move_count, 0);
            assert_true(replay.timeline.changes[n].placed == 0);
        }
        brume_timeline_clear(&replay.timeline);
        const int epoch = epoch_of(simulation_thread);
        brume_simulation_thread_reset(simulation_thread);
        (void)wait_for_restart(simulation_thread, epoch);
    }
    brume_sim_destroy(sim);
    brume_simulation_thread_destroy(simulation_thread);
}

// computes the frames of a replay with the keys of `scene`, as the scene that is saved
static uint64_t hash_of_saved(const BrumeReplay *replay, BrumeScene *scene)
{
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    scene->timeline = replay->timeline;
    assert_int_equal(brume_sim_create(&sim, &replay->settings, &error), BRUME_OK);
    for (int frame = 0; frame < replay->frame; frame++) {
        assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    scene->timeline = (BrumeTimeline){0};
    return hash;
}

// What is typed, scaled or dragged of a body stays when another value of it follows its keys, and the body does not
// sweep from its former place to the typed one; a component with keys follows these again.
static void test_edits_of_a_body_with_keys_stay(void **state)
{
    (void)state;
    static BrumeScene scene;
    scene.animation.count = 2;
    scene.animation.values[0] = (BrumeAnimatedValue){.path = "bodies.0.rotation.2",
                                                     .interpolation = BRUME_KEYS_LINEAR,
                                                     .key_count = 2,
                                                     .keys = {{0.0, 0.0}, {1.0, 240.0}}};
    scene.animation.values[1] = (BrumeAnimatedValue){.path = "bodies.0.position.0",
                                                     .interpolation = BRUME_KEYS_LINEAR,
                                                     .key_count = 2,
                                                     .keys = {{0.0, 0.0}, {1.0, 0.24}}};
    BrumeSimDef settings = small_def();
    settings.emitter_count = 0;
    settings.bodies[0].shape = (BrumeShape){
        .kind = BRUME_SHAPE_BOX, .a = {0.3f, 0.8f, 0.4f}, .b = {0.5f, 0.9f, 0.6f}, .scale = {1.0f, 1.0f, 1.0f}};
    const BrumeSimulationThreadDef def = {
        .settings = settings, .animation = &scene.animation, .threads = 2, .memory = (size_t)1 << 28};
    BrumeSimulationThread *thread = create_by(&def);
    const BrumeSnapshot *snapshot = advance(thread, 2);
    BrumeBodyMotion typed = {.edit = 1, .replaces = true, .survives_restart = true};
    typed.def = snapshot->variants[0].settings.bodies[0];
    typed.def.shape.a.y -= 0.4f;
    typed.def.shape.b.y -= 0.4f;
    typed.def.shape.scale = brume_vec3(1.5f, 1.5f, 1.5f);
    brume_simulation_thread_move_body(thread, &typed);
    const BrumeSnapshotVariant *variant = &advance(thread, 1)->variants[0];
    float fastest = 0.0f; // 9.6 m/s where the body sweeps
    for (size_t n = 0; n < brume_grid_entries(variant->fields[BRUME_FIELD_V].grid); n++) {
        fastest = fmaxf(fastest, fabsf(variant->fields[BRUME_FIELD_V].data[n]));
    }
    assert_true(fastest > 0.0f && fastest < 1.0f);
    variant = &advance(thread, 2)->variants[0];
    const BrumeShape *shape = &variant->settings.bodies[0].shape;
    assert_float_equal(shape->a.y, 0.4, 1e-6);
    assert_float_equal(shape->scale.y, 1.5, 0.0);
    assert_float_equal(shape->rotation.z, 240.0 * 5 / 24, 1e-4);
    assert_float_equal(shape->a.x, 0.3, 1e-6);
    assert_float_equal(shape->position.x, 0.24 * 5 / 24, 1e-6);
    const BrumeBodyMotion dragged = {.edit = 2, .displacement = {0.1f, 0.05f, 0.02f}, .turn = {3.0f, 0.0f, 20.0f}};
    brume_simulation_thread_move_body(thread, &dragged);
    variant = &advance(thread, 2)->variants[0];
    shape = &variant->settings.bodies[0].shape;
    assert_float_equal(shape->a.x, 0.3, 1e-6); // its x is that of the keys
    assert_float_equal(shape->a.y, 0.45, 1e-6);
    assert_float_equal(shape->a.z, 0.42, 1e-6);
    assert_float_equal(shape->rotation.x, 3.0, 1e-5);
    assert_float_equal(shape->rotation.z, 240.0 * 7 / 24, 1e-4);
    assert_float_equal(shape->position.x, 0.24 * 7 / 24, 1e-6);
    BrumeReplay replay = get_replay(thread, 0);
    assert_int_equal(replay.timeline.count, 2); // the two edits alone
    assert_true(replay.timeline.changes[0].settings->bodies[0].shape.a.y == typed.def.shape.a.y);
    assert_true(hash_of_saved(&replay, &scene) == replay.hash);
    brume_timeline_clear(&replay.timeline);
    brume_simulation_thread_destroy(thread);
}

static void test_reset_and_load_scene_restart(void **state)
{
    (void)state;
    BrumeSimDef settings = small_def();
    BrumeSimulationThread *simulation_thread = create(&settings, false);
    const BrumeSnapshot *snapshot = advance(simulation_thread, 3);
    const uint64_t third = hash_of(&snapshot->variants[0]);
    const BrumeStrokeSegment segment = segment_at(0, 1);
    brume_simulation_thread_add_stroke(simulation_thread, &segment);
    move_solid(simulation_thread, 0, brume_vec3(0.05f, 0.0f, 0.0f));
    (void)advance(simulation_thread, 2);
    brume_simulation_thread_add_stroke(simulation_thread, &segment); // discarded by the restart
    int epoch = epoch_of(simulation_thread);
    brume_simulation_thread_reset(simulation_thread);
    snapshot = wait_for_restart(simulation_thread, epoch);
    assert_int_equal(snapshot->frame, 0);
    assert_true(snapshot->time == 0.0);
    assert_true(snapshot->variants[0].settings.bodies[0].shape.a.x == settings.bodies[0].shape.a.x);
    snapshot = advance(simulation_thread, 3);
    assert_true(hash_of(&snapshot->variants[0]) == third);
    BrumeReplay replay = get_replay(simulation_thread, 0);
    assert_int_equal(replay.timeline.count, 0);

    // requests after a reset are handled after it, however soon they come
    for (int n = 0; n < 20; n++) {
        epoch = epoch_of(simulation_thread);
        brume_simulation_thread_reset(simulation_thread);
        brume_simulation_thread_add_stroke(simulation_thread, &segment);
        brume_simulation_thread_request_frame(simulation_thread);
        (void)wait_for(simulation_thread, epoch + 1, 1);
        replay = get_replay(simulation_thread, 0);
        assert_int_equal(replay.timeline.count, 1);
        assert_int_equal(replay.timeline.changes[0].stroke_count, 1);
        brume_timeline_clear(&replay.timeline);
    }

    BrumeSimulationThreadDef other = {.settings = settings, .threads = 1};
    other.settings.nx = 20;
    other.settings.gravity.y = -5.0f;
    epoch = epoch_of(simulation_thread);
    brume_simulation_thread_load_scene(simulation_thread, &other);
    BrumeSimulationProgress progress;
    brume_simulation_thread_progress(simulation_thread, &progress);
    assert_true(progress.opening || progress.epoch > epoch); // until the scene is there
    snapshot = wait_for_restart(simulation_thread, epoch);
    assert_int_equal(snapshot->variants[0].settings.nx, 20);
    assert_int_equal(snapshot->threads, 1);
    brume_simulation_thread_progress(simulation_thread, &progress);
    assert_false(progress.opening);
    assert_int_equal(progress.epoch, snapshot->epoch);
    (void)advance(simulation_thread, 2);
    check_replay(simulation_thread, 0);

    other.settings.nx = 2; // too few cells: the current scene continues
    brume_simulation_thread_load_scene(simulation_thread, &other);
    snapshot = advance(simulation_thread, 1);
    assert_int_equal(snapshot->variants[0].settings.nx, 20);
    assert_int_equal(snapshot->error.status, BRUME_BAD_INPUT);
    const int present = progress.epoch;
    brume_simulation_thread_progress(simulation_thread, &progress);
    assert_false(progress.opening);
    assert_int_equal(progress.epoch, present);
    brume_simulation_thread_destroy(simulation_thread);

    BrumeError error = {0};
    assert_int_equal(brume_simulation_thread_create(&simulation_thread, &other, &error), BRUME_BAD_INPUT);
    assert_null(simulation_thread);
    assert_true(strlen(error.text) > 0);
}

static void test_rejected_settings_are_reported_and_change_nothing(void **state)
{
    (void)state;
    BrumeSimDef settings = small_def();
    BrumeSimulationThread *simulation_thread = create(&settings, false);
    (void)advance(simulation_thread, 1);
    BrumeSimDef bad = settings;
    bad.viscosity = -1.0f;
    brume_simulation_thread_set_settings(simulation_thread, 0, &bad);
    const BrumeStrokeSegment segment = segment_at(0, 1);
    brume_simulation_thread_add_stroke(simulation_thread, &segment); // which is applied nevertheless
    const BrumeSnapshot *snapshot = advance(simulation_thread, 1);
    assert_int_equal(snapshot->error.status, BRUME_BAD_INPUT);
    assert_non_null(strstr(snapshot->error.text, "viscosity"));
    assert_true(snapshot->variants[0].settings.viscosity == settings.viscosity);
    snapshot = advance(simulation_thread, 1);
    assert_non_null(strstr(snapshot->error.text, "viscosity")); // until settings are accepted
    BrumeReplay replay = get_replay(simulation_thread, 0);
    assert_int_equal(replay.timeline.count, 1);
    assert_int_equal(replay.timeline.changes[0].stroke_count, 1);
    assert_true(run_replay(&replay) == replay.hash);
    brume_timeline_clear(&replay.timeline);

    settings.viscosity = 1e-3f;
    brume_simulation_thread_set_settings(simulation_thread, 0, &settings);
    snapshot = advance(simulation_thread, 1);
    assert_string_equal(snapshot->error.text, "");
    brume_simulation_thread_destroy(simulation_thread);
}

static void test_failed_frame_pauses_and_keeps_the_last_state(void **state)
{
    (void)state;
    const BrumeSimDef settings = small_def();
    BrumeSimulationThread *simulation_thread = create(&settings, false);
    const BrumeSnapshot *snapshot = advance(simulation_thread, 2);
    const uint64_t good = hash_of(&snapshot->variants[0]);
    BrumeStrokeSegment segment = segment_at(0, 1);
    segment.stroke.temperature = INFINITY;
    brume_simulation_thread_set_frame_by_frame(simulation_thread, true); // no snapshot shows the stroke in advance
    brume_simulation_thread_add_stroke(simulation_thread, &segment);
    brume_simulation_thread_permit_frame(simulation_thread);
    brume_simulation_thread_set_running(simulation_thread, true);
    const double start = brume_seconds();
    do {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
        snapshot = latest_snapshot(simulation_thread);
    } while (snapshot->error.status == BRUME_OK);
    assert_false(snapshot->running);
    assert_int_equal(snapshot->frame, 2);
    assert_true(hash_of(&snapshot->variants[0]) == good);
    assert_int_equal(snapshot->error.status, BRUME_FAILED);
    assert_non_null(strstr(snapshot->error.text, "no longer finite"));

    brume_simulation_thread_set_frame_by_frame(simulation_thread, false);
    const int epoch = epoch_of(simulation_thread);
    brume_simulation_thread_reset(simulation_thread);
    snapshot = wait_for_restart(simulation_thread, epoch);
    assert_string_equal(snapshot->error.text, "");
    snapshot = advance(simulation_thread, 2);
    assert_true(hash_of(&snapshot->variants[0]) == good);
    brume_simulation_thread_destroy(simulation_thread);
}

static void test_speed_limit_and_frame_by_frame(void **state)
{
    (void)state;
    BrumeSimDef settings = small_def();
    settings.fps = 50.0f;
    BrumeSimulationThread *simulation_thread = create(&settings, false);
    brume_simulation_thread_set_speed_limit(simulation_thread, 1.0);
    brume_simulation_thread_set_running(simulation_thread, true);
    const double start = brume_seconds();
    (void)wait_for(simulation_thread, 0, 11);
    assert_true(brume_seconds() - start >= 10 / 50.0 - 1e-3); // ten frames after the first

    brume_simulation_thread_set_speed_limit(simulation_thread, INFINITY);
    brume_simulation_thread_set_frame_by_frame(simulation_thread, true);
    BrumeReplay replay = get_replay(simulation_thread, 0); // no frame is in progress any more
    brume_timeline_clear(&replay.timeline);
    int frame = latest_snapshot(simulation_thread)->frame;
    for (int n = 0; n < 5; n++) {
        usleep(10000);
        assert_int_equal(latest_snapshot(simulation_thread)->frame, frame);
        brume_simulation_thread_permit_frame(simulation_thread);
        frame++;
        (void)wait_for(simulation_thread, 0, frame);
    }
    brume_simulation_thread_set_frame_by_frame(simulation_thread, false);
    (void)wait_for(simulation_thread, 0, frame + 3);
    brume_simulation_thread_destroy(simulation_thread);
}

// snapshots have the forces on bodies only while these are measured; a paused state is published again with them
static void test_forces_are_measured_where_they_are_shown(void **state)
{
    (void)state;
    const BrumeSimDef settings = small_def();
    BrumeSimulationThread *simulation_thread = create(&settings, false);
    const BrumeSnapshot *snapshot = advance(simulation_thread, 2);
    const int revision = snapshot->revision;
    assert_false(snapshot->variants[0].has_forces);
    brume_simulation_thread_measure_forces(simulation_thread, true);
    const double start = brume_seconds();
    while (!latest_snapshot(simulation_thread)->variants[0].has_forces) {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
    }
    snapshot = latest_snapshot(simulation_thread);
    assert_true(snapshot->frame == 2 && snapshot->revision > revision); // the view is prepared again
    assert_true(snapshot->variants[0].forces[0].y > 0.0f);              // the smoke rises against the body
    assert_true(advance(simulation_thread, 1)->variants[0].has_forces);
    brume_simulation_thread_measure_forces(simulation_thread, false);
    assert_false(advance(simulation_thread, 1)->variants[0].has_forces);
    brume_simulation_thread_destroy(simulation_thread);
}

// With frames that take a day, no function waits for one: one that does exceeds the time limit of CTest.
static void test_nothing_waits_for_a_slow_frame(void **state)
{
    (void)state;
    BrumeSimulationThreadDef def = {.settings = small_def(), .threads = 1, .running = true, .min_frame_ms = 86400e3};
    BrumeSimulationThread *simulation_thread = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_simulation_thread_create(&simulation_thread, &def, &error), BRUME_OK);
    usleep(200000); // the first frame waits for its minimum time
    const BrumeStrokeSegment segment = segment_at(0, 1);
    for (int n = 0; n < 1000; n++) {
        brume_simulation_thread_add_stroke(simulation_thread, &segment);
        brume_simulation_thread_set_settings(simulation_thread, 0, &def.settings);
    }
    move_solid(simulation_thread, 0, brume_vec3(0.01f, 0.0f, 0.0f));
    (void)latest_snapshot(simulation_thread);
    // a pause ends the wait, and the frame is published; where the thread had not begun it yet, it runs again
    while (latest_snapshot(simulation_thread)->frame < 1) {
        brume_simulation_thread_set_running(simulation_thread, true);
        usleep(50000);
        brume_simulation_thread_set_running(simulation_thread, false);
        usleep(50000);
    }
    brume_simulation_thread_set_running(simulation_thread, true);
    usleep(50000);
    brume_simulation_thread_destroy(simulation_thread);
}

// a frame of so many steps that a test cannot wait for it
static BrumeSimDef endless_def(void)
{
    BrumeSimDef def = small_def();
    def.min_steps = def.max_steps = 100000;
    return def;
}

static BrumeSimulationProgress wait_for_stages(BrumeSimulationThread *simulation_thread, bool preparing, int stages)
{
    BrumeSimulationProgress progress;
    const double start = brume_seconds();
    do {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
        brume_simulation_thread_progress(simulation_thread, &progress);
    } while (!progress.in_frame || progress.preparing != preparing || progress.stages < stages);
    return progress;
}

// the thread ends after the present step, not after the frame
static void test_end_does_not_wait_for_a_frame(void **state)
{
    (void)state;
    const BrumeSimDef settings = endless_def();
    BrumeSimulationThread *simulation_thread = create(&settings, true);
    (void)wait_for_stages(simulation_thread, false, 20);
    assert_true(brume_simulation_thread_stop(simulation_thread, INFINITY));
    BrumeSimulationProgress progress;
    brume_simulation_thread_progress(simulation_thread, &progress);
    assert_in_range(progress.stages, 20, 50000);
    assert_int_equal(latest_snapshot(simulation_thread)->frame, 0);
    brume_simulation_thread_destroy(simulation_thread);
}

// a restart does not wait for a frame either
static void test_restart_does_not_wait_for_a_frame(void **state)
{
    (void)state;
    const BrumeSimDef settings = endless_def();
    BrumeSimulationThread *simulation_thread = create(&settings, true);
    (void)wait_for_stages(simulation_thread, false, 20);
    const int epoch = epoch_of(simulation_thread);
    brume_simulation_thread_set_running(simulation_thread, false);
    brume_simulation_thread_reset(simulation_thread);
    const BrumeSnapshot *snapshot = wait_for_restart(simulation_thread, epoch);
    assert_int_equal(snapshot->frame, 0);
    assert_string_equal(snapshot->error.text, "");
    brume_simulation_thread_destroy(simulation_thread);
}

static void block_call(void *context)
{
    pthread_mutex_t *mutex = context;
    (void)pthread_mutex_lock(mutex);
    (void)pthread_mutex_unlock(mutex);
}

// where the thread is busy, the caller goes on
static void test_stop_does_not_wait_longer_than_asked(void **state)
{
    (void)state;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    const BrumeSimDef settings = small_def();
    BrumeSimulationThread *simulation_thread = create(&settings, false);
    assert_int_equal(pthread_mutex_lock(&mutex), 0);
    brume_state_source_set_callback(brume_simulation_thread_source(simulation_thread), block_call, &mutex);
    brume_simulation_thread_request_frame(simulation_thread);
    while (latest_snapshot(simulation_thread)->frame < 1) {
        usleep(500);
    }
    assert_false(brume_simulation_thread_stop(simulation_thread, 0.05));
    assert_int_equal(pthread_mutex_unlock(&mutex), 0);
    assert_true(brume_simulation_thread_stop(simulation_thread, INFINITY));
    brume_simulation_thread_destroy(simulation_thread);
}

// Another grid is prepared with reports of its progress; settings with the former one cancel that, and the state is the
// one before, with the strokes that waited for the frame.
static void test_change_of_grid_is_canceled(void **state)
{
    (void)state;
    const BrumeSimDef settings = small_def();
    BrumeSimulationThread *simulation_thread = create(&settings, false);
    (void)advance(simulation_thread, 2);
    BrumeReplay before = get_replay(simulation_thread, 0);
    BrumeSimulationProgress progress;
    brume_simulation_thread_progress(simulation_thread, &progress);
    assert_false(progress.preparing || progress.in_frame);
    assert_int_equal(progress.published[0].nx, CELLS);

    BrumeSimDef finer = endless_def();
    finer.nx = finer.nz = CELLS + 4;
    finer.ny = CELLS + 14;
    finer.dx = 1.0f / (CELLS + 4);
    const BrumeStrokeSegment segment = segment_at(0, 1);
    brume_simulation_thread_set_settings(simulation_thread, 0, &finer);
    brume_simulation_thread_progress(simulation_thread, &progress);
    assert_false(progress.preparing); // while paused, no frame takes it
    const uint64_t serial = latest_snapshot(simulation_thread)->serial;
    brume_simulation_thread_add_stroke(simulation_thread, &segment);
    while (latest_snapshot(simulation_thread)->serial == serial) {
        usleep(500); // until the stroke is shown: the thread has taken the settings then
    }
    brume_simulation_thread_request_frame(simulation_thread);
    brume_simulation_thread_progress(simulation_thread, &progress);
    assert_true(progress.preparing);
    assert_int_equal(progress.grid[0].ny, CELLS + 14);
    const double fraction = wait_for_stages(simulation_thread, true, progress.stages + 20).fraction;
    progress = wait_for_stages(simulation_thread, true, progress.stages + 200);
    assert_true(progress.fraction > fraction && progress.fraction < 0.9);
    assert_int_equal(progress.published[0].nx, CELLS);

    brume_simulation_thread_set_settings(simulation_thread, 0, &settings);
    const double start = brume_seconds();
    do {
        assert_true(brume_seconds() - start < max_wait);
        usleep(500);
        brume_simulation_thread_progress(simulation_thread, &progress);
    } while (progress.canceled == 0);
    BrumeReplay after = get_replay(simulation_thread, 0);
    assert_int_equal(after.frame, 2);
    assert_true(after.hash == before.hash);
    assert_int_equal(after.timeline.count, before.timeline.count + 1); // the stroke waits, the settings are the former
    assert_int_equal(after.timeline.changes[0].stroke_count, 1);
    assert_null(after.timeline.changes[0].settings);
    const BrumeSnapshot *snapshot = latest_snapshot(simulation_thread);
    assert_int_equal(snapshot->variants[0].settings.nx, CELLS);
    assert_string_equal(snapshot->error.text, "");
    brume_timeline_clear(&before.timeline);
    brume_timeline_clear(&after.timeline);

    (void)advance(simulation_thread, 1);
    after = get_replay(simulation_thread, 0);
    assert_int_equal(after.timeline.count, 1);
    assert_int_equal(after.timeline.changes[0].stroke_count, 1); // applied once, by the frame that was computed
    assert_null(after.timeline.changes[0].settings);
    assert_true(run_replay(&after) == after.hash);
    brume_timeline_clear(&after.timeline);
    brume_simulation_thread_destroy(simulation_thread);
}

static void count_call(void *context) { (*(int *)context)++; }

static void test_callback_is_called_for_every_snapshot(void **state)
{
    (void)state;
    const BrumeSimDef settings = small_def();
    BrumeSimulationThread *simulation_thread = create(&settings, false);
    const uint64_t serial = latest_snapshot(simulation_thread)->serial;
    int calls = 0;
    brume_state_source_set_callback(brume_simulation_thread_source(simulation_thread), count_call, &calls);
    (void)advance(simulation_thread, 4);
    usleep(20000);
    brume_state_source_set_callback(brume_simulation_thread_source(simulation_thread), NULL, NULL);
    assert_int_equal(calls, (int)(latest_snapshot(simulation_thread)->serial - serial));
    (void)advance(simulation_thread, 1);
    assert_int_equal(calls, 4);
    brume_simulation_thread_destroy(simulation_thread);
}

static float unit(uint32_t n, uint32_t which) { return brume_unit_float(brume_hash3(n, which, 77)); }

static void test_random_requests(void **state)
{
    (void)state;
    const BrumeSimDef settings = small_def();
    BrumeSimulationThread *simulation_thread = create(&settings, true);
    for (uint32_t n = 0; n < 200; n++) {
        BrumeSimDef requested = settings;
        BrumeStrokeSegment segment = segment_at((int)(n % 7), 7);
        switch ((int)(unit(n, 0) * 14.0f)) {
        case 0:
            brume_simulation_thread_set_running(simulation_thread, unit(n, 1) < 0.7f);
            break;
        case 1:
            brume_simulation_thread_request_frame(simulation_thread);
            break;
        case 2:
            brume_simulation_thread_reset(simulation_thread);
            break;
        case 3: {
            const BrumeSimulationThreadDef def = {
                .settings = settings, .threads = 1 + (int)(2.0f * unit(n, 1)), .running = true};
            brume_simulation_thread_load_scene(simulation_thread, &def);
            break;
        }
        case 4:
            requested.nx = requested.nz = 8 + (int)(12.0f * unit(n, 1));
            requested.dx = 1.0f / (float)requested.nx;
            brume_simulation_thread_set_settings(simulation_thread, (int)(2.0f * unit(n, 2)), &requested);
            break;
        case 5:
            requested.cooling = 3.0f * unit(n, 1) - 0.5f; // sometimes rejected
            brume_simulation_thread_set_settings(simulation_thread, 0, &requested);
            break;
        case 6:
            if (unit(n, 1) < 0.5f) {
                brume_simulation_thread_fork(simulation_thread, 0);
            } else {
                brume_simulation_thread_end_comparison(simulation_thread, (int)(2.0f * unit(n, 2)), 0);
            }
            break;
        case 7:
            move_solid(simulation_thread, (int)n + 1, brume_vec3(0.02f * unit(n, 1), 0.0f, -0.02f * unit(n, 2)));
            break;
        case 8:
            brume_simulation_thread_set_threads(simulation_thread, 1 + (int)(3.0f * unit(n, 1)));
            break;
        case 9:
            brume_simulation_thread_set_frame_by_frame(simulation_thread, unit(n, 1) < 0.3f);
            brume_simulation_thread_permit_frame(simulation_thread);
            break;
        case 10:
            brume_simulation_thread_request_replay(simulation_thread, (int)(2.0f * unit(n, 1)), -1);
            break;
        case 11:
            brume_simulation_thread_set_undone(simulation_thread, (int)((float)n * unit(n, 1)), unit(n, 2) < 0.6f);
            break;
        default:
            segment.edit = (int)n + 1;
            brume_simulation_thread_add_stroke(simulation_thread, &segment);
            break;
        }
        usleep((useconds_t)(4000.0f * unit(n, 3)));
        (void)latest_snapshot(simulation_thread);
    }
    brume_simulation_thread_set_frame_by_frame(simulation_thread, false);
    brume_simulation_thread_set_running(simulation_thread, false);
    for (int n = 0; n < 3; n++) { // after the last of these, all requests are handled and reported
        BrumeReplay replay = {0};
        const double start = brume_seconds();
        brume_simulation_thread_request_replay(simulation_thread, 0, -1);
        while (!brume_simulation_thread_poll_replay(simulation_thread, &replay)) {
            assert_true(brume_seconds() - start < max_wait);
            usleep(500);
        }
        brume_timeline_clear(&replay.timeline);
    }
    (void)advance(simulation_thread, 1);
    check_replay(simulation_thread, 0);
    brume_simulation_thread_destroy(simulation_thread);
}

// the whole stroke is kept, and covers the whole frame
static void test_segments_share_a_frame(void **state)
{
    (void)state;
    static BrumeStrokeQueue queue;
    queue.count = 0;
    enum { COUNT = 4 * BRUME_MAX_QUEUED_SEGMENTS };
    for (int n = 0; n < COUNT; n++) {
        const BrumeStrokeSegment segment = segment_at(n, COUNT);
        brume_stroke_queue_add(&queue, &segment);
    }
    assert_int_equal(queue.count, BRUME_MAX_QUEUED_SEGMENTS);
    BrumeStroke strokes[BRUME_MAX_STROKES];
    assert_int_equal(brume_stroke_queue_pop_frame(&queue, 2.0, 3.0, BRUME_MAX_STROKES, strokes), BRUME_MAX_STROKES);
    assert_int_equal(queue.count, 0);
    assert_true(strokes[0].start == 2.0);
    assert_true(strokes[BRUME_MAX_STROKES - 1].end == 3.0);
    const BrumeVec3 from = segment_at(0, COUNT).stroke.from;
    const BrumeVec3 to = segment_at(COUNT - 1, COUNT).stroke.to;
    assert_true(strokes[0].from.x == from.x);
    assert_true(strokes[BRUME_MAX_STROKES - 1].to.x == to.x);
    for (int n = 0; n < BRUME_MAX_STROKES; n++) {
        assert_true(strokes[n].start < strokes[n].end);
        assert_true(strokes[n].to.x - strokes[n].from.x < 0.03f); // of 0.6 in total: even segments
        if (n > 0) {
            assert_true(strokes[n].start == strokes[n - 1].end);
            assert_true(strokes[n].from.x == strokes[n - 1].to.x);
        }
    }

    // the frame is divided by draw time; segments that cannot be merged wait
    BrumeStrokeSegment apart = segment_at(0, 1);
    apart.draw_time = 0.03;
    brume_stroke_queue_add(&queue, &apart);
    apart.draw_time = 0.01;
    brume_stroke_queue_add(&queue, &apart);
    brume_stroke_queue_add(&queue, &apart);
    assert_int_equal(brume_stroke_queue_pop_frame(&queue, 0.0, 1.0, 2, strokes), 2);
    assert_true(fabs(strokes[0].end - 0.75) < 1e-12);
    assert_int_equal(queue.count, 1);
    assert_int_equal(brume_stroke_queue_pop_frame(&queue, 0.0, 1.0, 0, strokes), 0);
    assert_int_equal(brume_stroke_queue_pop_frame(&queue, 0.0, 1.0, 2, strokes), 1);
}

// Dabs by clicks, more than the queue has entries, all before one frame: each of them is applied once, in order, by
// that frame and the following ones, 64 in each. Without the last one, the state is that of a run that never had it.
static void test_no_dab_is_lost(void **state)
{
    (void)state;
    enum { DABS = 1100, FRAMES = (DABS + BRUME_MAX_STROKES - 1) / BRUME_MAX_STROKES };
    BrumeSimDef def = small_def();
    def.nx = def.ny = def.nz = 8;
    def.dx = 1.0f / 8.0f;
    def.emitter_count = 0;
    def.body_count = 0;
    uint64_t hashes[2];
    for (int run = 0; run < 2; run++) { // the second one without the last dab
        BrumeSimulationThread *thread = create(&def, false);
        for (int n = 0; n < DABS - run; n++) {
            BrumeStrokeSegment dab = segment_at(0, 1);
            dab.edit = n + 1;
            dab.draw_time = 0.05;
            dab.stroke.radius = 0.1f + 1e-4f * (float)n; // tells which dab it is
            dab.stroke.suck = n % 2 ? 0.01f : 0.0f;
            dab.stroke.push = n % 2 ? 10.0f : 0.0f;
            dab.stroke.axis = brume_vec3(0.0f, 0.0f, 1.0f);
            brume_simulation_thread_add_stroke(thread, &dab);
        }
        (void)advance(thread, FRAMES);
        BrumeReplay replay = get_replay(thread, 0);
        assert_false(replay.edits_wait);
        int applied = 0;
        for (int change = 0; change < replay.timeline.count; change++) {
            assert_int_equal(replay.timeline.changes[change].frame, change);
            for (int n = 0; n < replay.timeline.changes[change].stroke_count; n++, applied++) {
                const BrumeStroke *stroke = &replay.timeline.changes[change].strokes[n];
                assert_true(stroke->radius == 0.1f + 1e-4f * (float)applied);
            }
        }
        assert_int_equal(applied, DABS - run);
        assert_true(run_replay(&replay) == replay.hash);
        hashes[run] = replay.hash;
        brume_timeline_clear(&replay.timeline);
        if (run == 0) {
            const int revision = latest_snapshot(thread)->revision;
            brume_simulation_thread_set_undone(thread, DABS, true);
            const double start = brume_seconds();
            while (latest_snapshot(thread)->revision == revision) {
                assert_true(brume_seconds() - start < max_wait);
                usleep(500);
            }
            replay = get_replay(thread, 0);
            hashes[0] = replay.hash;
            brume_timeline_clear(&replay.timeline);
        }
        brume_simulation_thread_destroy(thread);
    }
    assert_true(hashes[0] == hashes[1]);

    // those that wait are undone, and discarded by a restart, as the others
    BrumeSimulationThread *thread = create(&def, false);
    for (int n = 0; n < DABS; n++) {
        BrumeStrokeSegment dab = segment_at(0, 1);
        dab.edit = n + 1;
        brume_simulation_thread_add_stroke(thread, &dab);
        brume_simulation_thread_set_undone(thread, n + 1, true);
    }
    (void)advance(thread, FRAMES);
    BrumeReplay replay = get_replay(thread, 0);
    assert_int_equal(replay.timeline.count, 0);
    brume_timeline_clear(&replay.timeline);
    brume_simulation_thread_destroy(thread);
}

// merging two parts of a cubic gives the cubic
static void test_merged_segments_keep_the_curve(void **state)
{
    (void)state;
    static BrumeStrokeQueue queue;
    queue.count = 0;
    // (t, t^2 - t^3 / 2) over t in 0..0.25..1
    const float times[3] = {0.0f, 0.25f, 1.0f};
    for (int n = 0; n < 2; n++) {
        const float a = times[n];
        const float b = times[n + 1];
        const BrumeStrokeSegment segment = {
            .stroke = {.from = {a, a * a - 0.5f * a * a * a, 0.0f},
                       .to = {b, b * b - 0.5f * b * b * b, 0.0f},
                       .from_slope = {b - a, (b - a) * (2.0f * a - 1.5f * a * a), 0.0f},
                       .to_slope = {b - a, (b - a) * (2.0f * b - 1.5f * b * b), 0.0f},
                       .radius = 0.1f},
            .draw_time = (double)(b - a),
        };
        brume_stroke_queue_add(&queue, &segment);
    }
    BrumeStroke whole;
    assert_int_equal(brume_stroke_queue_pop_frame(&queue, 0.0, 1.0, 1, &whole), 1);
    for (int n = 0; n <= 8; n++) {
        const float t = (float)n / 8.0f;
        const BrumeVec3 point = brume_stroke_at(&whole, t);
        assert_true(fabsf(point.x - t) < 1e-6f);
        assert_true(fabsf(point.y - (t * t - 0.5f * t * t * t)) < 1e-6f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segments_share_a_frame),
        cmocka_unit_test(test_no_dab_is_lost),
        cmocka_unit_test(test_merged_segments_keep_the_curve),
        cmocka_unit_test(test_paused_takes_single_frames),
        cmocka_unit_test(test_replay_leads_to_the_same_state),
        cmocka_unit_test(test_scene_timeline_is_applied),
        cmocka_unit_test(test_bodies_follow_their_keys),
        cmocka_unit_test(test_edits_of_a_body_with_keys_stay),
        cmocka_unit_test(test_reset_and_load_scene_restart),
        cmocka_unit_test(test_rejected_settings_are_reported_and_change_nothing),
        cmocka_unit_test(test_failed_frame_pauses_and_keeps_the_last_state),
        cmocka_unit_test(test_speed_limit_and_frame_by_frame),
        cmocka_unit_test(test_forces_are_measured_where_they_are_shown),
        cmocka_unit_test(test_nothing_waits_for_a_slow_frame),
        cmocka_unit_test(test_end_does_not_wait_for_a_frame),
        cmocka_unit_test(test_restart_does_not_wait_for_a_frame),
        cmocka_unit_test(test_stop_does_not_wait_longer_than_asked),
        cmocka_unit_test(test_change_of_grid_is_canceled),
        cmocka_unit_test(test_callback_is_called_for_every_snapshot),
        cmocka_unit_test(test_random_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

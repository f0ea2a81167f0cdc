// Keyframes: their edits and undo, the reduction of a flight, and the states of the simulation thread with them.
#include "brume/scene.h"
#include "core/memory.h"
#include "simulation_thread_support.h"
#include "viewer/animation/flight.h"
#include "viewer/controls/undo_history.h"

static BrumeAnimation animation;
static BrumeCameraPath path;

static void test_keys_are_set_moved_and_removed(void **state)
{
    (void)state;
    memset(&animation, 0, sizeof animation);
    static BrumeAnimation zero;
    assert_true(brume_keys_set(&animation, "air.drag", 1.0, 5.0));
    assert_true(brume_keys_set(&animation, "air.drag", 0.5, 4.0));
    assert_true(brume_keys_set(&animation, "air.wind.1", 0.0, -1.0));
    assert_true(brume_keys_set(&animation, "air.drag", 1.0 + 1e-6, 6.0)); // the same time
    BrumeAnimatedValue *drag = brume_keys_find(&animation, "air.drag");
    assert_int_equal(drag->key_count, 2);
    assert_true(drag->keys[0].value == 4.0 && drag->keys[1].value == 6.0);
    assert_int_equal(brume_keys_at(drag, 0.5), 0);
    assert_int_equal(brume_keys_at(drag, 0.51), -1);
    brume_keys_move(drag, 0, 9.0, 7.0); // stays before its neighbor
    assert_true(drag->keys[0].time < 1.0 && drag->keys[0].time > 0.999 && drag->keys[0].value == 7.0);
    brume_keys_move(drag, 0, -1.0, 7.0);
    assert_true(drag->keys[0].time == 0.0);
    brume_keys_remove(&animation, drag, 0);
    brume_keys_remove(&animation, drag, 0);
    assert_null(brume_keys_find(&animation, "air.drag"));
    assert_int_equal(animation.count, 1);
    brume_keys_clear(&animation, brume_keys_find(&animation, "air.wind.1"));
    assert_memory_equal(&animation, &zero, sizeof zero); // equal animations have equal bytes
    for (int n = 0; n < BRUME_MAX_VALUE_KEYS; n++) {
        assert_true(brume_keys_set(&animation, "air.drag", (double)n, 1.0));
    }
    assert_false(brume_keys_set(&animation, "air.drag", 1e3, 1.0));
    assert_true(brume_keys_set(&animation, "air.drag", 5.0, 2.0)); // one that there is
}

static void test_keys_follow_removed_items(void **state)
{
    (void)state;
    memset(&animation, 0, sizeof animation);
    assert_true(brume_keys_set(&animation, "emitters.0.density", 0.0, 1.0));
    assert_true(brume_keys_set(&animation, "emitters.1.density", 0.0, 2.0));
    assert_true(brume_keys_set(&animation, "emitters.1.velocity.2", 0.0, 3.0));
    assert_true(brume_keys_set(&animation, "emitters.10.noise.scale", 0.0, 4.0));
    assert_true(brume_keys_set(&animation, "lights.1.intensity", 0.0, 5.0));
    brume_keys_remove_item(&animation, "emitters", 1);
    assert_int_equal(animation.count, 3);
    assert_non_null(brume_keys_find(&animation, "emitters.0.density"));
    assert_true(brume_keys_find(&animation, "emitters.9.noise.scale")->keys[0].value == 4.0);
    assert_non_null(brume_keys_find(&animation, "lights.1.intensity"));
}

static void test_keys_are_undone(void **state)
{
    (void)state;
    static BrumeControls controls;
    BrumeUndoHistory *history = NULL;
    controls = brume_default_controls();
    assert_int_equal(brume_undo_history_create(&history, &controls, NULL), BRUME_OK);
    assert_true(brume_keys_set(&controls.animation, "air.drag", 0.0, 1.0));
    assert_true(brume_keys_set(&controls.animation, "air.drag", 2.0, 3.0));
    brume_undo_history_add(history, &controls);
    brume_controls_animate(&controls, 1.0);
    assert_true(controls.sim[0].drag == 2.0f);
    brume_undo_history_add(history, &controls); // time alone is no edit
    const BrumeCamera camera = controls.camera;
    assert_true(brume_camera_path_set(&controls.camera_path, 1.0, &camera));
    brume_undo_history_add(history, &controls);
    int edit;
    assert_true(brume_undo_history_step(history, true, &controls, &edit));
    assert_int_equal(controls.camera_path.count, 0);
    assert_int_equal(controls.animation.count, 1);
    assert_true(brume_undo_history_step(history, true, &controls, &edit));
    assert_int_equal(controls.animation.count, 0);
    assert_true(controls.sim[0].drag == 0.0f);
    assert_false(brume_undo_history_can_undo(history));
    assert_true(brume_undo_history_step(history, false, &controls, &edit));
    assert_int_equal(controls.animation.values[0].key_count, 2);
    brume_undo_history_destroy(history);
}

// a camera that circles, rises and looks around, as flown by hand
static BrumeCamera flown(double time)
{
    const float t = (float)time;
    BrumeCamera camera = {.field_of_view = 40.0f};
    camera.position = brume_vec3(3.0f * sinf(t), 0.5f + 0.2f * t, 3.0f * cosf(t));
    camera.target = brume_vec3(0.3f * sinf(3.0f * t), 0.8f, 0.0f);
    return camera;
}

static void test_a_flight_is_reduced_within_its_bound(void **state)
{
    (void)state;
    enum { SAMPLES = 240 };
    const BrumeFlightBound bound = brume_flight_bound(2.0f);
    assert_true(bound.distance == 0.004f && bound.angle == 0.25f);
    BrumeFlight flight = {0};
    BrumeError error;
    for (int n = 0; n < SAMPLES; n++) {
        const double time = 1.0 + n / 24.0;
        const BrumeCamera camera = flown(time);
        assert_int_equal(brume_flight_add(&flight, time, &camera, &error), BRUME_OK);
        assert_int_equal(brume_flight_add(&flight, time, &camera, &error), BRUME_OK); // no second one of a time
    }
    assert_int_equal(flight.count, SAMPLES);
    memset(&path, 0, sizeof path);
    const double alone = brume_flight_reduce(&flight, &bound, &path);
    print_message("%d frames of a flight: %d keys, %.2f of the bound\n", SAMPLES, path.count, alone);
    assert_true(alone > 0.0 && alone <= 1.0 && path.count > 8 && path.count < SAMPLES / 3);
    // keys of other times stay, those of this time go
    memset(&path, 0, sizeof path);
    const BrumeCamera other = {.position = {9.0f, 9.0f, 9.0f}, .field_of_view = 40.0f};
    assert_true(brume_camera_path_set(&path, 0.0, &other));
    assert_true(brume_camera_path_set(&path, 5.0, &other));
    assert_true(brume_camera_path_set(&path, 30.0, &other));
    const double remaining = brume_flight_reduce(&flight, &bound, &path);
    assert_true(remaining <= 1.0);
    assert_true(remaining > 0.0 && remaining == brume_flight_error(&flight, &bound, &path));
    assert_true(path.count > 8 && path.count < SAMPLES / 3);
    assert_true(path.keys[0].time == 0.0 && path.keys[path.count - 1].time == 30.0);
    for (int n = 0; n < SAMPLES; n++) { // measured here by itself
        const BrumeCameraKey *sample = &flight.samples[n];
        const BrumeCamera camera = brume_camera_at(path.keys, path.count, sample->time);
        const BrumeVec3 a = brume_normalize(brume_sub(camera.target, camera.position));
        const BrumeVec3 b = brume_normalize(brume_sub(sample->camera.target, sample->camera.position));
        assert_true(brume_length(brume_sub(camera.position, sample->camera.position)) < 1.001f * bound.distance);
        assert_true(brume_length(brume_sub(a, b)) < 1.01f * bound.angle / 57.29578f);
    }
    // a camera at rest needs its two ends
    brume_flight_clear(&flight);
    for (int n = 0; n < SAMPLES; n++) {
        assert_int_equal(brume_flight_add(&flight, n / 24.0, &other, &error), BRUME_OK);
    }
    memset(&path, 0, sizeof path);
    assert_true(brume_flight_reduce(&flight, &bound, &path) < 1e-3); // rounding
    assert_int_equal(path.count, 2);
    brume_flight_clear(&flight);
}

static void test_a_flight_that_needs_too_many_keys(void **state)
{
    (void)state;
    enum { SAMPLES = 1500 };
    const BrumeFlightBound bound = brume_flight_bound(1.0f);
    BrumeFlight flight = {0};
    BrumeError error;
    for (int n = 0; n < SAMPLES; n++) { // jumps from frame to frame
        const BrumeCamera camera = {.position = {n % 2 ? 1.0f : -1.0f, 0.0f, 3.0f}, .field_of_view = 40.0f};
        assert_int_equal(brume_flight_add(&flight, n / 24.0, &camera, &error), BRUME_OK);
    }
    memset(&path, 0, sizeof path);
    assert_true(brume_flight_reduce(&flight, &bound, &path) > 1.0);
    assert_int_equal(path.count, BRUME_MAX_CAMERA_KEYS);
    brume_flight_clear(&flight);
}

// The simulation thread with keys gives, bit for bit, what a scene with these keys gives; also when a stroke that was
// drawn meanwhile is undone, and when the keys are set before a restart.
static void test_states_equal_those_of_the_scene(void **state)
{
    (void)state;
    enum { FRAMES = 7 };
    static const char *text_of_scene = "solver: {resolution: 16, max_steps: 2}\n"
                                       "emitters: [{shape: sphere, center: [0, 0.2, 0], radius: 0.15, density: 1,\n"
                                       "            temperature: 100}]\n"
                                       "air: {thermal_diffusivity: 0.01}\n"
                                       "bodies: [{shape: sphere, center: [0.2, 0.6, 0], radius: 0.15,\n"
                                       "             temperature: 10}]\n";
    BrumeScene *scene = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_scene_parse(&scene, text_of_scene, "keys.yaml", NULL, 0, NULL, &error), BRUME_OK);
    const double fps = (double)scene->sim.fps;
    assert_true(brume_keys_set(&scene->animation, "emitters.0.density", 0.0, 0.5));
    assert_true(brume_keys_set(&scene->animation, "emitters.0.density", 5.0 / fps, 3.0));
    assert_true(brume_keys_set(&scene->animation, "air.thermal_expansion", 1.0 / fps, 0.0033));
    assert_true(brume_keys_set(&scene->animation, "air.thermal_expansion", 3.0 / fps, 0.02));
    assert_true(brume_keys_set(&scene->animation, "air.thermal_expansion", 6.0 / fps, 0.001));
    assert_true(brume_keys_set(&scene->animation, "lights.0.intensity", 0.0, 2.0));
    assert_true(brume_keys_set(&scene->animation, "bodies.0.temperature", 1.0 / fps, 10.0));
    assert_true(brume_keys_set(&scene->animation, "bodies.0.temperature", 6.0 / fps, 300.0));
    BrumeSimDef later = scene->sim;
    later.drag = 2.0f;
    const BrumeChange change = {.frame = 4, .settings = &later};
    assert_int_equal(brume_timeline_add(&scene->timeline, &change, &error), BRUME_OK);
    (void)brume_animation_apply_sim(&scene->animation, 0.0, &scene->sim);

    BrumeSim *sim = NULL;
    assert_int_equal(brume_sim_create(&sim, &scene->sim, &error), BRUME_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
    }
    const uint64_t expected = brume_sim_hash(sim);
    brume_sim_destroy(sim);

    BrumeSimulationThreadDef def = {
        .settings = scene->sim, .timeline = scene->timeline, .threads = 2, .memory = (size_t)1 << 26};
    def.animation = &scene->animation;
    BrumeSimulationThread *thread = create_by(&def);
    (void)advance(thread, 3);
    BrumeStrokeSegment segment = segment_at(0, 1);
    segment.edit = 1;
    brume_simulation_thread_add_stroke(thread, &segment);
    (void)advance(thread, FRAMES - 3);
    BrumeReplay replay = get_replay(thread, 0);
    assert_true(replay.hash != expected); // with the stroke
    assert_true(run_animated_replay(&replay, &scene->animation) == replay.hash);
    brume_timeline_clear(&replay.timeline);
    brume_simulation_thread_set_undone(thread, 1, true);
    do {
        usleep(500);
        replay = get_replay(thread, 0);
        brume_timeline_clear(&replay.timeline);
    } while (brume_simulation_thread_recomputation(thread).active || replay.frame < FRAMES);
    assert_true(replay.hash == expected);

    // without keys, then with them again: a restart replays them all
    static const BrumeAnimation none;
    brume_simulation_thread_set_animation(thread, &none);
    int epoch = epoch_of(thread);
    brume_simulation_thread_reset(thread);
    (void)wait_for_restart(thread, epoch);
    (void)advance(thread, FRAMES);
    replay = get_replay(thread, 0);
    assert_true(replay.hash != expected);
    brume_timeline_clear(&replay.timeline);
    brume_simulation_thread_set_animation(thread, &scene->animation);
    epoch = epoch_of(thread);
    brume_simulation_thread_reset(thread);
    (void)wait_for_restart(thread, epoch);
    (void)advance(thread, FRAMES);
    replay = get_replay(thread, 0);
    assert_true(replay.hash == expected);

    // as the viewer saves it
    brume_timeline_clear(&scene->timeline);
    scene->sim = replay.settings;
    scene->timeline = replay.timeline;
    replay.timeline = (BrumeTimeline){0};
    char *text = NULL;
    BrumeScene *saved = NULL;
    assert_int_equal(brume_scene_write(scene, NULL, &text, &error), BRUME_OK);
    if (brume_scene_parse(&saved, text, "saved.yaml", NULL, 0, NULL, &error) != BRUME_OK) {
        fail_msg("%s\n%s", error.text, text);
    }
    assert_int_equal(saved->timeline.count, 1); // the drag alone
    assert_int_equal(brume_sim_create(&sim, &saved->sim, &error), BRUME_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        assert_int_equal(brume_scene_frame(saved, sim, NULL, &error), BRUME_OK);
    }
    assert_true(brume_sim_hash(sim) == expected);
    brume_sim_destroy(sim);
    brume_free(text);
    brume_scene_destroy(saved);
    brume_simulation_thread_destroy(thread);
    brume_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_are_set_moved_and_removed),
        cmocka_unit_test(test_keys_follow_removed_items),
        cmocka_unit_test(test_keys_are_undone),
        cmocka_unit_test(test_a_flight_is_reduced_within_its_bound),
        cmocka_unit_test(test_a_flight_that_needs_too_many_keys),
        cmocka_unit_test(test_states_equal_those_of_the_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Timelines: the exact values of changes, strokes and moves, and the limits of their number.
 */
#include "scene_support.h"

#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/vec3.h"
#include "sim/lifecycle/lifecycle.h"

static const char *base_scene = "domain: {size: [1, 2, 1]}\n"
                                "solver: {resolution: 32}\n"
                                "time: {fps: 32}\n"
                                "smoke: {density: {extinction: 12}}\n"
                                "emitters:\n"
                                "  - {shape: sphere, center: [0, 0.5, 0], radius: 0.1, density: 1, color_1: 1}\n"
                                "bodies:\n"
                                "  - {shape: sphere, center: [0, 1, 0], radius: 0.25, visible: false}\n"
                                "  - {shape: sphere, center: [0, 1.5, 0], radius: 0.125}\n";

/** The scene with a timeline. */
static BrumeScene *load_timeline(const char *timeline)
{
    char text[4096];
    assert_true((size_t)snprintf(text, sizeof text, "%s%s", base_scene, timeline) < sizeof text);
    return load_text(text, NULL, 0);
}

static void test_settings_accumulate(void **state)
{
    (void)state;
    BrumeScene *const scene =
        load_timeline("timeline:\n"
                      "  - {frame: 3, set: {air.drag: 0.5, solver.resolution: 64}}\n"
                      "  - {frame: 5, set: {emitters.0.density: 2, smoke.density.weight: 0.25}}\n"
                      "  - {frame: 9, set: {air: , emitters: [], domain.boundaries.all: open}}\n");
    const BrumeTimeline *const timeline = &scene->timeline;
    assert_int_equal(timeline->count, 3);
    expect_near("drag at the start", (double)scene->sim.drag, 0.0, 0.0);
    assert_int_equal(scene->sim.ny, 32);

    const BrumeSimDef *settings = timeline->changes[0].settings;
    assert_int_equal(timeline->changes[0].frame, 3);
    assert_int_equal(settings->ny, 64);
    assert_int_equal(settings->nx, 32);
    expect_near("drag", (double)settings->drag, 0.5, 0.0);
    expect_near("density", (double)settings->emitters[0].smoke[0].value, 1.0, 0.0);
    assert_int_equal(settings->body_count, 2);
    expect_near("body", (double)settings->bodies[1].shape.radius, 0.125, 0.0);

    settings = timeline->changes[1].settings;
    assert_int_equal(settings->ny, 64);
    expect_near("drag stays", (double)settings->drag, 0.5, 0.0);
    expect_near("density", (double)settings->emitters[0].smoke[0].value, 2.0, 0.0);
    expect_near("weight", (double)settings->smoke[0].weight, 0.25, 0.0);

    settings = timeline->changes[2].settings;
    expect_near("drag is as by default", (double)settings->drag, 0.0, 0.0);
    assert_int_equal(settings->emitter_count, 0);
    assert_int_equal(settings->color_count, 1); // a color remains in use
    assert_int_equal(settings->faces[BRUME_FACE_Z_MIN].kind, BRUME_OPEN);
    brume_scene_destroy(scene);
}

static void test_segments_continue(void **state)
{
    (void)state;
    BrumeScene *const scene = load_timeline(
        "timeline:\n"
        "  - frame: 32\n"
        "    strokes:\n"
        "      - {start: 1, end: 1.0078125, from: [0, 0.5, 0], to: [0.25, 0.5, 0], radius: 0.125, color_3: 1}\n"
        "      - {end: 1.015625, to: [0.5, 0.75, 0], to_slope: [0, 0.5, 0], push: 4, velocity: [0, 1, 0],\n"
        "         suck: -0.5, twist: 3, axis: [0, 0, 2]}\n"
        "      - {start: 1.02, end: 1.03125, to: [0.5, 1, 0], radius: 0.25, color_3: 0, temperature: -8, suck: 0}\n"
        "    moves: [{body: 1, velocity: [0, -2, 0]}]\n");
    const BrumeChange *const change = brume_timeline_find(&scene->timeline, 32);
    assert_non_null(change);
    assert_null(change->settings);
    assert_int_equal(change->stroke_count, 3);
    const BrumeStroke *stroke = &change->strokes[0];
    expect_vec3("straight", stroke->from_slope, 0.25f, 0.0f, 0.0f);
    expect_vec3("straight", stroke->to_slope, 0.25f, 0.0f, 0.0f);
    expect_near("start", stroke->start, 1.0, 0.0);
    stroke = &change->strokes[1];
    expect_near("start", stroke->start, 1.0078125, 0.0);
    expect_vec3("from", stroke->from, 0.25f, 0.5f, 0.0f);
    expect_vec3("from_slope", stroke->from_slope, 0.25f, 0.0f, 0.0f);
    expect_vec3("to_slope", stroke->to_slope, 0.0f, 0.5f, 0.0f);
    expect_near("radius", (double)stroke->radius, 0.125, 0.0);
    expect_near("color", (double)stroke->smoke[3], 1.0, 0.0);
    expect_near("push", (double)stroke->push, 4.0, 0.0);
    expect_near("suck", (double)stroke->suck, -0.5, 0.0);
    expect_near("twist", (double)stroke->twist, 3.0, 0.0);
    expect_vec3("axis", stroke->axis, 0.0f, 0.0f, 2.0f);
    stroke = &change->strokes[2];
    expect_near("start", stroke->start, 1.02, 0.0);
    expect_vec3("from_slope", stroke->from_slope, 0.0f, 0.5f, 0.0f);
    expect_vec3("to_slope", stroke->to_slope, 0.0f, 0.25f, 0.0f);
    expect_vec3("velocity", stroke->velocity, 0.0f, 1.0f, 0.0f);
    expect_near("radius", (double)stroke->radius, 0.25, 0.0);
    expect_near("color", (double)stroke->smoke[3], 0.0, 0.0);
    expect_near("temperature", (double)stroke->temperature, -8.0, 0.0);
    expect_near("suck", (double)stroke->suck, 0.0, 0.0);
    expect_near("twist", (double)stroke->twist, 3.0, 0.0);
    expect_vec3("axis", stroke->axis, 0.0f, 0.0f, 2.0f);
    assert_int_equal(change->move_count, 1);
    assert_int_equal(change->moves[0].body, 1);
    expect_vec3("velocity", change->moves[0].velocity, 0.0f, -2.0f, 0.0f);
    assert_int_equal(scene->sim.color_count, 3); // a stroke emits the third
    brume_scene_destroy(scene);
}

static void test_changed_frame_rate(void **state)
{
    (void)state;
    // from 1 s on a frame takes 1/64 s: the 96th starts at 2 s
    BrumeScene *const scene = load_timeline("timeline:\n"
                                            "  - {frame: 32, set: {time.fps: 64}}\n"
                                            "  - frame: 96\n"
                                            "    strokes: [{start: 2, end: 2.015625, from: [0, 0, 0], to: [0, 1, 0],\n"
                                            "               radius: 0.1, density: 1}]\n");
    assert_int_equal(scene->timeline.count, 2);
    brume_scene_destroy(scene);
}

static void test_overrides_reach_the_timeline(void **state)
{
    (void)state;
    static const char *const overrides[] = {"timeline.0={frame: 7, set: {air.drag: 0.25}}", "timeline.0.frame=8",
                                            "air.cooling=0.5"};
    BrumeScene *const scene = load_text(base_scene, overrides, 3);
    assert_int_equal(scene->timeline.changes[0].frame, 8);
    expect_near("drag", (double)scene->timeline.changes[0].settings->drag, 0.25, 0.0);
    expect_near("cooling", (double)scene->timeline.changes[0].settings->cooling, 0.5, 0.0);
    brume_scene_destroy(scene);
    static const char *const wrong[] = {"timeline.0={frame: 7, set: {render.step: 1}}"};
    expect_failure(
        base_scene, strlen(base_scene), wrong, 1,
        "-D timeline.0={frame: 7, set: {render.step: 1}}: 'render' holds for the whole scene and cannot be 'set'");
}

/** Settings that contradict others after a change are an error of the change, wherever the others are. */
static void test_errors_after_a_change_name_it(void **state)
{
    (void)state;
    const char *const scene = "solver: {min_steps: 3, max_steps: 8}\n"
                              "timeline:\n"
                              "  - {frame: 1, set: {solver.max_steps: 2}}\n";
    const size_t size = strlen(scene);
    expect_failure(scene, size, NULL, 0,
                   "@:3:22: after this 'set': 'min_steps' in 'solver' is 3, but must be at most 'max_steps', which is "
                   "2 (line 1)");
    static const char *const other[] = {"timeline.0.set={solver.max_steps: 4}", "solver.min_steps=6"};
    expect_failure(scene, size, other, 1 + 1,
                   "-D timeline.0.set={solver.max_steps: 4}: after this 'set': -D solver.min_steps=6: 'min_steps' in "
                   "'solver' is 6, but must be at most 'max_steps', which is 4");
    static const char *const change[] = {"timeline.0.set={solver.max_steps: 1}"};
    expect_failure(scene, size, change, 1,
                   "-D timeline.0.set={solver.max_steps: 1}: after this 'set': 'min_steps' in 'solver' is 3, but must "
                   "be at most 'max_steps', which is 1 (line 1)");
    static const char *const own[] = {"timeline.0.set={air.drag: -1}"};
    expect_failure(scene, size, own, 1,
                   "-D timeline.0.set={air.drag: -1}: 'drag' in 'air' is -1, but must be from 0 to 1000000 [1/s]");
    // a caller that takes no error
    BrumeScene *none = NULL;
    assert_int_equal(brume_scene_parse(&none, scene, "scene", NULL, 0, NULL, NULL), BRUME_BAD_INPUT);
    assert_null(none);
}

static void test_largest_grid_and_surfaces(void **state)
{
    (void)state;
    BrumeScene *const scene = load_timeline("timeline:\n"
                                            "  - {frame: 1, set: {solver.resolution: 64}}\n"
                                            "  - {frame: 2, set: {solver.resolution: 16}}\n");
    const BrumeGrid grid = brume_scene_largest_grid(scene);
    assert_int_equal(grid.nx, 32);
    assert_int_equal(grid.ny, 64);
    assert_int_equal(grid.nz, 32);
    // during the first change there are two simulations
    const size_t before = brume_settings_bytes(&scene->sim);
    const size_t after = brume_settings_bytes(scene->timeline.changes[0].settings);
    assert_int_equal(brume_scene_bytes_needed(scene), before + after);
    BrumeScene *const same_box = load_timeline("timeline: [{frame: 1, set: {air.drag: 1}}]\n");
    assert_int_equal(brume_scene_bytes_needed(same_box), before);
    brume_scene_destroy(same_box);
    BrumeScene *const moving = load_timeline("timeline: [{frame: 1, moves: [{body: 0, velocity: [1, 0, 0]}]}]\n");
    assert_in_range(brume_scene_bytes_needed(moving), before + (size_t)(2 * 16 * 32 * 16), before + before / 2);
    brume_scene_destroy(moving);

    // the first body is not drawn: its surface is a point
    BrumeSimDef moved = scene->sim;
    moved.bodies[0].shape.a = brume_vec3(0.25f, 0.25f, 0.25f);
    moved.bodies[1].shape.a = brume_vec3(0.0f, 1.0f, 0.5f);
    const BrumeRenderSettings settings = brume_scene_render_settings(scene, &moved);
    assert_int_equal(settings.surface_count, 2);
    expect_vec3("surface", settings.surfaces[1].shape.a, 0.0f, 1.0f, 0.5f);
    expect_vec3("surface at the start", scene->render_settings.surfaces[1].shape.a, 0.0f, 1.5f, 0.0f);
    brume_scene_destroy(scene);
}

static uint64_t hash_after(const BrumeScene *scene, int frames)
{
    BrumeSim *sim = NULL;
    assert_int_equal(brume_sim_create(&sim, &scene->sim, NULL), BRUME_OK);
    for (int n = 0; n < frames; n++) {
        assert_int_equal(brume_scene_frame(scene, sim, NULL, NULL), BRUME_OK);
    }
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    return hash;
}

// the text of a scene, read again
static BrumeScene *written_and_read(const BrumeScene *scene)
{
    char *text = NULL;
    assert_int_equal(brume_scene_write(scene, NULL, &text, NULL), BRUME_OK);
    BrumeScene *const again = load_text(text, NULL, 0);
    brume_free(text);
    return again;
}

static void test_bodies_come_and_go(void **state)
{
    (void)state;
    static const char *const start = "domain: {size: [1, 1, 1]}\n"
                                     "solver: {resolution: 16}\n"
                                     "emitters: [{shape: sphere, center: [0, 0.3, 0], radius: 0.15, density: 1, "
                                     "temperature: 50}]\n";
    char text[2048];
    BrumeScene *const air = load_text(start, NULL, 0);
    (void)snprintf(text, sizeof text,
                   "%sbodies: [{shape: sphere, center: [0.1, 0.6, 0], radius: 0.2, enabled: false}]\n"
                   "timeline:\n"
                   "  - {frame: 2, set: {bodies.0.enabled: true}}\n"
                   "  - {frame: 3, moves: [{body: 0, velocity: [1, 0, 0]}]}\n"
                   "  - {frame: 4, set: {air.drag: 0.5}}\n"
                   "  - {frame: 5, set: {bodies.0: {shape: box, center: [0, 0.6, 0], size: [0.3, 0.2, 0.3]}}}\n"
                   "  - {frame: 6, set: {bodies.0.enabled: false}}\n",
                   start);
    BrumeScene *const scene = load_text(text, NULL, 0);
    assert_true(scene->sim.bodies[0].disabled);
    assert_true(scene->timeline.changes[0].placed == 1);
    assert_true(scene->timeline.changes[2].placed == 0); // it stays where it has moved
    assert_int_equal(scene->timeline.changes[3].settings->bodies[0].shape.kind, BRUME_SHAPE_BOX);

    assert_true(hash_after(scene, 2) == hash_after(air, 2)); // one that waits has no influence
    BrumeScene *const again = written_and_read(scene);
    uint64_t before = hash_after(scene, 2);
    for (int frames = 3; frames <= 7; frames++) {
        const uint64_t hash = hash_after(scene, frames);
        assert_true(hash != before && hash != hash_after(air, frames));
        assert_true(hash_after(again, frames) == hash);
        before = hash;
    }

    // the picture: nothing, then the body
    assert_int_equal(brume_scene_render_settings(scene, &scene->sim).surface_count, 0);
    BrumeSimDef enabled = scene->sim;
    enabled.bodies[0].disabled = false;
    const BrumeRenderSettings drawn = brume_scene_render_settings(scene, &enabled);
    assert_int_equal(drawn.surface_count, 1);
    expect_near("radius", (double)drawn.surfaces[0].shape.radius, (double)0.2f, 0.0);
    brume_scene_destroy(air);
    brume_scene_destroy(scene);
    brume_scene_destroy(again);
}

/** Appends a printf-style text; returns its end. */
static char *append(char *end, const char *format, ...) __attribute__((format(printf, 2, 3)));

static char *append(char *end, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int size = vsprintf(end, format, args);
    va_end(args);
    return end + size;
}

static void test_long_session(void **state)
{
    (void)state;
    // ten minutes at 32 frames a second, two segments of a stroke in each
    enum { FRAMES = 10 * 60 * 32 };
    char *const text = malloc((size_t)FRAMES * 256);
    assert_non_null(text);
    char *end = append(text, "%stimeline:\n", base_scene);
    for (int frame = 0; frame < FRAMES; frame++) {
        const double start = frame / 32.0;
        const double x = 0.4 * sin(0.1 * frame);
        end = append(end,
                     "  - frame: %d\n    strokes:\n      - {start: %.9g, end: %.9g, from: [%.7g, 1, 0], "
                     "to: [%.7g, 1.1, 0], radius: 0.1, density: 1}\n      - {end: %.9g, to: [%.7g, 1.2, 0]}\n",
                     frame, start, start + 1.0 / 64.0, x, x + 0.01, start + 1.0 / 32.0, x + 0.02);
    }
    double seconds = -brume_seconds();
    BrumeScene *const scene = load_text(text, NULL, 0);
    seconds += brume_seconds();
    assert_int_equal(scene->timeline.count, FRAMES);
    char *written = NULL;
    BrumeError error;
    double writing = -brume_seconds();
    assert_int_equal(brume_scene_write(scene, NULL, &written, &error), BRUME_OK);
    writing += brume_seconds();
    print_message("%d segments in %.1f MB: read in %.2f s, written in %.2f s\n", 2 * FRAMES,
                  1e-6 * (double)strlen(written), seconds, writing);
    assert_true(strlen(written) < 1u << 24);
    assert_true(seconds < 120.0 && writing < 120.0);
    brume_free(written);
    brume_scene_destroy(scene);
    free(text);
}

static void test_settings_are_bounded(void **state)
{
    (void)state;
    enum { CHANGES = 10001 };
    char *const text = malloc((size_t)CHANGES * 64 + 4096);
    assert_non_null(text);
    char *end = append(text, "timeline:\n");
    for (int frame = 0; frame < CHANGES; frame++) {
        end = append(end, "- {frame: %d, set: {air.drag: %d}}\n", frame, frame % 100);
    }
    double seconds = -brume_seconds();
    expect_failure(text, (size_t)(end - text), NULL, 0,
                   "@:10002:23: too many changes of settings; a timeline has at most 10000");
    seconds += brume_seconds();
    free(text);
    print_message("%d settings in %.2f s\n", CHANGES - 1, seconds);
    assert_true(seconds < 120.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings_accumulate),
        cmocka_unit_test(test_segments_continue),
        cmocka_unit_test(test_changed_frame_rate),
        cmocka_unit_test(test_overrides_reach_the_timeline),
        cmocka_unit_test(test_errors_after_a_change_name_it),
        cmocka_unit_test(test_largest_grid_and_surfaces),
        cmocka_unit_test(test_bodies_come_and_go),
        cmocka_unit_test(test_long_session),
        cmocka_unit_test(test_settings_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

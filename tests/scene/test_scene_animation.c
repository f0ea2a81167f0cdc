/*
 * Animated values: their evaluation, their errors, the same states from the program, the library and the written scene,
 * and light that changes in pictures.
 */
#include "scene_support.h"

#include "brume/renderer.h"
#include "core/memory.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "program.h"
#include "scene/format/animation.h"

#include <inttypes.h>
#include <string.h>

enum { FRAMES = 6 };

static const char *animated_scene = "name: Animated\n"
                                    "solver: {resolution: 16}\n"
                                    "time: {fps: 24, frames: 6}\n"
                                    "emitters:\n"
                                    "  - {shape: sphere, center: [0, 0.25, 0], radius: 0.15, density: 1,\n"
                                    "     temperature: 100}\n"
                                    "lights: [{kind: sun, azimuth: -40, elevation: 40, intensity: 3}]\n"
                                    "camera:\n"
                                    "  keys:\n"
                                    "    - {time: 0, position: [0, 0.5, 3], target: [0, 0.5, 0]}\n"
                                    "    - {time: 0.25, position: [1, 0.5, 3]}\n"
                                    "animation:\n"
                                    "  - path: emitters.0.density\n"
                                    "    interpolation: linear\n"
                                    "    keys: [{time: 0, value: 0.5}, {time: 0.2, value: 2}]\n"
                                    "  - path: air.thermal_expansion\n"
                                    "    keys: [{time: 0.05, value: 0.0034}, {time: 0.1, value: 0.01},\n"
                                    "           {time: 0.2, value: 0.001}]\n"
                                    "  - path: air.wind.0\n"
                                    "    interpolation: hold\n"
                                    "    keys: [{time: 0, value: 0.25}, {time: 0.1, value: -0.5}]\n"
                                    "  - path: lights.0.intensity\n"
                                    "    keys: [{time: 0, value: 1}, {time: 0.2, value: 8}]\n"
                                    "timeline:\n"
                                    "  - {frame: 3, set: {air.drag: 0.5, emitters.0.temperature: 300}}\n"
                                    "image: {width: 24, height: 24, samples: 1}\n";

static void test_evaluation(void **state)
{
    (void)state;
    BrumeAnimatedValue value = {.interpolation = BRUME_KEYS_LINEAR, .key_count = 3};
    const BrumeValueKey keys[] = {{1.0, 2.0}, {2.0, 4.0}, {4.0, 0.0}};
    memcpy(value.keys, keys, sizeof keys);
    expect_near("before", brume_animated_value_at(&value, 0.0), 2.0, 0.0);
    expect_near("between", brume_animated_value_at(&value, 1.25), 2.5, 1e-15);
    expect_near("at a key", brume_animated_value_at(&value, 2.0), 4.0, 0.0);
    expect_near("after", brume_animated_value_at(&value, 9.0), 0.0, 0.0);
    value.interpolation = BRUME_KEYS_HOLD;
    expect_near("held", brume_animated_value_at(&value, 3.99), 4.0, 0.0);
    expect_near("next", brume_animated_value_at(&value, 4.0), 0.0, 0.0);
    // as the camera, of which each number is such a spline
    value.interpolation = BRUME_KEYS_SMOOTH;
    BrumeCameraKey path[3];
    for (int n = 0; n < 3; n++) {
        path[n] = (BrumeCameraKey){keys[n].time, {.position = {(float)keys[n].value, 0.0f, 0.0f}}};
    }
    for (int n = 0; n <= 50; n++) {
        const double time = 0.1 * n;
        expect_near("spline", brume_animated_value_at(&value, time), (double)brume_camera_at(path, 3, time).position.x,
                    2e-6);
    }
    assert_true(brume_animated_value_at(&value, 1.9) > 4.0); // it may exceed its keys
}

static void test_paths(void **state)
{
    (void)state;
    static const char *const paths[] = {"air.thermal_expansion", "air.wind.2",           "smoke.color_2.weight",
                                        "emitters.7.density",    "emitters.0.center.1",  "emitters.1.noise.scale",
                                        "lights.0.intensity",    "lights.3.color.0",     "smoke.density.albedo.2",
                                        "render.exposure",       "bodies.0.center.1",    "bodies.63.to.2",
                                        "bodies.1.radius",       "bodies.2.temperature", "bodies.1.albedo.2"};
    for (size_t n = 0; n < sizeof paths / sizeof paths[0]; n++) {
        BrumeAnimatedMember member;
        char path[BRUME_ANIMATION_PATH];
        if (!brume_animated_find(paths[n], &member)) {
            fail_msg("%s is not found", paths[n]);
        }
        brume_animated_path(&member, path);
        assert_string_equal(path, paths[n]);
    }
    static const char *const others[] = {"air.wind",
                                         "air.wind.3",
                                         "solver.resolution",
                                         "emitters.64.density",
                                         "emitters.density",
                                         "emitters.01.density",
                                         "smoke.color_4.weight",
                                         "lights.8.color.0",
                                         "emitters.0.start",
                                         "bodies.64.radius",
                                         "bodies.0.density",
                                         "bodies.64.temperature",
                                         "bodies.0.albedo",
                                         "render.exposure.0",
                                         ""};
    for (size_t n = 0; n < sizeof others / sizeof others[0]; n++) {
        BrumeAnimatedMember member;
        if (brume_animated_find(others[n], &member)) {
            fail_msg("%s is found", others[n]);
        }
    }
    // from the address of a number back to its path
    BrumeScene *scene = load_text(animated_scene, NULL, 0);
    BrumeAnimatedMember member;
    char path[BRUME_ANIMATION_PATH];
    assert_true(brume_animated_find_address(&scene->sim.emitters[0].temperature.value, &scene->sim,
                                            &scene->render_settings, scene->surface_of, &member));
    brume_animated_path(&member, path);
    assert_string_equal(path, "emitters.0.temperature");
    assert_true(brume_animated_find_address(&scene->render_settings.lights[0].color, &scene->sim,
                                            &scene->render_settings, scene->surface_of, &member));
    assert_true(member.is_vector);
    assert_false(
        brume_animated_find_address(&scene->sim.fps, &scene->sim, &scene->render_settings, scene->surface_of, &member));
    brume_scene_destroy(scene);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *value, *text;
    } cases[] = {
        {"[{path: emitters.0.start, keys: [{time: 0, value: 1}]}]", "'emitters.0.start' cannot be animated"},
        {"[{path: lights.1.intensity, keys: [{time: 0, value: 1}]}]", "because the scene has no such value"},
        {"[{keys: [{time: 0, value: 1}]}]", "needs a 'path'"},
        {"[{path: air.gravity, keys: [{time: 0, value: 1}]}]",
         "'air.gravity' has three components, each of which is animated by itself: 'air.gravity.0', '.1' and '.2'"},
        {"[{path: air.gravity.1, keys: [{time: 0, value: [0, -9, 0]}]}]",
         "not a list of 3: each component has a 'path' and 'keys' of its own, as 'bodies.0.rotation.1'"},
        {"[{path: air.drag}]", "needs one of 'keys' or more"},
        {"[{path: air.drag, keys: [{time: 0}]}]", "needs a 'time' and a 'value'"},
        {"[{path: air.drag, keys: [{time: 1, value: 1}, {time: 1, value: 2}]}]",
         "must be above that of the previous key"},
        {"[{path: air.drag, keys: [{time: 0, value: -1}]}]", "'drag' in 'keys' is -1, but must be"},
        {"[{path: air.drag, keys: [{time: 0, value: 1}]}, {path: air.drag, keys: [{time: 0, value: 1}]}]",
         "'air.drag' is animated twice"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char override[256];
        (void)snprintf(override, sizeof override, "animation=%s", cases[n].value);
        const char *const overrides[] = {override};
        BrumeScene *scene = NULL;
        BrumeError error = {0};
        assert_int_equal(brume_scene_parse(&scene, animated_scene, "a.yaml", overrides, 1, NULL, &error),
                         BRUME_BAD_INPUT);
        if (!strstr(error.text, cases[n].text)) {
            fail_msg("'%s' has not '%s'", error.text, cases[n].text);
        }
    }
}

// a body is named by its name or its number: in paths of the animation, in overrides, and in changes of the timeline
static void test_names_of_bodies(void **state)
{
    (void)state;
    static const char text[] = "domain: {size: [1, 1, 1]}\nsolver: {resolution: 8}\n"
                               "bodies:\n"
                               "  - {name: fan 2, shape: sphere, center: [0, 0.2, 0], radius: 0.1}\n"
                               "  - {name: fan, shape: box, center: [0, 0.6, 0], size: 0.2}\n"
                               "animation:\n"
                               "  - {path: bodies.fan.rotation.1, keys: [{time: 0, value: 30}]}\n"
                               "  - {path: bodies.fan 2.center.0, keys: [{time: 0, value: 0.25}]}\n"
                               "timeline:\n  - {frame: 2, set: {bodies.fan.collide: false}}\n";
    const char *const overrides[] = {"bodies.fan.size=0.3"};
    BrumeScene *scene = load_text(text, overrides, 1);
    assert_string_equal(scene->animation.values[0].path, "bodies.1.rotation.1");
    assert_string_equal(scene->animation.values[1].path, "bodies.0.center.0");
    expect_near("rotation", (double)scene->sim.bodies[1].shape.rotation.y, 30.0, 0.0);
    expect_near("center", (double)scene->sim.bodies[0].shape.a.x, 0.25, 0.0);
    expect_near("side", (double)(scene->sim.bodies[1].shape.b.x - scene->sim.bodies[1].shape.a.x), 0.3, 1e-6);
    assert_int_equal(scene->timeline.changes[0].placed, 2);
    assert_true(scene->timeline.changes[0].settings->bodies[1].passable);
    assert_false(scene->timeline.changes[0].settings->bodies[0].passable);
    brume_scene_destroy(scene);
}

// an emitter that a change of the timeline adds has its values from then on; without a timeline it is an error
static void test_a_value_that_comes_later(void **state)
{
    (void)state;
    static const char *const values = "animation=[{path: emitters.1.density, interpolation: linear, keys: [{time: 0, "
                                      "value: 0}, {time: 1, value: 2.4}]}]";
    const char *const alone[] = {values, "timeline=null"};
    BrumeScene *scene = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_scene_parse(&scene, animated_scene, "a.yaml", alone, 2, NULL, &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "because the scene has no such value"));
    const char *const later[] = {values, "timeline.0.set={emitters: [{shape: sphere, center: [0, 0.25, 0], radius: "
                                         "0.15, density: 1}, {shape: sphere, center: [0.2, 0.25, 0], radius: 0.15, "
                                         "density: 1}]}"};
    scene = load_text(animated_scene, later, 2);
    BrumeSim *sim = NULL;
    assert_int_equal(brume_sim_create(&sim, &scene->sim, &error), BRUME_OK);
    for (int frame = 0; frame < 5; frame++) {
        assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
    }
    assert_int_equal(brume_sim_settings(sim)->emitter_count, 2);
    expect_near("density", (double)brume_sim_settings(sim)->emitters[1].smoke[0].value, 0.5, 1e-6); // at 5/24 s
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
}

static const char *const scene_of_solids = "name: Solids\n"
                                           "solver: {resolution: 24}\n"
                                           "domain: {size: [1, 1, 1], boundaries: {all: wall}}\n"
                                           "time: {fps: 24, frames: 6}\n"
                                           "bodies:\n"
                                           "  - {shape: sphere, center: [0, 0.5, 0], radius: 0.1}\n"
                                           "  - {shape: box, from: [-0.4, 0.1, -0.1], to: [-0.2, 0.3, 0.1]}\n"
                                           "animation:\n"
                                           "  - path: bodies.0.center.0\n"
                                           "    interpolation: linear\n"
                                           "    keys: [{time: 0, value: -0.2}, {time: 0.125, value: 0}]\n"
                                           "  - path: bodies.0.radius\n"
                                           "    interpolation: linear\n"
                                           "    keys: [{time: 0, value: 0.1}, {time: 0.125, value: 0.16}]\n"
                                           "  - path: bodies.1.from.1\n"
                                           "    keys: [{time: 0, value: 0.1}, {time: 0.25, value: 0.4}]\n"
                                           "  - path: bodies.1.to.1\n"
                                           "    keys: [{time: 0, value: 0.3}, {time: 0.25, value: 0.6}]\n";

static double largest_speed(const BrumeSim *sim)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *velocity = brume_sim_field(sim, (BrumeFieldId)axis);
        for (size_t n = 0; n < brume_grid_entries(velocity->grid); n++) {
            largest = fmax(largest, fabs((double)velocity->data[n]));
        }
    }
    return largest;
}

// Bodies are where their keys have them at the end of each frame, move the air on their way, and rest after the last
// key; a moved one has the bits of the same moves in a timeline.
static void test_bodies_follow_their_keys(void **state)
{
    (void)state;
    BrumeScene *scene = load_text(scene_of_solids, NULL, 0);
    expect_near("start", (double)scene->sim.bodies[0].shape.a.x, -0.2, 1e-7);
    char *text = NULL;
    BrumeError error;
    assert_int_equal(brume_scene_write(scene, NULL, &text, &error), BRUME_OK);
    BrumeScene *written = load_text(text, NULL, 0);
    BrumeSim *sim = NULL;
    BrumeSim *again = NULL;
    assert_int_equal(brume_sim_create(&sim, &scene->sim, &error), BRUME_OK);
    assert_int_equal(brume_sim_create(&again, &written->sim, &error), BRUME_OK);
    for (int frame = 1; frame <= 9; frame++) {
        assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
        assert_int_equal(brume_scene_frame(written, again, NULL, &error), BRUME_OK);
        assert_true(brume_sim_hash(sim) == brume_sim_hash(again));
        const BrumeBodyDef *bodies = brume_sim_settings(sim)->bodies;
        const double now = fmin(frame / 24.0 / 0.125, 1.0);
        expect_near("x", (double)bodies[0].shape.a.x, -0.2 + 0.2 * now, 1e-6);
        expect_near("radius", (double)bodies[0].shape.radius, 0.1 + 0.06 * now, 1e-6);
        const double rise = fmin(frame / 24.0 / 0.25, 1.0); // two keys: a straight line
        expect_near("from", (double)bodies[1].shape.a.y, 0.1 + 0.3 * rise, 1e-6);
        expect_near("to", (double)bodies[1].shape.b.y, 0.3 + 0.3 * rise, 1e-6);
        if (frame <= 3) { // at 1.6 m/s
            assert_true(largest_speed(sim) > 1.5);
        }
    }
    const double settling = largest_speed(sim); // both rest since frame 6
    assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
    assert_true(largest_speed(sim) < settling);
    brume_sim_destroy(again);
    brume_sim_destroy(sim);
    brume_free(text);
    brume_scene_destroy(written);
    brume_scene_destroy(scene);
}

static void test_body_with_keys_equals_moves(void **state)
{
    (void)state;
    enum { MOVED = 4 };
    const char *const keys[] = {"animation=[{path: bodies.0.center.1, interpolation: linear, keys: [{time: 0, "
                                "value: 0.5}, {time: 0.5, value: 0.75}]}]"};
    const char *const none[] = {"animation=null"};
    BrumeScene *scene = load_text(scene_of_solids, keys, 1);
    BrumeScene *plain = load_text(scene_of_solids, none, 1);
    BrumeError error;
    BrumeSim *sim = NULL;
    BrumeSim *moved = NULL;
    assert_int_equal(brume_sim_create(&sim, &scene->sim, &error), BRUME_OK);
    assert_int_equal(brume_sim_create(&moved, &plain->sim, &error), BRUME_OK);
    for (int frame = 1; frame <= MOVED; frame++) {
        const float height = brume_sim_settings(moved)->bodies[0].shape.a.y;
        const float wanted = (float)(0.5 + 0.25 * (frame / 24.0 / 0.5));
        brume_sim_move(moved, 0, brume_vec3(0.0f, (wanted - height) * 24.0f, 0.0f));
        assert_int_equal(brume_sim_frame(moved, NULL, &error), BRUME_OK);
        assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
        assert_true(brume_sim_hash(sim) == brume_sim_hash(moved));
    }
    brume_sim_destroy(moved);
    brume_sim_destroy(sim);
    brume_scene_destroy(plain);
    brume_scene_destroy(scene);
}

static void test_body_turns_by_its_keys(void **state)
{
    (void)state;
    const char *const keys[] = {"animation=[{path: bodies.1.rotation.2, interpolation: linear, keys: [{time: 0, "
                                "value: 0}, {time: 0.25, value: 1440}]}, {path: bodies.1.position.0, keys: [{time: 0, "
                                "value: 0}, {time: 0.25, value: 0.06}]}]"};
    const char *const none[] = {"animation=null"};
    BrumeScene *scene = load_text(scene_of_solids, keys, 1);
    BrumeScene *plain = load_text(scene_of_solids, none, 1);
    BrumeError error;
    BrumeSim *sim = NULL;
    BrumeSim *moved = NULL;
    assert_int_equal(brume_sim_create(&sim, &scene->sim, &error), BRUME_OK);
    assert_int_equal(brume_sim_create(&moved, &plain->sim, &error), BRUME_OK);
    const float start = brume_sim_settings(sim)->bodies[1].shape.a.x;
    for (int frame = 1; frame <= 6; frame++) { // by two thirds of a turn in each
        const BrumeShape *shape = &brume_sim_settings(moved)->bodies[1].shape;
        const float way = 0.01f * (float)frame - (shape->a.x - start);
        const float turn = 240.0f * (float)frame - shape->rotation.z;
        brume_sim_move_and_turn(moved, 1, brume_vec3(24.0f * way, 0.0f, 0.0f), brume_vec3(0.0f, 0.0f, 24.0f * turn));
        assert_int_equal(brume_sim_frame(moved, NULL, &error), BRUME_OK);
        assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
        const BrumeShape *turned = &brume_sim_settings(sim)->bodies[1].shape;
        expect_near("rotation", (double)turned->rotation.z, 240.0 * frame, 1e-3);
        expect_near("position", (double)(turned->a.x + turned->position.x - start), 0.01 * frame, 1e-6);
        expect_near("rotation of the moved", (double)brume_sim_settings(moved)->bodies[1].shape.rotation.z,
                    240.0 * frame, 1e-3);
    }
    assert_true(largest_speed(sim) > 0.3);
    expect_near("speed", largest_speed(sim), largest_speed(moved), 1e-2 * largest_speed(moved));
    brume_sim_destroy(moved);
    brume_sim_destroy(sim);
    brume_scene_destroy(plain);
    brume_scene_destroy(scene);
}

static const double pi = 3.14159265358979323846;

// A wheel on a car that goes along x and turns about the vertical, and a lamp on the wheel that smokes.
static const char *const scene_of_parents =
    "name: Parents\n"
    "solver: {resolution: 20}\n"
    "domain: {size: 2, boundaries: {all: wall}}\n"
    "time: {fps: 10, frames: 5}\n"
    "bodies:\n"
    "  - {name: wheel, shape: torus, center: [0.4, 0, 0], radius: 0.2, tube_radius: 0.05, parent: car, slip: no}\n"
    "  - {name: car, shape: box, center: [-0.5, 0.6, 0], size: [0.5, 0.3, 0.3], collide: false, scale: 0.5}\n"
    "emitters:\n"
    "  - {shape: sphere, center: [0, 0.2, 0], radius: 0.1, density_rate: 1, parent: wheel}\n"
    "  - {body: wheel, emit_from: surface, thickness: 0.1, temperature: 50, source_velocity: 1, normal_velocity: 0.2}\n"
    "timeline: [{frame: 4, set: {bodies.0.parent: none}}]\n"
    "animation:\n"
    "  - {path: bodies.1.position.0, interpolation: linear, keys: [{time: 0, value: 0}, {time: 0.5, value: 1}]}\n"
    "  - {path: bodies.1.rotation.1, interpolation: linear, keys: [{time: 0, value: 0}, {time: 0.5, value: 225}]}\n"
    "  - {path: bodies.0.rotation.2, interpolation: linear, keys: [{time: 0, value: 0}, {time: 0.5, value: 90}]}\n";

// a picture blurs a body with the motion of its parents: during a frame from where it is now to where it is then
static void expect_motion_of_surface(const BrumeScene *scene, const BrumeSim *sim, int surface)
{
    const BrumeSimDef *now = brume_sim_settings(sim);
    BrumeRenderSettings render = brume_scene_render_settings(scene, now);
    brume_scene_move_surfaces(scene, now, brume_sim_frames(sim), brume_sim_time(sim), &render);
    BrumeSim *later = NULL;
    BrumeError error;
    const size_t size = brume_sim_saved_size(sim);
    void *bytes = malloc(size);
    assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
    assert_int_equal(brume_sim_create_saved(&later, bytes, size, &error), BRUME_OK);
    assert_int_equal(brume_scene_frame(scene, later, NULL, &error), BRUME_OK);
    const BrumeRenderSettings then = brume_scene_render_settings(scene, brume_sim_settings(later));
    const BrumeVec3 from = brume_shape_pivot(&render.surfaces[surface].shape);
    const BrumeVec3 to = brume_shape_pivot(&then.surfaces[surface].shape);
    const BrumeVec3 way = brume_scale(render.surface_velocities[surface], 1.0f / now->fps);
    expect_near("way", (double)brume_length(brume_sub(brume_add(from, way), to)), 0.0, 1e-5);
    assert_true(brume_length(render.surface_rotation_rates[surface]) > 1.0f);
    brume_sim_destroy(later);
    free(bytes);
}

static void test_body_follows_its_parent(void **state)
{
    (void)state;
    BrumeScene *scene = load_text(scene_of_parents, NULL, 0);
    char *text = NULL;
    BrumeError error;
    assert_int_equal(scene->sim.bodies[0].parent, 2);
    assert_int_equal(scene->sim.emitters[0].parent, 1);
    assert_int_equal(scene->sim.emitters[1].body, 1);
    assert_int_equal(scene->sim.emitters[1].from, BRUME_EMIT_SURFACE);
    assert_int_equal(scene->sim.emitters[1].velocity.mode, BRUME_SOURCE_SET);
    assert_int_equal(brume_scene_write(scene, NULL, &text, &error), BRUME_OK);
    BrumeScene *again = load_text(text, NULL, 0);
    BrumeSim *sim = NULL;
    BrumeSim *second = NULL;
    assert_int_equal(brume_sim_create(&sim, &scene->sim, &error), BRUME_OK);
    assert_int_equal(brume_sim_create(&second, &again->sim, &error), BRUME_OK);
    for (int frame = 0; frame <= 5; frame++) {
        const BrumeRenderSettings render = brume_scene_render_settings(scene, brume_sim_settings(sim));
        const BrumeShape *wheel = &render.surfaces[0].shape;
        const BrumeShape lamp = brume_emitter_shape(brume_sim_settings(sim), 0);
        const double angle =
            0.25 * pi * frame; // the wheel is .2 m ahead of the middle of the car, which is half as large
        const BrumeVec3 center = brume_shape_center(wheel);
        if (frame < 5) {
            expect_near("x", (double)center.x, -0.5 + 0.2 * frame + 0.2 * cos(angle), 1e-6);
            expect_near("z", (double)center.z, -0.2 * sin(angle), 1e-6);
            expect_near("radius", (double)(wheel->scale.x * wheel->radius), 0.1, 1e-7);
            const double tilt = 0.1 * pi * frame; // the lamp is .1 m above the wheel, and tilts with it
            expect_near("lamp x", (double)brume_shape_center(&lamp).x - (double)center.x, -0.1 * sin(tilt) * cos(angle),
                        1e-6);
            expect_near("lamp y", (double)brume_shape_center(&lamp).y - 0.6, 0.1 * cos(tilt), 1e-6);
        } else { // on its own, in the world
            expect_near("x", (double)center.x, 0.4, 1e-6);
            assert_int_equal(brume_sim_settings(sim)->bodies[0].slip, BRUME_SLIP_NO); // what a change does not set
        }
        if (frame < 4) {
            expect_motion_of_surface(scene, sim, 0);
        }
        if (frame < 5) {
            assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
            assert_int_equal(brume_scene_frame(again, second, NULL, &error), BRUME_OK);
            assert_true(brume_sim_hash(sim) == brume_sim_hash(second));
        }
    }
    assert_true(largest_speed(sim) > 0.5);
    brume_free(text);
    brume_sim_destroy(second);
    brume_sim_destroy(sim);
    brume_scene_destroy(again);
    brume_scene_destroy(scene);
}

// a hot body in air at rest, and two that insulate
static const char *const scene_of_heat =
    "name: Heat\n"
    "solver: {resolution: 16, min_steps: 2}\n"
    "domain: {size: [1, 1, 1], boundaries: {all: wall}}\n"
    "time: {fps: 24, frames: 8}\n"
    "air: {thermal_expansion: 0, thermal_diffusivity: 0.02}\n"
    "bodies:\n"
    "  - {shape: sphere, center: [0, 0.5, 0], radius: 0.2, temperature: 100, albedo: 0.5}\n"
    "  - {shape: box, from: [-0.4, 0.1, -0.1], to: [-0.3, 0.2, 0.1], visible: false}\n"
    "  - {shape: box, from: [0.2, 0.1, -0.1], to: [0.3, 0.2, 0.1], albedo: [0.1, 0.2, 0.3]}\n"
    "lights: []\n"
    "camera: {position: [0, 0.5, 3], target: [0, 0.5, 0], field_of_view: 1}\n"
    "render: {sky: {kind: constant, radiance: 1}, ground: {visible: false}}\n";

static BrumeSim *create(const BrumeScene *scene)
{
    BrumeSim *sim = NULL;
    BrumeError error;
    assert_int_equal(brume_sim_create(&sim, &scene->sim, &error), BRUME_OK);
    return sim;
}

static void next_frame(const BrumeScene *scene, BrumeSim *sim)
{
    BrumeError error;
    assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
}

static void expect_same_temperature(const BrumeSim *a, const BrumeSim *b)
{
    const BrumeField *one = brume_sim_field(a, BRUME_FIELD_TEMPERATURE);
    const BrumeField *other = brume_sim_field(b, BRUME_FIELD_TEMPERATURE);
    for (int k = 1; k <= one->grid.nz; k++) {
        for (int j = 1; j <= one->grid.ny; j++) {
            for (int i = 1; i <= one->grid.nx; i++) {
                const ptrdiff_t n = brume_field_index(one, i, j, k);
                expect_near("temperature", (double)one->data[n], (double)other->data[n], 0.0);
            }
        }
    }
}

// the values of the steps of a frame: the mean over each, which a hook reads
typedef struct SeenTemperatures {
    int steps;
    const BrumeAnimatedValue *keys;
} SeenTemperatures;

static void see_temperature(void *context, BrumeSim *sim, double dt)
{
    SeenTemperatures *seen = context;
    const double start = brume_sim_time(sim);
    expect_near("mean over a step", (double)brume_sim_settings(sim)->bodies[0].temperature,
                0.5 * (brume_animated_value_at(seen->keys, start) + brume_animated_value_at(seen->keys, start + dt)),
                1e-4);
    seen->steps++;
}

// The temperature of a body is its mean over each step, and at the end of a frame the temperature of the keys. One
// that is held at 0 until frame 3 heats the air from then on as one that is hot from the start, to the bit.
static void test_temperature_of_an_body(void **state)
{
    (void)state;
    const char *const ramp[] = {"animation=[{path: bodies.0.temperature, interpolation: linear, keys: [{time: 0, "
                                "value: 20}, {time: 0.25, value: 320}]}]"};
    BrumeScene *scene = load_text(scene_of_heat, ramp, 1);
    expect_near("at the start", (double)scene->sim.bodies[0].temperature, 20.0, 0.0);
    BrumeSim *sim = create(scene);
    SeenTemperatures seen = {.keys = &scene->animation.values[0]};
    brume_sim_set_hooks(sim, &(BrumeSimHooks){.context = &seen, .sources = see_temperature});
    for (int frame = 1; frame <= 6; frame++) {
        next_frame(scene, sim);
        expect_near("at the end of a frame", (double)brume_sim_settings(sim)->bodies[0].temperature,
                    20.0 + 50.0 * frame, 1e-4);
    }
    assert_true(seen.steps >= 12);

    // a saved state goes on with the same bits, between keys
    BrumeError error;
    BrumeSim *first = create(scene);
    BrumeSim *loaded = NULL;
    for (int frame = 0; frame < 3; frame++) {
        next_frame(scene, first);
    }
    const size_t size = brume_sim_saved_size(first);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(brume_sim_save(first, bytes, size, &error), BRUME_OK);
    assert_int_equal(brume_sim_create_saved(&loaded, bytes, size, &error), BRUME_OK);
    for (int frame = 0; frame < 3; frame++) {
        next_frame(scene, loaded);
    }
    assert_true(brume_sim_hash(loaded) == brume_sim_hash(sim));
    free(bytes);
    brume_sim_destroy(loaded);
    brume_sim_destroy(first);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);

    const char *const step[] = {"animation=[{path: bodies.0.temperature, interpolation: hold, keys: [{time: 0, "
                                "value: 0}, {time: 0.125, value: 100}]}]"};
    BrumeScene *held = load_text(scene_of_heat, step, 1);
    BrumeScene *plain = load_text(scene_of_heat, NULL, 0);
    BrumeSim *late = create(held);
    BrumeSim *cold = create(held);
    BrumeSim *hot = create(plain);
    for (int frame = 0; frame < 3; frame++) {
        next_frame(held, late);
    }
    expect_same_temperature(late, cold);
    for (int frame = 0; frame < 3; frame++) {
        next_frame(held, late);
        next_frame(plain, hot);
        expect_same_temperature(late, hot);
    }
    const BrumeField *heat = brume_sim_field(hot, BRUME_FIELD_TEMPERATURE);
    assert_true(heat->data[brume_field_index(heat, 8, 12, 8)] > 1.0f); // above the sphere
    brume_sim_destroy(hot);
    brume_sim_destroy(cold);
    brume_sim_destroy(late);
    brume_scene_destroy(plain);
    brume_scene_destroy(held);
}

// the radiance in the middle of a picture of the frame at a time
static BrumeVec3 middle_at(const BrumeScene *scene, BrumeRenderer *renderer, const BrumeSim *sim, double time)
{
    const BrumeRenderSettings look = brume_scene_render_settings_at(scene, brume_sim_settings(sim), time);
    const BrumeVolume volume = brume_sim_volume(sim);
    const BrumeCamera camera = brume_scene_camera(scene, time);
    const BrumeDrawDef def = {.width = 1, .height = 1, .samples = 1};
    BrumeError error;
    BrumeVec3 radiance;
    assert_int_equal(brume_renderer_set_settings(renderer, &look, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, &volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    assert_int_equal(brume_renderer_draw(renderer, &camera, &def, &radiance.x, NULL), BRUME_OK);
    return radiance;
}

// A sphere under a sky of radiance 1 is seen with its albedo, which follows the keys at the time of the frame. The
// second body is not drawn, so that the surface of the third is the second.
static void test_color_of_an_body(void **state)
{
    (void)state;
    const char *const keys[] = {
        "animation=[{path: bodies.0.albedo.0, interpolation: linear, keys: [{time: 0, value: 0.1}, "
        "{time: 0.25, value: 0.7}]}, {path: bodies.2.albedo.1, keys: [{time: 0, value: 0.9}]}]"};
    BrumeScene *scene = load_text(scene_of_heat, keys, 1);
    const BrumeRenderSettings third = brume_scene_render_settings_at(scene, &scene->sim, 0.125);
    expect_near("red", (double)third.surfaces[0].albedo.x, 0.4, 1e-7);
    expect_near("green", (double)third.surfaces[0].albedo.y, 0.5, 0.0);
    expect_near("green of the third body", (double)third.surfaces[2].albedo.y, 0.9, 1e-7);
    expect_near("red of the third body", (double)third.surfaces[2].albedo.x, 0.1, 1e-7);
    BrumeAnimatedMember member;
    char path[BRUME_ANIMATION_PATH];
    assert_true(brume_animated_find_address(&scene->render_settings.surfaces[2].albedo, &scene->sim,
                                            &scene->render_settings, scene->surface_of, &member));
    brume_animated_path(&member, path);
    assert_string_equal(path, "bodies.2.albedo.0");

    BrumeSim *sim = create(scene);
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, 16, 16, 16, &scene->render_settings, &error), BRUME_OK);
    for (int frame = 0; frame <= 6; frame++) {
        const BrumeVec3 radiance = middle_at(scene, renderer, sim, frame / 24.0);
        // the other solid hides a part of the sky
        expect_near("red", (double)radiance.x, 0.1 + 0.1 * frame, 0.025);
        expect_near("green", (double)radiance.y, 0.5, 0.025);
        next_frame(scene, sim);
    }
    brume_renderer_destroy(renderer);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);

    // a body without a temperature has no such value; one that is not drawn has a color, which the window may show
    const char *const missing = "animation=[{path: bodies.1.temperature, keys: [{time: 0, value: 1}]}]";
    assert_int_equal(brume_scene_parse(&scene, scene_of_heat, "a.yaml", &missing, 1, NULL, &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "because the scene has no such value"));
    const char *const hidden = "animation=[{path: bodies.1.albedo.0, keys: [{time: 0, value: 1}]}]";
    assert_int_equal(brume_scene_parse(&scene, scene_of_heat, "a.yaml", &hidden, 1, NULL, &error), BRUME_OK);
    expect_near("red of a body that is not drawn", (double)scene->render_settings.surfaces[1].albedo.x, 1.0, 0.0);
    brume_scene_destroy(scene);
}

static void simulate(const BrumeScene *scene, uint64_t hashes[FRAMES])
{
    BrumeSim *sim = NULL;
    BrumeError error;
    assert_int_equal(brume_sim_create(&sim, &scene->sim, &error), BRUME_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        assert_int_equal(brume_scene_frame(scene, sim, NULL, &error), BRUME_OK);
        const double time = brume_sim_time(sim);
        hashes[frame] = brume_sim_hash(sim);
        const BrumeSimDef *settings = brume_sim_settings(sim);
        for (int n = 0; n < 3; n++) { // settings of the simulation
            const double values[] = {(double)settings->emitters[0].smoke[0].value, (double)settings->thermal_expansion,
                                     (double)settings->wind.x};
            expect_near(scene->animation.values[n].path, values[n],
                        brume_animated_value_at(&scene->animation.values[n], time), 1e-6);
        }
        expect_near("drag", (double)settings->drag, frame < 3 ? 0.0 : 0.5, 0.0);
    }
    brume_sim_destroy(sim);
}

static void test_same_state(void **state)
{
    (void)state;
    static ProgramRun run;
    BrumeScene *scene = load_text(animated_scene, NULL, 0);
    uint64_t expected[FRAMES];
    simulate(scene, expected);
    expect_near("first value", (double)scene->sim.wind.x, 0.25, 0.0);
    expect_near("first light", (double)scene->render_settings.lights[0].intensity, 1.0, 0.0);
    const BrumeRenderSettings late = brume_scene_render_settings_at(scene, &scene->sim, 1.0);
    expect_near("last light", (double)late.lights[0].intensity, 8.0, 0.0);

    char *text = NULL;
    BrumeError error;
    assert_int_equal(brume_scene_write(scene, NULL, &text, &error), BRUME_OK);
    BrumeScene *written = load_text(text, NULL, 0);
    assert_int_equal(written->animation.count, scene->animation.count);
    for (int n = 0; n < scene->animation.count; n++) {
        const BrumeAnimatedValue *a = &scene->animation.values[n];
        const BrumeAnimatedValue *b = &written->animation.values[n];
        assert_string_equal(a->path, b->path);
        assert_int_equal(a->interpolation, b->interpolation);
        assert_int_equal(a->key_count, b->key_count);
        assert_memory_equal(a->keys, b->keys, sizeof a->keys);
    }
    uint64_t hashes[FRAMES];
    simulate(written, hashes);
    assert_memory_equal(hashes, expected, sizeof hashes);

    make_file("animated.yaml", text);
    run_program(&run, "render animated.yaml -q -o a.##.png --overwrite --stats stats.json");
    if (run.status != 0) {
        fail_msg("%s", run.err);
    }
    size_t size;
    char *const stats = read_whole_file("stats.json", &size);
    const char *place = stats;
    for (int frame = 0; frame < FRAMES; frame++) {
        uint64_t hash = 0;
        place = strstr(place, "\"hash\": \"");
        assert_non_null(place);
        place += strlen("\"hash\": \"");
        assert_int_equal(sscanf(place, "%16" SCNx64, &hash), 1);
        assert_true(hash == expected[frame]);
    }
    free(stats);
    run_program(&run, "info animated.yaml");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "\nanimation    emitters.0.density by 2 keys from 0 to 0.2 s, linear\n"
                                    "             air.thermal_expansion by 3 keys from 0.05 to 0.2 s, smooth\n"));
    // the light of the picture is animated: without, the picture is another one
    run_program(&run, "render animated.yaml -q -o b.##.png --frames 6:6 --overwrite -D animation.3.keys.1.value=1");
    if (run.status == 0) {
        size_t sizes[2];
        char *const a = read_whole_file("a.06.png", &sizes[0]);
        char *const b = read_whole_file("b.06.png", &sizes[1]);
        assert_true(sizes[0] != sizes[1] || memcmp(a, b, sizes[0]) != 0);
        free(a);
        free(b);
    } else {
        fail_msg("%s", run.err);
    }
    brume_free(text);
    brume_scene_destroy(written);
    brume_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evaluation),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_names_of_bodies),
        cmocka_unit_test(test_a_value_that_comes_later),
        cmocka_unit_test(test_bodies_follow_their_keys),
        cmocka_unit_test(test_body_with_keys_equals_moves),
        cmocka_unit_test(test_body_turns_by_its_keys),
        cmocka_unit_test(test_body_follows_its_parent),
        cmocka_unit_test(test_temperature_of_an_body),
        cmocka_unit_test(test_color_of_an_body),
        cmocka_unit_test_setup_teardown(test_same_state, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

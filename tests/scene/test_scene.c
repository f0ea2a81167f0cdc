/*
 * Reading scenes: the defaults of an empty scene, the exact values of a scene with every section, and all of scenes/.
 */
#include "scene_support.h"

#include "brume/base.h"
#include "brume/render_settings.h"
#include "brume/renderer.h"
#include "core/text.h"
#include "core/vec3.h"
#include "yaml/numbers.h"

#include <dirent.h>
#include <locale.h>

static void expect_face(const BrumeSimDef *sim, BrumeFace face, BrumeFaceKind kind, bool no_slip,
                        bool fixed_temperature, float temperature)
{
    const BrumeFaceDef *const def = &sim->faces[face];
    assert_int_equal(def->kind, kind);
    assert_int_equal(def->no_slip, no_slip);
    assert_int_equal(def->fixed_temperature, fixed_temperature);
    expect_near("temperature of a face", (double)def->temperature, (double)temperature, 0.0);
}

static void test_defaults(void **state)
{
    (void)state;
    BrumeScene *const scene = load_text("{}", NULL, 0);
    const BrumeSimDef *const sim = &scene->sim;
    const BrumeSimDef expected = brume_default_sim_def();
    const BrumeRenderSettings settings = brume_default_render_settings();

    assert_int_equal(strncmp(scene->name, "brume-scene-", 12), 0);
    assert_string_equal(scene->description, "");
    assert_int_equal(sim->nx, 64);
    assert_int_equal(sim->ny, 64);
    assert_int_equal(sim->nz, 64);
    expect_near("dx", (double)sim->dx, 1.0 / 64.0, 0.0);
    expect_vec3("origin", sim->origin, -0.5f, 0.0f, -0.5f);
    expect_vec3("gravity", sim->gravity, 0.0f, -9.81f, 0.0f);
    expect_vec3("wind", sim->wind, 0.0f, 0.0f, 0.0f);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        expect_face(sim, (BrumeFace)face, face == BRUME_FACE_Y_MAX ? BRUME_OPEN : BRUME_WALL, false, false, 0.0f);
    }
    assert_string_equal(sim->advection, "maccormack");
    assert_string_equal(sim->pressure, "auto");
    assert_string_equal(sim->kernels, "fast");
    assert_int_equal(sim->trace_order, expected.trace_order);
    assert_int_equal(sim->max_iterations, 200);
    assert_int_equal(sim->min_steps, 1);
    assert_int_equal(sim->max_steps, 16);
    assert_int_equal(sim->seed, 0);
    expect_near("tolerance", (double)sim->tolerance, (double)1e-4f, 0.0);
    expect_near("over_relaxation", (double)sim->over_relaxation, (double)1.9f, 0.0);
    expect_near("cfl", (double)sim->cfl, 2.0, 0.0);
    expect_near("fps", (double)sim->fps, 24.0, 0.0);
    expect_near("viscosity", (double)sim->viscosity, 0.0, 0.0);
    expect_near("thermal_diffusivity", (double)sim->thermal_diffusivity, 0.0, 0.0);
    expect_near("thermal_expansion", (double)sim->thermal_expansion, (double)(1.0f / 300.0f), 0.0);
    expect_near("cooling", (double)sim->cooling, 0.0, 0.0);
    expect_near("vorticity_confinement", (double)sim->vorticity_confinement, 0.0, 0.0);
    expect_near("drag", (double)sim->drag, 0.0, 0.0);
    assert_int_equal(sim->emitter_count, 0);
    assert_int_equal(sim->body_count, 0);
    assert_int_equal(sim->color_count, 0);
    assert_memory_equal(sim->smoke, expected.smoke, sizeof expected.smoke);
    assert_memory_equal(scene->render_settings.smoke, settings.smoke, sizeof settings.smoke);
    assert_memory_equal(scene->render_settings.lights, settings.lights, sizeof settings.lights);
    assert_int_equal(scene->render_settings.light_count, settings.light_count);
    assert_int_equal(scene->render_settings.tone, settings.tone);
    assert_int_equal(scene->render_settings.ground, settings.ground);
    assert_int_equal(scene->frames, 120);
    assert_int_equal(scene->width, 960);
    assert_int_equal(scene->height, 540);
    assert_int_equal(scene->integrator, BRUME_INTEGRATOR_MARCH);
    assert_int_equal(scene->samples, 4);
    const BrumeTraceDef trace = brume_default_trace_def();
    assert_int_equal(scene->bounces, trace.bounces);
    expect_near("noise", (double)scene->noise, (double)trace.noise, 0.0);

    // the camera in front sees the whole box: its near face spans less than the picture's height
    assert_int_equal(scene->camera_key_count, 1);
    const BrumeCamera camera = scene->camera_keys[0].camera;
    expect_vec3("target", camera.target, 0.0f, 0.5f, 0.0f);
    expect_near("field_of_view", (double)camera.field_of_view, 40.0, 0.0);
    expect_near("camera x", (double)camera.position.x, 0.0, 0.0);
    const double height_seen = 2.0 * tan(20.0 * 3.14159265358979 / 180.0) * ((double)camera.position.z - 0.5);
    expect_near("height seen at the near face", height_seen, 1.15, 1e-5);
    brume_scene_destroy(scene);
}

static const char *full_scene =
    "name: Everything\n"
    "description: One of each.\n"
    "domain:\n"
    "  size: [2, 1, 1.5]\n"
    "  origin: [-1, 0.5, 0]\n"
    "  boundaries:\n"
    "    x_min: {kind: inflow, velocity: [1.5, 0, 0.25], temperature: 20, color_2: 0.5}\n"
    "    all: open\n"
    "    y: {kind: wall, slip: no, velocity: [0.5, 0, 0]}\n"
    "    y_min: {kind: wall, temperature: 40}\n"
    "    z: periodic\n"
    "solver: {resolution: 32, advection: semi-lagrangian, trace_order: 3, kernels: reference, pressure: relaxation, "
    "tolerance: 1e-3,\n"
    "         max_iterations: 50, over_relaxation: 1.5, cfl: 3, min_steps: 2, max_steps: 8, seed: 4294967295}\n"
    "time: {fps: 30, frames: 90}\n"
    "air: {viscosity: 1.5e-5, thermal_diffusivity: 2.1e-5, thermal_expansion: 0.004, cooling: 0.5,\n"
    "      vorticity_confinement: 0.25, gravity: [0, -1.62, 0], wind: [1, 0, 0], drag: 0.125}\n"
    "smoke:\n"
    "  density: {weight: 0.05, dissipation: 0.1, diffusivity: 1e-4, extinction: 12, albedo: 0.5}\n"
    "  color_1: {albedo: [1, 0.5, 0.25]}\n"
    "emitters:\n"
    "  - {shape: sphere, center: [0, 1, 0.5], radius: 0.25, density: 1, temperature: -20, velocity: [0, 1, 0]}\n"
    "  - {shape: box, center: [0, 1, 0.5], size: [0.5, 0.25, 0.5], start: 1, end: 2.5, density_rate: 3,\n"
    "     color_1_rate: 4, temperature_rate: 100, acceleration: [0, 0, 2], noise: {amount: 0.5, scale: 0.25, speed: "
    "2}}\n"
    "  - {shape: box, from: [0.5, 1, 0], to: [0, 0.5, 0.25], color_1: 2}\n"
    "bodies:\n"
    "  - {shape: cylinder, from: [0, 0.5, 1], to: [0, 1, 1], radius: 0.125, albedo: [0.25, 0.5, 0.75]}\n"
    "  - {shape: capsule, from: [0.5, 0.5, 1], to: [0.5, 1, 1], radius: 0.0625, visible: false}\n"
    "camera:\n"
    "  keys:\n"
    "    - {time: 0, position: [0, 1, 4], target: [0, 1, 0], field_of_view: 50}\n"
    "    - {time: 1.5, position: [2, 1, 4]}\n"
    "lights:\n"
    "  - {kind: sun, azimuth: 90, elevation: 30, color: [1, 0.5, 0.25], intensity: 2}\n"
    "  - {kind: sun, direction: [0, -2, 0]}\n"
    "  - {kind: point, position: [1, 2, 3], color: 0.5, intensity: 10}\n"
    "render: {anisotropy: -0.25, exposure: 1.5, tone: linear, step: 0.5, sky_zenith: 0.25, sky_horizon: [0.5, 0.25, "
    "0],\n"
    "       ground: {visible: false, height: 0.25, albedo: 0.125}}\n"
    "image: {width: 320, height: 180, samples: 2}\n";

static void expect_shape(const BrumeShape *shape, BrumeShapeKind kind, BrumeVec3 a, BrumeVec3 b, float radius)
{
    assert_int_equal(shape->kind, kind);
    expect_vec3("a", shape->a, a.x, a.y, a.z);
    expect_vec3("b", shape->b, b.x, b.y, b.z);
    expect_near("radius", (double)shape->radius, (double)radius, 0.0);
}

static void expect_source(BrumeSource source, BrumeSourceMode mode, float value)
{
    assert_int_equal(source.mode, mode);
    expect_near("source", (double)source.value, (double)value, 0.0);
}

static void test_full_box(void **state)
{
    (void)state;
    BrumeScene *const scene = load_text(full_scene, NULL, 0);
    const BrumeSimDef *const sim = &scene->sim;
    assert_string_equal(scene->name, "Everything");
    assert_string_equal(scene->description, "One of each.");
    assert_int_equal(sim->nx, 32);
    assert_int_equal(sim->ny, 16);
    assert_int_equal(sim->nz, 24);
    expect_near("dx", (double)sim->dx, 0.0625, 0.0);
    expect_vec3("origin", sim->origin, -1.0f, 0.5f, 0.0f);

    expect_face(sim, BRUME_FACE_X_MIN, BRUME_INFLOW, false, false, 20.0f);
    expect_vec3("inflow", sim->faces[BRUME_FACE_X_MIN].velocity, 1.5f, 0.0f, 0.25f);
    expect_near("inflowing smoke", (double)sim->faces[BRUME_FACE_X_MIN].smoke[2], 0.5, 0.0);
    expect_near("inflowing smoke", (double)sim->faces[BRUME_FACE_X_MIN].smoke[0], 0.0, 0.0);
    expect_face(sim, BRUME_FACE_X_MAX, BRUME_OPEN, false, false, 0.0f);
    expect_face(sim, BRUME_FACE_Y_MIN, BRUME_WALL, false, true, 40.0f);
    expect_face(sim, BRUME_FACE_Y_MAX, BRUME_WALL, true, false, 0.0f);
    expect_vec3("wall", sim->faces[BRUME_FACE_Y_MAX].velocity, 0.5f, 0.0f, 0.0f);
    expect_vec3("floor", sim->faces[BRUME_FACE_Y_MIN].velocity, 0.0f, 0.0f, 0.0f);
    expect_face(sim, BRUME_FACE_Z_MIN, BRUME_PERIODIC, false, false, 0.0f);
    expect_face(sim, BRUME_FACE_Z_MAX, BRUME_PERIODIC, false, false, 0.0f);
    brume_scene_destroy(scene);
}

static void test_full_flow(void **state)
{
    (void)state;
    BrumeScene *const scene = load_text(full_scene, NULL, 0);
    const BrumeSimDef *const sim = &scene->sim;
    assert_string_equal(sim->advection, "semi-lagrangian");
    assert_string_equal(sim->pressure, "relaxation");
    assert_string_equal(sim->kernels, "reference");
    assert_int_equal(sim->trace_order, 3);
    assert_int_equal(sim->max_iterations, 50);
    assert_int_equal(sim->min_steps, 2);
    assert_int_equal(sim->max_steps, 8);
    assert_true(sim->seed == UINT32_MAX);
    expect_near("tolerance", (double)sim->tolerance, (double)1e-3f, 0.0);
    expect_near("over_relaxation", (double)sim->over_relaxation, 1.5, 0.0);
    expect_near("cfl", (double)sim->cfl, 3.0, 0.0);
    expect_near("fps", (double)sim->fps, 30.0, 0.0);
    assert_int_equal(scene->frames, 90);
    expect_near("viscosity", (double)sim->viscosity, (double)1.5e-5f, 0.0);
    expect_near("thermal_diffusivity", (double)sim->thermal_diffusivity, (double)2.1e-5f, 0.0);
    expect_near("thermal_expansion", (double)sim->thermal_expansion, (double)0.004f, 0.0);
    expect_near("cooling", (double)sim->cooling, 0.5, 0.0);
    expect_near("vorticity_confinement", (double)sim->vorticity_confinement, 0.25, 0.0);
    expect_near("drag", (double)sim->drag, 0.125, 0.0);
    expect_vec3("gravity", sim->gravity, 0.0f, -1.62f, 0.0f);
    expect_vec3("wind", sim->wind, 1.0f, 0.0f, 0.0f);
    expect_near("weight", (double)sim->smoke[0].weight, (double)0.05f, 0.0);
    expect_near("dissipation", (double)sim->smoke[0].dissipation, (double)0.1f, 0.0);
    expect_near("diffusivity", (double)sim->smoke[0].diffusivity, (double)1e-4f, 0.0);
    // no emitter emits the second color, but an inflow does
    assert_int_equal(sim->color_count, 2);
    brume_scene_destroy(scene);
}

static void test_full_sources(void **state)
{
    (void)state;
    BrumeScene *const scene = load_text(full_scene, NULL, 0);
    const BrumeSimDef *const sim = &scene->sim;
    assert_int_equal(sim->emitter_count, 3);
    const BrumeEmitterDef *emitter = &sim->emitters[0];
    expect_shape(&emitter->shape, BRUME_SHAPE_SPHERE, brume_vec3(0, 1, 0.5f), brume_vec3(0, 1, 0.5f), 0.25f);
    expect_source(emitter->smoke[0], BRUME_SOURCE_SET, 1.0f);
    expect_source(emitter->smoke[1], BRUME_SOURCE_NONE, 0.0f);
    expect_source(emitter->temperature, BRUME_SOURCE_SET, -20.0f);
    assert_int_equal(emitter->velocity.mode, BRUME_SOURCE_SET);
    expect_vec3("velocity", emitter->velocity.value, 0.0f, 1.0f, 0.0f);
    expect_near("start", (double)emitter->start, 0.0, 0.0);
    assert_true(isinf(emitter->end));
    expect_near("noise", (double)emitter->noise, 0.0, 0.0);

    emitter = &sim->emitters[1];
    expect_shape(&emitter->shape, BRUME_SHAPE_BOX, brume_vec3(-0.25f, 0.875f, 0.25f), brume_vec3(0.25f, 1.125f, 0.75f),
                 0.0f);
    expect_source(emitter->smoke[0], BRUME_SOURCE_RATE, 3.0f);
    expect_source(emitter->smoke[1], BRUME_SOURCE_RATE, 4.0f);
    expect_source(emitter->temperature, BRUME_SOURCE_RATE, 100.0f);
    assert_int_equal(emitter->velocity.mode, BRUME_SOURCE_RATE);
    expect_vec3("acceleration", emitter->velocity.value, 0.0f, 0.0f, 2.0f);
    expect_near("start", (double)emitter->start, 1.0, 0.0);
    expect_near("end", (double)emitter->end, 2.5, 0.0);
    expect_near("noise", (double)emitter->noise, 0.5, 0.0);
    expect_near("noise scale", (double)emitter->noise_scale, 0.25, 0.0);
    expect_near("noise speed", (double)emitter->noise_speed, 2.0, 0.0);

    emitter = &sim->emitters[2];
    expect_shape(&emitter->shape, BRUME_SHAPE_BOX, brume_vec3(0, 0.5f, 0), brume_vec3(0.5f, 1, 0.25f), 0.0f);
    expect_source(emitter->temperature, BRUME_SOURCE_NONE, 0.0f);
    assert_int_equal(emitter->velocity.mode, BRUME_SOURCE_NONE);

    assert_int_equal(sim->body_count, 2);
    expect_shape(&sim->bodies[0].shape, BRUME_SHAPE_CYLINDER, brume_vec3(0, 0.5f, 1), brume_vec3(0, 1, 1), 0.125f);
    expect_shape(&sim->bodies[1].shape, BRUME_SHAPE_CAPSULE, brume_vec3(0.5f, 0.5f, 1), brume_vec3(0.5f, 1, 1),
                 0.0625f);
    assert_int_equal(scene->render_settings.surface_count, 2);
    assert_int_equal(scene->surface_of[0], 0);
    assert_int_equal(scene->surface_of[1], 1);
    assert_int_equal(scene->surface_of[2], -1);                  // does not exist
    assert_int_equal(scene->render_settings.hidden_surfaces, 2); // body 1 is not visible
    assert_int_equal(brume_scene_render_settings(scene, sim).surface_count, 1);
    expect_vec3("surface", scene->render_settings.surfaces[0].albedo, 0.25f, 0.5f, 0.75f);
    assert_int_equal(scene->render_settings.surfaces[0].shape.kind, BRUME_SHAPE_CYLINDER);
    brume_scene_destroy(scene);
}

static void test_full_render_settings(void **state)
{
    (void)state;
    BrumeScene *const scene = load_text(full_scene, NULL, 0);
    const BrumeRenderSettings *const settings = &scene->render_settings;
    const BrumeLight *const sun = &settings->lights[0];
    expect_near("extinction", (double)settings->smoke[0].extinction, 12.0, 0.0);
    expect_vec3("albedo", settings->smoke[0].albedo, 0.5f, 0.5f, 0.5f);
    expect_vec3("albedo", settings->smoke[1].albedo, 1.0f, 0.5f, 0.25f);
    expect_near("anisotropy", (double)settings->anisotropy, -0.25, 0.0);
    expect_near("exposure", (double)settings->exposure, 1.5, 0.0);
    expect_near("step", (double)settings->step, 0.5, 0.0);
    assert_int_equal(settings->tone, BRUME_TONE_LINEAR);
    expect_vec3("sky_zenith", settings->sky_zenith, 0.25f, 0.25f, 0.25f);
    expect_vec3("sky_horizon", settings->sky_horizon, 0.5f, 0.25f, 0.0f);
    assert_false(settings->ground);
    expect_near("ground height", (double)settings->ground_height, 0.25, 0.0);
    expect_vec3("ground albedo", settings->ground_albedo, 0.125f, 0.125f, 0.125f);

    // at azimuth 90 a sun stands towards +x, so that its light travels towards -x and down by sin(30 degrees)
    assert_int_equal(settings->light_count, 3);
    assert_int_equal(sun->kind, BRUME_LIGHT_DIRECTIONAL);
    expect_near("sun x", (double)sun->direction.x, -0.8660254, 1e-6);
    expect_near("sun y", (double)sun->direction.y, -0.5, 1e-6);
    expect_near("sun z", (double)sun->direction.z, 0.0, 1e-6);
    expect_vec3("sun color", sun->color, 1.0f, 0.5f, 0.25f);
    expect_near("sun intensity", (double)sun->intensity, 2.0, 0.0);
    expect_vec3("second sun", settings->lights[1].direction, 0.0f, -1.0f, 0.0f);
    assert_int_equal(settings->lights[2].kind, BRUME_LIGHT_POINT);
    expect_vec3("point light", settings->lights[2].position, 1.0f, 2.0f, 3.0f);
    expect_vec3("point light color", settings->lights[2].color, 0.5f, 0.5f, 0.5f);
    expect_near("point light intensity", (double)settings->lights[2].intensity, 10.0, 0.0);

    assert_int_equal(scene->camera_key_count, 2);
    const BrumeCameraKey *const keys = scene->camera_keys;
    expect_near("time", keys[0].time, 0.0, 0.0);
    expect_near("time", keys[1].time, 1.5, 0.0);
    expect_vec3("position", keys[0].camera.position, 0.0f, 1.0f, 4.0f);
    expect_vec3("position", keys[1].camera.position, 2.0f, 1.0f, 4.0f);
    expect_vec3("target stays", keys[1].camera.target, 0.0f, 1.0f, 0.0f);
    expect_near("angle stays", (double)keys[1].camera.field_of_view, 50.0, 0.0);
    assert_int_equal(scene->width, 320);
    assert_int_equal(scene->height, 180);
    assert_int_equal(scene->samples, 2);
    brume_scene_destroy(scene);
}

static void test_orthographic_camera(void **state)
{
    (void)state;
    BrumeScene *scene = load_text("domain: {size: [2, 2, 2]}\n"
                                  "camera:\n"
                                  "  projection: orthographic\n"
                                  "  keys: [{time: 0}, {time: 2, height: 5}]\n"
                                  "image: {width: 100, height: 100}\n",
                                  NULL, 0);
    assert_int_equal(scene->camera_keys[0].camera.projection, BRUME_ORTHOGRAPHIC);
    assert_int_equal(scene->camera_keys[1].camera.projection, BRUME_ORTHOGRAPHIC);
    // the box of 2 m with a margin of 15 %
    expect_near("height", (double)scene->camera_keys[0].camera.height, 2.3, 1e-6);
    expect_near("height", (double)scene->camera_keys[1].camera.height, 5.0, 0.0);
    expect_near("height between", (double)brume_scene_camera(scene, 1.0).height, 3.65, 1e-6);
    brume_scene_destroy(scene);
}

static void test_focus(void **state)
{
    (void)state;
    BrumeScene *scene = load_text("camera: {position: [0, 1, 5], target: [0, 1, 0], lens_radius: 0.05, "
                                  "focus_on: [0.5, 1.5, 2]}\n",
                                  NULL, 0);
    expect_near("lens", (double)scene->camera_keys[0].camera.lens_radius, 0.05, 1e-9);
    expect_near("distance of the point along the view", (double)scene->camera_keys[0].camera.focus, 3.0, 1e-6);
    brume_scene_destroy(scene);
    scene = load_text("camera: {keys: [{time: 0, position: [0, 1, 5], target: [0, 1, 1], lens_radius: 0.1},\n"
                      "                {time: 1, focus_distance: 2}, {time: 2, position: [0, 1, 6]}]}\n",
                      NULL, 0);
    // the first key, which has no focus, has the distance of its target
    const double focus[] = {4.0, 2.0, 2.0};
    for (int n = 0; n < 3; n++) {
        expect_near("focus", (double)scene->camera_keys[n].camera.focus, focus[n], 1e-6);
        expect_near("lens", (double)scene->camera_keys[n].camera.lens_radius, 0.1, 1e-8);
    }
    // the tangents of the spline are -2, -1 and 0 per second
    expect_near("focus between", (double)brume_scene_camera(scene, 0.5).focus, 3.0 - 0.125, 1e-5);
    brume_scene_destroy(scene);
}

static void test_f_number(void **state)
{
    (void)state;
    // 50 mm at f/2 in meters: a lens of 25 mm in diameter; the angle is 2 atan(12 / 50)
    BrumeScene *scene =
        load_text("camera: {position: [0, 1, 5], target: [0, 1, 0], focal_length: 50, f_number: 2}\n", NULL, 0);
    expect_near("angle", (double)scene->camera_keys[0].camera.field_of_view, 26.9914665615, 1e-5);
    expect_near("radius", (double)scene->camera_keys[0].camera.lens_radius, 0.0125, 1e-8);
    brume_scene_destroy(scene);
    scene = load_text("camera: {field_of_view: 90, f_number: 6}\n", NULL, 0);
    expect_near("12 mm at f/6", (double)scene->camera_keys[0].camera.lens_radius, 0.001, 1e-9);
    brume_scene_destroy(scene);
    // the f-number stays while the angle changes, until a key gives a radius
    scene = load_text("camera: {keys: [{time: 0, f_number: 6, field_of_view: 90}, {time: 1, focal_length: 24},\n"
                      "                {time: 2, lens_radius: 0.5}, {time: 3, field_of_view: 60}]}\n",
                      NULL, 0);
    const double radius[] = {0.001, 0.002, 0.5, 0.5};
    for (int n = 0; n < 4; n++) {
        expect_near("radius of the key", (double)scene->camera_keys[n].camera.lens_radius, radius[n], 1e-8);
    }
    brume_scene_destroy(scene);
    // the whole box is in view of the default camera, of the focal length too
    scene = load_text("camera: {focal_length: 12}\n", NULL, 0);
    BrumeScene *same = load_text("camera: {field_of_view: 90}\n", NULL, 0);
    expect_near("default position", (double)scene->camera_keys[0].camera.position.z,
                (double)same->camera_keys[0].camera.position.z, 1e-5);
    brume_scene_destroy(scene);
    brume_scene_destroy(same);
}

static void test_turntable(void **state)
{
    (void)state;
    BrumeScene *scene = load_text("camera: {turntable: 8, keys: [{time: 0, position: [1, 3, 5], target: [1, 1, 1]}, "
                                  "{time: 4, target: [1, 2, 1]}]}\n",
                                  NULL, 0);
    // a quarter and a half of a turn, about the target of the keys at that time
    const BrumeCamera quarter = brume_scene_camera(scene, 2.0);
    expect_near("x", (double)quarter.position.x, 5.0, 1e-5);
    expect_near("y", (double)quarter.position.y, 3.0, 1e-5);
    expect_near("z", (double)quarter.position.z, 1.0, 1e-5);
    expect_near("y of the target", (double)quarter.target.y, 1.5, 1e-5);
    const BrumeCamera half = brume_scene_camera(scene, 4.0);
    expect_near("x", (double)half.position.x, 1.0, 1e-5);
    expect_near("z", (double)half.position.z, -3.0, 1e-5);
    expect_near("distance", (double)brume_scene_camera(scene, 9.3).position.y, 3.0, 1e-5);
    brume_scene_destroy(scene);
}

static void test_shutter(void **state)
{
    (void)state;
    BrumeScene *scene = load_text("time: {fps: 25}\n"
                                  "camera: {shutter: 0.5, keys: [{time: 0}, {time: 1, field_of_view: 50}]}\n",
                                  NULL, 0);
    expect_near("shutter", (double)scene->shutter, 0.5, 0.0);
    expect_near("seconds", (double)scene->render_settings.shutter, 0.02, 1e-8);
    BrumeSimDef faster = scene->sim;
    faster.fps = 50.0f;
    expect_near("seconds", (double)brume_scene_render_settings(scene, &faster).shutter, 0.01, 1e-8);
    brume_scene_destroy(scene);
}

static void expect_cells(const char *text, int nx, int ny, int nz, float dx)
{
    BrumeScene *const scene = load_text(text, NULL, 0);
    const BrumeSimDef sim = scene->sim;
    if (sim.nx != nx || sim.ny != ny || sim.nz != nz || sim.dx != dx) {
        fail_msg("%s makes %d x %d x %d cells of %.9g m, expected %d x %d x %d of %.9g", text, sim.nx, sim.ny, sim.nz,
                 (double)sim.dx, nx, ny, nz, (double)dx);
    }
    brume_scene_destroy(scene);
}

static void test_resolution(void **state)
{
    (void)state;
    expect_cells("domain: {size: 2}", 64, 64, 64, 0.03125f);
    expect_cells("{domain: {size: [1, 2, 1]}, solver: {resolution: 96}}", 48, 96, 48, 2.0f / 96.0f);
    // 1 m / 0.03 m = 33.3 cells; 0.1 m / 0.03 m = 3.3 cells, but a side has at least 8
    expect_cells("{domain: {size: [3, 1, 0.1]}, solver: {resolution: 100}}", 100, 33, 8, 0.03f);
    expect_cells("solver: {resolution: [8, 16, 32]}", 8, 16, 32, 1.0f / 32.0f);
    expect_cells("{domain: {size: [1, 2, 4]}, solver: {resolution: [8, 16, 32]}}", 8, 16, 32, 0.125f);
    expect_cells("{domain: {size: [1, 1.97, 4]}, solver: {resolution: [8, 16, 32]}}", 8, 16, 32, 0.125f);
    expect_cells("domain:\ntime:\nemitters:\nlights: []\n", 64, 64, 64, 1.0f / 64.0f);
}

static void test_ground_follows_the_box(void **state)
{
    (void)state;
    BrumeScene *scene = load_text("domain: {origin: [0, -2, 0]}", NULL, 0);
    expect_near("ground height", (double)scene->render_settings.ground_height, -2.0, 0.0);
    brume_scene_destroy(scene);
    scene = load_text("{domain: {origin: [0, -2, 0]}, render: {ground: {height: 1}}}", NULL, 0);
    expect_near("ground height", (double)scene->render_settings.ground_height, 1.0, 0.0);
    brume_scene_destroy(scene);
}

static void test_streamlines(void **state)
{
    (void)state;
    BrumeScene *scene = load_text("{domain: {boundaries: {x_min: {kind: inflow, velocity: [3, 4, 0]}, x_max: open}},\n"
                                  " render: {surface_color: pressure,\n"
                                  "  streamlines: [{from: [-0.4, 0.1, 0], to: [-0.4, 0.9, 0]},\n"
                                  "   {from: [0, 0, 0], to: [0, 1, 0], count: 3, length: 2, radius: 0.01, color: 0.5,\n"
                                  "    quantity: temperature, map: rainbow, lower: -1, upper: 4}]}}",
                                  NULL, 0);
    const BrumeRenderSettings *settings = &scene->render_settings;
    assert_int_equal(settings->surface_colors.quantity, BRUME_FLOW_PRESSURE);
    assert_int_equal(settings->rake_count, 2);
    assert_int_equal(settings->rakes[0].count, 12);
    assert_int_equal(settings->rakes[0].colors.quantity, BRUME_FLOW_SPEED);
    expect_vec3("from", settings->rakes[0].from, -0.4f, 0.1f, 0.0f);
    const BrumeRake *rake = &settings->rakes[1];
    assert_int_equal(rake->count, 3);
    assert_int_equal(rake->colors.quantity, BRUME_FLOW_TEMPERATURE);
    assert_int_equal(rake->colors.map, BRUME_MAP_RAINBOW);
    expect_near("length", (double)rake->length, 2.0, 0.0);
    expect_near("upper", (double)rake->colors.upper, 4.0, 0.0);
    // the speed far away: of the inflow, of the wind, as given
    expect_near("inflow", (double)brume_scene_render_settings(scene, &scene->sim).reference_speed, 5.0, 0.0);
    scene->sim.wind = brume_vec3(0.0f, 0.0f, 2.0f);
    expect_near("wind", (double)brume_scene_render_settings(scene, &scene->sim).reference_speed, 2.0, 0.0);
    scene->render_settings.reference_speed = 7.0f;
    expect_near("given", (double)brume_scene_render_settings(scene, &scene->sim).reference_speed, 7.0, 0.0);
    scene->sim.wind = brume_vec3(0.0f, 0.0f, 0.0f);
    char *text = NULL;
    assert_int_equal(brume_scene_write(scene, NULL, &text, NULL), BRUME_OK);
    BrumeScene *const again = load_text(text, NULL, 0);
    assert_memory_equal(again->render_settings.rakes, settings->rakes, 2 * sizeof *settings->rakes);
    assert_memory_equal(&again->render_settings.surface_colors, &settings->surface_colors, sizeof(BrumeFlowColors));
    assert_non_null(strstr(text, "surface_color: pressure"));
    brume_free(text);
    brume_scene_destroy(again);
    brume_scene_destroy(scene);
    static const char half[] = "render:\n  streamlines:\n    - {from: [0, 0, 0]}\n";
    expect_failure(half, sizeof half - 1, NULL, 0,
                   "@:3:7: this 'streamlines' needs 'to', an end of the line that they start from");
}

static void test_colors_in_use(void **state)
{
    (void)state;
    BrumeScene *scene = load_text("smoke: {color_3: }", NULL, 0);
    assert_int_equal(scene->sim.color_count, 3);
    brume_scene_destroy(scene);
    scene = load_text("emitters: [{shape: sphere, center: [0, 0.5, 0], radius: 0.1, color_2_rate: 1}]", NULL, 0);
    assert_int_equal(scene->sim.color_count, 2);
    brume_scene_destroy(scene);
}

static void test_every_scene_loads(void **state)
{
    (void)state;
    DIR *entries = opendir(BRUME_SOURCE_DIR "/scenes");
    assert_non_null(entries);
    int count = 0;
    for (const struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        char path[1024];
        BrumeScene *scene = NULL;
        BrumeError error;
        if (!strstr(entry->d_name, ".yaml")) {
            continue;
        }
        (void)snprintf(path, sizeof path, "%s/scenes/%s", BRUME_SOURCE_DIR, entry->d_name);
        if (brume_scene_load(&scene, path, NULL, 0, &one_value_readers, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
        assert_true(scene->description[0] != '\0');
        assert_true(scene->frames >= 100 && scene->frames <= 240);
        brume_scene_destroy(scene);
        count++;
    }
    (void)closedir(entries);
    assert_true(count >= 6);
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        BrumeNumberKind kind;
        double value;
    } cases[] = {
        {"0", BRUME_NUMBER_WHOLE, 0.0},         {"-12", BRUME_NUMBER_WHOLE, -12.0},
        {"+7", BRUME_NUMBER_WHOLE, 7.0},        {".5", BRUME_NUMBER_REAL, 0.5},
        {"5.", BRUME_NUMBER_REAL, 5.0},         {"1e3", BRUME_NUMBER_REAL, 1000.0},
        {"-1.5E-2", BRUME_NUMBER_REAL, -0.015}, {"", BRUME_NUMBER_NONE, 0.0},
        {".", BRUME_NUMBER_NONE, 0.0},          {"1e", BRUME_NUMBER_NONE, 0.0},
        {"--1", BRUME_NUMBER_NONE, 0.0},        {"1,5", BRUME_NUMBER_NONE, 0.0},
        {"0x10", BRUME_NUMBER_NONE, 0.0},       {"1 ", BRUME_NUMBER_NONE, 0.0},
        {"1_000", BRUME_NUMBER_NONE, 0.0},      {"inf", BRUME_NUMBER_INFINITE, 0.0},
        {"-.inf", BRUME_NUMBER_INFINITE, 0.0},  {".NaN", BRUME_NUMBER_INFINITE, 0.0},
        {"1e999", BRUME_NUMBER_INFINITE, 0.0},  {"1e-999", BRUME_NUMBER_REAL, 0.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = -1.0;
        assert_int_equal(brume_parse_number(cases[i].text, &value), cases[i].kind);
        expect_near(cases[i].text, value, cases[i].value, 0.0);
    }
}

static void test_quotes(void **state)
{
    (void)state;
    assert_string_equal(brume_quote("plain").text, "plain");
    assert_string_equal(brume_quote("a\nb\033[31m\xc2\x9b").text, "a?b?[31m??");
    assert_string_equal(brume_quote("\xc3\xa9").text, "\xc3\xa9");
    // 63 letters, then a character of two bytes that must not be split
    char longest[80];
    memset(longest, 'x', 63);
    (void)snprintf(longest + 63, sizeof longest - 63, "\xc3\xa9!");
    const BrumeQuote cut = brume_quote(longest);
    assert_int_equal(strlen(cut.text), 66);
    assert_string_equal(cut.text + 60, "xxx...");
}

static void test_decimal_comma(void **state)
{
    (void)state;
    // in a locale with decimal commas the same scene is read; skipped where no such locale is installed
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) {
        skip();
    }
    BrumeScene *const scene = load_text("solver: {cfl: 2.5}", NULL, 0);
    expect_near("cfl", (double)scene->sim.cfl, 2.5, 0.0);
    brume_scene_destroy(scene);
    (void)setlocale(LC_ALL, "C");
}

static void test_parse(void **state)
{
    (void)state;
    BrumeScene *scene = NULL;
    BrumeError error;
    const char *const overrides[] = {"time.fps=50"};
    assert_int_equal(
        brume_scene_parse(&scene, "solver: {resolution: 32}\n", "shots/first.yaml", overrides, 1, NULL, &error),
        BRUME_OK);
    assert_string_equal(scene->name, "first");
    assert_int_equal(scene->sim.nx, 32);
    expect_near("fps", (double)scene->sim.fps, 50.0, 0.0);
    brume_scene_destroy(scene);

    // errors name the text and the place in it, or the override
    static const struct {
        const char *text, *override, *expected;
    } cases[] = {
        {"time:\n  fps: fast\n", NULL, "inline:2:8: 'fps' in 'time' must be a number [1/s], not 'fast'"},
        {"tme: 1", NULL, "inline:1:1: unknown key 'tme' in the scene (did you mean 'time'?)"},
        {"a: [", NULL, "inline:2:1: not valid YAML: did not find expected node content"},
        {"", NULL, "inline:1:1: the file is empty"},
        {"- 1", NULL, "inline:1:1: a scene is a map of sections such as 'domain:' and 'emitters:'"},
        {"{}", "time.fps=0", "-D time.fps=0: 'fps' in 'time' is 0, but must be from 0.001 to 1000000 [1/s]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene = (BrumeScene *)&error;
        const int count = cases[i].override ? 1 : 0;
        assert_int_equal(brume_scene_parse(&scene, cases[i].text, "inline", &cases[i].override, count, NULL, &error),
                         BRUME_BAD_INPUT);
        assert_string_equal(error.text, cases[i].expected);
        assert_null(scene);
    }
}

/** Checks that a scene has one warning, or none where `expected` is NULL. */
static void expect_warning(const char *text, const char *expected)
{
    BrumeScene *scene = NULL;
    BrumeError error;
    assert_int_equal(brume_scene_parse(&scene, text, "s.yaml", NULL, 0, NULL, &error), BRUME_OK);
    assert_int_equal(scene->warning_count, expected ? 1 : 0);
    if (expected) {
        assert_string_equal(scene->warnings[0], expected);
    }
    brume_scene_destroy(scene);
}

static void test_warnings(void **state)
{
    (void)state;
    // a side that is rounded to whole cells, and one that is extended to the fewest cells
    expect_warning("domain: {size: [1, 0.333, 1]}\nsolver: {resolution: 64}\n", NULL);
    expect_warning("domain: {size: [10000, .01, 10000]}\nsolver: {resolution: 24}\n",
                   "s.yaml:1:16: the side of 0.01 m along y becomes 3333 m, because it has at least 8 cells of 416.7 "
                   "m; a higher 'resolution' makes the cells smaller");
    // emitters inside bodies, outside of them, and partly in them
    const char *const body = "bodies: [{shape: sphere, center: [0, 0.5, 0], radius: 0.3}]\n";
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "%semitters:\n"
                   "  - {shape: sphere, center: [0, 0.5, 0], radius: 0.35, density: 1}\n"
                   "  - {shape: sphere, center: [0, 0.5, 0.1], radius: 0.15, density: 1}\n"
                   "  - {shape: box, from: [-0.5, 0, -0.5], to: [0.5, 1, 0.5], density: 1}\n",
                   body);
    expect_warning(text, "s.yaml:4:5: this 'emitter' has no effect: it is inside a body");
    (void)snprintf(text, sizeof text,
                   "%semitters: [{shape: sphere, center: [0, 0.5, 0], radius: 0.1, density: 1}]\n"
                   "timeline: [{frame: 3, moves: [{body: 0, velocity: [1, 0, 0]}]}]\n",
                   body);
    expect_warning(text, NULL); // the body may uncover it
    expect_warning("bodies: [{shape: sphere, center: [0, 0.5, 0], radius: 0.3, collide: false}]\n"
                   "emitters: [{shape: sphere, center: [0, 0.5, 0], radius: 0.1, density: 1}]\n",
                   NULL); // air passes through the body
    expect_warning("air: {thermal_diffusivity: 0.01}\n"
                   "bodies: [{shape: sphere, center: [0, 0.5, 0], radius: 0.3, collide: false, temperature: 40}]\n",
                   "s.yaml:2:89: 'temperature' has no effect: air passes through this 'body' (remove 'collide: false', "
                   "or emit heat from an emitter that has it as its 'body')");
    expect_warning("bodies: [{shape: sphere, center: [0, 0.5, 0], radius: 0.3, heat_flux: 2}]\n", NULL);
    expect_warning("particles: {dust: {shape: sphere, density: 2000}, leaves: {density: 300}}\n", NULL);
    expect_warning("particles: {dust: {density: 2000}}\n",
                   "s.yaml:1:29: 'density' of 'dust' has no effect: they have the 'shape' 'tracer'");
    const char *const stroke = "timeline: [{frame: 0, %sstrokes: [{start: 0, end: 0.04, from: [0, 0.5, 0], "
                               "to: [0.1, 0.5, 0], radius: 0.1, fuel: 0.1}]}]\n";
    (void)snprintf(text, sizeof text, stroke, "");
    expect_warning(text, "s.yaml:1:33: this stroke has fuel, but 'model' in 'fire' is 'none'");
    (void)snprintf(text, sizeof text, stroke, "set: {fire.model: mixing}, ");
    expect_warning(text, NULL);
    expect_warning("fire: {model: mixing}\n",
                   "s.yaml:1:7: the fire has no light (give 'render' an 'emission: {intensity: 1}')");
    expect_warning("fire: {model: mixing}\nrender: {emission: {intensity: 1}}\n", NULL);
    const char *const burner =
        "fire: {model: mixing}\nrender: {emission: {intensity: 1}}\nsolver: {resolution: %d}\n"
        "emitters: [{shape: sphere, center: [0, 0.2, 0], radius: 0.1, power: 1.110}]\n"; // D* = 0.063 m
    (void)snprintf(text, sizeof text, burner, 80);
    expect_warning(text, NULL);
    (void)snprintf(text, sizeof text, burner, 75);
    expect_warning(text, "s.yaml:4:69: cells of 0.0133 m are too coarse for flames of 1.11 kW, which need 0.0063 m (a "
                         "'resolution' of 159)");
    expect_warning("emitters: [{shape: sphere, center: [0, 0.5, 0], radius: 0.1, softness: 0.1, density: 1}]\n", NULL);
    expect_warning("emitters: [{shape: sphere, center: [0, 0.5, 0], radius: 0.1, softness: 0.3, density: 1}]\n",
                   "s.yaml:1:72: 'softness' is wider than the emitter, which is thin everywhere (make it smaller)");
}

/** The keys of the picture, alone and with overrides, as the options of the program set them. */
static void test_integrator(void **state)
{
    (void)state;
    static const char *const path[] = {"image.integrator=path"};
    static const char *const march[] = {"image.integrator=march"};
    BrumeScene *scene = load_text("image: {integrator: path, noise: 0.02, denoise: true, bounces: 5}\n", NULL, 0);
    assert_int_equal(scene->integrator, BRUME_INTEGRATOR_PATH);
    assert_int_equal(scene->samples, 256);
    expect_near("noise", (double)scene->noise, 0.02, 1e-9);
    assert_true(scene->denoise);
    assert_int_equal(scene->bounces, 5);
    brume_scene_destroy(scene);

    // the other integrator: its default of samples, and nothing of the path tracer
    scene = load_text("image: {integrator: path, noise: 0.02, denoise: true, bounces: 5}\n", march, 1);
    assert_int_equal(scene->integrator, BRUME_INTEGRATOR_MARCH);
    assert_int_equal(scene->samples, 4);
    expect_near("noise", (double)scene->noise, 0.0, 0.0);
    assert_false(scene->denoise);
    assert_int_equal(scene->bounces, 1000);
    brume_scene_destroy(scene);

    scene = load_text("image: {samples: 9}\n", path, 1);
    assert_int_equal(scene->integrator, BRUME_INTEGRATOR_PATH);
    assert_int_equal(scene->samples, 9);
    brume_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orthographic_camera),
        cmocka_unit_test(test_focus),
        cmocka_unit_test(test_f_number),
        cmocka_unit_test(test_turntable),
        cmocka_unit_test(test_shutter),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_streamlines),
        cmocka_unit_test(test_full_box),
        cmocka_unit_test(test_full_flow),
        cmocka_unit_test(test_full_sources),
        cmocka_unit_test(test_full_render_settings),
        cmocka_unit_test(test_integrator),
        cmocka_unit_test(test_resolution),
        cmocka_unit_test(test_ground_follows_the_box),
        cmocka_unit_test(test_colors_in_use),
        cmocka_unit_test(test_every_scene_loads),
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_decimal_comma),
        cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

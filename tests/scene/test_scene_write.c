/*
 * Round trips: a written scene is read to the same bits and written to the same text again. Tested with all scenes of
 * scenes/ and with random scenes that have every key.
 */
#include "same_scene.h"
#include "scene_support.h"

#include "core/memory.h"

#include <dirent.h>

enum { SCENE_BYTES = 1 << 20, RANDOM_SCENES = 200 };

static void expect_same_scene(const char *what, const BrumeScene *a, const BrumeScene *b)
{
    const char *const difference = scene_difference(a, b);
    if (difference) {
        fail_msg("%s: %s is not the same", what, difference);
    }
}

static char *write_scene(const BrumeScene *scene, const char *comment)
{
    char *text = NULL;
    BrumeError error;
    if (brume_scene_write(scene, comment, &text, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return text;
}

/** Loads a text; prints it where that fails. */
static BrumeScene *load_written(const char *what, const char *text)
{
    char path[64];
    make_temporary(path);
    write_bytes(path, text, strlen(text));
    BrumeScene *scene = NULL;
    BrumeError error;
    const BrumeStatus status = brume_scene_load(&scene, path, NULL, 0, text_readers, &error);
    (void)unlink(path);
    if (status != BRUME_OK) {
        fail_msg("%s: %s\n%s", what, error.text, text);
    }
    return scene;
}

static void expect_round_trip(const char *what, const BrumeScene *scene)
{
    char *const text = write_scene(scene, "A comment\nof two lines");
    BrumeScene *const again = load_written(what, text);
    expect_same_scene(what, scene, again);
    char *const second = write_scene(again, "A comment\nof two lines");
    assert_string_equal(second, text);
    brume_scene_destroy(again);
    brume_free(second);
    brume_free(text);
}

static void test_every_scene(void **state)
{
    (void)state;
    text_readers = &one_value_readers;
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
        assert_int_equal(brume_scene_load(&scene, path, NULL, 0, text_readers, &error), BRUME_OK);
        expect_round_trip(entry->d_name, scene);
        brume_scene_destroy(scene);
        count++;
    }
    (void)closedir(entries);
    text_readers = NULL;
    assert_true(count >= 6);
}

/** Sides of whole cells that are below the least `size`: one cell, and a side that was rounded down. */
static void test_small_sides(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "domain: {boundaries: {z: periodic}}\nsolver: {resolution: [128, 128, 1]}\n",
        "domain: {size: [0.01, 0.01, 1], boundaries: {y: periodic}}\nsolver: {resolution: [8, 1, 800]}\n",
        "domain: {size: [1, 0.01, 1]}\nsolver: {resolution: 4040}\n", // 40.4 cells along y
    };
    for (size_t n = 0; n < sizeof texts / sizeof texts[0]; n++) {
        BrumeScene *const scene = load_text(texts[n], NULL, 0);
        expect_round_trip(texts[n], scene);
        brume_scene_destroy(scene);
    }
}

/** Values at the ends of their ranges, which fuzzing has found not to be written or not to be read as they were. */
static void test_extreme_values(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "name: \"\"\n",
        "lights: [{kind: sun, direction: [1.0e-20, 0, 3.0e-20]}]\n",
        "lights: [{kind: sun, direction: [0, -1.0e-40, 0]}]\n",
        "image: {integrator: path}\n",
        "image: {integrator: path, samples: 4}\n", // the default of the other integrator
        "image: {integrator: march, samples: 256, noise: 0.5, denoise: true, bounces: 3}\n",
        "image: {integrator: path, denoise: true}\n",
    };
    for (size_t n = 0; n < sizeof texts / sizeof texts[0]; n++) {
        BrumeScene *const scene = load_text(texts[n], NULL, 0);
        expect_round_trip(texts[n], scene);
        brume_scene_destroy(scene);
    }
    BrumeScene *const scene = load_text(texts[1], NULL, 0);
    const BrumeVec3 direction = scene->render_settings.lights[0].direction;
    expect_near("direction x", (double)direction.x, 0.316227766, 1e-7);
    expect_near("direction z", (double)direction.z, 0.948683298, 1e-7);
    brume_scene_destroy(scene);
}

/** The text of a random scene so far, and the state of the random numbers. */
typedef struct RandomScene {
    uint64_t state;
    char *text;
    size_t used;
} RandomScene;

static uint32_t next_random(RandomScene *random)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random->state >> 33);
}

static int pick(RandomScene *random, int count) { return (int)(next_random(random) % (uint32_t)count); }

static double number(RandomScene *random, double from, double to)
{
    return from + (to - from) * ((double)next_random(random) / 2147483648.0);
}

static void add(RandomScene *random, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(RandomScene *random, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(random->text + random->used, SCENE_BYTES - random->used, format, args);
    va_end(args);
    assert_true(size >= 0 && random->used + (size_t)size < SCENE_BYTES);
    random->used += (size_t)size;
}

/** A key with a number of few or many digits; absent in every other case. */
static void add_number(RandomScene *random, const char *key, double from, double to)
{
    if (pick(random, 2)) {
        add(random, "%s: %.*g, ", key, 4 + 6 * pick(random, 3), number(random, from, to));
    }
}

static void add_vector(RandomScene *random, const char *key, double from, double to)
{
    const int digits = 3 + 7 * pick(random, 2);
    add(random, "%s: [%.*g, %.*g, %.*g], ", key, digits, number(random, from, to), digits, number(random, from, to),
        digits, number(random, from, to));
}

static void maybe_vector(RandomScene *random, const char *key, double from, double to)
{
    if (pick(random, 2)) {
        add_vector(random, key, from, to);
    }
}

static void add_color(RandomScene *random, const char *key, double max)
{
    if (pick(random, 2)) {
        add_number(random, key, 0.0, max);
    } else {
        add_vector(random, key, 0.0, max);
    }
}

// 2 to 16 points up to about `to`
static void add_curve(RandomScene *random, const char *key, double to)
{
    if (pick(random, 2)) {
        return;
    }
    const int points = 2 + pick(random, BRUME_MAX_CURVE_POINTS - 1);
    add(random, "curve: {interpolation: %s, points: [", pick(random, 2) ? "linear" : "smooth");
    for (int n = 0; n < points; n++) {
        add(random, "{%s: %.9g, factor: %.9g}, ", key, to * (n + number(random, 0.0, 0.9)) / points,
            number(random, 0.0, 3.0));
    }
    add(random, "]}, ");
}

// openings lie within every face of the random boxes
static void add_profile(RandomScene *random)
{
    static const char *const profiles[] = {"uniform", "parabolic", "tanh"};
    const int profile = pick(random, 3);
    add(random, "profile: %s, ", profiles[profile]);
    if (profile == 2) {
        add(random, "thickness: %.9g, ", number(random, 0.01, 0.3));
    }
    if (pick(random, 2)) {
        add(random, "slip: %s, opening: {", pick(random, 2) ? "free" : "no");
        add_vector(random, "center", 0.4, 0.5);
        const double radius = number(random, 0.36, 0.39); // above half the diagonal of the largest cell
        const bool round = pick(random, 2);
        add(random, "%s: %.9g}, ", round ? "radius" : "size", round ? radius : 2.0 * radius);
    }
}

static void add_face(RandomScene *random, const char *key, char along)
{
    switch (pick(random, 6)) {
    case 0:
        add(random, "%s: open, ", key);
        break;
    case 1:
        add(random, "%s: {kind: inflow, ", key);
        add_vector(random, "velocity", -2.0, 2.0);
        add_number(random, "temperature", -20.0, 20.0);
        add_number(random, "density", 0.0, 1.0);
        add_number(random, "color_2", 0.0, 1.0);
        add_profile(random);
        add(random, "}, ");
        break;
    case 2:
        add(random, "%s: {slip: no, velocity: [%.9g, %.9g, %.9g]}, ", key,
            along == 'x' ? 0.0 : number(random, -1.0, 1.0), along == 'y' ? 0.0 : number(random, -1.0, 1.0),
            along == 'z' ? 0.0 : number(random, -1.0, 1.0));
        break;
    case 3:
        add(random, "%s: {kind: wall, ", key);
        add_number(random, pick(random, 2) ? "temperature" : "heat_flux", -20.0, 90.0);
        add(random, "}, ");
        break;
    default:
        break;
    }
}

static void add_domain(RandomScene *random)
{
    add(random, "domain: {");
    if (pick(random, 3)) {
        add(random, "size: [%.*g, %.*g, %.*g], ", 2 + 6 * pick(random, 3), number(random, 2.0, 4.0), 3,
            number(random, 2.0, 4.0), 17, number(random, 2.0, 4.0));
    } else {
        add(random, "size: %.6g, ", number(random, 2.0, 4.0));
    }
    maybe_vector(random, "origin", -0.5, 0.0);
    add(random, "boundaries: {");
    if (pick(random, 8) == 0) {
        add(random, "all: %s}}\n", pick(random, 2) ? "open" : "periodic");
        return;
    }
    const bool open_x = pick(random, 3) != 0;
    if (!open_x) {
        add(random, "x: periodic, ");
    } else {
        add_face(random, "x_min", 'x');
        add(random, "x_max: open, "); // what inflows bring may leave
    }
    add_face(random, "y_min", 'y');
    add_face(random, "y_max", 'y');
    if (open_x && pick(random, 3) == 0) {
        add(random, "z: {slip: no, temperature: %.6g}, ", number(random, 0.0, 9.0));
    } else {
        add_face(random, "z_min", 'z');
        add(random, "z_max: open");
    }
    add(random, "}}\n");
}

static void add_solver(RandomScene *random)
{
    static const char *const pressures[] = {"mgpcg", "multigrid", "cg", "relaxation", "auto"};
    add(random, "solver: {resolution: %d, ", 8 + pick(random, 120));
    add(random, "advection: %s, ", pick(random, 2) ? "maccormack" : "semi-lagrangian");
    add(random, "trace_order: %d, pressure: %s, ", 2 + pick(random, 2), pressures[pick(random, 4)]);
    add(random, "kernels: %s, ", pick(random, 2) ? "fast" : "reference");
    add_number(random, "tolerance", 1e-6, 0.1);
    add_number(random, "over_relaxation", 0.2, 1.9);
    add_number(random, "cfl", 0.2, 10.0);
    add_number(random, "texture_period", 0.1, 5.0);
    add(random, "max_iterations: %d, min_steps: %d, max_steps: %d, seed: %u}\n", 1 + pick(random, 300),
        1 + pick(random, 3), 3 + pick(random, 20), (unsigned)next_random(random) * 2u);
}

static void add_flow(RandomScene *random, double fps)
{
    add(random, "time: {fps: %.9g, frames: %d}\nair: {", fps, 1 + pick(random, 300));
    add_number(random, "viscosity", 0.0, 1e-3);
    add_number(random, "thermal_diffusivity", 0.0, 1e-3);
    add_number(random, "thermal_expansion", 0.0, 0.01);
    add_number(random, "cooling", 0.0, 1.0);
    add_number(random, "vorticity_confinement", 0.0, 1.0);
    maybe_vector(random, "gravity", -10.0, 10.0);
    maybe_vector(random, "wind", -1.0, 1.0);
    add_number(random, "drag", 0.0, 1.0);
    add(random, "}\nsmoke: {");
    for (int kind = 0; kind < 4; kind++) {
        static const char *const names[] = {"density", "color_1", "color_2", "color_3"};
        if (pick(random, 3) == 0) {
            add(random, "%s: {", names[kind]);
            add_number(random, "weight", -1.0, 1.0);
            add_number(random, "dissipation", 0.0, 1.0);
            add_number(random, "diffusivity", 0.0, 1e-3);
            add_number(random, "extinction", 0.0, 90.0);
            add_curve(random, "density", 3.0);
            add_color(random, "albedo", 1.0);
            add(random, "}, ");
        }
    }
    add(random, "}\n");
}

static void add_shape(RandomScene *random)
{
    switch (pick(random, 5)) {
    case 0:
        add(random, "shape: sphere, ");
        add_vector(random, "center", 0.1, 0.9);
        break;
    case 1:
        add(random, "shape: box, ");
        add_vector(random, "center", 0.1, 0.9);
        add_vector(random, "size", 0.1, 0.9);
        return;
    case 2:
        add(random, "shape: box, ");
        add_vector(random, "from", 0.5, 0.9);
        add_vector(random, "to", 0.1, 0.4);
        return;
    default:
        add(random, "shape: %s, ", pick(random, 2) ? "cylinder" : "capsule");
        add_vector(random, "from", 0.5, 0.9);
        add_vector(random, "to", 0.1, 0.4);
        break;
    }
    add(random, "radius: %.9g, ", number(random, 0.01, 0.4));
}

static void add_emitter(RandomScene *random)
{
    add(random, "{");
    add_shape(random);
    if (pick(random, 3) == 0) {
        add(random, "start: %.4g, end: %.9g, ", number(random, 0.0, 1.0), number(random, 1.5, 3.0));
    }
    add(random, "%s: %.4g, ", pick(random, 2) ? "density" : "density_rate",
        pick(random, 4) ? number(random, 0.0, 2.0) : 0.0);
    add_number(random, pick(random, 2) ? "color_1" : "color_1_rate", 0.0, 2.0);
    if (pick(random, 3) == 0) {
        add_number(random, pick(random, 2) ? "color_2" : "color_3_rate", 0.0, 2.0);
    }
    add_number(random, pick(random, 2) ? "temperature" : "temperature_rate", -100.0, 200.0);
    maybe_vector(random, pick(random, 2) ? "velocity" : "acceleration", -3.0, 3.0);
    if (pick(random, 2)) {
        add(random, "noise: {");
        add_number(random, "amount", 0.0, 1.0);
        add_number(random, "scale", 0.01, 1.0);
        add_number(random, "speed", 0.0, 9.0);
        add(random, "}");
    }
    add(random, "}");
}

static void add_kind_of_light(RandomScene *random, int kind)
{
    if (kind == 0) {
        add(random, "kind: point, ");
        add_vector(random, "position", -9.0, 9.0);
        return;
    }
    if (kind == 2) {
        add(random, "kind: rectangle, ");
        add_vector(random, "position", -9.0, 9.0);
        add_vector(random, pick(random, 2) ? "direction" : "target", -9.0, 9.0);
        maybe_vector(random, "up", -9.0, 9.0);
        add_number(random, "width", 0.1, 9.0);
        add_number(random, "height", 0.1, 9.0);
        return;
    }
    if (kind == 1) {
        add(random, "kind: spot, ");
        add_vector(random, "position", -9.0, 9.0);
        add_vector(random, pick(random, 2) ? "direction" : "target", -9.0, 9.0);
        add_number(random, "angle", 1.0, 180.0);
        add_number(random, "blend", 0.0, 1.0);
        return;
    }
    if (pick(random, 2)) {
        add_vector(random, "direction", -9.0, 9.0);
    } else {
        add_number(random, "azimuth", -180.0, 180.0);
        add_number(random, "elevation", -90.0, 90.0);
    }
    add_number(random, "angle", 0.0, 180.0);
}

static void add_render_settings(RandomScene *random)
{
    if (pick(random, 3)) {
        const int lights = pick(random, 4);
        add(random, "lights: [");
        for (int n = 0; n < lights; n++) {
            add(random, "{");
            add_kind_of_light(random, pick(random, 5));
            if (pick(random, 2)) {
                add_color(random, "color", 9.0);
            } else {
                add_number(random, "temperature", 1000.0, 40000.0);
            }
            add_number(random, "intensity", 0.0, 9.0);
            add(random, "}, ");
        }
        add(random, "]\n");
    }
    add(random, "render: {");
    add_number(random, "anisotropy", -0.9, 0.9);
    add_number(random, "exposure", -3.0, 3.0);
    add_number(random, "step", 0.1, 3.0);
    add_color(random, "sky_zenith", 1.0);
    add_color(random, "sky_horizon", 1.0);
    add(random, "interpolation: %s, ", pick(random, 2) ? "linear" : "cubic");
    add(random, "detail: {factor: %d, ", 1 + pick(random, 4));
    add_number(random, "strength", 0.0, 9.0);
    add(random, "scale: %d}, ", 1 + pick(random, 8));
    static const char *const phases[] = {"henyey_greenstein", "two_lobes", "droplets"};
    if (pick(random, 2)) {
        add(random, "phase: %s, lobes: {", phases[pick(random, 3)]);
        add_number(random, "forward", -0.9, 0.9);
        add_number(random, "backward", -0.9, 0.9);
        add_number(random, "share", 0.0, 1.0);
        add(random, "}, ");
        add_number(random, "droplet_diameter", 5.0, 50.0);
    }
    if (pick(random, 2)) {
        add(random, "emission: {");
        add_number(random, "intensity", 0.0, 9.0);
        add_number(random, "ambient", 200.0, 900.0);
        add_number(random, "temperature_scale", 0.0, 50.0);
        add_curve(random, "temperature", 2000.0);
        add(random, "}, ");
    }
    if (pick(random, 2)) {
        add(random, "sky: {kind: %s, ", pick(random, 2) ? "constant" : "daylight");
        add_color(random, "radiance", 9.0);
        add_number(random, "turbidity", 1.0, 10.0);
        add_number(random, "intensity", 0.0, 9.0);
        add(random, "sun_elevation: %d, sun_azimuth: %d}, ", pick(random, 80), pick(random, 180));
    }
    const bool ground = pick(random, 2) != 0;
    add(random, "tone: %s, ground: {visible: %s, catcher: %s, ", pick(random, 2) ? "filmic" : "linear",
        ground ? "true" : "false", ground && pick(random, 2) ? "true" : "false");
    add_number(random, "height", -1.0, 1.0);
    add_color(random, "albedo", 1.0);
    add(random, "}}\nimage: {width: %d, height: %d, samples: %d, integrator: %s, bounces: %d, ", 1 + pick(random, 2000),
        1 + pick(random, 2000), 1 + pick(random, 9), pick(random, 2) ? "path" : "march", pick(random, 9));
    add(random, "background: %s, bits: %d, ", pick(random, 2) ? "sky" : "transparent", 8 << pick(random, 3));
    add_number(random, "noise", 0.0, 1.0);
    add(random, "}\n");
}

static void add_lens(RandomScene *random)
{
    if (pick(random, 2)) {
        add_number(random, "lens_radius", 0.0, 0.5);
    }
    if (pick(random, 3) == 0) {
        add_number(random, "focus_distance", 1.0, 9.0);
    }
}

static void add_camera(RandomScene *random)
{
    const char *const size = pick(random, 2) ? "field_of_view" : "height";
    add(random, "camera: {shutter: %s, turntable: %s, projection: %s, ", pick(random, 2) ? "0.5" : "0",
        pick(random, 2) ? "-8" : "0", size[0] == 'f' ? "perspective" : "orthographic");
    if (pick(random, 2)) {
        maybe_vector(random, "position", 3.0, 9.0);
        maybe_vector(random, "target", -1.0, 1.0);
        add_number(random, size, 10.0, 90.0);
        add_lens(random);
        add(random, "}\n");
        return;
    }
    const int keys = 1 + pick(random, 5);
    add(random, "keys: [");
    for (int n = 0; n < keys; n++) {
        add(random, "{time: %.17g, ", n + number(random, 0.0, 0.9));
        maybe_vector(random, "position", 3.0, 9.0);
        maybe_vector(random, "target", -1.0, 1.0);
        add_number(random, size, 10.0, 90.0);
        add_lens(random);
        add(random, "}, ");
    }
    add(random, "]}\n");
}

static void add_strokes(RandomScene *random, double start, double end)
{
    const int count = 1 + pick(random, 4);
    add(random, "    strokes:\n");
    for (int n = 0; n < count; n++) {
        const double span = (end - start) / count;
        add(random, "      - {end: %.17g, ", start + span * (n + 1));
        if (n == 0 || pick(random, 3) == 0) {
            add(random, "start: %.17g, ", start + span * n);
            add_vector(random, "from", 0.0, 1.0);
        }
        add_vector(random, "to", 0.0, 1.0);
        maybe_vector(random, "from_slope", -1.0, 1.0);
        maybe_vector(random, "to_slope", -1.0, 1.0);
        if (n == 0 || pick(random, 3) == 0) {
            add(random, "radius: %.9g, ", number(random, 0.01, 0.2));
        }
        add_number(random, "density", 0.0, 2.0);
        if (pick(random, 3) == 0) {
            add_number(random, pick(random, 2) ? "color_1" : "color_3", 0.0, 2.0);
        }
        add_number(random, "temperature", 0.0, 90.0);
        if (pick(random, 4) == 0) {
            add_number(random, "erase", 0.0, 2.0);
        }
        add_number(random, "push", 0.0, 90.0);
        maybe_vector(random, "velocity", -9.0, 9.0);
        if (pick(random, 3) == 0) {
            add_number(random, pick(random, 2) ? "suck" : "twist", -9.0, 9.0);
            add_vector(random, "axis", 0.1, 1.0);
        }
        add(random, "}\n");
    }
}

/** A change of settings, of which none equals its previous value. */
static void add_set(RandomScene *random, int change, int emitters)
{
    add(random, "    set: {air.drag: %.9g, ", 2.0 + change + number(random, 0.0, 0.9));
    if (pick(random, 2)) {
        add(random, "solver.resolution: %d, ", 8 + pick(random, 90));
    }
    if (pick(random, 3) == 0) {
        add(random, "solver: {cfl: %.4g}, ", number(random, 1.0, 4.0));
    }
    if (pick(random, 3) == 0) {
        add(random, "smoke.color_2.dissipation: %.9g, smoke.density: {weight: 0.5}, ", number(random, 0.0, 1.0));
    }
    if (pick(random, 3) == 0) {
        add(random, "domain.boundaries.y: {kind: wall, temperature: %.4g}, ", number(random, 1.0, 9.0));
    }
    if (pick(random, 4) == 0) {
        add(random, "domain.size: %.9g, ", number(random, 2.0, 4.0));
    }
    if (pick(random, 4) == 0) {
        add(random, "emitters: [], ");
    } else if (emitters > 0 && pick(random, 2)) {
        add(random, "emitters: [");
        add_emitter(random);
        add(random, "], emitters.0.noise.amount: %.9g, ", number(random, 0.0, 1.0));
    }
    add(random, "}\n");
}

static void add_timeline(RandomScene *random, int emitters, int bodies, double fps)
{
    const int changes = 1 + pick(random, 8);
    int frame = pick(random, 3);
    add(random, "timeline:\n");
    for (int n = 0; n < changes; n++, frame += 1 + pick(random, 5)) {
        const int parts = 1 + pick(random, 7);
        add(random, "  - frame: %d\n", frame);
        if (parts & 1) {
            add_set(random, n, emitters);
        }
        if ((parts & 2) || parts == 4) {
            add_strokes(random, frame / fps, (frame + 1) / fps);
        }
        if ((parts & 4) && bodies > 0) {
            add(random, "    moves: [{body: %d, ", pick(random, bodies));
            add_vector(random, "velocity", -2.0, 2.0);
            add(random, "}]\n");
        }
    }
}

static void add_scene(RandomScene *random, int seed)
{
    const int emitters = pick(random, 4);
    const int bodies = pick(random, 3);
    const double fps = (double)(float)number(random, 10.0, 60.0);
    static const char *const names[] = {"plain", "\"a: b # c\"", "\"\\\"quoted\\\" \\\\ \\u2028\\xe9\"", "'123'",
                                        "\"null\""};
    add(random, "name: %s\n", names[seed % 5]);
    add_domain(random);
    add_solver(random);
    add_flow(random, fps);
    add(random, "emitters: [");
    for (int n = 0; n < emitters; n++) {
        add_emitter(random);
        add(random, ", ");
    }
    add(random, "]\nbodies: [");
    static const char *const slips[] = {"auto", "free", "no"};
    for (int n = 0; n < bodies; n++) {
        add(random, "{");
        add_shape(random);
        add_color(random, "albedo", 1.0);
        add(random, "slip: %s, ", slips[pick(random, 3)]);
        add(random, "visible: %s}, ", pick(random, 3) ? "true" : "false");
    }
    add(random, "]\n");
    add_camera(random);
    add_render_settings(random);
    if (seed % 4) {
        add_timeline(random, emitters, bodies, fps);
    }
}

static void test_random_scenes(void **state)
{
    (void)state;
    char *const text = malloc(SCENE_BYTES);
    assert_non_null(text);
    for (int seed = 0; seed < RANDOM_SCENES; seed++) {
        char what[32];
        (void)snprintf(what, sizeof what, "seed %d", seed);
        RandomScene random = {.state = (uint64_t)seed * 7919u + 1u, .text = text};
        add_scene(&random, seed);
        BrumeScene *const scene = load_written(what, text);
        expect_round_trip(what, scene);
        brume_scene_destroy(scene);
    }
    free(text);
}

static void test_all_emitters_change(void **state)
{
    (void)state;
    // the whole list is shorter than hundreds of paths
    char *const text = malloc(SCENE_BYTES);
    assert_non_null(text);
    RandomScene random = {.state = 5, .text = text};
    for (int turn = 0; turn < 2; turn++) {
        add(&random, turn == 0 ? "emitters: [" : "timeline: [{frame: 1, set: {emitters: [");
        for (int n = 0; n < BRUME_MAX_EMITTERS; n++) {
            add(&random, "{shape: sphere, center: [0, 0.%d, 0], radius: 0.%d, start: 0.%d, end: 9.%d, density: 1.%d, ",
                turn + 3, turn + 1, turn + 1, turn, turn);
            add(&random, "color_1: 1.%d, color_2: 1.%d, color_3: 1.%d, temperature: 9%d, velocity: [0, %d, 0], ", turn,
                turn, turn, turn, turn);
            add(&random, "noise: {amount: 0.%d, scale: 0.%d, speed: %d}}, ", turn + 1, turn + 1, turn);
        }
        add(&random, turn == 0 ? "]\n" : "]}}]\n");
    }
    BrumeScene *const scene = load_written("64 emitters", text);
    expect_round_trip("64 emitters", scene);
    char *const written = write_scene(scene, NULL);
    assert_non_null(strstr(written, "    set: {emitters: [{shape: sphere, "));
    brume_free(written);
    brume_scene_destroy(scene);
    free(text);
}

/** A stroke of fuel, and the settings with which it burns from then on. */
static void test_fuel(void **state)
{
    (void)state;
    BrumeScene *const scene = load_text("timeline:\n"
                                        "  - frame: 24\n"
                                        "    set: {fire.model: mixing}\n"
                                        "    strokes: [{start: 1, end: 1.04, from: [0, 0.5, 0], to: [0.1, 0.6, 0], "
                                        "radius: 0.1, fuel: 0.2, temperature: 60}]\n",
                                        NULL, 0);
    assert_int_equal(scene->timeline.changes[0].settings->fire.model, BRUME_FIRE_MIXING);
    expect_near("fuel", (double)scene->timeline.changes[0].strokes[0].fuel, 0.2, 1e-7);
    expect_round_trip("fuel", scene);
    brume_scene_destroy(scene);
}

static void test_text(void **state)
{
    (void)state;
    BrumeScene *const scene = load_text("name: Stroked\n"
                                        "solver: {resolution: 32}\n"
                                        "emitters: [{shape: sphere, center: [0, 0.15, 0], radius: 0.1, density: 1}]\n"
                                        "bodies: [{shape: sphere, center: [0, 0.7, 0], radius: 0.15}]\n"
                                        "timeline:\n"
                                        "  - {frame: 24, set: {solver.resolution: 48, emitters.0.temperature: 90}}\n"
                                        "  - frame: 25\n"
                                        "    moves: [{body: 0, velocity: [0.5, 0, 0]}]\n"
                                        "    strokes:\n"
                                        "      - {start: 1.05, end: 1.06, from: [0, 0.5, 0], to: [0.1, 0.6, 0],\n"
                                        "         radius: 0.08, color_1: 1}\n"
                                        "      - {end: 1.08, to: [0.3, 0.6, 0]}\n",
                                        NULL, 0);
    char *const text = write_scene(scene, "Written by hand");
    assert_string_equal(text, "# Written by hand\n"
                              "name: Stroked\n"
                              "domain: {origin: [-0.5, 0, -0.5]}\n"
                              "solver: {resolution: 32}\n"
                              "smoke: {color_1: {}}\n"
                              "\n"
                              "emitters:\n"
                              "  - {shape: sphere, center: [0, 0.15, 0], radius: 0.1, density: 1}\n"
                              "\n"
                              "bodies:\n"
                              "  - {shape: sphere, center: [0, 0.7, 0], radius: 0.15}\n"
                              "\n"
                              "timeline:\n"
                              "  - frame: 24\n"
                              "    set: {solver.resolution: 48, emitters.0.temperature: 90}\n"
                              "  - frame: 25\n"
                              "    strokes:\n"
                              "      - {start: 1.05, end: 1.06, from: [0, 0.5, 0], to: [0.1, 0.6, 0], radius: 0.08, "
                              "color_1: 1}\n"
                              "      - {end: 1.08, to: [0.3, 0.6, 0]}\n"
                              "    moves: [{body: 0, velocity: [0.5, 0, 0]}]\n");
    brume_free(text);
    brume_scene_destroy(scene);
}

/** A scene without a name in which all values are the defaults is a map without keys. */
static void test_all_defaults(void **state)
{
    (void)state;
    BrumeScene *const scene = load_text("name: \"\"\n", NULL, 0);
    assert_int_equal(strncmp(scene->name, "brume-scene-", 12), 0); // of the file
    scene->name[0] = '\0';
    const size_t padding = offsetof(BrumeLight, daylight) + sizeof(bool);
    memset((char *)scene->render_settings.lights + padding, 0xff, sizeof(BrumeLight) - padding); // is no value
    char *const text = write_scene(scene, NULL);
    assert_string_equal(text, "{}\n");
    brume_free(text);
    char *const commented = write_scene(scene, "A comment");
    assert_string_equal(commented, "# A comment\n{}\n");
    BrumeScene *const again = load_written("all defaults", commented);
    again->name[0] = '\0';
    expect_same_scene("all defaults", scene, again);
    brume_scene_destroy(again);
    brume_free(commented);
    brume_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_scene),
        cmocka_unit_test(test_small_sides),
        cmocka_unit_test(test_extreme_values),
        cmocka_unit_test(test_random_scenes),
        cmocka_unit_test(test_all_emitters_change),
        cmocka_unit_test(test_fuel),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_all_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

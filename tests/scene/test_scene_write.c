/*
 * Round trips: a written scene is read to the same bits and written to the same text again. Tested with all scenes of
 * scenes/ and with random scenes that have every key.
 */
#include "scene_support.h"

#include "core/memory.h"

#include <dirent.h>

enum { SCENE_BYTES = 1 << 20, RANDOM_SCENES = 200 };

#define SAME(what, a, b)                                                                                               \
    do {                                                                                                               \
        if (memcmp(&(a), &(b), sizeof(a)) != 0) {                                                                      \
            fail_msg("%s: %s is not the same", what, #a);                                                              \
        }                                                                                                              \
    } while (0)

static void expect_same_shape(const char *what, const BrumeShape *a, const BrumeShape *b)
{
    SAME(what, a->kind, b->kind);
    SAME(what, a->a, b->a);
    SAME(what, a->b, b->b);
    SAME(what, a->radius, b->radius);
}

static void expect_same_source(const char *what, const BrumeSource *a, const BrumeSource *b)
{
    SAME(what, a->mode, b->mode);
    SAME(what, a->value, b->value);
}

static void expect_same_emitter(const char *what, const BrumeEmitterDef *a, const BrumeEmitterDef *b)
{
    expect_same_shape(what, &a->shape, &b->shape);
    SAME(what, a->start, b->start);
    SAME(what, a->end, b->end);
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        expect_same_source(what, &a->smoke[kind], &b->smoke[kind]);
    }
    expect_same_source(what, &a->temperature, &b->temperature);
    SAME(what, a->velocity.mode, b->velocity.mode);
    SAME(what, a->velocity.value, b->velocity.value);
    SAME(what, a->noise, b->noise);
    SAME(what, a->noise_scale, b->noise_scale);
    SAME(what, a->noise_speed, b->noise_speed);
}

static void expect_same_face(const char *what, const BrumeFaceDef *a, const BrumeFaceDef *b)
{
    SAME(what, a->kind, b->kind);
    SAME(what, a->no_slip, b->no_slip);
    SAME(what, a->fixed_temperature, b->fixed_temperature);
    SAME(what, a->velocity, b->velocity);
    SAME(what, a->temperature, b->temperature);
    SAME(what, a->smoke, b->smoke);
    SAME(what, a->heat_flux, b->heat_flux);
    SAME(what, a->profile, b->profile);
    SAME(what, a->opening.kind, b->opening.kind);
    if (a->profile == BRUME_INFLOW_TANH) {
        SAME(what, a->thickness, b->thickness);
    }
    if (a->opening.kind != BRUME_OPENING_FACE) {
        SAME(what, a->opening.center, b->opening.center);
    }
    if (a->opening.kind == BRUME_OPENING_ROUND) {
        SAME(what, a->opening.radius, b->opening.radius);
    } else if (a->opening.kind == BRUME_OPENING_RECTANGLE) {
        SAME(what, a->opening.size, b->opening.size);
    }
}

static void expect_same_settings(const char *what, const BrumeSimDef *a, const BrumeSimDef *b)
{
    SAME(what, a->nx, b->nx);
    SAME(what, a->ny, b->ny);
    SAME(what, a->nz, b->nz);
    SAME(what, a->dx, b->dx);
    SAME(what, a->origin, b->origin);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        expect_same_face(what, &a->faces[face], &b->faces[face]);
    }
    SAME(what, a->obstacle_count, b->obstacle_count);
    for (int n = 0; n < a->obstacle_count; n++) {
        expect_same_shape(what, &a->obstacles[n].shape, &b->obstacles[n].shape);
        SAME(what, a->obstacles[n].slip, b->obstacles[n].slip);
        SAME(what, a->obstacles[n].fixed_temperature, b->obstacles[n].fixed_temperature);
        if (a->obstacles[n].fixed_temperature) {
            SAME(what, a->obstacles[n].temperature, b->obstacles[n].temperature);
        }
    }
    SAME(what, a->emitter_count, b->emitter_count);
    for (int n = 0; n < a->emitter_count; n++) {
        expect_same_emitter(what, &a->emitters[n], &b->emitters[n]);
    }
    SAME(what, a->gravity, b->gravity);
    SAME(what, a->thermal_expansion, b->thermal_expansion);
    SAME(what, a->vorticity_confinement, b->vorticity_confinement);
    SAME(what, a->wind, b->wind);
    SAME(what, a->drag, b->drag);
    SAME(what, a->viscosity, b->viscosity);
    SAME(what, a->thermal_diffusivity, b->thermal_diffusivity);
    SAME(what, a->cooling, b->cooling);
    SAME(what, a->color_count, b->color_count);
    SAME(what, a->smoke, b->smoke);
    SAME(what, a->fps, b->fps);
    SAME(what, a->cfl, b->cfl);
    SAME(what, a->min_steps, b->min_steps);
    SAME(what, a->max_steps, b->max_steps);
    assert_string_equal(a->advection, b->advection);
    SAME(what, a->trace_order, b->trace_order);
    assert_string_equal(a->pressure, b->pressure);
    SAME(what, a->tolerance, b->tolerance);
    SAME(what, a->max_iterations, b->max_iterations);
    SAME(what, a->over_relaxation, b->over_relaxation);
    SAME(what, a->seed, b->seed);
    assert_string_equal(a->kernels, b->kernels);
}

static void expect_same_render_settings(const char *what, const BrumeRenderSettings *a, const BrumeRenderSettings *b)
{
    SAME(what, a->smoke, b->smoke);
    SAME(what, a->anisotropy, b->anisotropy);
    SAME(what, a->light_count, b->light_count);
    for (int n = 0; n < a->light_count; n++) {
        SAME(what, a->lights[n].kind, b->lights[n].kind);
        SAME(what, a->lights[n].direction, b->lights[n].direction);
        SAME(what, a->lights[n].position, b->lights[n].position);
        SAME(what, a->lights[n].color, b->lights[n].color);
        SAME(what, a->lights[n].intensity, b->lights[n].intensity);
    }
    SAME(what, a->sky_zenith, b->sky_zenith);
    SAME(what, a->sky_horizon, b->sky_horizon);
    SAME(what, a->ground, b->ground);
    SAME(what, a->ground_height, b->ground_height);
    SAME(what, a->ground_albedo, b->ground_albedo);
    SAME(what, a->surface_count, b->surface_count);
    for (int n = 0; n < a->surface_count; n++) {
        expect_same_shape(what, &a->surfaces[n].shape, &b->surfaces[n].shape);
        SAME(what, a->surfaces[n].albedo, b->surfaces[n].albedo);
    }
    SAME(what, a->exposure, b->exposure);
    SAME(what, a->tone, b->tone);
    SAME(what, a->step, b->step);
}

static void expect_same_stroke(const char *what, const BrumeStroke *a, const BrumeStroke *b)
{
    SAME(what, a->start, b->start);
    SAME(what, a->end, b->end);
    SAME(what, a->from, b->from);
    SAME(what, a->to, b->to);
    SAME(what, a->from_slope, b->from_slope);
    SAME(what, a->to_slope, b->to_slope);
    SAME(what, a->radius, b->radius);
    SAME(what, a->smoke, b->smoke);
    SAME(what, a->temperature, b->temperature);
    SAME(what, a->push, b->push);
    SAME(what, a->velocity, b->velocity);
}

static void expect_same_timeline(const char *what, const BrumeTimeline *a, const BrumeTimeline *b)
{
    SAME(what, a->count, b->count);
    for (int n = 0; n < a->count; n++) {
        const BrumeChange *const x = &a->changes[n];
        const BrumeChange *const y = &b->changes[n];
        SAME(what, x->frame, y->frame);
        assert_int_equal(x->settings != NULL, y->settings != NULL);
        if (x->settings) {
            expect_same_settings(what, x->settings, y->settings);
        }
        SAME(what, x->stroke_count, y->stroke_count);
        for (int i = 0; i < x->stroke_count; i++) {
            expect_same_stroke(what, &x->strokes[i], &y->strokes[i]);
        }
        SAME(what, x->move_count, y->move_count);
        for (int i = 0; i < x->move_count; i++) {
            SAME(what, x->moves[i].obstacle, y->moves[i].obstacle);
            SAME(what, x->moves[i].velocity, y->moves[i].velocity);
        }
    }
}

static void expect_same_scene(const char *what, const BrumeScene *a, const BrumeScene *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->description, b->description);
    expect_same_settings(what, &a->sim, &b->sim);
    expect_same_timeline(what, &a->timeline, &b->timeline);
    expect_same_render_settings(what, &a->render_settings, &b->render_settings);
    SAME(what, a->surface_of, b->surface_of);
    SAME(what, a->camera_key_count, b->camera_key_count);
    for (int n = 0; n < a->camera_key_count; n++) {
        SAME(what, a->camera_keys[n].time, b->camera_keys[n].time);
        SAME(what, a->camera_keys[n].camera, b->camera_keys[n].camera);
    }
    SAME(what, a->frames, b->frames);
    SAME(what, a->width, b->width);
    SAME(what, a->height, b->height);
    SAME(what, a->samples, b->samples);
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
    const BrumeStatus status = brume_scene_load(&scene, path, NULL, 0, &error);
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
        assert_int_equal(brume_scene_load(&scene, path, NULL, 0, &error), BRUME_OK);
        expect_round_trip(entry->d_name, scene);
        brume_scene_destroy(scene);
        count++;
    }
    (void)closedir(entries);
    assert_true(count >= 6);
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

static void add_render_settings(RandomScene *random)
{
    if (pick(random, 3)) {
        const int lights = pick(random, 4);
        add(random, "lights: [");
        for (int n = 0; n < lights; n++) {
            add(random, "{");
            if (pick(random, 3) == 0) {
                add(random, "kind: point, ");
                add_vector(random, "position", -9.0, 9.0);
            } else if (pick(random, 2)) {
                add_vector(random, "direction", -9.0, 9.0);
            } else {
                add_number(random, "azimuth", -180.0, 180.0);
                add_number(random, "elevation", -90.0, 90.0);
            }
            add_color(random, "color", 9.0);
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
    add(random, "tone: %s, ground: {visible: %s, ", pick(random, 2) ? "filmic" : "linear",
        pick(random, 2) ? "true" : "false");
    add_number(random, "height", -1.0, 1.0);
    add_color(random, "albedo", 1.0);
    add(random, "}}\nimage: {width: %d, height: %d, samples: %d}\n", 1 + pick(random, 2000), 1 + pick(random, 2000),
        1 + pick(random, 9));
}

static void add_camera(RandomScene *random)
{
    add(random, "camera: {");
    if (pick(random, 2)) {
        maybe_vector(random, "position", 3.0, 9.0);
        maybe_vector(random, "target", -1.0, 1.0);
        add_number(random, "field_of_view", 10.0, 90.0);
        add(random, "}\n");
        return;
    }
    const int keys = 1 + pick(random, 5);
    add(random, "keys: [");
    for (int n = 0; n < keys; n++) {
        add(random, "{time: %.17g, ", n + number(random, 0.0, 0.9));
        maybe_vector(random, "position", 3.0, 9.0);
        maybe_vector(random, "target", -1.0, 1.0);
        add_number(random, "field_of_view", 10.0, 90.0);
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
        add_number(random, "push", 0.0, 90.0);
        maybe_vector(random, "velocity", -9.0, 9.0);
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

static void add_timeline(RandomScene *random, int emitters, int obstacles, double fps)
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
        if ((parts & 4) && obstacles > 0) {
            add(random, "    moves: [{obstacle: %d, ", pick(random, obstacles));
            add_vector(random, "velocity", -2.0, 2.0);
            add(random, "}]\n");
        }
    }
}

static void add_scene(RandomScene *random, int seed)
{
    const int emitters = pick(random, 4);
    const int obstacles = pick(random, 3);
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
    add(random, "]\nobstacles: [");
    static const char *const slips[] = {"auto", "free", "no"};
    for (int n = 0; n < obstacles; n++) {
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
        add_timeline(random, emitters, obstacles, fps);
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

static void test_text(void **state)
{
    (void)state;
    BrumeScene *const scene = load_text("name: Stroked\n"
                                        "solver: {resolution: 32}\n"
                                        "emitters: [{shape: sphere, center: [0, 0.15, 0], radius: 0.1, density: 1}]\n"
                                        "obstacles: [{shape: sphere, center: [0, 0.7, 0], radius: 0.15}]\n"
                                        "timeline:\n"
                                        "  - {frame: 24, set: {solver.resolution: 48, emitters.0.temperature: 90}}\n"
                                        "  - frame: 25\n"
                                        "    moves: [{obstacle: 0, velocity: [0.5, 0, 0]}]\n"
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
                              "obstacles:\n"
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
                              "    moves: [{obstacle: 0, velocity: [0.5, 0, 0]}]\n");
    brume_free(text);
    brume_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_scene),
        cmocka_unit_test(test_random_scenes),
        cmocka_unit_test(test_all_emitters_change),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

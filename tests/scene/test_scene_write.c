/*
 * What brume_scene_write writes is read back to the same bits, and written again to the same text: every scene of
 * scenes/, and random ones that have every key there is.
 */
#include "scene_support.h"

#include "core/memory.h"

#include <dirent.h>

enum { SCENE_ROOM = 1 << 20, RANDOM_SCENES = 200 };

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

/** Loads a text; where that fails, shows it. */
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

/** A random scene being worded. */
typedef struct Dice {
    uint64_t state;
    char *text;
    size_t used;
} Dice;

static uint32_t roll(Dice *dice)
{
    dice->state = dice->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(dice->state >> 33);
}

static int pick(Dice *dice, int count) { return (int)(roll(dice) % (uint32_t)count); }

static double number(Dice *dice, double from, double to)
{
    return from + (to - from) * ((double)roll(dice) / 2147483648.0);
}

static void say(Dice *dice, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(Dice *dice, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(dice->text + dice->used, SCENE_ROOM - dice->used, format, args);
    va_end(args);
    assert_true(size >= 0 && dice->used + (size_t)size < SCENE_ROOM);
    dice->used += (size_t)size;
}

/** A key with a number of few or many digits; every other time it is left out. */
static void say_number(Dice *dice, const char *key, double from, double to)
{
    if (pick(dice, 2)) {
        say(dice, "%s: %.*g, ", key, 4 + 6 * pick(dice, 3), number(dice, from, to));
    }
}

static void say_vector(Dice *dice, const char *key, double from, double to)
{
    const int digits = 3 + 7 * pick(dice, 2);
    say(dice, "%s: [%.*g, %.*g, %.*g], ", key, digits, number(dice, from, to), digits, number(dice, from, to), digits,
        number(dice, from, to));
}

static void maybe_vector(Dice *dice, const char *key, double from, double to)
{
    if (pick(dice, 2)) {
        say_vector(dice, key, from, to);
    }
}

static void say_color(Dice *dice, const char *key, double most)
{
    if (pick(dice, 2)) {
        say_number(dice, key, 0.0, most);
    } else {
        say_vector(dice, key, 0.0, most);
    }
}

static void say_face(Dice *dice, const char *key, char along)
{
    switch (pick(dice, 6)) {
    case 0:
        say(dice, "%s: open, ", key);
        break;
    case 1:
        say(dice, "%s: {kind: inflow, ", key);
        say_vector(dice, "velocity", -2.0, 2.0);
        say_number(dice, "temperature", -20.0, 20.0);
        say_number(dice, "density", 0.0, 1.0);
        say_number(dice, "color_2", 0.0, 1.0);
        say(dice, "}, ");
        break;
    case 2:
        say(dice, "%s: {slip: no, velocity: [%.9g, %.9g, %.9g]}, ", key, along == 'x' ? 0.0 : number(dice, -1.0, 1.0),
            along == 'y' ? 0.0 : number(dice, -1.0, 1.0), along == 'z' ? 0.0 : number(dice, -1.0, 1.0));
        break;
    case 3:
        say(dice, "%s: {kind: wall, ", key);
        say_number(dice, "temperature", -20.0, 90.0);
        say(dice, "}, ");
        break;
    default:
        break;
    }
}

static void say_domain(Dice *dice)
{
    say(dice, "domain: {");
    if (pick(dice, 3)) {
        say(dice, "size: [%.*g, %.*g, %.*g], ", 2 + 6 * pick(dice, 3), number(dice, 2.0, 4.0), 3,
            number(dice, 2.0, 4.0), 17, number(dice, 2.0, 4.0));
    } else {
        say(dice, "size: %.6g, ", number(dice, 2.0, 4.0));
    }
    maybe_vector(dice, "origin", -0.5, 0.0);
    say(dice, "boundaries: {");
    if (pick(dice, 8) == 0) {
        say(dice, "all: %s}}\n", pick(dice, 2) ? "open" : "periodic");
        return;
    }
    const bool open_x = pick(dice, 3) != 0;
    if (!open_x) {
        say(dice, "x: periodic, ");
    } else {
        say_face(dice, "x_min", 'x');
        say(dice, "x_max: open, "); // what inflows bring may leave
    }
    say_face(dice, "y_min", 'y');
    say_face(dice, "y_max", 'y');
    if (open_x && pick(dice, 3) == 0) {
        say(dice, "z: {slip: no, temperature: %.6g}, ", number(dice, 0.0, 9.0));
    } else {
        say_face(dice, "z_min", 'z');
        say(dice, "z_max: open");
    }
    say(dice, "}}\n");
}

static void say_solver(Dice *dice)
{
    static const char *const pressures[] = {"mgpcg", "multigrid", "cg", "relaxation", "auto"};
    say(dice, "solver: {resolution: %d, ", 8 + pick(dice, 120));
    say(dice, "advection: %s, ", pick(dice, 2) ? "maccormack" : "semi-lagrangian");
    say(dice, "trace_order: %d, pressure: %s, ", 2 + pick(dice, 2), pressures[pick(dice, 4)]);
    say(dice, "kernels: %s, ", pick(dice, 2) ? "fast" : "reference");
    say_number(dice, "tolerance", 1e-6, 0.1);
    say_number(dice, "over_relaxation", 0.2, 1.9);
    say_number(dice, "cfl", 0.2, 10.0);
    say(dice, "max_iterations: %d, min_steps: %d, max_steps: %d, seed: %u}\n", 1 + pick(dice, 300), 1 + pick(dice, 3),
        3 + pick(dice, 20), (unsigned)roll(dice) * 2u);
}

static void say_flow(Dice *dice, double fps)
{
    say(dice, "time: {fps: %.9g, frames: %d}\nair: {", fps, 1 + pick(dice, 300));
    say_number(dice, "viscosity", 0.0, 1e-3);
    say_number(dice, "thermal_diffusivity", 0.0, 1e-3);
    say_number(dice, "thermal_expansion", 0.0, 0.01);
    say_number(dice, "cooling", 0.0, 1.0);
    say_number(dice, "vorticity_confinement", 0.0, 1.0);
    maybe_vector(dice, "gravity", -10.0, 10.0);
    maybe_vector(dice, "wind", -1.0, 1.0);
    say_number(dice, "drag", 0.0, 1.0);
    say(dice, "}\nsmoke: {");
    for (int kind = 0; kind < 4; kind++) {
        static const char *const names[] = {"density", "color_1", "color_2", "color_3"};
        if (pick(dice, 3) == 0) {
            say(dice, "%s: {", names[kind]);
            say_number(dice, "weight", -1.0, 1.0);
            say_number(dice, "dissipation", 0.0, 1.0);
            say_number(dice, "diffusivity", 0.0, 1e-3);
            say_number(dice, "extinction", 0.0, 90.0);
            say_color(dice, "albedo", 1.0);
            say(dice, "}, ");
        }
    }
    say(dice, "}\n");
}

static void say_shape(Dice *dice)
{
    switch (pick(dice, 5)) {
    case 0:
        say(dice, "shape: sphere, ");
        say_vector(dice, "center", 0.1, 0.9);
        break;
    case 1:
        say(dice, "shape: box, ");
        say_vector(dice, "center", 0.1, 0.9);
        say_vector(dice, "size", 0.1, 0.9);
        return;
    case 2:
        say(dice, "shape: box, ");
        say_vector(dice, "from", 0.5, 0.9);
        say_vector(dice, "to", 0.1, 0.4);
        return;
    default:
        say(dice, "shape: %s, ", pick(dice, 2) ? "cylinder" : "capsule");
        say_vector(dice, "from", 0.5, 0.9);
        say_vector(dice, "to", 0.1, 0.4);
        break;
    }
    say(dice, "radius: %.9g, ", number(dice, 0.01, 0.4));
}

static void say_emitter(Dice *dice)
{
    say(dice, "{");
    say_shape(dice);
    if (pick(dice, 3) == 0) {
        say(dice, "start: %.4g, end: %.9g, ", number(dice, 0.0, 1.0), number(dice, 1.5, 3.0));
    }
    say(dice, "%s: %.4g, ", pick(dice, 2) ? "density" : "density_rate", pick(dice, 4) ? number(dice, 0.0, 2.0) : 0.0);
    say_number(dice, pick(dice, 2) ? "color_1" : "color_1_rate", 0.0, 2.0);
    if (pick(dice, 3) == 0) {
        say_number(dice, pick(dice, 2) ? "color_2" : "color_3_rate", 0.0, 2.0);
    }
    say_number(dice, pick(dice, 2) ? "temperature" : "temperature_rate", -100.0, 200.0);
    maybe_vector(dice, pick(dice, 2) ? "velocity" : "acceleration", -3.0, 3.0);
    if (pick(dice, 2)) {
        say(dice, "noise: {");
        say_number(dice, "amount", 0.0, 1.0);
        say_number(dice, "scale", 0.01, 1.0);
        say_number(dice, "speed", 0.0, 9.0);
        say(dice, "}");
    }
    say(dice, "}");
}

static void say_render_settings(Dice *dice)
{
    if (pick(dice, 3)) {
        const int lights = pick(dice, 4);
        say(dice, "lights: [");
        for (int n = 0; n < lights; n++) {
            say(dice, "{");
            if (pick(dice, 3) == 0) {
                say(dice, "kind: point, ");
                say_vector(dice, "position", -9.0, 9.0);
            } else if (pick(dice, 2)) {
                say_vector(dice, "direction", -9.0, 9.0);
            } else {
                say_number(dice, "azimuth", -180.0, 180.0);
                say_number(dice, "elevation", -90.0, 90.0);
            }
            say_color(dice, "color", 9.0);
            say_number(dice, "intensity", 0.0, 9.0);
            say(dice, "}, ");
        }
        say(dice, "]\n");
    }
    say(dice, "render: {");
    say_number(dice, "anisotropy", -0.9, 0.9);
    say_number(dice, "exposure", -3.0, 3.0);
    say_number(dice, "step", 0.1, 3.0);
    say_color(dice, "sky_zenith", 1.0);
    say_color(dice, "sky_horizon", 1.0);
    say(dice, "tone: %s, ground: {visible: %s, ", pick(dice, 2) ? "filmic" : "linear",
        pick(dice, 2) ? "true" : "false");
    say_number(dice, "height", -1.0, 1.0);
    say_color(dice, "albedo", 1.0);
    say(dice, "}}\nimage: {width: %d, height: %d, samples: %d}\n", 1 + pick(dice, 2000), 1 + pick(dice, 2000),
        1 + pick(dice, 9));
}

static void say_camera(Dice *dice)
{
    say(dice, "camera: {");
    if (pick(dice, 2)) {
        maybe_vector(dice, "position", 3.0, 9.0);
        maybe_vector(dice, "target", -1.0, 1.0);
        say_number(dice, "field_of_view", 10.0, 90.0);
        say(dice, "}\n");
        return;
    }
    const int keys = 1 + pick(dice, 5);
    say(dice, "keys: [");
    for (int n = 0; n < keys; n++) {
        say(dice, "{time: %.17g, ", n + number(dice, 0.0, 0.9));
        maybe_vector(dice, "position", 3.0, 9.0);
        maybe_vector(dice, "target", -1.0, 1.0);
        say_number(dice, "field_of_view", 10.0, 90.0);
        say(dice, "}, ");
    }
    say(dice, "]}\n");
}

static void say_strokes(Dice *dice, double start, double end)
{
    const int count = 1 + pick(dice, 4);
    say(dice, "    strokes:\n");
    for (int n = 0; n < count; n++) {
        const double span = (end - start) / count;
        say(dice, "      - {end: %.17g, ", start + span * (n + 1));
        if (n == 0 || pick(dice, 3) == 0) {
            say(dice, "start: %.17g, ", start + span * n);
            say_vector(dice, "from", 0.0, 1.0);
        }
        say_vector(dice, "to", 0.0, 1.0);
        maybe_vector(dice, "from_slope", -1.0, 1.0);
        maybe_vector(dice, "to_slope", -1.0, 1.0);
        if (n == 0 || pick(dice, 3) == 0) {
            say(dice, "radius: %.9g, ", number(dice, 0.01, 0.2));
        }
        say_number(dice, "density", 0.0, 2.0);
        if (pick(dice, 3) == 0) {
            say_number(dice, pick(dice, 2) ? "color_1" : "color_3", 0.0, 2.0);
        }
        say_number(dice, "temperature", 0.0, 90.0);
        say_number(dice, "push", 0.0, 90.0);
        maybe_vector(dice, "velocity", -9.0, 9.0);
        say(dice, "}\n");
    }
}

/** A change of settings, none of which is as before. */
static void say_set(Dice *dice, int turn, int emitters)
{
    say(dice, "    set: {air.drag: %.9g, ", 2.0 + turn + number(dice, 0.0, 0.9));
    if (pick(dice, 2)) {
        say(dice, "solver.resolution: %d, ", 8 + pick(dice, 90));
    }
    if (pick(dice, 3) == 0) {
        say(dice, "solver: {cfl: %.4g}, ", number(dice, 1.0, 4.0));
    }
    if (pick(dice, 3) == 0) {
        say(dice, "smoke.color_2.dissipation: %.9g, smoke.density: {weight: 0.5}, ", number(dice, 0.0, 1.0));
    }
    if (pick(dice, 3) == 0) {
        say(dice, "domain.boundaries.y: {kind: wall, temperature: %.4g}, ", number(dice, 1.0, 9.0));
    }
    if (pick(dice, 4) == 0) {
        say(dice, "domain.size: %.9g, ", number(dice, 2.0, 4.0));
    }
    if (pick(dice, 4) == 0) {
        say(dice, "emitters: [], ");
    } else if (emitters > 0 && pick(dice, 2)) {
        say(dice, "emitters: [");
        say_emitter(dice);
        say(dice, "], emitters.0.noise.amount: %.9g, ", number(dice, 0.0, 1.0));
    }
    say(dice, "}\n");
}

static void say_timeline(Dice *dice, int emitters, int obstacles, double fps)
{
    const int changes = 1 + pick(dice, 8);
    int frame = pick(dice, 3);
    say(dice, "timeline:\n");
    for (int n = 0; n < changes; n++, frame += 1 + pick(dice, 5)) {
        const int deeds = 1 + pick(dice, 7);
        say(dice, "  - frame: %d\n", frame);
        if (deeds & 1) {
            say_set(dice, n, emitters);
        }
        if ((deeds & 2) || deeds == 4) {
            say_strokes(dice, frame / fps, (frame + 1) / fps);
        }
        if ((deeds & 4) && obstacles > 0) {
            say(dice, "    moves: [{obstacle: %d, ", pick(dice, obstacles));
            say_vector(dice, "velocity", -2.0, 2.0);
            say(dice, "}]\n");
        }
    }
}

static void say_scene(Dice *dice, int seed)
{
    const int emitters = pick(dice, 4);
    const int obstacles = pick(dice, 3);
    const double fps = (double)(float)number(dice, 10.0, 60.0);
    static const char *const names[] = {"plain", "\"a: b # c\"", "\"\\\"quoted\\\" \\\\ \\u2028\\xe9\"", "'123'",
                                        "\"null\""};
    say(dice, "name: %s\n", names[seed % 5]);
    say_domain(dice);
    say_solver(dice);
    say_flow(dice, fps);
    say(dice, "emitters: [");
    for (int n = 0; n < emitters; n++) {
        say_emitter(dice);
        say(dice, ", ");
    }
    say(dice, "]\nobstacles: [");
    for (int n = 0; n < obstacles; n++) {
        say(dice, "{");
        say_shape(dice);
        say_color(dice, "albedo", 1.0);
        say(dice, "visible: %s}, ", pick(dice, 3) ? "true" : "false");
    }
    say(dice, "]\n");
    say_camera(dice);
    say_render_settings(dice);
    if (seed % 4) {
        say_timeline(dice, emitters, obstacles, fps);
    }
}

static void test_random_scenes(void **state)
{
    (void)state;
    char *const text = malloc(SCENE_ROOM);
    assert_non_null(text);
    for (int seed = 0; seed < RANDOM_SCENES; seed++) {
        char what[32];
        (void)snprintf(what, sizeof what, "seed %d", seed);
        Dice dice = {.state = (uint64_t)seed * 7919u + 1u, .text = text};
        say_scene(&dice, seed);
        BrumeScene *const scene = load_written(what, text);
        expect_round_trip(what, scene);
        brume_scene_destroy(scene);
    }
    free(text);
}

static void test_all_emitters_change(void **state)
{
    (void)state;
    // their list as a whole is shorter than hundreds of paths
    char *const text = malloc(SCENE_ROOM);
    assert_non_null(text);
    Dice dice = {.state = 5, .text = text};
    for (int turn = 0; turn < 2; turn++) {
        say(&dice, turn == 0 ? "emitters: [" : "timeline: [{frame: 1, set: {emitters: [");
        for (int n = 0; n < BRUME_MAX_EMITTERS; n++) {
            say(&dice, "{shape: sphere, center: [0, 0.%d, 0], radius: 0.%d, start: 0.%d, end: 9.%d, density: 1.%d, ",
                turn + 3, turn + 1, turn + 1, turn, turn);
            say(&dice, "color_1: 1.%d, color_2: 1.%d, color_3: 1.%d, temperature: 9%d, velocity: [0, %d, 0], ", turn,
                turn, turn, turn, turn);
            say(&dice, "noise: {amount: 0.%d, scale: 0.%d, speed: %d}}, ", turn + 1, turn + 1, turn);
        }
        say(&dice, turn == 0 ? "]\n" : "]}}]\n");
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
    BrumeScene *const scene = load_text("name: Stirred\n"
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
                              "name: Stirred\n"
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

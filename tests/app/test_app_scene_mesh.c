// Scenes with mesh files: the solid cells and the emission of a mesh, its place, its keys in a scene, and errors.
#include "program.h"
#include "scene_support.h"

#include "app/cli/scene_readers.h"
#include "brume/brume.h"
#include "core/mesh.h"
#include "core/shape.h"
#include "core/text.h"
#include "core/vec3.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/cells.h"
#include "sim/state/state.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static ProgramRun run;

static FILE *open_obj(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

// a box around the origin, of squares; with z up the same box is written as (x, -z, y)
static void write_box(const char *path, double x, double y, double z, int z_up)
{
    static const int squares[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5},
                                      {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
    FILE *file = open_obj(path);
    for (int n = 0; n < 8; n++) {
        const double at[3] = {n & 1 ? x : -x, n & 2 ? y : -y, n & 4 ? z : -z};
        (void)fprintf(file, "v %.9g %.9g %.9g\n", 0.5 * at[0], 0.5 * (z_up ? -at[2] : at[1]),
                      0.5 * (z_up ? at[1] : at[2]));
    }
    for (int n = 0; n < 6; n++) {
        (void)fprintf(file, "f %d %d %d %d\n", squares[n][0], squares[n][1], squares[n][2], squares[n][3]);
    }
    assert_int_equal(fclose(file), 0);
}

// a sphere around the origin, of circles of latitude
static void write_sphere(const char *path, double radius)
{
    enum { AROUND = 64, ROWS = 32 };
    FILE *file = open_obj(path);
    for (int row = 0; row <= ROWS; row++) {
        for (int n = 0; n < AROUND; n++) {
            const double level = row % ROWS == 0 ? 0.0 : sin(M_PI * row / ROWS);
            (void)fprintf(file, "v %.9g %.9g %.9g\n", radius * level * cos(2.0 * M_PI * n / AROUND),
                          radius * cos(M_PI * row / ROWS), radius * level * sin(2.0 * M_PI * n / AROUND));
        }
    }
    for (int row = 0; row < ROWS; row++) {
        for (int n = 0; n < AROUND; n++) {
            const int a = row * AROUND + n + 1;
            const int b = row * AROUND + (n + 1) % AROUND + 1;
            (void)fprintf(file, "f %d %d %d\nf %d %d %d\n", a, b, b + AROUND, a, b + AROUND, a + AROUND);
        }
    }
    assert_int_equal(fclose(file), 0);
}

static BrumeScene *parse_noting(const char *text, BrumeText *notes)
{
    BrumeSceneReaders readers = brume_scene_readers;
    readers.context = notes;
    BrumeScene *scene = NULL;
    BrumeError error;
    if (brume_scene_parse(&scene, text, "scene.yaml", NULL, 0, &readers, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return scene;
}

static BrumeScene *parse(const char *text) { return parse_noting(text, NULL); }

static BrumeSim *simulate(const BrumeScene *scene, int frames)
{
    BrumeSim *sim = NULL;
    BrumeError error;
    BrumeStatus status = brume_sim_create(&sim, &scene->sim, &error);
    for (int n = 0; n < frames && status == BRUME_OK; n++) {
        status = brume_scene_frame(scene, sim, NULL, &error);
    }
    if (status != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return sim;
}

#define PLUME                                                                                                          \
    "domain: {size: [1, 1, 1]}\nsolver: {resolution: 20}\n"                                                            \
    "emitters:\n  - {shape: sphere, center: [0, 0.12, 0], radius: 0.1, density: 1, temperature: 80, velocity: [0, 2, " \
    "0]}\n"

enum { SIDE = 20 };

static bool is_solid(const BrumeSim *sim, int i, int j, int k)
{
    const ptrdiff_t at = brume_field_index(brume_sim_field(sim, BRUME_FIELD_DENSITY), i, j, k);
    return (sim->geometry->cells.flags[at] & BRUME_CELL_SOLID) != 0;
}

static BrumeScene *scene_with_body(const char *body)
{
    char text[1024];
    (void)snprintf(text, sizeof text, PLUME "bodies:\n  - {%s}\n", body);
    return parse(text);
}

static uint64_t hash_of(const char *body)
{
    BrumeScene *scene = scene_with_body(body);
    BrumeSim *sim = simulate(scene, 4);
    const uint64_t hash = brume_sim_hash(sim);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
    return hash;
}

#define PLACE "center: [0.01, 0.45, 0.02]"
#define BOX "shape: box, size: [0.31, 0.27, 0.33], " PLACE

static void write_boxes(void)
{
    write_box("box.obj", 0.31, 0.27, 0.33, 0);
    write_box("z_up.obj", 0.31, 0.27, 0.33, 1);
    write_box("mm.obj", 310.0, 270.0, 330.0, 0);
}

// the flow around a mesh of a box is that around the box, in each way to place it; the last row shows a difference
static void test_boxes(void **state)
{
    (void)state;
    write_boxes();
    static const struct {
        const char *mesh, *box;
        bool equal;
    } rows[] = {
        {"shape: mesh, file: box.obj, " PLACE, BOX, true},
        {"shape: mesh, file: box.obj, position: [0.01, 0.45, 0.02]", BOX, true},
        {"shape: mesh, file: z_up.obj, up: z, " PLACE, BOX, true},
        {"shape: mesh, file: mm.obj, unit: 0.001, " PLACE, BOX, true},
        {"shape: mesh, file: box.obj, rotation: [90, 0, 180], " PLACE, BOX ", rotation: [90, 0, 180]", true},
        {"shape: mesh, file: box.obj, scale: [1.3, 0.8, 0.9], pivot: [0.1, 0, 0], " PLACE,
         BOX ", scale: [1.3, 0.8, 0.9], pivot: [0.1, 0, 0]", true},
        {"shape: mesh, file: box.obj, size: 0.165, " PLACE, BOX ", scale: 0.5", true}, // its longest side is 0.33 m
        {"shape: mesh, file: box.obj, scale: [1.3, 0.8, 0.9], " PLACE, BOX ", scale: [0.8, 1.3, 0.9]", false},
    };
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        if ((hash_of(rows[n].mesh) == hash_of(rows[n].box)) != rows[n].equal) {
            fail_msg("'%s' and '%s' %s", rows[n].mesh, rows[n].box, rows[n].equal ? "differ" : "are equal");
        }
    }
}

// whether the way from the center of a cell to that of one beside it enters a shape
static bool enters(const BrumeSimDef *def, const BrumeShape *shape, BrumeVec3 center)
{
    bool any = false;
    for (int n = 0; n < 6; n++) {
        const float by = n % 2 == 0 ? def->dx : -def->dx;
        const BrumeVec3 to = {n / 2 == 0 ? by : 0.0f, n / 2 == 1 ? by : 0.0f, n / 2 == 2 ? by : 0.0f};
        any = any || brume_shape_entry(shape, center, brume_add(center, to)) <= 1.0f;
    }
    return any;
}

static void compare_turned(const char *frame)
{
    char keys[2][256];
    (void)snprintf(keys[0], sizeof keys[0], "shape: mesh, file: box.obj, " PLACE ", %s", frame);
    (void)snprintf(keys[1], sizeof keys[1], BOX ", %s", frame);
    BrumeScene *scenes[2] = {scene_with_body(keys[0]), scene_with_body(keys[1])};
    BrumeSim *sims[2] = {simulate(scenes[0], 0), simulate(scenes[1], 0)};
    const BrumeSimDef *def = &scenes[1]->sim;
    const BrumeShape *mesh = &scenes[0]->sim.bodies[0].shape;
    const BrumeShape *box = &def->bodies[0].shape;
    int solid[2] = {0, 0};
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        const int i = n % SIDE + 1;
        const int j = n / SIDE % SIDE + 1;
        const int k = n / SIDE / SIDE + 1;
        const BrumeVec3 center = brume_cell_center(def, i, j, k);
        const double difference =
            (double)brume_shape_distance(mesh, center) - (double)brume_shape_distance(box, center);
        const bool in_mesh = is_solid(sims[0], i, j, k);
        const bool in_box = is_solid(sims[1], i, j, k);
        solid[0] += in_mesh;
        solid[1] += in_box;
        // edges of a mesh may be thin parts, which are solid where they pass between two centers
        if (!(fabs(difference) < 1e-6) || (in_box && !in_mesh) || (in_mesh && !in_box && !enters(def, box, center))) {
            fail_msg("'%s': cell (%d, %d, %d): %d, of the box %d; distances differ by %g m", frame, i, j, k, in_mesh,
                     in_box, difference);
        }
    }
    print_message("%s: %d solid cells, of the box %d\n", frame, solid[0], solid[1]);
    assert_in_range(solid[1], 150, 300);
    BrumeVec3 corners[4];
    brume_shape_bounds(mesh, &corners[0], &corners[1]);
    brume_shape_bounds(box, &corners[2], &corners[3]);
    assert_true(brume_length(brume_sub(corners[0], corners[2])) < 1e-6f);
    assert_true(brume_length(brume_sub(corners[1], corners[3])) < 1e-6f);
    for (int n = 0; n < 2; n++) {
        brume_sim_destroy(sims[n]);
        brume_scene_destroy(scenes[n]);
    }
}

// distances, bounds and solid cells of a turned mesh of a box are those of the turned box
static void test_turned_boxes(void **state)
{
    (void)state;
    write_boxes();
    compare_turned("rotation: [20, 35, -10]");
    compare_turned("rotation: [20, 35, -10], scale: [1.3, 0.8, 0.9], pivot: [0.1, 0, 0]");
}

static double emitted(const char *keys, double *volume)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "domain: {size: [1, 1, 1]}\nsolver: {resolution: 40}\nair: {gravity: [0, 0, 0]}\ntime: {fps: 10}\n"
                   "emitters:\n  - {shape: mesh, file: sphere.obj, %s, density_rate: 2}\n",
                   keys);
    BrumeScene *scene = parse(text);
    BrumeSim *sim = simulate(scene, 1);
    BrumeMeasures measures;
    brume_sim_measure(sim, &measures);
    *volume = brume_mesh_info(scene->sim.emitters[0].shape.mesh)->volume;
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
    return measures.scalars[1].total;
}

// what an emitter emits in a second is its volume times the rate
static void test_emitter(void **state)
{
    (void)state;
    write_sphere("sphere.obj", 0.25);
    double volume;
    const double total = emitted("center: [0.02, 0.5, -0.01]", &volume);
    const double scaled = emitted("position: [0.02, 0.5, -0.01], rotation: [0, 30, 0], scale: [1.5, 1, 0.7]", &volume);
    print_message("emitted %.6f and %.6f m^3 of %.6f and %.6f\n", total / 0.2, scaled / 0.2, volume, 1.05 * volume);
    assert_true(fabs(volume / (4.0 / 3.0 * M_PI * 0.25 * 0.25 * 0.25) - 1.0) < 0.01);
    assert_true(fabs(total / (0.2 * volume) - 1.0) < 0.01);
    assert_true(fabs(scaled / (0.2 * 1.05 * volume) - 1.0) < 0.01);
}

static const char two_uses[] = PLUME "  - {shape: mesh, file: box.obj, unit: 0.5, position: [0, 0.3, 0], density: 1}\n"
                                     "bodies:\n"
                                     "  - {shape: mesh, file: box.obj, unit: 0.5, up: y, center: [0.1, 0.6, 0]}\n"
                                     "  - {shape: mesh, file: box.obj, unit: 0.5, up: y, center: [-0.1, 0.8, 0]}\n"
                                     "timeline:\n  - {frame: 2, moves: [{body: 0, velocity: [0, 0.5, 0]}]}\n";

static void make_file_of(const char *name, const char *vertices, const char *faces)
{
    FILE *file = open_obj(name);
    assert_true(fputs(vertices, file) >= 0 && fputs(faces, file) >= 0 && fclose(file) == 0);
}

// a file is read once for all shapes with equal keys; a written scene is the same, with the hash
static void test_written_scene(void **state)
{
    (void)state;
    write_box("box.obj", 0.31, 0.27, 0.33, 0);
    BrumeText notes = {0};
    BrumeScene *scene = parse_noting(two_uses, &notes);
    const BrumeMesh *mesh = scene->sim.bodies[0].shape.mesh;
    assert_ptr_equal(scene->sim.bodies[1].shape.mesh, mesh);
    assert_ptr_equal(scene->render_settings.surfaces[1].shape.mesh, mesh);
    assert_true(scene->sim.emitters[1].shape.mesh != mesh); // read with another axis
    const char *const line = notes.data;
    assert_non_null(strstr(line, "box.obj: assumed: its y axis points up\n"));
    assert_true(strchr(line, '\n') == line + notes.size - 1); // one line: the unit and the axis of the bodies are given
    char *text = written(scene);
    char part[64];
    (void)snprintf(part, sizeof part, "hash: \"%016llx\"", (unsigned long long)brume_mesh_hash(mesh));
    if (!strstr(text, part)) {
        (void)snprintf(part, sizeof part, "hash: %016llx", (unsigned long long)brume_mesh_hash(mesh));
    }
    if (!strstr(text, part) || !strstr(text, "unit: 0.5") || !strstr(text, "up: y")) {
        fail_msg("no '%s', unit and axis in: %s", part, text);
    }
    BrumeScene *again = parse(text);
    char *again_text = written(again);
    assert_string_equal(again_text, text);
    BrumeSim *sim = simulate(scene, 3);
    BrumeSim *again_sim = simulate(again, 3);
    assert_int_equal(brume_sim_hash(sim), brume_sim_hash(again_sim));

    // without its files, it reads as the same scene; no simulation can be created from it
    BrumeScene *unread = NULL;
    BrumeSim *none = NULL;
    BrumeError error;
    assert_int_equal(
        brume_scene_parse_written(&unread, text, "scene.yaml", NULL, 0, BRUME_SCENE_FILES_NONE, NULL, &error),
        BRUME_OK);
    char *unread_text = written(unread);
    assert_string_equal(unread_text, text);
    assert_int_equal(brume_sim_create(&none, &unread->sim, &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "is a mesh without triangles"));

    // another file is refused
    write_box("box.obj", 0.31, 0.27, 0.34, 0);
    BrumeScene *changed = NULL;
    assert_int_equal(brume_scene_parse(&changed, text, "scene.yaml", NULL, 0, &brume_scene_readers, &error),
                     BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "the mesh has the hash"));
    brume_sim_destroy(sim);
    brume_sim_destroy(again_sim);
    brume_scene_destroy(scene);
    brume_scene_destroy(again);
    brume_scene_destroy(unread);
    brume_free(text);
    brume_free(again_text);
    brume_free(unread_text);
    brume_text_destroy(&notes);
}

static void expect_error(const char *text, const char *expected)
{
    BrumeScene *scene = NULL;
    BrumeError error = {0};
    assert_int_equal(brume_scene_parse(&scene, text, "scene.yaml", NULL, 0, &brume_scene_readers, &error),
                     BRUME_BAD_INPUT);
    if (!strstr(error.text, expected)) {
        fail_msg("'%s', expected '%s'", error.text, expected);
    }
    assert_null(scene);
}

static void test_errors(void **state)
{
    (void)state;
    write_box("box.obj", 0.31, 0.27, 0.33, 0);
    expect_error("bodies:\n  - {shape: mesh, file: missing.obj}\n", "scene.yaml:2:25: ");
    expect_error(
        "bodies:\n  - {shape: mesh, file: box.obj, radius: 1}\n",
        "scene.yaml:2:34: a mesh in 'body' has no key 'radius'; its keys are a 'file', and 'center' for another "
        "place");
    expect_error("bodies:\n  - {shape: mesh, file: box.obj, position: [9, 0, 0]}\n",
                 "scene.yaml:2:5: a mesh in 'body' lies outside the box");
    expect_error("bodies:\n  - {shape: mesh, file: box.obj, grid: a}\n",
                 "scene.yaml:2:34: only the shape 'volume' has a 'grid' in 'body'");
    expect_error("bodies:\n  - {shape: sphere, center: [0, 0, 0], radius: 1, up: z}\n",
                 "scene.yaml:2:51: only the shape 'mesh' has a 'up' in 'body'");
    expect_error("bodies:\n  - {shape: mesh, file: box.obj, size: [1, 1, 1]}\n",
                 "scene.yaml:2:40: 'size' of a mesh in 'body' must be one number [m], the length of its longest side; "
                 "'scale' has factors along its axes");
    expect_error("bodies:\n  - {shape: mesh, file: box.obj, scale: 2, size: 1}\n",
                 "scene.yaml:2:44: a mesh in 'body' has either a 'size' or a 'scale'");
    expect_error("bodies:\n  - {shape: mesh, file: box.obj, unit: 0}\n", "scene.yaml:2:40: ");
    BrumeScene *scene = NULL;
    BrumeError error;
    assert_int_equal(
        brume_scene_parse(&scene, "bodies:\n  - {shape: mesh, file: box.obj}\n", "scene.yaml", NULL, 0, NULL, &error),
        BRUME_BAD_INPUT);
    assert_string_equal(error.text,
                        "scene.yaml:2:25: this program does not read mesh files, such as the 'file' of this scene");
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

// what was assumed is told once, by `brume info` and by a run
/** One line of `info` says what the mesh of a body is taken as. */
// the steps follow from the speed of a body, too: by its keys, 2 turns in a second, and by a move of the timeline
static void test_steps(void **state)
{
    (void)state;
    static const char head[] =
        "domain: {size: [2, 2, 2]}\nsolver: {resolution: 20, cfl: 1}\ntime: {fps: 10, frames: 5}\n"
        "bodies:\n  - {name: fan, shape: box, center: [0, 1, 0], size: [1, 0.1, 0.1]}\n";
    static const struct {
        const char *motion, *line;
    } cases[] = {
        {"animation:\n  - {path: bodies.fan.rotation.1, interpolation: linear, keys: [{time: 0, value: 0}, {time: 1, "
         "value: 720}]}\n",
         "steps        1 to about 7 per frame (CFL number 1; speed of bodies about 6.3 m/s)"}, // 4 pi 0.505 m
        {"timeline:\n  - {frame: 2, moves: [{body: 0, velocity: [0, 3, 0]}]}\n",
         "steps        1 to about 3 per frame (CFL number 1; speed of bodies about 3.0 m/s)"},
        {"air: {wind: [2, 0, 0]}\n",
         "steps        1 to about 2 per frame (CFL number 1; speed of the air up to about 2.0 m/s)"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char text[1024];
        (void)snprintf(text, sizeof text, "%s%s", head, cases[n].motion);
        make_file("steps.yaml", text);
        run_successfully(&run, "info steps.yaml");
        if (!strstr(run.out, cases[n].line)) {
            fail_msg("no '%s' in\n%s", cases[n].line, run.out);
        }
    }
}

// triangles that are inside out are reversed, as if their file had them so
static void test_flipped(void **state)
{
    (void)state;
    static const char vertices[] = "v -0.2 0.3 -0.1\nv 0.2 0.3 -0.1\nv -0.2 0.3 0.3\nv -0.2 0.7 -0.1\n";
    make_file_of("outside.obj", vertices, "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n");
    make_file_of("inside.obj", vertices, "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    const uint64_t outside = hash_of("shape: mesh, file: outside.obj, unit: 1, up: y");
    assert_int_equal(hash_of("shape: mesh, file: inside.obj, unit: 1, up: y, flip: true"), outside);
    assert_true(hash_of("shape: mesh, file: inside.obj, unit: 1, up: y") != outside);

    BrumeScene *scene = scene_with_body("shape: mesh, file: inside.obj, unit: 1, up: y, flip: true");
    char *text = written(scene);
    assert_non_null(strstr(text, "flip: true"));
    BrumeScene *again = parse(text);
    char *again_text = written(again);
    assert_string_equal(again_text, text);
    BrumeError error;
    BrumeScene *other = NULL;
    assert_int_equal(brume_scene_parse(&other, text, "scene.yaml", (const char *[]){"bodies.0.flip=false"}, 1,
                                       &brume_scene_readers, &error),
                     BRUME_BAD_INPUT); // its hash is that of other triangles
    assert_non_null(strstr(error.text, "the mesh has the hash"));
    brume_free(text);
    brume_free(again_text);
    brume_scene_destroy(scene);
    brume_scene_destroy(again);
    assert_int_equal(brume_scene_parse(&other, PLUME "bodies:\n  - {shape: sphere, radius: 1, flip: true}\n",
                                       "scene.yaml", NULL, 0, &brume_scene_readers, &error),
                     BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "only the shape 'mesh' has a 'flip' in 'body'"));
}

static void test_info(void **state)
{
    (void)state;
    static const char *const faces[] = {"f 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n", "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
                                        "f 1 3 2\nf 1 2 4\n", "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 3 4\n",
                                        "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\nf 5 6 7\nf 5 8 6\nf 6 8 7\nf 7 8 5\n"};
    static const char *const lines[] = {
        ", 0.4 x 0.4 x 0.4 m, closed: solid, ", ", inside out: a wall without thickness, ",
        ", open: a wall without thickness, ", ", 3 turned or shared edges: a wall without thickness, ",
        ", closed, intersects itself: solid where its winding number is above 1/2, "};
    for (int n = 0; n < 5; n++) {
        FILE *file = open_obj("kind.obj");
        (void)fputs(
            "v 0 0 0\nv 0.4 0 0\nv 0 0 0.4\nv 0 0.4 0\nv 0.1 0.1 0.1\nv 0.5 0.1 0.1\nv 0.1 0.1 0.5\nv 0.1 0.5 0.1\n",
            file);
        (void)fputs(faces[n], file);
        assert_int_equal(fclose(file), 0);
        file = fopen("kind.yaml", "w");
        assert_non_null(file);
        (void)fputs(PLUME "bodies:\n  - {shape: mesh, file: kind.obj, unit: 1, up: y}\n", file);
        assert_int_equal(fclose(file), 0);
        if (n == 1) {
            run_with_error(&run, 0, "info kind.yaml",
                           "warning: kind.yaml:6:5: this mesh is inside out: a wall without thickness (give it "
                           "'flip: true')");
        } else {
            run_successfully(&run, "info kind.yaml");
        }
        if (!strstr(run.out, lines[n])) {
            fail_msg("no '%s' in\n%s", lines[n], run.out);
        }
    }
}

// a mesh in another unit or at another place than the box, of a body and of an emitter; the open mesh of an emitter
static void test_warnings(void **state)
{
    (void)state;
    static const char *const scenes[][2] = {
        {"bodies:\n  - {shape: mesh, file: box.obj, unit: 0.001, up: y}\n",
         "6:5: this mesh is 0.0002 x 0.0003 x 0.0004 m, less than a cell of 0.05 m along each axis (set its 'unit' or "
         "'scale')"},
        {"bodies:\n  - {shape: mesh, file: box.obj, unit: 1000, up: y}\n",
         "6:5: this mesh is 200 x 300 x 400 m, and all of its surface is outside the box (set its 'unit', 'scale' or "
         "'position')"
         "\nbrume: warning: mesh.yaml:4:5: this 'emitter' has no effect: it is inside a body"},
        {"  - {shape: mesh, file: box.obj, unit: 1, up: y, scale: 1000, density: 1}\n",
         "5:5: this mesh is 200 x 300 x 400 m, and all of its surface is outside the box (set its 'unit', 'scale' or "
         "'position')"},
        {"  - {shape: mesh, file: open.obj, unit: 1, up: y, position: [0, 0.5, 0], density: 1}\n",
         "5:5: this 'emitter' acts in a skin of a cell: its mesh is open and has no inside (close it, or give the "
         "emitter 'emit_from: surface')"},
        {"  - {body: box, density: 1}\nbodies:\n  - {name: box, shape: mesh, file: box.obj, unit: 1, up: y, "
         "position: [0, 0.5, 0]}\n",
         "5:5: this 'emitter' has almost no effect: it is inside its 'body' (give it 'emit_from: surface', or the body "
         "'collide: false')"},
        {"bodies:\n  - {shape: mesh, file: box.obj, unit: 1, up: y, position: [0, 0.7, 0]}\n", NULL},
    };
    write_box("box.obj", 0.2, 0.3, 0.4, 0);
    make_file("open.obj", "v 0 0 0\nv 0.4 0 0\nv 0 0 0.4\nv 0 0.4 0\nf 1 3 2\nf 1 2 4\n");
    for (int n = 0; n < (int)(sizeof scenes / sizeof scenes[0]); n++) {
        char text[1024];
        (void)snprintf(text, sizeof text, PLUME "%s", scenes[n][0]);
        make_file("mesh.yaml", text);
        if (scenes[n][1]) {
            (void)snprintf(text, sizeof text, "warning: mesh.yaml:%s", scenes[n][1]);
            run_with_error(&run, 0, "info mesh.yaml", text);
        } else {
            run_successfully(&run, "info mesh.yaml");
        }
    }
}

static void test_notes(void **state)
{
    (void)state;
    static const char note[] = "folder/box.obj: assumed: its unit is the meter, its y axis points up";
    (void)mkdir("folder", 0777);
    write_box("folder/box.obj", 0.31, 0.27, 0.33, 0);
    FILE *file = fopen("folder/scene.yaml", "w");
    assert_non_null(file);
    (void)fputs(PLUME "time: {frames: 1}\nimage: {width: 32, height: 24, samples: 1}\n"
                      "bodies:\n  - {shape: mesh, file: box.obj, position: [0, 0.5, 0]}\n"
                      "  - {shape: mesh, file: box.obj, position: [0, 0.9, 0]}\n",
                file);
    assert_int_equal(fclose(file), 0);
    run_successfully(&run, "info folder/scene.yaml");
    assert_int_equal(count_of(run.out, note), 1);
    assert_non_null(strstr(run.out, "mesh of 12 triangles in "));
    run_successfully(&run, "render folder/scene.yaml -o picture.####.png");
    assert_int_equal(count_of(run.out, note), 1);
    assert_int_equal(access("picture.0001.png", F_OK), 0);
}

// the threads that have read a mesh do not take the signal that ends the run after a frame
static void test_signal(void **state)
{
    (void)state;
    write_sphere("ball.obj", 0.1);
    make_file("signal.yaml", PLUME "time: {frames: 100000}\n"
                                   "bodies:\n  - {shape: mesh, file: ball.obj, position: [0, 0.5, 0]}\n");
    for (int n = 0; n < 4; n++) {
        Program program = start_program("sim signal.yaml --overwrite -q -o signal.#.raw", 0);
        wait_for_file(&program, "signal.1.raw");
        assert_int_equal(kill(program.pid, SIGTERM), 0);
        finish_program(&program, &run);
        assert_int_equal(run.status, 130);
        assert_int_equal(unlink("signal.1.raw"), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),         cmocka_unit_test(test_turned_boxes), cmocka_unit_test(test_emitter),
        cmocka_unit_test(test_written_scene), cmocka_unit_test(test_errors),       cmocka_unit_test(test_notes),
        cmocka_unit_test(test_steps),         cmocka_unit_test(test_info),         cmocka_unit_test(test_signal),
        cmocka_unit_test(test_warnings),      cmocka_unit_test(test_flipped),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

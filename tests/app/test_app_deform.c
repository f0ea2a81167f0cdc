// Bodies that deform: sequences of mesh files in scenes, against rigid bodies that move alike.
#include "mesh_sample.h"
#include "program.h"
#include "scene_support.h"

#include "app/cli/scene_readers.h"
#include "brume/brume.h"
#include "core/memory.h"
#include "core/mesh.h"
#include "core/shape.h"
#include "core/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <unistd.h>

static ProgramRun run;

// a box of squares between two corners
static void write_box(const char *path, BrumeVec3 from, BrumeVec3 to)
{
    static const int squares[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5},
                                      {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int n = 0; n < 8; n++) {
        (void)fprintf(file, "v %.9g %.9g %.9g\n", (double)(n & 1 ? to.x : from.x), (double)(n & 2 ? to.y : from.y),
                      (double)(n & 4 ? to.z : from.z));
    }
    for (int n = 0; n < 6; n++) {
        (void)fprintf(file, "f %d %d %d %d\n", squares[n][0], squares[n][1], squares[n][2], squares[n][3]);
    }
    assert_int_equal(fclose(file), 0);
}

// A piston comes out of the wall: of the sequence, its face alone moves, from frame 0 to frame 12.
static void write_pistons(void)
{
    const BrumeVec3 back = {-1.5f, 0.25f, -0.2f};
    write_box("piston.0000.obj", back, brume_vec3(-0.2f, 0.65f, 0.2f));
    write_box("piston.0012.obj", back, brume_vec3(0.1f, 0.65f, 0.2f));
    write_box("rigid.obj", back, brume_vec3(-0.2f, 0.65f, 0.2f));
}

static BrumeStatus try_parse(BrumeScene **scene, const char *solids, const char *body, const char *more,
                             BrumeError *error)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "domain: {size: [1, 1, 1], boundaries: {x_max: open}}\n"
                   "solver: {resolution: 20, solids: %s}\ntime: {fps: 24, frames: 14}\n"
                   "bodies:\n  - {shape: mesh, %s}\n"
                   "emitters:\n  - {shape: box, from: [-0.15, 0.2, -0.3], to: [0.1, 0.8, 0.3], density: 1, end: 1e-4}\n"
                   "%s",
                   solids, body, more);
    return brume_scene_parse(scene, text, "scene.yaml", NULL, 0, &brume_scene_readers, error);
}

static BrumeScene *parse(const char *solids, const char *body, const char *more)
{
    BrumeScene *scene = NULL;
    BrumeError error;
    if (try_parse(&scene, solids, body, more, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return scene;
}

static void advance(const BrumeScene *scene, BrumeSim *sim, int frames)
{
    BrumeError error;
    for (int n = 0; n < frames; n++) {
        if (brume_scene_frame(scene, sim, NULL, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
    }
}

static BrumeSim *create(const BrumeScene *scene)
{
    BrumeSim *sim = NULL;
    BrumeError error;
    if (brume_sim_create(&sim, &scene->sim, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static double total_of(const BrumeSim *sim, BrumeFieldId id)
{
    const BrumeField *density = brume_sim_field(sim, id);
    double total = 0.0;
    for (int k = 1; k <= density->grid.nz; k++) {
        for (int j = 1; j <= density->grid.ny; j++) {
            for (int i = 1; i <= density->grid.nx; i++) {
                total += (double)density->data[brume_field_index(density, i, j, k)];
            }
        }
    }
    return total;
}

static double total_smoke(const BrumeSim *sim) { return total_of(sim, BRUME_FIELD_DENSITY); }

// whether a face is in the air, more than half a cell from the body
static bool in_air(const BrumeSim *sim, int id, int i, int j, int k)
{
    const BrumeSimDef *def = brume_sim_settings(sim);
    const BrumeVec3 at = {def->origin.x + ((float)i - (id == 0 ? 1.0f : 0.5f)) * def->dx,
                          def->origin.y + ((float)j - (id == 1 ? 1.0f : 0.5f)) * def->dx,
                          def->origin.z + ((float)k - (id == 2 ? 1.0f : 0.5f)) * def->dx};
    return brume_shape_distance_within(&def->bodies[0].shape, at, def->dx) > 0.5f * def->dx;
}

// the root of the mean square of the difference of two velocities in the air, over that of the second,
// whose body is rigid
static double difference(const BrumeSim *a, const BrumeSim *b)
{
    double apart = 0.0;
    double size = 0.0;
    for (int id = BRUME_FIELD_U; id <= BRUME_FIELD_W; id++) {
        const BrumeField *u = brume_sim_field(a, (BrumeFieldId)id);
        const BrumeField *v = brume_sim_field(b, (BrumeFieldId)id);
        for (int k = 1; k <= u->grid.nz; k++) {
            for (int j = 1; j <= u->grid.ny; j++) {
                for (int i = 1; i <= u->grid.nx; i++) {
                    const ptrdiff_t c = brume_field_index(u, i, j, k);
                    if (!in_air(b, id, i, j, k)) {
                        continue;
                    }
                    apart += pow((double)u->data[c] - (double)v->data[c], 2.0);
                    size += pow((double)v->data[c], 2.0);
                }
            }
        }
    }
    return sqrt(apart / size);
}

#define MOVING                                                                                                         \
    "animation:\n  - {path: bodies.0.position.0, interpolation: linear, keys: [{time: 0, value: 0}, {time: 0.5, "      \
    "value: 0.3}]}\n"

/** The flow of a piston whose face moves is that of a rigid one, and it pushes smoke aside without loss. */
static void test_piston(void **state)
{
    (void)state;
    static const char *const solids[] = {"cells", "cut"};
    write_pistons();
    for (int n = 0; n < 2; n++) {
        BrumeScene *deforming = parse(solids[n], "file: piston.####.obj", "");
        BrumeScene *moving = parse(solids[n], "file: rigid.obj", MOVING);
        BrumeSim *sim = create(deforming);
        BrumeSim *expected = create(moving);
        advance(deforming, sim, 1);
        advance(moving, expected, 1);
        const double before = total_smoke(sim);
        const double before_rigid = total_smoke(expected);
        assert_true(before > 100.0);
        for (int frame = 1; frame < 6; frame++) {
            print_message("%s, frame %d: velocity %.2g apart\n", solids[n], frame, difference(sim, expected));
            assert_true(difference(sim, expected) < 0.015);
            advance(deforming, sim, 1);
            advance(moving, expected, 1);
        }
        // cut cells lose up to 5e-4 of the smoke that touches the rigid piston, and less here
        const double change = fabs(total_smoke(sim) / before - 1.0);
        const double change_rigid = fabs(total_smoke(expected) / before_rigid - 1.0);
        assert_true(change < (n == 0 ? 1e-5 : 1e-4) && (n == 0 || change < change_rigid));
        // its face has come to rest after frame 12
        const BrumeField *u = brume_sim_field(sim, BRUME_FIELD_U);
        const ptrdiff_t before_stop = brume_field_index(u, 7 + 2, 10, 11); // a face inside
        assert_true(fabsf(u->data[before_stop] - 0.6f) < 0.05f);
        advance(deforming, sim, 7);
        assert_true(u->data[brume_field_index(u, 7 + 5, 10, 11)] == 0.0f);
        brume_sim_destroy(sim);
        brume_sim_destroy(expected);
        brume_scene_destroy(deforming);
        brume_scene_destroy(moving);
    }
}

// A cube that turns by 90 degrees about y in a second: keys of time and rotation.
static void write_turning_cube(void)
{
    static const float keys[] = {0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.70710678f, 0.0f, 0.70710678f};
    write_cube_gltf(
        "turn.gltf",
        &(CubeGltf){
            .members =
                "\"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"mesh\": 0}], \"animations\": [{\"name\": \"Turn\", "
                "\"samplers\": [{\"input\": 2, \"output\": 3}], \"channels\": [{\"sampler\": 0, \"target\": "
                "{\"node\": 0, \"path\": \"rotation\"}}]}]",
            .extra = keys,
            .size = sizeof keys,
            .views = ", {\"buffer\": 0, \"byteOffset\": 168, \"byteLength\": 8}, "
                     "{\"buffer\": 0, \"byteOffset\": 176, \"byteLength\": 32}",
            .accessors =
                ", {\"bufferView\": 2, \"componentType\": 5126, \"count\": 2, \"type\": \"SCALAR\", \"min\": [0], "
                "\"max\": [1]}, {\"bufferView\": 3, \"componentType\": 5126, \"count\": 2, \"type\": \"VEC4\"}"});
}

#define PLACED "file: turn.gltf, center: [0, 0.35, 0], scale: 0.3"
#define TURNING                                                                                                        \
    "animation:\n  - {path: bodies.0.rotation.1, interpolation: linear, keys: [{time: 0, value: 0}, {time: 1, "        \
    "value: 90}]}\n"

/** The animation of a glTF file is the same motion as keyframes, of its first animation, that of a name, or none. */
static void test_animation(void **state)
{
    (void)state;
    write_turning_cube();
    BrumeScene *played = parse("cut", PLACED, "");
    BrumeScene *keyed = parse("cut", PLACED ", file_animation: none", TURNING);
    assert_true(brume_mesh_deforms(played->sim.bodies[0].shape.mesh));
    assert_false(brume_mesh_deforms(keyed->sim.bodies[0].shape.mesh));
    BrumeSim *sim = create(played);
    BrumeSim *expected = create(keyed);
    for (int frame = 1; frame <= 4; frame++) {
        advance(played, sim, 1);
        advance(keyed, expected, 1);
        print_message("turning, frame %d: velocity %.2g apart\n", frame, difference(sim, expected));
        assert_true(difference(sim, expected) < 0.07);
    }
    brume_sim_destroy(sim);
    brume_sim_destroy(expected);
    brume_scene_destroy(played);
    brume_scene_destroy(keyed);
    played = parse("cut", PLACED ", file_animation: Turn", "");
    keyed = parse("cut", PLACED ", file_animation: 1", "");
    assert_true(brume_mesh_deforms(played->sim.bodies[0].shape.mesh));
    assert_true(brume_mesh_deforms(keyed->sim.bodies[0].shape.mesh));
    brume_scene_destroy(played);
    brume_scene_destroy(keyed);
    BrumeError error;
    assert_int_equal(try_parse(&played, "cut", PLACED ", file_animation: Walk", "", &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "has no animation 'Walk'"));
}

// the volume of the piston and of what is within `thickness` of it, in the box, whose side is at x = -.5 [m^3]
static double piston_volume(int frame, double thickness)
{
    const double length = 0.3 + 0.025 * frame;
    const double quarter_circle = 0.25 * 3.14159265 * thickness * thickness;
    const double slabs = 0.16 * thickness + 4.0 * 0.4 * thickness * length;
    const double edges = 4.0 * quarter_circle * (length + 0.4);
    const double corners = 4.0 * quarter_circle * thickness * 2.0 / 3.0; // of eighths of a ball
    return 0.16 * length + slabs + edges + corners;
}

/** An emitter fills the volume of a mesh that deforms, and the shell around it, wherever its vertices have taken them.
 */
static void test_emission(void **state)
{
    (void)state;
    write_pistons();
    BrumeScene *scene = parse("cells", "file: piston.####.obj, collide: false",
                              "  - {body: \"0\", color_1: 1}\n"
                              "  - {body: \"0\", color_2: 1, emit_from: surface, thickness: 0.1}\n");
    BrumeSim *sim = create(scene);
    const double cells_per_m3 = 8000.0; // no air moves: smoke stays where it was emitted
    for (int frame = 1; frame <= 10; frame++) {
        advance(scene, sim, 1);
        const double volume = total_of(sim, BRUME_FIELD_COLOR_1) / cells_per_m3;
        const double shell = total_of(sim, BRUME_FIELD_COLOR_2) / cells_per_m3;
        const double shell_volume = piston_volume(frame, 0.1) - piston_volume(0, 0.0);
        print_message("frame %d: volume %.5f of %.5f, shell %.5f of %.5f\n", frame, volume, piston_volume(frame, 0.0),
                      shell, shell_volume);
        assert_true(fabs(volume / piston_volume(frame, 0.0) - 1.0) < 1e-5);
        assert_true(fabs(shell / shell_volume - 1.0) < 0.01);
    }
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
}

/** `convert --bodies` writes the surface of each frame. */
static void test_converted_bodies(void **state)
{
    (void)state;
    write_pistons();
    make_file("piston.yaml", "domain: {size: [1, 1, 1], boundaries: {x_max: open}}\nsolver: {resolution: 20}\n"
                             "time: {fps: 24, frames: 9}\nbodies:\n  - {shape: mesh, file: piston.####.obj}\n");
    run_successfully(&run, "sim piston.yaml -o piston.####.hdf --frames 3:9:3");
    run_successfully(&run, "convert piston.####.hdf surface.####.ply --bodies");
    for (int frame = 3; frame <= 9; frame += 3) {
        char path[32];
        (void)snprintf(path, sizeof path, "surface.%04d.ply", frame);
        const BrumeMeshReadDef def = {.unit = 1.0f, .up = 1};
        BrumeMesh *mesh = NULL;
        BrumeError error;
        if (brume_scene_readers.mesh(NULL, path, &def, &mesh, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
        const BrumeMeshInfo *info = brume_mesh_info(mesh);
        print_message("frame %d: x to %.5f, y %.5f to %.5f, volume %.5f\n", frame, (double)info->upper.x,
                      (double)info->lower.y, (double)info->upper.y, info->volume);
        assert_true(fabs((double)info->upper.x - (-0.2 + 0.025 * frame)) < 1e-4);
        assert_true(fabs((double)info->lower.y - 0.25) < 1e-4 && fabs((double)info->upper.y - 0.65) < 1e-4);
        assert_true(fabs(info->volume / piston_volume(frame, 0.0) - 1.0) < 0.005);
        brume_mesh_release(mesh);
    }
}

/** The program names the frames, draws them, and goes on with a run. */
static void test_program(void **state)
{
    (void)state;
    write_pistons();
    make_file("piston.yaml", "domain: {size: [1, 1, 1], boundaries: {x_max: open}}\nsolver: {resolution: 12}\n"
                             "time: {fps: 24, frames: 6}\nimage: {width: 32, height: 24}\n"
                             "bodies:\n  - {shape: mesh, file: piston.####.obj}\n");
    run_successfully(&run, "info piston.yaml");
    assert_non_null(strstr(run.out, "deforms: 2 files from number 0 to 12"));
    run_successfully(&run, "render piston.yaml -o whole.####.png --checkpoint-every 2");
    run_successfully(&run,
                     "render piston.yaml -o part.####.png --checkpoint-every 2 --keep-checkpoints 1 --frames 1:4");
    run_successfully(&run, "render piston.yaml -o part.####.png --checkpoint-every 2 --resume");
    assert_same_files("whole.0006.png", "part.0006.png");
}

/** Positions between frames are on straight lines; before the first frame and behind the last one they stay. */
static void test_positions(void **state)
{
    (void)state;
    write_pistons();
    BrumeScene *scene = parse("cells", "file: piston.####.obj", "");
    const BrumeMesh *mesh = scene->sim.bodies[0].shape.mesh;
    assert_true(brume_mesh_deforms(mesh) && brume_mesh_has_frames(mesh));
    static const double frames[] = {-3.0, 0.0, 3.0, 4.5, 12.0, 20.0};
    for (size_t n = 0; n < sizeof frames / sizeof frames[0]; n++) {
        BrumeMesh *at = NULL;
        assert_int_equal(brume_mesh_create_at(&at, mesh, frames[n], NULL), BRUME_OK);
        const BrumeMeshInfo *info = brume_mesh_info(at);
        const double share = fmin(fmax(frames[n] / 12.0, 0.0), 1.0);
        assert_true(fabs((double)info->upper.x - (-0.2 + share * 0.3)) < 1e-7);
        assert_true(info->lower.x == -1.5f && info->closed && info->solid && info->triangles == 12);
        assert_true(fabs(info->volume - 0.16 * (1.3 + share * 0.3)) < 1e-6);
        brume_mesh_release(at);
    }
    brume_scene_destroy(scene);
}

/** A state is continued with equal bits, at any number of threads, and not with other files. */
static void test_resume(void **state)
{
    (void)state;
    write_pistons();
    uint64_t hashes[2];
    static const int threads[] = {1, 3};
    for (int n = 0; n < 2; n++) {
        BrumeError error;
        brume_set_threads(threads[n]);
        BrumeScene *scene = parse("cut", "file: piston.####.obj", "");
        BrumeSim *sim = create(scene);
        advance(scene, sim, 3);
        const size_t size = brume_sim_saved_size(sim);
        void *bytes = brume_alloc_untouched(size, 1);
        assert_non_null(bytes);
        assert_int_equal(brume_sim_save(sim, bytes, size, NULL), BRUME_OK);
        advance(scene, sim, 3);
        hashes[n] = brume_sim_hash(sim);
        BrumeSim *other = create(scene);
        assert_int_equal(brume_sim_load(other, bytes, size, NULL), BRUME_OK);
        advance(scene, other, 3);
        assert_true(brume_sim_hash(other) == hashes[n]);
        brume_sim_destroy(other);
        // alone, the state has no frames
        assert_int_equal(brume_sim_create_saved(&other, bytes, size, NULL), BRUME_OK);
        assert_int_equal(brume_sim_frame(other, NULL, &error), BRUME_FAILED);
        assert_non_null(strstr(error.text, "frames"));
        brume_sim_destroy(other);
        // the last file is another one now
        write_box("piston.0012.obj", brume_vec3(-1.5f, 0.25f, -0.2f), brume_vec3(0.2f, 0.65f, 0.2f));
        BrumeScene *changed = parse("cut", "file: piston.####.obj", "");
        other = create(changed);
        assert_int_equal(brume_sim_load(other, bytes, size, &error), BRUME_BAD_INPUT);
        assert_non_null(strstr(error.text, "not those that the state was saved with"));
        write_pistons();
        brume_sim_destroy(other);
        brume_scene_destroy(changed);
        brume_free(bytes);
        brume_sim_destroy(sim);
        brume_scene_destroy(scene);
    }
    brume_set_threads(0);
    assert_true(hashes[0] == hashes[1]);
}

static void expect_frame_error(const char *text)
{
    BrumeScene *scene = parse("cells", "file: piston.####.obj", "");
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    BrumeStatus status = brume_sim_create(&sim, &scene->sim, &error);
    if (status == BRUME_OK) {
        status = brume_scene_frame(scene, sim, NULL, &error);
    }
    assert_int_equal(status, BRUME_BAD_INPUT);
    if (!strstr(error.text, text) || !strstr(error.text, "piston.0012.obj")) {
        fail_msg("%s", error.text);
    }
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
}

static void test_errors(void **state)
{
    (void)state;
    BrumeScene *scene = NULL;
    BrumeError error;
    assert_int_equal(try_parse(&scene, "cells", "file: missing.####.obj", "", &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "missing.####.obj"));
    assert_int_equal(try_parse(&scene, "cells", "file: rigid.obj, file_animation: walk", "", &error), BRUME_OK);
    brume_scene_destroy(scene);
    write_pistons();
    assert_int_equal(
        try_parse(&scene, "cells", "file: rigid.obj", "  - {shape: mesh, file: piston.####.obj, density: 1}\n", &error),
        BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "deforms"));
    // another number of polygons, then of other corners
    FILE *file = fopen("piston.0012.obj", "a");
    assert_non_null(file);
    (void)fprintf(file, "f 1 2 3\n");
    assert_int_equal(fclose(file), 0);
    expect_frame_error("its 7 polygons are not those of the first file of the sequence, which has 6");
    run_program(&run, "render piston.yaml --dry-run"); // of test_program: the estimate reads the files of all frames
    assert_int_equal(run.status, 2);
    assert_non_null(strstr(run.err, "piston.0012.obj: its 7 polygons are not those"));
    write_pistons();
    file = fopen("piston.0012.obj", "w");
    assert_non_null(file);
    (void)fprintf(file, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\nf 1 3 2\nf 1 4 2\n");
    assert_int_equal(fclose(file), 0);
    expect_frame_error("vertices are not those");
    assert_int_equal(unlink("piston.0012.obj"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_piston),   cmocka_unit_test(test_animation),        cmocka_unit_test(test_program),
        cmocka_unit_test(test_emission), cmocka_unit_test(test_converted_bodies), cmocka_unit_test(test_positions),
        cmocka_unit_test(test_resume),   cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

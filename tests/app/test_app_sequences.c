// Sources and forces from sequences of volume files in scenes.
#include "program.h"
#include "scene_support.h"

#include "app/cli/scene_readers.h"
#include "brume/brume.h"
#include "core/field.h"
#include "core/memory.h"
#include "exchange/volume_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <unistd.h>

#ifdef BRUME_HAS_OPENVDB
#define EXTENSION "vdb"
static const BrumeVolumeFormat *const format = &brume_vdb_format;
#else
#define EXTENSION "raw"
static const BrumeVolumeFormat *const format = &brume_raw_format;
#endif
#define SMOKE "smoke.####." EXTENSION
#define WIND "wind.####." EXTENSION

enum { SIDE = 8 };
static ProgramRun run;

static float value_at(int n) { return (float)(1 + n % 7); }

// a block of cells of 0.05 m of values from 1 to 7 times a factor, and of one velocity
static void write_cells(const char *path, const char *name, int side, float factor, BrumeVec3 velocity)
{
    BrumeFrameGrids frame = {.cells = {side, side, side, NULL}, .dx = 0.05, .origin = {-0.2, 0.3, -0.2}};
    BrumeFrameGrid *grids[2];
    BrumeError error;
    assert_int_equal(brume_frame_grids_add(&frame, name, "1", 1, BRUME_AT_CENTERS, &grids[0], &error), BRUME_OK);
    assert_int_equal(brume_frame_grids_add(&frame, "velocity", "m/s", 3, BRUME_AT_CENTERS, &grids[1], &error),
                     BRUME_OK);
    for (int n = 0; n < side * side * side; n++) {
        frame.grids[0].values[n] = factor * value_at(n);
        const float components[3] = {velocity.x, velocity.y, velocity.z};
        memcpy(&frame.grids[1].values[3 * n], components, sizeof components);
    }
    const BrumeVolumeWriteDef def = {.overwrite = true};
    if (format->write(&frame, path, &def, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    brume_frame_grids_destroy(&frame);
}

static void write_block(const char *path, const char *name, float factor, BrumeVec3 velocity)
{
    write_cells(path, name, SIDE, factor, velocity);
}

// smoke whose values double from file to file, without number 2, and wind that turns from x to y
static void write_files(void)
{
    const BrumeVec3 along_x = {1.0f, 0.0f, 0.0f};
    const BrumeVec3 along_y = {0.0f, 1.0f, 0.0f};
    write_block("smoke.0000." EXTENSION, "density", 1.0f, along_x);
    write_block("smoke.0001." EXTENSION, "density", 2.0f, along_x);
    write_block("smoke.0003." EXTENSION, "density", 4.0f, along_x);
    write_block("wind.0000." EXTENSION, "density", 1.0f, along_x);
    write_block("wind.0004." EXTENSION, "density", 1.0f, along_y);
}

#define SOURCE "  - {shape: volume, file: " SMOKE ", threshold: 64, density_rate: 24}\n"
#define FLOW                                                                                                           \
    "  - {shape: box, center: [0, 0.5, 0], size: [0.4, 0.4, 0.4], force: {kind: flow, file: " WIND ", rate: 1e5}}\n"

static BrumeStatus try_parse(BrumeScene **scene, const char *time, const char *emitters, BrumeError *error)
{
    char text[1024];
    (void)snprintf(
        text, sizeof text,
        "domain: {size: [1, 1, 1], boundaries: {x: periodic, y: periodic, z: periodic}}\nsolver: {resolution: 20}\n"
        "time: {fps: 24, frames: 4, %s}\nair: {gravity: [0, 0, 0]}\nimage: {width: 32, height: 24}\n"
        "emitters:\n%s",
        time, emitters);
    make_file("scene.yaml", text);
    return brume_scene_parse(scene, text, "scene.yaml", NULL, 0, &brume_scene_readers, error);
}

static BrumeScene *parse(const char *time, const char *emitters)
{
    BrumeScene *scene = NULL;
    BrumeError error;
    if (try_parse(&scene, time, emitters, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return scene;
}

// the sum of the smoke in all cells, over the sum of the values of the first file times the full strength
static double emitted(const BrumeSim *sim)
{
    const BrumeField *density = brume_sim_field(sim, BRUME_FIELD_DENSITY);
    double sum = 0.0;
    double values = 0.0;
    for (int n = 0; n < 20 * 20 * 20; n++) {
        sum += (double)density->data[brume_field_index(density, 1 + n % 20, 1 + n / 20 % 20, 1 + n / 400)];
    }
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        values += (double)value_at(n) / 64.0;
    }
    return sum / values;
}

static BrumeSim *run_scene(const BrumeScene *scene, int frames)
{
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    BrumeStatus status = brume_sim_create(&sim, &scene->sim, &error);
    for (int n = 0; n < frames && status == BRUME_OK; n++) {
        status = brume_scene_frame(scene, sim, NULL, &error);
    }
    if (status != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return sim;
}

/** The smoke of a frame is the mean of the files over its time; numbers of files are those of frames. */
static void test_source(void **state)
{
    (void)state;
    write_files();
    const double expected[] = {1.5, 1.5 + 2.5, 1.5 + 2.5 + 3.5, 1.5 + 2.5 + 3.5 + 4.0};
    BrumeScene *scene = parse("first_frame: 1", SOURCE);
    for (int frames = 1; frames <= 4; frames++) {
        BrumeSim *sim = run_scene(scene, frames);
        print_message("%d frames: %.7f, expected %g\n", frames, emitted(sim), expected[frames - 1]);
        assert_true(fabs(emitted(sim) / expected[frames - 1] - 1.0) < 1e-5);
        brume_sim_destroy(sim);
    }
    brume_scene_destroy(scene);
    scene = parse("first_frame: 3", SOURCE); // frame 1 of the simulation has number 3
    BrumeSim *sim = run_scene(scene, 2);
    assert_true(fabs(emitted(sim) / (3.5 + 4.0) - 1.0) < 1e-5);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
    scene = parse("first_frame: 1", "  - {shape: volume, file: " SMOKE ", threshold: 64, density: 1}\n");
    sim = run_scene(scene, 2);
    assert_true(fabs(emitted(sim) / 3.0 - 1.0) < 1e-5); // half-way from 2 to 4
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
    // the first file is empty: one cell without smoke, up to the next file
    write_cells("smoke.0000." EXTENSION, "density", 1, 0.0f, (BrumeVec3){0.0f, 0.0f, 0.0f});
    scene = parse("first_frame: 1", SOURCE);
    sim = run_scene(scene, 2);
    assert_true(fabs(emitted(sim) / 2.5 - 1.0) < 1e-5);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
}

/** The air in the block has the velocity of the files in the middle of the last step. */
static void test_flow(void **state)
{
    (void)state;
    write_files();
    BrumeScene *scene = parse("first_frame: 1", FLOW);
    for (int frames = 1; frames <= 4; frames += 3) {
        BrumeSim *sim = run_scene(scene, frames);
        const BrumeField *v = brume_sim_field(sim, BRUME_FIELD_V);
        const BrumeField *u = brume_sim_field(sim, BRUME_FIELD_U);
        const ptrdiff_t c = brume_field_index(v, 10, 10, 10);
        print_message("after %d frames (%.4f, %.4f) m/s\n", frames, (double)u->data[c], (double)v->data[c]);
        assert_true(frames == 1 ? u->data[c] > 2.0f * v->data[c] : v->data[c] > 2.0f * u->data[c]);
        brume_sim_destroy(sim);
    }
    brume_scene_destroy(scene);
}

/** A state is continued with equal bits, at any number of threads; a scene that is written has the sequence. */
static void test_resume(void **state)
{
    (void)state;
    write_files();
    uint64_t hashes[2];
    for (int n = 0; n < 2; n++) {
        brume_set_threads(n == 0 ? 1 : 3);
        BrumeScene *scene = parse("first_frame: 1", SOURCE FLOW);
        BrumeSim *sim = run_scene(scene, 4);
        hashes[n] = brume_sim_hash(sim);
        brume_sim_destroy(sim);
        char *text = written(scene);
        assert_non_null(strstr(text, SMOKE));
        assert_non_null(strstr(text, WIND));
        BrumeScene *again = NULL;
        BrumeError error;
        if (brume_scene_parse(&again, text, "again.yaml", NULL, 0, &brume_scene_readers, &error) != BRUME_OK) {
            fail_msg("%s", error.text);
        }
        sim = run_scene(again, 4);
        assert_true(brume_sim_hash(sim) == hashes[n]);
        brume_sim_destroy(sim);
        brume_scene_destroy(again);
        brume_scene_destroy(scene);
        brume_free(text);
    }
    brume_set_threads(0);
    assert_true(hashes[0] == hashes[1]);
    run_successfully(&run, "info scene.yaml");
    assert_non_null(strstr(run.out, "3 files "));
    assert_non_null(strstr(run.out, SMOKE " from number 0 to 3"));
    assert_non_null(strstr(run.out, WIND " from number 0 to 4"));
    run_successfully(&run, "render scene.yaml -o whole.####.png --checkpoint-every 1");
    run_successfully(&run, "render scene.yaml -o part.####.png --checkpoint-every 1 --frames 1:2");
    run_successfully(&run, "render scene.yaml -o part.####.png --checkpoint-every 1 --resume");
    assert_same_files("whole.0004.png", "part.0004.png");
}

static void expect_error(const char *arguments, const char *text)
{
    run_program(&run, arguments);
    const char *end = strchr(run.err, '\n');
    if (run.status != 2 || !strstr(run.err, text) || !end || end[1] != '\0') {
        fail_msg("brume %s: exit status %d, expected 2; printed %s, expected one line with %s", arguments, run.status,
                 run.err, text);
    }
}

static void test_errors(void **state)
{
    (void)state;
    write_files();
    BrumeScene *scene = NULL;
    BrumeError error;
    static const char *const cases[][2] = {
        {"  - {shape: volume, file: none.####.vdb, density: 1}\n", "none.####.vdb: no such file"},
        {"  - {shape: volume, file: smoke.###." EXTENSION ", density: 1}\n", "whose number has 4 digits: write '"},
        {SOURCE "bodies:\n  - {shape: volume, file: " SMOKE ", threshold: 1}\n",
         SMOKE ": only emitters and their forces have a sequence of files (name one of its files)"},
        {SOURCE "initial:\n  - {kind: volume, file: " SMOKE "}\n", "only emitters and their forces"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        assert_int_equal(try_parse(&scene, "first_frame: 1", cases[n][0], &error), BRUME_BAD_INPUT);
        if (!strstr(error.text, cases[n][1])) {
            fail_msg("%s", error.text);
        }
    }
    // the grid is missing in a frame, then the file
    brume_scene_destroy(parse("first_frame: 1", SOURCE));
    write_block("smoke.0003." EXTENSION, "temperature", 4.0f, (BrumeVec3){1.0f, 0.0f, 0.0f});
    static const char text[] =
        "smoke.0003." EXTENSION ": has no grid of numbers 'density'; its grids are: temperature, "
        "velocity (a vector)";
    expect_error("sim scene.yaml -o out.####.raw", text);
    assert_true(exists("out.0001.raw") && !exists("out.0003.raw"));
    expect_error("render scene.yaml --dry-run", text);
    write_files();
    make_file("smoke.0003." EXTENSION, "");
    expect_error("sim scene.yaml -o again.####.raw", "smoke.0003." EXTENSION ": ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_flow),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

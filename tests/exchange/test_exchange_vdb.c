// OpenVDB files: frames are written and read back unchanged, other programs see the right positions, names and units,
// files of other programs arrive, and damaged or unsuitable files are refused.
#include "core/memory.h"
#include "core/random.h"
#include "exchange/vdb/vdb.h"
#include "foreign_vdb.h"
#include "frame_support.h"
#include "io/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <unistd.h>

static char folder[64]; // created for every test
static const BrumeVolumeReadDef all;

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/brume_vdb_XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command); // NOLINT(bugprone-command-processor): a folder of this test
}

static const char *in_folder(const char *name)
{
    static char path[8][128];
    static int next;
    next = (next + 1) % 8;
    (void)snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static const char scene_text[] = "smoke:\n"
                                 "  density: {extinction: 20, albedo: [0.5, 0.5, 0.5]}\n"
                                 "  color_1: {extinction: 10, albedo: [1, 0, 0]}\n";

static BrumeFrameGrid *add(BrumeFrameGrids *frame, const char *name, const char *unit, int components,
                           BrumeGridLocation location)
{
    BrumeFrameGrid *grid = NULL;
    BrumeError error = {0};
    if (brume_frame_grids_add(frame, name, unit, components, location, &grid, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return grid;
}

// random values in [-scale, scale) where `fraction` of the 4 x 4 x 4 blocks are not empty
static void fill(const BrumeFrameGrids *frame, BrumeFrameGrid *grid, float scale, float fraction, uint32_t seed)
{
    float *value = grid->values;
    const int extent[3] = {brume_frame_grid_extent(frame->cells, grid->location, 0),
                           brume_frame_grid_extent(frame->cells, grid->location, 1),
                           brume_frame_grid_extent(frame->cells, grid->location, 2)};
    for (uint32_t k = 0; k < (uint32_t)extent[2]; k++) {
        for (uint32_t j = 0; j < (uint32_t)extent[1]; j++) {
            for (uint32_t i = 0; i < (uint32_t)extent[0]; i++) {
                const uint32_t block = i / 4 + 100 * (j / 4) + 10000 * (k / 4);
                for (uint32_t n = 0; n < (uint32_t)grid->components; n++, value++) {
                    const uint32_t at = i + 100 * j + 10000 * k + 1000000 * n;
                    *value = brume_unit_float(brume_hash3(block, seed, 1)) < fraction
                                 ? scale * (2.0f * brume_unit_float(brume_hash3(at, seed, 2)) - 1.0f)
                                 : 0.0f;
                }
            }
        }
    }
}

static BrumeFrameGrids empty_frame(void)
{
    BrumeFrameGrids frame = {.cells = {13, 10, 9, NULL},
                             .dx = 0.1,
                             .origin = {-0.65, 0.1, 2.3},
                             .has_frame = true,
                             .frame = 12,
                             .time = 0.5};
    frame.scene_text = brume_copy_text(scene_text);
    return frame;
}

// every kind of grid but the faces
static BrumeFrameGrids make_frame(void)
{
    BrumeFrameGrids frame = empty_frame();
    fill(&frame, add(&frame, "density", "1", 1, BRUME_AT_CENTERS), 2.0f, 0.5f, 1);
    (void)add(&frame, "color_1", "1", 1, BRUME_AT_CENTERS); // empty
    fill(&frame, add(&frame, "color_3", "1", 1, BRUME_AT_CENTERS), 1.0f, 0.3f, 2);
    fill(&frame, add(&frame, "temperature", "K", 1, BRUME_AT_CENTERS), 300.0f, 0.6f, 3);
    fill(&frame, add(&frame, "pressure", "m^2/s^2", 1, BRUME_AT_CENTERS), 1e-3f, 1.0f, 4);
    fill(&frame, add(&frame, "velocity", "m/s", 3, BRUME_AT_CENTERS), 5.0f, 1.0f, 5);
    return frame;
}

static void add_faces(BrumeFrameGrids *frame)
{
    fill(frame, add(frame, "velocity_x", "m/s", 1, BRUME_AT_X_FACES), 5.0f, 1.0f, 6);
    fill(frame, add(frame, "velocity_y", "m/s", 1, BRUME_AT_Y_FACES), 5.0f, 1.0f, 7);
    fill(frame, add(frame, "velocity_z", "m/s", 1, BRUME_AT_Z_FACES), 5.0f, 1.0f, 8);
}

static void write_vdb(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def)
{
    BrumeError error = {0};
    if (brume_vdb_format.write(frame, path, def, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
}

static BrumeFrameGrids read_vdb(const char *path)
{
    BrumeFrameGrids frame = {0};
    BrumeError error = {0};
    if (brume_vdb_format.read(&frame, path, &all, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return frame;
}

static const BrumeFrameGrid *find(const BrumeFrameGrids *frame, const char *name)
{
    const BrumeFrameGrid *grid = brume_frame_grids_find(frame, name);
    if (!grid) {
        fail_msg("there is no grid '%s'", name);
    }
    return grid;
}

// `tolerance` is relative to the larger of the value and `floor_value`
static void expect_same_grid(const BrumeFrameGrids *frame, const BrumeFrameGrids *read, const char *name,
                             double tolerance, double floor_value)
{
    const BrumeFrameGrid *one = find(frame, name);
    const BrumeFrameGrid *other = find(read, name);
    assert_int_equal(one->components, other->components);
    assert_int_equal(one->location, other->location);
    assert_string_equal(one->unit, other->unit);
    const size_t values = brume_frame_grid_values(frame->cells, one);
    assert_int_equal(values, brume_frame_grid_values(read->cells, other));
    for (size_t n = 0; n < values; n++) {
        const double expected = (double)one->values[n];
        const double limit = tolerance * fmax(fabs(expected), floor_value);
        if (!(fabs((double)other->values[n] - expected) <= limit)) {
            fail_msg("%s[%zu]: %.9g, expected %.9g, tolerance %.3g", name, n, (double)other->values[n], expected,
                     limit);
        }
    }
}

static void expect_same_box(const BrumeFrameGrids *frame, const BrumeFrameGrids *read)
{
    assert_memory_equal(&frame->cells, &read->cells, sizeof frame->cells);
    assert_true(frame->dx == read->dx);
    assert_memory_equal(frame->origin, read->origin, sizeof frame->origin);
    assert_int_equal(frame->frame, read->frame);
    assert_true(frame->time == read->time);
    assert_string_equal(frame->scene_text, read->scene_text);
}

// What is written is read back, with each setting that does not change values.
// few voxels: only they are filled; the bytes do not depend on what is known to be empty
static void few_voxels_are_filled(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        const BrumeVolumeWriteDef def = {.z_up = variant & 1, .vdb_staggered = variant & 2, .overwrite = true};
        const BrumeCellBox box = {{3, 2, 1}, {6, 4, 5}};
        BrumeFrameGrids frame = make_frame();
        if (def.vdb_staggered) {
            add_faces(&frame);
        }
        frame_keep_few(&frame, box);
        const char *few = in_folder("few.vdb");
        const char *all_cells = in_folder("all.vdb");
        write_vdb(&frame, few, &def);
        BrumeFrameGrids read = read_vdb(few);
        expect_same_grid(&frame, &read, "density", 0.0, 0.0);
        expect_same_grid(&frame, &read, def.vdb_staggered ? "velocity_x" : "velocity", 0.0, 0.0);
        assert_true(frame_is_filled_around(&read, box, 1));
        for (int n = 0; n < frame.count; n++) {
            for (int axis = 0; axis < 3; axis++) {
                frame.grids[n].filled.lower[axis] = 0;
                frame.grids[n].filled.upper[axis] = brume_frame_grid_extent(frame.cells, frame.grids[n].location, axis);
            }
        }
        write_vdb(&frame, all_cells, &def);
        BrumeError error;
        uint8_t *bytes[2];
        size_t sizes[2];
        assert_int_equal(brume_file_read(few, &bytes[0], &sizes[0], &error), BRUME_OK);
        assert_int_equal(brume_file_read(all_cells, &bytes[1], &sizes[1], &error), BRUME_OK);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(bytes[0], bytes[1], sizes[0]);
        brume_free(bytes[0]);
        brume_free(bytes[1]);
        brume_frame_grids_destroy(&read);
        brume_frame_grids_destroy(&frame);
    }
}

static void floats_are_exact(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        const BrumeVolumeWriteDef def = {.z_up = variant & 1, .vdb_staggered = variant & 2};
        BrumeFrameGrids frame = make_frame();
        if (def.vdb_staggered) {
            add_faces(&frame);
        }
        const char *path = in_folder("frame.vdb");
        (void)unlink(path);
        write_vdb(&frame, path, &def);
        BrumeFrameGrids read = read_vdb(path);
        expect_same_box(&frame, &read);
        static const char *const names[] = {"density", "color_1", "color_3", "temperature", "pressure"};
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
            expect_same_grid(&frame, &read, names[n], 0.0, 0.0);
        }
        if (def.vdb_staggered) {
            expect_same_grid(&frame, &read, "velocity_x", 0.0, 0.0);
            expect_same_grid(&frame, &read, "velocity_y", 0.0, 0.0);
            expect_same_grid(&frame, &read, "velocity_z", 0.0, 0.0);
            assert_int_equal(read.count, 8);
        } else {
            expect_same_grid(&frame, &read, "velocity", 0.0, 0.0);
            assert_int_equal(read.count, 6);
        }
        brume_frame_grids_destroy(&read);
        brume_frame_grids_destroy(&frame);
    }
}

static void halfs_have_11_bits(void **state)
{
    (void)state;
    const BrumeVolumeWriteDef def = {.half = true, .z_up = true};
    BrumeFrameGrids frame = make_frame();
    write_vdb(&frame, in_folder("half.vdb"), &def);
    BrumeFrameGrids read = read_vdb(in_folder("half.vdb"));
    expect_same_box(&frame, &read);
    // below 2^-14 halfs have a fixed step
    for (int n = 0; n < frame.count; n++) {
        expect_same_grid(&frame, &read, frame.grids[n].name, ldexp(1.0, -11), ldexp(1.0, -14));
    }
    brume_frame_grids_destroy(&read);

    BrumeError error = {0};
    frame.grids[0].values[5] = 65505.0f;
    assert_int_equal(brume_vdb_format.write(&frame, in_folder("large.vdb"), &def, &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "large.vdb: the grid 'density' has a value of 65505"));
    assert_int_equal(access(in_folder("large.vdb"), F_OK), -1);
    brume_frame_grids_destroy(&frame);
}

// Equal frames give equal files, and an existing file is replaced only where that is allowed.
static void files_are_reproducible(void **state)
{
    (void)state;
    BrumeFrameGrids frame = make_frame();
    BrumeVolumeWriteDef def = {0};
    uint8_t *bytes[2];
    size_t size[2];
    for (int n = 0; n < 2; n++) {
        const char *path = in_folder(n == 0 ? "a.vdb" : "b.vdb");
        write_vdb(&frame, path, &def);
        assert_int_equal(brume_file_read(path, &bytes[n], &size[n], NULL), BRUME_OK);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    brume_free(bytes[0]);
    brume_free(bytes[1]);

    BrumeError error = {0};
    assert_int_equal(brume_vdb_format.write(&frame, in_folder("a.vdb"), &def, &error), BRUME_FAILED);
    def.overwrite = true;
    write_vdb(&frame, in_folder("a.vdb"), &def);
    brume_frame_grids_destroy(&frame);
}

static void expect_description(const BrumeFrameGrids *frame, const BrumeVolumeWriteDef *def, const char *expected)
{
    char text[1024];
    write_vdb(frame, in_folder("described.vdb"), def);
    assert_true(foreign_vdb_describe(in_folder("described.vdb"), text, sizeof text));
    assert_string_equal(text, expected);
}

// Names, types, classes and units, as OpenVDB itself reports them; empty grids are there.
static void other_programs_see_grids(void **state)
{
    (void)state;
    BrumeFrameGrids frame = empty_frame();
    add(&frame, "density", "1", 1, BRUME_AT_CENTERS)->values[0] = 1.0f;
    (void)add(&frame, "temperature", "K", 1, BRUME_AT_CENTERS);
    (void)add(&frame, "velocity", "m/s", 3, BRUME_AT_CENTERS);
    BrumeVolumeWriteDef def = {.overwrite = true};
    expect_description(&frame, &def,
                       "density float fog volume, invariant, 1, 1 active; "
                       "temperature float fog volume, invariant, K, 0 active; "
                       "velocity vec3s unknown, contravariant relative, m/s, 0 active; ");
    add(&frame, "color_2", "1", 1, BRUME_AT_CENTERS)->values[1] = 1.0f;
    add(&frame, "velocity_x", "m/s", 1, BRUME_AT_X_FACES)->values[13] = 1.0f; // on the upper side of the box
    (void)add(&frame, "velocity_y", "m/s", 1, BRUME_AT_Y_FACES);
    (void)add(&frame, "velocity_z", "m/s", 1, BRUME_AT_Z_FACES);
    def.vdb_names = "houdini";
    def.half = true;
    def.vdb_staggered = true;
    expect_description(&frame, &def,
                       "Cd half vec3s fog volume, invariant, 1, 2 active; "
                       "density half float fog volume, invariant, 1, 2 active; "
                       "temperature half float fog volume, invariant, K, 0 active; "
                       "vel half vec3s staggered, contravariant relative, m/s, 1 active; ");
    def = (BrumeVolumeWriteDef){.overwrite = true, .vdb_names = "blender"};
    expect_description(&frame, &def,
                       "color vec3s fog volume, invariant, 1, 2 active; "
                       "density float fog volume, invariant, 1/m, 2 active; "
                       "temperature float fog volume, invariant, kK, 0 active; "
                       "velocity vec3s unknown, contravariant relative, m/s, 0 active; ");

    BrumeError error = {0};
    def.vdb_names = "maya";
    assert_int_equal(brume_vdb_format.write(&frame, in_folder("m.vdb"), &def, &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "m.vdb: unknown names of OpenVDB grids 'maya' (known are blender, houdini, "
                                       "embergen)"));
    brume_frame_grids_destroy(&frame);
}

// Blender 3.4 does not render tiles.
static void constant_grids_have_no_tiles(void **state)
{
    (void)state;
    BrumeFrameGrids frame = {.cells = {32, 16, 8, NULL}, .dx = 1.0};
    BrumeFrameGrid *density = add(&frame, "density", "1", 1, BRUME_AT_CENTERS);
    for (size_t n = 0; n < brume_frame_grid_values(frame.cells, density); n++) {
        density->values[n] = 0.5f;
    }
    expect_description(&frame, &(BrumeVolumeWriteDef){0}, "density float fog volume, invariant, 1, 4096 active; ");
    brume_frame_grids_destroy(&frame);
}

static void expect_voxel(const char *path, const char *grid, const double position[3], double x, double y, double z)
{
    double value[3];
    assert_true(foreign_vdb_value(path, grid, position, value));
    const double expected[3] = {x, y, z};
    for (int n = 0; n < 3; n++) {
        if (!(fabs(value[n] - expected[n]) <= 1e-6 * fabs(expected[n]))) {
            fail_msg("%s at (%g, %g, %g), component %d: %.9g, expected %.9g", grid, position[0], position[1],
                     position[2], n, value[n], expected[n]);
        }
    }
}

static size_t cell_of(const BrumeFrameGrids *frame, int i, int j, int k)
{
    return (size_t)i + (size_t)frame->cells.nx * ((size_t)j + (size_t)frame->cells.ny * (size_t)k);
}

// Cell (i, j, k) has its center at origin + (i + 1/2, j + 1/2, k + 1/2) dx, and with z up at (x, -z, y).
static void positions_are_right(void **state)
{
    (void)state;
    BrumeFrameGrids frame = empty_frame();
    const size_t cell = cell_of(&frame, 3, 7, 1);
    add(&frame, "density", "1", 1, BRUME_AT_CENTERS)->values[cell] = 3.0f;
    BrumeFrameGrid *velocity = add(&frame, "velocity", "m/s", 3, BRUME_AT_CENTERS);
    velocity->values[3 * cell] = 1.0f;
    velocity->values[3 * cell + 1] = 2.0f;
    velocity->values[3 * cell + 2] = 3.0f;
    const double x = -0.65 + 3.5 * 0.1;
    const double y = 0.1 + 7.5 * 0.1;
    const double z = 2.3 + 1.5 * 0.1;
    BrumeVolumeWriteDef def = {.overwrite = true};
    const char *path = in_folder("position.vdb");
    write_vdb(&frame, path, &def);
    expect_voxel(path, "density", (double[3]){x, y, z}, 3.0, 0.0, 0.0);
    expect_voxel(path, "velocity", (double[3]){x, y, z}, 1.0, 2.0, 3.0);
    def.z_up = true;
    write_vdb(&frame, path, &def);
    expect_voxel(path, "density", (double[3]){x, -z, y}, 3.0, 0.0, 0.0);
    expect_voxel(path, "velocity", (double[3]){x, -z, y}, 1.0, -3.0, 2.0);

    // a staggered value of OpenVDB is on the lower face of its cell, along the axes of the file
    def.vdb_staggered = true;
    BrumeFrameGrid *faces = add(&frame, "velocity_x", "m/s", 1, BRUME_AT_X_FACES);
    faces->values[3 + 14 * (7 + 10 * 1)] = 1.0f; // lower x face of the cell
    (void)add(&frame, "velocity_y", "m/s", 1, BRUME_AT_Y_FACES);
    faces = add(&frame, "velocity_z", "m/s", 1, BRUME_AT_Z_FACES);
    faces->values[3 + 13 * (7 + 10 * 2)] = 3.0f; // upper z face, which is the lower y face of the file
    write_vdb(&frame, path, &def);
    expect_voxel(path, "velocity", (double[3]){x, -z, y}, 1.0, -3.0, 0.0);
    brume_frame_grids_destroy(&frame);
}

// Without velocities at the centers, they are the mean of the faces.
static void faces_are_averaged(void **state)
{
    (void)state;
    BrumeFrameGrids frame = empty_frame();
    add_faces(&frame);
    write_vdb(&frame, in_folder("faces.vdb"), &(BrumeVolumeWriteDef){0});
    BrumeFrameGrids read = read_vdb(in_folder("faces.vdb"));
    const float *velocity = find(&read, "velocity")->values + 3 * cell_of(&frame, 12, 9, 8);
    const float *u = frame.grids[0].values + 12 + 14 * (9 + 10 * 8);
    const float *v = frame.grids[1].values + 12 + 13 * (9 + 11 * 8);
    const float *w = frame.grids[2].values + 12 + 13 * (9 + 10 * 8);
    assert_true(velocity[0] == 0.5f * (u[0] + u[1]));
    assert_true(velocity[1] == 0.5f * (v[0] + v[13]));
    assert_true(velocity[2] == 0.5f * (w[0] + w[130]));
    brume_frame_grids_destroy(&read);

    BrumeError error = {0};
    frame.count = 2;
    assert_int_equal(brume_vdb_format.write(&frame, in_folder("two.vdb"), &(BrumeVolumeWriteDef){0}, &error),
                     BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "two.vdb: the grid 'velocity_x' is on the faces of cells"));
    frame.count = 3;
    brume_frame_grids_destroy(&frame);
}

// Blender: density is the extinction of the scene [1/m], color the albedo, temperature absolute [1000 K].
static void blender_gets_its_units(void **state)
{
    (void)state;
    BrumeFrameGrids frame = empty_frame();
    const size_t cell = cell_of(&frame, 0, 0, 0);
    add(&frame, "density", "1", 1, BRUME_AT_CENTERS)->values[cell] = 0.25f;
    add(&frame, "temperature", "K", 1, BRUME_AT_CENTERS)->values[cell] = 706.85f;
    const double at[3] = {-0.6, 0.15, 2.35};
    const char *path = in_folder("blender.vdb");
    BrumeVolumeWriteDef def = {.overwrite = true, .vdb_names = "blender"};
    write_vdb(&frame, path, &def);
    expect_voxel(path, "density", at, 5.0, 0.0, 0.0); // 0.25 x 20/m
    expect_voxel(path, "temperature", at, 1.0, 0.0, 0.0);
    BrumeFrameGrids read = read_vdb(path);
    expect_same_grid(&frame, &read, "density", 1e-7, 0.0);
    expect_same_grid(&frame, &read, "temperature", 1e-6, 0.0);
    brume_frame_grids_destroy(&read);

    add(&frame, "color_1", "1", 1, BRUME_AT_CENTERS)->values[cell] = 1.5f; // 15/m of red
    write_vdb(&frame, path, &def);
    expect_voxel(path, "density", at, 20.0, 0.0, 0.0);
    expect_voxel(path, "color", at, (5.0 * 0.5 + 15.0) / 20.0, 2.5 / 20.0, 2.5 / 20.0);

    def.vdb_names = "embergen";
    write_vdb(&frame, path, &def);
    expect_voxel(path, "density", at, 1.0, 0.0, 0.0); // 20/m, of which plain smoke has 20/m for 1
    expect_voxel(path, "color", at, (5.0 * 0.5 + 15.0) / 20.0, 2.5 / 20.0, 2.5 / 20.0);
    expect_voxel(path, "temperature", at, 1000.0, 0.0, 0.0);

    brume_free(frame.scene_text); // the extinction of scenes by default
    frame.scene_text = NULL;
    frame.count = 2;
    def.vdb_names = "blender";
    write_vdb(&frame, path, &def);
    expect_voxel(path, "density", at, 7.5, 0.0, 0.0);
    frame.count = 3;
    brume_frame_grids_destroy(&frame);
}

static float value_at(const BrumeFrameGrids *frame, const char *name, int i, int j, int k, int component)
{
    const BrumeFrameGrid *grid = find(frame, name);
    const size_t nx = (size_t)brume_frame_grid_extent(frame->cells, grid->location, 0);
    const size_t ny = (size_t)brume_frame_grid_extent(frame->cells, grid->location, 1);
    const size_t at = (size_t)i + nx * ((size_t)j + ny * (size_t)k);
    return grid->values[at * (size_t)grid->components + (size_t)component];
}

static double sum_of(const BrumeFrameGrids *frame, const char *name)
{
    const BrumeFrameGrid *grid = find(frame, name);
    double sum = 0.0;
    for (size_t n = 0; n < brume_frame_grid_values(frame->cells, grid); n++) {
        sum += (double)grid->values[n];
    }
    return sum;
}

static BrumeFrameGrids read_foreign(ForeignVdb kind)
{
    assert_true(foreign_vdb_write(kind, in_folder("foreign.vdb")));
    return read_vdb(in_folder("foreign.vdb"));
}

static void expect_box(const BrumeFrameGrids *frame, int nx, int ny, int nz, double dx, double x, double y, double z)
{
    assert_int_equal(frame->cells.nx, nx);
    assert_int_equal(frame->cells.ny, ny);
    assert_int_equal(frame->cells.nz, nz);
    const double expected[4] = {dx, x, y, z};
    const double found[4] = {frame->dx, frame->origin[0], frame->origin[1], frame->origin[2]};
    for (int n = 0; n < 4; n++) {
        if (!(fabs(found[n] - expected[n]) <= 1e-12)) {
            fail_msg("%s: %.17g, expected %.17g", n == 0 ? "dx" : "origin", found[n], expected[n]);
        }
    }
}

static void houdini_is_read(void **state)
{
    (void)state;
    BrumeFrameGrids frame = read_foreign(FOREIGN_HOUDINI);
    // indices (-3, 0, 0) to (7, 7, 7); the lower corner is half a voxel below the first center
    expect_box(&frame, 11, 8, 8, 0.5, 1.0 - 3.5 * 0.5, 2.0 - 0.25, 3.0 - 0.25);
    assert_int_equal(frame.count, 4);
    assert_true(value_at(&frame, "density", 0, 0, 5, 0) == 2.0f);
    assert_true(value_at(&frame, "density", 4, 7, 6, 0) == 4.0f);
    assert_true(sum_of(&frame, "density") == 6.0);
    assert_true(value_at(&frame, "color", 3, 0, 6, 1) == 0.2f);
    assert_true(value_at(&frame, "velocity", 4, 1, 5, 0) == 1.0f && value_at(&frame, "velocity", 4, 1, 5, 2) == 3.0f);
    assert_true(sum_of(&frame, "temperature") == 512 * 0.25); // the background is not part of the active box
    assert_string_equal(find(&frame, "temperature")->unit, "K");
    assert_false(frame.has_frame);
    brume_frame_grids_destroy(&frame);
}

static void blender_is_read(void **state)
{
    (void)state;
    BrumeFrameGrids frame = read_foreign(FOREIGN_BLENDER);
    expect_box(&frame, 1, 1, 1, 0.25, 2 * 0.25 - 0.125, 4 * 0.25 - 0.125, -3 * 0.25 - 0.125);
    assert_int_equal(frame.count, 5); // density, flame and three components; not the level set
    assert_true(value_at(&frame, "density", 0, 0, 0, 0) == 1.0f);
    assert_true(sum_of(&frame, "flame") == 0.0);
    assert_true(value_at(&frame, "velocity_x", 0, 0, 0, 0) == 5.0f && sum_of(&frame, "velocity_x") == 5.0);
    assert_true(value_at(&frame, "velocity_y", 0, 0, 0, 0) == 7.0f && sum_of(&frame, "velocity_y") == 7.0);
    // the lower y face of the file is the upper z face
    assert_true(value_at(&frame, "velocity_z", 0, 0, 1, 0) == -6.0f && sum_of(&frame, "velocity_z") == -6.0);
    brume_frame_grids_destroy(&frame);
}

static void other_transforms_are_read(void **state)
{
    (void)state;
    BrumeFrameGrids frame = read_foreign(FOREIGN_MIRRORED);
    // index (i, j, k) is at (-k, i, j): voxels at (-3, 1, 2) and (-3, 2, 2)
    expect_box(&frame, 1, 2, 1, 1.0, -3.5, 0.5, 1.5);
    assert_true(value_at(&frame, "density", 0, 0, 0, 0) == 3.0f && value_at(&frame, "density", 0, 1, 0, 0) == 4.0f);
    brume_frame_grids_destroy(&frame);

    frame = read_foreign(FOREIGN_LOCAL);
    assert_true(value_at(&frame, "velocity", 0, 0, 0, 0) == 1.0f && value_at(&frame, "velocity", 0, 0, 0, 2) == 3.0f);
    brume_frame_grids_destroy(&frame);

    frame = read_foreign(FOREIGN_EMPTY);
    expect_box(&frame, 1, 1, 1, 1.0, -0.5, -0.5, -0.5);
    assert_true(sum_of(&frame, "density") == 0.0);
    brume_frame_grids_destroy(&frame);
}

static void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.9g, expected %.9g with a tolerance of %g", value, expected, tolerance);
    }
}

// Voxels that are rotated or no cubes become cubes along the axes. Interpolation is exact for linear functions, and the
// sum of the values times the volume of a cell stays.
static void other_voxels_are_resampled(void **state)
{
    (void)state;
    BrumeFrameGrids frame = read_foreign(FOREIGN_FLAT);
    expect_box(&frame, 3, 3, 5, 1.0, -1.5, -1.5, -2.5);
    assert_true(value_at(&frame, "density", 1, 1, 2, 0) == 1.0f && value_at(&frame, "density", 1, 1, 1, 0) == 0.5f);
    assert_true(sum_of(&frame, "density") == 2.0); // the volume of the voxel
    assert_string_equal(frame.grids[0].note, "is resampled from voxels of 1 x 1 x 2 m to cubes of 1 m");
    brume_frame_grids_destroy(&frame);

    frame = read_foreign(FOREIGN_ROTATED);
    assert_string_equal(frame.grids[0].note, "is resampled from rotated voxels of 0.5 x 1 x 0.5 m to cubes of 0.5 m");
    const double c = cos(M_PI / 6);
    const double s = sin(M_PI / 6);
    int inside = 0;
    for (int k = 0; k < frame.cells.nz; k++) {
        for (int j = 0; j < frame.cells.ny; j++) {
            for (int i = 0; i < frame.cells.nx; i++) {
                const double x = frame.origin[0] + (i + 0.5) * frame.dx;
                const double y = frame.origin[1] + (j + 0.5) * frame.dx;
                const double z = frame.origin[2] + (k + 0.5) * frame.dx;
                const double index[3] = {(c * x - s * z) / 0.5, y, (s * x + c * z) / 0.5};
                const float value = value_at(&frame, "density", i, j, k, 0);
                if (fmin(index[0], fmin(index[1], index[2])) >= 0.0 &&
                    fmax(index[0], fmax(index[1], index[2])) <= 11.0) {
                    inside++;
                    expect_near((double)value, 100.0 + x + 2.0 * y + 3.0 * z, 2e-5);
                }
            }
        }
    }
    assert_in_range(inside, 2000, 3000); // 11^3 voxels of two cells
    double sum = 0.0;                    // the sum of the file
    for (int n = 0; n < 12 * 12 * 12; n++) {
        const double x = 0.5 * (n % 12);
        const int row = n / 12;
        const int plane = n / 144;
        const double z = 0.5 * plane;
        sum += 100.0 + (c * x + s * z) + 2.0 * (row % 12) + 3.0 * (c * z - s * x);
    }
    expect_near(sum_of(&frame, "density") / (2.0 * sum), 1.0, 2e-3); // a voxel has the volume of two cells
    brume_frame_grids_destroy(&frame);
}

// Grids with other voxels than the density's get these; grids that are not needed do not count.
static void other_sizes_are_resampled(void **state)
{
    (void)state;
    BrumeFrameGrids frame = read_foreign(FOREIGN_TWO_SIZES);
    assert_true(frame.dx == 1.0 && frame.cells.nx > 8);
    const int first = (int)lround(-0.5 - frame.origin[0]); // cell of the density's voxel (0, 0, 0)
    assert_string_equal(find(&frame, "density")->note, "");
    assert_string_equal(find(&frame, "velocity")->note, "is resampled from voxels of 2 x 2 x 2 m to cubes of 1 m");
    assert_true(sum_of(&frame, "density") == 64.0 && value_at(&frame, "density", first, first, first, 0) == 1.0f);
    for (int n = 1; n < 6; n++) { // the centers of the coarse voxels are from 0.5 to 6.5
        expect_near((double)value_at(&frame, "velocity", first + n, first + 2, first + 3, 0), 1.0 + n, 1e-6);
        expect_near((double)value_at(&frame, "velocity", first + 1, first + n, first + 3, 1), 2.0 + n, 1e-6);
        expect_near((double)value_at(&frame, "velocity", first + 1, first + 2, first + n, 2), 3.0 + n, 1e-6);
    }
    // the mean of the eight fine voxels of a cell
    expect_near((double)value_at(&frame, "temperature", first + 1, first + 2, first + 3, 0),
                64.0 * 2.5 + 8.0 * 4.5 + 6.5, 1e-4);
    expect_near(sum_of(&frame, "temperature"), 511.0 * 512.0 / 2.0 / 8.0, 0.1);
    brume_frame_grids_destroy(&frame);

    BrumeError error = {0};
    const BrumeVolumeReadDef density = {.grids = "density,flame"};
    assert_int_equal(brume_volume_file_read_grids(&frame, in_folder("foreign.vdb"), &density, &error), BRUME_OK);
    assert_int_equal(frame.count, 1);
    expect_box(&frame, 4, 4, 4, 1.0, -0.5, -0.5, -0.5);
    brume_frame_grids_destroy(&frame);
}

static void grids_of_one_name_are_added(void **state)
{
    (void)state;
    static const float sums[3] = {1.0f, 5.0f, 4.0f};
    BrumeFrameGrids frame = read_foreign(FOREIGN_SAME_NAMES);
    expect_box(&frame, 3, 1, 1, 1.0, -0.5, -0.5, -0.5);
    for (int i = 0; i < 3; i++) {
        assert_true(value_at(&frame, "density", i, 0, 0, 0) == sums[i]);
    }
    assert_string_equal(frame.grids[0].note, "is the sum of 2 grids of this name");
    brume_frame_grids_destroy(&frame);

    BrumeError error = {0};
    BrumeVolumeReadDef def = {.density = "density[1]"};
    assert_int_equal(brume_volume_file_read_grids(&frame, in_folder("foreign.vdb"), &def, &error), BRUME_OK);
    assert_int_equal(frame.count, 1);
    expect_box(&frame, 2, 1, 1, 1.0, 0.5, -0.5, -0.5);
    assert_true(sum_of(&frame, "density") == 8.0);
    brume_frame_grids_destroy(&frame);

    (void)snprintf(def.density, sizeof def.density, "density[2]");
    assert_int_equal(brume_volume_file_read_grids(&frame, in_folder("foreign.vdb"), &def, &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, ": has no grid of numbers 'density[2]' (it has: density)"));

    frame = read_foreign(FOREIGN_FOG);
    assert_true(sum_of(&frame, "voxel_fog_density") == 3.0 && sum_of(&frame, "flame") == 0.5);
    brume_frame_grids_destroy(&frame);
    (void)snprintf(def.density, sizeof def.density, "voxel_fog_density");
    assert_int_equal(brume_volume_file_read_grids(&frame, in_folder("foreign.vdb"), &def, &error), BRUME_OK);
    assert_true(sum_of(&frame, "density") == 3.0);
    brume_frame_grids_destroy(&frame);
}

static void expect_refusal(const char *path, const char *text)
{
    BrumeFrameGrids frame = {0};
    BrumeError error = {0};
    assert_int_equal(brume_vdb_format.read(&frame, path, &all, &error), BRUME_BAD_INPUT);
    if (strncmp(error.text, path, strlen(path)) != 0 || !strstr(error.text, text)) {
        fail_msg("'%s', expected '%s: ...%s...'", error.text, path, text);
    }
    const BrumeFrameGrids empty = {0};
    assert_memory_equal(&frame, &empty, sizeof frame);
}

// A level set alone becomes the distance to its surface, positive inside. Its narrow band has three voxels on each
// side, beyond which the distance is constant.
static void a_level_set_is_a_distance(void **state)
{
    (void)state;
    const char *path = in_folder("sphere.vdb");
    assert_true(foreign_vdb_write(FOREIGN_LEVEL_SET, path)); // radius 2 m, voxels of 0.25 m
    BrumeFrameGrids frame = {0};
    BrumeError error = {0};
    if (brume_vdb_format.read(&frame, path, &all, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(frame.count, 1);
    assert_string_equal(frame.grids[0].name, "surface");
    assert_string_equal(frame.grids[0].unit, "m");
    assert_true(frame.cells.nx > 16 && frame.cells.nx < 25);
    for (int k = 0; k < frame.cells.nz; k++) {
        for (int j = 0; j < frame.cells.ny; j++) {
            for (int i = 0; i < frame.cells.nx; i++) {
                const double x = frame.origin[0] + (i + 0.5) * frame.dx;
                const double y = frame.origin[1] + (j + 0.5) * frame.dx;
                const double z = frame.origin[2] + (k + 0.5) * frame.dx;
                const double distance = fmax(-0.75, fmin(0.75, 2.0 - sqrt(x * x + y * y + z * z)));
                const float value = frame.grids[0].values[i + frame.cells.nx * (j + frame.cells.ny * k)];
                if (!(fabs((double)value - distance) <= 1e-5)) {
                    fail_msg("the value at (%g, %g, %g) is %g, expected %g", x, y, z, (double)value, distance);
                }
            }
        }
    }
    brume_frame_grids_destroy(&frame);
}

static void unsuitable_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        ForeignVdb kind;
        const char *text;
    } cases[] = {
        {FOREIGN_FRUSTUM, "has no grid of smoke, heat or air: 'density' has voxels that are no parallelepipeds"},
        {FOREIGN_POINTS, "has no grid of smoke, heat or air: 'points' holds points"},
        {FOREIGN_NUMBERS, "has no grid of smoke, heat or air: 'flags' has values of type int32"},
        {FOREIGN_NO_GRID, "has no grid of smoke, heat or air: it has no grids"},
        {FOREIGN_HUGE,
         "its active voxels span 3000 x 2000 x 1000 cells; a dense grid of 24.0 GB would have 6e+09 values, "
         "at most 2.15e+09 are allowed"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        assert_true(foreign_vdb_write(cases[n].kind, in_folder("refused.vdb")));
        expect_refusal(in_folder("refused.vdb"), cases[n].text);
    }
    expect_refusal(in_folder("missing.vdb"), "");
    assert_int_equal(brume_file_write(in_folder("text.vdb"), "a text", 6, NULL), BRUME_OK);
    expect_refusal(in_folder("text.vdb"), "is not an OpenVDB file");
}

// The distance of the bytes that are changed; BRUME_DAMAGE_STRIDE replaces it. Each file is read in a child process,
// whose start a sanitizer makes ten times as long, and the fuzz target of .vdb files changes bytes under one too.
static size_t stride_of(size_t fallback)
{
#ifdef BRUME_SANITIZED
    fallback *= 5;
#endif
    const char *wanted = getenv("BRUME_DAMAGE_STRIDE");
    return wanted ? (size_t)atoi(wanted) : fallback;
}

// Every shorter file of Brume and every changed byte is found by the checksum.
static void damage_is_found(void **state)
{
    (void)state;
    BrumeFrameGrids frame = {.cells = {9, 4, 3, NULL}, .dx = 1.0, .has_frame = true, .frame = 1};
    fill(&frame, add(&frame, "density", "1", 1, BRUME_AT_CENTERS), 1.0f, 0.7f, 1);
    fill(&frame, add(&frame, "velocity", "m/s", 3, BRUME_AT_CENTERS), 1.0f, 0.7f, 2);
    write_vdb(&frame, in_folder("whole.vdb"), &(BrumeVolumeWriteDef){.half = true});
    brume_frame_grids_destroy(&frame);
    uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(brume_file_read(in_folder("whole.vdb"), &bytes, &size, NULL), BRUME_OK);
    const char *path = in_folder("damaged.vdb");
    for (size_t length = 0; length < size; length += length + 40 < size ? stride_of(97) : 1) {
        assert_int_equal(brume_file_write(path, bytes, length, NULL), BRUME_OK);
        expect_refusal(path, "");
    }
    for (size_t at = 0; at < size; at += at + 16 < size ? stride_of(53) : 1) {
        bytes[at] ^= 0x10;
        assert_int_equal(brume_file_write(path, bytes, size, NULL), BRUME_OK);
        expect_refusal(path, "");
        bytes[at] ^= 0x10;
    }
    brume_free(bytes);
}

// Files of other programs have no checksum: a shorter file is refused, and no changed byte ends this process.
static void foreign_damage_is_survived(void **state)
{
    (void)state;
    assert_true(foreign_vdb_write(FOREIGN_HOUDINI, in_folder("whole.vdb")));
    uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(brume_file_read(in_folder("whole.vdb"), &bytes, &size, NULL), BRUME_OK);
    const char *path = in_folder("damaged.vdb");
    for (size_t length = 0; length < size; length += length + 20 < size ? stride_of(211) : 1) {
        assert_int_equal(brume_file_write(path, bytes, length, NULL), BRUME_OK);
        expect_refusal(path, "");
    }
    for (size_t at = 0; at < size; at += stride_of(61)) {
        bytes[at] ^= 0x80;
        assert_int_equal(brume_file_write(path, bytes, size, NULL), BRUME_OK);
        BrumeFrameGrids frame = {0};
        BrumeError error = {0};
        if (brume_vdb_format.read(&frame, path, &all, &error) != BRUME_OK) {
            assert_int_equal(strncmp(error.text, path, strlen(path)), 0);
            assert_null(strchr(error.text, '\n'));
            assert_int_equal(frame.count, 0);
        }
        brume_frame_grids_destroy(&frame);
        bytes[at] ^= 0x80;
    }
    brume_free(bytes);
}

#ifndef BRUME_SANITIZED // a sanitizer needs more address space than the limit
// A damaged tree of a small file claims nodes of gigabytes: the memory that reading takes is limited by the file's
// size.
static void claims_of_nodes_are_limited(void **state)
{
    (void)state;
    assert_true(foreign_vdb_write(FOREIGN_HOUDINI, in_folder("whole.vdb")));
    uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(brume_file_read(in_folder("whole.vdb"), &bytes, &size, NULL), BRUME_OK);
    const char *path = in_folder("damaged.vdb");
    enum { PART = 1024 };
    int limited = 0;
    for (size_t at = 0; at + PART <= size; at += PART) {
        uint8_t kept[PART];
        memcpy(kept, bytes + at, PART);
        memset(bytes + at, 0xff, PART); // in the mask of a node: that it has all children
        assert_int_equal(brume_file_write(path, bytes, size, NULL), BRUME_OK);
        memcpy(bytes + at, kept, PART);
        BrumeFrameGrids frame = {0};
        BrumeError error = {0};
        if (brume_vdb_format.read(&frame, path, &all, &error) != BRUME_OK) {
            limited += strstr(error.text, ": is damaged: reading it takes more than the ") != NULL;
        }
        brume_frame_grids_destroy(&frame);
    }
    assert_true(limited > 0);
    brume_free(bytes);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(few_voxels_are_filled, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(floats_are_exact, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(halfs_have_11_bits, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(files_are_reproducible, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(other_programs_see_grids, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(constant_grids_have_no_tiles, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(positions_are_right, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(faces_are_averaged, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(blender_gets_its_units, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(houdini_is_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(blender_is_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(other_transforms_are_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(other_voxels_are_resampled, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(other_sizes_are_resampled, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(grids_of_one_name_are_added, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_level_set_is_a_distance, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(unsuitable_files_are_refused, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(damage_is_found, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(foreign_damage_is_survived, make_folder, remove_folder),
#ifndef BRUME_SANITIZED
        cmocka_unit_test_setup_teardown(claims_of_nodes_are_limited, make_folder, remove_folder),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

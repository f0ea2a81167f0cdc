// The cache: what is written is read back, exactly; a damaged file is an error and never other values.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "exchange/volume_format.h"
#include "io/file.h"

#include <math.h>
#include <unistd.h>

static char path[64];

static int make_path(void **state)
{
    (void)state;
    (void)snprintf(path, sizeof path, "/tmp/brume-hdf-%d.hdf", (int)getpid());
    return 0;
}

static int remove_path(void **state)
{
    (void)state;
    (void)unlink(path);
    return 0;
}

static const struct {
    const char *name, *unit;
    int components;
    BrumeGridLocation location;
} grids[] = {
    {BRUME_GRID_DENSITY, "1", 1, BRUME_AT_CENTERS},     {BRUME_GRID_TEMPERATURE, "K", 1, BRUME_AT_CENTERS},
    {BRUME_GRID_VELOCITY, "m/s", 3, BRUME_AT_CENTERS},  {BRUME_GRID_FACES "x", "m/s", 1, BRUME_AT_X_FACES},
    {BRUME_GRID_FACES "y", "m/s", 1, BRUME_AT_Y_FACES}, {BRUME_GRID_FACES "z", "m/s", 1, BRUME_AT_Z_FACES},
};
enum { GRIDS = sizeof grids / sizeof grids[0] };

// values of all magnitudes and signs, with -0 and subnormal ones, and a block of zeros
static float value_at(size_t n, int grid)
{
    if (n % 7 == 0) {
        return n % 2 ? -0.0f : 1e-41f;
    }
    return n < 40000 ? 0.0f
                     : ldexpf(1.0f + (float)(n % 1013) / 1013.0f, (int)(n % 60) - 40) * (grid % 2 ? -1.0f : 1.0f);
}

static BrumeFrameGrids make_frame(int nx, int ny, int nz)
{
    BrumeFrameGrids frame = {.cells = {nx, ny, nz},
                             .dx = 0.1,
                             .origin = {-1.7, 0.3, 2.0 / 3.0},
                             .frame = 42,
                             .time = 1.75,
                             .obstacle_count = 2};
    frame.obstacles[0] = (BrumeShape){BRUME_SHAPE_SPHERE, {0.1f, 0.2f, 0.3f}, {0.0f, 0.0f, 0.0f}, 0.4f};
    frame.obstacles[1] = (BrumeShape){BRUME_SHAPE_BOX, {0.1f, 0.2f, 0.3f}, {1.1f, 1.2f, 1.3f}, 0.0f};
    frame.scene_text = brume_copy_text("name: A test\n");
    assert_non_null(frame.scene_text);
    for (int g = 0; g < GRIDS; g++) {
        BrumeFrameGrid *grid;
        BrumeError error;
        assert_int_equal(brume_frame_grids_add(&frame, grids[g].name, grids[g].unit, grids[g].components,
                                               grids[g].location, &grid, &error),
                         BRUME_OK);
        const size_t count = brume_frame_grid_values(frame.cells, grid);
        for (size_t n = 0; n < count; n++) {
            grid->values[n] = value_at(n, g);
        }
    }
    return frame;
}

static void assert_same_head(const BrumeFrameGrids *a, const BrumeFrameGrids *b)
{
    assert_memory_equal(&a->cells, &b->cells, sizeof a->cells);
    assert_memory_equal(&a->dx, &b->dx, sizeof a->dx);
    assert_memory_equal(a->origin, b->origin, sizeof a->origin);
    assert_int_equal(a->frame, b->frame);
    assert_memory_equal(&a->time, &b->time, sizeof a->time);
    assert_int_equal(a->obstacle_count, b->obstacle_count);
    for (int n = 0; n < a->obstacle_count; n++) {
        const BrumeShape *first = &a->obstacles[n];
        const BrumeShape *second = &b->obstacles[n];
        assert_int_equal(first->kind, second->kind);
        assert_memory_equal(&first->a, &second->a, sizeof first->a);
        assert_memory_equal(&first->b, &second->b, sizeof first->b);
        assert_memory_equal(&first->radius, &second->radius, sizeof first->radius);
    }
    assert_string_equal(a->scene_text, b->scene_text);
    assert_int_equal(a->count, b->count);
}

static void write_frame(const BrumeFrameGrids *frame, bool half)
{
    BrumeError error;
    const BrumeVolumeWriteDef def = {.half = half, .overwrite = true};
    if (brume_hdf_format.write(frame, path, &def, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
}

static BrumeFrameGrids read_frame(void)
{
    BrumeFrameGrids frame = {0};
    BrumeError error;
    if (brume_hdf_format.read(&frame, path, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return frame;
}

// several chunks with incomplete ones at the upper ends, and fewer cells than a chunk has
static void test_round_trip(void **state)
{
    (void)state;
    static const int sizes[][3] = {{40, 33, 65}, {5, 1, 3}, {1, 1, 1}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        BrumeFrameGrids frame = make_frame(sizes[n][0], sizes[n][1], sizes[n][2]);
        write_frame(&frame, false);
        BrumeFrameGrids back = read_frame();
        assert_same_head(&frame, &back);
        for (int g = 0; g < GRIDS; g++) {
            const BrumeFrameGrid *grid = brume_frame_grids_find(&back, grids[g].name);
            assert_non_null(grid);
            assert_string_equal(grid->unit, grids[g].unit);
            assert_int_equal(grid->components, grids[g].components);
            assert_int_equal(grid->location, grids[g].location);
            assert_memory_equal(grid->values, frame.grids[g].values,
                                brume_frame_grid_values(frame.cells, grid) * sizeof(float));
        }
        brume_frame_grids_destroy(&back);
        brume_frame_grids_destroy(&frame);
    }
}

// half precision has 11 bits, and 2^-24 as its smallest step
static void test_half(void **state)
{
    (void)state;
    BrumeFrameGrids frame = make_frame(34, 35, 36);
    for (int g = 0; g < GRIDS; g++) { // up to 65504
        const size_t count = brume_frame_grid_values(frame.cells, &frame.grids[g]);
        for (size_t n = 0; n < count; n++) {
            frame.grids[g].values[n] *= 0.01f;
        }
    }
    write_frame(&frame, true);
    BrumeFrameGrids back = read_frame();
    for (int g = 0; g < GRIDS; g++) {
        const BrumeFrameGrid *grid = brume_frame_grids_find(&back, grids[g].name);
        const size_t count = brume_frame_grid_values(frame.cells, grid);
        for (size_t n = 0; n < count; n++) {
            const double expected = (double)frame.grids[g].values[n];
            const double allowed = fmax(ldexp(fabs(expected), -11), ldexp(1.0, -25));
            if (fabs((double)grid->values[n] - expected) > allowed) {
                fail_msg("%s, value %zu: %.9g, expected %.9g", grids[g].name, n, (double)grid->values[n], expected);
            }
        }
    }
    brume_frame_grids_destroy(&back);
    brume_frame_grids_destroy(&frame);
}

static void test_same_bytes(void **state)
{
    (void)state;
    uint8_t *bytes[2];
    size_t sizes[2];
    for (int n = 0; n < 2; n++) {
        BrumeFrameGrids frame = make_frame(20, 21, 22);
        BrumeError error;
        write_frame(&frame, false);
        brume_frame_grids_destroy(&frame);
        assert_int_equal(brume_file_read(path, &bytes[n], &sizes[n], &error), BRUME_OK);
    }
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    brume_free(bytes[0]);
    brume_free(bytes[1]);
}

// a grid of zeros takes no space
static void test_empty_chunks(void **state)
{
    (void)state;
    BrumeFrameGrids frame = {.cells = {128, 128, 128}, .dx = 1.0};
    BrumeFrameGrid *grid;
    BrumeError error;
    assert_int_equal(brume_frame_grids_add(&frame, "density", "1", 1, BRUME_AT_CENTERS, &grid, &error), BRUME_OK);
    write_frame(&frame, false);
    uint8_t *bytes;
    size_t size;
    assert_int_equal(brume_file_read(path, &bytes, &size, &error), BRUME_OK);
    brume_free(bytes);
    assert_in_range(size, 1024, 16384);
    BrumeFrameGrids back = read_frame();
    assert_memory_equal(back.grids[0].values, grid->values, brume_frame_grid_values(frame.cells, grid) * sizeof(float));
    assert_null(back.scene_text);
    brume_frame_grids_destroy(&back);
    brume_frame_grids_destroy(&frame);
}

static void expect_error(const uint8_t *bytes, size_t size, const char *expected)
{
    BrumeError error;
    BrumeFrameGrids frame = {0};
    FILE *file = fopen(path, "wb"); // without the flush of brume_file_write, which takes longer than the rest
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    const BrumeStatus status = brume_hdf_format.read(&frame, path, &error);
    char line[256];
    (void)snprintf(line, sizeof line, "%s: %s", path, expected);
    if (status != BRUME_BAD_INPUT || strcmp(error.text, line) != 0) {
        fail_msg("status %d, '%s', expected 2, '%s'", (int)status, status == BRUME_OK ? "" : error.text, line);
    }
    assert_int_equal(frame.count, 0);
}

// every truncation and every flipped byte is recognised before the library sees the file
static void test_damage(void **state)
{
    (void)state;
    static const char damaged[] = "damaged: its size or its hash is not that with which it was written";
    static const char renamed[] = "damaged, or changed by another program: the first 512 bytes are not those of Brume";
    enum { NAME = 16, USER_BLOCK = 512 }; // the last byte of the name is 0
    BrumeFrameGrids frame = make_frame(3, 4, 5);
    write_frame(&frame, false);
    brume_frame_grids_destroy(&frame);
    uint8_t *bytes;
    size_t size;
    BrumeError error;
    assert_int_equal(brume_file_read(path, &bytes, &size, &error), BRUME_OK);
    const char *wanted = getenv("BRUME_DAMAGE_STRIDE");
    const size_t stride = wanted ? (size_t)atoi(wanted) : 61;
    for (size_t n = 0; n < size; n += n < 2 * USER_BLOCK ? 1 : stride) {
        expect_error(bytes, n, n < NAME - 1 ? "not an HDF5 file" : damaged);
        bytes[n] ^= 0x10;
        expect_error(bytes, size, n < NAME ? renamed : damaged);
        bytes[n] ^= 0x10;
    }
    brume_free(bytes);
}

static void test_refusals(void **state)
{
    (void)state;
    BrumeFrameGrids frame = {.cells = {2, 2, 2}, .dx = 1.0};
    BrumeError error;
    expect_error((const uint8_t *)"name: A scene\n", 14, "not an HDF5 file");
    // an existing file is not replaced without being told to
    const BrumeVolumeWriteDef def = {0};
    assert_int_equal(brume_hdf_format.write(&frame, path, &def, &error), BRUME_FAILED);
    assert_non_null(strstr(error.text, path));
    assert_int_equal(brume_hdf_format.read(&frame, "/nowhere/a.hdf", &error), BRUME_BAD_INPUT);
    assert_int_equal(brume_hdf_format.write(&frame, "/proc/a.hdf", &def, &error), BRUME_FAILED);
    assert_string_equal(error.text, "/proc/a.hdf: cannot write: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_half),   cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_empty_chunks), cmocka_unit_test(test_damage), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}

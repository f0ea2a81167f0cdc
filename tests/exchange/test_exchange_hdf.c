// The cache: written values are read back exactly; a damaged file is an error and never other values.
#include "frame_support.h"

#include "brume/threads.h"
#include "core/field.h"
#include "core/memory.h"
#include "io/file.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNK = 16 }; // cells along a side

static char path[64];
static const BrumeVolumeReadDef all;

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
    if (brume_hdf_format.read(&frame, path, &all, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return frame;
}

// several chunks, of which the first is empty, with incomplete ones at the upper ends, and fewer cells than a chunk has
static void test_round_trip(void **state)
{
    (void)state;
    static const BrumeGrid sizes[] = {{40, 33, 65, NULL}, {5, 1, 3, NULL}, {1, 1, 1, NULL}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        BrumeFrameGrids frame = frame_of_all_kinds(sizes[n]);
        if (sizes[n].nx > CHUNK) {
            frame_clear_corner(&frame, CHUNK);
        }
        write_frame(&frame, false);
        BrumeFrameGrids back = read_frame();
        assert_true(frames_are_equal(&back, &frame));
        assert_true(bodies_are_equal(&back, &frame));
        brume_frame_grids_destroy(&back);
        brume_frame_grids_destroy(&frame);
    }
}

// few values in many chunks: only theirs are filled; the bytes do not depend on what is known to be
// empty
static void test_few_values(void **state)
{
    (void)state;
    static const BrumeCellBox boxes[] = {
        {{70, 21, 33}, {85, 40, 47}}, {{0, 0, 0}, {3, 2, 1}}, {{120, 80, 99}, {121, 90, 100}}};
    for (size_t n = 0; n < 2 * sizeof boxes / sizeof boxes[0]; n++) {
        const BrumeCellBox box = boxes[n / 2];
        const bool half = n % 2 == 1;
        BrumeFrameGrids frame = frame_of_all_kinds(brume_grid(121, 90, 100));
        uint8_t *bytes[2];
        size_t sizes[2];
        BrumeError error;
        frame_keep_few(&frame, box);
        for (int g = 0; g < frame.count && half; g++) { // numbers that halves have
            const size_t count = brume_frame_grid_values(frame.cells, &frame.grids[g]);
            for (size_t v = 0; v < count; v++) {
                frame.grids[g].values[v] = frame.grids[g].values[v] != 0.0f ? (float)(v % 2048) : 0.0f;
            }
        }
        write_frame(&frame, half);
        assert_int_equal(brume_file_read(path, &bytes[0], &sizes[0], &error), BRUME_OK);
        BrumeFrameGrids back = read_frame();
        assert_true(frames_are_equal(&back, &frame));
        assert_true(frame_is_filled_around(&back, box, CHUNK - 1));
        for (int g = 0; g < frame.count; g++) {
            frame.grids[g].filled = brume_whole_box(frame.cells);
        }
        write_frame(&frame, half);
        assert_int_equal(brume_file_read(path, &bytes[1], &sizes[1], &error), BRUME_OK);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(bytes[0], bytes[1], sizes[0]);
        brume_free(bytes[0]);
        brume_free(bytes[1]);
        brume_frame_grids_destroy(&back);
        brume_frame_grids_destroy(&frame);
    }
}

// half precision has 11 bits, and 2^-24 as its smallest step
static void test_half(void **state)
{
    (void)state;
    BrumeFrameGrids frame = frame_of_all_kinds(brume_grid(34, 35, 36));
    for (int g = 0; g < frame.count; g++) {
        float *values = frame.grids[g].values;
        const size_t count = brume_frame_grid_values(frame.cells, &frame.grids[g]);
        values[3] = -65504.0f;               // the largest one
        for (size_t n = 4; n < count; n++) { // from 2^-30 to 2^12
            values[n] = ldexpf(values[n] < 0.0f ? -1.0f : 1.0f + (float)(n % 1013) / 1013.0f, (int)(n % 43) - 30);
        }
    }
    write_frame(&frame, true);
    BrumeFrameGrids back = read_frame();
    assert_int_equal(back.count, frame.count);
    for (int g = 0; g < frame.count; g++) {
        const BrumeFrameGrid *grid = brume_frame_grids_find(&back, frame.grids[g].name);
        assert_non_null(grid);
        const size_t count = brume_frame_grid_values(frame.cells, grid);
        for (size_t n = 0; n < count; n++) {
            const double expected = (double)frame.grids[g].values[n];
            const double allowed = fmax(ldexp(fabs(expected), -11), ldexp(1.0, -25));
            if (fabs((double)grid->values[n] - expected) > allowed) {
                fail_msg("%s, value %zu: %.9g, expected %.9g", grid->name, n, (double)grid->values[n], expected);
            }
        }
    }
    brume_frame_grids_destroy(&back);
    brume_frame_grids_destroy(&frame);
}

// with 1 and 3 threads
static void test_same_bytes(void **state)
{
    (void)state;
    uint8_t *bytes[2];
    size_t sizes[2];
    for (int n = 0; n < 2; n++) {
        brume_set_threads(1 + 2 * n);
        BrumeFrameGrids frame = frame_of_all_kinds(brume_grid(20, 21, 22));
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

// bytes that compression would not make smaller are stored as they are: here the two lower ones of every value, which
// are random, while the others are bits of numbers from 1 to 2
static void test_noise(void **state)
{
    (void)state;
    BrumeFrameGrids frame = {.cells = {32, 32, 32, NULL}, .dx = 1.0};
    const BrumeFrameGrid *grid = frame_add(&frame, "density", "1", 1, BRUME_AT_CENTERS);
    enum { VALUES = 32 * 32 * 32 };
    uint32_t random = 1;
    for (int n = 0; n < VALUES; n++) {
        random = random * 1664525u + 1013904223u; // the upper bits of the sequence are random
        const uint32_t bits = 0x3f800000u | random >> 16;
        memcpy(&grid->values[n], &bits, sizeof bits);
    }
    write_frame(&frame, false);
    uint8_t *bytes;
    size_t size;
    BrumeError error;
    assert_int_equal(brume_file_read(path, &bytes, &size, &error), BRUME_OK);
    brume_free(bytes);
    assert_in_range(size, 2 * VALUES, 2 * VALUES + 16384);
    BrumeFrameGrids back = read_frame();
    assert_memory_equal(back.grids[0].values, grid->values, VALUES * sizeof(float));
    brume_frame_grids_destroy(&back);
    brume_frame_grids_destroy(&frame);
}

// a grid of zeros takes no space
static void test_empty_chunks(void **state)
{
    (void)state;
    BrumeFrameGrids frame = {.cells = {128, 128, 128, NULL}, .dx = 1.0};
    BrumeError error;
    const BrumeFrameGrid *grid = frame_add(&frame, "density", "1", 1, BRUME_AT_CENTERS);
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
    const BrumeStatus status = brume_hdf_format.read(&frame, path, &all, &error);
    char line[256];
    (void)snprintf(line, sizeof line, "%s: %s", path, expected);
    if (status != BRUME_BAD_INPUT || strcmp(error.text, line) != 0) {
        fail_msg("status %d, '%s', expected 2, '%s'", (int)status, status == BRUME_OK ? "" : error.text, line);
    }
    assert_int_equal(frame.count, 0);
}

// every truncation and every flipped byte is recognized before the library sees the file
static void test_damage(void **state)
{
    (void)state;
    static const char damaged[] =
        "damaged: its size or its hash is not that with which it was written (write it again)";
    static const char renamed[] = "damaged, or changed by another program: the first 512 bytes are not those of Brume";
    enum { NAME = 16, USER_BLOCK = 512 }; // the last byte of the name is 0
    BrumeFrameGrids frame = frame_of_all_kinds(brume_grid(3, 4, 5));
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
    BrumeFrameGrids frame = {.cells = {2, 2, 2, NULL}, .dx = 1.0};
    BrumeError error;
    expect_error((const uint8_t *)"name: A scene\n", 14, "not an HDF5 file");
    // an existing file is not replaced without being told to
    const BrumeVolumeWriteDef def = {0};
    assert_int_equal(brume_hdf_format.write(&frame, path, &def, &error), BRUME_FAILED);
    assert_non_null(strstr(error.text, path));
    assert_int_equal(brume_hdf_format.read(&frame, "/nowhere/a.hdf", &all, &error), BRUME_BAD_INPUT);
    assert_int_equal(brume_hdf_format.write(&frame, "/proc/a.hdf", &def, &error), BRUME_FAILED);
    assert_string_equal(error.text, "/proc/a.hdf: cannot write: No such file or directory");
}

static void add_attribute(hid_t object, const char *name, hid_t type, hsize_t count, const void *values)
{
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, type, values) >= 0);
    (void)H5Aclose(attribute);
    (void)H5Sclose(space);
}

// a file of another program with `grids` arrays of side^3 cells, of which no value is written
static void write_claims(hsize_t side, int grids)
{
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t image = H5Gcreate2(file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t cells = H5Gcreate2(image, "CellData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0 && image >= 0 && cells >= 0);
    const hid_t text = H5Tcopy(H5T_C_S1);
    (void)H5Tset_size(text, strlen("ImageData"));
    add_attribute(image, "Type", text, 1, "ImageData");
    (void)H5Tclose(text);
    const int last = (int)side;
    add_attribute(image, "WholeExtent", H5T_NATIVE_INT, 6, (int[]){0, last, 0, last, 0, last});
    const hid_t space = H5Screate_simple(3, (hsize_t[]){side, side, side}, NULL);
    for (int n = 0; n < grids; n++) {
        char name[32];
        (void)snprintf(name, sizeof name, "grid_%d", n);
        const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
        assert_true(n % 2 == 0 || H5Pset_chunk(layout, 3, (hsize_t[]){64, 64, 64}) >= 0); // otherwise contiguous
        const hid_t grid = H5Dcreate2(cells, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
        assert_true(grid >= 0);
        (void)H5Dclose(grid);
        (void)H5Pclose(layout);
    }
    (void)H5Sclose(space);
    (void)H5Gclose(cells);
    (void)H5Gclose(image);
    assert_true(H5Fclose(file) >= 0);
}

// A small file of another program can claim any size: the size of all its grids is compared with the memory first.
static void test_claims(void **state)
{
    (void)state;
    BrumeFrameGrids frame = {0};
    BrumeError error;
    write_claims(64, 2); // values that are not written are 0
    frame = read_frame();
    assert_int_equal(frame.count, 2);
    assert_false(frame.has_frame);
    assert_true(frame.grids[1].values[64 * 64 * 64 - 1] == 0.0f);
    brume_frame_grids_destroy(&frame);

    const double bytes = 1280.0 * 1280.0 * 1280.0 * sizeof(float);
    write_claims(1280, 2 + (int)((double)brume_available_memory() / bytes)); // one would fit
    assert_int_equal(brume_hdf_format.read(&frame, path, &all, &error), BRUME_FAILED);
    if (strncmp(error.text, path, strlen(path)) != 0 ||
        !strstr(error.text, ": its grids of 1280 x 1280 x 1280 cells need ")) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(frame.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_values), cmocka_unit_test(test_round_trip), cmocka_unit_test(test_half),
        cmocka_unit_test(test_same_bytes), cmocka_unit_test(test_noise),      cmocka_unit_test(test_empty_chunks),
        cmocka_unit_test(test_damage),     cmocka_unit_test(test_refusals),   cmocka_unit_test(test_claims),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}

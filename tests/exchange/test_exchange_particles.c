// Particles in files: their values in each format as other programs read them, and the files of a run.
#include "frame_support.h"
#include "program.h"

#ifdef BRUME_HAS_OPENVDB
#include "foreign_vdb.h"
#endif
#ifdef BRUME_HAS_HDF5
#include <hdf5.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COUNT = 300 };

// particles in a box of 2 m, many of them in the same cells; `id` is the index
static BrumeFrameGrids make_frame(int count)
{
    BrumeFrameGrids frame = {
        .cells = {20, 20, 20, NULL}, .dx = 0.1, .origin = {-1, 0, 2}, .has_frame = true, .frame = 7, .time = 0.25};
    BrumeError error;
    assert_int_equal(brume_frame_grids_add_particles(&frame, count, &error), BRUME_OK);
    frame.has_particles = true;
    frame.particle_count = count;
    for (int n = 0; n < count; n++) {
        const float part = (float)n / COUNT;
        frame.particles[n] = (BrumeParticle){
            .position = {-1.0f + 2.0f * part, 1.999f * part * part, 2.3f},
            .velocity = {1.0f + part, -2.0f, 0.1f * (float)n},
            .normal = {0.6f, 0.0f, -0.8f},
            .age = 0.01f * (float)n,
            .diameter = 0.002f + part,
            .kind = (uint32_t)n % BRUME_PARTICLE_KINDS,
            .id = (uint32_t)n,
        };
    }
    return frame;
}

static void write_frame(const BrumeFrameGrids *frame, const char *path, bool z_up)
{
    BrumeError error;
    const BrumeVolumeWriteDef def = {.overwrite = true, .z_up = z_up};
    if (brume_volume_format_of(path)->write(frame, path, &def, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
}

// the header, and the bytes of each vertex
static void test_ply(void **state)
{
    (void)state;
    static const char header[] =
        "ply\nformat binary_little_endian 1.0\n"
        "comment Brume: particles, coordinates in metres, z up, time 0.25 s\n"
        "element vertex 300\n"
        "property float x\nproperty float y\nproperty float z\n"
        "property float vx\nproperty float vy\nproperty float vz\n"
        "property float nx\nproperty float ny\nproperty float nz\n"
        "property float age\nproperty float radius\nproperty int kind\nproperty int id\nend_header\n";
    enum { VERTEX = 13 * 4 };
    BrumeFrameGrids frame = make_frame(COUNT);
    write_frame(&frame, "a.ply", true);
    size_t size;
    char *bytes = read_whole_file("a.ply", &size);
    assert_int_equal(size, strlen(header) + (size_t)COUNT * VERTEX);
    assert_memory_equal(bytes, header, strlen(header));
    for (int n = 0; n < COUNT; n++) {
        const BrumeParticle *p = &frame.particles[n];
        const float numbers[11] = {p->position.x,  -p->position.z, p->position.y,     p->velocity.x,
                                   -p->velocity.z, p->velocity.y,  p->normal.x,       -p->normal.z,
                                   p->normal.y,    p->age,         0.5f * p->diameter};
        const char *vertex = bytes + strlen(header) + (size_t)n * VERTEX;
        assert_memory_equal(vertex, numbers, sizeof numbers);
        assert_memory_equal(vertex + sizeof numbers, &p->kind, 4);
        assert_memory_equal(vertex + sizeof numbers + 4, &p->id, 4);
    }
    free(bytes);
    brume_frame_grids_destroy(&frame);
}

#ifdef BRUME_HAS_OPENVDB
static void expect_point(const ForeignPoint *point, const BrumeParticle *p, bool z_up)
{
    const BrumeVec3 vectors[3] = {p->position, p->velocity, p->normal};
    const double *read[3] = {point->position, point->velocity, point->normal};
    for (int v = 0; v < 3; v++) {
        const float expected[3] = {vectors[v].x, z_up ? -vectors[v].z : vectors[v].y,
                                   z_up ? vectors[v].y : vectors[v].z};
        for (int axis = 0; axis < 3; axis++) { // a position is a fraction of a voxel
            assert_float_equal((float)read[v][axis], expected[axis], v == 0 ? 1e-6f : 0.0f);
        }
    }
    assert_float_equal((float)point->age, p->age, 0.0f);
    assert_float_equal((float)point->radius, 0.5f * p->diameter, 0.0f);
    assert_int_equal(point->kind, p->kind);
}

// beside grids and without, with y and z up; the same bytes twice
static void test_vdb(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        const bool z_up = n % 2 == 1;
        BrumeFrameGrids frame = make_frame(COUNT);
        if (n >= 2) {
            (void)frame_add(&frame, BRUME_GRID_DENSITY, "1", 1, BRUME_AT_CENTERS);
        }
        write_frame(&frame, "a.vdb", z_up);
        write_frame(&frame, "b.vdb", z_up);
        assert_same_files("a.vdb", "b.vdb");
        ForeignPoint points[COUNT];
        bool found[COUNT] = {false};
        assert_int_equal(foreign_vdb_points("a.vdb", points, COUNT), COUNT);
        for (int p = 0; p < COUNT; p++) {
            assert_in_range(points[p].id, 0, COUNT - 1);
            assert_false(found[points[p].id]);
            found[points[p].id] = true;
            expect_point(&points[p], &frame.particles[points[p].id], z_up);
        }
        brume_frame_grids_destroy(&frame);
    }
    BrumeFrameGrids none = make_frame(0);
    write_frame(&none, "a.vdb", false);
    assert_int_equal(foreign_vdb_points("a.vdb", NULL, 0), 0);
    brume_frame_grids_destroy(&none);
}
#endif

#ifdef BRUME_HAS_HDF5
// reads a dataset of `count` numbers
static void read_dataset(hid_t file, const char *name, hid_t type, int count, void *values)
{
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    assert_int_equal(H5Sget_simple_extent_npoints(space), count);
    assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    (void)H5Sclose(space);
    (void)H5Dclose(dataset);
}

static void test_vtkhdf(void **state)
{
    (void)state;
    BrumeFrameGrids frame = make_frame(COUNT);
    write_frame(&frame, "a.vtkhdf", false);
    const hid_t file = H5Fopen("a.vtkhdf", H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    char type[16] = "";
    const hid_t text = H5Tcopy(H5T_C_S1);
    const hid_t attribute = H5Aopen_by_name(file, "VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Tset_size(text, strlen("PolyData")) >= 0 && H5Tset_strpad(text, H5T_STR_NULLPAD) >= 0);
    assert_true(H5Aread(attribute, text, type) >= 0);
    assert_string_equal(type, "PolyData");
    (void)H5Aclose(attribute);
    (void)H5Tclose(text);
    int64_t number;
    static int64_t offsets[COUNT + 1];
    static float vectors[3][3 * COUNT];
    static float numbers[2][COUNT];
    static int32_t words[2][COUNT];
    read_dataset(file, "VTKHDF/NumberOfPoints", H5T_NATIVE_INT64, 1, &number);
    assert_int_equal(number, COUNT);
    read_dataset(file, "VTKHDF/Vertices/NumberOfCells", H5T_NATIVE_INT64, 1, &number);
    assert_int_equal(number, COUNT);
    read_dataset(file, "VTKHDF/Polygons/NumberOfCells", H5T_NATIVE_INT64, 1, &number);
    assert_int_equal(number, 0);
    read_dataset(file, "VTKHDF/Vertices/Offsets", H5T_NATIVE_INT64, COUNT + 1, offsets);
    read_dataset(file, "VTKHDF/Points", H5T_NATIVE_FLOAT, 3 * COUNT, vectors[0]);
    read_dataset(file, "VTKHDF/PointData/v", H5T_NATIVE_FLOAT, 3 * COUNT, vectors[1]);
    read_dataset(file, "VTKHDF/PointData/normal", H5T_NATIVE_FLOAT, 3 * COUNT, vectors[2]);
    read_dataset(file, "VTKHDF/PointData/age", H5T_NATIVE_FLOAT, COUNT, numbers[0]);
    read_dataset(file, "VTKHDF/PointData/pscale", H5T_NATIVE_FLOAT, COUNT, numbers[1]);
    read_dataset(file, "VTKHDF/PointData/kind", H5T_NATIVE_INT32, COUNT, words[0]);
    read_dataset(file, "VTKHDF/PointData/id", H5T_NATIVE_INT32, COUNT, words[1]);
    for (int n = 0; n < COUNT; n++) {
        const BrumeParticle *p = &frame.particles[n];
        const float expected = 0.5f * p->diameter;
        assert_int_equal(offsets[n + 1], n + 1);
        assert_memory_equal(&vectors[0][3 * n], &p->position, sizeof p->position);
        assert_memory_equal(&vectors[1][3 * n], &p->velocity, sizeof p->velocity);
        assert_memory_equal(&vectors[2][3 * n], &p->normal, sizeof p->normal);
        assert_memory_equal(&numbers[0][n], &p->age, sizeof p->age);
        assert_memory_equal(&numbers[1][n], &expected, sizeof expected);
        assert_int_equal(words[0][n], p->kind);
        assert_int_equal(words[1][n], p->id);
    }
    assert_true(H5Fclose(file) >= 0);
    brume_frame_grids_destroy(&frame);

    BrumeFrameGrids none = make_frame(0);
    write_frame(&none, "a.vtkhdf", false);
    brume_frame_grids_destroy(&none);
    BrumeError error;
    BrumeFrameGrids read = {0};
    assert_int_equal(brume_volume_file_read(&read, "a.vtkhdf", &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "a.vtkhdf: its VTKHDF data is not image data");
}
#endif

// of a run: particles beside grids, alone, and of a scene that has none
static void test_run(void **state)
{
    (void)state;
    ProgramRun run;
    static const char sim[] = "sim little.yaml -q --frames 1:2 -D emitters.0.dust=2000 -o ";
    char command[256];
    (void)snprintf(command, sizeof command, "%smesh.####.ply", sim);
    run_successfully(&run, command);
    assert_true(exists("mesh.0001.ply") && exists("mesh.0002_particles.ply"));
    (void)snprintf(command, sizeof command, "%spoints.####.ply --fields particles", sim);
    run_successfully(&run, command);
    assert_same_files("points.0001.ply", "mesh.0001_particles.ply");
    assert_same_files("points.0002.ply", "mesh.0002_particles.ply");
    assert_false(exists("points.0001_particles.ply"));

    assert_int_equal(unlink("mesh.0001.ply"), 0); // as of a run that was ended before this file
    assert_int_equal(unlink("mesh.0002.ply"), 0);
    (void)snprintf(command, sizeof command, "%smesh.####.ply", sim);
    run_with_error(&run, 2, command,
                   "mesh.0001_particles.ply and 1 more of the frames exist (give --overwrite to replace them, or "
                   "another --output)");
    (void)snprintf(command, sizeof command, "%sa.####.vti --fields particles", sim);
    run_with_error(&run, 2, command, "--fields: files of .vti have no particles");
    run_with_error(&run, 2, "sim little.yaml -o a.####.ply --fields particles",
                   "--fields: the scene has no particles (give one of its emitters dust, embers, leaves or flakes)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ply),
#ifdef BRUME_HAS_OPENVDB
        cmocka_unit_test(test_vdb),
#endif
#ifdef BRUME_HAS_HDF5
        cmocka_unit_test(test_vtkhdf),
#endif
        cmocka_unit_test(test_run),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

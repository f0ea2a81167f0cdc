// Particles in files: their values in each format as other programs read them, and the files of a run.
#include "core/vec3.h"
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
    assert_int_equal(brume_volume_file_read(&read, "a.vtkhdf", &error), BRUME_OK);
    assert_true(read.has_particles && read.particle_count == 0 && read.count == 0);
    assert_int_equal(read.cells.nx, 20);
    brume_frame_grids_destroy(&read);
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

static BrumeFrameGrids read_particles(const char *path)
{
    BrumeFrameGrids frame = {0};
    BrumeError error;
    if (brume_volume_file_read_particles(&frame, path, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return frame;
}

// the particles of `frame` without spin, in any order; positions differ by at most `accuracy`
static void expect_particles(const BrumeFrameGrids *back, const BrumeFrameGrids *frame, float accuracy)
{
    static bool found[COUNT];
    memset(found, 0, sizeof found);
    assert_true(back->has_particles);
    assert_int_equal(back->particle_count, frame->particle_count);
    for (int n = 0; n < back->particle_count; n++) {
        BrumeParticle p = back->particles[n];
        assert_in_range(p.id, 0, frame->particle_count - 1);
        assert_false(found[p.id]);
        found[p.id] = true;
        const BrumeParticle *expected = &frame->particles[p.id];
        assert_true(brume_length(brume_sub(p.position, expected->position)) <= accuracy);
        p.position = expected->position;
        assert_memory_equal(&p, expected, sizeof p);
    }
}

static float accuracy_of(const char *path) { return strstr(path, ".vdb") ? 1e-6f : 0.0f; }

static const char *const round_trips[] = {"a.ply",
#ifdef BRUME_HAS_HDF5
                                          "a.hdf", "a.vtkhdf",
#endif
#ifdef BRUME_HAS_OPENVDB
                                          "a.vdb",
#endif
                                          NULL};

// what is written is read, with y and z up, and the box where the format has it; points of OpenVDB in another order
static void test_round_trip(void **state)
{
    (void)state;
    for (const char *const *path = round_trips; *path; path++) {
        for (int z_up = 0; z_up < 2; z_up++) {
            BrumeFrameGrids frame = make_frame(COUNT);
            write_frame(&frame, *path, z_up);
            BrumeFrameGrids back = read_particles(*path);
            expect_particles(&back, &frame, accuracy_of(*path));
            assert_true(back.time >= 0.25 && back.time <= 0.25);
            if (strstr(*path, ".ply")) { // from -1 to 0.9933 m, in 60 parts, with a cell more on both ends
                assert_float_equal((float)back.dx, 1.993333f / 60.0f, 1e-6f);
                assert_in_range(back.cells.nx, 62, 63);
                assert_float_equal((float)back.origin[2], 2.3f - (float)back.dx, 1e-6f);
            } else {
                assert_int_equal(back.cells.nx, 20);
                assert_true(back.dx >= 0.1 && back.dx <= 0.1 && back.origin[0] >= -1.0 && back.origin[0] <= -1.0);
                assert_int_equal(back.frame, 7);
            }
            brume_frame_grids_destroy(&back);
            brume_frame_grids_destroy(&frame);
        }
    }
}

#ifdef BRUME_HAS_HDF5
// with grids: beside them or in their file
static void test_beside_grids(void **state)
{
    (void)state;
    static const char *const paths[] = {"beside.hdf",
#ifdef BRUME_HAS_OPENVDB
                                        "beside.vdb"
#endif
    };
    const BrumeVolumeWriteDef def = {.overwrite = false};
    BrumeError error;
    for (size_t n = 0; n < sizeof paths / sizeof paths[0]; n++) {
        BrumeFrameGrids frame = make_frame(COUNT);
        (void)frame_add(&frame, BRUME_GRID_DENSITY, "1", 1, BRUME_AT_CENTERS);
        assert_int_equal(brume_volume_file_write(&frame, paths[n], &def, &error), BRUME_OK);
        BrumeFrameGrids back = {0};
        assert_int_equal(brume_volume_file_read(&back, paths[n], &error), BRUME_OK);
        assert_int_equal(back.count, 1);
        expect_particles(&back, &frame, accuracy_of(paths[n]));
        brume_frame_grids_destroy(&back);
        back = read_particles(paths[n]);
        assert_int_equal(back.count, 0);
        expect_particles(&back, &frame, accuracy_of(paths[n]));
        brume_frame_grids_destroy(&back);
        brume_frame_grids_destroy(&frame);
    }
    assert_true(exists("beside_particles.hdf"));
    make_file("beside_particles.hdf", "name: A scene\n");
    BrumeFrameGrids damaged = {0};
    assert_int_equal(brume_volume_file_read(&damaged, "beside.hdf", &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "beside_particles.hdf: not an HDF5 file");
}

// from format to format, and what `brume info` says of them
static void test_convert(void **state)
{
    (void)state;
    ProgramRun run;
    BrumeFrameGrids frame = make_frame(COUNT);
    const BrumeVolumeWriteDef def = {.overwrite = false};
    BrumeError error;
    frame_add(&frame, BRUME_GRID_DENSITY, "1", 1, BRUME_AT_CENTERS)->values[4210] = 1.0f;
    assert_int_equal(brume_volume_file_write(&frame, "c.hdf", &def, &error), BRUME_OK);
    run_successfully(&run, "convert c.hdf d.ply");
    run_successfully(&run, "convert d_particles.ply e.hdf");
    BrumeFrameGrids back = read_particles("e.hdf");
    expect_particles(&back, &frame, 0.0f);
    assert_int_equal(back.count, 0);
    brume_frame_grids_destroy(&back);
#ifdef BRUME_HAS_OPENVDB
    run_successfully(&run, "convert c.hdf d.vdb");
    run_successfully(&run, "convert d.vdb f.hdf");
    assert_int_equal(brume_volume_file_read(&back, "f.hdf", &error), BRUME_OK);
    assert_int_equal(back.count, 1);
    expect_particles(&back, &frame, 1e-6f);
    brume_frame_grids_destroy(&back);
    run_successfully(&run, "convert e.hdf --vdb-up z g.vdb");
    back = read_particles("g.vdb");
    expect_particles(&back, &frame, 1e-6f);
    brume_frame_grids_destroy(&back);
#endif
    run_successfully(&run, "convert c.hdf --grids particles h.hdf");
    assert_false(exists("h_particles.hdf"));
    run_successfully(&run, "convert c.hdf --grids density i.hdf");
    assert_true(exists("i.hdf") && !exists("i_particles.hdf"));
    run_with_error(&run, 2, "convert c.hdf --grids fog j.hdf",
                   "--grids: c.hdf has no grid 'fog' (it has: density, particles)");
    run_program(&run, "convert c.hdf k.raw");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.err,
                        "brume: warning: the particles of 1 of 1 files are left out: files of .raw have none\n");
    run_with_error(&run, 2, "convert e.hdf l.raw", "l.raw: files of .raw have no particles");
    make_file("m_particles.hdf", "");
    run_with_error(&run, 2, "convert c.hdf m.hdf",
                   "m_particles.hdf exists (give --overwrite to replace it, or another OUTPUT)");
    assert_false(exists("m.hdf"));
    static const char line[] =
        "75 dust, 75 embers, 75 leaves, 75 flakes; diameter 0.002 to 0.998667 m, speed up to 30.03 m/s\n";
    static const char *const told[] = {"c.hdf", "e.hdf", "d_particles.ply"};
    for (size_t n = 0; n < sizeof told / sizeof told[0]; n++) {
        char command[64];
        (void)snprintf(command, sizeof command, "info %s", told[n]);
        run_successfully(&run, command);
        if (!strstr(run.out, line)) {
            fail_msg("%s", run.out);
        }
    }
    brume_frame_grids_destroy(&frame);
}

// points of another program, which has doubles and no box of cells
static void test_foreign_hdf(void **state)
{
    (void)state;
    const double points[2][3] = {{0.0, 1.0, 2.0}, {3.0, 1.0, 2.0}};
    const hid_t file = H5Fcreate("foreign.hdf", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t group = H5Gcreate2(file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t text = H5Tcopy(H5T_C_S1);
    assert_true(H5Tset_size(text, strlen("PolyData")) >= 0);
    const hid_t scalar = H5Screate(H5S_SCALAR);
    const hid_t type = H5Acreate2(group, "Type", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(type, text, "PolyData") >= 0 && H5Aclose(type) >= 0);
    const hid_t space = H5Screate_simple(2, (hsize_t[]){2, 3}, NULL);
    const hid_t dataset = H5Dcreate2(group, "Points", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, points) >= 0);
    assert_true(H5Dclose(dataset) >= 0 && H5Gclose(group) >= 0 && H5Fclose(file) >= 0);
    (void)H5Sclose(space);
    (void)H5Sclose(scalar);
    (void)H5Tclose(text);
    BrumeFrameGrids frame = read_particles("foreign.hdf");
    const BrumeParticle expected[2] = {{.position = {0.0f, 1.0f, 2.0f}}, {.position = {3.0f, 1.0f, 2.0f}, .id = 1}};
    assert_int_equal(frame.particle_count, 2);
    assert_memory_equal(frame.particles, expected, sizeof expected);
    assert_float_equal((float)frame.dx, 0.05f, 1e-6f);
    brume_frame_grids_destroy(&frame);
}
#endif

static void expect_two_points(const char *path)
{
    BrumeFrameGrids frame = read_particles(path);
    assert_int_equal(frame.particle_count, 2);
    const BrumeParticle expected[2] = {{.position = {1.0f, 2.0f, -3.5f}, .diameter = 0.5f},
                                       {.position = {0.25f, 1e-3f, 7.0f}, .diameter = 2.0f, .id = 1}};
    assert_memory_equal(frame.particles, expected, sizeof expected);
    brume_frame_grids_destroy(&frame);
}

// files of other programs: text, and the other order of bytes, with other properties and faces
static void test_foreign_ply(void **state)
{
    (void)state;
    static const char rest[] = "comment of another program\n"
                               "element vertex 2\nproperty uchar red\nproperty double x\nproperty float y\n"
                               "property short z\nproperty float32 pscale\n"
                               "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    char text[1024];
    (void)snprintf(text, sizeof text, "ply\r\nformat ascii 1.0\n%s255 1 2 -3.5 0.25\n0 .25 1e-3\n 7 1\n3 0 1 0\n",
                   rest);
    make_file("text.ply", text);
    expect_two_points("text.ply");

    const double x[2] = {1.0, 0.25};
    const float y[2] = {2.0f, 1e-3f};
    const int16_t z[2] = {-3, 7};
    const float radius[2] = {0.25f, 1.0f};
    int size = snprintf(text, sizeof text, "ply\nformat binary_big_endian 1.0\n%s", rest);
    for (int n = 0; n < 2; n++) {
        const struct {
            const void *value;
            int size;
        } numbers[] = {{"\xff", 1}, {&x[n], 8}, {&y[n], 4}, {&z[n], 2}, {&radius[n], 4}};
        for (size_t number = 0; number < sizeof numbers / sizeof numbers[0]; number++) {
            char bytes[8] = {0};
            memcpy(bytes, numbers[number].value, (size_t)numbers[number].size);
            for (int byte = numbers[number].size - 1; byte >= 0; byte--) {
                text[size++] = bytes[byte];
            }
        }
    }
    make_binary_file("big.ply", text, (size_t)size);
    BrumeFrameGrids frame = read_particles("big.ply");
    assert_int_equal(frame.particle_count, 2);
    assert_true(frame.particles[0].position.x == 1.0f && frame.particles[0].position.z == -3.0f);
    assert_true(frame.particles[1].position.y == 1e-3f && frame.particles[1].diameter == 2.0f);
    brume_frame_grids_destroy(&frame);
}

#ifdef BRUME_HAS_OPENVDB
// points without attributes, whose grid has another name
static void test_foreign_vdb(void **state)
{
    (void)state;
    assert_true(foreign_vdb_write(FOREIGN_POINTS, "foreign.vdb"));
    BrumeFrameGrids frame = read_particles("foreign.vdb");
    const BrumeParticle expected[2] = {{.diameter = 0.0f}, {.position = {1.0f, 1.0f, 1.0f}, .id = 1}};
    assert_int_equal(frame.particle_count, 2);
    assert_memory_equal(frame.particles, expected, sizeof expected);
    brume_frame_grids_destroy(&frame);
}
#endif

static void expect_refusal(const char *path, const char *expected)
{
    BrumeFrameGrids frame = {0};
    BrumeError error;
    assert_int_equal(brume_volume_file_read_particles(&frame, path, &error), BRUME_BAD_INPUT);
    assert_int_equal(strncmp(error.text, path, strlen(path)), 0);
    if (!strstr(error.text, expected) || strchr(error.text, '\n')) {
        fail_msg("'%s', expected '%s'", error.text, expected);
    }
    assert_null(frame.particles);
}

static void test_damage(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"name: A scene\n", "not a PLY file"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n", "damaged: its header has no end"},
        {"ply\nformat utf8 1.0\nend_header\n", "damaged: the format in its header is not known"},
        {"ply\nformat ascii 1.0\nend_header\n", "has no vertices"},
        {"ply\nformat ascii 1.0\nelement face 1\nend_header\n", "its first element is not 'vertex'"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty list int int x\nend_header\n",
         "its vertices have lists, which cannot be read"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\nend_header\n",
         "damaged: the type of a property is not known"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nend_header\n1 2\n",
         "its vertices have no x, y and z"},
        {"ply\nformat ascii 1.0\nelement vertex 99999999999\nend_header\n", "has more than 16777216 points"},
        {"ply\nformat ascii 1.0\nelement vertex 9999999\nproperty int x\nproperty int y\nproperty int z\n"
         "end_header\n1 2 3\n",
         "damaged or incomplete: it has fewer bytes than its vertices need"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nproperty int z\nend_header\n1 2 ?\n",
         "damaged or incomplete: a number of a vertex is missing"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        make_file("damaged.ply", cases[n].text);
        expect_refusal("damaged.ply", cases[n].expected);
    }
    BrumeFrameGrids frame = make_frame(3);
    write_frame(&frame, "whole.ply", false);
    size_t size;
    char *bytes = read_whole_file("whole.ply", &size);
    for (size_t part = 0; part < size; part++) {
        make_binary_file("damaged.ply", bytes, part);
        expect_refusal("damaged.ply", ": ");
    }
    free(bytes);
    expect_refusal("nowhere.ply", "nowhere.ply");
    expect_refusal("whole.txt", "not a volume file that can be read (known are ");
#ifdef BRUME_HAS_HDF5
    write_frame(&frame, "whole.hdf", false);
    bytes = read_whole_file("whole.hdf", &size);
    bytes[size / 2] ^= 1;
    make_binary_file("damaged.hdf", bytes, size);
    expect_refusal("damaged.hdf", "damaged: its size or its hash is not that with which it was written");
    free(bytes);
#endif
#ifdef BRUME_HAS_OPENVDB
    write_frame(&frame, "whole.vdb", false);
    bytes = read_whole_file("whole.vdb", &size);
    bytes[size / 2] ^= 1;
    make_binary_file("damaged.vdb", bytes, size);
    expect_refusal("damaged.vdb", "is damaged: its checksum is wrong (write it again)");
    make_binary_file("damaged.vdb", bytes, size / 2);
    expect_refusal("damaged.vdb", "damaged");
    free(bytes);
    frame.has_particles = false;
    write_frame(&frame, "none.vdb", false);
    expect_refusal("none.vdb", "has no points");
#endif
    brume_frame_grids_destroy(&frame);
}

// a simulation that starts with points of a file, of which one is outside its box
static void test_initial_points(void **state)
{
    (void)state;
    ProgramRun run;
    make_file("points.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
                            "float z\nproperty float vx\nproperty float radius\nend_header\n"
                            "0 0.5 0 1 0.25\n0.1 0.5 0.1 0 0\n5 0.5 0 0 0.1\n");
    make_file("points.yaml", "domain: {size: [1, 1, 1]}\nsolver: {resolution: 8}\ntime: {frames: 2}\n"
                             "particles: {dust: {diameter: 0.5}}\n"
                             "initial:\n  - {kind: points, file: points.ply, particles: dust}\n");
    run_program(&run, "sim points.yaml -o a.####.ply --fields particles");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.err, "points.yaml:6:5: 1 of 3 points are outside the box and left out"));
    BrumeFrameGrids frame = read_particles("a.0001.ply");
    assert_int_equal(frame.particle_count, 2);
    assert_float_equal(frame.particles[0].diameter, 0.5f, 0.0f);
    assert_float_equal(frame.particles[0].position.y, 0.5f, 0.01f);
    assert_float_equal(frame.particles[1].diameter, 0.5f, 0.0f);
    brume_frame_grids_destroy(&frame);
    run_with_error(&run, 2, "sim points.yaml -o b.ply --frames 1:1 --fields particles -D initial.0.grid=a",
                   "-D initial.0.grid=a: an 'initial field' of kind 'points' has no key 'grid'; 'volume' has it");
    run_program(&run, "sim points.yaml -o b.ply --frames 1:1 --fields particles -D initial.0.file=none.ply");
    assert_int_equal(run.status, 2);
    assert_non_null(strstr(run.err, "none.ply"));
    run_program(&run, "sim points.yaml -o b.ply --frames 1:1 --fields particles -D particles.most=1");
    assert_int_equal(run.status, 2);
    assert_non_null(strstr(run.err, "there would be 2 particles, but 'most_particles' is 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ply),
#ifdef BRUME_HAS_OPENVDB
        cmocka_unit_test(test_vdb),         cmocka_unit_test(test_foreign_vdb),
#endif
#ifdef BRUME_HAS_HDF5
        cmocka_unit_test(test_vtkhdf),      cmocka_unit_test(test_beside_grids),   cmocka_unit_test(test_convert),
        cmocka_unit_test(test_foreign_hdf),
#endif
        cmocka_unit_test(test_run),         cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_foreign_ply),
        cmocka_unit_test(test_damage),      cmocka_unit_test(test_initial_points),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

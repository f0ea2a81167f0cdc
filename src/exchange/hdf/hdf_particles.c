// The particles of a frame as VTKHDF PolyData, whose vertices they are.
#include "exchange/hdf/hdf_internal.h"

#include "core/memory.h"
#include "io/resource_limits.h"

#include <stdio.h>
#include <string.h>

/** An array of the points: one or three numbers of each. */
typedef struct PointArray {
    const char *name, *unit;
    size_t offset; // in BrumeParticle
    int components;
    bool whole; // uint32_t, and written as int32_t; otherwise float
    float factor;
} PointArray;

#define MEMBER(member) offsetof(BrumeParticle, member)
static const PointArray positions = {"Points", "m", MEMBER(position), 3, false, 1.0f};
static const PointArray attributes[] = {
    {"v", "m/s", MEMBER(velocity), 3, false, 1.0f}, {"normal", "1", MEMBER(normal), 3, false, 1.0f},
    {"age", "s", MEMBER(age), 1, false, 1.0f},      {"pscale", "m", MEMBER(diameter), 1, false, 0.5f}, // the radius
    {"kind", "1", MEMBER(kind), 1, true, 1.0f},     {"id", "1", MEMBER(id), 1, true, 1.0f},
};

// writes a dataset of (rows) or (rows, columns) numbers; 0 columns: (rows)
static bool write_array(hid_t group, const char *name, hid_t stored, hid_t type, hsize_t rows, hsize_t columns,
                        const void *values, const char *unit)
{
    const hid_t space = H5Screate_simple(columns > 0 ? 2 : 1, (hsize_t[]){rows, columns}, NULL);
    hid_t properties;
    hid_t dataset;
    return space >= 0 && (properties = H5Pcreate(H5P_DATASET_CREATE)) >= 0 &&
           H5Pset_obj_track_times(properties, false) >= 0 &&
           (dataset = H5Dcreate2(group, name, stored, space, H5P_DEFAULT, properties, H5P_DEFAULT)) >= 0 &&
           H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
           (!unit || brume_hdf_write_text(dataset, "unit", unit)) && H5Dclose(dataset) >= 0 &&
           H5Pclose(properties) >= 0 && H5Sclose(space) >= 0;
}

static bool write_wholes(hid_t group, const char *name, hsize_t count, const int64_t *values)
{
    return write_array(group, name, H5T_STD_I64LE, H5T_NATIVE_INT64, count, 0, values, NULL);
}

// `buffer` has room for three numbers of each particle
static bool write_points(hid_t group, const PointArray *array, const BrumeFrameGrids *frame, float *buffer)
{
    const size_t rows = (size_t)frame->particle_count;
    const size_t columns = (size_t)array->components;
    for (size_t n = 0; n < rows; n++) {
        float *row = buffer + n * columns;
        memcpy(row, (const char *)&frame->particles[n] + array->offset, columns * sizeof *row);
        for (size_t c = 0; c < columns && !array->whole; c++) {
            row[c] *= array->factor;
        }
    }
    return write_array(group, array->name, array->whole ? H5T_STD_I32LE : H5T_IEEE_F32LE,
                       array->whole ? H5T_NATIVE_INT32 : H5T_NATIVE_FLOAT, rows, columns > 1 ? columns : 0, buffer,
                       array->unit);
}

// the cells of a kind: of vertices one for each point, of the others none
static bool write_cells(hid_t parent, const char *name, hsize_t count, const int64_t *numbers)
{
    const int64_t cells = (int64_t)count;
    const hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return group >= 0 && write_wholes(group, "NumberOfCells", 1, &cells) &&
           write_wholes(group, "NumberOfConnectivityIds", 1, &cells) &&
           write_wholes(group, "Offsets", count + 1, numbers) && write_wholes(group, "Connectivity", count, numbers) &&
           H5Gclose(group) >= 0;
}

static bool write_poly_data(hid_t file, const BrumeFrameGrids *frame, float *buffer, const int64_t *numbers)
{
    const int64_t count = frame->particle_count;
    const hid_t group = H5Gcreate2(file, "/VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t data;
    bool ok = group >= 0 && brume_hdf_write_wholes(group, "Version", 2, (long long[]){2, 0}) &&
              brume_hdf_write_text(group, "Type", "PolyData") && write_wholes(group, "NumberOfPoints", 1, &count) &&
              write_points(group, &positions, frame, buffer) &&
              write_cells(group, "Vertices", (hsize_t)count, numbers) && write_cells(group, "Lines", 0, numbers) &&
              write_cells(group, "Polygons", 0, numbers) && write_cells(group, "Strips", 0, numbers) &&
              (data = H5Gcreate2(group, "PointData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)) >= 0;
    for (size_t n = 0; n < sizeof attributes / sizeof attributes[0] && ok; n++) {
        ok = write_points(data, &attributes[n], frame, buffer);
    }
    return ok && H5Gclose(data) >= 0 && H5Gclose(group) >= 0;
}

bool brume_hdf_write_particles(hid_t file, const BrumeFrameGrids *frame)
{
    const size_t count = (size_t)frame->particle_count;
    float *const buffer = brume_alloc_untouched(3 * count + 1, sizeof *buffer);
    int64_t *const numbers = brume_alloc_untouched(count + 1, sizeof *numbers);
    for (size_t n = 0; n <= count && numbers; n++) {
        numbers[n] = (int64_t)n;
    }
    const bool ok = buffer && numbers && write_poly_data(file, frame, buffer, numbers);
    brume_free(buffer);
    brume_free(numbers);
    return ok;
}

// the number of rows of a dataset of numbers with these columns; below 0 where there is no such dataset
static long long find_rows(hid_t file, const char *name, int columns)
{
    hsize_t sizes[H5S_MAX_RANK];
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    const hid_t type = H5Dget_type(dataset);
    const int rank = H5Sget_simple_extent_dims(space, sizes, NULL);
    const H5T_class_t class = H5Tget_class(type);
    const bool found = (class == H5T_FLOAT || class == H5T_INTEGER) &&
                       ((rank == 1 && columns == 1) || (rank == 2 && sizes[1] == (hsize_t)columns));
    (void)H5Tclose(type);
    (void)H5Sclose(space);
    (void)H5Dclose(dataset);
    return found && sizes[0] < (hsize_t)1 << 62 ? (long long)sizes[0] : -1;
}

// `buffer` has room for three numbers of each particle
static bool read_points(hid_t file, const char *name, const PointArray *array, const BrumeFrameGrids *frame,
                        float *buffer)
{
    const size_t columns = (size_t)array->components;
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    const bool ok = H5Dread(dataset, array->whole ? H5T_NATIVE_INT32 : H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                            buffer) >= 0;
    (void)H5Dclose(dataset);
    for (size_t n = 0; n < (size_t)frame->particle_count && ok; n++) {
        float *row = buffer + n * columns;
        for (size_t c = 0; c < columns && !array->whole; c++) {
            row[c] /= array->factor;
        }
        memcpy((char *)&frame->particles[n] + array->offset, row, columns * sizeof *row);
    }
    return ok;
}

BrumeStatus brume_hdf_read_particles(hid_t file, BrumeFrameGrids *frame, const char *path, BrumeError *error)
{
    const char *const points = "/VTKHDF/Points";
    const long long rows = H5Lexists(file, points, H5P_DEFAULT) > 0 ? find_rows(file, points, 3) : -1;
    if (rows < 0 || rows > BRUME_MAX_PARTICLES) {
        return brume_fail(error, BRUME_BAD_INPUT, rows < 0 ? "%s: has no points" : "%s: has more than %d points", path,
                          BRUME_MAX_PARTICLES);
    }
    const size_t numbers = 3 * (size_t)rows + 1;
    BrumeStatus status = brume_admit_values((double)(numbers * sizeof(float) + (size_t)rows * sizeof(BrumeParticle)),
                                            path, "its points", error);
    float *const buffer = status == BRUME_OK ? brume_alloc_untouched(numbers, sizeof *buffer) : NULL;
    if (status == BRUME_OK) {
        status =
            buffer ? brume_frame_grids_add_particles(frame, (int)rows, error) : brume_out_of_memory(error, "%s", path);
    }
    if (buffer && status == BRUME_OK) {
        frame->has_particles = true;
        frame->particle_count = (int)rows;
        bool ok = read_points(file, points, &positions, frame, buffer);
        const bool has_data = H5Lexists(file, "/VTKHDF/PointData", H5P_DEFAULT) > 0;
        for (size_t n = 0; n < sizeof attributes / sizeof attributes[0] && has_data && ok; n++) {
            char name[64];
            (void)snprintf(name, sizeof name, "/VTKHDF/PointData/%s", attributes[n].name);
            if (H5Lexists(file, name, H5P_DEFAULT) > 0 && find_rows(file, name, attributes[n].components) == rows) {
                ok = read_points(file, name, &attributes[n], frame, buffer);
            }
        }
        status = ok ? BRUME_OK : brume_fail(error, BRUME_BAD_INPUT, "%s: damaged: its points cannot be read", path);
    }
    brume_free(buffer);
    return status;
}

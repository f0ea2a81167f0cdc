// The particles of a frame as VTKHDF PolyData, whose vertices they are.
#include "exchange/hdf/hdf_internal.h"

#include "core/memory.h"

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

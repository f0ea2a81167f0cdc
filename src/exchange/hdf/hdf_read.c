// Reads image data of HDF5 files: files of Brume, and files that other programs wrote for VTK.
#include "exchange/hdf/hdf_chunks.h"
#include "exchange/hdf/hdf_internal.h"

#include "core/field.h"
#include "core/half.h"
#include "core/memory.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SIDE = 1 << 15 };
static const double max_values = 2147483647.0; // of a grid

/** The state of reading one file. */
typedef struct HdfReader {
    const char *path;
    hid_t file;
    BrumeFrameGrids *frame;
    BrumeError *error;
    BrumeStatus status;
    bool failed; // a function of the library: in a file of Brume, only where memory has run out
} HdfReader;

// returns the result of a function of HDF5; a negative one is recorded as a failure
static long long checked(HdfReader *reader, long long result)
{
    reader->failed = reader->failed || result < 0;
    return result;
}

static BrumeStatus fail(HdfReader *reader, const char *text)
{
    reader->status = brume_fail(reader->error, BRUME_BAD_INPUT, "%s: %s", reader->path, text);
    return reader->status;
}

static bool has_object(HdfReader *reader, const char *path)
{
    // every group on the way must exist
    char prefix[256];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        (void)snprintf(prefix, sizeof prefix, "%.*s", (int)(slash - path), path);
        if (checked(reader, H5Lexists(reader->file, prefix, H5P_DEFAULT)) <= 0) {
            return false;
        }
    }
    return checked(reader, H5Lexists(reader->file, path, H5P_DEFAULT)) > 0;
}

// reads an attribute of up to `most` numbers; returns how many there are, 0 if there is none or it is not of numbers
static int read_numbers(HdfReader *reader, const char *object, const char *name, int most, double *values)
{
    if (checked(reader, H5Aexists_by_name(reader->file, object, name, H5P_DEFAULT)) <= 0) {
        return 0;
    }
    const hid_t attribute = checked(reader, H5Aopen_by_name(reader->file, object, name, H5P_DEFAULT, H5P_DEFAULT));
    const hid_t space = checked(reader, H5Aget_space(attribute));
    const hid_t type = checked(reader, H5Aget_type(attribute));
    const hssize_t count = checked(reader, H5Sget_simple_extent_npoints(space));
    const H5T_class_t class = (H5T_class_t)checked(reader, H5Tget_class(type));
    const bool ok = attribute >= 0 && count >= 1 && count <= most && (class == H5T_INTEGER || class == H5T_FLOAT) &&
                    checked(reader, H5Aread(attribute, H5T_NATIVE_DOUBLE, values)) >= 0;
    (void)H5Tclose(type);
    (void)H5Sclose(space);
    (void)H5Aclose(attribute);
    return ok ? (int)count : 0;
}

// reads an attribute that is a text of fixed or variable length; empty if there is none
static void read_text(HdfReader *reader, hid_t object, const char *name, char *text, size_t size)
{
    text[0] = '\0';
    if (checked(reader, H5Aexists(object, name)) <= 0) {
        return;
    }
    const hid_t attribute = checked(reader, H5Aopen(object, name, H5P_DEFAULT));
    const hid_t type = checked(reader, H5Aget_type(attribute));
    const bool is_text = checked(reader, H5Tget_class(type)) == H5T_STRING;
    const bool is_variable = is_text && checked(reader, H5Tis_variable_str(type)) > 0;
    if (is_variable) {
        char *value = NULL;
        if (checked(reader, H5Aread(attribute, type, &value)) >= 0 && value) {
            (void)snprintf(text, size, "%s", value);
            (void)H5free_memory(value);
        }
    } else if (is_text && H5Tget_size(type) < size) {
        memset(text, 0, size);
        if (checked(reader, H5Aread(attribute, type, text)) < 0) {
            text[0] = '\0';
        }
    }
    (void)H5Tclose(type);
    (void)H5Aclose(attribute);
}

static bool is_side(double cells) { return cells >= 1.0 && cells <= MAX_SIDE && cells == floor(cells); }

// sets the cells and the origin of the frame from the image data, whose values are at its `points` or its cells
static BrumeStatus read_geometry(HdfReader *reader, bool points)
{
    BrumeFrameGrids *frame = reader->frame;
    double extent[6];
    double origin[3] = {0, 0, 0};
    double spacing[3] = {1, 1, 1};
    double direction[9];
    if (read_numbers(reader, "/VTKHDF", "WholeExtent", 6, extent) != 6) {
        return fail(reader, "no image data: VTKHDF has no WholeExtent");
    }
    (void)read_numbers(reader, "/VTKHDF", "Origin", 3, origin);
    (void)read_numbers(reader, "/VTKHDF", "Spacing", 3, spacing);
    int sides[3];
    double values = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double side = extent[2 * axis + 1] - extent[2 * axis] + (points ? 1.0 : 0.0);
        if (!is_side(side)) {
            return fail(reader, "the extent of its image data is empty or too large");
        }
        sides[axis] = (int)side;
        values *= side;
    }
    if (values > max_values) {
        return fail(reader, "its image data has more than 2^31 cells");
    }
    const double dx = spacing[0];
    const bool cubic = fabs(spacing[1] - dx) <= 1e-6 * dx && fabs(spacing[2] - dx) <= 1e-6 * dx;
    if (!(dx > 0.0 && isfinite(dx)) || !cubic) {
        return fail(reader, "its cells are not cubes");
    }
    if (read_numbers(reader, "/VTKHDF", "Direction", 9, direction) == 9) {
        for (int n = 0; n < 9; n++) {
            if (fabs(direction[n] - (n % 4 == 0 ? 1.0 : 0.0)) > 1e-6) {
                return fail(reader, "its axes are rotated, which Brume cannot represent");
            }
        }
    }
    frame->cells = brume_grid(sides[0], sides[1], sides[2]);
    frame->dx = dx;
    for (int axis = 0; axis < 3; axis++) {
        frame->origin[axis] = origin[axis] + dx * (extent[2 * axis] - (points ? 0.5 : 0.0));
        if (!isfinite(frame->origin[axis])) {
            return fail(reader, "the origin of its image data is not a number");
        }
    }
    return BRUME_OK;
}

// the faces across the axis at the end of the name, as in velocity_x
static BrumeGridLocation location_from_name(const char *name)
{
    for (int axis = 0; axis < 3; axis++) {
        const char face[] = {(char)('x' + axis), '\0'};
        if (strcmp(name + strlen(name) - 1, face) == 0) {
            return (BrumeGridLocation)((int)BRUME_AT_X_FACES + axis);
        }
    }
    return BRUME_AT_CENTERS;
}

// whether the dataset has the extents of the frame's cells, with 1 or 3 components
static bool check_array(HdfReader *reader, hid_t dataset, BrumeGridLocation location, int *components)
{
    hsize_t sizes[H5S_MAX_RANK];
    const hid_t space = H5Dget_space(dataset);
    const hid_t type = H5Dget_type(dataset);
    const H5T_class_t class = H5Tget_class(type);
    const int rank = H5Sget_simple_extent_dims(space, sizes, NULL);
    (void)H5Tclose(type);
    (void)H5Sclose(space);
    *components = rank == 4 ? (int)(sizes[3] < 4 ? sizes[3] : 4) : 1;
    bool ok = (rank == 3 || rank == 4) && (class == H5T_FLOAT || class == H5T_INTEGER);
    for (int axis = 0; axis < 3 && ok; axis++) {
        ok = sizes[axis] == (hsize_t)brume_frame_grid_extent(reader->frame->cells, location, 2 - axis);
    }
    return ok && (*components == 1 || *components == 3);
}

// Converts `count` halves to floats, which may begin where the halves do in the second half of their array. The
// library's conversion is wrong below 2^-14.
static void convert_halves(float *values, const uint16_t *halves, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        uint16_t value;
        memcpy(&value, halves + n, sizeof value);
        values[n] = brume_float_of_half(value);
    }
}

// Reads a part of a dataset, of `count` values, to an array without gaps. Halves are read into its second half.
static bool read_part(hid_t dataset, hid_t half, hid_t memory, hid_t part, float *values, size_t count)
{
    uint16_t *halves = (uint16_t *)values + count;
    if (half < 0) {
        return H5Dread(dataset, H5T_NATIVE_FLOAT, memory, part, H5P_DEFAULT, values) >= 0;
    }
    const bool ok = H5Dread(dataset, half, memory, part, H5P_DEFAULT, halves) >= 0;
    if (ok) {
        convert_halves(values, halves, count);
    }
    return ok;
}

/** A dataset in chunks, of which few are in the file; the others are 0. */
typedef struct SparseDataset {
    hid_t dataset, half; // half: the type of its values; below 0: floats
    int rank;
    hsize_t sizes[BRUME_HDF_MAX_RANK], chunk[BRUME_HDF_MAX_RANK];
    hsize_t chunks; // in the file
} SparseDataset;

// Whether a dataset has few of its chunks; only then is it worth to read them one by one.
static bool is_sparse(HdfReader *reader, SparseDataset *sparse)
{
    float fill = 0.0f;
    H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
    const hid_t properties = checked(reader, H5Dget_create_plist(sparse->dataset));
    const hid_t space = checked(reader, H5Dget_space(sparse->dataset));
    sparse->rank = H5Sget_simple_extent_dims(space, sparse->sizes, NULL); // 3 or 4, as is known
    bool found = H5Pget_layout(properties) == H5D_CHUNKED &&
                 H5Pget_chunk(properties, BRUME_HDF_MAX_RANK, sparse->chunk) == sparse->rank &&
                 checked(reader, H5Pfill_value_defined(properties, &defined)) >= 0 &&
                 (defined == H5D_FILL_VALUE_DEFAULT ||
                  (H5Pget_fill_value(properties, H5T_NATIVE_FLOAT, &fill) >= 0 && fill == 0.0f)) &&
                 checked(reader, H5Dget_num_chunks(sparse->dataset, space, &sparse->chunks)) >= 0;
    double all = 1.0;
    for (int axis = 0; axis < sparse->rank && found; axis++) {
        all *= ceil((double)sparse->sizes[axis] / (double)sparse->chunk[axis]);
    }
    found = found && 8.0 * (double)sparse->chunks < all; // their list is searched from its start for each of them
    (void)H5Sclose(space);
    (void)H5Pclose(properties);
    return found;
}

// Reads the values of a chunk inside the grid, by way of `buffer`, to their places, and adds them to the filled ones.
static bool read_chunk(const SparseDataset *sparse, hid_t space, hsize_t index, BrumeFrameGrid *grid, float *buffer)
{
    hsize_t at[BRUME_HDF_MAX_RANK];
    hsize_t count[BRUME_HDF_MAX_RANK] = {1, 1, 1, 1};
    unsigned mask;
    haddr_t address;
    hsize_t bytes;
    if (H5Dget_chunk_info(sparse->dataset, space, index, at, &mask, &address, &bytes) < 0) {
        return false;
    }
    for (int axis = 0; axis < sparse->rank; axis++) {
        const hsize_t left = sparse->sizes[axis] - at[axis];
        count[axis] = left < sparse->chunk[axis] ? left : sparse->chunk[axis];
    }
    const hid_t memory = H5Screate_simple(sparse->rank, count, NULL);
    const size_t row = (size_t)(count[2] * count[3]);
    const size_t rows = (size_t)(count[0] * count[1]);
    const bool ok = memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, count, NULL) >= 0 &&
                    read_part(sparse->dataset, sparse->half, memory, space, buffer, row * rows);
    (void)H5Sclose(memory);
    const hsize_t components = (hsize_t)grid->components;
    for (size_t n = 0; n < rows && ok; n++) {
        const hsize_t k = at[0] + n / count[1];
        const hsize_t j = at[1] + n % count[1];
        memcpy(grid->values + ((k * sparse->sizes[1] + j) * sparse->sizes[2] + at[2]) * components, buffer + row * n,
               row * sizeof *buffer);
    }
    BrumeCellBox box;
    for (int axis = 0; axis < 3; axis++) {
        box.lower[axis] = (int)at[2 - axis];
        box.upper[axis] = (int)(at[2 - axis] + count[2 - axis]);
    }
    brume_box_add(&grid->filled, &box);
    return ok;
}

static bool read_chunks(const SparseDataset *sparse, BrumeFrameGrid *grid)
{
    size_t values = 1;
    for (int axis = 0; axis < sparse->rank; axis++) {
        values *= (size_t)sparse->chunk[axis];
    }
    float *buffer = brume_alloc_untouched(values, sizeof *buffer);
    const hid_t space = H5Dget_space(sparse->dataset);
    const BrumeCellBox first = {{0, 0, 0}, {1, 1, 1}};
    grid->filled = sparse->chunks > 0 ? brume_no_cells : first;
    bool ok = buffer && space >= 0;
    for (hsize_t n = 0; n < sparse->chunks && ok; n++) {
        ok = read_chunk(sparse, space, n, grid, buffer);
    }
    (void)H5Sclose(space);
    brume_free(buffer);
    return ok;
}

static bool read_values(HdfReader *reader, hid_t dataset, BrumeFrameGrid *grid)
{
    const hid_t half = brume_hdf_half_type();
    const hid_t type = H5Dget_type(dataset);
    const bool is_half = checked(reader, H5Tequal(type, half)) > 0;
    SparseDataset sparse = {.dataset = dataset, .half = is_half ? half : H5I_INVALID_HID};
    const bool ok = is_sparse(reader, &sparse) ? read_chunks(&sparse, grid)
                                               : read_part(dataset, sparse.half, H5S_ALL, H5S_ALL, grid->values,
                                                           brume_frame_grid_values(reader->frame->cells, grid));
    (void)H5Tclose(type);
    (void)H5Tclose(half);
    return ok;
}

static BrumeStatus read_grid(HdfReader *reader, hid_t group, const char *name, bool faces)
{
    const BrumeGridLocation location = faces ? location_from_name(name) : BRUME_AT_CENTERS;
    char text[256];
    int components;
    const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    if (dataset < 0 || !check_array(reader, dataset, location, &components)) {
        (void)snprintf(text, sizeof text, "the grid '%s' does not have the extents of the image data",
                       brume_quote(name).text);
        (void)H5Dclose(dataset);
        return fail(reader, text);
    }
    char unit[BRUME_MAX_UNIT];
    read_text(reader, dataset, "unit", unit, sizeof unit);
    BrumeFrameGrid *grid;
    BrumeError error;
    reader->status = brume_frame_grids_add(reader->frame, name, unit, components, location, &grid, &error);
    if (reader->status != BRUME_OK) {
        reader->status = brume_fail(reader->error, error.status, "%s: %s", reader->path, error.text);
    } else if (!read_values(reader, dataset, grid)) {
        (void)snprintf(text, sizeof text, "the grid '%s' cannot be read", brume_quote(name).text);
        (void)fail(reader, text);
    }
    (void)H5Dclose(dataset);
    return reader->status;
}

// the values that the arrays of a group claim to have
static double count_values(hid_t group, hsize_t links)
{
    double values = 0.0;
    for (hsize_t n = 0; n < links; n++) {
        const hid_t object = H5Oopen_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, n, H5P_DEFAULT);
        const hid_t space = H5Iget_type(object) == H5I_DATASET ? H5Dget_space(object) : H5I_INVALID_HID;
        const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
        values += count > 0 ? (double)count : 0.0;
        (void)H5Sclose(space);
        (void)H5Oclose(object);
    }
    return values;
}

static BrumeStatus read_group(HdfReader *reader, const char *path, bool faces)
{
    if (!has_object(reader, path)) {
        return BRUME_OK;
    }
    const hid_t group = checked(reader, H5Gopen2(reader->file, path, H5P_DEFAULT));
    H5G_info_t info = {0};
    (void)checked(reader, H5Gget_info(group, &info));
    reader->status =
        brume_frame_grids_check_memory(reader->frame, count_values(group, info.nlinks), reader->path, reader->error);
    for (hsize_t n = 0; n < info.nlinks && reader->status == BRUME_OK; n++) {
        char name[BRUME_MAX_GRID_NAME + 1] = "";
        (void)checked(reader,
                      H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, n, name, sizeof name, H5P_DEFAULT));
        (void)read_grid(reader, group, name, faces);
    }
    (void)H5Gclose(group);
    return reader->status;
}

static BrumeStatus read_scene(HdfReader *reader)
{
    if (!has_object(reader, BRUME_HDF_OWN "/scene")) {
        return BRUME_OK;
    }
    const hid_t dataset = H5Dopen2(reader->file, BRUME_HDF_OWN "/scene", H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    const hssize_t length = H5Sget_simple_extent_npoints(space);
    (void)H5Sclose(space);
    const bool fits = length >= 0 && length < (hssize_t)1 << 30;
    char *text = fits ? brume_alloc((size_t)length + 1, 1) : NULL;
    reader->frame->scene_text = text;
    if (!text) {
        reader->status = brume_out_of_memory(reader->error, "the scene of %s", reader->path);
    } else if (H5Dread(dataset, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
        (void)fail(reader, "its scene cannot be read");
    }
    (void)H5Dclose(dataset);
    return reader->status;
}

static BrumeStatus read_bodies(HdfReader *reader)
{
    double rows[BRUME_MAX_BODIES][BRUME_HDF_BODY];
    const int numbers = read_numbers(reader, BRUME_HDF_OWN, "bodies", BRUME_HDF_BODY * BRUME_MAX_BODIES, &rows[0][0]);
    for (int n = 0; n < numbers / BRUME_HDF_BODY; n++) {
        const double *row = rows[n];
        if (!(row[0] >= BRUME_SHAPE_SPHERE && row[0] <= BRUME_SHAPE_MESH)) {
            return fail(reader, "a body has an unknown shape");
        }
        reader->frame->bodies[n] = (BrumeShape){
            .kind = (BrumeShapeKind)row[0],
            .a = {(float)row[1], (float)row[2], (float)row[3]},
            .b = {(float)row[4], (float)row[5], (float)row[6]},
            .radius = (float)row[7],
            .second_radius = (float)row[8],
            .position = {(float)row[9], (float)row[10], (float)row[11]},
            .rotation = {(float)row[12], (float)row[13], (float)row[14]},
            .scale = {(float)row[15], (float)row[16], (float)row[17]},
            .pivot = {(float)row[18], (float)row[19], (float)row[20]},
        };
    }
    reader->frame->body_count = numbers / BRUME_HDF_BODY;
    return BRUME_OK;
}

// reads the group that only files of Brume have
static BrumeStatus read_own(HdfReader *reader)
{
    double format = 0.0;
    double number = 0.0;
    if (read_numbers(reader, BRUME_HDF_OWN, "format", 1, &format) != 1 || format != (double)BRUME_HDF_FORMAT) {
        return fail(reader, "it was written by another version of Brume, in another format");
    }
    if (read_numbers(reader, BRUME_HDF_OWN, "frame", 1, &number) == 1 && fabs(number) < 2147483648.0) {
        reader->frame->has_frame = true;
        reader->frame->frame = (int)number;
    }
    (void)read_numbers(reader, BRUME_HDF_OWN, "time", 1, &reader->frame->time);
    (void)read_numbers(reader, BRUME_HDF_OWN, "origin", 3, reader->frame->origin);
    double cells[3];
    if (read_numbers(reader, BRUME_HDF_OWN, "cells", 3, cells) == 3 && is_side(cells[0]) && is_side(cells[1]) &&
        is_side(cells[2])) { // of particles alone
        reader->frame->cells = brume_grid((int)cells[0], (int)cells[1], (int)cells[2]);
        (void)read_numbers(reader, BRUME_HDF_OWN, "dx", 1, &reader->frame->dx);
    }
    if (read_bodies(reader) != BRUME_OK || read_scene(reader) != BRUME_OK) {
        return reader->status;
    }
    return read_group(reader, BRUME_HDF_FACES, true);
}

static BrumeStatus read_file(HdfReader *reader, BrumeHdfSeal seal)
{
    if (!has_object(reader, "/VTKHDF")) {
        return fail(reader, "an HDF5 file without the group VTKHDF, which holds image data");
    }
    char type[64];
    const hid_t group = H5Gopen2(reader->file, "/VTKHDF", H5P_DEFAULT);
    read_text(reader, group, "Type", type, sizeof type);
    (void)H5Gclose(group);
    const bool own = has_object(reader, BRUME_HDF_OWN);
    if (own && seal != BRUME_HDF_INTACT) {
        return fail(reader, "damaged, or changed by another program: the first 512 bytes are not those of Brume");
    }
    if (strcmp(type, "PolyData") == 0) {
        reader->status = brume_hdf_read_particles(reader->file, reader->frame, reader->path, reader->error);
        return reader->status == BRUME_OK && own ? read_own(reader) : reader->status;
    }
    if (strcmp(type, "ImageData") != 0) {
        return fail(reader, "its VTKHDF data is neither image data nor points");
    }
    const bool points = has_object(reader, BRUME_HDF_GRIDS);
    if (read_geometry(reader, points) != BRUME_OK) {
        return reader->status;
    }
    if (read_group(reader, points ? BRUME_HDF_GRIDS : "/VTKHDF/CellData", false) != BRUME_OK) {
        return reader->status;
    }
    return own ? read_own(reader) : BRUME_OK;
}

// The library returns the file that is open, with its contents, for a second one of the same name.
static hid_t open_image(BrumeHdfImage *image, size_t size)
{
    static int opened;
    char name[32];
    (void)snprintf(name, sizeof name, "frame-%d", ++opened);
    const hid_t access = brume_hdf_image_access(image);
    hid_t file = H5I_INVALID_HID;
    if (access >= 0 && H5Pset_file_image(access, image->bytes, size) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0) { // with objects that a failed call has left open in it
        file = H5Fopen(name, H5F_ACC_RDONLY, access);
    }
    (void)H5Pclose(access);
    return file;
}

BrumeStatus brume_hdf_read(BrumeFrameGrids *frame, const char *path, uint8_t *bytes, size_t size,
                           const BrumeVolumeReadDef *def, BrumeError *error)
{
    (void)def;
    const BrumeHdfSeal seal = brume_hdf_check(bytes, size);
    if (seal == BRUME_HDF_OTHER || seal == BRUME_HDF_DAMAGED) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: %s", path,
                          seal == BRUME_HDF_OTHER
                              ? "not an HDF5 file"
                              : "damaged: its size or its hash is not that with which it was written (write it again)");
    }
    BrumeHdfImage image = {.bytes = bytes};
    HdfReader reader = {.path = path, .frame = frame, .error = error};
    reader.status = brume_hdf_start(path, error);
    if (reader.status == BRUME_OK) {
        reader.file = open_image(&image, size);
        if (reader.file < 0) {
            (void)fail(&reader, "damaged: the HDF5 library cannot open it");
        } else {
            (void)read_file(&reader, seal);
        }
        if (seal == BRUME_HDF_INTACT && (reader.failed || reader.status == BRUME_BAD_INPUT)) { // no other reason
            reader.status = brume_out_of_memory(error, "%s", path);
        }
    }
    if (reader.status != BRUME_OK) {
        brume_hdf_note_failure();
        brume_frame_grids_destroy(frame);
    } else if (H5Fclose(reader.file) < 0) {
        brume_hdf_note_failure(); // everything has been read
    }
    return reader.status;
}

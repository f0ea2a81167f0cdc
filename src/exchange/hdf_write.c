// Writes a frame as an HDF5 file. The file is composed in memory and written at once, so that it appears completely or
// not at all. Chunks are compressed here, by libdeflate in the format of HDF5's filters, which takes a third of the
// library's own time.
#include "exchange/hdf_internal.h"

#include "brume/brume.h"
#include "core/half.h"
#include "core/memory.h"
#include "io/file.h"

#include <libdeflate.h>

#include <stdio.h>
#include <string.h>

enum { LEVEL = 1, MAX_RANK = 4 };

/** The buffers of the chunks of one file. */
typedef struct ChunkBuffers {
    float *values; // of a chunk
    uint16_t *halves;
    uint8_t *shuffled, *deflated;
    size_t value_bytes, deflated_bytes;
    struct libdeflate_compressor *compressor;
} ChunkBuffers;

/** A grid as the array that HDF5 sees: slowest axis first. */
typedef struct GridArray {
    int rank;
    hsize_t sizes[MAX_RANK], chunk[MAX_RANK];
} GridArray;

static GridArray array_of(BrumeGrid cells, const BrumeFrameGrid *grid)
{
    GridArray array = {.rank = grid->components > 1 ? 4 : 3};
    for (int axis = 0; axis < 3; axis++) {
        const hsize_t size = (hsize_t)brume_frame_grid_extent(cells, grid->location, 2 - axis);
        array.sizes[axis] = size;
        array.chunk[axis] = size < BRUME_HDF_CHUNK ? size : BRUME_HDF_CHUNK;
    }
    array.sizes[3] = array.chunk[3] = (hsize_t)grid->components;
    return array;
}

static size_t chunk_values(const GridArray *array)
{
    return (size_t)(array->chunk[0] * array->chunk[1] * array->chunk[2] * array->chunk[3]);
}

static void free_buffers(ChunkBuffers *buffers)
{
    libdeflate_free_compressor(buffers->compressor);
    brume_free(buffers->values);
    brume_free(buffers->halves);
    brume_free(buffers->shuffled);
    brume_free(buffers->deflated);
}

static BrumeStatus make_buffers(ChunkBuffers *buffers, BrumeError *error)
{
    const size_t values = (size_t)BRUME_HDF_CHUNK * BRUME_HDF_CHUNK * BRUME_HDF_CHUNK * 3;
    *buffers = (ChunkBuffers){.compressor = libdeflate_alloc_compressor(LEVEL)};
    if (buffers->compressor) {
        buffers->deflated_bytes = libdeflate_zlib_compress_bound(buffers->compressor, values * sizeof(float));
        buffers->values = brume_alloc_untouched(values, sizeof(float));
        buffers->halves = brume_alloc_untouched(values, sizeof(uint16_t));
        buffers->shuffled = brume_alloc_untouched(values, sizeof(float));
        buffers->deflated = brume_alloc_untouched(buffers->deflated_bytes, 1);
    }
    if (!buffers->values || !buffers->halves || !buffers->shuffled || !buffers->deflated) {
        free_buffers(buffers);
        return brume_out_of_memory(error, "the buffers of a volume file");
    }
    return BRUME_OK;
}

// copies the chunk from `at` on; the part beyond the grid is 0. Returns whether a value differs from +0.
static bool copy_chunk(float *chunk, const BrumeFrameGrid *grid, const GridArray *array, const hsize_t at[MAX_RANK])
{
    const size_t row = (size_t)(array->chunk[2] * array->chunk[3]);
    const hsize_t left = array->sizes[2] - at[2];
    const size_t used = (size_t)((left < array->chunk[2] ? left : array->chunk[2]) * array->chunk[3]);
    bool any = false;
    memset(chunk, 0, chunk_values(array) * sizeof *chunk);
    for (hsize_t k = 0; k < array->chunk[0] && at[0] + k < array->sizes[0]; k++) {
        for (hsize_t j = 0; j < array->chunk[1] && at[1] + j < array->sizes[1]; j++) {
            const size_t from =
                (size_t)((((at[0] + k) * array->sizes[1] + at[1] + j) * array->sizes[2] + at[2]) * array->sizes[3]);
            float *to = chunk + row * (size_t)(k * array->chunk[1] + j);
            memcpy(to, grid->values + from, used * sizeof *to);
            uint32_t bits = 0;
            for (size_t n = 0; n < used; n++) {
                uint32_t value;
                memcpy(&value, to + n, sizeof value);
                bits |= value;
            }
            any = any || bits != 0;
        }
    }
    return any;
}

// the filter of HDF5: first bytes of all values, then the second bytes, ...
static void shuffle(uint8_t *restrict to, const uint8_t *restrict from, size_t count, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++) {
        for (size_t n = 0; n < count; n++) {
            to[b * count + n] = from[n * bytes + b];
        }
    }
}

// the values of the chunk in half precision; the library's own conversion is wrong below 2^-14
static const uint8_t *pack_halves(ChunkBuffers *buffers, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        buffers->halves[n] = brume_half_of_float(buffers->values[n]);
    }
    return (const uint8_t *)buffers->halves;
}

static bool write_chunks(hid_t dataset, bool half, const BrumeFrameGrid *grid, const GridArray *array,
                         ChunkBuffers *buffers)
{
    const size_t count = chunk_values(array);
    const size_t bytes = half ? sizeof(uint16_t) : sizeof(float);
    bool ok = true;
    hsize_t at[MAX_RANK] = {0};
    for (at[0] = 0; at[0] < array->sizes[0]; at[0] += array->chunk[0]) {
        for (at[1] = 0; at[1] < array->sizes[1]; at[1] += array->chunk[1]) {
            for (at[2] = 0; at[2] < array->sizes[2] && ok; at[2] += array->chunk[2]) {
                if (!copy_chunk(buffers->values, grid, array, at)) {
                    continue; // never written: the fill value 0
                }
                shuffle(buffers->shuffled, half ? pack_halves(buffers, count) : (const uint8_t *)buffers->values, count,
                        bytes);
                const size_t size = libdeflate_zlib_compress(buffers->compressor, buffers->shuffled, count * bytes,
                                                             buffers->deflated, buffers->deflated_bytes);
                ok = ok && size > 0 && H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, at, size, buffers->deflated) >= 0;
            }
        }
    }
    return ok;
}

static bool write_text_attribute(hid_t object, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    bool ok = H5Tset_size(type, strlen(text) > 0 ? strlen(text) : 1) >= 0; // as VTK reads it: without a final 0
    (void)H5Tset_strpad(type, H5T_STR_NULLPAD);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    ok = ok && attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
    (void)H5Aclose(attribute);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    return ok;
}

// `count` 0: one number that is no array
static bool write_attribute(hid_t object, const char *name, hid_t stored, hid_t type, hsize_t count, const void *values)
{
    const hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = attribute >= 0 && H5Awrite(attribute, type, values) >= 0;
    (void)H5Aclose(attribute);
    (void)H5Sclose(space);
    return ok;
}

static bool write_numbers(hid_t object, const char *name, hsize_t count, const double *values)
{
    return write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

static bool write_wholes(hid_t object, const char *name, hsize_t count, const long long *values)
{
    return write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_LLONG, count, values);
}

static bool write_grid(hid_t group, BrumeGrid cells, const BrumeFrameGrid *grid, bool half, ChunkBuffers *buffers)
{
    const GridArray array = array_of(cells, grid);
    const hid_t half_type = half ? brume_hdf_half_type() : H5I_INVALID_HID;
    const hid_t space = H5Screate_simple(array.rank, array.sizes, NULL);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    bool ok = H5Pset_chunk(properties, array.rank, array.chunk) >= 0 && H5Pset_shuffle(properties) >= 0 &&
              H5Pset_deflate(properties, LEVEL) >= 0 && H5Pset_obj_track_times(properties, false) >= 0;
    const hid_t dataset =
        H5Dcreate2(group, grid->name, half ? half_type : H5T_IEEE_F32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    ok = ok && dataset >= 0 && write_chunks(dataset, half, grid, &array, buffers) &&
         write_text_attribute(dataset, "unit", grid->unit);
    (void)H5Dclose(dataset);
    (void)H5Pclose(properties);
    (void)H5Sclose(space);
    (void)H5Tclose(half_type);
    return ok;
}

static bool write_grids(hid_t file, const char *path, bool faces, const BrumeFrameGrids *frame, bool half,
                        ChunkBuffers *buffers)
{
    const hid_t group = H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = group >= 0;
    for (int n = 0; n < frame->count && ok; n++) {
        const BrumeFrameGrid *grid = &frame->grids[n];
        if (faces == (grid->location != BRUME_AT_CENTERS)) {
            ok = write_grid(group, frame->cells, grid, half, buffers);
        }
    }
    if (!faces && frame->count > 0 && frame->grids[0].components == 1) {
        ok = ok && write_text_attribute(group, "Scalars", frame->grids[0].name);
    }
    (void)H5Gclose(group);
    return ok;
}

// the attributes that VTK reads: cells as points, the first at the centre of the first cell
static bool write_vtk(hid_t file, const BrumeFrameGrids *frame)
{
    const long long version[2] = {1, 0};
    const long long extent[6] = {0, frame->cells.nx - 1, 0, frame->cells.ny - 1, 0, frame->cells.nz - 1};
    const double direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double spacing[3] = {frame->dx, frame->dx, frame->dx};
    double origin[3];
    for (int axis = 0; axis < 3; axis++) {
        origin[axis] = frame->origin[axis] + 0.5 * frame->dx;
    }
    const hid_t group = H5Gcreate2(file, "/VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = group >= 0 && write_wholes(group, "Version", 2, version) &&
                    write_text_attribute(group, "Type", "ImageData") && write_wholes(group, "WholeExtent", 6, extent) &&
                    write_numbers(group, "Origin", 3, origin) && write_numbers(group, "Spacing", 3, spacing) &&
                    write_numbers(group, "Direction", 9, direction);
    (void)H5Gclose(group);
    return ok;
}

// a text as bytes: attributes are limited to 64 KiB
static bool write_scene(hid_t group, const char *text)
{
    const hsize_t length = strlen(text);
    const hid_t space = H5Screate_simple(1, &length, NULL);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    bool ok = H5Pset_obj_track_times(properties, false) >= 0;
    const hid_t dataset = H5Dcreate2(group, "scene", H5T_STD_U8LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    ok = ok && dataset >= 0 && H5Dwrite(dataset, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    (void)H5Dclose(dataset);
    (void)H5Pclose(properties);
    (void)H5Sclose(space);
    return ok;
}

// eight numbers for each obstacle: kind, a, b, radius
static bool write_obstacles(hid_t group, const BrumeFrameGrids *frame)
{
    double rows[BRUME_MAX_OBSTACLES][8];
    for (int n = 0; n < frame->obstacle_count; n++) {
        const BrumeShape *shape = &frame->obstacles[n];
        const double row[8] = {(double)shape->kind, (double)shape->a.x, (double)shape->a.y, (double)shape->a.z,
                               (double)shape->b.x,  (double)shape->b.y, (double)shape->b.z, (double)shape->radius};
        memcpy(rows[n], row, sizeof row);
    }
    return frame->obstacle_count == 0 ||
           write_numbers(group, "obstacles", 8 * (hsize_t)frame->obstacle_count, &rows[0][0]);
}

static bool write_own(hid_t file, const BrumeFrameGrids *frame)
{
    const long long format = 1;
    const long long number = frame->frame;
    char creator[64];
    (void)snprintf(creator, sizeof creator, "Brume %s", brume_version());
    const hid_t group = H5Gcreate2(file, BRUME_HDF_OWN, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = group >= 0 && write_wholes(group, "format", 0, &format) &&
                    write_text_attribute(group, "creator", creator) && write_wholes(group, "frame", 0, &number) &&
                    write_numbers(group, "time", 0, &frame->time) && write_numbers(group, "origin", 3, frame->origin) &&
                    write_obstacles(group, frame) && (!frame->scene_text || write_scene(group, frame->scene_text));
    (void)H5Gclose(group);
    return ok;
}

// composes the file in memory; `*bytes` is freed with brume_free
static BrumeStatus compose(const BrumeFrameGrids *frame, bool half, uint8_t **bytes, size_t *size, BrumeError *error)
{
    ChunkBuffers buffers;
    if (make_buffers(&buffers, error) != BRUME_OK) {
        return error->status;
    }
    const size_t increment = (size_t)4 << 20;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    bool ok = H5Pset_fapl_core(access, increment, false) >= 0 && H5Pset_userblock(creation, BRUME_HDF_USER_BLOCK) >= 0;
    const hid_t file = H5Fcreate("frame", H5F_ACC_TRUNC, creation, access);
    ok = ok && file >= 0 && write_vtk(file, frame) && write_own(file, frame) &&
         write_grids(file, BRUME_HDF_GRIDS, false, frame, half, &buffers) &&
         write_grids(file, BRUME_HDF_FACES, true, frame, half, &buffers) && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
    const ssize_t length = ok ? H5Fget_file_image(file, NULL, 0) : 0; // without the user block
    *size = BRUME_HDF_USER_BLOCK + (size_t)length;
    *bytes = length > 0 ? brume_alloc_untouched(*size, 1) : NULL;
    const bool copied = *bytes && H5Fget_file_image(file, *bytes + BRUME_HDF_USER_BLOCK, (size_t)length) == length;
    (void)H5Fclose(file);
    (void)H5Pclose(creation);
    (void)H5Pclose(access);
    free_buffers(&buffers);
    if (!copied) { // the library has no other reason to fail than memory
        brume_free(*bytes);
        *bytes = NULL;
        return brume_out_of_memory(error, "a volume file");
    }
    memset(*bytes, 0, BRUME_HDF_USER_BLOCK);
    brume_hdf_seal(*bytes, *size);
    return BRUME_OK;
}

BrumeStatus brume_hdf_write(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                            BrumeError *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    brume_hdf_lock();
    BrumeStatus status = compose(frame, def->half, &bytes, &size, error);
    brume_hdf_unlock();
    if (status == BRUME_OK) {
        status =
            def->overwrite ? brume_file_write(path, bytes, size, error) : brume_file_create(path, bytes, size, error);
        brume_free(bytes);
    }
    return status;
}

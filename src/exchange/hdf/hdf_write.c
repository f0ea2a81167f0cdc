// Writes a frame as an HDF5 file. The file is composed in memory and written at once, so that it appears completely or
// not at all. Chunks are compressed by hdf_chunks.c, because the library compresses in one thread and takes three times
// as long. After its first failure the library is not called any more, not even to close open objects.
#include "exchange/hdf/hdf_internal.h"

#include "brume/brume.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "exchange/hdf/hdf_chunks.h"

#include <stdio.h>
#include <string.h>

static bool write_chunks(hid_t dataset, bool half, const BrumeSharedMemory *memory, const BrumeFrameGrid *grid,
                         const BrumeHdfArray *array)
{
    const int count = brume_hdf_chunk_count(array);
    BrumeHdfChunk *chunks = brume_alloc((size_t)count, sizeof *chunks);
    if (!chunks) {
        return false;
    }
    bool ok = brume_hdf_compress(memory, grid, array, half, chunks);
    for (int n = 0; n < count && ok; n++) {
        const BrumeHdfChunk *chunk = &chunks[n];
        ok = !chunk->bytes || H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, chunk->at, chunk->size, chunk->bytes) >= 0;
    }
    brume_hdf_free_chunks(chunks, count);
    brume_free(chunks);
    return ok;
}

bool brume_hdf_write_text(hid_t object, const char *name, const char *text)
{
    hid_t type;
    hid_t space;
    hid_t attribute;
    return (type = H5Tcopy(H5T_C_S1)) >= 0 &&
           H5Tset_size(type, strlen(text) > 0 ? strlen(text) : 1) >= 0 && // as VTK reads it: without a final 0
           H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 && (space = H5Screate(H5S_SCALAR)) >= 0 &&
           (attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT)) >= 0 &&
           H5Awrite(attribute, type, text) >= 0 && H5Aclose(attribute) >= 0 && H5Sclose(space) >= 0 &&
           H5Tclose(type) >= 0;
}

// writes an attribute of `count` numbers; with 0 a single number that is no array
static bool write_attribute(hid_t object, const char *name, hid_t stored, hid_t type, hsize_t count, const void *values)
{
    const hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute;
    return space >= 0 && (attribute = H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT)) >= 0 &&
           H5Awrite(attribute, type, values) >= 0 && H5Aclose(attribute) >= 0 && H5Sclose(space) >= 0;
}

static bool write_numbers(hid_t object, const char *name, hsize_t count, const double *values)
{
    return write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

bool brume_hdf_write_wholes(hid_t object, const char *name, hsize_t count, const long long *values)
{
    return write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_LLONG, count, values);
}

static bool write_grid(hid_t group, const BrumeFrameGrids *frame, const BrumeFrameGrid *grid, bool half)
{
    const BrumeHdfArray array = brume_hdf_array(frame->cells, grid);
    const hid_t type = half ? brume_hdf_half_type() : H5Tcopy(H5T_IEEE_F32LE);
    hid_t space;
    hid_t properties;
    hid_t dataset;
    return type >= 0 && (space = H5Screate_simple(array.rank, array.sizes, NULL)) >= 0 &&
           (properties = H5Pcreate(H5P_DATASET_CREATE)) >= 0 &&
           H5Pset_chunk(properties, array.rank, array.chunk) >= 0 && H5Pset_shuffle(properties) >= 0 &&
           H5Pset_deflate(properties, BRUME_HDF_LEVEL) >= 0 && H5Pset_obj_track_times(properties, false) >= 0 &&
           (dataset = H5Dcreate2(group, grid->name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT)) >= 0 &&
           write_chunks(dataset, half, &frame->memory, grid, &array) &&
           brume_hdf_write_text(dataset, "unit", grid->unit) && H5Dclose(dataset) >= 0 && H5Pclose(properties) >= 0 &&
           H5Sclose(space) >= 0 && H5Tclose(type) >= 0;
}

static bool write_grids(hid_t file, const char *path, bool faces, const BrumeFrameGrids *frame, bool half)
{
    const hid_t group = H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = group >= 0;
    for (int n = 0; n < frame->count && ok; n++) {
        const BrumeFrameGrid *grid = &frame->grids[n];
        if (faces == (grid->location != BRUME_AT_CENTERS)) {
            ok = write_grid(group, frame, grid, half);
        }
    }
    if (!faces && frame->count > 0 && frame->grids[0].components == 1) {
        ok = ok && brume_hdf_write_text(group, "Scalars", frame->grids[0].name);
    }
    return ok && H5Gclose(group) >= 0;
}

// writes the attributes that VTK reads: cells are its points, the first at the center of the first cell
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
    return group >= 0 && brume_hdf_write_wholes(group, "Version", 2, version) &&
           brume_hdf_write_text(group, "Type", "ImageData") &&
           brume_hdf_write_wholes(group, "WholeExtent", 6, extent) && write_numbers(group, "Origin", 3, origin) &&
           write_numbers(group, "Spacing", 3, spacing) && write_numbers(group, "Direction", 9, direction) &&
           H5Gclose(group) >= 0;
}

// writes the scene's text as an array of bytes, because attributes are limited to 64 KiB
static bool write_scene(hid_t group, const char *text)
{
    const hsize_t length = strlen(text);
    const hid_t space = H5Screate_simple(1, &length, NULL);
    hid_t properties;
    hid_t dataset;
    return space >= 0 && (properties = H5Pcreate(H5P_DATASET_CREATE)) >= 0 &&
           H5Pset_obj_track_times(properties, false) >= 0 &&
           (dataset = H5Dcreate2(group, "scene", H5T_STD_U8LE, space, H5P_DEFAULT, properties, H5P_DEFAULT)) >= 0 &&
           H5Dwrite(dataset, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0 && H5Dclose(dataset) >= 0 &&
           H5Pclose(properties) >= 0 && H5Sclose(space) >= 0;
}

// BRUME_HDF_BODY numbers for each body: kind, a, b, radii, position, rotation, scale, pivot
static bool write_bodies(hid_t group, const BrumeFrameGrids *frame)
{
    double rows[BRUME_MAX_BODIES][BRUME_HDF_BODY];
    for (int n = 0; n < frame->body_count; n++) {
        const BrumeShape *shape = &frame->bodies[n];
        const BrumeVec3 vectors[] = {shape->a,        shape->b,        {shape->radius, shape->second_radius, 0.0f},
                                     shape->position, shape->rotation, shape->scale,
                                     shape->pivot};
        double *row = rows[n];
        *row++ = (double)shape->kind;
        for (size_t v = 0; v < sizeof vectors / sizeof vectors[0]; v++) {
            for (int axis = 0; axis < (v == 2 ? 2 : 3); axis++) {
                *row++ = (double)brume_component(vectors[v], axis);
            }
        }
    }
    return frame->body_count == 0 ||
           write_numbers(group, "bodies", BRUME_HDF_BODY * (hsize_t)frame->body_count, &rows[0][0]);
}

// writes the group that only files of Brume have
static bool write_own(hid_t file, const BrumeFrameGrids *frame)
{
    const long long format = BRUME_HDF_FORMAT;
    const long long number = frame->frame;
    const long long cells[3] = {frame->cells.nx, frame->cells.ny, frame->cells.nz};
    char creator[64];
    (void)snprintf(creator, sizeof creator, "Brume %s", brume_version());
    const hid_t group = H5Gcreate2(file, BRUME_HDF_OWN, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return group >= 0 && brume_hdf_write_wholes(group, "format", 0, &format) &&
           brume_hdf_write_text(group, "creator", creator) &&
           (!frame->has_frame || brume_hdf_write_wholes(group, "frame", 0, &number)) &&
           write_numbers(group, "time", 0, &frame->time) && write_numbers(group, "origin", 3, frame->origin) &&
           (frame->count > 0 || (brume_hdf_write_wholes(group, "cells", 3, cells) &&
                                 write_numbers(group, "dx", 0, &frame->dx))) && // image data has them
           write_bodies(group, frame) &&
           (!frame->scene_text || write_scene(group, frame->scene_text)) && H5Gclose(group) >= 0;
}

// writes all but the user block, and sets `*size` to the size of the file
static bool write_file(hid_t file, const BrumeFrameGrids *frame, bool half, size_t *size)
{
    const bool written = frame->count == 0 && frame->has_particles
                             ? brume_hdf_write_particles(file, frame) && write_own(file, frame)
                             : write_vtk(file, frame) && write_own(file, frame) &&
                                   write_grids(file, BRUME_HDF_GRIDS, false, frame, half) &&
                                   write_grids(file, BRUME_HDF_FACES, true, frame, half);
    if (!written || H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) {
        return false;
    }
    const ssize_t length = H5Fget_file_image(file, NULL, 0);
    *size = BRUME_HDF_USER_BLOCK + (size_t)length;
    return length > 0;
}

// composes the file, whose image has `*size` bytes, or more
static bool compose(const BrumeFrameGrids *frame, bool half, BrumeHdfImage *image, size_t *size)
{
    hid_t access;
    hid_t creation;
    hid_t file;
    return (access = brume_hdf_image_access(image)) >= 0 && (creation = H5Pcreate(H5P_FILE_CREATE)) >= 0 &&
           H5Pset_userblock(creation, BRUME_HDF_USER_BLOCK) >= 0 &&
           (file = H5Fcreate("frame", H5F_ACC_TRUNC, creation, access)) >= 0 && write_file(file, frame, half, size) &&
           H5Fclose(file) >= 0 && H5Pclose(creation) >= 0 && H5Pclose(access) >= 0 && image->bytes;
}

BrumeStatus brume_hdf_compose(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                              BrumeSharedMemory *memory, BrumeSharedBlock *file, BrumeError *error)
{
    BrumeHdfImage image = {.memory = memory};
    size_t size = 0;
    BrumeStatus status = brume_hdf_start(path, error);
    if (status != BRUME_OK) {
        return status;
    }
    if (compose(frame, def->half, &image, &size)) {
        memset(image.bytes, 0, BRUME_HDF_USER_BLOCK);
        brume_hdf_seal(image.bytes, size);
        *file = (BrumeSharedBlock){.offset = image.block.offset, .size = size};
    } else { // the library has no other reason to fail
        brume_hdf_note_failure();
        status = brume_out_of_memory(error, "%s", path);
    }
    brume_shared_memory_unmap(image.bytes, image.block.size);
    return status;
}

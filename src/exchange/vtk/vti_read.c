// Reads a .vti file: files of Brume, VTK and ParaView.
#include "exchange/vtk/vti.h"

#include "core/hash.h"
#include "core/memory.h"
#include "exchange/vtk/vti_file.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Brume's own files end with a comment that has the hash of all bytes before it.
static BrumeStatus check_hash(const char *path, const uint8_t *bytes, size_t size, BrumeError *error)
{
    char line[BRUME_VTI_HASH_LINE + 1] = "";
    if (size < BRUME_VTI_HASH_LINE) {
        return BRUME_OK;
    }
    memcpy(line, bytes + size - BRUME_VTI_HASH_LINE, BRUME_VTI_HASH_LINE);
    static const char prefix[] = "<!-- xxh3 ";
    static const char suffix[] = " -->\n";
    const size_t start = sizeof prefix - 1;
    const size_t end = BRUME_VTI_HASH_LINE - (sizeof suffix - 1);
    if (strncmp(line, prefix, start) != 0 || strcmp(line + end, suffix) != 0) {
        return BRUME_OK;
    }
    char *rest;
    const unsigned long long hash = strtoull(line + start, &rest, 16);
    if (rest == line + end && hash != brume_hash_bytes(bytes, size - BRUME_VTI_HASH_LINE, 0)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: damaged or changed: its hash is not that of its last line (remove this line to read it "
                          "nevertheless)",
                          path);
    }
    return BRUME_OK;
}

// sets the cells, from the extent of points or of cells, and the lower corner of the box
static BrumeStatus set_box(BrumeFrameGrids *frame, const BrumeVtiFile *file, bool at_points, BrumeError *error)
{
    int count[3];
    const double dx = file->spacing[0];
    for (int axis = 0; axis < 3; axis++) {
        const int first = file->extent[2 * axis];
        count[axis] = file->extent[2 * axis + 1] - first + (at_points ? 1 : 0);
        if (count[axis] < 1 || count[axis] > 1 << 20) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s: %d cells along the %c axis", file->path, count[axis],
                              'x' + axis);
        }
        if (!(dx > 0.0) || !isfinite(dx) || !isfinite(file->origin[axis]) ||
            !(fabs(file->spacing[axis] - dx) <= 1e-5 * dx)) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s: its cells are %g x %g x %g m, not cubes", file->path,
                              file->spacing[0], file->spacing[1], file->spacing[2]);
        }
        frame->origin[axis] = file->origin[axis] + first * dx - (at_points ? 0.5 * dx : 0.0);
    }
    frame->cells = brume_grid(count[0], count[1], count[2]);
    frame->dx = dx;
    return BRUME_OK;
}

static BrumeStatus read_grid(BrumeFrameGrids *frame, const BrumeVtiFile *file, const BrumeVtiArray *array,
                             BrumeGridLocation location, BrumeError *error)
{
    if (array->components != 1 && array->components != 3) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: the array '%s' has %d components (only 1 and 3 can be read)",
                          file->path, brume_quote(array->name).text, array->components);
    }
    const BrumeFrameGrid shape = {.components = array->components, .location = location};
    const size_t count = brume_frame_grid_values(frame->cells, &shape);
    BrumeStatus status = brume_vti_array_check(file, array, count, error);
    if (status == BRUME_OK) {
        status = brume_frame_grids_check_memory(frame, (double)count, file->path, error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    BrumeError reason;
    BrumeFrameGrid *grid;
    status = brume_frame_grids_add(frame, array->name, array->unit, array->components, location, &grid, &reason);
    if (status != BRUME_OK) {
        return brume_fail(error, status, "%s: %s", file->path, reason.text);
    }
    return brume_vti_array_values(file, array, count, grid->values, NULL, error);
}

// reads the time, the frame, the scene and the velocity on faces; other field data are skipped
static BrumeStatus read_field(BrumeFrameGrids *frame, const BrumeVtiFile *file, const BrumeVtiArray *array,
                              BrumeError *error)
{
    const bool is_text = strcmp(array->type, "String") == 0;
    const bool is_frame = strcmp(array->name, BRUME_VTI_FRAME) == 0;
    if (is_frame || strcmp(array->name, BRUME_VTI_TIME) == 0) {
        double value = 0.0;
        BrumeStatus status = brume_vti_array_check(file, array, 1, error);
        if (status == BRUME_OK) {
            status = brume_vti_array_values(file, array, 1, NULL, &value, error);
        }
        if (is_frame && value >= -1e9 && value <= 1e9) {
            frame->has_frame = true;
            frame->frame = (int)value;
        } else if (!is_frame) {
            frame->time = value;
        }
        return status;
    }
    if (strcmp(array->name, BRUME_VTI_SCENE) == 0 && is_text && !frame->scene_text) {
        return brume_vti_array_text(file, array, &frame->scene_text, error);
    }
    const size_t prefix = strlen(BRUME_GRID_FACES);
    const char axis = strncmp(array->name, BRUME_GRID_FACES, prefix) == 0 ? array->name[prefix] : '\0';
    if (axis >= 'x' && axis <= 'z' && array->name[prefix + 1] == '\0' && array->components == 1) {
        return read_grid(frame, file, array, (BrumeGridLocation)(BRUME_AT_X_FACES + axis - 'x'), error);
    }
    return BRUME_OK;
}

static BrumeStatus read_arrays(BrumeFrameGrids *frame, const BrumeVtiFile *file, BrumeError *error)
{
    BrumeVtiSection section = BRUME_VTI_NO_SECTION;
    for (int n = 0; n < file->array_count; n++) {
        const BrumeVtiSection other = file->arrays[n].section;
        if (other == BRUME_VTI_FIELD_DATA) {
            continue;
        }
        if (section != BRUME_VTI_NO_SECTION && section != other) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s: it has values at cells and at points (keep one kind)",
                              file->path);
        }
        section = other;
    }
    BrumeStatus status = set_box(frame, file, section == BRUME_VTI_POINT_DATA, error);
    for (int n = 0; n < file->array_count && status == BRUME_OK; n++) {
        const BrumeVtiArray *array = &file->arrays[n];
        const bool is_mask = strcmp(array->name, "vtkGhostType") == 0 || strcmp(array->name, "vtkValidPointMask") == 0;
        if (array->section != BRUME_VTI_FIELD_DATA && !is_mask) {
            status = read_grid(frame, file, array, BRUME_AT_CENTERS, error);
        }
    }
    for (int n = 0; n < file->array_count && status == BRUME_OK; n++) {
        if (file->arrays[n].section == BRUME_VTI_FIELD_DATA) {
            status = read_field(frame, file, &file->arrays[n], error);
        }
    }
    return status;
}

BrumeStatus brume_vti_read(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def, BrumeError *error)
{
    (void)def;
    BrumeVtiFile file;
    uint8_t *bytes;
    size_t size;
    BrumeStatus status = brume_file_read(path, &bytes, &size, error);
    if (status != BRUME_OK) {
        return status;
    }
    status = check_hash(path, bytes, size, error);
    if (status == BRUME_OK) {
        status = brume_vti_file_parse(&file, path, bytes, size, error);
        if (status == BRUME_OK) {
            status = read_arrays(frame, &file, error);
        }
        brume_vti_file_destroy(&file);
    }
    brume_free(bytes);
    if (status != BRUME_OK) {
        brume_frame_grids_destroy(frame);
    }
    return status;
}

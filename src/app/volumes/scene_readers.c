#include "app/cli/scene_readers.h"

#include "app/cli/sequence.h"
#include "app/volumes/mesh_reader.h"
#include "app/volumes/picture_reader.h"
#include "app/volumes/points_reader.h"
#include "app/volumes/sky_reader.h"
#include "app/volumes/texture_reader.h"
#include "core/color.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "exchange/volume_format.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** The grids of a file that become samples: one, or three components on the faces. */
typedef struct SampleSource {
    const char *file; ///< as the samples have it
    const BrumeFrameGrids *frame;
    const BrumeFrameGrid *grids[3];
} SampleSource;

/** Fills an error that lists the grids of a file. */
static void describe_missing_grid(const BrumeFrameGrids *frame, const char *path, const char *grid, int count,
                                  BrumeError *error)
{
    BrumeText names = {0};
    for (int n = 0; n < frame->count; n++) {
        const BrumeFrameGrid *found = &frame->grids[n];
        brume_text_add(&names, "%s%s%s", n > 0 ? ", " : "", found->name, found->components == 3 ? " (a vector)" : "");
    }
    (void)brume_fail(error, BRUME_BAD_INPUT, "%s: has no %s '%s'; its grids are: %.200s (name one of them with 'grid')",
                     path, count == 3 ? "vector grid" : "grid of numbers", grid, names.size > 0 ? names.data : "none");
    brume_text_destroy(&names);
}

/** The component of a vector on the faces across an axis; NULL where the file does not have it there. */
static const BrumeFrameGrid *find_faces(const BrumeFrameGrids *frame, const char *grid, int axis)
{
    char name[BRUME_MAX_GRID_NAME];
    (void)snprintf(name, sizeof name, "%.*s_%c", BRUME_MAX_GRID_NAME - 3, grid, 'x' + axis);
    const BrumeFrameGrid *found = brume_frame_grids_find(frame, name);
    return found && found->components == 1 ? found : NULL;
}

static BrumeStatus find_source(SampleSource *source, const BrumeFrameGrids *frame, const char *path, const char *grid,
                               int count, BrumeError *error)
{
    const BrumeFrameGrid *x = count == 3 ? find_faces(frame, grid, 0) : NULL;
    const BrumeFrameGrid *y = count == 3 ? find_faces(frame, grid, 1) : NULL;
    const BrumeFrameGrid *z = count == 3 ? find_faces(frame, grid, 2) : NULL;
    const BrumeFrameGrid *found = brume_frame_grids_find(frame, grid);
    if (x && y && z) {
        *source = (SampleSource){source->file, frame, {x, y, z}};
        return BRUME_OK;
    }
    if (found && found->components == count) {
        *source = (SampleSource){source->file, frame, {found, found, found}};
        return BRUME_OK;
    }
    describe_missing_grid(frame, path, grid, count, error);
    return BRUME_BAD_INPUT;
}

/** Copies the values of one component of a vector; NULL without memory. */
static float *component_values(const BrumeFrameGrid *grid, BrumeGrid cells, int component)
{
    const size_t count = brume_frame_grid_values(cells, grid) / 3;
    float *values = brume_alloc_untouched(count, sizeof *values);
    for (size_t n = 0; values && n < count; n++) {
        values[n] = grid->values[3 * n + (size_t)component];
    }
    return values;
}

static BrumeStatus make_samples(BrumeSamples **samples, const SampleSource *source, int component, const char *path,
                                const char *name, BrumeError *error)
{
    const BrumeFrameGrids *frame = source->frame;
    const BrumeFrameGrid *grid = source->grids[component];
    float *separate = grid->components == 3 ? component_values(grid, frame->cells, component) : NULL;
    if (grid->components == 3 && !separate) {
        return brume_out_of_memory(error, "the grid '%s' of %s", name, path);
    }
    BrumeSamplesDef def = {
        .nx = brume_frame_grid_extent(frame->cells, grid->location, 0),
        .ny = brume_frame_grid_extent(frame->cells, grid->location, 1),
        .nz = brume_frame_grid_extent(frame->cells, grid->location, 2),
        .spacing = frame->dx,
        .values = separate ? separate : grid->values,
        .file = source->file,
        .grid = name,
    };
    for (int axis = 0; axis < 3; axis++) {
        const bool on_faces = (int)grid->location - (int)BRUME_AT_X_FACES == axis;
        def.first[axis] = frame->origin[axis] + (on_faces ? 0.0 : 0.5 * frame->dx);
    }
    BrumeError found;
    const BrumeStatus status = brume_samples_create(samples, &def, &found);
    brume_free(separate);
    return status == BRUME_OK ? status : brume_fail(error, status, "%s: the grid '%s': %s", path, name, found.text);
}

/** The grids of a picture: its channels, and two of the luminance of BT.709. */
static const char *const picture_grids[] = {"red", "green", "blue", "luminance", "darkness"};
enum { LUMINANCE = 3, PICTURE_GRIDS = 5 };

static float picture_value(const float rgb[3], int grid)
{
    const float luminance = brume_luminance(brume_vec3(rgb[0], rgb[1], rgb[2]));
    return grid < LUMINANCE ? rgb[grid] : grid == LUMINANCE ? luminance : 1.0f - luminance;
}

/**
 * Samples of a picture as a volume: one layer of cells, upright in the middle of z, above y = 0, with a longer side of
 * 1 m.
 */
static BrumeStatus read_picture_samples(const char *path, const char *file, const char *grid, BrumeSamples **samples,
                                        BrumeError *error)
{
    int which = 0;
    while (which < PICTURE_GRIDS && strcmp(grid, picture_grids[which]) != 0) {
        which++;
    }
    if (which == PICTURE_GRIDS) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: a picture has no grid '%.63s'; its grids are: red, green, blue, luminance, darkness "
                          "(name one of them with 'grid')",
                          path, grid);
    }
    int width = 0;
    int height = 0;
    float *rgb = NULL;
    BrumeStatus status = brume_read_picture(NULL, path, &width, &height, &rgb, error);
    if (status != BRUME_OK) {
        return status;
    }
    const size_t count = (size_t)width * (size_t)height;
    float *values = brume_alloc_untouched(count, sizeof *values);
    for (size_t n = 0; values && n < count; n++) { // the first row of a picture is its highest
        const size_t row = (size_t)height - 1 - n / (size_t)width;
        values[row * (size_t)width + n % (size_t)width] = picture_value(rgb + 3 * n, which);
    }
    free(rgb);
    if (!values) {
        return brume_out_of_memory(error, "%s", path);
    }
    const double spacing = 1.0 / (width > height ? width : height);
    const BrumeSamplesDef def = {.nx = width,
                                 .ny = height,
                                 .nz = 1,
                                 .first = {0.5 * (1 - width) * spacing, 0.5 * spacing, 0.0},
                                 .spacing = spacing,
                                 .values = values,
                                 .file = file,
                                 .grid = grid};
    status = brume_samples_create(samples, &def, error);
    brume_free(values);
    return status;
}

/**
 * Reads one file of any format of volume files, or a picture, into samples whose file is `file`. A velocity is taken
 * from the faces where the file has it there, otherwise from the centers of the cells.
 */
static BrumeStatus read_file(const char *path, const char *file, const char *grid, int count, BrumeSamples *samples[3],
                             BrumeError *error)
{
    assert(count == 1 || count == 3);
    samples[0] = samples[1] = samples[2] = NULL;
    if (brume_is_picture_path(path) && count == 1) {
        return read_picture_samples(path, file, grid, samples, error);
    }
    BrumeFrameGrids *frame = brume_alloc(1, sizeof *frame);
    if (!frame) {
        return brume_out_of_memory(error, "%s", path);
    }
    SampleSource source = {.file = file};
    BrumeVolumeReadDef def = {.density = ""};
    if (strchr(grid, '[') && strlen(grid) < BRUME_MAX_GRID_NAME) { // one of several grids of a name, by its number
        (void)snprintf(def.grids, sizeof def.grids, "%s", grid);
    }
    BrumeStatus status = brume_volume_file_read_grids(frame, path, &def, error);
    if (status == BRUME_OK) {
        status = find_source(&source, frame, path, grid, count, error);
    }
    for (int n = 0; n < count && status == BRUME_OK; n++) {
        status = make_samples(&samples[n], &source, n, path, grid, error);
    }
    for (int n = 0; n < 3 && status != BRUME_OK; n++) {
        brume_samples_release(samples[n]);
        samples[n] = NULL;
    }
    brume_frame_grids_destroy(frame);
    brume_free(frame);
    return status;
}

/** The files of a sequence, each of which has the samples of a frame. */
typedef struct SampleFiles {
    char *path;
    BrumeOutputPattern pattern;
    BrumeSequence frames; ///< numbers of the files, less that of the file at time 0
    int first;            ///< this number
    char grid[BRUME_MAX_GRID_NAME];
    int count;
} SampleFiles;

static void destroy_files(void *context)
{
    SampleFiles *files = context;
    brume_sequence_destroy(&files->frames);
    brume_free(files->path);
    brume_free(files);
}

static BrumeStatus read_frame(void *context, int index, BrumeSamples *samples[3], BrumeError *error)
{
    const SampleFiles *files = context;
    char path[BRUME_MAX_PATH];
    brume_pattern_path(&files->pattern, files->frames.frames[index] + files->first, path);
    return read_file(path, files->path, files->grid, files->count, samples, error);
}

static BrumeStatus find_files(SampleFiles *files, const char *path, BrumeError *error)
{
    files->path = brume_copy_text(path);
    if (!files->path) {
        return brume_out_of_memory(error, "%s", path);
    }
    BrumeStatus status = brume_pattern_parse(&files->pattern, files->path, path, error);
    if (status == BRUME_OK) {
        status = brume_sequence_find_some(&files->frames, &files->pattern, error);
    }
    for (int n = 0; status == BRUME_OK && n < files->frames.count; n++) {
        files->frames.frames[n] -= files->first;
    }
    return status;
}

static BrumeStatus read_sequence(SampleFiles *files, const char *path, BrumeSamples *samples[3], BrumeError *error)
{
    BrumeStatus status = find_files(files, path, error);
    if (status == BRUME_OK) {
        status = read_frame(files, 0, samples, error);
    }
    if (status == BRUME_OK) {
        const BrumeSamplesFramesDef def = {.count = files->frames.count,
                                           .frames = files->frames.frames,
                                           .read = read_frame,
                                           .destroy = destroy_files,
                                           .context = files};
        status = brume_samples_set_frames(samples, files->count, &def, error);
        for (int n = 0; n < 3 && status != BRUME_OK; n++) {
            brume_samples_release(samples[n]);
            samples[n] = NULL;
        }
    }
    return status;
}

/** A BrumeSamplesReader. */
static BrumeStatus read_samples(void *context, const char *path, const char *grid, int count, int frame,
                                BrumeSamples *samples[3], BrumeError *error)
{
    (void)context;
    if (access(path, F_OK) == 0 || !brume_is_sequence(path)) {
        return read_file(path, path, grid, count, samples, error);
    }
    samples[0] = samples[1] = samples[2] = NULL;
    SampleFiles *files = brume_alloc(1, sizeof *files);
    if (!files) {
        return brume_out_of_memory(error, "%s", path);
    }
    files->first = frame;
    files->count = count;
    (void)snprintf(files->grid, sizeof files->grid, "%s", grid);
    const BrumeStatus status = read_sequence(files, path, samples, error);
    if (status != BRUME_OK) { // otherwise they belong to the samples
        destroy_files(files);
    }
    return status;
}

const BrumeSceneReaders brume_scene_readers = {
    .samples = read_samples,
    .points = brume_read_points,
    .sky = brume_read_sky,
    .ground_image = brume_read_picture,
    .mesh = brume_read_mesh,
    .texture = brume_read_texture,
};

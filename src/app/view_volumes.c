#include "app/view_volumes.h"

#include "app/cli/interrupt.h"
#include "app/cli/output_files.h"
#include "app/cli/paths.h"
#include "app/cli/sequence.h"
#include "app/volumes/volume_look.h"
#include "core/field.h"
#include "core/memory.h"
#include "exchange/volume_format.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const struct timespec poll_interval = {.tv_nsec = 200000000}; // between two looks for the first file
static const size_t default_budget = (size_t)1 << 30;                // where the physical memory is not known [bytes]
enum { BUDGET_SHARE = 4 };                                           // of the physical memory

/** The sequence. Constant while the viewer runs, but `reading`. */
static struct ViewedVolumes {
    BrumeOutputPattern pattern;
    BrumeFrameGrids first; // the file from which the look is made; later only its scene
    char first_path[BRUME_MAX_PATH];
    int single_number; // frame of a file whose name has no number
    int last_frame;
    BrumeSequence sequence;  // that exists at the start
    BrumeDrawnVolumes drawn; // how the files are read
    BrumeMadeLook made;
    BrumeViewedVolumesDef def;
    BrumeSimDef sim;     // of the look
    atomic_bool reading; // by the reader of the viewer
} volumes;

/*
 * From the grids of a file to fields.
 */

static BrumeStatus copy_grid(BrumeField *field, BrumeGrid cells, const BrumeFrameGrid *grid, BrumeError *error)
{
    const BrumeStatus status = brume_field_create(field, cells, error);
    if (status != BRUME_OK) {
        return status;
    }
    const int nx = brume_frame_grid_extent(cells, grid->location, 0);
    const int ny = brume_frame_grid_extent(cells, grid->location, 1);
    const int nz = brume_frame_grid_extent(cells, grid->location, 2);
    for (int k = 0; k < nz; k++) {
        for (int j = 0; j < ny; j++) {
            memcpy(field->data + brume_field_index(field, 1, j + 1, k + 1),
                   grid->values + (size_t)nx * ((size_t)k * (size_t)ny + (size_t)j), (size_t)nx * sizeof(float));
        }
    }
    return BRUME_OK;
}

// One component of a velocity at the centers on the faces across its axis: the mean of the cells on both sides, and on
// the sides of the box the value of the cell.
static BrumeStatus average_centers(BrumeField *field, BrumeGrid cells, const BrumeFrameGrid *grid, int axis,
                                   BrumeError *error)
{
    const BrumeStatus status = brume_field_create(field, cells, error);
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeGrid faces = brume_grid(cells.nx + (axis == 0), cells.ny + (axis == 1), cells.nz + (axis == 2));
    const ptrdiff_t row = 3 * (ptrdiff_t)cells.nx;
    const ptrdiff_t plane = row * cells.ny;
    const ptrdiff_t stride = axis == 0 ? 3 : axis == 1 ? row : plane;
    const int last = brume_cells_along(cells, axis);
    for (int k = 0; k < faces.nz; k++) {
        for (int j = 0; j < faces.ny; j++) {
            for (int i = 0; i < faces.nx; i++) {
                const int face = axis == 0 ? i : axis == 1 ? j : k;
                const float *upper = grid->values + axis + 3 * (ptrdiff_t)i + row * j + plane * k; // above the face
                const float above = face < last ? *upper : upper[-stride];
                const float below = face > 0 ? upper[-stride] : *upper;
                field->data[brume_field_index(field, i + 1, j + 1, k + 1)] = 0.5f * (below + above);
            }
        }
    }
    return BRUME_OK;
}

// the index of a scalar with this name and location; -1 if there is none
static int find_scalar(const BrumeFrameGrids *frame, const char *name, BrumeGridLocation location)
{
    const BrumeFrameGrid *grid = brume_frame_grids_find(frame, name);
    return grid && grid->components == 1 && grid->location == location ? (int)(grid - frame->grids) : -1;
}

static BrumeStatus copy_scalars(BrumeSnapshotVariant *state, BrumeFrameGrids *frame, BrumeError *error)
{
    static const struct {
        const char *name;
        BrumeFieldId field;
    } scalars[] = {
        {BRUME_GRID_DENSITY, BRUME_FIELD_DENSITY},         {BRUME_GRID_COLOR "1", BRUME_FIELD_COLOR_1},
        {BRUME_GRID_COLOR "2", BRUME_FIELD_COLOR_2},       {BRUME_GRID_COLOR "3", BRUME_FIELD_COLOR_3},
        {BRUME_GRID_TEMPERATURE, BRUME_FIELD_TEMPERATURE}, {BRUME_GRID_PRESSURE, BRUME_FIELD_PRESSURE},
    };
    BrumeStatus status = BRUME_OK;
    for (size_t n = 0; n < sizeof scalars / sizeof scalars[0] && status == BRUME_OK; n++) {
        const int index = find_scalar(frame, scalars[n].name, BRUME_AT_CENTERS);
        if (index >= 0) {
            status = copy_grid(&state->fields[scalars[n].field], frame->cells, &frame->grids[index], error);
            brume_frame_grids_remove(frame, index); // one copy of the frame at a time is enough
        }
    }
    return status;
}

static BrumeStatus copy_velocity(BrumeSnapshotVariant *state, const BrumeFrameGrids *frame, BrumeError *error)
{
    static const char *const names[] = {BRUME_GRID_FACES "x", BRUME_GRID_FACES "y", BRUME_GRID_FACES "z"};
    static const BrumeFieldId fields[] = {BRUME_FIELD_U, BRUME_FIELD_V, BRUME_FIELD_W};
    int faces[3];
    bool has_faces = true;
    for (int axis = 0; axis < 3; axis++) {
        faces[axis] = find_scalar(frame, names[axis], (BrumeGridLocation)((int)BRUME_AT_X_FACES + axis));
        has_faces = has_faces && faces[axis] >= 0;
    }
    const BrumeFrameGrid *centers = brume_frame_grids_find(frame, BRUME_GRID_VELOCITY);
    const bool has_centers = centers && centers->components == 3 && centers->location == BRUME_AT_CENTERS;
    BrumeStatus status = BRUME_OK;
    for (int axis = 0; axis < 3 && status == BRUME_OK && (has_faces || has_centers); axis++) {
        BrumeField *field = &state->fields[fields[axis]];
        status = has_faces ? copy_grid(field, frame->cells, &frame->grids[faces[axis]], error)
                           : average_centers(field, frame->cells, centers, axis, error);
    }
    return status;
}

static BrumeStatus copy_texture(BrumeSnapshotVariant *state, const BrumeFrameGrids *frame, BrumeError *error)
{
    const BrumeVolume volume = brume_frame_grids_volume(frame);
    BrumeStatus status = BRUME_OK;
    state->texture_time = frame->time;
    for (int n = 0; n < BRUME_SNAPSHOT_TEXTURES && status == BRUME_OK && volume.texture[0][0]; n++) {
        BrumeField *field = &state->fields[BRUME_SNAPSHOT_TEXTURE + n];
        status = brume_field_create(field, frame->cells, error);
        for (int k = 0; k < frame->cells.nz && status == BRUME_OK; k++) {
            for (int j = 0; j < frame->cells.ny; j++) {
                const float *from = volume.texture[n / 3][n % 3] + volume.texture_sz * k + volume.texture_sy * j;
                float *to = field->data + brume_field_index(field, 1, j + 1, k + 1);
                for (int i = 0; i < frame->cells.nx; i++) {
                    to[i] = from[volume.texture_sx * i];
                }
            }
        }
    }
    return status;
}

// the settings of the look, with the grid, the place and the bodies of a frame
static void set_settings(BrumeSimDef *settings, const BrumeFrameGrids *frame)
{
    *settings = volumes.sim;
    settings->nx = frame->cells.nx;
    settings->ny = frame->cells.ny;
    settings->nz = frame->cells.nz;
    settings->dx = (float)frame->dx;
    settings->origin = (BrumeVec3){(float)frame->origin[0], (float)frame->origin[1], (float)frame->origin[2]};
    (void)brume_volume_look_place_bodies(settings, frame); // otherwise they have the positions of the look
}

/*
 * The functions that the viewer calls.
 */

static void frame_path(int number, char path[BRUME_MAX_PATH]) { brume_pattern_path(&volumes.pattern, number, path); }

static BrumeStatus list_frames(void *context, int **numbers, int *count, BrumeError *error)
{
    (void)context;
    BrumeSequence sequence;
    const BrumeStatus status = brume_sequence_find(&sequence, &volumes.pattern, 1, error);
    *numbers = sequence.frames;
    *count = sequence.count;
    if (status == BRUME_OK && volumes.pattern.width < 0 && sequence.count > 0) {
        sequence.frames[0] = volumes.single_number;
    }
    return status;
}

static BrumeStatus read_frame(void *context, int number, BrumeStoredFrame *stored, BrumeError *error)
{
    (void)context;
    char path[BRUME_MAX_PATH];
    frame_path(number, path);
    atomic_store(&volumes.reading, true);
    BrumeFrameGrids frame = {0};
    BrumeDrawnVolumes drawn = volumes.drawn;
    BrumeStatus status = brume_drawn_volume_read(&frame, path, &drawn, error);
    if (status == BRUME_OK) {
        set_settings(&stored->state.settings, &frame);
        stored->state.origin = stored->state.settings.origin;
        stored->time = frame.time;
        stored->seed = (uint32_t)(frame.has_frame ? frame.frame : number);
        status = copy_scalars(&stored->state, &frame, error);
    }
    if (status == BRUME_OK) {
        status = copy_velocity(&stored->state, &frame, error);
    }
    if (status == BRUME_OK) {
        status = copy_texture(&stored->state, &frame, error);
    }
    if (status == BRUME_OK) {
        brume_drawn_volume_complete_particles(&frame, &volumes.sim);
        status = brume_particle_copy_set(&stored->state.particles, frame.particles, frame.particle_count, error);
    }
    if (status != BRUME_OK) {
        brume_snapshot_free_fields(&stored->state);
        *stored = (BrumeStoredFrame){0};
    }
    brume_frame_grids_destroy(&frame);
    atomic_store(&volumes.reading, false);
    return status;
}

// a number that differs after a change of the file; 0 without a file
static uint64_t stamp_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? (uint64_t)status.st_mtim.tv_sec * 1000000000u + (uint64_t)status.st_mtim.tv_nsec +
                                          ((uint64_t)status.st_size << 20)
                                    : 0;
}

// returns the stamp of a file, and of the separate files of a header or of particles that some formats have
static uint64_t frame_stamp(void *context, int number)
{
    (void)context;
    char path[BRUME_MAX_PATH];
    char header[BRUME_MAX_PATH + 8];
    char particles[BRUME_MAX_PATH];
    frame_path(number, path);
    (void)snprintf(header, sizeof header, "%s.yaml", path);
    brume_particles_path(path, particles, sizeof particles);
    return stamp_of(path) + 31 * stamp_of(header) + 37 * stamp_of(particles);
}

static BrumeVolumeLookDef look_def(void)
{
    return (BrumeVolumeLookDef){
        .look = volumes.def.look,
        .path = volumes.first_path,
        .overrides = volumes.def.overrides.texts,
        .override_count = volumes.def.overrides.count,
        .last_frame = volumes.last_frame,
        .pattern = &volumes.pattern,
        .sequence = &volumes.sequence,
    };
}

static BrumeStatus load_look(void *context, BrumeScene **scene, BrumeError *error)
{
    (void)context;
    const BrumeVolumeLookDef def = look_def();
    return brume_volume_look_load(scene, &volumes.first, &def, &volumes.drawn, &volumes.made, error);
}

/*
 * Opening.
 */

// finds the existing frames; with --watch waits for the first one
static BrumeStatus find_frames(BrumeSequence *sequence, BrumeError *error)
{
    bool told = false;
    for (;;) {
        const BrumeStatus status = brume_sequence_find(sequence, &volumes.pattern, 1, error);
        if (status != BRUME_OK || sequence->count > 0) {
            return status;
        }
        if (!volumes.def.watch) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s: there is no such volume", volumes.pattern.text);
        }
        if (brume_interrupt_requested()) {
            return brume_fail(error, BRUME_INTERRUPTED, "interrupted while waiting for %s", volumes.pattern.text);
        }
        if (!told) {
            (void)printf("waiting for %s\n", volumes.pattern.text);
            (void)fflush(stdout);
            told = true;
        }
        (void)nanosleep(&poll_interval, NULL);
    }
}

static void print_notes(const BrumeScene *scene)
{
    const BrumeVolumeLookDef def = look_def();
    BrumeMessages messages = {0};
    BrumeText notes = {0};
    brume_volume_look_list_notes(scene, &volumes.first, &def, &volumes.drawn, &volumes.made, &notes);
    brume_print_notes(&notes, &messages);
    brume_text_destroy(&notes);
}

// reads the first file, and makes the look from it; its grids are freed
static BrumeStatus find_look(int first, int last, double *fps, BrumeError *error)
{
    frame_path(first, volumes.first_path);
    volumes.last_frame = last;
    BrumeStatus status = brume_drawn_volume_read(&volumes.first, volumes.first_path, &volumes.drawn, error);
    BrumeScene *scene = NULL;
    if (status == BRUME_OK) {
        status = load_look(NULL, &scene, error);
    }
    if (status == BRUME_OK) {
        print_notes(scene);
    }
    if (status == BRUME_OK) {
        volumes.single_number = volumes.first.has_frame ? volumes.first.frame : 1;
        volumes.sim = scene->sim;
        *fps = (double)scene->sim.fps;
    }
    while (volumes.first.count > 0) {
        brume_frame_grids_remove(&volumes.first, volumes.first.count - 1);
    }
    brume_scene_destroy(scene);
    return status;
}

BrumeStatus brume_viewed_volumes_open(BrumeViewerSequence *sequence, const BrumeViewedVolumesDef *def,
                                      BrumeError *error)
{
    volumes.def = *def;
    const BrumePatternDef pattern = {.option = "VOLUMES", .extensions = brume_volume_extensions(false)};
    BrumeSequence *found = &volumes.sequence;
    memcpy(volumes.drawn.density, def->density_grid, strlen(def->density_grid) + 1);
    BrumeStatus status = brume_pattern_read(&volumes.pattern, def->pattern, &pattern, 1, error);
    if (status == BRUME_OK) {
        status = find_frames(found, error);
    }
    double fps = 0.0;
    if (status == BRUME_OK) {
        status = find_look(found->frames[0], found->frames[found->count - 1], &fps, error);
    }
    const BrumeOutputFile outputs[] = {{def->stats, "--stats", BRUME_OUTPUT_STATS},
                                       {def->controls, "--controls", BRUME_OUTPUT_CONTROLS}};
    if (status == BRUME_OK) {
        status = brume_check_output_files(outputs, 2, def->look ? def->look : volumes.first_path, error);
    }
    const size_t physical = brume_physical_memory();
    *sequence = (BrumeViewerSequence){
        .name = def->pattern,
        .frames =
            {
                .list = list_frames,
                .read = read_frame,
                .stamp = frame_stamp,
                .fps = fps,
                .budget = def->memory > 0 ? def->memory
                          : physical > 0  ? physical / BUDGET_SHARE
                                          : default_budget,
                .watch = def->watch,
            },
        .load_look = load_look,
    };
    return status;
}

void brume_viewed_volumes_close(int status)
{
    if (atomic_load(&volumes.reading)) {
        (void)fflush(NULL);
        _exit(status); // exit would run the functions of libraries which the reader uses
    }
    brume_frame_grids_destroy(&volumes.first);
    brume_sequence_destroy(&volumes.sequence);
}

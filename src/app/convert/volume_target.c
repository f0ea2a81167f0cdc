// Converts volume files of any readable format to volume files of any writable format, frame by frame.
#include "app/cli/interrupt.h"
#include "app/convert/body_surface.h"
#include "app/convert/convert_target.h"
#include "app/convert/frame_files.h"
#include "app/convert/retimed_frames.h"
#include "app/volumes/drawn_volume.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/clock.h"
#include "core/parallel/job_queue.h"
#include "exchange/volume_format.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void list_extensions(BrumeText *list)
{
    for (const BrumeVolumeFormat *const *format = brume_volume_formats; *format; format++) {
        if ((*format)->write) {
            brume_text_add(list, "%s%s", list->size > 0 ? ", " : "", (*format)->extension);
        }
    }
}

static bool accepts(const char *output)
{
    const BrumeVolumeFormat *format = brume_volume_format_of(output);
    return format && format->write;
}

static unsigned options_of(const char *output)
{
    const unsigned used = brume_volume_format_of(output)->write_options;
    unsigned options = BRUME_CONVERT_DENSITY | BRUME_CONVERT_RETIME |
                       (used & BRUME_WRITE_ISO ? BRUME_CONVERT_ISO : BRUME_CONVERT_GRIDS);
    options |= used & BRUME_WRITE_HALF ? BRUME_CONVERT_HALF : 0;
    options |= used & BRUME_WRITE_VDB ? BRUME_CONVERT_VDB : 0;
    options |= used & BRUME_WRITE_UP ? BRUME_CONVERT_UP : 0;
    return options;
}

static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *item = list; item; item = strchr(item, ',')) {
        item += *item == ',';
        if (strncmp(item, name, length) == 0 && (item[length] == ',' || item[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static const char particles_name[] = "particles"; // in a list of grids

// removes the grids and the particles that are not in the list; all in the list must exist
static BrumeStatus select_grids(BrumeFrameGrids *frame, const char *list, const char *path, BrumeError *error)
{
    for (const char *item = list; item; item = strchr(item, ',')) {
        char name[BRUME_MAX_GRID_NAME];
        item += *item == ',';
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(item, ","), item);
        const bool are_particles = frame->has_particles && strcmp(name, particles_name) == 0;
        if (!are_particles && !brume_frame_grids_find(frame, name)) {
            brume_frame_grids_destroy(frame);
            (void)brume_volume_file_read(frame, path, error); // also the grids that were not selected
            return brume_fail(error, BRUME_BAD_INPUT, "--grids: %s has no grid '%s' (it has: %s%s)", path, name,
                              brume_frame_grids_list(frame).text, frame->has_particles ? ", particles" : "");
        }
    }
    for (int n = frame->count - 1; n >= 0; n--) {
        if (!is_listed(list, frame->grids[n].name)) {
            brume_frame_grids_remove(frame, n);
        }
    }
    frame->has_particles = frame->has_particles && is_listed(list, particles_name);
    return BRUME_OK;
}

/** Properties of the files so far. */
typedef struct Converted {
    int count;
    int lost;         // files whose particles the format does not have
    int empty_meshes; // meshes where no value is above the level
    double largest;   // value of these
    double cells;     // of the last file
    BrumeText notes;  // on the first file
    BrumeScene *look; // of the first file, with the bodies; NULL: not read
} Converted;

// counts a mesh that is empty because no value is above the level, and keeps the largest value for the warning
static void count_empty_mesh(Converted *converted, const BrumeFrameGrids *frame, const BrumeVolumeWriteDef *def)
{
    const BrumeFrameGrid *grid = brume_frame_grids_find(frame, def->iso_grid ? def->iso_grid : BRUME_GRID_DENSITY);
    const float level = (float)(def->iso == 0.0 ? BRUME_DEFAULT_ISO : def->iso);
    float largest = -INFINITY;
    for (size_t n = 0; grid && n < brume_frame_grid_values(frame->cells, grid); n++) {
        largest = brume_fmaxf(largest, grid->values[n]);
    }
    if (grid && largest <= level) {
        converted->largest =
            converted->empty_meshes++ == 0 ? (double)largest : brume_fmax(converted->largest, (double)largest);
    }
}

/** The input files: the next one is read in the background while the present one is written, without --retime. */
typedef struct InputReader {
    const BrumeConvertDef *def;
    const BrumeFrameFiles *files;
    BrumeRetimedFrames *retimed; // NULL: without --retime
    BrumeJobQueue queue;
    int submitted;             // files
    char path[BRUME_MAX_PATH]; // of the latest
    BrumeFrameGrids next;      // its grids
} InputReader;

static BrumeStatus read_file(void *context, int slot, BrumeError *error)
{
    (void)slot;
    InputReader *reader = context;
    const BrumeConvertDef *def = reader->def;
    BrumeVolumeReadDef read_def = {.parts = BRUME_READ_ALL};
    memcpy(read_def.density, def->density_grid, sizeof read_def.density);
    if (def->grids && strlen(def->grids) < sizeof read_def.grids) {
        (void)snprintf(read_def.grids, sizeof read_def.grids, "%s", def->grids);
    }
    const BrumeStatus status = brume_volume_file_read_grids(&reader->next, reader->path, &read_def, error);
    return status == BRUME_OK && def->grids ? select_grids(&reader->next, def->grids, reader->path, error) : status;
}

// begins to read the next file, if there is one
static void read_next(InputReader *reader)
{
    if (!reader->retimed && reader->submitted < reader->files->found.count) {
        const int frame = reader->files->found.frames[reader->submitted++];
        brume_pattern_path(&reader->files->pattern, frame, reader->path);
        brume_job_queue_submit(&reader->queue);
    }
}

// takes the frame of an index of the output
static BrumeStatus take_frame(InputReader *reader, int index, BrumeFrameGrids *frame, BrumeError *error)
{
    const BrumeConvertDef *def = reader->def;
    if (!reader->retimed) {
        const BrumeStatus status = brume_job_queue_finish(&reader->queue, error);
        *frame = reader->next;
        reader->next = (BrumeFrameGrids){0};
        return status;
    }
    const BrumeStatus status = brume_retimed_frames_take(reader->retimed, index, frame, reader->path, error);
    return status == BRUME_OK && def->grids ? select_grids(frame, def->grids, reader->path, error) : status;
}

// puts the grid of the bodies in the place of the grids of a frame
static BrumeStatus replace_by_bodies(BrumeFrameGrids *frame, const char *path, Converted *converted, BrumeError *error)
{
    BrumeFrameGrids surface = {0};
    BrumeStatus status = converted->look ? BRUME_OK : brume_body_scene(&converted->look, frame, path, error);
    status = status == BRUME_OK ? brume_body_surface(&surface, converted->look, frame, error) : status;
    if (status == BRUME_OK) {
        brume_frame_grids_destroy(frame);
        *frame = surface;
    }
    return status;
}

static BrumeStatus convert_file(InputReader *reader, const char *output, int frame_number, Converted *converted,
                                BrumeError *error)
{
    const BrumeConvertDef *def = reader->def;
    const BrumeVolumeFormat *format = brume_volume_format_of(output);
    const BrumeVolumeWriteDef write_def = {
        .half = def->half,
        .overwrite = def->overwrite,
        .vdb_names = def->vdb_names,
        .z_up = def->vdb_up && strcmp(def->vdb_up, "z") == 0,
        .vdb_staggered = def->vdb_staggered,
        .iso = def->bodies ? BRUME_BODIES_ISO : def->iso,
        .iso_grid = def->bodies ? BRUME_GRID_BODIES : def->iso_grid,
    };
    BrumeFrameGrids frame = {0};
    BrumeStatus status = take_frame(reader, converted->count, &frame, error);
    if (status == BRUME_OK) {
        if (converted->count == 0) {
            brume_volume_list_notes(&frame, reader->path, &converted->notes);
        }
        if (def->bodies) {
            status = replace_by_bodies(&frame, reader->path, converted, error);
        }
    }
    if (status == BRUME_OK) {
        read_next(reader);
        frame.frame = frame.has_frame ? frame.frame : frame_number;
        frame.has_frame = frame.has_frame || reader->files->pattern.width >= 0;
        brume_interrupt_block();
        status = brume_volume_file_write(&frame, output, &write_def, error);
        brume_interrupt_unblock();
    }
    if (status == BRUME_OK) {
        converted->count++;
        converted->lost += format->particles == BRUME_PARTICLES_NOWHERE && frame.has_particles;
        converted->cells = (double)brume_grid_cells(frame.cells);
        if (format->write_options & BRUME_WRITE_ISO) {
            count_empty_mesh(converted, &frame, &write_def);
        }
    }
    brume_frame_grids_destroy(&frame);
    return status;
}

static void print_result(const BrumeSequence *written, const BrumeOutputPattern *outputs, const Converted *converted,
                         BrumeMessages *messages)
{
    const int done = converted->count;
    char first[BRUME_MAX_PATH];
    char last[BRUME_MAX_PATH];
    brume_pattern_path(outputs, written->frames[0], first);
    brume_pattern_path(outputs, written->frames[done - 1], last);
    if (done == 1) {
        brume_messages_print(messages, BRUME_PRINT_RESULTS, "1 file: %s", first);
    } else {
        brume_messages_print(messages, BRUME_PRINT_RESULTS, "%d files: %s to %s", done, first, last);
    }
}

static BrumeStatus convert_files(const BrumeConvertDef *def, const BrumeFrameFiles *files, BrumeRetimedFrames *retimed,
                                 const BrumeOutputPattern *outputs, BrumeMessages *messages, BrumeError *error)
{
    BrumeProgress progress;
    BrumeStatus status = BRUME_OK;
    Converted converted = {.count = 0};
    InputReader reader = {.def = def, .files = files, .retimed = retimed};
    const BrumeSequence *written = retimed ? &retimed->numbers : &files->found;
    brume_job_queue_init(&reader.queue, &(BrumeJobQueueDef){.slots = 1, .run = read_file, .context = &reader});
    brume_progress_start(&progress, 0, written->count, brume_seconds());
    read_next(&reader);
    while (converted.count < written->count && status == BRUME_OK && !brume_interrupt_requested()) {
        char output[BRUME_MAX_PATH];
        const double started = brume_seconds();
        const int frame = written->frames[converted.count];
        brume_pattern_path(outputs, frame, output);
        status = convert_file(&reader, output, frame, &converted, error);
        if (status == BRUME_OK) {
            const double now = brume_seconds();
            brume_progress_count(&progress, now, converted.cells, now - started);
            if (written->count > 1) {
                brume_messages_progress(messages, &progress);
            }
        }
    }
    brume_job_queue_destroy(&reader.queue);
    brume_frame_grids_destroy(&reader.next);
    brume_print_notes(&converted.notes, messages);
    brume_text_destroy(&converted.notes);
    brume_scene_destroy(converted.look);
    if (converted.count > 0) {
        print_result(written, outputs, &converted, messages);
    }
    if (converted.lost > 0) {
        brume_messages_warning(messages, "the particles of %d of %d files are left out: files of %s have none",
                               converted.lost, converted.count, brume_volume_format_of(def->output)->extension);
    }
    if (converted.empty_meshes > 0) {
        brume_messages_warning(messages, "%d of %d meshes are empty: no value is above %g (the largest is %g)",
                               converted.empty_meshes, converted.count, def->iso == 0.0 ? BRUME_DEFAULT_ISO : def->iso,
                               converted.largest);
    }
    if (status == BRUME_OK && converted.count < written->count) {
        return brume_fail(error, BRUME_INTERRUPTED, "interrupted: %d of %d files are written", converted.count,
                          written->count);
    }
    return status;
}

static BrumeStatus convert(const BrumeConvertDef *def, BrumeMessages *messages, BrumeError *error)
{
    BrumeFrameFiles files = {0};
    BrumeRetimedFrames retimed = {.def = NULL};
    BrumeOutputPattern outputs;
    BrumeStatus status = brume_volume_file_check_readable(def->input, error);
    status = status == BRUME_OK ? brume_frame_files_find(&files, def->input, &def->frames, error) : status;
    if (status == BRUME_OK && def->retime > 0.0) {
        status = brume_retimed_frames_create(&retimed, def, &files, error);
    }
    const BrumeSequence *written = def->retime > 0.0 ? &retimed.numbers : &files.found;
    if (status == BRUME_OK && brume_volume_format_of(def->output)->particles == BRUME_PARTICLES_ALONE) {
        char particles[BRUME_MAX_PATH];
        brume_particles_path(def->output, particles, sizeof particles);
        status = brume_frame_files_check_outputs(&files, written, &outputs, particles, def->overwrite, error);
    }
    if (status == BRUME_OK) {
        status = brume_frame_files_check_outputs(&files, written, &outputs, def->output, def->overwrite, error);
    }
    if (status == BRUME_OK) {
        char first[BRUME_MAX_PATH];
        brume_pattern_path(&outputs, files.found.frames[0], first);
        status = brume_file_check_writable(first, error);
    }
    if (status == BRUME_OK && files.missing_count > 0) {
        brume_messages_warning(messages, "%s: %d %s missing: %s", def->input, files.missing_count,
                               files.missing_count == 1 ? "frame is" : "frames are", files.missing.data);
    }
    if (status == BRUME_OK) {
        status = brume_interrupt_start("stopping after this file", error);
    }
    if (status == BRUME_OK) {
        status = convert_files(def, &files, def->retime > 0.0 ? &retimed : NULL, &outputs, messages, error);
    }
    brume_retimed_frames_destroy(&retimed);
    brume_frame_files_destroy(&files);
    return status;
}

const BrumeConvertTarget brume_volume_target = {
    .list_extensions = list_extensions,
    .accepts = accepts,
    .options = options_of,
    .convert = convert,
};

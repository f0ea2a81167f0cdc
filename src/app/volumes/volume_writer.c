#include "app/volumes/volume_writer.h"

#include "app/cli/interrupt.h"
#include "app/cli/paths.h"
#include "app/volumes/capture.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/job_queue.h"
#include "core/parallel/threads.h"

#include <stdio.h>
#include <string.h>

/** The files of a frame. That of the particles alone is written first: the other one shows that both exist. */
enum { PARTICLES_ALONE, MAIN_FILE, FILES };

/** A file that has been composed in memory. All zero: not. */
typedef struct ComposedFile {
    uint8_t *bytes;
    size_t size;
} ComposedFile;

struct BrumeVolumeWriter {
    BrumeVolumeWriterDef def;
    BrumeJobQueue files; // one at a time
    int frame;           // the present one, whose files are written
    char path[BRUME_MAX_PATH];
    BrumeFrameGrids grids;        // its state, ...
    ComposedFile composed[FILES]; // ... or its files in memory
    double take_ms;               // time that this took the caller
};

static bool has_file(const BrumeVolumeWriter *writer, int file)
{
    return file == MAIN_FILE || brume_particles_are_beside(writer->def.format, &writer->grids);
}

// the part of the present state that a file has
static BrumeFrameGrids content_of(const BrumeVolumeWriter *writer, int file)
{
    BrumeFrameGrids content = writer->grids;
    content.count = file == MAIN_FILE ? content.count : 0;
    return content;
}

static void file_path(const char *path, int file, char text[BRUME_MAX_PATH])
{
    if (file == MAIN_FILE) {
        (void)snprintf(text, BRUME_MAX_PATH, "%s", path);
    } else {
        brume_particles_path(path, text, BRUME_MAX_PATH);
    }
}

static BrumeStatus write_file(BrumeVolumeWriter *writer, int file, BrumeError *error)
{
    const BrumeVolumeWriterDef *def = &writer->def;
    const ComposedFile *composed = &writer->composed[file];
    BrumeVolumeWriteDef write = def->write;
    write.overwrite = write.overwrite || file != MAIN_FILE; // left by a run that was ended between the two files
    char path[BRUME_MAX_PATH];
    file_path(writer->path, file, path);
    if (composed->bytes) {
        return brume_volume_file_store(path, composed->bytes, composed->size, &write, error);
    }
    const BrumeFrameGrids content = content_of(writer, file);
    return def->format->write(&content, path, &write, error);
}

static void start_team(void *context)
{
    const BrumeVolumeWriter *writer = context;
    brume_set_threads(writer->def.threads);
}

static BrumeStatus write_frame(void *context, int slot, BrumeError *error)
{
    (void)slot;
    BrumeVolumeWriter *writer = context;
    const BrumeVolumeWriterDef *def = &writer->def;
    const double start = brume_seconds();
    brume_interrupt_block(); // a second signal waits until the file is complete
    BrumeStatus status = BRUME_OK;
    for (int file = 0; file < FILES && status == BRUME_OK; file++) {
        status = has_file(writer, file) ? write_file(writer, file, error) : BRUME_OK;
    }
    brume_interrupt_unblock();
    if (status == BRUME_OK) {
        const double ms = writer->take_ms + 1e3 * (brume_seconds() - start);
        brume_run_stats_image(def->stats, writer->frame, BRUME_IMAGE_WRITE, ms);
    }
    return status;
}

BrumeStatus brume_volume_writer_create(BrumeVolumeWriter **writer, const BrumeVolumeWriterDef *def, BrumeError *error)
{
    BrumeVolumeWriter *self = brume_alloc(1, sizeof *self);
    *writer = self;
    if (!self) {
        return brume_out_of_memory(error, "the volumes of a run");
    }
    self->def = *def;
    brume_job_queue_init(&self->files,
                         &(BrumeJobQueueDef){.slots = 1, .begin = start_team, .run = write_frame, .context = self});
    return BRUME_OK;
}

BrumeStatus brume_volume_writer_finish(BrumeVolumeWriter *writer, BrumeError *error)
{
    return brume_job_queue_finish(&writer->files, error);
}

static void free_composed(ComposedFile composed[FILES])
{
    for (int file = 0; file < FILES; file++) {
        brume_free(composed[file].bytes);
        composed[file] = (ComposedFile){0};
    }
}

// copies the state, and composes its files where the format can
static BrumeStatus take_state(BrumeVolumeWriter *writer, const BrumeSim *sim, int frame, const char *path,
                              ComposedFile composed[FILES], BrumeError *error)
{
    const BrumeVolumeWriterDef *def = &writer->def;
    BrumeStatus status = brume_capture(&writer->grids, sim, def->fields, def->scene_text, error);
    writer->grids.has_frame = true;
    writer->grids.frame = frame + def->first_frame - 1;
    for (int file = 0; file < FILES && status == BRUME_OK && def->format->compose; file++) {
        if (has_file(writer, file)) {
            const BrumeFrameGrids content = content_of(writer, file);
            char text[BRUME_MAX_PATH];
            file_path(path, file, text);
            status =
                def->format->compose(&content, text, &def->write, &composed[file].bytes, &composed[file].size, error);
        }
    }
    return status;
}

BrumeStatus brume_volume_writer_submit(BrumeVolumeWriter *writer, const BrumeSim *sim, int frame, const char *path,
                                       BrumeError *error)
{
    const bool composes = writer->def.format->compose != NULL;
    if (!composes && brume_job_queue_finish(&writer->files, error) != BRUME_OK) { // it reads the grids
        return error->status;
    }
    const double start = brume_seconds();
    ComposedFile composed[FILES] = {{0}};
    if (take_state(writer, sim, frame, path, composed, error) != BRUME_OK) {
        free_composed(composed);
        return error->status;
    }
    const double ms = 1e3 * (brume_seconds() - start);
    if (brume_job_queue_finish(&writer->files, error) != BRUME_OK) {
        free_composed(composed);
        return error->status;
    }
    free_composed(writer->composed);
    memcpy(writer->composed, composed, sizeof composed);
    writer->frame = frame;
    writer->take_ms = ms;
    (void)snprintf(writer->path, sizeof writer->path, "%s", path);
    brume_job_queue_submit(&writer->files);
    return BRUME_OK;
}

void brume_volume_writer_destroy(BrumeVolumeWriter *writer)
{
    if (!writer) {
        return;
    }
    brume_job_queue_destroy(&writer->files);
    brume_frame_grids_destroy(&writer->grids);
    free_composed(writer->composed);
    brume_free(writer);
}

#include "app/volumes/volume_writer.h"

#include "app/cli/interrupt.h"
#include "app/cli/paths.h"
#include "app/volumes/capture.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/job_queue.h"
#include "core/parallel/threads.h"

#include <stdio.h>

struct BrumeVolumeWriter {
    BrumeVolumeWriterDef def;
    BrumeJobQueue files; // one at a time
    int frame;           // the present one, whose file is written
    char path[BRUME_MAX_PATH];
    BrumeFrameGrids grids; // its state, ...
    uint8_t *bytes;        // ... or its file in memory
    size_t size;
    double take_ms; // time that this took the caller
};

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
    const BrumeStatus status =
        writer->bytes ? brume_volume_file_store(writer->path, writer->bytes, writer->size, &def->write, error)
                      : def->format->write(&writer->grids, writer->path, &def->write, error);
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

// copies the state, and composes its file where the format can; `*bytes` is NULL where it cannot
static BrumeStatus take_state(BrumeVolumeWriter *writer, const BrumeSim *sim, int frame, const char *path,
                              uint8_t **bytes, size_t *size, BrumeError *error)
{
    const BrumeVolumeWriterDef *def = &writer->def;
    *bytes = NULL;
    *size = 0;
    const BrumeStatus status = brume_capture(&writer->grids, sim, def->fields, def->scene_text, error);
    writer->grids.has_frame = true;
    writer->grids.frame = frame + def->first_frame - 1;
    return status == BRUME_OK && def->format->compose
               ? def->format->compose(&writer->grids, path, &def->write, bytes, size, error)
               : status;
}

BrumeStatus brume_volume_writer_submit(BrumeVolumeWriter *writer, const BrumeSim *sim, int frame, const char *path,
                                       BrumeError *error)
{
    const bool composes = writer->def.format->compose != NULL;
    if (!composes && brume_job_queue_finish(&writer->files, error) != BRUME_OK) { // it reads the grids
        return error->status;
    }
    const double start = brume_seconds();
    uint8_t *bytes;
    size_t size;
    if (take_state(writer, sim, frame, path, &bytes, &size, error) != BRUME_OK) {
        return error->status;
    }
    const double ms = 1e3 * (brume_seconds() - start);
    if (brume_job_queue_finish(&writer->files, error) != BRUME_OK) {
        brume_free(bytes);
        return error->status;
    }
    brume_free(writer->bytes);
    writer->bytes = bytes;
    writer->size = size;
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
    brume_free(writer->bytes);
    brume_free(writer);
}

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
    BrumeFrameGrids grids;
    char path[BRUME_MAX_PATH];
    double copy_ms; // of the present frame
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
    const double start = brume_seconds();
    brume_interrupt_block(); // a second signal waits until the file is complete
    const BrumeStatus status = writer->def.format->write(&writer->grids, writer->path, &writer->def.write, error);
    brume_interrupt_unblock();
    if (status == BRUME_OK) {
        const double ms = writer->copy_ms + 1e3 * (brume_seconds() - start);
        brume_run_stats_image(writer->def.stats, writer->grids.frame, BRUME_IMAGE_WRITE, ms);
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

BrumeStatus brume_volume_writer_submit(BrumeVolumeWriter *writer, const BrumeSim *sim, int frame, const char *path,
                                       BrumeError *error)
{
    if (brume_job_queue_finish(&writer->files, error) != BRUME_OK) {
        return error->status;
    }
    const double start = brume_seconds();
    if (brume_capture(&writer->grids, sim, writer->def.fields, writer->def.scene_text, error) != BRUME_OK) {
        return error->status;
    }
    writer->grids.frame = frame;
    writer->copy_ms = 1e3 * (brume_seconds() - start);
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
    brume_free(writer);
}

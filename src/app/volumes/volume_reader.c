#include "app/volumes/volume_reader.h"

#include <stdio.h>

static BrumeStatus read_file(void *context, int slot, BrumeError *error)
{
    (void)slot;
    BrumeVolumeReader *reader = context;
    return brume_drawn_volume_read(&reader->grids, reader->path, &reader->volumes, error);
}

void brume_volume_reader_start(BrumeVolumeReader *reader, const char *path, const BrumeDrawnVolumes *volumes)
{
    if (!reader->files.initialised) {
        brume_job_queue_init(&reader->files, &(BrumeJobQueueDef){.slots = 1, .run = read_file, .context = reader});
    }
    (void)snprintf(reader->path, sizeof reader->path, "%s", path);
    reader->volumes = *volumes;
    brume_job_queue_submit(&reader->files);
}

BrumeStatus brume_volume_reader_take(BrumeVolumeReader *reader, BrumeFrameGrids *frame, BrumeError *error)
{
    const BrumeStatus status = brume_job_queue_take_result(&reader->files, error);
    brume_frame_grids_destroy(frame);
    *frame = reader->grids;
    reader->grids = (BrumeFrameGrids){0};
    return status;
}

void brume_volume_reader_destroy(BrumeVolumeReader *reader)
{
    brume_job_queue_destroy(&reader->files);
    brume_frame_grids_destroy(&reader->grids);
}

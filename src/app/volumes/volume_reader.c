#include "app/volumes/volume_reader.h"

#include "exchange/volume_format.h"

#include <stdio.h>

static BrumeStatus read_file(void *context, int slot, BrumeError *error)
{
    (void)slot;
    BrumeVolumeReader *reader = context;
    return brume_volume_file_read(&reader->grids, reader->path, error);
}

void brume_volume_reader_start(BrumeVolumeReader *reader, const char *path)
{
    if (!reader->files.initialised) {
        brume_job_queue_init(&reader->files, &(BrumeJobQueueDef){.slots = 1, .run = read_file, .context = reader});
    }
    (void)snprintf(reader->path, sizeof reader->path, "%s", path);
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

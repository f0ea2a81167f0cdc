#include "app/volumes/volume_reader.h"

#include "exchange/volume_format.h"

#include <stdio.h>

static void *read_file(void *context)
{
    BrumeVolumeReader *reader = context;
    reader->status = brume_volume_file_read(&reader->grids, reader->path, &reader->error);
    return NULL;
}

void brume_volume_reader_start(BrumeVolumeReader *reader, const char *path)
{
    (void)snprintf(reader->path, sizeof reader->path, "%s", path);
    reader->reading = pthread_create(&reader->thread, NULL, read_file, reader) == 0;
    if (!reader->reading) {
        (void)read_file(reader);
    }
}

static void wait_for_file(BrumeVolumeReader *reader)
{
    if (reader->reading) {
        (void)pthread_join(reader->thread, NULL);
        reader->reading = false;
    }
}

BrumeStatus brume_volume_reader_take(BrumeVolumeReader *reader, BrumeFrameGrids *frame, BrumeError *error)
{
    wait_for_file(reader);
    brume_frame_grids_destroy(frame);
    *frame = reader->grids;
    reader->grids = (BrumeFrameGrids){0};
    if (reader->status != BRUME_OK) {
        *error = reader->error;
    }
    return reader->status;
}

void brume_volume_reader_destroy(BrumeVolumeReader *reader)
{
    wait_for_file(reader);
    brume_frame_grids_destroy(&reader->grids);
}

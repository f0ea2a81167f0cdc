#include "app/checkpoint/checkpoint_writer.h"

#include "core/memory.h"
#include "io/file.h"

#include <string.h>

enum { ROLLING = 2 }; // the latest one may be damaged by a machine that lost its power

void brume_checkpoint_writer_start(BrumeCheckpointWriter *writer, const BrumeCheckpointOptions *options,
                                   BrumeCheckpointFolder *folder, double now)
{
    if (options->keep > 0) { // this run says how many stay
        folder->protected = 0;
    }
    *writer = (BrumeCheckpointWriter){
        .interval = options->interval.given ? options->interval : brume_default_checkpoint_interval(),
        .keep = options->keep,
        .folder = folder,
        .latest = now,
    };
}

bool brume_checkpoint_due(const BrumeCheckpointWriter *writer, int frame, double now)
{
    const BrumeCheckpointInterval *interval = &writer->interval;
    return (interval->frames > 0 && frame % interval->frames == 0) ||
           (interval->seconds > 0.0 && now - writer->latest >= interval->seconds);
}

static BrumeStatus write_file(BrumeCheckpointWriter *writer, BrumeError *error)
{
    char path[BRUME_MAX_PATH];
    brume_checkpoint_path(writer->folder, writer->frame, path);
    // a second signal need not wait for it: the next run removes what is incomplete
    const BrumeStatus status = brume_file_write(path, writer->bytes, writer->size, error);
    if (status != BRUME_OK) {
        return status;
    }
    const int keep = writer->keep > 0 ? writer->keep : ROLLING;
    return brume_checkpoint_folder_add(writer->folder, writer->frame, keep, error);
}

static void *run_thread(void *context)
{
    BrumeCheckpointWriter *writer = context;
    writer->status = write_file(writer, &writer->error);
    return NULL;
}

BrumeStatus brume_checkpoint_writer_finish(BrumeCheckpointWriter *writer, BrumeError *error)
{
    if (writer->writing) {
        (void)pthread_join(writer->thread, NULL);
        writer->writing = false;
    }
    brume_free(writer->bytes);
    writer->bytes = NULL;
    const BrumeStatus status = writer->status;
    if (status != BRUME_OK) {
        *error = writer->error;
        writer->status = BRUME_OK;
    }
    return status;
}

BrumeStatus brume_checkpoint_write(BrumeCheckpointWriter *writer, const BrumeRunRecord *record, const BrumeSim *sim,
                                   double now, BrumeError *error)
{
    writer->latest = now;
    BrumeStatus status = brume_checkpoint_writer_finish(writer, error);
    if (status == BRUME_OK) {
        status = brume_checkpoint_folder_make(writer->folder, error);
    }
    if (status == BRUME_OK && writer->keep > 0) {
        status = brume_checkpoint_folder_protect(writer->folder, error);
    }
    if (status == BRUME_OK) {
        status = brume_probe_files_flush(record->probes, error);
    }
    if (status == BRUME_OK) {
        status = brume_checkpoint_encode(record, sim, &writer->bytes, &writer->size, error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    writer->frame = brume_sim_frames(sim);
    const int failure = pthread_create(&writer->thread, NULL, run_thread, writer);
    if (failure != 0) {
        return brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
    }
    writer->writing = true;
    return BRUME_OK;
}

#include "app/checkpoint/checkpoint_writer.h"

#include "core/memory.h"
#include "io/file.h"

enum { ROLLING = 2 }; // a power failure may damage the latest one

static BrumeStatus write_file(void *context, int slot, BrumeError *error)
{
    (void)slot;
    BrumeCheckpointWriter *writer = context;
    char path[BRUME_MAX_PATH];
    brume_checkpoint_path(writer->folder, writer->frame, path);
    // a second signal need not wait for it: the next run removes incomplete files
    const BrumeStatus status = brume_file_write(path, writer->bytes, writer->size, error);
    if (status != BRUME_OK) {
        return status;
    }
    const int keep = writer->keep > 0 ? writer->keep : ROLLING;
    return brume_checkpoint_folder_add(writer->folder, writer->frame, keep, error);
}

void brume_checkpoint_writer_start(BrumeCheckpointWriter *writer, const BrumeCheckpointOptions *options,
                                   BrumeCheckpointFolder *folder, double now)
{
    if (options->keep > 0) { // this run determines the number of checkpoints that are left
        folder->protected = 0;
    }
    *writer = (BrumeCheckpointWriter){
        .interval = options->interval.given ? options->interval : brume_default_checkpoint_interval(),
        .keep = options->keep,
        .folder = folder,
        .latest = now,
    };
    brume_job_queue_init(&writer->files, &(BrumeJobQueueDef){.slots = 1, .run = write_file, .context = writer});
}

bool brume_checkpoint_due(const BrumeCheckpointWriter *writer, int frame, double now)
{
    const BrumeCheckpointInterval *interval = &writer->interval;
    return (interval->frames > 0 && frame % interval->frames == 0) ||
           (interval->seconds > 0.0 && now - writer->latest >= interval->seconds);
}

BrumeStatus brume_checkpoint_writer_finish(BrumeCheckpointWriter *writer, BrumeError *error)
{
    const BrumeStatus status = brume_job_queue_take_result(&writer->files, error);
    brume_free(writer->bytes);
    writer->bytes = NULL;
    return status;
}

BrumeStatus brume_checkpoint_write(BrumeCheckpointWriter *writer, const BrumeRunRecord *record, const BrumeSim *sim,
                                   double now, BrumeError *error)
{
    writer->latest = now;
    BrumeStatus status = brume_checkpoint_writer_finish(writer, error); // its thread changes the folder
    if (status == BRUME_OK && brume_checkpoint_folder_protects(writer->folder, brume_sim_frames(sim))) {
        writer->frame = brume_sim_frames(sim); // it exists, perhaps with measures that this run lacks
        return BRUME_OK;
    }
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
    brume_job_queue_submit(&writer->files);
    return BRUME_OK;
}

void brume_checkpoint_writer_end(BrumeCheckpointWriter *writer)
{
    brume_job_queue_destroy(&writer->files);
    brume_free(writer->bytes);
    writer->bytes = NULL;
}

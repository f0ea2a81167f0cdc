#include "app/cli/interrupt.h"
#include "app/cli/scene_readers.h"
#include "app/refine/refine_frames.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "exchange/volume_format.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool brume_fine_file_exists(const BrumeRefineFrames *frames, int index)
{
    char path[BRUME_MAX_PATH];
    brume_pattern_path(frames->outputs, frames->files->found.frames[index], path);
    return access(path, F_OK) == 0;
}

BrumeStatus brume_refine_read(BrumeFrameGrids *frame, const BrumeRefineFrames *frames, int index, const char *grids,
                              char path[BRUME_MAX_PATH], BrumeError *error)
{
    BrumeVolumeReadDef read_def = {.density = "", .parts = BRUME_READ_ALL};
    const int number = frames->files->found.frames[index];
    (void)snprintf(read_def.grids, sizeof read_def.grids, "%s", grids);
    brume_pattern_path(&frames->files->pattern, number, path);
    const BrumeStatus status = brume_volume_file_read_grids(frame, path, &read_def, error);
    frame->frame = frame->has_frame ? frame->frame : number;
    frame->has_frame = frame->has_frame || frames->files->pattern.width >= 0;
    return status;
}

BrumeStatus brume_refine_write_file(void *context, int slot, BrumeError *error)
{
    (void)slot;
    const BrumeRefineFrames *frames = context;
    const BrumeVolumeWriteDef write_def = {.overwrite = frames->def->overwrite || frames->def->resume};
    brume_interrupt_block();
    const BrumeStatus status = brume_volume_file_write(frames->fine, frames->path, &write_def, error);
    brume_interrupt_unblock();
    return status;
}

BrumeStatus brume_refine_write(BrumeFrameGrids *fine, const BrumeFrameGrids *coarse, BrumeRefineFrames *frames,
                               int index, BrumeError *error)
{
    fine->has_frame = coarse->has_frame;
    fine->frame = coarse->frame;
    fine->time = coarse->time;
    fine->body_count = coarse->body_count;
    memcpy(fine->bodies, coarse->bodies, sizeof fine->bodies);
    brume_free(fine->scene_text);
    fine->scene_text = NULL;
    if (coarse->scene_text && !(fine->scene_text = brume_copy_text(coarse->scene_text))) {
        return brume_out_of_memory(error, "the scene of a frame");
    }
    if (coarse->has_particles && brume_frame_grids_copy_particles(fine, coarse, error) != BRUME_OK) {
        return error->status;
    }
    brume_pattern_path(frames->outputs, frames->files->found.frames[index], frames->path);
    frames->fine = fine;
    brume_job_queue_submit(&frames->writes);
    return BRUME_OK;
}

BrumeStatus brume_refine_finish(BrumeRefineFrames *frames, BrumeError *error)
{
    const BrumeStatus status = brume_job_queue_finish(&frames->writes, error);
    if (status == BRUME_OK && frames->fine) {
        frames->fine = NULL;
        frames->written++;
        brume_progress_count(&frames->progress, brume_seconds(), 0.0, 0.0);
        if (frames->files->found.count > 1) {
            brume_messages_progress(frames->messages, &frames->progress);
        }
    }
    return status;
}

BrumeStatus brume_scene_texture_period(double *period, const BrumeFrameGrids *frame, const char *path,
                                       BrumeError *error)
{
    BrumeScene *scene = NULL;
    *period = 0.0;
    if (!frame->scene_text) {
        return BRUME_OK;
    }
    const BrumeStatus status = brume_scene_parse_written(&scene, frame->scene_text, path, NULL, 0,
                                                         BRUME_SCENE_FILES_NONE, &brume_scene_readers, error);
    if (status == BRUME_OK) {
        *period = (double)scene->sim.texture_period;
        brume_scene_destroy(scene);
    }
    return status;
}

#include "app/convert/retimed_frames.h"

#include "core/memory.h"
#include "exchange/volume_format.h"
#include "refine/in_between.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rounding = 1e-6; // of positions [frames]

BrumeStatus brume_retimed_frames_create(BrumeRetimedFrames *frames, const BrumeConvertDef *def,
                                        const BrumeFrameFiles *files, BrumeError *error)
{
    const BrumeSequence *found = &files->found;
    *frames = (BrumeRetimedFrames){.def = def, .files = files, .lower_index = -1};
    if (found->count < 2) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "--retime needs at least two frames, and %s has one (give a pattern of "
                          "several, as 'cache/plume.####.hdf')",
                          def->input);
    }
    const double steps = (double)(found->frames[found->count - 1] - found->frames[0]) / brume_sequence_stride(found);
    const double count = floor(steps * def->retime + rounding) + 1.0;
    if (count > 1e6) {
        return brume_fail(error, BRUME_BAD_INPUT, "--retime: %g frames are more than 1e6", count);
    }
    frames->numbers.frames = brume_alloc((size_t)count, sizeof *frames->numbers.frames);
    if (!frames->numbers.frames) {
        return brume_out_of_memory(error, "a list of frames");
    }
    for (int n = 0; n < (int)count; n++) {
        frames->numbers.frames[frames->numbers.count++] = found->frames[0] + n;
    }
    return BRUME_OK;
}

void brume_retimed_frames_destroy(BrumeRetimedFrames *frames)
{
    brume_sequence_destroy(&frames->numbers);
    brume_frame_grids_destroy(&frames->lower);
    brume_frame_grids_destroy(&frames->upper);
}

static BrumeStatus read_file(const BrumeRetimedFrames *frames, int index, BrumeFrameGrids *frame,
                             char path[BRUME_MAX_PATH], BrumeError *error)
{
    const BrumeConvertDef *def = frames->def;
    BrumeVolumeReadDef read_def = {.parts = BRUME_READ_ALL};
    memcpy(read_def.density, def->density_grid, sizeof read_def.density);
    if (def->grids && strlen(def->grids) + sizeof BRUME_GRID_VELOCITY < sizeof read_def.grids) {
        (void)snprintf(read_def.grids, sizeof read_def.grids, "%s,%s", def->grids, BRUME_GRID_VELOCITY);
    }
    brume_pattern_path(&frames->files->pattern, frames->files->found.frames[index], path);
    return brume_volume_file_read_grids(frame, path, &read_def, error);
}

static bool is_read(const BrumeFrameGrids *frame) { return frame->count > 0 || frame->has_particles; }

// reads the file of an index as `lower`, and with `both` the one after it as `upper`
static BrumeStatus read_around(BrumeRetimedFrames *frames, int index, bool both, char path[BRUME_MAX_PATH],
                               BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    if (frames->lower_index != index) {
        brume_frame_grids_destroy(&frames->lower);
        if (frames->lower_index == index - 1 && is_read(&frames->upper)) {
            frames->lower = frames->upper;
            frames->upper = (BrumeFrameGrids){0};
        } else {
            brume_frame_grids_destroy(&frames->upper);
            status = read_file(frames, index, &frames->lower, path, error);
        }
        frames->lower_index = index;
    }
    if (status == BRUME_OK && both && !is_read(&frames->upper)) {
        status = read_file(frames, index + 1, &frames->upper, path, error);
    }
    return status;
}

// the time between the files around a frame [s]
static double interval_of(const BrumeRetimedFrames *frames, int index)
{
    const int *numbers = frames->files->found.frames;
    return frames->def->fps > 0.0 ? (numbers[index + 1] - numbers[index]) / frames->def->fps
                                  : frames->upper.time - frames->lower.time;
}

// copies what is not a grid: at `fraction` between the files, the bodies are those of the nearer one
static BrumeStatus describe(const BrumeRetimedFrames *frames, double fraction, double interval, int number,
                            BrumeFrameGrids *frame, BrumeError *error)
{
    const BrumeFrameGrids *nearer = fraction < 0.5 ? &frames->lower : &frames->upper;
    frame->has_frame = true;
    frame->frame = number;
    frame->time = frames->lower.time + fraction * interval;
    frame->body_count = nearer->body_count;
    memcpy(frame->bodies, nearer->bodies, sizeof frame->bodies);
    frame->scene_text = frames->lower.scene_text ? brume_copy_text(frames->lower.scene_text) : NULL;
    return !frames->lower.scene_text || frame->scene_text ? BRUME_OK : brume_out_of_memory(error, "a frame");
}

BrumeStatus brume_retimed_frames_take(BrumeRetimedFrames *frames, int index, BrumeFrameGrids *frame,
                                      char path[BRUME_MAX_PATH], BrumeError *error)
{
    const BrumeSequence *found = &frames->files->found;
    const double position = found->frames[0] + brume_sequence_stride(found) * (index / frames->def->retime);
    int lower = 0;
    while (lower + 1 < found->count && found->frames[lower + 1] <= position + rounding) {
        lower++;
    }
    double fraction = 0.0;
    if (lower + 1 < found->count && position > found->frames[lower] + rounding) {
        fraction = (position - found->frames[lower]) / (found->frames[lower + 1] - found->frames[lower]);
    }
    BrumeStatus status = read_around(frames, lower, fraction > 0.0, path, error);
    const double interval = status == BRUME_OK && fraction > 0.0 ? interval_of(frames, lower) : 0.0;
    if (status == BRUME_OK && fraction > 0.0 && !(interval > 0.0)) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: its time is not after that of the frame before (give --fps N)",
                            path);
    }
    if (status == BRUME_OK) {
        status = brume_in_between(frame, &frames->lower, &frames->upper, fraction, interval, error);
        if (status == BRUME_BAD_INPUT) {
            const BrumeError cause = *error;
            (void)brume_fail(error, BRUME_BAD_INPUT, "%s: %s", path, cause.text);
        }
    }
    if (status == BRUME_OK) {
        status = describe(frames, fraction, interval, frames->numbers.frames[index], frame, error);
    }
    if (status != BRUME_OK) {
        brume_frame_grids_destroy(frame);
    }
    return status;
}

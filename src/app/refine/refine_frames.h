/**
 * @file refine_frames.h
 * The methods of `brume refine`, and the files that they share.
 */
#ifndef BRUME_APP_REFINE_REFINE_FRAMES_H
#define BRUME_APP_REFINE_REFINE_FRAMES_H

#include "app/cli/messages.h"
#include "app/cli/values.h"
#include "app/convert/frame_files.h"
#include "core/error.h"
#include "core/parallel/job_queue.h"
#include "exchange/frame_grids.h"

#include <stdbool.h>

struct BrumeRefineFrames;

/** A method, in a file of its own. */
typedef struct BrumeRefineMethod {
    const char *name;
    double strength; ///< default of --strength
    bool in_order;   ///< a frame needs the fine frame before it
    /**
     * Refines the frames from `frames->next` to before `frames->end`; ends early where brume_interrupt_requested.
     * BRUME_BAD_INPUT where a file lacks a grid or does not fit to the others.
     */
    BrumeStatus (*refine)(struct BrumeRefineFrames *frames, BrumeError *error);
} BrumeRefineMethod;

extern const BrumeRefineMethod brume_refine_advect;
extern const BrumeRefineMethod brume_refine_texture;

/** The command line of `refine`. */
typedef struct BrumeRefineDef {
    const char *input, *output; ///< patterns
    const BrumeRefineMethod *method;
    int factor;
    double strength, scale; ///< strength below 0: not given
    double texture_period;  ///< of coordinates that are not in the files [s]
    double fps;             ///< [1/s]; 0: the times in the files apply
    BrumeFrameRange frames; ///< all zero: not given
    bool resume, overwrite, quiet;
} BrumeRefineDef;

/** A run of the command. */
typedef struct BrumeRefineFrames {
    const BrumeRefineDef *def;
    const BrumeFrameFiles *files; ///< all files of the sequence
    const BrumeOutputPattern *outputs;
    int next, end; ///< indices in the sequence
    int written;   ///< files
    BrumeProgress progress;
    BrumeMessages *messages;
    BrumeJobQueue writes;        ///< in the background
    const BrumeFrameGrids *fine; ///< that is written; NULL: none
    char path[BRUME_MAX_PATH];   ///< of its file
} BrumeRefineFrames;

/** Whether the fine frame of an index in the sequence exists. */
bool brume_fine_file_exists(const BrumeRefineFrames *frames, int index);

/**
 * Writes the options that the fine frames depend on to the file `OUTPUT.refine`. BRUME_BAD_INPUT where the run goes on
 * after fine frames of others; fails as brume_file_read and brume_file_write do.
 */
BrumeStatus brume_refine_check_settings(const BrumeRefineFrames *frames, BrumeError *error);

/**
 * Reads the grids of the frame of an index that the methods need, and sets its number where it has none. `grids` are
 * names separated by commas. Fails as brume_volume_file_read_grids does, with `path` that of the file.
 */
BrumeStatus brume_refine_read(BrumeFrameGrids *frame, const BrumeRefineFrames *frames, int index, const char *grids,
                              char path[BRUME_MAX_PATH], BrumeError *error);

/** The job of `writes`. */
BrumeStatus brume_refine_write_file(void *context, int slot, BrumeError *error);

/**
 * Writes the fine frame of an index with the number, time, scene and bodies of the coarse one, in the background until
 * brume_refine_finish, which the frame before must have had. BRUME_FAILED without memory.
 */
BrumeStatus brume_refine_write(BrumeFrameGrids *fine, const BrumeFrameGrids *coarse, BrumeRefineFrames *frames,
                               int index, BrumeError *error);

/** Waits until the frame is written, and prints the progress. Fails as brume_volume_file_write does. */
BrumeStatus brume_refine_finish(BrumeRefineFrames *frames, BrumeError *error);

/** The `solver.texture_period` of the scene of a frame from the file `path` [s]; 0 where it has none. */
BrumeStatus brume_scene_texture_period(double *period, const BrumeFrameGrids *frame, const char *path,
                                       BrumeError *error);

#endif

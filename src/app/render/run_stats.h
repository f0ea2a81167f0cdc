/**
 * @file run_stats.h
 * Statistics of every frame of a run. The threads that simulate, draw and write report to them; the messages and the
 * JSON file are made from them. Every function may be called from any thread.
 */
#ifndef BRUME_APP_RENDER_RUN_STATS_H
#define BRUME_APP_RENDER_RUN_STATS_H

#include "app/render/measure_log.h"
#include "brume/renderer.h"
#include "brume/scene.h"
#include "brume/sim.h"
#include "core/error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/** The stages of an image. */
typedef enum BrumeImageStage {
    BRUME_IMAGE_LOAD,  ///< the state is copied to the renderer
    BRUME_IMAGE_LIGHT, ///< transmittance from the lights to the smoke
    BRUME_IMAGE_DRAW,  ///< ray marching or path tracing
    BRUME_IMAGE_WRITE, ///< tone curve, encoding and writing of the file
    BRUME_IMAGE_STAGE_COUNT,
} BrumeImageStage;

/** Statistics of one frame. */
typedef struct BrumeRunFrame {
    BrumeFrameStats sim;
    uint64_t hash;                      ///< of the state; 0 if it is not computed
    bool written;                       ///< its image file is complete
    double ms[BRUME_IMAGE_STAGE_COUNT]; ///< wall times of the image's stages [ms]; 0 before a stage ends
    BrumeTraceResult trace;             ///< of an image by the path tracer; `samples` is 0 for others
} BrumeRunFrame;

typedef struct BrumeRunStats {
    pthread_mutex_t mutex;
    int frames;            ///< simulated frames
    int capacity;          ///< the largest number of frames
    BrumeRunFrame *frame;  ///< of the frames from 1 on
    BrumeRunFrame initial; ///< of frame 0, the initial state
    int traced;            ///< the frame of the last image by the path tracer; 0: none in this run
} BrumeRunStats;

/** The number of written images, and the first and last of these frames. */
typedef struct BrumeFrameCount {
    int count, first, last;
} BrumeFrameCount;

/** The numbers of light paths of images, and their estimated error, for messages. */
typedef struct BrumeTraceText {
    char text[64];
} BrumeTraceText;

/** Properties of the whole run, for the head of the JSON file. */
typedef struct BrumeRunInfo {
    const char *scene_path;
    const BrumeScene *scene;
    int threads;                     ///< of the simulation
    int ranks;                       ///< processes that share the simulation
    size_t bytes;                    ///< memory of the simulation
    const BrumeMeasureLog *measures; ///< of the states of the run; NULL for none
    struct BrumeRunStats *turns;     ///< of the pictures of a turntable; NULL for none
    int turn_count;                  ///< of the whole turn
} BrumeRunInfo;

/** Allocates statistics for the frames 1 to `capacity`. BRUME_FAILED if memory is not available. */
BrumeStatus brume_run_stats_create(BrumeRunStats *stats, int capacity, BrumeError *error);

/** Frees the statistics. All zero is allowed. */
void brume_run_stats_destroy(BrumeRunStats *stats);

/** Adds the next simulated frame. */
void brume_run_stats_add(BrumeRunStats *stats, const BrumeFrameStats *sim, uint64_t hash);

/** Sets the time of a stage of a frame's image [ms]; after BRUME_IMAGE_WRITE the image counts as written. */
void brume_run_stats_image(BrumeRunStats *stats, int frame, BrumeImageStage stage, double ms);

/** Sets the result of the path tracer for a frame's image. */
void brume_run_stats_traced(BrumeRunStats *stats, int frame, const BrumeTraceResult *result);

/** The last image by the path tracer in this run, as "64 paths, error 0.0098"; "" if there is none. */
BrumeTraceText brume_run_stats_last_traced(BrumeRunStats *stats);

/** The images by the path tracer from frame `first` on, as "16 to 64 paths, error 0.0098 at most"; "" for none. */
BrumeTraceText brume_run_stats_all_traced(BrumeRunStats *stats, int first);

/** Whether the image of a frame, which was added before, is written. */
bool brume_run_stats_has_image(BrumeRunStats *stats, int frame);

/** The images of the frames from `first` on that were written so far. */
BrumeFrameCount brume_run_stats_written(BrumeRunStats *stats, int first);

/** The number of frames with a pressure solve that did not converge, and the largest residual of all frames. */
int brume_run_stats_unconverged(BrumeRunStats *stats, double *worst_residual);

/** Mean time of a stage over the written images [ms]; 0 if there is none. */
double brume_run_stats_mean_ms(BrumeRunStats *stats, BrumeImageStage stage);

/**
 * Writes the statistics as JSON to `path`, which is replaced completely or not at all, or to standard output where it
 * is
 * "-"; docs/cli.md lists the members. BRUME_FAILED with the system's reason.
 */
BrumeStatus brume_run_stats_write(BrumeRunStats *stats, const BrumeRunInfo *info, const char *path, BrumeError *error);

/** The name of a stage in the JSON file: "load", "light", "draw", "write". */
const char *brume_image_stage_name(BrumeImageStage stage);

#endif

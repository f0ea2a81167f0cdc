/**
 * @file run_stats.h
 * What every frame of a run did: reported by the threads that simulate, draw and write, read for the messages, and
 * written as JSON. Every function may be called from any thread.
 */
#ifndef BRUME_APP_RUN_STATS_H
#define BRUME_APP_RUN_STATS_H

#include "brume/scene.h"
#include "brume/sim.h"
#include "core/error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/** The stages of a picture. */
typedef enum BrumePictureStage {
    BRUME_PICTURE_LOAD,  ///< the volume is copied
    BRUME_PICTURE_LIGHT, ///< the lights' way through the smoke
    BRUME_PICTURE_DRAW,  ///< rays
    BRUME_PICTURE_WRITE, ///< tone curve, encoding and the disk
    BRUME_PICTURE_STAGE_COUNT,
} BrumePictureStage;

/** One frame. */
typedef struct BrumeRunFrame {
    BrumeFrameStats sim;
    uint64_t hash;                        ///< of the state; 0 where it was not asked for
    bool whole;                           ///< its picture is on the disk
    double ms[BRUME_PICTURE_STAGE_COUNT]; ///< wall times of the picture's stages [ms], 0 until they are done
} BrumeRunFrame;

typedef struct BrumeRunStats {
    pthread_mutex_t mutex;
    int frames;   ///< added so far
    int capacity; ///< most
    BrumeRunFrame *frame;
} BrumeRunStats;

/** How many pictures are on the disk, and the first and last of them (0 for none). */
typedef struct BrumeWholeFrames {
    int count, first, last;
} BrumeWholeFrames;

/** Facts about the run that stand at the head of the JSON. */
typedef struct BrumeRunFacts {
    const char *scene_path;
    const BrumeScene *scene;
    int threads;
    size_t bytes; ///< of the simulation
} BrumeRunFacts;

/** Makes room for frames 1 to `capacity`. BRUME_FAILED without memory. */
BrumeStatus brume_run_stats_create(BrumeRunStats *stats, int capacity, BrumeError *error);

/** Frees it; all zero is fine. */
void brume_run_stats_destroy(BrumeRunStats *stats);

/** Adds the next frame, simulated. */
void brume_run_stats_add(BrumeRunStats *stats, const BrumeFrameStats *sim, uint64_t hash);

/** Reports that a stage of a frame's picture took `ms`; after BRUME_PICTURE_WRITE the frame is whole. */
void brume_run_stats_picture(BrumeRunStats *stats, int frame, BrumePictureStage stage, double ms);

BrumeWholeFrames brume_run_stats_whole(BrumeRunStats *stats);

/** Frames with a pressure solve that did not converge, and the worst residual among all. */
int brume_run_stats_unconverged(BrumeRunStats *stats, double *worst_residual);

/** Mean time of a stage over the pictures that are whole [ms]; 0 where there is none. */
double brume_run_stats_mean_ms(BrumeRunStats *stats, BrumePictureStage stage);

/** Writes all of it as JSON to `path`, whole or not at all; docs/cli.md describes the members. */
BrumeStatus brume_run_stats_write(BrumeRunStats *stats, const BrumeRunFacts *facts, const char *path,
                                  BrumeError *error);

/** A stage's name as printed: "load", "light", "draw", "write". */
const char *brume_picture_stage_name(BrumePictureStage stage);

#endif

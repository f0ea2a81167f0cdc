/**
 * @file frame_pipeline.h
 * Draws states of a simulation and writes them to image files or a video. The pipeline has three stages on three
 * threads: the caller copies the state, a drawing thread with its own OpenMP team lights and draws it, and a writer
 * encodes and writes the picture. The simulation continues while earlier frames are drawn and written. SIGUSR1 writes
 * the picture in progress to a separate file.
 */
#ifndef BRUME_APP_RENDER_FRAME_PIPELINE_H
#define BRUME_APP_RENDER_FRAME_PIPELINE_H

#include "app/cli/messages.h"
#include "app/render/picture_output.h"
#include "app/render/run_stats.h"
#include "brume/scene.h"
#include "brume/sim.h"
#include "core/error.h"
#include "io/image_sink.h"

typedef struct BrumeFramePipeline BrumeFramePipeline;

/** The state that a frame shows. */
typedef struct BrumeDrawnState {
    BrumeVolume volume;
    BrumeRenderSettings look; ///< with the surfaces at their positions in this frame
    double time;              ///< simulated time, for the camera [s]
    int frame;                ///< number in the statistics
    uint32_t seed;            ///< seed of the rays
    int simulated_frame;      ///< number in the metadata
    double frame_seconds;     ///< time to the next frame [s]
    double turn;              ///< angle by which the camera is turned around its target [radians]
    bool same;                ///< volume and look equal the previous state's, and are neither copied nor lit again
} BrumeDrawnState;

/** Returns the angle of the camera for a picture, counted from 1, of a turntable with `count` pictures [radians]. */
static inline double brume_turn_angle(int picture, int count) { return 6.283185307179586 * (picture - 1) / count; }

/** Returns the present state of a simulation of this scene; valid until its next step. */
BrumeDrawnState brume_drawn_state(const BrumeScene *scene, const BrumeSim *sim);

/**
 * Creates a pipeline for pictures of a scene in this form, with memory for volumes of `grid` cells; `scene`, `pictures`
 * and `stats` must outlive it. With `draw_threads` of 0 there is no drawing thread: brume_frame_pipeline_submit draws
 * with the caller's team. The pictures do not depend on `draw_threads`. `sink` receives them in the order of the
 * frames, on a thread of the pipeline. BRUME_FAILED if memory is not available; `*pipeline` is then NULL.
 */
BrumeStatus brume_frame_pipeline_create(BrumeFramePipeline **pipeline, const BrumeScene *scene,
                                        const BrumePictureOutput *pictures, BrumeGrid grid, int draw_threads,
                                        const BrumeImageSink *sink, BrumeRunStats *stats, BrumeError *error);

/**
 * Prints the progress within a picture, where the caller draws: with the progress line of `progress` on a terminal.
 * Both must outlive the pipeline.
 */
void brume_frame_pipeline_report(BrumeFramePipeline *pipeline, BrumeMessages *messages, const BrumeProgress *progress);

/**
 * Submits a state, whose frame was added to `stats` before, to be written to `path`. Waits until the preceding frame is
 * drawn, and returns as soon as the state is copied. A volume with more cells than all earlier ones needs new memory
 * for the renderer. Fails without this memory, and if an earlier image could not be drawn or written.
 */
BrumeStatus brume_frame_pipeline_submit(BrumeFramePipeline *pipeline, const BrumeDrawnState *state, const char *path,
                                        BrumeError *error);

/** Waits until all images are written. Fails with the error of the first image that could not be drawn or written. */
BrumeStatus brume_frame_pipeline_finish(BrumeFramePipeline *pipeline, BrumeError *error);

/** Writes all submitted frames, ends the threads and frees the pipeline. NULL is allowed. */
void brume_frame_pipeline_destroy(BrumeFramePipeline *pipeline);

#endif

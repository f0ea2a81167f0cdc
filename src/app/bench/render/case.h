/**
 * @file case.h
 * One case of a benchmark of the renderer: the stages of a picture of one volume with one number of threads.
 */
#ifndef BRUME_APP_BENCH_RENDER_CASE_H
#define BRUME_APP_BENCH_RENDER_CASE_H

#include "brume/camera.h"
#include "brume/render_settings.h"
#include "brume/volume.h"
#include "core/error.h"
#include "raymarch/light/lit_medium.h"

#include <stddef.h>
#include <stdint.h>

/** The measured times. */
typedef enum BrumeRenderTime {
    BRUME_RENDER_LOAD,     ///< brume_renderer_load
    BRUME_RENDER_LIGHT,    ///< brume_renderer_light
    BRUME_RENDER_DRAW,     ///< brume_renderer_draw
    BRUME_RENDER_TONE,     ///< brume_tone_map
    BRUME_RENDER_PICTURE,  ///< the four above
    BRUME_RENDER_DRAW_ALL, ///< brume_renderer_draw where rays do not skip empty macro-cells
    BRUME_RENDER_TIME_COUNT
} BrumeRenderTime;

/** The median of repeated measurements, and their quartiles. */
typedef struct BrumeQuartiles {
    double lower, median, upper;
} BrumeQuartiles;

/** Returns the distance of the quartiles divided by the median. */
double brume_relative_spread(BrumeQuartiles values);

/** The rendered volume and picture. */
typedef struct BrumeRenderSubject {
    BrumeVolume volume;
    BrumeRenderSettings settings;
    BrumeCamera camera;
    int width, height; ///< of the picture [pixels]
} BrumeRenderSubject;

typedef struct BrumeRenderCase {
    int threads; ///< set by the caller

    // measured
    int nx, ny, nz;
    BrumeQuartiles ms[BRUME_RENDER_TIME_COUNT]; ///< wall times [ms]
    BrumeQuartiles trilinear;                   ///< brume_measure_trilinear [1/s]
    BrumeMarchCounts counts;                    ///< counts of the camera rays of one picture
    double smoky_cells;                         ///< fraction of the cells that have smoke
    double occupied_macro_cells;                ///< fraction of the macro-cells that rays cannot skip
    size_t bytes;                               ///< memory of the renderer
    uint64_t hash;                              ///< of the picture
} BrumeRenderCase;

/** Returns the samples of the extinction per second by camera rays while a picture is drawn. */
double brume_render_sample_rate(const BrumeRenderCase *result);

/** Returns the ratio of the median times of drawing without and with skipping of empty macro-cells. */
double brume_render_skipping_gain(const BrumeRenderCase *result);

/** Returns the case with the same number of cells and the fewest threads. */
const BrumeRenderCase *brume_render_base(const BrumeRenderCase *cases, int count, int index);

/**
 * Measures `count` cases, which differ in their numbers of threads, of one subject. After a round that is not timed,
 * every one of `rounds` rounds measures all cases once, with the order of the cases reversed in every second round, so
 * that a change of the machine's speed affects all of them. Each case counts its samples in a further pass.
 * BRUME_FAILED where pictures differ between numbers of threads, or with and without skipping; the cases are measured
 * nevertheless. Otherwise fails as brume_renderer_create. Sets the team size of the calling thread.
 */
BrumeStatus brume_bench_measure_render(BrumeRenderCase *cases, int count, const BrumeRenderSubject *subject, int rounds,
                                       BrumeError *error);

#endif

/**
 * @file render_thread.h
 * Pictures made in a thread of their own, with a team of their own: it takes the newest snapshot, lights it, and with
 * the CPU renderer draws it, coarser while things move and finer while they rest. The window's thread only takes what
 * is finished.
 */
#ifndef BRUME_VIEWER_THREADS_RENDER_THREAD_H
#define BRUME_VIEWER_THREADS_RENDER_THREAD_H

#include "brume/renderer.h"
#include "raymarch/gl/gl_renderer.h"
#include "viewer/threads/simulation_thread.h"
#include "viewer/views/drawing.h"

typedef struct BrumeRenderThread BrumeRenderThread;

/** What is to be seen. */
typedef struct BrumeRenderRequest {
    BrumeCamera camera;
    BrumeRenderSettings
        look; ///< of the smoke; its solids stand where the snapshot has its obstacles (see `surface_of`)
    int surface_of[BRUME_MAX_OBSTACLES]; ///< surface of the look that shows an obstacle, -1 for one that is not drawn
    BrumeViewKind view;
    bool streamlines; ///< velocity: lines, otherwise arrows
    float iso_level;  ///< of the isosurface, density [1]
    bool slice;
    int slice_axis;    ///< 0 to 2
    float slice_at;    ///< share of the box, 0 to 1
    int width, height; ///< of the whole picture [pixels]
    bool cpu;          ///< drawn here; otherwise only lit, for the GL renderer
    bool full;         ///< every snapshot at full size with all samples, however long it takes
    int samples;       ///< rays a pixel that a picture at rest is refined to
    double budget_ms;  ///< that a picture in motion may take [ms]
    float divider;     ///< with two sides: where the first ends, share of the width
    double wished_at;  ///< clock when the input came that led to this wish [s]
} BrumeRenderRequest;

/** What is finished. */
typedef struct BrumeRenderedPicture {
    uint64_t serial;         ///< another one for every picture
    uint64_t lit;            ///< serial of what was loaded and lit: rises when the smoke, look or view is another
    int width, height;       ///< of `rgb` [pixels], the wish's or fewer
    const uint8_t *rgb;      ///< (height x width x 3), sRGB; NULL where only lit
    bool finished;           ///< of full size and with all samples
    int samples;             ///< that it has
    BrumeRenderRequest wish; ///< that it answers
    int frame, epoch, sides; ///< of its snapshot
    double time;             ///< simulated [s]
    double light_ms, draw_ms;
    size_t bytes; ///< that smoke and light take on their way into pictures
    BrumeScale scale[BRUME_MAX_SIDES];
    const BrumeDrawing *drawing[BRUME_MAX_SIDES];
    BrumeRenderSettings look[BRUME_MAX_SIDES]; ///< that it was drawn with: solids in their places, colors of the view
    BrumeError error;                          ///< why it does not show the newest; empty text: it does
} BrumeRenderedPicture;

/**
 * Starts the thread, which reads `live` and is its only reader and listener. `threads` is its team. `wake` is called by
 * it after every picture; NULL: nobody. Nothing is drawn before the first wish.
 */
BrumeStatus brume_render_thread_create(BrumeRenderThread **canvas, BrumeSimulationThread *live, int threads,
                                       void (*wake)(void), BrumeError *error);

/** Stops and frees; before its `live` is destroyed. NULL is fine. */
void brume_render_thread_destroy(BrumeRenderThread *canvas);

/**
 * What is to be seen from now on. A picture at rest that is being refined is left at once where that is something else;
 * one in motion, which keeps to its budget, is finished, so that there always are some. Returns whether it is something
 * else than was wished last.
 */
bool brume_render_thread_request(BrumeRenderThread *canvas, const BrumeRenderRequest *wish);

void brume_render_thread_set_threads(BrumeRenderThread *canvas, int threads);

/** Takes the newest picture; false where nothing is new. `*picture` is always the last one taken, NULL before any. */
bool brume_render_thread_take(BrumeRenderThread *canvas, const BrumeRenderedPicture **picture);

/** The facts of the newest snapshot that was seen: copied, without fields. */
void brume_render_thread_facts(BrumeRenderThread *canvas, BrumeSnapshot *facts);

/** The smallest box around the smoke that was lit last, of a side [m]; false where there is none. */
bool brume_render_thread_bounds(BrumeRenderThread *canvas, int side, BrumeVec3 *lower, BrumeVec3 *upper);

/** brume_renderer_pick in what was lit last, of a side; the sky where nothing is. */
BrumePick brume_render_thread_pick(BrumeRenderThread *canvas, int side, const BrumeCamera *camera, int width,
                                   int height, float x, float y);

/**
 * Uploads what was lit last, of a side, where it is not what `renderer` holds (`*lit` is the serial that it holds, 0
 * for none). Waits for nothing but another pick. What could not be uploaded is not tried again: `*lit` is its serial,
 * and `renderer` holds what it held before.
 */
BrumeStatus brume_render_thread_upload(BrumeRenderThread *canvas, int side, BrumeGlRenderer *renderer, uint64_t *lit,
                                       int *reduced, BrumeError *error);

#endif

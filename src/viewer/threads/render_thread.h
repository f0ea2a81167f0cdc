/**
 * @file render_thread.h
 * Two threads that make pictures of states. The preparation thread acquires the latest snapshot and prepares it for
 * drawing (views/). The render thread draws the view that was prepared last, with the CPU renderer: in motion one
 * sample per pixel, with the smoke at a reduced resolution (raymarch/cpu/preview.h), at rest progressively up to all
 * samples. While a view is prepared, pictures in motion show the previous view; the new view replaces it between two
 * pictures.
 *
 * A new state is first lit as for pictures in motion, in a small part of the time of the full light. At rest, and
 * before the first picture of a request with `full`, the full light replaces this light in the same view; only pictures
 * with the full light become `finished`. Where the full light takes a few milliseconds, every view has it at once.
 * While the source runs, pictures in motion start at most 66 times per second, or 43 where its frames are late, which
 * leaves the rest of the time to the solver; the first picture of a state starts at once.
 *
 * Which thread does what:
 * | thread             | functions                                                                              |
 * | ------------------ | -------------------------------------------------------------------------------------- |
 * | preparation thread | acquiring snapshots, their user, preparing views, its OpenMP team                      |
 * | render thread      | drawing, its OpenMP team, the full light of a view at rest, publishing, `on_picture`   |
 * | publishing thread  | the snapshot callback, which only marks that a new snapshot is there                   |
 * | window thread      | all functions of this header                                                           |
 *
 * Both teams have the same number of threads, but the preparation thread uses half of them while the camera moves. Only
 * destroy waits for a picture. smoke_bounds, pick and upload_to_gl read the view that is drawn. The preparation thread
 * does not change it: it prepares the next one in a second BrumePreparedView, and the render thread swaps both.
 */
#ifndef BRUME_VIEWER_THREADS_RENDER_THREAD_H
#define BRUME_VIEWER_THREADS_RENDER_THREAD_H

#include "brume/renderer.h"
#include "raymarch/gl/gl_renderer.h"
#include "viewer/threads/state_source.h"
#include "viewer/views/prepare_view.h"

typedef struct BrumeRenderThread BrumeRenderThread;

/** The picture that is requested. */
typedef struct BrumeRenderRequest {
    BrumeViewSettings view;
    BrumeCamera camera;
    int width, height;   ///< of the whole picture [pixels]
    bool cpu;            ///< drawn by this thread; otherwise only prepared, for the OpenGL renderer
    bool full;           ///< every snapshot is drawn at full size with all samples, whatever time it takes
    int samples;         ///< rays per pixel of a picture at rest
    double budget_ms;    ///< time for a picture while the camera moves and the source runs [ms]
    float divider;       ///< with two sides: where the first ends, as a fraction of the width
    bool hidden;         ///< nothing is drawn until a request without this; it is not a part of the picture
    double requested_at; ///< clock of the input that caused this request [s]
} BrumeRenderRequest;

/** A picture that was published. */
typedef struct BrumeRenderedPicture {
    uint64_t serial;            ///< increases with every picture
    uint64_t view_serial;       ///< of the prepared view: increases when the snapshot or the view settings change
    int width, height;          ///< of `rgb` [pixels]: the requested size
    int shrink;                 ///< divisor of the resolution of the smoke: 1 at rest
    const uint8_t *rgb;         ///< (height x width x 3), sRGB; NULL where the view was only prepared
    bool finished;              ///< at full size and with all samples, of the latest settings
    int samples;                ///< rays per pixel
    BrumeRenderRequest request; ///< request that it answers, with the view settings that are shown
    int frame, epoch;           ///< of its snapshot
    uint32_t seed;              ///< of its snapshot
    int variant_count;          ///< sides of the picture: variants of its snapshot, or looks
    unsigned snapshot_count;    ///< as brume_render_thread_snapshot_count, when its snapshot was acquired
    double time;                ///< simulated time [s]
    double prepare_ms, draw_ms; ///< wall time of preparing the view and of drawing it
    size_t bytes;               ///< memory of the prepared views [bytes]
    BrumeColorScale scale[BRUME_MAX_VARIANTS];
    const char *missing; ///< quantity that the view needs and the snapshot lacks: smoke is shown instead; NULL: none
    const BrumeOverlayGeometry *geometry[BRUME_MAX_VARIANTS];
    BrumeRenderSettings render_settings[BRUME_MAX_VARIANTS]; ///< settings that it was drawn with
    BrumeError error; ///< why it does not show the latest snapshot; empty text: it does
} BrumeRenderedPicture;

typedef struct BrumeRenderThreadDef {
    BrumeStateSwitch *states; ///< states to draw; only these threads read them and set the snapshot callback
    int threads;              ///< size of each of their teams
    void (*on_picture)(void); ///< called by the render thread after every picture; NULL: nothing
    /**
     * Called by the preparation thread with every snapshot that it acquires, before it prepares it, and with the
     * present one after each call of brume_render_thread_offer_snapshot. NULL: nothing.
     */
    void (*use)(void *context, const BrumeSnapshot *snapshot);
    void *use_context;
} BrumeRenderThreadDef;

/**
 * Starts the threads. Nothing is drawn before the first request. BRUME_FAILED without memory or a thread; `*thread` is
 * NULL then.
 */
BrumeStatus brume_render_thread_create(BrumeRenderThread **thread, const BrumeRenderThreadDef *def, BrumeError *error);

/**
 * Ends the threads after the stages that they are computing; waits at most `seconds`. Returns whether they have ended;
 * otherwise they still use their own memory and the memory of the source. Only destroy may be called afterwards.
 */
bool brume_render_thread_stop(BrumeRenderThread *thread, double seconds);

/** Stops the threads and frees everything. Must be called before the source is destroyed. NULL is allowed. */
void brume_render_thread_destroy(BrumeRenderThread *thread);

/**
 * Requests a picture; replaces the previous request. A picture at rest that does not match is abandoned at once; one in
 * motion is finished, because its time is limited by the budget, so that pictures are shown during continuous motion
 * too. Returns whether the request differs from the previous one.
 */
bool brume_render_thread_request(BrumeRenderThread *thread, const BrumeRenderRequest *request);

/** Passes the present snapshot to BrumeRenderThreadDef.use. */
void brume_render_thread_offer_snapshot(BrumeRenderThread *thread);

/** Sets the size of the teams. */
void brume_render_thread_set_threads(BrumeRenderThread *thread, int threads);

/**
 * Acquires the latest picture; returns false if there is no new one. `*picture` becomes the picture that was acquired
 * last, NULL before the first; it is valid until the next call.
 */
bool brume_render_thread_poll_picture(BrumeRenderThread *thread, const BrumeRenderedPicture **picture);

/** The number of snapshots that the source has published since this thread was created. */
unsigned brume_render_thread_snapshot_count(const BrumeRenderThread *thread);

/** The latest snapshot that was acquired, without its fields; valid until the next call. */
const BrumeSnapshot *brume_render_thread_snapshot_info(BrumeRenderThread *thread);

/** The smallest box around the smoke of a side [m]; false without smoke or before the first prepared view. */
bool brume_render_thread_smoke_bounds(BrumeRenderThread *thread, int variant, BrumeVec3 *lower, BrumeVec3 *upper);

/** The smallest box around the vertices of a mesh that deforms at the frame that a side shows, in the frame of the mesh
 * [m]; false where the side does not show it. */
bool brume_render_thread_mesh_bounds(BrumeRenderThread *thread, int variant, const BrumeMesh *deforming,
                                     BrumeVec3 *lower, BrumeVec3 *upper);

/** brume_renderer_pick in the prepared view of a side; the sky before the first prepared view. */
BrumePick brume_render_thread_pick(BrumeRenderThread *thread, int variant, const BrumeCamera *camera, int width,
                                   int height, float x, float y);

/**
 * Uploads the prepared view of a side to an OpenGL renderer unless `*view_serial`, the serial of the view in the
 * renderer (0: none), is current. Waits only for the swap of the prepared views. While their light is computed anew
 * nothing is uploaded; a new picture is published after it. Fails as brume_gl_renderer_load does: `*view_serial` is
 * updated nevertheless, so that the upload is not repeated, and the renderer still has the previous view. Only an
 * upload writes `*reduced`.
 */
BrumeStatus brume_render_thread_upload_to_gl(BrumeRenderThread *thread, int variant, BrumeGlRenderer *renderer,
                                             uint64_t *view_serial, int *reduced, BrumeError *error);

#endif

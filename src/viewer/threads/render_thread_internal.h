/**
 * @file render_thread_internal.h
 * The data that the source files of the render thread and the preparation thread share.
 *
 * There are two prepared views. The preparation thread writes `back` from acquiring a state until it sets
 * `preparation.done`; from then on the render thread owns both views, until it has swapped them and clears `done`.
 */
#ifndef BRUME_VIEWER_THREADS_RENDER_THREAD_INTERNAL_H
#define BRUME_VIEWER_THREADS_RENDER_THREAD_INTERNAL_H

#include "viewer/threads/render_thread.h"

#include "core/parallel/triple_buffer.h"
#include "core/parallel/worker.h"
#include "raymarch/cpu/preview.h"
#include "viewer/views/adaptive_resolution.h"

#include <pthread.h>
#include <stdatomic.h>

/** Sets of overlay geometry: one for each picture of the triple buffer, one of the front view and one to build. */
enum { BRUME_GEOMETRY_SETS = BRUME_TRIPLE_BUFFER_SLOTS + 2 };

/** A picture of the triple buffer. */
typedef struct BrumePictureSlot {
    BrumeRenderedPicture picture;
    uint8_t *rgb;
    size_t capacity;  ///< of `rgb` [bytes]
    int geometry_set; ///< index of the set that the picture points to, -1: none; guarded by the monitor
} BrumePictureSlot;

/** A prepared view. */
typedef struct BrumeViewInfo {
    BrumeRenderedPicture picture; ///< values that all its pictures have; the settings are `request.view`
    int geometry_set;
    bool in_motion; ///< with the light of pictures in motion
} BrumeViewInfo;

/**
 * The latest attempt to prepare a view. While it is in progress, the preparation thread alone uses the other members,
 * and the render thread while the result waits; otherwise they are guarded by the monitor.
 */
typedef struct BrumePreparation {
    bool in_progress, done; ///< `done`: its result waits for the render thread; guarded by the monitor
    bool attempted;         ///< there was an attempt
    bool has_view;          ///< result: `back` can be drawn; otherwise `error` has the reason
    bool new_state;         ///< result: the previous attempt was for another state
    BrumeViewInfo view;     ///< with the frame, epoch and settings of the attempt
    int revision, variants; ///< of its snapshot
    BrumeError error;       ///< empty text: none
} BrumePreparation;

/** The data that the window, the preparation and the render thread share, guarded by the monitor. */
typedef struct BrumeRenderShared {
    BrumeRenderRequest request; ///< the latest
    bool has_request;
    double moved_at; ///< clock of the latest request that changed the picture of a view [s]
    int threads;
    bool offer;              ///< the present snapshot is to be passed to its user
    unsigned acquired_count; ///< `snapshot_count` when the latest snapshot was acquired; UINT_MAX before the first
    bool source_runs, source_is_late;
    BrumePreparation preparation;
    int front_geometry_set; ///< of the view that is drawn, -1: none
    double full_light_ms;   ///< time of the latest full light, 0: not measured
} BrumeRenderShared;

/** The prepared view that is drawn. */
typedef struct BrumeFrontView {
    pthread_mutex_t mutex; ///< held while the window thread reads the view, and while the render thread swaps it
    BrumePreparedView *view;
    uint64_t serial;
    bool is_being_lit; ///< the render thread computes its light anew, without the mutex
} BrumeFrontView;

/** The data of the preparation thread. The window thread reads `infos`. */
typedef struct BrumePreparing {
    BrumeViewScratch scratch;
    const BrumeSnapshot *snapshot;
    int team_size;
    BrumeTripleBuffer info_buffer;
    BrumeSnapshot infos[BRUME_TRIPLE_BUFFER_SLOTS]; ///< snapshots without their fields
} BrumePreparing;

/** The data that the render thread alone uses. */
typedef struct BrumeDrawing {
    BrumeRenderRequest current; ///< request being handled
    unsigned current_count;     ///< value of `request_count` when it was copied
    unsigned current_snapshots; ///< value of `snapshot_count` at that time
    BrumePictureMotion motion;  ///< motion at that time
    bool is_behind;             ///< a view was to be prepared at that time
    bool has_result;            ///< there is a result of an attempt to prepare a view
    BrumeError error;           ///< of the latest attempt
    uint64_t view_serial;       ///< of the view in front, 0: none is prepared yet
    BrumeViewInfo view;
    BrumeAdaptiveResolution resolution;
    BrumePreview preview;
    bool drawn;          ///< there is a picture of the current request
    int shrink;          ///< divisor of the smoke's resolution in `sum`
    int samples_done;    ///< in `sum`, at full size
    bool finished;       ///< nothing is left to refine
    bool delivered;      ///< a finished picture of the state has been published
    double new_state_at; ///< clock of the latest new state [s]
    double changed_at;   ///< clock of the latest changed request or state [s]
    double motion_at;    ///< clock when the latest picture in motion was started [s]
    double draw_ms;      ///< time that the picture in progress has taken [ms]
    float *sum, *mean;
    size_t capacity; ///< of each [floats]
    int team_size;
    uint64_t serial;
} BrumeDrawing;

/** The pictures that the render thread passes to the window thread. */
typedef struct BrumePublishedPictures {
    BrumeTripleBuffer buffer;
    BrumePictureSlot slots[BRUME_TRIPLE_BUFFER_SLOTS];
    bool has_any; ///< the window thread has taken one
} BrumePublishedPictures;

struct BrumeRenderThread {
    BrumeRenderThreadDef def;
    BrumeWorker render, preparer;

    BrumeMonitor monitor; // locked for copies only
    BrumeRenderShared shared;

    // Written with the monitor locked. The team reads them without it, once per tile, to abandon a picture.
    atomic_bool full;
    atomic_uint request_count;
    atomic_uint snapshot_count; // published

    BrumeFrontView front;
    BrumePreparedView views[2], *back;
    BrumeOverlayGeometry geometry[BRUME_GEOMETRY_SETS][BRUME_MAX_VARIANTS];

    BrumePreparing preparing;
    BrumeDrawing drawing;
    BrumePublishedPictures pictures;
};

/** Whether two requests lead to the same picture of one prepared view. */
bool brume_same_drawing(const BrumeRenderRequest *a, const BrumeRenderRequest *b);

/** Whether the camera or another setting of the picture has changed a moment ago. The monitor is locked. */
bool brume_render_thread_camera_moves(const BrumeRenderThread *thread);

/** Acquires the latest snapshot. Called by the preparation thread, or before it is started. */
void brume_render_thread_acquire_snapshot(BrumeRenderThread *thread);

/** The main function of the preparation thread; `context` is the BrumeRenderThread. */
void brume_render_thread_prepare_views(void *context);

/** Whether a view is to be prepared, or is being prepared, for the latest request and snapshot. The monitor is locked.
 */
bool brume_render_thread_is_behind(const BrumeRenderThread *thread);

/** Publishes the slot's picture of width x height pixels, without pixels if `samples` is 0. */
void brume_render_thread_publish(BrumeRenderThread *thread, int width, int height, int samples);

/** Draws and publishes a picture in motion: one sample per pixel, with the smoke at a resolution within the budget. */
void brume_render_thread_draw_in_motion(BrumeRenderThread *thread);

/** Whether there is memory for the sums of pictures at rest of the present request. */
bool brume_render_thread_reserve_sums(BrumeRenderThread *thread);

/**
 * Doubles the number of samples, or draws all of them at once if only a finished picture is requested. Abandoned on a
 * new request or snapshot.
 */
void brume_render_thread_refine(BrumeRenderThread *thread);

#endif

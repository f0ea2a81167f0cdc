/**
 * @file stored_frames.h
 * Stored frames that are read on request, such as a sequence of volume files. The program that opens the viewer fills
 * the functions; the viewer does not depend on the files.
 */
#ifndef BRUME_VIEWER_PLAYBACK_STORED_FRAMES_H
#define BRUME_VIEWER_PLAYBACK_STORED_FRAMES_H

#include "brume/scene.h"
#include "core/error.h"
#include "viewer/simulation/snapshot.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One frame in memory. */
typedef struct BrumeStoredFrame {
    /**
     * `settings` has the box and the bodies at their positions in this frame; `fields` has the density, and NULL for
     * fields that are not stored; `stats` and `sim_bytes` are zero.
     */
    BrumeSnapshotVariant state;
    BrumeSnapshotVariant second; ///< second variant of a comparison; without fields: there is none
    double time;                 ///< simulated time [s]
    uint32_t seed;               ///< seed of the random numbers of the picture
    int epoch;                   ///< epoch of the snapshot (BrumeSnapshot); 0 for files, as `revision`
    int revision;
} BrumeStoredFrame;

/** Access to the frames. One thread at a time calls the functions, never the window thread. */
typedef struct BrumeStoredFrames {
    void *context; ///< first argument of the functions; valid until no function runs any more
    /**
     * Lists the numbers of the frames that exist, in ascending order; the caller frees `*numbers` with brume_free. An
     * empty list is no error. BRUME_FAILED where the system call fails and without memory.
     */
    BrumeStatus (*list)(void *context, int **numbers, int *count, BrumeError *error);
    /**
     * Reads a frame into `frame`, which is all zero, and may take long. Fails with one line that names the file;
     * `frame` is all zero then.
     */
    BrumeStatus (*read)(void *context, int number, BrumeStoredFrame *frame, BrumeError *error);
    /** A number that changes when the frame is written again. */
    uint64_t (*stamp)(void *context, int number);
    /** Whether the source has a frame in memory, so that reading is fast; NULL: none. */
    bool (*is_close)(void *context, int number);
    double fps;    ///< frames per second of simulated time
    size_t budget; ///< memory for frames [bytes]; shown frames and the next one may exceed it
    bool watch;    ///< frames that are added later are found
    bool replaces; ///< frames may be removed, and written again, before brume_playback_thread_refresh
} BrumeStoredFrames;

/** A sequence of frames to play. */
typedef struct BrumeViewerSequence {
    const char *name; ///< file name pattern, such as "cache/plume.####.hdf"
    BrumeStoredFrames frames;
    /** Creates the scene whose camera, lights and materials show the frames; the caller frees it. */
    BrumeStatus (*load_look)(void *context, BrumeScene **scene, BrumeError *error);
    void *context; ///< first argument of load_look
} BrumeViewerSequence;

#endif

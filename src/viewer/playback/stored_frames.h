/**
 * @file stored_frames.h
 * Frames that were computed before and are read on request, as those of a sequence of volume files. The program that
 * opens the viewer fills the functions; the viewer knows nothing of files.
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
     * `settings` has the box and the obstacles at their positions in this frame; `fields` has the density, and NULL
     * for what is not stored; `stats` and `sim_bytes` are zero.
     */
    BrumeSnapshotVariant state;
    BrumeSnapshotVariant second; ///< of a comparison; without fields, there is none
    double time;                 ///< simulated time [s]
    uint32_t seed;               ///< of the random numbers of the picture
    int epoch;                   ///< of the snapshot (BrumeSnapshot); 0 for files, as `revision`
    int revision;
} BrumeStoredFrame;

/** Where the frames are. All functions are called by one thread at a time, which is not the window thread. */
typedef struct BrumeStoredFrames {
    void *context; ///< first argument of the functions; it must exist until no function runs any more
    /**
     * Lists the numbers of the frames that exist, in ascending order; the caller frees `*numbers` with brume_free. A
     * list without frames is no error. BRUME_FAILED where the system does not permit it and without memory.
     */
    BrumeStatus (*list)(void *context, int **numbers, int *count, BrumeError *error);
    /**
     * Reads a frame into `frame`, which is all zero, and may take long. Fails with one line that names the file;
     * `frame` is all zero then.
     */
    BrumeStatus (*read)(void *context, int number, BrumeStoredFrame *frame, BrumeError *error);
    /** A number that changes when the frame is written again. */
    uint64_t (*stamp)(void *context, int number);
    /** Whether a frame is in memory, from which it is read soon; NULL: none is. */
    bool (*is_close)(void *context, int number);
    double fps;    ///< frames per second of simulated time
    size_t budget; ///< memory for frames [bytes]; the frames that are shown and the next one are held in any case
    bool watch;    ///< frames that are added later are found
    bool replaces; ///< frames may be removed, and written again, before brume_playback_thread_refresh
} BrumeStoredFrames;

/** A sequence of frames to play. */
typedef struct BrumeViewerSequence {
    const char *name; ///< of the files, as "cache/plume.####.hdf"
    BrumeStoredFrames frames;
    /** Makes the scene with whose camera, lights and materials the frames are shown; to be freed by the caller. */
    BrumeStatus (*load_look)(void *context, BrumeScene **scene, BrumeError *error);
    void *context; ///< of load_look
} BrumeViewerSequence;

#endif

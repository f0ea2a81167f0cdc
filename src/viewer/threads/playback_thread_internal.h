/**
 * @file playback_thread_internal.h
 * The data of the playback, by the threads that use them, and the functions that its files share: playback_thread.c has
 * the two threads, playback_requests.c the functions of the window thread.
 */
#ifndef BRUME_VIEWER_THREADS_PLAYBACK_THREAD_INTERNAL_H
#define BRUME_VIEWER_THREADS_PLAYBACK_THREAD_INTERNAL_H

#include "core/parallel/worker.h"
#include "viewer/playback/playhead.h"
#include "viewer/threads/playback_thread.h"

#include <limits.h>

enum { BRUME_NO_FRAME = INT_MIN }; // frames have numbers of either sign

/** What the window thread, the player and the reader share, guarded by the monitor. */
typedef struct BrumePlaybackShared {
    BrumeFrameCache cache;
    BrumePlayhead playhead;
    double fps; ///< frames per second of wall time
    bool frame_by_frame, frame_permitted;
    double read_seconds;
    bool stopped, has_error;
    BrumeError error;
    bool active;                         ///< the player publishes and the reader reads
    uint64_t requested_lists;            ///< how often the frames were to be listed again
    uint64_t finished_lists;             ///< fewer: the list of frames is outdated
    int wanted;                          ///< frame to go to once it is in the list; BRUME_NO_FRAME: none
    const BrumeSnapshot *latest;         ///< that was published; an empty one at first
    const BrumeCachedFrame *shown_frame; ///< that it shows; NULL: the frame of the position is to be published
    BrumeCachedFrame *held_frames[BRUME_TRIPLE_BUFFER_SLOTS]; ///< to which the snapshots refer
} BrumePlaybackShared;

struct BrumePlaybackThread {
    BrumeStoredFrames frames;
    void (*on_change)(void);
    BrumeStateSource source; // the player publishes
    BrumeWorker player, reader;

    BrumeMonitor monitor;
    BrumePlaybackShared shared;

    struct { // of the window thread: copies for the status
        int *numbers;
        unsigned char *states;
        int capacity;
    } window;
};

/** Whether the list of frames is to be made again, or is being made. The monitor is locked. */
static inline bool brume_playback_is_outdated(const BrumePlaybackShared *shared)
{
    return shared->finished_lists < shared->requested_lists;
}

/**
 * Goes to the position nearest to a frame, and once more when the next list is there if the frame is not in an outdated
 * one. The monitor is locked.
 */
void brume_playback_go_to(BrumePlaybackShared *shared, int frame);

/** Sets the positions per second, after a change of their distance or of the speed. The monitor is locked. */
void brume_playback_update_rate(BrumePlaybackShared *shared);

#endif

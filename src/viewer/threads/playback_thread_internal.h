/**
 * @file playback_thread_internal.h
 * The data of the playback, and the functions that its files share: playback_thread.c has the two threads,
 * playback_requests.c the functions of the window thread.
 */
#ifndef BRUME_VIEWER_THREADS_PLAYBACK_THREAD_INTERNAL_H
#define BRUME_VIEWER_THREADS_PLAYBACK_THREAD_INTERNAL_H

#include "core/parallel/triple_buffer.h"
#include "viewer/playback/playhead.h"
#include "viewer/threads/playback_thread.h"

#include <limits.h>
#include <pthread.h>

enum { BRUME_NO_FRAME = INT_MIN }; // frames have numbers of either sign

struct BrumePlaybackThread {
    BrumeStoredFrames frames;
    void (*on_change)(void);
    pthread_t player, reader;
    bool player_started;

    // Guarded by `mutex`.
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool quit;
    bool reader_runs;
    bool abandoned; // the reader frees the struct when it ends
    BrumeFrameCache cache;
    BrumePlayhead playhead;
    double speed;
    bool frame_by_frame, frame_permitted;
    int reading; // frame number, 0 for none
    double read_seconds;
    bool stopped, has_error;
    BrumeError error;
    int shown;                           // frame of the latest snapshot, 0 for none
    bool active;                         // the player publishes and the reader reads
    uint64_t requested_lists;            // how often the frames were to be listed again
    uint64_t finished_lists;             // fewer: the list of frames is outdated
    int wanted;                          // frame to go to once it is in the list; BRUME_NO_FRAME: none
    uint64_t serial;                     // of the latest snapshot
    const BrumeCachedFrame *shown_frame; // that it shows

    // Used by the window thread alone: copies for the status.
    int *numbers;
    unsigned char *states;
    int status_capacity;

    pthread_mutex_t callback_mutex; // held while the callback runs
    void (*callback)(void *);
    void *callback_context;

    // Used by the player alone.
    bool shown_running, shown_frame_by_frame;

    // Written by the player, read by the preparation thread.
    BrumeTripleBuffer buffer;
    BrumeSnapshot snapshots[BRUME_TRIPLE_BUFFER_SLOTS];
    BrumeCachedFrame *held_frames[BRUME_TRIPLE_BUFFER_SLOTS]; // that the snapshots refer to
};

static inline void brume_playback_lock(BrumePlaybackThread *thread) { (void)pthread_mutex_lock(&thread->mutex); }

static inline void brume_playback_unlock(BrumePlaybackThread *thread) { (void)pthread_mutex_unlock(&thread->mutex); }

static inline void brume_playback_unlock_and_signal(BrumePlaybackThread *thread)
{
    (void)pthread_cond_broadcast(&thread->changed);
    brume_playback_unlock(thread);
}

/** Whether the list of frames is to be made again, or is being made. The mutex is locked. */
static inline bool brume_playback_is_outdated(const BrumePlaybackThread *thread)
{
    return thread->finished_lists < thread->requested_lists;
}

/**
 * Goes to the position nearest to a frame, and once more when the next list is there if the frame is not in an outdated
 * one. The mutex is locked.
 */
void brume_playback_go_to(BrumePlaybackThread *thread, int frame);

/** Sets the positions per second, after a change of their distance or of the speed. The mutex is locked. */
void brume_playback_update_rate(BrumePlaybackThread *thread);

#endif

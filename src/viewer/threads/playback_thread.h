/**
 * @file playback_thread.h
 * Plays stored frames, of a sequence or of the past of a simulation (playback/stored_frames.h), with two threads. The
 * reader reads frames into memory ahead of the playhead; the player publishes the frame of the playhead as a snapshot.
 * Where reading is slower than playing, the player skips frames: it waits only for the first frame after a jump.
 *
 * Which thread does what:
 * | thread             | functions                                                           |
 * | ------------------ | ------------------------------------------------------------------- |
 * | reader             | the functions of BrumeStoredFrames, dropping frames, `on_change`    |
 * | player             | moving the playhead, publishing snapshots, the snapshot callback    |
 * | preparation thread | brume_state_source_latest                                           |
 * | window thread      | all functions of this header                                        |
 *
 * No function waits for a frame to be read; brume_playback_thread_destroy waits at most half a second.
 */
#ifndef BRUME_VIEWER_THREADS_PLAYBACK_THREAD_H
#define BRUME_VIEWER_THREADS_PLAYBACK_THREAD_H

#include "core/error.h"
#include "viewer/playback/frame_cache.h"
#include "viewer/threads/state_source.h"

#include <stdbool.h>

typedef struct BrumePlaybackThread BrumePlaybackThread;

typedef struct BrumePlaybackDef {
    BrumeStoredFrames frames;
    bool running, loop;
    bool inactive;           ///< nothing is read or published until brume_playback_thread_set_active
    void (*on_change)(void); ///< called after the state of a frame or the list of frames has changed; NULL for none
} BrumePlaybackDef;

/** Settings of playback. */
typedef struct BrumePlaybackMode {
    bool loop, backwards;
    bool held;  ///< time does not move the position, as during a drag on the timeline
    double fps; ///< frames per second of wall time
} BrumePlaybackMode;

/** The values that the timeline shows. */
typedef struct BrumePlaybackStatus {
    int first, last, stride;     ///< range of the positions; 0 without frames
    int position;                ///< of the playhead
    int shown;                   ///< number of the frame that was published last; 0: none yet
    int frame;                   ///< number of the frame for the position, shown once read; -1 without frames
    bool is_missing;             ///< there is no file for the position
    bool is_broken;              ///< the file of the position cannot be read
    bool is_reading;             ///< the frame of the position is not in memory yet
    bool stopped;                ///< playing has reached the end since the previous call
    int count;                   ///< files
    const int *numbers;          ///< numbers of their frames, ascending; valid until the next call, as `states`
    const unsigned char *states; ///< BrumeFrameState of each
    int in_memory;
    size_t bytes, budget; ///< memory of the frames in memory, and its maximum
    double read_ms;       ///< running mean of the wall time to read a frame; 0 before the first [ms]
    bool has_error;       ///< `error` has not been returned before
    BrumeError error;     ///< of the latest frame that cannot be read
} BrumePlaybackStatus;

/**
 * Lists the frames and starts both threads. `def->frames.context` must exist until brume_playback_thread_destroy has
 * returned and no read is in progress. The first snapshot is empty. BRUME_FAILED where listing fails and without memory
 * or a thread; `*thread` is NULL then.
 */
BrumeStatus brume_playback_thread_create(BrumePlaybackThread **thread, const BrumePlaybackDef *def, BrumeError *error);

/**
 * Stops both threads and frees everything. Waits at most half a second for a file that is being read; a reader that
 * takes longer frees the rest itself when it ends. NULL is allowed.
 */
void brume_playback_thread_destroy(BrumePlaybackThread *thread);

/** The states that the player publishes; valid until the thread is destroyed. */
BrumeStateSource *brume_playback_thread_source(BrumePlaybackThread *thread);

/**
 * Goes to the position nearest to a frame in the present list and, where the frames are being listed again
 * (brume_playback_thread_refresh), in the new list too. INT_MAX: the last frame.
 */
void brume_playback_thread_seek(BrumePlaybackThread *thread, int frame);

/** Goes forward by `count` positions, or back where it is negative. */
void brume_playback_thread_step(BrumePlaybackThread *thread, int count);

/** Starts playback, or stops it at the present frame. */
void brume_playback_thread_set_running(BrumePlaybackThread *thread, bool running);

/** Sets the settings of playback. The initial settings play forwards at the rate of the frames. */
void brume_playback_thread_set_mode(BrumePlaybackThread *thread, const BrumePlaybackMode *mode);

/**
 * While enabled, the player waits after every frame until brume_playback_thread_permit_frame, which any thread may
 * call, so that a recording misses none.
 */
void brume_playback_thread_set_frame_by_frame(BrumePlaybackThread *thread, bool enabled);
void brume_playback_thread_permit_frame(BrumePlaybackThread *thread);

/**
 * Requests a new list of the frames where they can be replaced (BrumeStoredFrames.replaces); changed frames are read
 * again. `on_change` is called afterwards.
 */
void brume_playback_thread_refresh(BrumePlaybackThread *thread);

/**
 * Activates or deactivates reading and publishing. Returns the serial of the next snapshot: after activation, the first
 * snapshot with this serial or a greater one has the frame of the position.
 */
uint64_t brume_playback_thread_set_active(BrumePlaybackThread *thread, bool active);

/** Copies the present status. */
void brume_playback_thread_poll(BrumePlaybackThread *thread, BrumePlaybackStatus *status);

#endif

/**
 * @file playback_thread.h
 * Plays frames that were computed before, a sequence or the past of a simulation (playback/stored_frames.h), with two
 * threads. The reader reads frames into memory, ahead of those that are shown; the player publishes the frame of the
 * playhead as a snapshot. Where reading is slower than playing, the player skips frames: it never waits for one but the
 * first after a jump.
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

/** How the frames are played. */
typedef struct BrumePlaybackMode {
    bool loop, backwards;
    bool held;  ///< time does not move the position, as during a drag on the timeline
    double fps; ///< frames per second of wall time
} BrumePlaybackMode;

/** What the timeline shows. */
typedef struct BrumePlaybackStatus {
    int first, last, stride;     ///< of the positions; 0 without frames
    int position;                ///< of the playhead
    int shown;                   ///< frame that was published last; 0: none yet
    int frame;                   ///< that is shown for the position once it is read; -1 without frames
    bool is_missing;             ///< there is no file of the position
    bool is_broken;              ///< that file cannot be read
    bool is_reading;             ///< the frame of the position is not in memory yet
    bool stopped;                ///< playing has reached the end since the previous call
    int count;                   ///< files
    const int *numbers;          ///< their frames, ascending; valid until the next call, as `states`
    const unsigned char *states; ///< BrumeFrameState of each
    int in_memory;
    size_t bytes, budget; ///< of the frames in memory, and the most that they may have
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
 * Stops both threads and frees everything. Where a file is being read for longer than half a second more, the reader
 * is left to itself and frees the rest after it. NULL is fine.
 */
void brume_playback_thread_destroy(BrumePlaybackThread *thread);

/** The states that it publishes; valid until it is destroyed. */
BrumeStateSource *brume_playback_thread_source(BrumePlaybackThread *thread);

/**
 * Goes to the position that is nearest to a frame: of the frames that are listed, and where these are being listed
 * again (brume_playback_thread_refresh), of those of the new list too. INT_MAX: the last one.
 */
void brume_playback_thread_seek(BrumePlaybackThread *thread, int frame);

/** Goes `count` positions on, or back where it is negative. */
void brume_playback_thread_step(BrumePlaybackThread *thread, int count);

/** Publishes frame after frame, or stops after the present one. */
void brume_playback_thread_set_running(BrumePlaybackThread *thread, bool running);

/** Sets how it plays. At first it plays forwards, with the rate of the frames. */
void brume_playback_thread_set_mode(BrumePlaybackThread *thread, const BrumePlaybackMode *mode);

/**
 * While enabled, the player waits after every frame until brume_playback_thread_permit_frame, which any thread may
 * call, so that a recording misses none.
 */
void brume_playback_thread_set_frame_by_frame(BrumePlaybackThread *thread, bool enabled);
void brume_playback_thread_permit_frame(BrumePlaybackThread *thread);

/**
 * Lists the frames again, of a source whose frames are replaced (BrumeStoredFrames.replaces); those that have changed
 * are read again. `on_change` is called then.
 */
void brume_playback_thread_refresh(BrumePlaybackThread *thread);

/**
 * While it is not active, nothing is read or published. Returns the serial of the next snapshot: after it becomes
 * active, the first snapshot with that serial or a greater one has the frame of the position.
 */
uint64_t brume_playback_thread_set_active(BrumePlaybackThread *thread, bool active);

/** Copies the present status. */
void brume_playback_thread_poll(BrumePlaybackThread *thread, BrumePlaybackStatus *status);

#endif

/**
 * @file frame_history.h
 * The frames of a running simulation that are kept, so that they can be shown again. The latest are in memory; where
 * that does not suffice, the oldest go to a temporary file; where that does not suffice either, frames are dropped: of
 * the older half of those that are kept the one whose neighbors are the nearest to each other, so that the older half
 * becomes sparser evenly, and the newer half stays complete. The first frame stays. The frames of a future that was
 * discarded are set aside: they are not listed, and are dropped before any other frame.
 *
 * Of a frame are kept the settings and statistics of each variant, its fields as half floats (compact_state.h), its
 * time and the hash of the full state. The bytes of the frames that are kept never exceed the budgets.
 *
 * Which thread does what:
 * | thread            | functions                                                               |
 * | ----------------- | ----------------------------------------------------------------------- |
 * | simulation thread | brume_frame_history_keep, _follow, _clear                                |
 * | reader            | the functions of brume_frame_history_frames                             |
 * | any thread        | brume_frame_history_status, brume_frame_history_find                    |
 * | window thread     | all other functions                                                     |
 */
#ifndef BRUME_VIEWER_HISTORY_FRAME_HISTORY_H
#define BRUME_VIEWER_HISTORY_FRAME_HISTORY_H

#include "core/error.h"
#include "viewer/playback/stored_frames.h"
#include "viewer/simulation/edit_log.h"
#include "viewer/simulation/session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct BrumeFrameHistory BrumeFrameHistory;

typedef struct BrumeFrameHistoryDef {
    size_t memory;   ///< most bytes of the frames in memory
    uint64_t disk;   ///< most bytes of the temporary file; 0: none is made
    size_t playback; ///< memory in which frames that are shown are held as full fields [bytes]
} BrumeFrameHistoryDef;

/** What is kept. */
typedef struct BrumeFrameHistoryStatus {
    int count;           ///< frames that are kept
    int in_memory;       ///< of them, in memory
    int first, last;     ///< their smallest and greatest numbers; 0 without frames
    size_t bytes;        ///< of the frames in memory, also of those that are set aside
    size_t memory;       ///< the most that they may have
    uint64_t file_bytes; ///< of the frames in the temporary file
    uint64_t disk;       ///< the most that they may have
    uint64_t changes;    ///< increases with every frame that is kept or dropped
    int epoch;           ///< of the simulation that the frames are of
    bool has_error;      ///< `error` has not been returned before
    BrumeError error;    ///< why the temporary file is not used any more
} BrumeFrameHistoryStatus;

/** BRUME_FAILED without memory; `*history` is NULL then. */
BrumeStatus brume_frame_history_create(BrumeFrameHistory **history, const BrumeFrameHistoryDef *def, BrumeError *error);

/** NULL is fine. No other thread may use it any more. */
void brume_frame_history_destroy(BrumeFrameHistory *history);

/** Drops all frames; those that follow are of a new start of the simulation. */
void brume_frame_history_clear(BrumeFrameHistory *history, int epoch);

/**
 * Keeps the present frame of a session, in place of one of the same number; `key` is the brume_edit_log_key of what led
 * to it, and where the frame is kept with this key already, nothing is done. Without memory for it, the frame is not
 * kept. Parallel over z-planes; waits for the temporary file.
 */
void brume_frame_history_keep(BrumeFrameHistory *history, const BrumeSession *session, uint64_t key);

/** Lists the frames that are on the way which the log describes, up to `last`, and sets aside all others. */
void brume_frame_history_follow(BrumeFrameHistory *history, BrumeEditLog *log, int last);

void brume_frame_history_status(BrumeFrameHistory *history, BrumeFrameHistoryStatus *status);

/** What is known of a frame without reading it. */
typedef struct BrumeKeptFrame {
    double time; ///< simulated time [s]
    int variant_count;
    uint64_t hash[BRUME_MAX_VARIANTS]; ///< of the full state, as brume_sim_hash
    BrumeSimDef settings[BRUME_MAX_VARIANTS];
} BrumeKeptFrame;

/** Finds a frame; false where it is not kept. */
bool brume_frame_history_find(BrumeFrameHistory *history, int frame, BrumeKeptFrame *kept);

/**
 * The frames as those of a sequence, for the playback. Their snapshots have the epoch of the simulation, and revisions
 * below 0.
 */
BrumeStoredFrames brume_frame_history_frames(BrumeFrameHistory *history, double fps);

#endif

/**
 * @file frame_history.h
 * Stores the frames of a running simulation, so that they can be shown again. The latest frames are in memory. Where
 * memory does not suffice, the oldest are moved to a temporary file; where the file does not suffice either, frames are
 * dropped from the older half: the frame whose neighbors have the smallest distance, so that this half becomes sparser
 * evenly, and the newer half stays complete. The first frame is not dropped. Frames after an undone edit or after a
 * frame to which the user went back are set aside: they are not listed, and are dropped before any other frame.
 *
 * A stored frame has the settings and statistics of each variant, its fields as half floats (compact_state.h), its time
 * and the hash of the full state. The size of the stored frames never exceeds the budgets.
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
    size_t memory;   ///< maximum size of the frames in memory [bytes]
    uint64_t disk;   ///< maximum size of the temporary file [bytes]; 0: none is created
    size_t playback; ///< memory for the full fields of shown frames [bytes]
} BrumeFrameHistoryDef;

/** The extent of the history. */
typedef struct BrumeFrameHistoryStatus {
    int count;           ///< stored frames
    int in_memory;       ///< stored frames that are in memory
    int first, last;     ///< smallest and greatest number of the frames; 0 without frames
    size_t bytes;        ///< size of the frames in memory, the ones set aside included
    size_t memory;       ///< the most that they may have
    uint64_t file_bytes; ///< size of the frames in the temporary file
    uint64_t disk;       ///< the most that they may have
    uint64_t changes;    ///< increases with every frame that is added or dropped
    int epoch;           ///< epoch of the simulation that has computed the frames
    bool has_error;      ///< `error` has not been returned before
    BrumeError error;    ///< why the temporary file is not used any more
} BrumeFrameHistoryStatus;

/** Creates an empty history. BRUME_FAILED without memory; `*history` is NULL then. */
BrumeStatus brume_frame_history_create(BrumeFrameHistory **history, const BrumeFrameHistoryDef *def, BrumeError *error);

/** Frees everything. NULL is allowed. No other thread may use it any more. */
void brume_frame_history_destroy(BrumeFrameHistory *history);

/** Drops all frames. Later frames belong to a new start of the simulation with this epoch. */
void brume_frame_history_clear(BrumeFrameHistory *history, int epoch);

/**
 * Stores the present frame of a session, in place of one with the same number; `key` is the brume_edit_log_key of its
 * state. Does nothing where the frame is stored with this key already, after a failed frame, and without memory.
 * Parallel over z-planes; waits for the temporary file.
 */
void brume_frame_history_keep(BrumeFrameHistory *history, const BrumeSession *session, uint64_t key);

/** Lists the frames that the run of the log contains, up to `last`, and sets aside all others. */
void brume_frame_history_follow(BrumeFrameHistory *history, BrumeEditLog *log, int last);

void brume_frame_history_status(BrumeFrameHistory *history, BrumeFrameHistoryStatus *status);

/** The data of a stored frame that need no reading of its fields. */
typedef struct BrumeKeptFrame {
    double time; ///< simulated time [s]
    int variant_count;
    uint64_t hash[BRUME_MAX_VARIANTS]; ///< of the full state, as brume_sim_hash
    BrumeSimDef settings[BRUME_MAX_VARIANTS];
} BrumeKeptFrame;

/** Finds a frame; false where it is not stored. */
bool brume_frame_history_find(BrumeFrameHistory *history, int frame, BrumeKeptFrame *kept);

/**
 * Returns access to the frames for playback, as to a sequence. Their snapshots have the epoch of the simulation, and
 * revisions below 0.
 */
BrumeStoredFrames brume_frame_history_frames(BrumeFrameHistory *history, double fps);

#endif

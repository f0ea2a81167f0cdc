/**
 * @file edit_log.h
 * Everything that the frames of a session were given since its start, in order: from the log and an earlier state, the
 * later states are computed again, with or without an edit. It has what the user did, not the changes that resulted: a
 * frame is divided among the strokes that are not undone.
 */
#ifndef BRUME_VIEWER_SIMULATION_EDIT_LOG_H
#define BRUME_VIEWER_SIMULATION_EDIT_LOG_H

#include "core/error.h"
#include "viewer/simulation/pending_edits.h"

typedef enum BrumeLogKind {
    BRUME_LOG_FORK,     ///< a comparison began before the frame
    BRUME_LOG_KEEP,     ///< a comparison ended before it, with `variant`
    BRUME_LOG_SETTINGS, ///< of `variant`
    BRUME_LOG_ANIMATION,
    BRUME_LOG_STROKE,
    BRUME_LOG_MOTION,
} BrumeLogKind;

typedef struct BrumeLogEntry {
    BrumeLogKind kind;
    uint64_t serial; ///< different from that of every other entry since the start
    int frame;       ///< frames finished before
    int edit;        ///< number of the edit; 0: cannot be undone
    bool undone;
    int variant;
    BrumeSimDef *settings;     ///< owned
    BrumeAnimation *animation; ///< owned
    BrumeStrokeSegment segment;
    BrumeObstacleMotion motion;
} BrumeLogEntry;

/** Entries in the order of their frames. Zeroed, it is empty. */
typedef struct BrumeEditLog {
    int count, capacity;
    BrumeLogEntry *entries;
    uint64_t serials; ///< the latest that was given
} BrumeEditLog;

/** Frees all entries. */
void brume_edit_log_clear(BrumeEditLog *log);

/** Inserts a fork or an end of a comparison at an index. BRUME_FAILED without memory; the log is unchanged then. */
BrumeStatus brume_edit_log_insert(BrumeEditLog *log, int index, const BrumeLogEntry *entry, BrumeError *error);

/** Removes the entries from `count` on, and adds their strokes and motions to `edits`. */
void brume_edit_log_take_back(BrumeEditLog *log, int count, BrumePendingEdits *edits);

/** Appends what frame number `frame` + 1 is given. BRUME_FAILED without memory; the log is unchanged then. */
BrumeStatus brume_edit_log_append(BrumeEditLog *log, int frame, const BrumePendingEdits *edits, BrumeError *error);

/** The animation of the entries before `position`; NULL: they have none. Valid until the log is changed. */
const BrumeAnimation *brume_edit_log_animation(const BrumeEditLog *log, int position);

/** Moves the entries from `index` on to `tail`, which is empty. BRUME_FAILED without memory; nothing has changed then.
 */
BrumeStatus brume_edit_log_split(BrumeEditLog *log, int index, BrumeEditLog *tail, BrumeError *error);

/** Moves all entries of `tail` to the end of the log. BRUME_FAILED without memory; nothing has changed then. */
BrumeStatus brume_edit_log_join(BrumeEditLog *log, BrumeEditLog *tail, BrumeError *error);

/**
 * Identifies what led to a state: the entries before `position`, and which of them are undone. Two states of a session
 * after the same number of frames with the same key have the same bits.
 */
uint64_t brume_edit_log_key(const BrumeEditLog *log, int position);

/** The key of the entries up to an index, in ascending order of frames. Zeroed but for the log, it is at the start. */
typedef struct BrumeLogCursor {
    const BrumeEditLog *log;
    int position;
    uint64_t key;
} BrumeLogCursor;

/**
 * Goes on to the first entry after the state of `frame`, of which comparisons that begin or end there are a part. That
 * frame is not before the one of an earlier call.
 */
void brume_log_cursor_go_to(BrumeLogCursor *cursor, int frame);

/** Marks the entries of an edit as undone, or not. Returns the index of the first that has changed, -1 for none. */
int brume_edit_log_set_undone(BrumeEditLog *log, int edit, bool undone);

#endif

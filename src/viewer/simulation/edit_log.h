/**
 * @file edit_log.h
 * The document of a run: what it started with, and every edit since, in order. The window thread adds edits and changes
 * which of them have an effect; the simulation thread computes the frames that the log describes, from the start or
 * from any state that is kept, and notes the frame that applied an edit, or that it was rejected. Both hold one mutex
 * for that. What a log lists as settings and animated values of a frame stays where it is until the log is destroyed.
 */
#ifndef BRUME_VIEWER_SIMULATION_EDIT_LOG_H
#define BRUME_VIEWER_SIMULATION_EDIT_LOG_H

#include "brume/animation.h"
#include "brume/timeline.h"
#include "core/error.h"
#include "viewer/simulation/snapshot.h"
#include "viewer/simulation/stroke_queue.h"

#include <limits.h>

typedef enum BrumeLogKind {
    BRUME_LOG_FORK,     ///< a comparison begins: its second variant is the one of this entry
    BRUME_LOG_KEEP,     ///< a comparison ends with `variant`
    BRUME_LOG_SETTINGS, ///< of `variant`
    BRUME_LOG_ANIMATION,
    BRUME_LOG_STROKE,
    BRUME_LOG_MOTION,
} BrumeLogKind;

/** The displacement of an obstacle during a frame, or its replacement before the frame, for all variants. */
typedef struct BrumeObstacleMotion {
    int edit; ///< number of the edit, above 0; 0: one that cannot be undone
    int obstacle;
    BrumeVec3 displacement; ///< [m]
    bool stays;             ///< a restart begins with it; otherwise with the obstacle where it was before
    bool places;          ///< the obstacle becomes `def`, after earlier displacements; the first that is not there yet
                          ///< is added
    BrumeObstacleDef def; ///< of a volume, the simulation has the samples
} BrumeObstacleMotion;

/** The frame of entries that no frame has applied yet. */
enum { BRUME_LOG_WAITS = INT_MAX };

typedef struct BrumeLogEntry {
    BrumeLogKind kind;
    uint64_t serial; ///< different from that of every other entry
    int frame;       ///< frames finished before the one that applies it
    int edit;        ///< number of the edit; 0: cannot be undone
    bool undone;
    bool rejected;    ///< the simulation could not apply it
    uint64_t variant; ///< the serial of the fork that it began with; below BRUME_MAX_VARIANTS: one of the start
    uint64_t key;     ///< brume_edit_log_key after this entry, while it is among the `keyed` ones
    union {
        BrumeSimDef *settings;     ///< owned
        BrumeAnimation *animation; ///< owned
        BrumeStrokeSegment segment;
        BrumeObstacleMotion motion;
    };
} BrumeLogEntry;

/** Entries: first those that frames have applied, in the order of the frames, then those that wait. */
typedef struct BrumeLogEntries {
    int count, capacity;
    BrumeLogEntry *items;
} BrumeLogEntries;

/** A return to an earlier frame, from which the run went on. It is an edit that can be undone. */
typedef struct BrumeLogBranch {
    int edit;
    int position;         ///< of the first entry after that frame
    bool undone;          ///< the log is on the branch that it had left
    BrumeLogEntries tail; ///< of the other branch
    int frames;           ///< of the other branch, as in the log
} BrumeLogBranch;

/** The variants of a run by their first entries (BrumeLogEntry.variant). */
typedef struct BrumeLogVariants {
    int count;
    uint64_t ids[BRUME_MAX_VARIANTS];
} BrumeLogVariants;

typedef struct BrumeEditLog {
    // the start
    int start_count; ///< of variants
    BrumeSimDef start_settings[BRUME_MAX_VARIANTS];
    BrumeAnimation start_animation;
    BrumeTimeline scene_timeline; ///< what the scene prescribes; owned
    bool is_restart;              ///< that is still the one of the run before

    BrumeLogEntries entries;
    int taken;                 ///< entries that frames have applied, or apply
    int frames;                ///< that the run has, or will have when all of them are computed
    unsigned changes;          ///< increases where entries that frames have applied are changed
    BrumeLogVariants variants; ///< at the end
    int keyed;                 ///< entries that have their key
    uint64_t serials;          ///< the latest that was given
    int branch_count, branch_capacity;
    BrumeLogBranch *branches; ///< in the order of their edits
} BrumeEditLog;

/** A run that starts with the settings of `count` variants. BRUME_FAILED without memory; `*log` is NULL then. */
BrumeStatus brume_edit_log_create(BrumeEditLog **log, const BrumeSimDef *settings, int count,
                                  const BrumeAnimation *animation, BrumeError *error);

/**
 * A run that starts with the latest settings and variants of another one, also those that wait. The obstacles are those
 * of its start with the motions that stay. Fails as brume_edit_log_create.
 */
BrumeStatus brume_edit_log_restart(BrumeEditLog **next, const BrumeEditLog *log, BrumeError *error);

/** Replaces an obstacle, or adds the next one; false where it would be none of these. A volume has its samples. */
bool brume_place_obstacle(BrumeSimDef *settings, int n, const BrumeObstacleDef *def);

/** Takes the timeline of the scene over from the run before, if the log is a restart that has not. */
void brume_edit_log_take_timeline(BrumeEditLog *log, BrumeEditLog *before);

/** NULL is fine. */
void brume_edit_log_destroy(BrumeEditLog *log);

/*
 * The edits that wait for the next frame. BRUME_FAILED without memory; the log is unchanged then.
 */

BrumeStatus brume_edit_log_add_stroke(BrumeEditLog *log, const BrumeStrokeSegment *segment, BrumeError *error);

/** Motions of the same obstacle by the same edit add up. */
BrumeStatus brume_edit_log_move(BrumeEditLog *log, const BrumeObstacleMotion *motion, BrumeError *error);

/** Replaces settings of the variant that wait. */
BrumeStatus brume_edit_log_set_settings(BrumeEditLog *log, uint64_t variant, const BrumeSimDef *settings,
                                        BrumeError *error);

/** Replaces animated values that wait. */
BrumeStatus brume_edit_log_set_animation(BrumeEditLog *log, const BrumeAnimation *animation, BrumeError *error);

/**
 * A comparison begins, or ends with the variant number `kept`, before all else that waits. Settings of the first
 * variant that wait are those of the second one, too. Nothing where there is a comparison, or none.
 */
BrumeStatus brume_edit_log_fork(BrumeEditLog *log, int edit, BrumeError *error);
BrumeStatus brume_edit_log_keep(BrumeEditLog *log, int kept, int edit, BrumeError *error);

/** The settings of a variant that wait; NULL: none. Valid until the log is changed. */
const BrumeSimDef *brume_edit_log_waiting_settings(const BrumeEditLog *log, uint64_t variant);

/*
 * Undoing.
 */

/** Undoes an edit, or redoes it. BRUME_FAILED without memory; the log is unchanged then. */
BrumeStatus brume_edit_log_set_undone(BrumeEditLog *log, int edit, bool undone, BrumeError *error);

/**
 * Goes back to the state after `frame` frames, at most as many as there are, as `edit`: all that came after it, and all
 * that waits, is of another branch until the edit is undone. BRUME_FAILED without memory; the log is unchanged then.
 */
BrumeStatus brume_edit_log_go_back(BrumeEditLog *log, int edit, int frame, BrumeError *error);

/*
 * The frames.
 */

/** Whether the entry begins or ends a comparison, which belongs to the state after `frame` frames. */
static inline bool brume_log_entry_compares(const BrumeLogEntry *entry) { return entry->kind <= BRUME_LOG_KEEP; }

/** Whether the entry has an effect. */
static inline bool brume_log_entry_counts(const BrumeLogEntry *entry) { return !entry->undone && !entry->rejected; }

/**
 * The end of the entries from `position` on that one frame can apply: all but those from the first stroke on for which
 * it has no room, even if none of them is undone. `max_strokes`: the room, 0 to BRUME_MAX_STROKES.
 */
int brume_edit_log_frame_end(const BrumeEditLog *log, int position, int max_strokes);

/** Asks for one more frame, which applies what waits, as far as it has room. */
void brume_edit_log_take_frame(BrumeEditLog *log);

/** The latest frame is not computed: what it was to apply waits again. */
void brume_edit_log_give_back_frame(BrumeEditLog *log);

/** The position of the first entry after the state of `frame`, of which comparisons that begin or end there are a part.
 */
int brume_edit_log_position(const BrumeEditLog *log, int frame);

/**
 * Identifies what led to a state: the entries before `position` that are not undone. Two states of a log after the same
 * number of frames with the same key have the same bits.
 */
uint64_t brume_edit_log_key(BrumeEditLog *log, int position);

/** Whether the way that the log describes leads through a state of a frame with this position and key. */
bool brume_edit_log_leads_to(BrumeEditLog *log, int frame, int position, uint64_t key);

/** Marks an entry as rejected. */
void brume_edit_log_reject(BrumeEditLog *log, int index);

/** Whether a comparison has ended since the state of `frame`: one of its variants has not gone on. */
bool brume_edit_log_ends_comparison(const BrumeEditLog *log, int frame);

#endif

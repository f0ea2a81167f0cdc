/**
 * @file edit_log.h
 * The document of a run: its start settings, and every edit since, in order. The window thread adds, undoes and redoes
 * edits. The simulation thread computes the frames that the log describes, from the start or from any saved state, and
 * records which frame applied an edit, or that it was rejected. Both lock one mutex for that. Settings and animated
 * values that an entry points to stay valid until the log is destroyed.
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
    BRUME_LOG_FORK,     ///< a comparison begins: `variant` is the serial of this entry, and the second variant's
    BRUME_LOG_KEEP,     ///< a comparison ends: `variant` continues alone
    BRUME_LOG_SETTINGS, ///< new settings of `variant`
    BRUME_LOG_ANIMATION,
    BRUME_LOG_STROKE,
    BRUME_LOG_MOTION,
} BrumeLogKind;

/** The motion of a body during a frame, or its replacement before the frame, for all variants. */
typedef struct BrumeBodyMotion {
    int edit; ///< number of the edit, above 0; 0: it cannot be undone
    int body;
    BrumeVec3 displacement; ///< [m]
    BrumeVec3 turn;         ///< change of its rotation (shape.h) [degrees]
    bool survives_restart;  ///< a restart keeps this motion; otherwise it begins with the previous position
    bool replaces;          ///< replaces the body by `def`, after earlier motions, or adds it as the next one
    BrumeBodyDef def;       ///< whose samples and mesh are valid until the log is destroyed
} BrumeBodyMotion;

/** The frame of entries that no frame has applied yet. */
enum { BRUME_LOG_WAITS = INT_MAX };

typedef struct BrumeLogEntry {
    BrumeLogKind kind;
    uint64_t serial; ///< unique among the entries
    int frame;       ///< number of frames before the one that applies the entry
    int edit;        ///< number of the edit; 0: cannot be undone
    bool undone;
    bool rejected;    ///< the simulation could not apply it
    uint64_t variant; ///< serial of the fork entry that created it; below BRUME_MAX_VARIANTS: a variant of the start
    uint64_t key;     ///< brume_edit_log_key after this entry; valid for the first `keyed` entries
    union {
        BrumeSimDef *settings;     ///< owned
        BrumeAnimation *animation; ///< owned
        BrumeStrokeSegment segment;
        BrumeBodyMotion motion;
    };
} BrumeLogEntry;

/** Entries: first the ones that frames have applied, in the order of the frames, then the ones that wait. */
typedef struct BrumeLogEntries {
    int count, capacity;
    BrumeLogEntry *items;
} BrumeLogEntries;

/** A return to an earlier frame, from which the run continued. It is an edit that can be undone. */
typedef struct BrumeLogBranch {
    int edit;
    int position;         ///< index of the first entry after that frame
    bool undone;          ///< the return is undone: the log has the original entries again
    BrumeLogEntries tail; ///< entries of the other branch
    int frames;           ///< number of frames of the other branch
} BrumeLogBranch;

/** The variants of a run, identified as in BrumeLogEntry.variant. */
typedef struct BrumeLogVariants {
    int count;
    uint64_t ids[BRUME_MAX_VARIANTS];
} BrumeLogVariants;

typedef struct BrumeEditLog {
    // the start
    int start_count; ///< number of variants
    BrumeSimDef start_settings[BRUME_MAX_VARIANTS];
    BrumeAnimation start_animation;
    BrumeTimeline scene_timeline; ///< scheduled changes of the scene; owned
    bool is_restart;              ///< the log is a restart, and the previous log still owns `scene_timeline`

    BrumeLogEntries entries;
    int taken;                 ///< number of entries that frames have applied, or apply now
    int frames;                ///< number of frames of the run once all of them are computed
    unsigned changes;          ///< increases when entries that frames have applied are changed
    BrumeLogVariants variants; ///< variants after all entries
    int keyed;                 ///< number of entries with a valid key
    uint64_t serials;          ///< latest serial that was assigned
    int branch_count, branch_capacity;
    BrumeLogBranch *branches; ///< in the order of their edits
} BrumeEditLog;

/** Creates a log that starts with the settings of `count` variants. BRUME_FAILED without memory, with `*log` NULL. */
BrumeStatus brume_edit_log_create(BrumeEditLog **log, const BrumeSimDef *settings, int count,
                                  const BrumeAnimation *animation, BrumeError *error);

/**
 * Creates the log of a run that starts with the latest settings and variants of another one, waiting ones included. Its
 * bodies are the ones at the other run's start, after motions that `survives_restart` marks. Fails as
 * brume_edit_log_create.
 */
BrumeStatus brume_edit_log_restart(BrumeEditLog **next, const BrumeEditLog *log, BrumeError *error);

/** Replaces body `n`, or adds the next one; false where `n` is neither. */
bool brume_place_body(BrumeSimDef *settings, int n, const BrumeBodyDef *def);

/** Moves the timeline of the scene from the previous log to this one, if this is a restart without it. */
void brume_edit_log_take_timeline(BrumeEditLog *log, BrumeEditLog *before);

/** Frees the log. NULL is allowed. */
void brume_edit_log_destroy(BrumeEditLog *log);

/*
 * Adding edits, which wait for the next frame. BRUME_FAILED without memory; the log is unchanged then.
 */

BrumeStatus brume_edit_log_add_stroke(BrumeEditLog *log, const BrumeStrokeSegment *segment, BrumeError *error);

/** Adds a motion. Motions of the same body by the same edit are added up. */
BrumeStatus brume_edit_log_move(BrumeEditLog *log, const BrumeBodyMotion *motion, BrumeError *error);

/** Adds new settings of a variant, or replaces its waiting settings. */
BrumeStatus brume_edit_log_set_settings(BrumeEditLog *log, uint64_t variant, const BrumeSimDef *settings,
                                        BrumeError *error);

/** Adds new animated values, or replaces waiting ones. */
BrumeStatus brume_edit_log_set_animation(BrumeEditLog *log, const BrumeAnimation *animation, BrumeError *error);

/**
 * Begin a comparison, or end it with the variant number `kept`, before all other waiting edits. A new second variant
 * also gets the waiting settings of the first. Do nothing where there is a comparison already, or none.
 */
BrumeStatus brume_edit_log_fork(BrumeEditLog *log, int edit, BrumeError *error);
BrumeStatus brume_edit_log_keep(BrumeEditLog *log, int kept, int edit, BrumeError *error);

/** Returns the waiting settings of a variant; NULL: none. Valid until the log is changed. */
const BrumeSimDef *brume_edit_log_waiting_settings(const BrumeEditLog *log, uint64_t variant);

/*
 * Undoing.
 */

/** Undoes an edit, or redoes it. BRUME_FAILED without memory; the log is unchanged then. */
BrumeStatus brume_edit_log_set_undone(BrumeEditLog *log, int edit, bool undone, BrumeError *error);

/**
 * Goes back to the state after `frame` frames, at most the present number, as the edit `edit`: later and waiting
 * entries move to another branch until the edit is undone. BRUME_FAILED without memory; the log is unchanged then.
 */
BrumeStatus brume_edit_log_go_back(BrumeEditLog *log, int edit, int frame, BrumeError *error);

/*
 * The frames.
 */

/** Whether the entry begins or ends a comparison. Such an entry acts on the state after `frame` frames. */
static inline bool brume_log_entry_compares(const BrumeLogEntry *entry) { return entry->kind <= BRUME_LOG_KEEP; }

/** Whether the entry has an effect. */
static inline bool brume_log_entry_has_effect(const BrumeLogEntry *entry) { return !entry->undone && !entry->rejected; }

/**
 * Returns the end of the entries from `position` on that one frame can apply: up to the first stroke that exceeds
 * `max_strokes` (0 to BRUME_MAX_STROKES), undone strokes included.
 */
int brume_edit_log_frame_end(const BrumeEditLog *log, int position, int max_strokes);

/** Adds a frame to the run. It applies the waiting entries, as far as it has room for their strokes. */
void brume_edit_log_take_frame(BrumeEditLog *log);

/** Removes the latest frame, which is not computed: its entries wait again. */
void brume_edit_log_remove_frame(BrumeEditLog *log);

/** Returns the index of the first entry after the state of `frame`. Comparisons that begin or end there precede it.
 */
int brume_edit_log_position(const BrumeEditLog *log, int frame);

/**
 * Returns a hash of the entries before `position` that are not undone: the edits that led to a state. Two states of a
 * log after the same number of frames with the same key have the same bits.
 */
uint64_t brume_edit_log_key(BrumeEditLog *log, int position);

/** Whether the run that the log describes has a state of this frame with this position and key. */
bool brume_edit_log_leads_to(BrumeEditLog *log, int frame, int position, uint64_t key);

/** Marks an entry as rejected. */
void brume_edit_log_reject(BrumeEditLog *log, int index);

/** Whether a comparison has ended since the state of `frame`, so that one of its variants was removed. */
bool brume_edit_log_ends_comparison(const BrumeEditLog *log, int frame);

#endif

#include "viewer/simulation/undoable_session.h"

#include "core/error.h"

#include <limits.h>
#include <stdint.h>

BrumeStatus brume_undoable_session_start(BrumeUndoableSession *undoable, const BrumeSimDef *settings, int count,
                                         BrumeError *error)
{
    const BrumeStatus status = brume_session_start(&undoable->session, settings, count, error);
    if (status != BRUME_OK) {
        return status;
    }
    brume_edit_log_clear(&undoable->log);
    brume_saved_sessions_clear(&undoable->saved);
    brume_saved_sessions_clear(&undoable->before_change);
    brume_session_branches_clear(&undoable->branches);
    undoable->unchanged_frames = INT_MAX;
    undoable->position = 0;
    undoable->first_frame = 0;
    undoable->last_frame = 0;
    undoable->start_count = count;
    for (int n = 0; n < count; n++) {
        undoable->start_settings[n] = settings[n];
    }
    return BRUME_OK;
}

void brume_undoable_session_destroy(BrumeUndoableSession *undoable)
{
    brume_edit_log_clear(&undoable->log);
    brume_saved_sessions_clear(&undoable->saved);
    brume_saved_sessions_clear(&undoable->before_change);
    brume_session_branches_clear(&undoable->branches);
    brume_session_destroy(&undoable->session);
}

BrumeStatus brume_undoable_session_fork(BrumeUndoableSession *undoable, BrumeError *error)
{
    BrumeSession *session = &undoable->session;
    if (session->variant_count == BRUME_MAX_VARIANTS) {
        return BRUME_OK;
    }
    BrumeStatus status = brume_session_fork(session, error);
    if (status == BRUME_OK) {
        const BrumeLogEntry entry = {.kind = BRUME_LOG_FORK, .frame = session->frame};
        status = brume_edit_log_insert(&undoable->log, undoable->position, &entry, error);
        if (status == BRUME_OK) {
            undoable->position++;
        } else {
            brume_session_keep_variant(session, 0);
        }
    }
    return status;
}

BrumeStatus brume_undoable_session_keep_variant(BrumeUndoableSession *undoable, int kept, BrumeError *error)
{
    BrumeSession *session = &undoable->session;
    if (kept >= session->variant_count) {
        return BRUME_OK;
    }
    const BrumeLogEntry entry = {.kind = BRUME_LOG_KEEP, .frame = session->frame, .variant = kept};
    const BrumeStatus status = brume_edit_log_insert(&undoable->log, undoable->position, &entry, error);
    if (status == BRUME_OK) {
        undoable->position++;
        brume_session_keep_variant(session, kept);
    }
    return status;
}

static bool is_comparison(const BrumeLogEntry *entry)
{
    return entry->kind == BRUME_LOG_FORK || entry->kind == BRUME_LOG_KEEP;
}

static BrumeStatus change_comparison(BrumeSession *session, const BrumeLogEntry *entry, BrumeError *error)
{
    if (entry->kind == BRUME_LOG_FORK) {
        return brume_session_fork(session, error);
    }
    if (entry->variant < session->variant_count) {
        brume_session_keep_variant(session, entry->variant);
    }
    return BRUME_OK;
}

static bool has_entry_for_frame(const BrumeUndoableSession *undoable)
{
    return undoable->position < undoable->log.count &&
           undoable->log.entries[undoable->position].frame == undoable->session.frame;
}

// takes what the coming frame is given from the log
static BrumeStatus take_edits(BrumeUndoableSession *undoable, BrumePendingEdits *edits, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (; has_entry_for_frame(undoable) && status == BRUME_OK; undoable->position += status == BRUME_OK) {
        const BrumeLogEntry *entry = &undoable->log.entries[undoable->position];
        if (is_comparison(entry)) {
            status = change_comparison(&undoable->session, entry, error);
        } else if (entry->undone || entry->kind == BRUME_LOG_ANIMATION) {
            continue;
        } else if (entry->kind == BRUME_LOG_SETTINGS) {
            edits->settings_changed[entry->variant] = true;
            edits->settings[entry->variant] = *entry->settings;
        } else if (entry->kind == BRUME_LOG_STROKE) {
            brume_stroke_queue_add(&edits->strokes, &entry->segment);
        } else {
            brume_pending_edits_move(edits, &entry->motion);
        }
    }
    return status;
}

// begins and ends the comparisons that the log has after the present frame
static BrumeStatus take_comparisons(BrumeUndoableSession *undoable, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    while (has_entry_for_frame(undoable) && is_comparison(&undoable->log.entries[undoable->position]) &&
           status == BRUME_OK) {
        status = change_comparison(&undoable->session, &undoable->log.entries[undoable->position], error);
        undoable->position += status == BRUME_OK;
    }
    return status;
}

// keeps the state if an edit begins in the coming frame, or if the latest one that was kept is too far back
static void keep_state(BrumeUndoableSession *undoable)
{
    int newest = 0;
    for (int n = undoable->position;
         n < undoable->log.count && undoable->log.entries[n].frame == undoable->session.frame; n++) {
        newest = undoable->log.entries[n].edit > newest ? undoable->log.entries[n].edit : newest;
    }
    bool begins = newest > 0; // numbers increase from edit to edit
    for (int n = undoable->position - 1; n >= 0 && begins; n--) {
        begins = undoable->log.entries[n].edit < newest;
    }
    const int latest = brume_saved_sessions_latest(&undoable->saved);
    begins = begins || undoable->session.frame - (latest > 0 ? latest : 0) >= BRUME_FRAMES_PER_STATE;
    if (begins && latest != undoable->session.frame) {
        brume_saved_sessions_add(&undoable->saved, &undoable->session, undoable->position,
                                 brume_undoable_session_key(undoable));
    }
}

// computes a frame with what the log has for it
static BrumeStatus run_logged_frame(BrumeUndoableSession *undoable, BrumePendingEdits *edits, BrumeError *rejected,
                                    BrumeError *error)
{
    *edits = (BrumePendingEdits){0};
    keep_state(undoable);
    const int first = undoable->position;
    BrumeStatus status = take_edits(undoable, edits, error);
    if (status == BRUME_OK) {
        undoable->session.animation = brume_edit_log_animation(&undoable->log, undoable->position);
        status = brume_session_run_frame(&undoable->session, edits, rejected, error);
    }
    for (int n = first; n < undoable->position; n++) { // rejected settings are not tried again
        BrumeLogEntry *entry = &undoable->log.entries[n];
        entry->undone =
            entry->undone || (entry->kind == BRUME_LOG_SETTINGS && undoable->session.variants[entry->variant].rejected);
    }
    *edits = (BrumePendingEdits){0};
    return status;
}

bool brume_undoable_session_changes_grid(const BrumeUndoableSession *undoable, const BrumePendingEdits *edits)
{
    bool changes = false;
    for (int n = 0; n < undoable->session.variant_count; n++) {
        const BrumeSimDef *now = brume_sim_settings(undoable->session.variants[n].sim);
        const BrumeSimDef *next = &edits->settings[n];
        changes = changes ||
                  (edits->settings_changed[n] && (next->nx != now->nx || next->ny != now->ny || next->nz != now->nz));
    }
    return changes;
}

BrumeStatus brume_undoable_session_frame(BrumeUndoableSession *undoable, BrumePendingEdits *edits, BrumeError *rejected,
                                         BrumeError *error)
{
    BrumeSession *session = &undoable->session;
    if (session->failed) {
        *edits = (BrumePendingEdits){0};
        return brume_session_run_frame(session, edits, rejected, error);
    }
    if (brume_undoable_session_changes_grid(undoable, edits)) {
        undoable->before_change.budget = SIZE_MAX;
        undoable->entries_before_change = undoable->log.count;
        brume_saved_sessions_add(&undoable->before_change, session, undoable->position, 0);
    }
    BrumeStatus status = brume_edit_log_append(&undoable->log, session->frame, edits, error);
    if (status == BRUME_OK) {
        status = run_logged_frame(undoable, edits, rejected, error);
    }
    if (status != BRUME_INTERRUPTED) {
        brume_saved_sessions_clear(&undoable->before_change);
    }
    return status;
}

bool brume_undoable_session_can_cancel(const BrumeUndoableSession *undoable)
{
    return undoable->before_change.count > 0;
}

BrumeStatus brume_undoable_session_cancel(BrumeUndoableSession *undoable, BrumePendingEdits *edits, BrumeError *error)
{
    const BrumeStatus status =
        brume_saved_sessions_restore(&undoable->before_change, &undoable->session, &undoable->position, error);
    if (status == BRUME_OK) {
        brume_edit_log_take_back(&undoable->log, undoable->entries_before_change, edits);
        brume_saved_sessions_follow(&undoable->saved, &undoable->log, undoable->session.frame);
    }
    undoable->session.failed = status != BRUME_OK;
    brume_saved_sessions_clear(&undoable->before_change);
    return status;
}

bool brume_undoable_session_is_behind(const BrumeUndoableSession *undoable)
{
    return undoable->session.frame < undoable->last_frame && !undoable->session.failed;
}

uint64_t brume_undoable_session_key(const BrumeUndoableSession *undoable)
{
    return brume_edit_log_key(&undoable->log, undoable->position);
}

void brume_undoable_session_leave(BrumeUndoableSession *undoable, uint64_t key)
{
    if (!brume_undoable_session_is_behind(undoable) && !undoable->session.failed) {
        brume_saved_sessions_hold(&undoable->saved, &undoable->session, undoable->position, key);
    }
}

void brume_undoable_session_stay(BrumeUndoableSession *undoable)
{
    brume_saved_sessions_follow(&undoable->saved, &undoable->log, undoable->session.frame);
    if (!brume_undoable_session_is_behind(undoable)) {
        brume_saved_sessions_release(&undoable->saved);
    }
}

// the latest state that is kept on the way to `last_frame`, or the start
static BrumeStatus restore_latest(BrumeUndoableSession *undoable, int last_frame, BrumeError *error)
{
    BrumeStatus status;
    brume_saved_sessions_follow(&undoable->saved, &undoable->log, last_frame);
    if (brume_saved_sessions_latest(&undoable->saved) >= 0) {
        status = brume_saved_sessions_restore(&undoable->saved, &undoable->session, &undoable->position, error);
    } else {
        status = brume_session_start(&undoable->session, undoable->start_settings, undoable->start_count, error);
        undoable->position = status == BRUME_OK ? 0 : undoable->position;
    }
    return status;
}

// a state that is reached needs the one before it no longer
static BrumeStatus end_return(BrumeUndoableSession *undoable, BrumeError *error)
{
    const BrumeStatus status = take_comparisons(undoable, error);
    if (!brume_undoable_session_is_behind(undoable)) {
        brume_saved_sessions_release(&undoable->saved);
    }
    return status;
}

BrumeStatus brume_undoable_session_return(BrumeUndoableSession *undoable, int changed_after, int last_frame,
                                          BrumeError *error)
{
    const BrumeStatus status = restore_latest(undoable, last_frame, error);
    if (status != BRUME_OK) {
        return status;
    }
    undoable->first_frame = undoable->session.frame;
    undoable->last_frame = last_frame;
    undoable->unchanged_frames =
        changed_after < undoable->unchanged_frames ? changed_after : undoable->unchanged_frames;
    return brume_undoable_session_is_behind(undoable) ? BRUME_OK : end_return(undoable, error);
}

// whether a state is kept to which the frames that are computed again lead
static bool has_later_state(BrumeUndoableSession *undoable)
{
    if (!brume_undoable_session_is_behind(undoable)) {
        return false;
    }
    brume_saved_sessions_follow(&undoable->saved, &undoable->log, undoable->last_frame);
    return brume_saved_sessions_latest(&undoable->saved) > undoable->session.frame;
}

BrumeStatus brume_undoable_session_set_undone(BrumeUndoableSession *undoable, int edit, bool undone, BrumeError *error)
{
    bool is_branch = false;
    const BrumeStatus switched = brume_session_branches_set_undone(undoable, edit, undone, &is_branch, error);
    if (is_branch) {
        return switched;
    }
    const uint64_t key = brume_undoable_session_key(undoable);
    const int index = edit > 0 ? brume_edit_log_set_undone(&undoable->log, edit, undone) : -1;
    if (index < 0 || (index >= undoable->position && !has_later_state(undoable))) {
        return BRUME_OK; // no frame was given it
    }
    brume_undoable_session_leave(undoable, key);
    const int before = undoable->session.frame;
    const int last = undoable->last_frame > before ? undoable->last_frame : before;
    const int frame = undoable->log.entries[index].frame;
    const BrumeStatus status = brume_undoable_session_return(undoable, frame, last, error);
    if (status != BRUME_OK) {
        (void)brume_edit_log_set_undone(&undoable->log, edit, !undone);
        brume_undoable_session_stay(undoable);
    }
    return status;
}

BrumeStatus brume_undoable_session_catch_up(BrumeUndoableSession *undoable, BrumePendingEdits *edits, BrumeError *error)
{
    BrumeError rejected = {0};
    const BrumeStatus status = run_logged_frame(undoable, edits, &rejected, error);
    return status == BRUME_OK ? end_return(undoable, error) : status;
}

BrumeStatus brume_undoable_session_resume(BrumeUndoableSession *undoable, BrumeError *error)
{
    return restore_latest(undoable, undoable->last_frame, error);
}

BrumeStatus brume_undoable_session_skip(BrumeUndoableSession *undoable, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    undoable->session.failed = false; // of a frame that was stopped for the restart
    for (; undoable->position < undoable->log.count && status == BRUME_OK; undoable->position += status == BRUME_OK) {
        const BrumeLogEntry *entry = &undoable->log.entries[undoable->position];
        if (is_comparison(entry)) {
            status = change_comparison(&undoable->session, entry, error);
        } else if (entry->kind == BRUME_LOG_SETTINGS && !entry->undone) {
            brume_session_set_restart_settings(&undoable->session.variants[entry->variant], entry->settings);
        } else if (entry->kind == BRUME_LOG_MOTION && !entry->undone) {
            for (int n = 0; n < undoable->session.variant_count; n++) {
                brume_obstacle_motion_keep(&entry->motion, &undoable->session.variants[n].restart_settings);
            }
        }
    }
    undoable->last_frame = undoable->session.frame;
    return status;
}

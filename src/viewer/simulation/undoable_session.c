#include "viewer/simulation/undoable_session.h"

#include "core/error.h"

static BrumeStatus start(BrumeUndoableSession *undoable, const BrumeEditLog *log, BrumeError *error)
{
    const BrumeStatus status = brume_session_start(&undoable->session, log->start_settings, log->start_count, error);
    if (status == BRUME_OK) {
        undoable->session.scene_timeline = &log->scene_timeline;
        undoable->session.animation = log->start_animation.count > 0 ? &log->start_animation : NULL;
    }
    return status;
}

BrumeStatus brume_undoable_session_start(BrumeUndoableSession *undoable, const BrumeEditLog *log, BrumeError *error)
{
    const BrumeStatus status = start(undoable, log, error);
    if (status == BRUME_OK) {
        brume_saved_sessions_clear(&undoable->saved);
        undoable->up_to_date = true;
    }
    return status;
}

BrumeEditLog *brume_undoable_session_adopt(BrumeUndoableSession *undoable, BrumeEditLog *log)
{
    BrumeEditLog *former = undoable->log;
    if (former) {
        brume_edit_log_take_timeline(log, former);
    }
    undoable->log = log;
    undoable->changes = log->changes;
    return former;
}

void brume_undoable_session_destroy(BrumeUndoableSession *undoable)
{
    brume_saved_sessions_clear(&undoable->saved);
    brume_session_destroy(&undoable->session);
    brume_edit_log_destroy(undoable->log);
}

bool brume_undoable_session_is_behind(const BrumeUndoableSession *undoable)
{
    return undoable->session.frame < undoable->log->frames && !undoable->session.failed;
}

// whether an edit begins among the entries `position` <= n < `end`; numbers increase from edit to edit
static bool edit_begins(const BrumeLogEntries *entries, int position, int end)
{
    int newest = 0;
    for (int n = position; n < end; n++) {
        newest = entries->items[n].edit > newest ? entries->items[n].edit : newest;
    }
    bool begins = newest > 0;
    for (int n = position - 1; n >= 0 && begins; n--) {
        begins = entries->items[n].edit < newest;
    }
    return begins;
}

void brume_undoable_session_prepare_frame(BrumeUndoableSession *undoable)
{
    BrumeSession *session = &undoable->session;
    BrumeEditLog *log = undoable->log;
    int end = session->position;
    while (end < log->taken && log->entries.items[end].frame <= session->frame) {
        end++;
    }
    const BrumeLogVariants variants = brume_session_variants(session);
    brume_frame_edits_collect(&undoable->edits, log, session->position, end, &variants);
    undoable->begins_edit = edit_begins(&log->entries, session->position, end);
    undoable->next_position = end;
    undoable->next_key = brume_edit_log_key(log, end);
}

bool brume_undoable_session_changes_grid(const BrumeUndoableSession *undoable)
{
    bool changes = false;
    for (int n = 0; n < undoable->session.variant_count; n++) {
        const BrumeSimDef *now = brume_sim_settings(undoable->session.variants[n].sim);
        const BrumeSimDef *next = undoable->edits.settings[n];
        changes = changes || (next && (next->nx != now->nx || next->ny != now->ny || next->nz != now->nz));
    }
    return changes;
}

// saves the state if an edit begins in the coming frame, or if the latest saved state is too old
static void save_state_if_due(BrumeUndoableSession *undoable)
{
    const int latest = brume_saved_sessions_latest(&undoable->saved);
    const int frame = undoable->session.frame;
    if (undoable->begins_edit || frame - (latest > 0 ? latest : 0) >= BRUME_FRAMES_PER_STATE) {
        brume_saved_sessions_add(&undoable->saved, &undoable->session);
    }
}

BrumeStatus brume_undoable_session_run_frame(BrumeUndoableSession *undoable, BrumeError *rejected, BrumeError *error)
{
    BrumeSession *session = &undoable->session;
    save_state_if_due(undoable);
    session->animation = undoable->edits.animation ? undoable->edits.animation : session->animation;
    const BrumeStatus status = brume_session_run_frame(session, &undoable->edits, rejected, error);
    if (status == BRUME_OK) {
        session->position = undoable->next_position;
        session->key = undoable->next_key;
    }
    return status;
}

// whether the simulations could not apply an entry of the latest frame
static bool is_rejected(const BrumeSession *session, const BrumeLogEntry *entry)
{
    bool all = true;
    bool own = false;
    for (int n = 0; n < session->variant_count; n++) {
        all = all && session->variants[n].rejected;
        own = own || (session->variants[n].rejected && session->variants[n].id == entry->variant);
    }
    return entry->kind == BRUME_LOG_SETTINGS ? own : entry->kind == BRUME_LOG_MOTION && entry->motion.replaces && all;
}

void brume_undoable_session_end_frame(BrumeUndoableSession *undoable)
{
    const BrumeSession *session = &undoable->session;
    const BrumeLogEntries *entries = &undoable->log->entries;
    // if the log was changed meanwhile, nothing is rejected, because the frame is computed again
    if (brume_edit_log_leads_to(undoable->log, session->frame, session->position, session->key)) {
        for (int n = session->position - 1; n >= 0 && entries->items[n].frame == session->frame - 1; n--) {
            if (is_rejected(session, &entries->items[n])) {
                brume_edit_log_reject(undoable->log, n);
            }
        }
    }
}

void brume_undoable_session_collect_waiting(BrumeUndoableSession *undoable, bool none)
{
    const BrumeEditLog *log = undoable->log;
    const BrumeLogVariants variants = brume_session_variants(&undoable->session);
    brume_frame_edits_collect(&undoable->edits, log, log->taken, none ? log->taken : log->entries.count, &variants);
}

bool brume_undoable_session_next_comparison(const BrumeUndoableSession *undoable, BrumeLogEntry *entry)
{
    const BrumeSession *session = &undoable->session;
    const BrumeEditLog *log = undoable->log;
    const int n = session->failed ? log->taken : session->position; // the entries of a failed frame wait again
    if (n == log->entries.count || !brume_log_entry_compares(&log->entries.items[n])) {
        return false;
    }
    *entry = log->entries.items[n];
    return entry->frame == session->frame || (n == log->taken && session->frame == log->frames);
}

BrumeStatus brume_undoable_session_compare(BrumeUndoableSession *undoable, const BrumeLogEntry *entry,
                                           BrumeError *error)
{
    BrumeSession *session = &undoable->session;
    if (!brume_log_entry_has_effect(entry)) {
        return BRUME_OK;
    }
    if (entry->edit > 0) {
        brume_saved_sessions_add(&undoable->saved, session);
    }
    if (entry->kind == BRUME_LOG_FORK) {
        return brume_session_fork(session, entry->variant, error);
    }
    for (int n = 0; n < session->variant_count; n++) {
        if (session->variants[n].id == entry->variant) {
            brume_session_keep_variant(session, n);
            break;
        }
    }
    return BRUME_OK;
}

void brume_undoable_session_pass_comparison(BrumeUndoableSession *undoable, const BrumeLogEntry *entry, bool rejected)
{
    BrumeSession *session = &undoable->session;
    BrumeEditLog *log = undoable->log;
    BrumeLogEntry *items = log->entries.items;
    int n = session->position;
    while (n < log->entries.count && items[n].serial != entry->serial) {
        n++;
    }
    if (n == log->entries.count || items[n].undone != entry->undone) {
        session->failed = true; // the variants are the ones of the former log
        return;
    }
    if (n == log->taken) {
        items[n].frame = session->frame;
        log->taken++;
    }
    if (rejected) {
        brume_edit_log_reject(log, n);
    }
    session->position = session->failed ? session->position : n + 1;
    session->key = brume_edit_log_key(undoable->log, session->position);
}

bool brume_undoable_session_must_return(BrumeUndoableSession *undoable)
{
    const BrumeSession *session = &undoable->session;
    BrumeEditLog *log = undoable->log;
    undoable->changes = log->changes;
    brume_saved_sessions_follow(&undoable->saved, log);
    return session->failed || brume_saved_sessions_latest(&undoable->saved) > session->frame ||
           !brume_edit_log_leads_to(log, session->frame, session->position, session->key);
}

BrumeStatus brume_undoable_session_return(BrumeUndoableSession *undoable, BrumeError *error)
{
    BrumeStatus status;
    if (undoable->up_to_date && !undoable->session.failed) {
        brume_saved_sessions_hold(&undoable->saved, &undoable->session);
    }
    if (brume_saved_sessions_latest(&undoable->saved) >= 0) {
        status = brume_saved_sessions_restore(&undoable->saved, &undoable->session, error);
    } else {
        status = start(undoable, undoable->log, error);
    }
    if (status == BRUME_OK) {
        undoable->first_frame = undoable->session.frame;
        undoable->up_to_date = false;
    }
    return status;
}

void brume_undoable_session_update_progress(BrumeUndoableSession *undoable)
{
    undoable->up_to_date = !brume_undoable_session_is_behind(undoable);
    if (undoable->up_to_date) {
        brume_saved_sessions_release(&undoable->saved);
    }
}

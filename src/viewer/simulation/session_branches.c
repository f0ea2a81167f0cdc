// Going back to an earlier frame and on from there, as an edit that can be undone.
#include "core/error.h"
#include "core/memory.h"
#include "viewer/simulation/undoable_session.h"

void brume_session_branches_clear(BrumeSessionBranches *branches)
{
    for (int n = 0; n < branches->count; n++) {
        brume_edit_log_clear(&branches->branches[n].tail);
    }
    brume_free(branches->branches);
    *branches = (BrumeSessionBranches){0};
}

static BrumeStatus reserve(BrumeSessionBranches *branches, BrumeError *error)
{
    if (branches->count < branches->capacity) {
        return BRUME_OK;
    }
    const size_t capacity = branches->capacity > 0 ? 2 * (size_t)branches->capacity : 8;
    BrumeSessionBranch *items =
        brume_realloc(branches->branches, (size_t)branches->capacity * sizeof *items, capacity * sizeof *items);
    if (!items) {
        return brume_out_of_memory(error, "the edits that can be undone");
    }
    branches->branches = items;
    branches->capacity = (int)capacity;
    return BRUME_OK;
}

// frames that the session has finished, or will have when it has caught up
static int present_frame(const BrumeUndoableSession *undoable)
{
    return brume_undoable_session_is_behind(undoable) ? undoable->last_frame : undoable->session.frame;
}

// the index of the first entry after the state of `frame`
static int position_after(const BrumeEditLog *log, int frame)
{
    BrumeLogCursor cursor = {.log = log};
    brume_log_cursor_go_to(&cursor, frame);
    return cursor.position;
}

BrumeStatus brume_undoable_session_go_back(BrumeUndoableSession *undoable, int frame, int edit,
                                           const BrumePendingEdits *pending, BrumeError *error)
{
    const int last = present_frame(undoable);
    const uint64_t key = brume_undoable_session_key(undoable);
    BrumeSessionBranch branch = {.edit = edit, .frame = frame < last ? frame : last, .last_frame = last};
    BrumeStatus status = reserve(&undoable->branches, error);
    if (status == BRUME_OK) {
        status = brume_edit_log_append(&undoable->log, last, pending, error);
    }
    branch.position = position_after(&undoable->log, branch.frame);
    if (status == BRUME_OK) {
        status = brume_edit_log_split(&undoable->log, branch.position, &branch.tail, error);
    }
    if (status == BRUME_OK) {
        brume_undoable_session_leave(undoable, key);
        status = brume_undoable_session_return(undoable, branch.frame, branch.frame, error);
        if (status != BRUME_OK) {
            BrumeError ignored;
            (void)brume_edit_log_join(&undoable->log, &branch.tail, &ignored); // it has the memory
            brume_undoable_session_stay(undoable);
        }
    }
    if (status == BRUME_OK) {
        undoable->branches.branches[undoable->branches.count++] = branch;
    } else {
        brume_edit_log_clear(&branch.tail);
    }
    return status;
}

// exchanges the branch that the session is on and the other one
static BrumeStatus exchange(BrumeUndoableSession *undoable, BrumeSessionBranch *branch, BrumeError *error)
{
    const int last = present_frame(undoable);
    const uint64_t key = brume_undoable_session_key(undoable);
    BrumeEditLog tail = {0};
    BrumeStatus status = brume_edit_log_split(&undoable->log, branch->position, &tail, error);
    if (status == BRUME_OK) {
        status = brume_edit_log_join(&undoable->log, &branch->tail, error);
    }
    if (status == BRUME_OK) {
        brume_edit_log_clear(&branch->tail);
        branch->tail = tail;
        tail = (BrumeEditLog){0};
        brume_undoable_session_leave(undoable, key);
        status = brume_undoable_session_return(undoable, branch->frame, branch->last_frame, error);
        undoable->session.failed = undoable->session.failed || status != BRUME_OK; // its log is not that of its state
        branch->last_frame = last;
        branch->undone = !branch->undone;
    } else {
        BrumeError ignored;
        (void)brume_edit_log_join(&undoable->log, &tail, &ignored); // it has the memory
    }
    brume_edit_log_clear(&tail);
    return status;
}

BrumeStatus brume_session_branches_set_undone(BrumeUndoableSession *undoable, int edit, bool undone, bool *found,
                                              BrumeError *error)
{
    BrumeSessionBranches *branches = &undoable->branches;
    BrumeStatus status = BRUME_OK;
    *found = false;
    for (int n = 0; n < branches->count; n++) {
        BrumeSessionBranch *branch = &branches->branches[n];
        if (branch->edit == edit && edit > 0) {
            *found = true;
            status = branch->undone != undone ? exchange(undoable, branch, error) : BRUME_OK;
        } else {
            (void)brume_edit_log_set_undone(&branch->tail, edit, undone); // an edit of the other branch
        }
    }
    return status;
}

bool brume_undoable_session_ends_comparison(const BrumeUndoableSession *undoable, int frame)
{
    const BrumeEditLog *log = &undoable->log;
    bool ends = false;
    for (int n = position_after(log, frame); n < log->count; n++) {
        ends = ends || log->entries[n].kind == BRUME_LOG_KEEP;
    }
    return ends;
}

#include "viewer/controls/undo_history.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"

#include <stddef.h>
#include <string.h>

/** The controls after an edit, with animated values at time 0. */
typedef struct EditState {
    BrumeControls controls;
    int edit;          // number of the latest edit in the log; 0: an edit of controls
    bool has_controls; // the latest edit changed controls as well
    unsigned position; // equal in states after the same edits
} EditState;

struct BrumeUndoHistory {
    EditState states[BRUME_UNDO_HISTORY_STATES]; // a ring buffer
    EditState compared;                          // scratch memory
    int oldest;
    int count;   // number of states, at least 1
    int current; // index of the present state after the oldest, below `count`
    unsigned latest_position;
};

#define MEMBER(name) offsetof(BrumeControls, name), sizeof((BrumeControls *)NULL)->name

// The controls that can be undone. They are copied and compared by their bytes, padding included.
static const struct {
    size_t offset, size;
} members[] = {
    {MEMBER(sim)},       {MEMBER(render_settings)}, {MEMBER(other_look)}, {MEMBER(compare_looks)},
    {MEMBER(animation)}, {MEMBER(camera_path)},     {MEMBER(threads)},
};
enum { MEMBERS = sizeof members / sizeof members[0] };

// the state that follows the oldest one by this number of steps
static EditState *state_at(BrumeUndoHistory *history, int steps)
{
    return &history->states[(history->oldest + steps) % BRUME_UNDO_HISTORY_STATES];
}

// stores the controls with animated values at time 0
static void store(EditState *state, const BrumeControls *controls)
{
    BrumeControls *stored = &state->controls;
    memcpy(stored, controls, sizeof *stored);
    if (!controls->compare) { // a comparison begins with equal settings
        memcpy(&stored->sim[1], &stored->sim[0], sizeof stored->sim[1]);
    }
    brume_controls_animate(stored, 0.0);
    state->edit = 0;
    state->has_controls = false;
}

// adds the surfaces of bodies that were added later, because these bodies are not removed
static void keep_added_surfaces(const BrumeRenderSettings *before, BrumeRenderSettings *look)
{
    for (int n = look->surface_count; n < before->surface_count; n++) {
        look->surfaces[n] = before->surfaces[n];
        look->surface_count = n + 1;
    }
}

// restores the members of the table; colors and bodies that were added since stay
static void restore(const EditState *state, BrumeControls *controls)
{
    const BrumeControls before = *controls;
    for (int n = 0; n < MEMBERS; n++) {
        memcpy((char *)controls + members[n].offset, (const char *)&state->controls + members[n].offset,
               members[n].size);
    }
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) { // a color may have been drawn since
        controls->sim[n].color_count = brume_max_int(before.sim[n].color_count, controls->sim[n].color_count);
    }
    keep_added_surfaces(&before.render_settings, &controls->render_settings);
    keep_added_surfaces(&before.other_look, &controls->other_look);
}

static bool same_controls(const EditState *a, const EditState *b)
{
    bool same = true;
    for (int n = 0; n < MEMBERS && same; n++) {
        same = memcmp((const char *)&a->controls + members[n].offset, (const char *)&b->controls + members[n].offset,
                      members[n].size) == 0;
    }
    return same;
}

BrumeStatus brume_undo_history_create(BrumeUndoHistory **history, const BrumeControls *start, BrumeError *error)
{
    *history = brume_alloc(1, sizeof **history);
    if (!*history) {
        return brume_out_of_memory(error, "an undo history of %d states", BRUME_UNDO_HISTORY_STATES);
    }
    brume_undo_history_restart(*history, start);
    return BRUME_OK;
}

void brume_undo_history_destroy(BrumeUndoHistory *history) { brume_free(history); }

void brume_undo_history_restart(BrumeUndoHistory *history, const BrumeControls *start)
{
    history->oldest = 0;
    history->count = 1;
    history->current = 0;
    store(state_at(history, 0), start);
    state_at(history, 0)->position = ++history->latest_position;
}

// adds a state after the current one
static EditState *add_state(BrumeUndoHistory *history, const BrumeControls *controls)
{
    if (history->current + 1 == BRUME_UNDO_HISTORY_STATES) {
        history->oldest = (history->oldest + 1) % BRUME_UNDO_HISTORY_STATES;
    } else {
        history->current++;
    }
    history->count = history->current + 1;
    EditState *state = state_at(history, history->current);
    store(state, controls);
    state->position = ++history->latest_position;
    return state;
}

void brume_undo_history_add(BrumeUndoHistory *history, const BrumeControls *controls)
{
    store(&history->compared, controls);
    if (!same_controls(state_at(history, history->current), &history->compared)) {
        (void)add_state(history, controls);
    }
}

void brume_undo_history_drop_latest(BrumeUndoHistory *history, const BrumeControls *controls)
{
    store(&history->compared, controls);
    if (history->current > 0 && state_at(history, history->current)->edit == 0 &&
        same_controls(state_at(history, history->current - 1), &history->compared)) {
        history->current--;
        history->count = history->current + 1;
    }
}

void brume_undo_history_add_edit(BrumeUndoHistory *history, const BrumeControls *controls, int edit)
{
    if (state_at(history, history->current)->edit != edit) {
        add_state(history, controls)->edit = edit;
    }
}

void brume_undo_history_add_with_controls(BrumeUndoHistory *history, const BrumeControls *controls, int edit)
{
    EditState *state = add_state(history, controls);
    state->edit = edit;
    state->has_controls = true;
}

void brume_undo_history_add_body_edit(BrumeUndoHistory *history, const BrumeControls *controls, int edit)
{
    const EditState *latest = state_at(history, history->current);
    store(&history->compared, controls);
    if (latest->edit != edit && !same_controls(latest, &history->compared)) {
        brume_undo_history_add_with_controls(history, controls, edit);
    } else {
        brume_undo_history_add_edit(history, controls, edit);
    }
}

void brume_undo_history_add_comparison(BrumeUndoHistory *history, const BrumeControls *controls, int edit)
{
    const EditState *before = state_at(history, history->current);
    store(&history->compared, controls);
    const unsigned position = same_controls(before, &history->compared) ? before->position : 0;
    brume_undo_history_add_with_controls(history, controls, edit);
    state_at(history, history->current)->position = position > 0 ? position : history->latest_position;
}

void brume_undo_history_drop_edits(BrumeUndoHistory *history)
{
    int kept = 0;
    int current = 0;
    for (int n = 0; n < history->count; n++) { // joins states with equal controls
        EditState *state = state_at(history, n);
        state->edit = 0;
        state->has_controls = false;
        if (n == 0 || !same_controls(state_at(history, kept - 1), state)) {
            memmove(state_at(history, kept++), state, sizeof *state);
        }
        current = n <= history->current ? kept - 1 : current;
    }
    history->count = kept;
    history->current = current;
}

// restores the controls of a state after a step of the history
static void go_to(const EditState *state, const EditState *step, BrumeControls *controls)
{
    if (step->edit > 0 && !step->has_controls) {
        return;
    }
    restore(state, controls);
    if (step->has_controls && state->controls.compare != controls->compare) {
        controls->compare = state->controls.compare;
        controls->edited_variant = state->controls.compare; // as at the beginning of a comparison
    }
}

bool brume_undo_history_step(BrumeUndoHistory *history, bool undoes, BrumeControls *controls, int *edit)
{
    if (undoes ? !brume_undo_history_can_undo(history) : !brume_undo_history_can_redo(history)) {
        return false;
    }
    const EditState *step = state_at(history, history->current + (undoes ? 0 : 1));
    history->current += undoes ? -1 : 1;
    *edit = step->edit;
    go_to(state_at(history, history->current), step, controls);
    return true;
}

void brume_undo_history_drop_redo(BrumeUndoHistory *history) { history->count = history->current + 1; }

unsigned brume_undo_history_position(const BrumeUndoHistory *history)
{
    return history->states[(history->oldest + history->current) % BRUME_UNDO_HISTORY_STATES].position;
}

bool brume_undo_history_can_undo(const BrumeUndoHistory *history) { return history->current > 0; }

bool brume_undo_history_can_redo(const BrumeUndoHistory *history) { return history->current + 1 < history->count; }

#include "viewer/controls/undo_history.h"

#include "core/error.h"
#include "core/memory.h"

#include <string.h>

/** The controls after an edit. */
typedef struct EditableControls {
    BrumeSimDef sim[BRUME_MAX_VARIANTS];
    BrumeRenderSettings render_settings, other_look;
    bool compare_looks;
    BrumeAnimation animation;
    BrumeCameraPath camera_path;
    int threads;
    bool compare;
    int edit;          // number in the log of the edit that led here; 0: an edit of controls
    bool has_controls; // that edit changed controls as well
    unsigned position; // equal where the same edits have led here
} EditableControls;

struct BrumeUndoHistory {
    EditableControls states[BRUME_UNDO_HISTORY_STATES]; // a ring buffer
    EditableControls compared;                          // scratch memory
    int oldest;
    int count;   // of states, at least 1
    int current; // steps after the oldest, below count
    unsigned latest_position;
};

static EditableControls *state_at(BrumeUndoHistory *history, int steps)
{
    return &history->states[(history->oldest + steps) % BRUME_UNDO_HISTORY_STATES];
}

// animated values, which change with time, have those at time 0 in all states
static void set_start(EditableControls *state, const int *surface_of)
{
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        (void)brume_animation_apply_sim(&state->animation, 0.0, &state->sim[n]);
    }
    (void)brume_animation_apply_look(&state->animation, 0.0, surface_of, &state->render_settings);
    (void)brume_animation_apply_look(&state->animation, 0.0, surface_of, &state->other_look);
}

// Copies bytes, padding included, because states are compared with memcmp.
static void store(EditableControls *state, const BrumeControls *controls)
{
    memcpy(state->sim, controls->sim, sizeof state->sim);
    if (!controls->compare) { // a comparison begins with equal settings
        memcpy(&state->sim[1], &state->sim[0], sizeof state->sim[1]);
    }
    state->compare = controls->compare;
    memcpy(&state->render_settings, &controls->render_settings, sizeof state->render_settings);
    memcpy(&state->other_look, &controls->other_look, sizeof state->other_look);
    state->compare_looks = controls->compare_looks;
    memcpy(&state->animation, &controls->animation, sizeof state->animation);
    memcpy(&state->camera_path, &controls->camera_path, sizeof state->camera_path);
    set_start(state, controls->surface_of);
    state->threads = controls->threads;
    state->edit = 0;
    state->has_controls = false;
}

// the surfaces of obstacles that were added since stay, as the obstacles do
static void keep_added_surfaces(const BrumeRenderSettings *before, BrumeRenderSettings *look)
{
    for (int n = look->surface_count; n < before->surface_count; n++) {
        look->surfaces[n] = before->surfaces[n];
        look->surface_count = n + 1;
    }
}

static void restore(const EditableControls *state, BrumeControls *controls)
{
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        const int colors = controls->sim[n].color_count; // that may have been drawn since
        memcpy(&controls->sim[n], &state->sim[n], sizeof state->sim[n]);
        controls->sim[n].color_count = colors > state->sim[n].color_count ? colors : state->sim[n].color_count;
    }
    const BrumeRenderSettings look = controls->render_settings;
    const BrumeRenderSettings other_look = controls->other_look;
    memcpy(&controls->render_settings, &state->render_settings, sizeof state->render_settings);
    memcpy(&controls->other_look, &state->other_look, sizeof state->other_look);
    keep_added_surfaces(&look, &controls->render_settings);
    keep_added_surfaces(&other_look, &controls->other_look);
    controls->compare_looks = state->compare_looks;
    memcpy(&controls->animation, &state->animation, sizeof state->animation);
    memcpy(&controls->camera_path, &state->camera_path, sizeof state->camera_path);
    controls->threads = state->threads;
}

static bool equal_bytes(const void *a, const void *b, size_t size) { return memcmp(a, b, size) == 0; }

static bool same_controls(const EditableControls *a, const EditableControls *b)
{
    return equal_bytes(a->sim, b->sim, sizeof a->sim) &&
           equal_bytes(&a->render_settings, &b->render_settings, sizeof a->render_settings) &&
           equal_bytes(&a->other_look, &b->other_look, sizeof a->other_look) && a->compare_looks == b->compare_looks &&
           equal_bytes(&a->animation, &b->animation, sizeof a->animation) &&
           equal_bytes(&a->camera_path, &b->camera_path, sizeof a->camera_path) && a->threads == b->threads;
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
static EditableControls *add_state(BrumeUndoHistory *history, const BrumeControls *controls)
{
    if (history->current + 1 == BRUME_UNDO_HISTORY_STATES) {
        history->oldest = (history->oldest + 1) % BRUME_UNDO_HISTORY_STATES;
    } else {
        history->current++;
    }
    history->count = history->current + 1;
    EditableControls *state = state_at(history, history->current);
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
    EditableControls *state = add_state(history, controls);
    state->edit = edit;
    state->has_controls = true;
}

void brume_undo_history_add_comparison(BrumeUndoHistory *history, const BrumeControls *controls, int edit)
{
    const EditableControls *before = state_at(history, history->current);
    store(&history->compared, controls);
    const unsigned position = same_controls(before, &history->compared) ? before->position : 0;
    brume_undo_history_add_with_controls(history, controls, edit);
    state_at(history, history->current)->position = position > 0 ? position : history->latest_position;
}

void brume_undo_history_drop_edits(BrumeUndoHistory *history)
{
    int kept = 0;
    int current = 0;
    for (int n = 0; n < history->count; n++) { // states of controls that do not differ are joined
        EditableControls *state = state_at(history, n);
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

// restores the controls of a state that a step of the history leads to
static void go_to(const EditableControls *state, const EditableControls *step, BrumeControls *controls)
{
    if (step->edit > 0 && !step->has_controls) {
        return;
    }
    restore(state, controls);
    if (step->has_controls && state->compare != controls->compare) {
        controls->compare = state->compare;
        controls->edited_variant = state->compare; // as where a comparison begins
    }
}

bool brume_undo_history_undo(BrumeUndoHistory *history, BrumeControls *controls, int *edit)
{
    if (!brume_undo_history_can_undo(history)) {
        return false;
    }
    const EditableControls *undone = state_at(history, history->current--);
    *edit = undone->edit;
    go_to(state_at(history, history->current), undone, controls);
    return true;
}

bool brume_undo_history_redo(BrumeUndoHistory *history, BrumeControls *controls, int *edit)
{
    if (!brume_undo_history_can_redo(history)) {
        return false;
    }
    const EditableControls *state = state_at(history, ++history->current);
    *edit = state->edit;
    go_to(state, state, controls);
    return true;
}

void brume_undo_history_drop_redo(BrumeUndoHistory *history) { history->count = history->current + 1; }

unsigned brume_undo_history_position(const BrumeUndoHistory *history)
{
    return history->states[(history->oldest + history->current) % BRUME_UNDO_HISTORY_STATES].position;
}

bool brume_undo_history_can_undo(const BrumeUndoHistory *history) { return history->current > 0; }

bool brume_undo_history_can_redo(const BrumeUndoHistory *history) { return history->current + 1 < history->count; }

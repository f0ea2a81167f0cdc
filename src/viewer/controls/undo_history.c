#include "viewer/controls/undo_history.h"

#include "core/error.h"
#include "core/memory.h"

#include <string.h>

typedef struct EditableControls {
    BrumeSimDef sim[BRUME_MAX_VARIANTS];
    BrumeRenderSettings render_settings;
    int threads;
} EditableControls;

struct BrumeUndoHistory {
    EditableControls states[BRUME_UNDO_HISTORY_STATES]; // a ring buffer
    int oldest;
    int count;   // of states, at least 1
    int current; // steps after the oldest, below count
};

static EditableControls *state_at(BrumeUndoHistory *history, int steps)
{
    return &history->states[(history->oldest + steps) % BRUME_UNDO_HISTORY_STATES];
}

// Copies bytes, padding included, because states are compared with memcmp.
static void store(EditableControls *state, const BrumeControls *controls)
{
    memcpy(state->sim, controls->sim, sizeof state->sim);
    memcpy(&state->render_settings, &controls->render_settings, sizeof state->render_settings);
    state->threads = controls->threads;
}

static void restore(const EditableControls *state, BrumeControls *controls)
{
    memcpy(controls->sim, state->sim, sizeof state->sim);
    memcpy(&controls->render_settings, &state->render_settings, sizeof state->render_settings);
    controls->threads = state->threads;
}

static bool equal_bytes(const void *a, const void *b, size_t size) { return memcmp(a, b, size) == 0; }

static bool equals(const EditableControls *state, const BrumeControls *controls)
{
    return equal_bytes(state->sim, controls->sim, sizeof state->sim) &&
           equal_bytes(&state->render_settings, &controls->render_settings, sizeof state->render_settings) &&
           state->threads == controls->threads;
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
}

void brume_undo_history_add(BrumeUndoHistory *history, const BrumeControls *controls)
{
    if (equals(state_at(history, history->current), controls)) {
        return;
    }
    if (history->current + 1 == BRUME_UNDO_HISTORY_STATES) {
        history->oldest = (history->oldest + 1) % BRUME_UNDO_HISTORY_STATES;
    } else {
        history->current++;
    }
    history->count = history->current + 1;
    store(state_at(history, history->current), controls);
}

bool brume_undo_history_undo(BrumeUndoHistory *history, BrumeControls *controls)
{
    if (!brume_undo_history_can_undo(history)) {
        return false;
    }
    restore(state_at(history, --history->current), controls);
    return true;
}

bool brume_undo_history_redo(BrumeUndoHistory *history, BrumeControls *controls)
{
    if (!brume_undo_history_can_redo(history)) {
        return false;
    }
    restore(state_at(history, ++history->current), controls);
    return true;
}

bool brume_undo_history_can_undo(const BrumeUndoHistory *history) { return history->current > 0; }

bool brume_undo_history_can_redo(const BrumeUndoHistory *history) { return history->current + 1 < history->count; }

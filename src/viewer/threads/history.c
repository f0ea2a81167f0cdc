#include "viewer/threads/history.h"

#include "core/error.h"
#include "core/memory.h"

#include <string.h>

typedef struct State {
    BrumeSimDef sim[BRUME_MAX_SIDES];
    BrumeRenderSettings look;
    int threads;
} State;

struct BrumeHistory {
    State states[BRUME_HISTORY_STATES]; // a ring
    int oldest;
    int count;   // of states, from 1
    int present; // steps after the oldest, below count
};

static State *state_at(BrumeHistory *history, int steps)
{
    return &history->states[(history->oldest + steps) % BRUME_HISTORY_STATES];
}

// byte by byte, so that the padding of equal states is equal too
static void take(State *state, const BrumeControls *controls)
{
    memcpy(state->sim, controls->sim, sizeof state->sim);
    memcpy(&state->look, &controls->look, sizeof state->look);
    state->threads = controls->threads;
}

static void give(const State *state, BrumeControls *controls)
{
    memcpy(controls->sim, state->sim, sizeof state->sim);
    memcpy(&controls->look, &state->look, sizeof state->look);
    controls->threads = state->threads;
}

static bool are_same(const void *a, const void *b, size_t size) { return memcmp(a, b, size) == 0; }

static bool is_state(const State *state, const BrumeControls *controls)
{
    return are_same(state->sim, controls->sim, sizeof state->sim) &&
           are_same(&state->look, &controls->look, sizeof state->look) && state->threads == controls->threads;
}

BrumeStatus brume_history_create(BrumeHistory **history, const BrumeControls *start, BrumeError *error)
{
    *history = brume_alloc(1, sizeof **history);
    if (!*history) {
        return brume_fail(error, BRUME_FAILED, "no memory to keep %d states for undo", BRUME_HISTORY_STATES);
    }
    brume_history_restart(*history, start);
    return BRUME_OK;
}

void brume_history_destroy(BrumeHistory *history) { brume_free(history); }

void brume_history_restart(BrumeHistory *history, const BrumeControls *start)
{
    history->oldest = 0;
    history->count = 1;
    history->present = 0;
    take(state_at(history, 0), start);
}

void brume_history_keep(BrumeHistory *history, const BrumeControls *controls)
{
    if (is_state(state_at(history, history->present), controls)) {
        return;
    }
    if (history->present + 1 == BRUME_HISTORY_STATES) {
        history->oldest = (history->oldest + 1) % BRUME_HISTORY_STATES;
    } else {
        history->present++;
    }
    history->count = history->present + 1;
    take(state_at(history, history->present), controls);
}

bool brume_history_undo(BrumeHistory *history, BrumeControls *controls)
{
    if (!brume_history_can_undo(history)) {
        return false;
    }
    give(state_at(history, --history->present), controls);
    return true;
}

bool brume_history_redo(BrumeHistory *history, BrumeControls *controls)
{
    if (!brume_history_can_redo(history)) {
        return false;
    }
    give(state_at(history, ++history->present), controls);
    return true;
}

bool brume_history_can_undo(const BrumeHistory *history) { return history->present > 0; }

bool brume_history_can_redo(const BrumeHistory *history) { return history->present + 1 < history->count; }

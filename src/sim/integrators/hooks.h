/**
 * @file hooks.h
 * Calls of the embedding program's functions from inside a step, and fields that it writes.
 */
#ifndef BRUME_SIM_INTEGRATORS_HOOKS_H
#define BRUME_SIM_INTEGRATORS_HOOKS_H

#include "sim/state/state.h"

/** Sets ghosts, closed faces and the largest speed anew where the program has written fields. */
void brume_refresh_written_fields(BrumeSim *sim);

/**
 * Makes the state ready for a step: as brume_refresh_written_fields; then projects the velocity where it is not free of
 * divergence. Fails with BRUME_FAILED where the program has written a value that is not finite.
 */
BrumeStatus brume_prepare_state(BrumeSim *sim, BrumeError *error);

/** Calls the source hook with a step of `dt` seconds; the ghosts of the fields that it writes are set afterwards. */
void brume_call_source_hook(BrumeSim *sim, double dt);

/** Calls the force hook with a step of `dt` seconds; the ghosts of the fields that it writes are set afterwards. */
void brume_call_force_hook(BrumeSim *sim, double dt);

/**
 * Reports to the progress hook that `stage` begins, `elapsed` seconds of simulated time after the start of the step.
 * Sets `stop_requested` where the hook returns false.
 */
void brume_report_progress(BrumeSim *sim, BrumeStage stage, double elapsed);

#endif

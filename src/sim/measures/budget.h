/**
 * @file budget.h
 * The budgets of temperature and smoke (brume/measures.h): stages book the amounts that they add and remove. All
 * functions do nothing while the budgets are off, and for quantities that are not scalars in use. Amounts are integrals
 * over the fluid cells [unit m^3].
 */
#ifndef BRUME_SIM_MEASURES_BUDGET_H
#define BRUME_SIM_MEASURES_BUDGET_H

#include "sim/state/state.h"

/** The totals of all scalars at a time; undefined while the budgets are off. */
typedef struct BrumeTotals {
    double total[BRUME_SCALAR_COUNT];
} BrumeTotals;

/** The present totals. */
BrumeTotals brume_budget_totals(const BrumeSim *sim);

/*
 * Booking by the difference of totals, for stages in which the exact bookkeeping would be intrusive: the change since
 * `totals_before` was measured is booked.
 */

/** Books the change as emitted, by strokes and hooks. */
void brume_budget_emitted_since(BrumeSim *sim, const BrumeTotals *totals_before);

/** Books the change as removed by bodies, which have covered and uncovered cells. */
void brume_budget_bodies_since(BrumeSim *sim, const BrumeTotals *totals_before);

/** Books the change as the effect of changed settings, or of rounding (state/half_scalars.h). */
void brume_budget_changed_since(BrumeSim *sim, const BrumeTotals *totals_before);

/*
 * Booking of amounts that a stage computes.
 */

/** Books an emitted amount. */
void brume_budget_add_emitted(BrumeSim *sim, BrumeFieldId id, double amount);

/** Books an amount that has burned or was radiated. */
void brume_budget_add_dissipated(BrumeSim *sim, BrumeFieldId id, double amount);

/** Books an amount that bodies have removed; negative for one that they give to the air. */
void brume_budget_add_bodies(BrumeSim *sim, BrumeFieldId id, double amount);

/** Books the amounts that a transport scheme in flux form has moved out of the box through each face. */
void brume_budget_add_left(BrumeSim *sim, BrumeFieldId id, const double amounts[BRUME_FACE_COUNT]);

/** Books the amounts that diffusion has moved out of the box through each face. */
void brume_budget_add_diffused(BrumeSim *sim, BrumeFieldId id, const double amounts[BRUME_FACE_COUNT]);

/*
 * Booking from the state.
 */

/**
 * Books the diffusion through the faces of the box for `seconds`, with the present values and ghosts: the exact flux of
 * an implicit step after its solve (whose ghosts must be set), and of an explicit step before it.
 */
void brume_budget_diffused_for(BrumeSim *sim, BrumeFieldId id, double diffusivity, double seconds);

/**
 * Books the exponential decay of all scalars over `dt` [s], which has just been applied: the present total is the
 * previous total times the factor.
 */
void brume_budget_decayed(BrumeSim *sim, double dt);

/**
 * Books an estimate of the loss of all scalars through the faces of the box in the coming transport over `dt` [s] along
 * `velocity` (u, v, w), for schemes without fluxes: the present values upwind of the faces. Sets the ghosts of the
 * scalars where they are not current.
 */
void brume_budget_estimate_left(BrumeSim *sim, const BrumeField velocity[3], double dt);

/** The budget of a scalar, with `unaccounted` computed for the present total. */
BrumeBudget brume_budget_of(const BrumeSim *sim, int scalar, double total);

#endif

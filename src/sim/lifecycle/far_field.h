/**
 * @file far_field.h
 * A coarse far field (Marek's hierarchical grid with two levels): the whole box is a simulation with cells `far_factor`
 * times as large, and the simulation that the caller has is a window of fine cells in it, which follows the smoke.
 *
 * A step advances the coarse simulation first. The window's sides that are inside the box then get its velocity, as
 * inflows whose velocity varies, whose fluxes sum to 0 because the coarse flow within
 * them is free of divergence; so the pressure of the window is a problem with closed sides. After the step of the
 * window its means replace the coarse fields there. Smoke and heat are 0 outside the window.
 *
 * Before a step the window moves where what is in it comes close to its sides, or where a smaller one would do: it
 * contains all cells with smoke, heat or vorticity, all emitters and strokes, bodies that move or heat, and others near
 * these. New cells get the coarse velocity by a prolongation without divergence (nesting.h).
 */
#ifndef BRUME_SIM_LIFECYCLE_FAR_FIELD_H
#define BRUME_SIM_LIFECYCLE_FAR_FIELD_H

#include "sim/state/state.h"

/** As brume_sim_create, of settings with a far field. */
BrumeStatus brume_far_create(BrumeSim **sim, const BrumeSimDef *def, BrumeError *error);

/** As brume_sim_change of a simulation that has a far field, or gets one. */
BrumeStatus brume_far_change(BrumeSim *sim, const BrumeSimDef *def, BrumeError *error);

/** Before a step of the window: moves it if needed, advances the coarse simulation by `dt` [s], and sets the sides. */
BrumeStatus brume_far_before_step(BrumeSim *sim, double dt, BrumeStepStats *stats, BrumeError *error);

/** After a step of the window: replaces the coarse fields within it by its means. */
void brume_far_after_step(BrumeSim *sim);

/** Gives a simulation that was loaded, a window with the faces of one, its far field, whose state and sides the caller
 * sets. */
BrumeStatus brume_far_restore(BrumeSim *sim, const BrumeSimDef *box, const BrumeFarWindow *window, BrumeError *error);

/** Sets the velocities on the sides of the window from the present coarse state. */
void brume_far_set_sides(BrumeSim *sim);

/** Frees it; NULL is allowed. */
void brume_far_destroy(BrumeFar *far);

/** Bytes allocated. */
size_t brume_far_bytes(const BrumeFar *far);

/** As brume_settings_bytes of settings with a far field, for the first window. */
size_t brume_far_bytes_needed(const BrumeSimDef *def);

#endif

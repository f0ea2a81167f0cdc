/**
 * @file lifecycle.h
 * Functions that the files which create, change, save and load a simulation share.
 */
#ifndef BRUME_SIM_LIFECYCLE_LIFECYCLE_H
#define BRUME_SIM_LIFECYCLE_LIFECYCLE_H

#include "sim/state/state.h"

// create.c

/**
 * As brume_sim_create for settings that have been checked, without a far field of their own: a window in `far`, whose
 * sides are set, or with NULL the whole box. `initial`: with the state at time 0. The simulation owns `far` if the call
 * succeeds.
 */
BrumeStatus brume_sim_create_in(BrumeSim **sim, const BrumeSimDef *def, BrumeFar *far, bool initial, BrumeError *error);

enum { BRUME_MAX_FIELDS = BRUME_FIELD_COUNT + 3 + BRUME_SCRATCH_FIELDS + 3 * BRUME_TEXTURE_LAYERS };

/** Lists all fields of the state and the scratch that the settings of `sim` need; returns their number. */
int brume_list_fields(BrumeSim *sim, BrumeField *fields[BRUME_MAX_FIELDS]);

/** As brume_sim_create, but leaves out the initial fields, because the caller replaces the state. */
BrumeStatus brume_sim_create_without_state(BrumeSim **sim, const BrumeSimDef *def, BrumeError *error);

/**
 * Sets the settings that the integrator prescribes, and makes the names in the settings point to constants of the
 * library, so that the caller may free its own.
 */
void brume_complete_settings(BrumeSimDef *def);

// saved_state.c

/** As brume_sim_create_saved, for a simulation of the ranks of `team`, each of which has the bytes. NULL: of none. */
BrumeStatus brume_sim_create_saved_with(BrumeSim **sim, struct BrumeTeam *team, const void *bytes, size_t size,
                                        BrumeError *error);

// animate.c

/**
 * Lets later steps set settings that change with time by `animate`, which may write the numbers of the air, of kinds of
 * smoke and of emitters. NULL: none change. `animation` is its context.
 */
void brume_sim_set_animation(BrumeSim *sim, BrumeSettingsMean *animate, const void *animation);

/** Sets the settings that change with time to their means over `from` to `to` [s], or to their values where both are
 * equal. The state may need brume_prepare_state afterwards. */
void brume_animate_settings(BrumeSim *sim, double from, double to);

/** Sets the settings of the coming step of `dt` [s], as brume_animate_settings, and the emitters at both its ends. */
void brume_animate_step(BrumeSim *sim, double dt);

// bytes_needed.c

/** As brume_sim_bytes_needed, for settings that have been checked. */
size_t brume_settings_bytes(const BrumeSimDef *def);

/** An estimate of the bytes of brume_geometry_create for these settings; a step that moves a body has two. */
size_t brume_geometry_bytes_needed(const BrumeSimDef *def);

// change.c

/** As brume_sim_change of the window that a simulation is, without its far field. */
BrumeStatus brume_sim_change_window(BrumeSim *sim, const BrumeSimDef *def, BrumeError *error);

/** Takes the time, hooks, ids, strokes, motions and budgets of another simulation with the same objects. */
void brume_take_progress(BrumeSim *sim, const BrumeSim *other);

/** Exchanges the contents of two simulations, so that the handle of `sim` stays. It keeps its particles, which do not
 * depend on cells; `created` has none. */
void brume_take_contents(BrumeSim *sim, BrumeSim *created);

/** Whether two settings have the same box and cells. */
bool brume_same_cells(const BrumeSimDef *a, const BrumeSimDef *b);

/** Whether two settings need the same fields; a change to others needs both simulations at a time. */
bool brume_same_fields(const BrumeSimDef *a, const BrumeSimDef *b);

// share_samples.c

/**
 * Lets a simulation that was created from saved bytes refer to the samples of `def` that are equal to its own, in place
 * of these. `def` has the same shapes in the same order. Meshes that deform get their frames so; fails where they give
 * other positions than those of the state, and as brume_restore_deformations.
 */
BrumeStatus brume_sim_share_samples(BrumeSim *sim, const BrumeSimDef *def, BrumeError *error);

// resample.c: the state on another grid

/**
 * Fills the state of `to` from the state of `from`, which may have another grid. Outside the box of `from` the air is
 * clean and moves with the wind of `to`, or with `keeps_outside` as before. Bodies of `from` are filled by
 * extrapolation, two layers deep. The state of `from` is unchanged; its scratch is overwritten. BRUME_FAILED if memory
 * runs out or the result is not finite; the state of `to` is undefined then.
 */
BrumeStatus brume_resample(BrumeSim *to, BrumeSim *from, bool keeps_outside, BrumeError *error);

// resample_scalar.c
/**
 * Sets temperature or a kind of smoke of `to` from the same field of `from`, whose grid differs. Fails with
 * BRUME_FAILED without memory.
 */
BrumeStatus brume_resample_scalar(const BrumeSim *to, const BrumeSim *from, BrumeFieldId id, BrumeError *error);

#endif

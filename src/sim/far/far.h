/**
 * @file far.h
 * A coarse far field (Marek's hierarchical grid with two levels): the whole box is a simulation with cells `far_factor`
 * times as large, and the simulation that the caller has is a window of fine cells in it, which follows the smoke.
 *
 * A step advances the coarse simulation first. The window's sides that are inside the box then get its velocity, as
 * inflows of a velocity that varies over the side (BrumeInflow), whose fluxes sum to 0 because the coarse flow within
 * them is free of divergence; so the pressure of the window is a problem with closed sides. After the step of the
 * window its means replace the coarse fields there. Smoke and heat are 0 outside the window.
 *
 * Before a step the window moves where what is in it comes close to its sides, or where a smaller one would do: it
 * contains all cells with smoke, heat or vorticity, all emitters, strokes and bodies. New cells get the coarse velocity
 * by a prolongation without divergence (nesting.h).
 */
#ifndef BRUME_SIM_FAR_FAR_H
#define BRUME_SIM_FAR_FAR_H

#include "sim/far/nesting.h"
#include "sim/state/state.h"

/** A window: cells of the box along each axis, counted from 1, both included; multiples of the factor. */
typedef struct BrumeWindow {
    int from[3], to[3];
} BrumeWindow;

/** The velocity on a side of the window that is inside the box, on the lines of BrumeField across it. */
typedef struct BrumeWindowSide {
    float *velocity[3]; ///< (outer + 2) x (inner + 2), on the side for the normal component, else in the ghosts [m/s]
} BrumeWindowSide;

typedef struct BrumeFar {
    BrumeSim *coarse;   ///< the whole box
    BrumeSimDef box;    ///< the settings, with the grid and the faces of the box in fine cells
    BrumeWindow window; ///< the grid of the simulation that has this far field
    BrumeWindowSide sides[BRUME_FACE_COUNT];
} BrumeFar;

/** As brume_sim_create, of settings with a far field. */
BrumeStatus brume_far_create(BrumeSim **sim, const BrumeSimDef *def, BrumeError *error);

/** As brume_sim_change of a simulation that has a far field, or gets one. */
BrumeStatus brume_far_change(BrumeSim *sim, const BrumeSimDef *def, BrumeError *error);

/** Before a step of the window: moves it if needed, advances the coarse simulation by `dt` [s], and sets the sides. */
BrumeStatus brume_far_before_step(BrumeSim *sim, double dt, BrumeStepStats *stats, BrumeError *error);

/** After a step of the window: replaces the coarse fields within it by its means. */
void brume_far_after_step(BrumeSim *sim);

/** Sets the settings of the box from those of the window, which have changed. */
void brume_far_update_settings(BrumeSim *sim);

/** Gives a simulation that was loaded, a window with the faces of one, its far field, whose state and sides the caller
 * sets. */
BrumeStatus brume_far_restore(BrumeSim *sim, const BrumeSimDef *box, const BrumeWindow *window, BrumeError *error);

/** Sets the velocities on the sides of the window from the present coarse state. */
void brume_far_set_sides(BrumeSim *sim);

/** Frees it; NULL is allowed. */
void brume_far_destroy(BrumeFar *far);

size_t brume_far_bytes(const BrumeFar *far);

// window.c

/** The smallest window that contains `needed` with a margin on all sides, of whole coarse cells. */
BrumeWindow brume_window_around(const BrumeSimDef *box, const BrumeIndexBox *needed);

/** The cells of the box, of fine ones, in which `sim`, a simulation of the box or of the window, has smoke, heat or
 * vorticity, or may emit or move bodies in the next `seconds` [s]. Ends before its start along each axis if there are
 * none. */
BrumeIndexBox brume_needed_cells(const BrumeSim *sim, const BrumeSimDef *box, double seconds);

/** Whether `needed` is so close to the sides of the window inside the box, or so small, that another one is better. */
bool brume_window_is_outdated(const BrumeSimDef *box, const BrumeWindow *window, const BrumeIndexBox *needed);

#endif

/**
 * @file window.h
 * Where the window of a far field has to be (lifecycle/far_field.h).
 */
#ifndef BRUME_SIM_FAR_WINDOW_H
#define BRUME_SIM_FAR_WINDOW_H

#include "sim/grid/cells.h"
#include "sim/state/state.h"

/** The smallest window that contains `needed` with a margin on all sides, of whole coarse cells. */
BrumeFarWindow brume_window_around(const BrumeSimDef *box, const BrumeIndexBox *needed);

/** Whether a body is in a window: in whole, as brume_needed_cells has the cells of all bodies that are partly. */
bool brume_window_has_body(const BrumeSimDef *box, const BrumeFarWindow *window, int body);

/** The window around the emitters at time 0, and bodies near them, which that of the simulation contains. */
BrumeFarWindow brume_first_window(const BrumeSimDef *box);

/** The cells of the fields at time 0: those of the first window, or without a far field of the box. */
BrumeGrid brume_first_grid(const BrumeSimDef *def);

/** The cells of the box, of fine ones, in which `sim`, a simulation of the box or of the window, has smoke, heat,
 * vorticity or particles, may emit or move bodies in the next `seconds` [s], or has bodies near these. Ends before its
 * start along each axis if there are none. */
BrumeIndexBox brume_needed_cells(const BrumeSim *sim, const BrumeSimDef *box, double seconds);

/** Whether `needed` is so close to the sides of the window inside the box, or so small, that another one is better. */
bool brume_window_is_outdated(const BrumeSimDef *box, const BrumeFarWindow *window, const BrumeIndexBox *needed);

#endif

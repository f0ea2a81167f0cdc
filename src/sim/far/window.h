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

/** The window around the emitters and bodies at time 0, which that of the simulation contains. */
BrumeFarWindow brume_first_window(const BrumeSimDef *box);

/** The cells of the fields at time 0: those of the first window, or without a far field of the box. */
BrumeGrid brume_first_grid(const BrumeSimDef *def);

/** The cells of the box, of fine ones, in which `sim`, a simulation of the box or of the window, has smoke, heat or
 * vorticity, or may emit or move bodies in the next `seconds` [s]. Ends before its start along each axis if there are
 * none. */
BrumeIndexBox brume_needed_cells(const BrumeSim *sim, const BrumeSimDef *box, double seconds);

/** Whether `needed` is so close to the sides of the window inside the box, or so small, that another one is better. */
bool brume_window_is_outdated(const BrumeSimDef *box, const BrumeFarWindow *window, const BrumeIndexBox *needed);

#endif

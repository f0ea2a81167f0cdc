/**
 * @file cut_cells.h
 * Cells that solids cut: their open fractions (fractions.h), and the flags that follow from them. A cell is solid if it
 * has no open volume, fluid otherwise, also where its center is inside a solid; a face between two fluid cells is open
 * if a part of it is.
 */
#ifndef BRUME_SIM_GRID_CUT_CELLS_H
#define BRUME_SIM_GRID_CUT_CELLS_H

#include "brume/sim_def.h"
#include "core/error.h"
#include "core/field.h"
#include "sim/grid/cells.h"

/**
 * Cuts whole cells, those of brume_cells_create, by the bodies of `def`, which has at least one. BRUME_FAILED
 * without memory; the cells are only to be destroyed then.
 */
BrumeStatus brume_cells_cut(BrumeCells *cells, const BrumeSimDef *def, BrumeError *error);

/**
 * As brume_cells_cut, by a signed distance [m] at the corners of the cells (brume_fractions_create) to the surface of
 * the first body, whose shape is not used.
 */
BrumeStatus brume_cells_cut_at(BrumeCells *cells, const BrumeField *distance, BrumeError *error);

/**
 * Lists the faces near the surfaces again, where the caller of brume_cells_cut_at has changed wall_ids. BRUME_FAILED
 * without memory.
 */
BrumeStatus brume_cells_find_friction_faces(BrumeCells *cells, const BrumeField *distance, BrumeError *error);

#endif

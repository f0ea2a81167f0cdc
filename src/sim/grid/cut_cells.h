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

/** The cells of these settings: whole, or cut by their bodies, as `def->solids` says. As brume_cells_create. */
BrumeStatus brume_cells_create_by_solids(BrumeCells *cells, const BrumeSimDef *def, BrumeError *error);

/**
 * Cuts whole cells, those of brume_cells_create, by the bodies of `def`, which has at least one. Cells that are solid
 * because a body passes between two centers (brume_cells_create) are solid as a whole. BRUME_FAILED without memory; the
 * cells are only to be destroyed then.
 */
BrumeStatus brume_cells_cut(BrumeCells *cells, const BrumeSimDef *def, BrumeError *error);

/**
 * As brume_cells_cut, by a signed distance [m] at the corners of the cells (brume_fractions_create) to the surface of
 * the first body, whose shape is not used.
 */
BrumeStatus brume_cells_cut_at(BrumeCells *cells, const BrumeField *distance, BrumeError *error);

/**
 * Lists the faces near the surfaces: of viscous air, of which brume_cells_cut does it alone; and again, where the
 * caller of brume_cells_cut_at has changed wall_ids. BRUME_FAILED without memory.
 */
BrumeStatus brume_cells_find_friction_faces(BrumeCells *cells, BrumeError *error);

/** The unit normal at the center of lower face c along an axis of cut cells, out of the nearest body; 0 far from all.
 * `index` is the cell of the face, or, on an upper side of the box, the one beyond. */
BrumeVec3 brume_cells_face_normal(const BrumeCells *cells, int axis, const int index[3]);

#endif

/**
 * @file diffusion_operator.h
 * The operator of diffusion with the boundary conditions of one quantity.
 */
#ifndef BRUME_SIM_FORCES_DIFFUSION_OPERATOR_H
#define BRUME_SIM_FORCES_DIFFUSION_OPERATOR_H

#include "sim/grid/cells.h"
#include "sim/state/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The operator A = -dx^2 lap of one quantity, for the present settings and geometry. */
typedef struct BrumeDiffusionOperator {
    const BrumeSim *sim;
    BrumeFieldId id;
    int from[3], to[3];                  ///< the unknowns: entries that are not on a side of the box
    int count;                           ///< of unknowns in a row
    ptrdiff_t below;                     ///< offset of the cell below a face; 0 for a quantity at cell centers
    const uint8_t *flags;                ///< of the cells; NULL without bodies, whose entries are no unknowns
    const uint8_t *ids;                  ///< the bodies of the cells
    float weights[BRUME_MAX_BODIES + 1]; ///< of the face to a body, by id: 2 if its surface has a value, else 0
    bool holds_surfaces;                 ///< whether any of the weights is not 0

    // of velocity where solids cut the cells, else NULL
    const float *open;               ///< the open fractions of the faces; closed ones are no unknowns
    const BrumeFrictionFaces *walls; ///< the faces near walls
} BrumeDiffusionOperator;

/** The operator of quantity `id`. */
BrumeDiffusionOperator brume_diffusion_operator(const BrumeSim *sim, BrumeFieldId id);

/** Whether entry c is in the air: for a face, whether it is open and neither of its cells is solid. */
static inline bool brume_is_diffused(const BrumeDiffusionOperator *op, ptrdiff_t c)
{
    return !op->flags ||
           (((op->flags[c] | op->flags[c - op->below]) & BRUME_CELL_SOLID) == 0 && (!op->open || op->open[c] > 0.0f));
}

/**
 * Writes the row of A x that starts at entry c, the first unknown of its row, to `out` (op->count values); 0 at entries
 * that are no unknowns. brume_set_operator_boundary must have set the boundary of x.
 */
void brume_apply_diffusion(const BrumeDiffusionOperator *op, float *out, const BrumeField *x, ptrdiff_t c);

/** As brume_apply_diffusion for a difference of two fields, for which all walls are at rest; its boundary is that of
 * brume_set_operator_difference_sides. */
void brume_apply_diffusion_to_difference(const BrumeDiffusionOperator *op, float *out, const BrumeField *x,
                                         ptrdiff_t c);

/**
 * The friction of the faces in the layer at a wall, which are no unknowns, over alpha = D dt / dx^2: each approaches
 * the velocity of a linear profile between the wall and its neighbors outside the layer. Does nothing with whole cells.
 */
void brume_diffuse_wall_layer(const BrumeDiffusionOperator *op, BrumeField *x, float alpha);

/** Of a scalar in cut cells: the weight of the surface in cell c, twice its area over dx^2; 0 where it has no value. */
float brume_surface_weight(const BrumeDiffusionOperator *op, ptrdiff_t c);

/** The temperature of the body that cuts cell c [K]. */
float brume_surface_temperature(const BrumeDiffusionOperator *op, ptrdiff_t c);

/**
 * Sets the ghosts that the operator reads, and copies the planes of other ranks next to those of this rank, which it
 * reads too.
 */
void brume_set_operator_sides(const BrumeDiffusionOperator *op, BrumeField *x);

/** The same for a difference of two fields. */
void brume_set_operator_difference_sides(const BrumeDiffusionOperator *op, BrumeField *x);

/** As brume_set_operator_sides; also sets the temperatures of bodies inside them. */
void brume_set_operator_boundary(const BrumeDiffusionOperator *op, BrumeField *x);

/** Whether a side across `axis` prescribes the value of `id` on it. */
bool brume_side_has_value(const BrumeFaceDef *face, int axis, BrumeFieldId id);

/** The largest diagonal entry of A: 1 for each neighbor, 2 where a value is prescribed half a cell away. */
float brume_largest_diagonal(const BrumeDiffusionOperator *op);

#endif

/**
 * @file level.h
 * A coarse level of the multigrid hierarchy: the 7-point operator with a coefficient on every face,
 *     (A x)_c = sum over the faces f of cell c of a_f (x_c - x_neighbor),
 * with coefficient 0 on walls, and x = 0 in the ghosts beyond open sides. Coarse cells without a coefficient above 0
 * are inactive: their x is 0.
 *
 * A level is built in two stages. Coarsening computes face coefficients in plain row order, from which the next level
 * is coarsened; then brume_level_finalize converts them to the operator that cycles apply.
 *
 * Ranks that share the box divide a coarse level as the box: its grid then has a domain. Where one of them would have
 * too few planes, or half a pair of planes, each computes the whole level, and all coarser ones; b of the finest of
 * these is gathered from the ranks that have computed its planes.
 */
#ifndef BRUME_SIM_PRESSURE_MULTIGRID_LEVEL_H
#define BRUME_SIM_PRESSURE_MULTIGRID_LEVEL_H

#include "core/error.h"
#include "core/field.h"
#include "sim/pressure/multigrid/aggregation.h"
#include "sim/pressure/multigrid/operator.h"
#include "sim/pressure/poisson/components.h"
#include "sim/pressure/poisson/poisson.h"

#include <stdbool.h>

struct BrumeMultigridLevel {
    BrumeGrid grid;
    bool periodic[3];
    bool parallel;    ///< whether the grid is large enough for a team of threads
    BrumeField x;     ///< correction, rows in parity order
    BrumeField b;     ///< right-hand side, rows in parity order; 0 in inactive cells. Its grid has the division of the
                      ///< finer level among ranks also if `grid` has none
    BrumeOperator op; ///< after brume_level_finalize
    BrumeComponents components;
    BrumeAggregation aggregation; ///< of the cells of the next finer level
    // until brume_level_finalize:
    BrumeField face[3]; ///< coefficients of the lower x, y, z faces; entry n+1 is the upper side of the box
    BrumeField active;  ///< 1, or 0 in inactive cells
    float
        *row_coefficient; ///< of each row (nz x ny): the coefficient of all its faces but closed ones, 0 if they differ
    float *width[3];      ///< along each axis (n + 2): extent of a cell in cells of the finest level
};

/**
 * Coarsens the finest level, the cells of the box. `singular`: whether the box has singular components; if not, none
 * are searched for. BRUME_FAILED without memory, with nothing to destroy.
 */
BrumeStatus brume_level_coarsen_finest(BrumeMultigridLevel *coarse, const BrumePoisson *poisson, bool singular,
                                       BrumeError *error);

/** Coarsens a level that is not finalized yet; otherwise as above. */
BrumeStatus brume_level_coarsen(BrumeMultigridLevel *coarse, const BrumeMultigridLevel *fine, bool singular,
                                BrumeError *error);

/**
 * Creates the operator and frees the data that only coarsening needs. No level can be coarsened from this one
 * afterwards. BRUME_FAILED without memory; the level must then be destroyed.
 */
BrumeStatus brume_level_finalize(BrumeMultigridLevel *level, BrumeError *error);

/** Frees all memory; a zeroed level is allowed. */
void brume_level_destroy(BrumeMultigridLevel *level);

/** Bytes that a finalized level has allocated. */
size_t brume_level_bytes(const BrumeMultigridLevel *level);

/** Cells of the coarse level along an axis of n cells: pairs become one, a last unpaired cell becomes one coarse cell.
 */
static inline int brume_level_coarse_size(int n) { return (n + 1) / 2; }

/** The coefficient of the lower face of entry (cell[0], cell[1], cell[2]) along an axis, before brume_level_finalize.
 */
static inline float brume_level_face(const BrumeMultigridLevel *level, int axis, const int cell[3])
{
    return brume_field_at(&level->face[axis], cell[0], cell[1], cell[2]);
}

#endif

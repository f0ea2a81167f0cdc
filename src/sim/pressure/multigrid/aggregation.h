/**
 * @file aggregation.h
 * The aggregate map: which coarse cell each cell of a level belongs to. A coarse cell is an aggregate of finer cells,
 * normally a block of 2 x 2 x 2. A thin plate can divide a block into parts without an open face between them; one
 * coarse value for both parts would couple the two sides of the plate. Then only the largest part belongs to the
 * block's own coarse cell. The cells of every other part are reassigned to the adjacent coarse cell with which they
 * have the strongest coupling, so that the plate lies between coarse cells. If there is none, as in a room of one cell,
 * they stay in their own block.
 *
 * Unsmoothed aggregation: Braess 1995; Shao, Huang, Michels 2022, "A fast unsmoothed aggregation algebraic multigrid
 * framework for the large-scale simulation of incompressible flow".
 */
#ifndef BRUME_SIM_PRESSURE_MULTIGRID_AGGREGATION_H
#define BRUME_SIM_PRESSURE_MULTIGRID_AGGREGATION_H

#include "core/error.h"
#include "core/field.h"
#include "sim/pressure/multigrid/operator.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct BrumeMultigridLevel BrumeMultigridLevel;

/**
 * Value of the aggregate map for a cell that belongs to the coarse cell of its own block. Other values are codes of the
 * offset from that coarse cell to the coarse cell that the cell belongs to.
 */
enum { BRUME_OWN_BLOCK = 0 };

/** A cell that belongs to another coarse cell than its block. */
typedef struct BrumeReassignedCell {
    int i, j, k;
    ptrdiff_t block;     ///< entry of the block's coarse cell, in parity order
    ptrdiff_t aggregate; ///< entry of the coarse cell that it belongs to, in parity order
} BrumeReassignedCell;

/** The reassigned cells of a level whose residuals are restricted, in memory order. */
typedef struct BrumeAggregation {
    int count;
    BrumeReassignedCell *cells; ///< (count)
} BrumeAggregation;

/**
 * Computes the aggregate map of a level that is not finalized: `map` (as many entries as a field, 0 on entry). Returns
 * how many cells are reassigned.
 */
int brume_aggregation_find(uint8_t *map, const BrumeMultigridLevel *fine);

/**
 * Lists the reassigned cells, with `red_only` only the ones of (i + j + k) % 2 == 0. BRUME_FAILED without memory, with
 * nothing to destroy.
 */
BrumeStatus brume_aggregation_create(BrumeAggregation *aggregation, const uint8_t *map, const BrumeMultigridLevel *fine,
                                     const BrumeField *coarse, bool red_only, BrumeError *error);

void brume_aggregation_destroy(BrumeAggregation *aggregation);

/** Bytes allocated. */
size_t brume_aggregation_bytes(const BrumeAggregation *aggregation);

/** The coarse cell that a cell belongs to. Beyond a periodic side it has the index 0 or n + 1. */
void brume_aggregate_of(int aggregate[3], const uint8_t *map, const BrumeMultigridLevel *fine, const int cell[3]);

/**
 * Sums the finer coefficients between the cells of each two adjacent coarse cells into the lower faces along x, y and
 * z: `face` (3 fields of the coarse grid, 0 on entry). A coupling of two coarse cells that are not adjacent is
 * distributed over the faces of a path between them.
 */
void brume_aggregation_sum_couplings(BrumeField face[3], const uint8_t *map, const BrumeMultigridLevel *fine);

/**
 * After brume_operator_restrict of all rows: moves the residuals of reassigned cells from block to aggregate, in the
 * planes of this rank.
 */
void brume_aggregation_restrict(const BrumeAggregation *aggregation, const BrumeOperator *op, BrumeField *coarse_b,
                                const BrumeField *x, const BrumeField *b);

/**
 * Before brume_operator_prolong of any row: adds to reassigned cells the difference between their aggregate's
 * correction and their block's, in the planes of this rank. The transpose of brume_aggregation_restrict.
 */
void brume_aggregation_prolong(const BrumeAggregation *aggregation, BrumeField *x, const BrumeField *coarse_x);

#endif
